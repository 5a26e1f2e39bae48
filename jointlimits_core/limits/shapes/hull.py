"""Convex hulls: the default shape."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...arrays import Floats
from ...sphere import sphere_points
from .convex_hull import hull_triangles, triangle_planes
from .options import FitOptions
from .polytope import Polytope, enclosing

_SAME_FACE = 3
"""Decimals in which normals have to differ, half a milliradian, to be those of different faces."""


@dataclass(frozen=True, eq=False)
class Hull(Polytope):
    """A convex hull, or the half-spaces that enclose one in a number of directions."""

    kind: str = "hull"


def fit_hull(points: Floats, options: FitOptions) -> Hull:
    """Enclose points in directions spread evenly over the sphere, padded.

    Parameters
    ----------
    points : array, shape (samples, 3)
    options : FitOptions
        `directions` of them, each with its opposite: twice as many half-spaces.

    Returns
    -------
    Hull
        A little larger than the convex hull, and no larger with more samples or corners.
    """
    directions = _both_ways(options.directions)
    return Hull(*enclosing(directions, points, float(np.radians(options.pad_deg))))


def fit_exact_hull(points: Floats, options: FitOptions) -> Hull:
    """Convex hull of points, every face moved outward by the padding.

    Of faces that are all but parallel one stands for all, moved outward until it holds the points.
    The half-spaces of :func:`fit_hull` are there as well: they only touch the hull, but cut off
    some of the corners that grow out of it with the padding.

    Parameters
    ----------
    points : array, shape (samples, 3)
        Not all in one plane.

    Raises
    ------
    EstimationError
        For points that are all in one plane.
    """
    normals, _ = triangle_planes(points, hull_triangles(points))
    _, kept = np.unique(np.round(normals, _SAME_FACE), axis=0, return_index=True)
    directions = np.concatenate([normals[np.sort(kept)], _both_ways(options.directions)])
    return Hull(*enclosing(directions, points, float(np.radians(options.pad_deg))))


def _both_ways(count: int) -> Floats:
    """Directions spread evenly over half the sphere, then their opposites, shape (2 count, 3)."""
    half = sphere_points(2 * count)[:count]
    return np.concatenate([half, -half])
