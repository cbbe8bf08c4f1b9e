"""Files as they lie on disks: the authored samples, and every variation of bytes around them."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from command import QRELS, RUN, ndcg, ndcg_process, put
from ndcg import DataError, evaluate
from ndcg.formats import Input, read_qrels, read_run
from ndcg.formats.detect import is_header, is_metric_printout, other_kind
from ndcg.formats.rows import number_fault, numbers, split_rows
from shared import shared

Judged = dict[str, list[tuple[str, float]]]
Ranked = dict[str, list[tuple[str, float | None, float | None]]]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def qrels_of(path: str) -> tuple[Judged, Input]:
    """Every judgment of a file in listed order, and what is known about the file."""
    judgments, found = read_qrels(path)
    pairs = {
        query: [*given.items()] if isinstance(given, dict) else [*given]
        for query, given in judgments.given.items()
    }
    return pairs, found


def run_of(path: str) -> tuple[Ranked, Input]:
    """Every row of a run as document, score and rank, and what is known about the file."""
    rankings, found = read_run(path)
    rows: Ranked = {}
    for query, listing in rankings.given.items():
        documents = [*listing.documents]
        blank = [None] * len(documents)
        scores = blank if listing.scores is None else [*map(float, listing.scores)]
        ranks = blank if listing.ranks is None else [*map(float, listing.ranks)]
        rows[query] = [*zip(documents, scores, ranks, strict=True)]
    return rows, found


def qrels_text(text: str | bytes) -> tuple[Judged, list[str]]:
    """The judgments that a file with this text holds, and what is said about it."""
    put(q=text)
    pairs, found = qrels_of("q")
    return pairs, [str(notice).removeprefix("note: q: ") for notice in found.notices]


def run_text(text: str | bytes) -> tuple[Ranked, list[str]]:
    """The rows that a file with this text holds, and what is said about it."""
    put(r=text)
    rows, found = run_of("r")
    return rows, [str(notice).removeprefix("note: r: ") for notice in found.notices]


def refusal(read: Callable[[str], object], text: str | bytes) -> str:
    """The code word that reading a file with this text is refused with."""
    put(f=text)
    with pytest.raises(DataError) as error:
        read("f")
    return error.value.problems[0].word


PLAIN: Judged = {"q1": [("a", 1.0), ("b", 0.0)]}
PLAIN_RUN: Ranked = {"q1": [("a", 2.0, 1.0), ("b", 1.0, 2.0)]}

# -- the authored samples --------------------------------------------------------------------------

FULL = {
    "q1": [("s1", 3.0), ("s2", 1.0), ("s3", 0.0)],
    "q2": [("k1", 2.0), ("k2", 1.0)],
}


def sample(name: str) -> str:
    """The path of an authored sample."""
    return str(shared("formats", name))


def notices_of(found: Input) -> list[str]:
    """What is said about a file, without its name."""
    return [str(notice).removeprefix(f"note: {found.path}: ") for notice in found.notices]


def test_sample_01_mixed_blanks_q0_and_no_final_newline() -> None:
    pairs, found = qrels_of(sample("01_trec_qrels_mixed_blanks.txt"))
    assert (pairs, found.format, found.rows, found.queries) == (FULL, "trec qrels", 5, 2)
    assert notices_of(found) == []


def test_sample_02_ranks_from_1_and_every_way_to_write_a_score() -> None:
    rows, found = run_of(sample("02_trec_run_rank_from_1.txt"))
    assert rows == {
        "q1": [("s2", 12.804999, 1.0), ("s1", 11.95, 2.0), ("s9", 11.0, 3.0)],
        "q2": [("k1", 7.0, 1.0), ("k2", -0.25, 2.0)],
    }
    assert (found.format, notices_of(found)) == ("trec run", [])


def test_sample_03_ranks_from_0_are_told() -> None:
    rows, found = run_of(sample("03_trec_run_rank_from_0.txt"))
    assert [rank for _, _, rank in rows["q1"]] == [0.0, 1.0, 2.0]
    assert notices_of(found) == ["ranks start at 0; scores decide the order"]


def test_sample_04_constant_ranks_say_nothing() -> None:
    rows, found = run_of(sample("04_trec_run_rank_all_0.txt"))
    assert [score for _, score, _ in rows["q2"]] == [7.0, 6.5]
    assert notices_of(found) == ["the rank column is all 0; scores decide the order"]


def test_sample_05_a_missing_tag_is_told() -> None:
    rows, found = run_of(sample("05_trec_run_5_columns_no_tag.txt"))
    assert rows["q1"] == [("s2", 12.805, 1.0), ("s1", 11.95, 2.0)]
    assert notices_of(found) == [
        "5 columns, read as query, Q0, document, rank, score; the tag is missing"
    ]
    rankings, _ = read_run(sample("05_trec_run_5_columns_no_tag.txt"))
    assert rankings.name == "05_trec_run_5_columns_no_tag"


def test_sample_06_three_columns_are_told() -> None:
    pairs, found = qrels_of(sample("06_qrels_3_columns.txt"))
    assert pairs == FULL
    assert notices_of(found) == ["3 columns, read as query, document, grade"]


def test_sample_07_fractional_grades_stay_whole() -> None:
    pairs, _ = qrels_of(sample("07_qrels_float_grades.txt"))
    assert pairs == {
        "q1": [("s1", 0.95), ("s2", 0.333), ("s3", 0.0)],
        "q2": [("k1", 2.5), ("k2", 1.0)],
    }


def test_sample_08_negative_grades_survive_and_are_counted() -> None:
    pairs, _ = qrels_of(sample("08_qrels_negative_grades.txt"))
    assert pairs == {"q1": [("s1", 3.0), ("s2", -2.0), ("s3", -1.0)], "q2": [("k1", -2.0)]}
    evaluation = evaluate(sample("08_qrels_negative_grades.txt"), {"q1": {"s1": 1.0}})
    assert evaluation.accounts.negative_grades == 3
    assert evaluation["nDCG@10"].per_query == {"q1": 1.0, "q2": None}


def test_sample_09_subtopics_are_refused_and_their_maximum_is_taken_on_request() -> None:
    path, run = sample("09_qrels_subtopics.txt"), {"q1": {"s1": 2.0, "s2": 1.0}}
    with pytest.raises(DataError, match="E30 subtopics") as error:
        evaluate(path, run)
    place = error.value.problems[0].place
    assert place is not None
    assert (place.line, place.part) == (2, "2")
    highest = evaluate(path, run, "P@2", judgments="max")
    assert highest["P@2"].mean == 2 / 2
    assert evaluate(path, run, "P@2", judgments="last")["P@2"].mean == 1 / 2


def test_sample_10_sampled_judgments_are_told() -> None:
    pairs, found = qrels_of(sample("10_qrels_sampled_5_columns.txt"))
    assert pairs == {"q1": FULL["q1"]}
    assert found.format == "trec sampled qrels"
    assert "the probabilities are not used" in notices_of(found)[0]


def test_sample_11_comments_are_left_out_and_hashes_stay_in_ids() -> None:
    pairs, found = qrels_of(sample("11_qrels_comments_hash_ids.txt"))
    assert pairs == {"q1": [("psg_00_17#3", 2.0), ("psg_00_17#4_9", 0.0)]}
    assert notices_of(found) == ["1 comment line left out"]


def test_sample_41_six_decimals_decide() -> None:
    rows, _ = run_of(sample("41_anserini_run.txt"))
    assert rows["301"] == [("DOC-A-00012", 15.25, 1.0), ("DOC-A-00340", 15.249999, 2.0)]
    judged = {"301": {"DOC-A-00012": 1, "DOC-A-00340": 0}, "302": {"DOC-B-7": 1}}
    assert evaluate(judged, sample("41_anserini_run.txt")).accounts.tied_queries == 0
    # Six decimals of 15.25 are too many for single precision elsewhere, but not here.
    assert evaluate(judged, sample("41_anserini_run.txt"), score_type="float32")["nDCG@10"].mean


def test_sample_57_a_metric_printout_is_no_run() -> None:
    with pytest.raises(DataError, match=r"E31 not-a-run.*a printout of measures"):
        read_run(sample("57_trec_eval_output.txt"))


def test_sample_58_two_systems_in_one_file_are_named() -> None:
    with pytest.raises(DataError, match=r"E33 two-systems.*sysA, sysB look like 2 systems"):
        read_run(sample("58_two_runs_in_one_file.txt"))


def test_sample_59_a_compressed_run() -> None:
    rows, found = run_of(sample("59_run_gz.txt.gz"))
    assert rows == {"q1": [("s2", 12.8, 1.0), ("s1", 11.9, 2.0)]}
    assert found.stem == "59_run_gz"


# -- bytes around the lines ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        QRELS,
        QRELS.removesuffix("\n"),
        QRELS.replace("\n", "\r\n"),
        QRELS.replace("\n", "\r\n").removesuffix("\r\n"),
        QRELS.replace(" ", "\t"),
        QRELS.replace(" ", " \t  "),
        QRELS.replace(" ", "\x0b").replace("\x0b", "\x0c", 1),
        "\n\n" + QRELS.replace("\n", "\n \n\t\n") + "\n",
        "".join(f"  {line}\t \n" for line in QRELS.splitlines()),
        QRELS.replace("\n", "\r\r\n"),
        "q1 0 a 1\r\nq1 0 b 0\n",
    ],
)
def test_lines_and_blanks_of_every_kind(text: str) -> None:
    assert qrels_text(text) == (PLAIN, [])


def test_one_byte_order_mark_is_stripped_and_told() -> None:
    told = ["1 byte order mark was stripped"]
    assert qrels_text("\ufeff" + QRELS) == (PLAIN, told)
    assert run_text("\ufeff" + RUN.replace("\n", "\r\n")) == (PLAIN_RUN, told)
    assert qrels_text("\ufeff\ufeffq1 0 a 1\n")[0] == {"\ufeffq1": [("a", 1.0)]}
    assert qrels_text("q1 0 a 1\n\ufeffq1 0 b 0\n")[0] == {
        "q1": [("a", 1.0)],
        "\ufeffq1": [("b", 0.0)],
    }


def test_lines_that_end_with_cr_alone_are_told() -> None:
    told = ["lines end with CR alone; each was read as a line"]
    assert qrels_text(QRELS.replace("\n", "\r")) == (PLAIN, told)
    assert run_text(RUN.replace("\n", "\r")) == (PLAIN_RUN, told)


# str.split() and str.splitlines() would cut at each of these.
INSIDE = ["\x1c", "\x1d", "\x1e", "\x1f", "\x85", "\xa0", "\u1680", "\u2028", "\u2029", "\u3000"]


@pytest.mark.parametrize("mark", [*INSIDE, "\u200b", "\u202f", "\ufeff"])
def test_blanks_that_are_not_ascii_are_part_of_ids(mark: str) -> None:
    document = f"a{mark}b"
    assert qrels_text(f"q{mark} 0 {document} 1\nq{mark} 0 c 0\n")[0] == {
        f"q{mark}": [(document, 1.0), ("c", 0.0)]
    }
    assert run_text(f"q Q0 {document} 1 2 t\nq Q0 {mark}c 2 1 t\n")[0] == {
        "q": [(document, 2.0, 1.0), (f"{mark}c", 1.0, 2.0)]
    }


@pytest.mark.parametrize("mark", INSIDE)
def test_blanks_that_are_not_ascii_do_not_count_as_lines_in_messages(mark: str) -> None:
    put(q=f"q1 0 a{mark}b 1\nq1 0 c x\n")
    with pytest.raises(DataError, match=r"--> q:2\n"):
        read_qrels("q")


def test_ids_are_byte_exact_text() -> None:
    ids = ["007", "7", "1e5", "NA", "null", "nan", "True", "caf\xe9", "cafe\u0301", "#", "a#b", "-"]
    ids += ['"q"', "a,b", "\\n", "\U0001f600", "\uffff", "\U00010000"]
    text = "".join(f"q1 0 {one} {place}\n" for place, one in enumerate(ids))
    assert qrels_text(text)[0]["q1"] == [(one, float(i)) for i, one in enumerate(ids)]
    queries = [one for one in ids if one != "#"]
    pairs, _ = qrels_text("".join(f"{one} 0 d 1\n" for one in queries))
    assert [*pairs] == queries


def test_ids_that_look_like_numbers_stay_different() -> None:
    put(q="7 0 d 1\n007 0 d 0\n7.0 0 d 1\n", r="007 Q0 d 1 1 t\n")
    evaluation = evaluate("q", "r", "P@1")
    assert evaluation.accounts.missing == ("7", "7.0")
    assert evaluation["P@1"].per_query == {"007": None, "7": 0.0, "7.0": 0.0}


def test_rows_of_a_query_need_not_be_neighbours() -> None:
    qrels = "q1 0 a 1\nq2 0 c 1\nq1 0 b 0\nq2 0 d 2\n"
    assert qrels_text(qrels)[0] == {
        "q1": [("a", 1.0), ("b", 0.0)],
        "q2": [("c", 1.0), ("d", 2.0)],
    }
    run = "q1 Q0 a 1 2 t\nq2 Q0 c 1 2 t\nq1 Q0 b 2 1 t\n"
    assert run_text(run)[0]["q1"] == [("a", 2.0, 1.0), ("b", 1.0, 2.0)]


def test_a_very_long_line_and_a_very_long_file() -> None:
    document = "d" * 1_000_000
    assert qrels_text(f"q1 0 {document} 1\n")[0] == {"q1": [(document, 1.0)]}
    text = "".join(f"q{i // 100} 0 d{i} {i % 4}\n" for i in range(50_000))
    pairs, _ = qrels_text(text)
    assert (len(pairs), sum(map(len, pairs.values()))) == (500, 50_000)


def test_the_last_line_counts_without_its_end() -> None:
    assert run_text(RUN + "q2 Q0 c 1 0.5 t")[0]["q2"] == [("c", 0.5, 1.0)]


# -- comments --------------------------------------------------------------------------------------


@pytest.mark.parametrize("comment", ["# two assessors", "#", "#assessed twice", "#q1 0 a one"])
def test_comments_between_rows_are_left_out_and_counted(comment: str) -> None:
    text = QRELS.replace("q1 0 b", f"{comment}\n{comment}\nq1 0 b")
    assert qrels_text(text) == (PLAIN, ["2 comment lines left out"])
    run = RUN.replace("q1 Q0 b", f"{comment}\nq1 Q0 b")
    assert run_text(run) == (PLAIN_RUN, ["1 comment line left out"])


@pytest.mark.parametrize(
    "comment", ["#", "# two assessors", "# TREC 2026", "# pool A, two assessors", "#header"]
)
def test_comments_before_all_rows_are_left_out_and_counted(comment: str) -> None:
    told = ["1 comment line left out"]
    assert qrels_text(f"{comment}\n{QRELS}") == (PLAIN, told)
    assert run_text(f"{comment}\n{RUN}") == (PLAIN_RUN, told)


def test_a_query_that_starts_with_a_hash_is_a_query() -> None:
    pairs, told = qrels_text(QRELS + "#python 0 a 1\n#python 0 b 0\n")
    assert pairs == PLAIN | {"#python": [("a", 1.0), ("b", 0.0)]}
    assert told == ["lines of query #python start with # and were read as rows"]
    rows, told = run_text("#c Q0 a 1 2 t\n#c Q0 b 2 1 t\n")
    assert rows == {"#c": [("a", 2.0, 1.0), ("b", 1.0, 2.0)]}
    assert told == ["lines of query #c start with # and were read as rows"]


def test_lines_are_counted_with_comments_and_blank_lines() -> None:
    put(q="\nq1 0 a 1\n# comment\n\nq1 0 b x\n")
    with pytest.raises(DataError, match=r"--> q:5\n   \| q1 0 b x\n"):
        read_qrels("q")


# -- columns ---------------------------------------------------------------------------------------


def test_a_run_of_three_columns_has_ranks_and_no_scores() -> None:
    rows, told = run_text("q1 a 2\nq1 b 1\n")
    assert rows == {"q1": [("a", None, 2.0), ("b", None, 1.0)]}
    assert told == ["3-column run (query, document, rank): no scores, ordered by rank"]


def test_a_run_of_three_columns_is_ordered_by_rank() -> None:
    put(q="q1 0 a 0\nq1 0 b 1\n", r="q1 a 2\nq1 b 1\n")
    evaluation = evaluate("q", "r", "RR")
    assert evaluation["RR"].mean == 1.0
    assert "|order_by:rank|" in evaluation["RR"].signature


def test_one_document_a_query_at_rank_1_is_nothing_to_tell() -> None:
    assert run_text("q1 Q0 a 1 2 t\nq2 Q0 a 1 3 t\n")[1] == []


def test_ranks_that_contradict_scores_are_counted() -> None:
    rows, told = run_text(RUN.replace("a 1", "a 2").replace("b 2", "b 1"))
    assert rows["q1"] == [("a", 2.0, 2.0), ("b", 1.0, 1.0)]
    what = "rank order differs from score order in 1 query (q1); scores decide"
    assert told == [f"{what}; --order-by rank follows the rank column"]


@pytest.mark.parametrize("rank", ["first", "1.5", "-", "1."])
def test_a_rank_column_that_is_no_rank_is_told_and_not_used(rank: str) -> None:
    rows, told = run_text(RUN.replace("b 2", f"b {rank}"))
    assert rows["q1"] == [("a", 2.0, None), ("b", 1.0, None)]
    assert told == [f"the rank column is not usable: line 2: rank {rank!r} is not a whole number"]


def test_tags_that_differ_by_query_are_told_and_the_file_names_the_system() -> None:
    put(bm25_run=RUN + "q2 Q0 a 1 1 other\n")
    rankings, found = read_run("bm25.run")
    assert rankings.name == "bm25"
    assert [str(notice) for notice in found.notices] == [
        "note: bm25.run: 2 tags, one per query: t, other"
    ]


def test_the_tag_names_the_system() -> None:
    put(some_run=RUN.replace(" t\n", " BM25-v2\n"))
    assert read_run("some.run")[0].name == "BM25-v2"


@pytest.mark.parametrize(
    ("path", "stem"),
    [
        ("bm25.run", "bm25"),
        ("bm25.run.gz", "bm25"),
        ("bm25.txt.bz2", "bm25"),
        ("run-1.2", "run-1.2"),
        ("folder/dense.trec.zst", "dense"),
        (".run", ".run"),
        ("-", "-"),
    ],
)
def test_a_file_without_a_tag_names_the_system_without_its_suffixes(path: str, stem: str) -> None:
    assert Input(path, "run").stem == stem


# -- numbers ---------------------------------------------------------------------------------------

GOOD = {
    "2": 2.0, "+3": 3.0, "-0.25": -0.25, ".5": 0.5, "-.5": -0.5, "1.1e1": 11.0, "1E2": 100.0,
    "1e+2": 100.0, "1e-3": 0.001, "007": 7.0, "0.1": 0.1, "-0": 0.0, "1e-400": 0.0,
    "12.804999": 12.804999, "9007199254740993": 9007199254740992.0,
    "1.7976931348623157e308": 1.7976931348623157e308,
}  # fmt: skip
BAD = [
    "nan", "NaN", "-nan", "inf", "-Infinity", "1e999", "-1e999", "0x10", "1_000", "1.", "1.e3",
    "0,5", "1e", "e5", "1e5.0", "--1", "+-1", "+", "-", ".", "", "1.5.2", "1f", "1d", "True", "1/2",
    "50%", "\u0663", "\uff11", "\u00b2", "1\u00a0", "one", '"2', '2"', '""', "'2'", '""2""',
]  # fmt: skip


@pytest.mark.parametrize("text", GOOD)
def test_numbers_of_the_grammar(text: str) -> None:
    found, faulty, quoted = numbers([text, f'"{text}"'])
    assert (found.tolist(), faulty, quoted) == ([GOOD[text]] * 2, [], [1])
    assert numbers([text])[0].tolist() == [GOOD[text]]


@pytest.mark.parametrize("text", BAD)
def test_what_is_no_number_of_the_grammar(text: str) -> None:
    for fields in ([text], ["1", text, "2"], ["x", text]):
        found, faulty, _ = numbers(fields)
        assert fields.index(text) in faulty
        assert found[fields.index(text)] != found[fields.index(text)]
    assert number_fault(text).startswith(repr(text))


def test_one_faulty_number_leaves_its_neighbours_as_they_are() -> None:
    found, faulty, _ = numbers([*GOOD, "x", *GOOD])
    assert faulty == [len(GOOD)]
    assert [*found[: len(GOOD)]] == [*GOOD.values()] == [*found[len(GOOD) + 1 :]]


def test_the_fast_and_the_careful_way_read_the_same_doubles() -> None:
    texts = [f"{i * 7919 % 99991}.{i * 104729 % 1000003}e{i % 40 - 20}" for i in range(2000)]
    fast, careful = numbers(texts)[0], numbers([*texts, "x"])[0][:-1]
    assert fast.tobytes() == careful.tobytes()
    assert fast.tolist() == [float(text) for text in texts]


def test_quoted_numbers_are_read_counted_and_told() -> None:
    assert qrels_text('q1 0 a "1"\nq1 0 b "0"\n') == (
        PLAIN,
        ["2 quoted grades read without the quotes (first in line 1)"],
    )
    assert run_text(RUN.replace("1.0", '"1.0"')) == (
        PLAIN_RUN,
        ["1 quoted score read without the quotes (first in line 2)"],
    )


# -- compression -----------------------------------------------------------------------------------

PACKS: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": zstandard.compress,
}


@pytest.mark.parametrize("kind", PACKS)
@pytest.mark.parametrize("name", ["q.txt", "q.gz", "q.bz2", "q.xz", "q.zst", "q"])
def test_compression_is_told_by_its_first_bytes_and_not_by_the_name(kind: str, name: str) -> None:
    Path(name).write_bytes(PACKS[kind](QRELS.encode()))
    assert qrels_of(name)[0] == PLAIN


@pytest.mark.parametrize("name", ["q.gz", "q.bz2", "q.zst"])
def test_plain_text_under_a_misleading_name_is_plain_text(name: str) -> None:
    Path(name).write_text(QRELS, encoding="utf-8")
    assert qrels_of(name)[0] == PLAIN


@pytest.mark.parametrize("kind", PACKS)
def test_several_members_in_one_file_are_one_text(kind: str) -> None:
    pack, half = PACKS[kind], len(QRELS) // 2
    data = pack(QRELS[:half].encode()) + pack(QRELS[half:].encode())
    assert qrels_text(data)[0] == PLAIN


def test_zeros_after_gzip_members_are_padding() -> None:
    assert qrels_text(gzip.compress(QRELS.encode()) + b"\x00" * 512)[0] == PLAIN


@pytest.mark.parametrize("kind", ["gz", "bz2", "xz"])
@pytest.mark.parametrize("cut", [1, 5, 20])
def test_compressed_data_that_was_cut_is_refused(kind: str, cut: int) -> None:
    data = PACKS[kind](QRELS.encode() * 99)
    assert refusal(read_qrels, data[:-cut]) == "compression"


@pytest.mark.parametrize("cut", [1, 4, 20])
def test_zstd_data_that_was_cut_is_refused(cut: int) -> None:
    text = "".join(f"q1 0 document-{i} {i % 3}\n" for i in range(2000))
    data = zstandard.compress(text.encode())
    assert refusal(read_qrels, data[:-cut]) == "compression"


@pytest.mark.parametrize("kind", PACKS)
def test_compressed_data_with_a_wrong_byte_is_refused(kind: str) -> None:
    data = bytearray(PACKS[kind](os.urandom(64).hex().encode() * 4))
    data[len(data) // 2] ^= 0xFF
    put(q=bytes(data))
    with pytest.raises(DataError):
        read_qrels("q")


@pytest.mark.parametrize("kind", PACKS)
def test_compressed_emptiness_is_empty(kind: str) -> None:
    assert refusal(read_qrels, PACKS[kind](b"")) == "empty"


def test_the_fingerprint_is_of_the_bytes_on_disk() -> None:
    from hashlib import sha256

    data = gzip.compress(QRELS.encode(), mtime=0)
    put(q=data)
    _, found = read_qrels("q", fingerprint=True)
    assert found.sha256 == sha256(data).hexdigest()
    assert read_qrels("q")[1].sha256 is None


# -- encodings -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        QRELS.encode("utf-16"),
        QRELS.encode("utf-16-le"),
        QRELS.encode("utf-16-be"),
        QRELS.encode("utf-32"),
        "q1 0 caf\xe9 1\n".encode("latin-1"),
        b"q1 0 a\xff 1\n",
        b"q1 0 a\xed\xa0\x80 1\n",  # a surrogate
        b"q1 0 a\xc0\x80 1\n",  # an overlong NUL
        b"q1 0 a\xe2\x82",  # cut inside a character
        b"q1 0 a\x00b 1\n",
        b"\x00" * 100,
    ],
)
def test_what_is_no_utf8_is_refused(data: bytes) -> None:
    assert refusal(read_qrels, data) == "encoding"
    assert refusal(read_run, data) == "encoding"


def test_the_line_of_a_byte_that_is_no_utf8_is_named() -> None:
    put(q=b"q1 0 a 1\r\nq1 0 b 0\r\nq1 0 \xe9 1\r\nq1 0 \xe8 1\r\n")
    with pytest.raises(DataError, match=r"byte 0xe9 in line 3\n --> q:3\n   \| q1 0 \xe9 1"):
        read_qrels("q")


# -- paths -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["missing.txt", ".", "no/such/folder", "", "x" * 300])
def test_paths_that_cannot_be_read(name: str) -> None:
    with pytest.raises(DataError) as error:
        read_qrels(name)
    assert error.value.problems[0].word == "file"


def test_a_file_without_permission(monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", denied)
    with pytest.raises(DataError, match=r"E20 file\]: q cannot be read \(Permission denied\)"):
        read_qrels("q")


def test_a_missing_file_names_the_nearest_one_beside_it() -> None:
    Path("data").mkdir()
    put(**{"data/qrels_test": QRELS})
    with pytest.raises(DataError, match=r"help: did you mean qrels\.test\?"):
        read_qrels("data/qrel.test")


def test_a_link_a_path_object_and_a_home_relative_path_are_files() -> None:
    put(q=QRELS, r=RUN)
    Path("link").symlink_to("q")
    assert qrels_of("link")[0] == PLAIN
    assert evaluate(Path("q"), Path("r"))["nDCG@10"].mean == 1.0


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs here")
def test_a_fifo_is_read_to_its_end() -> None:
    os.mkfifo("pipe")

    def feed() -> None:
        with Path("pipe").open("w", encoding="utf-8") as pipe:
            pipe.write(QRELS)

    feeder = threading.Thread(target=feed, daemon=True)
    feeder.start()
    assert qrels_of("pipe")[0] == PLAIN
    feeder.join(timeout=10)


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_standard_input_is_a_file_plain_or_compressed(pack: Callable[[bytes], bytes]) -> None:
    put(q=QRELS, r=RUN)
    expected = ndcg("eval", "q", "r", "--format", "csv").out
    assert ndcg("eval", "-", "r", "--format", "csv", stdin=pack(QRELS.encode())).out == expected
    done = ndcg("eval", "q", "-", "--format", "csv", stdin=pack(RUN.encode()))
    assert (done.code, done.out, done.err) == (0, expected, "")


def test_standard_input_of_a_process_is_read_as_bytes() -> None:
    put(r=RUN.replace("b", "caf\xe9"))
    qrels = QRELS.replace("b", "caf\xe9").replace("\n", "\r\n").encode()
    environment = {"PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
    done = ndcg_process("eval", "-", "r", "--format", "tsv", stdin=qrels, environment=environment)
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[1].startswith("t\tnDCG@10\t1.0\t\t\t\t1\t1\t")


def test_the_working_folder_may_hold_names_of_any_kind() -> None:
    name = "j\xfc-\u6587 (1).qrels"
    Path(name).write_text(QRELS, encoding="utf-8")
    put(r=RUN)
    done = ndcg("eval", name, "r", "--json")
    assert done.code == 0
    assert f'"path": "{name}"' in done.out


# -- what tells kinds of files apart ---------------------------------------------------------------


def test_what_trec_eval_prints_is_recognised_by_every_row() -> None:
    printed = ["runid all t", "num_q all 3", "map all 0.5", "P_5 all 0.2", "11pt_avg q1 0.1"]
    printed += ["ndcg_cut_10 q1 0.5", "recall_1000 all 1.0", "iprec_at_recall_0.10 all 1"]
    assert is_metric_printout([line.split() for line in printed])
    assert not is_metric_printout([line.split() for line in [*printed, "map doc 1 2"]])
    assert not is_metric_printout([["map", "doc7", "x"]])
    assert not is_metric_printout([])


def test_kinds_are_told_by_the_first_line() -> None:
    kinds = {
        ' {"a": 1}': "JSON",
        "[1]": "JSON",
        "<html>": "XML or HTML",
        "a,b,c\n1,2,3": "a table separated by commas",
        "a;b;c": "a table separated by semicolons",
        "1::2::3": "a table separated by double colons",
        "2 qid:7 1:0.5": "learning-to-rank data (grade qid:query feature:value ...)",
        "q1\td1\t3": None,
        "q1 0 d1 3": None,
    }
    for text, kind in kinds.items():
        assert other_kind(text, split_rows(text)) == kind


def test_a_header_is_told_by_two_words_that_stand_in_no_record() -> None:
    for header in ("qid\tdoc\tlabel", "query-id corpus-id score", "QUERY iteration DOCNO rel"):
        assert is_header(header.split())
    for record in ("q1 0 d1 3", "query 0 d1 3", "map all 0.5", "q1 Q0 doc 1 2.0 bm25"):
        assert not is_header(record.split())


def test_ids_of_queries_that_are_measure_names_are_still_a_run() -> None:
    put(q="map 0 a 1\nndcg 0 a 1\n", r="map Q0 a 1 2 t\nndcg Q0 a 1 2 t\n")
    assert evaluate("q", "r", "P@1")["P@1"].mean == 1.0
