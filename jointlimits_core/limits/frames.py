"""Whether limits hold in the same frame."""

from __future__ import annotations

import numpy as np

from .limit_set import Frame

SAME_FRAME_DEG = 1e-6


def same_frame(first: Frame, second: Frame, tolerance_deg: float = SAME_FRAME_DEG) -> bool:
    """Whether rotate orders are equal and no angle differs by more than the tolerance.

    Parameters
    ----------
    first, second : Frame
    tolerance_deg : float
    """
    a, b = (
        np.array((*frame.joint_orient_deg, *frame.rotate_axis_deg)) for frame in (first, second)
    )
    apart = float(np.abs(a - b).max())
    return first.rotate_order == second.rotate_order and apart <= tolerance_deg
