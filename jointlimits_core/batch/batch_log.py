"""The log of one run of a batch, in the folder of its results unless it is told another place."""

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

_NOT_SAID = ("log", "run", "run_log", "own_log", "own_signals", "command", "worker")


def log_path(folder: str | os.PathLike[str]) -> Path:
    """Where the log of a run goes that begins now: each has a name of its own."""
    stamp = time.strftime("%Y%m%d-%H%M%S")
    host = file_name(platform.node().partition(".")[0] or "host")[:40]
    return Path(folder) / LOGS / f"run-{stamp}-{host}-{os.getpid()}.log"


@contextlib.contextmanager
def batch_log(
    name: str, batch: Batch, options: Mapping[str, Any], complain: Complain
) -> Iterator[RunLog]:
    """Keep a log while the block runs.

    Parameters
    ----------
    name : str
        What people call the command.
    options : mapping
        As parsed; "log" is where the log shall be, if it is there.
    complain : callable
        Told if the log cannot be written.
    """
    path = options.get("log") or log_path(batch.results.folder)
    said = {key: value for key, value in options.items() if key not in _NOT_SAID}
    words = {
        "command": shlex.join([name, *sys.argv[1:]]),
        "options": ", ".join(f"{key}={value!r}" for key, value in said.items()),
    }
    with kept_log(path, complain, words) as log:
        log.saw(FileSeen("given", options["manifest"]))
        yield log


def tell_result(log: RunLog, batch: Batch, outcome: Outcome) -> None:
    """Write what a character's result says: hashes of what was read and of what was made."""
    path = batch.results.folder / outcome.result
    try:
        document = json.loads(json_text(path, InputError, "it is a result no longer"))
        log.event(
            "result", f"{outcome.item} {outcome.name}: {outcome.result}, {document['status']}"
        )
        for one in (*document["inputs"], *document["read"]):
            log.event("read", f"{one['path']}, sha256 {one['sha256']}")
        for one in document["files"]:
            log.event("wrote", f"{one['name']}, sha256 {one['sha256'] or 'not taken'}")
    except (OSError, ValueError, KeyError, TypeError) as error:
        log.event("result", f"{outcome.item} {outcome.name}: {outcome.result}: {error}")
