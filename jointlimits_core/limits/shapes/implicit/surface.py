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
    """Where the field of some spheres reaches a level: see :class:`..region.Region`.

    The coordinates are those of the region's chart, by default rotation vectors at the centre of
    the data. The paper takes the vector part of the quaternion, whose length hardly changes where
    the turn comes near to half a turn; there a unit of length is worth many degrees. Rotation
    vectors keep angles from the centre, and what is nearest in them is so nearly in degrees.

    Parameters
    ----------
    level : float
        Greater than 0; the field inside is at least as large.
    """

    primitives: Primitives
    level: float
    kind: str = "implicit"
    _points: list[Floats] = attribute(default_factory=list, repr=False)

    def contains(self, points: Floats, tolerance: float = 1e-9) -> Booleans:
        """See :class:`..region.Region`.

        With every radius larger by the tolerance, all that is within it of the surface is inside:
        no distance to a centre grows by more than a step's length, and the field only falls.
        """
        return np.asarray(field(points, self.primitives.grown(tolerance)) >= self.level)

    def nearest(self, points: Floats) -> Floats:
        """See :class:`..region.Region`.

        The set is not convex: where two of its parts are equally near, the result jumps from one
        to the other. See :mod:`.nearest` for how near to the true nearest point it is.
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

        Every radius grows. A single sphere moves by `pad` exactly; where several take part the
        surface moves at least as far.
        """
        return ImplicitSurface(self.primitives.grown(pad), self.level)

    def bounds(self) -> tuple[Floats, Floats]:
        """See :class:`..region.Region`; beyond every point of the surface by its spacing."""
        points = self.surface_points
        margin = 0.02 * np.ptp(points, axis=0)
        return points.min(axis=0) - margin, points.max(axis=0) + margin

    @property
    def surface_points(self) -> Floats:
        """Points on the surface, shape (count, 3), found when first asked for."""
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
