"""Edits to a document's limits, each one undo step, and limits as clipboard text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Union

from jointlimits_core.base.errors import LimitSetError
from jointlimits_core.base.text import channel_letter, names_words
from jointlimits_core.geometry.euler import CHANNELS
from jointlimits_core.limits import (
    layers,
    limit_set,
    partners,
    ranges,
    records,
    symmetry,
    vocabulary,
)
from jointlimits_core.limits.carry_over import MIN_LOSS_DEG, CarryOverError, limit_in_order
from jointlimits_core.motion.name_matching import matched_joints

from ..toolkit.words import counted
from .state import Change, EditKey

if TYPE_CHECKING:
    from .document import Document

Names = Union[str, Iterable[str]]
"""One joint, or several that are changed together."""
EDITED, EVERY, WIDER = "edited", "every", "wider"
"""Choices of what mirroring copies."""
SAME_DEG = 1e-9
"""A mirrored limit closer than this to the measured one needs no edit."""


@dataclass(frozen=True)
class Pasted:
    """Result of pasting."""

    joints: tuple[str, ...]
    """Joints that received the limits."""
    types: dict[str, tuple[str, str]]
    """Old and new type of each joint whose type changed, by joint name."""
    wider: dict[str, float]
    """Degrees by which the box in a joint's own rotate order allows more than was copied."""


class Editing:
    """Edits to a document.

    Every method takes one joint or several. An invalid value changes nothing and raises
    ValueError, with the next step in the message.
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        self._gestures = 0

    def new_gesture(self) -> int:
        """Begin a gesture: all steps with the returned number become one undo step."""
        self._gestures += 1
        return self._gestures

    def set_limit(
        self, joints: Names, channel: str, end: str, value_deg: float, gesture: int = 0
    ) -> None:
        """Set the "min" or "max" of a channel, in degrees.

        In a gesture, the value stops at the other end of the range, as a handle does; otherwise a
        value past the other end raises ValueError.
        """
        limits = self._document.limits

        def change(joint: str) -> Change:
            span, value = ranges.span_of(_axis_of(limits, joint, channel)), value_deg
            if gesture and span is not None:
                value = min(value, span[1]) if end == "min" else max(value, span[0])
            return _limit_change(limits, joint, channel, end, value)

        what = f"{end.capitalize()} {vocabulary.degrees(value_deg)}"
        self._each(what, joints, change, channel, gesture)

    def set_state(self, joints: Names, channel: str, state: str) -> None:
        """Make a channel "free", "locked" at the preferred pose, or "limited".

        A limited channel gets its measured limits, or half a turn to each side if it has none.
        """
        data = self._document.data

        def change(joint: str) -> Change:
            keys = _keys(joint, channel)
            if state != "limited":
                return Change((records.ArtistEdit(joint, "state", channel, state),), keys)
            if _axis_of(data, joint, channel).state == "limited":
                return Change((), keys)
            preferred = data.joints[joint].preferred_deg
            pose = preferred[CHANNELS.index(channel)] if channel in CHANNELS else 0.0
            half = 0.5 * ranges.TURN_DEG
            axis = limit_set.AxisLimit("limited", pose - half, pose + half)
            return Change(_as_edits(joint, channel, axis), keys)

        what = {"free": "Free", "limited": "Limit", "locked": "Lock"}[state]
        self._each(what, joints, change, channel)

    def set_type(self, joints: Names, kind: str) -> None:
        """Set the type of joints."""
        data = self._document.data
        self._each(f"Type {kind}", joints, lambda n: _type_change(data, n, kind))

    def pin(self, joints: Names) -> None:
        """Pin joints at their current limits; later estimates do not change them."""
        limits = self._document.limits

        def change(joint: str) -> Change:
            channels = tuple(_joint_of(limits, joint).limits)
            states = [(joint, "state", channel) for channel in channels]
            still = [edit for edit in limits.edits if edit.key in states and edit.value == "locked"]
            return Change((*still, *layers.locks(limits, joint, channels)), tuple(states))

        self._each("Pin", joints, change)

    def reset(self, joints: Names, channel: str | None = None) -> None:
        """Go back to the measured values of the whole joint, or of one channel."""
        edits = [e for e in self._document.limits.edits if channel in (None, e.channel)]

        def change(joint: str) -> Change:
            return Change((), tuple(edit.key for edit in edits if edit.joint == joint))

        self._each("Back to measured", joints, change, channel)

    def copy(self, joints: Names) -> str:
        """Clipboard text for joints: a limit set with only these joints."""
        limits, names = self._document.limits, _names_of(joints)
        if not names:
            raise ValueError("no joint is selected; select the joints to copy from")
        copied = {name: replace(limits.joints[name], parent=None, coupled=None) for name in names}
        return limit_set.LimitSet(limits.character, copied, mode=limits.mode).to_json()

    def paste(self, text: str, joints: Names = ()) -> Pasted:
        """Paste text from :meth:`copy`: one copied joint applies to all, several apply by name.

        Joints of other rotate orders get the box around the same turns. Raises ValueError where
        gimbal lock is within it.
        """
        data, copied = self._document.data, _read_clipboard(text)
        onto = dict.fromkeys(_names_of(joints), next(iter(copied.values())))
        if len(copied) > 1:
            names = list(data.joints)
            found = matched_joints(copied, names)
            if not found:
                raise ValueError(
                    f"these limits have none of the copied joints: {names_words(list(copied))}. "
                    "Copy one joint to paste it onto any other"
                )
            onto = {names[row]: copied[name] for name, row in found.items()}
        elif not onto:
            raise ValueError("no joint is selected; select the joints to paste onto")
        before, wider = self._document.limits.joints, dict[str, float]()
        for name, one in onto.items():
            onto[name], wider[name] = _in_order_of(name, one, data.joints[name].orientation)
        self._each("Paste", onto, lambda name: _paste_change(name, onto[name], data))
        after = self._document.limits.joints
        types = {name: (before[name].type, after[name].type) for name in onto}
        changed = {name: kinds for name, kinds in types.items() if kinds[0] != kinds[1]}
        wider = {name: loss for name, loss in wider.items() if loss > MIN_LOSS_DEG}
        return Pasted(tuple(onto), changed, wider)

    def mirror(self, joints: Names, what: str = EDITED) -> tuple[str, ...]:
        """Mirror joints to their partners on the other side.

        `what`: :data:`EDITED` channels, or all if a joint has no edits; :data:`EVERY` channel; or
        :data:`WIDER` ranges, to which the partner's are widened. Returns the joints that were
        mirrored. Raises ValueError if none can be.
        """
        names, known = _names_of(joints), self._document.partners
        if not names:
            raise ValueError("no joint is selected; select the joints to mirror")
        if has_no_channels(self._document.limits):
            raise ValueError(
                "limits measured in paper mode cannot be mirrored; Estimate "
                "measures them again, in rotate channels"
            )
        able = partners.mirrorable(names, known) or names
        for name in able:
            partners.check_partner(name, able, known.get(name))
        data, limits = self._document.data, self._document.limits
        self._each(
            "Mirror", able, lambda name: _mirror_change(data, limits, name, known[name], what)
        )
        return tuple(able)

    def _each(
        self,
        what: str,
        joints: Names,
        change_of: Callable[[str], Change],
        channel: str | None = None,
        gesture: int = 0,
    ) -> None:
        names = _names_of(joints)
        target = counted(len(names), self._document.noun)
        target = names[0] if len(names) == 1 else target
        if channel is not None and channel in CHANNELS:
            target = f"{target} {channel_letter(channel)}"
        change = sum(map(change_of, names), Change())
        self._document.do(f"{what}: {target}", change, gesture)


def _names_of(joints: Names) -> list[str]:
    return [joints] if isinstance(joints, str) else list(joints)


def _joint_of(limits: limit_set.LimitSet, joint: str) -> limit_set.JointLimit:
    if joint not in limits.joints:
        raise ValueError(f"this limit set has no joint {joint}; it may belong to another character")
    return limits.joints[joint]


def _axis_of(limits: limit_set.LimitSet, joint: str, channel: str) -> limit_set.AxisLimit:
    found = _joint_of(limits, joint).limits
    if channel not in found:
        raise ValueError(f"{joint} has no channel {channel}; it has {', '.join(found)}")
    return found[channel]


def _keys(joint: str, channel: str) -> tuple[EditKey, ...]:
    """Keys of all edits that a channel can have."""
    return tuple((joint, target, channel) for target in (*records.BOUNDS, "state"))


def _as_edits(
    joint: str, channel: str, axis: limit_set.AxisLimit
) -> tuple[records.ArtistEdit, ...]:
    ends = zip(records.BOUNDS, ranges.span_of(axis) or ())
    added = tuple(records.ArtistEdit(joint, end, channel, value) for end, value in ends)
    if added and axis.state != "locked":
        return added
    return (records.ArtistEdit(joint, "state", channel, "locked" if added else "free"), *added)


def _limit_change(
    limits: limit_set.LimitSet, joint: str, channel: str, end: str, value_deg: float
) -> Change:
    """Set one end of a range, no further than the other end, which stays."""
    axis = _axis_of(limits, joint, channel)
    passed, span = layers.passed_limit(axis, end, value_deg), ranges.span_of(axis)
    if passed is not None:
        other, far = passed[0], vocabulary.degrees(passed[1])
        wanted = f"{end} {vocabulary.degrees(value_deg)}"
        raise ValueError(
            f"{joint} {channel_letter(channel)}: {wanted} would pass {other} {far}; change the "
            f"{other} first"
        )
    added, removed = [records.ArtistEdit(joint, end, channel, float(value_deg))], []
    if any(edit.key == (joint, "state", channel) for edit in limits.edits):
        # Removing the state edit would reset the other end to its measured value.
        removed.append((joint, "state", channel))
        if span is not None:
            other, value = ("max", span[1]) if end == "min" else ("min", span[0])
            added.append(records.ArtistEdit(joint, other, channel, value))
    return Change(tuple(added), tuple(removed))


def _type_change(data: limit_set.LimitSet, joint: str, kind: str) -> Change:
    if kind not in records.JOINT_TYPES:
        raise ValueError(f"unknown joint type {kind}; choose {', '.join(records.JOINT_TYPES)}")
    is_measured = _joint_of(data, joint).type == kind
    added = () if is_measured else (records.ArtistEdit(joint, "type", None, kind),)
    return Change(added, ((joint, "type", None),))


def _read_clipboard(text: str) -> dict[str, limit_set.JointLimit]:
    try:
        copied = dict(limit_set.LimitSet.from_json(text, "clipboard").joints)
    except LimitSetError:
        copied = {}
    if not copied:
        raise ValueError("the clipboard has no joint limits; copy some from a joint first")
    return copied


def _in_order_of(
    name: str, copied: limit_set.JointLimit, target: limit_set.Orientation
) -> tuple[limit_set.JointLimit, float]:
    """Copied limits in the rotate order of a joint, and degrees by which they allow more."""
    order, own = copied.orientation.rotate_order, target.rotate_order
    if tuple(copied.limits) != CHANNELS:
        return copied, 0.0
    try:
        return limit_in_order(copied, own)
    except CarryOverError:
        raise ValueError(
            f"{name}: the copied limits are for rotate order {order} and reach gimbal lock in its "
            f"own order, {own}; set its limits by hand"
        ) from None


def _paste_change(name: str, copied: limit_set.JointLimit, data: limit_set.LimitSet) -> Change:
    change = _type_change(data, name, copied.type)
    for channel, axis in copied.limits.items():
        if channel not in data.joints[name].limits:
            raise ValueError(f"{name} has no channel {channel}, which was copied")
        change += Change(_as_edits(name, channel, axis), _keys(name, channel))
    return change


def _mirror_change(
    data: limit_set.LimitSet,
    limits: limit_set.LimitSet,
    name: str,
    partner: partners.Partner,
    what: str,
) -> Change:
    """Give a joint's partner the mirrored type and ranges, on the partner's branch."""
    there = limits.joints[partner.name]
    image = symmetry.mirrored_limit(limits.joints[name], partner.signs, partner.offsets_deg)
    image = ranges.on_branch_of(image, there.limits, there.orientation.rotate_order)[0]
    edited = {edit.channel for edit in limits.edits if edit.joint == name and what == EDITED}
    change = Change()
    if what != WIDER and (not edited or None in edited):
        change = _type_change(data, partner.name, limits.joints[name].type)
    for channel, axis in image.items():
        if edited and channel not in edited:
            continue
        if what == WIDER:
            axis = _wider(axis, there.limits[channel])
        other = data.joints[partner.name].limits[channel]
        first, second = ranges.span_of(axis), ranges.span_of(other)
        is_same = axis.state == other.state == "free"
        if axis.state == other.state and first is not None and second is not None:
            is_same = max(abs(a - b) for a, b in zip(first, second)) < SAME_DEG
        added = () if is_same else _as_edits(partner.name, channel, axis)
        change += Change(added, _keys(partner.name, channel))
    return change


def _wider(first: limit_set.AxisLimit, second: limit_set.AxisLimit) -> limit_set.AxisLimit:
    """Range around those of two channels; free if either is."""
    spans = [span for span in map(ranges.span_of, (first, second)) if span is not None]
    if len(spans) < 2:
        return limit_set.AxisLimit("free")
    low, high = min(low for low, _ in spans), max(high for _, high in spans)
    is_locked = first.state == second.state == "locked" and low == high
    return limit_set.AxisLimit("locked" if is_locked else "limited", low, high)


def why_not_mirrored(
    limits: limit_set.LimitSet, joints: Sequence[str], partner_of: Mapping[str, partners.Partner]
) -> str:
    """Reason why none of these joints can be mirrored; empty if any can."""
    if has_no_channels(limits):
        return "Limits measured in paper mode cannot be mirrored; Estimate measures them again."
    if partners.mirrorable(joints, partner_of):
        return ""
    if any(name in partner_of for name in joints):
        return "The channels of the two sides do not map one to one."
    return "No selected joint has a partner on the other side."


def has_no_channels(limits: limit_set.LimitSet) -> bool:
    """Whether limits use the paper's angles, which have neither dials nor mirroring."""
    return limits.mode == "paper"
