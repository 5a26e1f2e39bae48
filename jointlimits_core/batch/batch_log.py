"""Log of one batch run, in the results folder unless another path is given."""

from __future__ import annotations

import contextlib
import json
import os
import platform
import shlex
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..file_names import file_name
from ..journal import FileSeen
from ..json_file import json_text
from ..run_log import RunLog, kept_log
from .results import LOGS
from .run import Batch, Outcome

Complain = Callable[[str], None]

_NOT_LOGGED = ("log", "run", "run_log", "own_log", "own_signals", "command", "worker")


def log_path(folder: str | os.PathLike[str]) -> Path:
    """Path of the log of a run that starts now; every run has its own name."""
    stamp = time.strftime("%Y%m%d-%H%M%S")
    host = file_name(platform.node().partition(".")[0] or "host")[:40]
    return Path(folder) / LOGS / f"run-{stamp}-{host}-{os.getpid()}.log"


@contextlib.contextmanager
def batch_log(
    name: str, batch: Batch, options: Mapping[str, Any], complain: Complain
) -> Iterator[RunLog]:
    """Write a log for the duration of the block.

    Parameters
    ----------
    name : str
        Name of the command, as users know it.
    options : mapping
        Parsed options; "log" is the path of the log, if given.
    complain : callable
        Called with a message if the log cannot be written.
    """
    path = options.get("log") or log_path(batch.results.folder)
    shown = {key: value for key, value in options.items() if key not in _NOT_LOGGED}
    words = {
        "command": shlex.join([name, *sys.argv[1:]]),
        "options": ", ".join(f"{key}={value!r}" for key, value in shown.items()),
    }
    with kept_log(path, complain, words) as log:
        log.saw(FileSeen("given", options["manifest"]))
        yield log


def tell_result(log: RunLog, batch: Batch, outcome: Outcome) -> None:
    """Log a character's result with the hashes of the files read and written."""
    path = batch.results.folder / outcome.result
    try:
        document = json.loads(json_text(path, InputError, "it is not a result file any more"))
        log.event(
            "result", f"{outcome.item} {outcome.name}: {outcome.result}, {document['status']}"
        )
        for one in (*document["inputs"], *document["read"]):
            log.event("read", f"{one['path']}, sha256 {one['sha256']}")
        for one in document["files"]:
            log.event("wrote", f"{one['name']}, sha256 {one['sha256'] or 'not taken'}")
    except (OSError, ValueError, KeyError, TypeError) as error:
        log.event("result", f"{outcome.item} {outcome.name}: {outcome.result}: {error}")
