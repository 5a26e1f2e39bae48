"""Link between window and host: current pose, selection, missing joints, and limits handed over."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from jointlimits_core.motion import motion, name_matching

from ..document import clamping, files
from ..document.document import Document
from ..document.host import FRAME, NODES, SCENE, SELECTION, Host
from ..toolkit.qt import QtCore, Signal, isValid

KEEP_MS = 800
"""Delay after a change, so that the many changes of a drag are handed over once."""
PAUSE_MS = 40
"""Delay after an event, to handle several events at once, so that playback stays fluid."""
TOLERANCE_DEG = 0.1


class LimitsHandover(QtCore.QTimer):
    """Timer that hands a document's limits over to the host's scene after a pause."""

    def __init__(self, document: Document, host: Host, guard: Any, parent: Any) -> None:
        super().__init__(parent, singleShot=True, interval=KEEP_MS)
        self._document, self._host = document, host
        self._store_safely = guard(self.store)
        self.timeout.connect(self._store_safely)

    def store(self) -> None:
        """Hand the limits over, if the host has a scene."""
        scene, limits = self._host.scene, self._document.state.limits
        if scene is not None and limits is not None:
            scene.store(limits)

    def end(self) -> None:
        """Hand over pending limits at once, and stop."""
        if self.isActive():
            self.stop()
            self._store_safely()


class Live(QtCore.QObject):
    """Reports pose, selection and missing joints shortly after a host event."""

    pose_changed = Signal(object, object)
    """Pose (Motion or None), and degrees outside the limits by joint."""
    selection_changed = Signal(object)
    """Names of the joints selected in the scene."""
    joints_missing = Signal(object)
    """Names of joints with limits that are missing from the scene."""
    scene_changed = Signal()

    def __init__(self, document: Document, host: Host, guard: Any, parent: Any) -> None:
        super().__init__(parent)
        self._document, self._host = document, host
        self._events: set[str] = set()
        self._missing: frozenset[str] = frozenset()
        self._timer = QtCore.QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._timer.timeout.connect(guard(self.update))
        self._stop = host.watch(self.record)

    def record(self, what: str) -> None:
        """Record an event of the host."""
        if isValid(self):
            self._events.add(what)
            self._timer.start()

    def update(self) -> None:
        """Handle all recorded events."""
        events, self._events = self._events, set()
        self._timer.stop()
        if SCENE in events:
            self.update_missing()
            self.scene_changed.emit()
        elif events:
            # Unloading a reference sends no event.
            before = self._missing
            if self.update_missing() != before:
                self.joints_missing.emit(self._missing)
        if SELECTION in events:
            names = () if self._host.scene is None else self._host.scene.selected_joints()
            known = self._names_in_limits() if names else None
            if known is not None:
                names = tuple(known[name] for name in names if name in known)
            if names:
                self.selection_changed.emit(names)
        if events & {FRAME, SCENE, NODES}:
            self.update_pose()

    def update_pose(self) -> None:
        """Compare the pose with the limits."""
        limits = self._document.state.limits
        pose: motion.Motion | None = None if limits is None else self._host.current_pose()
        outside: dict[str, float] = {}
        if limits is not None and pose is not None:
            with suppress(files.DocumentError):
                pose = files.renamed_clip(pose, limits)
            if limits.mode != "paper" and set(limits.joints) & set(pose.joint_names):
                outside = clamping.pose_outside(limits, pose, TOLERANCE_DEG)
        self.pose_changed.emit(pose, outside)

    def update_missing(self) -> frozenset[str]:
        """Find the joints with limits that are missing from the scene, and return their names."""
        known, self._missing = self._names_in_limits(), frozenset()
        if known is not None:
            self._missing = frozenset(self._document.limits.joints) - set(known.values())
        return self._missing

    def _names_in_limits(self) -> dict[str, str] | None:
        """Limit-set names of the scene's joints, by scene name; namespaces may differ."""
        scene, limits = self._host.scene, self._document.state.limits
        there = None if scene is None else scene.scene_joints()
        if there is None or limits is None:
            return None
        every = sorted(there)
        return {
            every[place]: name
            for name, place in name_matching.matched_joints(limits.joints, every).items()
        }

    def end(self) -> None:
        """Stop watching."""
        self._timer.stop()
        self._stop()
