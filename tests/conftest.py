"""What all tests share: property tests that draw the same examples everywhere."""

from __future__ import annotations

import os
from typing import Any

from hypothesis import HealthCheck, settings

# No randomness, no clock: a test that passes here passes on a slower machine. To look further,
# HYPOTHESIS_PROFILE=explore draws other and many more examples.
settings.register_profile(
    "ndcg",
    max_examples=200,
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "explore", settings.get_profile("ndcg"), max_examples=5000, derandomize=False
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ndcg"))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """What the tests recorded of other tools: answers reproduced, and queries asked live."""
    answers: dict[str, list[tuple[int, int]]] = {}
    live: dict[str, int] = {}
    for report in terminalreporter.stats.get("passed", ()):
        for name, value in report.user_properties:
            if name == "answers":
                answers.setdefault(value[0], []).append((value[1], value[2]))
            elif name == "live":
                live[value[0]] = live.get(value[0], 0) + value[1]
    if not answers and not live:
        return
    terminalreporter.section("answers of other tools reproduced by their presets")
    for tool in sorted(answers, key=str.lower):
        terminalreporter.write_line(_reproduced(answers[tool], tool))
    if answers:
        every = [pair for pairs in answers.values() for pair in pairs]
        terminalreporter.write_line(_reproduced(every, "all"))
    for tool, queries in sorted(live.items()):
        terminalreporter.write_line(f"live, every one of {queries:7,} random queries: {tool}")


def _reproduced(pairs: list[tuple[int, int]], name: str) -> str:
    right, asked = (sum(counts) for counts in zip(*pairs, strict=True))
    return f"{right:5,} of {asked:5,}  {name} ({right / asked:.2%})"
