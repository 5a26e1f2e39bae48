"""What the window has begun is taken back where it fails, and the failure goes on its way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager


@contextmanager
def taking_back(undo: Callable[[], object]) -> Iterator[None]:
    """Have something done if what is inside does not come to its end; else nothing.

    Parameters
    ----------
    undo : callable
        Called whatever it was that failed; that is then raised to whoever tells of it.
    """
    with ExitStack() as left:
        left.callback(undo)
        yield
        left.pop_all()
