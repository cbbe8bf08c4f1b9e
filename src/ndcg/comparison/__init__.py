"""Comparisons of systems: paired by query, corrected for their number, with a verdict."""
