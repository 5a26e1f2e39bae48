"""Array type aliases shared by all modules, formulas on arrays, medians and distinct values.

numpy.median, numpy.quantile, numpy.isin and numpy.unique first import all of numpy.ma, which takes
as long as an estimate.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
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

__all__ = [
    "AnyArray",
    "ArrayLike",
    "Booleans",
    "Floats",
    "Formula",
    "Integers",
    "distinct",
    "frame_ranges",
    "in_blocks",
    "medians",
    "picked",
    "quantiles",
    "runs",
]


def distinct(values: npt.NDArray[_Number]) -> npt.NDArray[_Number]:
    """Distinct values of an array of any shape, increasing, shape (distinct,)."""
    ordered = np.sort(values, axis=None)
    new = np.ones(len(ordered), dtype=bool)
    new[1:] = ordered[1:] != ordered[:-1]
    return ordered[new]


def picked(values: npt.NDArray[_Number], at: Integers) -> npt.NDArray[_Number]:
    """Value at one index of every row along the last axis; `at` has the shape of the result.

    As numpy.take_along_axis, in a quarter of its time for few rows.
    """
    rows = values.reshape(-1, values.shape[-1])
    return np.asarray(rows[np.arange(len(rows)), at.reshape(-1)].reshape(at.shape))


def medians(values: Floats) -> Floats:
    """Medians along the last axis of an array of finite numbers; at least one in each row."""
    count = values.shape[-1]
    middle = [(count - 1) // 2, count // 2]
    sides = np.partition(values, middle, axis=-1)[..., middle]
    return np.asarray(0.5 * (sides[..., 0] + sides[..., 1]))


def quantiles(values: Floats, share: float) -> Floats:
    """Quantiles along the last axis, between the two nearest numbers in proportion.

    Finite numbers, at least one in each row. `share`: 0 for the least, 1 for the greatest.
    """
    at = share * (values.shape[-1] - 1)
    below = int(at)
    sides = np.sort(values, axis=-1)[..., below : below + 2]
    return np.asarray(sides[..., 0] + (at - below) * (sides[..., -1] - sides[..., 0]))


def frame_ranges(frames: Any, chosen: Any) -> tuple[tuple[float, float], ...]:
    """Ranges of consecutive chosen frames.

    `frames` (array, shape (frames,)): frame numbers in the source. `chosen` (array-like of bool,
    shape (frames,)). Returns the first and last frame number of each run of True.
    """
    found = runs(np.asarray(chosen, dtype=bool))
    return tuple((float(frames[first]), float(frames[stop - 1])) for first, stop in found)


def runs(chosen: Booleans) -> list[tuple[int, int]]:
    """Runs of True, each (first, one past the last)."""
    padded = np.concatenate([[False], chosen, [False]])
    edges = np.flatnonzero(padded[1:] != padded[:-1]).tolist()
    return list(zip(edges[::2], edges[1::2]))


BLOCK = 2048
"""Rotations worked on at once: a formula's arrays are small enough for the allocator to keep."""
MANY, LARGE_BLOCK = 1 << 15, 6144
"""From so many rotations on, larger blocks: fewer calls, still within the second-level cache."""

Formula = Callable[..., None]
"""Takes the rows to fill and the rows of each array: (components, ...), broadcast by numpy."""

_COMPONENTS_FIRST = {count: (count - 1, *range(count - 1)) for count in range(1, 33)}


def in_blocks(formula: Formula, width: int, *arrays: ArrayLike) -> Floats:
    """Apply a formula to arrays (..., components) whose leading axes broadcast.

    The result has shape (..., `width`) and does not depend on the size of a block: a formula treats
    every place alike. A large array costs no temporary of its size.
    """
    given = [np.asarray(array, np.float64) for array in arrays]
    leading, *others = [array.shape[:-1] for array in given]
    if others.count(leading) < len(others):
        leading = np.broadcast(*(array[..., 0] for array in given)).shape
        given = [array[(None,) * (len(leading) + 1 - array.ndim)] for array in given]
    if len(leading) == 1 and leading[0] <= BLOCK:  # what little there is, without more calls
        result: Floats = np.empty((*leading, width))
        formula(result.T, *[array.T for array in given])
    elif leading:
        # The memory order of the first array saves a transposing copy.
        same = given[0].shape[:-1] == leading
        whole = (*leading, width)
        result = np.empty_like(given[0], shape=whole) if same else np.empty(whole)
        many = result.size >= MANY * width
        _fill(formula, result, given, LARGE_BLOCK if many else BLOCK)
    else:
        result = np.empty(width)
        _fill(formula, result[None], [array[None] for array in given], BLOCK)
    return result


def _fill(formula: Formula, result: Floats, arrays: Sequence[Floats], block: int) -> None:
    count = result.size // result.shape[-1]
    if count <= block:
        axes = _COMPONENTS_FIRST[result.ndim]
        formula(result.transpose(axes), *[array.transpose(axes) for array in arrays])
        return
    inside = count // len(result)
    step = max(1, block // inside)
    for start in range(0, len(result), step):
        # An axis of length 1 is broadcast, and belongs to every part.
        part, whole = (start, 0) if inside > block else (slice(start, start + step), slice(None))
        parts = [array[part if len(array) > 1 else whole] for array in arrays]
        _fill(formula, result[part], parts, block)
