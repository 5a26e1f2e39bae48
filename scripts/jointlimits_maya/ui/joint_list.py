"""Joint list with its filter field."""

from __future__ import annotations

from typing import Any

from .document import Document
from .joint_tree import JointTree
from .qt import QAction, Qt, QtWidgets, Signal
from .words import counted, tr


class JointList(QtWidgets.QWidget):
    """Joint tree with a filter field and a count of the shown joints.

    Parameters
    ----------
    parent : QWidget, optional
    """

    def __init__(self, document: Document, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent)
        self.tree = JointTree(document, self)
        self.field = _FilterField(self)
        self._count = QtWidgets.QLabel(self)
        self._show = QtWidgets.QPushButton(tr("Filter"), self)
        self._show.setToolTip(tr("List only certain joints"))
        self._show.setMenu(self._menu())
        self._lay_out()
        self.field.textChanged.connect(self.tree.set_query)
        self.field.left.connect(self.tree.setFocus)
        self.tree.filter_asked.connect(self._to_filter)
        self.tree.filter_dropped.connect(self.field.clear)
        self.tree.shown_changed.connect(self._tell_count)
        self._tell_count(len(self.tree.shown_joints()), len(self.tree.joints.names))

    def _lay_out(self) -> None:
        above = QtWidgets.QHBoxLayout()
        above.addWidget(self.field, 1)
        above.addWidget(self._show)
        above.addWidget(self._count)
        whole = QtWidgets.QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(4)
        whole.addLayout(above)
        whole.addWidget(self.tree, 1)

    def _menu(self) -> Any:
        menu = QtWidgets.QMenu(self)
        for label, query in _ready_queries():
            action = QAction(label, menu)  # Python would keep one made by the menu
            menu.addAction(action)
            action.setData(query)
            action.triggered.connect(lambda _=False, text=query: self.field.setText(text))
        return menu

    def _to_filter(self) -> None:
        self.field.setFocus()
        self.field.selectAll()

    def _tell_count(self, shown: int, every: int) -> None:
        if shown == every:
            self._count.setText(counted(every, "{count} joint", "{count} joints"))
        else:
            self._count.setText(tr("{shown} of {count}", shown=shown, count=every))


class _FilterField(QtWidgets.QLineEdit):
    """Filter field; Down and Enter move to the list, Escape clears it."""

    left = Signal()

    def __init__(self, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent)
        self.setPlaceholderText(tr("Filter: arm, L_*, type:hinge, from:artist"))
        self.setAccessibleName(tr("Filter joints"))
        self.setClearButtonEnabled(True)

    def keyPressEvent(self, event: Any) -> None:
        """Leave the field with the usual keys."""
        key = event.key()
        if key in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.left.emit()
        elif key == Qt.Key.Key_Escape:
            self.clear()
            self.left.emit()
        else:
            super().keyPressEvent(event)


def _ready_queries() -> tuple[tuple[str, str], ...]:
    return (
        (tr("Every joint"), ""),
        (tr("Outside in this pose"), "is:outside"),
        (tr("Edited"), "from:artist"),
        (tr("With notes"), "has:notes"),
        (tr("Type is close"), "is:close"),
        (tr("Limits may be wider"), "grade:open"),
        (tr("Limits without motion"), "grade:untested"),
        (tr("Hinges"), "type:hinge"),
        (tr("Universal joints"), "type:universal"),
        (tr("Balls"), "type:ball"),
    )
