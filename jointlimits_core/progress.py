"""How long work tells what it is doing, and how it is asked to stop."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int, int, str], bool]
"""Called with (done, total, label); returning False asks to stop."""


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
