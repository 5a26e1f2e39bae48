"""Advised joint orientations, aligned with a joint's axes, and the rotate channels in them.

With ``local = JO R RO``, any other pair (JO', RO') gives the same local rotation with a different
R, so nothing moves when jointOrient and rotateAxis change together and the keys are rewritten.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from itertools import product
from typing import Any

import numpy as np

from ..base.records import with_lists, with_tuples
from ..geometry import branches, euler, quaternion
from ..geometry.arrays import ArrayLike, Floats, Integers
from .motion import Motion
from .skeleton import Skeleton

Triple = tuple[float, float, float]

ADVICE_MODES = ("R", "C", "K", "order", "none")
"""Kinds of advice: turn the joint through its rotateAxis (R) or compensate its children (C), keep
its orientation, whose channels are nearly aligned (K), change the rotate order, or do nothing."""


@dataclass(frozen=True)
class OrientAdvice:
    """Orientation in which a joint's channels match its motion, and the improvement."""

    mode: str
    """One of :data:`ADVICE_MODES`."""
    rotate_order: str
    joint_orient_deg: Triple
    rotate_axis_deg: Triple
    """Advised values, composed in the order xyz, as in Maya."""
    frame_turn_deg: Triple = (0.0, 0.0, 0.0)
    """Constant rotation that mode C applies to the joint's own orientation, and undoes in
    everything below; Euler angles in the order xyz, zero in every other mode."""
    used: tuple[str, ...] = ("rotateX", "rotateY", "rotateZ")
    locked: tuple[str, ...] = ()
    """Channels that would move, and channels that could be locked."""
    box_share_before: float | None = None
    box_share_after: float | None = None
    """Fraction of all rotations inside the box of the three channels (Haar measure)."""
    gimbal_margin_before_deg: float | None = None
    gimbal_margin_after_deg: float | None = None
    """Smallest distance of the motion from gimbal lock."""
    off_axis_mean_deg: float | None = None
    off_axis_max_deg: float | None = None
    """Rotation off the hinge axis (or off the two axes of a universal joint) that the box of the
    joint's own channels allows."""
    strict_rms_deg: float | None = None
    strict_max_deg: float | None = None
    """Rotation that is lost if the locked channels are held at zero."""
    strict_move: float | None = None
    """Largest resulting displacement of the chain's end, in the scene's length unit."""
    text: str = ""
    """Summary of the gain."""

    def __post_init__(self) -> None:
        if self.mode not in ADVICE_MODES:
            raise ValueError(f"mode must be one of {', '.join(ADVICE_MODES)}, not {self.mode!r}")

    @property
    def joint_orient(self) -> Floats:
        """Advised jointOrient, a quaternion, shape (4,)."""
        return euler.quaternion_from_euler(np.radians(self.joint_orient_deg))

    @property
    def rotate_axis(self) -> Floats:
        """Advised rotateAxis, a quaternion, shape (4,)."""
        return euler.quaternion_from_euler(np.radians(self.rotate_axis_deg))

    @property
    def frame_turn(self) -> Floats:
        """Rotation D of the joint's own orientation in mode C, shape (4,); else the identity."""
        return euler.quaternion_from_euler(np.radians(self.frame_turn_deg))

    @property
    def changes(self) -> bool:
        """Whether following the advice changes anything about the joint."""
        return self.mode in ("R", "C", "order")

    def in_mode(self, mode: str) -> OrientAdvice:
        """Advice with the same channels, via rotateAxis (R) or compensated children (C)."""
        if mode not in ("R", "C"):
            raise ValueError(f"mode must be R or C, not {mode!r}")
        if self.mode not in ("R", "C") or mode == self.mode:
            return self
        axis = degrees_of(quaternion.conjugate(self.frame_turn))
        turn = degrees_of(quaternion.conjugate(self.rotate_axis))
        return replace(self, mode=mode, rotate_axis_deg=axis, frame_turn_deg=turn)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return with_lists(asdict(self))

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> OrientAdvice:
        """Inverse of :meth:`to_dict`."""
        return cls(**with_tuples(data))


def degrees_of(rotation: Floats) -> Triple:
    """Euler angles of a rotation in degrees, order xyz, as in jointOrient and rotateAxis."""
    x, y, z = (np.degrees(euler.euler_from_quaternion(rotation)) + 0.0).tolist()
    return x, y, z


@dataclass(frozen=True, eq=False)
class JointOrientation:
    """Joint orientation: jointOrient and rotateAxis, quaternions (4,), and the rotate order."""

    joint_orient: Floats
    rotate_axis: Floats
    rotate_order: str

    def turns(self, rotations: Floats) -> Floats:
        """Rotations R between jointOrient and rotateAxis, (4, samples), from local rotations."""
        return euler.turn_from_local(rotations.T, self.joint_orient, self.rotate_axis).T


def hinge_rest(rest: Floats, axis_parent: ArrayLike, axis_child: ArrayLike) -> Floats:
    """Hinge rotation nearest to a rest rotation, shape (4,).

    It takes `axis_child` to `axis_parent`, and is any such rotation if all are equally near.
    `rest`, (4,). `axis_parent`, `axis_child`, (3,): unit axis in the parent's and the joint's own
    coordinates.
    """
    child = np.asarray(axis_child, dtype=np.float64)
    start = quaternion.quaternion_between_vectors(child, axis_parent)
    circle = np.stack([start, quaternion.multiply(start, np.append(child, 0.0))])
    onto = (circle @ rest) @ circle
    length = float(np.linalg.norm(onto))
    return np.asarray(onto / length) if length > 1e-9 else start


def hinge_orientation(
    frame: JointOrientation, axis_parent: ArrayLike, axis_child: ArrayLike, rest: Floats
) -> tuple[JointOrientation, int]:
    """Orientation in which a hinge turns about one channel, zero at rest, and that channel's index.

    It is the channel nearest to the axis, in either direction. `axis_parent`, `axis_child`: as in
    :func:`hinge_rest`, of either sign. `rest`, (4,): local rotation in the rest pose.
    """
    at_rest = hinge_rest(rest, axis_parent, axis_child)
    along = quaternion.rotate(frame.rotate_axis, axis_child)
    channel = int(np.argmax(np.abs(along)))
    along = along * np.copysign(1.0, along[channel])
    tilt = quaternion.quaternion_between_vectors(np.eye(3)[channel], along)
    rotate_axis = quaternion.multiply(quaternion.conjugate(tilt), frame.rotate_axis)
    joint_orient = quaternion.multiply(at_rest, quaternion.conjugate(rotate_axis))
    return JointOrientation(joint_orient, rotate_axis, frame.rotate_order), channel


def universal_orientation(
    frame: JointOrientation, axis_parent: ArrayLike, axis_child: ArrayLike, rest: Floats
) -> tuple[JointOrientation, int]:
    """Orientation in which a universal joint turns about the outer channels of its order.

    Of all rotate orders and senses, it is the one that turns the axes of the channels least; the
    joint's own order wins ties. Also returns the order's middle channel, which stays at zero.
    """
    outer, child = np.asarray(axis_parent, np.float64), np.asarray(axis_child, np.float64)
    carried = quaternion.rotate(rest, child)
    inner = carried - (outer @ carried) * outer
    if np.linalg.norm(inner) <= 1e-9:
        # Both axes coincide at rest, so any perpendicular direction will do.
        inner = np.cross(outer, np.eye(3)[np.argmin(np.abs(outer))])
    inner = inner / np.linalg.norm(inner)
    at_rest = quaternion.multiply(quaternion.quaternion_between_vectors(carried, inner), rest)
    orders = (frame.rotate_order, *(o for o in euler.ROTATE_ORDERS if o != frame.rotate_order))
    # Orientations, (orders * senses, 3, 3), whose outer channels are the two axes at rest.
    matrices = np.empty((len(orders), len(_SENSES), 3, 3))
    for number, each in enumerate(orders):
        start, between, last = euler.axes_of(each)
        matrices[number, :, :, last] = _SENSES[:, :1] * outer
        matrices[number, :, :, start] = _SENSES[:, 1:] * inner
        even = each in ("xyz", "yzx", "zxy")
        across = np.cross(outer, inner) * (1.0 if even else -1.0)
        matrices[number, :, :, between] = _SENSES.prod(axis=1)[:, None] * across
    orients = quaternion.quaternion_from_matrix(matrices.reshape(-1, 3, 3))
    axes = quaternion.multiply(quaternion.conjugate(orients), at_rest)
    tilts = quaternion.angle_between(axes, frame.rotate_axis)
    best = int(np.argmax(tilts <= tilts.min() + 1e-9))
    order = orders[best // len(_SENSES)]
    return JointOrientation(orients[best], axes[best], order), euler.axes_of(order)[1]


_SENSES = np.array(list(product((1.0, -1.0), repeat=2)))
"""Senses of the outer and the inner axis."""


def advised_orientation(advice: OrientAdvice) -> JointOrientation:
    """Advised orientation for unchanged rotations; mode C becomes a rotateAxis of ``D^-1``."""
    axis = quaternion.multiply(advice.rotate_axis, quaternion.conjugate(advice.frame_turn))
    return JointOrientation(advice.joint_orient, axis, advice.rotate_order)


def reoriented_motion(motion: Motion, advice: Mapping[str, OrientAdvice]) -> Motion:
    """Motion with channels in the advised orientations (mode R), without declared limits."""
    names = enumerate(motion.joint_names)
    changing = {row: advice[name] for row, name in names if name in advice and advice[name].changes}
    rotates = None
    if motion.rotates is not None:
        rotates = motion.rotates.copy()
        for joint, item in changing.items():
            rotates[joint] = reoriented_rotates(motion.rotations[joint], item)
    turned = replace(reoriented_skeleton(motion.skeleton, changing), declarations={})
    return replace(motion, skeleton=turned, rotates=rotates)


def reoriented_skeleton(skeleton: Skeleton, changing: Mapping[int, OrientAdvice]) -> Skeleton:
    """Skeleton with some joints, by index, in the advised orientations."""
    orients, axes = skeleton.joint_orients.copy(), skeleton.rotate_axes.copy()
    orders = list(skeleton.rotate_orders)
    for row, item in changing.items():
        orients[row], axes[row] = item.joint_orient, item.rotate_axis
        orders[row] = item.rotate_order
    return replace(skeleton, joint_orients=orients, rotate_axes=axes, rotate_orders=tuple(orders))


def reoriented_rotates(
    rotations: Floats,
    advice: OrientAdvice,
    reference_rotates: Floats | None = None,
    clip_starts: Integers | None = None,
) -> Floats:
    """Rotate channels in the advised orientation, (3, samples), radians, on one branch.

    They are continuous within each clip, with medians nearest to zero. `rotations`, (4, samples):
    local rotations. `reference_rotates`: current channels, returned if the advice changes nothing.
    `clip_starts`: first sample of every clip.
    """
    if not advice.changes and reference_rotates is not None:
        return reference_rotates
    turns = advised_orientation(advice).turns(rotations)
    starts = [] if clip_starts is None else [int(start) for start in clip_starts[1:]]
    order, zero = advice.rotate_order, np.zeros(3)
    pieces = [
        nearest_branch(continuous_angles(piece, order), zero, order)
        for piece in np.split(turns, starts, axis=1)
    ]
    return np.concatenate(pieces, axis=1)


def continuous_angles(turns: Floats, rotate_order: str) -> Floats:
    """Euler angles, (3, samples), radians, of rotations (4, samples), without avoidable jumps."""
    angles = euler.euler_from_quaternion(turns.T, rotate_order).T
    for outer in euler.axes_of(rotate_order)[::2]:
        angles[outer] = np.unwrap(angles[outer])
    return branches.continuous_rotates(angles, rotate_order)[0]


def nearest_branch(angles: Floats, target: ArrayLike, rotate_order: str) -> Floats:
    """Continuous angles, (3, samples), on the branch with medians nearest to a target, (3,)."""
    branches = np.stack([angles, euler.other_euler(angles.T, rotate_order).T])
    apart = np.median(branches, axis=2) - np.asarray(target, dtype=np.float64)
    turns = euler.TURN * np.round(apart / euler.TURN)
    plain, mirrored = np.sum((apart - turns) ** 2, axis=1)
    best = int(plain > mirrored + 1e-9)
    return np.asarray(branches[best] - turns[best][:, None])
