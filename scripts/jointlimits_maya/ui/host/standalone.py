"""Host of the standalone window: files in, files out, and its own playhead.

Progress dialog with a cancel button, for work that blocks the window.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
import time
from collections.abc import (
    Callable,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import numpy as np

from jointlimits_core.base import Progress, TimeLeft, with_left
from jointlimits_core.io import close_logger, session_logger
from jointlimits_core.limits import LimitSet
from jointlimits_core.motion import Motion

from ..document import FRAME, Character, Said, Trace, Watcher
from ..toolkit import Qt, QtCore, QtGui, QtWidgets

QUIET_MILLISECONDS = 1000
"""Delay before the dialog appears."""
PAUSE = 0.05
"""Seconds between two updates of the dialog."""
STEPS = 1000
"""Steps of the bar; the total may be bytes, more than Qt's bars can hold."""


@contextlib.contextmanager
def waiting(title: str) -> Iterator[Progress]:
    """Show a dialog while the block runs, if it takes a while.

    Parameters
    ----------
    title : str
        Description of the work.

    Yields
    ------
    callable
        Progress callable for the core; it asks to stop once the button was pressed.
    """
    dialog = QtWidgets.QProgressDialog(title, "Cancel", 0, STEPS)
    dialog.setWindowTitle(title)
    dialog.setWindowModality(Qt.WindowModality.ApplicationModal)
    dialog.setMinimumDuration(QUIET_MILLISECONDS)
    dialog.setAutoClose(False)
    dialog.setAutoReset(False)
    dialog.setMinimumWidth(420)
    left, looked = TimeLeft(), 0.0

    def progress(done: int, total: int, label: str) -> bool:
        nonlocal looked
        left.tell(done, total)
        now = time.monotonic()
        if now - looked >= PAUSE:
            looked = now
            dialog.setLabelText(with_left(label, left))
            # Once the dialog is visible, this lets Qt process the button.
            dialog.setValue(STEPS * done // max(total, 1))
        return not dialog.wasCanceled()

    try:
        yield progress
    finally:
        dialog.close()
        dialog.deleteLater()


_LOGGER = "jointlimits_window"


class Alone:
    """A host that works with files only.

    Parameters
    ----------
    folder : path-like, optional
        Folder of the log; the user's configuration folder by default.
    """

    title = "Joint Limits"
    can: frozenset[str] = frozenset()

    def __init__(self, folder: str | os.PathLike[str] | None = None) -> None:
        self.folder = Path(folder) if folder is not None else _own_folder()
        self._clips: dict[str, Motion] = {}
        self._clip, self._frame = "", 0.0
        self._watchers: list[Watcher] = []

    def why_not(self, what: str) -> str:
        """Return what to do instead of something that only Maya can do."""
        if what == "read":
            return "There is no scene here: add motion files with Add clips."
        if what == "skeleton":
            return "There is no scene here: use File > Skeleton from tracks to read files."
        if what == "project":
            return "There is no scene here: save the limits and open them in Maya's window."
        return "There is no scene here: save the limits and apply them in Maya."

    def show_clips(self, clips: Sequence[Motion]) -> None:
        """Set the clips that the playhead can visit; it stays put if its clip is still there."""
        self._clips = {clip.name: clip for clip in clips}
        if self._clip not in self._clips:
            self._clip = next(iter(self._clips), "")
            self._frame = float(clips[0].frames[0]) if clips else 0.0

    def chosen(self) -> Character:
        """Raise ValueError: characters exist only in files."""
        raise ValueError(self.why_not("read"))

    def selected(self) -> Character | None:
        """None: there is no selection."""
        return None

    def hold(self, character: Any) -> None:
        """Do nothing: characters exist only in files."""

    def read_motion(
        self, character: Any, options: Mapping[str, Any], progress: Progress | None
    ) -> Motion:
        """Raise ValueError: there is no scene to read."""
        raise ValueError(self.why_not("read"))

    def build_skeleton(self, options: Mapping[str, Any]) -> tuple[Character, Said]:
        """Raise ValueError: there is no selection."""
        raise ValueError(self.why_not("skeleton"))

    def traces(self, character: Any) -> Mapping[str, Trace]:
        """Empty: characters exist only in files."""
        return {}

    def latest(self, character: Any) -> LimitSet | None:
        """None: nothing is stored here."""
        return None

    def keep(self, limit_set: LimitSet) -> None:
        """Do nothing: the user saves files."""

    def would_clip(self, limit_set: LimitSet, options: Mapping[str, Any]) -> str:
        """Empty: there is no animation to clamp."""
        return ""

    def apply(
        self, limit_set: LimitSet, options: Mapping[str, Any], may_move: bool = False
    ) -> Said:
        """Raise ValueError: there is no scene to write to."""
        raise ValueError(self.why_not("apply"))

    def clear(self) -> Said:
        """Raise ValueError: there is no scene."""
        raise ValueError(self.why_not("clear"))

    def switch(self) -> Said:
        """Raise ValueError: there is no scene."""
        raise ValueError(self.why_not("switch"))

    def guides(self, limit_set: LimitSet | None, joints: Sequence[str]) -> Said:
        """Raise ValueError: there is no viewport."""
        raise ValueError(self.why_not("guides"))

    def guides_shown(self) -> bool:
        """False: there is no viewport."""
        return False

    def keep_inside(
        self, limit_set: LimitSet, joints: Sequence[str], options: Mapping[str, Any]
    ) -> Said:
        """Raise ValueError: there is no scene."""
        raise ValueError(self.why_not("project"))

    def let_go(self, joints: Sequence[str]) -> Said:
        """Raise ValueError: there is no scene."""
        raise ValueError(self.why_not("project"))

    def keys_inside(
        self, limit_set: LimitSet, joints: Sequence[str], options: Mapping[str, Any]
    ) -> Said:
        """Raise ValueError: there is no scene."""
        raise ValueError(self.why_not("project"))

    def undo(self) -> None:
        """Do nothing: there is nothing to undo outside the window."""

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
        return clip.take(np.flatnonzero(clip.frames == self._frame)[:1])

    def joints_there(self) -> frozenset[str] | None:
        """None: there is no scene whose joints could change."""
        return None

    def selected_joints(self) -> tuple[str, ...]:
        """Empty: there is no selection outside the window."""
        return ()

    def select_joints(self, names: Sequence[str]) -> None:
        """Do nothing: there is no selection outside the window."""

    def watch(self, watcher: Watcher) -> Callable[[], None]:
        """Call the watcher when the playhead moves."""
        self._watchers.append(watcher)
        return lambda: self._watchers.remove(watcher)

    def wait_for(self, title: str) -> AbstractContextManager[Progress | None]:
        """Progress dialog that appears once the work takes long."""
        return waiting(title)

    @property
    def log_path(self) -> Path:
        """Path of the log."""
        return self.folder / "jointlimits.log"

    def note(self, what: str, error: BaseException) -> str:
        """Write the details of a failure to the log."""
        logger = session_logger(_LOGGER, self.log_path, {})
        logger.error("%s", what, exc_info=error)
        close_logger(_LOGGER)
        return str(self.log_path)

    def open_log(self) -> str:
        """Open the log in the system's text viewer."""
        if not self.log_path.is_file():
            return "The log is empty: nothing has failed yet."
        QtGui.QDesktopServices.openUrl(QtCore.QUrl.fromLocalFile(str(self.log_path)))
        return f"The log is {self.log_path}; paste this path into a bug report."


def _own_folder() -> Path:
    """Folder of the files that the window writes by itself."""
    kind = QtCore.QStandardPaths.StandardLocation.GenericConfigLocation
    found = QtCore.QStandardPaths.writableLocation(kind)
    return Path(found or tempfile.gettempdir()) / "jointLimits"
