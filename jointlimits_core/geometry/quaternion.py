"""Rotations: quaternions, matrices, rotation vectors, swing and twist; evenly spaced directions.

Quaternions are ``(x, y, z, w)``, unit length, on the last axis, with any leading axes. ``q`` and
``-q`` are the same rotation; functions that choose a sign say so. Vectors are columns
(``v' = R v``), so ``multiply(a, b)`` rotates by ``b`` first and then by ``a``. Angles are radians.
"""

from __future__ import annotations

import numpy as np

from .arrays import ArrayLike, Floats

IDENTITY: Floats = np.array([0.0, 0.0, 0.0, 1.0])
IDENTITY.setflags(write=False)
_MIN_SINE = 1e-150


def normalize(quaternion: ArrayLike) -> Floats:
    """Scale quaternions to unit length.

    `quaternion` has shape (..., 4): components (x, y, z, w), not all zero. The result has shape
    (..., 4): unit quaternions. A zero or non-finite quaternion gives NaN, never a silent identity.
    """
    q = np.asarray(quaternion, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        unit: Floats = q / np.linalg.norm(q, axis=-1, keepdims=True)
    return unit


def conjugate(quaternion: ArrayLike) -> Floats:
    """Inverse of unit quaternions, shape (..., 4)."""
    return np.asarray(np.asarray(quaternion, np.float64) * np.array([-1.0, -1.0, -1.0, 1.0]))


def w_first(quaternion: Floats) -> tuple[float, float, float, float]:
    """Numbers of one quaternion in the order w, x, y, z, as other programs list them."""
    x, y, z, w = quaternion.tolist()
    return w, x, y, z


def multiply(left: ArrayLike, right: ArrayLike) -> Floats:
    """Hamilton product ``left * right``: turns by `right` first, then by `left`, shape (..., 4).

    `left` and `right` have shape (..., 4): quaternions whose leading axes broadcast.
    """
    p, q = np.asarray(left, dtype=np.float64), np.asarray(right, dtype=np.float64)
    x, y, z, w = (p[..., part] for part in range(4))
    a, b, c, d = (q[..., part] for part in range(4))
    product = np.empty(np.broadcast_shapes(p.shape, q.shape))
    product[..., 0] = w * a + x * d + y * c - z * b
    product[..., 1] = w * b - x * c + y * d + z * a
    product[..., 2] = w * c + x * b - y * a + z * d
    product[..., 3] = w * d - x * a - y * b - z * c
    return product


def rotate(quaternion: ArrayLike, vector: ArrayLike) -> Floats:
    """Vectors turned by unit quaternions, shape (..., 3).

    `quaternion` has shape (..., 4). `vector` has shape (..., 3): leading axes broadcast with those
    of `quaternion`.
    """
    q, v = np.asarray(quaternion, dtype=np.float64), np.asarray(vector, dtype=np.float64)
    x, y, z, w = (q[..., part] for part in range(4))
    a, b, c = (v[..., part] for part in range(3))
    # Twice the cross product of axis and vector, which is then crossed with the axis again.
    i, j, k = 2.0 * (y * c - z * b), 2.0 * (z * a - x * c), 2.0 * (x * b - y * a)
    turned = np.empty((*np.broadcast_shapes(q.shape[:-1], v.shape[:-1]), 3))
    turned[..., 0] = a + w * i + (y * k - z * j)
    turned[..., 1] = b + w * j + (z * i - x * k)
    turned[..., 2] = c + w * k + (x * j - y * i)
    return turned


def matrix_from_quaternion(quaternion: ArrayLike) -> Floats:
    """Rotation matrices for column vectors, (..., 3, 3), from unit quaternions, (..., 4)."""
    q = np.asarray(quaternion, dtype=np.float64)
    x, y, z, w = (q[..., part] for part in range(4))
    xx, yy, zz, xy, yz, zx = x * x, y * y, z * z, x * y, y * z, z * x
    xw, yw, zw = x * w, y * w, z * w
    rows = (
        (1.0 - 2.0 * (yy + zz), 2.0 * (xy - zw), 2.0 * (zx + yw)),
        (2.0 * (xy + zw), 1.0 - 2.0 * (xx + zz), 2.0 * (yz - xw)),
        (2.0 * (zx - yw), 2.0 * (yz + xw), 1.0 - 2.0 * (xx + yy)),
    )
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def quaternion_from_matrix(matrix: ArrayLike) -> Floats:
    """Unit quaternions from rotation matrices.

    Of Shepperd's four forms, the one with the largest pivot is used, so that no rotation loses
    digits, not even a half turn. `matrix` has shape (..., 3, 3): proper rotations (orthonormal,
    determinant +1), column-vector convention. The result has shape (..., 4), with the largest
    component positive.
    """
    m = np.asarray(matrix, dtype=np.float64)
    xx, yy, zz = m[..., 0, 0], m[..., 1, 1], m[..., 2, 2]
    pairs = [(m[..., k - 1, k - 2], m[..., k - 2, k - 1]) for k in range(3)]
    yz, zx, xy = (one + other for one, other in pairs)
    wx, wy, wz = (one - other for one, other in pairs)
    # Row k is 4 * q_k * (x, y, z, w): the largest row has the largest norm.
    candidates = np.stack(
        [
            np.stack([1 + xx - yy - zz, xy, zx, wx], axis=-1),
            np.stack([xy, 1 - xx + yy - zz, yz, wy], axis=-1),
            np.stack([zx, yz, 1 - xx - yy + zz, wz], axis=-1),
            np.stack([wx, wy, wz, 1 + xx + yy + zz], axis=-1),
        ],
        axis=-2,
    )
    pivots = np.stack([candidates[..., k, k] for k in range(4)], axis=-1)
    best = np.argmax(pivots, axis=-1)[..., None, None]
    return normalize(np.take_along_axis(candidates, best, axis=-2)[..., 0, :])


def quaternion_from_rotation_vector(vector: ArrayLike) -> Floats:
    """Exponential map: unit quaternions from rotation vectors.

    `vector` has shape (..., 3): axis times angle in radians; any length. The result has shape (...,
    4): unit quaternions; w may be negative for angles over half a turn.
    """
    v = np.asarray(vector, dtype=np.float64)
    half = 0.5 * np.linalg.norm(v, axis=-1, keepdims=True)
    # np.sinc is sin(pi x) / (pi x), exact at zero.
    return np.concatenate([0.5 * np.sinc(half / np.pi) * v, np.cos(half)], axis=-1)


def rotation_vector_from_quaternion(quaternion: ArrayLike) -> Floats:
    """Logarithm map: rotation vectors from unit quaternions, the shorter way round.

    `quaternion` has shape (..., 4): unit quaternions of either sign. The result has shape (..., 3):
    axis times angle; the length is in [0, pi]. For a half turn, either of the two axes may result.
    """
    q = np.asarray(quaternion, dtype=np.float64)
    vector, w = q[..., :3] * np.where(q[..., 3:] < 0.0, -1.0, 1.0), np.abs(q[..., 3:])
    sine = np.sqrt(np.sum(vector * vector, axis=-1, keepdims=True))
    # angle / sine -> 2 as the rotation vanishes.
    scale = np.full_like(sine, 2.0)
    np.divide(2.0 * np.arctan2(sine, w), sine, out=scale, where=sine > _MIN_SINE)
    return np.asarray(vector * scale)


def quaternion_from_axis_angle(axis: ArrayLike, angle: ArrayLike) -> Floats:
    """Unit quaternions for turns about unit axes, shape (..., 4).

    `axis` has shape (..., 3): unit vectors. `angle` has shape (...): radians.
    """
    half = 0.5 * np.asarray(angle, dtype=np.float64)[..., None]
    a = np.asarray(axis, dtype=np.float64)
    vector = a * np.sin(half)
    return np.concatenate([vector, np.broadcast_to(np.cos(half), (*vector.shape[:-1], 1))], axis=-1)


def quaternion_between_vectors(start: ArrayLike, end: ArrayLike) -> Floats:
    """Shortest rotation that takes `start` to `end`, shape (..., 4).

    `start` and `end` have shape (..., 3): unit vectors. Opposite vectors give a half turn about a
    perpendicular axis.
    """
    a, b = np.broadcast_arrays(np.asarray(start, np.float64), np.asarray(end, np.float64))
    half = a + b
    length = np.linalg.norm(half, axis=-1, keepdims=True)
    opposite = length < 1e-12
    half = half / np.where(opposite, 1.0, length)
    smallest = np.eye(3)[np.argmin(np.abs(a), axis=-1)]
    vector = np.where(opposite, np.cross(a, smallest), np.cross(a, half))
    # |a + b| / 2 is a . half, and keeps its digits if a and b are nearly opposite.
    scalar = np.where(opposite, 0.0, 0.5 * length)
    return normalize(np.concatenate([vector, scalar], axis=-1))


def angle_between(first: ArrayLike, second: ArrayLike) -> Floats:
    """Geodesic distance between rotations.

    `first` and `second` have shape (..., 4): unit quaternions of either sign. The result has shape
    (...): radians in [0, pi], exact for tiny differences and for half turns.
    """
    difference = multiply(conjugate(first), second)
    sine = np.linalg.norm(difference[..., :3], axis=-1)
    return np.asarray(2.0 * np.arctan2(sine, np.abs(difference[..., 3])))


def sign_coherent(quaternion: ArrayLike) -> Floats:
    """Quaternions with signs chosen so that neighbours in a sequence are in the same hemisphere.

    `quaternion` has shape (..., frames, 4): a sequence along the second-to-last axis. The result
    has shape (..., frames, 4): the same rotations; consecutive dot products are not negative. The
    first sign is kept.
    """
    q = np.asarray(quaternion, dtype=np.float64)
    flips = np.where(np.sum(q[..., 1:, :] * q[..., :-1, :], axis=-1) < 0.0, -1.0, 1.0)
    signs = np.concatenate([np.ones((*q.shape[:-2], 1)), np.cumprod(flips, axis=-1)], axis=-1)
    return np.asarray(q * signs[..., None])


def swing_twist_from_quaternion(quaternion: ArrayLike, axis: ArrayLike) -> tuple[Floats, Floats]:
    """Split ``q = swing * twist`` into a turn about `axis` and a turn perpendicular to it.

    `quaternion` has shape (..., 4): unit quaternions. `axis` has shape (..., 3): unit twist axes.
    Returns swing and twist, shape (..., 4): unit quaternions. If the swing is a half turn, any
    twist is valid, and the identity is returned.
    """
    q, a = np.asarray(quaternion, np.float64), np.asarray(axis, np.float64)
    along = np.sum(q[..., :3] * a, axis=-1, keepdims=True)
    raw = np.concatenate([along * a, np.broadcast_to(q[..., 3:], along.shape)], axis=-1)
    length = np.linalg.norm(raw, axis=-1, keepdims=True)
    undefined = length < 1e-12
    twist = np.where(undefined, IDENTITY, raw / np.where(undefined, 1.0, length))
    return multiply(q, conjugate(twist)), twist


def slerp(start: ArrayLike, end: ArrayLike, fraction: ArrayLike) -> Floats:
    """Interpolate at constant speed along the shorter arc, shape (..., 4).

    `start` and `end` have shape (..., 4): unit quaternions of either sign. `fraction` has shape
    (...): 0 gives `start`, 1 gives `end`.
    """
    step = rotation_vector_from_quaternion(multiply(conjugate(start), end))
    part = np.asarray(fraction, dtype=np.float64)[..., None] * step
    return multiply(start, quaternion_from_rotation_vector(part))


def sphere_points(count: int) -> Floats:
    """Unit vectors spread evenly over the sphere (a Fibonacci spiral), shape (count, 3)."""
    number = np.arange(count) + 0.5
    height = 1.0 - 2.0 * number / count
    around = np.pi * (1.0 + np.sqrt(5.0)) * number
    across = np.sqrt(1.0 - height * height)
    return np.stack([across * np.cos(around), across * np.sin(around), height], axis=1)


def cube_points(count: int) -> Floats:
    """Points spread evenly over a unit cube around zero, for any `count`; shape (count, 3).

    Roberts' sequence: multiples of the negative powers of the root of ``x^4 = x + 1``.
    """
    steps = 1.2207440846057596 ** -np.arange(1.0, 4.0)
    return np.asarray((0.5 + np.arange(count)[:, None] * steps) % 1.0 - 0.5)
