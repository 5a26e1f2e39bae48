"""Share of rotations inside an Euler box, and distance of a motion from gimbal lock.

The share uses the invariant (Haar) measure of rotations, in which equal rotations count equally
wherever they start. In Euler angles that is ``|cos(middle)| dx dy dz``
whatever the order, so the share of a box is a product of two widths and a difference of sines.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import ArrayLike, Floats, Integers
from ..euler import TURN, axes_of, euler_from_quaternion, wrapped
from ..rotation import conjugate, multiply, normalized
from ..sphere import sphere_points
from .interval import contiguous_interval

ALL_ROTATIONS = 8.0 * np.pi**2
"""Measure of all rotations, in the coordinates above."""


@dataclass(frozen=True, eq=False)
class EulerBox:
    """Boxes around the Euler angles of samples, radians.

    Parameters
    ----------
    low, high : array, shape (..., 3)
        About X, Y and Z; the middle channel of the order in [-pi/2, pi/2], the outer ones the
        smallest arcs that hold all samples.
    margin : array, shape (...)
        Smallest distance of the middle channel from gimbal lock.
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

    Parameters
    ----------
    low, high : array-like, shape (..., 3)
        Radians about X, Y and Z, ``low <= high``.

    Returns
    -------
    array, shape (...)
        From 0 to 1, exact if the middle channel stays within a quarter turn of zero; rotations
        that a larger box contains twice count twice, up to 1.
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

    Parameters
    ----------
    turns : array-like, shape (..., 4, samples)
        Unit quaternions, between jointOrient and rotateAxis.
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

    Parameters
    ----------
    rotations : array, shape (..., 4, samples)
    directions : int
        Directions from the mean in which the outermost sample is taken.

    Returns
    -------
    array of int, shape (..., directions + even)
        May repeat; all samples, in order, if there are no more than that.
    """
    leading, count = rotations.shape[:-2], rotations.shape[-1]
    if count <= directions + even:
        return np.broadcast_to(np.arange(count), (*leading, count))
    samples = np.swapaxes(rotations, -1, -2)
    sides = np.sum(samples * samples[..., :1, :], axis=-1, keepdims=True)
    middle = normalized((samples * np.where(sides < 0.0, -1.0, 1.0)).mean(axis=-2, keepdims=True))
    seen = multiply(conjugate(middle), samples)
    vectors = np.swapaxes(seen[..., :3] * np.where(seen[..., 3:] < 0.0, -1.0, 1.0), -1, -2)
    outermost = np.argmax(sphere_points(directions) @ np.ascontiguousarray(vectors), axis=-1)
    spread = np.linspace(0, count - 1, even).astype(np.int64)
    return np.concatenate([outermost, np.broadcast_to(spread, (*leading, even))], axis=-1)
