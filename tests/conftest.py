"""What all tests share: property tests that draw the same examples everywhere."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# No randomness, no clock: a test that passes here passes on a slower machine. To look further,
# HYPOTHESIS_PROFILE=explore draws other and many more examples.
settings.register_profile(
    "ndcg",
    max_examples=200,
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "explore", settings.get_profile("ndcg"), max_examples=5000, derandomize=False
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ndcg"))
