"""The benchmarks check before they measure; here they only check, on small data."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

RUN = Path(__file__).parents[2] / "benchmarks" / "run.py"


def test_all_values_of_the_benchmarks_agree_with_the_peers() -> None:
    done = subprocess.run(
        [sys.executable, str(RUN), "--small"], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    agreed = [line for line in done.stdout.splitlines() if line.endswith("the values agree")]
    assert len(agreed) == 14
