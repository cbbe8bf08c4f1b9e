"""``python -m ndcg`` is the command."""

from ndcg.cli.main import main

if __name__ == "__main__":
    raise SystemExit(main())
