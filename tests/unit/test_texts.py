"""Texts of ids: which key names them, and large files, which are read line by line."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
from collections.abc import Callable
from itertools import permutations
from pathlib import Path

import pytest

import ndcg
from ndcg.formats import chunks, large, source, text_lines
from ndcg.formats.texts import read_texts

LINES = {
    "jsonl": [json.dumps({"_id": f"d{at}", "title": f"Straße {at}"}) for at in range(99)],
    "tabbed": [f"d{at}\tStraße {at}" for at in range(99)],
}
PACKED: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes, "gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress,
}  # fmt: skip


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every file counts as large, and is read 40 bytes at a time."""
    for name in ("LARGE", "LARGE_COMPRESSED"):
        monkeypatch.setattr(large, name, 0)
    for name in ("_BLOCK", "_HEAD"):
        monkeypatch.setattr(text_lines, name, 40)


def texts(path: Path, content: str | bytes, *wanted: str) -> dict[str, str]:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_texts(str(path), wanted)


@pytest.mark.parametrize(
    "keys",
    [{"id": "a", "docid": "x"}, {"_id": "a", "id": "x"}, {"id": "a", "ID": "x"},
     {"_id": None, "id": "a", "doc_id": "x"}, {"docno": "a", "query_id": "x"},
     {"_id": "a", "Id": "x", "docid": "y"}],
)  # fmt: skip
def test_the_same_key_names_the_document_in_whatever_order_keys_stand(
    keys: dict[str, str | None], tmp_path: Path
) -> None:
    for order in permutations([*keys.items(), ("text", "t"), ("title", "T")]):
        content = json.dumps(dict(order))
        assert texts(tmp_path / "t", content + "\n", "a") == {"a": "T"}
        assert texts(tmp_path / "t", f"[{content}]", "a") == {"a": "T"}
        assert texts(tmp_path / "t", content + "\n", "x", "y") == {}


def test_columns_name_documents_as_keys_do(tmp_path: Path) -> None:
    for one, other in permutations(["_id", "id"]):
        row = ",".join({"_id": "a", "id": "x"}[name] for name in (one, other))
        assert texts(tmp_path / "t", f"{one},{other},title\n{row},T\n", "a") == {"a": "T"}


def test_a_key_written_with_escapes_is_the_key_that_it_spells(tmp_path: Path) -> None:
    for content in (r'{"id": "x", "\u005fid": "a", "title": "T"}',
                    r'{"\u005fid": "a", "id": "x", "title": "T"}'):  # fmt: skip
        assert texts(tmp_path / "t", content, "a", "x") == {"a": "T"}
        assert texts(tmp_path / "t", content, "a") == {"a": "T"}


def test_of_a_key_that_stands_twice_the_first_counts(tmp_path: Path) -> None:
    content = '{"id": "a", "id": "x", "title": "T", "title": "U"}'
    assert texts(tmp_path / "t", content, "a", "x") == {"a": "T"}
    assert texts(tmp_path / "t", content, "x") == {}


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("packed", [*PACKED])
@pytest.mark.parametrize("layout", [*LINES])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_large_file_is_read_line_by_line(
    layout: str, packed: str, end: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def whole(*_: object, **__: object) -> None:
        pytest.fail("it is read whole")

    monkeypatch.setattr("ndcg.formats.texts.read_source", whole)
    for last in ("", end):
        content = b"\xef\xbb\xbf" + (end.join(LINES[layout]) + last).encode()
        found = texts(tmp_path / "t", PACKED[packed](content), "d0", "d50", "d98", "none")
        assert found == {f"d{at}": f"Straße {at}" for at in (0, 50, 98)}


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize(
    "content",
    ['[{"id": "a",\n"title": "T"}]\n', 'id,title\nb,U\na,"T\nt"\n', "a\tT\rb\tU\r"],
)
def test_what_is_no_sequence_of_lines_is_read_whole(content: str, tmp_path: Path) -> None:
    assert texts(tmp_path / "t", content, "a") in ({"a": "T"}, {"a": "T t"})


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize(
    ("layout", "line", "what"),
    [("jsonl", b"{broken", "t: no JSON: "), ("jsonl", b'{"id": "\xff"}', "t is not UTF-8 text: "),
     ("tabbed", b"no tab", "t: no tab between"), ("tabbed", b"a\t\xff", "t is not UTF-8 text: ")],
)  # fmt: skip
def test_a_fault_of_a_large_file_has_its_line(
    layout: str, line: bytes, what: str, tmp_path: Path
) -> None:
    content = "\n".join(LINES[layout]).encode() + b"\n" + line + b"\n"
    with pytest.raises(ndcg.DataError) as caught:
        texts(tmp_path / "t", content, "d1")
    (problem,) = caught.value.problems
    assert problem.place is not None
    assert (problem.place.line, what in problem.what) == (100, True)


@pytest.mark.usefixtures("small_blocks")
def test_a_line_that_is_no_row_is_refused_and_json_may_be_as_long_as_it_likes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (source, chunks):
        monkeypatch.setattr(module, "LONGEST_LINE", 1000)
    with pytest.raises(ndcg.DataError, match="line 2 is longer than"):
        texts(tmp_path / "t", "a\tT\n" + "b\t" + "u" * 2000 + "\n", "a")
    line = json.dumps({"_id": "b", "text": "u" * 2000})
    assert [*texts(tmp_path / "t", '{"_id": "a", "title": "T"}\n' + line, "a", "b")] == ["a", "b"]


def test_a_text_of_none_is_none() -> None:
    found = ndcg.explain({"q": {"a": 1, "b": 1}}, {"q": ["a", "b"]}, query="q", measure="nDCG",
                         texts={"a": None, "b": "Tea"}, query_texts={"q": None})  # fmt: skip
    assert [line.title for line in found.lines] == [None, "Tea"]
    assert found.text is None
