"""Log with the details of failures, for support."""

from __future__ import annotations

import logging
from functools import lru_cache
from pathlib import Path

from jointlimits_core.session_log import session_logger

from . import host

_NAME = "jointlimits_maya"


def log_path() -> Path:
    """Path of the log; the previous log is next to it."""
    return host.user_folder() / "jointlimits.log"


@lru_cache(maxsize=1)
def logger() -> logging.Logger:
    """Return the logger; if the file cannot be written, the details are dropped silently."""
    return session_logger(_NAME, log_path(), {"maya": host.version()})
