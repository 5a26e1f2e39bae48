"""Flags of the commands, made from the option table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import maya.api.OpenMaya as om

from jointlimits_core.option_table import Option, option_table, options_of

HELP = ("-h", "-help")
CHOICE = "scene"
"""Group of the flags that select joints; they keep their values in a query."""
_KINDS = {
    "switch": om.MSyntax.kBoolean,
    "number": om.MSyntax.kDouble,
    "integer": om.MSyntax.kLong,
    "string": om.MSyntax.kString,
    "words": om.MSyntax.kString,
    "samples": om.MSyntax.kString,
}


def flags_of(groups: Sequence[str]) -> tuple[Option, ...]:
    """Options of some groups that have a command flag."""
    return tuple(item for item in options_of(*groups) if item.maya)


def syntax_of(groups: Sequence[str], *, can_query: bool) -> om.MSyntax:
    """Syntax of a command with these option groups; its objects are names, or else the selection.

    Names are plain strings, not nodes, so that a missing node gets our own error message.
    """
    syntax = om.MSyntax()
    syntax.setObjectType(om.MSyntax.kStringObjects)
    syntax.addFlag(*HELP)  # live check: no-arg-flag-from-python
    for item in flags_of(groups):
        short, long = item.maya
        syntax.addFlag(f"-{short}", f"-{long}", _KINDS[item.type])
        if can_query and item.group == CHOICE:
            # live check: query-with-full-args
            syntax.makeFlagQueryWithFullArgs(f"-{short}", False)
    syntax.enableQuery = can_query
    return syntax


def given_options(parsed: om.MArgParser, groups: Sequence[str]) -> dict[str, Any]:
    """Values of the given flags, by option name."""
    return {
        item.name: _value(parsed, item)
        for item in flags_of(groups)
        if parsed.isFlagSet(f"-{item.maya[0]}")
    }


def _value(parsed: om.MArgParser, item: Option) -> Any:
    flag = f"-{item.maya[0]}"
    if item.type == "switch":
        return parsed.flagArgumentBool(flag, 0)
    if item.type == "number":
        return parsed.flagArgumentDouble(flag, 0)
    if item.type == "integer":
        return parsed.flagArgumentInt(flag, 0)
    return item.from_text(parsed.flagArgumentString(flag, 0))


def help_of_flags(groups: Sequence[str]) -> str:
    """Describe the flags, one per line."""
    rows = [(f"-{item.maya[0]}/-{item.maya[1]}", _described(item)) for item in flags_of(groups)]
    width = max(len(flag) for flag, _ in rows)
    return "\n".join(f"  {flag:{width}}  {text}" for flag, text in rows)


def _described(item: Option) -> str:
    default = ",".join(item.default) if isinstance(item.default, tuple) else item.default
    if item.type == "switch":
        default = str(default).lower()
    return item.help if default in (None, "") else f"{item.help} [{default}]"


_OPTION = re.compile(r"\boption (?P<spoken>\w+)|^(?P<named>\w+)(?= must be )")


def in_flags(text: str) -> str:
    """Replace option names in a message by the flags of the commands.

    Parameters
    ----------
    text : str
        Options are named in it as "the option may_move", or as "pad_deg must be ...".
    """

    def flag_of(found: re.Match[str]) -> str:
        item = option_table().get(found["spoken"] or found["named"])
        if item is None or not item.maya:
            return found[0]
        return f"flag {item.maya[1]}" if found["spoken"] else item.maya[1]

    return _OPTION.sub(flag_of, text)
