"""Option table, declared in ``options.json``, and the command-line parser.

Used by the estimator, the command line, the Maya commands and the batch. Needs only the standard
library, so that Maya can register the commands without numpy.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import sys
from collections.abc import Container, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from . import errors, records, removed
from .text import foreign_path_advice, number_advice, suggestion, terminal_columns

GROUPS = (
    *("estimate", "scene", "time", "evaluation", "rest pose", "result", "limits", "merge"),
    *("write", "clamping", "carry over", "mirror", "answer", "switch"),
    *("check", "with shapes", "coupled", "project", "live", "bodies", "chain", "tracks"),
    *("batch", "batch entry"),
    *("manifest", "export", "reading", "run", "output"),
)
TYPES = ("switch", "number", "integer", "size", "string", "words", "names", "samples")


class Option(NamedTuple):
    """One option."""

    name: str
    """Name in Python and in files."""
    group: str
    """Group of the option, one of :data:`GROUPS`."""
    type: str
    """One of :data:`TYPES`. "words" is a tuple of str, written with commas in text; "samples" is
    "all" or a whole number; "size" is in bytes, and may be written with a suffix K, M, G or T
    (1024, 1024², ...)."""
    default: Any
    help: str
    """One-line description."""
    unit: str = ""
    """Unit of a number: "degrees", "frames", "millimetres" or empty."""
    choices: tuple[str, ...] = ()
    """Allowed values; empty if any value is allowed."""
    minimum: float | None = None
    maximum: float | None = None
    below: float | None = None
    """Allowed range of a number; `below` is exclusive."""
    flag: str = ""
    metavar: str = ""
    """Flag on the command line; empty if there is none. If a switch is on by default, its flag
    turns it off. Without a metavar, the help shows the choices."""
    maya: tuple[str, ...] = ()
    """Short and long flag in Maya; empty if there are none. If `each`, two more for per-joint
    values, as a Maya flag takes either a number or text."""
    former: tuple[str, ...] = ()
    """Former name, command-line flag, and short and long Maya flag, all of which still work."""
    label: str = ""
    """Label in the window."""
    common: tuple[str, ...] = ()
    """Most common values of a free-text option."""
    words: tuple[str, ...] = ()
    """Labels of the choices, or of the common values, in the window."""
    each: bool = False
    """Whether the flag also takes per-joint values, such as "5,l*=20", kept as text; see
    :mod:`jointlimits_core.evaluation.by_limit`."""

    def check(self, value: Any) -> Any:
        """Return `value` if it is valid for this option.

        Raises OptionError, which states the accepted values and the given one.
        """
        if (value is None and self.default is None) or (self.each and isinstance(value, str)):
            return value  # per-joint values are checked once the joints are known
        if not self._fits(value):
            near = suggestion(value, self.choices) if isinstance(value, str) else ""
            raise errors.OptionError(self.name, f"must be {self.accepts()}, not {value!r}{near}")
        return value

    def from_text(self, text: str) -> Any:
        """Parse a value written on a command line; not for switches.

        Raises ValueError if the text is not a valid value.
        """
        if self.type == "names":
            return (text,) if text.strip() else ()
        if self.type == "words":
            return tuple(word.strip() for word in text.split(",") if word.strip())
        if self.type == "samples":
            return int(text) if text.isdigit() else text
        if self.type == "size":
            written = r"(\d+(?:\.\d+)?) ?([KMGT]?)(?:i?B)?"
            found = re.fullmatch(written, text.strip(), re.IGNORECASE | re.ASCII)
            if found is None:
                raise ValueError(f"not a size: {text!r}")
            return int(float(found[1]) * 1024 ** " KMGT".index(found[2].upper() or " "))
        return {"number": float, "integer": int}.get(self.type, str)(text)

    def from_flag(self, text: str) -> Any:
        """Parse and check the value of a flag; raises the errors that argparse expects."""
        if self.each and "=" in text:
            comma = re.search(r"=([+-]?\d+,\d+)$", text)
            if comma:
                words = f"must be {self.accepts()}, not {comma[1]!r}"
                raise argparse.ArgumentTypeError(words)
            return text  # checked once the joints are known
        try:
            value = self.check(self.from_text(text))
            return text if self.each else value
        except ValueError:
            words = f"must be {self.accepts()}, not {text!r}{suggestion(text, self.choices)}"
            raise argparse.ArgumentTypeError(words) from None

    def accepts(self) -> str:
        """Description of the accepted values."""
        if self.choices:
            return f"one of {', '.join(self.choices)}"
        if self.type in ("switch", "string", "words", "names"):
            return {"switch": "true or false", "string": "text"}.get(self.type, "words")
        if self.type == "size":
            return "a size such as 500M or 4G"
        noun = "a whole number" if self.type == "integer" else "a number"
        words = f"'all' or {noun}" if self.type == "samples" else noun
        if self.minimum is not None:
            words += f" from {self.minimum:g}"
        most = self.maximum if self.below is None else self.below
        if most is not None:
            words += f" to {most:.7g}" if self.below is None else f" to less than {most:.7g}"
        return words + (f" {self.unit}" if self.unit else "")

    def _fits(self, value: Any) -> bool:
        if self.type == "switch":
            return isinstance(value, bool)
        if self.type in ("words", "names"):
            return isinstance(value, tuple) and all(isinstance(word, str) for word in value)
        if self.type == "string" or value == "all":
            known = isinstance(value, str) and (not self.choices or value in self.choices)
            return known and self.type in ("string", "samples")
        whole = self.type in ("integer", "samples", "size")
        if isinstance(value, bool) or not isinstance(value, int if whole else (int, float)):
            return False
        return (
            math.isfinite(value)
            and (self.minimum is None or value >= self.minimum)
            and (self.maximum is None or value <= self.maximum)
            and (self.below is None or value < self.below)
        )


@lru_cache(maxsize=1)
def option_table() -> dict[str, Option]:
    """All options by name, in display order."""
    path = Path(__file__).with_name("options.json")
    declared = json.loads(path.read_text(encoding="utf-8"))["options"]
    return {entry["name"]: Option(**records.with_tuples(entry)) for entry in declared}


def option(name: str) -> Option:
    """Option with that name; KeyError if there is none."""
    return option_table()[name]


def default_field(name: str) -> Any:
    """Dataclass field whose default is that of an option."""
    from dataclasses import field  # slow to import, and not needed for a command line

    return field(default=option(name).default)


def options_of(*groups: str) -> tuple[Option, ...]:
    """Options of the given groups, in the order of the table."""
    return tuple(item for item in option_table().values() if item.group in groups)


def with_current_names(given: Mapping[str, Any]) -> dict[str, Any]:
    """Values under the current option names; ValueError if an option has two values."""
    names = {item.former[0]: item.name for item in option_table().values() if item.former}
    both = next((name for name in given if names.get(name) in given), None)
    if both is not None:
        raise ValueError(f"{both} is the same as the option {names[both]}; give one of them")
    return {names.get(name, name): value for name, value in given.items()}


def checked_options(given: dict[str, Any], groups: Iterable[str]) -> dict[str, Any]:
    """Values of all options in the given groups: the checked values, or else the defaults.

    `given`: values by name; removed options are accepted at their former default. Raises ValueError
    for a name outside the groups, or an invalid value.
    """
    given = with_current_names(given)
    for name, default in removed.FORMER_DEFAULTS.items():
        if name in given and given[name] == default:
            del given[name]
    known = {item.name: item for item in options_of(*groups)}
    unknown = sorted(set(given) - set(known))
    if unknown:
        words = suggestion(unknown[0], known) or f"; available: {', '.join(known)}"
        raise ValueError(f"no option {unknown[0]!r}{words}")
    return {name: item.check(given.get(name, item.default)) for name, item in known.items()}


def flag_naming(*groups: str) -> errors.OptionNaming:
    """Function from an option's name to its flag, for options in the given groups (default all)."""

    def flag(name: str) -> str:
        item = option_table().get(name)
        return item.flag if item and (not groups or item.group in groups) else ""

    return flag


def add_flags(
    parser: argparse._ActionsContainer, options: Iterable[Option], required: Container[str] = ()
) -> None:
    """Add options to a parser or an argument group; each name is also the option's `dest`.

    Invalid values end the program during parsing. `required`: names of the options that must be
    given.
    """
    for item in options:
        if item.type == "switch":
            turns = "store_false" if item.default else "store_true"
            words = f"do not {item.help}" if item.default else item.help
            parser.add_argument(item.flag, dest=item.name, action=turns, help=words)
            continue
        action = parser.add_argument(
            item.flag,
            *item.former[1:2],
            dest=item.name,
            action=_Added
            if item.each or item.type in ("words", "names") or item.name in LISTED
            else "store",
            type=item.from_flag,
            default=item.default,
            required=item.name in required,
            metavar=item.metavar or (f"{{{','.join(item.choices)}}}" if item.choices else None),
            help=item.help,
        )
        action.option_strings = [item.flag]  # the help does not show former flags


LISTED = ("joints", "items", "ignore")
"""Text options whose value is a comma-separated list."""


class _Added(argparse.Action):
    """Action that appends the values of a repeated flag."""

    def __call__(
        self, parser: argparse.ArgumentParser, given: Any, value: Any, flag: str | None = None
    ) -> None:
        before = getattr(given, self.dest)
        if before is not self.default:
            value = f"{before},{value}" if isinstance(value, str) else (*before, *value)
        setattr(given, self.dest, value)


ADVANCED = "advanced"
"""Heading of the second part of the help, below the basic options."""

_WORDS = (
    ("^the following arguments are required:", "missing"),
    ("expected (one|at least one) argument$", "needs a value"),
    ("^(argument [^ ]+: )invalid (?:float|int) value: ", r"\1must be a number, not "),
    ("^argument ([^ ]+): (must|needs)", r"\1 \2"),
    ("^argument ", ""),
    ("^([^ ]+): ignored explicit argument .*", r"\1 takes no value"),
)
"""Patterns in argparse's messages, and our replacements for them."""
_OTHER_NAMES = {
    **{f"--{form}": f"--format {form}" for form in ("json", "csv", "junit")},
    "--fps": "--frame-rate",
    "--frames": "--exclude",
    "--verbose": "--log FILE",
}
"""Flags that other programs use, and the nearest of ours."""


MAX_WORDS = 6
"""Maximum number of words in a path without quotes that is still recognized as a path."""


class HelpFormatter(argparse.HelpFormatter):
    """Formatter of help that shows the default of every option that has one."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28, width=terminal_columns() - 2)

    def _get_help_string(self, action: argparse.Action) -> str:
        words, default = action.help or "", action.default
        if "default" in words or action.required or not action.option_strings:
            return words
        if default == argparse.SUPPRESS or isinstance(action.const, str):
            return words
        if action.nargs == 0:
            text = "off"
        elif isinstance(default, float):
            text = f"{default:g}"
        else:
            text = ",".join(default or ()) if not isinstance(default, (str, int)) else str(default)
        # argparse gives the percent sign a special meaning.
        return f"{words} (default {text.replace('%', '%%') or 'none'})".lstrip()


def _reject_unquoted(given: Sequence[str]) -> None:
    """Raise ArgumentError if adjacent arguments are the words of one path."""
    for start in range(len(given)):
        for end in range(start + 2, min(start + MAX_WORDS, len(given)) + 1):
            path = " ".join(given[start:end])
            if os.path.exists(path):
                raise argparse.ArgumentError(None, f"put quotes around {path!r}: it has spaces")


class CommandParser(argparse.ArgumentParser):
    """Parser that reports each error on one line.

    `basic`: names of the options in the first part of the help; other options come under
    :data:`ADVANCED`. If empty, the help has only one part.
    """

    def __init__(self, **given: Any) -> None:
        super().__init__(**{"formatter_class": HelpFormatter, "allow_abbrev": False, **given})
        self.basic: Sequence[str] = ()

    def parse_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> argparse.Namespace:
        """Parse all arguments; an unknown argument ends the program with a suggestion."""
        given = list(sys.argv[1:] if args is None else args)
        for text in given:
            # Chat and text programs put dashes in place of hyphens.
            if dashed := re.match("-?[\u2010-\u2015\u2212][-\u2010-\u2015\u2212]?([a-z].*)", text):
                self.error(f"{text!r} begins with a dash; write two hyphens: --{dashed[1]}")
        found, unknown = self.parse_known_args(given, namespace)
        chosen = self  # or the parser of the subcommand
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction):
                parsers: dict[str, CommandParser] = action.choices
                chosen = parsers.get(getattr(found, action.dest), self)
        if unknown:
            flag, known = unknown[0].partition("=")[0], chosen._option_string_actions
            own = f"{chosen.prog.rpartition(' ')[2]} {flag}"
            long = [one for one in known if len(flag) == 2 and one.startswith(f"-{flag.lower()}")]
            other = _OTHER_NAMES.get(flag, "")
            long += [other] if other.partition(" ")[0] in known else []
            shown = [one for one, action in known.items() if one in action.option_strings]
            near = f"; did you mean {min(long, key=len)}?" if long else suggestion(flag, shown)
            near = f"; {removed.REMOVED[own]}" if own in removed.REMOVED else near
            if re.fullmatch(r"-[\d.]+", flag):
                near = "; a negative number needs = before it"
            words = f"no option {flag}{near}"
            if not flag.startswith("-"):
                before = known.get([*given, flag][[*given, flag].index(unknown[0]) - 1])
                value = f"; {before.option_strings[0]} takes no value" if before else ""
                places = chosen._positionals._group_actions
                takes = " ".join(str(one.metavar or one.dest) for one in places)
                own = f"; it takes {takes}: quote values with spaces or *" if takes else ""
                words = f"unexpected argument {unknown[0]!r}{value or own}"
            chosen.error(words)
        for name in ("out", "log", "losses", "write_baseline"):
            path = getattr(found, name, None)
            if isinstance(path, str) and (advice := foreign_path_advice(path)):
                flag = f"--{name}".replace("_", "-")
                chosen.error(f"{flag} {path}: {advice}")
        if getattr(found, "command", "") is None:
            chosen.error("missing COMMAND")
        return found

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        choices = action.choices
        if choices is None or value in choices:
            return
        near = suggestion(str(value), choices)
        if isinstance(action, argparse._SubParsersAction):
            if f"--{value}" in self._option_string_actions:
                near = f"; did you mean --{value}?"
            elif not near and os.path.exists(value):
                near = f"; put a command before the file: jointlimits estimate {value}"
            raise argparse.ArgumentError(None, f"no command {value!r}{near}")
        words = f"must be one of {', '.join(map(str, choices))}, not {value!r}{near}"
        raise argparse.ArgumentError(action, words)

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        """Values of an argument; a path must not be empty."""
        is_path = re.search(r"FILE|DIR|INPUT|MOTION|NEW|PEOPLE|\.\w", str(action.metavar))
        if is_path and not all(map(str.strip, arg_strings)):
            name = [str(action.metavar), *action.option_strings][-1]
            raise argparse.ArgumentError(None, f"{name} is empty: give a path")
        if is_path and not all(map(os.path.exists, arg_strings)):
            _reject_unquoted(arg_strings)
        return super()._get_values(action, arg_strings)

    def error(self, message: str) -> NoReturn:
        """Print one line and exit with code 2."""
        needs_value = r"argument (?:\S+/)?(\S+): expected (?:at least )?one argument"
        found, text = re.fullmatch(needs_value, message), message
        action = self._option_string_actions.get(found[1]) if found else None
        if found and action and action.metavar:
            text = f"{found[1]} needs a value: {action.metavar}"
        for its, ours in _WORDS:
            text = re.sub(its, ours, text)
        number = re.search(r"must be .*\bnumber\b.*, not '(.*)'$", text)
        text += number_advice(number[1]) if number else ""
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
        """Help: usage, description, arguments, basic options, other options."""
        formatter = self._get_formatter()
        formatter.add_text(self.format_usage())
        formatter.add_text(self.description)
        for group in self._action_groups:
            actions = group._group_actions
            is_split = group is self._optionals and self.basic
            basic = [one for one in actions if one.dest in (*self.basic, "help") or not is_split]
            sections = [(group.title, group.description, basic)]
            if is_split:
                rest = [one for one in actions if one not in basic]
                sections.append((ADVANCED, None, rest))
            for title, words, some in sections:
                formatter.start_section(title)
                formatter.add_text(words)
                formatter.add_arguments(some)
                formatter.end_section()
        formatter.add_text(self.epilog)
        return formatter.format_help()
