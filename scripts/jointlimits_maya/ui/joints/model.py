"""Rows of the joint list: text, order and description of each cell, and the search for joints."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from jointlimits_core.limits.vocabulary import GRADE_NAMES, GRADES, degrees

from ..toolkit.qt import Qt, QtWidgets
from .line import JointLine

JOINT, TYPE, RANGE, SURE, FINDINGS, LAYER = range(6)
COLUMNS = 6
ITEM_ROLE = int(Qt.ItemDataRole.UserRole) + 1
"""Role of the :class:`JointItem`."""
TITLES = ("Joint", "Type", "Range", "Limits", "Notes", "From")
MEANINGS = (
    "Joint; a triangle marks a pose outside its limits.",
    "Joint type; a question mark means a close decision.",
    "Ranges of X, Y and Z from −180° to 180°.",
    f"Evidence for its weakest limit: {', '.join(GRADE_NAMES.values())}.",
    "Number of warnings and notes; filled where a joint found in tracks slipped or is uncertain.",
    "Source of the limits: the motion, a prior, or an artist.",
)
_KINDS = ("fixed", "hinge", "universal", "ball")
_DISPLAY, _TIP, _ACCESSIBLE = (
    int(role)
    for role in (
        Qt.ItemDataRole.DisplayRole,
        Qt.ItemDataRole.ToolTipRole,
        Qt.ItemDataRole.AccessibleTextRole,
    )
)


class JointItem(QtWidgets.QTreeWidgetItem):
    """Row of a joint; `shown` is its displayed name."""

    def __init__(self, line: JointLine, shown: str) -> None:
        super().__init__()
        self.line, self.shown = line, shown
        self.is_wanted = True
        """Whether it matches the search itself, rather than being shown for a descendant."""
        self.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)

    def data(self, column: int, role: int) -> Any:
        """Text, tool tip and words for screen readers of a cell, made from the joint."""
        role = int(role)
        if role == _DISPLAY:
            return self.cell(column)
        if role == _TIP:
            return self.line.findings_tip() if column == FINDINGS else self.line.tip()
        if role == _ACCESSIBLE:
            return self.spoken(column)
        return self if role == ITEM_ROLE else None

    def cell(self, column: int) -> str:
        """Text of a cell."""
        line = self.line
        if column == FINDINGS:
            return str(len(line.findings)) if line.findings else ""
        texts = {
            JOINT: self.shown,
            TYPE: line.type_text(),
            SURE: line.grade_text(),
            LAYER: line.top_layer_text,
        }
        return texts.get(column, "")

    def spoken(self, column: int) -> str:
        """Words for screen readers, including what is only painted."""
        line = self.line
        if column == RANGE:
            return line.range_text()
        if column == JOINT and line.outside_deg > 0.0:
            return f"{self.shown}, pose {degrees(line.outside_deg)} outside"
        if column == FINDINGS and line.is_doubtful:
            return f"{len(line.findings)}, the joint itself is doubtful"
        return self.cell(column)


def sort_key(line: JointLine, column: int) -> Any:
    """Key for the order by a column; the names keep the order of the skeleton."""
    keys: dict[int, Any] = {
        JOINT: 0,
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
        states = {"outside": line.outside_deg > 0.0, "close": line.is_close}
        known = {
            "type": (line.kind,),
            "grade": (line.grade, line.grade_text()),
            "from": (*line.layers, line.layer_text()),
            "is": [word for word, is_so in states.items() if is_so],
        }
        # A value that is still being typed matches by its prefix.
        return all(
            bool(line.findings) if key == "has" else any(w.startswith(value) for w in known[key])
            for key, value in self.conditions
        )
