"""The open document: limits in their layers, clips, options, and undo.

No widget and no Maya here: views connect to the signals and call methods to change something. What
is not possible raises ValueError or OSError with the next step in the message, and changes nothing.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from jointlimits_core.base.progress import Progress
from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.formats.registry import SkeletonSource
from jointlimits_core.limits.diff import LimitDiff, diff
from jointlimits_core.limits.limit_set import LimitSet
from jointlimits_core.limits.review_entries import Review, review
from jointlimits_core.motion.motion import Motion
from jointlimits_core.report.figures.samples import JointSamples, samples_of

from ..toolkit.qt import QtCore, Signal
from . import files, mirroring
from .clamping import ClampingResult, preview_clamping
from .editing import Editing
from .edits import Change
from .estimate_cache import exclusions_in
from .estimating import Estimating, options_in
from .files import DocumentError, OwnFile
from .host import Character
from .jobs import Shaping, Tracking
from .skeleton_fit import Trace, Traces
from .state import Exclusions, History, State, Step, changed_joints, edited, state_of
from .worker import ImmediateRunner, Runner

MOST_STEPS = 200
"""Maximum number of undo steps."""


class Document(QtCore.QObject):
    """The open document: a state that changes only by undo steps.

    Parameters
    ----------
    make_runner : callable
        Makes the runners of long tasks: :class:`Worker` in a window; by default tasks run at once.
    parent : QObject, optional

    Attributes
    ----------
    undo_stack : History
        All steps; clean means saved.
    edit : Editing
        Edits of the limits.
    estimation : Estimating
        Estimates.
    shaping : Shaping
        Fits of coupled limits.
    tracking : Tracking
        Skeletons from tracks of loose bodies.
    """

    character_changed = Signal(object)
    """Before any other signal: the Character of the host that everything is about, or None."""
    opened = Signal()
    """Everything is new."""
    changed = Signal(object)
    """The limits of these joints changed (frozenset)."""
    clips_changed = Signal()
    options_changed = Signal()
    """Options or exclusions changed."""
    path_changed = Signal()

    def __init__(
        self,
        make_runner: Callable[[], Runner] = ImmediateRunner,
        parent: QtCore.QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._state = State()
        self._samples: dict[str, JointSamples] = {}
        self._partners: dict[str, mirroring.Partner] | None = None
        self._review: tuple[LimitSet | None, Review] = (None, Review(0))
        self.undo_stack = History(self._show, MOST_STEPS, self)
        self._own: OwnFile | None = None
        self._also_read: set[str] = set()
        runners = [make_runner() for _ in range(6)]
        for runner in runners:
            if isinstance(runner, QtCore.QObject):
                runner.setParent(self)  # no callbacks once the document is gone
        self._clamper, estimator, previewer, prefetcher, shaper, tracker = runners
        self.edit = Editing(self)
        self.estimation = Estimating(self, estimator, previewer, prefetcher)
        self.shaping = Shaping(self, shaper)
        self.tracking = Tracking(self, tracker)

    @property
    def state(self) -> State:
        """Everything that is open."""
        return self._state

    @property
    def has_limits(self) -> bool:
        """Whether there are limits."""
        return self._state.limits is not None

    @property
    def limits(self) -> LimitSet:
        """Limits in force, with the artist's edits; raises DocumentError if there are none."""
        return _there(self._state.limits)

    @property
    def data(self) -> LimitSet:
        """Limits without the artist's edits; raises as :attr:`limits`."""
        return _there(self._state.data)

    @property
    def clips(self) -> tuple[Motion, ...]:
        """Open clips, including the excluded ones."""
        return self._state.clips

    @property
    def options(self) -> EstimateOptions:
        """Options of the estimate."""
        return self._state.options

    @property
    def excluded(self) -> Exclusions:
        """Frames and clips excluded from the estimate."""
        return self._state.excluded

    def trace(self, clip: str, joint: str) -> Trace | None:
        """Fit of a joint in a clip, if its skeleton was found in loose bodies."""
        return self._state.traces.get(clip, {}).get(joint)

    @property
    def clips_not_open(self) -> tuple[str, ...]:
        """Names of the clips that the limits come from and that are not open."""
        data = self._state.data
        return () if data is None else files.clips_missing(data, self.clips)

    @property
    def partners(self) -> dict[str, mirroring.Partner]:
        """Partner on the other side of every joint that has one."""
        if self._partners is None:
            self._partners = mirroring.partners_of(self.data, self.clips)
        return self._partners

    @property
    def review(self) -> Review:
        """Review of the limits in force; empty if there are none."""
        limits = self._state.limits
        if limits is not self._review[0]:
            self._review = (limits, Review(0) if limits is None else review(limits))
        return self._review[1]

    def samples(self, joint: str) -> JointSamples:
        """Samples of a joint used in the estimate, on the branch of the data; cached."""
        if joint not in self._samples:
            self._samples[joint] = samples_of(self.data, joint, self.clips)
        return self._samples[joint]

    @property
    def path(self) -> str | None:
        """The document's own file."""
        return None if self._own is None else str(self._own.path)

    @property
    def is_saved(self) -> bool:
        """Whether everything is saved in the document's own file."""
        return self.undo_stack.isClean() and (self._own is not None or not self.has_limits)

    @property
    def is_busy(self) -> bool:
        """Whether a task is running that can be cancelled."""
        return self.estimation.busy or self.shaping.busy or self.tracking.busy

    # --- changes --------------------------------------------------------------------------------

    def do(self, text: str, change: Change, gesture: int | None = None) -> None:
        """Change edits as one undo step."""
        after = edited(self._state, change.added, change.removed)
        if after is not self._state and after.edits != self._state.edits:
            self.push(text, after, gesture)

    def push(self, text: str, after: State, gesture: int | None = None) -> None:
        """Go to a state as one undo step; steps of one gesture become one.

        The first limits are where undo ends: before them there was nothing.
        """
        is_first = self._state.limits is None and after.limits is not None
        self.undo_stack.push(Step(text, self._state, after, gesture))
        if is_first:
            self.undo_stack.clear(is_saved=False)

    def _show(self, before: State, after: State) -> None:
        self._state = after
        if before.data is not after.data or before.clips is not after.clips:
            self._samples, self._partners = {}, None
        if before.character is not after.character:
            self.character_changed.emit(after.character)
        if before.clips != after.clips or _mode(before) != _mode(after):
            self.clips_changed.emit()  # limits of another mode show them in another way
        if before.options != after.options or before.excluded != after.excluded:
            self.options_changed.emit()
        names = changed_joints(before, after)
        if names or before.limits is not after.limits:
            self.changed.emit(names)

    # --- files and clips --------------------------------------------------------------------------

    def open_limits(self, path: str | os.PathLike[str]) -> None:
        """Open a limit set in place of the open one; clips of the same character stay.

        Raises DocumentError or LimitSetError if the file is missing or not a limit set.
        """
        limit_set, own = files.read_limits(path)
        self.open_set(limit_set, own)

    def open_set(
        self,
        limit_set: LimitSet,
        own: OwnFile | None = None,
        character: Character | None = None,
        traces: Traces | None = None,
    ) -> None:
        """Open a limit set that was made elsewhere.

        The character of the host is by default the open one, if it has such joints; the traces are
        by default those of the clips that stay.
        """
        before = self._state.limits
        if character is None and before is not None and files.share_joints(before, limit_set):
            character = self._state.character
        try:
            clips = tuple(files.renamed_clip(clip, limit_set) for clip in self.clips)
        except DocumentError:
            clips = ()  # of another character
        known = (self._state.traces if clips else {}) if traces is None else traces
        state = state_of(
            limit_set, clips=clips, options=options_in(limit_set), character=character, traces=known
        )
        self._begin_with(replace(state, excluded=exclusions_in(limit_set, clips)), own)

    def close(self) -> None:
        """Close everything and cancel running tasks."""
        self._begin_with(State(), None)

    def stop(self) -> None:
        """Cancel all running tasks."""
        self.estimation.stop()
        self.shaping.cancel()
        self.tracking.cancel()
        self._clamper.cancel()

    def _begin_with(self, state: State, own: OwnFile | None) -> None:
        """Start with a new state and an empty history."""
        self.stop()
        self._also_read |= set() if self._own is None else {str(self._own.path)}
        self._own = own
        self._state = state
        self._samples, self._partners = {}, None
        self.character_changed.emit(state.character)
        self.undo_stack.clear()
        self.undo_stack.setClean()
        self.opened.emit()
        self.path_changed.emit()

    def open_clips(
        self,
        paths: Sequence[str | os.PathLike[str]],
        skeleton: SkeletonSource | None = None,
        progress: Progress | None = None,
    ) -> None:
        """Read motions and add them to the open clips, without estimating.

        Raises DocumentError if a file is missing or a clip belongs to a different character than
        the limits, and InputError if a file cannot be read.
        """
        clips = files.read_motions(paths, skeleton, progress)
        self.add_clips(clips)
        self.was_read(*([skeleton] if isinstance(skeleton, (str, os.PathLike)) else []))

    def add_clips(self, clips: Iterable[Motion]) -> None:
        """Add clips to the open ones; raises as :meth:`open_clips`."""
        limits = self._state.limits
        more = [clip if limits is None else files.renamed_clip(clip, limits) for clip in clips]
        every = files.joined_clips(self.clips, more)
        excluded = self._state.excluded
        if self._state.data is not None:
            known = exclusions_in(self._state.data, every)
            excluded = Exclusions(excluded.clips | known.clips, excluded.frames | known.frames)
        names = ", ".join(clip.name for clip in more)
        self.push(f"Open {names}", replace(self._state, clips=every, excluded=excluded))

    def was_read(self, *paths: str | os.PathLike[str]) -> None:
        """Remember files that were read, so that they are never overwritten."""
        self._also_read |= {os.fspath(path) for path in paths}

    def save(
        self, path: str | os.PathLike[str] | None = None, even_if_changed: bool = False
    ) -> None:
        """Save the limits atomically, by default to the document's own file.

        Raises DocumentError if there is no path yet, the file is one of the inputs, or it was
        changed by someone else since it was opened (unless `even_if_changed`), and OSError.
        """
        if path is None:
            if self._own is None:
                raise DocumentError("these limits have no file yet; use Save as")
            path = self._own.path
        inputs = self._inputs
        self._own = files.saved(self.limits, path, self._own, inputs, even_if_changed)
        self.undo_stack.setClean()
        self.path_changed.emit()

    @property
    def _inputs(self) -> list[str]:
        """Files that were read, which are never overwritten."""
        return [*files.sources_of(self.clips), *self._also_read]

    def check_output(self, path: str | os.PathLike[str]) -> None:
        """Raise DocumentError if a file to write is one of those that were read."""
        own = [] if self.path is None else [self.path]
        files.reject_input(path, [*self._inputs, *own])

    def compared_with(self, path: str | os.PathLike[str]) -> LimitDiff:
        """Differences from another limit set to this one.

        Raises DocumentError if the file is missing or of another character, and LimitSetError.
        """
        other, own = files.read_limits(path)
        files.check_same_character(other, self.limits, os.fspath(path))
        self.was_read(own.path)
        return diff(other, self.limits)

    def preview_clamping(
        self,
        done: Callable[[ClampingResult], object],
        failed: Callable[[Exception], object] | None = None,
        clips: Sequence[Motion] | None = None,
    ) -> None:
        """Replay the open clips, or their current versions, through the limits in force.

        Calls `done` with the result, or `failed` with the exception; by default
        `estimation.failed` reports it. Raises DocumentError if no clip is open.
        """
        limits, given = self.limits, self.clips if clips is None else clips
        if not given:
            raise DocumentError("no motion is open; open the motion to preview")
        self._clamper.start(
            lambda progress: preview_clamping(limits, given, progress),
            done,
            failed or self.estimation.failed.emit,
            lambda *_: None,
        )


def _there(limits: LimitSet | None) -> LimitSet:
    if limits is None:
        raise DocumentError("there are no limits yet: open a limit set, or estimate")
    return limits


def _mode(state: State) -> str | None:
    """Mode of the limits of a state; None where there are none."""
    return None if state.limits is None else state.limits.mode
