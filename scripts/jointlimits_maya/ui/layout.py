"""Layout of the window, and its settings."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from jointlimits_core.exporters.formats import export_formats
from jointlimits_core.limits.vocabulary import degrees

from .actions import commands, desk, questions
from .actions.files import FileActions
from .panels import character, joint, kind, lists, pictures, review, time
from .plots.base import Picture
from .toolkit.focus import FocusRings
from .toolkit.palette import colours_of, show_choice
from .toolkit.qt import ElidedLabel, QAction, Qt, QtCore, QtGui, QtWidgets, arrange, emphasize
from .toolkit.words import counted

MIN_SIZE_PIXELS, MIN_STACKED_PIXELS = (360, 480), 760
"""Minimum size of the window, and minimum height with stacked panes."""
MIN_BESIDE_PIXELS, MIN_PICTURES_PIXELS, MIN_WORDS_PIXELS = 860, 1080, 1000
"""Minimum widths of the window for panes side by side, for the pictures of a joint beside the
character, and for text on the toolbar."""
MIN_TAB_PIXELS = 250
MAX_RECENT = 10


class Layout:
    """Layout of the parts of a window; `actions` are given by command name."""

    def __init__(
        self, window: desk.Desk, files: FileActions, actions: Mapping[str, QAction]
    ) -> None:
        self._window = window
        self.messages, self.joints, self.options = window.messages, window.joints, window.options
        self.review = review.ReviewPanel(window)
        self.joint = joint.JointPanel(window, actions)
        self.pictures = pictures.JointPictures(window)
        self.character = character.CharacterPanel(window)
        self.strip, self.clamping = time.StripPanel(window), lists.ClampingPanel(window)
        self.findings, self.clips = lists.FindingsPanel(window), lists.ClipsPanel(window)
        self.compare = lists.ComparePanel(window)
        self.tabs: dict[str, QtWidgets.QWidget] = {
            "Time": self.strip,
            "Clamping": self.clamping,
            "Notes": self.findings,
            "Clips": self.clips,
            "Options": self.options,
            "Compare": self.compare,
        }
        self.hover, self.outside, self.file = (ElidedLabel() for _ in range(3))
        self.below = QtWidgets.QTabWidget()
        for title, panel in self.tabs.items():
            self.below.addTab(panel, title)
            panel.setMinimumWidth(MIN_TAB_PIXELS)
        self.below.tabBar().setMinimumWidth(80)
        self.bar, self.whole = self._bar(actions), self._panes()
        self._arrange(self._menus(files, actions))
        for picture in window.findChildren(Picture):
            picture.hovered.connect(self.hover.setText)
        FocusRings(window)
        self.joints.tree.setFocus()

    def _arrange(self, menus: QtWidgets.QMenuBar) -> None:
        column = QtWidgets.QVBoxLayout(self._window)
        column.setContentsMargins(4, 4, 4, 4)
        column.setSpacing(4)
        # The window may be narrower than its panes side by side; then they are stacked.
        column.setSizeConstraint(QtWidgets.QLayout.SizeConstraint.SetNoConstraint)
        self._window.setMinimumSize(*MIN_SIZE_PIXELS)
        column.setMenuBar(menus)
        self._top = QtWidgets.QBoxLayout(QtWidgets.QBoxLayout.Direction.LeftToRight)
        self._top.addWidget(self.bar)
        self._top.addWidget(self.messages, 1)
        column.addLayout(self._top)
        column.addWidget(self.whole, 1)
        foot, policy = QtWidgets.QHBoxLayout(spacing=16), QtWidgets.QSizePolicy.Policy
        for label in (self.hover, self.outside, self.file):
            label.setSizePolicy(policy.Ignored, policy.Preferred)
            foot.addWidget(label, 1)
        self.file.setAlignment(Qt.AlignmentFlag.AlignRight)
        column.addLayout(foot)

    def fold(self, width: int) -> None:
        """Arrange the panes for a window width: side by side, or one below the other."""
        is_narrow = width < MIN_BESIDE_PIXELS
        way, box = Qt.Orientation, QtWidgets.QBoxLayout.Direction
        wanted = way.Vertical if is_narrow else way.Horizontal
        if self.whole.orientation() != wanted:
            self.whole.setOrientation(wanted)
        for panel, place, title, beside, is_tab in (
            (self.pictures, 1, "Poses", self._figures, width < MIN_PICTURES_PIXELS),
            (self.joint, 0, "Joint", self.whole, is_narrow),
        ):
            at = self.below.indexOf(panel)
            if (at >= 0) == is_tab:
                continue
            if is_tab:
                self.below.insertTab(place, panel, title)
            else:
                self.below.removeTab(at)
                beside.addWidget(panel)
                panel.show()
            if panel is self.joint:
                self.below.setCurrentIndex(0 if is_narrow else self.below.currentIndex())
                self.whole.setSizes([200, 600] if is_narrow else [380, 560, 372])
                self.middle.setSizes([270, 330] if is_narrow else [500, 270])
        self._window.setMinimumHeight(MIN_STACKED_PIXELS if is_narrow else MIN_SIZE_PIXELS[1])
        styles = Qt.ToolButtonStyle
        beside = styles.ToolButtonTextBesideIcon
        self.bar.setToolButtonStyle(
            styles.ToolButtonIconOnly if width < MIN_WORDS_PIXELS else beside
        )
        primary = self.bar.findChild(QtWidgets.QToolButton, f"button_{commands.PRIMARY}")
        primary.setToolButtonStyle(beside)
        self._top.setDirection(box.TopToBottom if width < MIN_WORDS_PIXELS else box.LeftToRight)
        for label in (self.file, self.hover):
            label.setVisible(not is_narrow)

    def show_tab(self, panel: QtWidgets.QWidget) -> None:
        """Bring a tab to the front."""
        for page in range(self.below.count()):
            there = self.below.widget(page)
            if there is panel or there.isAncestorOf(panel):
                self.below.setCurrentIndex(page)

    def show_title(self) -> None:
        """Show the name of the open limits and whether they are saved."""
        document = self._window.document
        if not document.has_limits:
            self.file.setText("")
            return
        path = document.path or "no file yet"
        star = "" if document.is_saved else " \N{BULLET} " + "not saved"
        self.file.setText(f"{questions.name_of(document.state)}: {path}{star}")

    def show_outside(self, outside: Mapping[str, float]) -> None:
        """Show which joints are outside their limits in the current pose."""
        if not outside:
            self.outside.setText("")
            return
        worst = max(outside, key=lambda name: outside[name])
        text = f"! {counted(len(outside), self._window.document.noun)} outside now"
        self.outside.setText(f"{text}; {worst} by {degrees(outside[worst])}")
        emphasize(self.outside, colours_of(self._window).alarm)

    def _bar(self, actions: Mapping[str, QAction]) -> QtWidgets.QToolBar:
        bar = QtWidgets.QToolBar(iconSize=QtCore.QSize(16, 16))
        self.kind = kind.KindSwitch()
        self.kind_in_bar = bar.addWidget(self.kind)
        for command in commands.COMMANDS:
            if command.on_bar:
                bar.addAction(actions[command.name])
                button = bar.widgetForAction(actions[command.name])
                button.setObjectName(f"button_{command.name}")
                button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        role = QtGui.QPalette.ColorRole
        fill, ink = (
            self._window.palette().color(one).name()
            for one in (role.Highlight, role.HighlightedText)
        )
        bar.setStyleSheet(
            f"QToolButton#button_{commands.PRIMARY}:enabled {{ background: {fill}; color: {ink}; "
            "border-radius: 3px; padding: 3px 10px; font-weight: bold; }"
            f"#kind QToolButton:checked {{ border: 2px solid {fill}; font-weight: bold; }}"
        )
        return bar

    def _panes(self) -> QtWidgets.QSplitter:
        left = QtWidgets.QWidget()
        arrange(QtWidgets.QVBoxLayout(left), (self.joints, 1), self.review, margin=0)
        self._figures = figures = _splitter(Qt.Orientation.Horizontal, "figures")
        figures.addWidget(self.character)
        figures.addWidget(self.pictures)
        figures.setSizes([350, 210])
        self.middle = middle = _splitter(Qt.Orientation.Vertical, "middle")
        middle.addWidget(figures)
        middle.addWidget(self.below)
        middle.setStretchFactor(0, 3)
        middle.setStretchFactor(1, 1)
        middle.setSizes([500, 270])
        whole = _splitter(Qt.Orientation.Horizontal, "panes")
        for part, stretch in ((left, 2), (middle, 3), (self.joint, 2)):
            whole.addWidget(part)
            whole.setStretchFactor(whole.count() - 1, stretch)
        whole.setSizes([380, 560, 372])
        return whole

    def _menus(self, files: FileActions, actions: Mapping[str, QAction]) -> QtWidgets.QMenuBar:
        bar, guard = QtWidgets.QMenuBar(), self._window.guard
        menus: dict[str, Any] = {}
        for title in ("File", "Edit", "Limits", "Shapes", "View", "Help"):
            menus[title] = bar.addMenu(title)
        menus["Export"] = menus["File"].addMenu("Export")
        self.recent = QtWidgets.QMenu("Recent files", bar)  # addMenu's menu would leak
        menus["File"].addMenu(self.recent)
        overflow = self.bar.findChildren(QtWidgets.QMenu)  # of buttons that do not fit
        for menu in (bar, *menus.values(), self.recent, *overflow):
            show_choice(menu)
        for menu in (*menus.values(), self.recent):
            menu.setToolTipsVisible(True)
        for command in commands.COMMANDS:
            menus[command.menu].addAction(actions[command.name])
        menus["Export"].addSeparator()
        for form in export_formats().values():
            action = QAction(f"{form.name}...", bar, toolTip=form.words)
            menus["Export"].addAction(action)
            action.triggered.connect(guard(partial(files.export, form)))
        return bar


def _splitter(orientation: Any, name: str) -> QtWidgets.QSplitter:
    return QtWidgets.QSplitter(orientation, objectName=name, childrenCollapsible=False)


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

    def value(self, name: str, otherwise: str = "") -> str:
        """A remembered text."""
        return str(self._settings.value(name, otherwise))

    def set_value(self, name: str, value: str) -> None:
        """Remember a text at once."""
        self._settings.setValue(name, value)
        self._settings.sync()

    def recent(self) -> list[str]:
        """Files that were opened or saved, most recent first."""
        return [path for path in self.value("recent").split("\n") if path]

    def add_recent(self, path: str) -> None:
        """Remember a file that was opened or saved."""
        path = os.path.abspath(path)
        others = [known for known in self.recent() if known != path]
        self.set_value("recent", "\n".join([path, *others][:MAX_RECENT]))

    def save(self) -> None:
        """Save the sizes of the panes."""
        for splitter in self._splitters():
            self._settings.setValue(f"splitters/{splitter.objectName()}", splitter.saveState())
        self._settings.sync()

    def _splitters(self) -> list[Any]:
        return list(self._window.findChildren(QtWidgets.QSplitter))
