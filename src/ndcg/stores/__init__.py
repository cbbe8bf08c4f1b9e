"""Where judgments and rankings lie; each store lays a run over the judgments."""
