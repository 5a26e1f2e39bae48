"""Charts: how a rotation gets three coordinates, and back.

Both charts are centred at the motion itself, so that the place where coordinates switch sides (half
a turn from the centre) is as far from the data as it can be. Holden's article takes coordinates at
the reference pose; a shoulder that hangs 150 degrees away from it then falls apart in two halves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from ...arrays import ArrayLike, Floats
from ...rotation import (
    conjugate,
    multiply,
    quaternion_from_axis_angle,
    quaternion_from_rotation_vector,
    rotation_vector_from_quaternion,
    swing_twist_from_quaternion,
)

TURN = 2.0 * np.pi


class Chart(Protocol):
    """Coordinates of rotations."""

    @property
    def kind(self) -> str:
        """Name in files."""

    @property
    def centre(self) -> Floats:
        """The rotation with the coordinates zero, shape (4,)."""

    def coordinates(self, rotation: ArrayLike) -> Floats:
        """Coordinates of unit quaternions of any sign, (..., 4) to (..., 3), radians."""

    def rotation(self, coordinates: ArrayLike) -> Floats:
        """Unit quaternions of coordinates, (..., 3) to (..., 4)."""

    def other_coordinates(self, coordinates: Floats) -> Floats:
        """Coordinates of the same rotations, reached the other way round, (..., 3)."""

    def density(self, coordinates: Floats) -> Floats:
        """Haar measure of a unit of coordinate volume, (..., 3) to (...); all rotations have 1."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data; :func:`chart_from_dict` is the inverse."""


@dataclass(frozen=True, eq=False)
class RotationVectors:
    """Rotation vectors seen from the centre, ``log(centre^-1 q)``.

    Parameters
    ----------
    centre : array, shape (4,)
        Unit quaternion.
    """

    centre: Floats
    kind: str = "rotation-vector"

    def coordinates(self, rotation: ArrayLike) -> Floats:
        """See :class:`Chart`; lengths are in [0, pi]."""
        return rotation_vector_from_quaternion(multiply(conjugate(self.centre), rotation))

    def rotation(self, coordinates: ArrayLike) -> Floats:
        """See :class:`Chart`; vectors may have any length."""
        return multiply(self.centre, quaternion_from_rotation_vector(coordinates))

    def other_coordinates(self, coordinates: Floats) -> Floats:
        """See :class:`Chart`; the vector zero has no other and is given back."""
        length = np.linalg.norm(coordinates, axis=-1, keepdims=True)
        safe = np.where(length > 0.0, length, 1.0)
        return np.asarray(np.where(length > 0.0, coordinates * (1.0 - TURN / safe), coordinates))

    def density(self, coordinates: Floats) -> Floats:
        """See :class:`Chart`: ``(sin(a/2) / (a/2))^2 / 8 pi^2`` at length a."""
        half = 0.5 * np.linalg.norm(coordinates, axis=-1)
        return np.asarray(np.sinc(half / np.pi) ** 2 / (8.0 * np.pi**2))

    def to_dict(self) -> dict[str, Any]:
        """See :class:`Chart`."""
        return {"kind": self.kind, "centre": [float(value) for value in self.centre]}


@dataclass(frozen=True, eq=False)
class SwingTwist:
    """Swing across an axis and twist about it, seen from the centre.

    ``centre^-1 q = swing twist``; the first two coordinates are the swing's rotation vector along
    `across`, the third is the angle of the twist.

    Parameters
    ----------
    centre : array, shape (4,)
    axis : array, shape (3,)
        Unit twist axis in the joint's own frame; for most joints the way to its child.
    """

    centre: Floats
    axis: Floats
    kind: str = "swing-twist"

    @property
    def across(self) -> Floats:
        """Two unit vectors at right angles to the axis and to each other, shape (2, 3)."""
        first = np.cross(self.axis, np.eye(3)[np.argmin(np.abs(self.axis))])
        first = first / np.linalg.norm(first)
        return np.stack([first, np.cross(self.axis, first)])

    def coordinates(self, rotation: ArrayLike) -> Floats:
        """See :class:`Chart`; swing up to pi, twist in [-pi, pi]."""
        seen = multiply(conjugate(self.centre), rotation)
        swing, twist = swing_twist_from_quaternion(seen, self.axis)
        vector = rotation_vector_from_quaternion(swing) @ self.across.T
        angle = rotation_vector_from_quaternion(twist) @ self.axis
        return np.concatenate([vector, angle[..., None]], axis=-1)

    def rotation(self, coordinates: ArrayLike) -> Floats:
        """See :class:`Chart`."""
        values = np.asarray(coordinates, dtype=np.float64)
        swing = quaternion_from_rotation_vector(values[..., :2] @ self.across)
        twist = quaternion_from_axis_angle(self.axis, values[..., 2])
        return multiply(self.centre, multiply(swing, twist))

    def other_coordinates(self, coordinates: Floats) -> Floats:
        """See :class:`Chart`: the twist the other way round."""
        turned = np.array(coordinates)
        turned[..., 2] -= np.where(coordinates[..., 2] < 0.0, -TURN, TURN)
        return turned

    def density(self, coordinates: Floats) -> Floats:
        """See :class:`Chart`: ``sin(s) / (8 pi^2 s)`` at swing s."""
        swing = np.linalg.norm(coordinates[..., :2], axis=-1)
        return np.asarray(np.sinc(swing / np.pi) / (8.0 * np.pi**2))

    def to_dict(self) -> dict[str, Any]:
        """See :class:`Chart`."""
        return {
            "kind": self.kind,
            "centre": [float(value) for value in self.centre],
            "axis": [float(value) for value in self.axis],
        }


def chart_from_dict(data: Mapping[str, Any]) -> Chart:
    """Inverse of a chart's ``to_dict``.

    Raises
    ------
    ValueError
        For a kind that is not known.
    """
    centre = np.asarray(data["centre"], dtype=np.float64)
    if data["kind"] == "rotation-vector":
        return RotationVectors(centre)
    if data["kind"] == "swing-twist":
        return SwingTwist(centre, np.asarray(data["axis"], dtype=np.float64))
    raise ValueError(f"unknown coordinates {data['kind']!r}")
