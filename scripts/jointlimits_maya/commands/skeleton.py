"""The command that builds a skeleton from tracked transforms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..scene import Answer, Prepared
from .base import JointLimitsCommand, answered


class SkeletonCommand(JointLimitsCommand):
    """``estimateSkeleton``."""

    name = "estimateSkeleton"
    summary = (
        "works out how animated transforms are connected and builds joints for them, keyed or "
        "following live, as one undo; the transforms are untouched."
    )
    takes = (
        "Name tracked locators, groups or joints, or a group above them, first; else the selection "
        "is used."
    )
    groups = ("bodies", "chain", "time")
    examples = (
        "result = json.loads(cmds.estimateSkeleton('trackers', timeRange='1:240'))",
        "cmds.estimateJointLimits(result['figures'][0]['root'])",
        "cmds.estimateSkeleton('hips', 'thigh', 'shin', bodyRoot='hips', constrained=True)",
        'estimateSkeleton -bodyRoot "hips" -robust true "trackers";',
    )

    def plan(self, names: Sequence[str], options: dict[str, Any]) -> Prepared[Answer]:
        """Find the skeleton, and plan its joints."""
        from ..base import scene_progress
        from ..skeleton import api
        from . import sentences

        with scene_progress("Estimating the skeleton") as progress:
            prepared = api.prepare_skeleton(names, options, progress)
        return answered(prepared, sentences.skeleton_said)


SKELETON: tuple[type[JointLimitsCommand], ...] = (SkeletonCommand,)
