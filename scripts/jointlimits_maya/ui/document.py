"""The one model of what is open: limits in their layers, clips, options, and every way to undo.

No widget and no Maya here. Whoever shows something connects to the signals; whoever changes
something calls a method. What cannot be done raises ValueError or OSError with a sentence that says
what to do next, and changes nothing.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from jointlimits_core.formats.read import SkeletonSource
from jointlimits_core.limits.diff import LimitDiff, diff
from jointlimits_core.limits.limit_set import LimitSet
from jointlimits_core.motion import Motion
from jointlimits_core.progress import Progress

from . import files
from .asking import options_in
from .editing import Editing
from .estimating import Estimating
from .files import DocumentError, OwnFile
from .held_state import HeldState
from .host import Character
from .qt import QtCore, Signal
from .refit import ignored_in
from .rehearsing import Rehearsed, rehearsed
from .shaping import Shaping
from .state import Ignored, State, state_of
from .traces import Traces
from .tracking import Tracking
from .words import tr
from .worker import AtOnce, Runner

__all__ = ["Document", "DocumentError"]


class Document(HeldState):
    """What is open.

    Parameters
    ----------
    make_runner : callable
        Makes whoever does long work: :class:`Worker` in a window; by default it is done at once.
    parent : QObject, optional

    Attributes
    ----------
    edit : Editing
        What an artist does to limits.
    estimation : Estimating
        What needs another estimate.
    shaping : Shaping
        What fits coupled limits.
    tracking : Tracking
        What finds skeletons in tracks of loose bodies.

    Notes
    -----
    `path_changed` tells of another own file, besides the signals of :class:`HeldState`.
    """

    path_changed = Signal()

    def __init__(
        self,
        make_runner: Callable[[], Runner] = AtOnce,
        parent: QtCore.QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._own: OwnFile | None = None
        self._also_read: set[str] = set()
        runners = [make_runner() for _ in range(5)]
        for runner in runners:
            if isinstance(runner, QtCore.QObject):
                runner.setParent(self)  # and is told nothing any more once the document is gone
        self._rehearser, estimator, looker, shaper, tracker = runners
        self.edit = Editing(self)
        self.estimation = Estimating(self, estimator, looker)
        self.shaping = Shaping(self, shaper)
        self.tracking = Tracking(self, tracker)

    @property
    def path(self) -> str | None:
        """The document's own file."""
        return None if self._own is None else str(self._own.path)

    @property
    def is_saved(self) -> bool:
        """Whether everything is in the own file."""
        return self.undo_stack.isClean() and (self._own is not None or not self.has_limits)

    @property
    def is_busy(self) -> bool:
        """Whether something goes on that can be called off."""
        return self.estimation.busy or self.shaping.busy or self.tracking.busy

    def open_limits(self, path: str | os.PathLike[str]) -> None:
        """Open a limit set in place of what is open; clips of the same character stay.

        Raises
        ------
        DocumentError, LimitSetError
            If the file is gone, or is no limit set.
        """
        limit_set, own = files.opened_limits(path)
        self.open_set(limit_set, own)

    def open_set(
        self,
        limit_set: LimitSet,
        own: OwnFile | None = None,
        whom: Character | None = None,
        traces: Traces | None = None,
    ) -> None:
        """Open a limit set that was made elsewhere.

        Parameters
        ----------
        own : OwnFile, optional
        whom : Character, optional
            Of the host, that it is for; by default the one that is open, if it has such joints.
        traces : Traces, optional
            Of its clips; by default those of the clips that stay.
        """
        before = self._state.limits
        if whom is None and before is not None and files.are_alike(before, limit_set):
            whom = self._state.whom
        try:
            clips = tuple(files.fitted(clip, limit_set) for clip in self.clips)
        except DocumentError:
            clips = ()  # of another character
        known = (self._state.traces if clips else {}) if traces is None else traces
        state = state_of(
            limit_set, clips=clips, options=options_in(limit_set), whom=whom, traces=known
        )
        self._begin_with(replace(state, ignored=ignored_in(limit_set, clips)), own)

    def close(self) -> None:
        """Close everything; what goes on is called off."""
        self._begin_with(State(), None)

    def stop(self) -> None:
        """Call everything off that goes on."""
        self.estimation.stop()
        self.shaping.cancel()
        self.tracking.cancel()
        self._rehearser.cancel()

    def _begin_with(self, state: State, own: OwnFile | None) -> None:
        self.stop()
        self._also_read |= set() if self._own is None else {str(self._own.path)}
        self._own = own
        self.begin(state)
        self.path_changed.emit()

    def open_clips(
        self,
        paths: Sequence[str | os.PathLike[str]],
        skeleton: SkeletonSource | None = None,
        progress: Progress | None = None,
    ) -> None:
        """Read motions and open them beside those that are open; nothing is estimated yet.

        Raises
        ------
        DocumentError
            If a file is gone, or a clip is of another character than the limits.
        InputError
            If one cannot be read.
        """
        clips = files.opened_clips(paths, skeleton, progress)
        self.add_clips(clips)
        self.was_read(*([skeleton] if isinstance(skeleton, (str, os.PathLike)) else []))

    def add_clips(self, clips: Iterable[Motion]) -> None:
        """Open clips beside those that are open; raises as :meth:`open_clips`."""
        limits = self._state.limits
        more = [clip if limits is None else files.fitted(clip, limits) for clip in clips]
        every = files.joined_clips(self.clips, more)
        ignored = self._state.ignored
        if self._state.data is not None:
            known = ignored_in(self._state.data, every)
            ignored = Ignored(ignored.clips | known.clips, ignored.frames | known.frames)
        names = ", ".join(clip.name for clip in more)
        self.push(
            tr("Open {clips}", clips=names), replace(self._state, clips=every, ignored=ignored)
        )

    def was_read(self, *paths: str | os.PathLike[str]) -> None:
        """Remember files that something was read from: they are never written over."""
        self._also_read |= {os.fspath(path) for path in paths}

    def save(
        self, path: str | os.PathLike[str] | None = None, even_if_changed: bool = False
    ) -> None:
        """Save the limits, whole or not at all.

        Parameters
        ----------
        path : path-like, optional
            The own file by default.
        even_if_changed : bool
            Also if somebody else has changed the own file meanwhile.

        Raises
        ------
        DocumentError
            If there is no path yet, or the file is one that was read.
        OSError
        """
        if path is None:
            if self._own is None:
                raise DocumentError(tr("These limits have no file yet; save them under a name"))
            path = self._own.path
        inputs = [*files.sources_of(self.clips), *self._also_read]
        self._own = files.saved(self.limits, path, self._own, inputs, even_if_changed)
        self.undo_stack.setClean()
        self.path_changed.emit()

    def compared_with(self, path: str | os.PathLike[str]) -> LimitDiff:
        """What differs between another limit set and this one.

        Raises
        ------
        DocumentError
            If the file is gone, or of another character.
        LimitSetError
        """
        other, own = files.opened_limits(path)
        files.must_be_alike(other, self.limits, os.fspath(path))
        self.was_read(own.path)
        return diff(other, self.limits)

    def rehearse(
        self,
        done: Callable[[Rehearsed], object],
        failed: Callable[[Exception], object] | None = None,
        branch: str = "main",
        clips: Sequence[Motion] | None = None,
    ) -> None:
        """Replay the open clips through the limits in force.

        Parameters
        ----------
        done : callable
            Called with the :class:`Rehearsed`.
        failed : callable, optional
            Called with what was raised; by default `estimation.failed` tells of it.
        clips : sequence of Motion, optional
            As they are by now, in place of those that are open.

        Raises
        ------
        DocumentError
            If no clip is open.
        """
        limits, taken = self.limits, self.clips if clips is None else clips
        if not taken:
            raise DocumentError(tr("No motion is open: open the motion to rehearse"))
        self._rehearser.start(
            lambda progress: rehearsed(limits, taken, branch, progress),
            done,
            failed or self.estimation.failed.emit,
            lambda *_: None,
        )
