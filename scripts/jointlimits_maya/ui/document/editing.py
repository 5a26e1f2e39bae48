"""Edits of the limits, each one undo step of a document."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Union

from jointlimits_core.base import channel_letter
from jointlimits_core.geometry import CHANNELS

from ..toolkit import counted, degrees
from . import clipboard, edits, mirroring
from .edits import Change, together

if TYPE_CHECKING:
    from .document import Document

Names = Union[str, Iterable[str]]
"""One joint, or several that are changed together."""


@dataclass(frozen=True)
class Pasted:
    """Result of pasting.

    Parameters
    ----------
    joints : tuple of str
        Joints that received the limits.
    types : mapping of joint name to (before, after)
        Joints whose type changed.
    """

    joints: tuple[str, ...]
    types: dict[str, tuple[str, str]]


class Editing:
    """Edits of a document.

    Every method takes one joint or several. A value that does not fit raises ValueError with the
    next step in the message, and changes nothing.
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        self._gestures = 0

    def new_gesture(self) -> int:
        """Begin a gesture: steps with the returned number become one undo step."""
        self._gestures += 1
        return self._gestures

    def set_limit(
        self, joints: Names, channel: str, end: str, value_deg: float, gesture: int | None = None
    ) -> None:
        """Set the "min" or "max" of a channel, in degrees."""
        limits, names = self._document.limits, _listed(joints)
        change = together(edits.bound(limits, name, channel, end, value_deg) for name in names)
        self._do(_bound_text(names, channel, end, value_deg), change, gesture)

    def drag_limit(
        self, joints: Names, channel: str, end: str, value_deg: float, gesture: int
    ) -> None:
        """Like :meth:`set_limit`, but stop at the other end."""
        limits, names = self._document.limits, _listed(joints)
        change = together(edits.dragged(limits, name, channel, end, value_deg) for name in names)
        self._do(_bound_text(names, channel, end, value_deg), change, gesture)

    def set_range(self, joints: Names, channel: str, low_deg: float, high_deg: float) -> None:
        """Set both ends of a channel, in degrees."""
        names = _listed(joints)
        change = together(edits.span(name, channel, low_deg, high_deg) for name in names)
        what = f"Range {degrees(low_deg)} to {degrees(high_deg)}"
        self._do(_text(what, names, channel), change)

    def lock(self, joints: Names, channel: str, at_deg: float | None = None) -> None:
        """Lock a channel, by default at the preferred pose."""
        names = _listed(joints)
        change = together(edits.locked(name, channel, at_deg) for name in names)
        self._do(_text("Lock", names, channel), change)

    def free(self, joints: Names, channel: str) -> None:
        """Remove the limit of a channel."""
        names = _listed(joints)
        self._do(_text("Free", names, channel), together(edits.freed(n, channel) for n in names))

    def limit(self, joints: Names, channel: str) -> None:
        """Limit a free or locked channel: as measured, otherwise half a turn to each side."""
        data, names = self._document.data, _listed(joints)
        change = together(edits.limited(data, name, channel) for name in names)
        self._do(_text("Limit", names, channel), change)

    def set_type(self, joints: Names, kind: str) -> None:
        """Set the type of joints."""
        data, names = self._document.data, _listed(joints)
        change = together(edits.typed(data, name, kind) for name in names)
        self._do(_text(f"Type {kind}", names), change)

    def set_note(self, joint: str, text: str) -> None:
        """Set the note of a joint; empty text removes it."""
        self._do(_text("Note", [joint]), edits.noted(joint, text))

    def pin(self, joints: Names) -> None:
        """Pin joints at their current limits; later estimates do not change them."""
        limits, names = self._document.limits, _listed(joints)
        change = together(edits.pinned(limits, name) for name in names)
        self._do(_text("Pin", names), change)

    def reset(self, joints: Names, channel: str | None = None) -> None:
        """Go back to the measured values of all channels or of one."""
        names = _listed(joints)
        change = edits.as_data(self._document.limits.edits, names, channel)
        self._do(_text("Back to measured", names, channel), change)

    def copy(self, joints: Names) -> str:
        """Clipboard text of joints; changes nothing."""
        return clipboard.text_of(self._document.limits, _listed(joints))

    def paste(self, text: str, joints: Names = ()) -> Pasted:
        """Paste the text of :meth:`copy`: one joint applies to all, several apply by name."""
        names = _listed(joints)
        change = clipboard.pasted(text, self._document.data, names)
        onto = tuple(dict.fromkeys(joint for joint, _, _ in change.taken)) or tuple(names)
        before = {name: self._document.limits.joints[name].type for name in onto}
        self._do(_text("Paste", onto), change)
        after = {name: self._document.limits.joints[name].type for name in onto}
        types = {name: (before[name], after[name]) for name in onto if before[name] != after[name]}
        return Pasted(onto, types)

    def mirror(self, joints: Names, only_edits: bool = False) -> tuple[str, ...]:
        """Give the other side the mirror image, of everything or only of the edits.

        Returns
        -------
        tuple of str
            The mirrored joints: all that can be. Raises ValueError if none can.
        """
        document, names = self._document, _listed(joints)
        if not names:
            raise ValueError("no joint is selected; select the joints to mirror")
        partners = document.partners
        able = mirroring.mirrorable(names, partners) or names
        found = mirroring.mirrored(document.data, document.limits, able, partners, only_edits)
        self._do(_text("Mirror", able), found)
        return tuple(able)

    def _do(self, text: str, change: Change, gesture: int | None = None) -> None:
        self._document.do(text, change, gesture)


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


def _bound_text(joints: Sequence[str], channel: str, end: str, value_deg: float) -> str:
    what = "Min {value}" if end == "min" else "Max {value}"
    return _text(what.format(value=degrees(value_deg)), joints, channel)
