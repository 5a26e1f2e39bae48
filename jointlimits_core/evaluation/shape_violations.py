"""Where a clip leaves the coupled limits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..arrays import Floats
from ..findings import frame_ranges
from ..limits.limit_set import LimitSet
from ..limits.shapes.fitting import shape_of_limit
from .placement import Placed
from .violations import BoundViolation, Violations

NO_VOLUME = "flat"
"""Kind of the shapes of hinges and universal joints: real motion is always a little beside them,
and their ranges say the rest."""


def with_shape_violations(found: Violations, limit_set: LimitSet, clip: Placed) -> Violations:
    """Add what leaves the shapes to what leaves the ranges.

    Parameters
    ----------
    found : Violations
        Of the same clip.
    limit_set : LimitSet
        Joints whose shape has a volume are looked at.
    clip : Placed

    Returns
    -------
    Violations
        `outside_deg` is the larger of both; a shape that is left is one more bound, of the channel
        "shape".
    """
    outside, bounds = np.array(found.outside_deg), list(found.bounds)
    for row, name in enumerate(clip.names):
        coupled = limit_set.joints[name].coupled
        if coupled is None or coupled.kind == NO_VOLUME:
            continue
        rotations = clip.motion.rotations[clip.joints[row]].T
        beyond = np.degrees(shape_of_limit(coupled).distance(rotations))
        outside[row] = np.maximum(outside[row], beyond)
        if beyond.max() > found.tolerance_deg:
            bounds.append(_violation(name, coupled.kind, beyond, found))
    bounds.sort(key=lambda item: -item.worst_deg)
    return replace(found, outside_deg=outside, bounds=tuple(bounds))


def _violation(joint: str, kind: str, beyond: Floats, found: Violations) -> BoundViolation:
    worst, chosen = int(beyond.argmax()), beyond > found.tolerance_deg
    return BoundViolation(
        joint=joint,
        channel="shape",
        side=kind,
        bound_deg=0.0,
        frames=int(chosen.sum()),
        frame_ranges=frame_ranges(found.frames, chosen),
        worst_deg=float(beyond[worst]),
        worst_frame=float(found.frames[worst]),
        worst_value_deg=float(beyond[worst]),
    )
