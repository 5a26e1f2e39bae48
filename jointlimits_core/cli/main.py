"""Parse the command line and run a subcommand."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

from ..base import options_of
from ..base.version import __version__
from .arguments import add_declared
from .run import parsed, run_command

COMMANDS = (
    *("estimate", "skeleton", "fit", "project", "apply", "check", "evaluate", "ik", "look-at"),
    *("show", "merge", "diff", "import-limits", "export", "manifest", "batch", "gui"),
)
"""Subcommands, one module each."""


def parser(commands: Sequence[str] = COMMANDS) -> argparse.ArgumentParser:
    """Return the parser of the whole command, or of some of its subcommands."""
    top = argparse.ArgumentParser(
        prog="jointlimits",
        description="Joint types and joint limits for Maya, measured from motion you already have.",
    )
    top.add_argument("--version", action="version", version=f"jointlimits {__version__}")
    subparsers = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for command in commands:
        module = import_module(f".{command.replace('-', '_')}", __package__)
        module.add_parser(subparsers)
        sub = subparsers.choices[command]
        if not sub.get_default("own_log"):
            group = sub.add_argument_group("every command")
            add_declared(group, *(item.name for item in options_of("run")))
    return top


def _parser_for(arguments: Sequence[str]) -> argparse.ArgumentParser:
    """Parser of the requested subcommand only, so the other modules are not imported."""
    named = [word for word in arguments[:1] if word in COMMANDS]
    return parser(named or COMMANDS)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Parameters
    ----------
    arguments : sequence of str, optional
        Defaults to the process's arguments.

    Returns
    -------
    int
        Exit code; see :mod:`.running`.
    """
    given = sys.argv[1:] if arguments is None else list(arguments)
    options = parsed(lambda: _parser_for(given).parse_args(given))
    return options if isinstance(options, int) else run_command(options, given)
