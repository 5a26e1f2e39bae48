"""The window without Maya: files in, files out, and a playhead of its own."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import numpy as np

from jointlimits_core.limits.limit_set import LimitSet
from jointlimits_core.motion import Motion
from jointlimits_core.progress import Progress
from jointlimits_core.session_log import close_logger, session_logger

from .host import FRAME, Character, Said, Watcher
from .qt import QtCore, QtGui
from .traces import Trace
from .waiting import waiting
from .words import tr

_LOGGER = "jointlimits_window"


class Alone:
    """A host that knows files only.

    Parameters
    ----------
    folder : path-like, optional
        Where the log is written; a folder of the user's by default.
    """

    title = "Joint Limits"
    can: frozenset[str] = frozenset()

    def __init__(self, folder: str | os.PathLike[str] | None = None) -> None:
        self.folder = Path(folder) if folder is not None else _own_folder()
        self._clips: dict[str, Motion] = {}
        self._clip, self._frame = "", 0.0
        self._watchers: list[Watcher] = []

    def why_not(self, what: str) -> str:
        """Say what to do instead of what only Maya can do."""
        if what == "read":
            return tr("There is no scene here: add motion files with Add clips.")
        if what == "skeleton":
            return tr("There is no scene here: File > Skeleton from tracks reads files.")
        if what == "project":
            return tr("There is no scene here: save the limits, and open them in Maya's window.")
        return tr("There is no scene here: save the limits and apply them in Maya.")

    def show_clips(self, clips: Sequence[Motion]) -> None:
        """Take clips to go to frames of; the playhead stays where it is if its clip does."""
        self._clips = {clip.name: clip for clip in clips}
        if self._clip not in self._clips:
            self._clip = next(iter(self._clips), "")
            self._frame = float(clips[0].frames[0]) if clips else 0.0

    def chosen(self) -> Character:
        """There are no characters but in files."""
        raise ValueError(self.why_not("read"))

    def selected(self) -> Character | None:
        """There is nothing to select."""
        return None

    def hold(self, character: Any) -> None:
        """Pass: there are no characters but in files."""

    def read_motion(
        self, character: Any, options: Mapping[str, Any], progress: Progress | None
    ) -> Motion:
        """There is nothing to read from."""
        raise ValueError(self.why_not("read"))

    def build_skeleton(self, options: Mapping[str, Any]) -> tuple[Character, Said]:
        """There is nothing to select."""
        raise ValueError(self.why_not("skeleton"))

    def traces(self, character: Any) -> Mapping[str, Trace]:
        """There are no characters but in files."""
        return {}

    def latest(self, character: Any) -> LimitSet | None:
        """Nothing is kept here."""
        return None

    def keep(self, limit_set: LimitSet) -> None:
        """Nothing is kept here: files are saved by hand."""

    def would_clip(self, limit_set: LimitSet, options: Mapping[str, Any]) -> str:
        """There is no animation to clip."""
        return ""

    def apply(
        self, limit_set: LimitSet, options: Mapping[str, Any], may_move: bool = False
    ) -> Said:
        """There is nothing to write on."""
        raise ValueError(self.why_not("apply"))

    def clear(self) -> Said:
        """There is nothing to clear."""
        raise ValueError(self.why_not("clear"))

    def switch(self) -> Said:
        """There is nothing to switch."""
        raise ValueError(self.why_not("switch"))

    def guides(self, limit_set: LimitSet | None, joints: Sequence[str]) -> Said:
        """There is no viewport."""
        raise ValueError(self.why_not("guides"))

    def guides_shown(self) -> bool:
        """There is no viewport."""
        return False

    def keep_inside(
        self, limit_set: LimitSet, joints: Sequence[str], options: Mapping[str, Any]
    ) -> Said:
        """There is no joint to keep inside."""
        raise ValueError(self.why_not("project"))

    def let_go(self, joints: Sequence[str]) -> Said:
        """There is no joint to let go of."""
        raise ValueError(self.why_not("project"))

    def keys_inside(
        self, limit_set: LimitSet, joints: Sequence[str], options: Mapping[str, Any]
    ) -> Said:
        """There are no keys."""
        raise ValueError(self.why_not("project"))

    def undo(self) -> None:
        """There is nothing to undo outside of the window."""

    def current_frame(self) -> float | None:
        """Where the playhead stands; None without clips."""
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
        """Return the pose under the playhead."""
        clip = self._clips.get(self._clip)
        if clip is None:
            return None
        return clip.take(np.flatnonzero(clip.frames == self._frame)[:1])

    def joints_there(self) -> frozenset[str] | None:
        """There is no scene whose joints could change."""
        return None

    def selected_joints(self) -> tuple[str, ...]:
        """Nothing is selected outside of the window."""
        return ()

    def select_joints(self, names: Sequence[str]) -> None:
        """There is nothing to select outside of the window."""

    def watch(self, watcher: Watcher) -> Callable[[], None]:
        """Tell when the playhead moves."""
        self._watchers.append(watcher)
        return lambda: self._watchers.remove(watcher)

    def wait_for(self, title: str) -> AbstractContextManager[Progress | None]:
        """A dialog with a bar, once it takes long."""
        return waiting(title)

    @property
    def log_path(self) -> Path:
        """Path of the log."""
        return self.folder / "jointlimits.log"

    def note(self, what: str, error: BaseException) -> str:
        """Write the details of a failure into the log."""
        logger = session_logger(_LOGGER, self.log_path, {})
        logger.error("%s", what, exc_info=error)
        close_logger(_LOGGER)
        return str(self.log_path)

    def open_log(self) -> str:
        """Show the log in whatever the system shows text with."""
        if not self.log_path.is_file():
            return tr("The log is empty: nothing has failed yet.")
        QtGui.QDesktopServices.openUrl(QtCore.QUrl.fromLocalFile(str(self.log_path)))
        return tr("The log is {path}; its path can be pasted into a message.", path=self.log_path)


def _own_folder() -> Path:
    """Folder for what this user's window writes by itself."""
    kind = QtCore.QStandardPaths.StandardLocation.GenericConfigLocation
    found = QtCore.QStandardPaths.writableLocation(kind)
    return Path(found or tempfile.gettempdir()) / "jointLimits"
