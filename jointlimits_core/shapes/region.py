"""Interface of regions of coordinates; regions do not depend on rotations.

Faces of regions: outward directions as stored, and unit normals.

Principal axes of points.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, Protocol

import numpy as np

from ..geometry import Booleans, Floats


def unit_rows(directions: Floats) -> Floats:
    """Nonzero directions scaled to unit length, shape (directions, 3)."""
    return np.asarray(directions / np.linalg.norm(directions, axis=1, keepdims=True))


class Faced:
    """Mixin for regions with faces; `directions` point outward, with approximately unit length.

    They are normalized before use, so that files can hold few digits.
    """

    directions: Floats
    """Shape (faces, 3)."""

    @cached_property
    def normals(self) -> Floats:
        """Outward unit normals, shape (faces, 3)."""
        return unit_rows(self.directions)


def principal_axes(points: Floats) -> Floats:
    """Directions from the largest to the smallest spread, rows, shape (3, 3).

    Computed as a symmetric eigenvalue problem, which keeps the axes perpendicular for any samples;
    the power iteration of Holden's article does not. Each axis has a positive largest component.
    `points` has shape (samples, 3).
    """
    apart = points - points.mean(axis=0)
    axes: Floats = np.linalg.eigh(apart.T @ apart)[1].T[::-1]
    largest = np.take_along_axis(axes, np.abs(axes).argmax(axis=1)[:, None], axis=1)
    return np.asarray(axes * np.where(largest < 0.0, -1.0, 1.0))


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
