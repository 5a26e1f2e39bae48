"""Limit set from the limits that a file declares, converted to other orientations on request.

Nothing is measured: no limit has a clip, and all are in the lowest layer ("prior"). A hinge about
X in the file may turn about rotateZ in the limit set it is compared with. Test poses show whether
channels in two orientations are equivalent: if in many poses one channel equals plus or minus the
other plus a constant, it does so in all poses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import NamedTuple

import numpy as np

from ..base.findings import Finding
from ..base.text import names_words
from ..geometry.arrays import Floats
from ..geometry.circle import middle_of_box
from ..geometry.euler import CHANNELS, axes_of, euler_from_quaternion
from ..geometry.quaternion import conjugate, multiply, quaternion_from_axis_angle, rotate
from ..ik.rotate_box import RotateBox, rotate_box_of
from ..limits import document, layers, ranges, records
from ..limits.common_turns import ChannelMap, Maps, mapped_edit, maps_onto
from ..limits.limit_set import (
    AxisLimit,
    AxisSource,
    BoundSource,
    Evidence,
    Hinge,
    JointLimit,
    LimitSet,
    Orientation,
    RestPose,
    Universal,
)
from ..motion import name_matching, reorient
from ..motion.skeleton import Declaration, Skeleton

HALF_TURN_DEG = 180.0
MAX_FEASIBLE_DEG = 0.1
SWAPPED = "the file has min and max of {} reversed; they were swapped"
NOT_MEASURED = Evidence(
    dict.fromkeys(("fixed", "hinge", "universal", "ball")),
    *(None, 0.0, (0.0, 0.0, 0.0), 0.0, 0, "no motion"),
)


def declared_limits(
    skeleton: Skeleton,
    locked_deg: Mapping[str, Floats] | None = None,
    held_deg: Mapping[str, Floats] | None = None,
) -> LimitSet:
    """Build a limit set from declarations.

    The limits are in the joints' own orientations; reversed limits are swapped, with a finding. A
    joint without a declaration is free. `locked_deg`, by joint, shape (3,): values of its locked
    channels; zero by default. `held_deg`, by joint, shape (3,): channel values in the file; the
    rest pose is moved to the full turns of these values.
    """
    joints = {}
    for index, name in enumerate(skeleton.names):
        parent = int(skeleton.parents[index])
        frame = reorient.JointOrientation(
            skeleton.joint_orients[index],
            skeleton.rotate_axes[index],
            skeleton.rotate_orders[index],
        )
        joints[name] = declared_joint(
            name,
            None if parent < 0 else skeleton.names[parent],
            frame,
            skeleton.rest_rotations[index],
            skeleton.declarations.get(name, Declaration()),
            (locked_deg or {}).get(name, np.zeros(3)),
            held_deg=(held_deg or {}).get(name),
        )
    options = {"controls": True} if skeleton.of_controls else {}
    return LimitSet(skeleton.name, joints, rest_source=skeleton.rest_source, options=options)


def declared_joint(
    name: str,
    parent: str | None,
    frame: reorient.JointOrientation,
    rest_rotation: Floats,
    declared: Declaration,
    locked_deg: Floats,
    findings: Sequence[Finding] = (),
    held_deg: Floats | None = None,
) -> JointLimit:
    """Limits of one joint.

    `rest_rotation`, shape (4,): local rotation in the rest pose. `locked_deg`, shape (3,): values
    of locked channels. `findings`: existing findings about the joint. `held_deg`, shape (3,):
    channel values of a pose; the rest pose is moved to the full turns of these values.
    """
    limits, swapped = {}, []
    for channel, locked_at in zip(CHANNELS, locked_deg.tolist()):
        limits[channel], is_reversed = _axis(declared, channel, locked_at)
        if is_reversed:
            swapped.append(Finding("exchanged-bounds", SWAPPED.format(channel), name))
    ends = np.array([ranges.ends_of(limit) for limit in limits.values()])
    low, high = np.radians(ends.T)
    box = RotateBox(frame.rotate_order, frame.joint_orient, frame.rotate_axis, low, high)
    held = None if held_deg is None else np.radians(held_deg)
    rest = np.degrees(box.channels(rest_rotation, held))
    kind, hinge, universal = _kind(limits, rest, frame)
    turns = euler_from_quaternion(np.array([frame.joint_orient, frame.rotate_axis]), "xyz")
    orient_deg, axis_deg = np.degrees(turns)
    outside = float(np.abs(rest - np.clip(rest, *ends.T)).max())
    pose = RestPose(_three(rest), outside <= MAX_FEASIBLE_DEG, outside)
    middle = RestPose(_three(_middle(ends)), True, 0.0)
    return JointLimit(
        kind,
        parent,
        NOT_MEASURED,
        Orientation(frame.rotate_order, _three(orient_deg), _three(axis_deg)),
        limits,
        pose,
        {"nearest-pose": None, "middle": middle, "circular-mean": None},
        _three(np.clip(pose.rotate_deg, *ends.T)),
        hinge,
        universal,
        findings=(*findings, *swapped),
    )


def _axis(declared: Declaration, channel: str, locked_at: float) -> tuple[AxisLimit, bool]:
    """Limit of a channel, and whether its min and max are reversed in the file.

    A limit beyond the largest allowed angle counts as no limit: exporters write such placeholders.
    """
    given = declared.limits_deg.get(channel, (None, None))
    least, most = (
        None if end is None or not abs(end) <= document.MAX_ANGLE_DEG else float(end)
        for end in given
    )
    is_reversed = least is not None and most is not None and least > most
    if is_reversed:
        least, most = most, least
    if channel in declared.locked or (declared.dof is not None and channel not in declared.dof):
        at = BoundSource("prior", value_deg=locked_at)
        limit = AxisLimit("locked", locked_at, locked_at, ranges.TURN_DEG, AxisSource(at, at))
        return limit, is_reversed
    if least is None and most is None:
        return AxisLimit("free"), is_reversed
    gap = None if least is None or most is None else max(ranges.TURN_DEG - (most - least), 0.0)
    ends = [None if end is None else BoundSource("prior", value_deg=end) for end in (least, most)]
    return AxisLimit("limited", least, most, gap, AxisSource(*ends)), is_reversed


def _middle(ends: Floats) -> Floats:
    """Middle of every range; the limit of a one-sided range, zero for a free channel."""
    closed = np.isfinite(ends).all(axis=1)
    halves = 0.5 * np.where(closed[:, None], ends, 0.0).sum(axis=1)
    return np.asarray(np.where(closed, halves, np.clip(0.0, *ends.T)))


def _kind(
    limits: Mapping[str, AxisLimit], rest: Floats, frame: reorient.JointOrientation
) -> tuple[str, Hinge | None, Universal | None]:
    """Type of a joint according to its moving channels, and its axes."""
    ends = np.array([ranges.ends_of(limit) for limit in limits.values()])
    applied = list(axes_of(frame.rotate_order))
    moving = [n for n in applied if ends[n, 1] - ends[n, 0] > ranges.MAX_LOCKED_DEG]
    if len(moving) in (0, 3):
        return ("ball" if moving else "fixed"), None, None
    pose = np.radians(np.clip(rest, *ends.T))
    turns = [quaternion_from_axis_angle(np.eye(3)[n], pose[n]) for n in range(3)]
    axes = {}  # of each channel, in the parent's and in the joint's own coordinates
    for n in moving:
        at = applied.index(n)
        inner, outer = frame.rotate_axis, frame.joint_orient
        for k in applied[:at]:
            inner = multiply(turns[k], inner)
        for k in reversed(applied[at + 1 :]):
            outer = multiply(outer, turns[k])
        axes[n] = rotate(outer, np.eye(3)[n]), rotate(conjugate(inner), np.eye(3)[n])
    if len(moving) == 1:
        (n,) = moving
        span = np.nan_to_num(ends[n] - rest[n], posinf=HALF_TURN_DEG, neginf=-HALF_TURN_DEG)
        parent, child = map(_three, axes[n])
        return "hinge", Hinge(parent, child, CHANNELS[n], 0.0, *span.tolist()), None
    first, last = moving
    if abs(float(axes[first][0] @ axes[last][0])) > 1e-6:
        # The locked middle channel is not at zero, so the axes are not at right angles.
        return "ball", None, None
    return "universal", None, Universal(_three(axes[last][0]), _three(axes[first][1]))


def _three(values: Floats) -> tuple[float, float, float]:
    x, y, z = (float(value) + 0.0 for value in values)
    return x, y, z


DECLARED = "declared"
"""Rule of the finding in every limit set imported from a file."""
POSE_COUNT = 40
MAX_DIFFERENCE_RAD = 1e-6
MAX_EDIT_DIFFERENCE_RAD = np.radians(0.1)
"""Largest difference between channels that count as equivalent when edits are converted."""
MAX_EDIT_ORIENTATION_DEG = 1e-3
"""Largest difference between orientations, due to rounding, that leaves edits unchanged."""
MAX_POSE_RAD = np.radians(60.0)
"""Largest distance of test poses from the middle of a range, so that no Euler solution flips."""


def is_declared(limit_set: LimitSet) -> bool:
    """Whether limits were imported from a file instead of measured."""
    return any(finding.rule == DECLARED for finding in limit_set.findings)


def in_orientations_of(limit_set: LimitSet, reference: LimitSet) -> LimitSet:
    """Convert declared limits to the orientations of another limit set.

    Joints are matched by name. A joint whose channels have no equivalent in the reference stays
    unchanged, with a finding. A `reference` in paper mode changes nothing.
    """
    if reference.mode != "standard":
        return limit_set
    joints = dict(limit_set.joints)
    for name, joint in limit_set.joints.items():
        like = reference.joints.get(name)
        if like is None or ranges.same_orientation(joint.orientation, like.orientation):
            continue
        moved = _reorient_joint(name, joint, like)
        if moved is None:
            text = (
                "its axes differ from those of the joint to compare with, so its orientation "
                "stays that of the file"
            )
            moved = replace(joint, findings=(*joint.findings, Finding("other-axes", text, name)))
        joints[name] = moved
    return replace(limit_set, joints=joints)


def in_common_orientations(sets: Sequence[LimitSet]) -> list[LimitSet]:
    """Limit sets in common orientations: imported sets get those of the first measured set."""
    reference = next((one for one in sets if not is_declared(one)), sets[0])
    return [in_orientations_of(one, reference) if is_declared(one) else one for one in sets]


def _reorient_joint(name: str, joint: JointLimit, like: JointLimit) -> JointLimit | None:
    """Joint in the orientation of another; None if its channels have no equivalent there."""
    own, box = rotate_box_of(joint), rotate_box_of(like)
    rest = own.local(np.radians(joint.rest.rotate_deg))
    channels = [joint.limits[channel] for channel in CHANNELS]
    still = [one.state == "locked" and one.min_deg == one.max_deg for one in channels]
    declared, locked_at = Declaration(), np.zeros(3)
    if any(axis.state != "free" for axis in channels):
        found = _match_channels(own, box, still)
        if found is None:
            return None
        locked_at = found.locked_deg
        limits: dict[str, tuple[float | None, float | None]] = {}
        for n, (there, sign, constant) in found.channels.items():
            own_ends = channels[n].min_deg, channels[n].max_deg
            ends = [None if end is None else sign * end + constant for end in own_ends]
            if ends != [None, None]:
                low, high = ends if sign > 0.0 else reversed(ends)
                limits[CHANNELS[there]] = low, high
        moving = sorted(there for there, _, _ in found.channels.values())
        declared = Declaration(tuple(CHANNELS[n] for n in moving), limits)
    frame = reorient.JointOrientation(box.joint_orient, box.rotate_axis, box.rotate_order)
    made = declared_joint(name, joint.parent, frame, rest, declared, locked_at, joint.findings)
    return replace(made, orientation=like.orientation)


def carried_edits(old: LimitSet, new: LimitSet) -> tuple[records.ArtistEdit, ...]:
    """Edits of one limit set, converted for another, such as the next estimate.

    Angles move to the Euler branch and turn of the new ranges and, in a different orientation, to
    the channels that turn about the same axes. Joint names may have a different prefix; edits to
    joints that are not in the new set stay unchanged. Raises ValueError naming the joints whose
    angles have no equivalent.
    """
    before, after = layers.without_edits(old), layers.without_edits(new)
    names = {name: name for name in before.joints}
    alone = [name for name in before.joints if name not in after.joints]
    new_alone = [name for name in after.joints if name not in before.joints]
    apart = name_matching.prefixes_apart(alone, new_alone)
    if apart is not None:
        names.update((name, apart[1] + name[len(apart[0]) :]) for name in alone)
    maps = {
        names[name]: _edit_maps(joint, after.joints[names[name]])
        for name, joint in before.joints.items()
        if names[name] in after.joints
    }
    lost: dict[str, None] = {}
    found = []
    for edit in (replace(one, joint=names.get(one.joint, one.joint)) for one in old.edits):
        own = maps.get(edit.joint)
        if own is None or edit.channel is None:
            found.append(edit)
        elif edit.channel in own:
            found.append(mapped_edit(edit, own))
        else:
            lost[edit.joint] = None
    if lost:
        raise ValueError(
            f"{names_words(list(lost))}: edited in another orientation (rotate order, jointOrient "
            "or rotateAxis), in which these numbers mean other rotations; undo these edits, or "
            "keep the orientation"
        )
    return tuple(found)


def _edit_maps(joint: JointLimit, like: JointLimit) -> Maps:
    """Maps for the channels of a joint that have an equivalent in another orientation."""
    if ranges.same_orientation(joint.orientation, like.orientation, MAX_EDIT_ORIENTATION_DEG):
        return maps_onto(joint, like)
    own, box = rotate_box_of(joint), rotate_box_of(like)
    still = [joint.limits[channel].state == "locked" for channel in CHANNELS]
    # A lock holds its channel in the middle of the measured range.
    middle = middle_of_box(own.low, own.high)
    own = replace(own, low=np.where(still, middle, own.low), high=np.where(still, middle, own.high))
    found = _match_channels(own, box, still, MAX_EDIT_DIFFERENCE_RAD)
    return {
        CHANNELS[n]: ChannelMap(CHANNELS[there], sign, constant)
        for n, (there, sign, constant) in (found.channels if found else {}).items()
    }


class _ChannelMatch(NamedTuple):
    """Equivalence between the channels of two orientations.

    `channels`, by channel of the first: equivalent channel, sign, and constant in degrees.
    `locked_deg`, shape (3,): values of the other channels of the second.
    """

    channels: dict[int, tuple[int, float, float]]
    locked_deg: Floats


def _match_channels(
    own: RotateBox, box: RotateBox, locked: Sequence[bool], same: float = MAX_DIFFERENCE_RAD
) -> _ChannelMatch | None:
    """Find the equivalents of the moving channels; None if one has no equivalent."""
    # Fixed pseudo-random poses inside the box, near its middle.
    middle = _middle(np.stack([own.low, own.high], axis=1))
    shares = np.random.default_rng(0).uniform(-1.0, 1.0, (POSE_COUNT, 3))
    rotates = middle + shares * np.minimum(0.5 * (own.high - own.low), MAX_POSE_RAD)
    values = box.channels(own.local(rotates))
    found: dict[int, tuple[int, float, float]] = {}
    left = [0, 1, 2]
    for channel in (n for n in range(3) if not locked[n]):
        for there, sign in product(left, (1.0, -1.0)):
            constant = _constant(values[:, there] - sign * rotates[:, channel], same)
            if constant is not None:
                found[channel] = there, sign, constant
                left.remove(there)
                break
        else:
            return None
    locked_at = np.zeros(3)
    for there in left:
        constant = _constant(values[:, there], same)
        if constant is None:
            return None
        locked_at[there] = constant
    return _ChannelMatch(found, locked_at)


def _constant(angles: Floats, same: float) -> float | None:
    """Common value in degrees, ignoring full turns, of angles in radians; None if they differ."""
    apart = np.remainder(angles - angles[0] + np.pi, 2.0 * np.pi) - np.pi
    if float(np.abs(apart).max()) > same:
        return None
    return round(float(np.degrees(np.median(angles))), 9) + 0.0
