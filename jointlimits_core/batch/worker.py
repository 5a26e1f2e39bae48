"""Worker process: reads item numbers line by line and writes outcomes.

Estimators may print anything; protocol lines are recognized by a mark. The process ends when its
input does: at once if it is in the middle of a character, as its parent is gone then and nobody
waits for the result.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
import time
from dataclasses import asdict
from typing import TextIO

from ..progress import Progress
from .results_error import ResultsError
from .run import Batch, Estimate, Outcome

MARK = "@jointlimits-batch "
READY = MARK + "ready"
TOLD = MARK + "told "
STOPPED = MARK + "stopped "
TELL_SECONDS = 1.0
"""Interval between progress lines of a worker."""
ABANDONED = 3
"""Exit code of a worker whose parent is gone."""


def serve(batch: Batch, estimate: Estimate, numbers: TextIO, outcomes: TextIO) -> None:
    """Estimate items as they arrive, until input ends or results cannot be written."""
    items: queue.SimpleQueue[int | None] = queue.SimpleQueue()
    busy = threading.Event()
    threading.Thread(target=_listen, args=(numbers, items, busy), daemon=True).start()
    print(READY, file=outcomes, flush=True)
    for item in iter(items.get, None):
        try:
            outcome = batch.estimate(item, estimate, _reporter(outcomes))
        except ResultsError as error:
            print(STOPPED + json.dumps(str(error)), file=outcomes, flush=True)
            return
        busy.clear()
        print(line_from_outcome(outcome), file=outcomes, flush=True)


def _reporter(outcomes: TextIO) -> Progress:
    """Progress callable that writes to the parent, at most once per interval."""
    last = time.monotonic()

    def report(done: int, total: int, label: str) -> bool:
        nonlocal last
        now = time.monotonic()
        if now - last >= TELL_SECONDS:
            last = now
            print(TOLD + json.dumps([done, total, label]), file=outcomes, flush=True)
        return True

    return report


def _listen(numbers: TextIO, items: queue.SimpleQueue[int | None], busy: threading.Event) -> None:
    for line in numbers:
        busy.set()
        items.put(int(line))
    if busy.is_set():
        os._exit(ABANDONED)
    items.put(None)


def leave(code: int) -> None:
    """End this process without cleanup: every result is already on disk.

    Skipping cleanup saves time and avoids crashes at exit.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def line_from_outcome(outcome: Outcome) -> str:
    """Protocol line of an outcome."""
    return MARK + json.dumps(asdict(outcome))


def told_from_line(line: str) -> tuple[int, int, str] | None:
    """Progress of a worker (done, total, label) from its line; None for other lines."""
    _, mark, text = line.partition(TOLD)
    return tuple(json.loads(text)) if mark else None


def stopped_from_line(line: str) -> str | None:
    """Reason why a worker cannot finish any character, from its line; None for other lines."""
    _, mark, text = line.partition(STOPPED)
    return str(json.loads(text)) if mark else None


def outcome_from_line(line: str) -> Outcome | None:
    """Outcome from a worker's line; None for other lines."""
    _, mark, text = line.partition(MARK)
    return Outcome(**json.loads(text)) if mark else None
