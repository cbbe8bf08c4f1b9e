"""What a gate compares with: the values of an earlier run, with what they were made by.

A baseline is a JSON file that people commit: the same values give the same bytes on every machine,
a query a line or so, no paths and no clock. Its own digest tells a file that was edited or merged.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from ndcg._version import VERSION
from ndcg.axes import number_text
from ndcg.convention import Convention, without_version
from ndcg.errors import DataError, NdcgError, Place, Problem, did_you_mean, listed
from ndcg.evaluation.results import SystemResult
from ndcg.formats.json_text import Broken, is_finite, parsed, plain
from ndcg.stores.given import Judged

KIND = "ndcg baseline"
SCHEMA = 1
_ANEW = "ndcg gate ... --baseline FILE --update writes it anew"


@dataclass(frozen=True, slots=True)
class Baseline:
    """The values of one system, and what they were made by.

    Attributes
    ----------
    path : where it lies; empty for one that lies nowhere yet.
    system, version : whose values, computed by which version of this package.
    judgments : the digest of judgments, see `digest_of`; empty where they are the same by nature.
    signatures : measure -> its signature, without the version.
    per_query : query -> measure -> value, None where it is undefined or left out.
    """

    path: str
    system: str
    version: str
    judgments: str
    signatures: Mapping[str, str]
    per_query: Mapping[str, Mapping[str, float | None]]

    @classmethod
    def of(cls, system: SystemResult, judgments: str = "", path: str = "") -> Baseline:
        """A system's results as a baseline."""
        signatures = {name: without_version(one.signature) for name, one in system.measures.items()}
        return cls(path, system.name, VERSION, judgments, signatures, system.per_query)

    def text(self) -> str:
        """The file, ending with a line end."""
        body = {
            "kind": KIND,
            "schema": SCHEMA,
            "version": self.version,
            "system": self.system,
            "judgments": self.judgments,
            "signatures": dict(self.signatures),
            "per_query": {query: dict(values) for query, values in self.per_query.items()},
        }
        body["sha256"] = _own_digest(body)
        return json.dumps(body, ensure_ascii=False, indent=1, allow_nan=False) + "\n"

    def differences(self, other: Baseline, measures: Sequence[str]) -> dict[str | None, Problem]:
        """Why values cannot be compared, by measure; under None what is so of all of them."""
        how = "look at what changed; --update takes the new state for the baseline"
        found: dict[str | None, Problem] = {}
        if self.judgments != other.judgments:
            what = f"the baseline is of other judgments ({self.judgments}, now {other.judgments}): "
            by_run = f"{how}; a run as --baseline is scored by these judgments"
            found[None] = Problem("baseline", what + self._other_queries(other), self._at, by_run)
        for name in measures:
            before, after = self.signatures.get(name), other.signatures[name]
            if before is None:
                what = f"{name} is not in the baseline{did_you_mean(name, self.signatures)}"
                what += f"; it has {listed(self.signatures)}"
                found[name] = Problem("baseline", what, self._at, _ANEW)
            elif before != after:
                what = f"{name} was computed by other rules: {_changed(before, after)}"
                found[name] = Problem("baseline", what, self._at, how)
        return found

    @property
    def _at(self) -> Place | None:
        return Place(self.path) if self.path else None

    def _other_queries(self, other: Baseline) -> str:
        """Which judged queries are new or gone."""
        new, gone = {*other.per_query} - {*self.per_query}, {*self.per_query} - {*other.per_query}
        words = (("new", new), ("gone", gone))
        parts = [f"{word}: {listed(sorted(queries))}" for word, queries in words if queries]
        return f"judged queries {'; '.join(parts)}" if parts else "the same queries, other grades"


def _changed(before: str, after: str) -> str:
    """Which axes differ between two signatures without a version."""
    try:
        changes = Convention.parse(f"{before}|v:0").diff(Convention.parse(f"{after}|v:0"))
    except NdcgError:
        changes = {}
    if not changes:
        return f"{before}, now {after}"
    return ", ".join(f"{axis} {old} -> {new}" for axis, (old, new) in changes.items())


def digest_of(judged: Judged) -> str:
    """What judgments say, in 16 hex digits: queries, documents and grades, in any order and format.

    Of the judgments as they were settled: repeated ones are one.
    """
    found, start = sha256(), judged.start.tolist()
    text = {grade: number_text(grade) for grade in {*judged.grades.tolist()}}
    grades = [text[grade] for grade in judged.grades.tolist()]
    for at, query in enumerate(judged.queries):
        pairs = zip(judged.documents[at], grades[start[at] : start[at + 1]], strict=True)
        lines = "".join(sorted(f"{_quoted(document)}\t{grade}\n" for document, grade in pairs))
        found.update(f"{_quoted(query)}\n{lines}\n".encode("utf-8", "surrogatepass"))
    return found.hexdigest()[:16]


def _quoted(name: str) -> str:
    """An id as it is, or as JSON where it holds what separates ids."""
    as_it_is = not name.startswith('"') and "\t" not in name and "\n" not in name
    return name if as_it_is else json.dumps(name)


def _own_digest(body: Mapping[str, Any]) -> str:
    """The digest of everything in a baseline but its digest."""
    rest = {name: value for name, value in body.items() if name != "sha256"}
    text = json.dumps(rest, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()


def looks_like_one(text: str) -> bool:
    """Whether a text says that it is a baseline, whole or damaged."""
    return text.lstrip()[:1] == "{" and re.search(rf'"kind"\s*:\s*"{KIND}"', text) is not None


def read_baseline(text: str, path: str) -> Baseline:
    """Read the text of a baseline.

    Raises
    ------
    DataError
        For what is no JSON, of another schema, incomplete, or not what was written.
    """
    whole = parsed(text)
    if isinstance(whole, Broken):
        raise _broken(text, whole, path)
    try:
        body = plain(whole)
    except RecursionError:
        raise _bad("the baseline is nested too deeply", path, _ANEW) from None
    except KeyError as error:
        raise _bad(f"the baseline has {error} twice in one object", path, _ANEW) from None
    schema = body.get("schema")
    if schema != SCHEMA:
        newer = isinstance(schema, int) and schema > SCHEMA
        version = body.get("version")
        how = f"install version {version}, which wrote it; or {_ANEW}" if newer else _ANEW
        raise _bad(
            f"the baseline has schema {schema!r}, and this version reads {SCHEMA}", path, how
        )
    _refuse_shape(body, path)
    if body.get("sha256") != _own_digest(body):
        how = f"take back what was edited, or {_ANEW}"
        raise _bad("the baseline was changed since it was written", path, how)
    return Baseline(
        path, body["system"], body["version"], body["judgments"], body["signatures"],
        body["per_query"],
    )  # fmt: skip


def _bad(what: str, path: str, how: str) -> DataError:
    return DataError(Problem("baseline", what, Place(path), how))


def _broken(text: str, why: Broken, path: str) -> DataError:
    lines = text.split("\n")
    line = next((at for at, one in enumerate(lines, 1) if one.startswith("<<<<<<< ")), None)
    if line is not None:
        what = f"the baseline holds a merge that was not settled, from line {line}"
        place = Place(path, line, lines[line - 1])
        return DataError(Problem("baseline", what, place, f"take one side; or {_ANEW}"))
    place = Place(path, why.line, lines[why.line - 1])
    what = f"the baseline is damaged: no JSON in line {why.line}: {why.why}"
    return DataError(Problem("baseline", what, place, f"it may be cut short; {_ANEW}"))


def _refuse_shape(body: Mapping[str, Any], path: str) -> None:
    """Refuse what is not there or of another type."""
    types = {
        "version": str, "system": str, "judgments": str, "signatures": dict, "per_query": dict,
    }  # fmt: skip
    for name, kind in types.items():
        if not isinstance(body.get(name), kind):
            raise _bad(f"the baseline has no {name}, or one of another type", path, _ANEW)
    for query, values in body["per_query"].items():
        wrong = not isinstance(values, dict) or [*map(_is_value, values.values())].count(False)
        if wrong:
            raise _bad(
                f"query {query!r} of the baseline has values that are no numbers", path, _ANEW
            )


def _is_value(given: object) -> bool:
    return given is None or is_finite(given)
