"""Forward kinematics.

A joint's world matrix is, for column vectors,

    world = world(parent) @ between @ T(translation) @ S(1 / parent scale) @ R(rotation) @ S(scale)

where ``between`` is the transform between the parent joint and this one (of groups; the identity
for most joints) and the parent's inverse scale applies only where the joint compensates for it
(Maya's segmentScaleCompensate). For BVH and Acclaim files this reduces to ``T R``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from .arrays import Floats
from .rotation import matrix_from_quaternion

if TYPE_CHECKING:
    from .skeleton import Skeleton


def world_matrices_from_local(
    skeleton: Skeleton,
    rotations: Floats,
    translations: Floats,
    scales: Floats,
    between: Mapping[int, Floats],
) -> Floats:
    """World matrices of one pose or many.

    Parameters
    ----------
    rotations : array, shape (..., joints, 4)
    translations, scales : array, shapes (..., joints, 3)
    between : mapping of joint index to array (..., 4, 4)
        Overrides the skeleton's constant ones.

    Returns
    -------
    array, shape (..., joints, 4, 4)
        For column vectors.
    """
    turns = matrix_from_quaternion(rotations)
    world = np.empty((*turns.shape[:-2], 4, 4))
    for joint, parent in enumerate(skeleton.parents):
        local = np.zeros((*turns.shape[:-3], 4, 4))
        local[..., :3, :3] = turns[..., joint, :, :] * scales[..., joint, None, :]
        if parent >= 0 and skeleton.compensates_scale[joint]:
            local[..., :3, :3] /= scales[..., parent, :, None]
        local[..., :3, 3] = translations[..., joint, :]
        local[..., 3, 3] = 1.0
        own = between.get(joint, skeleton.between.get(joint))
        if own is not None:
            local = own @ local
        world[..., joint, :, :] = local if parent < 0 else world[..., parent, :, :] @ local
    return world
