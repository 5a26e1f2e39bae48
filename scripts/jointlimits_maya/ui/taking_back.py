"""Rollback of a failed action."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager


@contextmanager
def taking_back(undo: Callable[[], object]) -> Iterator[None]:
    """Call `undo` if the block raises, then raise the error again."""
    with ExitStack() as left:
        left.callback(undo)
        yield
        left.pop_all()
