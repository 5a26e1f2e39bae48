"""Parser of a command line: help in two parts, and errors of one line that name what was meant."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

from .text import meant

ADVANCED = "advanced"
"""Heading of the options that the first part of the help leaves out."""

_WORDS = (
    ("^the following arguments are required:", "missing"),
    ("expected (one|at least one) argument$", "needs a value"),
    ("^argument ([^ ]+): (must|needs)", r"\1 \2"),
    ("^argument ", ""),
)
"""Words of argparse, and ours."""


class HelpFormatter(argparse.HelpFormatter):
    """Help with the default of every option that has one."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28)

    def _get_help_string(self, action: argparse.Action) -> str:
        words = action.help or ""
        shown = action.option_strings and isinstance(action.default, (str, int, float, tuple))
        plain = isinstance(action.default, bool) or action.default == argparse.SUPPRESS
        if not shown or plain or "default" in words:
            return words
        text = ",".join(action.default) if isinstance(action.default, tuple) else action.default
        return f"{words} (default {text:g})" if isinstance(text, float) else _with(words, str(text))


def _with(words: str, default: str) -> str:
    """Help with a default; the percent sign is argparse's own."""
    return f"{words} (default {default.replace('%', '%%')})" if default else words


class CommandParser(argparse.ArgumentParser):
    """Parser whose errors are one line.

    `basic`: names of the options in the first part of the help; the others stand under
    :data:`ADVANCED`. All, if empty.
    """

    def __init__(self, **given: Any) -> None:
        super().__init__(**{"formatter_class": HelpFormatter, "allow_abbrev": False, **given})
        self.basic: Sequence[str] = ()

    def parse_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> argparse.Namespace:
        """Parse all arguments; one that is not known ends the program with a suggestion."""
        found, unknown = self.parse_known_args(args, namespace)
        if unknown:
            chosen = self._chosen(found)
            chosen.error(chosen._unknown(unknown[0]))
        return found

    def _chosen(self, found: argparse.Namespace) -> CommandParser:
        """The parser of the subcommand, or this one."""
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction):
                parsers: dict[str, CommandParser] = action.choices
                return parsers[getattr(found, action.dest)]
        return self

    def _unknown(self, text: str) -> str:
        flag, _, _ = text.partition("=")
        if not flag.startswith("-"):
            return f"unexpected argument {text!r}"
        return f"no option {flag}{meant(flag, self._option_string_actions)}"

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Suggest the choice that was meant."""
        choices = action.choices
        if choices is None or value in choices:
            return
        near = meant(str(value), choices)
        if isinstance(action, argparse._SubParsersAction):
            raise argparse.ArgumentError(None, f"no command {value!r}{near}")
        words = f"must be one of {', '.join(map(str, choices))}, not {value!r}{near}"
        raise argparse.ArgumentError(action, words)

    def error(self, message: str) -> NoReturn:
        """Print one line and exit with code 2."""
        text = message
        for its, ours in _WORDS:
            text = re.sub(its, ours, text)
        where = "" if text.endswith("?") else f"; see {self.prog} --help"
        self.exit(2, f"jointlimits: {text}{where}\n")

    def format_usage(self) -> str:
        """Usage on one line, without the options."""
        shown = [item for item in self._actions if not item.option_strings or item.required]
        formatter = self._get_formatter()
        formatter.add_usage(None, shown, self._mutually_exclusive_groups, prefix="")
        words = formatter.format_help().strip().removeprefix(self.prog).strip()
        return f"usage: {self.prog} [options] {words}\n"

    def format_help(self) -> str:
        """Help: usage, description, arguments, the basic options, all others."""
        formatter = self._get_formatter()
        formatter.add_text(self.format_usage())
        formatter.add_text(self.description)
        for title, words, actions in self._parts():
            formatter.start_section(title)
            formatter.add_text(words)
            formatter.add_arguments(actions)
            formatter.end_section()
        formatter.add_text(self.epilog)
        return formatter.format_help()

    def _parts(self) -> Iterable[tuple[str | None, str | None, list[argparse.Action]]]:
        for group in self._action_groups:
            actions = group._group_actions
            if group is not self._optionals or not self.basic:
                yield group.title, group.description, actions
                continue
            basic = [one for one in actions if one.dest in (*self.basic, "help")]
            yield group.title, group.description, basic
            yield ADVANCED, None, [one for one in actions if one not in basic]
