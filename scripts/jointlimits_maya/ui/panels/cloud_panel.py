"""Panel of the poses of one joint, with its limits; caches what depends only on the data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from jointlimits_core.arrays import Booleans, Floats
from jointlimits_core.joint_frame import CHANNELS
from jointlimits_core.limits.coupled_limit import CoupledLimit
from jointlimits_core.limits.limit_set import JointLimit
from jointlimits_core.limits.ranges import span_of
from jointlimits_core.motion import Motion
from jointlimits_core.report.cloud import hinge_line, rest_rotation, universal_lines
from jointlimits_core.report.samples import (
    JointSamples,
    mean_rotation,
    relative_rotation_vectors,
)

from ..geometry.coupled_shape import Built, build
from ..geometry.limit_box import box_shape, to_vectors_of
from ..qt import QtWidgets, Signal
from ..widgets.cloud import RotationCloud
from ..words import tr


@dataclass(frozen=True, eq=False)
class _Known:
    """Cached results for one joint's samples."""

    samples: JointSamples
    mean: Floats
    points: Floats


class CloudPanel(QtWidgets.QWidget):
    """Poses with a legend of their colours."""

    sample_asked = Signal(int)
    """Index of a sample whose frame is requested."""
    hovered = Signal(str)

    def __init__(self, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent)
        self.cloud = RotationCloud()
        self.by = QtWidgets.QComboBox()
        self.by.addItems([tr("coloured by clip"), tr("coloured by time")])
        self.by.setAccessibleName(tr("Colours of the poses"))
        self.by.activated.connect(self._on_by)
        self.what = QtWidgets.QComboBox()
        self.what.addItems([tr("limits: shape"), tr("limits: box")])
        self.what.setToolTip(tr("Blue lines, and crosses for poses outside: the shape of all "
                                "channels together, or their ranges."))  # fmt: skip
        self.what.setAccessibleName(tr("Limits among the poses"))
        self.what.activated.connect(self._on_what)
        self.what.hide()
        self.cloud.sample_clicked.connect(self.sample_asked)
        self.cloud.hovered.connect(self.hovered)
        column = QtWidgets.QVBoxLayout(self)
        column.setContentsMargins(2, 2, 2, 2)
        column.addWidget(self.cloud, 1)
        row = QtWidgets.QHBoxLayout()
        row.addWidget(self.by, 1)
        row.addWidget(self.what, 1)
        column.addLayout(row)
        self._known: dict[int, _Known] = {}
        self._now: _Known | None = None
        self._joint: JointLimit | None = None
        self._built: Built | None = None
        self._channels: tuple[JointSamples, Floats] | None = None

    def show_joint(
        self, samples: JointSamples, joint: JointLimit, clip_names: Sequence[str]
    ) -> None:
        """Show another joint's samples."""
        known = self._known.get(id(samples))
        if known is None or known.samples is not samples:
            known = self._known[id(samples)] = _worked_out(samples)
        self._now = known
        self.cloud.set_samples(
            known.points, samples.clip, samples.progress, None, tuple(clip_names)
        )
        rest = rest_rotation(joint)
        self.cloud.set_rest(None if rest is None else relative_rotation_vectors(rest, known.mean))
        self.cloud.set_axes(_axes(joint, known, rest))
        self.show_limits(joint)
        self.cloud.fit_shape()

    def clear(self) -> None:
        """Show nothing."""
        self._now = self._joint = self._built = None
        self.what.hide()
        self.cloud.set_samples(np.zeros((0, 3)))
        self.cloud.set_rest(None)
        self.cloud.set_pose(None)
        self.cloud.set_axes(np.zeros((0, 2, 3)))
        self.cloud.set_shape(())

    def show_limits(self, joint: JointLimit) -> None:
        """Update the limits: the shape of a joint that has one, otherwise the ranges."""
        self._joint = joint
        self.what.setVisible(joint.coupled is not None)
        if self._now is not None and joint.coupled is not None and self.what.currentIndex() == 0:
            self._show_shape(joint.coupled, self._now)
            return
        if self._now is None or not set(CHANNELS) <= set(joint.limits):
            self.cloud.set_shape(())
            return
        spans = [span_of(joint.limits[channel]) or (-180.0, 180.0) for channel in CHANNELS]
        lows, highs = np.array(spans).T
        frame = joint.frame
        to_vectors = to_vectors_of(
            frame.rotate_order, frame.joint_orient_deg, frame.rotate_axis_deg, self._now.mean
        )
        self.cloud.set_shape(*box_shape(lows, highs, to_vectors))
        if len(self._now.samples.contiguous):
            self.cloud.set_outside(self._outside(self._now.samples, lows, highs))

    def _outside(self, samples: JointSamples, lows: Floats, highs: Floats) -> Booleans:
        """Mask of samples outside; of a million, only those that may be drawn are tested."""
        drawn = self.cloud.shown_samples
        if self._channels is None or self._channels[0] is not samples:
            self._channels = (samples, np.ascontiguousarray(samples.contiguous[drawn].T))
        beyond = np.zeros(len(drawn), dtype=bool)
        for values, low, high in zip(self._channels[1], lows, highs):
            beyond |= (values < low - 1e-6) | (values > high + 1e-6)
        outside = np.zeros(len(samples.contiguous), dtype=bool)
        outside[drawn] = beyond
        return outside

    def _show_shape(self, coupled: CoupledLimit, known: _Known) -> None:
        if self._built is None or not self._built.is_of(coupled, known.samples, known.mean):
            self._built = build(coupled, known.samples, known.mean)
        self.cloud.set_shape(self._built.edges, self._built.triangles)
        self.cloud.set_outside(self._built.outside)

    def show_pose(self, pose: Motion | None, name: str) -> None:
        """Show the current pose."""
        known = self._now
        if pose is None or known is None or name not in pose.joint_names:
            self.cloud.set_pose(None)
            return
        rotation = pose.quaternion(name)[0]
        self.cloud.set_pose(relative_rotation_vectors(rotation, known.mean))

    def forget(self) -> None:
        """Drop cached results, because the samples changed."""
        self._known.clear()
        self._built = None
        self._channels = None

    def _on_what(self, _: int) -> None:
        if self._joint is not None:
            self.show_limits(self._joint)

    def _on_by(self, index: int) -> None:
        self.cloud.colour_by(("clip", "time")[index])


def _worked_out(samples: JointSamples) -> _Known:
    if not len(samples):
        return _Known(samples, np.array([0.0, 0.0, 0.0, 1.0]), np.zeros((0, 3)))
    mean = mean_rotation(samples.rotations)
    return _Known(samples, mean, relative_rotation_vectors(samples.rotations, mean))


def _axes(joint: JointLimit, known: _Known, rest: Floats | None) -> Floats:
    if joint.type == "hinge" and joint.hinge is not None:
        return hinge_line(joint.hinge, known.mean, rest)[None]
    if joint.type == "universal" and joint.universal is not None and len(known.points):
        reach = float(np.linalg.norm(known.points, axis=1).max())
        both = joint.universal
        return universal_lines(both.axis_parent, both.axis_child, known.mean, reach)
    return np.zeros((0, 2, 3))
