"""Edits of limits as records of the core's edit layer: no window, no state."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from jointlimits_core.base.text import channel_letter
from jointlimits_core.geometry.euler import CHANNELS
from jointlimits_core.limits.layers import locks, passed_limit
from jointlimits_core.limits.limit_set import AxisLimit, LimitSet
from jointlimits_core.limits.ranges import TURN_DEG, span_of
from jointlimits_core.limits.records import BOUNDS, JOINT_TYPES, ArtistEdit
from jointlimits_core.limits.vocabulary import degrees

from .state import EditKey


@dataclass(frozen=True)
class Change:
    """Edits to remove (`removed`), then edits to add (`added`)."""

    added: tuple[ArtistEdit, ...] = ()
    removed: tuple[EditKey, ...] = ()

    def __add__(self, other: Change) -> Change:
        return Change(self.added + other.added, self.removed + other.removed)


def together(changes: Iterable[Change]) -> Change:
    """All changes as one."""
    return sum(changes, Change())


def bound(limits: LimitSet, joint: str, channel: str, end: str, value_deg: float) -> Change:
    """Set one end ("min" or "max") of a range in force; the other end stays where it is.

    Raises ValueError if it would pass the other end.
    """
    axis = axis_of(limits, joint, channel)
    passed, span = passed_limit(axis, end, value_deg), span_of(axis)
    if passed is not None:
        other, far = passed[0], degrees(passed[1])
        raise ValueError(
            f"{joint} {channel_letter(channel)}: {end} {degrees(value_deg)} would pass {other} "
            f"{far}; change the {other} first"
        )
    added, removed = [ArtistEdit(joint, end, channel, float(value_deg))], []
    if any(edit.key == (joint, "state", channel) for edit in limits.edits):
        # Without the edit of its state, the other end would go back to its measured value.
        removed.append((joint, "state", channel))
        if span is not None:
            other, value = ("max", span[1]) if end == "min" else ("min", span[0])
            added.append(ArtistEdit(joint, other, channel, value))
    return Change(tuple(added), tuple(removed))


def dragged(limits: LimitSet, joint: str, channel: str, end: str, value_deg: float) -> Change:
    """Like :func:`bound`, but stop at the other end, as a handle does."""
    span = span_of(axis_of(limits, joint, channel))
    if span is not None:
        value_deg = min(value_deg, span[1]) if end == "min" else max(value_deg, span[0])
    return bound(limits, joint, channel, end, value_deg)


def locked(joint: str, channel: str, at_deg: float | None = None) -> Change:
    """Lock a channel, by default at the preferred pose."""
    added: tuple[ArtistEdit, ...] = (ArtistEdit(joint, "state", channel, "locked"),)
    if at_deg is not None:
        added += tuple(ArtistEdit(joint, end, channel, float(at_deg)) for end in BOUNDS)
    return Change(added, keys(joint, channel))


def freed(joint: str, channel: str) -> Change:
    """Remove a channel's limit."""
    return Change((ArtistEdit(joint, "state", channel, "free"),), keys(joint, channel))


def limited(data: LimitSet, joint: str, channel: str) -> Change:
    """Limit a channel again: as measured, otherwise half a turn to each side."""
    axis = axis_of(data, joint, channel)
    if axis.state == "limited":
        return Change((), keys(joint, channel))
    preferred = data.joints[joint].preferred_deg
    pose = preferred[CHANNELS.index(channel)] if channel in CHANNELS else 0.0
    ends = zip(BOUNDS, (pose - 0.5 * TURN_DEG, pose + 0.5 * TURN_DEG))
    added = tuple(ArtistEdit(joint, end, channel, value) for end, value in ends)
    return Change(added, keys(joint, channel))


def typed(data: LimitSet, joint: str, kind: str) -> Change:
    """Set the type of a joint; the measured type needs no edit."""
    if kind not in JOINT_TYPES:
        raise ValueError(f"unknown joint type {kind}; choose {', '.join(JOINT_TYPES)}")
    _known(data, joint)
    added = () if data.joints[joint].type == kind else (ArtistEdit(joint, "type", None, kind),)
    return Change(added, ((joint, "type", None),))


def pinned(limits: LimitSet, joint: str) -> Change:
    """Pin a joint at its current limits; later estimates do not change them."""
    _known(limits, joint)
    pins = locks(limits, joint, tuple(limits.joints[joint].limits))
    states = [(joint, "state", channel) for channel in limits.joints[joint].limits]
    still = [edit for edit in limits.edits if edit.key in states and edit.value == "locked"]
    return Change((*still, *pins), tuple(states))


def reset(edits: Sequence[ArtistEdit], joints: Iterable[str], channel: str | None = None) -> Change:
    """Remove the edits of joints, or of one of their channels."""
    wanted = set(joints)
    found = [e.key for e in edits if e.joint in wanted and channel in (None, e.channel)]
    return Change((), tuple(found))


def keys(joint: str, channel: str) -> tuple[EditKey, ...]:
    """Keys of all edits that a channel can have."""
    return tuple((joint, target, channel) for target in (*BOUNDS, "state"))


def axis_of(limits: LimitSet, joint: str, channel: str) -> AxisLimit:
    """Range of a channel; raises ValueError if the joint or the channel does not exist."""
    _known(limits, joint)
    found = limits.joints[joint].limits
    if channel not in found:
        raise ValueError(f"{joint} has no channel {channel}; it has {', '.join(found)}")
    return found[channel]


def _known(limits: LimitSet, joint: str) -> None:
    if joint not in limits.joints:
        raise ValueError(f"this limit set has no joint {joint}; it may be of another character")
