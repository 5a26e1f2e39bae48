"""Motions in centimetres: the unit of our Maya scenes, and what BVH files are taken to be in."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..arrays import Floats
from ..motion import Motion

METERS = 0.01


def in_centimetres(motion: Motion) -> Motion:
    """Give the same motion with its lengths in centimetres.
    Returns
    -------
    Motion
        The same object if it is in centimetres already, or does not say its unit.
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
    """Matrices whose translations are longer by a factor."""
    result = np.array(matrices)
    result[..., :3, 3] *= factor
    return result
