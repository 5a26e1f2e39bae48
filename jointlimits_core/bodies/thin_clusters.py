"""Bodies with nearly collinear markers: their rotation about that line is poorly known."""

from __future__ import annotations

import numpy as np

from ..findings import Finding
from .cluster_pose import ClusterPose
from .marker_groups import MarkerGroup

THIN = 0.12
"""Extent across the line, as a share of that along it, below which a group is reported."""
LEAST_M = 0.001
"""Least noise of a marker: markers on one bone slide together with its skin."""


def thin_finding(clip: str, group: MarkerGroup, pose: ClusterPose) -> Finding | None:
    """Report a thin group, and what that means for its rotation.

    Parameters
    ----------
    pose : ClusterPose
        Pose of the group.

    Returns
    -------
    Finding or None
        None for a group that is wide enough, and for limbs, which have no shape.
    """
    if group.limb:
        return None
    along, across = np.linalg.svd(pose.shape - pose.shape.mean(axis=0), compute_uv=False)[:2]
    if across >= THIN * along:
        return None
    # The pose uses up six of the markers' coordinates.
    count = len(pose.shape)
    noise = max(pose.rms * float(np.sqrt(count / (3.0 * count - 6.0))), LEAST_M)
    message = (
        f"Its markers ({', '.join(group.markers)}) are nearly on a line: rotation about that line "
        f"is known only to within about {np.degrees(noise / across):.0f} degrees. Put a marker "
        "farther off the line, or give the body a limb's frame (marker groups)."
    )
    return Finding("thin-cluster", message, group.name, clip)
