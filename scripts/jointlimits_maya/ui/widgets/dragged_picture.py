"""Picture that can be dragged; a drag begins a few pixels from where the button went down."""

from __future__ import annotations

from typing import Any

from ..qt import Qt, QtWidgets, place
from .picture import Picture

_CLICK_PIXELS = 3.0


class DraggedPicture(Picture):
    """Can be dragged with any button; subclasses handle drags and clicks."""

    def __init__(self, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent)
        self._drag: tuple[float, float] | None = None
        self._dragged = 0.0

    def dragged_by(self, event: Any, dx: float, dy: float) -> None:
        """Handle a drag by some pixels."""
        raise NotImplementedError

    def clicked_at(self, x: float, y: float) -> None:
        """Handle a click of the left button without a drag."""

    def mousePressEvent(self, event: Any) -> None:
        """Begin a drag or a click."""
        self._drag, self._dragged = place(event), 0.0

    def mouseMoveEvent(self, event: Any) -> None:
        """Continue a drag, or describe what is under the mouse."""
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
        """End a drag; without one, this is a click."""
        clicked, self._drag = self._drag is not None and self._dragged <= _CLICK_PIXELS, None
        if clicked and event.button() == Qt.MouseButton.LeftButton:
            self.clicked_at(*place(event))
