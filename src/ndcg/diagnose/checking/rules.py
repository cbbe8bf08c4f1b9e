"""The rules of `ndcg check`: what each looks for, why, what to do, and an example of both kinds.

Codes never change their meaning. R: runs; Q: judgments; M: measures; F: how files were read.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ndcg.errors import Problem, UsageError


class Example(NamedTuple):
    """Two small files and the options beside them."""

    qrels: str
    run: str = ""  # none: the judgments alone are checked
    options: str = ""


class Rule(NamedTuple):
    """What there is to know about a rule."""

    code: str
    name: str
    level: str  # error, warning or note
    what: str
    reason: str
    remedy: str
    bad: Example
    good: Example
    settled_by: tuple[str, ...] = ()  # axes: when one of them was chosen, it is a note


def _rows(text: str) -> str:
    """The lines of an example, written with slashes between them."""
    return "".join(f"{line.strip()}\n" for line in text.split("/"))


def _qrels(text: str) -> Example:
    return Example(_rows(text))


def _both(qrels: str, run: str, options: str = "") -> Example:
    return Example(_rows(qrels), _rows(run), options)


_TWO = "q1 0 a 2 / q1 0 b 0 / q2 0 c 1 / q2 0 d 0"
_RANKED = "q1 Q0 a 1 2.5 t / q1 Q0 x 2 1.5 t / q2 Q0 c 1 2 t / q2 Q0 y 2 1 t"
_GOOD = _both(_TWO, _RANKED, "-m nDCG@2")
_ONE = "q1 0 a 1 / q1 0 b 0"
_CORPUS = "corpus.txt:a/b/x/y/c/d"  # a third file, written beside the two

_RULES = (
    Rule("R01", "repeated-document", "error", "a run lists a document twice for one query",
         "A repeated document earns its gain twice: values above 1 become possible.",
         "Remove the repetition where the run is made, or settle it: --duplicates first.",
         _both(_TWO, "q1 Q0 a 1 3 t / q1 Q0 a 2 2 t / q2 Q0 c 1 1 t"), _GOOD,
         ("duplicates",)),
    Rule("R02", "rank-against-score", "warning", "the rank column contradicts the scores",
         "trec_eval and most tools order by score; others follow the rank. They compute different "
         "numbers from the same file.",
         "Write scores that fall with the rank, or say what counts: --order-by rank; "
         "--score-order ascending where small scores are good.",
         _both(_TWO, "q1 Q0 a 1 1.0 t / q1 Q0 x 2 2.0 t / q2 Q0 c 1 1 t"), _GOOD,
         ("order_by", "score_order")),
    Rule("R03", "ties-decide", "warning", "the order of tied documents decides values",
         "Tools break ties by document id, by position, or not at all; the value is as good as "
         "the rule.",
         "Write scores with all their digits, or average over all orders: --ties expected.",
         _both(_ONE, "q1 Q0 a 1 1.0 t / q1 Q0 x 2 1.0 t / q1 Q0 b 3 0.5 t"), _GOOD,
         ("ties",)),
    Rule("R04", "unjudged-query", "note", "the run answers queries that nobody judged",
         "They are left out of every mean, here and in trec_eval.",
         "Nothing, if the judgments are meant to be of fewer queries; else look at the ids.",
         _both(_TWO, _RANKED + " / q9 Q0 a 1 1 t"), _GOOD,
         ("extra",)),
    Rule("R05", "missing-query", "warning", "judged queries are missing from the run",
         "Counted 0 they lower the mean, left out they flatter the system: tools do either.",
         "Find out why nothing was returned; --missing says what they count.",
         _both(_TWO, "q1 Q0 a 1 2.5 t / q1 Q0 x 2 1.5 t"), _GOOD,
         ("missing",)),
    Rule("R06", "short-lists", "note", "queries list fewer documents than a cutoff",
         "A cutoff deeper than the list is the list: Recall@1000 of a run of 100 is Recall@100.",
         "Retrieve as many documents as the cutoff, or report a smaller one.",
         _both(_TWO, _RANKED, "-m nDCG@5"), _GOOD),
    Rule("R07", "bad-score", "error", "a score or rank is not a finite number",
         "NaN has no place in an order: each tool ranks it elsewhere.",
         "Mend the line; a NaN usually comes from the model.",
         _both(_TWO, "q1 Q0 a 1 nan t / q1 Q0 x 2 1.5 t / q2 Q0 c 1 2 t"), _GOOD),
    Rule("R08", "constant-rank", "note", "the rank column is the same in all rows",
         "It carries no order: scores decide, and a tool that goes by rank ranks at random.",
         "Nothing, if scores are what is meant.",
         _both(_TWO, "q1 Q0 a 0 2.5 t / q1 Q0 x 0 1.5 t / q2 Q0 c 0 2 t / q2 Q0 y 0 1 t"), _GOOD),
    Rule("R09", "equal-scores", "warning", "all scores of a query are equal",
         "There is no ranking: the rule for ties makes one up.",
         "Write ranks or falling scores; --order-by rank or position uses what is there.",
         _both(_ONE, "q1 Q0 a 1 1 t / q1 Q0 b 2 1 t / q1 Q0 x 3 1 t"), _GOOD,
         ("ties", "order_by")),
    Rule("R10", "float32-collision", "warning", "different scores are the same in single precision",
         "trec_eval 9 and tools on 32-bit floats take them for ties and break them by document id.",
         "Scale scores, or subtract a constant, so that 7 digits tell them apart.",
         _both(_ONE, "q1 Q0 b 1 0.92181807761 t / q1 Q0 a 2 0.92181807760 t"), _GOOD,
         ("score_type",)),
    Rule("R11", "query-ids", "error", "query ids of run and judgments differ",
         "Nothing is found under the other spelling: zeros, case, blanks or a '.0' are in the way.",
         "Write ids as text on both sides, alike.",
         _both("001 0 a 1 / 002 0 b 1", "1 Q0 a 1 1 t / 2 Q0 b 1 1 t"), _GOOD),
    Rule("R12", "document-ids", "error", "document ids of run and judgments differ",
         "No judged document is found, or not all: case, prefixes, or chunks of documents are in "
         "the way.",
         "Write ids alike; map chunks to their documents before ranking.",
         _both("q1 0 842-0-512 1 / q1 0 17-0-400 1", "q1 Q0 842 1 2 t / q1 Q0 17 2 1 t"), _GOOD),
    Rule("R13", "other-queries", "error", "judged documents are retrieved, under other queries",
         "Rows were joined by position, or query ids moved: values are of the wrong queries.",
         "Join judgments and run by the id of the query.",
         _both("q1 0 d1 1 / q2 0 d2 1", "q1 Q0 d2 1 2 t / q2 Q0 d1 1 2 t"), _GOOD),
    Rule("R14", "self-match", "warning", "a query retrieves the document with its own id",
         "Where queries are documents, finding themselves is no success.",
         "--self-match drop takes it out, as BEIR does; keep it if ids only look alike.",
         _both("d1 0 a 1 / d1 0 b 0", "d1 Q0 d1 1 3 t / d1 Q0 a 2 2 t"), _GOOD,
         ("self_match",)),
    Rule("R15", "two-systems", "error", "one file holds the runs of several systems",
         "Their documents mix into one ranking that nobody made.",
         "Split the file by its last column.",
         _both(_ONE, "q1 Q0 a 1 2 bm25 / q1 Q0 b 2 1 bm25 / q1 Q0 b 1 0.9 dense"), _GOOD),
    Rule("R16", "not-a-run", "error", "the file is something else than a run",
         "A printout of measures, or data for learning to rank, has no ranking in it.",
         "Give the run itself; a printout is what `ndcg reconcile --values` compares with.",
         _both(_ONE, "map all 0.5 / P_5 all 0.4 / ndcg all 0.3"), _GOOD),
    Rule("R17", "judged-only", "note", "every retrieved document is judged",
         "The run may have ranked a candidate pool of judged documents: easier than a collection, "
         "and not comparable.",
         "Say so beside the number, or rank the whole collection.",
         _both(_TWO, "q1 Q0 a 1 2 t / q1 Q0 b 2 1 t / q2 Q0 c 1 2 t / q2 Q0 d 2 1 t"), _GOOD),
    Rule("R18", "low-coverage", "warning", "much less of the top is judged than could be",
         "Unjudged documents count as not relevant: new systems look worse than they are.",
         "Look at --bounds; judge what --pool lists; or condense with --unjudged drop.",
         _both(_TWO, "q1 Q0 x 1 3 t / q1 Q0 y 2 2 t / q1 Q0 a 3 1 t / q2 Q0 z 1 2 t / "
                     "q2 Q0 v 2 1 t", "-m nDCG@2"), _GOOD,
         ("unjudged",)),
    Rule("R19", "sorted-by-grade", "warning", "tied documents are listed by falling grade",
         "A tool that keeps the input order of ties scores them as a perfect ranking.",
         "Shuffle documents before scoring, or use --ties expected.",
         _both("q1 0 d 3 / q1 0 c 2 / q1 0 b 1 / q1 0 a 0",
               "q1 Q0 d 1 0 t / q1 Q0 c 2 0 t / q1 Q0 b 3 0 t / q1 Q0 a 4 0 t"), _GOOD, ("ties",)),
    Rule("R20", "trivial-query", "note", "a query has one document, which is relevant",
         "No other order is possible: the value is 1 whatever the system does.",
         "Report how many there are; more candidates make them queries.",
         _both("q1 0 a 1 / q2 0 b 1 / q2 0 c 0", "q1 Q0 a 1 1 t / q2 Q0 b 1 2 t / q2 Q0 x 2 1 t"),
         _GOOD),
    Rule("R21", "swapped", "warning", "judgments and run look swapped",
         "Grades with fractions beside scores that are small whole numbers are unusual.",
         "Judgments come first, then the run.",
         _both("q1 0 a 0.7 / q1 0 b 0.2", "q1 Q0 a 1 2 t / q1 Q0 b 2 1 t"), _GOOD),
    Rule("R22", "several-tags", "note", "a run has several tags, one per query",
         "It may be several runs in one, put together query by query.",
         "Nothing, if it was put together on purpose.",
         _both(_TWO, "q1 Q0 a 1 2 one / q2 Q0 c 1 2 other"), _GOOD),
    Rule("R23", "nothing-judged", "note", "queries have nothing judged in the top of a run",
         "Their value is 0 whatever was found there: it says nothing about the system.",
         "Judge what --pool lists, or look at --bounds.",
         _both(_TWO, "q1 Q0 a 1 2.5 t / q1 Q0 x 2 1.5 t / q2 Q0 y 1 2 t / q2 Q0 z 2 1 t",
               "-m nDCG@2"), _GOOD),
    Rule("R24", "retrieved-not-in-corpus", "warning", "retrieved documents are not in the corpus",
         "The run was made over another collection, or another version of it.",
         "Index the collection again, or take those documents out of all runs.",
         _both(_TWO, "q1 Q0 a 1 2.5 t / q1 Q0 lost 2 1.5 t / q2 Q0 c 1 2 t",
               f"--corpus {_CORPUS}"), _both(_TWO, _RANKED, f"--corpus {_CORPUS}")),
    Rule("Q01", "negative-grade", "warning", "grades are negative",
         "Spam, or pooled and not judged: tools clamp them, skip them, or crash.",
         "Say what they count: --negative clamp, unjudged, remove or keep.",
         _qrels("q1 0 a 1 / q1 0 b -2"), _GOOD,
         ("negative",)),
    Rule("Q02", "nothing-relevant", "warning", "queries have no relevant document",
         "Their ideal is 0: tools leave them out, count 0, or count 1.",
         "--empty says what they count; judge more, or drop the queries for all systems.",
         _qrels("q1 0 a 1 / q1 0 b 0 / q2 0 c 0"), _GOOD,
         ("empty",)),
    Rule("Q03", "conflicting-judgments", "error", "a document is judged differently for one query",
         "Tools keep the first, the last, or both.",
         "Merge them: --judgments max, min, mean, median or majority.",
         _qrels("q1 0 a 1 / q1 0 a 3 / q1 0 b 0"), _GOOD,
         ("judgments",)),
    Rule("Q04", "fractional-grade", "warning", "grades are no whole numbers",
         "trec_eval and ranx cut them, pytrec_eval refuses them: 0.9 becomes 0.",
         "Keep them and say so, or map them to steps: --gain with a table.",
         _qrels("q1 0 a 1.5 / q1 0 b 0"), _GOOD,
         ("grades",)),
    Rule("Q05", "shallow-judgments", "note", "queries have fewer judged documents than a cutoff",
         "The top k cannot be judged as a whole: some of it counts as not relevant unseen.",
         "Watch judged@k; a smaller cutoff rests on more judgments.",
         Example(_rows(_ONE), "", "-m nDCG@10"), _GOOD),
    Rule("Q06", "repeated-judgment", "note", "a document is judged twice, alike",
         "Tools that add up rows count it twice in the ideal.",
         "Remove the repetition; here it is counted once.",
         _qrels("q1 0 a 1 / q1 0 a 1 / q1 0 b 0"), _GOOD),
    Rule("Q07", "several-judges", "warning", "several judges rated the same pairs",
         "How their grades are merged changes every value.",
         "Name the rule: --judgments mean, median, majority, max or min.",
         Example("query,document,grade,judge\nq1,a,2,ann\nq1,a,1,bob\nq1,b,0,ann\n", "",
                 "--judgments median"), _GOOD,
         ("judgments",)),
    Rule("Q08", "counts", "warning", "grades look like counts of clicks, views or plays",
         "One popular document outweighs all others, and position bias is in the counts.",
         "Take logarithms or bins; --gain linear at least.",
         _qrels("q1 0 a 123 / q1 0 b 3 / q1 0 c 0"), _GOOD,
         ("gain",)),
    Rule("Q09", "percentages", "warning", "grades look like percentages",
         "2^100 is no gain that means anything.",
         "--gain linear, or a table that maps them to steps.",
         _qrels("q1 0 a 100 / q1 0 b 45 / q1 0 c 0"), _GOOD,
         ("gain",)),
    Rule("Q10", "already-gains", "warning", "grades look like gains already",
         "Powers of two are what 2^grade makes: taken once more, one document is worth all.",
         "--gain linear takes them as they are.",
         _qrels("q1 0 a 16 / q1 0 b 4 / q1 0 c 2 / q1 0 d 0"), _GOOD,
         ("gain",)),
    Rule("Q11", "large-grade", "warning", "grades above 10 with exponential gain",
         "Each step doubles the gain: a grade of 12 outweighs four thousand of grade 1.",
         "--gain linear, or a table of gains.",
         _qrels("q1 0 a 12 / q1 0 b 3 / q1 0 c 0"), _GOOD,
         ("gain",)),
    Rule("Q12", "one-grade-decides", "warning", "one document has nearly all gain of a query",
         "The measure then asks one question, where that document is.",
         "A flatter gain, or RR of the highest grade.",
         _qrels("q1 0 a 6 / q1 0 b 1 / q1 0 c 1 / q1 0 d 0"), _GOOD,
         ("gain",)),
    Rule("Q13", "binary-exponential", "note", "binary judgments with exponential gain",
         "2^1 - 1 is 1: gain makes no difference here.",
         "Nothing: numbers of other gains are comparable for these judgments.",
         _qrels(_ONE), _both(_TWO, _RANKED)),
    Rule("Q14", "one-relevant", "note", "every query has exactly one relevant document",
         "nDCG is a function of one rank there, and so is RR, which is easier to read.",
         "Report RR as well; mind the unjudged documents.",
         _qrels("q1 0 a 1 / q1 0 b 0 / q2 0 c 1 / q2 0 d 0"),
         _qrels("q1 0 a 1 / q1 0 b 2 / q2 0 c 1 / q2 0 d 0")),
    Rule("Q15", "single-grade", "note", "all judged documents of a query have the same grade",
         "Any order of them is ideal: 1.0 may be three poor results.",
         "DCG, or an ideal of the best grade: --ideal slots:3.",
         _qrels("q1 0 a 1 / q1 0 b 1 / q1 0 c 1"), _GOOD),
    Rule("Q16", "no-judgments", "warning", "queries are listed with no judged document",
         "They cannot be told from queries with nothing relevant.",
         "Judge them, or leave them out.",
         Example('{"q1": {"a": 1, "b": 0}, "q2": {}}'), _GOOD),
    Rule("Q17", "not-in-corpus", "warning", "judged documents or queries are not in the collection",
         "They stay in the ideal and can never be found: no system reaches 1.",
         "Leave them out of the judgments, for all systems.",
         Example(_rows("q1 0 a 1 / q1 0 gone 1"), "", f"--corpus {_CORPUS}"),
         Example(_rows(_TWO), "", f"--corpus {_CORPUS}")),
    Rule("Q18", "below-threshold", "warning", "grades between 0 and 1 count as not relevant",
         "Relevant is what has a grade of at least rel, 1 by default.",
         "Set the threshold: P(rel=0.5)@10.",
         Example(_rows("q1 0 a 0.5 / q1 0 b 0"), "", "-m P@5"), _GOOD),
    Rule("Q19", "subtopics", "error", "judgments are per subtopic",
         "A document has a grade for each subtopic: plain nDCG is not defined by them.",
         "Take the highest: --judgments max; or use a diversity measure.",
         _qrels("q1 1 a 1 / q1 2 a 0 / q1 1 b 0 / q1 2 b 2"), _GOOD,
         ("judgments",)),
    Rule("Q20", "not-judgments", "error", "the file is something else than judgments",
         "A run, a printout or a table of ratings has other columns.",
         "Judgments come first: query, iteration, document, grade.",
         _qrels("map all 0.5 / P_5 all 0.4 / ndcg all 0.3"), _GOOD),
    Rule("Q21", "bad-grade", "error", "a grade is not a finite number",
         "A tool that reads what it can takes '2,5' for 2 and 'x' for 0.",
         "Mend the line.",
         _qrels("q1 0 a 2,5 / q1 0 b 0 / q1 0 c 1"), _GOOD),
    Rule("Q22", "forgotten-grades", "note", "low grades are taken for unjudged",
         "min_grade forgets them, so they are not in the accounts either.",
         "Nothing, if a tool is reproduced that does so.",
         _both("q1 0 a 2 / q1 0 b 0", "q1 Q0 a 1 2 t / q1 Q0 b 2 1 t", "--axis min_grade=1"),
         _GOOD),
    Rule("Q23", "all-relevant", "warning", "every judged document is relevant",
         "Where a scale begins at 1, its lowest step counts as relevant and earns gain: values are "
         "too high. Where only the relevant were judged, nothing tells a miss from a hit unseen.",
         "Map the lowest step to 0, as --gain 1=0,2=1,3=2 does, and set thresholds: P(rel=2)@10.",
         _qrels("q1 0 a 3 / q1 0 b 1 / q2 0 c 2 / q2 0 d 1"), _GOOD, ("gain",)),
    Rule("Q24", "grade-without-gain", "error", "a grade has no finite gain",
         "The table of gains does not name it, or its exponential gain is too large for a double.",
         "Name all grades in the table, or take --gain linear.",
         Example(_rows(_ONE), _rows("q1 Q0 a 1 1 t"), "--gain 0=0,2=1"), _GOOD),
    Rule("M01", "short-cutoff", "note", "a cutoff looks at one or two documents",
         "One or two judgments decide each query, so only very many queries tell systems apart.",
         "Report a deeper one beside it, such as nDCG@10.",
         Example(_rows(_ONE), "", "-m nDCG@1"), Example(_rows(_ONE), "", "-m nDCG@10")),
    Rule("F01", "encoding-mark", "note", "a byte order mark or unusual line ends",
         "Other tools glue the mark to the first query, or see one line.",
         "Save the file as UTF-8 without a mark, lines ended by LF.",
         Example("\ufeff" + _rows(_ONE)), _GOOD),
    Rule("F03", "comments", "note", "lines that begin with # were left out, or read as rows",
         "trec_eval 9 refuses comments, 10 skips them; # also begins ids.",
         "Look whether each was taken for what it is.",
         Example("# judged in May\n" + _rows(_ONE)), _GOOD),
    Rule("F04", "quoted-numbers", "note", "numbers stand in double quotes",
         "trec_eval reads them as 0.",
         "Write them without quotes.",
         Example('q1 0 a "1"\nq1 0 b "0"\n'), _GOOD),
    Rule("F05", "layout", "note", "how a file was read where that is not obvious",
         "A layout that is guessed may be guessed wrong.",
         "Say it: --qrels-format, --run-format, --columns.",
         Example("q1\ta\nq1\tb\n"), _GOOD),
    Rule("F08", "stand-in", "note", "a run was looked at by another rule than the one asked for",
         "The convention refuses it; to see the rest, the nearest rule that does not was taken.",
         "Mend what the error names.",
         _both(_TWO, "q1 Q0 a 1 3 t / q1 Q0 a 2 2 t / q2 Q0 c 1 1 t"), _GOOD),
    Rule("F07", "bad-row", "error", "rows do not have the columns of the format",
         "Readers that split at any cost shift the fields: a score becomes an id.",
         "Complete or remove the line.",
         _both(_TWO, "q1 Q0 a 1 2.5 t / q1 Q0 x / q2 Q0 c 1 2 t / q2 Q0 y 2 1 t"), _GOOD),
)  # fmt: skip

RULES: dict[str, Rule] = {rule.code: rule for rule in _RULES}


def selected(select: Iterable[str], ignore: Iterable[str]) -> set[str]:
    """The codes of the rules that are asked for, by codes, beginnings of codes, or names.

    >>> sorted(selected(["m", "R01", "ties-decide"], []))
    ['M01', 'R01', 'R03']
    """
    wanted, unwanted = _meant(select), _meant(ignore)
    return {code for code in RULES if (wanted is None or code in wanted)} - (unwanted or set())


def _meant(given: Iterable[str]) -> set[str] | None:
    """The codes that are meant; None where nothing is given."""
    found: set[str] | None = None
    for one in (given,) if isinstance(given, str) else given or ():
        codes = {
            code
            for code, rule in RULES.items()
            if one and (code.startswith(one.upper()) or rule.name == one.lower())
        }
        if not codes:
            what = f"no rule is called {one!r}"
            raise UsageError(Problem("usage", what, help=f"rules: {', '.join(RULES)}"))
        found = codes | (found or set())
    return found
