"""Workflow commands of GitHub, which become annotations."""

from __future__ import annotations

from collections.abc import Mapping


def annotation(level: str, text: str, properties: Mapping[str, str | int]) -> str:
    r"""One command of a workflow's log: an ``error``, ``warning`` or ``notice``.

    >>> annotation("error", "50% less", {"file": "a,b.txt", "line": 3})
    '::error file=a%2Cb.txt,line=3::50%25 less\n'
    """
    facts = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    return f"::{level} {facts}".rstrip() + f"::{_message(text)}\n"


def _message(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")
