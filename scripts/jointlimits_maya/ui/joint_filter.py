"""Filter and order of the joint list."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from .joint_line import JointLine
from .joint_model import LINE_ROLE, SORT_ROLE
from .qt import QtCore

KEYS = ("type", "grade", "from", "is", "has")


@dataclass(frozen=True)
class Query:
    """Search for joints.

    Parameters
    ----------
    words : tuple of str
        Lower-case parts of names, all required; with Maya's wildcards, whole names.
    asked : tuple of (key, value)
        Such as ("type", "hinge"), ("grade", "open"), ("from", "artist"), ("is", "outside" or
        "close"), ("has", "notes").
    """

    words: tuple[str, ...] = ()
    asked: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, text: str) -> Query:
        """Parse a text such as "left arm", "*Arm type:ball" or "from:artist"."""
        words, asked = [], []
        for part in text.lower().split():
            key, colon, value = part.partition(":")
            if colon and key in KEYS:
                asked.append((key, value))
            else:
                words.append(part)
        return cls(tuple(words), tuple(asked))

    def fits(self, line: JointLine) -> bool:
        """Whether a joint matches."""
        name = line.name.lower()
        return all(_names(word, name) for word in self.words) and all(
            _answers(line, key, value) for key, value in self.asked
        )


def _names(word: str, name: str) -> bool:
    if "*" in word or "?" in word:
        return fnmatchcase(name, word) or fnmatchcase(name.rpartition("|")[2], word)
    return word in name


def _answers(line: JointLine, key: str, value: str) -> bool:
    """Whether a joint has the value; a value that is still being typed matches by its prefix."""
    if key == "type":
        return line.kind.startswith(value)
    if key == "grade":
        return line.grade.startswith(value)
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
        if query != self._query:
            self._query = query
            self.invalidateFilter()

    def is_wanted(self, index: Any) -> bool:
        """Whether a joint matches itself, rather than being shown for a descendant."""
        line = index.data(LINE_ROLE)
        return line is not None and self._query.fits(line)

    def filterAcceptsRow(self, row: int, parent: Any) -> bool:
        """Whether a joint matches."""
        line = self.sourceModel().index(row, 0, parent).data(LINE_ROLE)
        return line is not None and self._query.fits(line)

    def lessThan(self, left: Any, right: Any) -> bool:
        """Order of two joints; equal ones keep the order of the skeleton."""
        first, second = left.data(SORT_ROLE), right.data(SORT_ROLE)
        return bool(first < second)
