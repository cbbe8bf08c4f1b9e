"""Which conventions give a number: presets first, then those that are few axes away from one."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from ndcg.axes import AXES
from ndcg.convention import Convention
from ndcg.diagnose.evidence import Evidence
from ndcg.diagnose.scorer import Refused, Scored, Scorer
from ndcg.presets import PRESETS, Preset

_DIGITS = 10  # to which values are the same: tools add up in other orders
_AROUND = 50  # tolerances on either side in which values are counted, to say what chance gives
_NEAREST = 5
_PAIRS = 6_000  # settings two axes away that are tried at most
# The values that a tool may have for an axis; those of the presets are tried anyway.
_MENU: dict[str, tuple[str, ...]] = {
    "gain": ("linear", "exp2", "binary", "judged", "exp2_plus"),
    "ideal": ("judged", "retrieved", "top_k", "slots:1", "slots:max"),
    "ties": ("docid_desc", "docid_asc", "input", "expected", "worst", "best", "reversed"),
    "missing": ("zero", "exclude"),
    "empty": ("zero", "exclude", "one"),
    "ideal_depth": ("cutoff", "all", "returned"),
    "discount": ("log2", "jarvelin:2", "reciprocal", "none"),
    "extra": ("ignore", "zero"),
    "unjudged": ("zero", "drop"),
    "duplicates": ("count", "first", "last", "last_listed", "once"),
    "negative": ("clamp", "keep", "remove", "unjudged"),
    "self_match": ("keep", "drop"),
    "score_type": ("float64", "float32"),
    "score_order": ("descending", "ascending"),
    "order_by": ("score", "rank", "position"),
    "judgments": ("last", "max", "mean", "min", "median", "majority"),
    "grades": ("any", "truncate"),
    "min_grade": ("none", "1", "2"),
    "appended": ("none", "judged"),
    "empty_from": ("judged", "ideal"),
    "depth": ("all", "1000", "100", "20", "10"),
    "nothing_found": ("computed", "zero"),
}


class Setting(NamedTuple):
    """A preset, with some axes set otherwise."""

    preset: str
    changed: dict[str, tuple[str, str]]  # the preset's value, and the one that is set
    convention: Convention


@dataclass(frozen=True, slots=True)
class Explanation:
    """Presets and conventions that give one value; those closest to a preset first."""

    axes: int  # how many axes they are away from a preset
    settings: tuple[Setting, ...]
    value: float | None  # of what the first piece of evidence is of
    mean: float | None
    n: int  # queries in the mean
    fits: int  # pieces of evidence that fit
    misfits: tuple[str, ...]  # the queries whose values do not; "the mean" among them
    per_query: dict[str, float]  # of the first measure that there is evidence of

    @property
    def presets(self) -> tuple[str, ...]:
        """The presets as they are."""
        return tuple(one.preset for one in self.settings if not one.changed)

    @property
    def others(self) -> tuple[Setting, ...]:
        """The settings that are no presets: one for each change, and none that changes nothing."""
        own = self.presets
        changes: dict[str, Setting] = {}
        for one in self.settings:
            if one.changed and one.preset not in own:
                changes.setdefault(str(one.changed), one)
        return tuple(changes.values())


class Telling(NamedTuple):
    """A number that would tell the explanations apart."""

    query: str
    values: tuple[float | None, ...]  # under each explanation


@dataclass(frozen=True, slots=True)
class Search:
    """What was found for a number."""

    explanations: tuple[Explanation, ...]  # those that fit all the evidence
    nearest: tuple[Explanation, ...]  # the others that come closest
    tried: int  # different settings
    values: int  # different values that they gave
    by_chance: float  # how many values would fit a number like this one if it were any other
    telling: Telling | None


class _Key(NamedTuple):
    """What settings that give one value have in common."""

    asked: tuple[float, ...]  # what each piece of evidence is of
    n: int  # queries in the mean, if there is evidence of a mean


class _Fit(NamedTuple):
    """How well a setting fits the evidence."""

    fits: int
    distance: float  # of the mean, or the mean of the values asked about

    @property
    def order(self) -> tuple[int, float]:
        return -self.fits, self.distance


def search(
    scorers: Mapping[str, Scorer], evidence: Sequence[Evidence], *, pairs: bool = True
) -> Search:
    """Look for the settings that fit; `scorers` has one for each measure in the evidence.

    `pairs`: where none fits, those two axes away from a preset, too.
    """
    found = _Found(scorers, evidence)
    found.try_all(_presets(scorers[evidence[0].measure]), 0)
    bases = found.bases()
    found.try_all(_one_away(bases), 1)
    if pairs and not found.any_fits:
        found.try_all(_two_away(bases, found.active, _PAIRS), 2)
    return found.result()


def _presets(scorer: Scorer) -> Iterator[Setting]:
    for one in PRESETS.values():
        if one.measure in ("nDCG", scorer.measure.name):
            yield Setting(one.name, {}, one.convention)


def _one_away(bases: Sequence[Preset]) -> Iterator[Setting]:
    """The settings one axis away from a base."""
    for axis, values in _MENU.items():
        for base in bases:
            own = getattr(base.convention, axis)
            for value in values:
                if value != own:
                    yield _setting(base, {axis: value})


def _two_away(
    bases: Sequence[Preset], active: Callable[[Setting], bool], most: int
) -> Iterator[Setting]:
    """Those two axes away, base by base, of changes that alone are not idle; so many at most."""
    tried = 0
    for base in bases:
        single = [one for one in _one_away([base]) if active(one)]
        for first, second in combinations(single, 2):
            if first.changed.keys() != second.changed.keys():
                tried += 1
                if tried > most:
                    return
                changed = {**first.changed, **second.changed}
                yield _setting(base, {axis: value for axis, (_, value) in changed.items()})


def _setting(base: Preset, values: Mapping[str, str]) -> Setting:
    start = base.convention
    changed = {axis: (getattr(start, axis), value) for axis, value in values.items()}
    return Setting(base.name, changed, start.but(values))


class _Found:
    """The settings that were tried, and how they fit."""

    def __init__(self, scorers: Mapping[str, Scorer], evidence: Sequence[Evidence]) -> None:
        self.scorers, self.evidence = scorers, evidence
        self.first = scorers[evidence[0].measure]
        self._seen: dict[tuple[Convention, ...], _Key | None] = {}  # to the group they are in
        self._groups: dict[_Key, list[tuple[int, Setting]]] = {}
        self._fits: dict[_Key, tuple[_Fit, Scored]] = {}
        self._firsts: dict[tuple[Convention, ...], str] = {}

    @property
    def any_fits(self) -> bool:
        """Whether some setting fits all the evidence."""
        return any(fit.fits == len(self.evidence) for fit, _ in self._fits.values())

    def bases(self) -> list[Preset]:
        """The presets that differ on this data, each once."""
        return [PRESETS[name] for name in self._firsts.values()]

    def try_all(self, settings: Iterable[Setting], axes: int) -> None:
        """Score settings that are so many axes away from a preset."""
        for setting in settings:
            same = self._same(setting.convention)
            if same in self._seen:
                if not axes:
                    self._also(self._seen[same], setting)
                continue
            scored = self.first.scored(setting.convention)
            if not axes:
                self._firsts[same] = setting.preset
            key = None if isinstance(scored, Refused) else self._key(setting, scored)
            self._seen[same] = key
            if key is None or isinstance(scored, Refused):
                continue
            fit = self._fit(setting, scored)
            if key not in self._fits or fit.order < self._fits[key][0].order:
                self._fits[key] = (fit, scored)
            self._note(key, axes, setting)

    def _key(self, setting: Setting, scored: Scored) -> _Key:
        values = (self._of(one, setting, scored) for one in self.evidence)
        of_mean = any(one.query is None for one in self.evidence)
        return _Key(
            tuple(-math.inf if value is None else round(value, _DIGITS) for value in values),
            scored.n if of_mean else 0,
        )

    def active(self, setting: Setting) -> bool:
        """Whether a setting differs from its preset on this data."""
        return self._same(setting.convention) != self._same(PRESETS[setting.preset].convention)

    def _same(self, convention: Convention) -> tuple[Convention, ...]:
        """What conventions that are one for all measures asked about have in common."""
        return tuple(scorer.canonical(convention) for scorer in self.scorers.values())

    def _also(self, key: _Key | None, setting: Setting) -> None:
        """A further preset that is the same here; its tool may compute less exactly."""
        if key is not None:
            self._note(key, 0, setting)
            fit, scored = self._fits[key]
            self._fits[key] = (min(fit, self._fit(setting, scored), key=lambda f: f.order), scored)

    def _note(self, key: _Key, axes: int, setting: Setting) -> None:
        self._groups.setdefault(key, []).append((axes, setting))

    def _fit(self, setting: Setting, scored: Scored) -> _Fit:
        slack = PRESETS[setting.preset].tolerance
        fits, distances = 0, []
        for one in self.evidence:
            value = self._of(one, setting, scored)
            fits += one.fits(value, slack)
            distances.append(math.inf if value is None else abs(value - one.value))
        return _Fit(fits, math.fsum(distances) / len(distances))

    def _misfits(self, setting: Setting, scored: Scored) -> tuple[str, ...]:
        slack = PRESETS[setting.preset].tolerance
        return tuple(
            "the mean" if one.query is None else one.query
            for one in self.evidence
            if not one.fits(self._of(one, setting, scored), slack)
        )

    def _of(self, one: Evidence, setting: Setting, scored: Scored) -> float | None:
        """What a setting gives for the evidence."""
        scorer = self.scorers[one.measure]
        found: Scored | Refused = scored
        if scorer is not self.first:
            found = scorer.scored(setting.convention)
        if isinstance(found, Refused):
            return None
        if one.query is None:
            return found.mean
        value = _value(found.per_query, one.query)
        return None if math.isnan(value) else value

    def result(self) -> Search:
        """The explanations, and what is to be said about them."""
        ranked = sorted(self._fits, key=self._order)
        good = [key for key in ranked if self._fits[key][0].fits == len(self.evidence)]
        others = [key for key in ranked if key not in good]
        others.sort(key=lambda key: self._fits[key][0].order)
        explanations = tuple(self._explanation(key) for key in good)
        return Search(
            explanations=explanations,
            nearest=tuple(self._explanation(key) for key in others[:_NEAREST]),
            tried=len(self._seen),
            values=len(self._fits),
            by_chance=self._by_chance(),
            telling=_telling(explanations),
        )

    def _order(self, key: _Key) -> tuple[int, int, float, int]:
        """Fewest axes first, everyday ones, the closest, then what is known better."""
        axes, rare = min(_plainness(setting) for _, setting in self._groups[key])
        names = [*PRESETS]
        best = min(names.index(setting.preset) for away, setting in self._groups[key]
                   if away == axes)  # fmt: skip
        distance = self._fits[key][0].distance
        return axes, rare, round(distance, _DIGITS), best

    def _explanation(self, key: _Key) -> Explanation:
        fit, scored = self._fits[key]
        settings = [
            setting
            for _, setting in self._groups[key]
            if self._fit(setting, scored).fits == fit.fits  # by its own tool's precision
        ]
        settings.sort(key=_plainness)
        axes = len(settings[0].changed)
        return Explanation(
            axes=axes,
            settings=tuple(settings),
            value=self._of(self.evidence[0], settings[0], scored),
            mean=scored.mean,
            n=scored.n,
            fits=fit.fits,
            misfits=self._misfits(settings[0], scored),
            per_query=scored.per_query,
        )

    def _by_chance(self) -> float:
        """How many of the values would fit a number near this one."""
        one = self.evidence[0]
        around = [abs(fit.distance) for fit, _ in self._fits.values() if fit.fits == 0]
        if len(self.evidence) > 1 or one.query is not None:
            return 0.0
        return sum(distance <= _AROUND * one.tolerance for distance in around) / _AROUND


def _plainness(one: Setting) -> tuple[int, int]:
    """Few axes before many, everyday ones before rare ones."""
    return len(one.changed), sum(AXES[axis].rare for axis in one.changed)


def _value(values: Mapping[str, float], query: str) -> float:
    return values.get(query, math.nan)


def _telling(explanations: Sequence[Explanation]) -> Telling | None:
    """The query whose value differs between most of the explanations."""
    if len(explanations) < 2:
        return None
    queries = dict.fromkeys(query for one in explanations for query in one.per_query)

    def different(query: str) -> int:
        return len({round(_value(one.per_query, query), 4) for one in explanations
                    if not math.isnan(_value(one.per_query, query))})  # fmt: skip

    best = max(queries, key=different)
    if different(best) < 2:
        return None
    values = (_value(one.per_query, best) for one in explanations)
    return Telling(best, tuple(None if math.isnan(value) else value for value in values))
