"""Parse the command line, run a subcommand, turn known errors into one line.

Exit codes: 0 fine, 1 some input failed or a check found something, 2 usage, 130 interrupted.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

from .._version import __version__
from ..errors import EstimationError, ExportError, InputError, MissingPackageError
from ..flag_words import with_flags
from ..wording import printable
from .usage import UsageError

COMMANDS = (
    *("estimate", "skeleton", "fit", "project", "apply", "check", "evaluate", "ik", "look-at"),
    *("show", "merge", "diff", "import-limits", "export", "manifest", "batch", "gui"),
)
"""Subcommands, each a module of this package."""


def parser(commands: Sequence[str] = COMMANDS) -> argparse.ArgumentParser:
    """Return the parser of the whole command, or of some subcommands."""
    top = argparse.ArgumentParser(
        prog="jointlimits",
        description="Joint types and joint limits for Maya, read from motion you already have.",
    )
    top.add_argument("--version", action="version", version=f"jointlimits {__version__}")
    subparsers = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for command in commands:
        module = import_module(f".{command.replace('-', '_')}", __package__)
        module.add_parser(subparsers)
    return top


def _parser_for(arguments: Sequence[str]) -> argparse.ArgumentParser:
    """Parser of the subcommand that is asked for: the modules of the others stay unread."""
    named = [word for word in arguments[:1] if word in COMMANDS]
    return parser(named or COMMANDS)


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
        given = sys.argv[1:] if arguments is None else list(arguments)
        options = _parser_for(given).parse_args(given)
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 2
    try:
        code: int = options.run(options)
        return code
    except UsageError as error:
        _say(with_flags(str(error)))
        return 2
    except (InputError, EstimationError, ExportError, MissingPackageError) as error:
        _say(with_flags(str(error)))
        return 1
    except OSError as error:
        _say(_os_words(error))
        return 1
    except KeyboardInterrupt:
        print("jointlimits: stopped; no output was left half-written", file=sys.stderr)
        return 130


def _os_words(error: OSError) -> str:
    where = f"{error.filename}: " if error.filename else ""
    if isinstance(error, (FileExistsError, NotADirectoryError)):
        return f"{where}is a file where a folder should be; name another folder"
    return f"{where}{error.strerror or error}"


def _say(text: str) -> None:
    """Say what was wrong; names of files and joints in it do nothing to the terminal."""
    lines = "\n".join(printable(line) for line in text.split("\n"))
    print(f"jointlimits: {lines}", file=sys.stderr)
