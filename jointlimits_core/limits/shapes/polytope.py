"""Intersections of half-spaces, with exact nearest points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from ...arrays import Booleans, Floats
from .active_set import NearestInPolytope
from .convex_hull import farthest_along, hull_triangles
from .corners import corners_of
from .faces import Faced, unit_rows
from .scalar_polytope import ScalarPolytope
from .triangles import nearest_on_triangles

Some = TypeVar("Some", bound="Polytope")

_DIGITS = 7
"""Decimals of numbers in files."""
_LEAST_PAD = 1e-6
"""Radians; keeps a polytope without padding from being flat."""
_FEW = 4
"""Number of points up to which plain Python is faster."""


@dataclass(frozen=True, eq=False)
class Polytope(Faced):
    """All points x with ``directions @ x <= offsets``, bounded and not flat.

    Parameters
    ----------
    directions : array, shape (half-spaces, 3)
        Outward, see :class:`.faces.Faced`.
    offsets : array, shape (half-spaces,)
        Distances of the faces from the origin along the unit directions, radians.
    """

    directions: Floats
    offsets: Floats
    kind: str = "polytope"

    @cached_property
    def _solver(self) -> NearestInPolytope:
        return NearestInPolytope(self.normals, self.offsets, self._nearest_on_surface)

    @cached_property
    def _scalar(self) -> ScalarPolytope:
        return ScalarPolytope(self.directions.tolist(), self.offsets.tolist())

    @cached_property
    def vertices(self) -> Floats:
        """Corners, shape (corners, 3), in no particular order."""
        return corners_of(self.normals, self.offsets)

    def contains(self, points: Floats, tolerance: float = 1e-9) -> Booleans:
        """See :class:`.region.Region`; `tolerance` is measured to the farthest face."""
        beyond = np.asarray(points, dtype=np.float64) @ self.normals.T - self.offsets
        return np.asarray((beyond <= tolerance).all(axis=-1))

    def nearest(self, points: Floats) -> Floats:
        """See :class:`.region.Region`."""
        given = np.asarray(points, dtype=np.float64)
        if given.size > 3 * _FEW:
            return self._solver(given)
        found = [self._scalar.nearest((x, y, z)) for x, y, z in given.reshape(-1, 3).tolist()]
        return np.asarray(found, dtype=np.float64).reshape(given.shape)

    def grown(self: Some, pad: float) -> Some:
        """Polytope with every face moved outward by `pad` radians.

        Faces keep their directions, so corners and edges stay sharp and move by more than `pad`: a
        corner by ``pad / cos(a)``, with a the angle between its outward direction and its faces.
        """
        return replace(self, offsets=self.offsets + pad)

    def bounds(self) -> tuple[Floats, Floats]:
        """See :class:`.region.Region`."""
        return self.vertices.min(axis=0), self.vertices.max(axis=0)

    def to_dict(self) -> dict[str, Any]:
        """See :class:`.region.Region`."""
        return {
            "kind": self.kind,
            "directions": self.directions.tolist(),
            "offsets_rad": self.offsets.tolist(),
        }

    @classmethod
    def from_dict(cls: type[Some], data: Mapping[str, Any]) -> Some:
        """Inverse of :meth:`to_dict`."""
        directions = np.asarray(data["directions"], dtype=np.float64).reshape(-1, 3)
        return cls(directions, np.asarray(data["offsets_rad"], dtype=np.float64))

    def _nearest_on_surface(self, points: Floats) -> Floats:
        """Nearest points of the surface, (n, 3), for points outside."""
        surface = self.vertices[hull_triangles(self.vertices)]
        return nearest_on_triangles(points, surface)


def enclosing(directions: Floats, points: Floats, pad: float) -> tuple[Floats, Floats]:
    """Tight half-spaces around points in given directions, moved outward by a padding.

    Parameters
    ----------
    directions : array, shape (half-spaces, 3)
    points : array, shape (samples, 3)
    pad : float
        Radians.

    Returns
    -------
    directions, offsets : array
        For a :class:`Polytope`; rounded to few decimals, the offsets upward.
    """
    short = np.round(directions, _DIGITS)
    reach = farthest_along(unit_rows(short), points) + max(pad, _LEAST_PAD)
    return short, np.asarray(np.ceil(reach * 10.0**_DIGITS) / 10.0**_DIGITS)
