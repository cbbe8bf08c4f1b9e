"""The rules of a gate in a file: TOML of its own, or ``[tool.ndcg.gate]`` in pyproject.toml."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ndcg.axes import AXES
from ndcg.errors import DataError, Place, Problem, did_you_mean
from ndcg.formats.source import read_source

PROJECT = "pyproject.toml"


def _is_text(value: object) -> bool:
    return isinstance(value, str) and "\0" not in value


def _is_texts(value: object) -> bool:
    return _is_text(value) or (isinstance(value, list) and all(map(_is_text, value)))


def _is_axes(value: object) -> bool:
    return isinstance(value, dict) and all(
        isinstance(one, str | int | float) for one in value.values()
    )


class Key(NamedTuple):
    """What may stand under a name."""

    accepts: Callable[[object], bool]
    what: str
    example: str
    path: bool = False  # relative to the folder of the file


_PATH = Key(_is_text, "a path", '"file.txt"', path=True)
_TEXT = Key(_is_text, "a text", '"trec_eval"')
_FLAG = Key(lambda value: isinstance(value, bool), "true or false", "true")
KEYS: dict[str, Key] = {
    "qrels": _PATH,
    "run": _PATH,
    "baseline": _PATH,
    "history": _PATH,
    "segments": _PATH,
    "weights": _PATH,
    "groups": _PATH,
    "queries_from": _PATH,
    "fail_if": Key(_is_texts, "a list of rules", '["nDCG@10 drops 0.01"]'),
    "measures": Key(_is_texts, "a list of measures", '["nDCG@10", "AP"]'),
    "preset": _TEXT,
    "qrels_format": _TEXT,
    "run_format": _TEXT,
    "columns": _TEXT,
    "significant": _FLAG,
    "lenient": _FLAG,
    "level": Key(
        lambda value: isinstance(value, float) and 0 < value < 1, "between 0 and 1", "0.95"
    ),
    "axes": Key(_is_axes, "a table of axes", '{ gain = "linear" }'),
}
_WORDS = [name.replace("_", "-") for name in KEYS]


class Settings(NamedTuple):
    """What a file sets, by the names of `KEYS`, and where it stands."""

    path: str = ""
    values: Mapping[str, Any] = {}


def project_settings(folder: str = ".") -> Settings:
    """The settings of the nearest pyproject.toml with a table for gates; none elsewhere."""
    here = os.path.abspath(folder)
    while True:
        path = os.path.join(here, PROJECT)
        if os.path.isfile(path):
            shown = os.path.relpath(path, folder)
            found = _parsed(shown).get("tool", {})
            tool = found.get("ndcg") if isinstance(found, dict) else None
            if tool is not None:
                return _settings(_gate_of(tool, shown), shown)
        if os.path.dirname(here) == here:
            return Settings()
        here = os.path.dirname(here)


def read_settings(path: str) -> Settings:
    """The settings of a file of rules, or of a pyproject.toml.

    Raises
    ------
    DataError
        For what is no TOML, and names and values that are not understood; all are named.
    """
    whole = _parsed(path)
    if "tool" in whole:
        tool = whole["tool"].get("ndcg") if isinstance(whole["tool"], dict) else None
        if tool is None:
            what = f"{path} has no table [tool.ndcg.gate]"
            raise DataError(Problem("settings", what, Place(path), "add it, with fail-if = [...]"))
        return _settings(_gate_of(tool, path), path)
    return _settings(whole, path)


def _parsed(path: str) -> dict[str, Any]:
    text = read_source(path, "rules", fingerprint=False).text
    try:
        return tomllib.loads(text)
    except RecursionError:
        what = f"{path} is nested too deeply"
        raise DataError(Problem("settings", what, Place(path), "a file of rules is flat")) from None
    except ValueError as error:  # TOMLDecodeError, or a number of thousands of digits
        told = re.fullmatch(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", str(error))
        why = told[1] if told else str(error)
        line = int(told[2]) if told and told[2] else text.count("\n") + 1
        shown = text.split("\n")[line - 1]
        start = int(told[3]) - 1 if told and told[3] else len(shown)
        place = Place(path, line, shown, shown[start : start + 1], start)
        what = f"{path} is no TOML in line {line}: {why}"
        raise DataError(
            Problem("settings", what, place, 'as in fail-if = ["nDCG@10 drops 0.01"]')
        ) from None


def _gate_of(tool: Any, path: str) -> dict[str, Any]:
    """The table of gates in that of this package."""
    other = [name for name in tool if name != "gate"] if isinstance(tool, dict) else ["ndcg"]
    if other or not isinstance(tool.get("gate", {}), dict):
        what = f"[tool.ndcg] holds {other[0] if other else 'gate'!r}, which is no table of a gate"
        how = "the rules of a gate stand under [tool.ndcg.gate]"
        raise DataError(Problem("settings", what, Place(path), how))
    found: dict[str, Any] = tool.get("gate", {})
    return found


def _settings(given: Mapping[str, Any], path: str) -> Settings:
    """The values under their names, paths relative to where the command runs."""
    problems, values = [], dict[str, Any]()
    folder = os.path.dirname(path)
    for word, value in given.items():
        name = word.replace("-", "_")
        if name in values:
            what = f"{word!r} is given twice, with a dash and with an underscore"
            problems.append(Problem("settings", what, Place(path), "keep one of them"))
        elif name not in KEYS:
            what = f"{word!r} is no setting of a gate{did_you_mean(word, _WORDS)}"
            how = f"settings: {', '.join(_WORDS)}"
            problems.append(Problem("settings", what, Place(path), how))
        elif not KEYS[name].accepts(value):
            what = f"{word} = {value!r} is not {KEYS[name].what}"
            how = f"as in {word} = {KEYS[name].example}"
            problems.append(Problem("settings", what, Place(path), how))
        else:
            values[name] = os.path.join(folder, value) if KEYS[name].path else value
    for name in values.get("axes", ()):
        if name.replace("-", "_") not in AXES:
            what = f"{name!r} is no axis{did_you_mean(name, AXES)}"
            problems.append(Problem("settings", what, Place(path), "axes: docs/conventions.md"))
    if problems:
        raise DataError(problems)
    return Settings(path, values)
