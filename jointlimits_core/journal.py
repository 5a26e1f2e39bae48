"""What a run reads, writes and says, told to whoever keeps a record of it.

Nothing is kept here. Readers and writers tell of a file once they have all of it, so that a log, or
the sentence about what an interrupted command left, need not know what each command does.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class FileSeen:
    """A file that was read or written.

    Parameters
    ----------
    what : str
        "read" or "wrote".
    path : str
        As it was given.
    sha256 : str
        Of its bytes, in hexadecimal; empty if nobody has hashed them.
    """

    what: str
    path: str
    sha256: str = ""


class Listener(Protocol):
    """Who keeps a record."""

    def saw(self, seen: FileSeen) -> None:
        """Hear of a file."""

    def event(self, kind: str, text: str) -> None:
        """Hear what was said; `kind` is "said" or "warned"."""


_listeners: list[Listener] = []


@contextlib.contextmanager
def heard_by(listener: Listener) -> Iterator[None]:
    """Tell `listener` of everything while the block runs."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


def was_read(path: str | os.PathLike[str], sha256: str) -> None:
    """Tell that a file was read to its end."""
    _saw(FileSeen("read", os.fspath(path), sha256))


def was_written(path: str | os.PathLike[str]) -> None:
    """Tell that a file is there, whole."""
    _saw(FileSeen("wrote", os.fspath(path)))


def was_said(text: str, *, warning: bool = False) -> None:
    """Tell what people were told."""
    for listener in list(_listeners):
        listener.event("warned" if warning else "said", text)


def _saw(seen: FileSeen) -> None:
    for listener in list(_listeners):
        listener.saw(seen)
