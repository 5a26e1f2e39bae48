"""Panel of the selected joints: type, actions on the whole joint, and its channels side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from jointlimits_core.base import channel_letter
from jointlimits_core.geometry import CHANNELS
from jointlimits_core.limits import (
    JOINT_TYPES,
    AxisLimit,
    JointLimit,
    LimitSet,
    certainty,
    span_of,
    widest_deg,
)
from jointlimits_core.motion import Motion

from ..document import Document, has_no_channels, joint_words, why_not_mirrored
from ..toolkit import (
    Qt,
    QtCore,
    QtWidgets,
    Signal,
    degrees,
    dependency_line,
    dependency_list,
    listed,
    shape_words,
)
from .axis import AxisPanel
from .tabs import Connections

if TYPE_CHECKING:
    from ..window import Window

Call = Callable[..., None]
_LEAST_DEG = 0.005
"""Values closer than this show as the same number in the fields."""
PAUSE_MS = 700
"""Keyboard nudges within this time of each other are one undo step."""
NO_CHANNELS = (
    "These limits use the publication's angles (phi, psi, theta), not rotate channels: "
    "there are no dials, and the poses are shown without limits. Estimate measures the "
    "joints in rotate channels."
)


class JointHeader(QtWidgets.QWidget):
    """Name, type and whole-joint actions of the selected joints."""

    type_chosen = Signal(str)
    mirror_asked = Signal()
    reset_asked = Signal()
    pin_asked = Signal()

    def __init__(self, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent)
        self.name, self.about = QtWidgets.QLabel(), QtWidgets.QLabel()
        font = self.name.font()
        font.setBold(True)
        self.name.setFont(font)
        self.about.setWordWrap(True)
        self.type = QtWidgets.QComboBox()
        self.type.setAccessibleName("Type of the joint")
        self.type.addItems(list(JOINT_TYPES))
        self.type.setToolTip("Joint type; the evidence is below.")
        self.type.activated.connect(self._on_type)
        self.mirror = QtWidgets.QPushButton("Mirror to other side")
        self.pin = QtWidgets.QPushButton("Pin")
        self.pin.setToolTip("Later estimates leave it at its current limits.")
        self.reset = QtWidgets.QPushButton("Back to measured")
        for button, signal in ((self.mirror, self.mirror_asked), (self.pin, self.pin_asked),
                               (self.reset, self.reset_asked)):  # fmt: skip
            button.clicked.connect(signal)
        self._rows = QtWidgets.QBoxLayout(QtWidgets.QBoxLayout.Direction.LeftToRight)
        self._first, self._second = QtWidgets.QHBoxLayout(), QtWidgets.QHBoxLayout()
        for part in (self.name, self.type):
            self._first.addWidget(part)
        self._first.addStretch(1)
        for part in (self.mirror, self.pin, self.reset):
            self._second.addWidget(part)
        self._rows.addLayout(self._first, 1)
        self._rows.addLayout(self._second)
        column = QtWidgets.QVBoxLayout(self)
        column.setContentsMargins(2, 2, 2, 2)
        column.addLayout(self._rows)
        column.addWidget(self.about)

    def minimumSizeHint(self) -> Any:
        """Width of the wider of its two rows."""
        size = super().minimumSizeHint()
        rows = (self._first, self._second)
        size.setWidth(max(row.minimumSize().width() for row in rows) + 4)
        return size

    def resizeEvent(self, event: Any) -> None:
        """Use two rows where one would be cut off."""
        super().resizeEvent(event)
        self._fold()

    def _fold(self) -> None:
        # From the parts: the size of a nested layout is not known at once.
        parts = (self.name, self.type, self.mirror, self.pin, self.reset)
        gap = max(self._first.spacing(), 10)
        needed = sum(part.sizeHint().width() + gap for part in parts) + gap
        way = QtWidgets.QBoxLayout.Direction
        wanted = way.LeftToRight if needed <= self.width() else way.TopToBottom
        if self._rows.direction() != wanted:
            self._rows.setDirection(wanted)

    def show_joints(
        self,
        names: Sequence[str],
        joint: JointLimit,
        edited: bool,
        why_not_mirrored: str,
        differing: Sequence[str],
        limits: LimitSet,
        found: str,
    ) -> None:
        """Show the first of some selected joints, and how the others differ from it.

        `limits` describes the dependencies of its channels, `found` its fit in loose bodies.
        """
        self.name.setText(listed(names, 1))
        self.type.setCurrentIndex(JOINT_TYPES.index(joint.type))
        words = about(joint)
        if differing:
            words = f"They differ in {', '.join(differing)}; {names[0]} is shown. {words}"
        also = (found, shape_words(joint), dependency_line(names[0], limits))
        self.about.setText("\n".join(text for text in (words, *also) if text))
        self.about.setToolTip(dependency_list(names[0], limits))
        self.mirror.setEnabled(not why_not_mirrored)
        self.mirror.setToolTip(why_not_mirrored or "Give the other side the mirror image.")
        self.reset.setEnabled(edited)
        self._fold()

    def _on_type(self, index: int) -> None:
        self.type_chosen.emit(JOINT_TYPES[index])


def about(joint: JointLimit) -> str:
    """Reason for its type, in one or two sentences."""
    evidence = joint.evidence
    if evidence.sure == "no motion":
        return "No motion, so nothing is known."
    residual = evidence.residual_deg.get(joint.type)
    words = f"{evidence.samples:,} poses"
    if residual is not None and joint.type != "ball":
        words += f"; residual of a {joint.type}: {degrees(residual, 2)}"
    if evidence.runner_up:
        words += f"; runner-up: {evidence.runner_up}"
    if joint.hinge is not None and joint.hinge.off_channel_deg > 1.0:
        off = degrees(joint.hinge.off_channel_deg)
        words += f"; its axis is {off} off {joint.hinge.channel}"
    settle = f" {evidence.settle}" if evidence.sure == "close" and evidence.settle else ""
    return f"{certainty(joint).capitalize()}: {words}.{settle}"


def differing(first: JointLimit, others: Sequence[JointLimit]) -> tuple[str, ...]:
    """Names of what differs between other joints and the first one."""
    found = ["type"] if any(other.type != first.type for other in others) else []
    for channel, axis in first.limits.items():
        there = [other.limits[channel] for other in others if channel in other.limits]
        if any(_is_other(axis, limit) for limit in there):
            found.append(f"rotate {channel_letter(channel)}")
    return tuple(found)


def mark_mixed(panel: AxisPanel, first: JointLimit, others: Sequence[JointLimit]) -> None:
    """Mark the fields of a channel whose values differ between the selected joints."""
    there = [joint.limits[panel.channel] for joint in others if panel.channel in joint.limits]
    own = first.limits[panel.channel]
    for place, end in enumerate(("min", "max")):
        values = [span[place] for span in map(span_of, (own, *there)) if span is not None]
        mixed = bool(values) and max(values) - min(values) > _LEAST_DEG
        mixed = mixed or any((span_of(own) is None) != (span_of(a) is None) for a in there)
        box = panel.boxes[end]
        box.set_mixed(mixed)
        tip = ""
        if mixed and values:
            low, high = degrees(min(values)), degrees(max(values))
            tip = f"The selected joints have {low} to {high} here; a typed number applies to all."
        box.setToolTip(tip)


def _is_other(axis: AxisLimit, limit: AxisLimit) -> bool:
    one, two = span_of(axis), span_of(limit)
    if one is None or two is None or axis.state != limit.state:
        return axis.state != limit.state or one != two
    return max(abs(a - b) for a, b in zip(one, two)) > _LEAST_DEG


class JointPanel(QtWidgets.QWidget):
    """Shows the first of the selected joints, and edits all of them.

    `guarded` wraps slots, so that their failures are reported.
    """

    frame_asked = Signal(str, float)
    """Request for a clip and frame."""
    hovered = Signal(str)

    def __init__(
        self,
        document: Document,
        guarded: Callable[[Call], Call],
        parent: QtWidgets.QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._document, self._guarded = document, guarded
        self._names: tuple[str, ...] = ()
        self._gesture = 0
        self._pause = QtCore.QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE_MS)
        self._pause.timeout.connect(self._end_gesture)
        self._pose: Motion | None = None
        self.header = JointHeader()
        self.axes = {channel: AxisPanel(channel) for channel in CHANNELS}
        self.empty = QtWidgets.QLabel()
        self.empty.setWordWrap(True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.shown = QtWidgets.QWidget()
        row = QtWidgets.QHBoxLayout()
        for panel in self.axes.values():
            row.addWidget(panel, 1)
        column = QtWidgets.QVBoxLayout(self.shown)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(row, 1)
        outer = QtWidgets.QVBoxLayout(self)
        outer.setContentsMargins(4, 4, 4, 4)
        outer.addWidget(self.header)
        outer.addWidget(self.empty, 1)
        # A docked panel may be narrower than three dials.
        self.area = QtWidgets.QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QtWidgets.QFrame.Shape.NoFrame)
        self.area.setWidget(self.shown)
        self.area.setMinimumSize(200, 120)
        outer.addWidget(self.area, 1)
        self._connect()
        self.show_joints(())

    def _connect(self) -> None:
        guarded = self._guarded
        self.header.type_chosen.connect(guarded(self.set_type))
        for channel, panel in self.axes.items():
            for signal, slot in (
                (panel.dragged, self._drag),
                (panel.released, self._release),
                (panel.nudged, self._nudge),
                (panel.typed, self._type),
                (panel.state_chosen, self._set_state),
                (panel.shown_asked, self._show_frame),
                (panel.exclude_asked, self._exclude_frame),
            ):
                signal.connect(guarded(_of(slot, channel)))
            panel.cancelled.connect(guarded(self._cancel_drag))
            panel.hovered.connect(self.hovered)

    def connections(self, window: Window) -> Connections:
        """Signals, and what they do in a window."""
        return (
            (self.header.mirror_asked, window.edits.mirror),
            (self.header.reset_asked, window.edits.reset),
            (self.header.pin_asked, window.edits.pin),
            (self.frame_asked, window.show_frame),
            *((panel.rejected, window.show_problem) for panel in self.axes.values()),
        )

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the shown and edited joints."""
        return self._names

    @property
    def joint(self) -> JointLimit:
        """The shown joint."""
        return self._document.limits.joints[self._names[0]]

    # --- display ------------------------------------------------------------------------------

    def show_joints(self, names: Sequence[str]) -> None:
        """Show the first of these joints; edits apply to all of them."""
        there = self._document.state.limits
        self._names = tuple(n for n in names if there is not None and n in there.joints)
        has_dials = bool(self._names) and not has_no_channels(self._document.limits)
        self.empty.setText(NO_CHANNELS if self._names else "Select a joint in the list.")
        self.empty.setVisible(not has_dials)
        self.area.setVisible(has_dials)
        self.header.setVisible(bool(self._names))
        if self._names:
            self._take_samples()
            self.refresh()

    def _take_samples(self) -> None:
        samples = self._document.samples(self._names[0])
        for channel, panel in self.axes.items():
            known = channel in samples.channels
            column = samples.channels.index(channel) if known else 0
            panel.set_samples(samples.contiguous[:, column] if known else np.zeros(0))

    def refresh(self) -> None:
        """Show the current limits."""
        if not self._names:
            return
        limits, name, joint = self._document.limits, self._names[0], self.joint
        data = self._document.data.joints[name]
        others = [limits.joints[other] for other in self._names[1:]]
        self.header.show_joints(
            self._names,
            joint,
            any(edit.joint in self._names for edit in limits.edits),
            why_not_mirrored(limits, self._names, self._document.partners),
            differing(joint, others),
            limits,
            joint_words(self._document.state.traces, name),
        )
        now = self._pose_deg()
        for place, (channel, panel) in enumerate(self.axes.items()):
            panel.setVisible(channel in joint.limits)
            if channel in joint.limits:
                rest = joint.rest.rotate_deg[place]
                pose = None if now is None else now[place]
                widest = widest_deg(list(limits.joints), name, channel)
                panel.show_axis(joint.limits[channel], data.limits[channel], rest, pose, widest)
                mark_mixed(panel, joint, others)
        self._level()

    def _level(self) -> None:
        """Give the texts of all channels the same height, so that their rows align."""
        panels = [panel for channel, panel in self.axes.items() if channel in self.joint.limits]
        for end in ("min", "max"):
            labels = [panel.sources[end] for panel in panels]
            least = [3 * label.fontMetrics().height() for label in labels]
            needed = [label.heightForWidth(label.width()) for label in labels]
            for label in labels:
                label.setMinimumHeight(max(*least, *needed))

    def resizeEvent(self, event: Any) -> None:
        """Level the texts, which wrap differently."""
        super().resizeEvent(event)
        limits = self._document.state.limits
        if limits is not None and self._names and self._names[0] in limits.joints:
            self._level()

    def show_pose(self, pose: Motion | None) -> None:
        """Show the current values of the channels."""
        self._pose = pose
        if self._names:
            now = self._pose_deg()
            for place, panel in enumerate(self.axes.values()):
                panel.show_pose(None if now is None else now[place])

    def _pose_deg(self) -> tuple[float, float, float] | None:
        """Channels of the joint in the current pose."""
        pose, name = self._pose, self._names[0]
        if pose is None or name not in pose.joint_names or self.joint.frame.kind != "own":
            return None
        values = pose.rotate_deg(name)
        return None if values is None else (values[0, 0], values[0, 1], values[0, 2])

    # --- editing ------------------------------------------------------------------------------

    def _drag(self, channel: str, end: str, value: float) -> None:
        self._gesture = self._gesture or self._document.edit.new_gesture()
        self._document.edit.drag_limit(self._names, channel, end, value, self._gesture)

    def _release(self, channel: str, end: str, value: float) -> None:
        """Finish a drag, which is one undo step."""
        self._drag(channel, end, value)
        self._end_gesture()

    def _cancel_drag(self) -> None:
        """Cancel a drag, for all joints that it changed."""
        if self._gesture:
            self._document.undo_stack.drop(self._gesture)
            self._end_gesture()

    def _nudge(self, channel: str, end: str, value: float) -> None:
        self._drag(channel, end, value)
        self._pause.start()

    def _end_gesture(self) -> None:
        self._gesture = 0

    def _type(self, channel: str, end: str, value: float) -> None:
        try:
            self._document.edit.set_limit(self._names, channel, end, value)
        finally:
            self.refresh()

    def _set_state(self, channel: str, state: str) -> None:
        edit = self._document.edit
        change = {"free": edit.free, "limited": edit.limit, "locked": edit.lock}[state]
        try:
            change(self._names, channel)
        finally:
            self.refresh()

    def set_type(self, kind: str) -> None:
        """Set the type of all shown joints."""
        self._document.edit.set_type(self._names, kind)

    def _source(self, channel: str, end: str) -> tuple[str, float]:
        """Clip and frame of a measured limit."""
        data = self._document.data.joints[self._names[0]].limits[channel]
        source = data.source.min if end == "min" else data.source.max
        if source is None or source.clip is None or source.frame is None:
            raise ValueError("this limit comes from no frame")
        return source.clip, source.frame

    def _show_frame(self, channel: str, end: str) -> None:
        self.frame_asked.emit(*self._source(channel, end))

    def _exclude_frame(self, channel: str, end: str) -> None:
        clip, frame = self._source(channel, end)
        self._document.estimation.exclude_frames(clip, [frame])


def _of(action: Callable[..., None], channel: str) -> Call:
    def call(*arguments: object) -> None:
        action(channel, *arguments)

    call.__name__ = action.__name__
    return call
