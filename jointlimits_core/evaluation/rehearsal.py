"""Clamp rehearsal: what a clip would look like with the limits switched on."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from ..arrays import Booleans, Floats, Integers
from ..findings import Finding
from ..joint_frame import local_from_rotate
from ..limits.limit_set import LimitSet
from ..motion import Motion
from ..rotation import angle_between
from .placement import Placed, outside_by, placed

CLIPPED_DEG = 1e-6
"""A smaller change of a channel is rounding."""
BLOCK = 1024
"""Frames whose world matrices are in memory at once."""


@dataclass(frozen=True)
class ClippedJoint:
    """One joint that the limits would change.

    Parameters
    ----------
    joint : str
        Its name in the limits.
    frames : int
        In how many frames.
    worst_deg : float
        The largest turn between the pose and the clamped pose, degrees.
    """

    joint: str
    frames: int
    worst_deg: float
    worst_frame: float


@dataclass(frozen=True)
class MovedEffector:
    """The furthest that an end of the skeleton would move.

    Parameters
    ----------
    joint : str
        A joint without children, its name in the motion.
    distance : float
        In the length unit of the motion's source.
    """

    joint: str
    distance: float
    frame: float


@dataclass(frozen=True)
class Rehearsal:
    """A clip replayed through the limits.

    Parameters
    ----------
    frames : int
        How many were replayed.
    frames_clipped : int
        In how many at least one joint would be changed.
    joints : tuple of ClippedJoint
        Worst first.
    effectors : tuple of MovedEffector
        Those that would move, furthest first.
    meters_per_unit : float or None
        Length unit of the distances, where the source says so.
    missing : tuple of str
        Joints of the limits that the motion does not have.
    """

    clip: str
    frames: int
    frames_clipped: int
    joints: tuple[ClippedJoint, ...]
    effectors: tuple[MovedEffector, ...]
    meters_per_unit: float | None
    missing: tuple[str, ...]
    findings: tuple[Finding, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {**asdict(self), "findings": [item.to_dict() for item in self.findings]}


def rehearsal(limit_set: LimitSet, motion: Motion, branch: str = "main") -> Rehearsal:
    """Replay a clip through the limits.

    Parameters
    ----------
    branch : str
        As in :func:`jointlimits_core.evaluation.placement.placed`; with "keys" flipped keys are
        clamped as Maya would do it.

    Raises
    ------
    ValueError, LimitSetError, EstimationError
        As :func:`jointlimits_core.evaluation.placement.placed`.
    """
    return rehearsal_of(placed(limit_set, motion, branch))


def rehearsal_of(clip: Placed) -> Rehearsal:
    """Replay a clip that was placed beside the limits; as :func:`rehearsal`."""
    motion = clip.motion
    outside = outside_by(np.degrees(clip.values), clip.low, clip.high).max(axis=1) > CLIPPED_DEG
    frames = np.flatnonzero(outside.any(axis=0))
    rotations = np.array(motion.rotations[:, :, frames])
    joints = [
        _clip_joint(clip, int(row), outside[row], frames, rotations)
        for row in np.flatnonzero(outside.any(axis=1))
    ]
    return Rehearsal(
        clip=motion.name,
        frames=motion.frame_count,
        frames_clipped=len(frames),
        joints=tuple(sorted(joints, key=lambda item: -item.worst_deg)),
        effectors=_moved_effectors(motion, frames, rotations),
        meters_per_unit=motion.skeleton.meters_per_unit,
        missing=clip.missing,
        findings=clip.findings,
    )


def _clip_joint(
    clip: Placed, row: int, outside: Booleans, frames: Integers, rotations: Floats
) -> ClippedJoint:
    """Clamp one joint; its clamped rotations take their places in `rotations`."""
    here = np.flatnonzero(outside)
    low, high = np.radians(clip.low[row]), np.radians(clip.high[row])
    rotate = np.clip(clip.values[row][:, here].T, low, high)
    local = local_from_rotate(rotate, clip.orients[row], clip.axes[row], clip.orders[row])
    joint = clip.joints[row]
    turned = np.degrees(angle_between(local, clip.motion.rotations[joint][:, here].T))
    rotations[joint][:, np.searchsorted(frames, here)] = local.T
    worst = int(turned.argmax())
    return ClippedJoint(
        clip.names[row], len(here), float(turned[worst]), float(clip.motion.frames[here[worst]])
    )


def _moved_effectors(
    motion: Motion, frames: Integers, rotations: Floats
) -> tuple[MovedEffector, ...]:
    """Compare where the ends are with where they would be in the frames that are clamped.

    Parameters
    ----------
    frames : array of int, shape (clamped,)
    rotations : array, shape (joints, 4, clamped)
    """
    skeleton = motion.skeleton
    ends = np.setdiff1d(np.arange(len(skeleton)), skeleton.parents)
    distances = np.zeros((len(frames), len(ends)))
    for start in range(0, len(frames), BLOCK):
        piece = slice(start, start + BLOCK)
        before = motion.take(frames[piece])
        after = replace(before, rotations=rotations[:, :, piece], rotates=None)
        places = [item.all_world_matrices()[:, ends][..., :3, 3] for item in (before, after)]
        distances[piece] = np.linalg.norm(places[1] - places[0], axis=-1)
    if not distances.size:
        return ()
    worst = distances.argmax(axis=0)
    moved = [
        MovedEffector(
            motion.joint_names[end], float(distances[at, n]), float(motion.frames[frames[at]])
        )
        for n, (end, at) in enumerate(zip(ends, worst))
        if distances[at, n] > 0.0
    ]
    return tuple(sorted(moved, key=lambda item: -item.distance))
