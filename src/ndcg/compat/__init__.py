"""Drop-in replacements for other tools: their names, their bytes, their values."""
