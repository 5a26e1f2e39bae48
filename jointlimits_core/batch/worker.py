"""The process that estimates: item numbers come in line by line, outcomes go out.

What estimates may print what it likes; lines of ours are known by a mark. When no more numbers
come the process ends, at once if it is in the middle of a character: then whoever wanted the
result is gone, and nobody waits for it.
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
"""How often a worker says how far it is."""
ABANDONED = 3
"""Exit code of a worker whose master is gone."""


def serve(batch: Batch, estimate: Estimate, numbers: TextIO, outcomes: TextIO) -> None:
    """Estimate every item whose number comes, until no more come or results cannot be written."""
    items: queue.SimpleQueue[int | None] = queue.SimpleQueue()
    busy = threading.Event()
    threading.Thread(target=_listen, args=(numbers, items, busy), daemon=True).start()
    print(READY, file=outcomes, flush=True)
    for item in iter(items.get, None):
        try:
            outcome = batch.estimate(item, estimate, _teller(outcomes))
        except ResultsError as error:
            print(STOPPED + json.dumps(str(error)), file=outcomes, flush=True)
            return
        busy.clear()
        print(line_from_outcome(outcome), file=outcomes, flush=True)


def _teller(outcomes: TextIO) -> Progress:
    """Progress that goes to the master, now and then."""
    last = time.monotonic()

    def tell(done: int, total: int, label: str) -> bool:
        nonlocal last
        now = time.monotonic()
        if now - last >= TELL_SECONDS:
            last = now
            print(TOLD + json.dumps([done, total, label]), file=outcomes, flush=True)
        return True

    return tell


def _listen(numbers: TextIO, items: queue.SimpleQueue[int | None], busy: threading.Event) -> None:
    for line in numbers:
        busy.set()
        items.put(int(line))
    if busy.is_set():
        os._exit(ABANDONED)
    items.put(None)


def leave(code: int) -> None:
    """End this process without clearing up: every result is on the disk by now.

    What is not cleared up is gone a moment later, and costs neither time nor a crash.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def line_from_outcome(outcome: Outcome) -> str:
    """Say what came of a character, in one line."""
    return MARK + json.dumps(asdict(outcome))


def told_from_line(line: str) -> tuple[int, int, str] | None:
    """How far a worker is (done, total, label); None for a line that says something else."""
    _, mark, text = line.partition(TOLD)
    return tuple(json.loads(text)) if mark else None


def stopped_from_line(line: str) -> str | None:
    """Why a worker finishes no character; None for a line that says something else."""
    _, mark, text = line.partition(STOPPED)
    return str(json.loads(text)) if mark else None


def outcome_from_line(line: str) -> Outcome | None:
    """Outcome that a line tells of; None for a line of somebody else."""
    _, mark, text = line.partition(MARK)
    return Outcome(**json.loads(text)) if mark else None
