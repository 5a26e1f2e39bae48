"""Motions for other formats: in centimetres, or with rotations and translations only.

Centimetres are the unit of the Maya scenes written here, and the one assumed for BVH.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..geometry import Floats, quaternion_from_matrix
from .motion import Motion
from .skeleton import Skeleton

METERS = 0.01


def in_centimetres(motion: Motion) -> Motion:
    """Return the same motion with lengths in centimetres.

    Returns the same object if it already is in centimetres, or states no unit.
    """
    bones = motion.skeleton
    if bones.meters_per_unit in (None, METERS):
        return motion
    factor = bones.meters_per_unit / METERS
    between = {joint: _scaled(one, factor) for joint, one in bones.between.items()}
    skeleton = replace(
        bones, offsets=bones.offsets * factor, between=between, meters_per_unit=METERS
    )
    return replace(
        motion,
        skeleton=skeleton,
        translations={joint: places * factor for joint, places in motion.translations.items()},
        between={joint: _scaled(one, factor) for joint, one in motion.between.items()},
    )


def _scaled(matrices: Floats, factor: float) -> Floats:
    """Matrices with translations scaled by a factor."""
    result = np.array(matrices)
    result[..., :3, 3] *= factor
    return result


STILL = 1e-9
"""Largest movement, as a share of the largest coordinate, of a joint that counts as fixed."""


def plain_motion(motion: Motion) -> Motion:
    """Return the same motion with rotations and translations only.

    Every joint moves as before; returns the same object if nothing had to be done.
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
