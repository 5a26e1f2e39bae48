"""Progress reporting and cancellation of long work."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int, int, str], bool]
"""Called with (done, total, label); returning False asks to stop."""


PARTS = 1_000_000
"""Total for progress in shares; byte counts may exceed what a progress bar can count."""


class Cancelled(Exception):  # noqa: N818 - requested, not an error
    """Work stopped by its progress callable; nothing was written."""


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
    """Progress callable for a part of some work, reported as a share of the whole.

    Parameters
    ----------
    progress : callable or None
        Progress of the whole, in :data:`PARTS`.
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
