"""Diagnostic logs of a run, for bug reports.

Every log begins with the program's version and environment. Lines are written immediately, so that
a killed run keeps its log. A log that cannot be written stops nothing.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from ..base.errors import InputError, system_words
from ..base.progress import listening
from ..base.text import printable
from ..base.version import __version__
from .input import file_sha256


def header_lines(title: str, more: Mapping[str, str] | None = None) -> list[str]:
    """First lines of a log.

    `title` is the first one, `more` the host application, as {"maya": "2025"}. Each is printable.
    """
    import platform  # slow to import, and a run without a log does not need it

    found = [name for name in ("PySide6", "PySide2") if f"{name}.QtCore" in sys.modules]
    versions = (f"{name} {sys.modules[f'{name}.QtCore'].__version__}" for name in found)
    words = {
        "began": _began(),
        "version": f"jointlimits {__version__}",
        "python": f"{sys.version.split()[0]}, {sys.executable}",
        "numpy": _numpy(),
        "system": f"{platform.platform()}, {os.cpu_count()} processors",
        **({"qt": ", ".join(versions)} if found else {}),
        **(more or {}),
    }
    return [title, *(printable(f"{word:<10} {text}") for word, text in words.items())]


def _began() -> str:
    return f"{time_words()}, process {os.getpid()}"


def time_words() -> str:
    """Local time with its offset from UTC."""
    text = time.strftime("%Y-%m-%d %H:%M:%S%z")
    return f"{text[:-2]}:{text[-2:]}"


def _numpy() -> str:
    """Version of numpy."""
    try:
        return version("numpy")
    except PackageNotFoundError:
        return "none"


def peak_megabytes() -> float | None:
    """Peak resident memory in millions of bytes; None if unknown."""
    try:
        # getrusage on Linux starts from the peak of the parent process.
        status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
        peak = re.search(r"(?m)^VmHWM:\s*(\d+) kB$", status)
    except OSError:
        peak = None
    if peak is not None:
        return int(peak[1]) * 1024 / 1e6
    try:
        import resource
    except ImportError:  # Windows
        return None
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # In bytes on macOS, in units of 1024 bytes elsewhere.
    return most / 1e6 if sys.platform == "darwin" else most * 1024 / 1e6


TITLE = "jointlimits log"
MOST_STAGES = 5000
"""Most lines about stages; pairs of joints can produce far more."""


class RunLog:
    """Log of one run, fed with its events.

    `path`: file to append to; None keeps the lines in memory. `complain`: called once, with a
    message, if the log cannot be written. A file that does not begin like a log is never written
    to: it may be a motion.
    """

    def __init__(
        self, path: str | os.PathLike[str] | None, complain: Callable[[str], None]
    ) -> None:
        self.path = None if path is None else Path(path)
        self._complain = complain
        self._head: Mapping[str, str] = {}
        self._lines: list[str] = []
        self._began = time.monotonic()
        self._stage, self._stages = "", 0
        self._seen: set[str] = set()
        self._broken = self.path is not None and not self._is_ours(self.path)

    def hear(self, kind: str, text: str, sha256: str) -> None:
        """Write an event of the run; files with size and hash, a stage once."""
        if kind == "stage":
            self._begin_stage(text)
        elif kind in ("read", "wrote"):
            self._file(kind, text, sha256)
        else:
            self.event(kind, text)

    def head(self, words: Mapping[str, str]) -> None:
        """Write the header; kept in memory, only its words and the time until it is needed."""
        self._head = {"began": _began(), **words}
        if self.path is not None:
            self._write_head()

    def _write_head(self) -> None:
        for line in header_lines(TITLE, self._head):
            self._write(line)

    def event(self, kind: str, text: str) -> None:
        """Write an event with the time since the start."""
        for line in text.splitlines() or [""]:
            self._write(f"{self._seconds():9.2f} s  {kind:<7} {printable(line)}")

    def given(self, paths: Iterable[str]) -> None:
        """Write files given on the command line that have not been reported yet."""
        for path in paths:
            if os.path.realpath(path) not in self._seen and os.path.isfile(path):
                self._file("given", path)

    def fault(self, error: BaseException) -> None:
        """Write an internal error with its traceback."""
        import traceback

        lines = traceback.format_exception(type(error), error, error.__traceback__)
        self.event("fault", "".join(lines))

    def end(self, text: str) -> None:
        """Write how the run ended."""
        self.event("end", f"{text}; {self._seconds():.1f} s, {memory_words()}, {time_words()}")

    def keep_in(self, path: str | os.PathLike[str]) -> None:
        """Write the lines kept so far, and all further ones, to an empty file."""
        self.path, lines, self._lines = Path(path), self._lines, []
        self._write_head()
        for line in lines:
            self._write(line)

    @property
    def is_written(self) -> bool:
        """Whether the lines so far are in the file."""
        return self.path is not None and not self._broken

    def _begin_stage(self, label: str) -> None:
        if label == self._stage or self._stages > MOST_STAGES:
            return
        self._stage = label
        self._stages += 1
        if self._stages > MOST_STAGES:
            label = "further stages are not listed"
        self.event("stage", f"{label} ({memory_words()})")

    def _file(self, kind: str, path: str, sha256: str = "") -> None:
        key = f"{kind} {path} {sha256}"
        if key in self._seen and kind == "read":
            return
        self._seen |= {key, os.path.realpath(path)}
        self.event(kind, file_words(path, sha256))

    def _seconds(self) -> float:
        return time.monotonic() - self._began

    def _write(self, line: str) -> None:
        if self.path is None:
            self._lines.append(line)
        elif not self._broken:
            try:
                # One append per line: other processes may write to the file too.
                handle = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
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
    path: str | os.PathLike[str] | None,
    complain: Callable[[str], None],
    arguments: Sequence[str],
    options: Mapping[str, Any],
) -> Iterator[RunLog]:
    """Keep a log while the block runs, including errors that leave the block.

    `path`, `complain`: as in :class:`RunLog`. `arguments`: command with its arguments, for the
    header. `options`: parsed options, for the header.
    """
    log = RunLog(path, complain)
    with listening(log.hear):
        log.head(
            {
                "folder": _folder(),
                "command": shlex.join(arguments),
                "options": ", ".join(f"{name}={value!r}" for name, value in options.items()),
            }
        )
        try:
            yield log
        except Exception as error:
            log.fault(error)
            raise


def _folder() -> str:
    try:
        return os.getcwd()
    except OSError as error:
        return f"none: {error.strerror}"


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
