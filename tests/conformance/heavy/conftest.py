"""These tests ask tools that take long to install: ``make conformance`` collects them."""

from __future__ import annotations

import os

collect_ignore_glob = [] if os.environ.get("NDCG_HEAVY") == "1" else ["*.py"]
