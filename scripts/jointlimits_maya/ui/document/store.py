"""Store of everything that is open: limit layers, clips, options, and undo history.

This module uses neither widgets nor Maya: views connect to its signals and call its methods. An
impossible change raises ValueError or OSError, with the next step in the message.
"""

from __future__ import annotations

from dataclasses import replace

from jointlimits_core.limits.layers import with_edits
from jointlimits_core.limits.limit_set import LimitSet
from jointlimits_core.limits.partners import Partner, partners_of
from jointlimits_core.limits.records import combine_edits
from jointlimits_core.limits.review_entries import Review, review
from jointlimits_core.motion.motion import Motion
from jointlimits_core.report.figures.samples import JointSamples, samples_of

from ..toolkit.qt import QtCore, Signal
from .files import DocumentError
from .state import Change, History, State

MAX_STEPS = 200
"""Maximum number of undo steps."""


class Store(QtCore.QObject):
    """A state that changes only in undo steps; `undo_stack` is clean while everything is saved."""

    character_changed = Signal(object)
    """Emitted before any other signal, with the host's open Character, or None."""
    opened = Signal()
    """Everything was replaced."""
    changed = Signal(object)
    """Names of the joints whose limits changed (frozenset)."""
    clips_changed = Signal()
    options_changed = Signal()
    """Options or exclusions changed."""
    path_changed = Signal()

    def __init__(self, parent: QtCore.QObject | None = None) -> None:
        super().__init__(parent)
        self._samples: dict[str, JointSamples] = {}
        self._partners: dict[str, Partner] | None = None
        self._review: tuple[LimitSet | None, Review] = (None, Review(0))
        self.undo_stack = History(self._show, MAX_STEPS, self)

    @property
    def state(self) -> State:
        """Everything that is open."""
        return self.undo_stack.state

    @property
    def has_limits(self) -> bool:
        """Whether there are limits."""
        return self.state.limits is not None

    @property
    def limits(self) -> LimitSet:
        """Limits in force, with the artist's edits; raises DocumentError if there are none."""
        return self._or_fail(self.state.limits)

    @property
    def data(self) -> LimitSet:
        """Limits without the artist's edits; raises DocumentError if there are none."""
        return self._or_fail(self.state.data)

    @property
    def clips(self) -> tuple[Motion, ...]:
        """Open clips, including the excluded ones."""
        return self.state.clips

    @property
    def clips_not_open(self) -> tuple[str, ...]:
        """Names of the clips that the limits come from but that are not open."""
        names = {clip.name for clip in self.clips}
        hashes = {clip.source.sha256 for clip in self.clips if clip.source is not None}
        measured = () if self.state.data is None else self.state.data.clips
        unknown = (clip for clip in measured if clip.sha256 not in hashes)
        return tuple(clip.name for clip in unknown if clip.name not in names)

    @property
    def partners(self) -> dict[str, Partner]:
        """Partner on the other side, for every joint that has one."""
        if self._partners is None:
            self._partners = partners_of(self.data, self.clips)
        return self._partners

    @property
    def review(self) -> Review:
        """Review of the limits in force; empty if there are none."""
        limits = self.state.limits
        if limits is not self._review[0]:
            self._review = (limits, Review(0) if limits is None else review(limits))
        return self._review[1]

    def samples(self, joint: str) -> JointSamples:
        """Samples of a joint used in the estimate, on the branch of the data; cached."""
        if joint not in self._samples:
            self._samples[joint] = samples_of(self.data, joint, self.clips)
        return self._samples[joint]

    @staticmethod
    def _or_fail(limits: LimitSet | None) -> LimitSet:
        if limits is None:
            raise DocumentError("there are no limits yet: open a limit set, or estimate")
        return limits

    def do(self, text: str, change: Change, gesture: int = 0) -> None:
        """Change edits as one undo step; raises ValueError if an edit does not fit."""
        gone, edits = set(change.removed), self.limits.edits
        kept = tuple(edit for edit in edits if edit.key not in gone)
        if change.added or len(kept) < len(edits):
            limits = with_edits(self.data, combine_edits(kept, change.added))
            if limits.edits != edits:
                self.push(text, replace(self.state, limits=limits), gesture)

    def push(self, text: str, after: State, gesture: int = 0) -> None:
        """Go to a state as one undo step; steps of the same gesture are merged.

        Undo ends at the first limits, because there was nothing before them.
        """
        is_first = self.state.limits is None and after.limits is not None
        self.undo_stack.push(text, after, gesture)
        if is_first:
            self.undo_stack.clear(is_saved=False)

    def _show(self, before: State, after: State) -> None:
        if before.data is not after.data or before.clips is not after.clips:
            self._samples, self._partners = {}, None
        if before.character is not after.character:
            self.character_changed.emit(after.character)
        modes = [None if one.limits is None else one.limits.mode for one in (before, after)]
        if before.clips != after.clips or modes[0] != modes[1]:
            self.clips_changed.emit()  # another mode shows clips differently
        if before.options != after.options or before.excluded != after.excluded:
            self.options_changed.emit()
        first, second = ({} if one.limits is None else one.limits.joints for one in (before, after))
        maybe = (n for n in {**first, **second} if first.get(n) is not second.get(n))
        names = frozenset(name for name in maybe if first.get(name) != second.get(name))
        if names or before.limits is not after.limits:
            self.changed.emit(names)
