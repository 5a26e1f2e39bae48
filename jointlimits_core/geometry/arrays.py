"""Array type aliases, distinct values, quantiles and runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

_Number = TypeVar("_Number", bound=np.generic)
if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]
    Integers = npt.NDArray[np.signedinteger[Any]]
    Booleans = npt.NDArray[np.bool_]
    AnyArray = npt.NDArray[Any]
    ArrayLike = npt.ArrayLike
else:
    Floats = Integers = Booleans = AnyArray = np.ndarray
    ArrayLike = object


def distinct(values: npt.NDArray[_Number]) -> npt.NDArray[_Number]:
    """Distinct values of an array of any shape, in increasing order, shape (distinct,)."""
    ordered = np.sort(values, axis=None)
    new = np.ones(len(ordered), dtype=bool)
    new[1:] = ordered[1:] != ordered[:-1]
    return ordered[new]


def values_at(values: npt.NDArray[_Number], at: Integers) -> npt.NDArray[_Number]:
    """Value at one index in every row along the last axis; `at` has the shape of the result."""
    return np.asarray(np.take_along_axis(values, at[..., None], axis=-1)[..., 0])


def quantiles(values: Floats, share: float) -> Floats:
    """Quantiles along the last axis, interpolated between the two nearest numbers.

    `values`: finite, at least one per row. `share`: 0 for the minimum, 1 for the maximum.
    """
    at = share * (values.shape[-1] - 1)
    below = int(at)
    sides = np.sort(values, axis=-1)[..., below : below + 2]
    return np.asarray(sides[..., 0] + (at - below) * (sides[..., -1] - sides[..., 0]))


def frame_ranges(frames: Any, chosen: Any) -> tuple[tuple[float, float], ...]:
    """Ranges of consecutive chosen frames.

    `frames`: frame numbers in the source, shape (frames,). `chosen`: array-like of bool, shape
    (frames,). Returns the first and last frame number of each run of True.
    """
    found = runs(np.asarray(chosen, dtype=bool))
    return tuple((float(frames[first]), float(frames[stop - 1])) for first, stop in found)


def in_ranges(frames: AnyArray, ranges: Iterable[tuple[float, float]]) -> Booleans:
    """Frames inside any of several ranges, each with both ends included, shape (frames,)."""
    chosen = np.zeros(len(frames), dtype=bool)
    for first, last in ranges:
        chosen |= (frames >= first) & (frames <= last)
    return chosen


def runs(chosen: Booleans) -> list[tuple[int, int]]:
    """Runs of True, each as (first, one past the last)."""
    padded = np.concatenate([[False], chosen, [False]])
    edges = np.flatnonzero(padded[1:] != padded[:-1]).tolist()
    return list(zip(edges[::2], edges[1::2]))


MAX_PRODUCT = 1 << 17
"""Maximum number of multiplications for which linear algebra is certain to use one thread."""


def product_of_rows(rows: Floats, matrix: Floats) -> Floats:
    """``rows @ matrix`` for many rows, in blocks too small to start a second thread.

    `rows` has shape (n, k). `matrix` has shape (k, m).
    """
    size = max(MAX_PRODUCT // max(matrix.size, 1), 1)
    starts = range(0, max(len(rows), 1), size)
    return np.concatenate([rows[start : start + size] @ matrix for start in starts])


BLOCK_BYTES = 4 << 20
"""Number of bytes per block: small blocks need more calls, large blocks exceed the cache."""


def blocks(array: AnyArray) -> Iterator[slice]:
    """Slices of the first axis, each of :data:`BLOCK_BYTES` or a single row."""
    step = max(1, BLOCK_BYTES // max(array[:1].nbytes, 1))
    return (slice(start, start + step) for start in range(0, len(array), step))
