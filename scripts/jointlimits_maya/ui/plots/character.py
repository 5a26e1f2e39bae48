"""View of the posed character, with joints to select and limits to drag."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from jointlimits_core.base.text import channel_letter
from jointlimits_core.geometry.arrays import ArrayLike, Floats, Integers
from jointlimits_core.geometry.euler import CHANNELS
from jointlimits_core.limits.limit_set import JointLimit
from jointlimits_core.limits.vocabulary import degrees
from jointlimits_core.report.figures import character as figure
from jointlimits_core.report.figures import limbs, range_shapes
from jointlimits_core.report.figures.view import Stage, View, half_that_fits, orbit, pan, zoom_at

from ..toolkit.palette import rgb, rgb_table
from ..toolkit.qt import Qt, QtCore, QtGui, QtWidgets, Signal, global_place, place
from .base import DraggedPicture, lines, paint_handle, pen, polygon, polygons, tint
from .dial_layout import MAX, MIN

JOINT_PIXELS, HANDLE_PIXELS = 12.0, 6.5
MIN_RADIUS_PIXELS = 32.0
"""Minimum radius of a range arc, so that its handles stay apart and clear of the body."""
MARGIN_PIXELS = (22.0, 26.0)
"""Room around the figure, beside it and above it, for limbs and markers."""
ROOM_SHARE = 0.56
"""Largest half extent of the view of selected joints, as a share of the character's size."""
FRAMED_RATIO = 1.5
"""Room around selected joints, in multiples of the length of their longest bone."""
SEARCH_DEG = 40.0
"""Maximum step of a handle between two events, so that it cannot jump across the circle."""
FADED_OPACITY = 0.35
"""Opacity of handles that others cover."""
FRONT = View(-25.0, 8.0)


@dataclass(frozen=True, eq=False)
class Editable:
    """The joint whose limits can be dragged; `at_deg`: its channels in the pose, (3,), deg."""

    joint: int
    limit: JointLimit
    arcs: tuple[range_shapes.RangeShape, ...]
    at_deg: Floats

    def span(self, channel: str) -> tuple[float, float]:
        """Minimum and maximum of a limited channel."""
        axis = self.limit.limits[channel]
        return float(axis.min_deg or 0.0), float(axis.max_deg or 0.0)


@dataclass
class _HeldLimit:
    """A limit being dragged: its arc and end, and its value before and now, in degrees."""

    arc: range_shapes.RangeShape
    end: str
    before: float
    value: float


class CharacterView(DraggedPicture):
    """View of the character; its panel sets the content."""

    joint_clicked = Signal(int, bool)
    """Index of the clicked joint, and whether to add it to the selection."""
    bound_dragged = Signal(str, str, float)
    """Channel, "min" or "max", and the current value during a drag."""
    bound_set = Signal(str, str, float)
    """Emitted once, with the same values, when the handle is released."""
    drag_cancelled = Signal()
    bound_pointed = Signal(str, str)
    """Channel and end of the handle under the mouse; both empty if there is none."""
    play_asked = Signal()
    step_asked = Signal(int)

    what = (
        "The character in the current frame. Joints outside their limits are red, joints to "
        "check are orange. Click a joint to select it, Shift-click to add it. The arcs at "
        "the selected joint are its limits, X red, Y green, Z blue: drag − or + to change a limit "
        "in whole degrees, or with Shift in tenths; Esc cancels. The pale figure is the pose that "
        "the limit under the mouse comes from; the pale line is the path of the bone's end.\n"
        "As in Maya, Alt with the left button orbits, the middle button pans, and the right button "
        "or the wheel dollies; F frames the selected joints and A the whole character. Dragging "
        "the background orbits even without Alt. Space plays, Left and Right step by a frame."
    )
    usual_size, min_size = (360, 380), (120, 100)
    title = "Character"

    def __init__(self) -> None:
        super().__init__()
        self.view = FRONT
        self.character: figure.Character | None = None
        self.empty = ""
        self.pose: figure.Pose | None = None
        self.names: Sequence[str] = ()
        self.states: Mapping[int, str] = {}
        """State of each joint, by index."""
        self.selected: frozenset[int] = frozenset()
        self._hovered: int | None = None
        self.ghost: Floats | None = None
        """Joint positions in the pose that a limit comes from, shape (joints, 3)."""
        self.trail = np.zeros((0, 3))
        """Path of the end of the selected joint's bone, shape (frames, 3)."""
        self._shapes: tuple[tuple[int, range_shapes.RangeShape], ...] = ()
        self._editable: Editable | None = None
        self._limbs: limbs.Limbs | None = None
        self._target: tuple[tuple[int, ...], float] | None = None
        self._hand: tuple[str, str] | None = None
        self._held: _HeldLimit | None = None

    def show_character(self, character: figure.Character | None, names: Sequence[str]) -> None:
        """Show a different character; `names` are its joint names."""
        if character is not self.character:
            self.character, self.names = character, names
            self.pose, self._target, self._editable, self._shapes = None, None, None, ()
            self._limbs = None if character is None else limbs.limbs_of(character)
        self.update()

    def show_pose(
        self,
        pose: figure.Pose,
        states: Mapping[int, str],
        selected: frozenset[int],
        shapes: Sequence[tuple[int, range_shapes.RangeShape]],
        editable: Editable | None,
    ) -> None:
        """Show a pose: joint states, range shapes with their joint index, and draggable limits."""
        self.pose, self.states, self.selected = pose, states, selected
        self._shapes, self._editable = tuple(shapes), editable
        self.update()

    @property
    def stage(self) -> Stage:
        """Camera and projection for the current pose."""
        assert self.character is not None
        assert self.pose is not None
        centre = self.character.centre(self.pose)
        if self._target is None:
            half = self._half_around(centre)
        else:
            joints, half = self._target
            centre = self.pose.places[list(joints)].mean(axis=0)
        x, y, z = (float(value) for value in centre)
        return Stage(self.view, self.width(), self.height(), (x, y, z), half)

    def _half_around(self, centre: Floats) -> float:
        """Half extent with which the figure fills the view; a pose that needs more room gets it."""
        assert self.character is not None
        assert self.pose is not None
        wide, tall = self.character.usual
        ends = self.pose.places[self.character.bones]
        if len(ends) and np.isfinite(ends).all():
            away = np.abs((ends - centre) @ self.view.matrix.T).max(axis=(0, 1))
            wide, tall = max(wide, float(away[0])), max(tall, float(away[1]))
        return half_that_fits((self.width(), self.height()), MARGIN_PIXELS, wide, tall)

    @property
    def radius(self) -> float:
        """Radius of the range arcs, in the clip's unit of length."""
        assert self.character is not None
        half = self._target[1] if self._target else self.character.reach
        least = MIN_RADIUS_PIXELS / max(self.stage.pixels_per_unit, 1e-9)
        return max(min(range_shapes.SELECTED_SHARE * self.character.reach, 0.7 * half), least)

    def frame_selected(self) -> None:
        """Frame the selected joints, or the whole character if none is selected."""
        self.frame_all()
        joints = sorted(self.selected)
        if joints and self.character is not None and self.pose is not None:
            bones = self.character.bones
            touching = bones[np.isin(bones, joints).any(axis=1)]
            ends = self.pose.places[touching]
            longest = max(np.linalg.norm(ends[:, 0] - ends[:, 1], axis=-1), default=0.0)
            places = self.pose.places[joints]
            around = np.linalg.norm(places - places.mean(axis=0), axis=1).max()
            half = 0.5 * (FRAMED_RATIO * float(longest) + float(around))
            self._target = (tuple(joints), min(max(half, 1e-6), ROOM_SHARE * self.character.reach))

    def frame_all(self) -> None:
        """Frame the whole character from the current direction."""
        self._target = None
        self.look(replace(self.view, zoom=1.0, shift=(0.0, 0.0)))

    def paint(self, painter: Any) -> None:
        """Paint everything, first the ground and last the handles."""
        character, pose = self.character, self.pose
        if character is None or pose is None or not np.isfinite(pose.places).all():
            self.paint_empty(painter, self.empty)
            return
        stage, colours = self.stage, self.colours
        painter.setPen(pen(colours.line, 1.0))
        painter.setOpacity(0.55)
        painter.drawLines(lines(stage.project(character.ground(pose))))
        painter.setOpacity(0.7)
        if self.ghost is not None:
            painter.setPen(pen(colours.ghost, 3.0, cap=Qt.PenCapStyle.RoundCap))
            painter.drawLines(lines(stage.project(self.ghost)[character.bones]))
        painter.setOpacity(1.0)
        at = stage.project(self.trail)
        trail = lines(np.stack([at[:-1], at[1:]], axis=1))
        for number, line in enumerate(trail, 1):  # older segments are fainter
            share = round(number / (len(trail) + 1), 2)
            painter.setPen(QtGui.QPen(tint(colours.ghost, share), 2.0))
            painter.drawLine(line)
        pixels = stage.project(pose.places)
        self._paint_ranges(painter, stage, pose, is_edge=False)
        self._paint_limbs(painter, stage, pose)
        self._paint_joints(painter, pixels)
        self._paint_selected(painter, pixels)
        self._paint_ranges(painter, stage, pose, is_edge=True)
        if self._editable is not None:
            self._paint_handles(painter, stage, pose, self._editable)
        words = "; ".join(character.notes)
        painter.setFont(self.small_font())
        painter.setPen(pen(colours.faint))
        area = QtCore.QRectF(self.rect()).adjusted(6, 4, -6, -4)
        flags = Qt.AlignmentFlag.AlignBottom | Qt.TextFlag.TextWordWrap
        painter.drawText(area, flags, f"{words[:1].upper()}{words[1:]}{'.' if words else ''}")

    def _state_colour(self, state: str) -> str:
        colours = self.colours
        return {
            figure.OUTSIDE: colours.alarm,
            figure.LOOK: colours.outside[1],
            figure.NEAR: colours.band,
            figure.PINNED: colours.ghost,
            figure.INSIDE: colours.samples,
        }.get(state, colours.faint)

    def _paint_limbs(self, painter: Any, stage: Stage, pose: figure.Pose) -> None:
        """Paint the limbs, the farthest and palest first, each lit from one side."""
        assert self._limbs is not None
        if not len(self._limbs.joints):
            return
        ends = stage.project(self._limbs.ends(pose.places))
        radii = np.maximum(self._limbs.radii * stage.pixels_per_unit, limbs.MIN_PIXELS)
        depths = ends[..., 2].mean(axis=1)
        near = (depths - depths.min()) / max(float(np.ptp(depths)), 1e-9)
        tones = [polygons(outlines) for outlines in limbs.lit_outlines(ends, radii)]
        lightness = np.array(limbs.TONES)[:, 2:]
        shades = np.minimum(lightness * self._limb_rgb(near)[:, None], 255).astype(int).tolist()
        painter.setPen(Qt.PenStyle.NoPen)
        for limb in np.argsort(depths).tolist():
            for shade, outlines in zip(shades[limb], tones):
                painter.setBrush(QtGui.QColor(*shade))
                painter.drawPolygon(outlines[limb])

    def _limb_rgb(self, near: Floats) -> Integers:
        """Colours of limbs, (limbs, 3); those without state or selection fade with distance."""
        assert self._limbs is not None
        over, under = rgb_table([self.colours.samples, self.colours.ground])
        strength = limbs.FAR_SHARE + (1.0 - limbs.FAR_SHARE) * near
        found = (under + strength[:, None] * (over - under)).astype(np.int64)
        for limb, joint in enumerate(self._limbs.joints.tolist()):
            state = self.states.get(joint, figure.FREE)
            if state in (figure.OUTSIDE, figure.LOOK):
                found[limb] = rgb(self._state_colour(state))
            elif joint in self.selected:
                found[limb] = rgb(self.colours.interval)
        return found

    def _paint_joints(self, painter: Any, pixels: Floats) -> None:
        ground, by_state = self.colours.ground, dict[str, list[int]]()
        for joint in range(len(pixels)):
            if (state := self.states.get(joint, figure.FREE)) not in figure.STATE_CORNERS:
                by_state.setdefault(state, []).append(joint)
        for state, joints in by_state.items():
            for ink, width in ((ground, 8.0), (self._state_colour(state), 6.4)):
                painter.setPen(pen(ink, width, cap=Qt.PenCapStyle.RoundCap))
                painter.drawPoints(polygon(pixels[joints]))
        for joint, state in self.states.items():
            if state in figure.STATE_CORNERS:
                size = 4.6 if state == figure.OUTSIDE else 3.4
                self._paint_joint(painter, pixels, joint, pen(ground, 1.0), size)

    def _paint_joint(
        self, painter: Any, pixels: Floats, joint: int, edge: Any, radius: float
    ) -> None:
        state, at = self.states.get(joint, figure.FREE), pixels[joint, :2]
        painter.setPen(edge)
        painter.setBrush(QtGui.QColor(self._state_colour(state)))
        if state in figure.STATE_CORNERS:
            painter.drawPolygon(polygon(at + radius * np.array(figure.STATE_CORNERS[state])))
        else:
            painter.drawEllipse(QtCore.QPointF(*at.tolist()), radius, radius)

    def _paint_selected(self, painter: Any, pixels: Floats) -> None:
        colours = self.colours
        hovered = () if self._hovered is None else (self._hovered,)
        for joint in sorted({*self.selected, *hovered}):
            edge = (colours.focus, 2.0) if joint in self.selected else (colours.ground, 1.0)
            radius = 5.0 + 1.5 * (joint == self._hovered)
            self._paint_joint(painter, pixels, joint, pen(*edge), radius)

    def _paint_ranges(self, painter: Any, stage: Stage, pose: figure.Pose, is_edge: bool) -> None:
        edited = self._editable
        arcs = () if edited is None else ((edited.joint, arc) for arc in edited.arcs)
        for joint, shape in (*self._shapes, *arcs):
            points = stage.project(self._points_around(pose, joint, shape.corners()))
            colour, is_swing = self.colours.interval, shape.kind == range_shapes.SWING
            if shape.channel is not None:
                colour = self.colours.axes[CHANNELS.index(shape.channel)]
            if is_edge:
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(pen(colour, 1.5 if is_swing else 3.0))
                painter.drawPolyline(polygon(points[1:]))
                continue
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(tint(colour, 0.13 if is_swing else 0.16))
            painter.drawPolygon(polygon(points[shape.area :]))
            painter.setPen(pen(colour, 0.8))
            painter.drawLines(lines([(points[0], points[corner]) for corner in shape.spokes]))

    def _points_around(self, pose: figure.Pose, joint: int, directions: Floats) -> Floats:
        """Points around a joint, given as directions in its parent space, shape (points, 3)."""
        return np.asarray(pose.places[joint] + self.radius * directions @ pose.spaces[joint].T)

    def _paint_handles(
        self, painter: Any, stage: Stage, pose: figure.Pose, edited: Editable
    ) -> None:
        painter.setPen(pen(self.colours.pose, 1.4))
        for arc in edited.arcs:
            row = CHANNELS.index(str(arc.channel))
            tip = range_shapes.arc_directions(
                edited.limit, arc, edited.at_deg, edited.at_deg[row : row + 1]
            )
            ends = np.stack(
                [pose.places[edited.joint], self._points_around(pose, edited.joint, tip)[0]]
            )
            painter.drawLines(lines(stage.project(ends)[None]))
        shown: list[Floats] = []
        for arc, end, pixel in self.handles():
            own, hand = self.colours.axes[CHANNELS.index(str(arc.channel))], (arc.channel, end)
            is_active = hand == self._active
            apart = [float(np.hypot(*(pixel - other)[:2])) for other in shown]
            is_covered = min(apart, default=np.inf) < 2.0 * HANDLE_PIXELS + 1.0
            if is_covered:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(tint(own, FADED_OPACITY))
                painter.drawEllipse(QtCore.QPointF(*pixel[:2].tolist()), 3.0, 3.0)
                continue
            shown.append(pixel)
            radius = HANDLE_PIXELS + (1.5 if is_active else 0.0)
            paint_handle(painter, pixel, radius, own, self.colours, end == MAX, is_active)

    @property
    def _active(self) -> tuple[str, str] | None:
        """Channel and end of the handle that is dragged, or under the mouse."""
        held = self._held
        return self._hand if held is None else (str(held.arc.channel), held.end)

    def handles(self) -> list[tuple[range_shapes.RangeShape, str, Floats]]:
        """Arc, end, and pixel with depth of every handle, topmost first.

        The one in use comes first, then those nearest to the eye.
        """
        edited, pose = self._editable, self.pose
        if edited is None or pose is None or self.character is None:
            return []
        found = []
        for arc in edited.arcs:
            ends = self._points_around(pose, edited.joint, arc.directions[[0, -1]])
            found += [(arc, end, at) for end, at in zip((MIN, MAX), self.stage.project(ends))]
        return sorted(found, key=lambda one: ((one[0].channel, one[1]) != self._active, -one[2][2]))

    def joint_at(self, x: float, y: float) -> int | None:
        """Index of the joint nearest to a pixel; None if no joint is close."""
        if self.character is None or self.pose is None:
            return None
        pixels = self.stage.project(self.pose.places)
        away = np.hypot(pixels[:, 0] - x, pixels[:, 1] - y)
        nearest = int(away.argmin())
        return nearest if away[nearest] <= JOINT_PIXELS else None

    def handle_at(self, x: float, y: float) -> tuple[range_shapes.RangeShape, str] | None:
        """Arc and end of the handle nearest to a pixel; None if none is close."""
        away = {
            float(np.hypot(at[0] - x, at[1] - y)): (arc, end) for arc, end, at in self.handles()
        }
        nearest = min(away, default=np.inf)
        return away[nearest] if nearest <= HANDLE_PIXELS + 3.0 else None

    def words_at(self, x: float, y: float) -> str:
        """Description of the handle or the joint at a pixel."""
        found = self.handle_at(x, y)
        if found is not None and self._editable is not None:
            return self._limit_words(self._editable, str(found[0].channel), found[1])
        joint = self.joint_at(x, y)
        if joint is None:
            return ""
        state = self.states.get(joint)
        return self.names[joint] + (f": {figure.STATE_NAMES[state]}" if state else "")

    def _limit_words(self, edited: Editable, channel: str, end: str) -> str:
        value, name = edited.span(channel)[end == MAX], self.names[edited.joint]
        return f"{name} rotate {channel_letter(channel)}, {end} {degrees(value)}"

    def mousePressEvent(self, event: Any) -> None:
        """Grab a limit, or start to orbit, pan, dolly or click a joint."""
        has_alt = event.modifiers() & Qt.KeyboardModifier.AltModifier
        is_left = event.button() == Qt.MouseButton.LeftButton and not has_alt
        found = self.handle_at(*place(event)) if is_left else None
        if found is None or self._editable is None:
            super().mousePressEvent(event)
        else:
            value = self._editable.span(str(found[0].channel))[found[1] == MAX]
            self._held = _HeldLimit(*found, value, value)
        self.update()

    def mouseMoveEvent(self, event: Any) -> None:
        """Continue a drag, or show what is under the mouse."""
        x, y = place(event)
        if self._held is not None:
            self._drag_limit(event, self._held, x, y)
            return
        if self._drag is None:
            self._hover(x, y)
        super().mouseMoveEvent(event)

    def drag_by(self, event: Any, dx: float, dy: float) -> None:
        """Orbit, or pan with the middle button, or dolly with the right button."""
        side, buttons = max(min(self.width(), self.height()), 1), event.buttons()
        if buttons & Qt.MouseButton.MiddleButton:
            self.look(pan(self.view, dx / side, dy / side))
        elif buttons & Qt.MouseButton.RightButton:
            self.look(zoom_at(self.view, 1.005 ** (dx - dy)))
        else:
            self.look(orbit(self.view, dx, dy))

    def _hover(self, x: float, y: float) -> None:
        found = self.handle_at(x, y)
        hand = None if found is None else (str(found[0].channel), found[1])
        joint = None if hand else self.joint_at(x, y)
        if hand != self._hand:
            self.bound_pointed.emit(*(hand or ("", "")))
        if (hand, joint) != (self._hand, self._hovered):
            self._hand, self._hovered = hand, joint
            shape = Qt.CursorShape
            kind = shape.OpenHandCursor if hand else shape.PointingHandCursor
            self.setCursor(shape.ArrowCursor if hand is None and joint is None else kind)
            self.update()

    def _drag_limit(self, event: Any, held: _HeldLimit, x: float, y: float) -> None:
        """Move a limit to the channel value whose pixel is nearest to the mouse."""
        step = 0.1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1.0
        first = np.ceil((held.value - SEARCH_DEG) / step)
        values = np.round(step * (first + np.arange(2.0 * SEARCH_DEG / step)), 6)
        pixels = self.pixels_at(held.arc, values)
        away = np.hypot(pixels[:, 0] - x, pixels[:, 1] - y)
        value, channel = float(values[away.argmin()]), str(held.arc.channel)
        if self._editable is None or value == held.value:
            return
        low, high = self._editable.span(channel)
        held.value = min(value, high) if held.end == MIN else max(value, low)
        self.bound_dragged.emit(channel, held.end, held.value)
        if self._editable is not None:
            self.say(self._limit_words(self._editable, channel, held.end))
        QtWidgets.QToolTip.showText(global_place(event), degrees(held.value), self)

    def pixels_at(self, arc: range_shapes.RangeShape, values_deg: ArrayLike) -> Floats:
        """Pixels of channel values along an arc, shape (values, 2)."""
        edited, pose = self._editable, self.pose
        assert edited is not None
        assert pose is not None
        directions = range_shapes.arc_directions(edited.limit, arc, edited.at_deg, values_deg)
        points = self._points_around(pose, edited.joint, directions)
        return np.asarray(self.stage.project(points)[:, :2])

    def mouseReleaseEvent(self, event: Any) -> None:
        """Set the limit, or select the joint that was clicked."""
        held, self._held = self._held, None
        if held is None:
            super().mouseReleaseEvent(event)
        elif held.value != held.before:
            self.bound_set.emit(str(held.arc.channel), held.end, held.value)
            self._hover(*place(event))
            self.say(self.words_at(*place(event)))
        self.update()

    def click(self, event: Any) -> None:
        """Select the joint under the mouse; with Shift, add it to the selection."""
        joint = self.joint_at(*place(event))
        if joint is not None:
            adds = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            self.joint_clicked.emit(joint, bool(adds))

    def leaveEvent(self, event: Any) -> None:
        """Clear the highlight."""
        self._hover(-1e4, -1e4)
        super().leaveEvent(event)

    def wheelEvent(self, event: Any) -> None:
        """Dolly towards the pixel under the mouse."""
        self.look(zoom_at(self.view, *self.wheel_zoom(event)))
        event.accept()

    def is_own_key(self, event: Any) -> bool:
        """Keep Esc from shortcuts while a limit is dragged, and the other keys always."""
        key, keys = event.key(), Qt.Key
        if key == keys.Key_Escape:
            return self._held is not None
        own = (keys.Key_F, keys.Key_A, keys.Key_Space, keys.Key_Left, keys.Key_Right)
        return key in own and not event.modifiers()

    def keyPressEvent(self, event: Any) -> None:
        """Handle keys: F and A frame, Space plays, Left and Right step, Esc cancels a drag."""
        key, keys = event.key(), Qt.Key
        if not self.is_own_key(event):
            super().keyPressEvent(event)
        elif key == keys.Key_Escape:
            self._held = None
            self.drag_cancelled.emit()
            self.say("")
        elif key == keys.Key_F:
            self.frame_selected()
        elif key == keys.Key_A:
            self.frame_all()
        elif key == keys.Key_Space:
            self.play_asked.emit()
        else:
            self.step_asked.emit(1 if key == keys.Key_Right else -1)
