"""The pictures of the selected joint, each on a page of its own; only the one in front is drawn."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from jointlimits_core.motion import Motion

from ..document import Document
from ..qt import QtWidgets, Signal
from ..words import tr
from .cloud_panel import CloudPanel


class JointPictures(QtWidgets.QTabWidget):
    """Cloud, swing and evidence of the first of the selected joints.

    Parameters
    ----------
    document : Document
    """

    frame_asked = Signal(str, float)
    type_chosen = Signal(str)
    hovered = Signal(str)

    def __init__(self, document: Document, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._name: str | None = None
        self._pose: Motion | None = None
        self._stale: set[int] = set()
        self.cloud = CloudPanel()
        self.addTab(self.cloud, tr("Cloud"))
        self.cloud.sample_asked.connect(self._on_sample)
        self.cloud.hovered.connect(self.hovered)
        self.currentChanged.connect(self._show_page)

    def show_joints(self, names: Sequence[str]) -> None:
        """Show the first of these joints."""
        self._name = names[0] if names else None
        self._stale = set(range(self.count()))
        self._show_page(self.currentIndex())

    def refresh(self) -> None:
        """Show limits that changed, on the page in front; the others when they come there."""
        if self._name is None:
            return
        self._stale = set(range(self.count())) - {self.currentIndex()}
        joint = self._document.limits.joints[self._name]
        if self.currentWidget() is self.cloud:
            self.cloud.show_limits(joint)

    def forget(self) -> None:
        """Let go of what was worked out of samples that are others now."""
        self.cloud.forget()

    def show_pose(self, pose: Motion | None) -> None:
        """Show the current pose."""
        self._pose = pose
        if self._name is not None and self.currentWidget() is self.cloud:
            self.cloud.show_pose(pose, self._name)

    def _show_page(self, index: int) -> None:
        if self._name is None or index not in self._stale:
            return
        self._stale.discard(index)
        joint = self._document.limits.joints[self._name]
        if self.widget(index) is self.cloud:
            names = [clip.name for clip in self._document.clips]
            self.cloud.show_joint(self._document.samples(self._name), joint, names)
            self.cloud.show_pose(self._pose, self._name)

    def _on_sample(self, number: int) -> None:
        """Go to the frame of a sample."""
        if self._name is None:
            return
        place = frame_of(self._document, self._name, number)
        if place is not None:
            self.frame_asked.emit(*place)


def frame_of(document: Document, joint: str, number: int) -> tuple[str, float] | None:
    """Clip and frame of a sample of a joint."""
    samples = document.samples(joint)
    clip = document.clips[int(samples.clip[number])]
    own = np.flatnonzero(samples.clip == samples.clip[number])
    row = clip.skeleton.index(joint)
    found = np.flatnonzero((clip.rotations[row].T == samples.rotations[number]).all(axis=1))
    if not len(found):
        return None
    # Of poses that are the same, the one that is as far into the clip as the sample.
    share = (number - own[0]) / max(len(own) - 1, 1) * (clip.frame_count - 1)
    return clip.name, float(clip.frames[found[np.abs(found - share).argmin()]])
