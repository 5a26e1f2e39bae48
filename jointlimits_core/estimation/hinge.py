"""Axis and signed angle of a hinge, in closed form from the 4x4 moment matrix.

The rotations of a hinge lie on a great circle of the quaternions, spanned by the first two
eigenvectors e1 and e2 of the moment, whatever the joint's frame is relative to its rest pose.
"""

from __future__ import annotations

import numpy as np

from ..geometry import Floats, conjugate, multiply, rotated
from .noise import Moment


def hinge_circles(moment: Moment, rotate_axes: Floats) -> Floats:
    """Great circles of the best hinges, with the sign of the axis fixed by rule.

    `rotate_axes` has shape (joints, 4): rotateAxis of the joints. The result has shape (joints, 2,
    4): orthonormal quaternions (e1, e2); from e1 to e2 is a positive rotation about the axis, which
    points along the positive side of the nearest rotate channel.
    """
    circle: Floats = moment.vectors[:, :2].copy()
    axis = channel_axes(circle, rotate_axes)
    nearest = np.take_along_axis(axis, np.abs(axis).argmax(axis=1)[:, None], axis=1)
    circle[:, 1] *= np.where(nearest < 0.0, -1.0, 1.0)
    return circle


def child_axes(circle: Floats) -> Floats:
    """Hinge axes in the joints' own frames, unit, shape (joints, 3)."""
    return multiply(conjugate(circle[:, 0]), circle[:, 1])[:, :3]


def parent_axes(circle: Floats) -> Floats:
    """Hinge axes in the parents' frames, unit, shape (joints, 3)."""
    return multiply(circle[:, 1], conjugate(circle[:, 0]))[:, :3]


def channel_axes(circle: Floats, rotate_axes: Floats) -> Floats:
    """Hinge axes in the coordinates of the rotate channels, between rotateAxis and jointOrient."""
    return rotated(rotate_axes, child_axes(circle))


def hinge_angles(rotations: Floats, circle: Floats) -> Floats:
    """Signed angles about the hinges, from e1.

    `rotations` has shape (joints, 4, samples): unit quaternions of any sign. `circle` has shape
    (joints, 2, 4). The result has shape (joints, samples): radians in [-pi, pi].
    """
    cosine, sine = np.moveaxis(circle @ rotations, 1, 0)
    flip = np.where(cosine < 0.0, -1.0, 1.0)
    return np.asarray(2.0 * np.arctan2(flip * sine, flip * cosine))


def off_hinge_angles(rotations: Floats, circle: Floats) -> Floats:
    """Smallest rotation onto the hinge, the swing about its axis; radians, (joints, samples)."""
    part = circle @ rotations
    off = rotations - np.swapaxes(circle, 1, 2) @ part
    return np.asarray(2.0 * np.arctan2(np.linalg.norm(off, axis=1), np.linalg.norm(part, axis=1)))
