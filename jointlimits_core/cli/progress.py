"""Progress of a command, as its arguments ask for it."""

from __future__ import annotations

import argparse

from ..progress import Progress
from ..progress_line import ProgressLine


def progress_of(options: argparse.Namespace) -> ProgressLine:
    """Progress as the arguments ask for it, to be used in a ``with`` block."""
    style = getattr(options, "progress", "auto")
    return ProgressLine(style=style, log=getattr(options, "run_log", None))


def labelled(progress: Progress, label: str) -> Progress:
    """Progress of work that does not know what it is done to."""

    def part(done: int, total: int, _: str) -> bool:
        return progress(done, total, label)

    return part
