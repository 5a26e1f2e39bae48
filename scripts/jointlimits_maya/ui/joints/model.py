"""Qt models of the joint list: a tree, or a flat list when sorted; its filter and order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from jointlimits_core.base.text import printable
from jointlimits_core.limits.vocabulary import GRADE_NAMES, GRADES, degrees, widest_deg
from jointlimits_core.motion.joint_names import node_name

from ..document.document import Document
from ..toolkit.qt import Qt, QtCore
from .line import JointLine

JOINT, TYPE, RANGE, SURE, FINDINGS, LAYER = range(6)
COLUMNS = 6
LINE_ROLE = int(Qt.ItemDataRole.UserRole) + 1
"""Role of the :class:`JointLine`."""
SORT_ROLE = LINE_ROLE + 1
_TITLES = ("Joint", "Type", "Range", "Limits", "Notes", "From")
_MEANINGS = (
    "Joint; a triangle marks a pose outside its limits.",
    "Joint type; a question mark means a close decision.",
    "Ranges of X, Y and Z from −180° to 180°.",
    f"Evidence for its weakest limit: {', '.join(GRADE_NAMES.values())}.",
    "Number of warnings and notes; filled where a joint found in tracks slipped or is uncertain.",
    "Source of the limits: the motion, a prior, or an artist.",
)
_KINDS = ("fixed", "hinge", "universal", "ball")
_TOP = -1


class JointModel(QtCore.QAbstractItemModel):
    """Joints of a document, which is observed for changes."""

    def __init__(self, document: Document, parent: QtCore.QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._is_flat = False
        self._outside: dict[str, float] = {}
        self._lines: dict[int, JointLine] = {}
        self._names: list[str] = []
        self._rows: dict[str, int] = {}
        self._shown: list[str] = []
        self._above: list[int] = []
        self._below: dict[int, list[int]] = {}
        self._place: list[int] = []
        document.opened.connect(self._build)
        document.changed.connect(self._follow)
        self._build()

    # --- for views ------------------------------------------------------------------------------

    @property
    def names(self) -> list[str]:
        """Names of all joints, parents first."""
        return self._names

    def shown_names(self) -> list[tuple[int, str]]:
        """Depth in the hierarchy and displayed name of each joint."""
        depths: list[int] = []
        for above in self._above:
            depths.append(0 if above == _TOP else depths[above] + 1)
        return list(zip(depths, self._shown))

    def line(self, index: QtCore.QModelIndex) -> JointLine | None:
        """Joint at an index."""
        return self._line(index.internalId()) if index.isValid() else None

    def cell(self, index: QtCore.QModelIndex) -> tuple[JointLine, str]:
        """Joint and text of a valid index."""
        node = index.internalId()
        line = self._line(node)
        return line, _text(line, index.column(), self._shown[node])

    def line_of(self, name: str) -> JointLine | None:
        """Joint of a name."""
        return self._line(self._rows[name]) if name in self._rows else None

    def index_of(self, name: str, column: int = JOINT) -> QtCore.QModelIndex:
        """Index of a joint; invalid if the joint does not exist."""
        if name not in self._rows:
            return QtCore.QModelIndex()
        node = self._rows[name]
        return self.createIndex(self._place[node], column, node)

    def set_flat(self, flat: bool) -> None:
        """Show a flat list, or the hierarchy."""
        if flat != self._is_flat:
            self._is_flat = flat
            self._build()

    def set_outside(self, outside_deg: Mapping[str, float]) -> None:
        """Mark the joints that are outside their limits in the scene's pose."""
        moved = {
            name
            for name in {*self._outside, *outside_deg}
            if self._outside.get(name) != outside_deg.get(name)
        }
        self._outside = dict(outside_deg)
        self._emit_changed(moved)

    def alike_columns(self) -> frozenset[int]:
        """Columns that say the same of every joint, and so nothing: notes and sources."""
        lines = [self._line(node) for node in range(len(self._names))]
        return frozenset(
            column
            for column in (FINDINGS, LAYER)
            if len({_text(line, column, "") for line in lines}) < 2
        )

    # --- following the document -----------------------------------------------------------------

    def _build(self) -> None:
        self.beginResetModel()
        joints = self._document.limits.joints if self._document.has_limits else {}
        self._names = list(joints)
        self._rows = {name: row for row, name in enumerate(self._names)}
        short = [node_name(name) for name in self._names]
        times = Counter(short)
        chosen = (brief if times[brief] == 1 else name for name, brief in zip(self._names, short))
        self._shown = [printable(name) for name in chosen]
        self._above, self._below, self._place, self._lines = [], {_TOP: []}, [], {}
        for node, joint in enumerate(joints.values()):
            above = _TOP
            if joint.parent is not None and not self._is_flat:
                above = self._rows.get(joint.parent, _TOP)
            if above >= node:  # a file may name a parent that is missing or comes later
                above = _TOP
            self._above.append(above)
            siblings = self._below.setdefault(above, [])
            self._place.append(len(siblings))
            siblings.append(node)
        self.endResetModel()

    def _follow(self, names: frozenset[str]) -> None:
        """Update some joints; rebuild if the set of joints changed."""
        if not self._document.has_limits or list(self._document.limits.joints) != self._names:
            self._build()
        else:
            nodes = {name: self._rows[name] for name in names}
            before = {name: self._lines.pop(node, None) for name, node in nodes.items()}
            looks = {name: line and line.look for name, line in before.items()}
            self._emit_changed(
                {name for name in nodes if self._line(nodes[name]).look != looks[name]}
            )

    def _emit_changed(self, names: set[str] | frozenset[str]) -> None:
        for name in names & set(self._rows):
            node = self._rows[name]
            self._lines.pop(node, None)
            first, last = (self.createIndex(self._place[node], c, node) for c in (0, COLUMNS - 1))
            self.dataChanged.emit(first, last)

    def _line(self, node: int) -> JointLine:
        if node not in self._lines:
            name, document = self._names[node], self._document
            limit, data = document.limits.joints[name], document.data.joints[name]
            edited = limit is not data
            outside = self._outside.get(name, 0.0)
            self._lines[node] = JointLine(
                name, limit, data, outside, edited, widest_deg(self._names, name)
            )
        return self._lines[node]

    # --- QAbstractItemModel -----------------------------------------------------------------------

    def index(self, row: int, column: int, parent: Any = None) -> QtCore.QModelIndex:
        """Index of a cell."""
        above = parent.internalId() if parent is not None and parent.isValid() else _TOP
        below = self._below.get(above, [])
        if not (0 <= row < len(below) and 0 <= column < COLUMNS):
            return QtCore.QModelIndex()
        return self.createIndex(row, column, below[row])

    def parent(self, index: Any = None) -> Any:
        """Index of the parent joint."""
        if index is None:
            return super().parent()
        above = self._above[index.internalId()] if index.isValid() else _TOP
        if above == _TOP:
            return QtCore.QModelIndex()
        return self.createIndex(self._place[above], 0, above)

    def rowCount(self, parent: Any = None) -> int:
        """Number of children."""
        if parent is not None and parent.isValid():
            return len(self._below.get(parent.internalId(), [])) if parent.column() == 0 else 0
        return len(self._below.get(_TOP, []))

    def columnCount(self, parent: Any = None) -> int:
        """Number of columns."""
        return COLUMNS

    def data(self, index: Any, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Text, sort key or tool tip of a cell."""
        if not index.isValid():
            return None
        line, column, role = self._line(index.internalId()), index.column(), int(role)
        if role == LINE_ROLE:
            return line
        if role == SORT_ROLE:
            return index.internalId() if column == JOINT else _sort_key(line, column)
        if role == int(Qt.ItemDataRole.ToolTipRole):
            return line.findings_tip() if column == FINDINGS else line.tip()
        if role == int(Qt.ItemDataRole.AccessibleTextRole):
            # For screen readers, including what is only painted.
            shown = self._shown[index.internalId()]
            if column == RANGE:
                return line.range_text()
            if column == JOINT and line.outside_deg > 0.0:
                return f"{shown}, pose {degrees(line.outside_deg)} outside"
            if column == FINDINGS and line.is_doubtful:
                return f"{len(line.findings)}, the joint itself is doubtful"
            return _text(line, column, shown)
        if role == int(Qt.ItemDataRole.DisplayRole):
            return _text(line, column, self._shown[index.internalId()])
        return None

    def headerData(self, section: int, orientation: Any, role: int = 0) -> Any:
        """Titles of the columns, and their meanings."""
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < COLUMNS:
            return None
        if int(role) == int(Qt.ItemDataRole.DisplayRole):
            return _TITLES[section]
        if int(role) == int(Qt.ItemDataRole.ToolTipRole):
            more = "Click to sort; a third click restores the hierarchy."
            return f"{_MEANINGS[section]}\n{more}"
        return None

    def flags(self, index: Any) -> Any:
        """Joints can only be selected."""
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable


def _text(line: JointLine, column: int, shown: str) -> str:
    if column == JOINT:
        return shown
    if column == TYPE:
        return line.type_text()
    if column == SURE:
        return line.grade_text()
    if column == FINDINGS:
        return str(len(line.findings)) if line.findings else ""
    return line.top_layer_text if column == LAYER else ""


def _sort_key(line: JointLine, column: int) -> Any:
    keys: dict[int, Any] = {
        TYPE: _KINDS.index(line.kind),
        RANGE: line.width_deg,
        SURE: GRADES.index(line.grade) if line.grade in GRADES else len(GRADES),
        FINDINGS: (line.is_doubtful, len(line.findings)),
        LAYER: line.top_layer_text,
    }
    return keys[column]


KEYS = ("type", "grade", "from", "is", "has")


@dataclass(frozen=True)
class Query:
    """Search for joints."""

    words: tuple[str, ...] = ()
    """Lower-case parts of names, all required; with Maya's wildcards, whole names."""
    conditions: tuple[tuple[str, str], ...] = ()
    """Keys and values, such as ("type", "hinge"), ("grade", "open"), ("from", "artist"), ("is",
    "outside" or "close"), ("has", "notes")."""

    @classmethod
    def of(cls, text: str) -> Query:
        """Parse a text such as "left arm", "*Arm type:ball" or "from:artist"."""
        words, conditions = [], []
        for part in text.lower().split():
            key, colon, value = part.partition(":")
            if colon and key in KEYS:
                conditions.append((key, value))
            else:
                words.append(part)
        return cls(tuple(words), tuple(conditions))

    def fits(self, line: JointLine) -> bool:
        """Whether a joint matches."""
        name = line.name.lower()
        for word in self.words:
            # A pattern is of the whole name, with or without its path.
            if "*" in word or "?" in word:
                is_in = fnmatchcase(name, word) or fnmatchcase(name.rpartition("|")[2], word)
            else:
                is_in = word in name
            if not is_in:
                return False
        return all(_matches(line, key, value) for key, value in self.conditions)


_EVERY = Query()


def _matches(line: JointLine, key: str, value: str) -> bool:
    """Whether a joint has the value; a value that is still being typed matches by its prefix."""
    if key == "type":
        return line.kind.startswith(value)
    if key == "grade":
        return line.grade.startswith(value) or line.grade_text().startswith(value)
    if key == "from":
        return any(layer.startswith(value) for layer in (*line.layers, line.layer_text()))
    if key == "is":
        states = {"outside": line.outside_deg > 0.0, "close": line.is_close}
        return any(is_so for word, is_so in states.items() if word.startswith(value))
    return bool(line.findings)


class JointFilter(QtCore.QSortFilterProxyModel):
    """Joints that match a query, with their ancestors, optionally sorted."""

    def __init__(self, parent: QtCore.QObject | None = None) -> None:
        super().__init__(parent)
        self._query = Query()
        self.setSortRole(SORT_ROLE)
        self.setRecursiveFilteringEnabled(True)
        self.setDynamicSortFilter(True)

    @property
    def query(self) -> Query:
        """Current query."""
        return self._query

    def set_query(self, text: str) -> None:
        """Set the query; an empty one shows everything."""
        query = Query.of(text)
        if query == self._query:
            return
        # From Qt 6.10 on, a filter announces its change; before, it reports it.
        announces = hasattr(self, "endFilterChange")
        if announces:
            self.beginFilterChange()
        self._query = query
        if announces:
            self.endFilterChange()
        else:
            self.invalidateFilter()

    def is_wanted(self, index: Any) -> bool:
        """Whether a joint matches itself, rather than being shown for a descendant."""
        return self._query == _EVERY or self._query.fits(self.cell(index)[0])

    def cell(self, index: Any) -> tuple[JointLine, str]:
        """Joint and text of a valid index; asking Qt for both takes several times as long."""
        return self.sourceModel().cell(self.mapToSource(index))

    def flags(self, index: Any) -> Any:
        """Those of the model, which needs no index for them."""
        return self.sourceModel().flags(index)

    def filterAcceptsRow(self, row: int, parent: Any) -> bool:
        """Whether a joint matches."""
        if self._query == _EVERY:
            return True
        line = self.sourceModel().index(row, 0, parent).data(LINE_ROLE)
        return line is not None and self._query.fits(line)

    def lessThan(self, left: Any, right: Any) -> bool:
        """Order of two joints; equal ones keep the order of the skeleton."""
        first, second = left.data(SORT_ROLE), right.data(SORT_ROLE)
        return bool(first < second)
