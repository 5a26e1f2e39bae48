"""When work will end, foreseen from how much of it is done and how long that took."""

from __future__ import annotations

import time
from collections.abc import Callable

from .wording import plural

QUIET_SECONDS = 5.0
"""Before that nobody needs to know when it ends, nor can it be foreseen."""
SHORTEST = 10.0
"""Work that takes no longer than this in all is not worth a word."""


class TimeLeft:
    """How long work will go on at its pace so far.

    Parameters
    ----------
    clock : callable
        Gives seconds.

    Notes
    -----
    Work has parts, each with a total of its own: reading, then fitting. Nobody knows how long the
    parts will take that have not begun, so what is foreseen is the end of the one that goes on.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._total = 0
        self.begin(0)

    def begin(self, done: int) -> None:
        """Begin to measure here; `done` was done before, and took no time that counts."""
        self._began = self._told = self._clock()
        self._first = self._done = done

    def tell(self, done: int, total: int) -> None:
        """Take in that so much is done; another total, or less than before, is another part."""
        if total != self._total or done < self._done:
            self._total = total
            self.begin(done)
        elif done > self._done:
            self._done, self._told = done, self._clock()

    def seconds(self) -> float | None:
        """Seconds until the end; None as long as that cannot be said, or need not be."""
        now = self._clock()
        finished, left = self._done - self._first, self._total - self._done
        if now - self._began < QUIET_SECONDS or finished <= 0 or left <= 0:
            return None
        whole = (self._told - self._began) / finished
        seconds = whole * left - (now - self._told)
        if now - self._began + seconds <= SHORTEST or seconds <= 0.0:
            return None
        return seconds

    def words(self) -> str:
        """Say it: "about 40 s left"; empty as long as there is nothing to say."""
        seconds = self.seconds()
        return "" if seconds is None else f"about {duration(seconds)} left"


def with_left(label: str, left: TimeLeft) -> str:
    """What is done and for how long yet: "reading walk.bvh, about 40 s left"."""
    words = left.words()
    return f"{label}, {words}" if words else label


def duration(seconds: float) -> str:
    """A length of time, as rounded as people say it: "40 s", "3 minutes", "2.5 h"."""
    if seconds < 90.0:
        return f"{max(seconds, 1.0):.0f} s"
    minutes = round(seconds / 60.0)
    return plural(minutes, "minute") if minutes < 90 else f"{minutes / 60:.1f} h"
