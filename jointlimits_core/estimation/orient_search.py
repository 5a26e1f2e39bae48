"""Euler boxes of rotations: their share of all rotations, and the orientation with the smallest.

The share uses the invariant (Haar) measure, ``|cos(middle)| dx dy dz`` in Euler angles. For an
order that turns first about the axis m (fixed in the joint) and last about n (fixed in the parent),
the sine of the middle angle is ``n . (L m)``, the last angle is the direction of ``L m`` around n,
the first that of ``L^-1 n`` around m. So only two directions matter. The search over their four
numbers tries steps in fixed directions and halves them, many starts at once.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import numpy as np

from ..geometry import quaternion
from ..geometry.arrays import ArrayLike, Floats, Integers
from ..geometry.circle import contiguous_interval
from ..geometry.euler import TURN, axes_of, euler_from_quaternion, quaternion_from_euler, wrapped
from ..motion.reorient import JointOrientation

ALL_ROTATIONS = 8.0 * np.pi**2
"""Measure of all rotations, in the coordinates above."""
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
STEPS = 7
"""Poses per channel of a box, ends included."""


class EulerBox(NamedTuple):
    """Boxes around the Euler angles of samples, radians.

    `low` and `high` have shape (..., 3): about X, Y and Z; the middle channel of the order in
    [-pi/2, pi/2], the outer ones the smallest arcs that hold all samples. `margin` has shape (...):
    smallest distance of the middle channel from gimbal lock.
    """

    low: Floats
    high: Floats
    margin: Floats
    rotate_order: str

    def share(self, pad: float = 0.0) -> Floats:
        """Share of all rotations inside the box, widened by `pad` radians all round."""
        return haar_share(self.low - pad, self.high + pad, self.rotate_order)


def haar_share(low: ArrayLike, high: ArrayLike, rotate_order: str) -> Floats:
    """Share of all rotations inside an Euler box.

    `low` and `high` have shape (..., 3): radians about X, Y and Z, ``low <= high``. The result has
    shape (...): from 0 to 1, exact if the middle channel stays within a quarter turn of zero;
    rotations that a larger box contains twice count twice, up to 1.
    """
    lower, upper = np.asarray(low, np.float64), np.asarray(high, np.float64)
    first, middle, last = axes_of(rotate_order)
    widths = np.minimum(upper - lower, TURN)
    height = _sine_area(upper[..., middle]) - _sine_area(lower[..., middle])
    share = widths[..., first] * widths[..., last] * height / ALL_ROTATIONS
    return np.asarray(np.clip(share, 0.0, 1.0))


def _sine_area(angle: Floats) -> Floats:
    """Integral of ``|cos|`` from zero."""
    half_turns = np.round(angle / np.pi)
    return np.asarray(2.0 * half_turns + np.sin(angle - half_turns * np.pi))


def euler_box(turns: ArrayLike, rotate_order: str) -> EulerBox:
    """Box around the Euler angles of rotations.

    `turns` has shape (..., 4, samples): unit quaternions, between jointOrient and rotateAxis.
    """
    samples = np.swapaxes(np.asarray(turns, dtype=np.float64), -1, -2)
    angles = np.swapaxes(euler_from_quaternion(samples, rotate_order), -1, -2)
    low, high = angles.min(axis=-1), angles.max(axis=-1)
    middle = axes_of(rotate_order)[1]
    margin = 0.5 * np.pi - np.maximum(-low[..., middle], high[..., middle])
    for outer in axes_of(rotate_order)[::2]:
        low[..., outer], high[..., outer] = smallest_arc(angles[..., outer, :])
    return EulerBox(low, high, np.asarray(margin), rotate_order)


def smallest_arc(angles: Floats) -> tuple[Floats, Floats]:
    """Ends of the smallest arcs that contain angles, shape (..., samples).

    Sorts only where the samples span at least half a turn, seen from the first.
    """
    first = angles[..., :1]
    apart = wrapped(angles - first)
    low, high = np.array(apart.min(axis=-1)), np.array(apart.max(axis=-1))
    wide = np.asarray(high - low >= np.pi)
    if wide.any():
        arc = contiguous_interval(apart[wide])
        low[wide], high[wide] = arc.low, arc.high
    return low + first[..., 0], high + first[..., 0]


def representatives(rotations: Floats, directions: int = 96, even: int = 160) -> Integers:
    """Indices of representative samples: the outermost ones and some evenly spaced ones.

    `rotations` has shape (..., 4, samples). `directions`: directions from the mean in which the
    outermost sample is taken. The result has shape (..., directions + even): may repeat; all
    samples, in order, if there are no more than that.
    """
    leading, count = rotations.shape[:-2], rotations.shape[-1]
    if count <= directions + even:
        return np.broadcast_to(np.arange(count), (*leading, count))
    samples = np.swapaxes(rotations, -1, -2)
    sides = np.sum(samples * samples[..., :1, :], axis=-1, keepdims=True)
    middle = quaternion.normalized(
        (samples * np.where(sides < 0.0, -1.0, 1.0)).mean(axis=-2, keepdims=True)
    )
    seen = quaternion.multiply(quaternion.conjugate(middle), samples)
    vectors = np.swapaxes(seen[..., :3] * np.where(seen[..., 3:] < 0.0, -1.0, 1.0), -1, -2)
    outermost = np.argmax(
        quaternion.sphere_points(directions) @ np.ascontiguousarray(vectors), axis=-1
    )
    spread = np.linspace(0, count - 1, even).astype(np.int64)
    return np.concatenate([outermost, np.broadcast_to(spread, (*leading, even))], axis=-1)


class _Axes(NamedTuple):
    """Pairs of directions: last axes in the parent, first axes in the joint, shape (pairs, 3)."""

    last: Floats
    first: Floats

    def take(self, rows: Integers) -> _Axes:
        return _Axes(self.last[rows], self.first[rows])


def smallest_box_orientation(
    rotations: Floats, frame: JointOrientation, margin: float
) -> JointOrientation:
    """Orientation with the smallest Euler box at a distance from gimbal lock.

    The result comes with the ranges of the outer channels centred at zero. Deterministic.
    `rotations` has shape (4, samples): local rotations. `frame`: current orientation; its order is
    kept. `margin`: radians from gimbal lock; the search comes as close as possible where it is
    unattainable.
    """
    some = representatives(rotations, directions=96, even=32)
    matrices = quaternion.matrix_from_quaternion(rotations[:, some].T)
    axes = _coarse(matrices, margin)
    sizes = np.full(len(axes.last), FIRST_STEP)
    for starts, rounds in STARTS:
        axes, sizes = axes.take(np.arange(starts)), sizes[:starts]
        axes, sizes = _searched(matrices, axes, sizes, rounds, margin)
    return _centred(rotations, axes, frame.rotate_order)


def _coarse(matrices: Floats, margin: float) -> _Axes:
    """Best pairs of directions of a grid, no two close together."""
    step = max(1, len(matrices) // COARSE_SAMPLES)
    lasts, firsts = quaternion.sphere_points(2 * COARSE)[:COARSE], quaternion.sphere_points(COARSE)
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


_SIGNS = np.array(list(product((-1.0, 0.0, 1.0), repeat=4)))
_KEPT = _SIGNS[np.isin(np.count_nonzero(_SIGNS, axis=1), (1, 4))]
_STEPS: Floats = _KEPT / np.linalg.norm(_KEPT, axis=1, keepdims=True)
"""Unit steps in four dimensions: along axes and along full diagonals, shape (steps, 4)."""


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


def _centred(rotations: Floats, axes: _Axes, order: str) -> JointOrientation:
    """Orientation with the given outer axes and their ranges centred at zero."""
    first, _, last = (np.eye(3)[axis] for axis in axes_of(order))
    orient = quaternion.quaternion_between_vectors(last, axes.last[0])
    axis = quaternion.quaternion_between_vectors(axes.first[0], first)
    box = euler_box(JointOrientation(orient, axis, order).turns(rotations), order)
    middle = 0.5 * (box.low + box.high)
    shift_last = quaternion.quaternion_from_axis_angle(last, middle @ last)
    shift_first = quaternion.quaternion_from_axis_angle(first, middle @ first)
    return JointOrientation(
        quaternion.multiply(orient, shift_last), quaternion.multiply(shift_first, axis), order
    )


def off_hinge(rotations: Floats, axis_parent: ArrayLike, axis_child: ArrayLike) -> Floats:
    """Smallest rotation that brings each rotation onto a hinge.

    `rotations` has shape (..., 4): local rotations. `axis_parent` and `axis_child` have shape (3,).
    The result has shape (...): radians from 0 to pi; exact for tiny ones.
    """
    child = np.asarray(axis_child, dtype=np.float64)
    first = quaternion.quaternion_between_vectors(child, axis_parent)
    second = quaternion.multiply(first, np.append(child, 0.0))
    on = np.hypot(rotations @ first, rotations @ second)
    one = np.cross(child, np.eye(3)[np.argmin(np.abs(child))])
    one = one / np.linalg.norm(one)
    sides = (one, np.cross(child, one))
    across = np.stack([quaternion.multiply(first, np.append(side, 0.0)) for side in sides])
    return np.asarray(2.0 * np.arctan2(np.linalg.norm(rotations @ across.T, axis=-1), on))


def off_universal(rotations: Floats, axis_parent: ArrayLike, axis_child: ArrayLike) -> Floats:
    """Deviation of a universal joint's axes from the right angle, radians, shape (...)."""
    cosine = quaternion.rotated(rotations, axis_child) @ np.asarray(axis_parent, dtype=np.float64)
    return np.asarray(np.abs(np.arcsin(np.clip(cosine, -1.0, 1.0))))


def box_poses(low: Floats, high: Floats, frame: JointOrientation) -> tuple[Floats, Floats]:
    """Grid of poses in a box of rotate channels.

    `low` and `high` have shape (3,): radians. Returns `rotations`, shape (poses, 4): local
    rotations on an even grid, the corners included; and `weights`, shape (poses,): share of the box
    per pose (Haar measure, ends of the grid halved); sum 1.
    """
    ways = [np.linspace(a, b, STEPS) for a, b in zip(low, high)]
    angles = np.stack(np.meshgrid(*ways, indexing="ij"), axis=-1).reshape(-1, 3)
    ends = np.ones(STEPS)
    ends[[0, -1]] = 0.5
    cells = np.einsum("i,j,k->ijk", ends, ends, ends).reshape(-1)
    weights = cells * np.abs(np.cos(angles[:, axes_of(frame.rotate_order)[1]]))
    turns = quaternion_from_euler(angles, frame.rotate_order)
    rotations = quaternion.multiply(
        frame.joint_orient, quaternion.multiply(turns, frame.rotate_axis)
    )
    total = float(weights.sum())
    return rotations, weights / total if total > 0.0 else np.full(len(cells), 1.0 / len(cells))
