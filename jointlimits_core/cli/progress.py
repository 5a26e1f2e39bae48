"""Progress display of a command."""

from __future__ import annotations

import argparse

from ..progress import Progress
from ..progress_line import ProgressLine


def progress_of(options: argparse.Namespace) -> ProgressLine:
    """Return the progress display that the arguments ask for, for a ``with`` block."""
    style = getattr(options, "progress", "auto")
    return ProgressLine(style=style, log=getattr(options, "run_log", None))


def labelled(progress: Progress, label: str) -> Progress:
    """Return progress whose label is always `label`."""

    def part(done: int, total: int, _: str) -> bool:
        return progress(done, total, label)

    return part
