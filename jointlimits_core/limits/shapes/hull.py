"""Convex hulls, the default shape."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...arrays import Floats
from ...sphere import sphere_points
from .convex_hull import hull_triangles, triangle_planes
from .options import FitOptions
from .polytope import Polytope, enclosing

_SAME_FACE = 3
"""Decimals to which normals are compared, half a milliradian, to tell faces apart."""


@dataclass(frozen=True, eq=False)
class Hull(Polytope):
    """A convex hull, or the half-spaces around one in a number of directions."""

    kind: str = "hull"


def fit_hull(points: Floats, options: FitOptions) -> Hull:
    """Enclose points in directions spread evenly over the sphere, padded.

    Parameters
    ----------
    points : array, shape (samples, 3)
    options : FitOptions
        `directions` is their number; each comes with its opposite, so there are twice as many.

    Returns
    -------
    Hull
        Slightly larger than the convex hull; its size in files does not grow with the samples.
    """
    directions = _both_ways(options.directions)
    return Hull(*enclosing(directions, points, float(np.radians(options.pad_deg))))


def fit_exact_hull(points: Floats, options: FitOptions) -> Hull:
    """Convex hull of points, every face moved outward by the padding.

    Nearly parallel faces are replaced by one, moved outward to contain the points. The half-spaces
    of :func:`fit_hull` are added: they only touch the hull, but cut off some of the corners that
    the padding makes grow.

    Parameters
    ----------
    points : array, shape (samples, 3)
        Not all in one plane.

    Raises
    ------
    EstimationError
        If all points are in one plane.
    """
    normals, _ = triangle_planes(points, hull_triangles(points))
    _, kept = np.unique(np.round(normals, _SAME_FACE), axis=0, return_index=True)
    directions = np.concatenate([normals[np.sort(kept)], _both_ways(options.directions)])
    return Hull(*enclosing(directions, points, float(np.radians(options.pad_deg))))


def _both_ways(count: int) -> Floats:
    """Directions spread evenly over half the sphere, then their opposites, shape (2 count, 3)."""
    half = sphere_points(2 * count)[:count]
    return np.concatenate([half, -half])
