"""Array type aliases shared by all modules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
if TYPE_CHECKING:
    Integers = npt.NDArray[np.signedinteger[Any]]
else:
    # Scalar types accept parameters at run time only from numpy 1.22.
    Integers = npt.NDArray[np.int64]
Booleans = npt.NDArray[np.bool_]
ArrayLike = npt.ArrayLike
AnyArray = npt.NDArray[Any]

__all__ = ["AnyArray", "ArrayLike", "Booleans", "Floats", "Integers"]
