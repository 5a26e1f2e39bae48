"""Conversion of records to and from plain data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def with_tuples(data: Mapping[str, Any]) -> dict[str, Any]:
    """Fields, with lists converted to tuples."""
    return {key: tuple(item) if isinstance(item, list) else item for key, item in data.items()}


def with_lists(data: Mapping[str, Any]) -> dict[str, Any]:
    """Fields, with tuples converted to lists."""
    return {key: list(item) if isinstance(item, tuple) else item for key, item in data.items()}
