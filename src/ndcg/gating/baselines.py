"""What a gate compares with: the values of an earlier run, with what they were made by.

A baseline is a JSON file that people commit: the same values give the same bytes on every machine,
a query a line or so, no paths and no clock. Its own digest tells a file that was edited or merged.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from ndcg._version import VERSION
from ndcg.axes import number_text
from ndcg.convention import Convention
from ndcg.errors import DataError, NdcgError, Place, Problem, did_you_mean, listed
from ndcg.evaluation.results import SystemResult
from ndcg.formats.json_text import Broken, Pairs, parsed
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
        signatures = {name: _plain(one.signature) for name, one in system.measures.items()}
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

    def refuse_other(self, other: Baseline, measures: Sequence[str]) -> None:
        """Refuse values of other judgments or conventions, which no difference says anything of.

        Raises
        ------
        DataError
            Naming every difference: rules, queries, measures that are not there.
        """
        problems = [Problem("baseline", what, self._place, how)
                    for what, how in self._differences(other, measures)]  # fmt: skip
        if problems:
            raise DataError(problems)

    @property
    def _place(self) -> Place | None:
        return Place(self.path) if self.path else None

    def _differences(self, other: Baseline, measures: Sequence[str]) -> list[tuple[str, str]]:
        how = "look at what changed; --update takes the new state for the baseline"
        found = []
        if self.judgments != other.judgments:
            what = f"the baseline is of other judgments ({self.judgments}, now {other.judgments}): "
            by_run = f"{how}; a run as --baseline is scored by these judgments"
            found.append((what + self._other_queries(other), by_run))
        for name in measures:
            before, after = self.signatures.get(name), other.signatures[name]
            if before is None:
                what = f"{name} is not in the baseline{did_you_mean(name, self.signatures)}"
                found.append((f"{what}; it has {listed(self.signatures)}", _ANEW))
            elif before != after:
                what = f"{name} was computed by other rules: {_changed(before, after)}"
                found.append((what, how))
        return found

    def _other_queries(self, other: Baseline) -> str:
        """Which judged queries are new or gone."""
        new, gone = {*other.per_query} - {*self.per_query}, {*self.per_query} - {*other.per_query}
        words = (("new", new), ("gone", gone))
        parts = [f"{word}: {listed(sorted(queries))}" for word, queries in words if queries]
        return f"judged queries {'; '.join(parts)}" if parts else "the same queries, other grades"


def _plain(signature: str) -> str:
    """A signature without version and digest: what it says, whoever says it."""
    return signature.rpartition("|v:")[0]


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
        lines = "".join(sorted(f"{document}\t{grade}\n" for document, grade in pairs))
        found.update(f"{query}\n{lines}\n".encode("utf-8", "surrogatepass"))
    return found.hexdigest()[:16]


def _own_digest(body: Mapping[str, Any]) -> str:
    """The digest of everything in a baseline but its digest."""
    rest = {name: value for name, value in body.items() if name != "sha256"}
    text = json.dumps(rest, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()


def looks_like_one(text: str) -> bool:
    """Whether a text says that it is a baseline, whole or damaged."""
    return f'"kind": "{KIND}"' in text[:4096]


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
    if not isinstance(whole, Pairs) or ("kind", KIND) not in whole:
        names = whole.names if isinstance(whole, Pairs) else []
        raise no_baseline(path, "results of ndcg eval --json" if "systems" in names else "")
    body = _plain_values(whole, path)
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


def no_baseline(path: str, kind: str = "") -> DataError:
    """The error for a file that is something else."""
    return _bad(f"{path} holds {kind or 'JSON'}, which is no baseline", path, _ANEW)


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


def _plain_values(value: Any, path: str) -> Any:
    """JSON objects as dictionaries, their keys all different."""
    if not isinstance(value, Pairs):
        return value
    if len({*value.names}) < len(value):
        twice = next(name for name in value.names if value.names.count(name) > 1)
        raise _bad(f"the baseline has {twice!r} twice in one object", path, _ANEW)
    return {name: _plain_values(one, path) for name, one in value}


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
    number = isinstance(given, int | float) and not isinstance(given, bool)
    return given is None or (number and math.isfinite(float(str(given))))
