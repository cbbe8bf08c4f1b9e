"""What documents and queries are about: the texts of some ids, from JSON lines, CSV or TSV."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import Any

from ndcg.errors import DataError, Place, Problem, Problems
from ndcg.formats.json_text import Broken, Pairs, parsed
from ndcg.formats.source import Source, read_source
from ndcg.formats.text_lines import first_lines, numbered, streamed
from ndcg.stores.asked import Asked
from ndcg.stores.names import NAMES, plain
from ndcg.stores.values import text_id

# The names of columns and keys, the more telling ones first; compared as `names.plain` does.
_IDS = ("id", *map(plain, (*NAMES["document"], *NAMES["query"])))
_TEXTS = ("title", "text", "name", "querytext", "body", "contents", "content", "passage", "query",
          "question", "description", "product", "productname", "producttitle")  # fmt: skip
_FIRST = ("_id", "id")  # spelt so, these are the ids whatever else there is
_LONGEST = 200  # characters of a text that are kept
_HOW = (
    'give JSON lines with "id" and "title" or "text", a table with such heads, or lines of id, '
    "tab and text"
)


def read_texts(path: str, wanted: Collection[str]) -> dict[str, str]:
    """The texts of the wanted ids: their titles, or else how their texts begin.

    JSON lines (BEIR's corpus.jsonl and queries.jsonl among them), CSV or TSV with heads, or lines
    of id, tab and text (MS MARCO); compressed or not. Of an id that stands there several times the
    first text counts. Large files are read line by line, all but JSON arrays and tables with heads.

    Raises
    ------
    DataError
        When the file cannot be read, or has no ids or no texts.
    """
    wanted, head = frozenset(wanted), first_lines(path)
    if head is not None and (head.text.lstrip()[0] == "[" or _heads(_first_line(head))):
        head = None
    source = read_source(path, "texts", fingerprint=False) if head is None else head
    mark, first = source.text.lstrip()[0], _first_line(source)
    if mark == "[" and isinstance(whole := parsed(source.text), list):
        return _json(path, ((None, one) for one in whole), wanted)
    if mark in "{[":
        lines = numbered(source) if head is None else streamed(path, endless=True)
        return _json(path, (one for one in lines if _asked(one[1], wanted)), wanted)
    if _heads(first):
        return _table(source, wanted)
    if "\t" in first or not any(delimiter in first for delimiter in ",;"):
        return _tabbed(path, numbered(source) if head is None else streamed(path), wanted)
    raise _none(source, first)


def _first_line(source: Source) -> str:
    return next(line for line in source.text.split("\n") if line.strip())


def _kept(found: dict[str, str], name: str | None, text: object, wanted: Collection[str]) -> None:
    """Take a text, if its id is wanted and has none yet."""
    if name is None or name not in wanted or name in found or not isinstance(text, str):
        return
    shown = " ".join(text[: 4 * _LONGEST].split())
    if shown:
        found[name] = shown if len(shown) <= _LONGEST else shown[: _LONGEST - 1] + "…"


# -- JSON ------------------------------------------------------------------------------------------


# The first of an object's keys where it is one of those.
_ID = re.compile(r'\s*\{\s*"(_?id)"\s*:\s*"([^"\\]*)"')
_OVERRULES = ('"_id"', "\\u005", "\\u006")  # in a line: "_id", or letters of it written as escapes
_spelt_plainly = lru_cache(4096)(plain)  # keys repeat from line to line


def _json(
    path: str, rows: Iterable[tuple[int | None, Any]], wanted: Collection[str]
) -> dict[str, str]:
    """Objects, in lines with their numbers or as they stand in an array."""
    found, problems = dict[str, str](), Problems()
    for number, one in rows:
        value = parsed(one) if number is not None else one
        name, text = _named(value) if isinstance(value, Pairs) else (None, None)
        if name is None or text is None:
            place = Place(path) if number is None else Place(path, number, one.strip())
            problems.add(Problem("syntax", f"{path}: {_fault(value, name)}", place, _HOW))
        _kept(found, name, text, wanted)
    problems.raise_if_any()
    return found


def _asked(line: str, wanted: Collection[str]) -> bool:
    """Whether a line may be about a wanted id: lines of others are not taken apart."""
    match = _ID.match(line)
    if match is None:
        return bool(line.strip())
    return match[2] in wanted or (match[1] != _FIRST[0] and any(one in line for one in _OVERRULES))


def _fault(value: Any, name: str | None) -> str:
    """Why a value of JSON is no text with its id."""
    if isinstance(value, Broken):
        return f"no JSON: {value.why}"
    if not isinstance(value, Pairs):
        return "no object with an id and a text"
    part = "id" if name is None else "text"
    return f"no {part} among the keys {', '.join(value.names[:8])}"


def _named(value: Pairs) -> tuple[str | None, str | None]:
    """The id and the text of an object, wherever they stand in it; of equal keys the first."""
    keys = dict(reversed(value))
    ids = (keys[key] for key in _telling(keys, _IDS) if keys[key] is not None)
    texts = [keys[key] for key in _telling(keys, _TEXTS) if isinstance(keys[key], str)]
    text = next((one for one in texts if one.strip()), "" if texts else None)
    return text_id(next(ids, None)), text


def _telling(names: Collection[str], known: Sequence[str]) -> list[str]:
    """The names that are known, the more telling ones first, in whatever order they stand."""
    own = [(name, called) for name in names if (called := _spelt_plainly(name)) in known]
    own.sort(key=lambda one: (known.index(one[1]),
                              _FIRST.index(one[0]) if one[0] in _FIRST else 2, one[0]))  # fmt: skip
    return [name for name, _ in own]


# -- tables ----------------------------------------------------------------------------------------


def _table(source: Source, wanted: Collection[str]) -> dict[str, str]:
    """A table with heads."""
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
    ids = _telling(names, _IDS)[:1]
    texts = [name for name in _telling(names, _TEXTS) if name not in ids]
    if not ids or not texts:
        raise _none(source, ", ".join(names))
    return ids[0], texts


def _tabbed(path: str, lines: Iterable[tuple[int, str]], wanted: Collection[str]) -> dict[str, str]:
    """Lines of id, tab and text."""
    found, problems = dict[str, str](), Problems()
    for number, line in lines:
        if not line.strip():
            continue
        name, tab, text = line.partition("\t")
        if not tab:
            place = Place(path, number, line.rstrip("\r"))
            problems.add(
                Problem("columns", f"{path}: no tab between an id and a text", place, _HOW)
            )
        else:
            _kept(found, name.strip(), text, wanted)
    problems.raise_if_any()
    return found


def _none(source: Source, first: str) -> DataError:
    what = f"{source.input.path}: no column of ids beside one of texts: {first.strip()}"
    return DataError(Problem("columns", what, Place(source.input.path), _HOW))
