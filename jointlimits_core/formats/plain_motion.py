"""Motions for formats with rotations and translations only."""

from __future__ import annotations

import numpy as np

from ..motion import Motion
from ..rotation import quaternion_from_matrix
from ..skeleton import Skeleton

STILL = 1e-9
"""Largest movement, as a share of the largest coordinate, of a joint that counts as fixed."""


def plain_motion(motion: Motion) -> Motion:
    """Return the same motion with rotations and translations only.

    Returns
    -------
    Motion
        Every joint moves as before; the same object if nothing had to be done.
    """
    bones = motion.skeleton
    scaled = motion.scales or (bones.scales != 1.0).any()
    if not (motion.between or bones.between or scaled):
        return motion
    world = motion.all_world_matrices()
    world[..., :3, :3] /= np.linalg.norm(world[..., :3, :3], axis=-2, keepdims=True)
    local = np.array(world)
    below = np.flatnonzero(bones.parents >= 0)
    local[:, below] = np.linalg.inv(world[:, bones.parents[below]]) @ world[:, below]
    places = local[..., :3, 3]
    moving = np.flatnonzero(np.ptp(places, axis=0).max(axis=1) > STILL * np.abs(places).max())
    skeleton = Skeleton(bones.names, bones.parents, places[0], rotate_orders=bones.rotate_orders)
    rotations = quaternion_from_matrix(local[..., :3, :3])
    return Motion(
        skeleton,
        np.ascontiguousarray(np.moveaxis(rotations, 0, 2)),
        motion.frames,
        motion.frame_rate,
        motion.name,
        translations={joint: places[:, joint] for joint in moving.tolist()},
    )
