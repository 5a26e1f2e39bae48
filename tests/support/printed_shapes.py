"""Shapes for comparison: those of Holden's article as printed, and a hull with every face."""

from __future__ import annotations

import numpy as np

from jointlimits_core.geometry.arrays import Floats
from jointlimits_core.shapes.coupled_limit import FitOptions
from jointlimits_core.shapes.fitting import chart_motion, checked_rotations
from jointlimits_core.shapes.hull import fit_hull, fit_kdop
from jointlimits_core.shapes.polytope import Polytope, enclose, hull_triangles, triangle_planes
from jointlimits_core.shapes.region import MIN_RADIUS_RAD, Ellipsoid, principal_axes
from jointlimits_core.shapes.shape import CoupledShape

NORMAL_DIGITS = 3
"""Decimals to which normals are compared, half a milliradian, to tell faces apart."""


def fit_exact_hull(points: Floats, options: FitOptions) -> Polytope:
    """Convex hull of points, every face moved outward by the padding.

    Nearly parallel faces are replaced by one, moved outward to contain the points. The half-spaces
    of the default hull are added: they only touch the hull, but cut off some of the corners that
    the padding makes grow. `points` has shape (samples, 3): not all in one plane.
    """
    normals, _ = triangle_planes(points, hull_triangles(points))
    _, kept = np.unique(np.round(normals, NORMAL_DIGITS), axis=0, return_index=True)
    directions = np.concatenate([normals[np.sort(kept)], fit_hull(points, options).directions])
    return Polytope(*enclose(directions, points, float(np.radians(options.pad_deg))))


class SweptKDop(Polytope):
    """The k-DOP with the article's clamp: one sweep over its half-spaces, in order.

    The result is not the nearest point, and may be outside.
    """

    def nearest(self, points: Floats) -> Floats:
        """Result of the sweep, shape (..., 3); points inside are unchanged."""
        swept = np.array(points, dtype=np.float64)
        for normal, offset in zip(self.normals, self.offsets):
            swept -= np.maximum(swept @ normal - offset, 0.0)[..., None] * normal
        return swept


def fit_swept_kdop(points: Floats, options: FitOptions) -> SweptKDop:
    """The half-spaces of the k-DOP, with the article's clamp."""
    exact = fit_kdop(points, options)
    return SweptKDop(exact.directions, exact.offsets, exact.kind)


def fit_holden_ellipsoid(coordinates: Floats, options: FitOptions) -> Ellipsoid:
    """Ellipsoid of Holden's article, padded.

    Principal axes at the mean, radii proportional to the box around it, scaled until all samples
    are inside. In the article the padding only keeps radii from vanishing; here it is added, as for
    every other shape. `coordinates` has shape (samples, 3).
    """
    middle, axes = coordinates.mean(axis=0), principal_axes(coordinates)
    along = (coordinates - middle) @ axes.T
    reach = np.maximum(np.abs(along).max(axis=0), MIN_RADIUS_RAD)
    scale = np.sqrt(np.max(np.sum((along / reach) ** 2, axis=1)))
    ellipsoid = Ellipsoid(middle, axes, reach * max(float(scale), 1.0) * (1.0 + 1e-12))
    return ellipsoid.grow(float(np.radians(options.pad_deg)))


COMPARED = {
    "hull-exact": fit_exact_hull,
    "kdop-sequential": fit_swept_kdop,
    "ellipsoid-holden": fit_holden_ellipsoid,
}


def compared_shape(
    kind: str,
    rotations: Floats,
    options: FitOptions = FitOptions(),  # noqa: B008 - frozen
) -> CoupledShape:
    """Fit one of :data:`COMPARED` to rotations, shape (samples, 4), of a ball joint."""
    chart, coordinates = chart_motion(checked_rotations(rotations), options)
    return CoupledShape(chart, COMPARED[kind](coordinates, options))
