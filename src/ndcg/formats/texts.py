"""What documents and queries are about: the texts of some ids, from JSON lines, CSV or TSV."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from ndcg.errors import DataError, Place, Problem, Problems
from ndcg.formats.json_text import Broken, Pairs, parsed
from ndcg.formats.source import Source, read_source
from ndcg.stores.asked import Asked
from ndcg.stores.names import NAMES, plain
from ndcg.stores.values import text_id

# The names of columns and keys, the more telling ones first; compared as `names.plain` does.
_IDS = ("id", *map(plain, (*NAMES["document"], *NAMES["query"])))
_TEXTS = ("title", "text", "name", "querytext", "body", "contents", "content", "passage", "query",
          "question", "description", "product", "productname", "producttitle")  # fmt: skip
_LONGEST = 200  # characters of a text that are kept
# An id at the beginning of a line: lines of others are not taken apart.
_ID = re.compile(r'\s*\{\s*"(?:_?id|docid|doc_id|docno)"\s*:\s*"([^"\\]*)"')
_HOW = (
    'give JSON lines with "id" and "title" or "text", a table with such heads, or lines of id, '
    "tab and text"
)


def read_texts(path: str, wanted: Collection[str]) -> dict[str, str]:
    """The texts of the wanted ids: their titles, or else how their texts begin.

    JSON lines (BEIR's corpus.jsonl and queries.jsonl among them), CSV or TSV with heads, or lines
    of id, tab and text (MS MARCO); compressed or not. Of an id that stands there several times the
    first text counts.

    Raises
    ------
    DataError
        When the file cannot be read, or has no ids or no texts.
    """
    source = read_source(path, "texts", fingerprint=False)
    wanted = frozenset(wanted)
    if source.text.lstrip()[:1] in ("{", "["):
        return _json(source, wanted)
    return _table(source, wanted)


def _kept(found: dict[str, str], name: str | None, text: object, wanted: Collection[str]) -> None:
    """Take a text, if its id is wanted and has none yet."""
    if name is None or name not in wanted or name in found or not isinstance(text, str):
        return
    shown = " ".join(text[: 4 * _LONGEST].split())
    if shown:
        found[name] = shown if len(shown) <= _LONGEST else shown[: _LONGEST - 1] + "…"


# -- JSON ------------------------------------------------------------------------------------------


def _json(source: Source, wanted: Collection[str]) -> dict[str, str]:
    """Objects, one a line or in an array."""
    whole = parsed(source.text) if source.text.lstrip()[0] == "[" else None
    rows: list[tuple[int | None, Any]]
    if isinstance(whole, list) and not isinstance(whole, Pairs):
        rows = [(None, one) for one in whole]
    else:
        lines = enumerate(source.text.split("\n"), 1)
        rows = [(number, line) for number, line in lines if line.strip() and _asked(line, wanted)]
    found, problems = dict[str, str](), Problems()
    for number, one in rows:
        value = parsed(one) if isinstance(one, str) else one
        fault = _fault(value)
        if fault is not None:
            place = Place(source.input.path) if number is None else (
                Place(source.input.path, number, str(one).strip()))  # fmt: skip
            problems.add(Problem("syntax", f"{source.input.path}: {fault}", place, _HOW))
            continue
        _kept(found, *_named(value), wanted)
    problems.raise_if_any()
    return found


def _asked(line: str, wanted: Collection[str]) -> bool:
    """Whether a line may be about a wanted id."""
    match = _ID.match(line)
    return match is None or match[1] in wanted


def _fault(value: Any) -> str | None:
    """Why a value of JSON is no text with its id."""
    if isinstance(value, Broken):
        return f"no JSON: {value.why}"
    if not isinstance(value, Pairs):
        return "no object with an id and a text"
    name, text = _named(value)
    if name is None:
        return f"no id among the keys {', '.join(value.names[:8])}"
    return f"no text among the keys {', '.join(value.names[:8])}" if text is None else None


def _named(value: Pairs) -> tuple[str | None, str | None]:
    """The id and the text of an object."""
    keys = {plain(key): one for key, one in value}
    name = next((keys[key] for key in _IDS if key in keys and keys[key] is not None), None)
    texts = [keys[key] for key in _TEXTS if isinstance(keys.get(key), str)]
    text = next((one for one in texts if one.strip()), "" if texts else None)
    return text_id(name), text


# -- tables ----------------------------------------------------------------------------------------


def _table(source: Source, wanted: Collection[str]) -> dict[str, str]:
    """A table with heads, or lines of id, tab and text."""
    first = next(line for line in source.text.split("\n") if line.strip())
    if not _heads(first):
        if "\t" in first or not any(mark in first for mark in ",;"):
            return _tabbed(source, wanted)
        raise _none(source, first)
    from ndcg.formats.delimited import table_of

    table = table_of(source, Asked({}, set()))
    ids, texts = _columns(source, table.names)
    if table.faults:
        row = min(table.faults)
        fault = table.faults[row][0]
        raise DataError(Problem(fault.word, fault.what, table.place(row, fault.column), fault.help),
                        total=len(table.faults))  # fmt: skip
    found: dict[str, str] = {}
    columns = [table.columns[name] for name in texts]
    for at, name in enumerate(table.columns[ids]):
        text = next((one[at] for one in columns if one[at].strip()), None)
        _kept(found, name, text, wanted)
    return found


def _heads(first: str) -> bool:
    """Whether a first line names columns."""
    for mark in "\t,;":
        names = {plain(cell.strip().strip('"')) for cell in first.rstrip("\r").split(mark)}
        if len(names) > 1 and names & {*_IDS} and names & {*_TEXTS}:
            return True
    return False


def _columns(source: Source, names: Sequence[str]) -> tuple[str, list[str]]:
    """The column of the ids, and those of texts, the most telling one first."""
    by_name: Mapping[str, str] = {plain(name): name for name in reversed(names)}
    ids = next((by_name[name] for name in _IDS if name in by_name), None)
    texts = [by_name[name] for name in _TEXTS if name in by_name and by_name[name] != ids]
    if ids is None or not texts:
        raise _none(source, ", ".join(names))
    return ids, texts


def _tabbed(source: Source, wanted: Collection[str]) -> dict[str, str]:
    """Lines of id, tab and text."""
    found, problems = dict[str, str](), Problems()
    for number, line in enumerate(source.text.split("\n"), 1):
        if not line.strip():
            continue
        name, tab, text = line.partition("\t")
        if not tab:
            what = f"{source.input.path}: no tab between an id and a text"
            place = Place(source.input.path, number, line.rstrip("\r"))
            problems.add(Problem("columns", what, place, _HOW))
            continue
        _kept(found, name.strip(), text, wanted)
    problems.raise_if_any()
    return found


def _none(source: Source, first: str) -> DataError:
    what = f"{source.input.path}: no column of ids beside one of texts: {first.strip()}"
    return DataError(Problem("columns", what, Place(source.input.path), _HOW))
