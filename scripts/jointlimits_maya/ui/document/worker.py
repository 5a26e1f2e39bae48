"""Cancellable background tasks with progress.

A task is a function that takes a progress callable. It must use neither Qt nor a scene, so its
inputs are gathered beforehand. Its exceptions are passed to the main thread.
"""

from __future__ import annotations

import atexit
import gc
import threading
from collections.abc import Callable
from typing import Any, Union

from jointlimits_core.base.progress import Cancelled, Progress

from ..toolkit.qt import QtCore, Signal

Work = Callable[[Progress], Any]
Done = Callable[[Any], object]
Failed = Callable[[Exception], object]
Report = Callable[[int, int, str], object]

_alive: set[WorkThread] = set()
"""Threads that have not ended; they must outlive the objects that started them."""


class ImmediateRunner:
    """Runner for scripts: each task finishes before :meth:`start` returns."""

    def start(
        self, work: Work, done: Done, failed: Failed, report: Report = lambda *_: None
    ) -> None:
        """Run the task; its exceptions are raised."""

        def progress(count: int, total: int, label: str) -> bool:
            report(count, total, label)
            return True

        done(work(progress))

    def cancel(self) -> None:
        """Do nothing: no task is ever running."""


_running = 0
_was_collecting = False
_lock = threading.Lock()


def _pause_collection(by: int) -> None:
    """Pause garbage collection while threads work; `by`: 1 when one starts, -1 when it ends.

    The collector runs on any thread that allocates memory. It would destroy unreferenced Qt objects
    there, and Qt crashes when that happens off the main thread.
    """
    global _running, _was_collecting
    with _lock:
        if not _running:
            _was_collecting = gc.isenabled()
        _running += by
        if _running:
            gc.disable()
        elif _was_collecting:
            gc.enable()


class WorkThread(QtCore.QThread):
    """A thread that runs one task and stores its result.

    `number` is passed with every signal, to recognize signals queued before a cancel.
    """

    progressed = Signal(int, int, int, str)
    ended = Signal(int)

    def __init__(self, number: int, work: Work) -> None:
        super().__init__()
        self.number, self.work = number, work
        self.result: Any = None
        self.error: Exception | None = None

    def run(self) -> None:
        """Run the task on this thread."""

        def progress(count: int, total: int, label: str) -> bool:
            if self.isInterruptionRequested():
                return False
            self.progressed.emit(self.number, count, total, label)
            return True

        try:
            self.result = self.work(progress)
        except Exception as error:  # noqa: BLE001 - passed to the main thread, which reports it
            self.error = error
        self.ended.emit(self.number)
        _pause_collection(-1)  # must be the last action of the thread


class Worker(QtCore.QObject):
    """Runner of one task at a time on a thread; callbacks run on the thread of the worker object.

    Either `done` or `failed` is called once the task has ended; neither is called after a cancel.
    """

    def __init__(self, parent: QtCore.QObject | None = None) -> None:
        super().__init__(parent)
        self._number = 0
        self._thread: WorkThread | None = None
        self._calls: tuple[Done, Failed, Report] | None = None

    def start(
        self, work: Work, done: Done, failed: Failed, report: Report = lambda *_: None
    ) -> None:
        """Start a task; a running one is cancelled."""
        self.cancel()
        self._number += 1
        thread = WorkThread(self._number, work)
        self._thread, self._calls = thread, (done, failed, report)
        _alive.add(thread)
        thread.progressed.connect(self._on_progressed)
        thread.ended.connect(self._on_ended)
        _pause_collection(1)
        thread.start()

    def cancel(self) -> None:
        """Cancel the task: the thread ends at its next progress report; its result is dropped."""
        _forget_ended()
        thread, self._thread, self._calls = self._thread, None, None
        if thread is not None:
            thread.requestInterruption()

    def _on_progressed(self, number: int, count: int, total: int, label: str) -> None:
        if self._calls is not None and number == self._number:
            self._calls[2](count, total, label)

    def _on_ended(self, number: int) -> None:
        thread, calls = self._thread, self._calls
        if thread is None or calls is None or number != self._number:
            _forget_ended()
            return
        self._thread, self._calls = None, None
        thread.wait()
        _forget_ended()
        done, failed, _ = calls
        if isinstance(thread.error, Cancelled):
            return
        if thread.error is not None:
            failed(thread.error)
            return
        try:
            done(thread.result)
        except ValueError as error:  # the document changed meanwhile, and the result does not fit
            failed(error)


Runner = Union[ImmediateRunner, Worker]
"""Runs one task at a time; a new task cancels the previous one."""


def _forget_ended() -> None:
    _alive.difference_update([thread for thread in _alive if thread.isFinished()])


def wait_for_all(milliseconds: int = 10_000) -> bool:
    """Cancel all threads and wait until they have ended; False after a timeout."""
    for thread in _alive:
        thread.requestInterruption()
    ended = [thread.wait(milliseconds) for thread in list(_alive)]
    _forget_ended()
    return all(ended)


# A thread that is still running when Python exits would crash the process.
atexit.register(wait_for_all)
