"""Edits of the limits, each one undo step of a document, and limits as clipboard text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Union

from jointlimits_core.base.errors import LimitSetError
from jointlimits_core.base.text import channel_letter, names_words
from jointlimits_core.geometry.euler import CHANNELS
from jointlimits_core.limits.limit_set import JointLimit, LimitSet
from jointlimits_core.limits.vocabulary import degrees
from jointlimits_core.motion.name_matching import matched_joints

from ..toolkit.words import counted
from . import edits, mirroring
from .edits import Change, together
from .store import Store

Names = Union[str, Iterable[str]]
"""One joint, or several that are changed together."""


@dataclass(frozen=True)
class Pasted:
    """Result of pasting."""

    joints: tuple[str, ...]
    """Joints that received the limits."""
    types: dict[str, tuple[str, str]]
    """Joints whose type changed, by joint name."""


class Editing:
    """Edits of a document.

    Every method takes one joint or several. A value that does not fit raises ValueError with the
    next step in the message, and changes nothing.
    """

    def __init__(self, document: Store) -> None:
        self._document = document
        self._gestures = 0

    def new_gesture(self) -> int:
        """Begin a gesture: steps with the returned number become one undo step."""
        self._gestures += 1
        return self._gestures

    def set_limit(self, joints: Names, channel: str, end: str, value_deg: float) -> None:
        """Set the "min" or "max" of a channel, in degrees."""
        limits, what = self._document.limits, f"{end.capitalize()} {degrees(value_deg)}"
        self._each(what, joints, lambda n: edits.bound(limits, n, channel, end, value_deg), channel)

    def drag_limit(
        self, joints: Names, channel: str, end: str, value_deg: float, gesture: int
    ) -> None:
        """Like :meth:`set_limit`, but stop at the other end."""
        limits, what = self._document.limits, f"{end.capitalize()} {degrees(value_deg)}"
        self._each(
            what,
            joints,
            lambda n: edits.dragged(limits, n, channel, end, value_deg),
            channel,
            gesture,
        )

    def lock(self, joints: Names, channel: str, at_deg: float | None = None) -> None:
        """Lock a channel, by default at the preferred pose."""
        self._each("Lock", joints, lambda n: edits.locked(n, channel, at_deg), channel)

    def free(self, joints: Names, channel: str) -> None:
        """Remove the limit of a channel."""
        self._each("Free", joints, lambda n: edits.freed(n, channel), channel)

    def limit(self, joints: Names, channel: str) -> None:
        """Limit a free or locked channel: as measured, otherwise half a turn to each side."""
        data = self._document.data
        self._each("Limit", joints, lambda n: edits.limited(data, n, channel), channel)

    def set_type(self, joints: Names, kind: str) -> None:
        """Set the type of joints."""
        data = self._document.data
        self._each(f"Type {kind}", joints, lambda n: edits.typed(data, n, kind))

    def pin(self, joints: Names) -> None:
        """Pin joints at their current limits; later estimates do not change them."""
        limits = self._document.limits
        self._each("Pin", joints, lambda n: edits.pinned(limits, n))

    def reset(self, joints: Names, channel: str | None = None) -> None:
        """Go back to the measured values of all channels or of one."""
        names = _listed(joints)
        change = edits.reset(self._document.limits.edits, names, channel)
        self._document.do(_text("Back to measured", names, channel), change)

    def copy(self, joints: Names) -> str:
        """Clipboard text of joints; changes nothing."""
        return text_of(self._document.limits, _listed(joints))

    def paste(self, text: str, joints: Names = ()) -> Pasted:
        """Paste the text of :meth:`copy`: one joint applies to all, several apply by name."""
        names = _listed(joints)
        change = pasted(text, self._document.data, names)
        onto = tuple(dict.fromkeys(joint for joint, _, _ in change.removed)) or tuple(names)
        before = {name: self._document.limits.joints[name].type for name in onto}
        self._document.do(_text("Paste", onto), change)
        after = {name: self._document.limits.joints[name].type for name in onto}
        types = {name: (before[name], after[name]) for name in onto if before[name] != after[name]}
        return Pasted(onto, types)

    def mirror(self, joints: Names) -> tuple[str, ...]:
        """Give the other side the mirror image.

        Returns the joints that could be mirrored. Raises ValueError if none can.
        """
        document, names = self._document, _listed(joints)
        if not names:
            raise ValueError("no joint is selected; select the joints to mirror")
        partners = document.partners
        able = mirroring.mirrorable(names, partners) or names
        found = mirroring.mirrored(document.data, document.limits, able, partners)
        document.do(_text("Mirror", able), found)
        return tuple(able)

    def _each(
        self,
        what: str,
        joints: Names,
        change_of: Callable[[str], Change],
        channel: str | None = None,
        gesture: int = 0,
    ) -> None:
        """Change every joint, as one undo step."""
        names = _listed(joints)
        self._document.do(_text(what, names, channel), together(map(change_of, names)), gesture)


def _listed(joints: Names) -> list[str]:
    return [joints] if isinstance(joints, str) else list(joints)


def _text(what: str, joints: Sequence[str], channel: str | None = None) -> str:
    """Entry in the Edit menu: what was done to which joints."""
    target = (
        joints[0] if len(joints) == 1 else counted(len(joints), "{count} joint", "{count} joints")
    )
    if channel in CHANNELS:
        target = f"{target} {channel_letter(str(channel))}"
    return f"{what}: {target}"


def text_of(limits: LimitSet, joints: Sequence[str]) -> str:
    """Joints as clipboard text: a limit set of them alone."""
    if not joints:
        raise ValueError("no joint is selected; select the joints to copy from")
    copied = {name: replace(limits.joints[name], parent=None, coupled=None) for name in joints}
    return LimitSet(limits.character, copied, mode=limits.mode).to_json()


def pasted(text: str, data: LimitSet, joints: Sequence[str]) -> Change:
    """Give joints the limits in a text; a single copied joint applies to all, others by name.

    Raises ValueError if the text is not copied limits, or none of its joints is in `data`, the
    limits without edits.
    """
    try:
        copied = LimitSet.from_json(text, "clipboard").joints
    except LimitSetError:
        copied = {}
    if not copied:
        raise ValueError("the clipboard has no joint limits; copy some from a joint first")
    if len(copied) == 1:
        (only,) = copied.values()
        if not joints:
            raise ValueError("no joint is selected; select the joints to paste onto")
        return together(_onto(name, only, data) for name in joints)
    names = list(data.joints)
    found = matched_joints(copied, names)
    if not found:
        raise ValueError(
            f"none of the copied joints is here: {names_words(list(copied))}. Copy one joint to "
            "paste it onto any other"
        )
    return together(_onto(names[row], copied[name], data) for name, row in found.items())


def _onto(name: str, copied: JointLimit, data: LimitSet) -> Change:
    parts = [edits.typed(data, name, copied.type)]
    for channel, axis in copied.limits.items():
        if channel not in data.joints[name].limits:
            raise ValueError(f"{name} has no channel {channel}, which was copied")
        parts.append(Change(mirroring.as_edits(name, channel, axis), edits.keys(name, channel)))
    return together(parts)
