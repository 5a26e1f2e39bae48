"""Diagnostic logs for bug reports, one file per run or session, and the logger "jointlimits".

Every file begins with the program's version and environment. Lines are written immediately, so the
log survives if the run is killed. The work continues if a log cannot be written.
"""

from __future__ import annotations

import contextlib
import logging
import os
import platform
import re
import shlex
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from ..base import errors, progress
from ..base.text import file_name, printable
from ..base.version import __version__
from .input import FilePath, file_sha256

TITLE = "jointlimits log"
MAX_STAGES = 5000
"""Maximum number of lines about stages; pairs of joints can produce many more."""
MAX_BYTES = 1_000_000
"""Size in bytes beyond which the log of a session is renamed and a new one begun."""
_KINDS = {logging.ERROR: "fault", logging.WARNING: "warned"}

LOGGER = logging.getLogger("jointlimits")
"""Logger for runs; its children are for sessions. Nothing is passed on to the root logger."""
LOGGER.setLevel(logging.INFO)
LOGGER.propagate = False
LOGGER.addHandler(logging.NullHandler())


def log_path(folder: FilePath, of_run: bool = False) -> Path:
    """Path of a session's log in a folder, or a unique path for a run that starts now."""
    if not of_run:
        return Path(folder) / "jointlimits.log"
    host = file_name(platform.node().partition(".")[0] or "host")[:40]
    return Path(folder) / f"run-{time.strftime('%Y%m%d-%H%M%S')}-{host}-{os.getpid()}.log"


def header_lines(more: Mapping[str, str]) -> list[str]:
    """First lines of a log, all printable.

    `more`: entries about the run or the host application, such as {"maya": "2025"}.
    """
    loaded = {name: sys.modules.get(f"{name}.QtCore") for name in ("PySide6", "PySide2")}
    versions = [f"{name} {module.__version__}" for name, module in loaded.items() if module]
    numpy = "none"
    with contextlib.suppress(PackageNotFoundError):
        numpy = version("numpy")
    words = {
        "began": f"{_time_words()}, process {os.getpid()}",
        "version": f"jointlimits {__version__}",
        "python": f"{sys.version.split()[0]}, {sys.executable}",
        "numpy": numpy,
        "system": f"{platform.platform()}, {os.cpu_count()} processors",
        **({"qt": ", ".join(versions)} if versions else {}),
        **more,
    }
    return [TITLE, *(printable(f"{word:<10} {text}") for word, text in words.items())]


def _time_words() -> str:
    text = time.strftime("%Y-%m-%d %H:%M:%S%z")
    return f"{text[:-2]}:{text[-2:]}"


def _memory_words() -> str:
    try:
        # On Linux, getrusage starts from the peak of the parent process.
        status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
        peak = re.search(r"(?m)^VmHWM:\s*(\d+) kB$", status)
    except OSError:
        peak = None
    if peak is not None:
        return f"peak memory {int(peak[1]) * 1024 / 1e6:.0f} MB"
    try:
        import resource
    except ImportError:  # Windows
        return "peak memory unknown"
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # In bytes on macOS, in units of 1024 bytes elsewhere.
    return f"peak memory {(most if sys.platform == 'darwin' else most * 1024) / 1e6:.0f} MB"


class LogHandler(logging.Handler):
    """Handler that writes printable lines to a file with a header.

    `path`: file to append to; if None, lines are held until :meth:`keep_in`. A file that does not
    begin like a log is never written to, since it may be a motion. `head`: further entries for the
    header. `complain`: called once, with a message, if the file cannot be written. `is_session`:
    lines have the time of day, and a file beyond :data:`MAX_BYTES` is renamed to end in ``.1``.
    """

    def __init__(
        self,
        path: FilePath | None,
        head: Mapping[str, str],
        complain: Callable[[str], object] = lambda text: None,
        is_session: bool = False,
    ) -> None:
        super().__init__()
        self.path = None if path is None else Path(path)
        self._complain, self._is_session = complain, is_session
        self._broken, self._started = False, time.monotonic()
        self._head = {"began": f"{_time_words()}, process {os.getpid()}", **head}
        self._waiting: list[str] = []
        self._has_head = False
        if not is_session and self.path is not None:
            self._write()

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self._started

    @property
    def is_written(self) -> bool:
        """Whether the lines so far are in the file."""
        return self.path is not None and not self._broken

    def keep_in(self, path: FilePath) -> None:
        """Write the lines held so far, and all later lines, to an empty file."""
        self.path = Path(path)
        self._write()

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record, line by line."""
        if self._broken:
            return
        kind = getattr(record, "kind", _KINDS.get(record.levelno, "said"))
        start = _time_words() if self._is_session else f"{self.seconds:9.2f} s"
        lines = self.format(record).splitlines() or [""]
        self._waiting += [f"{start}  {kind:<7} {printable(line)}" for line in lines]
        self._write()

    def _write(self) -> None:
        if self.path is None or self._broken:
            return
        try:
            if not self._has_head:
                self._begin(self.path)
            if self._is_session and self.path.exists() and self.path.stat().st_size > MAX_BYTES:
                os.replace(self.path, f"{self.path}.1")
                self._begin(self.path)
            while self._waiting:
                # Each line is appended at once, since other processes may write to the file too.
                with open(self.path, "ab", buffering=0) as stream:
                    stream.write(f"{self._waiting[0]}\n".encode())
                del self._waiting[0]
        except OSError as error:
            self._broken = True
            is_blocked = isinstance(error, (FileExistsError, NotADirectoryError))
            reason = errors.system_words(error) if is_blocked else error.strerror or str(error)
            message = f"log {self.path} cannot be written: {reason}; continuing without a log"
            self._complain(message)

    def _begin(self, path: Path) -> None:
        """Create the folder and queue the header; OSError if the file is not a log."""
        self._has_head = True
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_file():
            raise OSError(0, "not a regular file")
        if path.exists():
            with open(path, "rb") as stream:
                start = stream.read(len(TITLE) + 1)
            if start and start.rstrip(b"\r\n") != TITLE.encode():
                raise OSError(0, "the existing file is not a log; left unchanged")
        self._waiting[:0] = header_lines(self._head)


class RunLog(LogHandler):
    """Log of one run, which gets the run's events while it is a handler of :data:`LOGGER`."""

    def __init__(
        self, path: FilePath | None, head: Mapping[str, str], complain: Callable[[str], object]
    ) -> None:
        super().__init__(path, head, complain)
        self._stage, self._stages = "", 0
        self._seen: set[str] = set()

    def hear(self, kind: str, text: str, sha256: str = "") -> None:
        """Log an event of the run: a file with its size and hash, or a stage (once each)."""
        if kind == "stage":
            if text == self._stage or self._stages > MAX_STAGES:
                return
            self._stage = text
            self._stages += 1
            if self._stages > MAX_STAGES:
                text = "further stages are not listed"
            text = f"{text} ({_memory_words()})"
        elif kind in ("read", "wrote", "given"):
            key = f"{kind} {text} {sha256}"
            if key in self._seen and kind == "read":
                return
            self._seen |= {key, os.path.realpath(text)}
            try:
                size = os.path.getsize(text)
                text = f"{text}: {size:,} bytes, sha256 {sha256 or file_sha256(text)}"
            except (OSError, errors.InputError) as error:
                text = f"{text}: {error}"
        self.event(kind, text)

    def event(self, kind: str, text: str) -> None:
        """Write an event with the time since the start."""
        level = {"fault": logging.ERROR, "warned": logging.WARNING}.get(kind, logging.INFO)
        LOGGER.log(level, "%s", text, extra={"kind": kind})

    def hear_arguments(self, words: Iterable[Any]) -> None:
        """Write the files that a command line names, unless they are already in the log."""
        for word in words:
            # A text may be too long for a path, or contain a null.
            with contextlib.suppress(OSError, ValueError):
                is_file = isinstance(word, str) and os.path.isfile(word)
                if is_file and os.path.realpath(word) not in self._seen:
                    self.hear("given", word)

    def fault(self, error: BaseException) -> None:
        """Write an internal error with its traceback."""
        import traceback

        lines = traceback.format_exception(type(error), error, error.__traceback__)
        self.event("fault", "".join(lines))

    def end(self, text: str) -> None:
        """Write how the run ended."""
        words = f"{self.seconds:.1f} s, {_memory_words()}, {_time_words()}"
        self.event("end", f"{text}; {words}")


@contextlib.contextmanager
def kept_log(
    path: FilePath | None,
    complain: Callable[[str], object],
    arguments: Sequence[str],
    options: Mapping[str, Any],
) -> Iterator[RunLog]:
    """Keep a log while the block runs, including any exception that ends the block.

    `path`, `complain`: as in :class:`LogHandler`. `arguments`: command with its arguments, for the
    header. `options`: parsed options, for the header.
    """
    try:
        folder = os.getcwd()
    except OSError as error:
        folder = f"none: {error.strerror}"
    shown = ", ".join(f"{name}={value!r}" for name, value in options.items())
    head = {"folder": folder, "command": shlex.join(arguments), "options": shown}
    log = RunLog(path, head, complain)
    LOGGER.addHandler(log)
    try:
        with progress.send_events(log.hear):
            yield log
    except Exception as error:
        log.fault(error)
        raise
    finally:
        LOGGER.removeHandler(log)


def session_logger(name: str, path: Path, head: Mapping[str, str]) -> logging.Logger:
    """Logger that writes to a file and keeps the previous file next to it.

    `name`: name under "jointlimits"; an existing logger, as after a reload, is set up again.
    `path`: log file; if it cannot be written, messages are dropped. `head`: further entries for the
    header.
    """
    found = LOGGER.getChild(name)
    for handler in list(found.handlers):
        found.removeHandler(handler)
    found.addHandler(LogHandler(path, head, is_session=True))
    return found
