"""Painting of the character: ground, bones, joints, ranges at joints, and handles of limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from jointlimits_core.geometry import CHANNELS, Floats
from jointlimits_core.report.figures import (
    FREE,
    LOOK,
    NEAR,
    OUTSIDE,
    PINNED,
    SWING,
    Character,
    Pose,
    RangeShape,
    Stage,
)

from ..toolkit import Colours, Qt, QtCore, QtGui, rgb
from .base import lines, pen, polygon, tinted

RANGE_SHARE = 0.3
"""Radius of a range around its joint, as a share of the character's reach."""
HANDLE_PIXELS = 6.5
_BROAD, _LEAST_BROAD, _MOST_BROAD = 0.11, 1.6, 9.0
"""Half width of a bone as a share of its length, and its limits in pixels."""
_WIDEST_AT = 0.2
_FAR = 0.45
"""How much of a bone's colour is left at the far side."""


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


def paint_bones(
    painter: Any, stage: Stage, character: Character, pose: Pose, look: Look, colours: Colours
) -> None:
    """Paint bones as kites and joints as discs, far ones first and paler."""
    pixels = stage.project(pose.places)
    if not len(character.bones):
        paint_joints(painter, pixels, look, colours)
        return
    middles = pixels[character.bones].mean(axis=1)[:, 2]
    span = max(float(np.ptp(middles)), 1e-9)
    for bone in np.argsort(middles):
        parent, child = (int(joint) for joint in character.bones[bone])
        near = float(middles[bone] - middles.min()) / span
        colour = _bone_colour(parent, look, colours)
        strength = 1.0 if colour != colours.samples else _FAR + (1.0 - _FAR) * near
        _paint_bone(painter, pixels[parent, :2], pixels[child, :2], colour, strength, colours)
    paint_joints(painter, pixels, look, colours)


def _bone_colour(joint: int, look: Look, colours: Colours) -> str:
    if joint in look.selected and look.states.get(joint) != OUTSIDE:
        return colours.interval
    state = look.states.get(joint, FREE)
    return state_colour(state, colours) if state in (OUTSIDE, LOOK) else colours.samples


def _paint_bone(
    painter: Any, start: Floats, end: Floats, colour: str, strength: float, colours: Colours
) -> None:
    along = end - start
    length = float(np.hypot(*along))
    if length < 1.0:
        return
    half = min(max(_BROAD * length, _LEAST_BROAD), _MOST_BROAD)
    across = half / length * np.array([-along[1], along[0]])
    wide = start + _WIDEST_AT * along
    painter.setPen(pen(colours.ground, 1.0))
    painter.setBrush(_mixed(colour, colours.ground, strength))
    painter.drawPolygon(polygon((start, wide + across, end, wide - across)))


def _mixed(colour: str, ground: str, strength: float) -> Any:
    """Opaque colour, paler for less strength: what is behind does not shine through."""
    over, under = np.array(rgb(colour)), np.array(rgb(ground))
    return QtGui.QColor(*(int(part) for part in under + strength * (over - under)))


def paint_joints(painter: Any, pixels: Floats, look: Look, colours: Colours) -> None:
    """Paint joints as discs: those of a state together, the highlighted ones larger and on top."""
    large = {*look.selected, *(() if look.hovered is None else (look.hovered,))}
    large |= {joint for joint, state in look.states.items() if state == OUTSIDE}
    by_colour: dict[str, list[int]] = {}
    for joint in range(len(pixels)):
        if joint not in large:
            colour = state_colour(look.states.get(joint, FREE), colours)
            by_colour.setdefault(colour, []).append(joint)
    for colour, joints in by_colour.items():
        points = polygon(pixels[joints])
        for ink, width in ((colours.ground, 8.0), (colour, 6.4)):
            painter.setPen(pen(ink, width, cap=Qt.PenCapStyle.RoundCap))
            painter.drawPoints(points)
    for joint in sorted(large):
        chosen = joint in look.selected
        radius = 5.0 + (1.5 if joint == look.hovered else 0.0)
        painter.setPen(pen(colours.focus if chosen else colours.ground, 2.0 if chosen else 1.0))
        state = look.states.get(joint, FREE)
        painter.setBrush(QtGui.QColor(state_colour(state, colours)))
        middle = QtCore.QPointF(float(pixels[joint, 0]), float(pixels[joint, 1]))
        painter.drawEllipse(middle, radius, radius)


def directions_at(pose: Pose, joint: int, directions: Floats, radius: float) -> Floats:
    """Points around a joint in directions of its parent space, shape (points, 3)."""
    return np.asarray(pose.places[joint] + radius * directions @ pose.spaces[joint].T)


def paint_range(
    painter: Any, stage: Stage, pose: Pose, joint: int, shape: RangeShape, radius: float,
    colours: Colours,
) -> None:  # fmt: skip
    """Paint the range of a joint: a sector for an arc, a cone for the boundary of a swing."""
    points = stage.project(directions_at(pose, joint, shape.directions, radius))
    middle = stage.project(pose.places[joint])
    colour = colours.interval
    if shape.channel is not None:
        colour = colours.axes[CHANNELS.index(shape.channel)]
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(tinted(colour, 0.13 if shape.kind == SWING else 0.16))
    painter.drawPolygon(polygon([*points, middle]))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(pen(colour, 1.5 if shape.kind == SWING else 3.0))
    painter.drawPolyline(polygon(points))


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
