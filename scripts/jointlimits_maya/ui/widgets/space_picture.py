"""Picture of a cube that the mouse turns, pans and zooms."""

from __future__ import annotations

from typing import Any

from ..geometry.orbit import ALONG, View, orbited, panned, zoomed
from ..qt import Qt, QtWidgets
from .dragged_picture import DraggedPicture

_KEY_TURN = 12.0


class SpacePicture(DraggedPicture):
    """Picture with a view; subclasses handle clicks and view changes."""

    def __init__(self, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent)
        self.view = View()

    def set_view(self, view: View) -> None:
        """Set the view."""
        self.view = view
        self.update()

    def dragged_by(self, event: Any, dx: float, dy: float) -> None:
        """Turn; pan with the middle button or the shift key."""
        shift = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        if shift or event.buttons() & Qt.MouseButton.MiddleButton:
            side = min(self.width(), self.height())
            self.set_view(panned(self.view, dx / side, dy / side))
        else:
            self.set_view(orbited(self.view, dx, dy))

    def mouseDoubleClickEvent(self, event: Any) -> None:
        """Show everything again."""
        self.set_view(View())

    def wheelEvent(self, event: Any) -> None:
        """Zoom at the mouse position."""
        turn = event.angleDelta().y()
        point = event.position()
        side = min(self.width(), self.height())
        x, y = (point.x() - 0.5 * self.width()) / side, (point.y() - 0.5 * self.height()) / side
        self.set_view(zoomed(self.view, 1.0015**turn, x, y))
        event.accept()

    def keyPressEvent(self, event: Any) -> None:
        """Arrows turn, + and - zoom, X, Y, Z look along an axis, Home shows everything."""
        keys, key = Qt.Key, event.key()
        turns = {
            keys.Key_Left: (-_KEY_TURN, 0.0),
            keys.Key_Right: (_KEY_TURN, 0.0),
            keys.Key_Up: (0.0, -_KEY_TURN),
            keys.Key_Down: (0.0, _KEY_TURN),
        }
        along = {keys.Key_X: "X", keys.Key_Y: "Y", keys.Key_Z: "Z"}
        if key in turns:
            self.set_view(orbited(self.view, *turns[key]))
        elif key in along:
            self.set_view(ALONG[along[key]])
        elif key in (keys.Key_Plus, keys.Key_Equal):
            self.set_view(zoomed(self.view, 1.2))
        elif key == keys.Key_Minus:
            self.set_view(zoomed(self.view, 1.0 / 1.2))
        elif key == keys.Key_Home:
            self.set_view(View())
        else:
            super().keyPressEvent(event)
