"""Cube around a scene: its back faces, grid and labels."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

import numpy as np

from ...geometry.arrays import Floats
from .space import angle_step_for, ticks_within
from .view import Stage

_SHORTEST_PIXELS = 34.0
_BESIDE_PIXELS = 15.0


@dataclass(frozen=True)
class TickLabel:
    """A number or axis name and its pixel; `upright` text runs from bottom to top."""

    x: float
    y: float
    axis: int
    value: float | None
    upright: bool = False


def ticks_of(stage: Stage, axis: int) -> list[float]:
    """Round numbers along an axis, except at the very corners."""
    middle, half = stage.centre[axis], stage.half
    step = angle_step_for(2.0 * half, 4)
    return ticks_within(middle - 0.97 * half, middle + 0.97 * half, step)


def back_signs(stage: Stage) -> Floats:
    """Side of the cube that is at the back along each axis, -1 or 1."""
    return np.where(stage.view.matrix[2] >= 0.0, -1.0, 1.0)


def panes(stage: Stage) -> Floats:
    """The three back faces, as pixels of their corners; shape (3, 4, 2)."""
    back = back_signs(stage)
    found = []
    for axis in range(3):
        corners = np.zeros((4, 3))
        first, second = (other for other in range(3) if other != axis)
        corners[:, axis] = back[axis]
        corners[:, first], corners[:, second] = [-1, 1, 1, -1], [-1, -1, 1, 1]
        found.append(np.asarray(stage.centre) + stage.half * corners)
    return stage.project(np.array(found))[..., :2]


def grid(stage: Stage) -> Floats:
    """Grid lines on the back faces, as pixels; shape (lines, 2, 2)."""
    back, centre = back_signs(stage), np.asarray(stage.centre)
    lines = [np.zeros((0, 2, 3))]
    for axis, first, second in permutations(range(3)):
        for tick in ticks_of(stage, first):
            line = np.tile(centre, (2, 1))
            line[:, axis] += back[axis] * stage.half
            line[:, first] = tick
            line[:, second] += np.array([-1.0, 1.0]) * stage.half
            lines.append(line[None])
    return stage.project(np.concatenate(lines))[..., :2]


def _label_edge(stage: Stage, axis: int) -> Floats:
    """Ends of the edge on the outline with an axis' labels: the lower one, or the left one."""
    back, centre = back_signs(stage), np.asarray(stage.centre)
    first, second = (other for other in range(3) if other != axis)
    found = []
    # On the outline, exactly one of the two faces that meet is at the back.
    for a, b in ((back[first], -back[second]), (-back[first], back[second])):
        edge = np.tile(centre, (2, 1))
        edge[:, axis] += np.array([-1.0, 1.0]) * stage.half
        edge[:, first] += a * stage.half
        edge[:, second] += b * stage.half
        found.append(edge)
    pixels = [stage.project(edge) for edge in found]
    run = np.abs(pixels[0][1] - pixels[0][0])
    if run[1] > run[0]:
        return found[int(pixels[1][:, 0].mean() < pixels[0][:, 0].mean())]
    return found[int(pixels[1][:, 1].mean() > pixels[0][:, 1].mean())]


def labels(stage: Stage) -> list[TickLabel]:
    """Numbers and names of the axes beside the cube; none for an axis that points at the eye."""
    middle = stage.project(np.asarray(stage.centre))
    found = []
    for axis in range(3):
        edge = _label_edge(stage, axis)
        ends = stage.project(edge)
        along = ends[1, :2] - ends[0, :2]
        length = float(np.hypot(*along))
        if length < _SHORTEST_PIXELS:
            continue
        across = np.array([-along[1], along[0]]) / length
        outward = across if across @ (ends[:, :2].mean(axis=0) - middle[:2]) > 0 else -across
        # The name, midway between two numbers near the centre, where it has room, and the numbers.
        ticks, centre = ticks_of(stage, axis), float(stage.centre[axis])
        halfway = [0.5 * (low + high) for low, high in zip(ticks, ticks[1:])]
        middle_of_name = min(halfway, key=lambda value: abs(value - centre), default=centre)
        upright = bool(abs(along[1]) > abs(along[0]))
        for at, value in (*((tick, tick) for tick in ticks), (middle_of_name, None)):
            place = edge[0].copy()
            place[axis] = at
            away = _BESIDE_PIXELS * (2.0 if value is None else 1.0)
            x, y = stage.project(place)[:2] + away * outward
            found.append(TickLabel(float(x), float(y), axis, value, upright and value is None))
    return found
