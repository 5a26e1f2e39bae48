"""Commands that keep joints and keys inside coupled limits, and the messages of their results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from jointlimits_core.base.progress import Progress
from jointlimits_core.base.text import plural

from ..base import actions
from ..scene.undo import Prepared
from .base import JointLimitsCommand, Reader, with_skipped

if TYPE_CHECKING:
    from ..scene.results import ProjectKeysResult, ProjectResult, StopResult


class ProjectCommand(JointLimitsCommand):
    """``projectJointLimits``."""

    name = "projectJointLimits"
    summary = (
        "keeps joints inside their coupled limits from now on, with a node between each joint and "
        "what drives it, or removes that node, as one undo."
    )
    groups = actions.PROJECT
    function = "projection.api:prepare_project"
    examples = (
        "cmds.projectJointLimits('rig:shoulder', limits='hero.limits.json', softness=2)",
        "cmds.projectJointLimits('rig:shoulder', projectOn=False)",
        'projectJointLimits -limits "hero.limits.json" -plainNodes true "rig:shoulder";',
    )

    @classmethod
    def plan(
        cls, names: Sequence[str], options: dict[str, Any], progress: Progress | None
    ) -> Prepared[ProjectResult] | Prepared[StopResult]:
        """Plan inserting or removing the nodes."""
        if options.pop("project_on", True):
            return super().plan(names, options, progress)
        from ..projection.api import prepare_stop
        from ..read.options import joint_choice_from_options

        return prepare_stop(names, joint_choice_from_options(options))

    @staticmethod
    def message(result: ProjectResult | StopResult, reader: Reader) -> tuple[str, str]:
        """Sentence and details of keeping joints inside, or of no longer doing so."""
        from ..scene.results import StopResult

        if isinstance(result, StopResult):
            done = result.stopped
            nothing = "Nothing to remove: these joints are not projected."
            text = f"{plural(len(done), 'joint')} driven as before"
        else:
            done = result.projected
            nothing = "Nothing to do: these joints are already kept inside their shapes."
            text = f"{plural(len(done), 'joint')} kept inside by {result.form}"
        if not (done or result.skipped):
            return nothing, ""
        return with_skipped(text, result.skipped, reader)


class ProjectKeysCommand(JointLimitsCommand):
    """``projectKeys``."""

    name = "projectKeys"
    summary = (
        "moves keys that are outside coupled limits inside, as one undo. Reports which keys moved "
        "and by how much, and where curves leave the limits between keys."
    )
    groups = actions.PROJECT_KEYS
    function = "projection.api:prepare_project_keys"
    examples = (
        "report = cmds.projectKeys('rig:shoulder', limits='hero.limits.json', timeRange='1:120')",
        "print(json.loads(report)['moved'])",
        'projectKeys -limits "hero.limits.json" -timeRange "playback" "rig:shoulder";',
    )

    @staticmethod
    def message(result: ProjectKeysResult, reader: Reader) -> tuple[str, str]:
        """Sentence and details of new keys."""
        if not (result.moved or result.skipped):
            return "Every key is inside.", ""
        keys = sum(len(one.frames) for one in result.moved)
        text = f"{plural(len(result.moved), 'joint')} moved inside at {plural(keys, 'key')}"
        worst = max(result.moved, key=lambda one: max(one.moved_deg), default=None)
        if worst is not None:
            text += f", most of all {worst.joint}, by {max(worst.moved_deg):.1f} degrees"
        outside = [one for one in result.moved if one.outside_between]
        if outside:
            frames = sum(one.outside_between for one in outside)
            most = max(one.between_deg for one in outside)
            text += (
                f"; between keys, the curves are still outside at {plural(frames, 'frame')}, by "
                f"up to {most:.1f} degrees: bake a key on every frame and run this again"
            )
        return with_skipped(text, result.skipped, reader)
