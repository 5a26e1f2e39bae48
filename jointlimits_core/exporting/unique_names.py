"""Names that are safe to write and stand for one thing each."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..wording import printable


def unique_names(names: Iterable[str], clean: Callable[[str], str] = printable) -> list[str]:
    """Clean names, with a number behind those that are taken already.

    Parameters
    ----------
    names : iterable of str
    clean : callable
        Makes a name safe; what it leaves empty is called "joint".

    Returns
    -------
    list of str
        As many, no two alike.
    """
    taken: set[str] = set()
    result = []
    for name in names:
        plain = clean(name) or "joint"
        unique, number = plain, 1
        while unique in taken:
            number += 1
            unique = f"{plain}_{number}"
        taken.add(unique)
        result.append(unique)
    return result
