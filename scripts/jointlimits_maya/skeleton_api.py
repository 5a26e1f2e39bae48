"""A skeleton from tracked transforms, from names and options: what scripts and commands call.

The functions have the form of those in :mod:`.api`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jointlimits_core.progress import Progress

from .api import Names
from .prepared import Prepared
from .skeleton_results import JointQuality, SkeletonResult

SKELETON_OPTIONS = ("bodies", "chain", "time")
"""Groups of options that :func:`estimate_skeleton` takes."""


def estimate_skeleton(
    sources: Names = (), *, progress: Progress | None = None, **options: Any
) -> SkeletonResult:
    """Find how animated transforms hang together, and build that as joints beside them.

    Parameters
    ----------
    sources : str or sequence of str
        Locators, groups or joints, each one tracked thing; a group that does not move stands for
        what moves below it. The selection by default.
    progress : callable, optional
    **options
        Of the groups :data:`SKELETON_OPTIONS`.

    Returns
    -------
    SkeletonResult
        The sources are untouched; the root joints are selected. One undo takes it all back.

    Raises
    ------
    SceneError, EstimationError, ValueError
        Saying what to do next; nothing was changed.
    Cancelled
        If `progress` returned False.
    RuntimeError
        If Maya refused a change; everything is as it was.
    """
    raise NotImplementedError


def prepare_skeleton(
    sources: Names, options: Mapping[str, Any], progress: Progress | None = None
) -> Prepared[SkeletonResult]:
    """Plan :func:`estimate_skeleton`."""
    raise NotImplementedError


def joint_quality(joints: Names = (), **options: Any) -> dict[str, JointQuality]:
    """How well built joints fit their sources, as their attributes say.

    Parameters
    ----------
    joints : str or sequence of str
        Joints, or groups above them; the selection by default.
    **options
        Of the group "scene".

    Returns
    -------
    dict of joint name to JointQuality
        Of those joints that :func:`estimate_skeleton` built and that have a parent joint.
    """
    raise NotImplementedError
