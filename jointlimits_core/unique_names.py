"""Unique names."""

from __future__ import annotations

from collections.abc import Callable, Iterable


class FreeNames:
    """Supplier of unused names: the wanted name, or the wanted name with a number.

    Parameters
    ----------
    taken : iterable of str
        Names already in use.
    pattern : str
        Format of a name with its number.
    first : int
        The lowest number.
    key : callable
        Names with equal keys count as the same.
    """

    def __init__(
        self,
        taken: Iterable[str] = (),
        pattern: str = "{}_{}",
        first: int = 2,
        key: Callable[[str], str] = str,
    ) -> None:
        self._pattern, self._first, self._key = pattern, first, key
        self._taken = {key(name) for name in taken}
        # Next number to try per name, so that thousands of equal names do not take quadratic time.
        self._next: dict[str, int] = {}

    def take(self, wanted: str) -> str:
        """Reserve a name.

        Returns
        -------
        str
            A name not in use before.
        """
        free, number = wanted, self._next.get(wanted, self._first)
        while self._key(free) in self._taken:
            free = self._pattern.format(wanted, number)
            number += 1
        self._next[wanted] = number
        self._taken.add(self._key(free))
        return free


def unique_names(names: Iterable[str], clean: Callable[[str], str]) -> list[str]:
    """Cleaned names, with numbers appended to duplicates.

    Parameters
    ----------
    clean : callable
        Makes a name safe; an empty result becomes "joint".

    Returns
    -------
    list of str
        One per input, all different.
    """
    free = FreeNames()
    return [free.take(clean(name) or "joint") for name in names]
