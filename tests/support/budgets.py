"""Bounds of reading that are the same for every file, lowered for a test."""

from __future__ import annotations

from typing import Any

from jointlimits_core.io.input import ReadLimits


def budget(**bounds: int) -> ReadLimits:
    """The usual budget with other fixed bounds."""
    kind: Any = type("Bounded", (ReadLimits,), bounds)
    return kind()  # type: ignore[no-any-return]
