"""Introduction in three sentences, for the first start of the window."""

from __future__ import annotations

from .qt import Qt, QtWidgets, Signal
from .words import tr


class FirstRun(QtWidgets.QFrame):
    """Card shown while nothing is open, until it is dismissed."""

    put_away = Signal()

    def __init__(self, has_scene: bool, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("first_run")
        self.setFrameShape(QtWidgets.QFrame.Shape.StyledPanel)
        column = QtWidgets.QVBoxLayout(self)
        for sentence in sentences(has_scene):
            label = QtWidgets.QLabel(sentence)
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
            column.addWidget(label)
        self.away = QtWidgets.QPushButton(tr("Got it"))
        self.away.clicked.connect(self.put_away)
        row = QtWidgets.QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self.away)
        column.addLayout(row)


def sentences(has_scene: bool) -> tuple[str, str, str]:
    """The three sentences."""
    if has_scene:
        first = tr("1. Select an animated character and press Estimate: every joint gets a type, "
                   "its limits, and the frame behind each limit.")  # fmt: skip
        last = tr("3. Press Apply to write the limits to the character; one undo in Maya reverts "
                  "it.")  # fmt: skip
    else:
        first = tr("1. Open a limits file, add the motion clips of the same character, or press "
                   "Estimate to measure the clips.")  # fmt: skip
        last = tr("3. Press Save; in Maya, the same window applies the file to the character.")
    second = tr("2. Review a joint, drag the handles of a dial, exclude a bad frame, or mirror to "
                "the other side; everything here can be undone.")  # fmt: skip
    return first, second, last
