"""Explanation: what each document adds to a value, what it costs, and what would help."""
