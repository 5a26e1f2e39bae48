"""Regions of fewer than three dimensions: a point, a line segment, a polygon in a plane."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...arrays import Booleans, Floats
from .polygon import convex_polygon, nearest_in_polygon
from .region import within

FLAT = float(np.radians(0.01))
"""Radians; samples with a smaller extent in a direction are flat in it."""


@dataclass(frozen=True, eq=False)
class Flat:
    """A convex polygon in a plane, rounded by a radius; see :class:`.region.Region`.

    Two corners form a line segment, which the radius extends; one corner is a point, without
    radius.

    Parameters
    ----------
    origin : array, shape (3,)
    axes : array, shape (dimension, 3)
        Perpendicular unit vectors along which it extends; 0, 1 or 2.
    corners : array, shape (corners, dimension)
        In order around the polygon.
    radius : float
        Rounding in radians, along `axes`.
    slack : float
        Tolerance in radians across `axes`: the deviation of the samples themselves.
    """

    origin: Floats
    axes: Floats
    corners: Floats
    radius: float = 0.0
    slack: float = 0.0
    kind: str = "flat"

    def contains(self, points: Floats, tolerance: float = 1e-9) -> Booleans:
        """See :class:`.region.Region`."""
        return within(points, self.nearest(points), tolerance)

    def nearest(self, points: Floats) -> Floats:
        """See :class:`.region.Region`; separately along and across the axes."""
        apart = points - self.origin
        along = apart @ self.axes.T
        across = apart - along @ self.axes
        inner = _drawn_in(along, nearest_in_polygon(along, self.corners), self.radius)
        outer = _drawn_in(across, np.zeros(3), self.slack)
        inside = np.all(inner == along, axis=-1) & np.all(outer == across, axis=-1)
        moved = self.origin + inner @ self.axes + outer
        return np.asarray(np.where(inside[..., None], points, moved))

    def grown(self, pad: float) -> Flat:
        """See :class:`.region.Region`; stays equally flat."""
        if len(self.axes) == 0:
            return self
        return replace(self, radius=max(self.radius + pad, 0.0))

    def bounds(self) -> tuple[Floats, Floats]:
        """See :class:`.region.Region`."""
        corners = self.origin + self.corners @ self.axes
        spread = self.radius * np.linalg.norm(self.axes, axis=0)
        across = self.slack * np.sqrt(np.maximum(1.0 - np.sum(self.axes**2, axis=0), 0.0))
        return corners.min(axis=0) - spread - across, corners.max(axis=0) + spread + across

    def to_dict(self) -> dict[str, Any]:
        """See :class:`.region.Region`."""
        return {
            "kind": self.kind,
            "origin": [float(value) for value in self.origin],
            "axes": [[float(value) for value in axis] for axis in self.axes],
            "corners": [[float(value) for value in corner] for corner in self.corners],
            "radius": self.radius,
            "slack": self.slack,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Flat:
        """Inverse of :meth:`to_dict`."""
        axes = np.asarray(data["axes"], np.float64).reshape(-1, 3)
        corners = np.asarray(data["corners"], np.float64).reshape(len(data["corners"]), len(axes))
        origin = np.asarray(data["origin"], np.float64)
        return cls(origin, axes, corners, float(data["radius"]), float(data["slack"]))


def flat_around(coordinates: Floats, tolerance: float = FLAT) -> Flat | None:
    """Region of samples that are flat in some direction, else None.

    Parameters
    ----------
    coordinates : array, shape (samples, 3)
    tolerance : float
        Radians.
    """
    # The mean lies in the plane of flat samples; the middle of their box need not.
    origin = coordinates.mean(axis=0)
    apart = coordinates - origin
    axes = np.linalg.eigh(apart.T @ apart)[1].T[::-1]
    extended = np.ptp(apart @ axes.T, axis=0) > tolerance
    return None if extended.all() else flat_region(coordinates, origin, axes[extended])


def flat_region(coordinates: Floats, origin: Floats, axes: Floats) -> Flat:
    """Smallest flat region around samples, given its plane or line.

    Parameters
    ----------
    coordinates : array, shape (samples, 3)
    origin : array, shape (3,)
    axes : array, shape (dimension, 3)
    """
    apart = coordinates - origin
    along = apart @ axes.T
    slack = float(np.max(np.linalg.norm(apart - along @ axes, axis=1)))
    # Slightly enlarged for rounding, so that the farthest sample is inside.
    return Flat(origin, axes, convex_polygon(along), 0.0, slack * (1.0 + 1e-12) + 1e-15)


def _drawn_in(points: Floats, core: Floats, radius: float) -> Floats:
    """Points moved to within `radius` of their nearest core point; nearer ones are unchanged."""
    apart = points - core
    length = np.linalg.norm(apart, axis=-1, keepdims=True)
    share = radius / np.where(length > radius, length, 1.0)
    return np.asarray(np.where(length > radius, core + share * apart, points))
