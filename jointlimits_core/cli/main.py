"""Command line: the parser, and running a command with its log, error message and exit code.

A subcommand is a module of this package with the functions ``add_arguments(parser)`` and
``run(options)``; only the requested one is imported.

Exit codes: 0 success, 1 an input failed or a check found something, 2 usage error, 70 internal
error; 129, 130, 143 if stopped by a closed terminal, Ctrl-C or a farm's signal.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import warnings
from collections.abc import Collection, Iterator, Sequence
from importlib import import_module
from typing import Any

from ..base import errors, progress
from ..base.options import CommandParser, options_of
from ..base.text import names_words
from ..base.version import __version__
from ..io import input, logs, process
from .arguments import add_declared
from .output import UsageError, collect_output, error_text, print_trouble

FAULT_EXIT_CODE = 70
"""Exit code of an internal error (EX_SOFTWARE in sysexits.h)."""
OUT_OF_MEMORY = "out of memory; pass fewer or shorter clips"
_KNOWN_ERRORS = (
    errors.InputError,
    errors.EstimationError,
    errors.ExportError,
    errors.MissingPackageError,
)
_NOT_OPTIONS = ("run", "budget", "own_log", "own_signals", "collected", "command", "log")
COMMANDS = {
    "demo": "measure a clip that comes with the program, and open its page",
    "estimate": "estimate joint types and limits from motion",
    "skeleton": "find the skeleton in tracks of loose bodies or markers",
    "fit": "estimate limits that couple all channels of a joint",
    "project": "clamp a motion to coupled limits and write it as BVH",
    "apply": "write limits into a copy of a Maya scene",
    "check": "find frames outside the limits",
    "people": "measure how far the joints of several people go, for check --people",
    "audit": "find faults in the limits of a scene or limit set",
    "show": "print a limit set as a table",
    "edit": "change limits, types and notes by hand, and keep the measured values",
    "merge": "merge several limit sets of one character",
    "diff": "list the differences between two limit sets",
    "import-limits": "import limits that another file declares, as a prior or for comparison",
    "export": "write limits for another program and list what its format loses",
    "manifest": "list the characters below a folder, for jointlimits batch",
    "batch": "estimate every character of a manifest, resumable and in parallel",
    "gui": "view, correct and save limits in a window",
}
"""Subcommands in the order of the help, with their help lines; each is a module of this package."""


def parser(given: Sequence[str] | None = None) -> argparse.ArgumentParser:
    """Return the parser of the whole command.

    `given`: arguments to parse; if they begin with a subcommand, only that subcommand is imported
    and added. Without arguments all subcommands are added.
    """
    first = given[0] if given else ""
    commands = {first: ""} if first in COMMANDS else COMMANDS
    top = CommandParser(
        prog="jointlimits",
        description="Joint types and joint limits for Maya, measured from motion you already have.",
    )
    top.add_argument("--version", action="version", version=f"jointlimits {__version__}")
    subs = top.add_subparsers(dest="command", metavar="COMMAND")
    for name, words in commands.items():
        sub = subs.add_parser(name, help=words)
        if given is None or name == first:
            module = import_module(f".{name.replace('-', '_')}", __package__)
            module.add_arguments(sub)
            sub.set_defaults(run=module.run)
            if not sub.get_default("own_log"):
                group = sub.add_argument_group("every command")
                add_declared(group, *(item.name for item in options_of("run")))
                # The window reads files with the default budget.
                if not sub.get_default("own_signals"):
                    input.add_reading(group)
                if sub.get_default("format") is None:
                    add_declared(group, "format")
                    sub.set_defaults(collected=True)
    return top


def program() -> int:
    """Run this process's command and return its exit code."""
    process.single_threaded_algebra()
    return main()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with these arguments, by default the process's, and return the exit code."""
    process.standard_streams()
    given = sys.argv[1:] if arguments is None else list(arguments)
    try:
        options = parser(given).parse_args(given)
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 2
    except KeyboardInterrupt:
        print_trouble(_stopped_words([]))
        return process.interrupted_code(KeyboardInterrupt())
    except errors.MissingPackageError as error:
        print_trouble(error_text(error))
        return 1
    except Exception as error:  # noqa: BLE001 - e.g. a command that cannot be imported
        with logs.kept_log(None, print_trouble, ["jointlimits", *given], {}) as log:
            print_trouble(_fault_words(error, log))
        return FAULT_EXIT_CODE
    return run_command(options, given)


def run_command(options: argparse.Namespace, arguments: Sequence[str]) -> int:
    """Run the subcommand of the parsed options and return its exit code.

    `arguments`: the raw arguments, for the log.
    """
    written: dict[str, None] = {}

    def hear(kind: str, path: str, _: str) -> None:
        if kind == "wrote":
            written[path] = None

    values = vars(options)
    options.budget = values.get("budget", input.DEFAULT_LIMITS)
    # A batch keeps its own log, in its results folder.
    path = None if "own_log" in options else options.log
    shown = {name: value for name, value in values.items() if name not in _NOT_OPTIONS}
    log_file = logs.kept_log(path, print_trouble, ["jointlimits", *arguments], shown)
    with progress.send_events(hear), log_file as log, _logged_warnings():
        code = _run_and_print(options, log, written)
        if log.path is not None:
            every = [v if isinstance(v, (list, tuple)) else [v] for v in values.values()]
            log.hear_arguments(text for texts in every for text in texts if text != options.log)
        log.end(f"exit code {code}")
    return code


def _run_and_print(options: argparse.Namespace, log: logs.RunLog, written: Collection[str]) -> int:
    """Run; print one JSON object or a CSV table instead of text, if requested."""
    if "collected" not in options or options.format == "text":
        return _run_and_report(options, log, written)
    with collect_output() as document:
        code = _run_and_report(options, log, written)
    try:
        if options.format == "json":
            text = document.text(options.command, code, list(written))
        else:
            text = document.table().rstrip("\n")
        if text:
            process.print_line(text, sys.stdout)
    except OSError as error:
        print_trouble(errors.system_words(error))
        return 1
    return code


def _run_and_report(options: argparse.Namespace, log: logs.RunLog, written: Collection[str]) -> int:
    """Run, and turn an exception into a message and an exit code."""
    # A window's event loop would swallow interrupts, so the window handles signals.
    signals = (
        contextlib.nullcontext() if "own_signals" in options else process.terminating_signals()
    )
    try:
        with process.resend_lost_interrupts(), signals:
            return int(options.run(options))
    except KeyboardInterrupt as stop:
        text, code = _stopped_words(written), process.interrupted_code(stop)
    except UsageError as error:
        text, code = error_text(error), 2
    except _KNOWN_ERRORS as error:
        text, code = error_text(error), 1
    except OSError as error:
        text, code = errors.system_words(error), 1
    except MemoryError:
        text, code = OUT_OF_MEMORY, 1
    except Exception as error:  # noqa: BLE001 - the traceback goes to the log, not the terminal
        text, code = _fault_words(error, log), FAULT_EXIT_CODE
    print_trouble(text)
    return code


def _stopped_words(written: Collection[str]) -> str:
    """Message for a run that was stopped."""
    if not written:
        return "stopped; nothing was written"
    names = names_words(list(written), noun="file")
    return f"stopped; files already written are complete: {names}"


def _fault_words(error: Exception, log: logs.RunLog) -> str:
    """Write the details to a log, and return a message that says where it is."""
    log.fault(error)
    if not log.is_written:
        with contextlib.suppress(OSError):
            import tempfile

            handle, name = tempfile.mkstemp(prefix="jointlimits-", suffix=".log")
            os.close(handle)
            log.keep_in(name)
    what = f"{type(error).__name__}: {error}".splitlines()[0]
    where = "no log could be written"
    if log.is_written:
        where = f"attach {log.path} to a bug report, with the input files if you can"
    return f"internal error, not a problem with your files ({what}); {where}"


@contextlib.contextmanager
def _logged_warnings() -> Iterator[None]:
    """Also log warnings from Python and numpy, which are still shown as usual."""
    shown = warnings.showwarning

    def show(message: Any, category: Any, filename: str, lineno: int, *more: Any) -> None:
        progress.report_message(
            f"{filename}:{lineno}: {category.__name__}: {message}", warning=True
        )
        shown(message, category, filename, lineno, *more)

    warnings.showwarning = show  # type: ignore[assignment]
    try:
        yield
    finally:
        warnings.showwarning = shown
