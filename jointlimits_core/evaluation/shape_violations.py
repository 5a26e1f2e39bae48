"""Frames in which a clip leaves the coupled limits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..arrays import Floats
from ..findings import frame_ranges
from ..limits.coupled_limit import CoupledLimit
from ..limits.in_force import shapes_in_force
from ..limits.limit_set import LimitSet
from ..limits.shapes.fitting import shape_of_limit
from ..limits.shapes.flat import Flat
from ..rotation import angle_between
from .placement import Placed
from .violations import BoundViolation, Violations


def with_shape_violations(found: Violations, limit_set: LimitSet, clip: Placed) -> Violations:
    """Compare joints that have a coupled limit with that instead of their ranges.

    The two have different padding, so a motion projected into its shapes must be judged by them.

    Parameters
    ----------
    found : Violations
        Of the same clip.
    limit_set : LimitSet
        Joints without an active shape keep their violations.

    Returns
    -------
    Violations
        A shape violation has the channel "shape".
    """
    shapes = shapes_in_force(limit_set)
    outside = np.array(found.outside_deg)
    bounds = [bound for bound in found.bounds if bound.joint not in shapes]
    for row, name in enumerate(clip.names):
        if name not in shapes:
            continue
        outside[row] = _degrees_outside(shapes[name], clip.motion.rotations[clip.joints[row]].T)
        if outside[row].max() > found.tolerance_deg:
            bounds.append(_violation(name, shapes[name].kind, outside[row], found))
    bounds.sort(key=lambda item: -item.worst_deg)
    return replace(found, outside_deg=outside, bounds=tuple(bounds))


def _degrees_outside(coupled: CoupledLimit, rotations: Floats) -> Floats:
    """Degrees outside the shape; of a hinge or universal joint only along its axes.

    Real motion is always slightly off the axes. That is a property of the joint type, and reported
    with the type.
    """
    shape = shape_of_limit(coupled)
    if not isinstance(shape.region, Flat):
        return np.degrees(shape.distance(rotations))
    flat, points = shape.region, shape.chart.coordinates(rotations)
    along = flat.origin + (points - flat.origin) @ flat.axes.T @ flat.axes
    nearest = flat.nearest(along)
    ways = shape.chart.rotation(along), shape.chart.rotation(nearest)
    inside = np.all(nearest == along, axis=-1)
    return np.where(inside, 0.0, np.degrees(angle_between(*ways)))


def _violation(joint: str, kind: str, beyond: Floats, found: Violations) -> BoundViolation:
    worst, chosen = int(beyond.argmax()), beyond > found.tolerance_deg
    return BoundViolation(
        joint=joint,
        channel="shape",
        side=kind,
        bound_deg=0.0,
        frames=int(chosen.sum()),
        frame_ranges=frame_ranges(found.frames, chosen),
        worst_deg=float(beyond[worst]),
        worst_frame=float(found.frames[worst]),
        worst_value_deg=float(beyond[worst]),
    )
