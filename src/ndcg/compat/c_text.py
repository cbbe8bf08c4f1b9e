"""Numbers as the C library reads them out of text: a prefix counts, anything else is 0."""

from __future__ import annotations

import math
import re

_WHOLE = re.compile(r"[ \t\n\v\f\r]*([+-]?)0*([0-9]*)")
_FLOAT = re.compile(
    r"[ \t\n\v\f\r]*([+-]?)(?:"
    r"(?P<hex>0x(?:[0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)(?:p[+-]?[0-9]+)?)|"
    r"(?P<decimal>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?)|"
    r"(?P<inf>inf(?:inity)?)|(?P<nan>nan))",
    re.IGNORECASE,
)
_MOST = 2**63 - 1


def atol(text: str) -> int:
    """The whole number that a text begins with, 0 if it begins with none.

    >>> atol("1.9"), atol("abc"), atol("-2x"), atol("1e3")
    (1, 0, -2, 1)
    """
    match = _WHOLE.match(text)
    sign, digits = match.groups() if match else ("", "")
    # Python reads no number of thousands of digits.
    value = int(digits or "0") if len(digits) < 20 else _MOST + 1
    return max(-_MOST - 1, min(-value if sign == "-" else value, _MOST))


def atof(text: str) -> float:
    """The number that a text begins with, 0.0 if it begins with none; may be infinite or NaN.

    >>> atof("2x"), atof("0,9"), atof("0x1p3"), atof("1e400"), atof("1_000")
    (2.0, 0.0, 8.0, inf, 1.0)
    """
    match = _FLOAT.match(text)
    if match is None:
        return 0.0
    return -_unsigned(match) if match[1] == "-" else _unsigned(match)


def _unsigned(match: re.Match[str]) -> float:
    if match["inf"]:
        return math.inf
    if match["nan"]:
        return math.nan
    if match["decimal"]:
        return float(match["decimal"])
    try:
        return float.fromhex(match["hex"])
    except OverflowError:
        return math.inf
