"""Worker process as its parent sees it."""

from __future__ import annotations

import collections
import contextlib
import subprocess
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType

from .results_error import ResultsError
from .run import Outcome
from .worker import READY, outcome_from_line, stopped_from_line, told_from_line

KEPT_LINES = 200
"""Number of last output lines of a worker kept for the log."""


class WorkerError(RuntimeError):
    """A worker that could not start; the message has its last output."""


class WorkerProcess:
    """A started worker, for a ``with`` block.

    Parameters
    ----------
    command : sequence of str
        Argument list; no shell is involved.
    environment : mapping, optional
        Defaults to that of this process.
    """

    def __init__(self, command: Sequence[str], environment: Mapping[str, str] | None) -> None:
        self._printed: collections.deque[str] = collections.deque(maxlen=KEPT_LINES)
        self._process = subprocess.Popen(
            list(command),
            env=None if environment is None else dict(environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
        )

    def __enter__(self) -> WorkerProcess:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Let the process end by itself; a crash at exit does no harm."""
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.close()
        for _ in self._lines():
            pass
        self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()

    def wait_until_ready(self) -> None:
        """Wait until the worker is ready for items.

        Raises
        ------
        WorkerError
            If it ends instead; so would the next one.
        """
        if not any(READY in line for line in self._lines()):
            raise WorkerError(f"a worker could not start: {self.end()}\n{self.printed}".strip())

    def ask(self, item: int, hear: Callable[[int, int, str], object]) -> Outcome | None:
        """Have one character estimated; None if the process died on it.

        Parameters
        ----------
        hear : callable
            Called with (done, total, label) from time to time.

        Raises
        ------
        ResultsError
            If results cannot be written.
        """
        self._printed.clear()
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(f"{item}\n")
            self._process.stdin.flush()
        except OSError:
            return None
        for line in self._lines():
            progress = told_from_line(line)
            if progress is not None:
                self._printed.pop()  # progress lines do not explain a crash
                hear(*progress)
                continue
            stopped = stopped_from_line(line)
            if stopped is not None:
                raise ResultsError(stopped)
            outcome = outcome_from_line(line)
            if outcome is not None:
                return outcome
        return None

    def _lines(self) -> collections.abc.Iterator[str]:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._printed.append(line)
            yield line

    @property
    def printed(self) -> str:
        """Output since the last call; only its end if it is long."""
        return "".join(self._printed)

    def end(self) -> str:
        """Describe how the process ended."""
        code = self._process.wait()
        return f"it ended with signal {-code}" if code < 0 else f"it ended with exit code {code}"

    def kill(self) -> None:
        """Kill the process; its current item is lost, finished ones are not."""
        self._process.kill()
