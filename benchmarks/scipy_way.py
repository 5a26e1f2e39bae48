"""The core of the estimate written with SciPy's Rotation, flattened over joints.

What a careful user would write today: the logarithm at the mean and the eigenvalues of its
covariance for the type, Euler angles in the joint's own order, sorted for the largest gap. It
decides no type, checks no clip, finds no axis, and remembers no frame; `estimate` does all that.
"""

from __future__ import annotations

import numpy as np
from scipy.spatial.transform import Rotation

from jointlimits_core.geometry.arrays import Floats
from jointlimits_core.motion.motion import Motion


def estimate_with_scipy(motion: Motion) -> tuple[Floats, Floats, Floats]:
    """Return spreads (joints, 3) and bounds (joints, 3), (joints, 3) of every joint, radians."""
    local = np.ascontiguousarray(np.moveaxis(motion.rotations, 1, 2))
    rotations = Rotation.from_quat(local.reshape(-1, 4))
    spreads = _spreads(rotations, local)
    if motion.rotates is not None:
        return (spreads, *_intervals(motion.rotates))
    return (spreads, *_intervals(_rotates(rotations, motion)))


def leanest_with_scipy(motion: Motion) -> tuple[Floats, Floats, Floats]:
    """Spreads and bounds as :func:`estimate_with_scipy`, with as few passes as SciPy allows.

    Spreads come from the moments; bounds as in the other way, from angles of each rotate order.
    """
    local = np.ascontiguousarray(np.moveaxis(motion.rotations, 1, 2))
    moments = np.einsum("jfa,jfb->jab", local, local, optimize=True) / local.shape[1]
    spreads = 2.0 * np.sqrt(np.maximum(np.linalg.eigvalsh(moments)[:, :3], 0.0))
    if motion.rotates is not None:
        return (spreads, *_intervals(motion.rotates))
    return (spreads, *_intervals(_rotates(Rotation.from_quat(local.reshape(-1, 4)), motion)))


def _spreads(rotations: Rotation, local: Floats) -> Floats:
    joints, frames = local.shape[:2]
    means = np.linalg.eigh(np.einsum("jfa,jfb->jab", local, local, optimize=True))[1][:, :, -1]
    off = Rotation.from_quat(np.repeat(means, frames, axis=0)).inv() * rotations
    vectors = off.as_rotvec().reshape(joints, frames, 3)
    covariance = np.swapaxes(vectors, 1, 2) @ vectors / frames
    return np.asarray(np.sqrt(np.maximum(np.linalg.eigvalsh(covariance)[:, ::-1], 0.0)))


def _rotates(rotations: Rotation, motion: Motion) -> Floats:
    """Euler angles (joints, 3, frames), the joints of one rotate order at a time."""
    skeleton, frames = motion.skeleton, motion.frame_count
    orient = Rotation.from_quat(np.repeat(skeleton.joint_orients, frames, axis=0))
    axis = Rotation.from_quat(np.repeat(skeleton.rotate_axes, frames, axis=0))
    turns = orient.inv() * rotations * axis.inv()
    result = np.empty((len(skeleton), 3, frames))
    owner = np.repeat(np.arange(len(skeleton)), frames)
    orders = np.array(skeleton.rotate_orders)
    for order in np.unique(orders):
        chosen = np.flatnonzero(orders == order)
        angles = turns[np.isin(owner, chosen)].as_euler(order).reshape(len(chosen), frames, 3)
        for position, letter in enumerate(order):
            result[chosen, "xyz".index(letter)] = angles[:, :, position]
    return result


def _intervals(angles: Floats) -> tuple[Floats, Floats]:
    """Bounds of the arcs that hold all angles: the complement of the largest gap."""
    ordered = np.sort(np.mod(angles, 2.0 * np.pi), axis=-1)
    around = ordered[..., :1] + 2.0 * np.pi - ordered[..., -1:]
    gaps = np.concatenate([np.diff(ordered, axis=-1), around], axis=-1)
    widest = np.argmax(gaps, axis=-1)[..., None]
    low = np.take_along_axis(ordered, (widest + 1) % gaps.shape[-1], axis=-1)[..., 0]
    return low, low + 2.0 * np.pi - gaps.max(axis=-1)
