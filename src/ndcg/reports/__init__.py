"""Evaluations as text: one renderer a format, all from the same plain data."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ndcg.errors import one_of
from ndcg.reports.names import FORMATS

if TYPE_CHECKING:
    from ndcg.evaluation.results import Evaluation
    from ndcg.reports.model import Options


def render(evaluation: Evaluation, format_name: str, options: Options) -> str:
    """The evaluation in one of `FORMATS`, ending with a line end."""
    from importlib import import_module  # each format brings its own libraries

    one_of("usage", "a format", format_name, FORMATS)
    module = import_module(f"ndcg.reports.{FORMATS[format_name]}")
    renderer: Callable[[Evaluation, Options], str] = getattr(module, format_name)
    return renderer(evaluation, options)
