"""What messages say of options, as the command line has them."""

from __future__ import annotations

import re

from .option_table import option_table

_OPTION = re.compile(r"\bthe option (\w+)|^(\w+)(?= must )")


def with_flags(text: str) -> str:
    """Say the same with flags in place of the names of options.

    Parameters
    ----------
    text : str
        Options are named in it as "the option free_beyond_mm", or it begins as "free_beyond_mm
        must be"; those without a flag stay so.

    Returns
    -------
    str
        "--free-beyond" for that one.
    """
    return _OPTION.sub(_flag, text)


def _flag(found: re.Match[str]) -> str:
    item = option_table().get(found[1] or found[2])
    return item.flag if item is not None and item.flag else found[0]
