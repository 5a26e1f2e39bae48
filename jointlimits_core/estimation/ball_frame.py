"""Orientation in which a ball joint has the smallest Euler box, clear of gimbal lock.

For an order that turns about the first axis m (fixed in the joint) and last about the axis n (fixed
in the parent), the sine of the middle angle is ``n . (L m)``, the last angle is the direction of
``L m`` around n, and the first one that of ``L^-1 n`` around m. So of the six numbers of two frames
only the two directions matter; the others shift the outer angles. The box is searched over those
four numbers, many starts at once, by trying steps in fixed directions and halving them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import Floats, Integers
from ..euler import axes_of
from ..reframe import JointFrame
from ..rotation import (
    matrix_from_quaternion,
    multiply,
    quaternion_between_vectors,
    quaternion_from_axis_angle,
)
from ..sphere import sphere_points
from .box_volume import euler_box, representatives

PAD = np.radians(2.0)
"""Padding during the search, so that a box of zero width is not infinitely better."""
STARTS = ((8, 8), (2, 18))
"""Pairs and rounds of each search stage; the best pairs of the first continue."""
FIRST_STEP = 0.35
STEEP = 100.0
"""Cost per radian too close to gimbal lock, in logarithms of the box."""
COARSE = 40
"""Directions per axis tried before the search."""
COARSE_SAMPLES = 48


@dataclass(frozen=True, eq=False)
class _Axes:
    """Pairs of directions: last axes in the parent, first axes in the joint, shape (pairs, 3)."""

    last: Floats
    first: Floats

    def take(self, rows: Integers) -> _Axes:
        return _Axes(self.last[rows], self.first[rows])


def smallest_box_frame(rotations: Floats, frame: JointFrame, margin: float) -> JointFrame:
    """Orientation with the smallest Euler box at a distance from gimbal lock.

    Parameters
    ----------
    rotations : array, shape (4, samples)
        Local rotations.
    frame : JointFrame
        Current orientation; its order is kept.
    margin : float
        Radians from gimbal lock; the search comes as close as possible where it is unattainable.

    Returns
    -------
    JointFrame
        With the ranges of the outer channels centred at zero. Deterministic.
    """
    some = representatives(rotations, directions=96, even=32)
    matrices = matrix_from_quaternion(rotations[:, some].T)
    axes = _coarse(matrices, margin)
    sizes = np.full(len(axes.last), FIRST_STEP)
    for starts, rounds in STARTS:
        axes, sizes = axes.take(np.arange(starts)), sizes[:starts]
        axes, sizes = _searched(matrices, axes, sizes, rounds, margin)
    return _centred(rotations, axes, frame.rotate_order)


def _coarse(matrices: Floats, margin: float) -> _Axes:
    """Best pairs of directions of a grid, no two close together."""
    step = max(1, len(matrices) // COARSE_SAMPLES)
    lasts, firsts = sphere_points(2 * COARSE)[:COARSE], sphere_points(COARSE)
    n, m = (grid.reshape(-1) for grid in np.meshgrid(range(COARSE), range(COARSE), indexing="ij"))
    pairs = _Axes(lasts[n], firsts[m])
    order = np.argsort(_cost(matrices[::step], pairs, margin), kind="stable")
    chosen: list[int] = []
    for row in order.tolist():
        near = [abs(pairs.last[row] @ pairs.last[other]) > 0.9 for other in chosen]
        close = [abs(pairs.first[row] @ pairs.first[other]) > 0.9 for other in chosen]
        if not any(a and b for a, b in zip(near, close)):
            chosen.append(row)
        if len(chosen) == STARTS[0][0]:
            break
    return pairs.take(np.array(chosen))


def _searched(
    matrices: Floats, axes: _Axes, sizes: Floats, rounds: int, margin: float
) -> tuple[_Axes, Floats]:
    """Improve all pairs at once; returns them best first, with their last step sizes."""
    best = _cost(matrices, axes, margin)
    for _ in range(rounds):
        moves = sizes[:, None, None] * _STEPS
        last, first = _moved(axes.last, moves[..., :2]), _moved(axes.first, moves[..., 2:])
        flat = _Axes(last.reshape(-1, 3), first.reshape(-1, 3))
        costs = _cost(matrices, flat, margin).reshape(len(sizes), -1)
        pick = np.arange(len(sizes)), costs.argmin(axis=1)
        better = costs[pick] < best
        axes = _Axes(
            np.where(better[:, None], last[pick], axes.last),
            np.where(better[:, None], first[pick], axes.first),
        )
        best = np.minimum(best, costs[pick])
        sizes = np.where(better, sizes, 0.5 * sizes)
    order = np.argsort(best, kind="stable")
    return axes.take(order), sizes[order]


def _step_directions() -> Floats:
    """Unit steps in four dimensions: along axes and along full diagonals, shape (steps, 4)."""
    signs = np.stack(np.meshgrid(*[(-1.0, 0.0, 1.0)] * 4, indexing="ij"), axis=-1).reshape(-1, 4)
    count = np.count_nonzero(signs, axis=1)
    kept = signs[(count == 1) | (count == 4)]
    return np.asarray(kept / np.linalg.norm(kept, axis=1, keepdims=True))


_STEPS = _step_directions()


def _moved(axis: Floats, steps: Floats) -> Floats:
    """Directions a step away, shape (pairs, steps, 3)."""
    sides = np.stack(_around(axis), axis=1)
    moved = axis[:, None] + steps @ sides
    return np.asarray(moved / np.linalg.norm(moved, axis=-1, keepdims=True))


def _around(axis: Floats) -> tuple[Floats, Floats]:
    """Two unit vectors across each axis, shapes (pairs, 3)."""
    helper = np.eye(3)[np.abs(axis).argmin(axis=1)]
    one = np.cross(axis, helper)
    one /= np.linalg.norm(one, axis=1, keepdims=True)
    return one, np.cross(axis, one)


def _cost(matrices: Floats, axes: _Axes, margin: float) -> Floats:
    """Logarithm of the padded box, with a penalty near gimbal lock, shape (pairs,)."""
    carried = axes.first @ matrices.transpose(2, 0, 1).reshape(3, -1)
    carried = carried.reshape(len(axes.first), len(matrices), 3)
    back = (axes.last @ matrices.transpose(1, 0, 2).reshape(3, -1)).reshape(carried.shape)
    sine = np.clip((carried @ axes.last[..., None])[..., 0], -1.0, 1.0)
    low, high = np.arcsin(sine.min(axis=1)), np.arcsin(sine.max(axis=1))
    quarter = 0.5 * np.pi
    height = np.sin(np.minimum(high + PAD, quarter)) - np.sin(np.maximum(low - PAD, -quarter))
    widths = _width(carried, axes.last) * _width(back, axes.first)
    short = margin - (quarter - np.maximum(-low, high))
    return np.asarray(np.log(widths * height) + STEEP * np.maximum(short, 0.0))


def _width(vectors: Floats, axis: Floats) -> Floats:
    """Padded range of the directions of vectors around axes, seen from their mean direction."""
    one, two = _around(axis)
    x, y = (vectors @ one[..., None])[..., 0], (vectors @ two[..., None])[..., 0]
    middle = np.arctan2(y.sum(axis=1), x.sum(axis=1))
    cosine, sine = np.cos(middle)[:, None], np.sin(middle)[:, None]
    apart = np.arctan2(cosine * y - sine * x, cosine * x + sine * y)
    width = apart.max(axis=1) - apart.min(axis=1) + 2.0 * PAD
    return np.asarray(np.minimum(width, 2.0 * np.pi))


def _centred(rotations: Floats, axes: _Axes, order: str) -> JointFrame:
    """Orientation with the given outer axes and their ranges centred at zero."""
    first, _, last = (np.eye(3)[axis] for axis in axes_of(order))
    orient = quaternion_between_vectors(last, axes.last[0])
    axis = quaternion_between_vectors(axes.first[0], first)
    box = euler_box(JointFrame(orient, axis, order).turns(rotations), order)
    middle = 0.5 * (box.low + box.high)
    shift_last = quaternion_from_axis_angle(last, middle @ last)
    shift_first = quaternion_from_axis_angle(first, middle @ first)
    return JointFrame(multiply(orient, shift_last), multiply(shift_first, axis), order)
