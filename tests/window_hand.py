"""The hand of an artist: real mouse events on the window's parts, counted."""

from __future__ import annotations


class Hand:
    """Clicks and drags; every one is an action.

    Parameters
    ----------
    window : Window
    qtbot : pytest-qt's fixture
    """

    def __init__(self, window, qtbot):
        from jointlimits_maya.ui.qt import Qt

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
        from jointlimits_maya.ui.qt import QtWidgets

        self.click(self.window.findChild(QtWidgets.QToolButton, f"button_{method}"))

    def click_joint(self, name):
        """Click a joint in the list."""
        tree = self.window.parts.joints.tree
        tree.scrollTo(tree._shown_index(name))
        area = tree.visualRect(tree._shown_index(name))
        assert area.isValid(), name
        self.click(tree.viewport(), area.center())

    def drag_bound(self, channel, end, degrees):
        """Drag a handle of a dial along its circle by some degrees, without snapping."""
        from jointlimits_maya.ui.qt import QtCore

        self.actions += 1
        dial = self.window.parts.joint.axes[channel].dial
        layout = dial.layout_now
        x, y = self.handle(dial, end)
        angle, radius = layout.angle(x, y), layout.radius(x, y)
        self._mouse(dial, "press", QtCore.QPointF(x, y))
        steps = 12
        for step in range(1, steps + 1):
            turned = angle + degrees * step / steps
            place = layout.point(turned, radius)
            self._mouse(dial, "move", QtCore.QPointF(*place))
        self._mouse(dial, "release", QtCore.QPointF(*place))

    def handle(self, dial, end):
        """Pixel of a handle."""
        from jointlimits_maya.ui.geometry.dial import handle_at

        layout, state = dial.layout_now, dial.state
        found = [
            (x, y)
            for y in range(0, dial.height(), 2)
            for x in range(0, dial.width(), 2)
            if handle_at(layout, state, x, y) == end
        ]
        assert found, f"no handle {end}"
        return (sum(x for x, _ in found) / len(found), sum(y for _, y in found) / len(found))

    def _mouse(self, widget, what, place):
        """Send a mouse event at a fraction of a pixel, with Alt held down."""
        from jointlimits_maya.ui.qt import Qt, QtCore, QtGui, QtWidgets

        kinds = QtCore.QEvent.Type
        kind = {"press": kinds.MouseButtonPress, "move": kinds.MouseMove,
                "release": kinds.MouseButtonRelease}[what]  # fmt: skip
        none = Qt.MouseButton.NoButton
        button = none if what == "move" else self._left
        held = none if what == "release" else self._left
        whole = QtCore.QPointF(widget.mapToGlobal(place.toPoint()))
        event = QtGui.QMouseEvent(kind, place, whole, button, held, self._alt)
        QtWidgets.QApplication.sendEvent(widget, event)
