"""Names for the array types that every module shares."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.signedinteger[Any]]
Booleans = npt.NDArray[np.bool_]
ArrayLike = npt.ArrayLike
AnyArray = npt.NDArray[Any]

__all__ = ["AnyArray", "ArrayLike", "Booleans", "Floats", "Integers"]
