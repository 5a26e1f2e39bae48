"""Evenly spaced samples of a clip by key-frame interpolation, as in the paper."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .arrays import Floats
from .euler import euler_near
from .joint_frame import turn_from_local
from .motion import Motion
from .rotation import slerp


def resampled(motion: Motion, count: int) -> Motion:
    """Give the rotations of a clip at `count` evenly spaced frames.

    Parameters
    ----------
    motion : Motion
    count : int
        At least 1. The first and the last frame of the clip are among them if it is 2 or more. A
        clip of one frame stays as it is.

    Returns
    -------
    Motion
        Rotations are interpolated at constant speed between frames (slerp); the source's own
        rotate channels follow on the branch of the straight line between them. Translations and
        scales say nothing about limits and keep the values of the frame before.
    """
    if motion.frame_count == 1:
        return motion
    frames = np.linspace(motion.frames[0], motion.frames[-1], count)
    last = motion.frame_count - 1
    before = np.clip(np.searchsorted(motion.frames, frames, side="right") - 1, 0, last - 1)
    after = before + 1
    fraction = (frames - motion.frames[before]) / (motion.frames[after] - motion.frames[before])
    q = np.moveaxis(motion.rotations, 1, 2)
    rotations = np.ascontiguousarray(np.swapaxes(slerp(q[:, before], q[:, after], fraction), 1, 2))
    rotates = None
    if motion.rotates is not None:
        start, end = motion.rotates[:, :, before], motion.rotates[:, :, after]
        rotates = _rotates_near(motion, rotations, start + fraction * (end - start))
    return replace(
        motion,
        rotations=rotations,
        rotates=rotates,
        frames=frames,
        translations={joint: values[before] for joint, values in motion.translations.items()},
        scales={joint: values[before] for joint, values in motion.scales.items()},
        between={joint: values[before] for joint, values in motion.between.items()},
    )


def _rotates_near(motion: Motion, rotations: Floats, line: Floats) -> Floats:
    """Rotate channels of `rotations` on the branch that is nearest to `line`."""
    skeleton = motion.skeleton
    result = np.empty_like(line)
    for joint, order in enumerate(skeleton.rotate_orders):
        orient, axis = skeleton.joint_orients[joint], skeleton.rotate_axes[joint]
        turn = turn_from_local(rotations[joint].T, orient, axis)
        result[joint] = euler_near(turn, line[joint].T, order).T
    return result
