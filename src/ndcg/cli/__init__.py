"""The command: `main` finds the subcommand, one module each does the work."""
