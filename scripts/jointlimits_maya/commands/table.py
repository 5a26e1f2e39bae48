"""Commands that project into coupled limits and build skeletons, and the table of all commands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from jointlimits_core.base.errors import reader_words
from jointlimits_core.base.progress import Progress
from jointlimits_core.base.text import millimetres, names_words, plural

from ..base import actions
from ..scene import joints, undo
from .base import JointLimitsCommand, Reader, add_skipped, first_warning
from .limits import ApplyCommand, CheckCommand, ClearCommand, EstimateCommand, SwitchCommand
from .rigging import BakeCommand, MirrorCommand

if TYPE_CHECKING:
    from ..scene.results import ProjectKeysResult, ProjectResult, SkeletonResult, StopResult


class ProjectCommand(JointLimitsCommand):
    """``projectJointLimits``."""

    name = "projectJointLimits"
    summary = (
        "keeps joints inside their coupled limits from now on, with a node between each joint and "
        "its drivers, or removes these nodes, as one undo step. Meant for driven joints: "
        "on others, the Rotate tool and Set Key do nothing on rotate while the node is there; key "
        "its inputRotate, or use projectKeys."
    )
    groups = actions.PROJECT
    function = "projection.api:project_live"
    examples = (
        "cmds.projectJointLimits('rig:shoulder', limits='hero.limits.json', softness=2)",
        "cmds.projectJointLimits('rig:shoulder', projectOn=False)",
        'projectJointLimits -limits "hero.limits.json" -plainNodes true "rig:shoulder";',
    )

    @classmethod
    def plan(
        cls, names: Sequence[str], options: dict[str, Any], progress: Progress | None
    ) -> undo.Prepared[ProjectResult] | undo.Prepared[StopResult]:
        """Plan inserting or removing the nodes."""
        if options.pop("project_on", True):
            return super().plan(names, options, progress)
        from ..projection.api import stop_projecting
        from ..read.options import joint_choice_from_options

        return stop_projecting.plan(names, **joint_choice_from_options(options))

    @staticmethod
    def message(result: ProjectResult | StopResult, reader: Reader) -> tuple[str, str]:
        """Sentence and details about joints that are kept inside, or no longer are."""
        from jointlimits_core.rig.joint_drivers import POSED_BY_HAND

        from ..scene.results import StopResult

        if isinstance(result, StopResult):
            done = result.stopped
            nothing = "Nothing to remove: these joints are not projected."
            text = f"{plural(len(done), 'joint')} driven as before"
        else:
            done = result.projected
            nothing = "Nothing to do: these joints are already kept inside their shapes."
            text = f"{plural(len(done), 'joint')} kept inside by {result.form}"
            if result.by_hand:
                text += (
                    f"; {POSED_BY_HAND}: on {names_words(result.by_hand)}, key inputRotate of the "
                    "node, or remove the node and use projectKeys"
                )
        if not (done or result.skipped):
            return nothing, ""
        return add_skipped(text, result.skipped, reader)

    @staticmethod
    def is_complete(result: ProjectResult | StopResult) -> bool:
        """Whether nothing was skipped, and no joint has to be posed differently now."""
        return result.is_complete and not getattr(result, "by_hand", ())


class ProjectKeysCommand(JointLimitsCommand):
    """``projectKeys``."""

    name = "projectKeys"
    summary = (
        "moves keys that are outside coupled limits inside, as one undo step. Reports which keys "
        "moved and by how much, and where curves leave the limits between keys."
    )
    groups = actions.PROJECT_KEYS
    function = "projection.api:project_keys"
    examples = (
        "report = cmds.projectKeys('rig:shoulder', limits='hero.limits.json', timeRange='1:120')",
        "print(json.loads(report)['moved'])",
        'projectKeys -limits "hero.limits.json" -timeRange "playback" "rig:shoulder";',
    )

    @staticmethod
    def message(result: ProjectKeysResult, reader: Reader) -> tuple[str, str]:
        """Sentence and details about moved keys."""
        if not (result.moved or result.skipped):
            return "Every key is inside the limits.", ""
        keys = sum(len(one.frames) for one in result.moved)
        text = f"{plural(len(result.moved), 'joint')} moved inside at {plural(keys, 'key')}"
        worst = max(result.moved, key=lambda one: max(one.moved_deg), default=None)
        if worst is not None:
            text += f", by up to {max(worst.moved_deg):.1f} degrees ({worst.joint})"
        outside = [one for one in result.moved if one.outside_between]
        if outside:
            frames = sum(one.outside_between for one in outside)
            most = max(one.between_deg for one in outside)
            text += (
                f"; between keys, the curves are still outside at {plural(frames, 'frame')}, by "
                f"up to {most:.1f} degrees: bake a key on every frame and run this again"
            )
        return add_skipped(text, result.skipped, reader)


class SkeletonCommand(JointLimitsCommand):
    """``estimateSkeleton``."""

    name = "estimateSkeleton"
    summary = (
        "works out how animated transforms are connected and builds joints for them, keyed or "
        "following live, as one undo step; the transforms stay untouched."
    )
    takes = (
        "Start with tracked locators, groups or joints, or a group above them; default: the "
        "selection."
    )
    groups = actions.SKELETON
    function = "skeleton.api:estimate_skeleton"
    names_as = "sources"
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
        """Sentence and details about a built skeleton."""
        import numpy as np

        made = sum(len(figure.joints) for figure in result.figures)
        roots = " and ".join(joints.short_name(root) for root in result.roots)
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
        warnings = [reader_words(one.message, reader.naming).rstrip(".") for one in result.warnings]
        details = "\n".join(f"warning: {warning}" for warning in warnings)
        return text + first_warning(warnings), details


COMMANDS = (
    EstimateCommand,
    ApplyCommand,
    ClearCommand,
    MirrorCommand,
    SwitchCommand,
    CheckCommand,
    BakeCommand,
    ProjectCommand,
    ProjectKeysCommand,
    SkeletonCommand,
)
"""The commands that the plug-in registers."""
