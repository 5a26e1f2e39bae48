"""Convex hulls (the default shape), and polytopes with thirteen fixed lines.

The lines are those of Holden's article, through the faces, edges and corners of a cube aligned with
the principal axes of the samples: twenty-six half-spaces. The article's clamp processes the lines
one after the other, so it does not end at the nearest point, nor always inside; it is here as
:class:`SequentialKDop` for comparison.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

from ..geometry import Floats, sphere_points
from .coupled_limit import FitOptions
from .polytope import Polytope, enclosing, hull_triangles, triangle_planes
from .region import FITS, REGIONS, principal_axes

_SAME_FACE = 3
"""Decimals to which normals are compared, half a milliradian, to tell faces apart."""


@dataclass(frozen=True, eq=False)
class Hull(Polytope):
    """A convex hull, or the half-spaces around one in a number of directions."""

    kind: str = "hull"


def fit_hull(points: Floats, options: FitOptions) -> Hull:
    """Enclose points in directions spread evenly over the sphere, padded.

    `points` has shape (samples, 3). `options`: `directions` is their number; each comes with its
    opposite, so there are twice as many. Slightly larger than the convex hull; its size in files
    does not grow with the samples.
    """
    directions = both_ways(options.directions)
    return Hull(*enclosing(directions, points, float(np.radians(options.pad_deg))))


def fit_exact_hull(points: Floats, options: FitOptions) -> Hull:
    """Convex hull of points, every face moved outward by the padding.

    Nearly parallel faces are replaced by one, moved outward to contain the points. The half-spaces
    of :func:`fit_hull` are added: they only touch the hull, but cut off some of the corners that
    the padding makes grow. `points` has shape (samples, 3): not all in one plane. Raises
    EstimationError if all points are in one plane.
    """
    normals, _ = triangle_planes(points, hull_triangles(points))
    _, kept = np.unique(np.round(normals, _SAME_FACE), axis=0, return_index=True)
    directions = np.concatenate([normals[np.sort(kept)], both_ways(options.directions)])
    return Hull(*enclosing(directions, points, float(np.radians(options.pad_deg))))


def both_ways(count: int) -> Floats:
    """Directions spread evenly over half the sphere, then their opposites, shape (2 count, 3)."""
    half = sphere_points(2 * count)[:count]
    return np.concatenate([half, -half])


@dataclass(frozen=True, eq=False)
class KDop(Polytope):
    """Twenty-six half-spaces, with exact nearest points."""

    kind: str = "kdop"


@dataclass(frozen=True, eq=False)
class SequentialKDop(Polytope):
    """The same half-spaces with the article's clamp: one sweep over them, in order.

    The result is not the nearest point, and may be outside.
    """

    kind: str = "kdop-sequential"

    def nearest(self, points: Floats) -> Floats:
        """Result of the sweep, shape (..., 3); points inside are unchanged."""
        swept = np.array(points, dtype=np.float64)
        for normal, offset in zip(self.normals, self.offsets):
            swept -= np.maximum(swept @ normal - offset, 0.0)[..., None] * normal
        return swept


def article_lines() -> Floats:
    """Lines to the faces of a cube, then its edges, then its corners, unit, shape (13, 3)."""
    ways = np.array(list(product((0.0, 1.0, -1.0), repeat=3))[1:])
    # Of two opposite directions, the one whose first nonzero component is positive.
    leading = ways[np.arange(len(ways)), np.argmax(ways != 0.0, axis=1)]
    lines = ways[leading > 0.0]
    lengths = np.linalg.norm(lines, axis=1)
    order = np.argsort(lengths, kind="stable")
    return np.asarray(lines[order] / lengths[order, None])


def fit_kdop(points: Floats, options: FitOptions) -> KDop:
    """Enclose points along the lines of the article, padded. `points` has shape (samples, 3)."""
    return KDop(*_half_spaces(points, options))


def fit_sequential_kdop(points: Floats, options: FitOptions) -> SequentialKDop:
    """Same half-spaces, with the article's clamp."""
    return SequentialKDop(*_half_spaces(points, options))


def _half_spaces(points: Floats, options: FitOptions) -> tuple[Floats, Floats]:
    # Each line downward and then upward, as in the article.
    lines = np.repeat(article_lines(), 2, axis=0) * np.tile([[-1.0], [1.0]], (13, 1))
    return enclosing(lines @ principal_axes(points), points, float(np.radians(options.pad_deg)))


FITS.update({"hull": fit_hull, "hull-exact": fit_exact_hull})
FITS.update({"kdop": fit_kdop, "kdop-sequential": fit_sequential_kdop})
REGIONS.update({"hull": Hull.from_dict, "kdop": KDop.from_dict})
REGIONS["kdop-sequential"] = SequentialKDop.from_dict
