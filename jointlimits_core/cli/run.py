"""Execution of every command: its log, its error message and its exit code.

Exit codes: 0 success, 1 an input failed or a check found something, 2 usage error, 70 internal
error; 129, 130, 143 stopped by a closed terminal, Ctrl-C or a farm's signal.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shlex
import tempfile
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TextIO

from ..base import (
    EstimationError,
    ExportError,
    InputError,
    MissingPackageError,
    names_words,
    system_words,
)
from ..io import (
    FileEvent,
    RunLog,
    interrupted_code,
    kept_log,
    listening,
    no_interrupt_lost,
    report_message,
    terminating_signals,
)
from .output import UsageError, error_text, print_trouble

FAULT = 70
"""Exit code of an internal error (EX_SOFTWARE in sysexits.h)."""
OUT_OF_MEMORY = "out of memory; pass fewer or shorter clips at a time"


def parsed(parse: Callable[[], argparse.Namespace]) -> argparse.Namespace | int:
    """Return the parsed arguments, or the exit code if parsing ends the program."""
    try:
        return parse()
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 2
    except KeyboardInterrupt:
        print_trouble(_Written().words())
        return interrupted_code(KeyboardInterrupt())
    except MissingPackageError as error:
        print_trouble(error_text(error))
        return 1
    except Exception as error:  # noqa: BLE001 - e.g. a command that cannot be imported
        print_trouble(_fault_words(error, RunLog(None, print_trouble)))
        return FAULT


def run_command(options: argparse.Namespace, arguments: Sequence[str]) -> int:
    """Run the subcommand of the parsed options and return its exit code.

    The raw arguments are for the log.
    """
    written = _Written()
    # A batch keeps its own log, in its results folder.
    path = None if "own_log" in options else options.log
    words = _words(options, arguments)
    with listening(written), kept_log(path, print_trouble, words) as log, _logged_warnings():
        options.run_log = log
        code = _ended(options, log, written)
        if log.path is not None:
            log.given(_files(options))
        log.end(f"exit code {code}")
    return code


def _ended(options: argparse.Namespace, log: RunLog, written: _Written) -> int:
    """Run, and turn exceptions into a message and an exit code."""
    try:
        with no_interrupt_lost(), _signals_as_interrupts(options):
            code: int = options.run(options)
        return code
    except UsageError as error:
        print_trouble(error_text(error))
        return 2
    except (InputError, EstimationError, ExportError, MissingPackageError) as error:
        print_trouble(error_text(error))
        return 1
    except OSError as error:
        print_trouble(system_words(error))
        return 1
    except MemoryError:
        print_trouble(OUT_OF_MEMORY)
        return 1
    except KeyboardInterrupt as stop:
        print_trouble(written.words())
        return interrupted_code(stop)
    except Exception as error:  # noqa: BLE001 - the traceback goes to the log, not the terminal
        print_trouble(_fault_words(error, log))
        return FAULT


def _signals_as_interrupts(options: argparse.Namespace) -> contextlib.AbstractContextManager[None]:
    """Turn signals into KeyboardInterrupt; a window's event loop would swallow them."""
    return contextlib.nullcontext() if "own_signals" in options else terminating_signals()


class _Written:
    """Files written so far."""

    def __init__(self) -> None:
        self._paths: dict[str, None] = {}

    def file_event(self, seen: FileEvent) -> None:
        if seen.what == "wrote":
            self._paths[seen.path] = None

    def event(self, kind: str, text: str) -> None:
        """Ignore messages; they are not output."""

    def words(self) -> str:
        """Message for a run that was stopped."""
        if not self._paths:
            return "stopped; nothing was written"
        names = names_words(list(self._paths), noun="file")
        return f"stopped; files already written are complete: {names}"


def _fault_words(error: Exception, log: RunLog) -> str:
    """Write the details to a log, and return a message that says where it is."""
    log.fault(error)
    if not log.is_written:
        with contextlib.suppress(OSError):
            handle, name = tempfile.mkstemp(prefix="jointlimits-", suffix=".log")
            os.close(handle)
            log.keep_in(name)
    what = f"{type(error).__name__}: {error}".splitlines()[0]
    where = "no log could be written"
    if log.is_written:
        where = f"attach {log.path} to a bug report, with the input files if you can"
    return f"internal error, not a problem with your files ({what}); {where}"


def _words(options: argparse.Namespace, arguments: Sequence[str]) -> dict[str, str]:
    """Description of the command for the log."""
    values = {
        name: value
        for name, value in vars(options).items()
        if name not in ("run", "run_log", "own_log", "own_signals", "command", "log")
    }
    return {
        "folder": _folder(),
        "command": shlex.join(["jointlimits", *arguments]),
        "options": ", ".join(f"{name}={value!r}" for name, value in values.items()),
    }


def _folder() -> str:
    try:
        return os.getcwd()
    except OSError as error:
        return f"none: {error.strerror}"


def _files(options: argparse.Namespace) -> list[str]:
    """Every argument that is the path of a file."""
    found: list[str] = []
    for name, value in vars(options).items():
        texts: Any = value if isinstance(value, (list, tuple)) else [value]
        found += [text for text in texts if isinstance(text, str) and text and name != "log"]
    return [text for text in found if _is_file(text)]


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except (OSError, ValueError):  # too long for a path, or contains a null
        return False


@contextlib.contextmanager
def _logged_warnings() -> Iterator[None]:
    """Also log warnings of Python and numpy, which are still shown as usual."""
    shown = warnings.showwarning

    def show(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        report_message(f"{filename}:{lineno}: {category.__name__}: {message}", warning=True)
        shown(message, category, filename, lineno, file, line)

    warnings.showwarning = show
    try:
        yield
    finally:
        warnings.showwarning = shown
