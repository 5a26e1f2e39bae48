"""Clamping preview: how a clip changes with the limits enabled."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..geometry import arrays, euler, quaternion
from ..motion.motion import Motion
from .alignment import AlignedClip, outside_by

MIN_CLAMPED_DEG = 1e-6
"""Degrees below which a change of a channel is rounding."""


@dataclass(frozen=True)
class ClampedJoint:
    """One joint that clamping would change."""

    joint: str
    """Name in the limits."""
    frames: int
    """Number of frames that would change."""
    worst_deg: float
    """Largest angle between the pose and the clamped pose, degrees."""
    worst_frame: float


@dataclass(frozen=True)
class MovedEffector:
    """Largest displacement of an end of the skeleton.

    `joint`: a joint without children; name in the motion. `distance`: in the source's length unit.
    """

    joint: str
    distance: float
    frame: float


@dataclass(frozen=True)
class ClampingPreview:
    """Clamping preview of one clip."""

    clip: str
    frames: int
    frames_clipped: int
    """Number of frames in which at least one joint would change."""
    joints: tuple[ClampedJoint, ...]
    """Worst first."""
    effectors: tuple[MovedEffector, ...]
    """Effectors that would move, largest displacement first."""


def clamping_preview_of(clip: AlignedClip) -> ClampingPreview:
    """Preview of clamping a clip to the limits that it is aligned with, every joint compared."""
    motion = clip.motion
    outside = outside_by(np.degrees(clip.values), clip.low, clip.high).max(axis=1) > MIN_CLAMPED_DEG
    frames = np.flatnonzero(outside.any(axis=0))
    rotations = np.array(motion.rotations[:, :, frames])
    joints = []
    for row in np.flatnonzero(outside.any(axis=1)):
        here, joint = np.flatnonzero(outside[row]), clip.joints[row]
        ends = np.radians(clip.low[row]), np.radians(clip.high[row])
        rotate = np.clip(clip.values[row][:, here].T, *ends)
        local = euler.local_from_rotate(rotate, clip.orients[row], clip.axes[row], clip.orders[row])
        turned = np.degrees(quaternion.angle_between(local, motion.rotations[joint][:, here].T))
        rotations[joint][:, np.searchsorted(frames, here)] = local.T
        worst = int(turned.argmax())
        worst_frame = float(motion.frames[here[worst]])
        joints.append(ClampedJoint(clip.names[row], len(here), float(turned[worst]), worst_frame))
    return ClampingPreview(
        clip=motion.name,
        frames=motion.frame_count,
        frames_clipped=len(frames),
        joints=tuple(sorted(joints, key=lambda item: -item.worst_deg)),
        effectors=_moved_effectors(motion, frames, rotations),
    )


def _moved_effectors(
    motion: Motion, frames: arrays.Integers, rotations: arrays.Floats
) -> tuple[MovedEffector, ...]:
    """Displacements of the ends in the clamped frames.

    `frames` (int) has shape (clamped,). `rotations` has shape (joints, 4, clamped).
    """
    ends = np.setdiff1d(np.arange(len(motion.skeleton)), motion.skeleton.parents)
    if not len(frames):
        return ()
    before = motion.take(frames)
    after = replace(before, rotations=rotations, rotates=None)
    places = [item.all_world_matrices()[:, ends][..., :3, 3] for item in (before, after)]
    moved = []
    for end, far in zip(ends, np.linalg.norm(places[1] - places[0], axis=-1).T):
        at = int(far.argmax())
        if far[at] > 0.0:
            frame = float(motion.frames[frames[at]])
            moved.append(MovedEffector(motion.joint_names[end], float(far[at]), frame))
    return tuple(sorted(moved, key=lambda item: -item.distance))
