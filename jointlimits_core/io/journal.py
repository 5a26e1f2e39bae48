"""Events of a run (files read and written, messages printed), passed to listeners.

Nothing is stored here. Readers and writers report a file once it is complete, so a log, or the
message about what an interrupted command left, need not know what each command does.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class FileEvent:
    """A file that was read or written.

    Parameters
    ----------
    what : str
        "read" or "wrote".
    path : str
        As given.
    sha256 : str
        Hexadecimal hash of its bytes; empty if not computed.
    """

    what: str
    path: str
    sha256: str = ""


class Listener(Protocol):
    """Receiver of events."""

    def file_event(self, seen: FileEvent) -> None:
        """Receive a file event."""

    def event(self, kind: str, text: str) -> None:
        """Receive a message; `kind` is "said" or "warned"."""


_listeners: list[Listener] = []


@contextlib.contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Send all events to `listener` while the block runs."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


def was_read(path: str | os.PathLike[str], sha256: str) -> None:
    """Report that a file was read completely."""
    _report_file(FileEvent("read", os.fspath(path), sha256))


def was_written(path: str | os.PathLike[str]) -> None:
    """Report that a file was written completely."""
    _report_file(FileEvent("wrote", os.fspath(path)))


def report_message(text: str, *, warning: bool = False) -> None:
    """Report a message that was shown to the user."""
    for listener in list(_listeners):
        listener.event("warned" if warning else "said", text)


def _report_file(seen: FileEvent) -> None:
    for listener in list(_listeners):
        listener.file_event(seen)
