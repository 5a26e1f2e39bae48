"""A picture of a cube that the mouse turns, shifts and comes nearer to."""

from __future__ import annotations

from typing import Any

from ..geometry.orbit import ALONG, View, orbited, panned, zoomed
from ..qt import Qt, QtWidgets, place
from .picture import Picture

_CLICK_PIXELS = 3.0
_KEY_TURN = 12.0


class SpacePicture(Picture):
    """What has a view; subclasses are told of clicks and of every change of the view."""

    def __init__(self, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent)
        self.view = View()
        self._drag: tuple[float, float] | None = None
        self._dragged = 0.0

    def set_view(self, view: View) -> None:
        """Look from somewhere else."""
        self.view = view
        self.update()

    def clicked_at(self, x: float, y: float) -> None:
        """A click of the left button that was no drag."""

    def mousePressEvent(self, event: Any) -> None:
        """Begin to turn or to shift, or a click."""
        self._drag, self._dragged = place(event), 0.0

    def mouseMoveEvent(self, event: Any) -> None:
        """Turn or shift, or say what is there."""
        if self._drag is None:
            super().mouseMoveEvent(event)
            return
        x, y = place(event)
        dx, dy = x - self._drag[0], y - self._drag[1]
        self._drag = (x, y)
        self._dragged += abs(dx) + abs(dy)
        if self._dragged <= _CLICK_PIXELS:
            return
        shift = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        if shift or event.buttons() & Qt.MouseButton.MiddleButton:
            side = min(self.width(), self.height())
            self.set_view(panned(self.view, dx / side, dy / side))
        else:
            self.set_view(orbited(self.view, dx, dy))

    def mouseReleaseEvent(self, event: Any) -> None:
        """End of a drag; where nothing was dragged, a click."""
        clicked, self._drag = self._drag is not None and self._dragged <= _CLICK_PIXELS, None
        if clicked and event.button() == Qt.MouseButton.LeftButton:
            self.clicked_at(*place(event))

    def mouseDoubleClickEvent(self, event: Any) -> None:
        """See all again."""
        self.set_view(View())

    def wheelEvent(self, event: Any) -> None:
        """Come nearer to what is under the mouse, or go away from it."""
        turn = event.angleDelta().y()
        point = event.position()
        side = min(self.width(), self.height())
        x, y = (point.x() - 0.5 * self.width()) / side, (point.y() - 0.5 * self.height()) / side
        self.set_view(zoomed(self.view, 1.0015**turn, x, y))
        event.accept()

    def keyPressEvent(self, event: Any) -> None:
        """Arrows turn, + and - zoom, X, Y, Z look along an axis, Home sees all."""
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
