"""Array type aliases shared by all modules; medians, quantiles and distinct values.

numpy.median, numpy.quantile, numpy.isin and numpy.unique first import all of numpy.ma, which takes
as long as an estimate.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
if TYPE_CHECKING:
    Integers = npt.NDArray[np.signedinteger[Any]]
else:
    # Scalar types accept parameters at run time only from numpy 1.22.
    Integers = npt.NDArray[np.int64]
Booleans = npt.NDArray[np.bool_]
_Number = TypeVar("_Number", bound=np.generic)
ArrayLike = npt.ArrayLike
AnyArray = npt.NDArray[Any]

__all__ = [
    "AnyArray",
    "ArrayLike",
    "Booleans",
    "Floats",
    "Integers",
    "distinct",
    "medians",
    "quantiles",
]


def distinct(values: npt.NDArray[_Number]) -> npt.NDArray[_Number]:
    """Distinct values of an array of any shape, increasing, shape (distinct,)."""
    ordered = np.sort(values, axis=None)
    new = np.ones(len(ordered), dtype=bool)
    new[1:] = ordered[1:] != ordered[:-1]
    return ordered[new]


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
