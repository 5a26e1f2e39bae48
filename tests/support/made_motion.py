"""Clips made on purpose, whose types, ranges and faults are known."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from jointlimits_core.geometry.quaternion import (
    multiply,
    normalize,
    quaternion_from_axis_angle,
    quaternion_from_rotation_vector,
)
from jointlimits_core.motion.motion import Motion
from jointlimits_core.motion.skeleton import Skeleton

X, Y, Z = np.eye(3)


def rotate(x=0.0, y=0.0, z=0.0) -> np.ndarray:
    """Rotate channels (frames, 3) of numbers and curves of one length."""
    return np.stack(np.broadcast_arrays(*np.atleast_1d(x, y, z)), axis=-1).astype(float)


def there_and_back(low: float, high: float, frames: int = 60) -> np.ndarray:
    """From low to high and back: both ends are reached exactly."""
    return np.interp(np.arange(frames), [0, (frames - 1) // 2, frames - 1], [low, high, low])


def waves(*ranges: tuple[float, float], frames: int = 240) -> list[np.ndarray]:
    """Curves that fill their ranges at different paces."""
    t = np.linspace(0.0, 2.0 * np.pi, frames)
    return [
        0.5 * (low + high) + 0.5 * (high - low) * np.sin((2 * n + 1) * t + 0.7 * n)
        for n, (low, high) in enumerate(ranges)
    ]


def clip(
    channels: dict[str, Any],
    *,
    name: str = "clip",
    orders: dict[str, str] | str = "xyz",
    frames: Any = None,
    from_source: bool = True,
    **skeleton: Any,
) -> Motion:
    """Joints that hang on a root at rest, from their rotate channels in degrees.

    `channels` maps joint names to (frames, 3); "root" may be among them and is put first.
    """
    curves = {"root": np.zeros((1, 3)), **channels}
    count = max(len(values) for values in curves.values())
    rotates = np.stack([np.broadcast_to(values, (count, 3)).T for values in curves.values()])
    each = [orders if isinstance(orders, str) else orders.get(joint, "xyz") for joint in curves]
    bones = Skeleton(tuple(curves), [-1, *[0] * (len(curves) - 1)], rotate_orders=each, **skeleton)
    numbers = np.arange(count, dtype=float) if frames is None else frames
    motion = Motion.from_rotates(bones, np.radians(rotates), numbers, 30.0, name)
    if from_source:
        return motion
    return Motion(bones, motion.rotations, motion.frames, 30.0, name)


def hinge(axis, angles, left=(0, 0, 0, 1), right=(0, 0, 0, 1)) -> np.ndarray:
    """Rotations (4, samples) about one axis between constant rotations; angles in radians."""
    turn = quaternion_from_axis_angle(np.asarray(axis, float), np.asarray(angles, float))
    return multiply(left, multiply(turn, right)).T


def universal(angles, left=(0, 0, 0, 1), right=(0, 0, 0, 1)) -> np.ndarray:
    """Rotations (4, samples) about z in the parent and x in the child; angles (samples, 2)."""
    outer = quaternion_from_axis_angle(Z, angles[:, 0])
    inner = quaternion_from_axis_angle(X, angles[:, 1])
    return multiply(left, multiply(multiply(outer, inner), right)).T


def ball(vectors, left=(0, 0, 0, 1), right=(0, 0, 0, 1)) -> np.ndarray:
    """Rotations (4, samples) of rotation vectors (samples, 3)."""
    return multiply(left, multiply(quaternion_from_rotation_vector(vectors), right)).T


def noisy(rotations: np.ndarray, degrees: float, rng: np.random.Generator) -> np.ndarray:
    """Rotations (4, samples) with white noise of so many degrees about each axis."""
    shake = np.radians(degrees) * rng.standard_normal((rotations.shape[1], 3))
    return multiply(rotations.T, quaternion_from_rotation_vector(shake)).T


def random_rotation(rng: np.random.Generator) -> np.ndarray:
    return normalize(rng.standard_normal(4))


def random_direction(rng: np.random.Generator) -> np.ndarray:
    vector = rng.standard_normal(3)
    return vector / np.linalg.norm(vector)


def angle_between_lines(first, second) -> float:
    """Degrees between two axes, whichever way they point."""
    sine = np.linalg.norm(np.cross(first, second))
    return float(np.degrees(np.arctan2(sine, abs(np.dot(first, second)))))


def with_joints(motion, names):
    """The same clip with its joints in another order."""
    bones = motion.skeleton
    rows = [bones.index(name) for name in names]
    arrays = ("offsets", "rest_rotations", "joint_orients", "rotate_axes", "scales")
    skeleton = replace(
        bones,
        names=tuple(names),
        parents=[-1 if bones.parents[r] < 0 else names.index(bones.names[0]) for r in rows],
        rotate_orders=[bones.rotate_orders[row] for row in rows],
        **{name: getattr(bones, name)[rows] for name in arrays},
    )
    return replace(
        motion, skeleton=skeleton, rotations=motion.rotations[rows], rotates=motion.rotates[rows]
    )
