"""Bodies whose markers are nearly on a line: how they are turned about it is hardly known."""

from __future__ import annotations

import numpy as np

from ..findings import Finding
from .cluster_pose import ClusterPose
from .marker_groups import MarkerGroup

THIN = 0.12
"""Extent across the line, as a share of that along it, below which it is told."""
LEAST_M = 0.001
"""Noise of a marker, taken for granted: markers on one bone slide together with its skin."""


def thin_finding(clip: str, group: MarkerGroup, pose: ClusterPose) -> Finding | None:
    """Tell of a group that it is thin, and what that means for its turns.

    Parameters
    ----------
    pose : ClusterPose
        The group's.

    Returns
    -------
    Finding or None
        None for a group that is as wide as it should be, and for limbs, which have no shape.
    """
    if group.limb:
        return None
    along, across = np.linalg.svd(pose.shape - pose.shape.mean(axis=0), compute_uv=False)[:2]
    if across >= THIN * along:
        return None
    # Of three coordinates of each marker the pose takes six.
    count = len(pose.shape)
    noise = max(pose.rms * float(np.sqrt(count / (3.0 * count - 6.0))), LEAST_M)
    message = (
        f"Its markers ({', '.join(group.markers)}) are nearly on a line: how it is turned about "
        f"that line is known to about {np.degrees(noise / across):.0f} degrees only. Put a marker "
        "farther off the line, or give the body a limb's frame (marker groups)."
    )
    return Finding("thin-cluster", message, group.name, clip)
