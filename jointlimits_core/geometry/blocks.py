"""A formula on component rows, applied to arrays of any shape in pieces that fit the cache."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from .arrays import ArrayLike, Floats

BLOCK = 2048
"""Rotations worked on at once: what a formula needs for them fits the second-level cache."""

Formula = Callable[..., None]
"""Takes the rows to fill and the rows of each array: (components, ...), broadcast by numpy."""

_COMPONENTS_FIRST = {count: (count - 1, *range(count - 1)) for count in range(1, 33)}


def in_blocks(formula: Formula, width: int, *arrays: ArrayLike) -> Floats:
    """Apply a formula to arrays (..., components) whose leading axes broadcast.

    The result has shape (..., `width`) and does not depend on the size of a block: a formula treats
    every place alike. A large array costs no temporary of its size.
    """
    given = [np.asarray(array, dtype=np.float64) for array in arrays]
    leading = given[0].shape[:-1]
    if len(given) > 1 and any(array.shape[:-1] != leading for array in given):
        leading = np.broadcast(*(array[..., 0] for array in given)).shape
        given = [array[(None,) * (len(leading) + 1 - array.ndim)] for array in given]
    result = np.empty((*leading, width))
    if leading:
        _fill(formula, result, given)
    else:
        _fill(formula, result[None], [array[None] for array in given])
    return result


def _fill(formula: Formula, result: Floats, arrays: Sequence[Floats]) -> None:
    count = result.size // result.shape[-1]
    if count <= BLOCK:
        axes = _COMPONENTS_FIRST[result.ndim]
        formula(result.transpose(axes), *[array.transpose(axes) for array in arrays])
        return
    inside = count // len(result)
    step = max(1, BLOCK // inside)
    for start in range(0, len(result), step):
        # An axis of length 1 is broadcast, and belongs to every part.
        part, whole = (start, 0) if inside > BLOCK else (slice(start, start + step), slice(None))
        parts = [array[part if len(array) > 1 else whole] for array in arrays]
        _fill(formula, result[part], parts)
