"""Orient advice as plain data: the orientation or rotate order a joint's channels should have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from ..arrays import Floats
from ..euler import euler_from_quaternion, quaternion_from_euler
from ..rotation import conjugate

Triple = tuple[float, float, float]

ADVICE_MODES = ("R", "C", "K", "order", "none")
"""Kinds of advice: a new orientation by rotateAxis (R) or with the children compensated (C), the
joint's own orientation with its nearly aligned channels (K), another rotate order, or no change."""


@dataclass(frozen=True)
class FrameAdvice:
    """Orientation in which a joint's channels match its motion, and what that gains.

    Parameters
    ----------
    mode : str
        One of :data:`ADVICE_MODES`.
    joint_orient_deg, rotate_axis_deg : tuple of three floats
        Advised values; composed in the order xyz, as in Maya.
    frame_turn_deg : tuple of three floats
        Constant rotation by which mode C turns the joint's own orientation and turns everything
        below it back, as Euler angles in the order xyz; zeros in every other mode.
    used, locked : tuple of str
        Channels that would move, and channels that could be locked.
    box_share_before, box_share_after : float, optional
        Share of all rotations that the box of the three channels allows (Haar measure).
    gimbal_margin_before_deg, gimbal_margin_after_deg : float, optional
        Smallest distance of the motion from gimbal lock.
    off_axis_mean_deg, off_axis_max_deg : float, optional
        Rotation off the hinge axis (or off the two axes of a universal joint) that the box of the
        joint's own channels allows.
    strict_rms_deg, strict_max_deg : float, optional
        Rotation that is lost with the locked channels held at zero.
    strict_move : float, optional
        Largest displacement of the end of the joint's chain then, in the scene's length unit.
    text : str
        Summary of the gain.
    """

    mode: str
    rotate_order: str
    joint_orient_deg: Triple
    rotate_axis_deg: Triple
    frame_turn_deg: Triple = (0.0, 0.0, 0.0)
    used: tuple[str, ...] = ("rotateX", "rotateY", "rotateZ")
    locked: tuple[str, ...] = ()
    box_share_before: float | None = None
    box_share_after: float | None = None
    gimbal_margin_before_deg: float | None = None
    gimbal_margin_after_deg: float | None = None
    off_axis_mean_deg: float | None = None
    off_axis_max_deg: float | None = None
    strict_rms_deg: float | None = None
    strict_max_deg: float | None = None
    strict_move: float | None = None
    text: str = ""

    def __post_init__(self) -> None:
        if self.mode not in ADVICE_MODES:
            raise ValueError(f"mode must be one of {', '.join(ADVICE_MODES)}, not {self.mode!r}")

    @property
    def joint_orient(self) -> Floats:
        """Advised jointOrient, a quaternion, shape (4,)."""
        return quaternion_from_euler(np.radians(self.joint_orient_deg))

    @property
    def rotate_axis(self) -> Floats:
        """Advised rotateAxis, a quaternion, shape (4,)."""
        return quaternion_from_euler(np.radians(self.rotate_axis_deg))

    @property
    def frame_turn(self) -> Floats:
        """Rotation D of the joint's own orientation in mode C, shape (4,); else the identity."""
        return quaternion_from_euler(np.radians(self.frame_turn_deg))

    @property
    def changes(self) -> bool:
        """Whether following the advice changes anything on the joint."""
        return self.mode in ("R", "C", "order")

    def in_mode(self, mode: str) -> FrameAdvice:
        """Same channels by way of rotateAxis (R) or of compensated children (C).

        The channel values, and so the limits, are the same in both.

        Parameters
        ----------
        mode : str
            "R" or "C".

        Returns
        -------
        FrameAdvice
            Unchanged if the advice is neither R nor C.
        """
        if mode not in ("R", "C"):
            raise ValueError(f"mode must be R or C, not {mode!r}")
        if self.mode not in ("R", "C") or mode == self.mode:
            return self
        none = (0.0, 0.0, 0.0)
        if mode == "C":
            turn = degrees_of(conjugate(self.rotate_axis))
            return replace(self, mode=mode, rotate_axis_deg=none, frame_turn_deg=turn)
        axis = degrees_of(conjugate(self.frame_turn))
        return replace(self, mode=mode, rotate_axis_deg=axis, frame_turn_deg=none)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            key: list(item) if isinstance(item, tuple) else item
            for key, item in asdict(self).items()
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> FrameAdvice:
        """Inverse of :meth:`to_dict`."""
        fields: dict[str, Any] = {
            key: tuple(item) if isinstance(item, list) else item for key, item in data.items()
        }
        return cls(**fields)


def degrees_of(quaternion: Floats) -> Triple:
    """Euler angles of a quaternion in degrees, order xyz, as in jointOrient and rotateAxis."""
    x, y, z = (np.degrees(euler_from_quaternion(quaternion)) + 0.0).tolist()
    return x, y, z
