"""Swing panel: direction of a joint's bone on a disc and its twist, with the limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from jointlimits_core.arrays import Floats
from jointlimits_core.euler import quaternion_from_euler
from jointlimits_core.joint_frame import CHANNELS, local_from_rotate
from jointlimits_core.limits.limit_set import JointLimit
from jointlimits_core.limits.ranges import span_of
from jointlimits_core.motion import Motion
from jointlimits_core.report.samples import JointSamples, mean_rotation

from ..geometry.swing import AXES, across, reach_outline, swing_and_twist
from ..qt import QtWidgets, Signal
from ..widgets.swing_disc import SwingDisc

STEPS = 61
"""Poses along each side of the box behind the outline of the limits."""


@dataclass(frozen=True, eq=False)
class _Known:
    samples: JointSamples
    axis: str
    middle: Floats


class SwingPanel(QtWidgets.QWidget):
    """The swing disc, or a message where the joint has no bone."""

    sample_asked = Signal(int)
    hovered = Signal(str)

    def __init__(self, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent)
        self.disc = SwingDisc()
        self.disc.sample_clicked.connect(self.sample_asked)
        self.disc.hovered.connect(self.hovered)
        column = QtWidgets.QVBoxLayout(self)
        column.setContentsMargins(2, 2, 2, 2)
        column.addWidget(self.disc, 1)
        self._known: _Known | None = None

    def show_joint(self, samples: JointSamples, joint: JointLimit, axis: str) -> None:
        """Show another joint's samples; `axis` is along its bone."""
        middle = _identity() if not len(samples) else mean_rotation(samples.rotations)
        self._known = _Known(samples, axis, middle)
        swing, twist = swing_and_twist(samples.rotations, middle, axis)
        self.disc.set_samples(swing, twist)
        first, second = (AXES[place] for place in across(axis))
        self.disc.set_axis_names(axis, first, second)
        rest = _local(joint, np.asarray(joint.rest.rotate_deg)[None])
        (x, y), turn = (part[0] for part in swing_and_twist(rest, middle, axis))
        self.disc.set_rest(float(x), float(y), float(turn))
        self.show_limits(joint)

    def clear(self) -> None:
        """Show nothing."""
        self._known = None
        self.disc.set_samples(np.zeros((0, 2)), np.zeros(0))
        self.disc.set_rest(None)
        self.disc.set_pose(None)
        self.disc.set_outlines([])
        self.disc.set_twist_range(None, None)

    def show_limits(self, joint: JointLimit) -> None:
        """Update the limits."""
        known = self._known
        if known is None or not set(CHANNELS) <= set(joint.limits):
            return
        spans = [span_of(joint.limits[channel]) for channel in CHANNELS]
        if all(span is None for span in spans):
            self.disc.set_outlines([])
            self.disc.set_twist_range(None, None)
            return
        swing, twist = swing_and_twist(_local(joint, _surface(spans)), known.middle, known.axis)
        self.disc.set_outlines([reach_outline(swing)])
        bone = spans[AXES.index(known.axis)]
        wide = float(np.ptp(twist))
        free = bone is None or wide >= 359.0
        self.disc.set_twist_range(*((None, None) if free else (twist.min(), twist.max())))

    def show_pose(self, pose: Motion | None, name: str) -> None:
        """Show the current pose."""
        known = self._known
        if pose is None or known is None or name not in pose.joint_names:
            self.disc.set_pose(None)
            return
        swing, twist = swing_and_twist(pose.quaternion(name), known.middle, known.axis)
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


def _surface(spans: Sequence[tuple[float, float] | None]) -> Floats:
    """Poses on the six faces of the box of the channels, shape (poses, 3), degrees."""
    ends = [span or (-180.0, 180.0) for span in spans]
    sides = []
    for axis in range(3):
        along = [np.array(end) if at == axis else np.linspace(*end, STEPS)
                 for at, end in enumerate(ends)]  # fmt: skip
        sides.append(np.stack(np.meshgrid(*along, indexing="ij"), axis=-1).reshape(-1, 3))
    return np.concatenate(sides)


def _local(joint: JointLimit, rotate_deg: Floats) -> Floats:
    frame = joint.frame
    orient, axis = (
        quaternion_from_euler(np.radians(turn))
        for turn in (frame.joint_orient_deg, frame.rotate_axis_deg)
    )
    return local_from_rotate(np.radians(rotate_deg), orient, axis, frame.rotate_order)


def _identity() -> Floats:
    return np.array([0.0, 0.0, 0.0, 1.0])
