"""Comparison of the orientations in which limits hold."""

from __future__ import annotations

import numpy as np

from ..euler import quaternion_from_euler
from ..rotation import angle_between
from .limit_set import Frame

SAME_FRAME_DEG = 1e-6


def same_frame(first: Frame, second: Frame, tolerance_deg: float = SAME_FRAME_DEG) -> bool:
    """Whether two orientations have the same rotate order and agree within the tolerance.

    Parameters
    ----------
    first, second : Frame
        Compared as rotations, so 180 degrees about all axes is the same as none.
    """
    if first.rotate_order != second.rotate_order:
        return False
    a, b = (
        quaternion_from_euler(np.radians([frame.joint_orient_deg, frame.rotate_axis_deg]))
        for frame in (first, second)
    )
    return bool(angle_between(a, b).max() <= np.radians(tolerance_deg))
