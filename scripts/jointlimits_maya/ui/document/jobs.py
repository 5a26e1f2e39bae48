"""Background tasks of the document: fitting shapes, finding skeletons in tracks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from jointlimits_core.base.options import checked_options
from jointlimits_core.base.progress import Progress
from jointlimits_core.estimation.coupled import RULE, with_coupled_limits, with_dependencies
from jointlimits_core.limits.limit_set import LimitSet
from jointlimits_core.motion.screening.rules import Screenings
from jointlimits_core.shapes.coupled_limit import fit_options_of

from ..toolkit import qt, words
from . import skeleton_fit, worker
from .files import DocumentError
from .state import with_data

if TYPE_CHECKING:
    from .document import Document


class LongWork(qt.QtCore.QObject):
    """Long tasks of one kind, only one of which runs at a time.

    Signals: `busy_changed` (bool), `progressed` (done, total, label) and `failed` (the exception).
    With a runner that runs tasks immediately, exceptions are raised instead.
    """

    busy_changed = qt.Signal(bool)
    progressed = qt.Signal(int, int, str)
    failed = qt.Signal(object)

    def __init__(self, document: Document, runner: worker.Runner) -> None:
        super().__init__(document)
        self._document, self._runner = document, runner
        self.busy = False
        """Whether a task is running."""

    def cancel(self) -> None:
        """Cancel the task, without changing anything."""
        self._runner.cancel()
        self._end()

    def _start(self, work: worker.Work, done: worker.Done) -> None:
        """Start a task, replacing a running one; call `done` with its result."""

        def finish(found: object) -> None:
            self._end()
            done(found)

        def fail(error: Exception) -> None:
            self._end()
            self.failed.emit(error)

        self._set_busy(True)
        with words.rollback(self._end):
            self._runner.start(work, finish, fail, self.progressed.emit)

    def _end(self) -> None:
        self._set_busy(False)

    def _set_busy(self, busy: bool) -> None:
        if busy != self.busy:
            self.busy = busy
            self.busy_changed.emit(busy)


class Shaping(LongWork):
    """Fits shapes to the clips of a document.

    `fitted` is emitted when the shapes are known; see also :class:`LongWork`.
    """

    fitted = qt.Signal()

    def fit(self, **options: Any) -> None:
        """Fit a shape to every joint, and find dependencies between channels.

        Options are from the option table's group "coupled". Raises DocumentError if there are no
        limits, the limits are not on rotate channels, or some of their clips are not open, and
        ValueError for an unknown option or an invalid value.
        """
        values = checked_options(options, ("coupled",))
        state = self._document.state
        data, clips = self._document.data, self._document.clips
        if data.mode == "paper":
            raise DocumentError(
                "shapes need rotate channels, which these limits do not have: press Estimate first"
            )
        absent = self._document.clips_not_open
        if absent or not clips:
            names = f": {words.first_names(absent)}" if absent else ""
            raise DocumentError(f"shapes are fitted to every frame. Open the motion first{names}")

        def work(progress: Progress) -> LimitSet:
            # Start without the old shapes and the findings about them.
            joints = {}
            for name, joint in data.joints.items():
                others = tuple(item for item in joint.findings if item.rule != RULE)
                joints[name] = replace(joint, coupled=None, findings=others)
            left, fit = state.excluded.included_clips(clips), fit_options_of(values)
            wishes = tuple(wish for clip in left for wish in state.excluded.wishes(clip))
            bare, asked = replace(data, joints=joints, dependencies=()), state.options
            asked = replace(asked, exclude=wishes)
            seen, shape = Screenings(), values["shape"]
            found = with_coupled_limits(bare, left, shape, fit, asked, progress, seen)
            return with_dependencies(found, left, asked, progress, fit.pad_deg, seen)

        def finish(found: LimitSet) -> None:
            now = self._document.state
            if now.data is not state.data:
                raise DocumentError("the limits changed during the fit; press Fit shapes again")
            self._document.push(f"Fit shapes ({values['shape']})", with_data(now, found))
            self.fitted.emit()

        self._start(work, finish)


class Tracking(LongWork):
    """Finds figures in track files.

    `found` is emitted with a tuple of :class:`Figure`, largest first; see also :class:`LongWork`.
    """

    found = qt.Signal(object)

    def find(self, paths: Sequence[str], **options: Any) -> None:
        """Find the figures in files with the same bodies; the document does not change.

        Options are from the groups "bodies" and "tracks". Raises ValueError as
        :meth:`Shaping.fit` does.
        """
        values, files = checked_options(options, ("bodies", "tracks")), tuple(paths)
        self._start(
            lambda progress: skeleton_fit.figures_in(files, values, progress), self.found.emit
        )
