"""Follows the host: the pose as it stands, what is selected, and what is not there any more."""

from __future__ import annotations

from typing import Any

from jointlimits_core.limits.limit_set import LimitSet
from jointlimits_core.motion import Motion

from .called import names_in, not_there
from .document import Document
from .files import DocumentError, fitted
from .host import FRAME, NODES, SCENE, SELECTION, Host
from .qt import QtCore, Signal, isValid
from .rehearsing import pose_outside

PAUSE_MS = 40
"""How long it waits for further news before it looks, so that playing back stays fluid."""
TOLERANCE_DEG = 0.1


class Live(QtCore.QObject):
    """Tells what is the case now, a moment after the host says that something happened.

    Parameters
    ----------
    guarded : callable
        Wraps what Qt calls.
    parent : QObject
    """

    pose_changed = Signal(object, object)
    """The pose (Motion or None), and degrees outside by joint."""
    selection_changed = Signal(object)
    """Names of the joints that are selected in the scene."""
    joints_missing = Signal(object)
    """Names of joints with limits that the scene does not have any more."""
    scene_changed = Signal()

    def __init__(self, document: Document, host: Host, guarded: Any, parent: Any) -> None:
        super().__init__(parent)
        self._document, self._host = document, host
        self._news: set[str] = set()
        self._missing: frozenset[str] = frozenset()
        self._timer = QtCore.QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PAUSE_MS)
        self._timer.timeout.connect(guarded(self.look))
        self._stop = host.watch(self.hear)

    def hear(self, what: str) -> None:
        """Note that something happened; the host calls this."""
        if isValid(self):
            self._news.add(what)
            self._timer.start()

    def look(self) -> None:
        """Look at all that has happened."""
        news, self._news = self._news, set()
        self._timer.stop()
        if SCENE in news:
            self.look_for_missing()
            self.scene_changed.emit()
        elif news:
            # Unloading a reference is not told of by itself.
            self._look_for_joints()
        if SELECTION in news:
            names = self._selected_joints()
            if names:
                self.selection_changed.emit(names)
        if news & {FRAME, SCENE, NODES}:
            self.look_at_pose()

    def look_at_pose(self) -> None:
        """Hold the pose against the limits."""
        limits = self._document.state.limits
        pose: Motion | None = None if limits is None else self._host.current_pose()
        outside = {}
        if limits is not None and pose is not None:
            pose = _called_as(limits, pose)
        if limits is not None and pose is not None and _are_alike(limits, pose):
            outside = pose_outside(limits, pose, TOLERANCE_DEG)
        self.pose_changed.emit(pose, outside)

    def look_for_missing(self) -> frozenset[str]:
        """Joints with limits that the scene does not have; of these it has told then."""
        self._missing = self._joints_missing()
        return self._missing

    def _look_for_joints(self) -> None:
        before = self._missing
        if self.look_for_missing() != before:
            self.joints_missing.emit(self._missing)

    def _joints_missing(self) -> frozenset[str]:
        """Joints with limits that the scene does not have."""
        there, limits = self._host.joints_there(), self._document.state.limits
        return frozenset() if there is None or limits is None else not_there(limits, there)

    def _selected_joints(self) -> tuple[str, ...]:
        """Joints that are selected in the scene, as the limits call them."""
        names, limits = self._host.selected_joints(), self._document.state.limits
        there = self._host.joints_there() if names else None
        return names if there is None or limits is None else names_in(limits, there, names)

    def end(self) -> None:
        """Hear nothing any more."""
        self._timer.stop()
        self._stop()


def _called_as(limits: LimitSet, pose: Motion) -> Motion:
    """Pose with the names that limits have for its joints."""
    try:
        return fitted(pose, limits)
    except DocumentError:
        return pose


def _are_alike(limits: LimitSet, pose: Motion) -> bool:
    """Whether a pose can be held against limits."""
    return limits.mode != "paper" and bool(set(limits.joints) & set(pose.joint_names))
