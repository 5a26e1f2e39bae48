"""Painting of the character: ground, bones, joints, ranges at joints, and handles of limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from jointlimits_core.geometry.arrays import Floats, Integers
from jointlimits_core.geometry.euler import CHANNELS
from jointlimits_core.report.figures.character import (
    FREE,
    LOOK,
    NEAR,
    OUTSIDE,
    PINNED,
    STATE_CORNERS,
    Character,
    Pose,
)
from jointlimits_core.report.figures.range_shapes import SWING, RangeShape
from jointlimits_core.report.figures.view import Stage

from ..toolkit.palette import Colours, rgb
from ..toolkit.qt import Qt, QtCore, QtGui
from .base import filled, lines, pen, polygon, tinted

HANDLE_PIXELS = 6.5
_BROAD, _LEAST_BROAD, _MOST_BROAD = 0.11, 1.6, 9.0
"""Half width of a bone as a share of its length, and its limits in pixels."""
_WIDEST_AT = 0.2
_FAR, _SHADES = 0.45, 16
"""How much of a bone's colour is left at the far side, and steps to there."""


@dataclass(frozen=True)
class Look:
    """What is highlighted: states of the joints by index, and the selected joints."""

    states: Mapping[int, str]
    selected: frozenset[int] = frozenset()
    hovered: int | None = None


def state_colour(state: str, colours: Colours) -> str:
    """Colour of a joint's state."""
    return {
        OUTSIDE: colours.alarm,
        LOOK: colours.outside[1],
        NEAR: colours.band,
        PINNED: colours.ghost,
        FREE: colours.faint,
    }.get(state, colours.samples)


def paint_ground(painter: Any, stage: Stage, grid: Floats, colours: Colours) -> None:
    """Paint the lines of the ground, shape (lines, 2, 3)."""
    painter.setPen(pen(colours.line, 1.0))
    painter.setOpacity(0.55)
    painter.drawLines(lines(stage.project(grid)))
    painter.setOpacity(1.0)


def paint_body(
    painter: Any, pixels: Floats, character: Character, states: Mapping[int, str], colours: Colours
) -> None:
    """Paint bones as kites, far ones first and paler, and joints as marks of their states."""
    if len(character.bones):
        depths = pixels[character.bones].mean(axis=1)[:, 2]
        near = (depths - depths.min()) / max(float(np.ptp(depths)), 1e-9)
        painter.setPen(pen(colours.ground, 1.0))
        kites = kites_of(pixels, character.bones).tolist()
        for bone in np.argsort(depths).tolist():
            state = states.get(int(character.bones[bone, 0]), FREE)
            if state in (OUTSIDE, LOOK):
                painter.setBrush(filled(state_colour(state, colours)))
            else:
                shade = round(_SHADES * float(near[bone]))
                painter.setBrush(_shaded(colours.samples, colours.ground, shade))
            painter.drawConvexPolygon([QtCore.QPointF(x, y) for x, y in kites[bone]])
    by_colour: dict[str, list[int]] = {}
    for joint in range(len(pixels)):
        if states.get(joint) not in STATE_CORNERS:
            colour = state_colour(states.get(joint, FREE), colours)
            by_colour.setdefault(colour, []).append(joint)
    for colour, joints in by_colour.items():
        points = polygon(pixels[joints])
        for ink, width in ((colours.ground, 8.0), (colour, 6.4)):
            painter.setPen(pen(ink, width, cap=Qt.PenCapStyle.RoundCap))
            painter.drawPoints(points)
    for joint, state in states.items():
        if state in STATE_CORNERS:
            size = 4.6 if state == OUTSIDE else 3.4
            _paint_joint(painter, pixels[joint], state, colours.ground, 1.0, size, colours)


def kites_of(pixels: Floats, bones: Integers) -> Floats:
    """Kites of bones, wide near their parent, shape (bones, 4, 2)."""
    start, end = np.moveaxis(pixels[bones, :2], 1, 0)
    along = end - start
    length = np.hypot(along[:, 0], along[:, 1])[:, None]
    half = np.clip(_BROAD * length, _LEAST_BROAD, _MOST_BROAD) / np.maximum(length, 1.0)
    across = half * np.stack([-along[:, 1], along[:, 0]], axis=1)
    wide = start + _WIDEST_AT * along
    return np.stack([start, wide + across, end, wide - across], axis=1)


@lru_cache(maxsize=256)
def _shaded(colour: str, ground: str, shade: int) -> Any:
    """Opaque brush, paler for a smaller shade: what is behind does not shine through."""
    over, under = np.array(rgb(colour)), np.array(rgb(ground))
    strength = _FAR + (1.0 - _FAR) * shade / _SHADES
    return QtGui.QBrush(QtGui.QColor(*(int(c) for c in under + strength * (over - under))))


def paint_chosen(
    painter: Any, pixels: Floats, bones: Integers, look: Look, colours: Colours
) -> None:
    """Paint the selected joints with their bones, and the one under the mouse, over the body."""
    inside = [joint for joint in look.selected if look.states.get(joint) != OUTSIDE]
    painter.setPen(pen(colours.ground, 1.0))
    painter.setBrush(filled(colours.interval))
    for kite in kites_of(pixels, bones[np.isin(bones[:, 0], inside)]):
        painter.drawPolygon(polygon(kite))
    for joint in sorted({*look.selected, *(() if look.hovered is None else (look.hovered,))}):
        radius, chosen = 5.0 + 1.5 * (joint == look.hovered), joint in look.selected
        edge = (colours.focus, 2.0) if chosen else (colours.ground, 1.0)
        state = look.states.get(joint, FREE)
        _paint_joint(painter, pixels[joint], state, *edge, radius, colours)


def _paint_joint(
    painter: Any, at: Floats, state: str, edge: str, width: float, radius: float, colours: Colours
) -> None:
    painter.setPen(pen(edge, width))
    painter.setBrush(filled(state_colour(state, colours)))
    if state in STATE_CORNERS:
        painter.drawPolygon(polygon(at[:2] + radius * np.array(STATE_CORNERS[state])))
    else:
        painter.drawEllipse(QtCore.QPointF(float(at[0]), float(at[1])), radius, radius)


def paint_trail(painter: Any, pixels: Floats, colours: Colours) -> None:
    """Paint where the end of a bone has been, fading into the past, shape (frames, 3)."""
    for number, (a, b) in enumerate(zip(pixels[:-1].tolist(), pixels[1:].tolist())):
        share = (number + 1) / len(pixels)
        painter.setPen(QtGui.QPen(tinted(colours.ghost, round(share, 2)), 2.0))
        painter.drawLine(QtCore.QPointF(*a[:2]), QtCore.QPointF(*b[:2]))


def paint_ghost(painter: Any, pixels: Floats, bones: Integers, colours: Colours) -> None:
    """Paint the pose that a limit comes from, behind the body."""
    painter.setPen(pen(colours.ghost, 3.0, cap=Qt.PenCapStyle.RoundCap))
    painter.setOpacity(0.7)
    painter.drawLines(lines(pixels[bones]))
    painter.setOpacity(1.0)


def directions_at(pose: Pose, joint: int, directions: Floats, radius: float) -> Floats:
    """Points around a joint in directions of its parent space, shape (points, 3)."""
    return np.asarray(pose.places[joint] + radius * directions @ pose.spaces[joint].T)


def paint_range(
    painter: Any, stage: Stage, pose: Pose, joint: int, shape: RangeShape, radius: float,
    colours: Colours, is_edge: bool,
) -> None:  # fmt: skip
    """Paint the edge of a joint's range, or its area with spokes, which belongs behind the body."""
    points = stage.project(directions_at(pose, joint, shape.corners(), radius))
    colour = colours.interval
    if shape.channel is not None:
        colour = colours.axes[CHANNELS.index(shape.channel)]
    if is_edge:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(pen(colour, 1.5 if shape.kind == SWING else 3.0))
        painter.drawPolyline(polygon(points[1:]))
        return
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(tinted(colour, 0.13 if shape.kind == SWING else 0.16))
    painter.drawPolygon(polygon(points[shape.area :]))
    painter.setPen(pen(colour, 0.8))
    painter.drawLines(lines(np.array([(points[0], points[corner]) for corner in shape.spokes])))


def paint_tip(
    painter: Any, stage: Stage, pose: Pose, joint: int, tip: Floats, radius: float, colours: Colours
) -> None:
    """Paint where the pose is in the range: a line from the joint along its tip."""
    ends = [pose.places[joint], directions_at(pose, joint, tip[None], radius)[0]]
    painter.setPen(pen(colours.pose, 1.4))
    painter.drawLines(lines(stage.project(np.array(ends))[None]))


def paint_handle(painter: Any, at: Floats, colour: str, is_max: bool, is_active: bool,
                 colours: Colours) -> None:  # fmt: skip
    """Paint the handle of a limit: a disc with a minus or a plus."""
    x, y = float(at[0]), float(at[1])
    radius = HANDLE_PIXELS + (1.5 if is_active else 0.0)
    painter.setPen(pen(colour, 2.0))
    painter.setBrush(QtGui.QColor(colour if is_active else colours.ground))
    painter.drawEllipse(QtCore.QPointF(x, y), radius, radius)
    painter.setPen(pen(colours.ground if is_active else colour, 1.6))
    arm = 0.5 * radius
    painter.drawLine(QtCore.QPointF(x - arm, y), QtCore.QPointF(x + arm, y))
    if is_max:
        painter.drawLine(QtCore.QPointF(x, y - arm), QtCore.QPointF(x, y + arm))
