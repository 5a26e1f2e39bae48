"""Header of the joint panel: type, reason for it, and actions on the whole joint."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jointlimits_core.limits.limit_set import JOINT_TYPES, JointLimit, LimitSet

from ..qt import QtWidgets, Signal
from ..shape_words import dependency_line, dependency_list, shape_words
from ..words import counted, degrees, tr


class JointHeader(QtWidgets.QWidget):
    """Name, type and whole-joint actions of the selected joints."""

    type_chosen = Signal(str)
    mirror_asked = Signal()
    reset_asked = Signal()
    keep_asked = Signal()

    def __init__(self, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent)
        self.name, self.about = QtWidgets.QLabel(), QtWidgets.QLabel()
        font = self.name.font()
        font.setBold(True)
        self.name.setFont(font)
        self.about.setWordWrap(True)
        self.type = QtWidgets.QComboBox()
        self.type.setAccessibleName(tr("Type of the joint"))
        self.type.addItems([tr(kind) for kind in JOINT_TYPES])
        self.type.setToolTip(tr("Joint type; the evidence is below."))
        self.type.activated.connect(self._on_type)
        self.mirror = QtWidgets.QPushButton(tr("Mirror to other side"))
        self.keep = QtWidgets.QPushButton(tr("Pin"))
        self.keep.setToolTip(tr("Later estimates leave it at its current limits."))
        self.reset = QtWidgets.QPushButton(tr("Back to measured"))
        for button, signal in ((self.mirror, self.mirror_asked), (self.keep, self.keep_asked),
                               (self.reset, self.reset_asked)):  # fmt: skip
            button.clicked.connect(signal)
        self._rows = QtWidgets.QBoxLayout(QtWidgets.QBoxLayout.Direction.LeftToRight)
        self._first, self._second = QtWidgets.QHBoxLayout(), QtWidgets.QHBoxLayout()
        for part in (self.name, self.type):
            self._first.addWidget(part)
        self._first.addStretch(1)
        for part in (self.mirror, self.keep, self.reset):
            self._second.addWidget(part)
        self._rows.addLayout(self._first, 1)
        self._rows.addLayout(self._second)
        column = QtWidgets.QVBoxLayout(self)
        column.setContentsMargins(2, 2, 2, 2)
        column.addLayout(self._rows)
        column.addWidget(self.about)

    def minimumSizeHint(self) -> Any:
        """Width of the wider of its two rows."""
        size = super().minimumSizeHint()
        rows = (self._first, self._second)
        size.setWidth(max(row.minimumSize().width() for row in rows) + 4)
        return size

    def resizeEvent(self, event: Any) -> None:
        """Use two rows where one would be cut off."""
        super().resizeEvent(event)
        self._fold()

    def _fold(self) -> None:
        # From the parts: the size of a nested layout is not known at once.
        parts = (self.name, self.type, self.mirror, self.keep, self.reset)
        gap = max(self._first.spacing(), 10)
        needed = sum(part.sizeHint().width() + gap for part in parts) + gap
        way = QtWidgets.QBoxLayout.Direction
        wanted = way.LeftToRight if needed <= self.width() else way.TopToBottom
        if self._rows.direction() != wanted:
            self._rows.setDirection(wanted)

    def show_joints(
        self,
        names: Sequence[str],
        joint: JointLimit,
        edited: bool,
        why_not_mirrored: str,
        differing: Sequence[str] = (),
        limits: LimitSet | None = None,
        found: str = "",
    ) -> None:
        """Show the first of some selected joints, and how the others differ from it.

        `limits` describes the dependencies of its channels, `found` its fit in loose bodies.
        """
        more = counted(len(names) - 1, " and {count} more", " and {count} more")
        self.name.setText(names[0] + (more if len(names) > 1 else ""))
        self.type.setCurrentIndex(JOINT_TYPES.index(joint.type))
        words = about(joint)
        if differing:
            words = tr("They differ in {what}; {joint} is shown. {words}",
                       what=", ".join(differing), joint=names[0], words=words)  # fmt: skip
        depends = dependency_line(names[0], limits) if limits else ""
        also = (found, shape_words(joint), depends)
        self.about.setText("\n".join(text for text in (words, *also) if text))
        self.about.setToolTip(dependency_list(names[0], limits) if limits else "")
        self.mirror.setEnabled(not why_not_mirrored)
        self.mirror.setToolTip(why_not_mirrored or tr("Give the other side the mirror image."))
        self.reset.setEnabled(edited)
        self._fold()

    def _on_type(self, index: int) -> None:
        self.type_chosen.emit(JOINT_TYPES[index])


def about(joint: JointLimit) -> str:
    """Reason for its type, in one or two sentences."""
    evidence = joint.evidence
    if evidence.sure == "no motion":
        return tr("No motion, so nothing is known.")
    residual = evidence.residual_deg.get(joint.type)
    words = tr("{samples} poses", samples=f"{evidence.samples:,}")
    if residual is not None and joint.type != "ball":
        words += tr("; residual of a {type}: {residual}", type=tr(joint.type),
                    residual=degrees(residual, 2))  # fmt: skip
    if evidence.runner_up:
        words += tr("; runner-up: {type}", type=tr(evidence.runner_up))
    if joint.hinge is not None and joint.hinge.off_channel_deg > 1.0:
        off = degrees(joint.hinge.off_channel_deg)
        words += tr("; its axis is {angle} off {name}", angle=off, name=joint.hinge.channel)
    settle = f" {evidence.settle}" if evidence.sure == "close" and evidence.settle else ""
    sure = tr("sure") if evidence.sure == "clear" else tr("close")
    return f"{sure.capitalize()}: {words}.{settle}"
