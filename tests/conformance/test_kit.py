"""The conformance kit: what trec_eval 10.0 and 9.0.8 answered on its cases, value by value.

Values with 17 digits are compared as doubles; where the kit holds only what the program printed,
ours are printed the same way.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ndcg.errors import NdcgError
from ndcg.evaluation import evaluate_quietly
from shared import shared
from vocabulary import NotOursError, measure_of

NOTHING_OF_OURS = "prints only what test_trec_eval_command.py compares"
ATOF = "refused on purpose: scores that are no plain decimal numbers"
UNJUDGED_GAIN = "a gain for documents without judgment that the ideal does not see"
NEGATIVE_GAIN = "a negative gain of a judged document that the ideal does not see"
GROUPS = "judgment groups (-R qrels_jg)"
PREFERENCES = "preferences (-R prefs, -R qrels_prefs)"
BYTE_ORDER_MARK = "wrong in trec_eval: the byte order mark becomes part of the first query's id"

# (case, variant) -> why its values are not reproduced
NOT_EXPRESSED: dict[tuple[str, str], str] = {
    ("01-graded-basic", "utility-N"): NOTHING_OF_OURS,
    ("02-ties", "relstring"): NOTHING_OF_OURS,
    ("03-float32-vs-float64", "relstring"): NOTHING_OF_OURS,
    ("04-score-syntax", "all"): ATOF,
    ("04-score-syntax", "relstring"): ATOF,
    ("06-missing-queries", "complete-utility-params"): NOTHING_OF_OURS,
    ("06-missing-queries", "complete-yaap"): NOTHING_OF_OURS,
    ("06-missing-queries", "no-overlap-complete"): "refused on purpose: no query in common",
    ("08-negative-judgments", "unj-gain"): UNJUDGED_GAIN,
    ("08-negative-judgments", "unj2-gain"): UNJUDGED_GAIN,
    ("12-whitespace", "extra-columns-run"): "refused on purpose: rows of 8 columns",
    ("12-whitespace", "rank-and-iter-ignored"): "refused on purpose: two tags in one query",
    ("13-malformed", "blank-run-complete"): "refused on purpose: a run without rows",
    ("13-malformed", "run-cr-only"): NOTHING_OF_OURS,
    ("13-malformed", "qrels-bom"): BYTE_ORDER_MARK,
    ("13-malformed", "run-bom"): BYTE_ORDER_MARK,
    ("13-malformed", "qrels-float-and-text-grades"): NOTHING_OF_OURS,
    ("15-query-order", "num_ret"): NOTHING_OF_OURS,
    ("17-gains", "nonrel-negative"): NEGATIVE_GAIN,
    ("17-gains", "unjudged-gain"): UNJUDGED_GAIN,
    ("18-iprec-rounding", "iprec"): NOTHING_OF_OURS,
    ("19-short-rankings", "max0"): "refused on purpose: a depth of 0",
    ("22-rbp-unj", "rbp"): NOTHING_OF_OURS,
    ("22-rbp-unj", "p05"): NOTHING_OF_OURS,
    ("22-rbp-unj", "gains"): NOTHING_OF_OURS,
    ("22-rbp-unj", "level2"): NOTHING_OF_OURS,
    ("23-judgment-groups", "jg"): GROUPS,
    ("23-judgment-groups", "jg-level2"): GROUPS,
    ("23-judgment-groups", "jg-judged"): GROUPS,
    ("24-preferences", "prefs"): PREFERENCES,
    ("24-preferences", "qrels-prefs"): PREFERENCES,
    ("24-preferences", "qrels-prefs-flags-ignored"): PREFERENCES,
    ("25-command-line", "level-float"): NOTHING_OF_OURS,
    ("25-command-line", "M-text"): NOTHING_OF_OURS,
}


class Invocation(NamedTuple):
    """One call of trec_eval that the kit recorded."""

    case: str
    variant: str
    version: str
    args: list[str]
    qrels: Path
    run: Path
    printed: Path
    exact: bool  # whether `printed` holds 17 digits (else: what the program shows)

    @property
    def key(self) -> tuple[str, str]:
        return self.case, self.variant


def invocations() -> Iterator[Invocation]:
    """The calls that ended well and printed something that is worth reproducing."""
    home = shared("conformance", "trec_eval", "cases")
    for one in json.loads((home / "manifest.json").read_text("utf-8"))["runs"]:
        printed = one.get("full") or one.get("stdout")
        if one["exit_code"] or one.get("do_not_reproduce") or not printed:
            continue
        folder = home / one["case"]
        yield Invocation(
            one["case"], one["variant"], one["version"], one["args"], folder / one["qrels"],
            folder / one["run"], folder / printed, exact=bool(one.get("full")),
        )  # fmt: skip


# The program's own expected outputs: arguments, judgments, printed by 10.0
PEER_DATA = [
    ("-q -m all_trec", "qrels.test", "out.test.aq"),
    ("", "qrels.test.with-comments", "out.test"),
    ("-q -m all_trec -l 2", "qrels.rel_level", "out.test.aql"),
    ("-q -m ndcg.1=3,2=9,4=4.5 -m ndcg_cut.10,20,23.4", "qrels.test", "out.test.meas_params"),
]


def peer_calls() -> Iterator[Invocation]:
    home = shared("conformance", "trec_eval", "peer")
    for args, qrels, printed in PEER_DATA:
        yield Invocation(
            "peer", printed, "v10.0", args.split(), home / qrels, home / "results.test",
            home / printed, exact=False,
        )  # fmt: skip


def asked(args: list[str], version: str) -> tuple[int, dict[str, Any]]:
    """The relevance level and the convention that the options mean."""
    level, axes = 1, {"preset": "trec_eval-10" if version == "v10.0" else "trec_eval-9"}
    complete = {"preset": "trec_eval"} if version == "v10.0" else {"missing": "zero"}
    options = iter(args)
    for option in options:
        match option:
            case "-q" | "-n":
                pass
            case "-c":
                axes |= complete
            case "-J":
                axes["unjudged"] = "drop"
            case "-l":
                level = _whole(next(options))
            case "-M":
                axes["depth"] = next(options)
            case "-m" | "-N":  # what is printed is compared; the collection's size moves nothing
                next(options)
            case _:
                raise NotOursError(option)
    return level, axes


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise NotOursError(text) from None


def printed_by(call: Invocation, level: int) -> dict[str, dict[str, str]]:
    """``{measure of ours: {query or "all": text}}`` for all that have a name here."""
    text_level = 0 if call.version == "v9.0.8" else None
    printed: dict[str, dict[str, str]] = {}
    for line in call.printed.read_text("utf-8").splitlines():
        name, query, value = (part.strip() for part in line.split("\t"))
        measure = measure_of(name, level, text_level=text_level)
        if measure is not None:
            printed.setdefault(measure, {})[query] = value
    return printed


def differences(call: Invocation) -> list[str]:
    """Every value of ours that is not the printed one; an error where nothing can be compared."""
    level, axes = asked(call.args, call.version)
    printed = printed_by(call, level)
    if not printed:
        raise NotOursError(NOTHING_OF_OURS)
    ev = evaluate_quietly(call.qrels, call.run, [*printed], **axes)
    found = []
    for name, texts in printed.items():
        ours = {**ev[name].per_query, "all": ev[name].mean}
        for query, text in texts.items():
            value = ours.get(query)
            same = value is not None and (
                value == float(text) if call.exact else f"{value:.4f}" == text
            )
            if not same:
                found.append(f"{name} of {query}: {value} is not {text}")
        silent = set(ours) - set(texts) - {"all"}
        if "-q" in call.args and not silent <= set(ev.accounts.missing):
            found.append(f"{name}: trec_eval prints nothing for {sorted(silent)}")
    return found


def is_reproduced(call: Invocation) -> bool:
    try:
        return not differences(call)
    except (NotOursError, NdcgError):
        return False


def label(call: Invocation) -> str:
    return "-".join([*call.key, call.version])


CALLS = [*invocations()]
EXPRESSED = [call for call in CALLS if call.key not in NOT_EXPRESSED]


@pytest.mark.parametrize("call", [*EXPRESSED, *peer_calls()], ids=label)
def test_every_value_is_the_one_that_trec_eval_computed(call: Invocation) -> None:
    assert differences(call) == []


def test_the_kit_compares_exact_values_far_past_rank_1620() -> None:
    deep = [call for call in EXPRESSED if call.case == "26-deep-run"]
    assert len(deep) == 2
    assert all(call.exact for call in deep)


@pytest.mark.parametrize("key", NOT_EXPRESSED, ids="-".join)
def test_what_is_not_reproduced_is_still_in_the_kit_and_still_differs(key: tuple[str, str]) -> None:
    calls = [call for call in CALLS if call.key == key]
    assert calls
    assert not any(map(is_reproduced, calls))
