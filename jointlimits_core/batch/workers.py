"""Worker processes that share the items of a batch; a crash costs one character."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

from .results_error import ResultsError
from .run import Batch, Outcome
from .worker_process import WorkerError, WorkerProcess

Hear = Callable[[int, int, int, str], None]

END_SECONDS = 2.0
"""Seconds to wait for a killed process to end."""


class Workers:
    """Processes that take the characters of a batch one by one.

    Parameters
    ----------
    command : sequence of str
        Argument list that starts a worker.
    environment : mapping, optional
        Environment of the workers; defaults to that of this process.
    jobs : int
        Number of simultaneous workers.
    per_process : int
        Characters that a process takes before it is replaced.
    """

    def __init__(
        self,
        batch: Batch,
        command: Sequence[str],
        *,
        environment: Mapping[str, str] | None = None,
        jobs: int = 1,
        per_process: int = 20,
    ) -> None:
        self._batch, self._command, self._environment = batch, list(command), environment
        self._jobs, self._per_process = jobs, per_process
        self._lock = threading.Lock()
        self._running: set[WorkerProcess] = set()
        self._stopped = False
        self._error: Exception | None = None
        self._hear: Hear = lambda item, done, total, label: None

    def run(
        self, items: Iterable[int], tell: Callable[[Outcome], None], hear: Hear | None = None
    ) -> None:
        """Have the workers estimate items.

        Parameters
        ----------
        tell : callable
            Called with every outcome, by one thread at a time.
        hear : callable, optional
            Called with (item, done, total, label) from time to time, by one thread at a time.

        Raises
        ------
        WorkerError
            If a worker could not start.
        ResultsError
            If results cannot be written.
        OSError
            If a worker process cannot be created.
        """
        pending = iter(items)
        if hear is not None:
            self._hear = hear
        # Not joined: a thread whose join is interrupted counts as finished from then on.
        ended: list[threading.Event] = []
        try:
            for _ in range(self._jobs):
                done = threading.Event()
                threading.Thread(target=self._lane, args=(pending, tell, done)).start()
                ended.append(done)
            for done in ended:
                # On Windows, a wait without timeout cannot be interrupted.
                while not done.wait(0.5):
                    pass
        except BaseException:
            self._stop()
            for done in ended:
                done.wait(END_SECONDS)
            raise
        if self._error is not None:
            raise self._error

    def _lane(
        self, pending: Iterator[int], tell: Callable[[Outcome], None], done: threading.Event
    ) -> None:
        """Keep one process running, replacing it when its share is done."""
        try:
            item = self._next(pending)
            while item is not None:
                item = self._one_process(item, pending, tell)
        except (WorkerError, ResultsError, OSError) as error:
            with self._lock:
                # Errors after the stop come from processes that the stop killed.
                if not self._stopped:
                    self._error = error
            self._stop()
        finally:
            done.set()

    def _one_process(
        self, item: int | None, pending: Iterator[int], tell: Callable[[Outcome], None]
    ) -> int | None:
        """Give a process its share, starting with `item`; return the next item."""
        with self._process() as process:
            process.wait_until_ready()
            for _ in range(self._per_process):
                if item is None:
                    break
                outcome = process.ask(item, partial(self._heard, item))
                if self._stopped:
                    return None
                alive = outcome is not None
                with self._lock:
                    tell(outcome or self._failed(item, process))
                item = self._next(pending)
                if not alive:
                    break
        return item

    def _heard(self, item: int, done: int, total: int, label: str) -> None:
        with self._lock:
            if not self._stopped:
                self._hear(item, done, total, label)

    def _failed(self, item: int, process: WorkerProcess) -> Outcome:
        message = f"its worker process died: {process.end()}; see the log"
        return self._batch.fail(item, message, process.printed)

    @contextlib.contextmanager
    def _process(self) -> Iterator[WorkerProcess]:
        with WorkerProcess(self._command, self._environment) as process:
            with self._lock:
                self._running.add(process)
                if self._stopped:
                    process.kill()
            try:
                yield process
            finally:
                with self._lock:
                    self._running.discard(process)

    def _next(self, pending: Iterator[int]) -> int | None:
        with self._lock:
            return None if self._stopped else next(pending, None)

    def _stop(self) -> None:
        with self._lock:
            self._stopped = True
            for process in self._running:
                process.kill()
