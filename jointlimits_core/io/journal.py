"""Events of a run: files read and written, messages shown, stages begun.

They are records of one logger of the standard library, which keeps none of them. So a log, or the
message about what an interrupted command left, need not know what each command does.
"""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Iterator

EVENTS = logging.getLogger("jointlimits.events")
"""Logger of the events. Records have a `kind` ("read", "wrote", "said", "warned" or "stage") and,
for a file that was read, its `sha256`; the message is the path or the text."""
EVENTS.setLevel(logging.INFO)
EVENTS.propagate = False
EVENTS.addHandler(logging.NullHandler())


@contextlib.contextmanager
def listening(handler: logging.Handler) -> Iterator[None]:
    """Send all events to `handler` while the block runs."""
    EVENTS.addHandler(handler)
    try:
        yield
    finally:
        EVENTS.removeHandler(handler)


def was_read(path: str | os.PathLike[str], sha256: str) -> None:
    """Report that a file was read completely."""
    _report("read", os.fspath(path), sha256)


def was_written(path: str | os.PathLike[str]) -> None:
    """Report that a file was written completely."""
    _report("wrote", os.fspath(path))


def report_message(text: str, *, warning: bool = False) -> None:
    """Report a message that was shown to the user."""
    _report("warned" if warning else "said", text)


def report_stage(label: str) -> None:
    """Report that a stage of the work begins or continues."""
    _report("stage", label)


def _report(kind: str, text: str, sha256: str = "") -> None:
    EVENTS.info(text, extra={"kind": kind, "sha256": sha256})


def event_parts(record: logging.LogRecord) -> tuple[str, str, str]:
    """Kind, text and SHA-256 of an event."""
    parts = vars(record)
    return parts["kind"], record.getMessage(), parts["sha256"]
