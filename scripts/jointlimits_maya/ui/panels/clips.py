"""Panel of the clips: which ones count, and which of their frames are excluded."""

from __future__ import annotations

from typing import Any

from ..document import Document
from ..toolkit import Qt, QtWidgets, Signal, counted, frame_number
from .tabs import tab

NAME = Qt.ItemDataRole.UserRole


@tab(40, "clips", "Clips")
class ClipsPanel(QtWidgets.QWidget):
    """List with a check box for each clip."""

    clip_switched = Signal(str, bool)
    include_asked = Signal(str)
    add_asked = Signal()
    _ticked = Signal(str, bool)

    def __init__(self, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent)
        self.list = QtWidgets.QTreeWidget()
        self.list.setHeaderLabels(["clip", "frames", "excluded frames"])
        self.list.setRootIsDecorated(False)
        self.list.setAccessibleName("Clips")
        self.list.setToolTip("Unticked clips are excluded from the estimate.")
        self.list.itemChanged.connect(self._on_changed)
        # Queued: the row must not be removed while Qt still changes it.
        self._ticked.connect(self.clip_switched, Qt.ConnectionType.QueuedConnection)
        self.back = QtWidgets.QPushButton("Include excluded frames")
        self.back.clicked.connect(self._on_back)
        self.add = QtWidgets.QPushButton("Add clips...")
        self.add.clicked.connect(self.add_asked)
        row = QtWidgets.QHBoxLayout()
        row.addWidget(self.add)
        row.addStretch(1)
        row.addWidget(self.back)
        column = QtWidgets.QVBoxLayout(self)
        column.addWidget(self.list, 1)
        column.addLayout(row)

    def show_clips(self, document: Document) -> None:
        """Show the open clips and exclusions."""
        self.list.blockSignals(True)
        self.list.clear()
        for clip in document.clips:
            frames = document.excluded.frames_of(clip.name)
            numbers = ", ".join(frame_number(frame) for frame in frames[:6])
            more = f" and {len(frames) - 6} more" if len(frames) > 6 else ""
            item = QtWidgets.QTreeWidgetItem([clip.name, f"{clip.frame_count:,}", numbers + more])
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            off = clip.name in document.excluded.clips
            item.setCheckState(0, Qt.CheckState.Unchecked if off else Qt.CheckState.Checked)
            item.setData(0, NAME, clip.name)
            self.list.addTopLevelItem(item)
        for name in document.clips_not_open:
            item = QtWidgets.QTreeWidgetItem([f"{name} (not open)", "", ""])
            item.setDisabled(True)
            self.list.addTopLevelItem(item)
        self.list.resizeColumnToContents(0)
        self.list.blockSignals(False)
        count = len(document.excluded.frames)
        self.back.setEnabled(bool(count))
        self.back.setToolTip(counted(count, "{count} frame excluded", "{count} frames excluded"))

    def _on_changed(self, item: Any, _column: int) -> None:
        on = item.checkState(0) == Qt.CheckState.Checked
        self._ticked.emit(item.data(0, NAME), on)

    def _on_back(self) -> None:
        for row in range(self.list.topLevelItemCount()):
            item = self.list.topLevelItem(row)
            if item.text(2):
                self.include_asked.emit(item.data(0, NAME))
