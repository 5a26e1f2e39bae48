"""Axis-aligned box.

Box along the principal axes of the samples.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..geometry import Booleans, Floats
from .options import FitOptions
from .region import principal_axes, within


@dataclass(frozen=True, eq=False)
class Box:
    """Range of every coordinate; see :class:`.region.Region`.

    `low` and `high` have shape (3,): radians.
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
    """Smallest box around samples, padded. `coordinates` has shape (samples, 3)."""
    box = Box(coordinates.min(axis=0), coordinates.max(axis=0))
    return box.grown(float(np.radians(options.pad_deg)))


@dataclass(frozen=True, eq=False)
class OrientedBox:
    """An oriented box; see :class:`.region.Region`.

    Parameters
    ----------
    axes : array, shape (3, 3)
        Rows are perpendicular unit vectors.
    low, high : array, shape (3,)
        Along the axes, radians.
    """

    axes: Floats
    low: Floats
    high: Floats
    kind: str = "obb"

    def contains(self, points: Floats, tolerance: float = 1e-9) -> Booleans:
        """See :class:`.region.Region`."""
        return within(points, self.nearest(points), tolerance)

    def nearest(self, points: Floats) -> Floats:
        """See :class:`.region.Region`; clamps along each axis."""
        along = points @ self.axes.T
        clamped = np.clip(along, self.low, self.high)
        inside = np.all(along == clamped, axis=-1, keepdims=True)
        return np.asarray(np.where(inside, points, clamped @ self.axes))

    def grown(self, pad: float) -> OrientedBox:
        """See :class:`.region.Region`; corners stay sharp."""
        return OrientedBox(self.axes, self.low - pad, self.high + pad)

    def bounds(self) -> tuple[Floats, Floats]:
        """See :class:`.region.Region`."""
        middle, half = 0.5 * (self.low + self.high), 0.5 * (self.high - self.low)
        centre, reach = middle @ self.axes, half @ np.abs(self.axes)
        return centre - reach, centre + reach

    def to_dict(self) -> dict[str, Any]:
        """See :class:`.region.Region`."""
        return {
            "kind": self.kind,
            "axes": [[float(value) for value in axis] for axis in self.axes],
            "low": [float(value) for value in self.low],
            "high": [float(value) for value in self.high],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> OrientedBox:
        """Inverse of :meth:`to_dict`."""
        axes, low, high = (np.asarray(data[name], np.float64) for name in ("axes", "low", "high"))
        return cls(axes, low, high)


def fit_oriented_box(coordinates: Floats, options: FitOptions) -> OrientedBox:
    """Box along the principal axes of samples, padded. `coordinates` has shape (samples, 3)."""
    axes = principal_axes(coordinates)
    along = coordinates @ axes.T
    box = OrientedBox(axes, along.min(axis=0), along.max(axis=0))
    return box.grown(float(np.radians(options.pad_deg)))
