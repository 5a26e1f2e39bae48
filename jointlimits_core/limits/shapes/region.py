"""What every region of coordinates can do; regions know nothing of rotations."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from ...arrays import Booleans, Floats


class Region(Protocol):
    """A closed, bounded set of points in three dimensions.

    Every method takes any number of points, shape (..., 3), in radians, all of them finite.
    """

    @property
    def kind(self) -> str:
        """Name in files: "box", "hull", ..."""

    def contains(self, points: Floats, tolerance: float = 1e-9) -> Booleans:
        """Tell which points are inside or within `tolerance` radians of it, shape (...)."""

    def nearest(self, points: Floats) -> Floats:
        """Nearest point of the region, shape (..., 3); a point inside is given back unchanged."""

    def grown(self, pad: float) -> Region:
        """Give the region moved outward by `pad` radians everywhere, as far as its kind allows."""

    def bounds(self) -> tuple[Floats, Floats]:
        """Lowest and highest coordinates, shapes (3,)."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data, "kind" among it; :func:`.fitting.region_from_dict` is the inverse."""


def within(points: Floats, nearest: Floats, tolerance: float) -> Booleans:
    """Tell which points are not farther than `tolerance` from their nearest ones, shape (...)."""
    apart = points - nearest
    return np.asarray(np.einsum("...i,...i->...", apart, apart) <= tolerance * tolerance)
