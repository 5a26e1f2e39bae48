"""Joint orientations aligned with a joint's axes: advice, and the channels of a motion in them.

With ``local = JO R RO``, any other pair (JO', RO') gives the same local rotation for another R:
nothing moves when jointOrient and rotateAxis change together and the keys are rewritten.
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
"""Kinds of advice: a new orientation by rotateAxis (R) or with the children compensated (C), the
joint's own orientation with its nearly aligned channels (K), another rotate order, or no change."""


@dataclass(frozen=True)
class OrientAdvice:
    """Orientation in which a joint's channels match its motion, and what that gains."""

    mode: str
    """One of :data:`ADVICE_MODES`."""
    rotate_order: str
    joint_orient_deg: Triple
    rotate_axis_deg: Triple
    """Advised values; composed in the order xyz, as in Maya."""
    frame_turn_deg: Triple = (0.0, 0.0, 0.0)
    """Constant rotation by which mode C turns the joint's own orientation and turns everything
    below it back, as Euler angles in the order xyz; zeros in every other mode."""
    used: tuple[str, ...] = ("rotateX", "rotateY", "rotateZ")
    locked: tuple[str, ...] = ()
    """Channels that would move, and channels that could be locked."""
    box_share_before: float | None = None
    box_share_after: float | None = None
    """Share of all rotations that the box of the three channels allows (Haar measure)."""
    gimbal_margin_before_deg: float | None = None
    gimbal_margin_after_deg: float | None = None
    """Smallest distance of the motion from gimbal lock."""
    off_axis_mean_deg: float | None = None
    off_axis_max_deg: float | None = None
    """Rotation off the hinge axis (or off the two axes of a universal joint) that the box of the
    joint's own channels allows."""
    strict_rms_deg: float | None = None
    strict_max_deg: float | None = None
    """Rotation that is lost with the locked channels held at zero."""
    strict_move: float | None = None
    """Largest displacement of the end of the joint's chain then, in the scene's length unit."""
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
        """Whether following the advice changes anything on the joint."""
        return self.mode in ("R", "C", "order")

    def in_mode(self, mode: str) -> OrientAdvice:
        """Advice by way of rotateAxis (R) or compensated children (C): same channels."""
        if mode not in ("R", "C"):
            raise ValueError(f"mode must be R or C, not {mode!r}")
        if self.mode not in ("R", "C") or mode == self.mode:
            return self
        none = (0.0, 0.0, 0.0)
        if mode == "C":
            turn = degrees_of(quaternion.conjugate(self.rotate_axis))
            return replace(self, mode=mode, rotate_axis_deg=none, frame_turn_deg=turn)
        axis = degrees_of(quaternion.conjugate(self.frame_turn))
        return replace(self, mode=mode, rotate_axis_deg=axis, frame_turn_deg=none)

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
    """Joint orientation: jointOrient and rotateAxis, quaternions of shape (4,), and the order."""

    joint_orient: Floats
    rotate_axis: Floats
    rotate_order: str

    def turns(self, rotations: Floats) -> Floats:
        """Rotations R between jointOrient and rotateAxis, from local ones, shapes (4, samples)."""
        inner = quaternion.multiply(rotations.T, quaternion.conjugate(self.rotate_axis))
        return quaternion.multiply(quaternion.conjugate(self.joint_orient), inner).T


def hinge_rest(rest: Floats, axis_parent: ArrayLike, axis_child: ArrayLike) -> Floats:
    """Hinge rotation nearest to a rest rotation.

    `rest` has shape (4,). `axis_parent` and `axis_child` have shape (3,): unit axis in the parent's
    and in the joint's own coordinates. The result has shape (4,): it takes `axis_child`
    to `axis_parent`. Any such rotation where all are equally near.
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
    """Orientation in which a hinge turns about the nearest channel, zero at rest, and which.

    Its sense is kept. `axis_parent`, `axis_child`: as in :func:`hinge_rest`; either sign. `rest`
    has shape (4,): local rotation in the rest pose.
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

    Of all orders and senses, the one that turns the channels least; ties go to the joint's order.
    Returns also the middle channel of the order, which stays at zero.
    """
    outer, child = np.asarray(axis_parent, np.float64), np.asarray(axis_child, np.float64)
    carried = quaternion.rotate(rest, child)
    inner = carried - (outer @ carried) * outer
    if np.linalg.norm(inner) <= 1e-9:
        # Both axes coincide at rest: any perpendicular direction will do.
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
"""Senses of the outer and of the inner axis."""


def advised_orientation(advice: OrientAdvice) -> JointOrientation:
    """Suggested orientation for old rotations; mode C is a rotateAxis of ``D^-1``."""
    axis = quaternion.multiply(advice.rotate_axis, quaternion.conjugate(advice.frame_turn))
    return JointOrientation(advice.joint_orient, axis, advice.rotate_order)


def reoriented_motion(motion: Motion, advice: Mapping[str, OrientAdvice]) -> Motion:
    """Motion with channels in suggested orientations (mode R), without declarations."""
    skeleton = motion.skeleton
    changing = {
        row: advice[name]
        for row, name in enumerate(skeleton.names)
        if name in advice and advice[name].changes
    }
    rotates = None
    if motion.rotates is not None:
        rotates = motion.rotates.copy()
        for joint, item in changing.items():
            rotates[joint] = reoriented_rotates(motion.rotations[joint], item)
    turned = replace(reoriented_skeleton(skeleton, changing), declarations={})
    return replace(motion, skeleton=turned, rotates=rotates)


def reoriented_skeleton(skeleton: Skeleton, changing: Mapping[int, OrientAdvice]) -> Skeleton:
    """Skeleton with some joints, by index, in the suggested orientations."""
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
    """Rotate channels in the suggested orientation, (3, samples), radians, on one branch.

    Continuous in time, clip by clip, with medians nearest to zero. `reference_rotates`: current
    channels; returned where the advice changes nothing. `clip_starts`: first sample of every clip.
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
    """Euler angles, (3, samples), radians, as continuous as possible, of (4, samples)."""
    angles = euler.euler_from_quaternion(turns.T, rotate_order).T
    for outer in euler.axes_of(rotate_order)[::2]:
        angles[outer] = np.unwrap(angles[outer])
    return branches.continuous_rotates(angles, rotate_order)[0]


def nearest_branch(angles: Floats, target: ArrayLike, rotate_order: str) -> Floats:
    """Continuous angles, (3, samples), on the branch with medians nearest to a target, (3,)."""
    wanted = np.asarray(target, dtype=np.float64)
    found: list[tuple[float, Floats]] = []
    for branch in (angles, euler.other_euler(angles.T, rotate_order).T):
        apart = np.median(branch, axis=1) - wanted
        shift = -euler.TURN * np.round(apart / euler.TURN)
        found.append((float(np.sum((apart + shift) ** 2)), branch + shift[:, None]))
    (plain, here), (mirrored, other) = found
    return here if plain <= mirrored + 1e-9 else other
