"""Sensors that were moved on their body between clips.

Clips can only be pooled if every sensor stays in place from clip to clip. If one was taken off in
between, the joint that fits all clips fits none of them well, though each clip alone has one that
does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..findings import Finding
from ..wording import millimetres
from .body_fit import BodyFit
from .joint_centres import joint_centres
from .pair_moments import pair_moments
from .residuals import joint_ends, joint_gaps, root_mean_square

TIMES = 2.0
MORE_M = 0.005
"""Ratio of a pooled joint's gap to that of the clip's own joint, and their difference; both must be
exceeded for a report. A clip's own joint always fits better: by some percent because of skin."""


def remounted(fits: Sequence[BodyFit]) -> tuple[BodyFit, ...]:
    """Report joints that do not fit a clip because a sensor was moved between clips.

    Parameters
    ----------
    fits : sequence of BodyFit
        One per clip, of one skeleton.

    Returns
    -------
    tuple of BodyFit
        The same with such findings; a single clip gets none.
    """
    if len(fits) < 2:
        return tuple(fits)
    return tuple(replace(fit, findings=(*fit.findings, *_told(fit))) for fit in fits)


def _told(fit: BodyFit) -> list[Finding]:
    if not fit.joints:
        return []
    child, parent, in_child, in_parent = joint_ends(fit)
    moments = pair_moments(fit.tracks, fit.used.astype(np.float64))
    alone = joint_centres(moments.of(child, parent)).residual_m
    gaps = joint_gaps(fit.tracks, child, parent, in_child, in_parent)
    pooled = root_mean_square(gaps, fit.used[child] & fit.used[parent])
    worse = np.isfinite(pooled) & (pooled > np.maximum(TIMES * alone, alone + MORE_M))
    found = []
    for row in np.flatnonzero(worse):
        one, other = fit.names[child[row]], fit.names[parent[row]]
        text = (
            f"the joint of {one} and {other} has gaps of {millimetres(pooled[row], 0)} mm here, "
            f"and of {millimetres(alone[row], 0)} mm without the other clips: one of the two was "
            "moved on its body between clips; fit such clips separately"
        )
        found.append(Finding("moved-between-clips", text, one, fit.tracks.name))
    return found
