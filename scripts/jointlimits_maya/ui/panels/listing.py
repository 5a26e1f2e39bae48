"""Plain table whose rows lead somewhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..qt import Qt, QtWidgets, Signal

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
