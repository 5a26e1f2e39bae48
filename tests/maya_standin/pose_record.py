"""The record `-type "matrix" "xform"` of a scene: a matrix that remembers its channels.

The order of its 37 numbers is that of the scenes themselves; the matrix is maya.md 1.1, row
vectors. Angles are radians (scenes whose records and world matrices agree show it).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

RECORD_LENGTH = 37
_AXES = ("xyz", "yzx", "zxy", "xzy", "yxz", "zyx")


class PoseMatrix(tuple):
    """Sixteen numbers, row by row, with the record they come from."""

    record: tuple[float, ...] = ()

    @classmethod
    def of(cls, record: Sequence[float]) -> PoseMatrix:
        """The matrix of a record."""
        made = cls(float(number) for number in _matrix(np.asarray(record, float)).reshape(-1))
        made.record = tuple(float(number) for number in record)
        return made


def _matrix(record: np.ndarray) -> np.ndarray:
    scale, rotate, order, translate, shear = np.split(record[:13], (3, 6, 7, 10))
    scale_pivot, scale_shift, pivot, shift = record[13:25].reshape(4, 3)
    scaled = np.diag((*scale, 1.0))
    sheared = np.eye(4)
    sheared[1, 0], sheared[2, 0], sheared[2, 1] = shear
    turn = (
        _turn(record[25:29])
        @ _euler(rotate, _AXES[int(order[0])])
        @ _turn(record[29:33])
        @ _parent_scale(record)
    )
    about_scale = _move(-scale_pivot) @ scaled @ sheared @ _move(scale_pivot)
    about_turn = _move(scale_shift) @ _move(-pivot) @ turn @ _move(pivot)
    return about_scale @ about_turn @ _move(shift) @ _move(translate)


def _parent_scale(record: np.ndarray) -> np.ndarray:
    """What a joint undoes of its parent's scale, where it does."""
    return np.diag((*record[33:36], 1.0)) if record[36] else np.eye(4)


def _move(by: np.ndarray) -> np.ndarray:
    result = np.eye(4)
    result[3, :3] = by
    return result


def _turn(quaternion: np.ndarray) -> np.ndarray:
    """Row-vector rotation of a quaternion (x, y, z, w); zeros turn nothing."""
    size = np.linalg.norm(quaternion)
    if size == 0.0:
        return np.eye(4)
    x, y, z, w = quaternion / size
    result = np.eye(4)
    result[:3, :3] = (
        (1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)),
        (2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)),
        (2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)),
    )
    return result


def _euler(angles: np.ndarray, order: str) -> np.ndarray:
    result = np.eye(4)
    for axis in order:
        place = "xyz".index(axis)
        half = angles[place] / 2.0
        quaternion = np.zeros(4)
        quaternion[place], quaternion[3] = np.sin(half), np.cos(half)
        result = result @ _turn(quaternion)
    return result
