"""Leak: the share of a joint's box that no sample supports.

Limits per channel allow every combination of values that the channels reached separately, many of
which no motion ever showed: a raised shoulder does not twist as far as a hanging one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ..arrays import Floats
from ..estimation.box_volume import haar_share
from ..euler import quaternion_from_euler
from ..limits.limit_set import LimitSet
from ..motion import Motion
from .box_points import points_in_box
from .placement import Placed, placed
from .support import is_near

RADIUS_DEG = 6.0
"""Degrees from a sample within which a rotation counts as supported."""
POINTS = 4096
TYPES = ("universal", "ball")
"""Types that can leak; a hinge on its channel cannot."""


@dataclass(frozen=True)
class JointLeak:
    """What a joint's limits allow, compared with the samples.

    Parameters
    ----------
    box_volume : float
        Share of all rotations inside the box of limits (Haar measure, exact); 0 if a channel is
        locked at one value. A free channel counts as a full turn.
    supported_volume : float
        Share of all rotations that are inside the box and near a sample.
    leak : float
        Share of the box that is near no sample, 0 to 1.
    error : float
        Standard error of `leak` for random points; the even ones used are more accurate.
    """

    joint: str
    type: str
    box_volume: float
    supported_volume: float
    leak: float
    error: float
    samples: int

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return asdict(self)


def leak(
    limit_set: LimitSet,
    motions: Motion | Sequence[Motion],
    radius_deg: float = RADIUS_DEG,
    points: int = POINTS,
) -> tuple[JointLeak, ...]:
    """Share of every joint's box that no sample supports.

    Parameters
    ----------
    motions : Motion or sequence of Motion
        The clips that the limits come from, or others to compare with them.
    radius_deg : float
        Distance from a sample within which a rotation is supported, between 0 and 180 degrees.
    points : int
        Number of evenly spaced points in the box, always the same ones; the error falls with the
        square root of their number.

    Returns
    -------
    tuple of JointLeak
        Of universal and ball joints with any limit, in the order of the limits.

    Raises
    ------
    ValueError
        For an invalid radius or number of points.
    LimitSetError, EstimationError
        See :func:`jointlimits_core.evaluation.placement.placed`.
    """
    clips = [motions] if isinstance(motions, Motion) else list(motions)
    return leak_of([placed(limit_set, clip) for clip in clips], limit_set, radius_deg, points)


def leak_of(
    clips: Sequence[Placed],
    limit_set: LimitSet,
    radius_deg: float = RADIUS_DEG,
    points: int = POINTS,
) -> tuple[JointLeak, ...]:
    """Leak of clips already on the branch of the limits; see :func:`leak`."""
    if not 0.0 < radius_deg < 180.0:
        raise ValueError(f"radius must be between 0 and 180 degrees, not {radius_deg!r}")
    if points < 1:
        raise ValueError(f"points must be at least 1, not {points!r}")
    found = []
    for name, joint in limit_set.joints.items():
        rows = [(clip, clip.names.index(name)) for clip in clips if name in clip.names]
        if joint.type not in TYPES or not rows:
            continue
        clip, row = rows[0]
        low, high = np.radians(clip.low[row]), np.radians(clip.high[row])
        if np.isfinite(low).any() or np.isfinite(high).any():
            angles = np.concatenate([item.values[at].T for item, at in rows])
            samples = quaternion_from_euler(angles, clip.orders[row])
            box = _closed_box(low, high)
            measured = _measured(samples, box, clip.orders[row], np.radians(radius_deg), points)
            found.append(JointLeak(name, joint.type, *measured, len(samples)))
    return tuple(found)


def _closed_box(low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Box with a full turn for a channel that is unlimited on one side or both."""
    begin = np.where(np.isfinite(low), low, np.where(np.isfinite(high), high - 2 * np.pi, -np.pi))
    return begin, np.where(np.isfinite(high), high, begin + 2 * np.pi)


def _measured(
    samples: Floats, box: tuple[Floats, Floats], order: str, radius: float, points: int
) -> tuple[float, float, float, float]:
    """Volumes of the box and of its supported part, the leak and its error."""
    volume = float(haar_share(*box, order))
    filling = quaternion_from_euler(points_in_box(*box, order, points), order)
    share = float(np.mean(is_near(filling, samples, radius)))
    error = float(np.sqrt(share * (1.0 - share) / points))
    return volume, share * volume, 1.0 - share, error
