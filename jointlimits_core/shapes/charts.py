"""Charts: maps between rotations and three coordinates.

All charts are centred on the motion, so that the place where coordinates switch sides (half a turn
from the centre) is as far from the data as possible. Holden's article centres them on the reference
pose, which splits the motion of a shoulder that hangs 150 degrees away from that pose.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..geometry import quaternion
from ..geometry.arrays import ArrayLike, Booleans, Floats, Integers
from ..geometry.euler import TURN, euler_from_quaternion, quaternion_from_euler
from . import region, validation

ORDER = "zyx"
"""Rotate order that turns about the outer axis last."""
ALL_ROTATIONS = 8.0 * np.pi**2
"""Volume of all rotations, in units that give a small cube of rotation vectors its own volume."""


class Chart(region.Stored, ABC):
    """Coordinates of rotations; `kind`: name in files, see :data:`CHARTS`."""

    FORMS = validation.CHART_FORMS
    centre: Floats
    """Rotation whose coordinates are zero, shape (4,)."""
    steps_to_nearest: ClassVar[int]
    """Number of steps from the nearest coordinates to the nearest rotation."""

    @abstractmethod
    def coordinates(self, rotation: ArrayLike) -> Floats:
        """Coordinates of unit quaternions of any sign, (..., 4) to (..., 3), radians.

        ``q`` and ``-q`` have identical coordinates, even half a turn from the centre.
        """

    @abstractmethod
    def rotation(self, coordinates: ArrayLike) -> Floats:
        """Unit quaternions from coordinates, (..., 3) to (..., 4)."""

    @abstractmethod
    def other_coordinates(self, coordinates: Floats) -> Floats:
        """Coordinates that reach the same rotations in the opposite direction, (others, ..., 3)."""

    @abstractmethod
    def density(self, coordinates: Floats) -> Floats:
        """Haar measure per unit of coordinate volume, (..., 3) to (...); it integrates to 1."""

    @abstractmethod
    def is_within_a_turn(self, coordinates: Floats) -> Booleans:
        """Whether points are coordinates, or other coordinates, of some rotation, shape (...)."""

    def crossings(self, coordinates: Floats) -> Integers:
        """Signed crossings of the half turn by a motion, (samples, 3) to (samples - 1,).

        Their cumulative sum gives the side of a sample relative to an earlier one. Charts whose fit
        centres every angle on the circle have no crossings.
        """
        return np.zeros(len(coordinates) - 1, dtype=np.int64)

    def wind(self, coordinates: Floats, times: Integers) -> Floats:
        """Coordinates, (samples, 3), after `times` crossings of the half turn each, (samples,)."""
        del times
        return coordinates


@dataclass(frozen=True, eq=False)
class TwoAxes(Chart):
    """Angles about an outer, a middle and an inner axis: ``centre^-1 q = outer middle inner``.

    A universal joint turns about the outer axis, fixed in the parent, and the inner axis, fixed in
    the joint. The nearest rotation that it can reach leaves out the middle turn if that is below a
    quarter turn. `outer`, `inner`: perpendicular unit axes in the joint's own space.
    """

    centre: Floats
    outer: Floats
    inner: Floats
    kind: str = "two-axes"
    steps_to_nearest = 0

    @property
    def frame(self) -> Floats:
        """Outer, middle and inner axis as rows, right-handed."""
        return np.stack([self.outer, np.cross(self.inner, self.outer), self.inner])

    def coordinates(self, rotation: ArrayLike) -> Floats:
        """See :class:`Chart`; the middle angle is in [-pi/2, pi/2]."""
        # Give q and -q the same sign; either sign gives the same angles.
        seen = region.with_positive_lead(relative_to(self.centre, rotation))
        turned = np.concatenate([seen[..., :3] @ self.frame.T, seen[..., 3:]], axis=-1)
        return euler_from_quaternion(turned, ORDER)

    def rotation(self, coordinates: ArrayLike) -> Floats:
        """See :class:`Chart`."""
        turned = quaternion_from_euler(coordinates, ORDER)
        seen = np.concatenate([turned[..., :3] @ self.frame, turned[..., 3:]], axis=-1)
        return quaternion.multiply(self.centre, seen)

    def other_coordinates(self, coordinates: Floats) -> Floats:
        """See :class:`Chart`: full turns of outer and inner angle, and half turns of all three."""
        half = np.where(coordinates < 0.0, np.pi, -np.pi)
        turned = coordinates + half
        turned[..., 1] = -half[..., 1] - coordinates[..., 1]
        return np.stack([*_turns_away(coordinates), turned, *_turns_away(turned)])

    def density(self, coordinates: Floats) -> Floats:
        """See :class:`Chart`: ``cos(m) / 8 pi^2`` at the middle angle m."""
        return np.asarray(np.abs(np.cos(coordinates[..., 1])) / ALL_ROTATIONS)

    def is_within_a_turn(self, coordinates: Floats) -> Booleans:
        """See :class:`Chart`."""
        most = np.array([TURN, np.pi, TURN])
        return np.asarray(np.all(np.abs(coordinates) <= most, axis=-1))


def _turns_away(coordinates: Floats) -> list[Floats]:
    """Coordinates with the outer angle, the inner angle or both a full turn away."""
    back = np.where(coordinates < 0.0, TURN, -TURN)
    return [coordinates + back * np.array(way) for way in ([1, 0, 0], [0, 0, 1], [1, 0, 1])]


@dataclass(frozen=True, eq=False)
class RotationVectors(Chart):
    """Rotation vectors from the centre, ``log(centre^-1 q)``; `centre`, (4,): unit quaternion."""

    centre: Floats
    kind: str = "rotation-vector"
    steps_to_nearest = 3

    def coordinates(self, rotation: ArrayLike) -> Floats:
        """See :class:`Chart`; lengths are in [0, pi]."""
        seen = one_sign(relative_to(self.centre, rotation))
        return quaternion.rotation_vector_from_quaternion(seen)

    def rotation(self, coordinates: ArrayLike) -> Floats:
        """See :class:`Chart`; vectors may have any length."""
        seen = quaternion.quaternion_from_rotation_vector(coordinates)
        return quaternion.multiply(self.centre, seen)

    def other_coordinates(self, coordinates: Floats) -> Floats:
        """See :class:`Chart`; the zero vector has no other coordinates and is unchanged."""
        return _other_vectors(coordinates)[None]

    def crossings(self, coordinates: Floats) -> Integers:
        """See :class:`Chart`: crossings there and back alternate in sign."""
        sphere = quaternion.quaternion_from_rotation_vector(coordinates)
        over = np.einsum("ij,ij->i", sphere[1:], sphere[:-1]) < 0.0
        there_and_back = np.where(np.cumsum(over) % 2 == 1, 1, -1)
        return np.asarray(np.where(over, there_and_back, 0))

    def wind(self, coordinates: Floats, times: Integers) -> Floats:
        """See :class:`Chart`; lengths are up to 2 pi."""
        over = (times % 2 == 1)[:, None]
        return np.asarray(np.where(over, _other_vectors(coordinates), coordinates))

    def density(self, coordinates: Floats) -> Floats:
        """See :class:`Chart`: ``(sin(a/2) / (a/2))^2 / 8 pi^2`` at length a."""
        half = 0.5 * np.linalg.norm(coordinates, axis=-1)
        return np.asarray(np.sinc(half / np.pi) ** 2 / ALL_ROTATIONS)

    def is_within_a_turn(self, coordinates: Floats) -> Booleans:
        """See :class:`Chart`."""
        return np.asarray(np.linalg.norm(coordinates, axis=-1) <= TURN)


@dataclass(frozen=True, eq=False)
class SwingTwist(Chart):
    """Swing across an axis and twist about it, relative to the centre.

    ``centre^-1 q = swing twist``; the first two coordinates are the swing's rotation vector along
    `cross_axes`, the third is the angle of the twist. `centre` has shape (4,). `axis` has shape
    (3,): unit twist axis in the joint's own space; for most joints, the direction to the child.
    """

    centre: Floats
    axis: Floats
    kind: str = "swing-twist"
    steps_to_nearest = 10

    @property
    def cross_axes(self) -> Floats:
        """Two unit vectors perpendicular to the axis and to each other, shape (2, 3)."""
        first = np.cross(self.axis, np.eye(3)[np.argmin(np.abs(self.axis))])
        first = first / np.linalg.norm(first)
        return np.stack([first, np.cross(self.axis, first)])

    def coordinates(self, rotation: ArrayLike) -> Floats:
        """See :class:`Chart`; swing up to pi, twist in [-pi, pi]."""
        seen = one_sign(relative_to(self.centre, rotation))
        swing, twist = quaternion.swing_twist_from_quaternion(seen, self.axis)
        vector = quaternion.rotation_vector_from_quaternion(swing) @ self.cross_axes.T
        angle = quaternion.rotation_vector_from_quaternion(one_sign(twist)) @ self.axis
        return np.concatenate([vector, angle[..., None]], axis=-1)

    def rotation(self, coordinates: ArrayLike) -> Floats:
        """See :class:`Chart`."""
        values = np.asarray(coordinates, dtype=np.float64)
        swing = quaternion.quaternion_from_rotation_vector(values[..., :2] @ self.cross_axes)
        twist = quaternion.quaternion_from_axis_angle(self.axis, values[..., 2])
        return quaternion.multiply(self.centre, quaternion.multiply(swing, twist))

    def other_coordinates(self, coordinates: Floats) -> Floats:
        """See :class:`Chart`; the twist, the swing or both go the other way round."""
        twisted = np.array(coordinates)
        twisted[..., 2] -= np.where(coordinates[..., 2] < 0.0, -TURN, TURN)
        swung, both = np.array(coordinates), twisted.copy()
        swung[..., :2] = both[..., :2] = _other_vectors(coordinates[..., :2])
        return np.stack([twisted, swung, both])

    def crossings(self, coordinates: Floats) -> Integers:
        """See :class:`Chart`; counts crossings of the twist only."""
        return np.asarray(np.round(np.diff(coordinates[:, 2]) / -TURN).astype(np.int64))

    def wind(self, coordinates: Floats, times: Integers) -> Floats:
        """See :class:`Chart`; twists may have any size."""
        result = np.array(coordinates)
        result[:, 2] += TURN * times
        return result

    def density(self, coordinates: Floats) -> Floats:
        """See :class:`Chart`: ``sin(s) / (8 pi^2 s)`` at swing s."""
        swing = np.linalg.norm(coordinates[..., :2], axis=-1)
        return np.asarray(np.abs(np.sinc(swing / np.pi)) / ALL_ROTATIONS)

    def is_within_a_turn(self, coordinates: Floats) -> Booleans:
        """See :class:`Chart`."""
        swing = np.linalg.norm(coordinates[..., :2], axis=-1)
        return np.asarray((swing <= TURN) & (np.abs(coordinates[..., 2]) <= TURN))


CHARTS: dict[str, Callable[[Mapping[str, Any]], Chart]] = {
    "rotation-vector": RotationVectors.from_dict,
    "swing-twist": SwingTwist.from_dict,
    "two-axes": TwoAxes.from_dict,
}
"""Function that reads checked data, for each kind of coordinates."""


def relative_to(centre: Floats, rotation: ArrayLike) -> Floats:
    """Rotations relative to the centre, in its own space, (..., 4)."""
    return quaternion.multiply(quaternion.conjugate(centre), rotation)


def one_sign(rotation: Floats) -> Floats:
    """Rotations with signs chosen so that ``q`` and ``-q`` become equal, also at half turns.

    At half turns (w = 0), the last nonzero component becomes positive.
    """
    half_turn = rotation[..., 3] == 0.0
    lead = np.where(rotation[..., 1] == 0.0, rotation[..., 0], rotation[..., 1])
    lead = np.where(rotation[..., 2] == 0.0, lead, rotation[..., 2])
    flips = half_turn & (lead < 0.0)
    return np.asarray(np.where(flips[..., None], -rotation, rotation))


def _other_vectors(vectors: Floats) -> Floats:
    """Rotation vectors that reach the same rotations in the opposite direction; zero stays zero."""
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    safe = np.where(length > 0.0, length, 1.0)
    return np.asarray(np.where(length > 0.0, vectors * (1.0 - TURN / safe), vectors))
