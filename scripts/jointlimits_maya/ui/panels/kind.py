"""Switch between joints and controls: what the next estimate measures."""

from __future__ import annotations

from functools import partial

from ..toolkit.qt import QtWidgets, Signal, arrange

KINDS = (
    ("Joints", "Estimate measures the joints of the selected character."),
    ("Controls", "Estimate measures the controls of the selected character, where animators work."),
)
"""Label and tool tip of each button, joints first."""


class KindSwitch(QtWidgets.QWidget):
    """Two buttons, one of which is down."""

    controls_asked = Signal(bool)
    """Emitted when the user chooses controls (True) or joints."""

    def __init__(self) -> None:
        super().__init__(objectName="kind")
        self.buttons = [QtWidgets.QToolButton(text=label, checkable=True) for label, _ in KINDS]
        group = QtWidgets.QButtonGroup(self, exclusive=True)
        for controls, button in enumerate(self.buttons):
            group.addButton(button)
            button.clicked.connect(partial(self._ask, bool(controls)))
        arrange(QtWidgets.QHBoxLayout(self, spacing=0), *self.buttons, margin=0)
        self.show_kind(False, "")

    def show_kind(self, controls: bool, obstacle: str) -> None:
        """Show what is measured; an obstacle to controls disables the switch and is its tip."""
        for number, (button, (_, tip)) in enumerate(zip(self.buttons, KINDS)):
            button.setChecked(bool(number) == controls)
            button.setEnabled(not obstacle)
            button.setToolTip(obstacle or tip)
            button.setWhatsThis(button.toolTip())

    def _ask(self, controls: bool, *_: object) -> None:
        self.controls_asked.emit(controls)
