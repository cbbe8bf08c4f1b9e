"""A BEIR folder: judgments under qrels/, and the ids that its corpus and its queries know."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable
from functools import partial

from ndcg.errors import DataError, Place, Problem, count, listed, warn
from ndcg.formats.source import Input
from ndcg.stores.given import Judgments

_LONGEST = 1 << 24  # bytes of a line that are read at a time: an id stands at its beginning
# The id of a line as BEIR writes it, found without taking the text of a document apart.
_ID = re.compile(rb'\s*\{\s*"_id"\s*:\s*"([^"\\]*)"')


def qrels_file(folder: str) -> tuple[str, str | None]:
    """The judgments in a folder, and what is to be said about the choice.

    Raises
    ------
    DataError
        When the folder is no BEIR folder, or several files could be meant.
    """
    inside = os.path.join(folder, "qrels")
    names = sorted(n for n in _listed(inside) if n.endswith((".tsv", ".tsv.gz")))
    if not names:
        what = f"{folder} is a directory without qrels/*.tsv, so no BEIR folder"
        raise DataError(Problem("file", what, Place(folder), "name a file in it"))
    if len(names) == 1:
        return os.path.join(inside, names[0]), None
    if "test.tsv" in names:
        others = ", ".join(name for name in names if name != "test.tsv")
        return os.path.join(inside, "test.tsv"), f"qrels/test.tsv was taken, not {others}"
    what = f"{folder} has {len(names)} files of judgments and no test.tsv: {listed(names)}"
    how = f"name one of them: {os.path.join(inside, names[0])}"
    raise DataError(Problem("file", what, Place(folder), how))


def _listed(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def note_strangers(folder: str, judgments: Judgments, found: Input) -> None:
    """Say which judged queries and documents the folder itself does not know."""
    documents = {document for pairs in judgments.given.values() for document in _documents(pairs)}
    for name, noun, ids in (
        ("queries.jsonl", ("judged query", "judged queries"), {*judgments.given}),
        ("corpus.jsonl", ("judged document", "judged documents"), documents),
    ):
        path = os.path.join(folder, name)
        if not os.path.isfile(path):
            continue
        try:
            missing, unread = _absent(path, ids)
        except OSError as error:
            found.note(f"{name} cannot be read ({error.strerror}): no id was looked for in it")
            continue
        if missing:
            what = f"{count(len(missing), *noun)} not in {name}: {listed(sorted(missing))}"
            found.notices.append(warn(f"{folder}: {what}", rule="Q17"))
        if missing and unread:
            found.note(f"{count(unread, 'line')} of {name} without a readable _id")


def _documents(pairs: Iterable[object]) -> Iterable[str]:
    return (one if isinstance(one, str) else one[0] for one in pairs)  # type: ignore[index]


def _absent(path: str, ids: set[str]) -> tuple[set[str], int]:
    """The ids that no line of a file has, and how many lines show none.

    Reads no further than the last id that is looked for.
    """
    wanted, unread = set(ids), 0
    with open(path, "rb") as lines:
        for line in iter(partial(lines.readline, _LONGEST), b""):
            if not wanted:
                break
            if not line.strip():
                continue
            name = id_of(line)
            unread += name is None
            wanted.discard(name or "")
    return wanted, unread


def id_of(line: bytes) -> str | None:
    """The ``_id`` of a line, None where there is none."""
    match = _ID.match(line)
    try:
        if match is not None:
            return match[1].decode()
        name = json.loads(line).get("_id")
    except (ValueError, AttributeError, RecursionError):
        return None
    return name if isinstance(name, str) else str(name) if isinstance(name, int) else None
