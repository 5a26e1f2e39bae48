"""Even resampling of a clip by interpolation between frames, as in the paper."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .arrays import Floats, Integers
from .euler import euler_near
from .joint_frame import turn_from_local
from .large_arrays import by_rows, release
from .motion import Motion
from .rotation import slerp


def resampled(motion: Motion, count: int) -> Motion:
    """Resample a clip at `count` evenly spaced frames.

    Parameters
    ----------
    count : int
        At least 1; from 2 on, the first and last frame are included. A clip of one frame is
        returned unchanged.

    Returns
    -------
    Motion
        Rotations are interpolated by slerp; rotate channels follow on the branch nearest to linear
        interpolation. Translations and scales do not affect limits and keep the value of the
        previous frame.
    """
    if motion.frame_count == 1:
        return motion
    frames = np.linspace(motion.frames[0], motion.frames[-1], count)
    last = motion.frame_count - 1
    before = np.clip(np.searchsorted(motion.frames, frames, side="right") - 1, 0, last - 1)
    after = before + 1
    fraction = (frames - motion.frames[before]) / (motion.frames[after] - motion.frames[before])

    def rotation(joint: int) -> Floats:
        q = motion.rotations[joint].T
        turned = slerp(q[before], q[after], fraction).T
        release(motion.rotations[joint])
        return turned

    rotations = by_rows(len(motion.skeleton), (4, count), rotation)
    rotates = None
    if motion.rotates is not None:
        rotates = _rotates_near(motion, motion.rotates, rotations, before, fraction)
    return replace(
        motion,
        rotations=rotations,
        rotates=rotates,
        frames=frames,
        translations={joint: values[before] for joint, values in motion.translations.items()},
        scales={joint: values[before] for joint, values in motion.scales.items()},
        between={joint: values[before] for joint, values in motion.between.items()},
    )


def _rotates_near(
    motion: Motion, rotates: Floats, rotations: Floats, before: Integers, fraction: Floats
) -> Floats:
    """Rotate channels of `rotations` on the branch nearest to linear interpolation."""
    skeleton = motion.skeleton

    def row(joint: int) -> Floats:
        start, end = rotates[joint][:, before], rotates[joint][:, before + 1]
        line = start + fraction * (end - start)
        orient, axis = skeleton.joint_orients[joint], skeleton.rotate_axes[joint]
        turn = turn_from_local(rotations[joint].T, orient, axis)
        release(rotates[joint])
        release(rotations[joint])
        return euler_near(turn, line.T, skeleton.rotate_orders[joint]).T

    return by_rows(len(rotates), (3, len(before)), row)
