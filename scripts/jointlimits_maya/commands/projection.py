"""The commands that keep joints and keys inside coupled limits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..scene import Answer, Prepared
from .base import JointLimitsCommand, answered


class ProjectCommand(JointLimitsCommand):
    """``projectJointLimits``."""

    name = "projectJointLimits"
    summary = (
        "keeps joints inside their coupled limits from now on, with a node between each joint and "
        "what drives it, or removes that node, as one undo."
    )
    groups = ("scene", "limits", "project", "live")
    examples = (
        "cmds.projectJointLimits('rig:shoulder', limits='hero.limits.json', softness=2)",
        "cmds.projectJointLimits('rig:shoulder', projectOn=False)",
        'projectJointLimits -limits "hero.limits.json" -plainNodes true "rig:shoulder";',
    )

    def plan(self, names: Sequence[str], options: dict[str, Any]) -> Prepared[Answer]:
        """Plan inserting or removing the nodes."""
        from ..projection import api
        from . import sentences

        limits = options.pop("limits", None)
        if options.pop("project_on", True):
            prepared = api.prepare_project(limits, names, options)
            return answered(prepared, sentences.project_said)
        from ..read import CHOICE

        choice = {name: options[name] for name in CHOICE if name in options}
        return answered(api.prepare_stop(names, choice), sentences.stop_said)


class ProjectKeysCommand(JointLimitsCommand):
    """``projectKeys``."""

    name = "projectKeys"
    summary = (
        "moves keys that are outside coupled limits inside, as one undo. Reports which keys moved "
        "and by how much, and where curves leave the limits between keys."
    )
    groups = ("scene", "limits", "project", "keys")
    examples = (
        "report = cmds.projectKeys('rig:shoulder', limits='hero.limits.json', keyRange='1:120')",
        "print(json.loads(report)['moved'])",
        'projectKeys -limits "hero.limits.json" -keyRange "playback" "rig:shoulder";',
    )

    def plan(self, names: Sequence[str], options: dict[str, Any]) -> Prepared[Answer]:
        """Plan the new keys."""
        from ..projection import api
        from . import sentences

        limits = options.pop("limits", None)
        prepared = api.prepare_project_keys(limits, names, options)
        return answered(prepared, sentences.keys_said)


PROJECTING: tuple[type[JointLimitsCommand], ...] = (ProjectCommand, ProjectKeysCommand)
