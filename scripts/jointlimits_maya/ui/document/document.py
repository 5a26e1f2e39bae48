"""The open document: limit layers, clips, options and undo history; its files, and its tasks.

The modules of this folder use neither widgets nor Maya: views connect to the document's signals and
call its methods. An impossible change raises ValueError or OSError, with the next step in the
message.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from jointlimits_core.base.progress import Progress
from jointlimits_core.base.text import names_words
from jointlimits_core.formats.registry import SkeletonSource, read_takes
from jointlimits_core.io.progress_line import FilesProgress
from jointlimits_core.limits.diff import LimitDiff, diff
from jointlimits_core.limits.layers import with_edits, without_edits
from jointlimits_core.limits.limit_set import LimitSet
from jointlimits_core.limits.partners import Partner, partners_of
from jointlimits_core.limits.records import combine_edits
from jointlimits_core.limits.review_entries import Review, review
from jointlimits_core.motion.motion import Motion
from jointlimits_core.motion.name_matching import matched_joints
from jointlimits_core.report.figures.samples import JointSamples, samples_of

from ..toolkit.qt import QtCore, Signal
from . import files
from .clamping import ClampingResult, preview_clamping
from .editing import Editing
from .estimating import Estimating, exclusions_in, options_in
from .files import DocumentError, OwnFile
from .host import Character
from .jobs import Shaping, Tracking
from .skeleton_fit import Traces
from .state import Change, History, State
from .worker import ImmediateRunner, Runner

MAX_STEPS = 200
"""Maximum number of undo steps."""


class Document(QtCore.QObject):
    """The open document, with its edits, estimates, shape fits, and skeletons found in tracks.

    Its state changes only in undo steps; `undo_stack` is clean while everything is saved.
    `make_runner` creates the runners for long tasks, such as :class:`Worker` in a window; by
    default, tasks run immediately.
    """

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

    read_controls = False
    """Whether to read the controls of Maya scenes, not their joints, if no limits are open."""

    def __init__(
        self,
        make_runner: Callable[[], Runner] = ImmediateRunner,
        parent: QtCore.QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._samples: dict[str, JointSamples] = {}
        self._partners: dict[str, Partner] | None = None
        self._review: tuple[LimitSet | None, Review] = (None, Review(0))
        self.undo_stack = History(self._show, MAX_STEPS, self)
        self._own: OwnFile | None = None
        self._also_read: set[str] = set()
        runners = [make_runner() for _ in range(5)]
        for runner in runners:
            if isinstance(runner, QtCore.QObject):
                runner.setParent(self)  # no callbacks once the document is gone
        self._clamper, estimator, previewer, shaper, tracker = runners
        self.edit = Editing(self)
        self.estimation = Estimating(self, estimator, previewer)
        self.shaping = Shaping(self, shaper)
        self.tracking = Tracking(self, tracker)

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

    @property
    def path(self) -> str | None:
        """The document's own file."""
        return None if self._own is None else str(self._own.path)

    @property
    def noun(self) -> str:
        """Word for what the limits are on: "joint" or "control"."""
        return "joint" if self.state.limits is None else self.state.limits.noun

    @property
    def reads_controls(self) -> bool:
        """Whether to read controls of Maya scenes: as the limits do, or else as requested."""
        limits = self.state.limits
        return self.read_controls if limits is None else limits.of_controls

    @property
    def is_saved(self) -> bool:
        """Whether everything is saved in the document's own file."""
        return self.undo_stack.isClean() and (self._own is not None or not self.has_limits)

    @property
    def is_busy(self) -> bool:
        """Whether a cancellable task is running."""
        return self.estimation.busy or self.shaping.busy or self.tracking.busy

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

    def open_limits(self, path: str | os.PathLike[str]) -> None:
        """Replace the open limit set with one from a file; clips of the same character stay open.

        Raises DocumentError if the file is missing, and LimitSetError if it is not a limit set.
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

        By default, the host's character stays if its joints match the new limits, and the traces
        of the clips that stay open are kept.
        """
        before = self.state.limits
        if character is None and before is not None:
            is_same = matched_joints(before.joints, list(limit_set.joints))
            character = self.state.character if is_same else None
        try:
            clips = tuple(files.renamed_clip(clip, limit_set) for clip in self.clips)
        except DocumentError:
            clips = ()  # they belong to another character
        known = (self.state.traces if clips else {}) if traces is None else traces
        data, excluded = without_edits(limit_set), exclusions_in(limit_set, clips)
        options = options_in(limit_set)
        state = State(data, limit_set, clips, options, excluded, character, known)
        self._begin_with(state, own)

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
        self.undo_stack.begin(state)
        self._samples, self._partners = {}, None
        self.character_changed.emit(state.character)
        self.undo_stack.clear()
        self.opened.emit()
        self.path_changed.emit()

    def open_clips(
        self,
        paths: Sequence[str | os.PathLike[str]],
        skeleton: SkeletonSource | None = None,
        progress: Progress | None = None,
    ) -> None:
        """Read motions and add them to the open clips, without estimating.

        Raises DocumentError if a file is missing or a clip belongs to a different character from
        the limits, InputError if a file cannot be read, and Cancelled; then no clip is added.
        """
        clips: list[Motion] = []
        reading = FilesProgress(progress, paths)
        for path in paths:
            part = reading.next(path)
            files.check_exists(path)
            clips += read_takes(path, skeleton, progress=part, controls=self.reads_controls)
        self.add_clips(clips)
        self.was_read(*([skeleton] if isinstance(skeleton, (str, os.PathLike)) else []))

    def add_clips(self, clips: Iterable[Motion]) -> None:
        """Add clips to the open ones; raises DocumentError as :meth:`open_clips` does."""
        limits = self.state.limits
        more = [clip if limits is None else files.renamed_clip(clip, limits) for clip in clips]
        every = files.joined_clips(self.clips, more)
        excluded = self.state.excluded
        if self.state.data is not None:
            excluded |= exclusions_in(self.state.data, every)
        names = ", ".join(clip.name for clip in more)
        self.push(f"Open {names}", replace(self.state, clips=every, excluded=excluded))

    def was_read(self, *paths: str | os.PathLike[str]) -> None:
        """Remember files that were read, so that they are never overwritten."""
        self._also_read |= {os.fspath(path) for path in paths}

    def save(
        self, path: str | os.PathLike[str] | None = None, even_if_changed: bool = False
    ) -> bool:
        """Save the limits atomically, by default to the document's own file.

        Returns whether the file already existed. Raises DocumentError if there is no path yet, the
        file is one of the inputs, or someone else has changed it since it was opened (unless
        `even_if_changed`), and OSError if it cannot be written.
        """
        if path is None:
            if self._own is None:
                raise DocumentError("these limits have not been saved yet; use Save as")
            path = self._own.path
        was_there, inputs = os.path.exists(path), self._inputs
        self._own = files.save_limits(self.limits, path, self._own, inputs, even_if_changed)
        self.undo_stack.setClean()
        self.path_changed.emit()
        return was_there

    @property
    def _inputs(self) -> list[str]:
        sources = (clip.source for clip in self.clips)
        return [*(source.path for source in sources if source is not None), *self._also_read]

    def check_output(self, path: str | os.PathLike[str]) -> None:
        """Raise DocumentError if the file to be written is one of the inputs."""
        own = [] if self.path is None else [self.path]
        files.reject_input(path, [*self._inputs, *own])

    def compare_with(self, path: str | os.PathLike[str]) -> LimitDiff:
        """Differences from another limit set to this one.

        Raises DocumentError if the file is missing or belongs to another character, and
        LimitSetError if it is not a limit set.
        """
        other, own = files.read_limits(path)
        if not matched_joints(self.limits.joints, list(other.joints)):
            ours, theirs = (names_words(list(one.joints)) for one in (self.limits, other))
            raise DocumentError(
                f"{os.fspath(path)} belongs to another character: it has {theirs}, these limits "
                f"have {ours}. Choose a limit set for this character"
            )
        self.was_read(own.path)
        return diff(other, self.limits)

    def preview_clamping(
        self,
        done: Callable[[ClampingResult], object],
        failed: Callable[[Exception], object] | None = None,
        clips: Sequence[Motion] | None = None,
    ) -> None:
        """Replay the open clips, or `clips` (newer versions of them), through the limits in force.

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
        )
