"""Large arrays in blocks, where a formula makes arrays many times as large as its input."""

from __future__ import annotations

from collections.abc import Iterator

from ..geometry.arrays import AnyArray

BLOCK_BYTES = 4 << 20
"""Bytes of an array processed at a time: small blocks cost calls, large ones do not fit a cache."""


def blocks(array: AnyArray, size: int | None = None) -> Iterator[slice]:
    """Slices of the first axis in turn, of at least one row.

    `size`: bytes of the array per block, by default :data:`BLOCK_BYTES`.
    """
    step = max(1, (size or BLOCK_BYTES) // max(array[:1].nbytes, 1))
    return (slice(start, start + step) for start in range(0, len(array), step))
