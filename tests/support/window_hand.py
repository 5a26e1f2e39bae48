"""The hand of an artist: real mouse events on the window's parts, counted."""

from __future__ import annotations

import numpy as np


class Hand:
    """Clicks and drags; every one is an action.

    Parameters
    ----------
    window : Window
    qtbot : pytest-qt's fixture
    """

    def __init__(self, window, qtbot):
        from jointlimits_maya.ui.toolkit.qt import Qt

        self.window, self.qtbot, self.actions = window, qtbot, 0
        self._left = Qt.MouseButton.LeftButton
        self._plain, self._alt = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.AltModifier

    def click(self, widget, place=None):
        assert widget.isVisible(), widget
        assert widget.isEnabled(), widget
        self.actions += 1
        self.qtbot.mouseClick(widget, self._left, pos=place or widget.rect().center())

    def click_bar(self, method):
        """Click a button of the bar at the top."""
        from jointlimits_maya.ui.toolkit.qt import QtWidgets

        self.click(self.window.findChild(QtWidgets.QToolButton, f"button_{method}"))

    def click_figure(self, at, held=None):
        """Click a pixel of the character."""
        from jointlimits_maya.ui.toolkit.qt import QtCore

        view = self.window.parts.character.view
        self.actions += 1
        point = QtCore.QPoint(round(at[0]), round(at[1]))
        self.qtbot.mouseClick(view, self._left, held or self._plain, pos=point)

    def drag_figure(self, start, end, button=None, held=None, release=True):
        """Drag from one pixel of the character to another."""
        from jointlimits_maya.ui.toolkit.qt import QtCore

        view = self.window.parts.character.view
        self.actions += 1
        points = np.linspace(start, end, 12)
        for number, point in enumerate(points):
            what = "press" if not number else "move"
            self._mouse(view, what, QtCore.QPointF(*point), button, held or self._plain)
        if release:
            self._mouse(view, "release", QtCore.QPointF(*end), button, held or self._plain)

    def click_joint(self, name):
        """Click a joint in the list."""
        tree = self.window.parts.joints.tree
        tree.scrollToItem(tree.item_of(name))
        area = tree.visualItemRect(tree.item_of(name))
        assert area.isValid(), name
        self.click(tree.viewport(), area.center())

    def click_joints(self, *names):
        """Click joints in the list, all after the first with Ctrl held down."""
        from jointlimits_maya.ui.toolkit.qt import Qt

        self.click_joint(names[0])
        tree = self.window.parts.joints.tree
        for name in names[1:]:
            tree.scrollToItem(tree.item_of(name))
            place = tree.visualItemRect(tree.item_of(name)).center()
            self.actions += 1
            held = Qt.KeyboardModifier.ControlModifier
            self.qtbot.mouseClick(tree.viewport(), self._left, held, pos=place)
        assert set(self.window.selected) == set(names)

    def press(self, letter):
        """Press Ctrl and a letter, with the keyboard in the list."""
        from jointlimits_maya.ui.toolkit.qt import Qt

        self.actions += 1
        tree = self.window.parts.joints.tree
        tree.setFocus()
        held = Qt.KeyboardModifier.ControlModifier
        self.qtbot.keyClick(tree, getattr(Qt.Key, f"Key_{letter}"), held)

    def choose(self, box, text):
        """Choose a row of a box with the arrow keys."""
        from jointlimits_maya.ui.toolkit.qt import Qt

        assert box.findText(text) >= 0, [box.itemText(row) for row in range(box.count())]
        box.setFocus()
        while box.currentText() != text:
            is_above = box.findText(text) < box.currentIndex()
            self.qtbot.keyClick(box, Qt.Key.Key_Up if is_above else Qt.Key.Key_Down)

    def type_bound(self, channel, end, text, leave="Return"):
        """Click into a field of a bound, type something in place of what is there, and leave."""
        from jointlimits_maya.ui.toolkit.qt import Qt

        box = self.window.parts.joint.axes[channel].boxes[end]
        line = box.lineEdit()
        self.click(line)
        self.qtbot.keyClick(line, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        for letter in text:
            self._type(line, letter)
        self.qtbot.keyClick(line, getattr(Qt.Key, f"Key_{leave}"))
        return box

    def _type(self, widget, letter):
        """Press the key of a letter, also of one that QTest has no key for."""
        from jointlimits_maya.ui.toolkit.qt import QtCore, QtGui, QtWidgets

        kinds = QtCore.QEvent.Type
        for kind in (kinds.KeyPress, kinds.KeyRelease):
            event = QtGui.QKeyEvent(kind, 0, self._plain, letter)
            QtWidgets.QApplication.sendEvent(widget, event)

    def drag_limit(self, channel, end, degrees):
        """Drag a handle of a dial along its circle by some degrees, without snapping."""
        from jointlimits_maya.ui.toolkit.qt import QtCore

        self.actions += 1
        dial = self.window.parts.joint.axes[channel].dial
        layout = dial.layout_now
        x, y = self.handle(dial, end)
        angle, radius = layout.angle(x, y), np.hypot(x - layout.x, y - layout.y)
        self._mouse(dial, "press", QtCore.QPointF(x, y))
        steps = 12
        for step in range(1, steps + 1):
            turned = angle + degrees * step / steps
            place = layout.point(turned, radius)
            self._mouse(dial, "move", QtCore.QPointF(*place))
        self._mouse(dial, "release", QtCore.QPointF(*place))

    def handle(self, dial, end):
        """Pixel of a handle."""
        layout, state = dial.layout_now, dial.state
        found = [
            (x, y)
            for y in range(0, dial.height(), 4)
            for x in range(0, dial.width(), 4)
            if layout.handle_at(state, x, y) == end
        ]
        assert found, f"no handle {end}"
        return (sum(x for x, _ in found) / len(found), sum(y for _, y in found) / len(found))

    def _mouse(self, widget, what, place, pressed=None, keys=None):
        """Send a mouse event at a fraction of a pixel, by default with Alt held down."""
        from jointlimits_maya.ui.toolkit.qt import Qt, QtCore, QtGui, QtWidgets

        kinds = QtCore.QEvent.Type
        kind = {
            "press": kinds.MouseButtonPress,
            "move": kinds.MouseMove,
            "release": kinds.MouseButtonRelease,
        }[what]
        none = Qt.MouseButton.NoButton
        pressed = pressed or self._left
        button = none if what == "move" else pressed
        held = none if what == "release" else pressed
        whole = QtCore.QPointF(widget.mapToGlobal(place.toPoint()))
        keys = self._alt if keys is None else keys
        event = QtGui.QMouseEvent(kind, place, whole, button, held, keys)
        QtWidgets.QApplication.sendEvent(widget, event)
