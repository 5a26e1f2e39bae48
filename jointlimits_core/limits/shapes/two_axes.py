"""Chart of a universal joint: turns about its two axes, and the deviation from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...arrays import ArrayLike, Booleans, Floats, Integers
from ...euler import TURN, euler_from_quaternion, quaternion_from_euler
from ...rotation import conjugate, multiply

ORDER = "zyx"
"""Turns about the outer axis last."""


@dataclass(frozen=True, eq=False)
class TwoAxes:
    """Angles about an outer, a middle and an inner axis, relative to the centre.

    ``centre^-1 q = outer middle inner``. A universal joint turns about the outer axis, fixed in the
    parent, and the inner one, fixed in the joint. The nearest rotation that such a joint can reach
    is the one without the middle turn m: at angles ``s`` and ``t`` away from the other two, the
    cosine of half the distance is
    ``cos s/2 cos t/2 cos m/2 + sin s/2 sin t/2 sin m/2``, which is largest at ``s = t = 0`` while
    ``|m|`` is below a quarter turn.

    Parameters
    ----------
    centre : array, shape (4,)
    outer, inner : array, shape (3,)
        Perpendicular unit axes in the joint's own space at the centre.
    """

    centre: Floats
    outer: Floats
    inner: Floats
    kind: str = "two-axes"
    steps_to_nearest: int = 0

    @property
    def frame(self) -> Floats:
        """Outer, middle and inner axis, rows, right-handed."""
        return np.stack([self.outer, np.cross(self.inner, self.outer), self.inner])

    def coordinates(self, rotation: ArrayLike) -> Floats:
        """See :class:`.charts.Chart`; the middle one is in [-pi/2, pi/2]."""
        seen = multiply(conjugate(self.centre), rotation)
        # One sign for q and -q; either gives the same angles.
        seen = seen * np.where(_lead(seen) < 0.0, -1.0, 1.0)
        turned = np.concatenate([seen[..., :3] @ self.frame.T, seen[..., 3:]], axis=-1)
        return euler_from_quaternion(turned, ORDER)

    def rotation(self, coordinates: ArrayLike) -> Floats:
        """See :class:`.charts.Chart`."""
        turned = quaternion_from_euler(coordinates, ORDER)
        seen = np.concatenate([turned[..., :3] @ self.frame, turned[..., 3:]], axis=-1)
        return multiply(self.centre, seen)

    def other_coordinates(self, coordinates: Floats) -> Floats:
        """See :class:`.charts.Chart`: full turns of the angles, and half turns of all three."""
        half = np.where(coordinates < 0.0, np.pi, -np.pi)
        turned = coordinates + half
        turned[..., 1] = -half[..., 1] - coordinates[..., 1]
        return np.stack([*_turns_away(coordinates), turned, *_turns_away(turned)])

    def crossings(self, coordinates: Floats) -> Integers:
        """See :class:`.charts.Chart`; none, as the fit centres both angles on the circle."""
        return np.zeros(len(coordinates) - 1, dtype=np.int64)

    def wound(self, coordinates: Floats, times: Integers) -> Floats:
        """See :class:`.charts.Chart`."""
        del times
        return coordinates

    def density(self, coordinates: Floats) -> Floats:
        """See :class:`.charts.Chart`: ``cos(m) / 8 pi^2`` at the middle angle m."""
        return np.asarray(np.abs(np.cos(coordinates[..., 1])) / (8.0 * np.pi**2))

    def is_within_a_turn(self, coordinates: Floats) -> Booleans:
        """See :class:`.charts.Chart`."""
        most = np.array([TURN, np.pi, TURN])
        return np.asarray(np.all(np.abs(coordinates) <= most, axis=-1))

    def to_dict(self) -> dict[str, Any]:
        """See :class:`.charts.Chart`."""
        arrays = (("centre", self.centre), ("outer", self.outer), ("inner", self.inner))
        plain = {name: [float(value) for value in array] for name, array in arrays}
        return {"kind": self.kind, **plain}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> TwoAxes:
        """Inverse of :meth:`to_dict`."""
        names = ("centre", "outer", "inner")
        centre, outer, inner = (np.asarray(data[name], dtype=np.float64) for name in names)
        return cls(centre, outer, inner)


def _turns_away(coordinates: Floats) -> list[Floats]:
    """Coordinates with either angle, or both, a full turn away."""
    back = np.where(coordinates < 0.0, TURN, -TURN)
    return [coordinates + back * np.array(way) for way in ([1, 0, 0], [0, 0, 1], [1, 0, 1])]


def _lead(quaternion: Floats) -> Floats:
    """Component with the largest absolute value, the first of equals, shape (..., 1)."""
    at = np.argmax(np.abs(quaternion), axis=-1)[..., None]
    return np.asarray(np.take_along_axis(quaternion, at, axis=-1))
