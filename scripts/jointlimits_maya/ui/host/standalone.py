"""Host of the standalone window: files, its own playhead, and a progress dialog."""

from __future__ import annotations

import contextlib
import logging
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from jointlimits_core.base.progress import Progress, TimeLeft, with_time_left
from jointlimits_core.io.logs import log_path, session_logger
from jointlimits_core.motion.motion import Motion

from ..document.host import FRAME, Scene, Watcher
from ..toolkit.qt import Qt, QtCore, QtWidgets

MIN_TASK_MILLISECONDS = 1000
"""Delay before the dialog appears."""
MIN_UPDATE_SECONDS = 0.05
"""Minimum time between two updates of the dialog."""
PROGRESS_COUNT = 1000
"""Steps of the bar; the total may be in bytes, and too large for Qt's bars."""


@contextlib.contextmanager
def progress_dialog(title: str) -> Iterator[Progress]:
    """Show a dialog while the block runs, if it takes a while.

    Yields a progress callable for the core; it returns False once Cancel was pressed.
    """
    dialog = QtWidgets.QProgressDialog(
        *(title, "Cancel", 0, PROGRESS_COUNT),
        windowTitle=title,
        minimumDuration=MIN_TASK_MILLISECONDS,
        minimumWidth=420,
        autoClose=False,
        autoReset=False,
    )
    dialog.setWindowModality(Qt.WindowModality.ApplicationModal)
    left, looked = TimeLeft(), 0.0

    def progress(done: int, total: int, label: str) -> bool:
        nonlocal looked
        left.update(done, total)
        now = time.monotonic()
        if now - looked >= MIN_UPDATE_SECONDS:
            looked = now
            dialog.setLabelText(with_time_left(label, left))
            # Once the dialog is visible, this lets Qt process clicks on Cancel.
            dialog.setValue(PROGRESS_COUNT * done // max(total, 1))
        return not dialog.wasCanceled()

    try:
        yield progress
    finally:
        dialog.close()
        dialog.deleteLater()


class StandaloneHost:
    """Host for files only. `folder`: for settings and log, by default the user's configuration."""

    title = "Joint Limits"
    scene: Scene | None = None

    def __init__(self, folder: str | os.PathLike[str] | None = None) -> None:
        if folder is None:
            kind = QtCore.QStandardPaths.StandardLocation.GenericConfigLocation
            found = QtCore.QStandardPaths.writableLocation(kind)
            folder = Path(found or tempfile.gettempdir()) / "jointLimits"
        self.folder = Path(folder)
        self._clips: dict[str, Motion] = {}
        self._clip, self._frame = "", 0.0
        self._watchers: list[Watcher] = []

    def show_clips(self, clips: Sequence[Motion]) -> None:
        """Set the clips that the playhead can visit; it stays put if its clip is still open."""
        self._clips = {clip.name: clip for clip in clips}
        if self._clip not in self._clips:
            self._clip = next(iter(self._clips), "")
            self._frame = float(clips[0].frames[0]) if clips else 0.0

    def current_frame(self) -> float | None:
        """Frame of the playhead; None without clips."""
        return self._frame if self._clip else None

    def go_to_frame(self, clip: str, frame: float) -> bool:
        """Move the playhead to the nearest frame of a clip."""
        if clip not in self._clips:
            return False
        frames = self._clips[clip].frames
        self._clip, self._frame = clip, float(frames[np.abs(frames - frame).argmin()])
        for watcher in list(self._watchers):
            watcher(FRAME)
        return True

    def current_pose(self) -> Motion | None:
        """Pose at the playhead."""
        clip = self._clips.get(self._clip)
        if clip is None:
            return None
        return clip.keep_frames(np.flatnonzero(clip.frames == self._frame)[:1])

    def watch(self, watcher: Watcher) -> Callable[[], None]:
        """Have the watcher called when the playhead moves; return a function that ends this."""
        self._watchers.append(watcher)
        return lambda: self._watchers.remove(watcher)

    wait_for = staticmethod(progress_dialog)

    def logger(self) -> logging.Logger:
        """Logger that writes to the log in the folder."""
        return session_logger("window", log_path(self.folder), {})
