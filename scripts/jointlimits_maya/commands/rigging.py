"""Commands for riggers: mirroring of limits, and baking with limits off.

numpy is imported only when a command runs, so that the plug-in loads without it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jointlimits_core.base.text import plural

from ..base import actions
from .base import JointLimitsCommand, Reader, add_skipped
from .limits import clamping_clauses

if TYPE_CHECKING:
    from ..scene.results import BakeResult, WriteResult


class MirrorCommand(JointLimitsCommand):
    """``mirrorJointLimits``."""

    name = "mirrorJointLimits"
    summary = (
        "copies limits, degrees of freedom and preferred angles to the joints on the other side, "
        "mirrored, as one undo step."
    )
    groups = actions.MIRROR
    function = "limits.api:mirror_limits"
    progress = "Mirroring joint limits"
    examples = (
        "cmds.mirrorJointLimits('rig:hips', fromSide='right')",
        "cmds.mirrorJointLimits('rig:hips', fromSide='left')",
        'mirrorJointLimits -fromSide "right" "rig:hips";',
    )

    @staticmethod
    def message(result: WriteResult, reader: Reader) -> tuple[str, str]:
        """Sentence and details about mirrored limits."""
        text = f"Limits mirrored to {plural(len(result.written), result.noun)}"
        if result.unchanged:
            text += f", {len(result.unchanged)} already mirrored"
        elif not (result.written or result.left_off):
            text = "Nothing mirrored"
        return add_skipped(text + clamping_clauses(result), result.skipped, reader)


class BakeCommand(JointLimitsCommand):
    """``bakeJointLimits``."""

    name = "bakeJointLimits"
    summary = (
        "bakes driven joints to a key on every frame, with their limits temporarily off, as one "
        "undo step. Nothing is baked if that would change a pose."
    )
    groups = actions.BAKE
    function = "limits.baking:bake"
    progress = "Baking joints"
    examples = (
        "cmds.bakeJointLimits('rig:hips', timeRange='playback')",
        "cmds.bakeJointLimits('rig:hips', timeRange='1:120')",
        'bakeJointLimits -timeRange "1:120" "rig:hips";',
    )

    @staticmethod
    def message(result: BakeResult, reader: Reader) -> tuple[str, str]:
        """Sentence and details about baked joints."""
        first, last = result.frames
        text = f"{plural(len(result.baked), result.noun)} baked, frames {first:g} to {last:g}"
        if result.limited:
            text += f"; the limits of {len(result.limited)} were temporarily off"
        return f"{text}; no pose changed.", "\n".join(f"baked: {name}" for name in result.baked)
