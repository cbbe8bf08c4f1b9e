"""The fixture ``ndcg_gate``: budgets for a ranking as a test.

pytest loads this module in every session of an environment that has the package, so it imports
nothing of it before the fixture is called.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from ndcg.gating.results import Gate

_ANYTHING_ELSE = re.compile(r"[^\w.\-]+")
_LONGEST = 80  # characters of a test's name in that of its file


def pytest_addoption(parser: pytest.Parser) -> None:
    """Two options: where the baselines lie, and to write them anew."""
    group = parser.getgroup("ndcg", "gates for rankings")
    group.addoption(
        "--ndcg-baseline",
        metavar="PATH",
        help="what ndcg_gate compares with: a file, or a folder with a file for each gate",
    )
    group.addoption(
        "--ndcg-update", action="store_true", help="write these baselines anew, and accept them"
    )


@pytest.fixture
def ndcg_gate(request: pytest.FixtureRequest) -> Callable[..., Gate]:
    """Hold a run against budgets: ``ndcg_gate(qrels, run, "nDCG@10 drops 0.01")``.

    Takes what `ndcg.gate` takes; the baseline, unless one is given, is that of ``--ndcg-baseline``,
    and ``--ndcg-update`` writes it. Fails the test with the worst queries, or returns the gate.
    """
    number = 0  # gates of this test so far

    def hold(qrels: Any, run: Any, fail_if: str | Sequence[str] = (), **how: Any) -> Gate:
        __tracebackhide__ = True
        import ndcg

        nonlocal number
        number += 1
        try:
            found = _held(request, number, (qrels, run, fail_if), how)
        except (ndcg.NdcgError, OSError) as error:
            text, found = str(error), None
        if found is None:
            more = _HOW if "--baseline FILE" in text or "no baseline" in text else ""
            pytest.fail(text + more, pytrace=False)
        if not found.passed:
            pytest.fail(found.report(), pytrace=False)
        return found

    return hold


def _held(
    request: pytest.FixtureRequest, number: int, given: tuple[Any, Any, Any], how: dict[str, Any]
) -> Gate:
    """The gate, with the baseline that belongs to it."""
    import ndcg

    update, baseline = how.pop("update", False), how.pop("baseline", None)
    if baseline is None:
        update = update or bool(request.config.getoption("--ndcg-update"))
        baseline = _baseline(request, number, given[2], update=update)
        update = update and baseline is not None
    elif request.config.getoption("--ndcg-update"):
        update = update or _is_to_be_written(baseline)
    return ndcg.gate(*given, baseline=baseline, update=update, **how)


_HOW = "\nin pytest: --ndcg-baseline PATH names the baseline, --ndcg-update writes it"


def _is_to_be_written(baseline: Any) -> bool:
    """Whether a baseline of a test's own is a file of values, and no run."""
    from ndcg.gating.previous import is_baseline

    path = os.fspath(baseline) if isinstance(baseline, str | os.PathLike) else None
    return path is not None and (not os.path.exists(path) or is_baseline(path))


def _baseline(
    request: pytest.FixtureRequest, number: int, fail_if: str | Sequence[str], *, update: bool
) -> str | None:
    """The baseline of a gate: the file that was named, or its own in the folder that was."""
    path: str | None = request.config.getoption("--ndcg-baseline")
    if path is None:
        return None
    if os.path.isdir(path) or path.endswith(("/", os.sep)):
        if update:
            os.makedirs(path, exist_ok=True)
        path = os.path.join(path, _file_of(request.node.nodeid, number))
    elif update or _compares(fail_if):
        _refuse_second(request, number, path)
    if not update and not os.path.exists(path) and not _compares(fail_if):
        return None
    return path


def _file_of(test: str, number: int) -> str:
    """The name of a gate's file: what reads well of its test, and what no other test has."""
    from hashlib import sha256

    start = _ANYTHING_ELSE.sub("-", test).strip("-")[:_LONGEST]
    digest = sha256(test.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{start}-{digest}" + (f"-{number}" if number > 1 else "") + ".json"


def _compares(fail_if: str | Sequence[str]) -> bool:
    """Whether one of the rules needs a baseline."""
    from ndcg.gating.rules import rules_of

    return any(rule.moves for rule in rules_of(fail_if)[0])


_USED = pytest.StashKey[dict[str, tuple[str, int]]]()


def _refuse_second(request: pytest.FixtureRequest, number: int, path: str) -> None:
    """One file for two gates would hold one against the values of the other."""
    used = request.config.stash.setdefault(_USED, {})
    here = request.node.nodeid, number  # a test that is run again is the same
    first = used.setdefault(os.path.realpath(path), here)
    if first != here:
        others = f"{first[0]} and {here[0]}" if first[0] != here[0] else f"two gates of {here[0]}"
        how = "name a folder, which has a file for each gate, or give baseline= for each"
        pytest.fail(f"{path} is the baseline of {others}; {how}", pytrace=False)
