"""Worker processes that share the items of a batch; a crash costs only one character.

A worker reads a mark, then item numbers line by line, and writes outcomes. Estimators may print
anything, even names from files, so every protocol line begins with the mark: random letters that no
file can contain. A worker ends when its input ends, even in the middle of a character, because its
parent is then gone.
"""

from __future__ import annotations

import collections
import contextlib
import json
import os
import queue
import secrets
import subprocess  # noqa: TID251 - workers, from argument lists
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, TextIO

from ..base.options import option
from .results import ResultsError
from .run import Batch, Estimate, Outcome

READY, PROGRESS, OUTCOME, STOPPED = "ready", "progress", "outcome", "stopped"
"""Kinds of protocol lines. Data: none, (done, total, label), the outcome's fields, a reason."""
REPORT_SECONDS = 1.0
"""Seconds between progress lines of a worker."""
ABANDONED_EXIT_CODE = 3
"""Exit code of a worker whose parent is gone."""
MAX_KEPT_LINES = 200
"""Number of lines at the end of a worker's output that are kept for the log."""
MINUTES: float = option("minutes_each").default
END_SECONDS = 2.0
"""Seconds to wait for a killed process to end."""


def serve(batch: Batch, estimate: Estimate, numbers: TextIO, outcomes: TextIO) -> None:
    """Estimate items as they arrive, until input ends or results cannot be written."""
    mark = numbers.readline().strip()

    def tell(kind: str, data: Any = None) -> None:
        print(protocol_line(mark, kind, data), file=outcomes, flush=True)

    items: queue.SimpleQueue[int | None] = queue.SimpleQueue()
    busy = threading.Event()

    def listen() -> None:
        for line in numbers:
            busy.set()
            items.put(int(line))
        if busy.is_set():
            os._exit(ABANDONED_EXIT_CODE)
        items.put(None)

    last = time.monotonic()

    def report(done: int, total: int, label: str) -> bool:
        nonlocal last
        now = time.monotonic()
        if now - last >= REPORT_SECONDS:
            last = now
            tell(PROGRESS, (done, total, label))
        return True

    threading.Thread(target=listen, daemon=True).start()
    tell(READY)
    for item in iter(items.get, None):
        last = time.monotonic()
        try:
            outcome = batch.estimate(item, estimate, report)
        except ResultsError as error:
            tell(STOPPED, str(error))
            return
        busy.clear()
        tell(OUTCOME, asdict(outcome))


def leave(code: int) -> None:
    """End this process without cleanup: every result is already on disk.

    Skipping cleanup saves time and avoids crashes at exit.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def protocol_line(mark: str, kind: str, data: Any = None) -> str:
    """Line from a worker to its parent, which gave it the mark."""
    return mark + json.dumps([kind, data])


class WorkerError(RuntimeError):
    """A worker could not start; the message contains its last output."""


class WorkerProcess:
    """A started worker, for use in a ``with`` block.

    The command is an argument list; no shell is involved. The environment defaults to that of this
    process.
    """

    def __init__(self, command: Sequence[str], environment: Mapping[str, str] | None) -> None:
        self._printed: collections.deque[str] = collections.deque(maxlen=MAX_KEPT_LINES)
        self._mark = secrets.token_hex(16)
        self.is_too_slow = False
        self._process = subprocess.Popen(
            list(command),
            env=None if environment is None else dict(environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._numbers, self._outcomes = self._process.stdin, self._process.stdout

    def __enter__(self) -> WorkerProcess:
        return self

    def __exit__(self, *error: object) -> None:
        """Let the process end by itself; a crash at exit does no harm."""
        with contextlib.suppress(OSError):
            self._numbers.close()
        for _ in self._outcomes:
            pass
        self._process.wait()
        self._outcomes.close()

    def wait_until_ready(self) -> None:
        """Wait until the worker is ready; WorkerError if it ends instead."""
        self.send(self._mark)
        if not any(kind == READY for kind, _ in self._events()):
            raise WorkerError(f"a worker could not start: {self.end()}\n{self.printed}".strip())

    def send(self, text: str) -> None:
        """Write a line to the worker; reading its output will show whether it has ended."""
        with contextlib.suppress(OSError):
            self._numbers.write(f"{text}\n")
            self._numbers.flush()

    def outcome(self, seconds: float, report: Callable[[int, int, str], object]) -> Outcome | None:
        """Outcome of the character whose number was sent; None if the process died.

        The process is killed after `seconds`. ``report(done, total, label)`` is called from time to
        time. Raises ResultsError if results cannot be written.
        """
        self._printed.clear()

        def end_of_time() -> None:
            self.is_too_slow = True
            self.kill()

        timer = threading.Timer(seconds, end_of_time)
        timer.daemon = True
        timer.start()
        try:
            for kind, data in self._events():
                if kind == PROGRESS:
                    self._printed.pop()  # progress lines do not explain a crash
                    report(*data)
                elif kind == STOPPED:
                    raise ResultsError(data)
                elif kind == OUTCOME:
                    return Outcome(**data)
            return None
        finally:
            timer.cancel()

    def _events(self) -> Iterator[tuple[str, Any]]:
        """Kind and data of every line; the kind is empty for a line outside the protocol."""
        for line in self._outcomes:
            self._printed.append(line)
            _, mark, text = line.partition(self._mark)
            yield tuple(json.loads(text)) if mark else ("", None)

    @property
    def printed(self) -> str:
        """Last lines printed since the last call of :meth:`outcome`."""
        return "".join(self._printed)

    def end(self) -> str:
        """Describe how the process ended."""
        code = self._process.wait()
        return f"it ended with signal {-code}" if code < 0 else f"it ended with exit code {code}"

    def kill(self) -> None:
        """Kill the process; only its current item is lost."""
        self._process.kill()


class Workers:
    """Processes that take the characters of a batch one by one.

    `command`: argument list that starts a worker. `environment`: environment of the workers;
    defaults to that of this process. `jobs`: number of simultaneous workers. `per_process`:
    number of characters that a process takes before it is replaced. `minutes`: time limit for a
    character.
    """

    def __init__(
        self,
        batch: Batch,
        command: Sequence[str],
        *,
        environment: Mapping[str, str] | None = None,
        jobs: int = 1,
        per_process: int = 20,
        minutes: float = MINUTES,
    ) -> None:
        self._batch, self._command, self._environment = batch, list(command), environment
        self._jobs, self._per_process, self._minutes = jobs, per_process, minutes
        self._lock = threading.Lock()
        self._pending: Iterator[int] = iter(())
        self._finish: Callable[[Outcome], None]
        self._report: Callable[[str, int, int, str], None]
        self._running: set[WorkerProcess] = set()
        self._stopped = False
        self._error: Exception | None = None

    def run(
        self,
        items: Iterable[int],
        finish: Callable[[Outcome], None],
        report: Callable[[str, int, int, str], None] = lambda name, done, total, label: None,
    ) -> None:
        """Have the workers estimate items.

        `finish` is called with every outcome and ``report(name, done, total, label)`` from time to
        time, never by two threads at once. Raises WorkerError if a worker could not start,
        ResultsError if results cannot be written, OSError if no process can be created.
        """
        self._pending, self._finish, self._report = iter(items), finish, report
        # Threads are not joined: if a join is interrupted, the thread counts as finished.
        ended: list[threading.Event] = []
        try:
            for _ in range(self._jobs):
                done = threading.Event()
                threading.Thread(target=self._run_lane, args=(done,)).start()
                ended.append(done)
            for done in ended:
                # A wait without a timeout cannot be interrupted on Windows.
                while not done.wait(0.5):
                    pass
        except BaseException:
            self._stop()
            for done in ended:
                done.wait(END_SECONDS)
            raise
        if self._error is not None:
            raise self._error

    def _run_lane(self, done: threading.Event) -> None:
        """Keep one process running, and replace it when its share is done."""
        try:
            item = self._next()
            while item is not None:
                item = self._run_process(item)
        except Exception as error:  # noqa: BLE001 - a lane that ends leaves characters undone
            with self._lock:
                # Errors after the stop come from processes that the stop killed.
                self._error = self._error if self._stopped else error
            self._stop()
        finally:
            done.set()

    def _run_process(self, item: int) -> int | None:
        """Give a process its share of items, starting with `item`; return the next item."""

        def report_item(done: int, total: int, label: str) -> None:
            with self._lock:
                if not self._stopped:
                    self._report(self._batch.manifest.characters[item].name, done, total, label)

        with WorkerProcess(self._command, self._environment) as process:
            with self._lock:
                self._running.add(process)
                if self._stopped:
                    process.kill()
            try:
                process.wait_until_ready()
                process.send(str(item))
                for left in reversed(range(self._per_process)):
                    outcome = process.outcome(60.0 * self._minutes, report_item)
                    if self._stopped:
                        return None
                    following = self._next()
                    goes_on = following is not None and outcome is not None and left > 0
                    if goes_on:
                        process.send(str(following))  # so that it need not wait for the rest
                    with self._lock:
                        self._finish(outcome or self._store_failure(item, process))
                    if not goes_on or following is None:
                        break
                    item = following
            finally:
                with self._lock:
                    self._running.discard(process)
        return following

    def _store_failure(self, item: int, process: WorkerProcess) -> Outcome:
        """Store the failure of a character during which its process died."""
        message = f"its worker process died: {process.end()}; see the log"
        if process.is_too_slow:
            flag = option("minutes_each").flag
            message = f"took more than {self._minutes:g} minutes; raise {flag} to wait longer"
        return self._batch.fail(item, message, process.printed)

    def _next(self) -> int | None:
        with self._lock:
            return None if self._stopped else next(self._pending, None)

    def _stop(self) -> None:
        with self._lock:
            self._stopped = True
            for process in self._running:
                process.kill()
