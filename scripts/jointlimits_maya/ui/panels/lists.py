"""Tabs with lists: differences, warnings and notes, the clamping preview, and the clips."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jointlimits_core.base.findings import Finding
from jointlimits_core.limits.diff import Change, LimitDiff, diff_text
from jointlimits_core.limits.limit_set import LimitSet
from jointlimits_core.limits.vocabulary import degrees

from ..actions.desk import Desk
from ..document.clamping import ClampedFrames, ClampingResult
from ..document.estimating import Preview
from ..toolkit.qt import Qt, QtWidgets, Signal, arrange, has_shift
from ..toolkit.words import MAX_NAME, counted, first_names, frame_number, rollback

DATA = Qt.ItemDataRole.UserRole
WHAT = "what"
"""Heading of the column that is always shown."""
MAX_ROWS = 500
"""Maximum number of runs of frames in the list."""


def fit_column(listed: QtWidgets.QTreeWidget, column: int) -> None:
    """Make a column as wide as its texts, up to a long name; longer ones lose their middle."""
    listed.setTextElideMode(Qt.TextElideMode.ElideMiddle)
    listed.resizeColumnToContents(column)
    widest = MAX_NAME * listed.fontMetrics().averageCharWidth()
    listed.setColumnWidth(column, min(listed.columnWidth(column), widest))


class ListPanel(QtWidgets.QWidget):
    """Rows with one data item each, below a summary and some buttons.

    Clicking a row or pressing Enter calls `on_row` with the row's data.
    """

    def __init__(
        self, columns: Sequence[str], name: str, *buttons: QtWidgets.QPushButton, text: str = ""
    ) -> None:
        super().__init__()
        self.summary = QtWidgets.QLabel(text, wordWrap=True)
        self.list = QtWidgets.QTreeWidget(
            accessibleName=name,
            rootIsDecorated=False,
            uniformRowHeights=True,
            allColumnsShowFocus=True,
            alternatingRowColors=True,
        )
        self.list.setHeaderLabels(list(columns))
        # Not a lambda: it would keep the panel alive.
        self.list.itemClicked.connect(self._on_item)
        self.list.itemActivated.connect(self._on_item)
        row = arrange(QtWidgets.QHBoxLayout(), (self.summary, 1), *buttons)
        arrange(QtWidgets.QVBoxLayout(self), row, (self.list, 1))

    def _on_item(self, item: Any, _column: int = 0) -> None:
        self.on_row(item.data(0, DATA))

    def set_rows(self, rows: Sequence[tuple[Sequence[str], Any]]) -> None:
        """Show these rows, each with its data; hide columns that repeat one value."""
        self.list.clear()
        for texts, data in rows:
            item = QtWidgets.QTreeWidgetItem(self.list, list(texts))
            item.setData(0, DATA, data)
            for column, text in enumerate(texts):
                item.setToolTip(column, text)
        for column in range(self.list.columnCount()):
            is_alike = len(rows) > 1 and len({texts[column] for texts, _ in rows}) == 1
            is_what = self.list.headerItem().text(column) == WHAT
            self.list.setColumnHidden(column, is_alike and not is_what)
            if column < self.list.columnCount() - 1:
                fit_column(self.list, column)

    def on_row(self, data: Any) -> None:
        """React to a click on the row with this data."""
        raise NotImplementedError


class ComparePanel(ListPanel):
    """List of differences, which can be applied if they come from a preview."""

    def __init__(self, desk: Desk) -> None:
        self.take = QtWidgets.QPushButton("Use these")
        self.take.hide()
        self._desk = desk
        self._preview: Preview | None = None
        super().__init__(
            ["name", WHAT, "before", "after", "by", "why"],
            "Differences",
            self.take,
            text="Nothing to compare: press Compare or Preview.",
        )
        self.take.clicked.connect(desk.guard(self.apply))

    def show_diff(self, found: LimitDiff, title: str, preview: Preview | None = None) -> None:
        """Show differences; `preview`: the preview that they come from, which can be applied."""
        self._preview = preview
        rows = []
        for change in found.changes:
            what = " ".join(part for part in (change.channel, change.what) if part)
            by = "" if change.by_deg is None else degrees(change.by_deg)
            before, after = map(_value_text, (change.before, change.after))
            rows.append(((change.joint or "all", what, before, after, by, change.why), change))
        self.set_rows(rows)
        count = counted(len(found.changes), "difference")
        self.summary.setText(f"{title}: {count}")
        self.summary.setToolTip(diff_text(found).splitlines()[0])
        self.take.setVisible(preview is not None)

    def apply(self, *_: object) -> None:
        """Apply the preview, once."""
        preview, self._preview = self._preview, None
        if preview is not None:
            self._desk.document.estimation.take_preview(preview)

    def on_row(self, change: Change) -> None:
        """Ask to select the joint of a change."""
        if change.joint is not None:
            self._desk.joints_asked.emit([change.joint])


class FindingsPanel(ListPanel):
    """List of findings; clicking a row shows the first frame of the finding."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(["name", WHAT, "clip", "frames"], "Notes")
        self._desk = desk
        self.list.setWordWrap(True)

    def show_findings(self, limit_set: LimitSet | None, joints: Sequence[str]) -> None:
        """Show findings about joints, then general findings."""
        if limit_set is None:
            self.set_rows(())
            return
        own = [f for name in joints for f in limit_set.joints[name].findings]
        rows = []
        for item in (*own, *limit_set.findings):
            frames = first_names([_stretch_text(stretch) for stretch in item.frame_ranges], 3)
            rows.append(((item.joint or "all", item.message, item.clip or "", frames), item))
        self.set_rows(rows)

    def on_row(self, item: Finding) -> None:
        """Ask to show the first frame of a finding."""
        if item.clip is not None and item.frame_ranges:
            self._desk.frame_asked.emit(item.clip, item.frame_ranges[0][0])


class ClampingPanel(ListPanel):
    """List of the runs of frames that limits would change; a run can be excluded."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        tip = (
            "Exclude the row's frames for its joint, and measure again. Shift-click excludes "
            "them for the whole body."
        )
        self.exclude = QtWidgets.QPushButton("Exclude these frames", toolTip=tip)
        super().__init__(
            ["name", "clip", "frames", "worst", "at frame"],
            "Frames that limits would change",
            self.exclude,
        )
        self.exclude.clicked.connect(desk.guard(self.exclude_run))
        self._now: ClampedFrames | None = None
        self.forget()

    def show_clamping(self, found: ClampingResult) -> None:
        """Show the result of a clamping preview."""
        rows = []
        for run in found.frames[:MAX_ROWS]:
            frames, worst = _stretch_text((run.first, run.last)), frame_number(run.worst_frame)
            rows.append(((run.joint, run.clip, frames, degrees(run.worst_deg), worst), run))
        self.set_rows(rows)
        self._now = None
        self.exclude.setEnabled(False)
        if not found.frames:
            self.summary.setText("Every frame is inside the limits: Apply changes no pose.")
            return
        count = sum(one.preview.frames_clipped for one in found.clips)
        text = f"{counted(count, 'frame')} would change."
        ends = [end for one in found.clips for end in one.preview.effectors]
        if ends:
            end = max(ends, key=lambda end: end.distance)
            place = f"{end.distance:.3g} units at frame {frame_number(end.frame)}"
            text += f" {end.joint} would move furthest: {place}."
        if len(found.frames) > MAX_ROWS:
            text += f" The worst {MAX_ROWS} rows are shown."
        self.summary.setText(text)

    def forget(self) -> None:
        """Show that there is no preview of the current limits yet."""
        self.set_rows(())
        self.exclude.setEnabled(False)
        self.summary.setText("No preview with these limits yet: press Preview clamping above.")

    def on_row(self, run: ClampedFrames) -> None:
        """Ask to show the worst frame of a run."""
        self._now = run
        self.exclude.setEnabled(True)
        self._desk.joints_asked.emit([run.joint])
        self._desk.frame_asked.emit(run.clip, run.worst_frame)

    def exclude_run(self, *_: object) -> None:
        """Exclude the frames of the chosen row."""
        now, estimation = self._now, self._desk.document.estimation
        if now is not None:
            joints = () if has_shift() else (now.joint,)
            estimation.exclude_run(now.clip, now.first, now.last, joints)


def _value_text(value: object) -> str:
    if value is None:
        return "\N{EN DASH}"
    return degrees(value) if isinstance(value, float) else str(value)


def _stretch_text(stretch: Sequence[float]) -> str:
    """First and last frame, or the single frame."""
    return "\N{EN DASH}".join(frame_number(frame) for frame in dict.fromkeys(stretch))


class ClipsPanel(QtWidgets.QWidget):
    """List with a check box for each clip."""

    _ticked, _clip_switched = Signal(str, bool), Signal(str, bool)

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._document = desk.document
        tip = "Unticked clips are excluded from the estimate."
        self.list = QtWidgets.QTreeWidget(
            rootIsDecorated=False, accessibleName="Clips", toolTip=tip
        )
        self.list.setHeaderLabels(["clip", "frames", "excluded frames"])
        self.list.itemChanged.connect(
            lambda item, _column: self._ticked.emit(
                item.data(0, DATA), item.checkState(0) == Qt.CheckState.Checked
            )
        )
        # Queued: the row must not be removed while Qt is still changing it.
        self._ticked.connect(self._clip_switched, Qt.ConnectionType.QueuedConnection)
        self._clip_switched.connect(desk.guard(self.switch_clip))
        self.back = QtWidgets.QPushButton("Include excluded frames")
        self.back.clicked.connect(desk.guard(self.include_all))
        self.add = QtWidgets.QPushButton("Add clips...")
        row = arrange(QtWidgets.QHBoxLayout(), self.add, None, self.back)
        arrange(QtWidgets.QVBoxLayout(self), (self.list, 1), row)

    def switch_clip(self, clip: str, on: bool) -> None:
        """Include or exclude a clip; if that fails, its tick is reset."""
        estimation = self._document.estimation
        with rollback(self.show_clips):
            (estimation.include_clip if on else estimation.exclude_clip)(clip)

    def show_clips(self) -> None:
        """Show the open clips and exclusions."""
        document, excluded = self._document, self._document.state.excluded
        self.list.blockSignals(True)
        self.list.clear()
        for clip in document.clips:
            frames = excluded.frames_of(clip.name)
            numbers = [frame_number(frame) for frame in frames.pop("", ())]
            numbers += [
                f"{joint}: {counted(len(own), 'frame') if len(own) < clip.frame_count else 'all'}"
                for joint, own in frames.items()
            ]
            texts = [clip.name, f"{clip.frame_count:,}", first_names(numbers, 6)]
            item = QtWidgets.QTreeWidgetItem(texts)
            item.setToolTip(0, clip.name)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            is_off = clip.name in excluded.clips
            item.setCheckState(0, Qt.CheckState.Unchecked if is_off else Qt.CheckState.Checked)
            item.setData(0, DATA, clip.name)
            self.list.addTopLevelItem(item)
        for name in document.clips_not_open:
            item = QtWidgets.QTreeWidgetItem([f"{name} (not open)", "", ""])
            item.setDisabled(True)
            self.list.addTopLevelItem(item)
        fit_column(self.list, 0)
        self.list.blockSignals(False)
        count = len(excluded.every_frame)
        self.back.setEnabled(bool(count))
        self.back.setToolTip(f"{counted(count, 'frame')} excluded")

    def include_all(self, *_: object) -> None:
        """Include all excluded frames."""
        excluded = self._document.state.excluded
        for clip in self._document.clips:
            if any(name == clip.name for name, _ in excluded.every_frame):
                self._document.estimation.include_frames(clip.name)
