"""Pictures of the selected joint, one per tab: poses, swing and twist, evidence for its type.

Only the tab in front is drawn. Results that depend only on the data are cached.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from jointlimits_core.estimation.joint_type import tolerated_deg
from jointlimits_core.geometry.euler import CHANNELS
from jointlimits_core.limits import limit_set, ranges, records
from jointlimits_core.motion.motion import Motion
from jointlimits_core.report.figures import space
from jointlimits_core.report.figures.samples import JointSamples, relative_rotation_vectors
from jointlimits_core.report.figures.swing import AXES, reach_outline, swing_and_twist, swing_axes
from jointlimits_core.shapes.fitting import shape_of_limit

from ..actions.desk import Desk
from ..plots import bars, cloud
from ..plots.swing import SwingDisc
from ..toolkit.qt import QtWidgets, arrange, combo_box

SHAPE, BOX = range(2)
"""Limits drawn among the poses: the joint's shape, if it has one, or its ranges."""
BOX_EDGE_POINTS = 61
"""Poses along each side of the box of ranges, from which the limits' outline is computed."""


class CloudPanel(QtWidgets.QWidget):
    """Picture of the poses, with a choice of colours and limits."""

    def __init__(self) -> None:
        super().__init__()
        self.cloud = cloud.RotationCloud()
        self.by = combo_box(["coloured by clip", "coloured by time"], "Colours of the poses")
        self.by.activated.connect(lambda index: self.cloud.colour_by(("clip", "time")[index]))
        self.what = combo_box(
            ["limits: shape", "limits: box"],
            "Limits among the poses",
            "Limits as blue lines, with crosses for poses outside: the shape of all "
            "channels together, or the range of each.",
        )
        self.what.activated.connect(lambda _: self.show_limits(self._joint))
        self.what.hide()
        row = arrange(QtWidgets.QHBoxLayout(), (self.by, 1), (self.what, 1))
        arrange(QtWidgets.QVBoxLayout(self), (self.cloud, 1), row, margin=2)
        self._now: JointSamples | None = None
        self._joint: limit_set.JointLimit | None = None

    def show_joint(
        self, samples: JointSamples, joint: limit_set.JointLimit, clip_names: Sequence[str]
    ) -> None:
        """Show another joint's samples."""
        self._now, mean = samples, samples.mean
        self.cloud.set_samples(samples.vectors, samples.clip, samples.progress, tuple(clip_names))
        rest = space.rest_rotation(joint)
        self.cloud.set_rest(None if rest is None else relative_rotation_vectors(rest, mean))
        self.cloud.set_axes(space.axis_lines(joint, mean, samples.vectors))
        self.show_limits(joint)
        self.cloud.fit_shape()

    def clear(self) -> None:
        """Show nothing."""
        self._now = self._joint = None
        self.what.hide()
        self.cloud.set_samples(np.zeros((0, 3)))

    def show_limits(self, joint: limit_set.JointLimit | None) -> None:
        """Update the limits: the shape of a joint that has one, otherwise the ranges."""
        self._joint, samples = joint, self._now
        coupled = None if joint is None else joint.coupled
        self.what.setVisible(coupled is not None)
        if samples is None or joint is None:
            return
        if coupled is not None and self.what.currentIndex() == SHAPE:
            surface, outside = space.shape_surface(coupled, samples.mean), None
            if len(samples.rotations):
                outside = ~shape_of_limit(coupled).contains(samples.rotations)
            self.cloud.set_limits(*surface, outside)
        elif set(CHANNELS) <= set(joint.limits):
            spans = [
                ranges.span_of(joint.limits[channel]) or (-180.0, 180.0) for channel in CHANNELS
            ]
            lows, highs = np.array(spans).T
            to_vectors = space.to_vectors_of(joint.orientation, samples.mean)
            angles = samples.contiguous
            beyond = (angles < lows - 1e-6) | (angles > highs + 1e-6) if len(angles) else None
            outside = None if beyond is None else beyond.any(axis=1)
            self.cloud.set_limits(*space.box_shape(lows, highs, to_vectors), outside)
        else:
            self.cloud.set_limits(())

    def show_pose(self, pose: Motion | None, name: str) -> None:
        """Show the current pose."""
        known = self._now
        if pose is None or known is None or name not in pose.joint_names:
            self.cloud.set_pose(None)
            return
        rotation = pose.quaternion(name)[0]
        self.cloud.set_pose(relative_rotation_vectors(rotation, known.mean))


class SwingPanel(QtWidgets.QWidget):
    """The swing disc of a joint."""

    def __init__(self) -> None:
        super().__init__()
        self.disc = SwingDisc()
        arrange(QtWidgets.QVBoxLayout(self), (self.disc, 1), margin=2)
        self._now: tuple[JointSamples, str] | None = None

    def show_joint(self, samples: JointSamples, joint: limit_set.JointLimit, axis: str) -> None:
        """Show another joint's samples; `axis` is the letter of the axis along its bone."""
        self._now, middle = (samples, axis), samples.mean
        swing, twist = swing_and_twist(samples.rotations, middle, axis)
        first, second = (AXES[place] for place in swing_axes(axis))
        self.disc.set_samples(swing, twist, (axis, first, second))
        rest = space.local_rotations(joint.orientation, np.asarray(joint.rest.rotate_deg)[None])
        (x, y), turn = (part[0] for part in swing_and_twist(rest, middle, axis))
        self.disc.set_rest(float(x), float(y), float(turn))
        self.show_limits(joint)

    def clear(self) -> None:
        """Show nothing."""
        self._now = None
        self.disc.set_samples(np.zeros((0, 2)), np.zeros(0))

    def show_limits(self, joint: limit_set.JointLimit) -> None:
        """Update the limits."""
        if self._now is None or not set(CHANNELS) <= set(joint.limits):
            return
        samples, axis = self._now
        spans = [ranges.span_of(joint.limits[channel]) for channel in CHANNELS]
        if all(span is None for span in spans):
            self.disc.set_limits([], None)
            return
        ends, surface = [span or (-180.0, 180.0) for span in spans], []
        for side in range(3):  # poses on the six faces of the channels' box
            along = [np.linspace(*end, BOX_EDGE_POINTS) for end in ends]
            along[side] = np.array(ends[side])
            surface.append(np.stack(np.meshgrid(*along, indexing="ij"), axis=-1).reshape(-1, 3))
        rotations = space.local_rotations(joint.orientation, np.concatenate(surface))
        swing, twist = swing_and_twist(rotations, samples.mean, axis)
        free = spans[AXES.index(axis)] is None or float(np.ptp(twist)) >= 359.0
        twists = None if free else (twist.min(), twist.max())
        self.disc.set_limits([reach_outline(swing)], twists)

    def show_pose(self, pose: Motion | None, name: str) -> None:
        """Show the current pose."""
        if pose is None or self._now is None or name not in pose.joint_names:
            self.disc.set_pose(None)
            return
        samples, axis = self._now
        swing, twist = swing_and_twist(pose.quaternion(name), samples.mean, axis)
        self.disc.set_pose(float(swing[0, 0]), float(swing[0, 1]), float(twist[0]))


def bone_axis(clip: Motion | None, name: str) -> str:
    """Letter of the joint's axis along its bone; X if unknown."""
    if clip is None or name not in clip.joint_names:
        return "X"
    skeleton = clip.skeleton
    children = np.flatnonzero(skeleton.parents == skeleton.index(name))
    if not len(children):
        return "X"
    return AXES[int(np.abs(skeleton.offsets[children].mean(axis=0)).argmax())]


class JointPictures(QtWidgets.QTabWidget):
    """Tabs with poses, swing and evidence for the first of the selected joints."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk, self._document = desk, desk.document
        self._name: str | None = None
        self._pose: Motion | None = None
        self._stale: set[int] = set()
        self._data: limit_set.LimitSet | None = None
        self.cloud, self.swing, self.evidence = CloudPanel(), SwingPanel(), bars.EvidenceBars()
        self.addTab(self.cloud, "Poses")
        self.addTab(self.swing, "Swing")
        self.addTab(self.evidence, "Why this type")
        self.cloud.cloud.sample_clicked.connect(self._on_sample)
        self.swing.disc.sample_clicked.connect(self._on_sample)
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
        """Update the limits on the front tab; hidden tabs update when they are shown."""
        if self._name is None:
            return
        if self._document.state.data is not self._data:
            self.forget()
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
        """Mark every page as stale: its samples are read again when it is shown."""
        self._data = self._document.state.data
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

    def _show_evidence(self, joint: limit_set.JointLimit) -> None:
        evidence = joint.evidence
        data = self._document.data.joints[self._name or ""]
        spread, noise = evidence.spread_deg[0], evidence.noise_deg
        candidates = [
            bars.Candidate(
                kind, evidence.residual_deg.get(kind), tolerated_deg(kind, spread, noise)
            )
            for kind in records.JOINT_TYPES
        ]
        self.evidence.set_evidence(candidates, joint.type, data.type, evidence.noise_deg)

    def _on_sample(self, number: int) -> None:
        if self._name is not None:
            samples = self._document.samples(self._name)
            clip = self._document.clips[int(samples.clip[number])]
            self._desk.frame_asked.emit(clip.name, float(samples.frame[number]))
