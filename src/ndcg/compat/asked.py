"""What pytrec_eval's names of measures stand for: ``P_5``, ``ndcg_cut.5,10``, ``official``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ndcg.compat.families import FAMILIES, Family, nicknames
from ndcg.compat.parameters import BadParametersError, Given, names_of, parameters_of
from ndcg.errors import Problem, UsageError, did_you_mean, listed

VERSION = 9  # of trec_eval, which pytrec_eval is built from
supported_nicknames: dict[str, set[str]] = {
    name: {*members} for name, members in nicknames(VERSION).items()
}
supported_measures: set[str] = {*supported_nicknames["all_trec"]}

CUT = {"recip_rank": "RR", "map": "AP"}  # measures that pytrec_eval takes a cutoff for, unheeded


class ArgumentError(UsageError, TypeError):
    """An argument has the wrong type or is out of range; a TypeError as in pytrec_eval."""


class Asked(NamedTuple):
    """A family with its parameters, and what its values are called."""

    family: Family
    given: Given
    names: list[str]


def asked_of(measures: object) -> list[Asked]:
    """The families that the names stand for, in print order, each once."""
    if isinstance(measures, str) or not isinstance(measures, Iterable):
        what = f"measures is of type {type(measures).__name__}"
        raise ArgumentError(Problem("type", what, help='give a set of names, such as {"map"}'))
    given: Iterable[object] = measures
    parameters: dict[str, dict[str | None, None]] = {}  # of each family; None: as it is
    for name in given:
        if not isinstance(name, str):
            what = f"measure {name!r} is no name"
            raise ArgumentError(Problem("type", what, help='names are text, such as "map"'))
        for member in sorted(supported_nicknames.get(name, {name})):
            base, text = _parted(member)
            parameters.setdefault(base, {})[text] = None
    found: list[Asked] = []
    for family_name, family in FAMILIES.items():
        if family_name in parameters:
            own = parameters[family_name]
            found += _with_parameters(family, [one for one in own if one is not None], None in own)
    return found


def _parted(name: str) -> tuple[str, str | None]:
    """A name without and with its parameters: ``P_5,10`` is P and ``5,10``."""
    if name in supported_measures:
        return name, None
    for known in sorted(supported_measures, key=len, reverse=True):
        if name.startswith(known) and re.match(r"[._][0-9.=,-]", name[len(known) :]):
            return known, name[len(known) + 1 :]
    raise _unsupported(name, did_you_mean(name, supported_measures))


def _with_parameters(family: Family, texts: Sequence[str], plain: bool) -> list[Asked]:
    """A family with all parameters that were given for it, and as it is if that was asked for."""
    name, kind = family.name, family.kind
    alone = Asked(family, family.given, names_of(name, kind, family.given, None))
    if not texts:
        return [alone]
    if name in CUT:
        ranks = _read("ranks", name, ",".join(texts))
        return [*[alone] * plain, Asked(family, ranks, [f"{name}_{k}" for k in ranks])]
    if kind == "pairs":
        gained = [Asked(family, _read(kind, name, one), [f"{name}_{one}"]) for one in texts]
        return [*[alone] * plain, *gained]
    if not kind:
        raise _unsupported(f"{name}_{texts[0]}", f": {name} takes no parameters")
    given = _read(kind, name, ",".join(texts))
    if name == "utility" and len(given) != 4:
        raise _unsupported(f"{name}_{','.join(texts)}", ": utility takes 4 coefficients")
    return [Asked(family, given, names_of(name, kind, given, None))]


def _read(kind: str, name: str, text: str) -> Given:
    if kind in ("ranks", "levels"):  # the same cutoff by two names is one
        values = {float(one): one for one in text.split(",") if re.fullmatch(r"[0-9.]+", one)}
        text = ",".join(values.values()) if values else text
    try:
        return parameters_of(kind, text, VERSION)
    except BadParametersError as error:
        raise _unsupported(f"{name}_{text}", f": {error}") from None


def _unsupported(name: str, why: str) -> UsageError:
    near = f"; for a cutoff: {name.replace('ndcg_', 'ndcg_cut_', 1)}" if re.fullmatch(
        r"ndcg[._][0-9]+", name) else ""  # fmt: skip
    how = f"supported: {listed(sorted(supported_measures), 12)}; cutoffs as in ndcg_cut_10"
    return UsageError(Problem("measure", f"unsupported measure {name}{why}{near}", help=how))
