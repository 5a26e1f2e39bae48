"""Evenly spaced directions."""

from __future__ import annotations

import numpy as np

from .arrays import Floats


def sphere_points(count: int) -> Floats:
    """Unit vectors spread evenly over the sphere (a Fibonacci spiral), shape (count, 3)."""
    number = np.arange(count) + 0.5
    height = 1.0 - 2.0 * number / count
    around = np.pi * (1.0 + np.sqrt(5.0)) * number
    across = np.sqrt(1.0 - height * height)
    return np.stack([across * np.cos(around), across * np.sin(around), height], axis=1)
