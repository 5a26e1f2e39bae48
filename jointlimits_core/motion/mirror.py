"""Mapping of rotate channels between a left joint and its right partner.

Reflection in a plane with unit normal n takes a rotation about an axis a to a rotation by the same
angle about ``-M a``, where M is the reflection; ``-M`` is the half turn about n. So the map
from the left joint's axes to the right joint's is a rotation,

    N = (frame of the right joint)^-1 * (half turn about n) * (frame of the left joint),

and the channels map one to one, each the same or negated, exactly where N is the identity or a
half turn about a channel: "behaviour" mirroring of a rig gives (+, +, +), world-aligned joints of
a character that looks along Z give (+, -, -).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..geometry import ArrayLike, Floats, conjugate, multiply, quaternion_from_matrix
from .pairing import JointPair, MirrorPlane
from .skeleton import Skeleton

SIGNS: tuple[tuple[int, int, int], ...] = ((1, -1, -1), (-1, 1, -1), (-1, -1, 1), (1, 1, 1))
"""Sign maps that a reflection allows: half turns about X, Y and Z, and the identity."""
ON_CHANNELS_DEG = 10.0
"""Largest mirror error of joint orientations whose channels map one to one."""
CLEAR_MARGIN_DEG = 10.0
"""Margin over the next best map required to decide signs from ranges."""


@dataclass(frozen=True)
class ChannelMirror:
    """Map from the rotate channels of a left joint to those of its partner."""

    signs: tuple[int, int, int]
    """+1 where rotateX, Y, Z of both sides have the same sign in a mirrored pose, -1 where
    opposite. The map is its own inverse."""
    source: str
    """One of "rest pose", "ranges" (of both sides), or "doubtful"."""
    off_deg: float | None = None
    """Largest angle at rest between a channel's axis and the mirror image of its partner."""
    margin_deg: float | None = None
    """How much worse the next best signs fit the ranges."""

    @property
    def sure(self) -> bool:
        """Whether limits may be transferred between the sides."""
        return self.source != "doubtful"


@dataclass(frozen=True, eq=False)
class MirrorFrames:
    """Maps from left to right joint orientations, for several pairs at once."""

    channels: Floats
    """The rotation N of the module docstring, for the axes of the rotate channels, shape (pairs,
    4)."""
    parents: Floats
    children: Floats
    """The same for vectors in the parent's frame, and in the joint's own, shape (pairs, 4)."""
    channels_after: Floats
    """As `channels`, seen from the joint's own side, shape (pairs, 4): the same where both are at
    rest with mirrored rotate values."""

    def off_deg(self) -> Floats:
        """Angle in degrees from each map to the nearest sign map, shape (pairs,)."""
        return np.maximum(_off_channels(self.channels), _off_channels(self.channels_after))

    def signs(self) -> list[tuple[int, int, int]]:
        """Nearest sign map of each pair."""
        return [SIGNS[row] for row in np.abs(self.channels).argmax(axis=1).tolist()]


def mirror_frames(
    skeleton: Skeleton, pairs: Sequence[JointPair], plane: MirrorPlane
) -> MirrorFrames:
    """Mirror maps of the pairs in the rest pose."""
    worlds = _world_rotations(skeleton)
    above = multiply(worlds, conjugate(skeleton.rest_rotations))
    before = multiply(above, skeleton.joint_orients)
    after = multiply(worlds, conjugate(skeleton.rotate_axes))
    left = [skeleton.index(pair.left) for pair in pairs]
    right = [skeleton.index(pair.right) for pair in pairs]
    half_turn = np.array([*plane.normal, 0.0])
    maps = [
        multiply(conjugate(frame[right]), multiply(half_turn, frame[left]))
        for frame in (before, above, worlds, after)
    ]
    return MirrorFrames(*maps)


def _world_rotations(skeleton: Skeleton) -> Floats:
    """World rotations at rest without scale, shape (joints, 4)."""
    axes = skeleton.rest_world_matrices()[:, :3, :3]
    lengths = np.maximum(np.linalg.norm(axes, axis=1, keepdims=True), 1e-300)
    handed = np.where(np.linalg.det(axes) < 0.0, -1.0, 1.0)
    return quaternion_from_matrix(handed[:, None, None] * axes / lengths)


def _off_channels(maps: Floats) -> Floats:
    """Angle in degrees from each rotation to the identity or a half turn about a channel."""
    magnitudes = np.sort(np.abs(maps), axis=-1)
    sine = np.linalg.norm(magnitudes[..., :3], axis=-1)
    return np.asarray(np.degrees(2.0 * np.arctan2(sine, magnitudes[..., 3])))


def mirror_signs(
    skeleton: Skeleton, pairs: Sequence[JointPair], plane: MirrorPlane
) -> tuple[ChannelMirror, ...]:
    """Sign map of every pair, from the rest pose.

    The result is "doubtful" where the orientations are not mirror images, or the rotate orders
    differ.
    """
    if not pairs:
        return ()
    frames = mirror_frames(skeleton, pairs, plane)
    orders = dict(zip(skeleton.names, skeleton.rotate_orders))
    return tuple(
        ChannelMirror(
            signs,
            "rest pose"
            if off <= ON_CHANNELS_DEG and orders[pair.left] == orders[pair.right]
            else "doubtful",
            off,
        )
        for pair, signs, off in zip(pairs, frames.signs(), frames.off_deg().tolist())
    )


def signs_from_ranges(left_deg: ArrayLike, right_deg: ArrayLike) -> ChannelMirror:
    """Sign map under which the ranges of the left side best match those of the right.

    `left_deg` and `right_deg` have shape (3, 2): minimum and maximum of rotateX, rotateY, rotateZ
    in degrees; NaN where a channel is free. The result is "doubtful" where another map fits nearly
    as well: ranges around zero fit every sign.
    """
    left, right = np.asarray(left_deg, np.float64), np.asarray(right_deg, np.float64)
    same = np.abs(left - right).sum(axis=1)
    opposite = np.abs(left + right[:, ::-1]).sum(axis=1)
    costs = np.nan_to_num(np.stack([same, opposite]))
    totals = [sum(costs[0 if s > 0 else 1, k] for k, s in enumerate(signs)) for signs in SIGNS]
    order = np.argsort(totals, kind="stable")
    margin = float(totals[order[1]] - totals[order[0]])
    source = "ranges" if margin >= CLEAR_MARGIN_DEG else "doubtful"
    return ChannelMirror(SIGNS[int(order[0])], source, margin_deg=margin)
