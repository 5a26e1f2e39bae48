"""Standalone window: `jointlimits gui`."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence

from .host.standalone import StandaloneHost
from .toolkit import qt
from .window import Window

REST_MS = 2000
"""Time between two garbage collections."""


def run(
    limits: str | None, motions: Sequence[str], skeleton: str | None, controls: bool = False
) -> int:
    """Show the window until it is closed; returns the exit code.

    `limits`: path of a limit set. `motions`: paths of clips, which are estimated if no limits are
    given, or of tracks of loose bodies, in which a skeleton is found first. `skeleton`: path of the
    ASF skeleton of AMC files. `controls`: read the controls of Maya scenes, not their joints.
    """
    application = qt.QtWidgets.QApplication.instance() or qt.QtWidgets.QApplication(sys.argv[:1])
    window = open_window(limits, motions, skeleton, controls=controls)
    window.asks_before_closing = True
    collect_at_rest(window)
    return int(qt.run(application))


def collect_at_rest(window: Window) -> None:
    """Collect Python's garbage between clicks instead of during them.

    Only for a process whose only task is the window.
    """

    def collect() -> None:
        is_playing = window.parts.character.playback.is_playing
        if (
            qt.QtWidgets.QApplication.mouseButtons() == qt.Qt.MouseButton.NoButton
            and not is_playing
        ):
            gc.collect()

    gc.collect()
    gc.freeze()  # objects from startup need not be examined again
    gc.disable()
    timer = qt.QtCore.QTimer(window)
    timer.timeout.connect(collect)
    timer.start(REST_MS)


def open_window(
    limits: str | None,
    motions: Sequence[str],
    skeleton: str | None,
    host: StandaloneHost | None = None,
    controls: bool = False,
) -> Window:
    """Window with the files open, shown before they are read; it reports unreadable files."""
    window = Window(host or StandaloneHost())
    window.resize(1320, 860)
    window.document.read_controls = controls
    window.show()
    qt.QtWidgets.QApplication.processEvents()

    def open_files() -> None:
        window.open_paths(limits, motions, skeleton)
        if limits is not None:
            window.document.undo_stack.clear()  # opening the first files is not an undo step

    window.guard(open_files)()
    return window
