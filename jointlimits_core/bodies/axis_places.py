"""Where on its axis a single-axis joint is put: on the way between the joints next to it.

What turns about one axis fits alike wherever on the axis its joint is. Nearest to the sensors is
on the skin; a knee, though, is where the way from hip to ankle crosses its axis. Of all points
that is the one with the shortest way from the joints of one body over the axis to those of the
other, whatever the pose: with both turned about the axis into one plane the way is straight.

How far off that may be is a guess, too, and counts in the lengths of limbs: the limbs of people
meet their axes at right angles only within several degrees.
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
"""One sd, radians, by which a limb leans out of the right angle to the axis at its end."""
MOST_SWEEPS = 100
STILL_M = 1e-6
"""Joints that move less than that from sweep to sweep stay."""


@dataclass(frozen=True)
class _Beside:
    """The joints of a body next to an axis: how far along the axis, and how far off it, metres."""

    along: float
    away: float


def on_their_axes(
    tracks: BodyTracks, used: Booleans, joints: Sequence[BodyJoint]
) -> list[BodyJoint]:
    """Put single-axis joints where limbs cross their axes, and say how sure that is.

    Parameters
    ----------
    used : array of bool, shape (bodies, frames)
        Frames that count in gaps.
    joints : sequence of BodyJoint
        Of a tree, parents first.

    Returns
    -------
    list of BodyJoint
        Joints whose place comes from the motion are as they were. Of the others those with no
        neighbour that lies across the axis stay near their sensors.
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
    """Move one joint to where it belongs among the others; how far, metres."""
    joint, sides = joints[row], _sides(joints, row)
    if not sides:
        return 0.0
    # The straight way cuts the axis nearer to what is nearer to the axis.
    share = np.array([1.0 / side.away for side in sides])
    step = float(share @ [side.along for side in sides] / share.sum())
    joints[row] = replace(
        joint,
        centre_in_child=joint.centre_in_child + step * joint.directions_in_child[0],
        centre_in_parent=joint.centre_in_parent + step * joint.directions_in_parent[0],
    )
    return abs(step)


def _sides(joints: Sequence[BodyJoint], row: int) -> list[_Beside]:
    """Neighbours in both bodies, as far as they lie more across the axis than along it."""
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
    """A joint with the gap that it has where it is now, and how sure its place on the axis is."""
    ends = np.array([joint.child]), np.array([joint.parent])
    gaps = joint_gaps(tracks, *ends, joint.centre_in_child[None], joint.centre_in_parent[None])
    residual = root_mean_square(gaps, used[ends[0]] & used[ends[1]])
    return replace(joint, residual_m=float(residual[0]), on_axis_m=_spread_m(joint, sides))


def _spread_m(joint: BodyJoint, sides: Sequence[_Beside]) -> float:
    """Standard deviation of the place along the axis."""
    if sides:
        # Each side is off by its lean times its distance, and counts with one over that.
        return LEAN * float(np.sqrt(len(sides)) / sum(1.0 / side.away for side in sides))
    # As far along the axis as across it: each of two levers has two directions across.
    levers = [
        centre - (centre @ axis) * axis
        for centre, axis in (
            (joint.centre_in_child, joint.directions_in_child[0]),
            (joint.centre_in_parent, joint.directions_in_parent[0]),
        )
    ]
    return float(np.linalg.norm(levers) / 2.0)
