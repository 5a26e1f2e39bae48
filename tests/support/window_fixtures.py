"""The window alone as pytest fixtures."""

from __future__ import annotations

import pytest

from tests.support.window_alone import shown_window, with_limits
from tests.support.window_hand import Hand


@pytest.fixture
def full(tmp_path, qtbot):
    """The window with two clips, their limits, and nothing to undo; it works at once."""
    return with_limits(shown_window(tmp_path, qtbot))


@pytest.fixture
def hand(full, qtbot):
    """A hand on the mouse and the keys of that window."""
    return Hand(full, qtbot)
