"""Convex hulls (the default shape), and polytopes bounded along thirteen fixed lines.

The lines are those in Holden's article: through the face centres, edge centres and corners of a
cube aligned with the principal axes of the samples, which gives twenty-six half-spaces. The
article's clamp processes one line after another, so its result is not the nearest point and not
always inside; here the nearest point is exact.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from ..geometry import arrays, quaternion
from . import coupled_limit, polytope, region

DIRECTION_COUNT = 40


def fit_hull(points: arrays.Floats, options: coupled_limit.FitOptions) -> polytope.Polytope:
    """Padded polytope around points, with normals spread evenly over the sphere.

    `points` has shape (samples, 3). There are :data:`DIRECTION_COUNT` normals and as many opposite
    ones. The result is slightly larger than the convex hull; its size in files does not depend on
    the number of samples.
    """
    found = polytope.enclose(both_ways(DIRECTION_COUNT), points, options.pad_rad)
    return polytope.Polytope(*found)


def both_ways(count: int) -> arrays.Floats:
    """Directions spread evenly over half the sphere, then their opposites, shape (2 count, 3)."""
    half = quaternion.sphere_points(2 * count)[:count]
    return np.concatenate([half, -half])


def article_lines() -> arrays.Floats:
    """Unit vectors to the faces of a cube, then its edges, then its corners, shape (13, 3)."""
    ways = np.array(list(product((0.0, 1.0, -1.0), repeat=3))[1:])
    # Of two opposite directions, the one whose first nonzero component is positive.
    leading = ways[np.arange(len(ways)), np.argmax(ways != 0.0, axis=1)]
    lines = ways[leading > 0.0]
    lengths = np.linalg.norm(lines, axis=1)
    order = np.argsort(lengths, kind="stable")
    return np.asarray(lines[order] / lengths[order, None])


def fit_kdop(points: arrays.Floats, options: coupled_limit.FitOptions) -> polytope.Polytope:
    """Padded polytope around points, along the article's lines. `points`: shape (samples, 3)."""
    # Each line in its negative and then its positive direction, as in the article.
    lines = np.repeat(article_lines(), 2, axis=0) * np.tile([[-1.0], [1.0]], (13, 1))
    directions = lines @ region.principal_axes(points)
    return polytope.Polytope(*polytope.enclose(directions, points, options.pad_rad), "kdop")
