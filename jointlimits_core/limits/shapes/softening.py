"""Limits that give a little: the nearer to the limit, the softer the stop.

Holden's article adds ``radius tanh(falloff d)`` to where a projection lands, ``d`` away from where
it came from. As printed that passes the point it came from where ``falloff radius > 1``; here it
never does.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...arrays import ArrayLike, Booleans, Floats
from ...rotation import angle_between, slerp
from .shape import Shape


@dataclass(frozen=True)
class Softening:
    """How a limit gives.

    Parameters
    ----------
    radius : float
        Radians beyond the limit that are never exceeded; 0 is a hard limit.
    falloff : float
        Share of the radius given for each radian outside, at first, 1 / radian.

    Raises
    ------
    ValueError
        For negative values or what is not a number.
    """

    radius: float = 0.1
    falloff: float = 1.0

    def __post_init__(self) -> None:
        for name, value in (("radius", self.radius), ("falloff", self.falloff)):
            if not 0.0 <= value < np.inf:
                raise ValueError(f"{name} is not negative and finite; this is {value!r}")

    def allowance(self, distance: ArrayLike) -> Floats:
        """Radians beyond the limit that stay of a distance outside it.

        It grows with the distance, is never more than it, and never more than the radius.

        Parameters
        ----------
        distance : array-like
            Radians, not negative.
        """
        outside = np.asarray(distance, dtype=np.float64)
        return np.asarray(np.minimum(self.radius * np.tanh(self.falloff * outside), outside))


def softened(shape: Shape, rotation: ArrayLike, softening: Softening) -> Floats:
    """Rotations brought to a shape, but not quite: part of the way back stays.

    What is guaranteed, with ``p`` the projection of ``q`` and ``d`` the angle between them: the
    result is on the shortest way from ``p`` to ``q``; it is never farther from ``p`` than the
    radius, than ``d``, and the farther the farther ``q`` is; inside nothing changes; with radius 0
    it is the projection. It is no projection itself: done twice it moves again.

    Parameters
    ----------
    rotation : array-like, shape (..., 4)
        Unit quaternions of any sign.

    Returns
    -------
    array, shape (..., 4)
    """
    given = np.asarray(rotation, dtype=np.float64)
    return part_way_back(shape.project(given), given, softening)


def part_way_back(hard: Floats, given: Floats, softening: Softening) -> Floats:
    """Go from where hard limits lead back to what was wanted, as far as the softening allows.

    Parameters
    ----------
    hard, given : array, shapes (..., 4)
        Equal where nothing was outside.

    Returns
    -------
    array, shape (..., 4)
    """
    distance = angle_between(given, hard)
    outside: Booleans = np.asarray(np.any(hard != given, axis=-1) & (distance > 0.0))
    share = softening.allowance(distance) / np.where(outside, distance, 1.0)
    return np.asarray(np.where(outside[..., None], slerp(hard, given, share), given))
