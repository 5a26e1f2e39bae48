"""Euler angles in Maya's six rotate orders, channels of a joint, the Euler filter.

Angles are always ``(x, y, z)`` components. A rotate order names the axes in the order of
application: "xyz" rotates about X first, ``Rz @ Ry @ Rx`` for column vectors (Autodesk, node
reference "transform", attribute rotateOrder). The half-angle forms are exact at gimbal lock too. A
rotation has infinitely many sets of Euler angles: full turns may be added to each channel, and the
outer channels may change by half a turn while the middle one is mirrored.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np

from .arrays import ArrayLike, Booleans, Floats, Formula, Integers, in_blocks
from .quaternion import IDENTITY, conjugate, multiply

ROTATE_ORDERS = ("xyz", "yzx", "zxy", "xzy", "yxz", "zyx")
"""Maya's names; the index is the value of the ``rotateOrder`` attribute."""

_AXES = {"xyz": (0, 1, 2), "yzx": (1, 2, 0), "zxy": (2, 0, 1)}
_AXES.update({order[::-1]: axes[::-1] for order, axes in _AXES.items()})
TURN = 2.0 * np.pi
_HALF, _TWO, _QUARTER, _HALF_TURN, _TURN = map(np.array, (0.5, 2.0, 0.5 * np.pi, np.pi, TURN))
_LEAST = np.array(-np.pi)
"""Arrays, which numpy takes in half the time of a float."""
LOCK = 1e-8
"""Radians from gimbal lock below which rounding alone splits a turn between the outer angles."""


def axes_of(rotate_order: str) -> tuple[int, int, int]:
    """Component indices (0 = x) in the order of application.

    Raises ValueError if `rotate_order` is not one of :data:`ROTATE_ORDERS`.
    """
    if rotate_order not in _AXES:
        raise ValueError(f"rotate order {rotate_order!r} is not one of {', '.join(ROTATE_ORDERS)}")
    return _AXES[rotate_order]


def _parity(i: int, j: int) -> float:
    """1 if the order is a cyclic one, such as x, y, z; otherwise -1."""
    return 1.0 if (j - i) % 3 == 1 else -1.0


def wrapped(angle: ArrayLike) -> Floats:
    """Angles wrapped to [-pi, pi)."""
    a = np.asarray(angle, dtype=np.float64)
    result = np.asarray(a + _HALF_TURN)
    _wrap(a, result)
    return result


def _wrap(angle: Floats, result: Floats) -> None:
    """Wrap angles, which `result` has half a turn further."""
    result /= _TURN
    np.floor(result, result)
    result *= _TURN
    np.subtract(angle, result, result)
    # The angle before pi rounds up to a whole turn and would come out below -pi.
    np.maximum(result, _LEAST, out=result)


def quaternion_from_euler(angles: ArrayLike, rotate_order: str = "xyz") -> Floats:
    """Quaternions of Euler angles.

    `angles` has shape (..., 3): angles about X, Y and Z in radians, any size. `rotate_order`: one
    of :data:`ROTATE_ORDERS`. The result has shape (..., 4): unit quaternions; the sign follows the
    angles continuously.
    """
    return in_blocks(_TO_QUATERNIONS[axes_of(rotate_order)], 4, angles)


def _to_quaternions(i: int, j: int, k: int) -> Formula:
    """Product of turns about the axes i, j, k, without the terms that are zero."""
    axes, places = np.array([i, j, k]), np.argsort([i, j, k, 3])
    # Of sines (0 to 2) and cosines (3 to 5): scc, csc, ccs, ccc and css, scs, ssc, sss.
    factors = np.array([[0, 3, 3, 3], [4, 1, 4, 4], [5, 5, 2, 5]])
    factors = np.concatenate([factors, (factors + 3) % 6], axis=1)
    signs = _parity(i, j) * np.array([-1.0, 1.0, -1.0, 1.0])

    def quaternions(result: Floats, angle: Floats) -> None:
        half = angle.take(axes, axis=0)
        half *= _HALF
        first, second, third = np.concatenate([np.sin(half), np.cos(half)]).take(factors, axis=0)
        first *= second
        first *= third
        first[4:] *= signs.reshape(4, *(1,) * (angle.ndim - 1))
        result[...] = (first[:4] + first[4:]).take(places, axis=0)

    return quaternions


def euler_from_quaternion(quaternion: ArrayLike, rotate_order: str = "xyz") -> Floats:
    """Euler angles of rotations, exact at gimbal lock too.

    `quaternion` has shape (..., 4): unit quaternions of either sign. `rotate_order`: one of
    :data:`ROTATE_ORDERS`. The result has shape (..., 3): angles about X, Y and Z in radians. The
    middle angle of the order is in [-pi/2, pi/2], the outer ones in [-pi, pi). The other solution
    is :func:`other_euler`.
    """
    return in_blocks(_TO_EULER[axes_of(rotate_order)], 3, quaternion)


def _to_euler(i: int, j: int, k: int) -> Formula:
    """Angles about the axes i, j, k in the order of application."""
    mirrored = _parity(i, j) < 0.0
    components = np.array([3, 3, k, k, j, j, i, i])
    outer = slice(i, 2 * k - i if 2 * k >= i else None, k - i)

    def angles(result: Floats, quaternion: Floats) -> None:
        parts = quaternion.take(components, axis=0)
        if mirrored:
            np.negative(parts[2:4], parts[2:4])
        np.negative(parts[5:7], parts[5:7])
        # w - qj, w + qj; qk + qi, qk - qi: half the sum and difference of the outer angles.
        sums, free = parts[:4], parts[4:6]
        sums -= parts[4:]
        below, above = sums[:2], sums[2:]
        halves = np.arctan2(above, below)
        half_sum, half_difference = halves[0], halves[1]
        # Not np.hypot, which takes a dozen times as long and gives other last digits elsewhere.
        sums *= sums
        below += above
        np.sqrt(below, below)
        middle = np.arctan2(below[1], below[0])
        middle *= _TWO
        np.subtract(middle, _QUARTER, result[j])
        np.subtract(half_sum, half_difference, free[0])
        np.add(half_sum, half_difference, free[1])
        if mirrored:
            np.negative(free[1], free[1])
        np.add(free, _HALF_TURN, above)
        _wrap(free, above)
        result[outer] = above

    return angles


_TO_EULER = {axes: _to_euler(*axes) for axes in _AXES.values()}
_TO_QUATERNIONS = {axes: _to_quaternions(*axes) for axes in _AXES.values()}


def other_euler(angles: ArrayLike, rotate_order: str = "xyz") -> Floats:
    """Second set of Euler angles of the same rotation: outer angles + pi, pi - middle angle.

    `angles` has shape (..., 3). The result has shape (..., 3): not wrapped.
    """
    middle = axes_of(rotate_order)[1]
    result = np.asarray(angles, dtype=np.float64) + np.pi
    result[..., middle] = TURN - result[..., middle]
    return np.asarray(result)


def by_order(
    of_xyz: Callable[..., Floats], orders: Sequence[str], quaternion: Floats, *angles: Floats
) -> Floats:
    """Euler angles of joints that have rotate orders of their own, by one call for all.

    `of_xyz`: a function for the order xyz. `quaternion` has shape (joints, ..., 4), and `angles`
    (joints, 3) each: further arguments. The result has shape (joints, ..., 3), the components of a
    joint beside each other in memory. With the axes renamed every order is xyz; in the odd ones the
    last axis is mirrored.
    """
    four, odd = _axes_of_all(tuple(orders))
    axes, rows = four[:, :3], np.arange(len(four))[:, None]
    renamed = quaternion.swapaxes(-1, 1)[rows, four]
    given = [each[rows, axes] for each in angles]
    for each in (renamed, *given):
        each[odd, 2] *= -1.0
    found = of_xyz(renamed.swapaxes(1, -1), *given).swapaxes(-1, 1)
    result = np.empty(found.shape)
    result[rows, axes] = found
    result[odd, axes[odd, 2]] *= -1.0
    return result.swapaxes(1, -1)


@lru_cache(maxsize=16)
def _axes_of_all(orders: tuple[str, ...]) -> tuple[Integers, Integers]:
    """Places of x, y, z and w in every order, (joints, 4), and which orders are odd."""
    four = np.array([(*axes_of(order), 3) for order in orders])
    return four, np.flatnonzero((four[:, 1] - four[:, 0]) % 3 != 1)


def nearest_euler(angles: ArrayLike, reference: ArrayLike, rotate_order: str = "xyz") -> Floats:
    """Move angles to the branch nearest to a reference, keeping the rotation.

    `angles` and `reference` have shape (..., 3): radians; leading axes broadcast. The result has
    shape (..., 3): the solution, of both sets with any number of full turns, with the smallest sum
    of squared differences to `reference`.
    """
    here = np.asarray(angles, dtype=np.float64)
    target = np.asarray(reference, dtype=np.float64)
    best = here - TURN * np.round((here - target) / TURN)
    other = other_euler(here, rotate_order)
    other = other - TURN * np.round((other - target) / TURN)
    nearer = np.sum((other - target) ** 2, -1) < np.sum((best - target) ** 2, -1)
    return np.where(nearer[..., None], other, best)


def euler_near(quaternion: ArrayLike, reference: ArrayLike, rotate_order: str = "xyz") -> Floats:
    """Euler angles of rotations, as close to a reference as possible, also at gimbal lock.

    `quaternion` has shape (..., 4): unit quaternions of either sign. `reference` has shape (...,
    3): radians; broadcast to the leading axes of `quaternion`. The result has shape (..., 3): as
    :func:`nearest_euler`. At the lock, where only the sum or the difference of the outer angles is
    defined, both deviate equally from the reference.
    """
    i, j, k = axes_of(rotate_order)
    own = euler_from_quaternion(quaternion, rotate_order)
    target = np.broadcast_to(np.asarray(reference, dtype=np.float64), own.shape)
    result = nearest_euler(own, target, rotate_order)
    locked = 0.5 * np.pi - np.abs(own[..., j]) < LOCK
    if not locked.any():
        return result
    # The sign of the middle angle decides whether the sum or the difference is defined.
    sense = -_parity(i, j) * np.sign(own[..., j])
    off = own[..., i] - target[..., i] + sense * (own[..., k] - target[..., k])
    off = 0.5 * wrapped(off)
    result[..., i] = np.where(locked, target[..., i] + off, result[..., i])
    result[..., k] = np.where(locked, target[..., k] + sense * off, result[..., k])
    return result


def gimbal_margin(angles: ArrayLike, rotate_order: str = "xyz") -> Floats:
    """Distance of the middle angle from gimbal lock.

    `angles` has shape (..., 3): radians. The result has shape (...): radians in [0, pi/2]; zero
    where two axes coincide.
    """
    middle = np.asarray(angles, dtype=np.float64)[..., axes_of(rotate_order)[1]]
    return np.asarray(np.abs(wrapped(2.0 * middle)) * -0.5 + 0.5 * np.pi)


JUMP = 0.5 * np.pi
"""Smallest step between frames that can be a change of branch, radians."""


def continuous_rotates(rotates: Floats, rotate_order: str) -> tuple[Floats, Booleans]:
    """Undo branch changes in one joint's clip where that narrows the ranges.

    `rotates` has shape (3, frames): rotateX, rotateY, rotateZ in radians. Returns the same
    rotations, with the branch with most frames bit for bit and the others moved to it, and which
    frames were moved, shape (frames,).
    """
    frames = rotates.shape[1]
    best, best_changed = rotates, np.zeros(frames, dtype=bool)
    jumps = np.flatnonzero((np.abs(np.diff(rotates, axis=1)) > JUMP).any(axis=0)) + 1
    if jumps.size == 0:
        return best, best_changed
    starts = np.concatenate([[0], jumps])
    # Near gimbal lock, following the nearest set can drift away from all others, so a continuous
    # path is used only if its ranges are also narrower.
    for mirrors in (False, True):
        branches = _branches(rotates, starts, rotate_order, mirrors)
        tried, changed = _on_main_branch(rotates, starts, branches, rotate_order)
        if np.ptp(tried, axis=1).sum() < np.ptp(best, axis=1).sum() - JUMP:
            best, best_changed = tried, changed
    return best, best_changed


def _on_main_branch(
    rotates: Floats, starts: Integers, branches: Floats, rotate_order: str
) -> tuple[Floats, Booleans]:
    """Move all pieces to the branch with most frames."""
    lengths = np.diff(np.append(starts, rotates.shape[1]))
    keys, which = np.unique(branches, axis=0, return_inverse=True)
    which = which.reshape(-1)
    main = int(np.argmax(np.bincount(which, weights=lengths)))
    result = rotates.copy()
    for number, key in enumerate(keys):
        if number != main:
            chosen = np.repeat(which == number, lengths)
            moved = _apply(rotates[:, chosen].T, key, rotate_order)
            result[:, chosen] = _undo(moved, keys[main], rotate_order).T
    return result, np.repeat(which != main, lengths)


def _branches(rotates: Floats, starts: Integers, rotate_order: str, mirrors: bool) -> Floats:
    """Branch of each piece between jumps: (mirrored, turns x, y, z), relative to the first."""
    branches = np.zeros((len(starts), 4))
    for piece in range(1, len(starts)):
        before, here = rotates[:, starts[piece] - 1], rotates[:, starts[piece]]
        target = _apply(before, branches[piece - 1], rotate_order)
        stay = _apply(here, branches[piece - 1], rotate_order)
        if mirrors:
            nearest = nearest_euler(here, target, rotate_order)
        else:
            nearest = stay - TURN * np.round((stay - target) / TURN)
        gain = np.abs(stay - target).max() - np.abs(nearest - target).max()
        branches[piece] = branches[piece - 1]
        if gain > JUMP:
            branches[piece] = _branch_between(here, nearest, rotate_order)
    return branches


def _branch_between(angles: Floats, moved: Floats, rotate_order: str) -> Floats:
    """Branch that takes `angles` to `moved`, another set for the same rotation."""
    plain, mirrored = (moved - angles) / TURN, (moved - _mirror(angles, np.pi, rotate_order)) / TURN
    off_plain, off_mirrored = (np.abs(t - np.round(t)).max() for t in (plain, mirrored))
    if off_plain <= off_mirrored:
        return np.concatenate([[0.0], np.round(plain)])
    return np.concatenate([[1.0], np.round(mirrored)])


def _mirror(angles: Floats, half_turn: float, rotate_order: str) -> Floats:
    middle = axes_of(rotate_order)[1]
    result = angles + half_turn
    result[..., middle] = np.pi - angles[..., middle]
    return result


def _apply(angles: Floats, branch: Floats, rotate_order: str) -> Floats:
    base = _mirror(angles, np.pi, rotate_order) if branch[0] else angles
    return np.asarray(base + TURN * branch[1:])


def _undo(angles: Floats, branch: Floats, rotate_order: str) -> Floats:
    base = np.asarray(angles - TURN * branch[1:])
    return _mirror(base, -np.pi, rotate_order) if branch[0] else base


CHANNELS = ("rotateX", "rotateY", "rotateZ")
"""Rotate channels of a joint, in (x, y, z) order."""


def local_from_rotate(
    rotate: ArrayLike, joint_orient: ArrayLike, rotate_axis: ArrayLike, rotate_order: str
) -> Floats:
    """Local rotation of a Maya joint from its rotate channels, ``JO * R * RO`` for columns.

    Maya multiplies row vectors, ``matrix = [S] [RO] [R] [JO] [IS] [T]`` (Autodesk, node reference
    "joint"; RO is rotateAxis, R is rotate, JO is jointOrient); only here is that converted. Both
    rotateAxis and jointOrient are always composed in the order xyz. Acclaim files fit the same
    form: a bone with axis C rotates by ``C M C^-1``: jointOrient C, rotate M, rotateAxis ``C^-1``.

    `rotate` has shape (..., 3): rotateX, rotateY, rotateZ in radians. `joint_orient` and
    `rotate_axis` have shape (..., 4): quaternions; leading axes broadcast. `rotate_order`: one of
    :data:`jointlimits_core.geometry.euler.ROTATE_ORDERS`. The result has shape (..., 4): rotation
    relative to the parent, ``JO * R * RO``.
    """
    turn = quaternion_from_euler(rotate, rotate_order)
    inner = turn if _is_one_identity(rotate_axis) else multiply(turn, rotate_axis)
    return inner if _is_one_identity(joint_orient) else multiply(joint_orient, inner)


def turn_from_local(local: ArrayLike, joint_orient: ArrayLike, rotate_axis: ArrayLike) -> Floats:
    """Rotation R between jointOrient and rotateAxis: ``JO^-1 * local * RO^-1``, shape (..., 4)."""
    inner = local if _is_identity(rotate_axis) else multiply(local, conjugate(rotate_axis))
    outer = inner if _is_identity(joint_orient) else multiply(conjugate(joint_orient), inner)
    return np.asarray(outer, dtype=np.float64)


def _is_identity(quaternion: ArrayLike) -> bool:
    """Whether it is the identity; most joints have no rotateAxis."""
    return bool((np.asarray(quaternion) == IDENTITY).all())


def _is_one_identity(quaternion: ArrayLike) -> bool:
    """Whether it is a single identity, without leading axes that the result would take on."""
    return np.ndim(quaternion) == 1 and _is_identity(quaternion)


def rotate_from_local(
    local: ArrayLike, joint_orient: ArrayLike, rotate_axis: ArrayLike, rotate_order: str
) -> Floats:
    """Rotate channels that give a local rotation.

    `local` has shape (..., 4): rotation relative to the parent. `joint_orient` and `rotate_axis`
    have shape (..., 4). The result has shape (..., 3): rotateX, rotateY, rotateZ in radians, the
    middle one of the order in [-pi/2, pi/2].
    """
    return euler_from_quaternion(turn_from_local(local, joint_orient, rotate_axis), rotate_order)
