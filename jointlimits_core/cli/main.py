"""Parse the command line, run a subcommand, turn known errors into one line.

Exit codes: 0 fine, 1 some input failed or a check found something, 2 usage, 130 interrupted.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from .._version import __version__
from ..errors import EstimationError, InputError, MissingPackageError
from ..flag_words import with_flags
from . import (
    apply,
    check,
    diff,
    estimate,
    evaluate,
    fit,
    gui,
    ik,
    look_at,
    merge,
    project,
    show,
    skeleton,
)
from .usage import UsageError

COMMANDS = (
    *(estimate, skeleton, fit, project, apply, check, evaluate, ik, look_at, show, merge, diff),
    gui,
)


def parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command."""
    top = argparse.ArgumentParser(
        prog="jointlimits",
        description="Joint types and joint limits for Maya, read from motion you already have.",
    )
    top.add_argument("--version", action="version", version=f"jointlimits {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add_parser(commands)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Parameters
    ----------
    arguments : sequence of str, optional
        Of the process by default.

    Returns
    -------
    int
        The exit code.
    """
    try:
        options = parser().parse_args(arguments)
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 2
    try:
        code: int = options.run(options)
        return code
    except UsageError as error:
        print(f"jointlimits: {with_flags(str(error))}", file=sys.stderr)
        return 2
    except (InputError, EstimationError, MissingPackageError) as error:
        print(f"jointlimits: {with_flags(str(error))}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"jointlimits: {_os_words(error)}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("jointlimits: stopped; no output was left half-written", file=sys.stderr)
        return 130


def _os_words(error: OSError) -> str:
    where = f"{error.filename}: " if error.filename else ""
    if isinstance(error, (FileExistsError, NotADirectoryError)):
        return f"{where}is a file where a folder should be; name another folder"
    return f"{where}{error.strerror or error}"
