"""Declared limits converted to the orientations of another limit set.

A file of another program has its own orientations: a hinge about X there may be rotateZ here, and
the rotate order of a joint with one or two moving channels is arbitrary. Whether channels of two
orientations are the same is tested on poses: if in many of them one differs from the other by a
constant, or by sign and a constant, it does in all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..arrays import Floats
from ..evaluation.rotate_box import RotateBox, rotate_box_of
from ..findings import Finding
from ..joint_frame import CHANNELS, local_from_rotate
from ..limits.frames import same_frame
from ..limits.limit_set import JointLimit, LimitSet
from ..reframe import JointFrame
from ..skeleton import Declaration
from .declared_limits import declared_joint

DECLARED = "declared"
"""Rule of the finding in every limit set imported from a file."""
POSES = 40
SAME = 1e-6
FURTHEST = np.radians(60.0)
"""Largest distance of test poses from the middle of a range; beyond, solutions may flip."""


def is_declared(limit_set: LimitSet) -> bool:
    """Whether limits were imported from a file, not measured."""
    return any(finding.rule == DECLARED for finding in limit_set.findings)


def in_frames_of(limit_set: LimitSet, reference: LimitSet) -> LimitSet:
    """Convert declared limits to the orientations of another limit set.

    Parameters
    ----------
    limit_set : LimitSet
        From :func:`.read_limits.read_limits`.
    reference : LimitSet
        In standard mode; joints are matched by name.

    Returns
    -------
    LimitSet
        Joints whose channels differ in the reference are kept unchanged, with a finding.
    """
    if reference.mode != "standard":
        return limit_set
    joints = dict(limit_set.joints)
    for name, joint in limit_set.joints.items():
        like = reference.joints.get(name)
        if like is None or same_frame(joint.frame, like.frame):
            continue
        moved = _reframed(name, joint, like)
        if moved is None:
            text = (
                "its axes differ from those of the joint it was compared with; it keeps the "
                "orientation of the file"
            )
            moved = replace(joint, findings=(*joint.findings, Finding("other-axes", text, name)))
        joints[name] = moved
    return replace(limit_set, joints=joints)


def alike(sets: Sequence[LimitSet]) -> list[LimitSet]:
    """Limit sets with imported ones converted to the orientations of the first measured one."""
    reference = next((one for one in sets if not is_declared(one)), sets[0])
    return [in_frames_of(one, reference) if is_declared(one) else one for one in sets]


def _reframed(name: str, joint: JointLimit, like: JointLimit) -> JointLimit | None:
    """Joint in the orientation of another; None if its channels have no equivalent there."""
    own, box = rotate_box_of(joint), rotate_box_of(like)
    rest = local_from_rotate(
        np.radians(joint.rest.rotate_deg), own.joint_orient, own.rotate_axis, own.rotate_order
    )
    channels = [joint.limits[channel] for channel in CHANNELS]
    declared, stands = Declaration(), np.zeros(3)
    if any(axis.state != "free" for axis in channels):
        found = _renamed(own, box, [axis.state == "locked" for axis in channels])
        if found is None:
            return None
        declared, stands = found.declaration(joint), found.stands_deg
    frame = JointFrame(box.joint_orient, box.rotate_axis, box.rotate_order)
    made = declared_joint(name, joint.parent, frame, rest, declared, stands, joint.findings)
    return replace(made, frame=like.frame)


@dataclass(frozen=True, eq=False)
class _Renamed:
    """Channels of one orientation as channels of another.

    Parameters
    ----------
    channels : dict of own channel to (other channel, sign, constant in degrees)
    stands_deg : array, shape (3,)
        Values of the other channels.
    """

    channels: dict[int, tuple[int, float, float]]
    stands_deg: Floats

    def declaration(self, joint: JointLimit) -> Declaration:
        """Limits of a joint with the other channel names."""
        limits: dict[str, tuple[float | None, float | None]] = {}
        for own, (there, sign, constant) in self.channels.items():
            axis = joint.limits[CHANNELS[own]]
            ends = [
                None if e is None else sign * e + constant for e in (axis.min_deg, axis.max_deg)
            ]
            low, high = ends if sign > 0.0 else reversed(ends)
            if (low, high) != (None, None):
                limits[CHANNELS[there]] = low, high
        there_moving = {there for there, _, _ in self.channels.values()}
        return Declaration(tuple(CHANNELS[n] for n in sorted(there_moving)), limits)


def _renamed(own: RotateBox, box: RotateBox, locked: Sequence[bool]) -> _Renamed | None:
    """Find the equivalents of the moving channels."""
    rotates = _poses(own)
    local = local_from_rotate(rotates, own.joint_orient, own.rotate_axis, own.rotate_order)
    values = box.channels(local)
    found: dict[int, tuple[int, float, float]] = {}
    left = [0, 1, 2]
    for channel in (n for n in range(3) if not locked[n]):
        options = ((there, sign) for there in left for sign in (1.0, -1.0))
        for there, sign in options:
            constant = _constant(values[:, there] - sign * rotates[:, channel])
            if constant is not None:
                found[channel] = there, sign, constant
                left.remove(there)
                break
        else:
            return None
    stands = np.zeros(3)
    for there in left:
        constant = _constant(values[:, there])
        if constant is None:
            return None
        stands[there] = constant
    return _Renamed(found, stands)


def _poses(box: RotateBox) -> Floats:
    """Fixed pseudo-random poses inside a box, near its middle, shape (poses, 3)."""
    closed = np.isfinite(box.high - box.low)
    half = np.where(closed, 0.5 * (np.where(closed, box.high - box.low, 0.0)), FURTHEST)
    middle = np.where(closed, 0.5 * np.where(closed, box.low + box.high, 0.0), 0.0)
    middle = np.clip(middle, box.low, box.high)
    shares = np.random.default_rng(0).uniform(-1.0, 1.0, (POSES, 3))
    return np.asarray(middle + shares * np.minimum(half, FURTHEST))


def _constant(angles: Floats) -> float | None:
    """Common value of angles in degrees up to full turns; None if they differ."""
    apart = angles - angles[0]
    apart = apart - 2.0 * np.pi * np.round(apart / (2.0 * np.pi))
    if float(np.abs(apart).max()) > SAME:
        return None
    return round(float(np.degrees(np.median(angles))), 9) + 0.0
