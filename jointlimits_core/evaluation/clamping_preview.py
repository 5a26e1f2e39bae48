"""Clamping preview: changes to a clip's poses if the limits were enabled."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..geometry import euler
from .alignment import AlignedClip, outside_by

MIN_CLAMPED_DEG = 1e-6
"""Largest change of a channel, in degrees, that counts as rounding."""


@dataclass(frozen=True)
class MovedEffector:
    """Largest displacement of an end of the skeleton.

    `joint`: a joint without children, named as in the motion. `distance`: source's length unit.
    """

    joint: str
    distance: float
    frame: float


@dataclass(frozen=True)
class ClampingPreview:
    """Clamping preview of one clip."""

    frames_clipped: int
    """Number of frames in which at least one joint would change."""
    effectors: tuple[MovedEffector, ...]
    """Effectors that would move, largest displacement first."""


def clamping_preview_of(clip: AlignedClip) -> ClampingPreview:
    """Preview of clamping a clip, aligned with `every_joint`, to its limits."""
    motion, skeleton = clip.motion, clip.motion.skeleton
    outside = outside_by(np.degrees(clip.values), clip.low, clip.high).max(axis=1) > MIN_CLAMPED_DEG
    frames = np.flatnonzero(outside.any(axis=0))
    if not len(frames):
        return ClampingPreview(0, ())
    before = motion.keep_frames(frames)
    rotations = np.array(before.rotations)
    for row in np.flatnonzero(outside.any(axis=1)):
        here, ends = outside[row, frames], (np.radians(clip.low[row]), np.radians(clip.high[row]))
        rotate = np.clip(clip.values[row][:, frames[here]].T, *ends)
        local = euler.local_from_rotate(rotate, clip.orients[row], clip.axes[row], clip.orders[row])
        rotations[clip.joints[row]][:, here] = local.T
    after = replace(before, rotations=rotations, rotates=None)
    leaves = np.setdiff1d(np.arange(len(skeleton)), skeleton.parents)
    places = [item.all_world_matrices()[:, leaves][..., :3, 3] for item in (before, after)]
    moved = []
    for joint, away in zip(leaves, np.linalg.norm(places[1] - places[0], axis=-1).T):
        at = int(away.argmax())
        if away[at] > 0.0:
            frame = float(motion.frames[frames[at]])
            moved.append(MovedEffector(skeleton.names[joint], float(away[at]), frame))
    effectors = sorted(moved, key=lambda item: -item.distance)
    return ClampingPreview(len(frames), tuple(effectors))
