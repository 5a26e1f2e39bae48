"""Rewording of core messages for the window: labels and buttons instead of option names."""

from __future__ import annotations

import re

from jointlimits_core.option_table import option_table

from .words import option_label, tr

_OPTION = re.compile(r"\b(?P<use>use )?the option (?P<name>\w+)")
_EDITOR = re.compile(r"\bThe Script Editor (?:lists all|says more)\b")


def in_window(text: str) -> str:
    """Replace names of options by what to click.

    Parameters
    ----------
    text : str
        Message that names options as "the option replace".
    """
    return _EDITOR.sub(tr("Details lists all"), _OPTION.sub(_clicked, text))


def _clicked(found: re.Match[str]) -> str:
    name = found["name"]
    if name not in option_table():
        return found[0]
    if name == "may_move":
        return tr("press Apply and choose Apply all") if found["use"] else tr("Apply all")
    label = f"\N{LEFT DOUBLE QUOTATION MARK}{option_label(name)}\N{RIGHT DOUBLE QUOTATION MARK}"
    if found["use"]:
        return tr("tick {label} in Options", label=label)
    return tr("{label} in Options", label=label)
