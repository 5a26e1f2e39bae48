"""Names that stand for one thing each."""

from __future__ import annotations

from collections.abc import Callable, Iterable


class FreeNames:
    """Gives names that nothing has yet: those that are wanted, or these with a number.

    Parameters
    ----------
    taken : iterable of str
        Names that are given already.
    pattern : str
        How a name and its number are put together.
    first : int
        The lowest number.
    key : callable
        Two names are alike if this makes them equal.
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
        # Where the search goes on: thousands of things of one name must not take its square.
        self._next: dict[str, int] = {}

    def take(self, wanted: str) -> str:
        """Give a name away.
        Returns
        -------
        str
            Not given before.
        """
        free, number = wanted, self._next.get(wanted, self._first)
        while self._key(free) in self._taken:
            free = self._pattern.format(wanted, number)
            number += 1
        self._next[wanted] = number
        self._taken.add(self._key(free))
        return free


def unique_names(names: Iterable[str], clean: Callable[[str], str]) -> list[str]:
    """Clean names, with a number behind those that are taken already.

    Parameters
    ----------
    clean : callable
        Makes a name safe; what it leaves empty is called "joint".

    Returns
    -------
    list of str
        As many, no two alike.
    """
    free = FreeNames()
    return [free.take(clean(name) or "joint") for name in names]
