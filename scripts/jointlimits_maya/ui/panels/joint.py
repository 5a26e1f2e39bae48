"""Panel for the selected joints: type, actions on whole joints, and channels side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from jointlimits_core.base.text import channel_letter
from jointlimits_core.geometry.euler import CHANNELS
from jointlimits_core.limits import limit_set, ranges, records, vocabulary
from jointlimits_core.motion import joint_names, motion

from ..actions.desk import Desk
from ..document import editing, skeleton_fit
from ..toolkit.qt import (
    ElidedLabel,
    Qt,
    QtCore,
    QtWidgets,
    Signal,
    arrange,
    combo_box,
    has_shift,
    scaled_font,
)
from ..toolkit.words import dependency_line, dependency_list, first_names, shape_words
from .axis import FIELDS_PIXELS, AxisPanel

MIN_DIFFERENCE_DEG = 0.005
"""Values closer together than this look the same in the fields."""
COLUMN_PIXELS, FIELDS_HIGH = 200, 150
"""Minimum width of a channel in a row, and approximate height of its fields."""
PAUSE_MS = 700
"""Keyboard nudges within this time of each other are one undo step."""
NO_CHANNELS = (
    "These limits use the publication's angles (phi, psi, theta), not rotate channels: "
    "there are no dials, and the poses are shown without limits. Estimate measures the "
    "joints in rotate channels."
)


def type_reason(joint: limit_set.JointLimit) -> str:
    """Reason for a joint's type, in one or two sentences."""
    evidence = joint.evidence
    if evidence.sure == "no motion":
        return "No motion, so nothing is known."
    if joint.is_from_people:
        return "Type and limits come from other people; nothing was measured."
    residual = evidence.residual_deg.get(joint.type)
    # An artist may have chosen the runner-up.
    is_clear = evidence.sure == "clear" and evidence.runner_up != joint.type
    sure, name = "Clearly" if is_clear else "Possibly", vocabulary.TYPE_NAMES[joint.type]
    words = f"{sure} {name} ({evidence.samples:,} poses)"
    if residual is not None and joint.type != "ball":
        words += f"; residual {vocabulary.degrees(residual, 2)}"
    if evidence.runner_up and not is_clear:
        words += f"; runner-up: {evidence.runner_up}"
    if joint.hinge is not None and not joint.hinge.is_on_channel:
        off = vocabulary.degrees(joint.hinge.off_channel_deg)
        words += f"; its axis is {off} off {joint.hinge.channel}"
    advice = evidence.settle if evidence.sure == "close" else ""
    settle = f" To confirm the type: {advice}." if advice else ""
    return f"{words}.{settle}"


def mark_mixed(
    panel: AxisPanel, first: limit_set.JointLimit, others: Sequence[limit_set.JointLimit]
) -> bool:
    """Mark a channel's fields that differ between the selected joints; return whether any does."""
    there = [joint.limits[panel.channel] for joint in others if panel.channel in joint.limits]
    own = first.limits[panel.channel]
    is_any = any(own.state != axis.state for axis in there)
    for place, end in enumerate(records.BOUNDS):
        values = [span[place] for span in map(ranges.span_of, (own, *there)) if span is not None]
        mixed = bool(values) and max(values) - min(values) > MIN_DIFFERENCE_DEG
        mixed = mixed or any(
            (ranges.span_of(own) is None) != (ranges.span_of(a) is None) for a in there
        )
        is_any = is_any or mixed
        box, tip = panel.boxes[end], ""
        box.show_mixed(mixed)
        if mixed and values:
            low, high = vocabulary.degrees(min(values)), vocabulary.degrees(max(values))
            tip = f"Selected values range from {low} to {high}; a typed number applies to all."
        box.setToolTip(tip)
    return is_any


class JointPanel(QtWidgets.QWidget):
    """Panel that shows the first of the selected joints and edits all of them."""

    pose_pointed = Signal(str, float)
    """Clip and frame that the limit under the mouse comes from; the clip is "" for none."""

    def __init__(self, desk: Desk, actions: Mapping[str, Any]) -> None:
        super().__init__()
        self._desk, self._document = desk, desk.document
        self._names: tuple[str, ...] = ()
        self._gesture = 0
        self._pause = QtCore.QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self._end_gesture)
        self._pose: motion.Motion | None = None
        self.header = self._make_header(actions)
        self.axes = {channel: AxisPanel(channel) for channel in CHANNELS}
        self.empty = QtWidgets.QLabel(wordWrap=True, alignment=Qt.AlignmentFlag.AlignCenter)
        self.about = QtWidgets.QLabel(wordWrap=True)
        policy = QtWidgets.QSizePolicy.Policy
        for label in (self.empty, self.about):
            label.setSizePolicy(policy.Ignored, label.sizePolicy().verticalPolicy())
        self.shown = QtWidgets.QWidget()
        self._row = QtWidgets.QBoxLayout(QtWidgets.QBoxLayout.Direction.TopToBottom, self.shown)
        arrange(self._row, *((panel, 1) for panel in self.axes.values()), margin=0)
        # A docked panel may be too low for three dials.
        no_frame = QtWidgets.QFrame.Shape.NoFrame
        self.area = QtWidgets.QScrollArea(widgetResizable=True, frameShape=no_frame)
        self.area.setWidget(self.shown)
        self.area.setMinimumSize(200, 70)
        self.area.installEventFilter(self)
        parts = (self.header, (self.empty, 1), (self.area, 1), self.about)
        arrange(QtWidgets.QVBoxLayout(self), *parts, margin=4)
        self._connect()
        self.show_joints(())

    def _make_header(self, actions: Mapping[str, Any]) -> QtWidgets.QWidget:
        """Two fixed rows: one for name and type, one for actions on the whole joint."""
        self.name = ElidedLabel()
        self.name.setFont(scaled_font(self.name.font(), 1.0, bold=True))
        policy = QtWidgets.QSizePolicy.Policy
        self.name.setSizePolicy(policy.Ignored, policy.Preferred)
        tip = "Joint type; the evidence is under Why this type."
        self.type = combo_box(records.JOINT_TYPES, "Type of the joint", tip)
        beside, buttons = Qt.ToolButtonStyle.ToolButtonTextBesideIcon, []
        for name in ("mirror", "pin", "reset"):
            buttons.append(QtWidgets.QToolButton(toolButtonStyle=beside))
            buttons[-1].setDefaultAction(actions[name])
        self.mirror, self.pin, self.reset = buttons
        header = QtWidgets.QWidget()
        first = arrange(QtWidgets.QHBoxLayout(), (self.name, 1), self.type)
        second = arrange(QtWidgets.QHBoxLayout(), *buttons, None)
        arrange(QtWidgets.QVBoxLayout(header), first, second, margin=2)
        return header

    def _connect(self) -> None:
        guard = self._desk.guard
        self.type.activated.connect(guard(lambda index: self.set_type(records.JOINT_TYPES[index])))
        for channel, panel in self.axes.items():
            for signal, slot in (
                (panel.dial.bound_dragged, self.drag),
                (panel.dial.bound_set, self.release),
                (panel.dial.bound_nudged, self.nudge),
                (panel.dial.bound_asked, self.show_frame),
                (panel.dial.bound_pointed, self.point_at),
                (panel.typed, self.set_limit),
                (panel.state_chosen, self.set_state),
                (panel.exclude_asked, self.exclude_frame),
            ):
                signal.connect(guard(partial(slot, channel)))
            panel.dial.drag_cancelled.connect(guard(self.cancel_drag))
            panel.rejected.connect(partial(self._desk.show_message, kind="problem"))

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the joints that are shown and edited."""
        return self._names

    @property
    def joint(self) -> limit_set.JointLimit:
        """The shown joint."""
        return self._document.limits.joints[self._names[0]]

    def show_joints(self, names: Sequence[str]) -> None:
        """Show the first of these joints; edits apply to all of them."""
        there = self._document.state.limits
        self._names = tuple(n for n in names if there is not None and n in there.joints)
        has_dials = bool(self._names) and not editing.has_no_channels(self._document.limits)
        self.empty.setText(NO_CHANNELS if self._names else "Select a joint in the list.")
        self.empty.setVisible(not has_dials)
        self.area.setVisible(has_dials)
        self.header.setVisible(bool(self._names))
        self.about.setVisible(bool(self._names))
        if self._names:
            samples = self._document.samples(self._names[0])
            for channel, panel in self.axes.items():
                known = channel in samples.channels
                column = samples.channels.index(channel) if known else 0
                panel.dial.set_samples(samples.contiguous[:, column] if known else np.zeros(0))
            self.refresh()

    def type_first(self) -> None:
        """Put the cursor in the first limit that is shown."""
        boxes = [box for panel in self.axes.values() for box in panel.boxes.values()]
        box = next((box for box in boxes if box.isVisibleTo(self) and box.isEnabled()), None)
        if box is not None:
            box.setFocus(Qt.FocusReason.ShortcutFocusReason)
            box.selectAll()

    def refresh(self) -> None:
        """Show the current limits."""
        if not self._names:
            return
        limits, name, joint = self._document.limits, self._names[0], self.joint
        data = self._document.data.joints[name]
        others = [limits.joints[other] for other in self._names[1:]]
        self.name.setText(first_names([joint_names.node_name(one) for one in self._names], 1))
        self.name.setToolTip("\n".join(self._names))
        self.type.setCurrentIndex(records.JOINT_TYPES.index(joint.type))
        unlike = ["type"] if any(other.type != joint.type for other in others) else []
        now = self._pose_deg()
        for place, (channel, panel) in enumerate(self.axes.items()):
            panel.setVisible(channel in joint.limits)
            if channel in joint.limits:
                rest = joint.rest.rotate_deg[place]
                pose = None if now is None else now[place]
                widest = vocabulary.widest_deg(list(limits.joints), name, channel)
                panel.show_axis(joint.limits[channel], data.limits[channel], rest, pose, widest)
                if mark_mixed(panel, joint, others):
                    unlike.append(f"rotate {channel_letter(channel)}")
        words = type_reason(joint)
        if unlike:
            words = f"The {limits.noun}s differ in {', '.join(unlike)}; {name} is shown. {words}"
        found = skeleton_fit.joint_words(self._document.state.traces, name)
        also = (found, shape_words(joint), dependency_line(name, limits))
        self.about.setText("\n".join(text for text in (words, *also) if text))
        self.about.setToolTip(dependency_list(name, limits))
        self._arrange()

    def _arrange(self) -> None:
        """Give all the room to the channels that turn: side by side, or one below the other.

        A locked channel gets one row, without a dial.
        """
        limits = self._document.state.limits
        if limits is None or not self._names or self._names[0] not in limits.joints:
            return
        joint = self.joint
        turning = [c for c in self.axes if c in joint.limits and joint.limits[c].state != "locked"]
        room, count = self.area.size(), len(turning)
        # Choose the arrangement with the larger dials.
        in_columns = min(room.width() / max(count, 1), room.height() - FIELDS_HIGH)
        in_rows = min(room.width() - FIELDS_PIXELS, room.height() / max(count, 1))
        fits = room.width() >= count * COLUMN_PIXELS
        is_wide = count > 1 and fits and in_columns > in_rows
        way = QtWidgets.QBoxLayout.Direction
        self._row.setDirection(way.LeftToRight if is_wide else way.TopToBottom)
        locked = [channel for channel in self.axes if channel not in turning]
        for place, channel in enumerate((*turning, *locked)):
            panel = self.axes[channel]
            if self._row.indexOf(panel) != place:
                self._row.insertWidget(place, panel)
            panel.arrange(not is_wide and count > 1, channel not in turning)
            self._row.setStretchFactor(panel, 100 if channel in turning else 0)
        self._row.setAlignment(Qt.AlignmentFlag.AlignTop if not turning else Qt.AlignmentFlag(0))

    def eventFilter(self, watched: Any, event: Any) -> bool:
        """Arrange the channels once the scroll area has its new size."""
        if event.type() == QtCore.QEvent.Type.Resize:
            self._arrange()
        return False

    def show_pose(self, pose: motion.Motion | None) -> None:
        """Show the current values of the channels."""
        self._pose = pose
        if self._names:
            now = self._pose_deg()
            for place, panel in enumerate(self.axes.values()):
                pose_deg = None if now is None else now[place]
                panel.dial.show_state(replace(panel.dial.state, pose=pose_deg))

    def _pose_deg(self) -> tuple[float, float, float] | None:
        pose, name = self._pose, self._names[0]
        if pose is None or name not in pose.joint_names or self.joint.orientation.kind != "own":
            return None
        values = pose.rotate_deg(name)
        return None if values is None else (values[0, 0], values[0, 1], values[0, 2])

    def drag(self, channel: str, end: str, value: float) -> None:
        """Change a limit during a drag."""
        self._gesture = self._gesture or self._document.edit.new_gesture()
        self._document.edit.set_limit(self._names, channel, end, value, self._gesture)

    def release(self, channel: str, end: str, value: float) -> None:
        """Finish a drag, which is one undo step."""
        self.drag(channel, end, value)
        self._end_gesture()

    def cancel_drag(self, *_: object) -> None:
        """Cancel a drag, for all joints that it changed."""
        if self._gesture:
            self._document.undo_stack.drop(self._gesture)
            self._end_gesture()

    def nudge(self, channel: str, end: str, value: float) -> None:
        """Change a limit; changes in quick succession are one undo step."""
        self.drag(channel, end, value)
        self._pause.start()

    def _end_gesture(self) -> None:
        self._gesture = 0

    def set_limit(self, channel: str, end: str, value: float) -> None:
        """Set a limit to a typed value."""
        try:
            self._document.edit.set_limit(self._names, channel, end, value)
        finally:
            self.refresh()

    def set_state(self, channel: str, state: str) -> None:
        """Free, limit or lock a channel."""
        try:
            self._document.edit.set_state(self._names, channel, state)
        finally:
            self.refresh()

    def set_type(self, kind: str) -> None:
        """Set the type of all shown joints."""
        self._document.edit.set_type(self._names, kind)

    def _source(self, channel: str, end: str) -> tuple[str, float]:
        """Clip and frame that a measured limit comes from; raises ValueError if there is none."""
        axis = self._document.data.joints[self._names[0]].limits.get(channel)
        source = None if axis is None or not end else getattr(axis.source, end)
        if source is None or source.clip is None or source.frame is None:
            raise ValueError("this limit does not come from a frame")
        return source.clip, source.frame

    def point_at(self, channel: str, end: str) -> None:
        """Report the frame that the limit under the mouse comes from; `end` is "" for none."""
        place = ("", 0.0)
        with suppress(ValueError):
            place = self._source(channel, end) if self._names else place
        self.pose_pointed.emit(*place)

    def show_frame(self, channel: str, end: str) -> None:
        """Ask to show the frame that a limit comes from."""
        self._desk.frame_asked.emit(*self._source(channel, end))

    def exclude_frame(self, channel: str, end: str) -> None:
        """Exclude the frame that a limit comes from, for the shown joint unless Shift is held."""
        clip, frame = self._source(channel, end)
        joints = () if has_shift() else self._names[:1]
        self._document.estimation.exclude_run(clip, frame, frame, joints)
