"""Options of a manifest entry: its own, then the manifest's, then the defaults."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..option_table import checked_options, option_table
from .manifest import Character


def options_of_entry(character: Character, groups: Iterable[str]) -> dict[str, Any]:
    """Value of every option in some groups for an entry.

    Parameters
    ----------
    character : Character
        Its options already include the manifest's.
    groups : iterable of str
        Group names in the option table.

    Returns
    -------
    dict of name to value

    Raises
    ------
    ValueError
        For an unknown option or an invalid value.
    """
    known = option_table()
    given = {
        name: tuple(value) if name in known and known[name].type == "words" else value
        for name, value in character.options.items()
    }
    return checked_options(given, groups)
