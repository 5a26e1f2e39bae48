"""The log: details of failures, for whoever is asked to help; never for the artist."""

from __future__ import annotations

import logging
from logging.handlers import RotatingFileHandler
from pathlib import Path

from . import host

MOST_BYTES = 1_000_000
_NAME = "jointlimits_maya"


def log_path() -> Path:
    """Path of the log; the one before it stands beside it."""
    return host.user_folder() / "jointlimits.log"


def logger() -> logging.Logger:
    """Return the logger; where the file cannot be written the details are lost, and that is all."""
    found = logging.getLogger(_NAME)
    if not found.handlers:
        found.setLevel(logging.INFO)
        found.propagate = False
        found.addHandler(_handler())
    return found


def _handler() -> logging.Handler:
    path = log_path()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handler: logging.Handler = RotatingFileHandler(
            path, maxBytes=MOST_BYTES, backupCount=1, encoding="utf-8", delay=True
        )
    except OSError:
        return logging.NullHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    return handler
