"""Parse the command line and run a subcommand.

A subcommand is a module of this package with the constants HELP (one line) and ORDER (its place in
the help), each on a line of its own, and the functions ``add_arguments(parser)`` and
``run(options)``. It is found by these constants, and only the requested one is imported.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections.abc import Container, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path

from ..base import options_of
from ..base.version import __version__
from .arguments import add_declared
from .run import parsed, run_command

_CONSTANT = re.compile(r"^(HELP|ORDER) = (.+)$", re.MULTILINE)


@cache
def subcommands() -> dict[str, str]:
    """Name and one-line help of every subcommand, in the order of the help."""
    found = []
    for path in Path(__file__).parent.glob("*.py"):
        constants = dict(_CONSTANT.findall(path.read_text(encoding="utf-8")))
        if len(constants) == 2:
            order, words = (ast.literal_eval(constants[name]) for name in ("ORDER", "HELP"))
            found.append((order, path.stem.replace("_", "-"), words))
    return {name: words for _, name, words in sorted(found)}


def parser(complete: Container[str] | None = None) -> argparse.ArgumentParser:
    """Return the parser of the whole command.

    Parameters
    ----------
    complete : container of str, optional
        Subcommands whose arguments are added, which imports them; all if left out.
    """
    top = argparse.ArgumentParser(
        prog="jointlimits",
        description="Joint types and joint limits for Maya, measured from motion you already have.",
    )
    top.add_argument("--version", action="version", version=f"jointlimits {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, words in subcommands().items():
        sub = commands.add_parser(name, help=words)
        if complete is None or name in complete:
            _add_arguments(sub, name)
    return top


def _add_arguments(sub: argparse.ArgumentParser, name: str) -> None:
    module = import_module(f".{name.replace('-', '_')}", __package__)
    module.add_arguments(sub)
    sub.set_defaults(run=module.run)
    if not sub.get_default("own_log"):
        group = sub.add_argument_group("every command")
        add_declared(group, *(item.name for item in options_of("run")))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with these arguments, by default the process's, and return the exit code.

    The codes are listed in :mod:`.run`.
    """
    given = sys.argv[1:] if arguments is None else list(arguments)
    options = parsed(lambda: parser(given[:1]).parse_args(given))
    return options if isinstance(options, int) else run_command(options, given)
