"""Names of the formats, apart from the code that writes them: options need no more."""

# format -> module of this package that writes it
FORMATS = {
    "table": "text",
    "tsv": "delimited",
    "csv": "delimited",
    "jsonl": "delimited",
    "json": "delimited",
    "markdown": "markdown",
    "trec": "trec",
}
SUFFIXES = {
    ".txt": "table",
    ".tsv": "tsv",
    ".csv": "csv",
    ".json": "json",
    ".jsonl": "jsonl",
    ".md": "markdown",
    ".markdown": "markdown",
    ".trec": "trec",
}

MACHINE = ("json", "jsonl", "csv", "tsv")  # with full precision
OF_SUITES = ("table", *MACHINE, "markdown")
OF_COMPARISONS = (*OF_SUITES, "latex")
OF_HISTORIES = (*OF_SUITES, "svg")
