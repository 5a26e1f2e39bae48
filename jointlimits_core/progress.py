"""How long work tells what it is doing, and how it is asked to stop."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int, int, str], bool]
"""Called with (done, total, label); returning False asks to stop."""


PARTS = 1_000_000
"""What work is that is told in shares: bytes may be more than a bar of the window can count."""


class Cancelled(Exception):  # noqa: N818 - not an error: somebody asked for it
    """Work that was stopped because its progress callable said so; nothing was written."""


def tell(progress: Progress | None, done: int, total: int, label: str) -> None:
    """Report progress.

    Raises
    ------
    Cancelled
        If the callable returned False.
    """
    if progress is not None and progress(done, total, label) is False:
        raise Cancelled(f"stopped after {done} of {total}: {label}")


def share(progress: Progress | None, begin: float, end: float) -> Progress | None:
    """Progress of a part of some work, told as a share of all of it.

    Parameters
    ----------
    progress : callable or None
        Told of the whole: how many of :data:`PARTS`.
    begin, end : float
        Shares of the whole, from 0 to 1, at which the part begins and ends.
    """
    if progress is None:
        return None
    whole = progress

    def part(done: int, total: int, label: str) -> bool:
        now = begin + (end - begin) * min(done / max(total, 1), 1.0)
        return whole(int(PARTS * now), PARTS, label)

    return part
