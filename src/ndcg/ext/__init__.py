"""What lets other tools call this package; each module needs its tool."""
