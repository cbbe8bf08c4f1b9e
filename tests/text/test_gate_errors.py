"""Every way in which a gate, its baseline, its rules in a file or a history are refused.

The texts lie in ``snapshots/gate-errors.txt``, a block for each case, so that they can be read one
below the other; ``NDCG_UPDATE_SNAPSHOTS=1`` writes the file anew.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import ndcg as package
from command import ndcg, put
from ndcg._version import VERSION
from ndcg.errors import NdcgError

SNAPSHOT = Path(__file__).parent / "snapshots" / "gate-errors.txt"
QRELS = "q1 0 a 1\nq2 0 a 1\nq3 0 b 0\n"
RUN = "q1 Q0 a 1 2.0 t\nq1 Q0 b 2 1.0 t\nq2 Q0 b 1 2.0 t\nq2 Q0 a 2 1.0 t\n"
BETTER = "q1 Q0 a 1 2.0 o\nq2 Q0 a 1 2.0 o\n"
FILES = ("gate", "qrels.txt", "run.txt")
OTHER = (*FILES, "--baseline", "other.run", "--fail-if")
BASE = (*FILES, "--baseline", "base.json", "--fail-if", "nDCG@10 drops 0.01")


def rule(text: str) -> list[str]:
    """A gate with one rule."""
    return [*FILES, "--fail-if", text]


RULES = {
    "no rule": "nDCG@10 is bad",
    "a verb that is nearly one": "nDCG@10 drop 0.01",
    "an empty rule": "  ",
    "how fast it is": "p50 latency > 200",
    "what it costs": "cost drops 0.1",
    "a loss": "loss < 0.4",
    "the wording of answers": "faithfulness < 0.9",
    "an unknown measure": "nDGC@10 < 0.5",
    "a cutoff that is none": "nDCG@0 < 0.5",
    "no number": "nDCG@10 < half",
    "a percentage beyond all measure": "nDCG@10 drops 1e-99999999999999999999%",
    "a decimal comma": "nDCG@10 drops 0,01",
    "a count has no baseline": "missing drops 2",
    "a count has no segments": "missing > 0 per segment",
    "a move of nothing": "nDCG@10 drops 0",
    "a percentage without its sign": "Judged@10 < 80",
    "it always fails": "nDCG@10 >= 0",
    "it never fails": "nDCG@10 < -1",
    "a count below 0": "missing > -1",
    "a share of a count": "answered < 90%",
    "half a query": "missing > 0.5",
    "a limit that no value breaks": "nDCG@10 > 1",
    "a move that no value makes": "nDCG@10 drops 2",
    "more than all of it": "nDCG@10 drops 150%",
    "no baseline is given": "nDCG@10 drops 0.01",
    "no segments are given": "nDCG@10 < 0.5 in tail",
}
TWO = {
    "no value passes both": ("nDCG@10 < 0.8", "nDCG@10 > 0.7"),
    "only one value would pass, and does not": ("nDCG@10 <= 0.8", "nDCG@10 > 0.8"),
    "a segment and each of them": ("nDCG@10 < 0.8 in s", "nDCG@10 > 0.7 per segment"),
    "no whole number is left": ("missing >= 1", "missing <= 0"),
    "one move, two amounts": ("nDCG@10 drops 0.01", "nDCG@10 drops 0.02"),
}


def edited(change: Callable[[str], str]) -> Callable[[], None]:
    """Change the text of the baseline."""

    def edit() -> None:
        path = Path("base.json")
        path.write_text(change(path.read_text("utf-8")), "utf-8")

    return edit


def rehashed(change: Callable[[dict[str, object]], object]) -> Callable[[], None]:
    """Change the values of the baseline, its digest made to fit."""
    from ndcg.gating.baselines import _own_digest

    def edit(text: str) -> str:
        body = json.loads(text)
        change(body)
        body["sha256"] = _own_digest(body)
        return json.dumps(body, indent=1)

    return edited(edit)


def merged(text: str) -> str:
    lines = text.splitlines(keepends=True)
    return "".join(
        [*lines[:3], "<<<<<<< ours\n", lines[3], "=======\n", ">>>>>>> theirs\n", *lines[4:]]
    )


BASELINES: dict[str, Callable[[], None]] = {
    "none is there": lambda: Path("base.json").unlink(),
    "empty": edited(lambda _: ""),
    "cut short": edited(lambda text: text[:150]),
    "half a merge": edited(merged),
    "another schema, older": edited(lambda text: text.replace('"schema": 1', '"schema": 0')),
    "another schema, newer": edited(lambda text: text.replace('"schema": 1', '"schema": 2')),
    "edited by hand": edited(lambda text: text.replace("0.63", "0.64")),
    "nested without end": edited(
        lambda text: text.replace('_query": {', '_query": {"x": ' + "[" * 900 + "]" * 900 + ", ")
    ),
    "a key twice": edited(lambda text: text.replace('"system"', '"version": "0",\n "system"')),
    "no values": rehashed(lambda body: body.pop("per_query")),
    "a value that is none": rehashed(lambda body: body.update(per_query={"q1": {"nDCG@10": "x"}})),
    "judgments instead": lambda: put(base_json=QRELS),
    "unreadable JSON of ours": edited(lambda text: text + "{}"),
    "results of eval": lambda: Path("base.json").write_text(
        ndcg("eval", "qrels.txt", "run.txt", "--json").out, "utf-8"
    ),
    "other JSON": lambda: put(base_json="[1, 2]"),
    "no measure of the rule": lambda: written("AP"),
    "a new query": lambda: put(qrels_txt=QRELS + "q4 0 a 1\n"),
    "a query less": lambda: put(qrels_txt=QRELS.replace("q3 0 b 0\n", "")),
    "another grade": lambda: put(qrels_txt=QRELS.replace("a 1", "a 2")),
}  # fmt: skip


def written(*measures: str) -> None:
    """Write a baseline of the run."""
    words = [word for name in measures for word in ("-m", name)]
    assert ndcg(*FILES, "--baseline", "base.json", "--update", *words).code == 0


def history(line: str) -> Callable[[], None]:
    return lambda: put(runs_jsonl=line)


LINE = (
    '{"schema": 1, "version": "0", "label": null, "system": "t", "judgments": "x", "digest": "y", '
    '"passed": true, "failed": [], "measures": {"AP": {"mean": 0.5, "n": 2, "interval": null, '
    '"signature": "AP"}}}\n'
)
HISTORIES: dict[str, tuple[str, ...]] = {
    "no JSON": ("history", "runs.jsonl", LINE + LINE[:90] + "\n"),
    "no run": ("history", "runs.jsonl", LINE + "[]\n"),
    "a schema of tomorrow": ("history", "runs.jsonl", LINE.replace(": 1", ": 7", 1)),
    "a run without a system": ("history", "runs.jsonl", LINE.replace('"system": "t", ', "")),
    "a line of other types": ("history", "runs.jsonl", LINE.replace("null", "5", 1)),
    "a number of queries that is none": ("history", "runs.jsonl", LINE.replace(": 2", ': "x"')),
    "an interval that is none": (
        "history",
        "runs.jsonl",
        LINE.replace('"interval": null', '"interval": {"low": NaN, "high": 1, "level": 2}'),
    ),
    "a key twice": ("history", "runs.jsonl", LINE.replace('"system"', '"label": "", "system"')),
    "nested without end": (
        "history",
        "runs.jsonl",
        LINE.replace("null", "[" * 900 + "]" * 900, 1),
    ),
    "values that are none": (
        "history",
        "runs.jsonl",
        LINE.replace('{"mean"', '[{"mean"').replace("}}}", "}]}}"),
    ),
    "a mean that is none": ("history", "runs.jsonl", LINE.replace("0.5", '"x"')),
    "an unknown measure": ("history", "runs.jsonl", "-m", "AQ", LINE),
    "no runs at all": ("history", "runs.jsonl", "--last", "0", LINE),
    "an unknown format": ("history", "runs.jsonl", "--format", "png", LINE),
}
SETTINGS: dict[str, str] = {
    "no TOML": 'run = "run.txt"\nfail-if = [\n',
    "no TOML in a line": 'run = "run.txt"\nfail-if = nDCG@10\n',
    "an unknown setting": 'baselin = "b.json"\nfail-if = []\n',
    "a path that is none": 'history = "a\\u0000"\n',
    "a value of another type": 'fail-if = ["AP < 0.5", 3]\nsignificant = "yes"\nlevel = 95\n',
    "one setting under two names": "fail-if = []\nfail_if = []\n",
    "a number of thousands of digits": "level = " + "9" * 5000 + "\n",
    "nested without end": "axes = " + "[" * 5000 + "\n",
    "a rule that is none": 'qrels = "qrels.txt"\nrun = "run.txt"\nfail-if = ["AP dropz"]\n',
    "an axis with another value": (
        'qrels = "qrels.txt"\nrun = "run.txt"\nfail-if = ["AP < 0.1"]\naxes = {ties = "random"}\n'
    ),
    "an axis that is none": 'axes = {gian = "linear"}\n',
    "no table of ours": "[tool.ruff]\nline-length = 100\n",
    "another table of ours": "[tool.ndcg]\nfail-if = []\n",
    "no run": 'qrels = "qrels.txt"\nfail-if = ["AP < 0.5"]\n',
    "no judgments": 'run = "run.txt"\nfail-if = ["AP < 0.5"]\n',
}  # fmt: skip
COMMANDS: dict[str, tuple[str, ...]] = {
    "no rule at all": FILES,
    "an update of nothing": (*FILES, "--update", "--fail-if", "AP < 0.1"),
    "an update over a run": (*FILES, "--update", "--baseline", "run.txt"),
    "an update over another file": (*FILES, "--update", "--baseline", "seg.csv"),
    "an update into no folder": (*FILES, "--update", "--baseline", "none/base.json"),
    "another convention": (*BASE, "--gain", "linear", "--missing", "exclude"),
    "an output that is read": (*rule("AP < 0.5"), "-o", "run.txt"),
    "an output over the baseline": (*BASE, "-o", "base.json"),
    "an output over a run": (*OTHER, "AP drops", "-o", "other.run", "--format", "text"),
    "a history over a run": (*rule("AP < 0.5"), "--history", "other.run"),
    "a history over the run": (*rule("AP < 0.5"), "--history", "run.txt"),
    "a label without a history": (*rule("AP < 0.5"), "--label", "x"),
    "an update, and an output in no folder": (
        *FILES, "--update", "--baseline", "new.json", "--history", "h.jsonl", "-o", "none/x.md",
    ),
    "an update, and a history in no folder": (
        *FILES, "--update", "--baseline", "new.json", "--history", "none/h.jsonl",
    ),
    "an output that is two things": (*rule("AP < 0.5"), "-o", "x.json", "--history", "x.json"),
    "an output of no format": (*rule("AP < 0.5"), "-o", "gate.pdf"),
    "a history in no folder": (*rule("AP < 0.5"), "--history", "none/runs.jsonl"),
    "an unknown format": (*rule("AP < 0.5"), "--format", "html"),
    "an unknown segment": (*rule("AP < 0.5 in tial"), "--segments", "seg.csv"),
    "no segment with values": (*rule("AP < 0.5 per segment"), "--segments", "none.csv"),
    "segments of other queries": (*rule("AP < 0.5 per segment"), "--segments", "other.csv"),
    "a segment without values": (*rule("AP < 0.5 in none"), "--segments", "seg.csv"),
    "significance of a sum": (*OTHER, "NumRet drops significantly"),
    "significance of one query": (*OTHER, "AP drops significantly", "-q", "q2"),
    "the run as its own baseline": (*FILES, "--baseline", "run.txt", "--fail-if", "AP drops"),
    "the baseline twice": (*FILES, "--baseline", "a", "--baseline", "b"),
    "each, as JSON": ("check", "--each", "qrels.txt", "--json"),
}  # fmt: skip


def _cases() -> dict[str, Callable[[], str]]:
    def of_rules(*texts: str) -> Callable[[], str]:
        words = [word for text in texts for word in ("--fail-if", text)]
        return lambda: refused(*FILES, *words)

    def of_baseline(spoil: Callable[[], None]) -> Callable[[], str]:
        def run() -> str:
            written("nDCG@10")
            spoil()
            return refused(*BASE)

        return run

    def of_history(*words: str) -> Callable[[], str]:
        def run() -> str:
            put(runs_jsonl=words[-1])
            return refused(*words[:-1])

        return run

    def of_settings(text: str) -> Callable[[], str]:
        def run() -> str:
            put(rules_toml=text)
            return refused("gate", "--rules", "rules.toml")

        return run

    found = {f"rule: {name}": of_rules(text) for name, text in RULES.items()}
    found |= {f"rules: {name}": of_rules(*texts) for name, texts in TWO.items()}
    found |= {f"baseline: {name}": of_baseline(one) for name, one in BASELINES.items()}
    found |= {f"history: {name}": of_history(*words) for name, words in HISTORIES.items()}
    found |= {f"settings: {name}": of_settings(text) for name, text in SETTINGS.items()}

    def of_command(words: tuple[str, ...]) -> Callable[[], str]:
        def run() -> str:
            if "base.json" in words:
                written("nDCG@10")
            return refused(*words)

        return run

    return found | {f"command: {name}": of_command(words) for name, words in COMMANDS.items()}


CASES = _cases()


def put_all() -> None:
    """The files that cases start from."""
    segments = "query,segment\nq1,head\nq2,tail\nq3,none\n"
    put(none_csv="query,segment\nq3,none\n", other_csv="query,segment\nq7,none\n")
    put(qrels_txt=QRELS, run_txt=RUN, other_run=BETTER, seg_csv=segments)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    put_all()


def refused(*arguments: str) -> str:
    """What the command says on its way out with 2; nothing on standard output, no file changed."""
    before = {path: path.read_bytes() for path in Path().rglob("*")}
    done = ndcg(*arguments)
    assert (done.code, done.out) == (2, ""), done
    assert {path: path.read_bytes() for path in Path().rglob("*")} == before
    return done.err


def texts() -> dict[str, str]:
    """The blocks of the snapshot by their names."""
    parts = re.split(r"^## (.*)\n", SNAPSHOT.read_text("utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], (part.rstrip("\n") for part in parts[2::2]), strict=True))


@pytest.mark.parametrize("name", CASES)
def test_a_refusal_says_what_where_and_what_to_do(name: str) -> None:
    assert CASES[name]().replace(VERSION, "VERSION").rstrip("\n") == texts()[name]


def test_every_text_of_the_snapshot_has_its_case(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if os.environ.get("NDCG_UPDATE_SNAPSHOTS") == "1":
        assert os.environ.get("CI") != "true", "snapshots are not rewritten in CI"
        blocks = []
        for number, (name, case) in enumerate(CASES.items()):
            folder = tmp_path / str(number)
            folder.mkdir()
            monkeypatch.chdir(folder)
            put_all()
            blocks.append(f"## {name}\n{case().replace(VERSION, 'VERSION')}\n")
        SNAPSHOT.write_text("".join(blocks), "utf-8")
    assert list(texts()) == list(CASES)
    assert all("help: " in text for text in texts().values())


PAIR = {"q1": {"a": 1}}, {"q1": {"a": 1.0}}


def test_what_python_alone_can_ask_for() -> None:
    def said(*arguments: object, **how: object) -> str:
        with pytest.raises(NdcgError) as caught:
            package.gate(*arguments, **how)  # type: ignore[arg-type]
        return str(caught.value)

    assert said(*PAIR, [1]) == (
        "error[E16 rule]: rules are [1], not texts\nhelp: such as ['nDCG@10 drops 0.01']"
    )
    several = "error[E01 usage]: a gate is for one run, and 2 are given\nhelp: gate each by itself"
    qrels, run = PAIR
    two = {"a": run, "b": run}
    assert said(qrels, two, "AP < 0.5") == several
    assert said(qrels, two, "AP drops", baseline=run) == several
    assert said(*PAIR, "AP drops", baseline=run, update=True) == (
        "error[E15 baseline]: --update rewrites a file, and none is named as baseline\n"
        "help: --baseline FILE"
    )
    assert said(*PAIR, "AP < 0.5", segments={"q1": 3}) == (
        "error[E14 segments]: the segment of query 'q1' is of type int\n"
        "help: give {query: segment} as text"
    )
    assert said(*PAIR, "AP < 0.5", history=3) == (
        "error[E01 usage]: history is of type int\nhelp: give the path of a file"
    )
    assert said(*PAIR, "AP < 0.5", history="a\0b").startswith("error[E08 output]: cannot write")
    assert said(*PAIR, "AP < 0.5", label=3, history="h") == (
        "error[E01 usage]: label is what the history calls a run, and 3 is no text\n"
        "help: --label TEXT, beside --history FILE"
    )
    assert said(*PAIR, "AP < 0.5", measures=5) == (
        "error[E01 usage]: measures are of type int\nhelp: such as ['nDCG@10', 'AP']"
    )
    assert said(*PAIR, "AP < 0.5", significant="no") == (
        "error[E01 usage]: significant='no', level=0.95: a truth and a number are asked for\n"
        "help: significant=True, level=0.95"
    )
    assert said(*PAIR, "AP < 0.5", level=95) == (
        "error[E01 usage]: an interval cannot have the level 95\n"
        "help: a level between 0 and 1, such as 0.95"
    )
