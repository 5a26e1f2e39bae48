"""Pictures of the selected joint, one per tab; only the one in front is drawn."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from jointlimits_core.limits.limit_set import JOINT_TYPES, JointLimit
from jointlimits_core.motion import Motion

from ..document import Document
from ..geometry.bars import Candidate, tolerance_of
from ..qt import QtWidgets, Signal
from ..widgets.evidence import EvidenceBars
from ..words import tr
from .cloud_panel import CloudPanel
from .swing_panel import SwingPanel, bone_axis


class JointPictures(QtWidgets.QTabWidget):
    """Poses, swing and evidence of the first of the selected joints."""

    frame_asked = Signal(str, float)
    type_chosen = Signal(str)
    hovered = Signal(str)

    def __init__(self, document: Document, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._name: str | None = None
        self._pose: Motion | None = None
        self._stale: set[int] = set()
        self.cloud, self.swing, self.evidence = CloudPanel(), SwingPanel(), EvidenceBars()
        for page, title in ((self.cloud, tr("Poses")), (self.swing, tr("Swing")),
                            (self.evidence, tr("Why this type"))):  # fmt: skip
            self.addTab(page, title)
            page.hovered.connect(self.hovered)
        self.cloud.sample_asked.connect(self._on_sample)
        self.swing.sample_asked.connect(self._on_sample)
        self.evidence.type_chosen.connect(self.type_chosen)
        self.currentChanged.connect(self._show_page)

    def show_joints(self, names: Sequence[str]) -> None:
        """Show the first of these joints."""
        self._name = names[0] if names else None
        self._stale = set(range(self.count()))
        if self._name is None:
            self.cloud.clear()
            self.swing.clear()
            self.evidence.set_evidence((), "fixed", "fixed", 0.0)
        self._show_page(self.currentIndex())

    def refresh(self) -> None:
        """Update the limits on the front tab; the others update when they are shown."""
        if self._name is None:
            return
        here = self.currentIndex()
        self._stale |= set(range(self.count())) - {here}
        joint = self._document.limits.joints[self._name]
        page = self.currentWidget()
        if here in self._stale:
            self._show_page(here)
        elif page is self.evidence:
            self._show_evidence(joint)
        else:
            page.show_limits(joint)

    def forget(self) -> None:
        """Drop cached results, because the samples changed."""
        self.cloud.forget()
        self._stale = set(range(self.count()))

    def show_pose(self, pose: Motion | None) -> None:
        """Show the current pose."""
        self._pose = pose
        page = self.currentWidget()
        if self._name is not None and page is not self.evidence:
            page.show_pose(pose, self._name)

    def _show_page(self, index: int) -> None:
        limits, name = self._document.state.limits, self._name
        if name is None or limits is None or name not in limits.joints or index not in self._stale:
            return
        self._stale.discard(index)
        joint, page = limits.joints[name], self.widget(index)
        if page is self.evidence:
            self._show_evidence(joint)
            return
        samples, clips = self._document.samples(name), self._document.clips
        if page is self.cloud:
            self.cloud.show_joint(samples, joint, [clip.name for clip in clips])
        else:
            self.swing.show_joint(samples, joint, bone_axis(clips[0] if clips else None, name))
        page.show_pose(self._pose, name)

    def _show_evidence(self, joint: JointLimit) -> None:
        evidence = joint.evidence
        data = self._document.data.joints[self._name or ""]
        spread, noise = evidence.spread_deg[0], evidence.noise_deg
        candidates = [
            Candidate(kind, evidence.residual_deg.get(kind), tolerance_of(kind, spread, noise))
            for kind in JOINT_TYPES
        ]
        self.evidence.set_evidence(candidates, joint.type, data.type, evidence.noise_deg)

    def _on_sample(self, number: int) -> None:
        """Go to the frame of a sample."""
        place = None if self._name is None else frame_of(self._document, self._name, number)
        if place is not None:
            self.frame_asked.emit(*place)


def frame_of(document: Document, joint: str, number: int) -> tuple[str, float] | None:
    """Clip and frame of a sample of a joint."""
    samples = document.samples(joint)
    clip = document.clips[int(samples.clip[number])]
    own = np.flatnonzero(samples.clip == samples.clip[number])
    row = clip.skeleton.index(joint)
    found = np.flatnonzero((samples.rotations[number] == clip.rotations[row].T).all(axis=1))
    if not len(found):
        return None
    # Of identical poses, the one at the same position in the clip as the sample.
    share = (number - own[0]) / max(len(own) - 1, 1) * (clip.frame_count - 1)
    return clip.name, float(clip.frames[found[np.abs(found - share).argmin()]])
