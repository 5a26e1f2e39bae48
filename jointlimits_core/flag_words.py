"""What messages say of options, as the command line has them."""

from __future__ import annotations

import re

from .option_table import option_table

_OPTION = re.compile(r"\bthe option (\w+)|^(\w+)(?= must )")


def with_flags(text: str, *groups: str) -> str:
    """Say the same with flags in place of the names of options.

    Parameters
    ----------
    text : str
        Options are named in it as "the option free_beyond_mm", or it begins as "free_beyond_mm
        must be"; those without a flag stay so.
    *groups : str
        Of options whose flags the command has; all if left out.

    Returns
    -------
    str
        "--free-beyond" for that one.
    """

    def flag(found: re.Match[str]) -> str:
        item = option_table().get(found[1] or found[2])
        if item is None or not item.flag or (groups and item.group not in groups):
            return found[0]
        return item.flag

    return _OPTION.sub(flag, text)
