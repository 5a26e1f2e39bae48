"""Common base of the document's long tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .qt import QtCore, Signal
from .taking_back import taking_back
from .worker import Done, Runner, Work

if TYPE_CHECKING:
    from .document import Document


class LongWork(QtCore.QObject):
    """One kind of long task, of which one runs at a time.

    Notes
    -----
    Signals: `busy_changed` (bool), `progressed` (done, total, label) and `failed` (the exception).
    With a runner that works at once, failures are raised instead.
    """

    busy_changed = Signal(bool)
    progressed = Signal(int, int, str)
    failed = Signal(object)

    def __init__(self, document: Document, runner: Runner) -> None:
        super().__init__(document)
        self._document, self._runner = document, runner
        self._busy = False

    @property
    def busy(self) -> bool:
        """Whether it is running."""
        return self._busy

    def cancel(self) -> None:
        """Cancel it; everything stays as it was."""
        self._runner.cancel()
        self._end()

    def _start(self, work: Work, done: Done) -> None:
        """Begin, replacing a running task; `done` gets the result when all has ended."""

        def ended(found: object) -> None:
            self._end()
            done(found)

        self._set_busy(True)
        with taking_back(self._end):
            self._runner.start(work, ended, self._failed, self.progressed.emit)

    def _end(self) -> None:
        self._set_busy(False)

    def _set_busy(self, busy: bool) -> None:
        if busy != self._busy:
            self._busy = busy
            self.busy_changed.emit(busy)

    def _failed(self, error: Exception) -> None:
        self._end()
        self.failed.emit(error)
