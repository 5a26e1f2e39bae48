"""Real data that is too large, or not ours to pass on: present in CI, absent elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[3] / "shared"


def shared(relative: str) -> Path:
    """Path of a shared file; skips the calling test where the folder is not there."""
    path = SHARED / relative
    if not path.exists():
        pytest.skip(f"shared data {relative} is not on this machine")
    return path
