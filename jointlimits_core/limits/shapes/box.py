"""Axis-aligned box."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...arrays import Booleans, Floats
from .options import FitOptions
from .region import within


@dataclass(frozen=True, eq=False)
class Box:
    """Range of every coordinate; see :class:`.region.Region`.

    Parameters
    ----------
    low, high : array, shape (3,)
        Radians.
    """

    low: Floats
    high: Floats
    kind: str = "box"

    def contains(self, points: Floats, tolerance: float = 1e-9) -> Booleans:
        """See :class:`.region.Region`."""
        return within(points, self.nearest(points), tolerance)

    def nearest(self, points: Floats) -> Floats:
        """See :class:`.region.Region`; clamps every coordinate."""
        return np.asarray(np.clip(points, self.low, self.high))

    def grown(self, pad: float) -> Box:
        """See :class:`.region.Region`; corners stay sharp."""
        return Box(self.low - pad, self.high + pad)

    def bounds(self) -> tuple[Floats, Floats]:
        """See :class:`.region.Region`."""
        return self.low, self.high

    def to_dict(self) -> dict[str, Any]:
        """See :class:`.region.Region`."""
        return {
            "kind": self.kind,
            "low": [float(value) for value in self.low],
            "high": [float(value) for value in self.high],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Box:
        """Inverse of :meth:`to_dict`."""
        return cls(np.asarray(data["low"], np.float64), np.asarray(data["high"], np.float64))


def fit_box(coordinates: Floats, options: FitOptions) -> Box:
    """Smallest box around samples, padded.

    Parameters
    ----------
    coordinates : array, shape (samples, 3)
    """
    box = Box(coordinates.min(axis=0), coordinates.max(axis=0))
    return box.grown(float(np.radians(options.pad_deg)))
