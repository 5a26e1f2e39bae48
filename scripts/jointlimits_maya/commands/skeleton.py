"""Command that builds a skeleton from tracked transforms, and the message of its result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jointlimits_core.base.errors import worded
from jointlimits_core.base.text import millimetres, plural

from ..base import actions
from ..scene.joints import short_name
from .base import JointLimitsCommand, Reader, first_warning

if TYPE_CHECKING:
    from ..scene.results import SkeletonResult


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
    groups = actions.SKELETON
    function = "skeleton.api:prepare_skeleton"
    progress = "Estimating the skeleton"
    removed = (
        *(("rob", "robust"), ("fsl", "findSlips"), ("fsw", "findSwaps")),
        *(("mli", "motionLines"), ("msd", "mirrorSides")),
    )
    examples = (
        "result = json.loads(cmds.estimateSkeleton('trackers', timeRange='1:240'))",
        "cmds.estimateJointLimits(result['figures'][0]['root'])",
        "cmds.estimateSkeleton('hips', 'thigh', 'shin', bodyRoot='hips', constrained=True)",
        'estimateSkeleton -bodyRoot "hips" -freeBeyond 40 "trackers";',
    )

    @staticmethod
    def message(result: SkeletonResult, reader: Reader) -> tuple[str, str]:
        """Sentence and details of a built skeleton."""
        import numpy as np

        made = sum(len(figure.joints) for figure in result.figures)
        roots = " and ".join(short_name(root) for root in result.roots)
        how = "following the tracks live" if result.constrained else "with a key on every frame"
        worst = max(result.fit.joints, key=lambda joint: joint.residual_m)
        usual = float(np.median([joint.residual_m for joint in result.fit.joints]))
        text = (
            f"{plural(made, 'joint')} below {roots}, {how}; "
            f"median joint gap {millimetres(usual)} mm, "
            f"widest {millimetres(worst.residual_m)} mm ({result.fit.names[worst.child]})."
        )
        if result.left_out:
            count = plural(len(result.left_out), "joint")
            text += f" Left out: {count} of a skeleton built earlier."
        warnings = [worded(one.message, reader.naming).rstrip(".") for one in result.warnings]
        details = "\n".join(f"warning: {warning}" for warning in warnings)
        return text + first_warning(warnings), details
