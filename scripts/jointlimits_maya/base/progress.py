"""Progress in Maya's main progress bar; Esc cancels without changing anything."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Iterator

from maya import cmds

from jointlimits_core.base import Progress, TimeLeft, with_left

from . import host

PAUSE = 0.1
"""Seconds between updates of the bar and checks for Esc."""


@contextlib.contextmanager
def scene_progress(title: str) -> Iterator[Progress | None]:
    """Show the main progress bar while the block runs, if Maya has a window.

    `title`: shown until the first progress label. Yields progress callback of the core, which
    cancels once Esc is pressed.
    """
    if not host.is_interactive():
        yield None
        return
    bar = host.mel_global("gMainProgressBar")
    cmds.progressBar(
        bar, edit=True, beginProgress=True, isInterruptable=True, status=title, maxValue=100
    )
    try:
        yield _progress_on(bar)
    finally:
        cmds.progressBar(bar, edit=True, endProgress=True)


def _progress_on(bar: str) -> Progress:
    shown, updated, last_label, left = 0, -math.inf, "", TimeLeft()

    def update(done: int, total: int, label: str) -> bool:
        nonlocal shown, updated, last_label
        left.tell(done, total)
        # Asking Maya takes longer than reading a frame.
        now = time.monotonic()
        if now - updated < PAUSE and label == last_label:
            return True
        updated, last_label = now, label
        percent = 100 * done // max(total, 1)
        # A step of zero still lets Maya check for Esc.
        cmds.progressBar(
            bar, edit=True, step=max(percent - shown, 0), status=with_left(label, left)
        )
        shown = max(percent, shown)
        return not cmds.progressBar(bar, query=True, isCancelled=True)

    return update
