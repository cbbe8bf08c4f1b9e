"""Every way to fail, with the whole text that is printed.

Texts stand here as a user sees them, so that they can be read and judged as texts. A test at the
end holds that no code of the registry is without one.
"""

# ruff: noqa: E501 -- lines are as long as they are printed

from __future__ import annotations

import bz2
import gzip
import lzma
import re
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zstandard

import ndcg as package
from command import QRELS, RUN, ndcg, ndcg_process, put
from ndcg.errors import CODES, SHOWN, NdcgError, Place
from ndcg.formats.rows import Lines

AXES = "gain, discount, ideal, ideal_depth, ideal_order, default_cutoff, order_by, score_order, score_type, ties, depth, duplicates, judgments, grades, min_grade, appended, self_match, unjudged, negative, negative_only, min_documents, empty, empty_from, empty_test, no_judgments, nothing_found, missing, listed_empty, extra, average, none_left, rounding, set"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def fault(reason: str) -> pytest.MarkDecorator:
    """What is wrong today: the test says what should be, and fails once it is."""
    return pytest.mark.xfail(strict=True, reason=reason)


def says(text: str) -> str:
    """A text without the indentation of the test it stands in."""
    return textwrap.dedent(text).lstrip("\n")


def refused(*arguments: str, stdin: bytes = b"") -> str:
    """What the command says on its way out with 2; nothing on standard output, no file written."""
    before = sorted(Path().rglob("*"))
    done = ndcg(*arguments, stdin=stdin)
    assert (done.code, done.out) == (2, ""), done
    assert sorted(Path().rglob("*")) == before
    assert "Traceback" not in done.err
    return done.err


def scoring(qrels: str | bytes = QRELS, run: str | bytes = RUN, *arguments: str) -> str:
    """The refusal of these two files."""
    put(qrels_txt=qrels, run_txt=run)
    return refused("eval", "qrels.txt", "run.txt", *arguments)


def asking(*arguments: str) -> str:
    """The refusal of these arguments, beside good files."""
    return scoring(QRELS, RUN, *arguments)


def raised(call: Callable[[], object], kind: type[NdcgError] = package.DataError) -> str:
    """What a call raises, with the line end that the command would add."""
    with pytest.raises(NdcgError) as error:
        call()
    assert type(error.value) is kind
    return f"{error.value}\n"


# -- files ---------------------------------------------------------------------------------------


def test_a_missing_file_names_its_neighbour() -> None:
    put(qrels_txt=QRELS, run_txt=RUN)
    assert refused("eval", "qrel.txt", "run.txt") == says("""
        error[E20 file]: qrel.txt not found
         --> qrel.txt
        help: did you mean qrels.txt?
        """)


def test_a_missing_run_is_told_like_missing_judgments() -> None:
    put(qrels_txt=QRELS, run_txt=RUN)
    assert refused("eval", "qrels.txt", "runs.txt") == says("""
        error[E20 file]: runs.txt not found
         --> runs.txt
        help: did you mean run.txt?
        """)


def test_a_missing_folder_is_named() -> None:
    put(run_txt=RUN)
    assert refused("eval", "nowhere/qrels.txt", "run.txt") == says("""
        error[E20 file]: nowhere/qrels.txt not found
         --> nowhere/qrels.txt
        help: there is no folder nowhere
        """)


def test_a_missing_file_without_a_near_name_still_has_a_remedy() -> None:
    put(run_txt=RUN)
    assert refused("eval", "judgments.tsv", "run.txt") == says("""
        error[E20 file]: judgments.tsv not found
         --> judgments.tsv
        help: check the path
        """)


def test_a_directory_is_no_file() -> None:
    put(run_txt=RUN)
    Path("folder").mkdir()
    assert refused("eval", "folder", "run.txt") == says("""
        error[E20 file]: folder is a directory without qrels/*.tsv, so no BEIR folder
         --> folder
        help: name a file in it
        """)


def test_an_empty_file_says_what_it_should_hold() -> None:
    assert scoring(qrels="") == says("""
        error[E21 empty]: qrels.txt is empty: no judgments, 0 queries
         --> qrels.txt
        help: give a file with judgments
        """)
    assert scoring(run="") == says("""
        error[E21 empty]: run.txt is empty: no ranked documents, 0 queries
         --> run.txt
        help: give a file with ranked documents
        """)


@pytest.mark.parametrize("text", [" \n\t\n", "\r\n\r\n", "\ufeff", "\n"])
def test_a_file_of_blank_lines_is_empty(text: str) -> None:
    assert scoring(run=text) == scoring(run="")


def test_a_file_of_comments_is_empty() -> None:
    assert scoring(qrels="#q1 0 a b\n") == says("""
        error[E21 empty]: qrels.txt holds comments only: no rows, 0 queries
         --> qrels.txt
        help: accepted (TREC): 4 columns (query iteration document grade) or 3 columns (query document grade) or 5 columns (query document grade algorithm probability), separated by blanks or tabs
        """)


@pytest.mark.parametrize("text", ["# nothing\n", "# four words of text\n#\n"])
def test_a_file_of_comments_of_any_width_is_empty(text: str) -> None:
    assert scoring(qrels=text).startswith("error[E21 empty]: qrels.txt holds comments only")


def test_empty_standard_input_is_called_by_its_name() -> None:
    put(run_txt=RUN)
    assert "standard input is empty" in refused("eval", "-", "run.txt")


def test_standard_input_can_be_given_once() -> None:
    put(run_txt=RUN)
    twice = says("""
        error[E01 usage]: standard input (-) is named twice, and can be read once
        help: give a file for one of them
        """)
    assert refused("eval", "-", "-", stdin=QRELS.encode()) == twice
    assert refused("eval", "-", "run.txt", "-", stdin=QRELS.encode()) == twice
    assert refused("eval", "run.txt", "-", "-", stdin=RUN.encode()) == twice


def test_utf16_is_named_with_the_command_that_converts_it() -> None:
    assert scoring(qrels=QRELS.encode("utf-16")) == says("""
        error[E22 encoding]: qrels.txt is UTF-16, not UTF-8 text
         --> qrels.txt
        help: save it as UTF-8: iconv -f UTF-16 -t UTF-8 FILE
        """)


def test_latin1_is_named_with_its_first_byte_that_is_no_utf8() -> None:
    assert scoring(qrels="q1 0 a 1\nq1 0 caf\xe9 0\n".encode("latin-1")) == says("""
        error[E22 encoding]: qrels.txt is not UTF-8 text: byte 0xe9 in line 2
         --> qrels.txt:2
           | q1 0 café 0
           |         ^
        help: save it as UTF-8, for example: iconv -f LATIN1 -t UTF-8 FILE
        """)


def test_a_file_with_nul_bytes_is_no_text_and_not_told_to_be_converted() -> None:
    assert scoring(run=RUN.encode() + b"\x00" * 20) == says("""
        error[E22 encoding]: run.txt is binary data (it holds NUL bytes), not UTF-8 text
         --> run.txt
        help: give a text file
        """)


@pytest.mark.parametrize(
    ("kind", "what", "pack"),
    [
        ("gzip", "file", gzip.compress),
        ("bzip2", "data", bz2.compress),
        ("xz", "data", lzma.compress),
    ],
)
def test_a_compressed_file_that_was_cut_short(
    kind: str, what: str, pack: Callable[[bytes], bytes]
) -> None:
    packed = pack(RUN.encode() * 50)
    assert scoring(run=packed[:-9]) == says(f"""
        error[E23 compression]: run.txt is a damaged {kind} file (Compressed {what} ended before the end-of-stream marker was reached)
         --> run.txt
        help: the file may be cut short: copy or download it again
        """)


def test_a_zstd_file_that_was_cut_short_is_refused() -> None:
    rows = "".join(f"q1 Q0 d{i} {i} {99_999 - i} t\n" for i in range(50_000))
    packed = zstandard.compress((RUN + rows).encode())
    assert "[E23 compression]" in scoring(run=packed[: len(packed) // 2])


def test_a_kind_of_compression_that_is_not_read() -> None:
    assert scoring(run=b"\x04\x22\x4d\x18" + bytes(range(40))) == says("""
        error[E23 compression]: run.txt is compressed with lz4, which is not read here
         --> run.txt
        help: unpack it first, or use gzip, bzip2, xz or zstd
        """)
    assert scoring(run=b"PK\x03\x04" + bytes(range(40))) == says("""
        error[E23 compression]: run.txt is compressed with zip, which is not read here
         --> run.txt
        help: unpack it first, or use gzip, bzip2, xz or zstd
        """)


def test_zstd_without_its_package_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "zstandard", None)
    assert scoring(run=zstandard.compress(RUN.encode())) == says("""
        error[E11 extra]: run.txt is compressed with zstd, which needs a package
         --> run.txt
        help: pip install 'ndcg[zst]'
        """)


# -- files that are something else ----------------------------------------------------------------


def test_a_run_given_as_judgments() -> None:
    put(qrels_txt=QRELS, run_txt=RUN)
    assert refused("eval", "run.txt", "qrels.txt") == says("""
        error[E32 not-qrels]: run.txt looks like a run (6 columns), not judgments
         --> run.txt
        help: judgments come first, then runs
        """)


def test_judgments_given_as_a_run() -> None:
    put(qrels_txt=QRELS)
    assert refused("eval", "qrels.txt", "qrels.txt") == says("""
        error[E31 not-a-run]: qrels.txt looks like judgments (4 columns), not a run
         --> qrels.txt
        help: judgments come first, then runs
        """)


def test_a_printout_of_trec_eval_is_no_run() -> None:
    printed = "runid                 \tall\tt\nmap                   \tall\t0.5\n"
    assert scoring(run=printed) == says("""
        error[E31 not-a-run]: run.txt looks like a printout of measures (measure, query, value), not a run
         --> run.txt
        help: give the run that was scored; this file holds its results
        """)


@pytest.mark.parametrize("more", [(), ("--per-query", "-m", "AP", "-m", "P(rel=1)@5")])
def test_a_printout_of_ours_is_no_run_either(more: tuple[str, ...]) -> None:
    put(qrels_txt=QRELS, run_txt=RUN)
    printed = ndcg("eval", "qrels.txt", "run.txt", "--format", "trec", *more).out
    what = "looks like a printout of measures (measure, query, value), not a run"
    assert scoring(run=printed).startswith(f"error[E31 not-a-run]: run.txt {what}\n")


def test_a_printout_of_ours_with_an_undefined_value_is_no_run_either() -> None:
    put(qrels_txt=QRELS, run_txt=RUN)
    printed = ndcg("eval", "qrels.txt", "run.txt", "--format", "trec", "-m", "P(rel=2)@5").out
    assert "looks like a printout of measures" in scoring(run=printed)


def test_a_file_with_a_header_names_the_header() -> None:
    assert scoring(qrels="query-id corpus-id score\nq1 a 1\n") == says("""
        error[E32 not-qrels]: qrels.txt looks like a table with the header query-id | corpus-id | score
         --> qrels.txt
        help: remove the header: files of this family have none
        """)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("q1::a::3::978300760\n", "a table separated by double colons"),
        ('<?xml version="1.0"?>\n<qrels/>\n', "XML or HTML"),
        (
            "2 qid:1 1:0.5 2:0.25 3:1 4:0 5:1\n",
            "learning-to-rank data (grade qid:query feature:value ...)",
        ),
    ],
)
def test_judgments_of_another_kind_are_named(text: str, kind: str) -> None:
    assert scoring(qrels=text) == says(f"""
        error[E32 not-qrels]: qrels.txt looks like {kind}, not judgments
         --> qrels.txt
        help: accepted (TREC): 4 columns (query iteration document grade) or 3 columns (query document grade) or 5 columns (query document grade algorithm probability), separated by blanks or tabs
        """)


def test_json_that_is_cut_short_shows_where_it_breaks() -> None:
    assert scoring(qrels='{"q1": {"a": 1,\n') == says("""
        error[E38 syntax]: qrels.txt is no JSON in line 2: Expecting property name enclosed in double quotes
         --> qrels.txt:2
           |\x20
           | ^
        help: the file may be cut short, or of another format
        """)


def test_learning_to_rank_data_is_named_however_many_features_it_has() -> None:
    for features in ("1:0.5", "1:0.5 2:0.25", "1:1 2:1 3:1", "1:1 2:1 3:1 4:1"):
        text = f"2 qid:1 {features}\n1 qid:1 {features}\n"
        assert "learning-to-rank data" in scoring(qrels=text)


def test_rows_of_no_known_width_show_the_first_one_and_what_is_accepted() -> None:
    assert scoring(qrels="q1 a b c d e 1\n") == says("""
        error[E32 not-qrels]: qrels.txt looks like rows of 7 columns (first row: 'q1 a b c d e 1')
         --> qrels.txt
        help: accepted (TREC): 4 columns (query iteration document grade) or 3 columns (query document grade) or 5 columns (query document grade algorithm probability), separated by blanks or tabs
        """)
    assert scoring(run="q1 a\n") == says("""
        error[E31 not-a-run]: run.txt looks like rows of 2 columns (first row: 'q1 a')
         --> run.txt
        help: accepted (TREC): 6 columns (query Q0 document rank score tag) or 5 columns (query Q0 document rank score) or 3 columns (query document rank), separated by blanks or tabs
        """)


def test_five_columns_that_are_no_sampled_judgments() -> None:
    assert scoring(qrels="q1 a 1 0 7\nq1 b 0 0 7\n") == says("""
        error[E32 not-qrels]: qrels.txt looks like rows of 5 columns whose last is no inclusion probability
         --> qrels.txt
        help: accepted (TREC): 4 columns (query iteration document grade) or 3 columns (query document grade) or 5 columns (query document grade algorithm probability), separated by blanks or tabs
        """)


def test_judgments_of_subtopics_are_refused_with_the_reason() -> None:
    assert scoring(qrels="q1 1 a 1\nq1 2 a 0\nq1 1 b 0\n") == says("""
        error[E30 subtopics]: column 2 is a subtopic: a document is judged once per subtopic, so it has no single grade
         --> qrels.txt:2
           | q1 2 a 0
           |    ^
        help: take the highest grade over subtopics: --judgments max (in Python: judgments='max')
        """)


def test_two_systems_in_one_file_are_named() -> None:
    assert scoring(run=RUN + RUN.replace(" t\n", " u\n")) == says("""
        error[E33 two-systems]: the tag changes inside query 'q1': t, u look like 2 systems in one file
         --> run.txt:3
           | q1 Q0 a 1 2.0 u
           |               ^
        help: split the file by its last column and give each part as a run
        """)


# -- rows ------------------------------------------------------------------------------------------


def test_a_row_of_a_run_with_too_few_columns() -> None:
    assert scoring(run=RUN + "q1 Q0 c\n") == says("""
        error[E24 columns]: line 3: expected 6 columns (query Q0 document rank score tag), found 3
         --> run.txt:3
           | q1 Q0 c
        help: complete or remove the line; an id cannot hold blanks
        """)


def test_a_row_of_judgments_with_too_many_columns() -> None:
    assert scoring(qrels=QRELS + "q1 0 an id 1\n") == says("""
        error[E24 columns]: line 3: expected 4 columns (query iteration document grade), found 5
         --> qrels.txt:3
           | q1 0 an id 1
        help: complete or remove the line; an id cannot hold blanks
        """)


def test_text_where_a_score_belongs() -> None:
    assert scoring(run=RUN.replace("1.0", "high")) == says("""
        error[E25 score]: score 'high' is not a number
         --> run.txt:2
           | q1 Q0 b 2 high t
           |           ^^^^
        help: scores are finite numbers such as 2, -0.25 or 1.1e1
        """)


def test_text_where_a_grade_belongs() -> None:
    assert scoring(qrels=QRELS.replace("b 0", "b no")) == says("""
        error[E26 grade]: grade 'no' is not a number
         --> qrels.txt:2
           | q1 0 b no
           |        ^^
        help: grades are finite numbers such as 2, -0.25 or 1.1e1
        """)


@pytest.mark.parametrize("word", ["nan", "NaN", "-inf", "Infinity", "+inf"])
def test_a_score_or_grade_that_is_not_finite(word: str) -> None:
    caret = "^" * len(word)
    assert scoring(run=RUN.replace("1.0", word)) == says(f"""
        error[E25 score]: score '{word}' is not finite
         --> run.txt:2
           | q1 Q0 b 2 {word} t
           |           {caret}
        help: scores are finite numbers such as 2, -0.25 or 1.1e1
        """)
    assert scoring(qrels=QRELS.replace("b 0", f"b {word}")) == says(f"""
        error[E26 grade]: grade '{word}' is not finite
         --> qrels.txt:2
           | q1 0 b {word}
           |        {caret}
        help: grades are finite numbers such as 2, -0.25 or 1.1e1
        """)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("1e999", "is too large for a double"),
        ("-1e999", "is too large for a double"),
        ("0,5", "has a decimal comma"),
        ("1_000", "is not a plain decimal number"),
        ("1.", "has no digit after the point"),
        ("1.e5", "has no digit after the point"),
        ("٣", "is not a plain decimal number"),
        ("0x10", "is not a number"),
        ("1e", "is not a number"),
        ("--1", "is not a number"),
        ("1.5.2", "is not a number"),
        ('"2', "is not a number"),
    ],
)
def test_numbers_beside_the_grammar_say_what_is_wrong_with_them(text: str, why: str) -> None:
    assert scoring(run=RUN.replace("1.0", text)).startswith(
        f"error[E25 score]: score '{text}' {why}\n"
    )
    assert scoring(qrels=QRELS.replace("b 0", f"b {text}")).startswith(
        f"error[E26 grade]: grade '{text}' {why}\n"
    )


def test_a_rank_that_is_not_whole_in_a_run_without_scores() -> None:
    assert scoring(run="q1 a 1\nq1 b 1.5\n") == says("""
        error[E27 rank]: rank '1.5' is not a whole number
         --> run.txt:2
           | q1 b 1.5
           |      ^^^
        help: a run of 3 columns is query, document, rank; if column 3 is a score, name the columns: --columns query=1,document=2,score=3 (in Python: columns={'query': '1', 'document': '2', 'score': '3'})
        """)


def test_ranks_are_explained_as_whole_numbers() -> None:
    assert scoring(run="q1 a 1\nq1 b second\n") == says("""
        error[E27 rank]: rank 'second' is not a number
         --> run.txt:2
           | q1 b second
           |      ^^^^^^
        help: ranks are whole numbers
        """)


def test_the_caret_stands_under_the_field_that_is_wrong() -> None:
    text = scoring(run=RUN.replace("b 2 1.0", "high 2 high"))
    assert "   | q1 Q0 high 2 high t\n   |              ^^^^\n" in text
    text = scoring(qrels="q1 0 1 1\nq1 0 1 2\n")
    assert "   | q1 0 1 2\n   |      ^\n" in text


def test_a_wrong_number_in_the_first_row_is_a_wrong_number() -> None:
    assert scoring(run=RUN.replace("2.0", "two")) == says("""
        error[E25 score]: score 'two' is not a number
         --> run.txt:1
           | q1 Q0 a 1 two t
           |           ^^^
        help: scores are finite numbers such as 2, -0.25 or 1.1e1
        """)


def test_a_long_line_is_shown_around_what_is_wrong() -> None:
    assert scoring(run=RUN + f"q1 Q0 {'d' * 300} 3 high {'t' * 300}\n") == says("""
        error[E25 score]: score 'high' is not a number
         --> run.txt:3
           | ...dddddddddddddddddddddddddd 3 high tttttttttttttttttttttttttttttttttttttttttttttttttttttttt...
           |                                 ^^^^
        help: scores are finite numbers such as 2, -0.25 or 1.1e1
        """)


def test_all_problems_of_a_file_are_reported_together() -> None:
    assert scoring(run=RUN.replace("2.0", "two").replace("1.0", "nan")) == says("""
        error[E25 score]: score 'two' is not a number
         --> run.txt:1
           | q1 Q0 a 1 two t
           |           ^^^
        help: scores are finite numbers such as 2, -0.25 or 1.1e1
        error[E25 score]: score 'nan' is not finite
         --> run.txt:2
           | q1 Q0 b 2 nan t
           |           ^^^
        help: scores are finite numbers such as 2, -0.25 or 1.1e1
        """)


def test_wrong_columns_and_wrong_numbers_are_reported_together() -> None:
    assert scoring(run=RUN + "q1 Q0 c 3 nan t\nq1 Q0 d\n") == says("""
        error[E24 columns]: line 4: expected 6 columns (query Q0 document rank score tag), found 3
         --> run.txt:4
           | q1 Q0 d
        help: complete or remove the line; an id cannot hold blanks
        error[E25 score]: score 'nan' is not finite
         --> run.txt:3
           | q1 Q0 c 3 nan t
           |           ^^^
        help: scores are finite numbers such as 2, -0.25 or 1.1e1
        """)


@pytest.mark.parametrize(("bad", "more"), [(SHOWN, 0), (SHOWN + 1, 1), (30, 20)])
def test_ten_problems_are_shown_and_the_others_counted(bad: int, more: int) -> None:
    text = scoring(run="".join(f"q1 Q0 d{i} {i} x{i} t\n" for i in range(bad)))
    blocks = text.count("error[E25 score]: ")
    assert blocks == min(bad, SHOWN)
    assert text.endswith(f"\n... and {more} more like these\n") == bool(more)
    assert f" --> run.txt:{blocks}\n" in text
    assert f" --> run.txt:{blocks + 1}\n" not in text


@pytest.mark.parametrize(
    ("qrels", "run"),
    [
        (QRELS + "q1 x\n" * 30 + QRELS * 30, RUN),
        ("".join(f"q1 0 a {i}\nq{i} 0 b 1\nq{i} 0 b 2\n" for i in range(2, 33)), RUN),
        (QRELS, "".join(f"q1 Q0 d{i} 1 1 t\n" * 2 for i in range(31))),
        ("".join(f"q1 0 d{i} {1030 + i}\n" for i in range(31)), RUN),
    ],
)
def test_every_kind_of_problem_is_counted_past_ten(qrels: str, run: str) -> None:
    text = scoring(qrels, run)
    assert text.count("error[") == SHOWN
    assert re.search(r"\n\.\.\. and 2[0-9] more like these\n\Z", text)


def test_problems_past_the_tenth_cost_no_time_of_their_own() -> None:
    text = scoring(run=RUN + "q1 Q0 d 3 nan t\n" * 100_000)
    assert text.endswith("\n... and 99990 more like these\n")


@pytest.mark.parametrize(
    ("code", "qrels", "run"),
    [
        (
            "E28 duplicate",
            "".join(f"q{i} 0 d1 1\n" for i in range(50)),
            "".join(f"q{i % 50} Q0 d{i // 100} 1 {i} t\n" for i in range(10_000)),
        ),
        (
            "E29 judgments",
            "".join(f"q{i % 50} 0 d{i // 100} {i % 100}\n" for i in range(10_000)),
            RUN,
        ),
        (
            "E35 gain",
            "".join(f"q1 0 d{i} {1024 + i}\n" for i in range(10_000)),
            RUN,
        ),
    ],
)
def test_ten_thousand_rows_of_problems_are_searched_for_ten_of_them(
    code: str, qrels: str, run: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []
    find = Lines.find

    def counted(self: Lines, query: str, document: str, at: int) -> list[Place]:
        looked.append(document)
        return find(self, query, document, at)

    monkeypatch.setattr(Lines, "find", counted)
    text = scoring(qrels, run)
    assert text.count(f"error[{code}]: ") == SHOWN
    assert text.count(" --> ") == SHOWN
    assert re.search(r"\n\.\.\. and [0-9]{4} more like these\n\Z", text)
    assert len(looked) <= 2 * SHOWN


# -- what does not fit together --------------------------------------------------------------------


def test_a_document_that_a_run_lists_twice() -> None:
    assert scoring(run=RUN + "q1 Q0 a 3 0.5 t\n") == says("""
        error[E28 duplicate]: run 't' lists document 'a' 2 times for query 'q1' (lines 1, 3): a duplicate
         --> run.txt:3
           | q1 Q0 a 3 0.5 t
           |       ^
        help: remove it, or say which counts: --duplicates first, last, last_listed, count or once (in Python: duplicates='first')
        """)


def test_a_document_that_is_judged_twice_with_different_grades() -> None:
    assert scoring(qrels=QRELS + "q1 0 a 2\n") == says("""
        error[E29 judgments]: document 'a' is judged 1 and 2 for query 'q1' (lines 1 and 3)
         --> qrels.txt:3
           | q1 0 a 2
           |      ^
        help: keep one of them, or merge them: --judgments max, min, mean, median, majority or last (in Python: judgments='max')
        """)


def test_a_grade_without_a_finite_gain() -> None:
    assert scoring(qrels="q1 0 a 1024\n") == says("""
        error[E35 gain]: document 'a' of query 'q1': grade 1024 has no finite gain under gain:exp2 (2^1023 is the largest power a double holds)
         --> qrels.txt:1
           | q1 0 a 1024
           |      ^
        help: --gain linear, or a gain table that lists every grade
        """)


def test_a_grade_that_is_not_in_the_gain_table() -> None:
    assert scoring(QRELS, RUN, "--gain", "0=0,2=3") == says("""
        error[E35 gain]: document 'a' of query 'q1': grade 1 is not in the gain table 0=0,2=3
         --> qrels.txt:1
           | q1 0 a 1
           |      ^
        help: --gain linear, or a gain table that lists every grade
        """)


def test_an_assumed_grade_without_a_gain() -> None:
    assert asking("--unjudged", "grade:2000") == says("""
        error[E35 gain]: unjudged:grade:2000: grade 2000 has no finite gain under gain:exp2 (2^1023 is the largest power a double holds)
        help: choose a grade that has a gain
        """)
    assert asking("--ideal", "slots:3", "--gain", "0=0,1=1").startswith(
        "error[E35 gain]: ideal:slots:3: grade 3 is not in the gain table 0=0,1=1\n"
    )


def test_gains_that_add_up_to_more_than_a_double_holds() -> None:
    huge = "q1 0 a 1023\nq1 0 b 1023\nq1 0 c 1023\n"
    assert scoring(huge, RUN + "q1 Q0 c 3 0.5 t\n", "-m", "DCG") == says("""
        error[E35 gain]: DCG of query 'q1' is not finite: its gains add up to more than a double holds
        help: --gain linear, or a gain table for grades this large
        """)


@pytest.mark.parametrize("grade", ["1023", "1023.5"])
def test_an_ideal_that_is_not_finite_is_an_error(grade: str) -> None:
    huge = f"q1 0 a 1\nq1 0 b {grade}\nq1 0 c {grade}\nq1 0 d {grade}\n"
    assert "[E35 gain]" in scoring(huge, RUN)


@pytest.mark.parametrize(
    ("judged", "ranked", "help_line"),
    [
        ("D-1", "d-1", "'D-1' and 'd-1' differ by case (1 id would match)"),
        ("7", "007", "'7' and '007' differ by leading zeros (1 id would match)"),
        ("7", "7.0", "'7' and '7.0' differ by the suffix \".0\" (1 id would match)"),
        (
            "wt-7",
            "7",
            "'wt-7' and '7' differ by a prefix before the last slash, colon or dash (1 id would match)",
        ),
        (
            "topic",
            "topic_1",
            "'topic' and 'topic_1' differ by a suffix: one is a prefix of 5 characters of the other (1 id would match)",
        ),
        (
            "caf\xe9",
            "cafe\u0301",
            "'café' and 'cafe\u0301' differ by accents composed or not (1 id would match)",
        ),
        ("q1", "zebra", "check that judgments and run belong together"),
    ],
)
def test_no_common_query_names_the_nearest_ids(judged: str, ranked: str, help_line: str) -> None:
    assert scoring(QRELS.replace("q1", judged), RUN.replace("q1", ranked)) == says(f"""
        error[E34 no-common-query]: run 't' answers 0 of 1 judged query (judged: {judged}; in the run: {ranked})
        help: {help_line}
        """)


def test_no_common_query_shows_a_few_of_each_side() -> None:
    qrels = "".join(f"q{i} 0 a 1\n" for i in range(9))
    run = "".join(f"Q{i} Q0 a 1 1 t\n" for i in range(5))
    assert scoring(qrels, run) == says("""
        error[E34 no-common-query]: run 't' answers 0 of 9 judged queries (judged: q0, q1, q2, ... (9 in all); in the run: Q0, Q1, Q2, ... (5 in all))
        help: 'q0' and 'Q0' differ by case (5 ids would match)
        """)


def test_a_run_without_scores_cannot_be_ordered_by_them() -> None:
    assert scoring(QRELS, "q1 a 1\nq1 b 2\n", "--order-by", "score") == says("""
        error[E37 order]: run 'run' has no usable scores to be ordered by
        help: --order-by rank (in Python: order_by='rank')
        """)


def test_a_run_without_ranks_cannot_be_ordered_by_them() -> None:
    run = {"q1": {"a": 1.0}}
    assert raised(
        lambda: package.evaluate({"q1": {"a": 1}}, run, order_by="rank"), package.UsageError
    ) == says("""
        error[E37 order]: run 'run' has no usable ranks to be ordered by
        help: --order-by score (in Python: order_by='score')
        """)


def test_an_order_by_a_broken_rank_column_shows_where_it_is_broken() -> None:
    text = scoring(QRELS, RUN.replace("b 2", "b two"), "--order-by", "rank")
    assert "'two'" in text


def test_a_missing_query_under_missing_error() -> None:
    assert scoring(QRELS + "q2 0 a 1\nq3 0 a 1\n", RUN, "--missing", "error") == says("""
        error[E40 missing-query]: 2 judged queries missing from the run: q2, q3
        help: --missing zero or exclude (in Python: missing='zero')
        """)


def test_queries_that_rare_axes_refuse() -> None:
    def axis(*rules: str) -> str:
        return scoring(QRELS, RUN, *(f"--axis={rule}" for rule in rules), "--missing", "zero")

    assert axis("min_documents=9") == says("""
        error[E44 few-documents]: 1 judged query with fewer documents than min_documents asks for: q1
        help: --axis min_documents=1 (in Python: min_documents='1')
        """)
    assert axis("min_grade=99", "none_left=error") == says("""
        error[E45 no-query]: no query is left to average
        help: --axis none_left=nan or zero (in Python: none_left='nan')
        """)
    negative = QRELS.replace(" 1\n", " -1\n").replace(" 0\n", " -1\n").replace(" 2\n", " -2\n")
    assert scoring(negative, RUN, "--axis", "negative_only=refuse_first") == says("""
        error[E43 negative-grade]: 1 judged query with negative grades only, first: q1
        help: --axis negative_only=empty (in Python: negative_only='empty')
        """)


def test_queries_without_documents_that_rare_axes_refuse() -> None:
    def rules(**axes: str) -> str:
        qrels: dict[str, dict[str, int]] = {"q1": {"a": 1}, "q2": {"a": 1}, "q3": {}}
        run: dict[str, dict[str, float]] = {"q1": {"a": 1.0}, "q2": {}}
        with pytest.raises(NdcgError) as error:
            package.evaluate(qrels, run, **axes)
        return f"{error.value}\n"

    assert rules(listed_empty="error") == says("""
        error[E40 missing-query]: 1 judged query listed without a document in the run: q2
        help: --axis listed_empty=missing or zero (in Python: listed_empty='missing')
        """)
    assert rules(no_judgments="error") == says("""
        error[E42 empty-ideal]: 1 judged query without a judged document: q3
        help: --axis no_judgments=empty or exclude (in Python: no_judgments='empty')
        """)


def test_rare_axes_that_exclude_each_other() -> None:
    def rules(measure: str, **axes: str) -> str:
        with pytest.raises(NdcgError) as error:
            package.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, measure, **axes)
        return f"{error.value}\n"

    assert rules("nDCG", duplicates="once", unjudged="grade:1") == says("""
        error[E01 usage]: duplicates:once and unjudged:grade:1: it is not known which unjudged ones repeat
        help: --duplicates count or first (in Python: duplicates='count')
        """)
    assert rules("nDCG", ideal_order="listed", ideal="retrieved") == says("""
        error[E02 measure]: ideal_order:listed takes the judgments as they are listed, not ideal:retrieved
        help: use it with ideal judged
        """)
    assert rules("P@5", ties="mean_rank") == says("""
        error[E06 ties]: P is not defined under ties:mean_rank, where ranks are shared
        help: use ties expected, or nDCG or DCG
        """)


def test_an_extra_query_under_extra_error() -> None:
    assert scoring(QRELS, RUN + "q2 Q0 a 1 1 t\n", "--extra", "error") == says("""
        error[E41 extra-query]: 1 run query without judgments: q2
        help: --extra ignore or zero (in Python: extra='ignore')
        """)


def test_a_query_with_nothing_relevant_under_empty_error() -> None:
    assert scoring(QRELS + "q2 0 a 0\n", RUN, "--empty", "error") == says("""
        error[E42 empty-ideal]: 1 judged query with nothing relevant in the judgments: q2
        help: --empty exclude, zero or one (in Python: empty='exclude')
        """)


def test_a_negative_grade_under_negative_error() -> None:
    assert scoring(QRELS + "q1 0 c -1\n", RUN, "--negative", "error") == says("""
        error[E43 negative-grade]: document 'c' of query 'q1': has a negative grade
         --> qrels.txt:3
           | q1 0 c -1
           |      ^
        help: --negative clamp, unjudged, remove or keep (in Python: negative='clamp')
        """)


# -- what was asked for ----------------------------------------------------------------------------


def test_an_unknown_measure_with_a_near_name() -> None:
    assert asking("-m", "nDGC@10") == says("""
        error[E02 measure]: 'nDGC@10' is not a measure; did you mean nDCG?
        help: measures: nDCG, DCG, IDCG, P, R, AP, RR, Success, ... (34 in all), with a cutoff as in nDCG@10 (see: ndcg measures)
        """)


def test_an_unknown_measure_without_one() -> None:
    assert asking("-m", "clicks") == says("""
        error[E02 measure]: 'clicks' is not a measure
        help: measures: nDCG, DCG, IDCG, P, R, AP, RR, Success, ... (34 in all), with a cutoff as in nDCG@10 (see: ndcg measures)
        """)


@pytest.mark.parametrize(
    "cutoff", ["0", "ten", "-1", "1.5", "", "1e3", "\N{ARABIC-INDIC DIGIT FIVE}"]
)
def test_a_cutoff_that_is_no_whole_number_from_1_up(cutoff: str) -> None:
    assert asking("-m", f"nDCG@{cutoff}") == says(f"""
        error[E02 measure]: cutoff '{cutoff}' in 'nDCG@{cutoff}' is not a whole number from 1 up
        help: write the cutoff after @, as in nDCG@10; give -m once for each measure
        """)


def test_a_threshold_that_is_no_number() -> None:
    assert asking("-m", "P(rel=high)@5") == says("""
        error[E02 measure]: in 'P(rel=high)@5': rel=high is not a number
        help: parameters: rel=GRADE and any axis of the convention, as in nDCG(gain=linear)@10
        """)


def test_a_parameter_that_is_not_known() -> None:
    assert asking("-m", "P(reel=2)@5") == says("""
        error[E02 measure]: in 'P(reel=2)@5': 'reel' is not a parameter; did you mean rel?
        help: parameters: rel=GRADE and any axis of the convention, as in nDCG(gain=linear)@10
        """)


def test_a_parameter_without_a_name() -> None:
    assert asking("-m", "P(2)@5") == says("""
        error[E02 measure]: in 'P(2)@5': '2' is not name=value
        help: parameters: rel=GRADE and any axis of the convention, as in nDCG(gain=linear)@10
        """)


def test_a_value_of_an_axis_inside_a_measure() -> None:
    assert asking("-m", "nDCG(gain=cube)@5") == says("""
        error[E04 axis]: 'cube' is not a value of gain
        help: gain (what a grade is worth) accepts: exp2, linear, binary, judged, exp2_plus, exp2_i32, GRADE=GAIN,... (a table, such as 0=0,1=1,2=3; a grade that is not in it is an error, or worth itself with other=linear at the end)
        """)


def test_an_unknown_preset() -> None:
    assert asking("-p", "treceval") == says("""
        error[E03 preset]: 'treceval' is not a preset; did you mean trec_eval?
        help: ndcg presets lists them all
        """)


def test_an_unknown_value_of_an_axis() -> None:
    assert asking("--ties", "docid") == says("""
        error[E04 axis]: 'docid' is not a value of ties; did you mean docid_asc?
        help: ties (how documents with equal scores are ordered) accepts: docid_asc, docid_desc, input, expected, best, worst, reversed, mean_rank
        """)


def test_an_unknown_axis() -> None:
    assert asking("--axis", "tie=docid_asc") == says(f"""
        error[E04 axis]: 'tie' is not an axis of the convention; did you mean ties?
        help: axes: {AXES}
        """)


def test_an_axis_without_a_value() -> None:
    assert asking("--axis", "ties") == says("""
        error[E01 usage]: --axis 'ties' is not NAME=VALUE
        help: as in --axis ties=input
        """)


@pytest.mark.parametrize("depth", ["0", "-1", "1.5", "ten"])
def test_a_depth_that_is_no_number_of_documents(depth: str) -> None:
    assert asking("--depth", depth) == says(f"""
        error[E04 axis]: '{depth}' is not a value of depth
        help: depth (where the run is cut after ordering, before everything else) accepts: all, N (the first N documents, N from 1 up)
        """)


@pytest.mark.parametrize("table", ["0=0,0=1", "0", "0=0,1", "0=x", "0=nan", "1_0=1", ""])
def test_a_gain_table_that_cannot_be_read(table: str) -> None:
    assert asking(f"--gain={table}") == says(f"""
        error[E04 axis]: '{table}' is not a value of gain
        help: gain (what a grade is worth) accepts: exp2, linear, binary, judged, exp2_plus, exp2_i32, GRADE=GAIN,... (a table, such as 0=0,1=1,2=3; a grade that is not in it is an error, or worth itself with other=linear at the end)
        """)


def test_a_signature_that_was_altered() -> None:
    assert asking("--signature", "nDCG@10|gain:linear|v:0.1.0 [6b86b273]") == says("""
        error[E05 signature]: cannot read the signature 'nDCG@10|gain:linear|v:0.1.0 [6b86b273]': its axes have the digest 982f68c2, not 6b86b273
        help: paste it whole, as printed: measure|axis:value|...|v:VERSION [digest]
        """)


def test_a_signature_with_an_axis_twice() -> None:
    assert asking("--signature", "nDCG@10|gain:linear|gain:exp2") == says("""
        error[E05 signature]: cannot read the signature 'nDCG@10|gain:linear|gain:exp2': gain stands in it twice
        help: paste it whole, as printed: measure|axis:value|...|v:VERSION [digest]
        """)


def test_a_signature_with_something_that_is_no_axis() -> None:
    assert asking("--signature", "nDCG@10|linear") == says("""
        error[E05 signature]: cannot read the signature 'nDCG@10|linear': 'linear' is not axis:value
        help: paste it whole, as printed: measure|axis:value|...|v:VERSION [digest]
        """)


def test_a_signature_with_an_axis_that_is_not_known() -> None:
    assert asking("--signature", "nDCG@10|gian:linear") == says(f"""
        error[E04 axis]: 'gian' is not an axis of the convention; did you mean gain?
        help: axes: {AXES}
        """)


@pytest.mark.parametrize("text", ["", " ", "[6b86b273]", "garbage"])
def test_a_text_that_is_no_signature(text: str) -> None:
    why = "it has no axes" if text.strip() else "it is empty"
    assert asking("--signature", text) == says(f"""
        error[E05 signature]: cannot read the signature '{text}': {why}
        help: paste it whole, as printed: measure|axis:value|...|v:VERSION [digest]
        """)


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (("-m", "AP"), "--measure"),
        (("--measure=AP",), "--measure"),
        (("--gain", "binary"), "--gain"),
        (("--ideal-depth", "all"), "--ideal-depth"),
        (("--axis", "ideal-depth=all"), "--ideal-depth"),
        (("-m", "AP", "--ties", "input", "-p", "ndcg"), "--ties, --preset, --measure"),
    ],
)
def test_a_signature_and_what_would_change_it(options: tuple[str, ...], named: str) -> None:
    assert asking("--signature", "nDCG@10|gain:linear", *options) == says(f"""
        error[E01 usage]: --signature states measure and convention; {named} would change them
        help: give the signature alone
        """)


def test_a_signature_and_a_preset() -> None:
    assert asking("--signature", "nDCG@10|gain:linear", "-p", "trec_eval") == says("""
        error[E01 usage]: --signature states measure and convention; --preset would change them
        help: give the signature alone
        """)


def test_a_measure_without_an_exact_value_under_a_tie_rule() -> None:
    assert asking("--ties", "expected", "--ideal", "top_k") == says("""
        error[E06 ties]: nDCG has no exact value under ties:expected with ideal:top_k: which documents are in the top k is open
        help: use ties docid_asc, docid_desc or input, or another ideal
        """)


def test_a_cut_through_a_tie_group_whose_order_is_open() -> None:
    tied = RUN.replace("2.0", "1.0")
    assert scoring(
        QRELS, tied, "--ties", "expected", "--depth", "1", "--ideal", "retrieved"
    ) == says("""
        error[E06 ties]: ties:expected leaves open which documents depth:1 keeps, and ideal:retrieved depends on it (1 query)
        help: --ties docid_asc, docid_desc or input, or --depth all
        """)


def test_slots_without_a_cutoff() -> None:
    assert asking("--ideal", "slots:3", "-m", "nDCG") == says("""
        error[E02 measure]: nDCG under ideal:slots:3 needs a cutoff
        help: write nDCG@10, for example
        """)


def test_no_files() -> None:
    assert refused("eval") == says("""
        error[E01 usage]: the following arguments are required: QRELS, RUN
        help: as in: ndcg eval qrels.txt run.txt
        """)
    assert refused("eval", "qrels.txt") == says("""
        error[E01 usage]: the following arguments are required: RUN
        help: as in: ndcg eval qrels.txt run.txt
        """)


def test_an_unknown_command() -> None:
    assert refused("evl") == says("""
        error[E01 usage]: 'evl' is not a command; did you mean eval?
        help: commands: eval, compare, explain, ceiling, check, reconcile, gate, history, trec-eval, presets, measures, demo, completion
        """)
    assert refused("frobnicate") == says("""
        error[E01 usage]: 'frobnicate' is not a command
        help: commands: eval, compare, explain, ceiling, check, reconcile, gate, history, trec-eval, presets, measures, demo, completion
        """)


def test_a_file_instead_of_a_command() -> None:
    put(qrels_txt=QRELS, run_txt=RUN)
    assert refused("qrels.txt", "run.txt") == says("""
        error[E01 usage]: qrels.txt is a file, not a command
        help: ndcg eval qrels.txt run.txt
        """)


def test_an_unknown_option() -> None:
    assert asking("--tie", "input") == says("""
        error[E01 usage]: unknown option --tie; did you mean --ties?
        help: ndcg eval --help
        """)
    assert asking("--frobnicate") == says("""
        error[E01 usage]: unknown option --frobnicate
        help: ndcg eval --help
        """)


def test_an_unknown_option_with_its_value() -> None:
    assert asking("--tie=input") == asking("--tie", "input")


def test_an_option_without_its_value() -> None:
    assert asking("--ties") == says("""
        error[E01 usage]: argument --ties: expected one argument
        help: a value that begins with a minus is written --option=VALUE
        """)


def test_an_unknown_format() -> None:
    assert asking("--format", "yaml") == says("""
        error[E01 usage]: 'yaml' is not a format
        help: accepted: table, tsv, csv, jsonl, json, markdown, trec
        """)


def test_two_formats() -> None:
    assert asking("--json", "--format", "csv") == says("""
        error[E01 usage]: --json and --format csv differ
        help: give one
        """)


def test_an_output_file_whose_suffix_names_no_format() -> None:
    assert asking("-o", "values.yaml") == says("""
        error[E01 usage]: the suffix of 'values.yaml' names no format
        help: use one of .txt .tsv .csv .json .jsonl .md .markdown .trec, or --format
        """)


def test_an_output_file_that_cannot_be_written() -> None:
    assert asking("-o", "nowhere/values.json") == says("""
        error[E08 output]: cannot write nowhere/values.json (No such file or directory); nothing was written
         --> nowhere/values.json
        help: choose a folder that exists and can be written to
        """)


def test_an_output_file_that_is_a_folder() -> None:
    Path("values.json").mkdir()
    assert asking("-o", "values.json") == says("""
        error[E08 output]: cannot write values.json (Is a directory); nothing was written
         --> values.json
        help: choose a folder that exists and can be written to
        """)


def test_a_choice_of_colour_that_is_none() -> None:
    assert asking("--color", "yes") == says("""
        error[E01 usage]: 'yes' is not a colour choice
        help: accepted: auto, always, never
        """)


def test_a_number_of_places_that_is_none() -> None:
    assert asking("--places", "18") == says("""
        error[E01 usage]: argument --places: '18' is not a number of decimals from 0 to 17
        help: ndcg eval --help
        """)


def test_two_runs_of_one_name_in_one_file() -> None:
    assert asking("run.txt") == says("""
        error[E07 system]: two systems are called 't'
        help: give each file once, with a tag or name of its own (in Python: {name: run})
        """)


def test_three_presets() -> None:
    assert refused("presets", "ndcg", "trec_eval", "pytrec_eval") == says("""
        error[E01 usage]: 3 presets are given; compare two at a time
        help: ndcg presets --help
        """)


def test_an_unknown_preset_to_show() -> None:
    assert refused("presets", "trec_evil") == says("""
        error[E03 preset]: 'trec_evil' is not a preset; did you mean trec_eval?
        help: ndcg presets lists them all
        """)


def test_an_unknown_measure_to_show() -> None:
    assert refused("measures", "ncg") == says("""
        error[E02 measure]: 'ncg' is not a measure; did you mean nDCG?
        help: measures: nDCG, DCG, IDCG, P, R, AP, RR, Success, ... (34 in all), with a cutoff as in nDCG@10 (see: ndcg measures)
        """)


# -- weights and groups ----------------------------------------------------------------------------


def weighing(table: str, option: str = "--weights") -> str:
    """The refusal of a file of weights or groups."""
    put(table_tsv=table)
    return asking(option, "table.tsv")


def test_a_weight_that_is_no_number() -> None:
    assert weighing("q1\theavy\n") == says("""
        error[E09 weights]: weight 'heavy' is not a number of at least 0
         --> table.tsv:1
           | q1 heavy
           |    ^^^^^
        help: weights are finite numbers from 0 up
        """)


def test_a_negative_weight() -> None:
    assert weighing("q1 -1\n") == says("""
        error[E09 weights]: weight '-1' is not a number of at least 0
         --> table.tsv:1
           | q1 -1
           |    ^^
        help: weights are finite numbers from 0 up
        """)


def test_weights_with_the_wrong_columns_are_told_together() -> None:
    assert weighing("q1\nq2 1 2\n") == says("""
        error[E09 weights]: expected 2 columns (query and weight), found 1
         --> table.tsv:1
           | q1
        help: separate them by a tab or blanks; an id that holds blanks needs the tab
        error[E09 weights]: expected 2 columns (query and weight), found 3
         --> table.tsv:2
           | q2 1 2
        help: separate them by a tab or blanks; an id that holds blanks needs the tab
        """)


def test_a_query_with_two_weights() -> None:
    assert weighing("q1 1\nq1 2\n") == says("""
        error[E09 weights]: query 'q1' has 2 weights (lines 1 and 2)
         --> table.tsv:2
           | q1 2
        help: keep one of them
        """)


def test_a_query_without_a_weight() -> None:
    assert weighing("q2 1\n") == says("""
        error[E09 weights]: missing weight: query 'q1' is averaged but has none
        help: add it to the weights
        """)


def test_weights_that_add_up_to_0() -> None:
    assert weighing("q1 0\n") == says("""
        error[E09 weights]: the weights of the averaged queries add up to 0
        help: give at least one of them a weight above 0, and none too large
        """)


def test_an_empty_file_of_weights_says_what_it_should_hold() -> None:
    assert weighing("") == says("""
        error[E21 empty]: table.tsv is empty: no weights, 0 queries
         --> table.tsv
        help: give a file with weights
        """)


def test_a_query_without_a_group() -> None:
    assert weighing("q2 navigational\n", "--groups") == says("""
        error[E10 groups]: missing group: query 'q1' is averaged but has none
        help: add it to the groups
        """)


def test_segments_with_the_wrong_columns() -> None:
    put(qrels_txt=QRELS, run_txt=RUN, other_run=RUN.replace(" t\n", " u\n"))
    put(kinds="q1 very long\n")
    done = ndcg("compare", "qrels.txt", "run.txt", "other.run", "--segments", "kinds")
    assert (done.code, done.out) == (2, "")
    assert done.err == says("""
        error[E14 segments]: expected 2 columns (query and segment), found 3
         --> kinds:1
           | q1 very long
        help: separate them by a tab or blanks; an id that holds blanks needs the tab
        """)


def test_groups_with_the_wrong_columns() -> None:
    assert weighing("q1 very long\n", "--groups") == says("""
        error[E10 groups]: expected 2 columns (query and group), found 3
         --> table.tsv:1
           | q1 very long
        help: separate them by a tab or blanks; an id that holds blanks needs the tab
        """)


def test_a_weighted_mean_without_weights() -> None:
    assert asking("--average", "weighted") == says("""
        error[E09 weights]: average:weighted needs the weights of the queries
        help: --weights FILE (in Python: weights={query: weight})
        """)


def test_a_mean_of_groups_without_groups() -> None:
    assert asking("--average", "group") == says("""
        error[E10 groups]: average:group needs the groups of the queries
        help: --groups FILE (in Python: groups={query: group})
        """)


def test_weights_and_groups() -> None:
    put(table_tsv="q1 1\n")
    assert asking("--weights", "table.tsv", "--groups", "table.tsv") == says("""
        error[E01 usage]: weights and groups both decide the mean
        help: give one of them
        """)


def test_groups_for_a_weighted_mean() -> None:
    put(table_tsv="q1 1\n")
    assert asking("--average", "weighted", "--groups", "table.tsv") == says("""
        error[E01 usage]: average:weighted contradicts the groups that are given
        help: give them without average:weighted, or leave them out
        """)


def test_weights_that_are_not_those_of_the_signature() -> None:
    put(table_tsv="q1 1\n")
    assert asking("--average", "weighted@00000000", "--weights", "table.tsv") == says("""
        error[E09 weights]: these weights have the digest ec27ee22, not 00000000
        help: the signature was made with other ones; give the same
        """)


def test_groups_that_are_not_those_of_the_signature() -> None:
    put(table_tsv="q1 1\n")
    text = asking("--signature", "nDCG@10|average:group@00000000", "--groups", "table.tsv")
    assert text == says("""
        error[E10 groups]: these groups have the digest ec27ee22, not 00000000
        help: the signature was made with other ones; give the same
        """)


# -- a declared set of queries ---------------------------------------------------------------------


def test_a_set_of_which_no_query_is_judged() -> None:
    assert asking("-q", "Q1") == says("""
        error[E12 queries]: none of the 1 query of the set is judged: Q1
        help: 'Q1' and 'q1' differ by case
        """)
    assert asking("-q", "zebra", "--query", "yak") == says("""
        error[E12 queries]: none of the 2 queries of the set is judged: yak, zebra
        help: judged: q1
        """)


def test_a_file_of_a_set_that_names_no_query() -> None:
    put(topics_txt="\n\n")
    assert asking("--queries-from", "topics.txt") == says("""
        error[E21 empty]: topics.txt is empty: no queries, 0 queries
         --> topics.txt
        help: give a file with queries
        """)


def test_a_file_of_a_set_that_is_missing() -> None:
    assert asking("--queries-from", "topics.txt").startswith(
        "error[E20 file]: topics.txt not found\n --> topics.txt\nhelp: "
    )


def test_a_signature_of_a_set_without_it_and_with_another() -> None:
    assert asking("--signature", "AP|set:1@00000000") == says("""
        error[E12 queries]: set:1@00000000 needs the queries it was made of
        help: --queries-from FILE or -q ID (in Python: queries=[...])
        """)
    assert asking("--signature", "AP|set:1@00000000", "-q", "q1") == says("""
        error[E12 queries]: these queries are set:1@bb98a35c, not set:1@00000000
        help: the signature was made with other queries; give the same
        """)


def test_a_set_that_is_no_option_of_a_measure() -> None:
    assert "'set' is not a parameter" in asking("-m", "nDCG(set=all)@10")


def test_a_parameter_that_is_refused_is_not_what_is_meant() -> None:
    assert "did you mean set?" not in asking("-m", "nDCG(set=all)@10")


# -- Python values ---------------------------------------------------------------------------------

JUDGED: dict[Any, Any] = {"q1": {"a": 1, "b": 0}}
RANKED: dict[Any, Any] = {"q1": {"a": 2.0, "b": 1.0}}


def judging(qrels: Any) -> str:
    """The refusal of these judgments."""
    return raised(lambda: package.evaluate(qrels, RANKED))


def ranking(run: Any) -> str:
    """The refusal of this run."""
    return raised(lambda: package.evaluate(JUDGED, run))


def calling(**keywords: Any) -> str:
    """The refusal of these keywords."""
    return raised(lambda: package.evaluate(JUDGED, RANKED, **keywords), package.UsageError)


def test_judgments_that_are_no_dictionary() -> None:
    assert judging(5) == says("""
        error[E36 type]: qrels: a value of type int is no mapping
        help: give {query: {document: grade}}, {query: [(document, grade), ...]} or {query: [document, ...]}
        """)


def test_a_run_that_is_no_dictionary() -> None:
    assert ranking(5) == says("""
        error[E36 type]: run is of type int
        help: give a file, a list of files, {query: {document: score}}, {query: [document, ...]}, {query: [(document, score), ...]} or {query: [(document, score, rank), ...]}, or {name: run}
        """)


def test_judgments_without_a_query() -> None:
    assert judging({}) == says("""
        error[E21 empty]: no judgments: qrels hold 0 queries
        help: give {query: {document: grade}}, {query: [(document, grade), ...]} or {query: [document, ...]}
        """)


def test_a_run_without_a_document() -> None:
    assert ranking({}) == says("""
        error[E21 empty]: run 'run' lists no documents for any of 0 queries
        help: give {query: {document: score}}, {query: [document, ...]}, {query: [(document, score), ...]} or {query: [(document, score, rank), ...]}
        """)
    assert ranking({"q1": {}, "q2": []}) == says("""
        error[E21 empty]: run 'run' lists no documents for any of 2 queries
        help: give {query: {document: score}}, {query: [document, ...]}, {query: [(document, score), ...]} or {query: [(document, score, rank), ...]}
        """)


def test_judgments_without_any_document_are_empty_queries() -> None:
    evaluation = package.evaluate({"q1": {}}, RANKED)
    assert evaluation["nDCG@10"].mean is None
    assert evaluation["nDCG@10"].empty == ("q1",)


def test_a_query_that_holds_no_documents() -> None:
    qrels = "help: give {query: {document: grade}}, {query: [(document, grade), ...]} or"
    assert judging({"q1": None}).startswith(
        f"error[E36 type]: qrels: query 'q1' holds None\n{qrels} {{"
    )
    assert judging({"q1": 5}).startswith(
        f"error[E36 type]: qrels: query 'q1' holds a value of type int\n{qrels} {{"
    )
    assert ranking({"q1": None}).startswith(
        "error[E36 type]: run 'run': query 'q1' holds None\nhelp: give {query: {document: score}}, "
    )


def test_a_grade_that_is_text() -> None:
    assert judging({"q1": {"a": "1"}}) == says("""
        error[E26 grade]: grade of document 'a' for query 'q1': '1' is text, not a number
        help: grades are finite numbers
        """)


def test_a_grade_that_is_none_or_not_finite() -> None:
    assert judging({"q1": {"a": None, "b": float("nan"), "c": np.float64("inf")}}) == says("""
        error[E26 grade]: grade of document 'a' for query 'q1': None (NoneType) is not a number
        help: grades are finite numbers
        error[E26 grade]: grade of document 'b' for query 'q1': nan is not finite
        help: grades are finite numbers
        error[E26 grade]: grade of document 'c' for query 'q1': inf is not finite
        help: grades are finite numbers
        """)


def test_a_grade_that_is_too_large_for_a_double() -> None:
    assert "is too large for a double" in judging({"q1": {"a": 10**400}})


def test_a_score_that_is_text_none_or_not_finite() -> None:
    assert ranking({"q1": {"a": "2.0", "b": None, "c": float("-inf")}}) == says("""
        error[E25 score]: score of document 'a' for query 'q1': '2.0' is text, not a number
        help: scores are finite numbers
        error[E25 score]: score of document 'b' for query 'q1': None (NoneType) is not a number
        help: scores are finite numbers
        error[E25 score]: score of document 'c' for query 'q1': -inf is not finite
        help: scores are finite numbers
        """)


def test_scores_of_pairs_are_checked_like_those_of_dictionaries() -> None:
    assert ranking({"q1": [("a", "2.0"), ("b", 1)]}) == says("""
        error[E25 score]: score of document 'a' for query 'q1': '2.0' is text, not a number
        help: scores are finite numbers
        """)


def test_a_rank_that_is_text() -> None:
    assert ranking({"q1": [("a", 1.0, "first")]}) == says("""
        error[E27 rank]: rank of document 'a' for query 'q1': 'first' is text, not a number
        help: ranks are finite numbers
        """)


def test_rows_of_different_lengths() -> None:
    assert ranking({"q1": [("a", 1.0), ("b", 0.5, 2)]}) == says("""
        error[E36 type]: run 'run': query 'q1' lists ('b', 0.5, 2)
        help: give {query: {document: score}}, {query: [document, ...]}, {query: [(document, score), ...]} or {query: [(document, score, rank), ...]}
        """)


def test_documents_and_pairs_mixed() -> None:
    assert ranking({"q1": ["a", ("b", 0.5)]}).startswith(
        "error[E36 type]: run 'run': query 'q1' lists 'a'\n"
    )


def test_ids_that_are_no_text() -> None:
    assert judging({1.5: {"a": 1}}) == says("""
        error[E36 type]: qrels: query id 1.5 is a value of type float, not text
        help: ids are text; whole numbers are taken as their decimal text
        """)
    assert judging({"q1": {b"a": 1}}) == says("""
        error[E36 type]: qrels: document id of query 'q1' b'a' is a value of type bytes, not text
        help: ids are text; whole numbers are taken as their decimal text
        """)
    assert ranking({"q1": [(None, 1.0)]}) == says("""
        error[E36 type]: run 'run': document id of query 'q1' None is None, not text
        help: ids are text; whole numbers are taken as their decimal text
        """)


def test_an_id_as_text_and_as_a_number() -> None:
    assert judging({7: {"a": 1}, "7": {"a": 1}}).startswith(
        "error[E36 type]: qrels: query '7' is given twice, as text and as a whole number\n"
    )


def test_a_document_that_a_list_holds_twice() -> None:
    assert ranking({"q1": ["a", "b", "a"]}) == says("""
        error[E28 duplicate]: run 'run' lists document 'a' 2 times for query 'q1': a duplicate
        help: remove it, or say which counts: --duplicates first, last, last_listed, count or once (in Python: duplicates='first')
        """)


def test_pairs_that_disagree() -> None:
    assert judging({"q1": [("a", 1), ("a", 0.5)]}) == says("""
        error[E29 judgments]: document 'a' is judged 1 and 0.5 for query 'q1'
        help: keep one of them, or merge them: --judgments max, min, mean, median, majority or last (in Python: judgments='max')
        """)


def test_ten_python_problems_are_shown_and_the_others_counted() -> None:
    text = ranking({"q1": {f"d{i}": "x" for i in range(25)}})
    assert text.count("error[E25 score]: ") == SHOWN
    assert text.endswith("\n... and 15 more like these\n")


def test_a_file_among_named_runs_that_is_missing() -> None:
    put(run_txt=RUN)
    assert ranking({"bm25": "run.txt", "dense": "runs.txt"}) == says("""
        error[E20 file]: runs.txt not found
         --> runs.txt
        help: did you mean run.txt?
        """)


def test_no_measure() -> None:
    assert calling(measures=[]) == says("""
        error[E02 measure]: no measure is asked for
        help: such as nDCG@10
        """)


@pytest.mark.parametrize("measures", [10, [None], [10], [b"AP"], {"AP": 1}, ["AP", 5]])
def test_measures_of_the_wrong_type(measures: Any) -> None:
    assert calling(measures=measures) == says(f"""
        error[E02 measure]: measures are {measures!r}, not names
        help: such as 'nDCG@10' or ['nDCG@10', 'AP']
        """)


def test_measures_left_out_are_ndcg_at_10_or_that_of_the_signature() -> None:
    assert list(package.evaluate(JUDGED, RANKED).measures) == ["nDCG@10"]
    assert list(package.evaluate(JUDGED, RANKED, None).measures) == ["nDCG@10"]
    given = package.evaluate(JUDGED, RANKED, convention="AP@3|gain:linear")
    assert list(given.measures) == ["AP@3"]
    given = package.evaluate(JUDGED, RANKED, "P@1", convention="AP@3|gain:linear")
    assert list(given.measures) == ["P@1"]


def test_keywords_of_the_wrong_type() -> None:
    assert calling(convention=3) == says("""
        error[E01 usage]: convention is of type int
        help: give a Convention or a signature
        """)
    assert calling(weights=5) == says("""
        error[E09 weights]: weights are of type int
        help: give a dictionary of query and weight
        """)
    assert calling(groups=["q1"]) == says("""
        error[E10 groups]: groups are of type list
        help: give a dictionary of query and group
        """)


def test_a_set_of_queries_of_the_wrong_type() -> None:
    assert calling(queries=[]) == says("""
        error[E12 queries]: the set of queries is empty
        help: name one or more
        """)
    assert calling(queries="q1") == says("""
        error[E12 queries]: queries are of type str
        help: give a list of query ids
        """)
    assert calling(queries=["q1", None]) == says("""
        error[E12 queries]: query id None is not text
        help: query ids are text
        """)


def test_an_unknown_keyword() -> None:
    assert calling(tie="input") == says(f"""
        error[E04 axis]: 'tie' is not an axis of the convention; did you mean ties?
        help: axes: {AXES}
        """)


def test_a_value_of_an_axis_of_the_wrong_type() -> None:
    assert calling(depth=True).startswith("error[E04 axis]: True is not a value of depth\n")
    assert calling(depth=1.5).startswith("error[E04 axis]: 1.5 is not a value of depth\n")
    assert calling(gain=None).startswith("error[E04 axis]: None is not a value of gain\n")
    assert calling(gain={"a": 1}).startswith("error[E04 axis]: {'a': 1} is not a value of gain\n")


def test_a_preset_and_a_convention() -> None:
    assert calling(preset="ndcg", convention="gain:linear") == says("""
        error[E01 usage]: preset and convention both set all axes
        help: give one of them
        """)


def test_a_weight_that_is_no_number_of_at_least_0() -> None:
    assert calling(weights={"q1": "2"}) == says("""
        error[E09 weights]: weight of query 'q1': '2' is text, not a number
        help: weights are finite numbers of at least 0
        """)
    assert calling(weights={"q1": -1}) == says("""
        error[E09 weights]: weight of query 'q1': -1 is negative
        help: weights are finite numbers of at least 0
        """)


def test_a_result_of_several_systems_is_asked_for_by_name() -> None:
    evaluation = package.evaluate(JUDGED, {"bm25": RANKED, "dense": RANKED})
    assert raised(lambda: evaluation["nDCG@10"], package.UsageError) == says("""
        error[E07 system]: there is no system 'nDCG@10'
        help: systems: bm25, dense; name one first, as in ev['bm25']
        """)
    assert raised(lambda: evaluation.accounts, package.UsageError) == says("""
        error[E07 system]: there are 2 systems, so .accounts is not one thing
        help: systems: bm25, dense; name one first, as in ev['bm25']
        """)


def test_a_measure_that_was_not_evaluated() -> None:
    evaluation = package.evaluate(JUDGED, RANKED, "nDCG@10")
    assert raised(lambda: evaluation["nDCG@5"], package.UsageError) == says("""
        error[E02 measure]: 'nDCG@5' was not evaluated; did you mean nDCG@10?
        help: evaluated: nDCG@10
        """)


def test_errors_are_value_errors_with_their_code_and_problems() -> None:
    with pytest.raises(ValueError, match="E26 grade") as error:
        package.evaluate({"q1": {"a": "x", "b": "y"}}, RANKED)
    assert isinstance(error.value, package.DataError)
    assert isinstance(error.value, package.NdcgError)
    assert (error.value.code, error.value.total, len(error.value.problems)) == ("E26", 2, 2)


# -- no common document is no error ----------------------------------------------------------------


def test_no_common_document_is_0_with_a_warning_that_names_the_nearest_ids() -> None:
    put(qrels_txt="q1 0 D-1 1\nq1 0 D-2 1\n", run_txt="q1 Q0 d-1 1 2 t\nq1 Q0 x 2 1 t\n")
    done = ndcg("eval", "qrels.txt", "run.txt", "--format", "tsv")
    assert done.code == 0
    assert done.out.splitlines()[1].split("\t")[:3] == ["t", "nDCG@10", "0.0"]
    assert done.err == says("""
        warning: 0 judged documents are retrieved in 1 query: 'D-1' and 'd-1' differ by case (1 of 2 judged ids would match); check that the ids belong together
        """)


def test_no_common_document_warns_in_python_too() -> None:
    with pytest.warns(package.NdcgWarning, match="'7' and '007' differ by leading zeros"):
        evaluation = package.evaluate({"q1": {"7": 1}}, {"q1": {"007": 1.0}})
    assert evaluation["nDCG@10"].mean == 0.0


def test_nothing_near_is_said_without_guessing() -> None:
    put(qrels_txt="q1 0 alpha 1\n", run_txt="q1 Q0 zebra 1 2 t\n")
    done = ndcg("eval", "qrels.txt", "run.txt", "--json")
    assert done.code == 0
    assert done.err == says("""
        warning: 0 judged documents are retrieved in 1 query: judged are alpha; retrieved are zebra; judgments and run may be of different collections, or one side has other ids
        """)


# -- swapped dictionaries --------------------------------------------------------------------------

SWAPPED = (
    "grades are fractional and scores are small whole numbers; "
    "judgments come first, then the run: check that they are not swapped"
)


def test_dictionaries_that_look_swapped_are_told() -> None:
    run = {"q1": {"a": 9.25, "b": 8.5}, "q2": {"c": 3.125}}
    qrels = {"q1": {"a": 2, "b": 0}, "q2": {"c": 1}}
    with pytest.warns(package.NdcgWarning, match=f"^{re.escape(SWAPPED)}$"):
        package.evaluate(run, qrels)
    package.evaluate(qrels, run)  # the right way round, nothing is said


@pytest.mark.parametrize(
    ("qrels", "run"),
    [
        ({"q1": {"a": 1, "b": 0}}, {"q1": {"a": 2, "b": 1}}),  # whole grades
        ({"q1": {"a": 0.5, "b": 1}}, {"q1": {"a": 2.5, "b": 1}}),  # fractional scores
        ({"q1": {"a": 0.5, "b": 1}}, {"q1": {"a": 200, "b": 100}}),  # large scores
        ({"q1": {"a": 0.5, "b": 1}}, {"q1": ["a", "b"]}),  # no scores
        ({"q1": {"a": 0.5}, "q2": {}}, {"q1": {"a": 11.0}, "q2": {"a": 1.0}}),
    ],
)
def test_what_does_not_look_swapped_is_not_told(qrels: Any, run: Any) -> None:
    package.evaluate(qrels, run)  # a warning would be an error here


def test_files_that_look_swapped_are_told_after_the_data() -> None:
    put(qrels_txt=QRELS.replace("b 0", "b 0.5"), run_txt=RUN)
    done = ndcg("eval", "qrels.txt", "run.txt")
    assert (done.code, done.err) == (0, f"warning: {SWAPPED}\n")


# -- the terminal ----------------------------------------------------------------------------------

HOSTILE = "\x1b[2J\x1b[31mowned\x07\u202e"


@pytest.mark.parametrize(
    ("qrels", "run"),
    [
        (QRELS, RUN.replace("b 2 1.0", f"{HOSTILE} 2 nan")),
        (QRELS, RUN.replace("1.0", HOSTILE)),
        (QRELS, RUN + f"q1 Q0 {HOSTILE} 3 0 t\n" * 2),
        (QRELS, RUN.replace("q1", HOSTILE)),
        (QRELS.replace("q1", HOSTILE), RUN),
        (QRELS + f"q1 0 {HOSTILE} 1\nq1 0 {HOSTILE} 2\n", RUN),
        (QRELS + f"q1 0 {HOSTILE} 1024\n", RUN),
        (QRELS, RUN + RUN.replace(" t\n", f" {HOSTILE}\n")),
        (f"{HOSTILE} {HOSTILE}\n", RUN),
        (f"query\tdocument\t{HOSTILE}\nq1\ta\t1\n", RUN),
    ],
)
def test_escape_characters_of_ids_never_reach_the_terminal_with_an_error(
    qrels: str, run: str
) -> None:
    text = scoring(qrels, run)
    assert not set(text) & set("\x1b\x07\u202e")
    assert r"\x1b" in text


def test_escape_characters_of_ids_never_reach_the_terminal_with_a_result() -> None:
    put(
        qrels_txt=QRELS.replace("q1", HOSTILE) + "q2 0 a 1\n",
        run_txt=RUN.replace("q1", HOSTILE).replace(" t\n", f" {HOSTILE}\n"),
        more_txt=RUN.replace("q1", HOSTILE + "2").replace(" t\n", " u\n") + "q2 Q0 a 1 1 u\n",
    )
    done = ndcg("eval", "qrels.txt", "run.txt", "more.txt", "--per-query", "-v")
    assert done.code == 0
    assert not set(done.out) & set("\x1b\x07\u202e")
    done = ndcg("eval", "qrels.txt", "more.txt", "-v")
    assert not set(done.err) & set("\x1b\x07\u202e")
    assert r"\x1b" in done.err


def test_escape_characters_of_tags_never_reach_the_terminal_with_a_note() -> None:
    put(
        qrels_txt=QRELS + "q2 0 a 1\n",
        run_txt=RUN.replace(" t\n", f" {HOSTILE}\n"),
        more_txt=RUN + "q2 Q0 a 1 1 t\n",
    )
    done = ndcg("eval", "qrels.txt", "run.txt", "more.txt", "-v")
    assert done.code == 0
    assert "note: \\x1b[2J\\x1b[31mowned\\x07\\u202e: 1 of 2 judged queries missing" in done.err
    assert not set(done.out + done.err) & set("\x1b\x07\u202e")


def test_escape_characters_of_arguments_never_reach_the_terminal() -> None:
    for option in ("-m", "-p", "--ties", "--format", "--axis", "--signature", "--places"):
        assert not set(asking(option, HOSTILE)) & set("\x1b\x07\u202e")


@pytest.mark.parametrize(
    "arguments", [(HOSTILE, "run.txt"), ("run.txt", "run.txt", f"--{HOSTILE}")]
)
def test_escape_characters_of_file_names_never_reach_the_terminal(
    arguments: tuple[str, ...],
) -> None:
    put(run_txt=RUN)
    assert not set(refused("eval", *arguments)) & set("\x1b\x07\u202e")


def test_escape_characters_of_paths_never_reach_the_terminal() -> None:
    put(run_txt=RUN, qrels_txt=QRELS)
    run, weights, output = f"{HOSTILE}.run", f"{HOSTILE}.w", f"{HOSTILE}.csv"
    Path(run).write_text("q1 a 1\nq1 b 2\nq9 b 1\n", encoding="utf-8")
    Path(weights).write_text("q1 heavy\n", encoding="utf-8")
    for arguments in (
        ("qrels.txt", run, "-v"),
        ("qrels.txt", "run.txt", run),
        ("qrels.txt", run, "--order-by", "score"),
        (run, run),
        ("qrels.txt", "run.txt", "--weights", weights),
        ("qrels.txt", "run.txt", "-o", f"{HOSTILE}/{output}"),
        ("qrels.txt", "run.txt", "-o", HOSTILE),
        ("qrels.txt", "run.txt", "-o", output, "--format", "json"),
        ("qrels.txt", run, "-o", run, "--format", "json"),
    ):
        done = ndcg("eval", *arguments)
        assert r"\x1b" in done.err
        assert not set(done.out + done.err) & set("\x1b\x07\u202e")
    assert ndcg("eval", "qrels.txt", "run.txt", "-o", output).code == 0
    assert Path(output).exists()  # the file has the name that was asked for
    assert not set(ndcg(HOSTILE).err + ndcg(run).err) & set("\x1b\x07\u202e")


# -- processes of their own ------------------------------------------------------------------------


def test_the_command_itself_ends_with_2_and_no_traceback() -> None:
    put(qrels_txt=QRELS, run_txt=RUN.replace("1.0", "nan"))
    done = ndcg_process("eval", "qrels.txt", "run.txt", "-o", "values.json")
    assert (done.code, done.out) == (2, "")
    assert done.err == says("""
        error[E25 score]: score 'nan' is not finite
         --> run.txt:2
           | q1 Q0 b 2 nan t
           |           ^^^
        help: scores are finite numbers such as 2, -0.25 or 1.1e1
        """)
    assert not Path("values.json").exists()


def test_standard_input_is_shown_like_a_file() -> None:
    put(qrels_txt=QRELS)
    done = ndcg_process("eval", "qrels.txt", "-", stdin=RUN.replace("1.0", "nan").encode())
    assert (done.code, done.out) == (2, "")
    assert done.err == says("""
        error[E25 score]: score 'nan' is not finite
         --> -:2
           | q1 Q0 b 2 nan t
           |           ^^^
        help: scores are finite numbers such as 2, -0.25 or 1.1e1
        """)


def test_debug_adds_the_traceback_and_changes_nothing_else() -> None:
    put(qrels_txt=QRELS, run_txt=RUN)
    plain = ndcg_process("eval", "qrels.txt", "run.txt", "-m", "nDGC")
    debug = ndcg_process("eval", "qrels.txt", "run.txt", "-m", "nDGC", "--debug")
    assert "Traceback" not in plain.err
    assert debug.err.startswith("Traceback (most recent call last):\n")
    assert debug.err.endswith(plain.err)
    assert (plain.code, debug.code, debug.out) == (2, 2, "")


# -- the registry ----------------------------------------------------------------------------------


def test_every_code_is_provoked_by_a_test_of_this_folder() -> None:
    # Every text is compared as a whole, so a code that stands here was seen.
    beside = Path(__file__).parent
    places = [Path(__file__), beside / "snapshots" / "gate-errors.txt"]
    text = "".join(path.read_text("utf-8") for path in places)
    seen = set(re.findall(r"\[(E[0-9]+ [a-z-]+)\]: ", text))
    codes = {f"{code} {word}" for word, (code, _) in CODES.items()}
    assert codes - seen == set()
    assert seen - codes == set()


def test_codes_are_unique_and_never_reused_for_two_words() -> None:
    codes = [code for code, _ in CODES.values()]
    assert len(set(codes)) == len(codes)
    assert all(re.fullmatch(r"E[0-9]{2}", code) for code in codes)


# -- ceilings ------------------------------------------------------------------------------------


def looking(*arguments: str) -> str:
    put(qrels_txt=QRELS, run_txt=RUN, other_txt=RUN.replace(" t\n", " u\n"))
    return refused("ceiling", "qrels.txt", *arguments)


def test_stages_that_are_none() -> None:
    assert looking() == says("""
        error[E01 usage]: no run is given
        help: ndcg ceiling QRELS RUN, or ndcg ceiling QRELS --stages RUN=DEPTH RUN=DEPTH
        """)
    assert looking("--stages", "run.txt=10") == says("""
        error[E01 usage]: a pipeline has two stages or more, and 1 is given
        help: a single run needs no stages: QRELS RUN
        """)
    assert looking("run.txt", "--stages", "run.txt=10", "other.txt") == says("""
        error[E01 usage]: run.txt is given beside --stages, which names its own runs
        help: leave it out, or write it as a stage; QRELS comes before --stages
        """)
    assert looking("--stages", "ohter.txt=10", "run.txt") == says("""
        error[E20 file]: ohter.txt not found
         --> ohter.txt
        help: did you mean other.txt?
        """)


def test_depths_of_stages_that_are_none() -> None:
    for depth in ("ten", "0", "-1", "1.5", ""):
        assert looking("--stages", "run.txt", f"other.txt={depth}") == says(f"""
            error[E01 usage]: the depth '{depth}' of stage other.txt is not a whole number from 1 up
            help: as in bm25.run=1000, or =all
            """)
    put(**{"run_txt=5": RUN})
    assert looking("--stages", "run.txt=5", "other.txt") == says("""
        error[E01 usage]: stage run.txt=5 may be the file run.txt=5, or run.txt cut at 5
        help: write run.txt=5=all for the file, run.txt=05 for the depth
        """)
    assert looking("--stages", "run.txt", "other.txt=1", "--depth", "5") == says("""
        error[E01 usage]: depth:5 cuts every run, and stage 'u' is cut at 1
        help: --depth all, or stages without depths
        """)
    assert looking("run.txt", "--depths", "10,x") == says("""
        error[E01 usage]: argument --depths: 'x' is not a depth from 1 to 999999999999999999
        help: ndcg ceiling --help
        """)


def test_values_without_a_ceiling() -> None:
    assert looking("run.txt", "-m", "Bpref") == says("""
        error[E02 measure]: Bpref has no ceiling: which order of the candidates is its best is not known
        help: measures with one: nDCG, DCG, IDCG, P, R, AP, RR, Success, F, Rprec, RelativeP, SetAP, IPrec, IPrecAvg, GMAP, BinG, RBP, gRBP, Judged, YAAP, NumQ, NumRet, NumRel, NumRelRet
        """)
    for ideal in ("retrieved", "top_k"):
        assert looking("run.txt", "--ideal", ideal) == says(f"""
            error[E01 usage]: under ideal:{ideal} nDCG@10 is compared with its own candidates, so that its ceiling is 1 whatever they are
            help: --ideal judged (in Python: ideal='judged')
            """)
    assert looking("run.txt", "--ties", "mean_rank") == says("""
        error[E06 ties]: nDCG@10 has no ceiling under ties:mean_rank, where ranks are shared
        help: --ties docid_asc or expected (in Python: ties='docid_asc')
        """)
    put(tied_txt=RUN.replace("2.0", "1.0"))
    tied = looking("tied.txt", "--ties", "expected", "--depth", "1")
    assert tied == looking("--stages", "tied.txt=1", "other.txt", "--ties", "expected")
    assert tied == says("""
        error[E06 ties]: ties:expected leaves open which documents are the first 1, in 1 query
        help: --ties docid_asc, docid_desc or input (in Python: ties='docid_asc')
        """)


def test_a_format_that_ceilings_do_not_have() -> None:
    assert looking("run.txt", "--format", "trec") == says("""
        error[E01 usage]: 'trec' is not a format of ceiling
        help: accepted: table, json, jsonl, csv, tsv, markdown
        """)


def test_rows_of_queries_and_of_documents_at_once() -> None:
    assert looking("run.txt", "--per-query", "--documents", "--format", "csv") == says("""
        error[E01 usage]: csv has rows of queries or rows of documents, and both are asked for
        help: give one of the two, or --json
        """)


def test_ceilings_by_the_rules_of_all_presets() -> None:
    assert asking("--ceiling", "-p", "all") == says("""
        error[E01 usage]: ceilings are of one convention, and -p all asks for all
        help: name one preset
        """)


def test_ceilings_asked_for_wrongly_in_python() -> None:
    qrels, run = {"q": {"a": 1}}, {"q": {"a": 1.0}}
    two = {"one": run, "two": run}

    def of(runs: object = two, measure: object = "nDCG", **given: object) -> str:
        call = lambda: package.ceiling(qrels, runs, measure, **given)  # type: ignore[arg-type]  # noqa: E731
        return raised(call, package.UsageError)

    assert of(run, ["nDCG", "AP"]) == says("""
        error[E36 type]: measure is of type list
        help: give one measure, such as 'nDCG@10'
        """)
    assert of(stages=["one", "two"]) == says("""
        error[E36 type]: stages are of type list
        help: give {run: depth}, in their order
        """)
    assert of(stages={"one": 1}) == says("""
        error[E01 usage]: a pipeline has two stages or more, and 1 is given
        help: a single run needs no stages: QRELS RUN
        """)
    assert of(stages={"one": 1, "twoo": 1}) == says("""
        error[E01 usage]: stage 'twoo' is not among the runs; did you mean two?
        help: runs: one, two
        """)
    for depth in (0, True, 1.5, "10", 10**18):
        assert of(stages={"one": depth, "two": None}) == says(f"""
            error[E01 usage]: the depth {depth!r} of stage 'one' is not a whole number from 1 up
            help: as in 10, or None for all of a stage
            """)
    assert of(depths=[0]) == says("""
        error[E01 usage]: the depth 0 of an ideal reranker is not a whole number from 1 up
        help: as in 10, or None for all of a stage
        """)
    assert of(depths=5) == says("""
        error[E36 type]: depths are of type int
        help: give a list, such as [10, 50, 100]
        """)
    grid = np.array([[1.0]])
    arrays = lambda: package.ceiling(grid, {"one": grid, "two": grid}, stages={"one": 1, "two": 1})  # noqa: E731
    assert raised(arrays, package.UsageError) == says("""
        error[E01 usage]: arrays have one set of candidates, so nothing is lost between their stages
        help: give files, frames or dictionaries
        """)


def test_runs_asked_for_in_what_ceilings_returned() -> None:
    run = {"q": {"a": 1.0}}
    found = package.ceiling({"q": {"a": 1}}, {"one": run, "two": run})
    assert raised(lambda: found.only, package.UsageError) == says("""
        error[E07 system]: there are 2 systems, so .only is not one thing
        help: systems: one, two
        """)
    assert raised(lambda: found["on"], package.UsageError) == says("""
        error[E07 system]: there is no system 'on'; did you mean one?
        help: systems: one, two
        """)


# -- explain -------------------------------------------------------------------------------------


def explaining(*arguments: str, **files: str) -> str:
    """The refusal of an explanation, beside good files."""
    put(qrels_txt=QRELS, run_txt=RUN, **files)
    return refused("explain", "qrels.txt", "run.txt", *arguments)


def test_a_query_that_is_not_judged() -> None:
    assert explaining("-q", "Q1") == says("""
        error[E12 queries]: query 'Q1' is not judged; did you mean q1?
        help: judged: q1
        """)
    put(qrels_txt=QRELS, b_run=RUN + "q9 Q0 a 1 1.0 t\n")
    assert refused("explain", "qrels.txt", "b.run", "-q", "q9") == says("""
        error[E12 queries]: nobody judged query 'q9', for which t lists 1 document: it is left out (extra:ignore)
        help: explain a query that is judged
        """)
    assert "it counts 0 (extra:zero)" in refused(
        "explain", "qrels.txt", "b.run", "-q", "q9", "--extra", "zero"
    )


def test_a_measure_without_parts() -> None:
    assert explaining("-m", "Bpref") == says("""
        error[E02 measure]: Bpref is not explained: it is no sum of what documents add
        help: explained are nDCG, DCG, P, R, F, Rprec, RelativeP, RBP, gRBP, AP, RR, Success
        """)


def test_more_runs_than_can_be_explained() -> None:
    assert explaining("b.run", "c.run") == says("""
        error[E01 usage]: 3 runs are given, and at most two are compared query by query
        help: give one run, or two
        """)
    run = {"q": {"a": 1.0}}
    call = lambda: package.explain({"q": {"a": 1}}, {"x": run, "y": run, "z": run})  # noqa: E731
    assert raised(call, package.UsageError) == says("""
        error[E01 usage]: 3 runs are given, and at most two are compared query by query: x, y, z
        help: give one run, or two
        """)


def test_segments_that_fit_nothing() -> None:
    assert explaining("-q", "q1", "--segments", "s", s="q1 web\n") == says("""
        error[E01 usage]: segments are parts of many queries, and one query is explained
        help: leave out the query, or the segments
        """)
    assert explaining("--segment", "web") == says("""
        error[E14 segments]: segment 'web' is asked for, and no segments are given
        help: --segments FILE (in Python: segments={query: segment})
        """)
    assert explaining("--segments", "s", "--segment", "wep") == says("""
        error[E14 segments]: no query is in segment 'wep'; did you mean web?
        help: segments: web
        """)
    assert explaining("--segments", "s", s="zz web\n") == says("""
        error[E14 segments]: no query of the segments is judged: zz
        help: judged: q1
        """)


def test_texts_that_cannot_be_read() -> None:
    how = 'help: give JSON lines with "id" and "title" or "text", a table with such heads, or lines of id, tab and text\n'

    def of(content: str) -> str:
        return explaining("-q", "q1", "--texts", "t", t=content).replace(how, "")

    assert of('{"id": "a", "title": "x"}\n{"id": "b"\n') == says("""
        error[E38 syntax]: t: no JSON: Expecting ',' delimiter
         --> t:2
           | {"id": "b"
        """)
    assert of('{"id": "a", "rank": 1}\n{"x": 1}\n[1]\n') == says("""
        error[E38 syntax]: t: no text among the keys id, rank
         --> t:1
           | {"id": "a", "rank": 1}
        error[E38 syntax]: t: no id among the keys x
         --> t:2
           | {"x": 1}
        error[E38 syntax]: t: no object with an id and a text
         --> t:3
           | [1]
        """)
    assert of("a\tb\nno tab here\n") == says("""
        error[E24 columns]: t: no tab between an id and a text
         --> t:2
           | no tab here
        """)
    assert of("id,count\na,1\n") == says("""
        error[E24 columns]: t: no column of ids beside one of texts: id,count
         --> t
        """)
    assert of("id,title\na,b,c\n") == says("""
        error[E24 columns]: expected 2 columns (id, title), found 3
         --> t:2
           | a,b,c
        help: complete or remove the row; a cell that holds the delimiter stands in double quotes
        """)
    assert of("\n") == says("""
        error[E21 empty]: t is empty: no texts, 0 queries
         --> t
        help: give a file with texts
        """)


def test_options_of_explain_that_do_not_fit() -> None:
    assert explaining("--format", "latex") == says("""
        error[E01 usage]: 'latex' is not a format of explain
        help: accepted: table, json, jsonl, csv, tsv, markdown
        """)
    assert explaining("-q", "q1", "-q", "q2") == says("""
        error[E01 usage]: -q is given twice: q1 and q2
        help: ndcg explain --help
        """)
    assert explaining("--texts", "t.csv", "-o", "t.csv", t_csv="a,b\n") == says("""
        error[E08 output]: the output t.csv is the input t.csv
        help: choose another name
        """)


def test_python_values_that_cannot_be_explained() -> None:
    def rules(run: object = None, other: object = None, **given: object) -> str:
        return raised(
            lambda: package.explain({"q": {"a": 1}}, run or {"q": ["a"]}, other, **given),  # type: ignore[arg-type]
            package.UsageError,
        )

    assert rules(measure=["nDCG", "AP"]) == says("""
        error[E02 measure]: one measure is explained, and 2 are given: nDCG, AP
        help: give one of them
        """)
    assert rules(query=1.5) == says("""
        error[E12 queries]: query id 1.5 is not text
        help: query ids are text
        """)
    assert rules(query="q", texts=[1]) == says("""
        error[E36 type]: texts are of type list
        help: give {id: text}, or a file
        """)
    assert rules(segments=["q"]) == says("""
        error[E14 segments]: segments are of type list
        help: give {query: segment}
        """)
    assert rules([1], {"q": ["a"]}) == says("""
        error[E36 type]: run is of type list, and other is given
        help: give one run in each, or {name: run} as run
        """)


# -- reconcile -----------------------------------------------------------------------------------


def reconciling(*arguments: str, **files: str) -> str:
    """The refusal of these arguments, beside good files."""
    put(qrels_txt=QRELS, run_txt=RUN, **files)
    return refused("reconcile", "qrels.txt", "run.txt", *arguments)


def test_nothing_to_reconcile_or_two_things() -> None:
    assert reconciling() == says("""
        error[E01 usage]: nothing is to be reconciled
        help: give two presets (--between), or numbers of another tool (--value, --values)
        """)
    assert reconciling("--value", "0.5", "--between", "ndcg", "ranx") == says("""
        error[E01 usage]: between and value are given
        help: give two presets (--between), or numbers of another tool (--value, --values)
        """)
    assert reconciling("--values", "v", "--query", "q1") == says("""
        error[E01 usage]: a query is named, and no value of it is given
        help: give its --value, or leave --query out
        """)


def test_a_pair_that_is_none_and_several_runs() -> None:
    def rules(**given: object) -> str:
        qrels, run = {"q": {"a": 1}}, {"q": {"a": 1.0}}
        call = lambda: package.reconcile(qrels, given.pop("run", run), **given)  # type: ignore[arg-type]  # noqa: E731
        return raised(call, package.UsageError)

    assert rules(between="ndcg") == says("""
        error[E01 usage]: between takes two presets, signatures or conventions
        help: such as ('trec_eval', 'sklearn')
        """)
    assert rules(run={"a": {"q": {"a": 1.0}}, "b": {"q": {"a": 1.0}}}, value=1.0) == says("""
        error[E01 usage]: 2 runs are given: a, b
        help: reconcile one at a time
        """)
    assert rules(value={}) == says("""
        error[E13 value]: no value is given
        help: such as 0.735
        """)
    assert rules(values={}) == says("""
        error[E13 value]: no value of any query is given
        help: such as {'q1': 0.735}
        """)


def test_a_preset_to_reconcile_that_is_not_known() -> None:
    assert "error[E03 preset]: 'sklern' is not a preset; did you mean sklearn?\n" in reconciling(
        "--between", "trec_eval", "sklern"
    )
    assert "error[E04 axis]: 'cube' is not a value of gain\n" in reconciling(
        "--between", "trec_eval", "gain:cube"
    )


def test_a_convention_that_no_other_rule_gives_a_mean() -> None:
    assert reconciling("--between", "ndcg", "gain:0=0,7=1") == says("""
        error[E01 usage]: [266ac2b9] has no mean here: document 'a' of query 'q1': grade 1 is not in the gain table 0=0,7=1
        help: choose another preset or convention, or change the axis that refuses
        """)


def test_values_that_are_none() -> None:
    assert reconciling("--value", "half") == says("""
        error[E13 value]: 'half' is not a number
        help: such as 0.735, or 73.5%
        """)
    assert reconciling("--value", "735") == says("""
        error[E13 value]: 735 is no value of nDCG@10
        help: values lie between 0 and 1, in percent between 0 and 100
        """)
    assert reconciling("--value", "0.5", "--value", "nDCG@5=0.5") == says("""
        error[E01 usage]: --value 0.5 does not say of which measure it is
        help: several values as in nDCG@5=0.71
        """)
    assert reconciling("--value", "nDCG@5=0.4", "--value", "nDCG@5=0.5") == says("""
        error[E01 usage]: --value gives nDCG@5 twice
        help: give one
        """)
    assert reconciling("--value", "0.5", "--format", "csv") == says("""
        error[E01 usage]: 'csv' is not a format of reconcile
        help: accepted: table, json
        """)


def test_values_of_queries_that_nobody_judged() -> None:
    assert reconciling("--values", "v", v="Q1 0.5\n") == says("""
        error[E13 value]: none of the queries with a value is judged: Q1; 'q1' and 'Q1' differ by case
        help: check that the ids belong together
        """)
    put(qrels_txt=QRELS, run_txt=RUN, v="q1 1.0\nq9 0.5\n")
    done = ndcg("reconcile", "qrels.txt", "run.txt", "--values", "v")
    assert done.err == "note: 1 query with a value that nobody judged: q9\n"


def test_files_of_values_that_hold_none() -> None:
    how = "help: give a trec_eval printout (-q), a table with columns query and value, or JSON"
    for text, what in (
        ("q1 Q0 a 1 2.0 t\n", "v: no column names the queries: q1, Q0, a, 1, 2.0, t\n --> v"),
        ("map\tq1\t0.5\n", "there is no value of nDCG@10; there are values of map\n --> v"),
        ("q1 0.5\nq1 0.6\n", "query 'q1' has two values, 0.5 and 0.6\n --> v:2"),
        (
            "ndcg_cut_10\tq1\t0.5\nndcg_cut_10\tq2\n",
            "not measure, query and value, as other lines\n --> v:2",
        ),
        ('[{"id": 1}]', "a row names no query: {'id': 1}\n --> v"),
        ("q1 0.5\nq2 x\n", "'x' of query 'q2' is not a number\n --> v:2"),
        ("q1 0.5\nq2\n", "not a query and a value, as the lines before\n --> v:2"),
        ("query,value\nq1,0.5,1\n", "3 columns, where the header has 2\n --> v:2"),
        (
            '{"q1": 0.5',
            "v is not JSON: Expecting ',' delimiter: line 1 column 11 (char 10)\n --> v",
        ),
    ):
        assert reconciling("--values", "v", v=text) == f"error[E13 value]: {what}\n{how}\n"
    assert reconciling("--values", "v", v="\n").startswith("error[E21 empty]: ")
    assert reconciling("--values", "nowhere").startswith("error[E20 file]: nowhere not found\n")


def test_several_values_that_contradict_each_other_or_the_data() -> None:
    assert reconciling("--value", "-0.5") == says("""
        error[E13 value]: -0.5 is no value of nDCG@10: no grade here is negative
        help: check the sign
        """)
    assert reconciling("--value", "0,735") == says("""
        error[E13 value]: '0,735' is not a number
        help: such as 0.735
        """)
    assert reconciling("--between", "ndcg", "ranx", "--between", "ndcg", "mteb") == says("""
        error[E01 usage]: --between is given twice: ndcg ranx and ndcg mteb
        help: ndcg reconcile --help
        """)
    assert reconciling("--value", "1", "-o", "found.csv") == says("""
        error[E01 usage]: 'csv' is not a format of reconcile
        help: accepted: table, json
        """)
    assert reconciling("--value", "1", "-o", "found.json", "--format", "table") == says("""
        error[E01 usage]: the suffix of found.json means json, and table is asked for
        help: give one of them
        """)
    assert reconciling("--value", "1", "--json", "--format", "table") == says("""
        error[E01 usage]: --json and --format table differ
        help: give one
        """)


def test_python_values_of_the_wrong_type() -> None:
    def rules(measure: object = "nDCG", **given: object) -> str:
        qrels, run = {"q": {"a": 1}}, {"q": {"a": 1.0}}
        return raised(
            lambda: package.reconcile(qrels, run, measure, **given),  # type: ignore[arg-type]
            package.UsageError,
        )

    assert rules(["nDCG", "AP"], value=1) == says("""
        error[E36 type]: measure is of type list
        help: give the name of one measure, such as 'nDCG@10'
        """)
    assert rules(values=[0.5]) == says("""
        error[E36 type]: values is of type list
        help: give {query: value}, or a file
        """)
    assert rules(value=1, query=["q"]) == says("""
        error[E36 type]: query is of type list
        help: give the id of one query, as text
        """)
    for between in (5, ("trec_eval", None), {"trec_eval": 1, "sklearn": 2}, ("ndcg",)):
        assert "between takes two presets" in rules(between=between)
    for places in (-1, "x", 18, True):
        assert "decimals from 0 to 17" in rules(value=1, places=places)
    assert "is not a number" in rules(value=[1])
    assert "is not a number" in rules(value=float("nan"))
    assert "is not a number" in rules(values={"q": 10**400})
