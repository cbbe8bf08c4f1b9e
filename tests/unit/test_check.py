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


def codes_of(example: Example, *levels: str) -> set[str]:
    """The codes that the command finds in an example, of some levels or all."""
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
    found = json.loads(done.out)["findings"]
    return {one["code"] for one in found if not levels or one["level"] in levels}


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
    end = "error[E20 file]: none.run not found\n --> none.run\nhelp: check the path\n\n"
    assert done.out.endswith(f"\n{end}1 warning, 3 notes, 1 unreadable\n")
    alone = command("check", "none")
    assert alone == (2, f"{end}1 unreadable\n".replace("none.run", "none"), "")


def test_every_format_says_what_cannot_be_read() -> None:
    put(q=QRELS)
    given = ("check", "q", "a,b.run", "--ignore", "Q", "--format")
    assert command(*given, "concise") == (2, "E20 error: a,b.run not found\n1 unreadable\n", "")
    assert command(*given, "github").out == (
        "::error file=a%2Cb.run,title=E20 file::a,b.run not found%0Ahelp: check the path\n"
    )
    (one,) = json.loads(command(*given, "json").out)["unread"]
    assert one == {"code": "E20", "name": "file", "what": "a,b.run not found", "file": "a,b.run",
                   "help": "check the path"}  # fmt: skip
    (ran,) = json.loads(command(*given, "sarif").out)["runs"]
    (told,) = ran["invocations"]
    assert told["executionSuccessful"] is False
    assert "a,b.run not found" in told["toolExecutionNotifications"][0]["message"]["text"]


def test_what_goes_into_a_file_is_summed_up_outside_it() -> None:
    put(q=QRELS)
    done = command("check", "q", "none", "-o", "found.sarif")
    refused = "error[E20 file]: none not found\n --> none\nhelp: check the path\n"
    assert done == (2, "", f"{refused}found.sarif: 2 notes, 1 unreadable\n")
    assert json.loads(Path("found.sarif").read_text())["version"] == "2.1.0"
    assert command("check", "q", "-o", "found.json").code == 0
    assert json.loads(Path("found.json").read_text())["counts"]["note"] == 2
    assert command("check", "q", "-o", "found.txt", "--format", "concise").code == 0
    assert Path("found.txt").read_text().endswith("2 notes\n")


@pytest.mark.parametrize(("level", "code"), [("error", 0), ("warning", 1), ("note", 1)])
def test_what_fails_a_check_can_be_chosen(level: str, code: int) -> None:
    put(q=QRELS, r=RUN.splitlines()[0] + "\n")
    assert command("check", "q", "r", "--fail-on", level).code == code
    assert command("check", "q", "--fail-on", level).code == (level == "note")
    assert "'nothing' is not a level" in command("check", "q", "--fail-on", "nothing").err


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
    assert codes("q", "r", "--select", "one-relevant,r06") == ["Q14", "R06"]
    assert selected([], ["Q", "R", "F"]) == {"M01"}
    assert selected("q14", "Q14") == set()
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
    assert command("check", "--explain", "ties-decide") == done
    assert " Once --ties is given, it is a note.\n" in done.out
    every = command("check", "--explain", "all").out.splitlines()
    assert [line[:3] for line in every] == [*RULES]
    assert command("check", "--explain", "e26").out == (
        "E26: a grade is not a finite number: an error by which a file or a convention is refused\n"
    )
    unknown = command("check", "--explain", "R99")
    assert unknown.code == 2
    assert "'R99' is not a rule" in unknown.err


# -- what was decided, and what is refused --------------------------------------------------------


SETTLED = {
    "R01": ("duplicates", "first"), "R02": ("order_by", "score"), "R03": ("ties", "docid_desc"),
    "R05": ("missing", "zero"), "R09": ("ties", "expected"), "R10": ("score_type", "float64"),
    "R14": ("self_match", "keep"), "R18": ("unjudged", "zero"), "Q01": ("negative", "clamp"),
    "Q02": ("empty", "exclude"), "Q03": ("judgments", "max"), "Q04": ("grades", "any"),
    "Q08": ("gain", "linear"), "Q10": ("gain", "exp2"), "Q11": ("gain", "exp2"),
    "Q12": ("gain", "exp2"), "Q19": ("judgments", "max"), "Q23": ("gain", "exp2"),
}  # fmt: skip


@pytest.mark.parametrize("code", SETTLED)
def test_what_was_chosen_is_a_note(code: str) -> None:
    example = RULES[code].bad
    assert code in codes_of(example, "error", "warning")
    axis, value = SETTLED[code]
    chosen = example._replace(options=f"{example.options} --axis {axis}={value}")
    assert code not in codes_of(chosen, "error", "warning")
    assert axis in RULES[code].settled_by


@pytest.mark.parametrize(
    ("code", "axis"),
    [("R01", "duplicates"), ("R05", "missing"), ("R04", "extra"), ("Q01", "negative"),
     ("Q02", "empty")],
)  # fmt: skip
def test_what_the_convention_refuses_is_an_error(code: str, axis: str) -> None:
    example = RULES[code].bad
    if not example.run:
        example = example._replace(run="q1 Q0 a 1 2 t\n")
    refused = example._replace(options=f"{example.options} --axis {axis}=error")
    assert code in codes_of(refused, "error")


def test_what_is_refused_is_said_once_and_the_rest_is_looked_at() -> None:
    put(q=QRELS, r=RUN + "q2 Q0 c 9 0 t\nq7 Q0 c 1 1 t\n")
    assert codes("q", "r").count("R01") == 1
    given = ("--extra", "error", "--missing", "error", "--empty", "error", "--negative", "error")
    put(q=QRELS + "q3 0 e 0\nq4 0 e 1\nq1 0 z -1\n")
    found = json.loads(command("check", "q", "r", *given, "--json").out)
    errors = [one["code"] for one in found["findings"] if one["level"] == "error"]
    assert sorted(errors) == ["Q01", "Q02", "R01", "R04", "R05"]
    assert found["coverage"] != []


def levels(*arguments: str) -> dict[str, str]:
    found = json.loads(command("check", *arguments, "--json").out)["findings"]
    return {one["code"]: one["level"] for one in found}


def test_what_a_preset_or_a_signature_settles_is_a_note_too() -> None:
    put(q="q1 0 a 123\nq1 0 b 3\nq2 0 c 1\nq2 0 d 0\n", r="q1 Q0 a 1 2 t\n")
    assert levels("q")["Q08"] == "warning"
    assert levels("q", "-p", "trec_eval")["Q08"] == "note"
    assert levels("q", "-m", "nDCG(gain=linear)@10")["Q08"] == "note"
    assert levels("q", "-m", "P@10")["Q08"] == "note"
    assert levels("q", "r", "-p", "trec_eval-9")["R05"] == "note"
    done = command("check", "q", "r", "-p", "trec_eval-9", "--select", "R05")
    assert "help: settled by missing:exclude\n" in done.out
    convention = ndcg.Convention().but({"gain": "linear"})
    found = ndcg.check({"q": {"a": 99, "b": 3}}, convention=convention).findings
    assert {one.level for one in found if one.code == "Q08"} == {"note"}


def test_grades_are_looked_at_as_the_convention_takes_them() -> None:
    put(q="q1 0 a 0.5\nq1 0 b 0\nq2 0 c 2\nq2 0 d 0\n")
    assert "Q02" not in levels("q")
    found = levels("q", "--axis", "grades=truncate")
    assert {"Q02", "Q04"} <= {*found}
    assert "Q18" not in found
    assert levels("q", "--axis", "grades=whole")["Q04"] == "error"


def test_thresholds_of_measures_decide_what_is_relevant() -> None:
    put(q="q1 0 a 2\nq1 0 b 0\nq2 0 c 1\nq2 0 d 0\n")
    assert "Q02" not in levels("q")
    done = command("check", "q", "-m", "P(rel=2)@5", "--select", "Q02")
    assert "no grade of 2 or more, as P(rel=2)@5 asks for, in 1 query (q2)" in done.out
    put(q="q1 0 a 3\nq1 0 b 1\nq2 0 c 2\nq2 0 d 1\n")
    assert levels("q")["Q23"] == "warning"
    assert "Q23" not in levels("q", "-m", "P(rel=2)@5")


def test_each_gain_in_use_is_looked_at() -> None:
    put(q="q1 0 a 6\nq1 0 b 1\nq1 0 c 1\nq1 0 d 0\n")
    for order in (["-m", "nDCG(gain=linear)@5", "-m", "nDCG@5"], ["-m", "nDCG@5"]):
        assert levels("q", *order)["Q12"] == "warning"
    assert "Q12" not in levels("q", "-m", "nDCG(gain=linear)@5")


def test_grades_without_a_gain_are_found_without_a_run() -> None:
    put(q=QRELS, r=RUN)
    assert levels("q", "--gain", "0=0,2=1")["Q24"] == "error"
    assert codes("q", "r", "--gain", "0=0,2=1").count("Q24") == 1
    done = command("check", "q", "r", "--gain", "0=0,2=1")
    told = "note[F08]: t is looked at by gain:linear, since gain:0=0,2=1 refuses it\n --> r\n"
    assert told in done.out


def test_what_is_cut_by_the_convention_says_nothing_about_the_run() -> None:
    put(q=QRELS, r=RUN)
    assert not {"R06", "R20", "R23"} & {*levels("q", "r", "--depth", "1")}


def test_misses_among_other_queries_documents_are_no_shift() -> None:
    judged = {f"q{n:02}": {f"d{n:02}": 1} for n in range(40)}
    order = [7 * n % 40 for n in range(40)]  # where every document is relevant to some query
    listed = {
        f"q{n:02}": {f"d{order[(n + one) % 40]:02}": 1.0 / (one + 1) for one in range(5)}
        for n in range(40)
    }
    assert "R13" not in {one.code for one in ndcg.check(judged, listed).findings}
    shifted = {f"q{n:02}": {f"d{(n + 1) % 40:02}": 1.0} for n in range(39)}
    shifted["q39"] = {"d39": 1.0}
    (found,) = [one for one in ndcg.check(judged, shifted).findings if one.code == "R13"]
    assert "nothing relevant is listed for 39 queries" in found.what


def test_numbered_queries_and_documents_meet_by_chance() -> None:
    judged = {str(n): {str(n + 100): 1, str(n + 200): 0} for n in range(1, 11)}
    run = {query: {"5": 2.0, "7": 1.0} for query in judged}
    (found,) = [one for one in ndcg.check(judged, run).findings if one.code == "R14"]
    assert found.level == "note"
    assert found.what.startswith("2 documents with the same ids as their queries kept")
    run = {query: {query: 2.0, "7": 1.0} for query in judged}
    (found,) = [one for one in ndcg.check(judged, run).findings if one.code == "R14"]
    assert found.level == "warning"


def test_a_run_without_ranks_leaves_the_others() -> None:
    found = ndcg.check(QRELS_GIVEN, {"one": RANKED, "two": SCORED}, order_by="rank")
    assert [one.word for one in found.unread] == ["order"]
    assert [one.system for one in found.coverage] == ["one"]


QRELS_GIVEN = {"q1": {"a": 2, "b": 0}, "q2": {"c": 1, "d": 0}}
RANKED = {"q1": [("a", 2.0, 1), ("x", 1.0, 2)], "q2": [("c", 1.0, 1)]}
SCORED = {"q1": {"a": 2.0, "x": 1.0}, "q2": {"c": 1.0}}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"pool": 0}, "pool=0 is not a number of ranks"),
        ({"pool": True}, "pool=True is not a number of ranks"),
        ({"pool": "x"}, "pool='x' is not a number of ranks"),
        ({"corpus": 3}, "corpus=3 is no file"),
    ],
)
def test_python_arguments_that_cannot_be_used(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ndcg.UsageError, match=said):
        ndcg.check(QRELS_GIVEN, SCORED, **options)
    assert ndcg.check(QRELS_GIVEN, SCORED, select=None, ignore=None).findings


def test_places_in_sarif_are_uris() -> None:
    put(**{"my file#1.q": QRELS})
    (ran,) = json.loads(command("check", "my file#1.q", "--format", "sarif").out)["runs"]
    (place,) = ran["results"][0]["locations"]
    assert place["physicalLocation"]["artifactLocation"] == {"uri": "my%20file%231.q"}


def test_bad_rows_may_be_known() -> None:
    put(q=QRELS, r=RUN + "q1 Q0 z 3 nan t\n")
    assert command("check", "q", "r").code == 1
    done = command("check", "q", "r", "--lenient")
    assert done.code == 0
    assert "note[R07]: score 'nan' is not finite\n --> r:5\n" in done.out


def test_queries_that_are_asked_for_and_not_judged() -> None:
    put(q=QRELS, r=RUN)
    done = command("check", "q", "r", "-q", "q1", "-q", "q7", "--select", "Q16")
    assert done.code == 1
    assert "warning[Q16]: 1 query of the set with no judgments, left out: q7\n" in done.out
    none = command("check", "q", "r", "-q", "q7")
    assert none.code == 2
    assert "none of the 1 query of the set is judged: q7" in none.out


def test_a_file_of_bad_rows_is_not_looked_at_further() -> None:
    put(q="".join(f"q{n} 0 d x\n" for n in range(9)) + QRELS, r=RUN)
    done = command("check", "q", "r")
    assert done.code == 1
    assert "error[F07]: 9 of 13 rows cannot be used: the others are not looked at" in done.out
    assert "R05" not in done.out
    assert "Q14" not in done.out
    put(q=QRELS, r="".join(f"q{n} Q0 d 1 x t\n" for n in range(9)) + RUN)
    done = command("check", "q", "r")
    assert "error[F07]: 9 of 13 rows cannot be used" in done.out
    assert "R05" not in done.out


def test_lists_of_one_length_are_a_limit_that_someone_set() -> None:
    judged = {f"q{n}": {"d": 1, "e": 0} for n in range(10)}
    cut = {f"q{n}": {"d": 2.0, "x": 1.0} for n in range(10)}
    levels = {one.code: one.level for one in ndcg.check(judged, cut).findings}
    assert levels["R06"] == "warning"
    cut["q0"] = {"d": 2.0}
    levels = {one.code: one.level for one in ndcg.check(judged, cut).findings}
    assert levels["R06"] == "note"


def test_rows_that_are_shifted_in_part() -> None:
    judged = {f"q{n}": {f"d{n}{one}": 1 for one in "abc"} for n in range(20)}
    run = {f"q{n}": {f"d{n}{one}": 1.0 + ord(one) for one in "abc"} for n in range(20)}
    assert "R13" not in {one.code for one in ndcg.check(judged, run).findings}
    for n in range(3, 9):
        run[f"q{n}"] = {f"d{n + 1}{one}": 1.0 + ord(one) for one in "ab"}
    (found,) = [one for one in ndcg.check(judged, run).findings if one.code == "R13"]
    assert found.what == (
        "nothing relevant is listed for 6 queries (q3, q4, q5, q6, q7, ...), but what is relevant "
        "to another query: 'q3' lists 2 of 3 of 'q4'"
    )


def test_ids_that_have_nothing_in_common_are_shown() -> None:
    found = ndcg.check({"q1": {"aa": 1, "ab": 0}}, {"q1": {"zz": 2.0, "yy": 1.0, "xx": 0.5}})
    (one,) = [one for one in found.findings if one.code == "R12"]
    assert one.what == (
        "0 judged documents are retrieved in 1 query: judged are aa, ab; retrieved are xx, yy, "
        "... (3 in all)"
    )
    assert "R18" not in {one.code for one in found.findings}


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
    pool = ("check", "q", "r", "--pool")
    assert "--pool writes a file, and none is named" in command(*pool, "9").err
    assert "'0' is not a number of ranks" in command(*pool, "0").err
    alone = command("check", "q", "--pool", "9", "-o", "p.csv")
    assert "--pool is of what runs list, and none is given" in alone.err
    assert not Path("p.csv").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--json", "--format", "sarif"], "--json and --format sarif differ"),
        (["--json", "-o", "x.sarif"], "the suffix of x.sarif means sarif, and json is asked for"),
        (["-o", "x.csv"], "the suffix of 'x.csv' names no format of a check"),
        (["--color", "sometimes"], "'sometimes' is not a colour choice"),
    ],
)
def test_options_that_contradict_each_other_are_refused(options: list[str], said: str) -> None:
    put(q=QRELS, r=RUN)
    done = command("check", "q", "r", *options)
    assert (done.code, done.out) == (2, "")
    assert said in done.err


# -- pools and collections -------------------------------------------------------------------------


def test_a_pool_names_what_no_one_judged_with_its_systems_and_best_rank() -> None:
    put(
        q=QRELS,
        a="q1 Q0 x 1 3 a\nq1 Q0 y 2 2 a\nq1 Q0 a 3 1 a\nq9 Q0 n 1 1 a\n",
        b="q1 Q0 a 1 9 b\nq1 Q0 y 2 8 b\nq1 Q0 x 3 7 b\nq2 Q0 z 1 1 b\n",
    )
    done = command("check", "q", "a", "b", "--pool", "2", "-o", "pool.csv")
    rows = list(csv.reader(Path("pool.csv").read_text().splitlines()))
    assert rows == [
        ["query", "document", "grade", "systems", "best_rank"],
        ["q1", "x", "", "a", "1"],
        ["q1", "y", "", "a b", "2"],
        ["q2", "z", "", "b", "1"],
    ]
    assert done.err == "pool.csv: 3 documents to be judged\n"
    refused = command("check", "q", "a", "--pool", "2", "-o", "pool.json")
    assert "--pool writes CSV, and pool.json is called otherwise" in refused.err


def test_the_collection_is_never_written_over() -> None:
    put(q=QRELS, ids="a\nb\nc\nd\n")
    done = command("check", "q", "--corpus", "ids", "-o", "ids")
    assert "the output ids is the input ids" in done.err
    assert Path("ids").read_text() == "a\nb\nc\nd\n"


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


@pytest.mark.parametrize(
    ("corpus", "said"),
    [
        ('[{"_id": "a"}, {"_id": "b"}]\n', "corpus is a JSON list"),
        ("_id,text\na,hello\n", "corpus is a table with a line of heads"),
        ('"docid";"text"\na;hello\n', "corpus is a table with a line of heads"),
    ],
)
def test_collections_in_other_formats_cannot_be_read(corpus: str, said: str) -> None:
    put(q=QRELS, corpus=corpus)
    done = command("check", "q", "--corpus", "corpus")
    assert done.code == 2
    assert said in done.out


def test_a_collection_of_other_ids_is_shown() -> None:
    put(q=QRELS, r=RUN, corpus="one\ntwo\nthree\n")
    done = command("check", "q", "r", "--corpus", "corpus", "--select", "Q17,R24")
    assert "4 of 4 judged documents not in corpus corpus: a, b, c, d; its ids are one, " in done.out
    assert "4 of 4 retrieved documents not in corpus corpus: a, c, x, y; its ids are" in done.out


def test_a_collection_that_names_nothing_cannot_be_read() -> None:
    put(q=QRELS, corpus="{}\n")
    done = command("check", "q", "--corpus", "corpus")
    assert done.code == 2
    assert "corpus names no document" in done.out


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
