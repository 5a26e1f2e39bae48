"""A picture that the mouse drags: a drag begins a few pixels from where it went down."""

from __future__ import annotations

from typing import Any

from ..qt import Qt, QtWidgets, place
from .picture import Picture

_CLICK_PIXELS = 3.0


class DraggedPicture(Picture):
    """What can be dragged with any button; subclasses are told of drags and of clicks."""

    def __init__(self, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent)
        self._drag: tuple[float, float] | None = None
        self._dragged = 0.0

    def dragged_by(self, event: Any, dx: float, dy: float) -> None:
        """The mouse went on by some pixels with a button down."""
        raise NotImplementedError

    def clicked_at(self, x: float, y: float) -> None:
        """A click of the left button that was no drag."""

    def mousePressEvent(self, event: Any) -> None:
        """Begin a drag or a click."""
        self._drag, self._dragged = place(event), 0.0

    def mouseMoveEvent(self, event: Any) -> None:
        """Go on with a drag, or say what is there."""
        if self._drag is None:
            super().mouseMoveEvent(event)
            return
        x, y = place(event)
        dx, dy = x - self._drag[0], y - self._drag[1]
        self._drag = (x, y)
        self._dragged += abs(dx) + abs(dy)
        if self._dragged > _CLICK_PIXELS:
            self.dragged_by(event, dx, dy)

    def mouseReleaseEvent(self, event: Any) -> None:
        """End of a drag; where nothing was dragged, a click."""
        clicked, self._drag = self._drag is not None and self._dragged <= _CLICK_PIXELS, None
        if clicked and event.button() == Qt.MouseButton.LeftButton:
            self.clicked_at(*place(event))
