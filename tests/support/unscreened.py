"""Estimates without some rules of screening, or with another gap that makes a channel free."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import pytest

from jointlimits_core.estimation import bounds, pipeline
from jointlimits_core.motion.screening.rules import screen


@contextmanager
def without_rules(*rules: str) -> Iterator[None]:
    """Estimates in this block take motion as it is in these respects."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipeline, "screen", partial(screen, skip_rules=rules))
        yield


@contextmanager
def unlimited_gap(degrees: float) -> Iterator[None]:
    """Channels that leave less than this unused are free in this block."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bounds, "UNLIMITED_GAP_DEG", degrees)
        yield
