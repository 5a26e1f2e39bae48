"""Convex hulls: the default shape."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...arrays import Floats
from ...estimation.box_volume import sphere_points
from .convex_hull import hull_triangles, triangle_planes
from .options import FitOptions
from .polytope import Polytope


@dataclass(frozen=True, eq=False)
class Hull(Polytope):
    """A convex hull, or the half-spaces that enclose one in a number of directions."""

    kind: str = "hull"


def fit_hull(points: Floats, options: FitOptions) -> Hull:
    """Enclose points in directions spread evenly over the sphere.

    Parameters
    ----------
    points : array, shape (samples, 3)
    options : FitOptions
        `directions` of them, each with its opposite: twice as many half-spaces.
    """
    directions = sphere_points(2 * options.directions)[: options.directions]
    along = directions @ points.T
    normals = np.concatenate([directions, -directions])
    offsets = np.concatenate([along.max(axis=1), -along.min(axis=1)])
    return Hull(normals, offsets + np.radians(options.pad_deg))


def fit_exact_hull(points: Floats, options: FitOptions) -> Hull:
    """Convex hull of points, with every face moved outward by the padding."""
    normals, offsets = triangle_planes(points, hull_triangles(points))
    return Hull(normals, offsets + np.radians(options.pad_deg))
