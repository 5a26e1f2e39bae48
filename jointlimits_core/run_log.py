"""Diagnostic log of a run, for bug reports.

Lines are written immediately, so that a killed run keeps its log. A log that cannot be written
stops nothing.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from .about_program import header_lines, time_words
from .errors import InputError
from .formats.source import file_sha256
from .journal import FileSeen, heard_by
from .peak_memory import peak_megabytes
from .system_words import system_words
from .wording import printable

TITLE = "jointlimits log"
MOST_STAGES = 5000
"""Most lines about stages; pairs of joints can produce far more."""


class RunLog:
    """A log being written.

    Parameters
    ----------
    path : path-like or None
        File to append to; None keeps the lines in memory.
    complain : callable
        Called once, with a message, if the log cannot be written.

    Notes
    -----
    A file that does not begin like a log is never written to: it may be a motion.
    """

    def __init__(
        self, path: str | os.PathLike[str] | None, complain: Callable[[str], None]
    ) -> None:
        self.path = None if path is None else Path(path)
        self._complain = complain
        self._lines: list[str] = []
        self._lock = threading.RLock()
        self._began = time.monotonic()
        self._stage, self._stages = "", 0
        self._seen: set[str] = set()
        self._broken = False
        if self.path is not None:
            self._broken = not self._is_ours(self.path)

    # --- lines --------------------------------------------------------------------------------

    def head(self, words: Mapping[str, str]) -> None:
        """Write the header."""
        for line in header_lines(TITLE, words):
            self._write(line)

    def event(self, kind: str, text: str) -> None:
        """Write an event with the time since the start."""
        for line in text.splitlines() or [""]:
            self._write(f"{self.seconds():9.2f} s  {kind:<7} {printable(line)}")

    def stage(self, label: str) -> None:
        """Write the start of a stage; repetitions are written once."""
        if label == self._stage or self._stages > MOST_STAGES:
            return
        self._stage = label
        self._stages += 1
        if self._stages > MOST_STAGES:
            label = "further stages are not listed"
        self.event("stage", f"{label} ({memory_words()})")

    def saw(self, seen: FileSeen) -> None:
        """Write a file read or written, with its size and hash."""
        key = f"{seen.what} {seen.path} {seen.sha256}"
        if key in self._seen and seen.what == "read":
            return
        self._seen |= {key, os.path.realpath(seen.path)}
        self.event(seen.what, file_words(seen.path, seen.sha256))

    def given(self, paths: Iterable[str]) -> None:
        """Write files given on the command line that have not been reported yet."""
        for path in paths:
            if os.path.realpath(path) not in self._seen and os.path.isfile(path):
                self.saw(FileSeen("given", path))

    def fault(self, error: BaseException) -> None:
        """Write an internal error with its traceback."""
        lines = traceback.format_exception(type(error), error, error.__traceback__)
        self.event("fault", "".join(lines))

    def end(self, text: str) -> None:
        """Write how the run ended."""
        self.event("end", f"{text}; {self.seconds():.1f} s, {memory_words()}, {time_words()}")

    def seconds(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self._began

    # --- the file -----------------------------------------------------------------------------

    def keep_in(self, path: str | os.PathLike[str]) -> None:
        """Write the lines kept so far, and all further ones, to an empty file."""
        with self._lock:
            self.path, lines, self._lines = Path(path), self._lines, []
            for line in lines:
                self._write(line)

    @property
    def is_written(self) -> bool:
        """Whether the lines so far are in the file."""
        return self.path is not None and not self._broken

    def _write(self, line: str) -> None:
        with self._lock:
            if self.path is None:
                self._lines.append(line)
            elif not self._broken:
                self._append(self.path, line)

    def _append(self, path: Path, line: str) -> None:
        try:
            # One append per line: other processes may write to the file too.
            handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
            try:
                os.write(handle, f"{line}\n".encode())
            finally:
                os.close(handle)
        except OSError as error:
            self._give_up(error.strerror or str(error))

    def _is_ours(self, path: Path) -> bool:
        """Create the folder, and check that an existing file is a log."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.exists() and not path.is_file():
                return self._give_up("not a regular file")
            if path.is_file():
                with open(path, "rb") as stream:
                    start = stream.read(len(TITLE) + 1)
                if start and start.rstrip(b"\r\n") != TITLE.encode():
                    return self._give_up("a file that is not a log exists there; left unchanged")
        except (FileExistsError, NotADirectoryError) as error:
            return self._give_up(system_words(error))
        except OSError as error:
            return self._give_up(error.strerror or str(error))
        return True

    def _give_up(self, reason: str) -> bool:
        self._broken = True
        self._complain(f"log {self.path} cannot be written: {reason}; continuing without a log")
        return False


@contextlib.contextmanager
def kept_log(
    path: str | os.PathLike[str] | None, complain: Callable[[str], None], words: Mapping[str, str]
) -> Iterator[RunLog]:
    """Keep a log while the block runs, including errors that leave the block.

    Parameters
    ----------
    path, complain
        As in :class:`RunLog`.
    words : mapping
        Header entries about the run.
    """
    log = RunLog(path, complain)
    with heard_by(log):
        log.head(words)
        try:
            yield log
        except Exception as error:
            log.fault(error)
            raise


def file_words(path: str, sha256: str = "") -> str:
    """Path, size and hash of a file."""
    try:
        size = f"{os.path.getsize(path):,} bytes"
        digest = sha256 or file_sha256(path)
    except (OSError, InputError) as error:
        return f"{path}: {error}"
    return f"{path}: {size}, sha256 {digest}"


def memory_words() -> str:
    """Peak memory as text."""
    peak = peak_megabytes()
    return "peak memory unknown" if peak is None else f"peak memory {peak:.0f} MB"
