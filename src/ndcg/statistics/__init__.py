"""How far a mean is sampling error, and whether a difference is one: numbers in, numbers out."""
