"""Interface of regions of coordinates; regions do not depend on rotations."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from ...arrays import Booleans, Floats


class Region(Protocol):
    """A closed, bounded set of points in three dimensions.

    Every method takes any number of points, shape (..., 3), in radians; all must be finite.
    """

    @property
    def kind(self) -> str:
        """Name in files: "box", "hull", ..."""

    def contains(self, points: Floats, tolerance: float = 1e-9) -> Booleans:
        """Which points are inside or within `tolerance` radians of it, shape (...)."""

    def nearest(self, points: Floats) -> Floats:
        """Nearest point of the region, shape (..., 3); points inside are unchanged."""

    def grown(self, pad: float) -> Region:
        """Region moved outward by `pad` radians everywhere, as far as its kind allows."""

    def bounds(self) -> tuple[Floats, Floats]:
        """Minimum and maximum coordinates, shapes (3,)."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data, including "kind"; inverse of :func:`.fitting.region_from_dict`."""


def within(points: Floats, nearest: Floats, tolerance: float) -> Booleans:
    """Which points are within `tolerance` of their nearest ones, shape (...)."""
    apart = points - nearest
    return np.asarray(np.einsum("...i,...i->...", apart, apart) <= tolerance * tolerance)
