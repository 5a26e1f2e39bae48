"""Boxes along the coordinate axes, and along the principal axes of the samples."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..geometry import Floats
from .coupled_limit import FitOptions
from .region import StoredRegion, principal_axes


@dataclass(frozen=True, eq=False)
class Box(StoredRegion):
    """Range of every coordinate; see :class:`.region.Region`.

    `low` and `high` have shape (3,): radians.
    """

    low: Floats
    high: Floats
    kind: str = "box"

    def nearest(self, points: Floats) -> Floats:
        """See :class:`.region.Region`; clamps every coordinate."""
        return np.asarray(np.clip(points, self.low, self.high))

    def grown(self, pad: float) -> Box:
        """See :class:`.region.Region`; corners stay sharp."""
        return Box(self.low - pad, self.high + pad)

    def bounds(self) -> tuple[Floats, Floats]:
        """See :class:`.region.Region`."""
        return self.low, self.high


def fit_box(coordinates: Floats, options: FitOptions) -> Box:
    """Smallest box around samples, padded. `coordinates` has shape (samples, 3)."""
    box = Box(coordinates.min(axis=0), coordinates.max(axis=0))
    return box.grown(float(np.radians(options.pad_deg)))


@dataclass(frozen=True, eq=False)
class OrientedBox(StoredRegion):
    """An oriented box; see :class:`.region.Region`.

    `axes` has shape (3, 3): rows are perpendicular unit vectors. `low` and `high` have shape (3,):
    along the axes, radians.
    """

    axes: Floats
    low: Floats
    high: Floats
    kind: str = "obb"

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


def fit_oriented_box(coordinates: Floats, options: FitOptions) -> OrientedBox:
    """Box along the principal axes of samples, padded. `coordinates` has shape (samples, 3)."""
    axes = principal_axes(coordinates)
    along = coordinates @ axes.T
    box = OrientedBox(axes, along.min(axis=0), along.max(axis=0))
    return box.grown(float(np.radians(options.pad_deg)))
