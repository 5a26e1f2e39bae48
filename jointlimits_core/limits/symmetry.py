"""Comparison of left and right in a limit set, and pooling of both sides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from shlex import quote
from typing import NamedTuple, TypeVar

import numpy as np

from ..base.findings import Finding
from ..base.text import number
from ..geometry import arrays, euler, quaternion
from ..motion import mirror
from ..motion.skeleton import Skeleton
from . import ranges
from .exclusions import is_left_out
from .layers import with_edits, without_edits
from .limit_set import AxisLimit, Hinge, JointLimit, LimitSet, Universal
from .records import MODES, ChannelSymmetry, PairSymmetry, SymmetryRecord

SAME_HINGE_DEG = 20.0
"""Hinges whose mirrored axes differ by more than this cannot share a range."""

Axes = TypeVar("Axes", Hinge, Universal)


def carry_axes(axes: Axes, parent_turn: arrays.ArrayLike, child_turn: arrays.ArrayLike) -> Axes:
    """Axes of a hinge or a universal joint mirrored to the partner's side.

    `parent_turn` and `child_turn` have shape (4,): from
    :class:`jointlimits_core.motion.mirror.MirrorFrames`, or their inverses for the other direction.
    A hinge keeps its range, since a mirrored turn about the mirrored axis has the same angle.
    """
    parent = tuple(quaternion.rotate(parent_turn, axes.axis_parent).tolist())
    child = tuple(quaternion.rotate(child_turn, axes.axis_child).tolist())
    return replace(axes, axis_parent=parent, axis_child=child)


def hinges_off_deg(first: Hinge, second: Hinge) -> float:
    """Angle between two axes in the parent's space, regardless of their signs."""
    a, b = np.array(first.axis_parent), np.array(second.axis_parent)
    sine = float(np.linalg.norm(np.cross(a, b)))
    return float(np.degrees(np.arctan2(sine, abs(float(a @ b)))))


def joined_hinge(own: Hinge, other: Hinge) -> Hinge:
    """Hinge with the union of both ranges about its own axis; unchanged if the axes disagree.

    `other`: the partner's hinge, mirrored.
    """
    if hinges_off_deg(own, other) > SAME_HINGE_DEG:
        return own
    other = same_way(other, own)
    low, high = min(own.min_deg, other.min_deg), max(own.max_deg, other.max_deg)
    return replace(own, min_deg=low, max_deg=high)


def same_way(hinge: Hinge, like: Hinge) -> Hinge:
    """Same hinge, about the opposite axis if that is nearer to the axis of `like`."""
    if float(np.dot(hinge.axis_parent, like.axis_parent)) >= 0.0:
        return hinge
    (a, b, c), (x, y, z) = hinge.axis_parent, hinge.axis_child
    return replace(
        hinge,
        axis_parent=(0.0 - a, 0.0 - b, 0.0 - c),
        axis_child=(0.0 - x, 0.0 - y, 0.0 - z),
        min_deg=0.0 - hinge.max_deg,
        max_deg=0.0 - hinge.min_deg,
    )


def with_partner_axes(
    own: JointLimit,
    partner: JointLimit,
    parent_turn: arrays.ArrayLike,
    child_turn: arrays.ArrayLike,
) -> JointLimit:
    """Joint with its partner's hinge range or axes added.

    Two hinges get the union of their ranges. A side that did not move takes the type and the axes
    of a partner that did. `parent_turn` and `child_turn` have shape (4,): rotations from the
    partner's spaces to the joint's own.
    """
    turns, hinge, universal = (parent_turn, child_turn), partner.hinge, partner.universal
    carried = None if hinge is None else carry_axes(hinge, *turns)
    if own.hinge is not None and carried is not None:
        return replace(own, hinge=joined_hinge(own.hinge, carried))
    if own.evidence.sure != "no motion" or partner.evidence.sure == "no motion":
        return own
    axes = None if universal is None else carry_axes(universal, *turns)
    return replace(own, type=partner.type, hinge=carried, universal=axes)


RULE = "asymmetry"
"""Rule for findings about sides that differ."""
MEAN = "circular-mean"
"""Name of the remedy that is a joint's mean pose."""
REPORT_DEG = 10.0
"""Smallest difference between the sides that is reported."""


class _Sides(NamedTuple):
    """One pair, with its limits and mirror information."""

    pair: mirror.JointPair
    left: JointLimit
    right: JointLimit
    channels: mirror.ChannelMirror
    turns: tuple[arrays.Floats, arrays.Floats] | None
    """Rotations from the mirrored spaces of the left parent and child to those of the right."""

    def bring(self, joint: JointLimit, to: JointLimit) -> tuple[dict[str, AxisLimit], bool]:
        """Mirrored ranges on the other side's branch, and whether it is the second Euler branch."""
        limits = mirrored_limit(joint, self.channels.signs, self.channels.offsets_deg)
        return ranges.on_branch_of(limits, to.limits, to.orientation.rotate_order)

    def record(self, mode: str) -> PairSymmetry:
        """Comparison of both sides."""
        channels = list(self._channels()) if self.channels.sure else []
        hinge_off, left, right = None, self.left.hinge, self.right.hinge
        if left is not None and right is not None and self.turns is not None:
            hinge_off = hinges_off_deg(carry_axes(left, *self.turns), right)
        differences = [abs(d) for channel in channels for d in channel.asymmetry_deg or ()]
        is_explained = not any(map(ranges.is_unexplained, (self.left, self.right)))
        return PairSymmetry(
            left=self.pair.left,
            right=self.pair.right,
            how=self.pair.how,
            mirror_error=self.pair.mirror_error,
            signs=self.channels.signs,
            signs_from=self.channels.source,
            off_deg=self.channels.off_deg,
            hinge_off_deg=hinge_off,
            asymmetry_deg=max(differences, default=None),
            pooled=mode == "pool" and bool(channels) and is_explained,
            channels=tuple(channels),
            offsets_deg=self.channels.offsets_deg,
        )

    def _channels(self) -> Iterator[ChannelSymmetry]:
        """Comparison of each channel, with the right side on the left side's branch."""
        left, right = self.pair.left, self.pair.right
        on_branch, is_other = self.bring(self.right, self.left)
        middle = euler.CHANNELS[euler.axes_of(self.left.orientation.rotate_order)[1]]
        for (channel, axis), sign in zip(on_branch.items(), self.channels.signs):
            sign = -sign if is_other and channel == middle else sign
            own, theirs = ranges.span_of(self.left.limits[channel]), ranges.span_of(axis)
            if own is None or theirs is None:
                reached = (left, left) if own is None else (right, right)
                further = None
            else:
                further = (own[0] - theirs[0], theirs[1] - own[1])
                low, high = (right if more > 0.0 else left for more in further)
                reached = (low, high)
            yield ChannelSymmetry(channel, sign, own, theirs, further, reached)

    def pool(self) -> tuple[JointLimit, JointLimit]:
        """Both sides with the union of their ranges."""
        found = []
        for own, other in ((self.left, self.right), (self.right, self.left)):
            brought, _ = self.bring(other, own)
            limits = {key: ranges.union_of(axis, brought[key]) for key, axis in own.limits.items()}
            found.append(ranges.with_limits(own, limits))
        left, right = found
        if self.turns is not None:
            left = with_partner_axes(left, self.right, *map(quaternion.conjugate, self.turns))
            right = with_partner_axes(right, self.left, *self.turns)
        return left, right


def mirrored_limit(
    joint: JointLimit, signs: Sequence[int], offsets_deg: Sequence[float] = (0.0, 0.0, 0.0)
) -> dict[str, AxisLimit]:
    """Ranges of a joint mirrored to its partner's side.

    `signs`, sequence of three int: +1 or -1 for rotateX, rotateY, rotateZ. `offsets_deg`: 0 or 180
    for each, added after mirroring. Sources keep clip and frame; their values are mirrored too.
    Mirroring twice restores the original, up to full turns.
    """
    return {
        channel: ranges.move_range(joint.limits[channel], offset, sign)
        for channel, sign, offset in zip(euler.CHANNELS, signs, offsets_deg)
    }


def with_symmetry(limit_set: LimitSet, skeleton: Skeleton, mode: str = "report") -> LimitSet:
    """Compare left and right, and pool their ranges if requested.

    Artist's edits are removed first and applied again afterwards: they stay unchanged, and are not
    mirrored to the other side. The result has a :class:`SymmetryRecord` with the pairs, the signs,
    each side's own ranges and their differences, even if they are pooled. Raises ValueError for an
    unknown mode.

    `limit_set`: a set with the paper's ZYZ angles is returned unchanged. `mode`: "off"
    changes nothing; "report" adds a finding for every channel whose sides differ by at least 10
    degrees; "pool" also gives both sides the union of their ranges, each mirrored, and a side
    without motion takes the type and the axes of the other.
    """
    data, record = compare_sides(without_edits(limit_set), skeleton, mode)
    found = replace(data, symmetry=record)
    return with_edits(found, limit_set.edits) if limit_set.edits else found


def compare_sides(
    limit_set: LimitSet, skeleton: Skeleton, mode: str = "report"
) -> tuple[LimitSet, SymmetryRecord]:
    """Compare as :func:`with_symmetry` does, for a set without edits; also returns the record."""
    if mode not in MODES:
        raise ValueError(f"symmetry must be one of {', '.join(MODES)}, not {mode!r}")
    if mode == "off" or limit_set.mode == "paper":
        return limit_set, SymmetryRecord("off")
    known = set(limit_set.joints)
    pairs = tuple([p for p in mirror.pair_joints(skeleton) if {p.left, p.right} <= known])
    joints = {}
    for name, joint in limit_set.joints.items():
        kept = tuple(finding for finding in joint.findings if finding.rule != RULE)
        joints[name] = joint if kept == joint.findings else replace(joint, findings=kept)
    is_mirrored_at_rest, frames, signs = _mirror_maps(skeleton, pairs, "rest pose")
    if not is_mirrored_at_rest and any(MEAN in joint.remedies for joint in joints.values()):
        # This happens in files whose zero pose folds all bones onto each other.
        _, frames, signs = _mirror_maps(_in_mean_pose(skeleton, joints), pairs, "mean pose")
    every = []
    for row, (pair, at_rest) in enumerate(zip(pairs, signs)):
        left, right = joints[pair.left], joints[pair.right]
        if is_left_out(left) or is_left_out(right):
            continue
        turns = None if frames is None else (frames.parents[row], frames.children[row])
        every.append(_Sides(pair, left, right, _mirror_of(at_rest, left, right), turns))
    records = []
    for sides in every:
        record = sides.record(mode)
        records.append(record)
        if record.pooled:
            joints[record.left], joints[record.right] = sides.pool()
        for finding in _findings(record, sides):
            joint = joints[str(finding.joint)]
            joints[str(finding.joint)] = replace(joint, findings=(*joint.findings, finding))
    paired = {name for pair in pairs for name in (pair.left, pair.right)}
    unpaired = tuple(sorted(known - paired))
    return replace(limit_set, joints=joints), SymmetryRecord(mode, tuple(records), unpaired)


def _in_mean_pose(skeleton: Skeleton, joints: Mapping[str, JointLimit]) -> Skeleton:
    """Skeleton with the mean pose of the motion as its rest pose."""
    rests = skeleton.rest_rotations.copy()
    for row, name in enumerate(skeleton.names):
        mean = joints[name].remedies.get(MEAN) if name in joints else None
        if mean is not None:
            rotates, order = np.radians(mean.rotate_deg), skeleton.rotate_orders[row]
            frame = skeleton.joint_orients[row], skeleton.rotate_axes[row], order
            rests[row] = euler.local_from_rotate(rotates, *frame)
    return replace(skeleton, rest_rotations=rests)


@lru_cache(maxsize=4)
def _mirror_maps(
    skeleton: Skeleton, pairs: tuple[mirror.JointPair, ...], pose: str
) -> tuple[bool, mirror.MirrorFrames | None, Sequence[mirror.ChannelMirror | None]]:
    """Whether a pose is its own mirror image, and its mirror maps, cached for later estimates."""
    plane = mirror.mirror_plane(skeleton, pairs)
    if plane is None:
        return True, None, [None] * len(pairs)
    signs = mirror.mirror_signs(skeleton, pairs, plane, pose)
    mirrored = mirror.is_mirrored(skeleton, pairs, plane)
    return mirrored, mirror.mirror_frames(skeleton, pairs, plane), signs


def _mirror_of(
    at_rest: mirror.ChannelMirror | None, left: JointLimit, right: JointLimit
) -> mirror.ChannelMirror:
    """Signs from the rest pose if its sides mirror each other, else from the ranges."""
    order, free = left.orientation.rotate_order, (np.nan, np.nan)
    if order != right.orientation.rotate_order:
        signs = (1, 1, 1) if at_rest is None else at_rest.signs
        return mirror.ChannelMirror(signs, "doubtful", None if at_rest is None else at_rest.off_deg)
    spans = [
        np.array([ranges.span_of(joint.limits[channel]) or free for channel in euler.CHANNELS])
        for joint in (left, right)
    ]
    seen = mirror.signs_from_ranges(spans[0], spans[1], order)
    if at_rest is None:
        return seen
    if at_rest.sure:
        return at_rest._replace(margin_deg=seen.margin_deg)
    return seen._replace(off_deg=at_rest.off_deg)


def _findings(record: PairSymmetry, sides: _Sides) -> list[Finding]:
    """Findings about a pair, each on one of its joints, such as the one that reaches further."""
    found = []
    if sides.left.type != sides.right.type:
        text = f"is a {sides.left.type} joint, but {record.right} is a {sides.right.type} joint"
        found.append(Finding(RULE, text, record.left))
    for channel in record.channels:
        for end, more in enumerate(channel.asymmetry_deg or ()):
            if abs(more) < REPORT_DEG:
                continue
            reacher, other, joint, narrow = record.left, record.right, sides.left, sides.right
            if more > 0:
                reacher, other, joint, narrow = other, reacher, narrow, joint
            bound = getattr(joint.limits[channel.channel].source, channel.further_bound(end))
            text = f"{channel.channel} reaches {abs(more):.1f} degrees further than {other}"
            if bound is not None and bound.clip is not None and bound.frame is not None:
                text += f" (clip {bound.clip}, frame {bound.frame:g})"
            side = "max" if bool(end) == (channel.sign > 0 or more > 0) else "min"
            reached = narrow.limits[channel.channel].bound_deg(side)
            if reached is not None:
                wider = reached + abs(more) * (1.0 if side == "max" else -1.0)
                place = f"{other}.{channel.channel}.{side}={number(wider)}"
                text += f"; --set {quote(place)} widens {other} to match"
            found.append(Finding(RULE, text, reacher))
    return found
