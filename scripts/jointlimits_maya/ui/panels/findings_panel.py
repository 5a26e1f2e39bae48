"""Panel of warnings and notes: about the selected joint first, then about the clips."""

from __future__ import annotations

from collections.abc import Sequence

from jointlimits_core.findings import Finding
from jointlimits_core.limits.limit_set import LimitSet

from ..qt import QtWidgets, Signal
from ..words import frame_number, tr
from .listing import Listing


class FindingsPanel(QtWidgets.QWidget):
    """List of findings; a row with frames leads to the first of them."""

    frame_asked = Signal(str, float)

    def __init__(self, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent)
        self.list = Listing([tr("joint"), tr("what"), tr("clip"), tr("frames")], tr("Notes"))
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
        self.list.set_rows((_texts(item), item) for item in (*own, *limit_set.findings))

    def _on_row(self, item: Finding) -> None:
        if item.clip is not None and item.frame_ranges:
            self.frame_asked.emit(item.clip, item.frame_ranges[0][0])


def _texts(item: Finding) -> tuple[str, str, str, str]:
    ranges = [
        "\N{EN DASH}".join(frame_number(frame) for frame in dict.fromkeys(stretch))
        for stretch in item.frame_ranges[:3]
    ]
    more = len(item.frame_ranges) - 3
    frames = ", ".join(ranges) + (tr(" and {count} more", count=more) if more > 0 else "")
    return item.joint or tr("all"), item.message, item.clip or "", frames
