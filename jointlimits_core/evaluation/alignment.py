"""Rotate channels of a clip, on the branch of the limits.

Maya clamps the keyed values, but the same pose can be keyed in many ways. So that another branch
does not count as a violation, a clip is moved to the branch of the limits by the same steps as in
the estimate.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from ..base.errors import EstimationError, LimitSetError
from ..base.findings import Finding
from ..geometry import branches, euler
from ..geometry.arrays import Booleans, Floats, Integers
from ..geometry.circle import euler_in_box, into_box, outside_box
from ..geometry.quaternion import angle_between
from ..limits.limit_set import AxisLimit, LimitSet
from ..limits.ranges import ends_of
from ..motion.motion import Motion
from ..motion.name_matching import PREFIX_RULE, matched_joints, prefix_message, prefixes_apart
from ..motion.screening.rules import RULES, screen

BRANCHES = ("main", "keys", "circle")
"""Ways of moving a clip to the branch of the limits; see :func:`align`."""

MAX_ORIENTATION_RAD = 1e-6
"""Largest angle, in radians, between two orientations that count as the same."""
ROUNDING_RAD = np.radians(1e-9)
_LEFT_OUT = ("inserted-pose",)
"""Screening rules that may leave out frames of any clip; the default if the limits name none."""
# Flips are reported only where they affect the limits; limits do not depend on time.
_REPORTED_ELSEWHERE = frozenset(["euler-flip", "frame-rate-assumed"])


@dataclass(frozen=True, eq=False)
class AlignedClip:
    """Rotate channels of one clip on the branch of the limits."""

    motion: Motion
    """Clip without the frames left out by screening."""
    names: tuple[str, ...]
    """Joints found in the motion, by their names in the limits."""
    joints: Integers
    """Indices of these joints in the motion, shape (found,)."""
    orders: tuple[str, ...]
    orients: Floats
    axes: Floats
    """jointOrient and rotateAxis of the limits, shape (found, 4)."""
    values: Floats
    """Rotate channels in radians, shape (found, 3, frames)."""
    low: Floats
    high: Floats
    """Limits in degrees, shape (found, 3); infinite where there is no limit."""
    own: Booleans
    """Whether the motion's own channels are in the orientation of the limits, shape (found,)."""
    missing: tuple[str, ...]
    """Joints of the limits that are not in the motion."""
    findings: tuple[Finding, ...]
    """Findings of the reader, and about frames left out and joints with a different orientation."""


def align(
    limit_set: LimitSet, motion: Motion, branch: str = "main", every_joint: bool = False
) -> AlignedClip:
    """Move a clip to the branch of the limits.

    `branch`: "main" undoes Euler flips, full turns and the other set of Euler angles, and leaves
    out the same frames as the estimate. "keys" takes the keyed values, which Maya would clamp.
    "circle" takes, of all channel values for a rotation, those nearest to the limits. Joints
    without channels in the orientation of the limits always use "circle". In the estimate's own
    clips, frames that it left out for single joints are left out again, unless `every_joint` is
    set; other clips are compared in full, as a rig clamps them. Raises ValueError for an unknown
    `branch`, LimitSetError if the limits are not on rotate channels (paper mode), and
    EstimationError if the clip has none of the joints or screening leaves no frames.
    """
    if branch not in BRANCHES:
        raise ValueError(f"branch must be one of {', '.join(BRANCHES)}, not {branch!r}")
    found = matched_joints(limit_set.joints, motion.joint_names)
    low, high = _bounds(limit_set, found)
    if not found:
        ours, theirs = list(limit_set.joints)[:4], motion.joint_names[:4]
        raise EstimationError(
            f"clip {motion.name!r} has none of the limited joints: the limits are for "
            f"{', '.join(ours) or 'no joint'}, the clip has {', '.join(theirs)}; use limits of the "
            "clip's own character"
        )
    screened = screen(motion, set(RULES) - _rules(limit_set, motion, branch, every_joint))
    names, joints = tuple(found), np.array(list(found.values()), dtype=np.int64)
    orders, orients, axes, same = _frames(limit_set, names, screened.motion, joints)
    values = screened.rotates[joints]
    for row in np.flatnonzero(~same):
        local = screened.motion.rotations[joints[row]].T
        own = euler.rotate_from_local(local, orients[row], axes[row], orders[row])
        values[row] = branches.continuous_rotates(own.T, orders[row])[0]
    known = same & (motion.rotates is not None)
    _place(values, np.radians(low), np.radians(high), orders, branch, known)
    findings = [item for item in screened.findings if item.rule not in _REPORTED_ELSEWHERE]
    other = [names[row] for row in np.flatnonzero(~same)]
    findings += [Finding("other-frame", _OTHER_FRAME, name, motion.name) for name in other]
    pairs = [(name, motion.joint_names[at]) for name, at in found.items()]
    pairs = [(name, own) for name, own in pairs if name != own and "|" not in name + own]
    apart = prefixes_apart([own for _, own in pairs], [name for name, _ in pairs])
    if apart:
        findings.append(Finding(PREFIX_RULE, prefix_message(apart), clip=motion.name))
    missing = tuple(name for name in limit_set.joints if name not in found)
    return AlignedClip(
        *(screened.motion, names, joints, orders, orients, axes),
        *(values, low, high, known, missing, tuple(findings)),
    )


def _rules(limit_set: LimitSet, motion: Motion, branch: str, every_joint: bool) -> set[str]:
    """Screening rules that apply; the estimate's own clips are screened as in the estimate."""
    if branch == "keys":
        return {"non-finite"}
    digest = motion.source.sha256 if motion.source else None
    is_own = any((clip.name, clip.sha256) == (motion.name, digest) for clip in limit_set.clips)
    left_out = limit_set.options.get("leave_out", _LEFT_OUT)  # a file may hold anything
    words = left_out if isinstance(left_out, (list, tuple)) else ()
    chosen = _LEFT_OUT if every_joint or not is_own else RULES
    return {"non-finite", "euler-flip", *(word for word in words if word in chosen)}


_OTHER_FRAME = (
    "the limits have a different rotate order, jointOrient or rotateAxis from the motion; its "
    "rotations are converted for the comparison"
)


def _bounds(limit_set: LimitSet, names: Collection[str]) -> tuple[Floats, Floats]:
    """Minima and maxima of the named joints in degrees, (joints, 3) each; checks all joints."""
    for name, joint in limit_set.joints.items():
        for channel in set(joint.limits) - set(euler.CHANNELS):
            raise LimitSetError(
                limit_set.character or "limit set",
                f"joint {name!r}: expected limits on rotate channels, found {channel!r}; estimate "
                "in standard mode",
            )
    free = AxisLimit("free")
    boxes = [
        [ends_of(limit_set.joints[name].limits.get(channel, free)) for channel in euler.CHANNELS]
        for name in names
    ]
    low, high = np.moveaxis(np.reshape(boxes, (-1, 3, 2)), 2, 0)
    return low, high


def _frames(
    limit_set: LimitSet, names: tuple[str, ...], motion: Motion, joints: Integers
) -> tuple[tuple[str, ...], Floats, Floats, Booleans]:
    """Orientations of the limits, and whether the motion's own channels use them."""
    frames = [limit_set.joints[name].orientation for name in names]
    skeleton = motion.skeleton
    orders = tuple(frame.rotate_order for frame in frames)
    triples = np.array([[frame.joint_orient_deg, frame.rotate_axis_deg] for frame in frames])
    turns = euler.quaternion_from_euler(np.radians(triples.reshape(-1, 2, 3)))
    own = np.stack([skeleton.joint_orients[joints], skeleton.rotate_axes[joints]], axis=1)
    same = (angle_between(turns, own) < MAX_ORIENTATION_RAD).all(axis=1)
    same &= np.array([skeleton.rotate_orders[j] == order for j, order in zip(joints, orders)], bool)
    # Use the joint's own quaternions, which are free of rounding through degrees.
    turns[same] = own[same]
    return orders, turns[:, 0], turns[:, 1], same


def _place(
    values: Floats, low: Floats, high: Floats, orders: tuple[str, ...], branch: str, known: Booleans
) -> None:
    """Move out-of-range values to the branch of the limits, in place."""
    outside = (outside_by(values, low, high) > ROUNDING_RAD).any(axis=(1, 2))
    for row in np.flatnonzero(outside):
        if branch == "circle" or not known[row]:
            values[row] = euler_in_box(values[row].T, low[row], high[row], orders[row]).T
        elif branch == "main":
            box = low[row, :, None], high[row, :, None]
            values[row] = _without_other_set(_without_turns(values[row], *box), *box, orders[row])


def outside_by(values: Floats, low: Floats, high: Floats) -> Floats:
    """Excess of `values`, (..., 3, frames), beyond limits, (..., 3); negative inside."""
    return np.asarray(np.maximum(low[..., None] - values, values - high[..., None]))


def _without_turns(values: Floats, low: Floats, high: Floats) -> Floats:
    """Remove full turns from channels, (3, frames): from the whole clip if needed, then per frame.

    A single frame is moved only if this brings it inside.
    """
    inside = into_box(values, low, high)
    turns = euler.TURN * np.round(np.median(inside - values, axis=1, keepdims=True) / euler.TURN)
    gain = outside_box(values, low, high) - outside_box(values + turns, low, high)
    is_off = np.median(gain, axis=1, keepdims=True) > 0.5 * euler.TURN
    moved = np.where(is_off, values + turns, values)
    fits = outside_box(inside, low, high) <= ROUNDING_RAD
    return np.where(fits & (outside_box(moved, low, high) > ROUNDING_RAD), inside, moved)


def _without_other_set(values: Floats, low: Floats, high: Floats, order: str) -> Floats:
    """Replace Euler angles, (3, frames), by the other set for the rotation where that fits better.

    A frame is replaced if only the other set is inside, or if the other set is closer to the limits
    by more than a quarter turn, as the sets are half a turn apart on the outer channels.
    """
    other = into_box(euler.other_euler(values.T, order).T, low, high)
    off, other_off = (outside_box(each, low, high).max(axis=0) for each in (values, other))
    is_inside = (other_off <= ROUNDING_RAD) & (off > ROUNDING_RAD)
    return np.where((off - other_off > 0.25 * euler.TURN) | is_inside, other, values)
