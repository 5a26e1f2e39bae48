"""Signals of a panel, as the window connects them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

Connections = Sequence[tuple[Any, Callable[..., Any]]]
"""Signals with their slots; a panel's method `connections` lists its own for a window."""
