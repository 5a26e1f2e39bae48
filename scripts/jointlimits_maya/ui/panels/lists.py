"""Panel of the clamping preview: runs of frames that would change, worst first.

Plain table whose rows lead somewhere.

Panel of differences from a limit set in a file, or from other options.

Panel of warnings and notes: about the selected joint first, then about the clips.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from jointlimits_core.base import Finding
from jointlimits_core.limits import Change, LimitDiff, LimitSet, diff_text

from ..document import ClampedFrames, ClampingResult
from ..toolkit import Qt, QtWidgets, Signal, counted, degrees, frame_number
from .tabs import tab

DATA = Qt.ItemDataRole.UserRole


class Listing(QtWidgets.QTreeWidget):
    """Rows with one data item each; clicking a row, or Enter, emits it."""

    chosen = Signal(object)

    def __init__(
        self, columns: Sequence[str], name: str, parent: QtWidgets.QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setHeaderLabels(list(columns))
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        self.setAlternatingRowColors(True)
        self.setAccessibleName(name)
        self.itemClicked.connect(self._on_item)
        self.itemActivated.connect(self._on_item)

    def set_rows(self, rows: Iterable[tuple[Sequence[str], Any]]) -> None:
        """Show these rows, each with its data."""
        self.clear()
        items = []
        for texts, data in rows:
            item = QtWidgets.QTreeWidgetItem(list(texts))
            item.setData(0, DATA, data)
            for column, text in enumerate(texts):
                item.setToolTip(column, text)
            items.append(item)
        self.addTopLevelItems(items)
        for column in range(self.columnCount() - 1):
            self.resizeColumnToContents(column)

    def _on_item(self, item: Any, _column: int = 0) -> None:
        self.chosen.emit(item.data(0, DATA))


@tab(60, "compare", "Compare")
class ComparePanel(QtWidgets.QWidget):
    """List of differences; a preview can be applied."""

    joint_asked = Signal(str)
    taken = Signal()

    def __init__(self, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent)
        self.summary = QtWidgets.QLabel("Nothing to compare: press Compare or Preview.")
        self.summary.setWordWrap(True)
        self.take = QtWidgets.QPushButton("Use these")
        self.take.hide()
        self.list = Listing(
            ["joint", "what", "before", "after", "by", "why"],
            "Differences",
        )
        self.take.clicked.connect(self.taken)
        self.list.chosen.connect(self._on_row)
        row = QtWidgets.QHBoxLayout()
        row.addWidget(self.summary, 1)
        row.addWidget(self.take)
        column = QtWidgets.QVBoxLayout(self)
        column.addLayout(row)
        column.addWidget(self.list, 1)

    def show_diff(self, found: LimitDiff, title: str, can_take: bool) -> None:
        """Show differences; `can_take` offers to apply them."""
        self.list.set_rows((_change_texts(change), change) for change in found.changes)
        count = counted(len(found.changes), "{count} difference", "{count} differences")
        self.summary.setText(f"{title}: {count}")
        self.summary.setToolTip(diff_text(found).splitlines()[0])
        self.take.setVisible(can_take)

    def _on_row(self, change: Change) -> None:
        if change.joint is not None:
            self.joint_asked.emit(change.joint)


def _change_texts(change: Change) -> tuple[str, ...]:
    what = " ".join(part for part in (change.channel, change.what) if part)
    by = "" if change.by_deg is None else degrees(change.by_deg)
    before, after = (_shown(value) for value in (change.before, change.after))
    return change.joint or "all", what, before, after, by, change.why


def _shown(value: object) -> str:
    if value is None:
        return "\N{EN DASH}"
    return degrees(value) if isinstance(value, float) else str(value)


@tab(30, "findings", "Notes")
class FindingsPanel(QtWidgets.QWidget):
    """List of findings; a row with frames leads to the first of them."""

    frame_asked = Signal(str, float)

    def __init__(self, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent)
        self.list = Listing(["joint", "what", "clip", "frames"], "Notes")
        self.list.setWordWrap(True)
        self.list.chosen.connect(self._on_row)
        column = QtWidgets.QVBoxLayout(self)
        column.addWidget(self.list)

    def show_findings(self, limit_set: LimitSet | None, joints: Sequence[str]) -> None:
        """Show findings about joints, then those about everything."""
        if limit_set is None:
            self.list.set_rows(())
            return
        own = [f for name in joints for f in limit_set.joints[name].findings]
        self.list.set_rows((_finding_texts(item), item) for item in (*own, *limit_set.findings))

    def _on_row(self, item: Finding) -> None:
        if item.clip is not None and item.frame_ranges:
            self.frame_asked.emit(item.clip, item.frame_ranges[0][0])


def _finding_texts(item: Finding) -> tuple[str, str, str, str]:
    ranges = [
        "\N{EN DASH}".join(frame_number(frame) for frame in dict.fromkeys(stretch))
        for stretch in item.frame_ranges[:3]
    ]
    more = len(item.frame_ranges) - 3
    frames = ", ".join(ranges) + (f" and {more} more" if more > 0 else "")
    return item.joint or "all", item.message, item.clip or "", frames


MOST_ROWS = 500


@tab(20, "clamping", "Clamping")
class ClampingPanel(QtWidgets.QWidget):
    """List of runs, with actions on a row."""

    asked = Signal()
    shown_asked = Signal(str, str, float)
    """Joint, clip and frame to show."""
    exclude_asked = Signal(str, float, float)
    """Clip, first and last frame to exclude."""

    def __init__(self, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent)
        self.summary = QtWidgets.QLabel()
        self.summary.setWordWrap(True)
        self.again = QtWidgets.QPushButton("Preview clamping")
        self.exclude = QtWidgets.QPushButton("Exclude these frames")
        self.exclude.setToolTip("Exclude the frames of the row, and measure again.")
        self.list = Listing(
            ["joint", "clip", "frames", "worst", "at frame"],
            "Frames that limits would change",
        )
        self.again.clicked.connect(self.asked)
        self.exclude.clicked.connect(self._on_exclude)
        self.list.chosen.connect(self._on_row)
        row = QtWidgets.QHBoxLayout()
        row.addWidget(self.summary, 1)
        row.addWidget(self.exclude)
        row.addWidget(self.again)
        column = QtWidgets.QVBoxLayout(self)
        column.addLayout(row)
        column.addWidget(self.list, 1)
        self._now: ClampedFrames | None = None
        self.forget()

    def show_clamping(self, found: ClampingResult) -> None:
        """Show the result of a clamping preview."""
        shown = found.frames[:MOST_ROWS]
        self.list.set_rows((_clamped_texts(run), run) for run in shown)
        self._now = None
        self.exclude.setEnabled(False)
        if not found.frames:
            self.summary.setText("Every frame of every clip is inside: Apply changes no pose.")
            return
        text = counted(found.frames_clamped, "{count} frame would change.",
                       "{count} frames would change.")  # fmt: skip
        text += _moved(found)
        if len(found.frames) > MOST_ROWS:
            text += f" The worst {MOST_ROWS} rows are shown."
        self.summary.setText(text)

    def forget(self) -> None:
        """Show that the current limits have no preview yet."""
        self.list.set_rows(())
        self.exclude.setEnabled(False)
        self.summary.setText("No preview with these limits yet.")

    def _on_row(self, run: ClampedFrames) -> None:
        self._now = run
        self.exclude.setEnabled(True)
        self.shown_asked.emit(run.joint, run.clip, run.worst_frame)

    def _on_exclude(self) -> None:
        if self._now is not None:
            self.exclude_asked.emit(self._now.clip, self._now.first, self._now.last)


def _clamped_texts(run: ClampedFrames) -> tuple[str, ...]:
    frames = frame_number(run.first)
    if run.last != run.first:
        frames = f"{frames}\N{EN DASH}{frame_number(run.last)}"
    return run.joint, run.clip, frames, degrees(run.worst_deg), frame_number(run.worst_frame)


def _moved(found: ClampingResult) -> str:
    """Largest movement of the end of a limb."""
    ends = [(end, one.rehearsal) for one in found.clips for end in one.rehearsal.effectors]
    if not ends:
        return ""
    end, _ = max(ends, key=lambda pair: pair[0].distance)
    frame = frame_number(end.frame)
    return f" {end.joint} would move furthest: {end.distance:.3g} units at frame {frame}."
