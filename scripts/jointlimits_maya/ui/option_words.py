"""What messages say of options and of the Script Editor, as an artist finds it in the window."""

from __future__ import annotations

import re

from jointlimits_core.option_table import option_table

from .words import option_label, tr

_OPTION = re.compile(r"\b(?P<use>use )?the option (?P<name>\w+)")
_EDITOR = re.compile(r"\bThe Script Editor (?:lists all|says more)\b")


def in_window(text: str) -> str:
    """Say the same with what there is to click in place of the names of options.

    Parameters
    ----------
    text : str
        Options are named in it as "the option replace".
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
