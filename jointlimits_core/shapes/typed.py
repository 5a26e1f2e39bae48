"""Limits of joints that turn about one or two axes: a range, or a region of two angles.

A three-dimensional shape around such motion has no volume, or volume that the joint cannot use.
These shapes project any rotation to the nearest one that the joint can reach, and into its range.
"""

from __future__ import annotations

import numpy as np

from ..geometry import (
    Floats,
    conjugate,
    contiguous_interval,
    matrix_from_quaternion,
    multiply,
    normalized,
    quaternion_between_vectors,
    quaternion_from_axis_angle,
)
from ..geometry import fit_universal as best_axes
from .charts import Chart, SwingTwist, TwoAxes
from .coupled_limit import FitOptions
from .flat import FLAT, Flat, flat_region
from .samples import chordal_mean, innermost
from .shape import CoupledShape


def turns_about_one_axis(rotations: Floats, tolerance: float = FLAT) -> bool:
    """Whether all rotations are about one axis, or identical.

    `rotations` has shape (samples, 4): unit quaternions of any sign. `tolerance`: allowed deviation
    of each, radians.
    """
    circle = np.linalg.eigh(rotations.T @ rotations)[1][:, 2:]
    beside = rotations - (rotations @ circle) @ circle.T
    farthest = np.sqrt(np.max(np.einsum("ij,ij->i", beside, beside)))
    return bool(2.0 * farthest <= tolerance)


def fit_hinge(rotations: Floats, options: FitOptions, slack: bool = False) -> CoupledShape:
    """Range of turns about one axis.

    The nearest rotation about an axis is the twist about it, whatever the swing, and the nearest
    twist in a range is its nearest end on the circle; both exactly. `rotations` has shape (samples,
    4): unit quaternions of any sign. `slack`: whether to allow as much swing as the samples have. A
    single point if nothing turns.
    """
    mean = chordal_mean(rotations)
    axis = _hinge_axis(rotations, mean)
    chart = SwingTwist(mean, axis)
    arc = contiguous_interval(chart.coordinates(rotations)[:, 2])
    middle = quaternion_from_axis_angle(axis, 0.5 * (arc.low + arc.high))
    chart = SwingTwist(multiply(mean, middle), axis)
    coordinates = chart.coordinates(rotations)
    if not slack:
        coordinates[:, :2] = 0.0
    axes = np.array([[0.0, 0.0, 1.0]])
    return _typed(chart, coordinates, axes, options)


def fit_universal(rotations: Floats, options: FitOptions) -> CoupledShape:
    """Convex region of the angles about two axes, one fixed in the parent and one in the joint.

    The nearest rotation that such a joint can reach is exact; it is then projected to the nearest
    pair of angles in the region. `rotations` has shape (samples, 4): unit quaternions of any sign.
    A range about one axis if the samples do not turn about a second.
    """
    if turns_about_one_axis(rotations):
        return fit_hinge(rotations, options)
    fit = best_axes(rotations.T[None])
    chart = _universal_chart(chordal_mean(rotations), fit.parent_axes[0], fit.child_axes[0])
    angles = chart.coordinates(rotations)
    arc = contiguous_interval(angles.T[[0, 2]])
    outer, inner = 0.5 * (arc.low + arc.high)
    centre = chart.rotation([outer, 0.0, inner])
    chart = _universal_chart(centre, fit.parent_axes[0], fit.child_axes[0])
    coordinates = chart.coordinates(rotations)
    coordinates[:, 1] = 0.0
    return _typed(chart, coordinates, np.eye(3)[[0, 2]], options)


def _typed(chart: Chart, coordinates: Floats, axes: Floats, options: FitOptions) -> CoupledShape:
    kept = coordinates[innermost(coordinates, options.trim_percent)]
    region = flat_region(kept, np.zeros(3), axes)
    if np.ptp(region.corners, axis=0).max() <= FLAT:
        region = flat_region(kept, kept.mean(axis=0), np.zeros((0, 3)))
    return CoupledShape(chart, _padded(region, float(np.radians(options.pad_deg))))


def _padded(region: Flat, pad: float) -> Flat:
    """Region grown by a padding, with ranges limited to a full turn."""
    half = float(np.ptp(region.corners[:, 0])) / 2.0 if len(region.axes) == 1 else 0.0
    return region.grown(min(pad, max(np.pi - half, 0.0)))


def _hinge_axis(rotations: Floats, mean: Floats) -> Floats:
    """Axis of the nearest great circle of rotations, in the joint's own space, shape (3,)."""
    circle = np.linalg.eigh(rotations.T @ rotations)[1][:, ::-1].T
    axis = multiply(conjugate(mean), circle[1] - (circle[1] @ mean) * mean)[:3]
    axis = axis / np.linalg.norm(axis)
    return np.asarray(axis * np.sign(axis[np.argmax(np.abs(axis))]))


def _universal_chart(near: Floats, parent_axis: Floats, child_axis: Floats) -> TwoAxes:
    """Chart at the nearest rotation that a universal joint can reach."""
    seen = matrix_from_quaternion(near).T @ parent_axis
    outer = seen - (seen @ child_axis) * child_axis
    outer = outer / np.linalg.norm(outer)
    centre = normalized(multiply(near, quaternion_between_vectors(outer, seen)))
    return TwoAxes(centre, outer, child_axis)
