"""Motions in centimetres, the unit of our Maya scenes and the one assumed for BVH."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..arrays import Floats
from ..motion import Motion

METERS = 0.01


def in_centimetres(motion: Motion) -> Motion:
    """Return the same motion with lengths in centimetres.

    Returns
    -------
    Motion
        The same object if it already is in centimetres, or states no unit.
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
