"""Progress in Maya's main progress bar; Esc stops the work, which then changes nothing."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Iterator

from maya import cmds

from jointlimits_core.progress import Progress
from jointlimits_core.time_left import TimeLeft, with_left

from . import host

PAUSE = 0.1
"""Seconds between two looks at the bar, and for Esc."""


@contextlib.contextmanager
def scene_progress(title: str) -> Iterator[Progress | None]:
    """Show the main progress bar while the block runs; without a window there is none.

    Parameters
    ----------
    title : str
        Shown until the work tells what it does.

    Yields
    ------
    callable or None
        Progress of the core; it asks to stop once Esc was pressed.
    """
    if not host.is_interactive():
        yield None
        return
    bar = host.mel_global("gMainProgressBar")
    cmds.progressBar(
        bar, edit=True, beginProgress=True, isInterruptable=True, status=title, maxValue=100
    )
    try:
        yield _teller(bar)
    finally:
        cmds.progressBar(bar, edit=True, endProgress=True)


def _teller(bar: str) -> Progress:
    shown, told, said, left = 0, -math.inf, "", TimeLeft()

    def tell(done: int, total: int, label: str) -> bool:
        nonlocal shown, told, said
        left.tell(done, total)
        # Asking Maya takes longer than reading a frame does.
        now = time.monotonic()
        if now - told < PAUSE and label == said:
            return True
        told, said = now, label
        percent = 100 * done // max(total, 1)
        # A step of zero still lets Maya look for Esc.
        cmds.progressBar(
            bar, edit=True, step=max(percent - shown, 0), status=with_left(label, left)
        )
        shown = max(percent, shown)
        return not cmds.progressBar(bar, query=True, isCancelled=True)

    return tell
