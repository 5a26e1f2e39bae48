"""The character in its pose: seen from all sides, joints to select, limits to drag on the body."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from jointlimits_core.base.text import channel_letter
from jointlimits_core.geometry.arrays import ArrayLike, Floats
from jointlimits_core.geometry.euler import CHANNELS
from jointlimits_core.limits.limit_set import JointLimit
from jointlimits_core.limits.vocabulary import degrees
from jointlimits_core.report.figures.character import STATE_NAMES, Character, Pose
from jointlimits_core.report.figures.range_shapes import SELECTED_SHARE, RangeShape, arc_directions
from jointlimits_core.report.figures.view import Stage, View, orbited, panned, zoomed

from ..toolkit.qt import Qt, QtCore, QtWidgets, Signal, place
from . import character_paint as paint
from .base import Picture, pen
from .dial_layout import MAX, MIN, ChannelState, moved_bound

JOINT_PIXELS, CLICK_PIXELS = 12.0, 3.0
LEAST_RADIUS = 32.0
"""Least radius of a range in pixels, so that its handles stay apart and beside the body."""
_ROOM = 0.56
"""Half of the stage as a share of the reach: bodies fill the picture, and raised arms fit."""
_FRAMED = 1.5
"""Room around selected joints, in lengths of their longest bone."""
_SEARCH_DEG = 40.0
"""A handle follows the mouse within this angle of where it is, so it cannot jump across."""
FRONT = View(-25.0, 8.0)


@dataclass(frozen=True, eq=False)
class Editable:
    """The joint whose limits can be dragged: its arcs, and its channels in the pose, (3,) deg."""

    joint: int
    limit: JointLimit
    arcs: tuple[RangeShape, ...]
    at_deg: Floats

    def span(self, channel: str) -> tuple[float, float]:
        """Minimum and maximum of a limited channel."""
        axis = self.limit.limits[channel]
        return float(axis.min_deg or 0.0), float(axis.max_deg or 0.0)


@dataclass
class _Drag:
    """What a drag does: "orbit", "pan", "dolly", "click", or the arc and end of a limit."""

    what: str
    last: tuple[float, float]
    moved: float = 0.0
    arc: RangeShape | None = None
    end: str = MIN
    before: float = 0.0
    value: float = 0.0


class CharacterView(Picture):
    """The character; what it shows is set by its panel."""

    joint_clicked = Signal(int, bool)
    """Index of a joint, and whether it is added to the selection."""
    bound_dragged = Signal(str, str, float)
    """Channel, "min" or "max", and its value during a drag."""
    bound_set = Signal(str, str, float)
    """The same once, when the handle is released."""
    drag_cancelled = Signal()
    bound_pointed = Signal(str, str)
    """Channel and end of the handle under the mouse; empty for none."""
    play_asked = Signal()
    step_asked = Signal(int)

    def __init__(self, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumSize(120, 100)
        self.setAccessibleName("Character")
        self.view = FRONT
        self.character: Character | None = None
        self.empty = ""
        self.pose: Pose | None = None
        self.names: Sequence[str] = ()
        self.look = paint.Look({})
        self.ghost: Floats | None = None
        """Joints of the pose behind a limit, shape (joints, 3)."""
        self.trail = np.zeros((0, 3))
        """Where the end of the selected joint's bone has been, shape (frames, 3)."""
        self._shapes: tuple[tuple[int, RangeShape], ...] = ()
        self._editable: Editable | None = None
        self._target: tuple[tuple[int, ...], float] | None = None
        self._hand: tuple[str, str] | None = None
        self._drag: _Drag | None = None

    def sizeHint(self) -> Any:
        """Room for a whole body."""
        return QtCore.QSize(360, 380)

    def what_is_this(self) -> str:
        """Explanation of the picture for new users."""
        return (
            "The character in the current frame. Joints outside their limits are red, those to "
            "look at orange. Click a joint to select it, Shift-click to add it. The arcs at the "
            "selected joint are its limits, X red, Y green, Z blue: drag − or + to change one "
            "in whole degrees, with Shift in tenths; Esc cancels. A pale figure is the pose that "
            "the limit under the mouse comes from, the pale line where the bone's end has been.\n"
            "As in Maya, Alt and the left button orbit, the middle button pans, the right button "
            "or the wheel dollies; F frames the selected joints and A the whole character. "
            "Without Alt, dragging the background orbits too. Space plays, Left and Right step."
        )

    # --- display ------------------------------------------------------------------------------

    def show_character(self, character: Character | None, names: Sequence[str]) -> None:
        """Show another character; `names` are those of its joints."""
        if character is not self.character:
            self.character, self.names = character, names
            self._target, self._editable, self._shapes = None, None, ()
        self.update()

    def show_pose(
        self,
        pose: Pose | None,
        look: paint.Look,
        shapes: Sequence[tuple[int, RangeShape]],
        editable: Editable | None,
    ) -> None:
        """Show a pose with states, ranges by joint index, and the limits that can be dragged."""
        self.pose, self._shapes, self._editable = pose, tuple(shapes), editable
        self.look = replace(look, hovered=self.look.hovered)
        self.update()

    def show_ghost(self, places: Floats | None) -> None:
        """Show another pose behind the body, shape (joints, 3), or none."""
        self.ghost = places
        self.update()

    @property
    def stage(self) -> Stage:
        """Stage of the current pose."""
        assert self.character is not None
        assert self.pose is not None
        centre, half = self.character.centre(self.pose), _ROOM * self.character.reach
        if self._target is not None:
            joints, half = self._target
            centre = self.pose.places[list(joints)].mean(axis=0)
        x, y, z = (float(value) for value in centre)
        return Stage(self.view, self.width(), self.height(), (x, y, z), half)

    @property
    def radius(self) -> float:
        """Radius of the ranges, in the unit of the clip."""
        assert self.character is not None
        half = self._target[1] if self._target else self.character.reach
        least = LEAST_RADIUS / max(self.stage.pixels_per_unit, 1e-9)
        return max(min(SELECTED_SHARE * self.character.reach, 0.7 * half), least)

    def frame_selected(self) -> None:
        """Look at the selected joints, or at everything if none is selected."""
        if self.character is None or self.pose is None:
            return
        joints, bones = sorted(self.look.selected), self.character.bones
        self.view = replace(self.view, zoom=1.0, shift=(0.0, 0.0))
        self._target = None
        if joints:
            touching = bones[np.isin(bones, joints).any(axis=1)]
            ends = self.pose.places[touching]
            longest = max(np.linalg.norm(ends[:, 0] - ends[:, 1], axis=-1), default=0.0)
            places = self.pose.places[joints]
            around = np.linalg.norm(places - places.mean(axis=0), axis=1).max()
            half = 0.5 * (_FRAMED * float(longest) + float(around))
            self._target = (tuple(joints), min(max(half, 1e-6), _ROOM * self.character.reach))
        self.update()

    def frame_all(self) -> None:
        """Look at the whole character from where it is seen."""
        self.view, self._target = replace(self.view, zoom=1.0, shift=(0.0, 0.0)), None
        self.update()

    # --- painting -----------------------------------------------------------------------------

    def paint(self, painter: Any) -> None:
        """Paint everything, from the ground up to the handles."""
        character, pose = self.character, self.pose
        if character is None or pose is None or not np.isfinite(pose.places).all():
            self.paint_empty(painter, self.empty)
            return
        stage, colours = self.stage, self.colours
        paint.paint_ground(painter, stage, character.ground(pose), colours)
        paint.paint_trail(painter, stage.project(self.trail), colours)
        if self.ghost is not None:
            paint.paint_ghost(painter, stage.project(self.ghost), character.bones, colours)
        pixels, states = stage.project(pose.places), self.look.states
        body = partial(
            paint.paint_body, pixels=pixels, character=character, states=states, colours=colours
        )
        self._paint_ranges(painter, stage, pose, is_edge=False)
        key = (pose, stage, tuple(states.items()))
        painter.drawImage(0, 0, self.layer("body", key, body))
        paint.paint_chosen(painter, pixels, character.bones, self.look, colours)
        self._paint_ranges(painter, stage, pose, is_edge=True)
        if self._editable is not None:
            self._paint_handles(painter, stage, pose, self._editable)
        words = "; ".join(character.notes)
        painter.setFont(self.small_font())
        painter.setPen(pen(self.colours.faint))
        area = QtCore.QRectF(self.rect()).adjusted(6, 4, -6, -4)
        flags = Qt.AlignmentFlag.AlignBottom | Qt.TextFlag.TextWordWrap
        painter.drawText(area, flags, f"{words[:1].upper()}{words[1:]}{'.' if words else ''}")

    def _paint_ranges(self, painter: Any, stage: Stage, pose: Pose, is_edge: bool) -> None:
        """Paint edges of ranges, or areas; those of the limits that can be dragged on top."""
        edited = self._editable
        arcs = () if edited is None else ((edited.joint, arc) for arc in edited.arcs)
        for joint, shape in (*self._shapes, *arcs):
            paint.paint_range(
                painter, stage, pose, joint, shape, self.radius, self.colours, is_edge
            )

    def _paint_handles(self, painter: Any, stage: Stage, pose: Pose, edited: Editable) -> None:
        joint, colours = edited.joint, self.colours
        for arc in edited.arcs:
            row = CHANNELS.index(str(arc.channel))
            tip = arc_directions(edited.limit, arc, edited.at_deg, edited.at_deg[row : row + 1])
            paint.paint_tip(painter, stage, pose, joint, tip[0], self.radius, colours)
        active = (self._drag.arc, self._drag.end) if self._drag and self._drag.arc else None
        for arc, end, pixel in self.handles():
            row = CHANNELS.index(str(arc.channel))
            is_active = self._hand == (arc.channel, end)
            is_active |= active is not None and (active[0].channel, active[1]) == (arc.channel, end)
            paint.paint_handle(painter, pixel, colours.axes[row], end == MAX, is_active, colours)

    def handles(self) -> list[tuple[RangeShape, str, Floats]]:
        """Arc, end and pixel of every handle."""
        edited, pose = self._editable, self.pose
        if edited is None or pose is None or self.character is None:
            return []
        found = []
        for arc in edited.arcs:
            ends = paint.directions_at(pose, edited.joint, arc.ends(), self.radius)
            pixels = self.stage.project(ends)[:, :2]
            found += [(arc, end, pixel) for end, pixel in zip((MIN, MAX), pixels)]
        return found

    # --- what is under the mouse ------------------------------------------------------------------

    def joint_at(self, x: float, y: float) -> int | None:
        """Index of the joint at a pixel; of several, the nearest to the pixel."""
        if self.character is None or self.pose is None:
            return None
        pixels = self.stage.project(self.pose.places)
        away = np.hypot(pixels[:, 0] - x, pixels[:, 1] - y)
        nearest = int(away.argmin())
        return nearest if away[nearest] <= JOINT_PIXELS else None

    def handle_at(self, x: float, y: float) -> tuple[RangeShape, str] | None:
        """Arc and end of the handle at a pixel."""
        for arc, end, (at_x, at_y) in reversed(self.handles()):
            if np.hypot(at_x - x, at_y - y) <= paint.HANDLE_PIXELS + 3.0:
                return arc, end
        return None

    def words_at(self, x: float, y: float) -> str:
        """Description of the handle or the joint at a pixel."""
        found = self.handle_at(x, y)
        if found is not None and self._editable is not None:
            arc, end = found
            value = self._editable.span(str(arc.channel))[end == MAX]
            name = self.names[self._editable.joint]
            return f"{name} rotate {channel_letter(str(arc.channel))}, {end} {degrees(value)}"
        joint = self.joint_at(x, y)
        if joint is None:
            return ""
        state = self.look.states.get(joint)
        return self.names[joint] + (f": {STATE_NAMES[state]}" if state else "")

    # --- mouse --------------------------------------------------------------------------------

    def mousePressEvent(self, event: Any) -> None:
        """Begin to orbit, pan or dolly, to drag a limit, or to click a joint."""
        x, y = place(event)
        buttons, button = Qt.MouseButton, event.button()
        found = None
        if button == buttons.LeftButton and not event.modifiers() & Qt.KeyboardModifier.AltModifier:
            found = self.handle_at(x, y)
        if found is not None and self._editable is not None:
            value = self._editable.span(str(found[0].channel))[found[1] == MAX]
            self._drag = _Drag("limit", (x, y), 0.0, *found, value, value)
        else:
            kinds = {buttons.MiddleButton: "pan", buttons.RightButton: "dolly"}
            self._drag = _Drag(kinds.get(button, "orbit"), (x, y))
        self.update()

    def mouseMoveEvent(self, event: Any) -> None:
        """Continue a drag, or show what is under the mouse."""
        x, y = place(event)
        drag = self._drag
        if drag is None:
            self._hover(x, y)
            super().mouseMoveEvent(event)
            return
        dx, dy = x - drag.last[0], y - drag.last[1]
        drag.last, drag.moved = (x, y), drag.moved + abs(dx) + abs(dy)
        if drag.arc is not None:
            self._drag_limit(event, drag, drag.arc, x, y)
        elif drag.moved > CLICK_PIXELS:
            side = max(min(self.width(), self.height()), 1)
            if drag.what == "orbit":
                self.view = orbited(self.view, dx, dy)
            elif drag.what == "pan":
                self.view = panned(self.view, dx / side, dy / side)
            else:
                self.view = zoomed(self.view, 1.005 ** (dx - dy))
            self.update()

    def _hover(self, x: float, y: float) -> None:
        found = self.handle_at(x, y)
        hand = None if found is None else (str(found[0].channel), found[1])
        joint = None if hand else self.joint_at(x, y)
        if hand != self._hand:
            self.bound_pointed.emit(*(hand or ("", "")))
        if (hand, joint) != (self._hand, self.look.hovered):
            self._hand, self.look = hand, replace(self.look, hovered=joint)
            shape = Qt.CursorShape
            kind = shape.OpenHandCursor if hand else shape.PointingHandCursor
            self.setCursor(shape.ArrowCursor if hand is None and joint is None else kind)
            self.update()

    def _drag_limit(self, event: Any, drag: _Drag, arc: RangeShape, x: float, y: float) -> None:
        """Move a limit to the value of its channel that is nearest to the mouse."""
        fine = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        step = 0.1 if fine else 1.0
        first = np.ceil((drag.value - _SEARCH_DEG) / step)
        values = np.round(step * (first + np.arange(2.0 * _SEARCH_DEG / step)), 6)
        pixels = self.pixels_at(arc, values)
        away = np.hypot(pixels[:, 0] - x, pixels[:, 1] - y)
        value = float(values[away.argmin()])
        edited = self._editable
        if edited is None or value == drag.value:
            return
        low, high = edited.span(str(arc.channel))
        state = ChannelState(state="limited", low=low, high=high)
        drag.value = moved_bound(state, drag.end, value)
        self.bound_dragged.emit(str(arc.channel), drag.end, drag.value)
        self.show_tip(event, degrees(drag.value))

    def pixels_at(self, arc: RangeShape, values_deg: ArrayLike) -> Floats:
        """Pixels of values of an arc's channel, shape (values, 2)."""
        edited, pose = self._editable, self.pose
        assert edited is not None
        assert pose is not None
        directions = arc_directions(edited.limit, arc, edited.at_deg, values_deg)
        points = paint.directions_at(pose, edited.joint, directions, self.radius)
        return np.asarray(self.stage.project(points)[:, :2])

    def mouseReleaseEvent(self, event: Any) -> None:
        """Set the limit, or select the joint that was clicked."""
        drag, self._drag = self._drag, None
        if drag is None:
            return
        if drag.arc is not None:
            if drag.value != drag.before:
                self.bound_set.emit(str(drag.arc.channel), drag.end, drag.value)
        elif drag.moved <= CLICK_PIXELS and drag.what == "orbit":
            joint = self.joint_at(*place(event))
            if joint is not None:
                adds = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
                self.joint_clicked.emit(joint, bool(adds))
        self.update()

    def leaveEvent(self, event: Any) -> None:
        """Highlight nothing."""
        self._hover(-1e4, -1e4)
        super().leaveEvent(event)

    def wheelEvent(self, event: Any) -> None:
        """Dolly towards the pixel under the mouse."""
        side = max(min(self.width(), self.height()), 1)
        at = event.position()
        x, y = (at.x() - 0.5 * self.width()) / side, (at.y() - 0.5 * self.height()) / side
        self.view = zoomed(self.view, 1.0015 ** event.angleDelta().y(), x, y)
        self.update()
        event.accept()

    # --- keyboard -------------------------------------------------------------------------------

    def event(self, event: Any) -> bool:
        """Take Esc before any shortcut while a limit is dragged, and the letters always."""
        if event.type() == QtCore.QEvent.Type.ShortcutOverride and self._is_own_key(event):
            event.accept()
            return True
        return bool(super().event(event))

    def _is_own_key(self, event: Any) -> bool:
        key, keys = event.key(), Qt.Key
        if key == keys.Key_Escape:
            return self._drag is not None and self._drag.arc is not None
        own = (keys.Key_F, keys.Key_A, keys.Key_Space, keys.Key_Left, keys.Key_Right)
        return key in own and not event.modifiers()

    def keyPressEvent(self, event: Any) -> None:
        """F and A frame, Space plays, Left and Right step, Esc cancels a drag."""
        key, keys = event.key(), Qt.Key
        if not self._is_own_key(event):
            super().keyPressEvent(event)
        elif key == keys.Key_Escape:
            self._drag = None
            self.drag_cancelled.emit()
        elif key == keys.Key_F:
            self.frame_selected()
        elif key == keys.Key_A:
            self.frame_all()
        elif key == keys.Key_Space:
            self.play_asked.emit()
        else:
            self.step_asked.emit(1 if key == keys.Key_Right else -1)
