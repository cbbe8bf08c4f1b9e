"""Ways to spoil the bytes of a file: each takes a random source, the bytes and other samples."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import re
from collections.abc import Callable, Sequence
from random import Random

import zstandard

Mutation = Callable[[Random, bytes, Sequence[bytes]], bytes]

LONGEST = 1 << 16  # bytes of an input; most are far shorter

NUMBERS = (
    "nan", "NaN", "-inf", "Infinity", "1e999", "-1e999", "1e308", "-1e308",
    "1.7976931348623157e308", "100000000000000000000", "-100000000000000000000", "1" * 400,
    "1" * 5000, "0." + "3" * 3000,
    "5e-324", "-0", "0", "-1", "1.5", ".5", "1.", "1e", "+", "0x1p3", "1_000", "1,5", "\u0663",
    "\uff11", '"2"', "9007199254740993", "9223372036854775808", "-9223372036854775809", "1e-400",
    "978300760", "true", "null", "None", "", "2147483648", "1e22",
)  # fmt: skip
MARKS = (
    '"', '""', "'", "\0", "\ufeff", "\r", "\r\n", "\n", "\n\n", "\t", ",", ";", "::", "|", "#", "{",
    "}", "[", "]", ":", "\\", "\\ud800", "\\u0000", "\x0b", "\x0c", "\x1c", "\x1f", "\x85", "\xa0",
    "\u2028", "\u3000", "\u202e", "\u200b", "\x1b[31m", "\x7f", "\U0001f600", "e\u0301", "sep=;\n",
    "Q0", "qid:", "map all 0.5\n", "<", "model-index:", "_id",
)  # fmt: skip
BYTES = (
    b"\xff", b"\xfe\xff", b"\xff\xfe", b"\xed\xa0\x80", b"\xc0\x80", b"\xe2\x82", b"\x80", b"PAR1",
    b"ARROW1", b"ARROW1\0\0", b"FEA1", b"\xff\xff\xff\xff", b"\x1f\x8b", b"\x1f\x8b\x08", b"BZh9",
    b"BZh91AY&SY", b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd", b"\x04\x22\x4d\x18", b"PK\x03\x04",
)  # fmt: skip
HEADERS = (
    "query_id", "doc_id", "grade", "score", "rank", "tag", "query", "document", "relevance", "qid",
    "docno", "user", "item", "rating", "timestamp", "query-id", "corpus-id", "judge", "distance",
    "hits", "q0", "run", "iteration", "_id", "text", "docid", "doc ids", "position", "sim",
)  # fmt: skip
JSON_VALUES = (
    "null", "true", "[]", "{}", '""', '"x"', "-0.0", "1e999", "NaN", "-Infinity", "[[]]",
    '[["d",1]]', '[["d",1,1]]', '{"d":1}', '{"d":{"e":1}}', '"\\ud800"', '"\\udfff\\u0000\\n"',
    "1" * 5000,
    "[1,2]", '["d"]', '[{"d":1}]', "100000000000000000000", '{"d":1,"d":2}',
)  # fmt: skip
_FIELD = re.compile(rb"[^\s,;\"\[\]{}:]+")
_NUMBER = re.compile(rb"-?[0-9][0-9.e+-]*")
_BREAKS = (b"\r", b"\r\n", b"\r\r\n", b"\x0b", b"\xe2\x80\xa8", b"\n\n", b" \n\t\n", b"\n#\n")
_BLANK = (b" ", b"\t", b",", b";", b", ", b"::", b"|", b"\x0b", b"\xa0", b"\xc2\xa0", b"  ", b"")


def _span(random: Random, data: bytes) -> tuple[int, int]:
    begin = random.randrange(len(data) + 1)
    return begin, min(len(data), begin + int(random.expovariate(1 / 12)))


def _put(random: Random, data: bytes, piece: bytes) -> bytes:
    at = random.randrange(len(data) + 1)
    return data[:at] + piece + data[at:]


def _instead(random: Random, data: bytes, pattern: re.Pattern[bytes], piece: bytes) -> bytes:
    """One or, now and then, each match of a pattern replaced."""
    if random.random() < 0.1:
        return pattern.sub(lambda _: piece, data, count=200)
    found = [*pattern.finditer(data)]
    if not found:
        return data + piece
    one = random.choice(found)
    return data[: one.start()] + piece + data[one.end() :]


def flip(random: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    changed = bytearray(data or b"\0")
    for _ in range(random.choice((1, 1, 1, 2, 8))):
        changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


def insert_bytes(random: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    piece = random.choice((random.randbytes(random.randint(1, 8)), random.choice(BYTES)))
    return piece + data if random.random() < 0.4 else _put(random, data, piece)


def insert_mark(random: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    piece = random.choice(MARKS).encode() * random.choice((1, 1, 1, 2, 50))
    return piece + data if random.random() < 0.2 else _put(random, data, piece)


def delete(random: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    begin, end = _span(random, data)
    return data[:begin] + data[end:]


def duplicate(random: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    begin, end = _span(random, data)
    return data[:end] + data[begin:end] * random.choice((1, 1, 3, 100)) + data[end:]


def truncate(random: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    at = random.randrange(len(data) + 1)
    return data[:at] if random.random() < 0.7 else data[at:]


def repeat(random: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    return data * min(random.choice((2, 3, 60, 2000)), LONGEST // max(len(data), 1) + 1)


def lines(random: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    """Lines dropped, repeated, moved, indented or made comments."""
    rows = data.split(b"\n")
    at = random.randrange(len(rows))
    match random.randrange(6):
        case 0:
            del rows[at]
        case 1:
            rows.insert(at, random.choice(rows))
        case 2:
            random.shuffle(rows)
        case 3:
            rows[at] = random.choice((b"#", b" ", b"\t", b"# ")) + rows[at]
        case 4:
            rows = rows[:at] + [rows[at]] * random.choice((2, 300)) + rows[at:]
        case _:
            rows.insert(at, b"")
    return b"\n".join(rows)


def columns(random: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    """One column dropped, repeated, swapped or added in all lines or in one."""
    mark = random.choice([m for m in (b"\t", b",", b";", b" ") if m in data] or [b" "])
    rows = [row.split(mark) for row in data.split(b"\n")]
    at, to = random.randrange(6), random.randrange(6)
    deed = random.randrange(4)
    chosen = rows if random.random() < 0.6 else [random.choice(rows)]
    for row in chosen:
        if len(row) <= max(at, to):
            continue
        if deed == 0:
            del row[at]
        elif deed == 1:
            row.insert(to, row[at])
        elif deed == 2:
            row[at], row[to] = row[to], row[at]
        else:
            row.extend([row[at]] * random.choice((1, 1, 2, 500 if chosen is not rows else 5)))
    return b"\n".join(mark.join(row) for row in rows)


def separators(random: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    old = random.choice([mark for mark in _BLANK[:5] if mark in data] or [b" "])
    new, times = random.choice(_BLANK), random.choice((-1, -1, 1, 5))
    return data.replace(old, new, times)


def line_ends(random: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    return data.replace(b"\n", random.choice(_BREAKS), random.choice((-1, -1, 1)))


def splice(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    other = random.choice(others)
    mark = b"\n" if random.random() < 0.6 else b""
    head, tail = truncate_at(random, data, mark)[0], truncate_at(random, other, mark)[1]
    return random.choice((head + tail, tail + head, data + other, data + b"\n" + other))


def truncate_at(random: Random, data: bytes, mark: bytes) -> tuple[bytes, bytes]:
    at = random.randrange(len(data) + 1)
    at = data.find(mark, at) + 1 if mark else at
    return data[:at], data[at:]


def number(random: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    return _instead(random, data, _NUMBER, random.choice(NUMBERS).encode())


def field(random: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    """A field made long, empty, quoted, or that of another column."""
    found = _FIELD.findall(data) or [b"x"]
    one = random.choice(found)
    long = (
        random.choice(("d", "1", "\u00e9", "\u202e", "'", '"')) * random.choice((300, 20_000))
    ).encode()
    piece = random.choice((long, b"", b'"' + one + b'"', b'"' + one, one, b'"a\nb"', b"#" + one))
    return _instead(random, data, _FIELD, piece)


def header(random: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    """Another header, above the first line or in its place."""
    mark = random.choice((b",", b"\t", b";", b" ", b", "))
    names = random.choices(HEADERS, k=random.choice((1, 2, 3, 3, 4, 5, 6, 400)))
    line = mark.join(name.encode() for name in names) + b"\n"
    rest = data.partition(b"\n")[2] if random.random() < 0.7 else data
    return line + (rest.replace(b" ", mark) if random.random() < 0.5 else rest)


def nest(random: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    """JSON inside of JSON, now and then deeper than parsers go."""
    deep = random.choice((1, 2, 10, 150, 300, 480, 900, 5000, 20_000))
    begin, end = random.choice(((b"[", b"]"), (b'{"a":', b"}"), (b'[{"a":', b"}]"), (b"[", b"")))
    core = data if random.random() < 0.4 else random.choice((b"", b"1", b'"d"', b'{"d":1}'))
    nested = begin * (deep := min(deep, LONGEST // 6)) + core + end * deep
    return nested if random.random() < 0.6 else _instead(random, data, _NUMBER, nested)


def json_value(random: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    pattern = random.choice((_NUMBER, re.compile(rb'"[^"]*"'), re.compile(rb"\{[^{}]*\}")))
    return _instead(random, data, pattern, random.choice(JSON_VALUES).encode())


def encoding(random: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    name = random.choice(("utf-16", "utf-16-le", "utf-8-sig", "utf-32", "latin-1", "cp1252"))
    text = data.decode("utf-8", "replace").replace("a", random.choice("a\u00e9"))
    return text.encode(name, "replace")


def pack(random: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    """Compressed by one of the kinds, once or twice, in one member or two, whole or damaged."""
    kinds: tuple[Callable[[bytes], bytes], ...] = (
        lambda raw: gzip.compress(raw, mtime=0), bz2.compress, lzma.compress, zstandard.compress,
    )  # fmt: skip
    press = random.choice(kinds)
    half = random.randrange(len(data) + 1)
    packed = press(data) if random.random() < 0.7 else press(data[:half]) + press(data[half:])
    if random.random() < 0.1:
        packed = random.choice(kinds)(packed)
    if random.random() < 0.15:
        packed += random.choice((b"\0" * 9, b"garbage", packed[:20], b"\n"))
    return packed


PLAIN: tuple[Mutation, ...] = (
    flip, insert_bytes, insert_mark, insert_mark, delete, duplicate, truncate, repeat, lines, lines,
    columns, columns, separators, line_ends, splice, splice, number, number, number, field, field,
    header, nest, json_value, json_value, encoding,
)  # fmt: skip
BINARY: tuple[Mutation, ...] = (
    flip, flip, flip, insert_bytes, delete, duplicate, truncate, splice,
)  # fmt: skip


def random_json(random: Random, depth: int = 4) -> bytes:
    """A JSON text of any shape, with keys that repeat."""
    return json.dumps(_value(random, depth), ensure_ascii=random.random() < 0.5).encode(
        "utf-8", "surrogatepass"
    )


def _value(random: Random, depth: int) -> object:
    kind = random.randrange(8 if depth else 5)
    ids = ("q1", "d1", "d2", "", "\ud800", "\n", "7", "query", "doc", "score", "hits", "topics")
    if kind == 0:
        return random.choice((None, True, False))
    if kind in (1, 2):
        return random.choice((0, 1, -2, 0.5, 10**20, 10**400, 1e308, float("nan"), float("inf")))
    if kind in (3, 4):
        return random.choice(ids)
    if kind == 5:
        return [_value(random, depth - 1) for _ in range(random.randrange(4))]
    keys = random.choices((*ids, *HEADERS), k=random.randrange(1, 5))
    return {key: _value(random, depth - 1) for key in keys}


def random_rows(random: Random) -> bytes:
    """Rows of few words, so that ids repeat and columns look like others."""
    words = [
        "q1",
        "q2",
        "0",
        "1",
        "2",
        "d1",
        "d2",
        "Q0",
        "#",
        "#q",
        "t",
        "3.5",
        "-1",
        "a,b",
        '"1"',
        "é",
    ]
    words += random.choices(NUMBERS, k=2)
    mark = random.choice((" ", "\t", ",", ";", "\t ", "  "))
    width = random.choice((1, 2, 3, 3, 4, 4, 5, 6, 6, 7))
    pools = [random.choices(words, k=random.choice((1, 2, 4))) for _ in range(width)]
    rows = [
        mark.join(random.choice(pool) for pool in pools)
        for _ in range(random.choice((1, 3, 9, 80)))
    ]
    return random.choice(("\n", "\n", "\r\n", "\r")).join(rows).encode()
