"""Where quality is lost: what the candidates of a run could still reach, stage by stage."""
