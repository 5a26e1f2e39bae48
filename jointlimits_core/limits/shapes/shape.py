"""A coupled limit: what every shape can do with a rotation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from ...arrays import ArrayLike, Booleans, Floats
from ...rotation import angle_between
from .charts import Chart
from .region import Region

PROJECTION_TOLERANCE = 1e-9
"""Radians; a projected rotation is inside within this."""


class Shape(Protocol):
    """A set of allowed rotations of one joint.

    Rotations are unit quaternions (x, y, z, w) of either sign, shape (..., 4), relative to the
    parent; leading axes are free.
    """

    @property
    def kind(self) -> str:
        """Name of the shape, as ``--shape`` takes it."""

    def contains(self, rotation: ArrayLike, tolerance: float = ...) -> Booleans:
        """Tell which rotations are allowed, shape (...)."""

    def project(self, rotation: ArrayLike) -> Floats:
        """Allowed rotation that is nearest in the shape's own coordinates, shape (..., 4)."""

    def distance(self, rotation: ArrayLike) -> Floats:
        """Angle from each rotation to its projection, radians, shape (...); 0 inside."""

    def freedom(self) -> float:
        """Share of all rotations that are allowed (Haar measure), 0 to 1."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data; :func:`.fitting.shape_from_dict` is the inverse."""


@dataclass(frozen=True, eq=False)
class CoupledShape:
    """A region in the coordinates of a chart: see :class:`Shape` for what it can do.

    Parameters
    ----------
    chart : Chart
    region : Region
    """

    chart: Chart
    region: Region

    @property
    def kind(self) -> str:
        """See :class:`Shape`."""
        return self.region.kind

    def contains(self, rotation: ArrayLike, tolerance: float = PROJECTION_TOLERANCE) -> Booleans:
        """See :class:`Shape`."""
        points = self.chart.coordinates(rotation)
        inside = self.region.contains(points, tolerance)
        if not self._wraps:
            return inside
        return inside | self.region.contains(self.chart.other_coordinates(points), tolerance)

    def project(self, rotation: ArrayLike) -> Floats:
        """See :class:`Shape`; a rotation inside is given back unchanged."""
        given = np.asarray(rotation, dtype=np.float64)
        points = self.chart.coordinates(given)
        nearest = self._nearest(points, given)
        moved = np.any(nearest != points, axis=-1, keepdims=True)
        return np.asarray(np.where(moved, self.chart.rotation(nearest), given))

    def distance(self, rotation: ArrayLike) -> Floats:
        """See :class:`Shape`."""
        return angle_between(rotation, self.project(rotation))

    def padded(self, pad: float) -> CoupledShape:
        """Give the shape grown by `pad` radians."""
        return replace(self, region=self.region.grown(pad))

    def freedom(self) -> float:
        """See :class:`Shape`."""
        from .freedom import freedom_of

        return freedom_of(self)

    def to_dict(self) -> dict[str, Any]:
        """See :class:`Shape`."""
        return {
            "kind": self.kind,
            "coordinates": self.chart.to_dict(),
            "region": self.region.to_dict(),
        }

    @property
    def _wraps(self) -> bool:
        """Whether the region goes beyond half a turn, so that rotations have two coordinates."""
        low, high = self.region.bounds()
        return bool(np.max(np.maximum(np.abs(low), np.abs(high))) > np.pi)

    def _nearest(self, points: Floats, given: Floats) -> Floats:
        nearest = self.region.nearest(points)
        if not self._wraps:
            return nearest
        other = self.chart.other_coordinates(points)
        beside = self.region.nearest(other)
        first = angle_between(given, self.chart.rotation(nearest))
        second = angle_between(given, self.chart.rotation(beside))
        # A point that is inside by its other coordinates stays where it is.
        stays = np.all(beside == other, axis=-1)
        beside = np.where(stays[..., None], points, beside)
        better = (second < first) & np.any(nearest != points, axis=-1)
        return np.asarray(np.where(better[..., None], beside, nearest))
