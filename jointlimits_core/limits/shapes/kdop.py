"""Discrete oriented polytopes: the least and the most along thirteen fixed lines.

The lines are those of Holden's article, through the faces, edges and corners of a cube that is
turned to the principal axes of the samples: twenty-six half-spaces. Its clamp goes through the
lines one after the other and so does not end at the nearest point, nor always inside; it is here,
as :class:`SequentialKDop`, to be compared with.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

from ...arrays import Floats
from .options import FitOptions
from .polytope import Polytope, enclosing
from .principal_axes import principal_axes


@dataclass(frozen=True, eq=False)
class KDop(Polytope):
    """Twenty-six half-spaces, with exact nearest points."""

    kind: str = "kdop"


@dataclass(frozen=True, eq=False)
class SequentialKDop(Polytope):
    """The same half-spaces with the article's clamp: one sweep over them, in their order.

    The points that it gives are not the nearest ones, and may be outside.
    """

    kind: str = "kdop-sequential"

    def nearest(self, points: Floats) -> Floats:
        """Where the sweep ends, shape (..., 3); a point inside is given back unchanged."""
        swept = np.array(points, dtype=np.float64)
        for normal, offset in zip(self.normals, self.offsets):
            swept -= np.maximum(swept @ normal - offset, 0.0)[..., None] * normal
        return swept


def article_lines() -> Floats:
    """Axes of a cube, then ways to its edges, then to its corners, shape (13, 3), units."""
    ways = np.array(list(product((0.0, 1.0, -1.0), repeat=3))[1:])
    # Of two opposite ways the one whose first part that is not zero is positive.
    leading = ways[np.arange(len(ways)), np.argmax(ways != 0.0, axis=1)]
    lines = ways[leading > 0.0]
    lengths = np.linalg.norm(lines, axis=1)
    order = np.argsort(lengths, kind="stable")
    return np.asarray(lines[order] / lengths[order, None])


def fit_kdop(points: Floats, options: FitOptions) -> KDop:
    """Enclose points along the lines of the article, padded.

    Parameters
    ----------
    points : array, shape (samples, 3)
    """
    return KDop(*_half_spaces(points, options))


def fit_sequential_kdop(points: Floats, options: FitOptions) -> SequentialKDop:
    """The same half-spaces, for the clamp of the article."""
    return SequentialKDop(*_half_spaces(points, options))


def _half_spaces(points: Floats, options: FitOptions) -> tuple[Floats, Floats]:
    # Each line downward and then upward, as the article clamps.
    lines = np.repeat(article_lines(), 2, axis=0) * np.tile([[-1.0], [1.0]], (13, 1))
    return enclosing(lines @ principal_axes(points), points, float(np.radians(options.pad_deg)))
