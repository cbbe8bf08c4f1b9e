"""``ndcg trec-eval`` beyond the kit: what it says, what it reads, and how large runs are read."""

from __future__ import annotations

import gzip
import random
import subprocess
import sys
from pathlib import Path

import pytest

from command import ndcg, put
from ndcg.compat import groups, reading
from ndcg.formats import large

QRELS = "q1 0 a 2\nq1 0 b 0\nq2 0 c 1\n"
RUN = "q1 Q0 b 1 2.0 t\nq1 Q0 a 2 1.0 t\nq2 Q0 c 1 1.0 t\n"
FILES = ("qrels.txt", "run.txt")
THREE = QRELS + "q3 0 a 1\n"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    put(qrels_txt=QRELS, run_txt=RUN)


def printed(*arguments: str) -> dict[tuple[str, str], str]:
    """What is printed, by measure and query; nothing is said."""
    done = ndcg("trec-eval", *arguments)
    assert (done.code, done.err) == (0, "")
    rows = [line.split("\t") for line in done.out.splitlines()]
    return {(name.strip(), query): value for name, query, value in rows}


# -- what is said --------------------------------------------------------------------------------


def test_the_help_is_our_own_and_describes_measures_on_request() -> None:
    done = ndcg("trec-eval", "-h")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("ndcg trec-eval: ")
    more = ndcg("trec-eval", "-h", "-m", "bpref", "-m", "P")
    assert more.out.startswith(done.out.rstrip("\n"))
    text = " ".join(more.out.split())
    assert "bpref: binary preference: " in text
    assert "See: ndcg measures P. Parameters: P.5,10,15,20,30,100,200,500,1000 by default." in text
    assert "-h -m relstring" not in text
    rest = ndcg("trec-eval", "-h", "-m", "relstring", "-m", "ndcg", "-m", "prefs_simp").out
    assert "relstring: the levels of the first documents as text" in rest
    assert "Parameters: ndcg.1=1,2=3." in rest
    assert "prefs_simp: share of preferences fulfilled" in rest
    assert max(map(len, rest.splitlines())) <= 79


def test_the_version_is_our_own_and_on_standard_error() -> None:
    done = ndcg("trec-eval", "-v")
    assert (done.code, done.out) == (0, "")
    assert done.err.startswith("ndcg trec-eval ")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ((), 1, "two files are needed, the judgments and the run, not 0"),
        (("-q",), 1, "two files are needed"),
        ((*FILES, "more"), 1, "not 3"),
        (("-x", *FILES), 1, "option -x not recognized"),
        (("--frobnicate", *FILES), 1, "option --frobnicate not recognized"),
        (("-m", "mapp", *FILES), 1, "'mapp' is not a measure of trec_eval 10; did you mean map?"),
        (("-m", "map.", *FILES), 1, "'map.' is not a measure of trec_eval 10: nothing follows"),
        (("--compat", "9", "-m", "rbp", *FILES), 1, "'rbp' is not a measure of trec_eval 9"),
        (("--compat", "8", *FILES), 1, "--compat '8': there are 9 (9.0.4 to 9.0.8) and 10 (10.0)"),
        (("-D", "1", *FILES), 2, "-D prints the inner state of trec_eval"),
        (("-R", "prefz", *FILES), 2, "-R 'prefz' is not a format; did you mean prefs?"),
        (("-T", "x", *FILES), 2, "-T 'x' is not a format"),
        (("-M", "-2", *FILES), 2, "-M -2: a ranking cannot be cut below 0"),
        (("-m", "P.0", *FILES), 2, "-m P.0: cutoffs are whole numbers from 1 up, not '0'"),
        (("-m", "P.5,5", *FILES), 2, "-m P.5,5: a cutoff stands twice in '5,5'"),
        (("-m", "ndcg.3", *FILES), 2, "-m ndcg.3: '3' is not level=gain"),
        (("-m", "utility.1,2", *FILES), 4, "-m utility.1,2: 2 coefficients, not 4"),
        (("-l", "-1", *FILES), 2, "-l -1 makes unjudged documents relevant"),
        (("-m", "map_avgjg", *FILES), 4, "map_avgjg cannot be computed from judgments read with"),
        (("-R", "prefs", "-m", "prefs", *FILES), 2, "4 columns, where trec_eval reads exactly 5"),
        (("none.txt", "run.txt"), 2, "none.txt not found"),
        (("qrels.txt", "none.txt"), 2, "none.txt not found"),
        (("-Z", "none.txt", *FILES), 255, "none.txt not found"),
        (("run.txt", "qrels.txt"), 2, "it looks like a run: the judgments come first"),
        (("qrels.txt", "qrels.txt"), 2, "it looks like judgments: the judgments come first"),
        (("-m", "ndcg_cut_10", *FILES), 1, "did you mean ndcg_cut.10?"),
        (("-m", "rbp.0.8", *FILES), 2, "as in -m rbp.p=0.8"),
        (("-m", "ndcg.1=inf", *FILES), 2, "'1=inf' has no finite gain"),
        (("-m", "Rprec_mult.nan", *FILES), 2, "finite numbers below 10^15, not 'nan'"),
        (("-m", "11pt_avg.0.5,1e16", *FILES), 2, "finite numbers below 10^15, not '0.5,1e16'"),
        (("--compat", *FILES), 1, "--compat 'qrels.txt': there are 9"),
        ((*FILES, "--compat"), 1, "--compat '': there are 9"),
        (("-", "-"), 1, "standard input (-) is named twice"),
        ((".", "run.txt"), 2, "is a directory"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_the_exit_code_of_trec_eval(
    arguments: tuple[str, ...], code: int, said: str
) -> None:
    done = ndcg("trec-eval", *arguments)
    assert (done.code, done.out) == (code, "")
    assert said in done.err
    assert "\nhelp: " in done.err


@pytest.mark.parametrize(
    ("qrels", "run", "code", "out", "said"),
    [
        (QRELS, RUN + "q1 Q0 a 2 0 t\n", 4, "", "run.txt:4\n   | q1 Q0 a 2 0 t\n   |       ^"),
        ("", RUN, 2, "", "qrels.txt is empty"),
        (QRELS, "", 2, "", "run.txt is empty"),
        (QRELS + "\n", RUN, 2, "", "line 4: 0 columns, where trec_eval reads exactly 4"),
        (QRELS, RUN + "q1 Q0 d 3\n", 2, "", "line 4: 4 columns, where trec_eval reads at least 6"),
        (QRELS, RUN + "q1\0\n", 2, "", "run.txt holds NUL bytes"),
        (QRELS, RUN + "q2 Q0 d 2 nan t\n", 2, "", "score 'nan' is not a number"),
        (QRELS, RUN + "q2 Q0 c 2 0 t\n", 4, "q1", "lists document 'c' 2 times for query 'q2'"),
        (QRELS + "q2 0 c 1\n", RUN, 4, "q1", "qrels.txt:4"),
        (QRELS + "q3 0 c 1\n", RUN, 4, "q1q2", "1 judged query is not in the run: q3"),
        ("q1 0 a -1\n" + QRELS[-9:], RUN, 4, "", "query 'q1', the first to be evaluated, has neg"),
    ],
)
def test_queries_before_a_fault_are_printed(
    qrels: str, run: str, code: int, out: str, said: str
) -> None:
    put(qrels_txt=qrels, run_txt=run)
    done = ndcg("trec-eval", "-q", "-m", "num_ret", *FILES)
    assert done.code == code
    assert "".join(line.split("\t")[1] for line in done.out.splitlines()) == out
    assert said in done.err


def test_no_query_in_common_is_exit_code_7_in_version_9() -> None:
    put(run_txt="x Q0 a 1 1.0 t\n")
    done = ndcg("trec-eval", "--compat", "9", *FILES)
    assert (done.code, done.out) == (7, "")
    assert "no query has both results and judgments" in done.err


@pytest.mark.parametrize(
    ("qrels", "run", "options", "note"),
    [
        (QRELS.replace("a 2", "a 1.9"), RUN, (), "grades that are no plain numbers were read as"),
        (QRELS, RUN.replace("2.0", "0,9"), (), "were read as trec_eval does: '0,9' as 0"),
        (QRELS, RUN.replace("2.0", '"2.0"'), (), "'\"2.0\"' as 0"),
        (QRELS, RUN.replace("2.0", "0x1p3"), (), "'0x1p3' as 8"),
        (QRELS, RUN, ("-m", "P.5", "-m", "P.10"), "-m P.10: the first parameters of P count"),
        (QRELS, RUN, ("-m", "map.5"), "-m map.5: map has no parameters, they are ignored"),
        (QRELS, RUN, ("-m", "official.5"), "official has no parameters, they are ignored"),
        (QRELS, RUN, ("-m", "ndcg.1=.5,2=.7"), "ndcg: trec_eval may misorder the gains 0 and 0.5"),
        (QRELS, RUN, ("-m", "ndcg.1=1,1=2"), "ndcg.1=1,1=2: level 1 stands twice, the first gain"),
        (QRELS, RUN, ("-m", "ndcg.1=1,1.5=2"), "ndcg.1=1,1.5=2: '1.5' is no level"),
        (QRELS, RUN, ("-M", "1e3"), "-M 1e3 is read as 1, as in trec_eval"),
        (QRELS, RUN, ("-l", "x"), "-l x is read as 0, as in trec_eval"),
        (QRELS, RUN, ("-n",), "-n without -q: nothing is printed"),
        (QRELS, "\ufeff" + RUN, ("-c",), "takes the byte order mark for a part of the first"),
        (THREE, RUN, ("-c",), "1 judged query is not in the run and counted as 0: q3"),
        (THREE, RUN, ("--compat", "9"), "1 judged query is not in the run and left out (-c counts"),
    ],
)  # fmt: skip
def test_what_is_read_otherwise_than_it_looks_is_noted(
    qrels: str, run: str, options: tuple[str, ...], note: str
) -> None:
    put(qrels_txt=qrels, run_txt=run)
    done = ndcg("trec-eval", *options, *FILES)
    assert done.code == 0
    assert done.err.startswith("note: ")
    assert done.err.count("\n") == 1
    assert note in done.err


# -- what is read ----------------------------------------------------------------------------------


def test_files_may_be_compressed() -> None:
    for name in FILES:
        Path(f"{name}.gz").write_bytes(gzip.compress(Path(name).read_bytes()))
    assert printed("-q", "qrels.txt.gz", "run.txt.gz") == printed("-q", *FILES)


def test_ids_are_bytes_and_printed_as_they_are() -> None:
    for name, text in zip(FILES, (QRELS, RUN), strict=True):
        Path(name).write_bytes(text.encode().replace(b"q1", b"q\xff\xa0\x85"))
    raw = subprocess.run(
        [sys.executable, "-m", "ndcg", "trec-eval", "-n", "-q", "-m", "num_ret", *FILES],
        capture_output=True, timeout=60, check=True,
    ).stdout  # fmt: skip
    assert raw.splitlines()[1].split(b"\t")[1] == b"q\xff\xa0\x85"


def test_ids_in_another_encoding_than_utf_8_keep_their_order() -> None:
    run = RUN.replace(" 2.0 ", " 1.0 ").encode()
    for second in ("é".encode(), "é".encode("latin-1")):
        Path("run.txt").write_bytes(run.replace(b" b ", b" b" + second + b" "))
        Path("qrels.txt").write_bytes(QRELS.encode().replace(b" b ", b" b" + second + b" "))
        assert printed("-q", "-m", "recip_rank", *FILES)["recip_rank", "q1"] == "0.5000"


def test_one_file_of_another_encoding_changes_no_document_of_the_other() -> None:
    Path("qrels.txt").write_bytes(QRELS.replace(" a ", " é ").encode() + b"q2 0 \xe9 1\n")
    Path("run.txt").write_bytes(RUN.replace(" a ", " é ").encode())
    assert printed("-q", "-m", "num_rel_ret", *FILES)["num_rel_ret", "q1"] == "1"


def test_standard_input_of_another_encoding_is_read_once() -> None:
    Path("qrels.txt").write_bytes(QRELS.encode().replace(b" a ", b" \xe9 "))
    done = subprocess.run(
        [sys.executable, "-m", "ndcg", "trec-eval", "-m", "num_rel_ret", "qrels.txt", "-"],
        input=RUN.encode().replace(b" a ", b" \xe9 "), capture_output=True, timeout=60, check=True,
    )  # fmt: skip
    assert done.stdout == b"num_rel_ret           \tall\t2\n"


def test_names_of_levels_have_the_room_of_trec_eval() -> None:
    assert printed("-m", "iprec_at_recall.123456.7", *FILES) == {
        ("iprec_at_recall_123456.7", "all"): "0.0000"
    }


def test_a_depth_beyond_all_documents_keeps_them_all() -> None:
    assert printed("-M", "9" * 30, "-q", *FILES) == printed("-q", *FILES)


def test_nothing_is_listed_twice_where_nothing_is_kept() -> None:
    put(run_txt=RUN + "q1 Q0 a 2 0 t\n")
    assert printed("-M", "0", "-m", "num_ret", *FILES)["num_ret", "all"] == "0"


def test_preferences_between_too_many_documents_are_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(groups, "MOST", 2)
    put(qrels_txt="q g s a 2\nq g s b 1\nq g s c 0\n", run_txt="q Q0 a 1 1 t\n")
    done = ndcg("trec-eval", "-R", "prefs", "-m", "prefs", *FILES)
    assert done.code == 4
    assert "query 'q' has preferences between 3 documents" in done.err
    assert "at most 2 are compared" in done.err


def test_the_tag_is_that_of_the_last_row() -> None:
    put(run_txt=RUN.replace("c 1 1.0 t", "c 1 1.0 last of them"))
    assert printed("-m", "runid", *FILES) == {("runid", "all"): "last"}


# -- large runs ------------------------------------------------------------------------------------


def written(seed: int, *, scattered: bool = False, odd: str = "") -> None:
    """Random judgments and a run."""
    chance = random.Random(seed)  # noqa: S311 -- examples, not secrets
    rows, judged = [], []
    for query in ("q1", "q10", "q9", "é"):
        pool = [f"d{n}" for n in range(60)] + ["ü", "\U0001f600"]
        listed = chance.sample(pool, 50)
        rows += [f"{query} Q0 {d} 0 {chance.choice([1, 2.5, 1e-9, 3e38])} t{query}" for d in listed]
        judged += [f"{query} 0 {d} {chance.randint(-1, 3)}" for d in chance.sample(pool, 20)]
    if scattered:
        chance.shuffle(rows)
    put(qrels_txt="\n".join(judged) + "\n", run_txt="\n".join([*rows, *odd.splitlines()]) + "\n")


CASES = {
    "plain": {},
    "scattered": {"scattered": True},
    "a comment": {"odd": "# a comment"},
    "an odd score": {"odd": "q1 Q0 new 1 2x t"},
    "an infinite score": {"odd": "q1 Q0 new 1 inf t"},
    "a quoted score": {"odd": 'q1 Q0 new 1 "2.5" t'},
    "more columns": {"odd": "q1 Q0 new 1 2.5 t and more"},
    "two tags": {"odd": "q1 Q0 new 1 2.5 other"},
    "a duplicate": {"odd": "q1 Q0 new 1 2.5 t\nq1 Q0 new 1 2.5 t"},
    "an unjudged query": {"odd": "unjudged Q0 new 1 2.5 t"},
}


@pytest.mark.parametrize("compat", ["9", "10"])
@pytest.mark.parametrize("options", [(), ("-M", "10"), ("-J", "-l", "2", "-c")], ids=str)
@pytest.mark.parametrize("case", CASES)
def test_a_streamed_run_prints_the_same(
    case: str, options: tuple[str, ...], compat: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(7, **CASES[case])  # type: ignore[arg-type]
    command = ["trec-eval", "--compat", compat, "-q", "-m", "all_trec", *options, *FILES]
    expected = ndcg(*command)
    monkeypatch.setattr(large, "LARGE", 100)
    assert ndcg(*command) == expected
    assert expected.code == (4 if case == "a duplicate" and not options else expected.code)


def test_a_plain_large_run_is_really_streamed(monkeypatch: pytest.MonkeyPatch) -> None:
    put(qrels_txt=QRELS, run_txt=RUN)
    seen = []
    streamed = reading._streamed
    monkeypatch.setattr(
        reading, "_streamed", lambda *given: seen.append(streamed(*given)) or seen[-1]
    )
    monkeypatch.setattr(large, "LARGE", 10)
    printed("-m", "map", *FILES)
    assert seen[0] is not None
    put(run_txt=RUN.replace(" b ", " é "))
    printed("-m", "map", *FILES)
    assert seen.pop() is not None
    put(run_txt="# comment\n" + RUN)
    printed("-m", "map", *FILES)
    assert seen[1] is None


def test_output_that_cannot_be_written_is_an_error_with_another_remedy() -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "ndcg", "trec-eval", "-m", "map", *FILES],
            stdout=full, stderr=subprocess.PIPE, timeout=60, check=False,
        )  # fmt: skip
    assert done.returncode == 2
    assert b"help: redirect it to another file" in done.stderr
