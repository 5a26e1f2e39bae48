"""Diagnostic log of an interactive session: rotated, in the form of the log of a run."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Mapping
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path

from ..base.text import printable
from .logs import TITLE, header_lines, time_words

MOST_BYTES = 1_000_000


def session_logger(name: str, path: Path, words: Mapping[str, str]) -> logging.Logger:
    """Logger that writes to a file and keeps the previous file beside it.

    `name`: name of the logger; an existing one, as after a reload, is set up again. `path`: log
    file; if it cannot be written, messages are dropped. `words`: additional header entries.
    """
    found = logging.getLogger(name)
    found.setLevel(logging.INFO)
    found.propagate = False
    close_logger(name)
    handler: logging.Handler = logging.NullHandler()
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        handler = _Headed(path, words)
        handler.set_name(name)
        handler.setFormatter(_Lines())
    found.addHandler(handler)
    return found


def close_logger(name: str) -> None:
    """Close the file of a logger."""
    found = logging.getLogger(name)
    for handler in [one for one in found.handlers if one.name == name]:
        handler.close()
        found.removeHandler(handler)


class _Headed(RotatingFileHandler):
    """File handler that writes the log header on every opening."""

    def __init__(self, path: Path, words: Mapping[str, str]) -> None:
        self._words = words
        super().__init__(path, maxBytes=MOST_BYTES, backupCount=1, encoding="utf-8", delay=True)

    def _open(self) -> TextIOWrapper:
        stream = super()._open()
        stream.write("".join(f"{line}\n" for line in header_lines(TITLE, self._words)))
        return stream

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's name
        """Drop what cannot be written, as on a full disk: standard error is not visible there."""


class _Lines(logging.Formatter):
    """Formatter for printable lines like those of other logs."""

    def format(self, record: logging.LogRecord) -> str:
        text = super().format(record)
        kind = {"ERROR": "fault", "WARNING": "warned"}.get(record.levelname, "said")
        start = f"{time_words()}  {kind:<7} "
        return "\n".join(start + printable(line) for line in text.splitlines() or [""])
