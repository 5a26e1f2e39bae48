"""The window as a program of its own: `jointlimits gui`."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from .alone import Alone
from .from_tracks import has_tracks
from .qt import QtWidgets
from .qt import run as run_until_end
from .window import Window
from .words import tr


def run(limits: str | None, motions: Sequence[str], skeleton: str | None) -> int:
    """Show the window until it is closed.

    Parameters
    ----------
    limits : str, optional
        Path of a limit set.
    motions : sequence of str
        Paths of clips; without limits they are estimated. Or of tracks of loose bodies, of which
        the skeleton is found and estimated.
    skeleton : str, optional
        Path of the skeleton of AMC files.

    Returns
    -------
    int
        Exit code.
    """
    application = QtWidgets.QApplication.instance() or QtWidgets.QApplication(sys.argv[:1])
    window = opened(limits, motions, skeleton)
    window.asks_before_closing = True
    window.show()
    return int(run_until_end(application))


def opened(
    limits: str | None, motions: Sequence[str], skeleton: str | None, host: Alone | None = None
) -> Window:
    """Make the window with files open; what cannot be read is said in it."""
    window = Window(host or Alone())
    window.resize(1320, 860)

    tracks = [path for path in motions if has_tracks(path)]

    def open_files() -> None:
        if tracks:
            others = [path for path in (limits, *motions) if path and path not in tracks]
            _open_tracks(window, tracks, others)
            return
        if limits is not None:
            window.document.open_limits(limits)
        if motions:
            window.files.add(list(motions), skeleton)
        if motions and limits is None:
            window.scene.estimate()
        else:
            window.document.undo_stack.clear()  # nothing was done yet that could be taken back

    window.guarded(open_files)()
    return window


def _open_tracks(window: Window, tracks: Sequence[str], others: Sequence[str]) -> None:
    """Find the skeleton of some tracks, which nothing else can be opened with."""
    if others:
        raise ValueError(tr("Tracks make a skeleton of their own: open {tracks} without {others}",
                            tracks=", ".join(tracks), others=", ".join(others)))  # fmt: skip
    window.skeletons.find(tracks)
