"""Joint list: content and rows of the joints, sorting, and the search for joints."""

from __future__ import annotations

import html
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from typing import Any

from jointlimits_core.base.findings import Finding
from jointlimits_core.base.text import NO_NOTES, channel_letter, place_words, printable, shorten
from jointlimits_core.geometry.euler import CHANNELS
from jointlimits_core.limits import limit_set, ranges, records, review_entries, vocabulary
from jointlimits_core.skeleton_fit.doubts import RULE as DOUBTFUL

from ..plots.dial_layout import ChannelState, channel_state
from ..toolkit.qt import Qt, QtWidgets
from ..toolkit.words import counted, option_label

MAX_FINDINGS, MAX_FINDING_CHARS = 6, 200
GRAVE = frozenset({DOUBTFUL, "slip", "no-relative-motion"})
"""Rules of findings that cast doubt on the joint itself, not only on its limits."""
DATA = "data"
"""Layer of the limits that were measured from motion, below priors and edits."""


@dataclass(frozen=True, eq=False)
class JointLine:
    """One joint: its current limits, and its limits without the artist's edits."""

    name: str
    limit: limit_set.JointLimit
    data: limit_set.JointLimit
    outside_deg: float = 0.0
    """Degrees by which the scene's pose is outside the limits; 0 inside or without a pose."""
    has_edits: bool = False
    """Whether the artist edited the joint, even if only by adding a note."""
    widest_deg: float | None = None
    """Widest anatomical range of the joint."""

    @property
    def kind(self) -> str:
        """Type of the joint."""
        return self.limit.type

    @property
    def is_close(self) -> bool:
        """Whether another type fits almost as well."""
        return self.limit.evidence.sure == "close" and self.kind == self.data.type

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """Findings about the joint, except that it never moves, which its type already shows."""
        return tuple(item for item in self.limit.findings if item.rule != "never-moves")

    @property
    def is_doubtful(self) -> bool:
        """Whether the joint's position or parent is doubtful."""
        return any(item.rule in GRAVE for item in self.findings)

    @cached_property
    def lanes(self) -> tuple[ChannelState, ...]:
        """Range of every channel, with the measured range if the artist edited the limits.

        Empty for a fixed joint with the publication's angles, which would span the full circle.
        """
        return tuple(
            channel_state(channel, axis, self.data.limits[channel], self.widest_deg)
            for channel, axis in (() if self._has_no_range else self.limit.limits.items())
        )

    @cached_property
    def grade(self) -> str:
        """Weakest grade among the limits measured from motion; "" if there are none."""
        return next((word for word in self._marks if word in vocabulary.GRADE_NAMES), "")

    @cached_property
    def layers(self) -> tuple[str, ...]:
        """Layers that the limits come from, lowest first."""
        named = set(self._marks) | ({"artist"} if self.has_edits else set())
        found = tuple(word for word in vocabulary.LAYERS if word in named)
        return (DATA, *found) if self.grade or not found else found

    @cached_property
    def width_deg(self) -> float:
        """Sum of all ranges; a free channel counts as a full turn."""
        if self._has_no_range:
            return 0.0
        spans = [ranges.span_of(axis) for axis in self.limit.limits.values()]
        return sum(360.0 if span is None else span[1] - span[0] for span in spans)

    @property
    def _has_no_range(self) -> bool:
        return self.kind == "fixed" and not set(self.limit.limits) <= set(CHANNELS)

    @cached_property
    def _marks(self) -> tuple[str, ...]:
        return vocabulary.grade_marks(self.limit)

    def type_text(self) -> str:
        """Type with its axis, and a question mark if another type fits almost as well."""
        hinge, words = self.limit.hinge, self.kind
        if hinge is not None and self.kind == "hinge":
            words += f" {channel_letter(hinge.channel)}"
        return f"{words}?" if self.is_close else words

    def layer_text(self) -> str:
        """Layers that the limits come from, as text."""
        return " and ".join("motion" if layer == DATA else layer for layer in self.layers)

    @cached_property
    def top_layer_text(self) -> str:
        """Layers above the motion, as text; "motion" if there are none."""
        above = ", ".join(layer for layer in self.layers if layer in vocabulary.LAYERS)
        return above or self.layer_text()

    def tip(self) -> str:
        """Summary in a few lines, as rich text for a tool tip."""
        lines = [f"<b>{_safe(self.name)}</b>: {_safe(self.type_text())}"]
        if self.outside_deg > 0.0:
            lines.append(f"The pose is {vocabulary.degrees(self.outside_deg)} outside the limits.")
        lines += [_safe(part) for part in vocabulary.ranges_text(self.limit).split(", ")]
        if self.is_close:
            runner = self.limit.evidence.runner_up or ""
            lines.append(f"Another type fits almost as well: {_safe(runner)}.")
        lines.append(f"From: {self.layer_text()}")
        return "<br>".join(lines)

    def findings_tip(self) -> str:
        """The findings as rich text for a tool tip."""
        if not self.findings:
            return NO_NOTES
        items = []
        for item in self.findings[:MAX_FINDINGS]:
            place, text = place_words(item), shorten(printable(item.message), MAX_FINDING_CHARS)
            items.append(f"&bull; {_safe(f'{text} ({place})' if place else text)}")
        rest = len(self.findings) - MAX_FINDINGS
        if rest > 0:
            items.append(f"and {rest:,} more")
        return "<br>".join(items)


def _safe(text: str) -> str:
    return html.escape(printable(text), quote=False)


def outcome(limits: limit_set.LimitSet, found: review_entries.Review, character: str) -> str:
    """Result of an estimate as text, or the reason why no joint got limits."""
    if any(
        axis.state != "free" for joint in limits.joints.values() for axis in joint.limits.values()
    ):
        return f"{character}: {found.sentence()}."
    why = f"No {limits.noun} below the root moved, or every motion covered a full circle."
    roots = [name for name, joint in limits.joints.items() if joint.is_root]
    if not limits.options.get("limit_root") and len(roots) == len(limits.joints):
        why = (
            f"{', '.join(roots)} is the root, which gets no limits unless you tick "
            f"“{option_label('limit_root')}” in Options and estimate again."
        )
    return f"{character}: 0 {limits.noun}s with limits. {why}"


COLUMN_COUNT = 6
JOINT, TYPE, RANGE, SURE, FINDINGS, LAYER = range(COLUMN_COUNT)
ITEM_ROLE = int(Qt.ItemDataRole.UserRole) + 1
"""Data role that returns the :class:`JointItem`."""
TITLES = ("Joint", "Type", "Range", "Limits", "Notes", "From")
MEANINGS = (
    "Joint; a triangle marks a pose outside its limits.",
    "Joint type; a question mark means that another type fits almost as well.",
    "Ranges of X, Y and Z from −180° to 180°.",
    f"Evidence for the joint's weakest limit: {', '.join(vocabulary.GRADE_NAMES.values())}.",
    "Number of warnings and notes; filled if a joint found in tracks slipped or is uncertain.",
    "Source of the limits: the motion, a prior, or an artist.",
)


class GroupItem(QtWidgets.QTreeWidgetItem):
    """Heading of the joints of one part of the body; a click on it selects them."""

    def __init__(self, group: str, joints: tuple[str, ...], noun: str) -> None:
        super().__init__([group.capitalize()])
        self.joints = joints
        self.setToolTip(JOINT, f"Select {counted(len(joints), noun)}")
        self.setFlags(Qt.ItemFlag.ItemIsEnabled)


class JointItem(QtWidgets.QTreeWidgetItem):
    """Row of a joint; `shown`: displayed name."""

    def __init__(self, line: JointLine, shown: str) -> None:
        super().__init__()
        self.line, self.shown = line, shown
        self.is_wanted = True
        """Whether the joint matches the search, rather than being shown for a descendant."""
        self.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)

    def data(self, column: int, role: int) -> Any:
        """Text, tool tip or screen-reader text of a cell, made from the joint."""
        role, roles = int(role), Qt.ItemDataRole
        if role == int(roles.DisplayRole):
            return self.cell(column)
        if role == int(roles.ToolTipRole):
            return self.line.findings_tip() if column == FINDINGS else self.line.tip()
        if role == int(roles.AccessibleTextRole):
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
            SURE: vocabulary.mark_name(line.grade),
            LAYER: line.top_layer_text,
        }
        return texts.get(column, "")

    def spoken(self, column: int) -> str:
        """Text for screen readers, including what the painted marks mean."""
        line = self.line
        if column == RANGE:
            return vocabulary.ranges_text(line.limit)
        if column == JOINT and line.outside_deg > 0.0:
            return f"{self.shown}, pose {vocabulary.degrees(line.outside_deg)} outside"
        if column == FINDINGS and line.is_doubtful:
            return f"{len(line.findings)}, the joint itself is doubtful"
        return self.cell(column)


def sort_key(line: JointLine, column: int) -> Any:
    """Sort key for a column; the name column keeps the order of the skeleton."""
    grades = (*vocabulary.GRADES, line.grade)
    keys: dict[int, Any] = {
        JOINT: 0,
        TYPE: records.JOINT_TYPES.index(line.kind),
        RANGE: line.width_deg,
        SURE: grades.index(line.grade),
        FINDINGS: (line.is_doubtful, len(line.findings)),
        LAYER: line.top_layer_text,
    }
    return keys[column]


KEYS = ("type", "grade", "from", "is", "has")


@dataclass(frozen=True)
class Query:
    """Search for joints."""

    words: tuple[str, ...] = ()
    """Lower-case words that must all be in the name; words with wildcards match the whole name."""
    conditions: tuple[tuple[str, str], ...] = ()
    """Keys and values, such as ("type", "hinge"), ("grade", "open"), ("from", "artist"), ("is",
    "outside" or "close"), ("has", "notes")."""

    @classmethod
    def parse(cls, text: str) -> Query:
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
            # A pattern must match the whole name, with or without its path.
            is_pattern, wholes = "*" in word or "?" in word, (name, name.rpartition("|")[2])
            if not (any(fnmatchcase(w, word) for w in wholes) if is_pattern else word in name):
                return False
        states = {"outside": line.outside_deg > 0.0, "close": line.is_close}
        known = {
            "type": (line.kind,),
            "grade": (line.grade, vocabulary.mark_name(line.grade)),
            "from": (*line.layers, line.layer_text()),
            "is": [word for word, is_so in states.items() if is_so],
        }
        # A value that is still being typed matches by its prefix.
        return all(
            bool(line.findings) if key == "has" else any(w.startswith(value) for w in known[key])
            for key, value in self.conditions
        )
