"""Shapes by name: fitting to rotations, and reading from plain data.

Joints that turn about one or two axes get a range, or a region of two angles: a three-dimensional
shape around such motion has no volume, or volume that the joint cannot use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..base.errors import EstimationError
from ..base.options import option
from ..base.text import suggestion
from ..geometry import quaternion
from ..geometry.arrays import ArrayLike, Floats
from ..geometry.axes import fit_universal as best_axes
from ..geometry.circle import contiguous_interval
from . import charts, coupled_limit, hull, implicit_fit, polytope, region, validation, wrap
from .flat import MAX_FLAT_RAD, Flat, flat_around, flat_region
from .implicit_surface import ImplicitSurface
from .shape import CoupledShape

FITS: dict[str, region.RegionFit] = {
    "hull": hull.fit_hull,
    "box": region.fit_box,
    "obb": region.fit_oriented_box,
    "ellipsoid": region.fit_ellipsoid,
    "kdop": hull.fit_kdop,
    "wrap": wrap.fit_wrap,
    "implicit": implicit_fit.fit_implicit,
}
"""Function that fits a region, for each value of ``--shape``."""
REGIONS: dict[str, Callable[[Mapping[str, Any]], region.Region]] = {
    "flat": Flat.from_dict,
    "hull": polytope.Polytope.from_dict,
    "box": region.Box.from_dict,
    "obb": region.OrientedBox.from_dict,
    "ellipsoid": region.Ellipsoid.from_dict,
    "kdop": polytope.Polytope.from_dict,
    "wrap": wrap.Wrap.from_dict,
    "implicit": ImplicitSurface.from_dict,
}
"""Function that reads checked data, for each kind of region in files."""

UNIT_TOLERANCE = 1e-3
MAX_DISTANCE_RAD = float(np.radians(300.0))
"""Largest distance from the centre; motion beyond it has gone all the way round."""
MAX_SWING_RAD = float(np.radians(170.0))
"""Largest swing: near half a turn, swing and twist are no longer distinct."""
MAX_STEP_RAD = float(np.radians(30.0))
"""A larger turn between samples counts as a cut, with an unknown direction."""
MAX_CENTRING_STEPS = 15
"""Maximum number of steps; three or four suffice for most joints, wide motion needs more."""
MAX_CENTRING_ERROR_RAD = float(np.radians(0.02))


def checked_rotations(rotations: ArrayLike) -> Floats:
    """Samples as exactly normalized unit quaternions, shape (samples, 4).

    Raises EstimationError for a wrong shape, no samples, or samples that are not finite or not unit
    quaternions.
    """
    samples = np.asarray(rotations, dtype=np.float64)
    if samples.ndim != 2 or samples.shape[1] != 4:
        raise EstimationError(
            f"rotations must have the shape (samples, 4), in the order x y z w, not {samples.shape}"
        )
    if len(samples) == 0:
        raise EstimationError("no samples to fit a shape to")
    broken = np.flatnonzero(~np.isfinite(samples).all(axis=1))
    if broken.size:
        raise EstimationError(
            f"{broken.size} of {len(samples)} samples are not finite, starting with sample "
            f"{broken[0]}; leave them out or repair the clip"
        )
    length = np.linalg.norm(samples, axis=1)
    wrong = np.flatnonzero(np.abs(length - 1.0) > UNIT_TOLERANCE)
    if wrong.size:
        raise EstimationError(
            f"{wrong.size} of {len(samples)} samples are not unit quaternions, starting with "
            f"sample {wrong[0]} of length {length[wrong[0]]:.3g}"
        )
    return quaternion.normalize(samples)


def checked_axis(axis: ArrayLike | None) -> Floats:
    """Unit twist axis, shape (3,). Raises EstimationError if it is missing or zero."""
    if axis is None:
        raise EstimationError('the coordinates "swing-twist" need a twist axis')
    vector = np.asarray(axis, dtype=np.float64)
    length = float(np.linalg.norm(vector)) if vector.shape == (3,) else 0.0
    if not 1e-9 < length < np.inf:
        raise EstimationError(f"the twist axis must be three numbers, not all zero; found {axis!r}")
    return vector / length


def check_reach(coordinates: Floats, chart: charts.Chart) -> None:
    """Raise EstimationError for motion beyond the range in which its coordinates are unique."""
    farthest = float(np.max(np.linalg.norm(coordinates, axis=1)))
    if farthest > MAX_DISTANCE_RAD:
        raise EstimationError(
            f"the motion turns {np.degrees(farthest):.0f} degrees away from its centre: it goes "
            "round and round, which no shape can limit; leave this joint without a shape"
        )
    swing = float(np.max(np.linalg.norm(coordinates[:, :2], axis=1)))
    if chart.kind == "swing-twist" and swing > MAX_SWING_RAD:
        raise EstimationError(
            f"the motion swings {np.degrees(swing):.0f} degrees away from its centre, where swing "
            'and twist are ambiguous; use the coordinates "rotation-vector"'
        )


def unroll(rotations: Floats, chart: charts.Chart) -> Floats:
    """Coordinates that do not jump at the half turn during continuous motion, shape (samples, 3).

    Only motion that crosses the half-turn boundary in small steps is moved, and a stretch between
    two cuts moves as a whole to the side that holds most of it. (In Holden's article, a cut can put
    the rest of a clip on the wrong side.) `rotations` has shape (samples, 4), in time order.
    """
    coordinates = chart.coordinates(rotations)
    apart = np.diff(coordinates, axis=0)
    if not np.any(np.einsum("ij,ij->i", apart, apart) > np.pi**2):
        return coordinates
    cut = quaternion.angle_between(rotations[1:], rotations[:-1]) > MAX_STEP_RAD
    times = np.concatenate([[0], np.cumsum(np.where(cut, 0, chart.crossings(coordinates)))])
    starts = np.concatenate([[0], np.flatnonzero(cut) + 1])
    counts = np.diff(np.append(starts, len(times)))
    means = np.add.reduceat(times, starts) / counts
    return chart.wind(coordinates, times - np.repeat(np.round(means).astype(np.int64), counts))


def chordal_mean(rotations: Floats) -> Floats:
    """Mean rotation, independent of signs (Markley): the principal eigenvector of ``sum q q^T``.

    `rotations` has shape (samples, 4): unit quaternions of any sign. The result has shape (4,).
    """
    return region.with_positive_lead(np.linalg.eigh(rotations.T @ rotations)[1][:, -1])


def midrange_centre(
    rotations: Floats, chart_at: Callable[[Floats], charts.Chart] = charts.RotationVectors
) -> Floats:
    """Rotation at which the oriented box of the coordinates is centred at zero, shape (4,).

    The box is oriented so that the choice of axes does not matter and flat motion stays flat. Only
    the extremes count, not how long a pose was held, so that the half-turn boundary is as far as
    possible from all samples. Each step moves the centre to the middle of the box as seen from the
    previous centre. If that does not converge, because the motion goes all the way round, the
    result is the centre whose farthest sample is nearest. `rotations`: as for :func:`unroll`.
    """
    centre = chordal_mean(rotations)
    best, least = centre, np.inf
    for _ in range(MAX_CENTRING_STEPS):
        chart = chart_at(centre)
        seen = unroll(rotations, chart)
        axes = region.principal_axes(seen)
        along = seen @ axes.T
        step = 0.5 * (along.min(axis=0) + along.max(axis=0)) @ axes
        if float(np.max(np.abs(step))) < MAX_CENTRING_ERROR_RAD:
            best = centre
            break
        farthest = float(np.max(np.einsum("ij,ij->i", seen, seen)))
        if farthest < least:
            best, least = centre, farthest
        centre = chart.rotation(step)
    # The last digits depend on the memory layout of the samples.
    return quaternion.normalize(np.round(best, 12))


def turns_about_one_axis(rotations: Floats) -> bool:
    """Whether rotations, shape (samples, 4), turn about one axis, within :data:`.MAX_FLAT_RAD`."""
    circle = np.linalg.eigh(rotations.T @ rotations)[1][:, 2:]
    beside = rotations - (rotations @ circle) @ circle.T
    farthest = np.sqrt(np.max(np.einsum("ij,ij->i", beside, beside)))
    return bool(2.0 * farthest <= MAX_FLAT_RAD)


def fit_hinge(
    rotations: Floats, options: coupled_limit.FitOptions, slack: bool = False
) -> CoupledShape:
    """Range of turns about one axis; a single point if nothing turns.

    The nearest rotation about an axis is exactly the twist about it, for any swing, and the nearest
    twist in a range is exactly the range's nearest end on the circle. `rotations` has shape
    (samples, 4). `slack`: whether to allow as much swing as the samples have.
    """
    mean = chordal_mean(rotations)
    # The axis of the great circle nearest to the rotations, in the joint's own space.
    second = np.linalg.eigh(rotations.T @ rotations)[1][:, 2]
    across = second - (second @ mean) * mean
    axis = quaternion.multiply(quaternion.conjugate(mean), across)[:3]
    axis = region.with_positive_lead(axis / np.linalg.norm(axis))
    chart = charts.SwingTwist(mean, axis)
    arc = contiguous_interval(chart.coordinates(rotations)[:, 2])
    middle = quaternion.quaternion_from_axis_angle(axis, 0.5 * (arc.low + arc.high))
    chart = charts.SwingTwist(quaternion.multiply(mean, middle), axis)
    coordinates = chart.coordinates(rotations)
    if not slack:
        coordinates[:, :2] = 0.0
    return _fit_along(chart, coordinates, np.eye(3)[2:], options)


def fit_universal(
    rotations: Floats, options: coupled_limit.FitOptions, slack: bool = False
) -> CoupledShape:
    """Convex region of the angles about two axes, one fixed in the parent and one in the joint.

    The nearest rotation that such a joint can reach is found exactly, then projected to the nearest
    pair of angles in the region. If the samples turn about only one axis, the result is a range.
    `slack`: whether to allow as much turning about the third axis as the samples have.
    """
    if turns_about_one_axis(rotations):
        return fit_hinge(rotations, options, slack)
    fit = best_axes(rotations.T[None])
    chart = _universal_chart(chordal_mean(rotations), fit.parent_axes[0], fit.child_axes[0])
    angles = chart.coordinates(rotations)
    arc = contiguous_interval(angles.T[[0, 2]])
    outer, inner = 0.5 * (arc.low + arc.high)
    centre = chart.rotation([outer, 0.0, inner])
    chart = _universal_chart(centre, fit.parent_axes[0], fit.child_axes[0])
    coordinates = chart.coordinates(rotations)
    if not slack:
        coordinates[:, 1] = 0.0
    return _fit_along(chart, coordinates, np.eye(3)[[0, 2]], options)


def _fit_along(
    chart: charts.Chart, coordinates: Floats, axes: Floats, options: coupled_limit.FitOptions
) -> CoupledShape:
    found = flat_region(coordinates, np.zeros(3), axes)
    if np.ptp(found.corners, axis=0).max() <= MAX_FLAT_RAD:
        found = flat_region(coordinates, coordinates.mean(axis=0), np.zeros((0, 3)))
    # Padding extends a range to at most a full turn.
    half = float(np.ptp(found.corners[:, 0])) / 2.0 if len(found.axes) == 1 else 0.0
    pad = min(options.pad_rad, max(np.pi - half, 0.0))
    return CoupledShape(chart, found.grow(pad))


def _universal_chart(near: Floats, parent_axis: Floats, child_axis: Floats) -> charts.TwoAxes:
    """Chart at the nearest rotation that a universal joint can reach."""
    seen = quaternion.matrix_from_quaternion(near).T @ parent_axis
    outer = seen - (seen @ child_axis) * child_axis
    outer = outer / np.linalg.norm(outer)
    turn = quaternion.multiply(near, quaternion.quaternion_between_vectors(outer, seen))
    return charts.TwoAxes(quaternion.normalize(turn), outer, child_axis)


TYPED: dict[str, Callable[[Floats, coupled_limit.FitOptions], CoupledShape]] = {
    "hinge": fit_hinge,
    "universal": fit_universal,
}
"""Function that fits a shape to rotations, for each joint type that has its own shape."""


def fit_shape(
    kind: str,
    rotations: ArrayLike,
    options: coupled_limit.FitOptions = coupled_limit.FitOptions(),  # noqa: B008 - frozen
    axis: ArrayLike | None = None,
) -> CoupledShape:
    """Fit a shape to the rotations of one joint.

    Raises EstimationError if no shape can be fitted, or the result would be invalid in a file.
    `kind`: from :data:`FITS` or :data:`TYPED`. `rotations` has shape (samples, 4): unit quaternions
    of any sign, relative to the parent, in time order. `axis` has shape (3,): twist axis in the
    joint's own space, for the coordinates "swing-twist".
    """
    if kind not in {**FITS, **TYPED}:
        known = ", ".join([*option("shape").choices, *TYPED])
        raise EstimationError(f"shape must be one of {known}, not {kind!r}{suggestion(kind, FITS)}")
    samples = checked_rotations(rotations)
    if kind in TYPED:
        shape = TYPED[kind](samples, options)
    elif turns_about_one_axis(samples):
        shape = fit_hinge(samples, options, slack=True)
    else:
        chart, coordinates = chart_motion(samples, options, axis)
        flat = flat_around(coordinates)
        fitted = flat.grow(options.pad_rad) if flat else FITS[kind](coordinates, options)
        shape = CoupledShape(chart, fitted)
    wrong = next(validation.shape_problems(shape.to_dict()), None)
    if wrong is not None:
        raise EstimationError(f"shape {kind!r} cannot be used for this motion: {wrong}")
    return shape


def chart_motion(
    rotations: Floats, options: coupled_limit.FitOptions, axis: ArrayLike | None = None
) -> tuple[charts.Chart, Floats]:
    """Chart at the centre of a motion, and the motion's coordinates in it, shape (samples, 3).

    Coordinates go beyond half a turn from the centre where the motion does. `rotations` has shape
    (samples, 4): unit quaternions in time order. `axis` has shape (3,).
    """

    def chart_at(centre: Floats) -> charts.Chart:
        if options.coordinates == "swing-twist":
            return charts.SwingTwist(centre, checked_axis(axis))
        return charts.RotationVectors(centre)

    chart = chart_at(midrange_centre(rotations, chart_at))
    coordinates = unroll(rotations, chart)
    check_reach(coordinates, chart)
    return chart, coordinates


def shape_from_dict(data: Mapping[str, Any]) -> CoupledShape:
    """Inverse of a shape's ``to_dict``. Raises ValueError with the location of the error."""
    validation.raise_first_problem(validation.shape_problems(data))
    return _shape(data["coordinates"], data["region"])


def shape_of_limit(coupled: coupled_limit.CoupledLimit) -> CoupledShape:
    """Shape of a coupled limit; its data was checked when the limit set was read."""
    return _shape(coupled.coordinates, coupled.region)


def _shape(coordinates: Mapping[str, Any], inside: Mapping[str, Any]) -> CoupledShape:
    chart = charts.CHARTS[coordinates["kind"]](coordinates)
    return CoupledShape(chart, REGIONS[inside["kind"]](inside))
