"""The log of a program that stays open: failures of a window or in Maya, of several sessions."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path

from .about_program import header_lines, time_words
from .run_log import TITLE
from .wording import printable

MOST_BYTES = 1_000_000


def session_logger(name: str, path: Path, words: Mapping[str, str]) -> logging.Logger:
    """Logger that writes into a file; the file before it is kept beside it.

    Parameters
    ----------
    name : str
        Of the logger; one that was set up before, as before a reload, is set up anew.
    path : Path
        Where the file cannot be written the details are lost, and that is all.
    words : mapping
        What the first lines of a session say beside what every log says.
    """
    found = logging.getLogger(name)
    found.setLevel(logging.INFO)
    found.propagate = False
    close_logger(name)
    found.addHandler(_handler(name, path, words))
    return found


def close_logger(name: str) -> None:
    """Close the file of a logger."""
    found = logging.getLogger(name)
    for handler in [one for one in found.handlers if one.name == name]:
        handler.close()
        found.removeHandler(handler)


def _handler(name: str, path: Path, words: Mapping[str, str]) -> logging.Handler:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handler: logging.Handler = _Headed(path, words)
    except OSError:
        return logging.NullHandler()
    handler.set_name(name)
    handler.setFormatter(_Lines())
    return handler


class _Headed(RotatingFileHandler):
    """A file that says with every opening which program writes on."""

    def __init__(self, path: Path, words: Mapping[str, str]) -> None:
        self._words = words
        super().__init__(path, maxBytes=MOST_BYTES, backupCount=1, encoding="utf-8", delay=True)

    def _open(self) -> TextIOWrapper:
        stream = super()._open()
        stream.write("".join(f"{line}\n" for line in header_lines(TITLE, self._words)))
        return stream

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's name
        """Lose what cannot be written, as on a full disk: nobody reads standard error there."""


class _Lines(logging.Formatter):
    """Lines as other logs have them, in which nothing acts on a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        said = super().format(record)
        kind = {"ERROR": "fault", "WARNING": "warned"}.get(record.levelname, "said")
        start = f"{time_words()}  {kind:<7} "
        return "\n".join(start + printable(line) for line in said.splitlines() or [""])
