"""Where the collections shared by all projects lie, and what happens when they are absent."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent


def shared(*parts: str) -> Path:
    """The path of a shared file or folder; without it the test skips, and in CI it fails.

    ``NDCG_SHARED`` says where the folder lies (relative paths start at the project root); the
    default is ``../shared``.
    """
    path = (PROJECT / os.environ.get("NDCG_SHARED", "../shared")).joinpath(*parts)
    if not path.exists():
        absent = f"{path} is absent; NDCG_SHARED says where the shared collections lie"
        if os.environ.get("CI") == "true":
            pytest.fail(absent, pytrace=False)
        pytest.skip(absent, allow_module_level=True)
    return path
