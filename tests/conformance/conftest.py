"""Prints how many of the answers that other tools gave the presets reproduce."""

from __future__ import annotations

from typing import Any


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """One line for each tool and one for all, from what the tests recorded."""
    by_tool: dict[str, tuple[int, int]] = {}
    for report in terminalreporter.stats.get("passed", ()):
        for name, value in report.user_properties:
            if name == "answers":
                tool, right, asked = value
                before = by_tool.get(tool, (0, 0))
                by_tool[tool] = (before[0] + right, before[1] + asked)
    if not by_tool:
        return
    terminalreporter.section("answers of other tools reproduced by their presets")
    for tool, (right, asked) in sorted(by_tool.items(), key=lambda pair: pair[0].lower()):
        terminalreporter.write_line(f"{right:5,} of {asked:5,}  {tool}")
    right, asked = (sum(counts) for counts in zip(*by_tool.values(), strict=True))
    terminalreporter.write_line(f"{right:5,} of {asked:5,}  all ({right / asked:.2%})")
