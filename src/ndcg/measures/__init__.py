"""The measures: what each is called, what it needs, and how its value comes about."""
