"""Layout of the window, its introduction, and the sizes that it remembers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .actions import COMMANDS, name_of
from .document import Document, Host
from .joints import JointList
from .panels import JointPanel, JointPictures, MessageBar, ReviewPanel, tabs
from .toolkit import QAction, Qt, QtCore, QtWidgets, Signal, colours_of, counted, degrees

if TYPE_CHECKING:
    from .window import Window


class Introduction(QtWidgets.QFrame):
    """Card shown while nothing is open, until it is dismissed."""

    dismissed = Signal()

    def __init__(self, has_scene: bool, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("introduction")
        self.setFrameShape(QtWidgets.QFrame.Shape.StyledPanel)
        column = QtWidgets.QVBoxLayout(self)
        for sentence in sentences(has_scene):
            label = QtWidgets.QLabel(sentence)
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
            column.addWidget(label)
        self.away = QtWidgets.QPushButton("Got it")
        self.away.clicked.connect(self.dismissed)
        row = QtWidgets.QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self.away)
        column.addLayout(row)


def sentences(has_scene: bool) -> tuple[str, str, str]:
    """The three sentences."""
    if has_scene:
        first = ("1. Select an animated character and press Estimate: every joint gets a type, "
                   "its limits, and the frame behind each limit.")  # fmt: skip
        last = ("3. Press Apply to write the limits to the character; one undo in Maya reverts "
                  "it.")  # fmt: skip
    else:
        first = ("1. Open a limits file, add the motion clips of the same character, or press "
                   "Estimate to measure the clips.")  # fmt: skip
        last = "3. Press Save; in Maya, the same window applies the file to the character."
    second = ("2. Review a joint, drag the handles of a dial, exclude a bad frame, or mirror to "
                "the other side; everything here can be undone.")  # fmt: skip
    return first, second, last


class Layout:
    """Creates the parts and arranges them in a window.

    `guarded` wraps slots, so that their failures are reported; `actions` are by command name.
    """

    def __init__(
        self,
        window: Window,
        document: Document,
        host: Host,
        guarded: Callable[..., Any],
        actions: Mapping[str, QAction],
    ) -> None:
        self._window = window
        has_scene = host.scene is not None
        self.messages, self.introduction = MessageBar(), Introduction(has_scene)
        self.joints, self.review = JointList(document), ReviewPanel()
        self.joint = JointPanel(document, guarded)
        self.pictures = JointPictures(document)
        self.tabs = {tab.name: tab.make(window) for tab in tabs()}
        self.hover, self.outside, self.file = (QtWidgets.QLabel() for _ in range(3))
        self.below = self._tabs()
        column = QtWidgets.QVBoxLayout(window)
        column.setContentsMargins(4, 4, 4, 4)
        column.setSpacing(4)
        column.setMenuBar(_menus(actions))
        column.addWidget(self._bar(actions))
        column.addWidget(self.messages)
        column.addWidget(self.introduction)
        column.addWidget(self._middle(), 1)
        column.addLayout(self._foot())
        for part in (self.joint, self.pictures, self.strip):
            part.hovered.connect(self.hover.setText)

    def __getattr__(self, name: str) -> Any:
        """Return the panel of a tab: `parts.clips` is the tab named "clips"."""
        try:
            return self.__dict__["tabs"][name]
        except KeyError:
            raise AttributeError(name) from None

    def show_tab(self, panel: QtWidgets.QWidget) -> None:
        """Bring a tab to the front."""
        for page in range(self.below.count()):
            there = self.below.widget(page)
            if there is panel or there.isAncestorOf(panel):
                self.below.setCurrentIndex(page)

    def show_title(self, document: Document) -> None:
        """Show what is open and whether it is saved."""
        if not document.has_limits:
            self.file.setText("")
            return
        path = document.path or "no file yet"
        star = "" if document.is_saved else " \N{BULLET} " + "not saved"
        self.file.setText(f"{name_of(document.state)}: {path}{star}")

    def show_outside(self, outside: Mapping[str, float]) -> None:
        """Show which joints are outside their limits in the current pose."""
        if not outside:
            self.outside.setText("")
            return
        worst = max(outside, key=lambda name: outside[name])
        text = counted(len(outside), "{count} joint outside now", "{count} joints outside now")
        self.outside.setText(f"! {text}; {worst} by {degrees(outside[worst])}")
        colours = colours_of(self._window)
        self.outside.setStyleSheet(f"color: {colours.rest}; font-weight: bold;")

    # --- creation -----------------------------------------------------------------------------

    def _bar(self, actions: Mapping[str, QAction]) -> QtWidgets.QWidget:
        bar = QtWidgets.QToolBar()
        bar.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        for command in COMMANDS:
            if command.on_bar:
                bar.addAction(actions[command.name])
                button = bar.widgetForAction(actions[command.name])
                button.setObjectName(f"button_{command.name}")
        return bar

    def _middle(self) -> QtWidgets.QSplitter:
        right = _splitter(Qt.Orientation.Vertical, "right")
        above = _splitter(Qt.Orientation.Horizontal, "above")
        above.addWidget(self.joint)
        above.addWidget(self.pictures)
        above.setSizes([570, 270])
        right.addWidget(above)
        right.addWidget(self.below)
        right.setStretchFactor(0, 3)
        right.setStretchFactor(1, 1)
        right.setSizes([520, 250])
        left = QtWidgets.QWidget()
        column = QtWidgets.QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.joints, 1)
        column.addWidget(self.review)
        whole = _splitter(Qt.Orientation.Horizontal, "whole")
        whole.addWidget(left)
        whole.addWidget(right)
        whole.setSizes([518, 794])
        return whole

    def _tabs(self) -> QtWidgets.QTabWidget:
        widget = QtWidgets.QTabWidget()
        for tab in tabs():
            widget.addTab(self.tabs[tab.name], tab.title)
        return widget

    def _foot(self) -> QtWidgets.QHBoxLayout:
        row = QtWidgets.QHBoxLayout()
        row.setSpacing(16)
        row.addWidget(self.hover, 1)
        row.addWidget(self.outside)
        row.addWidget(self.file)
        self.file.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        return row


def _splitter(orientation: Any, name: str) -> QtWidgets.QSplitter:
    splitter = QtWidgets.QSplitter(orientation)
    splitter.setObjectName(name)
    splitter.setChildrenCollapsible(False)
    return splitter


def _menus(actions: Mapping[str, QAction]) -> QtWidgets.QMenuBar:
    bar = QtWidgets.QMenuBar()
    menus: dict[str, Any] = {}
    for title in ("File", "Edit", "Limits", "Shapes", "View", "Help"):
        menus[title] = bar.addMenu(title)
        menus[title].setToolTipsVisible(True)
    for command in COMMANDS:
        menus[command.menu].addAction(actions[command.name])
    return bar


class Remembered:
    """Settings file in the user's folder."""

    def __init__(self, window: QtWidgets.QWidget, folder: Path) -> None:
        self._window = window
        form = QtCore.QSettings.Format.IniFormat
        self._settings = QtCore.QSettings(str(folder / "window.ini"), form)
        for splitter in self._splitters():
            state = self._settings.value(f"splitters/{splitter.objectName()}")
            if isinstance(state, QtCore.QByteArray):
                splitter.restoreState(state)

    @property
    def introduction_dismissed(self) -> bool:
        """Whether the introduction was dismissed."""
        return str(self._settings.value("first_card_away", "")) == "yes"

    def dismiss_introduction(self) -> None:
        """Remember that the introduction was dismissed."""
        self._settings.setValue("first_card_away", "yes")
        self._settings.sync()

    def save(self) -> None:
        """Save the sizes."""
        for splitter in self._splitters():
            self._settings.setValue(f"splitters/{splitter.objectName()}", splitter.saveState())
        self._settings.sync()

    def _splitters(self) -> list[Any]:
        return list(self._window.findChildren(QtWidgets.QSplitter))
