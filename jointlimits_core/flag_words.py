"""Option names in messages, replaced by command-line flags."""

from __future__ import annotations

import re

from .option_table import option_table

_OPTION = re.compile(r"\bthe option (\w+)|^(\w+)(?= must )")


def with_flags(text: str, *groups: str) -> str:
    """Replace option names in a message with their flags.

    Parameters
    ----------
    text : str
        Names options as "the option free_beyond_mm", or begins with "free_beyond_mm must be".
        Options without a flag are left as they are.
    *groups : str
        Option groups whose flags the command has; all by default.

    Returns
    -------
    str
        The message with "--free-beyond" in place of that option.
    """

    def flag(found: re.Match[str]) -> str:
        item = option_table().get(found[1] or found[2])
        if item is None or not item.flag or (groups and item.group not in groups):
            return found[0]
        return item.flag

    return _OPTION.sub(flag, text)
