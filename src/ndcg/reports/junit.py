"""The outcomes of a gate as JUnit's XML, which most build servers read."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from ndcg.errors import printable

if TYPE_CHECKING:
    from ndcg.gating.results import Gate, Outcome


def junit(found: Gate, told: Callable[[Outcome], str]) -> str:
    """A suite of one test case a rule; `told` says why one failed."""
    suite = ET.Element(
        "testsuite", name="ndcg gate", tests=str(len(found.outcomes)),
        failures=str(len(found.failures)), errors="0", skipped="0",
    )  # fmt: skip
    properties = ET.SubElement(suite, "properties")
    measures = found.evaluation.systems[found.system].measures
    for name, one in measures.items():
        _property(properties, f"signature of {name}", one.signature)
    _property(properties, "judgments", found.judgments)
    for outcome in found.outcomes:
        case = ET.SubElement(
            suite, "testcase", classname=f"ndcg gate.{printable(found.system)}",
            name=printable(outcome.rule.text), time="0",
        )  # fmt: skip
        if outcome.status == "failed":
            failure = ET.SubElement(
                case, "failure", type="budget", message=printable(outcome.reason)
            )
            failure.text = printable(told(outcome))
        else:
            ET.SubElement(case, "system-out").text = printable(told(outcome))
    suites = ET.Element("testsuites")
    suites.append(suite)
    ET.indent(suites)
    body = ET.tostring(suites, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'


def _property(parent: ET.Element, name: str, value: str) -> None:
    ET.SubElement(parent, "property", name=printable(name), value=printable(value))
