"""Common turns and Euler branches for a joint's ranges in several limit sets.

A range shifted by a full turn allows the same rotations. So do the ranges of all three channels
when mapped to the other Euler solution (x + 180, 180 - y, z + 180 in the node's order).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import ceil, floor, isfinite
from typing import NamedTuple, cast

from ..geometry.euler import CHANNELS, axes_of
from .layers import with_edits, without_edits
from .limit_set import AxisLimit, JointLimit, LimitSet, RestPose
from .ranges import TURN_DEG, ends_of, move_range, with_limits
from .records import BOUNDS, ArtistEdit, combine_edits

HALF_TURN_DEG = 180.0
MIN_BRANCH_GAIN_DEG = 90.0
"""Degrees by which the other Euler solution must be nearer, summed over the channels, to be used;
ranges that are only moderately far apart stay unchanged."""
Span = tuple[float, float]


class ChannelMap(NamedTuple):
    """Map of a channel to another orientation, branch or turn: ``sign * value + offset``."""

    channel: str
    sign: float
    offset_deg: float

    def value(self, value_deg: float) -> float:
        """Value on the other channel."""
        return self.sign * value_deg + self.offset_deg

    def range(self, axis: AxisLimit) -> AxisLimit:
        """Range on the other channel."""
        return move_range(axis, self.offset_deg, self.sign)


Maps = Mapping[str, ChannelMap]
"""Maps by the name of the channel that is mapped."""


def mapped_edit(edit: ArtistEdit, maps: Maps) -> ArtistEdit:
    """Edit moved to another channel; raises KeyError if its channel has no equivalent."""
    if edit.channel is None:
        return edit
    to, target, value = maps[edit.channel], edit.target, edit.value
    if target in BOUNDS:
        value = None if value is None else to.value(float(cast("float", value)))
        target = BOUNDS[1 - BOUNDS.index(target)] if to.sign < 0.0 else target
    return replace(edit, channel=to.channel, target=target, value=value, replaced=None)


def with_edits_on_own_turns(sets: Sequence[LimitSet]) -> list[LimitSet]:
    """Limit sets with edited ranges on the measured turns, for joints that differ between sets."""
    found = []
    for limit_set in sets:
        data, edits = without_edits(limit_set), []
        for edit in limit_set.edits:
            joint, edited = data.joints.get(edit.joint), limit_set.joints.get(edit.joint)
            channel = edit.channel
            if joint is None or edited is None or channel is None or edit.target not in BOUNDS:
                continue
            if all(edited.limits == item.joints.get(edit.joint, edited).limits for item in sets):
                continue
            own, wanted = ends_of(joint.limits[channel]), ends_of(edited.limits[channel])
            if all(map(isfinite, (*own, *wanted))):
                turns = round((sum(own) - sum(wanted)) / (2.0 * TURN_DEG))
                map_onto = {channel: ChannelMap(channel, 1.0, TURN_DEG * turns)}
                edits += [mapped_edit(edit, map_onto)] if turns else []
        moved = combine_edits(limit_set.edits, tuple(edits))
        found.append(with_edits(data, moved) if edits else limit_set)
    return found


def on_common_turns(sets: Sequence[LimitSet], how: str) -> list[LimitSet]:
    """Limit sets with the ranges of each joint on a common branch and turn.

    `how`: "intersection" makes the ranges overlap if possible; any other value brings them close
    together. Sets that need no change are returned unchanged.
    """
    maps: list[dict[str, Maps]] = [{} for _ in sets]
    for name in dict.fromkeys(name for item in sets for name in item.joints):
        rows = [row for row, item in enumerate(sets) if name in item.joints]
        for row, own in zip(rows, _joint_maps([sets[row].joints[name] for row in rows], how)):
            if any((one.sign, one.offset_deg) != (1.0, 0.0) for one in own.values()):
                maps[row][name] = own
    return [_map_set(item, own) if own else item for item, own in zip(sets, maps)]


def maps_onto(joint: JointLimit, like: JointLimit) -> Maps:
    """Maps of a joint's channels onto the branch and turns of the same joint in another set."""
    found = dict(_branch_map(joint, _box_of(like), MIN_BRANCH_GAIN_DEG))
    for channel, one in found.items():
        own = ends_of(one.range(joint.limits[channel]))
        kept, moved = turns_together([ends_of(like.limits[channel]), own], "union")
        found[channel] = one._replace(offset_deg=one.offset_deg + moved - kept)
    return found


def _joint_maps(joints: Sequence[JointLimit], how: str) -> Sequence[Maps]:
    """Maps of one joint's channels in every set onto a common branch, then onto common turns.

    The branch is that of the ranges nearest to zero. Ranges that do not overlap can be intersected
    only if they overlap on the other branch, so for an intersection any gain is enough.
    """
    channels = list(joints[0].limits)
    if len(joints) < 2 or any(list(joint.limits) != channels for joint in joints):
        return [{} for _ in joints]
    central = min(map(_box_of, joints), key=lambda box: sum(map(_distance_from_zero, box)))
    least = 0.0 if how == "intersection" else MIN_BRANCH_GAIN_DEG
    found = [dict(_branch_map(joint, central, least)) for joint in joints]
    for channel in channels:
        ranges = [own[channel].range(joint.limits[channel]) for joint, own in zip(joints, found)]
        for own, offset in zip(found, turns_together(list(map(ends_of, ranges)), how)):
            one = own[channel]
            own[channel] = one._replace(offset_deg=one.offset_deg + offset)
    return found


def _box_of(joint: JointLimit) -> list[Span]:
    return [ends_of(axis) for axis in joint.limits.values()]


def _branch_map(joint: JointLimit, target: Sequence[Span], least_gain_deg: float) -> Maps:
    """Map to the other Euler solution if that gains over `least_gain_deg`, else the identity."""
    own = {channel: ChannelMap(channel, 1.0, 0.0) for channel in joint.limits}
    if tuple(own) != CHANNELS:
        return own
    middle = CHANNELS[axes_of(joint.orientation.rotate_order)[1]]
    other = {name: ChannelMap(name, 1.0 - 2.0 * (name == middle), 180.0) for name in CHANNELS}
    ends = [ends_of(other[name].range(joint.limits[name])) for name in CHANNELS]
    gain = sum(map(_gap_on_circle, _box_of(joint), target)) - sum(map(_gap_on_circle, ends, target))
    return other if gain > least_gain_deg else own


def _distance_from_zero(span: Span) -> float:
    """Distance of a range's middle from zero, on the nearest turn; 0 for a free channel."""
    middle = 0.5 * (span[0] + span[1])
    return abs(middle - TURN_DEG * round(middle / TURN_DEG)) if isfinite(middle) else 0.0


def _gap_on_circle(first: Span, second: Span) -> float:
    """Degrees between two ranges, the shorter way round; 0 if they overlap or one is open."""
    if not all(map(isfinite, (*first, *second))):
        return 0.0
    ahead = (second[0] - first[1]) % TURN_DEG
    behind = (first[0] - second[1]) % TURN_DEG
    # If the ranges overlap, the two ways and both widths add up to more than one turn.
    widths = first[1] - first[0] + second[1] - second[0]
    return min(ahead, behind) if ahead + behind + widths <= TURN_DEG + 1e-9 else 0.0


def turns_together(spans: Sequence[Span], how: str) -> list[float]:
    """Full turns, in degrees, that bring ranges of one channel together; 0 if they already are.

    The order of the ranges does not matter. `spans`: (low, high), infinite where open.
    """
    if not all(map(isfinite, (end for span in spans for end in span))):
        return [0.0] * len(spans)
    if how == "intersection":
        return _turns_of_common(spans)
    ordered, reach, gap = sorted(spans), -float("inf"), 0.0
    for low, high in ordered:
        gap = max(gap, low - reach) if isfinite(reach) else 0.0
        reach = max(reach, high)
    together = gap <= HALF_TURN_DEG
    if together and reach - ordered[0][0] <= TURN_DEG:
        return [0.0] * len(spans)
    width, turns = _turns_of_smallest(spans)
    return [0.0] * len(spans) if together and width >= TURN_DEG else turns


def _turns_of_smallest(spans: Sequence[Span]) -> tuple[float, list[float]]:
    """Smallest width that can hold all ranges after shifting them by turns, and those turns."""
    best: tuple[tuple[float, float], list[float]] | None = None
    for start, _ in spans:
        turns = [TURN_DEG * ceil((start - low) / TURN_DEG) for low, _ in spans]
        top = max(high + turn for (_, high), turn in zip(spans, turns))
        back = -TURN_DEG * floor(0.5 * (start + top) / TURN_DEG + 0.5)
        key = round(top - start, 9), start + back
        if best is None or key < best[0]:
            best = key, [turn + back for turn in turns]
    assert best is not None
    return best[0][0], best[1]


def _turns_of_common(spans: Sequence[Span]) -> list[float]:
    """Turns that give the widest common range; 0 if there is one without turns, or none at all."""
    if max(low for low, _ in spans) <= min(high for _, high in spans):
        return [0.0] * len(spans)
    pieces = [min(spans, key=lambda span: (span[1] - span[0], _distance_from_zero(span), span))]
    for low, high in spans:
        pieces = [
            (max(low + turn, piece[0]), min(high + turn, piece[1]))
            for piece in pieces
            for turn in _overlapping_turns(piece, low, high)
        ]
    if not pieces:
        return [0.0] * len(spans)
    best = max(pieces, key=lambda piece: (round(piece[1] - piece[0], 9), -abs(sum(piece)), piece))
    return [_overlapping_turns(best, low, high)[0] for low, high in spans]


def _overlapping_turns(piece: Span, low: float, high: float) -> list[float]:
    """Full turns, in degrees, by which a range can be shifted to overlap a piece."""
    first, last = ceil((piece[0] - high) / TURN_DEG), floor((piece[1] - low) / TURN_DEG)
    return [TURN_DEG * turn for turn in range(first, last + 1)]


def _map_set(limit_set: LimitSet, maps: Mapping[str, Maps]) -> LimitSet:
    """Limit set with mapped joints, edits and dependencies."""
    data = without_edits(limit_set)
    joints = dict(data.joints)
    for name in maps:
        joints[name] = _map_joint(joints[name], maps[name])
    edits = [mapped_edit(e, maps[e.joint]) if e.joint in maps else e for e in limit_set.edits]
    dependencies, nothing = [], ChannelMap("", 1.0, 0.0)
    for item in data.dependencies:
        on = maps.get(item.on_joint, {}).get(item.on_channel, nothing)
        own = maps.get(item.joint, {}).get(item.channel, nothing)
        corners = [(on.value(at), own.value(value)) for at, value in item.corners_deg]
        if on.sign * own.sign < 0.0:
            corners.reverse()  # a mirrored polygon runs the other way round
        dependencies.append(replace(item, corners_deg=tuple(corners)))
    return with_edits(replace(data, joints=joints, dependencies=tuple(dependencies)), edits)


def _map_joint(joint: JointLimit, maps: Maps) -> JointLimit:
    limits = {name: maps[name].range(axis) for name, axis in joint.limits.items()}
    if tuple(limits) != CHANNELS:
        return with_limits(joint, limits)
    rest = _map_pose(joint.rest, maps)
    remedies = {key: one and _map_pose(one, maps) for key, one in joint.remedies.items()}
    candidate = joint.candidate
    if candidate is not None:
        locked = {name: maps[name].value(at) for name, at in candidate.locked_deg.items()}
        candidate = replace(candidate, locked_deg=locked)
    return with_limits(replace(joint, rest=rest, remedies=remedies, candidate=candidate), limits)


def _map_pose(pose: RestPose, maps: Maps) -> RestPose:
    x, y, z = (maps[name].value(at) for name, at in zip(CHANNELS, pose.rotate_deg))
    return replace(pose, rotate_deg=(x, y, z))
