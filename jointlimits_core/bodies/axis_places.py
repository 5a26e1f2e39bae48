"""Placement of single-axis joints along their axes.

A single-axis joint fits equally well anywhere along its axis. The point nearest the sensors lies on
the skin; a knee, though, lies where the line from hip to ankle crosses its axis. So the joint goes
to the point that makes the path from the joints of one body, over the axis, to those of the other
shortest in any pose: with both rotated about the axis into one plane, that path is straight.

The error of this guess counts towards the error of limb lengths: human limbs meet their axes at
right angles only to within several degrees.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..arrays import Booleans, Floats
from .body_fit import BodyJoint
from .residuals import joint_gaps, root_mean_square
from .tracks import BodyTracks

LEAN = 0.1
"""Standard deviation, radians, of a limb's lean from the perpendicular to the axis at its end."""
MOST_SWEEPS = 100
STILL_M = 1e-6
"""Joints that move less than this in a sweep have settled."""


@dataclass(frozen=True)
class _Beside:
    """Neighbouring joints of a body: distance along the axis and from it, metres."""

    along: float
    away: float


def on_their_axes(
    tracks: BodyTracks, used: Booleans, joints: Sequence[BodyJoint]
) -> list[BodyJoint]:
    """Place single-axis joints where limbs cross their axes, with the uncertainty of each.

    Parameters
    ----------
    used : array of bool, shape (bodies, frames)
        Frames that count for the gaps.
    joints : sequence of BodyJoint
        The joints of a tree, parents first.

    Returns
    -------
    list of BodyJoint
        Joints whose place follows from the motion are unchanged. Others without a neighbour that
        lies across the axis stay near their sensors.
    """
    placed = list(joints)
    open_rows = [row for row, joint in enumerate(joints) if _is_open(joint)]
    for _ in range(MOST_SWEEPS):
        steps = [_moved(placed, row) for row in open_rows]
        if max(steps, default=0.0) < STILL_M:
            break
    return [
        _measured(tracks, used, joint, _sides(placed, row)) if row in open_rows else joint
        for row, joint in enumerate(placed)
    ]


def _is_open(joint: BodyJoint) -> bool:
    known = np.isfinite(joint.deviation_m)
    return joint.kind == "single-axis" and not known[0] and bool(known[1:].all())


def _moved(joints: list[BodyJoint], row: int) -> float:
    """Move one joint to its place among the others; return the distance moved, metres."""
    joint, sides = joints[row], _sides(joints, row)
    if not sides:
        return 0.0
    # The straight path crosses the axis closer to the end that is nearer the axis.
    share = np.array([1.0 / side.away for side in sides])
    step = float(share @ [side.along for side in sides] / share.sum())
    joints[row] = replace(
        joint,
        centre_in_child=joint.centre_in_child + step * joint.directions_in_child[0],
        centre_in_parent=joint.centre_in_parent + step * joint.directions_in_parent[0],
    )
    return abs(step)


def _sides(joints: Sequence[BodyJoint], row: int) -> list[_Beside]:
    """Neighbours in both bodies that lie more across the axis than along it."""
    joint = joints[row]
    above = [other.centre_in_child for other in joints if other.child == joint.parent]
    beside = [
        other.centre_in_parent
        for other in joints
        if other.parent == joint.parent and other is not joint
    ]
    below = [other.centre_in_parent for other in joints if other.parent == joint.child]
    found = [
        _beside(above or beside, joint.centre_in_parent, joint.directions_in_parent[0]),
        _beside(below, joint.centre_in_child, joint.directions_in_child[0]),
    ]
    return [side for side in found if side is not None and side.away > abs(side.along)]


def _beside(others: Sequence[Floats], centre: Floats, axis: Floats) -> _Beside | None:
    if not others:
        return None
    step = np.mean(others, axis=0) - centre
    along = float(step @ axis)
    return _Beside(along, float(np.linalg.norm(step - along * axis)))


def _measured(
    tracks: BodyTracks, used: Booleans, joint: BodyJoint, sides: Sequence[_Beside]
) -> BodyJoint:
    """The joint with its gap at its current place, and the deviation of its place on the axis."""
    ends = np.array([joint.child]), np.array([joint.parent])
    gaps = joint_gaps(tracks, *ends, joint.centre_in_child[None], joint.centre_in_parent[None])
    residual = root_mean_square(gaps, used[ends[0]] & used[ends[1]])
    return replace(joint, residual_m=float(residual[0]), on_axis_m=_spread_m(joint, sides))


def _spread_m(joint: BodyJoint, sides: Sequence[_Beside]) -> float:
    """Standard deviation of the place along the axis."""
    if sides:
        # Each side's error is its lean times its distance; its weight is 1 / distance.
        return LEAN * float(np.sqrt(len(sides)) / sum(1.0 / side.away for side in sides))
    # Assumed as far along the axis as across it: each of two levers has two directions across.
    levers = [
        centre - (centre @ axis) * axis
        for centre, axis in (
            (joint.centre_in_child, joint.directions_in_child[0]),
            (joint.centre_in_parent, joint.directions_in_parent[0]),
        )
    ]
    return float(np.linalg.norm(levers) / 2.0)
