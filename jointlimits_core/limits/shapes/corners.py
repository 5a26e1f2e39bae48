"""Corners of polytopes given by half-spaces."""

from __future__ import annotations

import numpy as np

from ...arrays import Floats
from ...sphere import sphere_points
from .active_set import NearestInPolytope
from .convex_hull import hull_triangles, triangle_planes

_FAR = 4.0
"""Distance in multiples of the farthest face."""


def interior_point(normals: Floats, offsets: Floats) -> Floats:
    """Mean of points all round the surface, which is inside a convex region, shape (3,)."""
    far = _FAR * np.max(np.abs(offsets)) * sphere_points(24)
    return np.asarray(NearestInPolytope(normals, offsets)(far).mean(axis=0))


def corners_of(normals: Floats, offsets: Floats) -> Floats:
    """Corners of a bounded polytope that is not flat.

    Each half-space has a polar point, its normal divided by its distance from an interior point;
    the planes of the hull of those points are the polar planes of the corners.

    Parameters
    ----------
    normals : array, shape (half-spaces, 3)
        Outward unit vectors.
    offsets : array, shape (half-spaces,)

    Returns
    -------
    array, shape (corners, 3)
        In no particular order; a corner where more than three faces meet may be repeated.
    """
    centre = interior_point(normals, offsets)
    # From a point close to a face the others are ill-conditioned: repeat from the middle.
    return _seen_from(_seen_from(centre, normals, offsets).mean(axis=0), normals, offsets)


def _seen_from(centre: Floats, normals: Floats, offsets: Floats) -> Floats:
    polar = normals / (offsets - normals @ centre)[:, None]
    found, distances = triangle_planes(polar, hull_triangles(polar))
    return np.asarray(centre + found / distances[:, None])
