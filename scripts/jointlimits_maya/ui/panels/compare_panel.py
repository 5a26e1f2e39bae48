"""Panel of differences from a limit set in a file, or from other options."""

from __future__ import annotations

from jointlimits_core.limits.diff import Change, LimitDiff
from jointlimits_core.limits.diff_text import diff_text

from ..qt import QtWidgets, Signal
from ..words import counted, degrees, tr
from .listing import Listing


class ComparePanel(QtWidgets.QWidget):
    """List of differences; a preview can be applied."""

    joint_asked = Signal(str)
    taken = Signal()

    def __init__(self, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent)
        self.summary = QtWidgets.QLabel(tr("Nothing to compare: press Compare or Preview."))
        self.summary.setWordWrap(True)
        self.take = QtWidgets.QPushButton(tr("Use these"))
        self.take.hide()
        self.list = Listing(
            [tr("joint"), tr("what"), tr("before"), tr("after"), tr("by"), tr("why")],
            tr("Differences"),
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
        self.list.set_rows((_texts(change), change) for change in found.changes)
        count = counted(len(found.changes), "{count} difference", "{count} differences")
        self.summary.setText(f"{title}: {count}")
        self.summary.setToolTip(diff_text(found).splitlines()[0])
        self.take.setVisible(can_take)

    def _on_row(self, change: Change) -> None:
        if change.joint is not None:
            self.joint_asked.emit(change.joint)


def _texts(change: Change) -> tuple[str, ...]:
    what = " ".join(part for part in (change.channel, change.what) if part)
    by = "" if change.by_deg is None else degrees(change.by_deg)
    before, after = (_shown(value) for value in (change.before, change.after))
    return change.joint or tr("all"), what, before, after, by, change.why


def _shown(value: object) -> str:
    if value is None:
        return "\N{EN DASH}"
    return degrees(value) if isinstance(value, float) else str(value)
