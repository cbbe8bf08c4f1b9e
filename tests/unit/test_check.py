"""``ndcg check``: each rule finds what it is for and nothing else, and every format says it."""

from __future__ import annotations

import csv
import json
import shlex
from pathlib import Path
from typing import Any

import pytest

import ndcg
from command import ndcg as command
from command import put
from ndcg.diagnose.checking.rules import RULES, Example, selected

QRELS = "q1 0 a 2\nq1 0 b 0\nq2 0 c 1\nq2 0 d 0\n"
RUN = "q1 Q0 a 1 2.5 t\nq1 Q0 x 2 1.5 t\nq2 Q0 c 1 2 t\nq2 Q0 y 2 1 t\n"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def codes_of(example: Example) -> set[str]:
    """The codes that the command finds in an example."""
    Path("qrels").write_text(example.qrels)
    files = ["qrels"]
    if example.run:
        Path("run").write_text(example.run)
        files.append("run")
    options = []
    for word in shlex.split(example.options):
        name, colon, lines = word.partition(":")
        if colon and name.endswith(".txt"):
            Path(name).write_text(lines.replace("/", "\n"))
        options.append(name if colon and name.endswith(".txt") else word)
    done = command("check", *files, *options, "--json")
    return {one["code"] for one in json.loads(done.out)["findings"]}


def codes(*arguments: str) -> list[str]:
    done = command("check", *arguments, "--json")
    return [one["code"] for one in json.loads(done.out)["findings"]]


# -- rules -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", RULES)
def test_the_bad_example_of_a_rule_is_found_and_the_good_one_is_not(code: str) -> None:
    assert code in codes_of(RULES[code].bad)
    assert code not in codes_of(RULES[code].good)


def test_rules_say_what_there_is_to_know() -> None:
    for code, rule in RULES.items():
        assert rule.code == code
        assert rule.level in ("error", "warning", "note")
        assert rule.reason.endswith(".")
        assert rule.remedy.endswith(".")
    assert len({rule.name for rule in RULES.values()}) == len(RULES)


def test_clean_files_are_clean() -> None:
    put(q=QRELS, r=RUN)
    done = command("check", "q", "r", "-m", "nDCG@2", "--ignore", "Q14,M01")
    assert (done.code, done.err) == (0, "")
    assert done.out.endswith("\nnothing found\n")


# -- the command -----------------------------------------------------------------------------------


def test_notes_alone_are_clean_and_warnings_are_not() -> None:
    put(q=QRELS, r=RUN)
    assert command("check", "q", "r").code == 0
    put(r=RUN.splitlines()[0] + "\n")
    assert command("check", "q", "r").code == 1
    assert command("check", "q", "r", "--ignore", "R05").code == 0


def test_what_cannot_be_read_is_exit_code_2_and_the_rest_is_checked() -> None:
    put(q=QRELS, r=RUN.splitlines()[0] + "\n")
    done = command("check", "q", "r", "none.run")
    assert done.code == 2
    assert "warning[R05]" in done.out
    assert done.err.startswith("error[E20 file]: none.run not found")
    alone = command("check", "none")
    assert (alone.code, alone.out) == (2, "1 unreadable\n")


def test_bad_rows_are_found_and_the_others_are_checked() -> None:
    put(q=QRELS + "q3 0 e x\n", r=RUN + "q1 Q0 z 3 nan t\nq9 Q0 z\n")
    done = command("check", "q", "r")
    assert done.code == 1
    assert " --> q:5\n   | q3 0 e x\n   |        ^\n" in done.out
    assert " --> r:5\n   | q1 Q0 z 3 nan t\n   |           ^^^\n" in done.out
    assert " --> r:6\n   | q9 Q0 z\n" in done.out
    assert "judged" in done.out.splitlines()[-4]  # the coverage of what was read


def test_many_bad_rows_are_ten_and_a_number() -> None:
    put(q=QRELS, r=RUN + "".join(f"q1 Q0 z{n} 3 x t\n" for n in range(25)))
    found = json.loads(command("check", "q", "r", "--json").out)["findings"]
    bad = [one["what"] for one in found if one["code"] == "R07"]
    assert len(bad) == 10
    assert bad[-1].endswith("; and 15 more like these")


def test_what_one_convention_refuses_is_said_and_the_rest_is_looked_at() -> None:
    put(q=QRELS + "q1 0 a 1\n", r=RUN + "q2 Q0 c 9 0 t\nq7 Q0 c 1 1 t\n")
    assert {"Q03", "R01", "R04"} <= set(codes("q", "r", "--extra", "error"))
    put(q="q1 0 a 2000\n", r="q1 Q0 a 1 1 t\n")
    assert {"Q11", "R20"} <= set(codes("q", "r"))


def test_rules_are_chosen_by_codes_and_by_their_beginnings() -> None:
    put(q=QRELS, r=RUN)
    assert codes("q", "r") == ["Q05", "Q14", "R06"]
    assert codes("q", "r", "--select", "Q") == ["Q05", "Q14"]
    assert codes("q", "r", "--select", "Q,R06", "--ignore", "Q05") == ["Q14", "R06"]
    assert selected([], ["Q", "R", "F"]) == {"M01"}
    done = command("check", "q", "r", "--select", "X1")
    assert done.code == 2
    assert "error[E01 usage]: no rule is called 'X1'\nhelp: rules: R01, R02, " in done.err


def test_a_rule_explains_itself() -> None:
    done = command("check", "--explain", "r03")
    assert done.code == 0
    assert done.out.startswith("R03 ties-decide (warning): the order of tied documents decides")
    for part in ("\nwhy: ", "\ndo: ", "\nfound in:\n  qrels: q1 0 a 1", "\nnot in:\n  qrels: "):
        assert part in done.out
    assert "with:  --corpus corpus.txt\n" in command("check", "--explain=Q17").out
    unknown = command("check", "--explain", "R99")
    assert unknown.code == 2
    assert "'R99' is not a rule" in unknown.err


# -- formats ---------------------------------------------------------------------------------------


def test_a_line_for_each_finding() -> None:
    put(q=QRELS, r=RUN + "q1 Q0 z 3 nan t\n")
    done = command("check", "q", "r", "--format", "concise", "--ignore", "Q,R06")
    assert done.out == ("r:5: R07 error: score 'nan' is not finite\n1 error\n")


def test_annotations_of_a_code_host() -> None:
    put(**{"a,b": QRELS}, r=RUN + "q1 Q0 z 3 nan t\n")
    done = command("check", "a,b", "r", "--format", "github", "--select", "R07,Q14")
    assert done.out == (
        "::error file=r,line=5,title=R07 bad-score::score 'nan' is not finite%0A"
        "help: scores are finite numbers such as 2, -0.25 or 1.1e1\n"
        "::notice file=a%2Cb,title=Q14 one-relevant::one relevant document in each of 2 queries%0A"
        "help: RR says the same more plainly; nDCG@1 is P@1 there\n"
    )


def test_sarif_names_rules_places_and_levels() -> None:
    put(q=QRELS, r=RUN + "q1 Q0 z 3 nan t\n")
    log = json.loads(command("check", "q", "r", "--format", "sarif").out)
    (ran,) = log["runs"]
    assert log["version"] == "2.1.0"
    first = ran["results"][0]
    assert (first["ruleId"], first["level"]) == ("R07", "error")
    (place,) = first["locations"]
    assert place["physicalLocation"]["artifactLocation"] == {"uri": "r"}
    assert place["physicalLocation"]["region"] == {"startLine": 5}
    known = {rule["id"] for rule in ran["tool"]["driver"]["rules"]}
    assert {one["ruleId"] for one in ran["results"]} == known


def test_json_has_coverage_by_cutoff_grade_and_query() -> None:
    put(q=QRELS, r=RUN)
    done = json.loads(command("check", "q", "r", "-m", "nDCG@1,AP", "--json").out)
    (one,) = done["coverage"]
    assert one["system"] == "t"
    top, whole = one["depths"]
    assert (top["k"], top["judged"], top["per_query"]) == (1, 1.0, {"q1": 1.0, "q2": 1.0})
    assert (whole["k"], whole["judged"]) == ("all", 1 / 2)
    assert whole["by_grade"] == {"1": 1 / 4, "2": 1 / 4, "unjudged": 1 / 2}
    assert done["counts"] == {"error": 0, "warning": 0, "note": len(done["findings"])}


def test_an_unknown_format_and_a_pool_without_a_file_are_refused() -> None:
    put(q=QRELS, r=RUN)
    assert "'xml' is not a format" in command("check", "q", "r", "--format", "xml").err
    assert "--pool writes a file, and none is named" in command("check", "q", "--pool", "9").err
    assert "'0' is not a number of ranks" in command("check", "q", "--pool", "0").err


# -- pools and collections -------------------------------------------------------------------------


def test_a_pool_names_what_no_one_judged_with_its_systems_and_best_rank() -> None:
    put(
        q=QRELS,
        a="q1 Q0 x 1 3 a\nq1 Q0 y 2 2 a\nq1 Q0 a 3 1 a\nq9 Q0 n 1 1 a\n",
        b="q1 Q0 a 1 9 b\nq1 Q0 y 2 8 b\nq1 Q0 x 3 7 b\nq2 Q0 z 1 1 b\n",
    )
    done = command("check", "q", "a", "b", "--pool", "2", "-o", "pool.csv")
    assert "coverage" not in done.err
    rows = list(csv.reader(Path("pool.csv").read_text().splitlines()))
    assert rows == [
        ["query", "document", "systems", "best_rank"],
        ["q1", "x", "a", "1"],
        ["q1", "y", "a b", "2"],
        ["q2", "z", "b", "1"],
    ]


def test_a_pool_is_never_written_over_an_input() -> None:
    put(q=QRELS, r=RUN)
    done = command("check", "q", "r", "--pool", "2", "-o", "r")
    assert done.code == 2
    assert "the output r is the input r" in done.err
    assert Path("r").read_text() == RUN


@pytest.mark.parametrize(
    "corpus",
    ['{"_id": "a"}\n{"_id": "c", "text": "x"}\n{"id": 4}\n', "a\nc\n", "a\tsome text\nc\tmore\n"],
)
def test_judged_documents_that_a_collection_lacks(corpus: str) -> None:
    put(q=QRELS, corpus=corpus)
    done = command("check", "q", "--corpus", "corpus", "--select", "Q17")
    assert done.code == 1
    assert "2 of 4 judged documents not in corpus corpus: b, d" in done.out


def test_a_collection_that_names_nothing_cannot_be_read() -> None:
    put(q=QRELS, corpus="{}\n")
    done = command("check", "q", "--corpus", "corpus")
    assert done.code == 2
    assert "corpus names no document" in done.err


# -- Python ----------------------------------------------------------------------------------------


def test_dictionaries_and_several_runs() -> None:
    qrels = {"q1": {"a": 2, "b": 0}, "q2": {"c": 1}}
    found = ndcg.check(qrels, {"one": {"q1": {"a": 1.0}}, "two": {"q2": {"c": 1.0}}})
    missing = {one.system: one.what for one in found.findings if one.code == "R05"}
    assert set(missing) == {"one", "two"}
    assert "q2" in missing["one"]
    assert found.exit_code == 1
    assert "warning[R05]" in str(found)


def test_a_measure_that_does_not_exist_is_an_error_of_use() -> None:
    with pytest.raises(ndcg.UsageError, match="did you mean nDCG"):
        ndcg.check({"q": {"a": 1}}, measures="nDGC@10")


def test_a_convention_that_a_measure_has_no_value_under_is_an_error_of_use() -> None:
    qrels: Any = {"q": {"a": 1, "b": 0}}
    with pytest.raises(ndcg.UsageError, match="Bpref"):
        ndcg.check(qrels, {"q": {"a": 1.0, "b": 1.0}}, "Bpref", ties="expected")
