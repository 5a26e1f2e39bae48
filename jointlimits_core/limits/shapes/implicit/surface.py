"""A region bounded by an implicit surface."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as attribute
from typing import Any

import numpy as np

from ....arrays import Booleans, Floats
from .field import Primitives, field
from .nearest import nearest_on_surface
from .surface_points import surface_points


@dataclass(frozen=True, eq=False)
class ImplicitSurface:
    """Region where the field of some spheres reaches a level; see :class:`..region.Region`.

    The coordinates are those of the region's chart, by default rotation vectors at the centre of
    the data. The paper uses the vector part of the quaternion, whose length hardly changes near
    half a turn, where a unit of length is worth many degrees. Rotation vectors preserve angles from
    the centre, so the nearest point is also nearly the nearest in degrees.

    Parameters
    ----------
    level : float
        Greater than 0; the field inside is at least this.
    """

    primitives: Primitives
    level: float
    kind: str = "implicit"
    _points: list[Floats] = attribute(default_factory=list, repr=False)

    def contains(self, points: Floats, tolerance: float = 1e-9) -> Booleans:
        """See :class:`..region.Region`.

        Tests with every radius larger by the tolerance, which contains all points within the
        tolerance of the surface: along a step no distance to a centre grows by more than the step.
        """
        return np.asarray(field(points, self.primitives.grown(tolerance)) >= self.level)

    def nearest(self, points: Floats) -> Floats:
        """See :class:`..region.Region`.

        The set is not convex: where two of its parts are equally near, the result jumps from one
        to the other. See :mod:`.nearest` for the accuracy.
        """
        flat = np.asarray(points, dtype=np.float64).reshape(-1, 3)
        result = flat.copy()
        outside = ~self.contains(flat, 0.0)
        if outside.any():
            starts = self.surface_points
            result[outside] = nearest_on_surface(flat[outside], self.primitives, self.level, starts)
        return result.reshape(points.shape)

    def grown(self, pad: float) -> ImplicitSurface:
        """See :class:`..region.Region`.

        Every radius grows. A single sphere grows by exactly `pad`; where several overlap the
        surface moves at least as far.
        """
        return ImplicitSurface(self.primitives.grown(pad), self.level)

    def bounds(self) -> tuple[Floats, Floats]:
        """See :class:`..region.Region`; enlarged by the spacing of the surface points."""
        points = self.surface_points
        margin = 0.02 * np.ptp(points, axis=0)
        return points.min(axis=0) - margin, points.max(axis=0) + margin

    @property
    def surface_points(self) -> Floats:
        """Points on the surface, shape (count, 3), computed on first use."""
        if not self._points:
            self._points.append(surface_points(self.primitives, self.level))
        return self._points[0]

    def to_dict(self) -> dict[str, Any]:
        """See :class:`..region.Region`."""
        return {
            "kind": self.kind,
            "centres_rad": self.primitives.centres.tolist(),
            "radii_rad": self.primitives.radii.tolist(),
            "stickiness_per_rad": float(self.primitives.stickiness),
            "level": float(self.level),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ImplicitSurface:
        """Inverse of :meth:`to_dict`."""
        centres = np.asarray(data["centres_rad"], dtype=np.float64).reshape(-1, 3)
        radii = np.asarray(data["radii_rad"], dtype=np.float64)
        return cls(
            Primitives(centres, radii, float(data["stickiness_per_rad"])), float(data["level"])
        )
