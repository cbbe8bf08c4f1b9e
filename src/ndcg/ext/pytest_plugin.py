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


def pytest_addoption(parser: pytest.Parser) -> None:
    """Two options: where the baselines lie, and to write them anew."""
    group = parser.getgroup("ndcg", "gates for rankings")
    group.addoption(
        "--ndcg-baseline",
        metavar="PATH",
        help="what ndcg_gate compares with: a file, or a folder with a file for each test",
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

    def hold(qrels: Any, run: Any, fail_if: str | Sequence[str] = (), **how: Any) -> Gate:
        __tracebackhide__ = True
        import ndcg

        own = how.pop("baseline", None)
        update = how.pop("update", False) or bool(request.config.getoption("--ndcg-update"))
        baseline = _baseline(request, update=update) if own is None else own
        if not isinstance(baseline, str | os.PathLike):
            update = False  # a run, or nothing: there is no file to be written
        elif update:
            _refuse_second(request, os.fspath(baseline))
        found = ndcg.gate(qrels, run, fail_if, baseline=baseline, update=update, **how)
        if not found.passed:
            pytest.fail(found.report(), pytrace=False)
        return found

    return hold


def _baseline(request: pytest.FixtureRequest, *, update: bool) -> str | None:
    """The baseline of a test: the file that was named, or its own in the folder that was."""
    path: str | None = request.config.getoption("--ndcg-baseline")
    if path is None:
        return None
    if not os.path.isdir(path) and not path.endswith(("/", os.sep)):
        return path
    if update:
        os.makedirs(path, exist_ok=True)
    return os.path.join(path, _ANYTHING_ELSE.sub("-", request.node.nodeid).strip("-") + ".json")


_WRITTEN = pytest.StashKey[dict[str, str]]()


def _refuse_second(request: pytest.FixtureRequest, path: str) -> None:
    """One file for two gates would hold the values of the last one."""
    written = request.config.stash.setdefault(_WRITTEN, {})
    here, first = request.node.nodeid, written.get(os.path.realpath(path))
    written[os.path.realpath(path)] = here
    if first is not None:
        others = f"{first} and {here}" if first != here else f"two gates of {here}"
        how = "name a folder, which has a file for each test, or give baseline= for each gate"
        raise pytest.UsageError(f"{path} is the baseline of {others}; {how}")
