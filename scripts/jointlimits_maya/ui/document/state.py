"""Immutable state of the document at one moment, and the undo history of states.

States share everything that did not change, so a long history needs little memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

import numpy as np

from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.geometry.arrays import frame_ranges
from jointlimits_core.importers.declared import carried_edits
from jointlimits_core.limits import layers, limit_set, records
from jointlimits_core.limits.exclusions import exclusion
from jointlimits_core.motion.motion import Motion

from ..toolkit.qt import QtCore, Signal
from . import host, skeleton_fit

EditKey = tuple[str, str, "str | None"]
"""Key of an edit: joint, target, channel."""


@dataclass(frozen=True)
class Change:
    """Edits to remove (`removed`), then edits to add (`added`)."""

    added: tuple[records.ArtistEdit, ...] = ()
    removed: tuple[EditKey, ...] = ()

    def __add__(self, other: Change) -> Change:
        return Change(self.added + other.added, self.removed + other.removed)


@dataclass(frozen=True)
class Exclusions:
    """Clips and frames that the artist excluded from the estimate."""

    clips: frozenset[str] = frozenset()
    """Clips that are excluded for the whole body."""
    frames: frozenset[tuple[str, str, float]] = frozenset()
    """Excluded frames: clip, joint ("" for the whole body) and frame."""

    def __or__(self, other: Exclusions) -> Exclusions:
        return Exclusions(self.clips | other.clips, self.frames | other.frames)

    @property
    def every_frame(self) -> frozenset[tuple[str, float]]:
        """Frames excluded for the whole body or for a joint, as (clip, frame)."""
        return frozenset((clip, frame) for clip, _, frame in self.frames)

    def frames_of(self, clip: str) -> dict[str, tuple[float, ...]]:
        """Excluded frames of one clip, increasing, by joint, "" for the whole body."""
        found: dict[str, list[float]] = {}
        for name, joint, frame in sorted(self.frames):
            if name == clip:
                found.setdefault(joint, []).append(frame)
        return {joint: tuple(frames) for joint, frames in found.items()}

    def included_clips(self, clips: Iterable[Motion]) -> list[Motion]:
        """Clips that are not excluded for the whole body."""
        return [clip for clip in clips if clip.name not in self.clips]

    def wishes(self, clip: Motion) -> tuple[str, ...]:
        """Exclusions of a clip, as in :attr:`EstimateOptions.exclude`."""
        if clip.name in self.clips:
            return (exclusion(clip.name),)
        found = []
        for joint, frames in self.frames_of(clip.name).items():
            joints = (joint,) if joint else ()
            if len(frames) == clip.frame_count and joint:
                found.append(exclusion(clip.name, joints=joints))
                continue
            runs = frame_ranges(clip.frames, np.isin(clip.frames, frames))
            found += [exclusion(clip.name, first, last, joints) for first, last in runs]
        return tuple(found)

    def restrict_to(self, clips: Iterable[str]) -> Exclusions:
        """The exclusions that concern the given clips."""
        names = set(clips)
        frames = frozenset(place for place in self.frames if place[0] in names)
        return Exclusions(self.clips & names, frames)

    def include_clip(self, clip: str) -> Exclusions:
        """The same without the excluded frames of a clip."""
        return Exclusions(self.clips, frozenset(one for one in self.frames if one[0] != clip))


@dataclass(frozen=True, eq=False)
class State:
    """State of the document."""

    data: limit_set.LimitSet | None = None
    """Limits from the motion, the other side of the body and the prior, without edits."""
    limits: limit_set.LimitSet | None = None
    """Limits in force: `data` with the artist's edits."""
    clips: tuple[Motion, ...] = ()
    """Clips with unique names, including the excluded ones."""
    options: EstimateOptions = field(default_factory=EstimateOptions)
    """Options for the next estimate; after an estimate, those that `data` was estimated with."""
    excluded: Exclusions = Exclusions()
    character: host.Character | None = None
    """The host's character that the limits belong to; None if they come only from files."""
    traces: skeleton_fit.Traces = field(default_factory=dict)
    """Joint fits of the clips whose skeleton was found in loose bodies."""

    @property
    def edits(self) -> tuple[records.ArtistEdit, ...]:
        """All of the artist's edits."""
        return () if self.limits is None else self.limits.edits


def with_data(state: State, data: limit_set.LimitSet) -> State:
    """Replace the data, keeping the name and the edits, converted to the new orientations.

    Raises ValueError, naming the joint, if an edit does not fit or has no equivalent there.
    """
    if state.data is not None:
        data = replace(data, character=state.data.character)
    if not state.edits or state.limits is None:
        return replace(state, data=data, limits=data)
    return replace(
        state, data=data, limits=layers.with_edits(data, carried_edits(state.limits, data))
    )


@dataclass(frozen=True, eq=False)
class Step:
    """One undo step: its entry in the Edit menu, and the state after it.

    Steps of one `gesture`, such as a drag, merge; a gesture that ends where it began is dropped.
    """

    text: str
    state: State
    gesture: int = 0


class History(QtCore.QObject):
    """History of states; `show` is called with the previous and the current state.

    Methods have the same names as in QUndoStack. QUndoStack itself would own its commands, but
    Python's garbage collector may free those first, which crashes some time after a window was
    closed. States are values, so a list is enough.
    """

    indexChanged = Signal(int)
    """Passes the number of steps done; emitted when that number or a step's text changes."""

    def __init__(
        self, show: Callable[[State, State], None], max_steps: int, parent: QtCore.QObject
    ) -> None:
        super().__init__(parent)
        self._show, self._max_steps = show, max_steps
        self.begin(State())

    def begin(self, state: State) -> None:
        """Start over with a state that counts as saved."""
        self._steps = [Step("", state)]
        self._index = 0
        self._saved: State | None = state

    @property
    def state(self) -> State:
        """The current state."""
        return self._steps[self._index].state

    def push(self, text: str, state: State, gesture: int = 0) -> None:
        """Do a step; undone steps can no longer be redone."""
        before = self.state
        is_same = gesture and self._steps[self._index].gesture == gesture and not self.isClean()
        del self._steps[self._index + (0 if is_same else 1) :]
        if not is_same or self._steps[-1].state.edits != state.edits:
            self._steps.append(Step(text, state, gesture))
        del self._steps[: -self._max_steps - 1]
        self._go(before, len(self._steps) - 1)

    def undo(self) -> None:
        """Undo one step, if there is one."""
        if self.canUndo():
            self._go(self.state, self._index - 1)

    def redo(self) -> None:
        """Redo the step that was undone last, if there is one."""
        if self.canRedo():
            self._go(self.state, self._index + 1)

    def drop(self, gesture: int) -> None:
        """Remove a cancelled gesture, as if it had never happened."""
        if gesture and self._steps[self._index].gesture == gesture:
            before = self.state
            del self._steps[self._index :]
            self._go(before, self._index - 1)

    def clear(self, is_saved: bool = True) -> None:
        """Forget all steps and keep the state, which by default counts as saved."""
        self.begin(self.state)
        self._saved = self.state if is_saved else None
        self.indexChanged.emit(0)

    def setClean(self) -> None:
        """Mark the current state as the saved one."""
        self._saved = self.state
        self.indexChanged.emit(self._index)

    def isClean(self) -> bool:
        """Whether the state is the saved one."""
        return self.state is self._saved

    def count(self) -> int:
        """Number of steps, including undone ones."""
        return len(self._steps) - 1

    def canUndo(self) -> bool:
        """Whether there is a step to undo."""
        return self._index > 0

    def canRedo(self) -> bool:
        """Whether there is a step to redo."""
        return self._index < self.count()

    def undoText(self) -> str:
        """Text of the step that :meth:`undo` would undo."""
        return self._steps[self._index].text

    def redoText(self) -> str:
        """Text of the step that :meth:`redo` would redo."""
        return self._steps[self._index + 1].text if self.canRedo() else ""

    def _go(self, before: State, index: int) -> None:
        self._index = index
        self._show(before, self.state)
        self.indexChanged.emit(index)
