"""Joint list: a tree with a filter field, sorting, multiple selection and keyboard control."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from jointlimits_core.base.text import printable
from jointlimits_core.limits.groups import joint_groups
from jointlimits_core.limits.limit_set import LimitSet
from jointlimits_core.limits.vocabulary import widest_deg
from jointlimits_core.motion.joint_names import node_name

from ..document.document import Document
from ..toolkit.palette import show_choice
from ..toolkit.qt import QAction, Qt, QtCore, QtWidgets, Signal, arrange
from ..toolkit.words import MAX_NAME, counted, own_parts
from . import model
from .delegates import GAP, ROW_HEIGHT_PX, SIGN, JointCell
from .model import JOINT, RANGE, GroupItem, JointItem, JointLine, Query


def initial_joint(limit_set: LimitSet) -> str | None:
    """Name of the limited joint with the most motion; None if there are no joints.

    If nothing moves, it is the joint with the most findings.
    """

    def interest(name: str) -> tuple[bool, bool, float, int]:
        joint = limit_set.joints[name]
        has_limits = any(limit.state == "limited" for limit in joint.limits.values())
        spread = max(joint.evidence.spread_deg, default=0.0)
        return joint.type != "fixed", has_limits, spread, len(joint.findings)

    return max(limit_set.joints, key=interest, default=None)


LETTERS: dict[int, float] = {
    JOINT: 16,
    model.TYPE: 10.5,
    RANGE: 10,
    model.SURE: 15,
    model.FINDINGS: 5.5,
    model.LAYER: 9,
}
"""Widths of the columns in characters; the remaining width goes to the range."""
MIN_NAME_CHARS = 12
"""Minimum width of the names, in characters."""
_SHRINKING: tuple[tuple[int, float], ...] = (
    (model.SURE, 5.4),
    (model.LAYER, 7.0),
    (RANGE, 8.0),
    (model.TYPE, 4.3),
    (model.LAYER, 0.0),
    (JOINT, 0.0),
    (RANGE, 5.0),
    (model.FINDINGS, 0.0),
    (model.SURE, 0.0),
    (model.TYPE, 0.0),
    (RANGE, 0.0),
)
"""Columns in the order in which they shrink, and their new widths in characters; 0 hides them.

Visible columns stay wide enough for their headings. The name column shrinks to its minimum.
"""


def column_widths(
    room: int, letter: int, name: int, least: int, without: Collection[int] = ()
) -> dict[int, int]:
    """Widths in pixels of the columns that fit into `room`.

    `letter`: width of a character. `name`, `least`: preferred and minimum width of the names.
    `without`: columns that are not shown. Spare width goes to the range, then to the names, then to
    the range again.
    """
    shown = (column for column in LETTERS if column not in without)
    widths = {column: int(LETTERS[column] * letter) for column in shown}
    widths[JOINT] = name
    for column, less in _SHRINKING:
        if sum(widths.values()) <= room:
            break
        if column in widths:
            widths[column] = least if column == JOINT else int(less * letter)
    left = room - sum(widths.values())
    wider = min(max(left, 0), int(LETTERS[RANGE] * letter) - widths[RANGE])
    widths[RANGE] += wider
    widths[JOINT] = min(max(widths[JOINT] + left - wider, min(room, least)), name)
    return {column: wide for column, wide in widths.items() if wide}


_QUERIES = (
    ("Every joint", ""),
    ("Outside in this pose", "is:outside"),
    ("Edited", "from:artist"),
    ("With notes", "has:notes"),
    ("Close type decisions", "is:close"),
    ("Limits may be wider", "grade:open"),
    ("Limits without motion", "grade:untested"),
    ("Hinges", "type:hinge"),
    ("Universal joints", "type:universal"),
    ("Balls", "type:ball"),
)
INDENTS = (14, 8)
"""Indentation per level in pixels, usual and for narrow windows."""
NATURAL = -1
"""Sort column that stands for the hierarchy."""


class JointTree(QtWidgets.QTreeWidget):
    """Joints of a document."""

    selected = Signal(object)
    """Names of the selected joints, a tuple in the order of the skeleton."""
    filter_asked = Signal()
    """The user wants to type into the filter field."""
    filter_dropped = Signal()
    """A selection cleared the filter."""
    shown_changed = Signal(int, int)

    def __init__(self, document: Document, parent: QtWidgets.QWidget) -> None:
        super().__init__(
            parent,
            accessibleName="Joints",
            selectionMode=QtWidgets.QAbstractItemView.SelectionMode.ExtendedSelection,
            contextMenuPolicy=Qt.ContextMenuPolicy.CustomContextMenu,
            uniformRowHeights=True,
            allColumnsShowFocus=True,
            expandsOnDoubleClick=False,
            indentation=INDENTS[0],
        )
        self._document = document
        self._items: dict[str, JointItem] = {}
        self._outside: Mapping[str, float] = {}
        self._query = Query()
        self._silent = False
        self._chosen: tuple[str, ...] = ()
        self._sorted = (NATURAL, Qt.SortOrder.AscendingOrder)
        self._fitted: list[str] = []
        self._is_fitting, self._by_hand = False, False
        self._alike: frozenset[int] = frozenset()
        self.setItemDelegate(JointCell(self))
        self.itemClicked.connect(self._select_group)
        self.itemActivated.connect(self._select_group)
        document.opened.connect(self._build)
        document.changed.connect(self._follow)
        # Qt's own header would outlive the tree once something is connected to it.
        header = QtWidgets.QHeaderView(
            Qt.Orientation.Horizontal, self, stretchLastSection=False, minimumSectionSize=24
        )
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.setHeader(header)
        self.setHeaderLabels(list(model.TITLES))
        for column, meaning in enumerate(model.MEANINGS):
            more = "Click to sort; a third click restores the hierarchy."
            self.headerItem().setToolTip(column, f"{meaning}\n{more}")
        header.setSectionsClickable(True)
        header.setSectionResizeMode(RANGE, QtWidgets.QHeaderView.ResizeMode.Stretch)
        header.sectionResized.connect(self.keep_width)
        header.sectionClicked.connect(self.sort_by)
        self._build()

    @property
    def names(self) -> list[str]:
        """Names of all joints, parents first."""
        return list(self._items)

    def item_of(self, name: str) -> JointItem | None:
        """Row of a joint."""
        return self._items.get(name)

    def selected_joints(self) -> tuple[str, ...]:
        """Names of the selected joints, in the order of the skeleton."""
        return self._chosen

    def select_joints(self, names: Iterable[str]) -> None:
        """Select joints and scroll to the first; missing joints are skipped.

        If one of them is hidden by the filter, the filter is cleared.
        """
        wanted = [name for name in names if name in self._items]
        if any(self._items[name].isHidden() for name in wanted):
            self.set_query("")
            self.filter_dropped.emit()
        self._select(wanted)
        if wanted:
            self.scrollToItem(self._items[wanted[0]])

    def shown_joints(self) -> tuple[str, ...]:
        """Names of the joints that match the filter, in the order of the list."""
        found, items = [], QtWidgets.QTreeWidgetItemIterator(self)
        while items.value() is not None:
            item = items.value()
            if isinstance(item, JointItem) and item.is_wanted:
                found.append(item.line.name)
            items += 1
        return tuple(found)

    def set_query(self, text: str) -> None:
        """List only matching joints; see :class:`jointlimits_maya.ui.joints.model.Query`."""
        self._query = Query.parse(text)
        self._filter()

    def set_outside(self, outside_deg: Mapping[str, float]) -> None:
        """Mark the joints that are outside their limits in the scene's pose."""
        before, self._outside = self._outside, outside_deg
        self._update(n for n in {*before, *outside_deg} if before.get(n) != outside_deg.get(n))

    def sort_by(self, column: int) -> None:
        """Sort by a column; a second call reverses the order, a third restores the hierarchy."""
        orders = [Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder]
        if column in (RANGE, model.FINDINGS):
            orders.reverse()
        order = orders[self._sorted[0] == column]
        if self._sorted == (column, order):
            column = NATURAL
        self._sorted = (column, order)
        self._build()
        self.header().setSortIndicatorShown(column != NATURAL)
        if column != NATURAL:
            self.header().setSortIndicator(column, order)
        self.setRootIsDecorated(column == NATURAL)
        if self._chosen:
            self.scrollToItem(self._items[self._chosen[0]])

    def _build(self) -> None:
        joints = self._document.limits.joints if self._document.has_limits else {}
        short = own_parts([node_name(name) for name in joints])
        times, self._silent = Counter(short), True
        self._items = {}
        self.clear()
        for name, brief in zip(joints, short):
            shown = printable(brief if times[brief] == 1 else name)
            self._items[name] = JointItem(self._line(name), shown)
        column, order = self._sorted
        tops: list[Any] = list(self._items.values())
        if column != NATURAL:
            is_down = order == Qt.SortOrder.DescendingOrder
            tops.sort(key=lambda item: model.sort_key(item.line, column), reverse=is_down)
        else:
            tops = self._nested()
        self.addTopLevelItems(tops)
        for item in tops:
            item.setFirstColumnSpanned(isinstance(item, GroupItem))
        self.headerItem().setText(JOINT, self._document.noun.capitalize())
        self.expandAll()
        if self.names != self._fitted:
            self._fitted, self._by_hand = self.names, False
        self._fit_columns()
        self._filter()

    def _nested(self) -> list[Any]:
        """Headings of the groups with their joints, or the roots; other joints by their parents."""
        parents = {name: item.line.limit.parent for name, item in self._items.items()}
        heads = {
            name: head
            for group, names in joint_groups(parents).items()
            for head in [GroupItem(group, names, self._document.noun)]
            for name in names
        }
        tops: list[Any] = []
        listed: set[str] = set()
        for name, item in self._items.items():
            # A file may name a parent that is missing or comes later.
            head, above = heads.get(name), parents[name]
            if above in listed and heads.get(above) is head:
                self._items[above].addChild(item)
            elif head is None:
                tops.append(item)
            else:
                tops += [] if head.childCount() else [head]
                head.addChild(item)
            listed.add(name)
        return tops

    def _line(self, name: str) -> JointLine:
        limit, data = self._document.limits.joints[name], self._document.data.joints[name]
        outside, widest = self._outside.get(name, 0.0), widest_deg(list(self._items), name)
        return JointLine(name, limit, data, outside, limit is not data, widest)

    def _follow(self, names: frozenset[str]) -> None:
        limits = self._document.state.limits
        is_same = limits is not None and list(limits.joints) == self.names
        if not is_same or self._sorted[0] != NATURAL:
            self._build()
            return
        self._update(names)
        if self._alike_columns() != self._alike:
            self._fit_columns()  # shows a column once its cells differ
        if self._query != Query():
            self._filter()

    def _update(self, names: Iterable[str]) -> None:
        for name in names:
            if name in self._items:
                item = self._items[name]
                item.line = self._line(name)
                row = self.visualItemRect(item)
                self.viewport().update(0, row.top(), self.viewport().width(), row.height())

    def _filter(self) -> None:
        """Hide joints that neither match nor have a matching descendant; keep the selection."""
        chosen, self._silent = self._chosen, True
        shown: set[Any] = set()
        for item in reversed(self._items.values()):
            item.is_wanted = self._query.fits(item.line)
            if item.is_wanted or item in shown:
                shown |= {item, item.parent()}
            item.setHidden(item not in shown)
        for row in range(self.topLevelItemCount()):
            self.topLevelItem(row).setHidden(self.topLevelItem(row) not in shown)
        self._silent = False
        self._select(
            [name for name, item in self._items.items() if name in chosen and item in shown]
        )
        self.shown_changed.emit(len(self.shown_joints()), len(self._items))

    def _alike_columns(self) -> frozenset[int]:
        """Note and source columns whose cells are all alike, and so carry no information."""
        items = self._items.values()
        columns = (model.FINDINGS, model.LAYER)
        return frozenset(c for c in columns if len({item.cell(c) for item in items}) < 2)

    def _select_group(self, item: Any, _column: int = 0) -> None:
        """Select the joints of a heading."""
        if isinstance(item, GroupItem):
            self.select_joints(item.joints)

    def selectionChanged(self, selected: Any, deselected: Any) -> None:
        """Emit the selection."""
        super().selectionChanged(selected, deselected)
        if not self._silent:
            self._emit_selected()

    def keyPressEvent(self, event: Any) -> None:
        """Slash focuses the filter, Escape clears the selection."""
        key = event.key()
        if key == Qt.Key.Key_Slash:
            self.filter_asked.emit()
        elif key == Qt.Key.Key_Escape and self._chosen:
            self.clearSelection()
        else:
            super().keyPressEvent(event)

    def sizeHint(self) -> Any:
        """Room for all columns and two dozen joints."""
        wide = sum(self._width_of(letters) for letters in LETTERS.values())
        return QtCore.QSize(wide + 24, 24 * ROW_HEIGHT_PX)

    def _width_of(self, letters: float) -> int:
        return int(letters * self.fontMetrics().horizontalAdvance("n"))

    def _fit_columns(self) -> None:
        """Distribute the width; in a narrow list, less important columns give way to the names."""
        if self._by_hand:
            return
        # Leaves room for the mark of a joint outside its limits, so that its name still fits.
        name, least = (
            max(self._width_of_names(indent) + int(SIGN + GAP), self._width_of(letters))
            for indent, letters in zip(INDENTS, (LETTERS[JOINT], MIN_NAME_CHARS))
        )
        self._alike = self._alike_columns()
        room = self.viewport().width()
        widths = column_widths(room, self._width_of(1), name, min(least, name), self._alike)
        self.setIndentation(INDENTS[widths.get(JOINT, 0) < name])
        self._is_fitting = True
        for column in range(model.COLUMN_COUNT):
            self.header().setSectionHidden(column, column not in widths)
            if column in widths and column != RANGE:
                self.header().resizeSection(column, widths[column])
        self._is_fitting = False

    def _width_of_names(self, indent: int) -> int:
        wide, widest = self.fontMetrics().horizontalAdvance, 0
        most = self._width_of(MAX_NAME)  # longer names are elided, so that the columns stay
        depths: dict[str, int] = {}
        for name, item in self._items.items():
            above = item.parent()
            is_top = not isinstance(above, JointItem)
            depths[name] = 1 + (above is not None if is_top else depths[above.line.name])
            widest = max(widest, depths[name] * indent + min(wide(item.shown), most))
        return 12 + widest

    def keep_width(self, column: int, before: int, now: int) -> None:
        """Keep all column widths once the user has dragged one."""
        if not self._is_fitting and column != RANGE and 0 not in (before, now):
            self._by_hand = True

    def resizeEvent(self, event: Any) -> None:
        """Fit the columns to the new width."""
        super().resizeEvent(event)
        self._fit_columns()

    def _select(self, names: Iterable[str]) -> None:
        rows = [self.indexFromItem(self._items[name]) for name in names]
        chosen = QtCore.QItemSelection()
        for row in rows:
            chosen.select(row, row.sibling(row.row(), model.COLUMN_COUNT - 1))
        flag = QtCore.QItemSelectionModel.SelectionFlag
        self._silent = True
        selection = self.selectionModel()
        if rows:
            selection.setCurrentIndex(rows[0], flag.NoUpdate)
        selection.select(chosen, flag.ClearAndSelect)
        self._silent = False
        self._emit_selected()

    def _emit_selected(self) -> None:
        rows = self.selectionModel().selectedRows(JOINT)
        chosen = {row.data(model.ITEM_ROLE).line.name for row in rows}
        names = tuple(name for name in self._items if name in chosen)
        if names != self._chosen:
            self._chosen = names
            self.selected.emit(names)


class JointList(QtWidgets.QWidget):
    """Joint tree with a filter field and a count of the shown joints."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self._document = document
        self.tree = JointTree(document, self)  # created first, so that it gets the focus first
        self.field = _FilterField(self)
        self._count = QtWidgets.QLabel(self)
        self._show = QtWidgets.QPushButton("Filter", self, toolTip="Show only certain joints")
        menu = QtWidgets.QMenu(self)
        show_choice(menu)
        for label, query in _QUERIES:
            action = QAction(label, menu)  # if the menu made it, Python would keep it
            menu.addAction(action)
            action.setData(query)
            action.triggered.connect(lambda _=False, text=query: self.field.setText(text))
        self._show.setMenu(menu)
        above = arrange(QtWidgets.QHBoxLayout(), (self.field, 1), self._show, self._count)
        arrange(QtWidgets.QVBoxLayout(self), above, (self.tree, 1), margin=0).setSpacing(4)
        self.field.textChanged.connect(self.tree.set_query)
        self.field.left.connect(self.tree.setFocus)
        self.tree.filter_asked.connect(self.find)
        self.tree.filter_dropped.connect(self.field.clear)
        self.tree.shown_changed.connect(self._show_count)
        self._show_count(len(self.tree.shown_joints()), len(self.tree.names))

    def find(self) -> None:
        """Move the focus to the filter field."""
        self.field.setFocus()
        self.field.selectAll()

    def _show_count(self, shown: int, every: int) -> None:
        if shown == every:
            self._count.setText(counted(every, self._document.noun))
        else:
            self._count.setText(f"{shown} of {every}")


class _FilterField(QtWidgets.QLineEdit):
    """Filter field; Down and Enter move to the list, Escape clears it."""

    left = Signal()

    def __init__(self, parent: QtWidgets.QWidget) -> None:
        words = "Filter: arm, L_*, type:hinge, from:artist"
        super().__init__(
            parent, placeholderText=words, accessibleName="Filter joints", clearButtonEnabled=True
        )

    def keyPressEvent(self, event: Any) -> None:
        """Leave the field with Down, Return, Enter or Escape."""
        key = event.key()
        if key in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.left.emit()
        elif key == Qt.Key.Key_Escape:
            self.clear()
            self.left.emit()
        else:
            super().keyPressEvent(event)
