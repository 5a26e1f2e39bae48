"""Skeletons from tracks of loose bodies, found beside the main thread."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from jointlimits_core.option_table import checked_options
from jointlimits_core.progress import Progress

from .from_tracks import Figure, figures_in
from .qt import QtCore, Signal
from .taking_back import taking_back
from .worker import Runner

if TYPE_CHECKING:
    from .document import Document


class Tracking(QtCore.QObject):
    """Finds figures in files.

    Parameters
    ----------
    document : Document
    runner : Runner

    Notes
    -----
    `progressed` (done, total, label), `found` (a tuple of :class:`Figure`, the largest first) and
    `failed` (the exception) tell how it goes on. With a runner that does it at once, failures are
    raised instead.
    """

    progressed = Signal(int, int, str)
    found = Signal(object)
    failed = Signal(object)

    def __init__(self, document: Document, runner: Runner) -> None:
        super().__init__(document)
        self._document, self._runner = document, runner
        self.busy = False

    def find(self, paths: Sequence[str], **options: Any) -> None:
        """Find the figures in some files; nothing of the document changes.

        Parameters
        ----------
        paths : sequence of str
            Of the same bodies.
        **options
            Of the option table's groups "bodies" and "tracks".

        Raises
        ------
        ValueError
            For an option that there is not, or a value that it may not have.
        """
        values = checked_options(options, ("bodies", "tracks"))
        taken = tuple(paths)

        def work(progress: Progress) -> tuple[Figure, ...]:
            return figures_in(taken, values, progress)

        self.busy = True
        with taking_back(self._idle):
            self._runner.start(work, self._done, self._failed, self.progressed.emit)

    def cancel(self) -> None:
        """Call it off; everything is as it was."""
        self._runner.cancel()
        self._idle()

    def _idle(self) -> None:
        self.busy = False

    def _done(self, figures: tuple[Figure, ...]) -> None:
        self._idle()
        self.found.emit(figures)

    def _failed(self, error: Exception) -> None:
        self._idle()
        self.failed.emit(error)
