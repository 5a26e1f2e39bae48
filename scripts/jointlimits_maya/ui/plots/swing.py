"""Swing and twist of a ball joint: bone direction on a disc, twist on a strip."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from jointlimits_core.geometry import ArrayLike, Floats

from ..toolkit import Qt, QtCore, QtWidgets, Signal, counted, degrees
from . import swing_paint
from .base import DraggedPicture
from .swing_layout import (
    TWIST_BIN_DEG,
    DiscLayout,
    DiscView,
    disc_panned,
    disc_zoomed,
    reach_for,
    twist_counts,
)

_HOVER_PIXELS = 9.0
_WIDEST = 1.6
"""A rest pose beyond this multiple of the samples' distance from the centre is left outside."""


class SwingDisc(DraggedPicture):
    """Swing on a disc, seen along the bone, with the twist below."""

    sample_clicked = Signal(int)
    """Index of a sample in the given arrays."""

    def __init__(self, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumSize(160, 180)
        self.setAccessibleName("Swing and twist")
        self._names = ("X", "Y", "Z")
        self._outlines: tuple[Floats, ...] = ()
        self._limits: tuple[float, float] | None = None
        self._rest: tuple[float, float, float] | None = None
        self._pose: tuple[float, float, float] | None = None
        self._data = 0
        self.set_samples(np.zeros((0, 2)), np.zeros(0))

    def sizeHint(self) -> Any:
        """Room for a disc and the strip below it."""
        return QtCore.QSize(330, 390)

    # --- display ------------------------------------------------------------------------------

    def set_samples(self, swing: ArrayLike, twist: ArrayLike) -> None:
        """Set the samples; see :func:`jointlimits_core.report.figures.swing_and_twist`.

        Parameters
        ----------
        swing : array, shape (samples, 2)
        twist : array, shape (samples,)
        """
        both = np.column_stack([np.asarray(swing, dtype=np.float64).reshape(-1, 2), twist])
        self._indices = np.flatnonzero(np.isfinite(both).all(axis=1))
        kept = both[self._indices]
        self._swing, self._twist = kept[:, :2], kept[:, 2]
        self._counts = twist_counts(self._twist)
        self._data += 1
        self.view = DiscView(self._reach())
        count = len(self._swing)
        self.setAccessibleDescription(counted(count, "{count} sample", "{count} samples"))
        self.update()

    def set_axis_names(self, bone: str, first: str, second: str) -> None:
        """Name the axis along the bone and the two that it swings about."""
        self._names = (bone, first, second)
        self._data += 1
        self.update()

    def set_outlines(self, outlines: Sequence[ArrayLike]) -> None:
        """Set the outlines of the limits: closed, each of shape (corners, 2)."""
        self._outlines = tuple(np.asarray(one, dtype=np.float64) for one in outlines)
        self.update()

    def set_twist_range(self, low: float | None, high: float | None) -> None:
        """Set the range of the twist; None for both if there is none."""
        self._limits = None if low is None or high is None else (low, high)
        self.update()

    def set_rest(self, x: float | None, y: float = 0.0, twist: float = 0.0) -> None:
        """Set the rest pose: swing about both axes, and twist; None if there is none."""
        self._rest = None if x is None else (x, y, twist)
        self.view = DiscView(self._reach())
        self.update()

    def _reach(self) -> float:
        """Swing at the rim: of all samples, and of the rest pose unless it is far from them."""
        reach = reach_for(self._swing)
        if self._rest is None or math.hypot(*self._rest[:2]) > _WIDEST * reach:
            return reach
        return max(reach, reach_for(np.array([self._rest[:2]])))

    def set_pose(self, x: float | None, y: float = 0.0, twist: float = 0.0) -> None:
        """Set the current pose: swing about both axes, and twist; None if there is none."""
        self._pose = None if x is None else (x, y, twist)
        self.update()

    def what_is_this(self) -> str:
        """Explanation of the picture for new users."""
        return (
            "A ball joint seen along its bone. On the disc, every pose is the direction of the "
            "bone: further from the centre means more swing, darker means more often. The blue "
            "outline is what the limits allow. The strip below is the twist, the rotation of the "
            "bone about itself, with its range in blue. The diamond is the rest pose, the ring "
            "and the vertical line are the current pose.\n"
            "Wheel to zoom, drag to pan, double click to see everything; click to go to the frame "
            "of the nearest pose."
        )

    # --- painting -----------------------------------------------------------------------------

    @property
    def layout_now(self) -> DiscLayout:
        """Layout at the current size."""
        return DiscLayout(self.view, self.width(), self.height())

    def paint(self, painter: Any) -> None:
        """Paint the cached rings and samples, then the rest on top of them."""
        layout, colours = self.layout_now, self.colours
        font = self.small_font(0.85)

        def below(on: Any) -> None:
            names = (self._names[1], self._names[2])
            swing_paint.paint_rings(on, layout, names, colours, font)
            on.save()
            on.setClipPath(swing_paint.disc_path(layout))
            image = swing_paint.density_image(layout, self._swing, colours, self.ratio)
            on.drawImage(QtCore.QPointF(0, 0), image)
            on.restore()

        painter.drawImage(0, 0, self.layer("samples", (self._data, self.view), below))
        painter.save()
        painter.setClipPath(swing_paint.disc_path(layout))
        swing_paint.paint_ring_numbers(painter, layout, colours, font)
        swing_paint.paint_outlines(painter, layout, self._outlines, colours)
        painter.restore()
        # Whole marks, even where one is half beyond the rim; none whose centre is beyond it.
        rest, pose = (
            None if one is None or not layout.shows(one[:2]) else np.array(one[:2])
            for one in (self._rest, self._pose)
        )
        swing_paint.paint_swing_marks(painter, layout, rest, pose, colours)
        self._paint_strip(painter, layout, font)

    def _paint_strip(self, painter: Any, layout: DiscLayout, font: Any) -> None:
        colours = self.colours
        swing_paint.paint_twist(painter, layout, self._counts, self._limits, colours, font)
        swing_paint.paint_twist_title(painter, layout, self._names[0], colours)
        rest = None if self._rest is None else self._rest[2]
        pose = None if self._pose is None else self._pose[2]
        swing_paint.paint_twist_marks(painter, layout, rest, pose, colours)

    # --- under the mouse ------------------------------------------------------------------------

    def sample_at(self, x: float, y: float) -> int | None:
        """Index of the nearest sample within a few pixels, in the given arrays."""
        layout = self.layout_now
        if not len(self._swing):
            return None
        if layout.in_strip(y):
            away = np.abs(self._twist - layout.twist(x)) / TWIST_BIN_DEG
            near = 1.0
        else:
            here = layout.swing(x, y)
            away = np.hypot(self._swing[:, 0] - here[0], self._swing[:, 1] - here[1])
            near = _HOVER_PIXELS / layout.pixels_per_degree
        best = int(away.argmin())
        return int(self._indices[best]) if away[best] <= near else None

    def words_at(self, x: float, y: float) -> str:
        """Description of swing or twist at a pixel, with the number of samples there."""
        layout = self.layout_now
        if layout.in_strip(y):
            twist = layout.twist(x)
            count = int(self._counts[min(int((twist + 180.0) / TWIST_BIN_DEG), 179)])
            samples = counted(count, "{count} sample", "{count} samples")
            return f"twist {degrees(twist)}: {samples}"
        first, second = layout.swing(x, y)
        total = float(np.hypot(first, second))
        if total > layout.view.reach_deg:
            return ""
        names = self._names
        swing = f"{names[1]} {degrees(first)}, {names[2]} {degrees(second)}"
        return f"swing {degrees(total)}: {swing}"

    # --- mouse and keyboard -----------------------------------------------------------------------

    def _look(self, view: DiscView) -> None:
        self.view = view
        self.update()

    def dragged_by(self, event: Any, dx: float, dy: float) -> None:
        """Pan the view."""
        self._look(disc_panned(self.layout_now, dx, dy))

    def clicked_at(self, x: float, y: float) -> None:
        """Emit the clicked sample, if there is one."""
        sample = self.sample_at(x, y)
        if sample is not None:
            self.sample_clicked.emit(sample)

    def mouseDoubleClickEvent(self, event: Any) -> None:
        """Show everything again."""
        self._look(DiscView(self.view.reach_deg))

    def wheelEvent(self, event: Any) -> None:
        """Zoom at the mouse position."""
        point = event.position()
        factor = 1.0015 ** event.angleDelta().y()
        self._look(disc_zoomed(self.layout_now, factor, point.x(), point.y()))
        event.accept()

    def keyPressEvent(self, event: Any) -> None:
        """+ and - zoom, arrows pan, Home shows everything."""
        keys, key = Qt.Key, event.key()
        shifts = {
            keys.Key_Left: (20.0, 0.0),
            keys.Key_Right: (-20.0, 0.0),
            keys.Key_Up: (0.0, 20.0),
            keys.Key_Down: (0.0, -20.0),
        }
        layout = self.layout_now
        if key in shifts:
            self._look(disc_panned(layout, *shifts[key]))
        elif key in (keys.Key_Plus, keys.Key_Equal):
            self._look(disc_zoomed(layout, 1.25, *layout.centre))
        elif key == keys.Key_Minus:
            self._look(disc_zoomed(layout, 0.8, *layout.centre))
        elif key == keys.Key_Home:
            self._look(DiscView(self.view.reach_deg))
        else:
            super().keyPressEvent(event)
