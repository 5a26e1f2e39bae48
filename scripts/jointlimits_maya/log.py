"""The log: details of failures, for whoever is asked to help; never for the artist."""

from __future__ import annotations

import logging
from functools import lru_cache
from logging.handlers import RotatingFileHandler
from pathlib import Path

from . import host

MOST_BYTES = 1_000_000
_NAME = "jointlimits_maya"


def log_path() -> Path:
    """Path of the log; the one before it stands beside it."""
    return host.user_folder() / "jointlimits.log"


@lru_cache(maxsize=1)
def logger() -> logging.Logger:
    """Return the logger; where the file cannot be written the details are lost, and that is all."""
    found = logging.getLogger(_NAME)
    found.setLevel(logging.INFO)
    found.propagate = False
    # After a reload there is one of before.
    for handler in [one for one in found.handlers if one.name == _NAME]:
        handler.close()
        found.removeHandler(handler)
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
    handler.set_name(_NAME)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    return handler
