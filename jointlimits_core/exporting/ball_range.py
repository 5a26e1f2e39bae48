"""Range of a ball joint: the smallest rotation from a middle pose that covers a box.

Ball joints in other formats have one angle from a middle pose, the same in every direction. The
pose of an Euler box furthest from a middle is at a corner: with two angles fixed, the cosine of
half the rotation is ``A cos(a / 2 + b)`` in each angle ``a``, which is concave between two
positive ends, so its minimum is at an end.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

from ..arrays import Floats
from ..estimation.box_volume import haar_share
from ..euler import quaternion_from_euler
from ..rotation import normalized

_STEPS = 2000
ALL_ROUND = np.pi
"""Largest possible rotation from a middle."""


@dataclass(frozen=True, eq=False)
class BallRange:
    """Middle of a range and the largest rotation from it.

    Parameters
    ----------
    middle : array, shape (4,)
        Rotation between jointOrient and rotateAxis.
    radius : float
        Radians, up to pi; pi means no limit.
    box_share, ball_share : float
        Share of all rotations inside the box and inside the range, 0 to 1.
    """

    middle: Floats
    radius: float
    box_share: float
    ball_share: float


def ball_range(low: Floats, high: Floats, rotate_order: str) -> BallRange:
    """Smallest ball joint range that contains every pose of a box.

    Parameters
    ----------
    low, high : array, shape (3,)
        Limits of rotateX, rotateY, rotateZ in radians, finite, ``low <= high``.

    Returns
    -------
    BallRange
        Contains the whole box up to rounding.
    """
    corners = np.array(list(product(*zip(low.tolist(), high.tolist()))))
    turns = quaternion_from_euler(corners, rotate_order)
    middle = _middle_of_cap(turns)
    least = float((turns @ middle).min())
    radius = ALL_ROUND
    if least > 0.0 and (high - low < 2.0 * np.pi).all():
        radius = 2.0 * float(np.arccos(min(least, 1.0)))
    ball = (radius - np.sin(radius)) / np.pi
    return BallRange(middle, radius, float(haar_share(low, high, rotate_order)), float(ball))


def _middle_of_cap(turns: Floats) -> Floats:
    """Middle of the smallest cap around quaternions of one branch.

    Steps towards the furthest point, shorter every time (Bădoiu and Clarkson, "Smaller core-sets
    for balls", 2003, the simple algorithm).
    """
    middle = turns.mean(axis=0)
    for step in range(1, _STEPS):
        furthest = turns[int(np.argmin(turns @ middle / max(np.linalg.norm(middle), 1e-12)))]
        middle = middle + (furthest - middle) / (step + 1)
    length = float(np.linalg.norm(middle))
    return normalized(middle) if length > 1e-9 else np.array(turns[0])
