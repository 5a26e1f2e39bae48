"""Time panel: channels of the selected joint over a clip, or all joints outside their limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from jointlimits_core.base.text import channel_letter
from jointlimits_core.geometry.arrays import Floats
from jointlimits_core.geometry.euler import CHANNELS
from jointlimits_core.limits.groups import joint_groups
from jointlimits_core.limits.ranges import span_of
from jointlimits_core.motion.joint_names import node_name
from jointlimits_core.motion.motion import Motion
from jointlimits_core.report.figures.samples import on_branch, rotates_of

from ..actions.desk import Desk
from ..document import clamping, skeleton_fit
from ..plots import strip, strip_layout
from ..toolkit.qt import Qt, QtWidgets, arrange, combo_box, has_shift
from ..toolkit.words import frame_number, short_name

MAX_BESIDE = 12
"""Maximum number of characters of a joint's name on a button."""
JOINT, GROUP, OUTSIDE = range(3)
"""Rows: the channels of the selected joint or of its group, or the joints outside their limits."""


class StripPanel(QtWidgets.QWidget):
    """The strip, with choices for its clip and its rows."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk, self._document = desk, desk.document
        self._name: str | None = None
        self._clamping: clamping.ClampingResult | None = None
        self._chosen: tuple[float, float] | None = None
        self.strip = strip.TimeStrip()
        self.clip = combo_box((), "Clip")
        tip = "Choose what the rows show. “Preview clamping” lists joints outside their limits."
        self.rows = combo_box(["selection", "its group", "all outside"], "Rows", tip)
        for box in (self.clip, self.rows):  # full width if there is room, cut off when docked
            box.setSizeAdjustPolicy(QtWidgets.QComboBox.SizeAdjustPolicy.AdjustToContents)
            box.setMinimumWidth(70)
        tip = "Shift-drag on the strip to choose frames."
        self.exclude = QtWidgets.QPushButton(
            "Exclude chosen frames", toolTip=tip, enabled=False, minimumWidth=70
        )
        row = arrange(QtWidgets.QHBoxLayout(), self.clip, self.rows, None, self.exclude)
        column = arrange(QtWidgets.QVBoxLayout(self), row, (self.strip, 1), margin=2)
        # Shown instead of the strip when a clip is open but has no rows.
        self.nothing = QtWidgets.QLabel(wordWrap=True, alignment=Qt.AlignmentFlag.AlignCenter)
        column.addWidget(self.nothing, 1)
        self.nothing.hide()
        self.clip.activated.connect(lambda _: self.show_rows())
        self.rows.activated.connect(lambda _: self.show_rows())
        self.exclude.clicked.connect(desk.guard(self.exclude_chosen))
        self.strip.frame_asked.connect(
            lambda frame: desk.frame_asked.emit(self.clip.currentData(), frame)
        )
        self.strip.row_clicked.connect(self.select_row)
        self.strip.range_chosen.connect(self.choose)

    @property
    def clip_now(self) -> Motion | None:
        """The shown clip."""
        clips = {clip.name: clip for clip in self._document.clips}
        return clips.get(self.clip.currentData())

    def show_clips(self) -> None:
        """Offer the open clips."""
        before = self.clip.currentData()
        self.clip.clear()
        for clip in self._document.clips:
            self.clip.addItem(short_name(clip.name), clip.name)
            self.clip.setItemData(self.clip.count() - 1, clip.name, Qt.ItemDataRole.ToolTipRole)
        self.clip.setCurrentIndex(max(self.clip.findData(before), 0))

    def show_joints(self, names: Sequence[str]) -> None:
        """Show the first of these joints."""
        self._name = names[0] if names else None
        self.show_rows()

    def show_clamping(self, found: clamping.ClampingResult | None) -> None:
        """Show the result of a clamping preview; it is None once the limits have changed."""
        self._clamping = found
        self.show_rows()

    def show_frame(self, clip: str, frame: float) -> None:
        """Show a frame of a clip."""
        place = self.clip.findData(clip)
        if place >= 0 and place != self.clip.currentIndex():
            self.clip.setCurrentIndex(place)
            self.show_rows()
        self.strip.set_frame(frame)

    def show_rows(self) -> None:
        """Show the chosen rows, or the reason why there are none."""
        self.clip.setToolTip(self.clip.currentData() or "")
        if self._chosen is not None and self.exclude.isEnabled():
            self.choose(*self._chosen)  # for the joint shown now
        clip, name, rows = self.clip_now, self._name, None
        if clip is not None and self.rows.currentIndex() == OUTSIDE:
            rows = self._rows_outside(clip)
        elif clip is not None and name is not None and name in clip.joint_names:
            rows = self._rows_of_joints(clip, self._joints_of_rows(clip, name))
        self.strip.set_rows(rows or strip_layout.NO_ROWS)
        has_rows = clip is None or (rows is not None and rows.count > 0)
        text = "" if has_rows or clip is None else self.empty_reason(clip)
        self.nothing.setText(text)
        self.nothing.setVisible(bool(text))
        self.strip.setVisible(not text)
        limits = self._document.state.limits
        if limits is None or clip is None:
            return
        own = limits.joints[name].findings if name and name in limits.joints else ()
        left_out = [item for item in (*limits.findings, *own) if item.left_out]
        here = [item.frame_ranges for item in left_out if item.clip in (None, clip.name)]
        self.strip.hatch_excluded([stretch for stretches in here for stretch in stretches])

    def empty_reason(self, clip: Motion) -> str:
        """Reason why a clip has no rows, and the next step."""
        noun = self._document.noun
        if self.rows.currentIndex() == OUTSIDE:
            if self._clamping is None:
                return f"Press Preview clamping to see which {noun}s are outside their limits."
            return f"No {noun} is outside its limits in {clip.name}."
        if self._name is None:
            return f"Select a {noun} in the list."
        if self._name not in clip.joint_names:
            return f"{clip.name} has no {noun} {self._name}."
        return (
            f"The limits of {self._name} are not on rotate channels, so there are no curves to "
            "compare with them. Estimate measures the joints in rotate channels."
        )

    def _joints_of_rows(self, clip: Motion, name: str) -> list[str]:
        """The joint, or all joints of its group that are in the clip."""
        joints = self._document.limits.joints
        groups = joint_groups({one: limit.parent for one, limit in joints.items()})
        if self.rows.currentIndex() == GROUP:
            names = next((names for names in groups.values() if name in names), (name,))
            return [one for one in names if one in clip.joint_names]
        return [name]

    def _rows_of_joints(self, clip: Motion, names: Sequence[str]) -> strip_layout.Rows | None:
        """Rows of the channels of a joint, or of those of several joints that are not locked."""
        found: list[tuple[str, Floats, tuple[float, float] | None]] = []
        for name in names:
            joint, data = (of.joints[name] for of in (self._document.limits, self._document.data))
            if not set(CHANNELS) <= set(joint.limits):
                continue
            angles = on_branch(rotates_of(clip, clip.skeleton.index(name), data), data)
            short = "rotate" if len(names) == 1 else node_name(name)
            found += [
                (f"{short} {channel_letter(channel)}", values, span_of(joint.limits[channel]))
                for channel, values in zip(CHANNELS, np.degrees(angles).T)
                if len(names) == 1 or joint.limits[channel].state != "locked"
            ]
        if not found:
            return None
        labels, values, ranges = zip(*found)
        beyond = [
            0.0 * row if span is None else np.maximum(span[0] - row, row - span[1]).clip(0.0)
            for _, row, span in found
        ]
        rows = strip_layout.Rows(labels, clip.frames, np.array(beyond), np.array(values), ranges)
        trace = self._document.state.traces.get(clip.name, {}).get(names[0])
        return rows if trace is None or len(names) > 1 else with_gap(rows, trace)

    def _rows_outside(self, clip: Motion) -> strip_layout.Rows | None:
        found = self._clamping
        for one in found.clips if found is not None else ():
            if one.violations.clip == clip.name:
                seen = one.violations
                kept = np.flatnonzero(seen.is_outside.any(axis=1))
                labels = tuple(seen.joints[row] for row in kept)
                return strip_layout.Rows(labels, seen.frames, seen.outside_deg[kept])
        return None

    def select_row(self, row: int) -> None:
        """Ask to select the joint of a row, if the rows are the joints outside."""
        clip = self.clip_now
        rows = None if clip is None else self._rows_outside(clip)
        if self.rows.currentIndex() == OUTSIDE and rows is not None and row < rows.count:
            self._desk.joints_asked.emit([rows.labels[row]])

    def choose(self, first: float, last: float) -> None:
        """Offer to exclude a run of frames: of the joint in the rows, or else of all joints."""
        self._chosen = (first, last)
        text = f"Exclude frames {frame_number(first)} to {frame_number(last)}"
        joint = self._joint_of_rows
        self.exclude.setText(f"{text} of {short_name(joint, MAX_BESIDE)}" if joint else text)
        whole = f"Exclude them for {joint}; Shift-click excludes them for the whole body."
        self.exclude.setToolTip(whole if joint else "Exclude them for the whole body.")
        self.exclude.setEnabled(True)

    @property
    def _joint_of_rows(self) -> str | None:
        """Joint that the rows show; None if they show several joints."""
        return self._name if self.rows.currentIndex() == JOINT else None

    def exclude_chosen(self, *_: object) -> None:
        """Exclude the chosen frames, for the shown joint unless Shift is held."""
        if self.clip_now is not None and self._chosen is not None:
            self.exclude.setEnabled(False)
            joint = None if has_shift() else self._joint_of_rows
            joints = (joint,) if joint else ()
            self._document.estimation.exclude_run(self.clip_now.name, *self._chosen, joints)


def with_gap(rows: strip_layout.Rows, trace: skeleton_fit.Trace) -> strip_layout.Rows:
    """Rows of a joint, preceded by a row for the gap between its two bodies."""
    assert rows.values is not None
    gap = trace.gap_at(rows.frames)[None]
    return replace(
        rows,
        labels=("gap", *rows.labels),
        outside_deg=np.concatenate([np.zeros_like(gap), rows.outside_deg]),
        values=np.concatenate([gap, rows.values]),
        ranges=(None, *rows.ranges),
        has_gap=True,
        marks=trace.slips,
    )
