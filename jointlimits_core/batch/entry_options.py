"""Options of a manifest's entry: its own, else the manifest's, else the defaults."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..option_table import checked_options, option_table
from .manifest import Character


def options_of_entry(character: Character, groups: Iterable[str]) -> dict[str, Any]:
    """Value of every option of some groups for an entry.

    Parameters
    ----------
    character : Character
        Its options have the manifest's in them already.
    groups : iterable of str
        Of the option table.

    Returns
    -------
    dict of name to value

    Raises
    ------
    ValueError
        For an option that there is not, or a value that it may not have.
    """
    known = option_table()
    given = {
        name: tuple(value) if name in known and known[name].type == "words" else value
        for name, value in character.options.items()
    }
    return checked_options(given, groups)
