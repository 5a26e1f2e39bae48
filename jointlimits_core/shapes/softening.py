"""Soft limits: resistance that grows with the distance beyond the limit.

Holden's article adds ``radius tanh(falloff d)`` to the projected rotation, ``d`` away from the
original. As printed that overshoots the original where ``falloff radius > 1``; here it never does.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..geometry import ArrayLike, Booleans, Floats, angle_between, slerp
from .shape import Shape


@dataclass(frozen=True)
class Softening:
    """Softness of a limit.

    Raises ValueError for values that are negative or not finite.

    Parameters
    ----------
    radius : float
        Maximum distance beyond the limit, radians; 0 is a hard limit.
    falloff : float
        Initial share of the radius allowed per radian outside, 1 / radian.
    """

    radius: float = 0.1
    falloff: float = 1.0

    def __post_init__(self) -> None:
        for name, value in (("radius", self.radius), ("falloff", self.falloff)):
            if not 0.0 <= value < np.inf:
                raise ValueError(f"{name} must be finite and at least 0, not {value!r}")

    def allowance(self, distance: ArrayLike) -> Floats:
        """Radians beyond the limit that are kept of a distance outside it.

        Grows with the distance, and never exceeds the distance or the radius. `distance`: radians,
        at least 0.
        """
        outside = np.asarray(distance, dtype=np.float64)
        return np.asarray(np.minimum(self.radius * np.tanh(self.falloff * outside), outside))


def softened(shape: Shape, rotation: ArrayLike, softening: Softening) -> Floats:
    """Rotations projected onto a shape with soft limits.

    With ``p`` the projection of ``q`` and ``d`` the angle between them, the result is on the
    shortest way from ``p`` to ``q``, never farther from ``p`` than the radius or ``d``, and the
    farther the farther ``q`` is. Rotations inside are unchanged, and with radius 0 the result is
    ``p``. It is not a projection: applying it twice moves rotations again. `rotation` has shape
    (..., 4): unit quaternions of any sign. The result has shape (..., 4).
    """
    given = np.asarray(rotation, dtype=np.float64)
    return part_way_back(shape.project(given), given, softening)


def part_way_back(hard: Floats, given: Floats, softening: Softening) -> Floats:
    """Move from hard-limited rotations back to the given ones, as far as the softening allows.

    `hard` and `given` have shape (..., 4): equal where nothing was outside. The result has shape
    (..., 4).
    """
    distance = angle_between(given, hard)
    outside: Booleans = np.asarray(np.any(hard != given, axis=-1) & (distance > 0.0))
    share = softening.allowance(distance) / np.where(outside, distance, 1.0)
    return np.asarray(np.where(outside[..., None], slerp(hard, given, share), given))
