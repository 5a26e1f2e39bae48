"""Detection of another character or a part of the open one, and questions before replacing it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.evaluation.matching import matched_joints
from jointlimits_core.progress import Cancelled

from .host import Character
from .state import State
from .words import counted, tr

if TYPE_CHECKING:
    from .window import Window


def is_other(state: State, whom: Character) -> bool:
    """Whether a character of the host is not the one that is open.

    Characters in the scene are distinguished by their joints, not by names: the same rig twice is
    two characters. Limits of a file fit any character with such joints.
    """
    limits = state.limits
    if limits is None:
        return False
    names = whom.joint_names()
    if not matched_joints(limits.joints, names):
        return True
    if state.whom is None:
        return False
    if state.whom.is_there():
        return not state.whom.overlaps(whom)
    # It is gone, for example because another scene was opened or its reference was reloaded.
    return not set(limits.joints) & set(names)


def is_part(state: State, whom: Character) -> bool:
    """Whether a character is only a part of the open one."""
    limits = state.limits
    if limits is None:
        return False
    if state.whom is not None and state.whom.is_there():
        return whom.is_part_of(state.whom)
    return len(matched_joints(limits.joints, whom.joint_names())) < len(limits.joints)


def worth_saving(state: State) -> list[str]:
    """Work of the artist that another estimate of the same scene would not restore."""
    if state.limits is None:
        return []
    clips, frames = len(state.ignored.clips), len(state.ignored.frames)
    # What was found in tracks is found there again.
    own = [clip for clip in state.clips if clip.name not in state.traces]
    added = sum(clip.source is not None for clip in own)
    found = [
        (len(state.edits), "{count} edit", "{count} edits"),
        (frames, "{count} excluded frame", "{count} excluded frames"),
        (clips, "{count} excluded clip", "{count} excluded clips"),
        (added, "{count} added clip", "{count} added clips"),
    ]
    lost = [counted(count, one, several) for count, one, several in found if count]
    if state.options != _usual(state):
        lost.append(tr("the options"))
    return lost


def _usual(state: State) -> EstimateOptions:
    """Options of an estimate without any choices by the user."""
    return replace(EstimateOptions(), mode=state.options.mode)


def name_of(state: State) -> str:
    """Name of the open character, with its top joint where the host has one."""
    if state.limits is None:
        return ""
    name = state.limits.character
    if state.whom is None or state.whom.name == name:
        return name
    return f"{name} ({state.whom.name})"


class GivingWay:
    """Questions before an estimate replaces something."""

    def __init__(self, window: Window) -> None:
        self._window, self._document = window, window.document

    def to_other(self, name: str) -> None:
        """Ask before another character replaces unsaved work.

        Parameters
        ----------
        name : str
            Name of the other character.

        Raises
        ------
        Cancelled
            If the user keeps the open one.
        """
        state = self._document.state
        lost = worth_saving(state)
        if not lost or self._document.is_saved:
            return
        text = tr(
            "{name} is open and not saved: {what}. {other} would replace it.",
            name=name_of(state),
            what=", ".join(lost),
            other=name,
        )
        save, discard = tr("Save"), tr("Discard")
        answer = self._window.questions.choose(text, (save, discard, tr("Cancel")))
        if answer == save:
            self._window.files.save()
        if answer != discard and not self._document.is_saved:
            raise Cancelled

    def to_part(self, whom: Character) -> Character:
        """Ask whether a part replaces the whole open character, with its edits.

        Returns
        -------
        Character
            Character to measure.

        Raises
        ------
        Cancelled
        """
        state = self._document.state
        if not is_part(state, whom) or not state.edits:
            return whom
        text = tr(
            "Only a part of {name} is selected: {part}, {count} of {every} joints. Its limits "
            "alone would replace all limits and your edits. Undo restores them.",
            name=name_of(state),
            part=whom.name,
            count=len(whom.joint_names()),
            every=len(self._document.limits.joints),
        )
        every, part = tr("Measure all"), tr("Only these")
        open_one = state.whom if state.whom is not None and state.whom.is_there() else None
        offered = (every, part) if open_one is not None else (part,)
        answer = self._window.questions.choose(text, (*offered, tr("Cancel")))
        if answer not in offered:
            raise Cancelled
        return open_one if answer == every and open_one is not None else whom
