"""The commands that estimate, apply, clear, switch and check limits.

Imports numpy only when a command runs, so that the plug-in loads without it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import maya.api.OpenMaya as om

from ..scene import Answer, Prepared
from .base import JointLimitsCommand, answered, json_of


class EstimateCommand(JointLimitsCommand):
    """``estimateJointLimits``."""

    name = "estimateJointLimits"
    summary = (
        "estimates joint types and limits from the animation and returns the limit set as JSON. "
        "Changes nothing in the scene."
    )
    groups = ("estimate", "scene", "time", "rest pose", "result", "with shapes", "coupled")
    can_query = "the latest limit set of these joints in this session, or an empty string"
    examples = (
        "limits = cmds.estimateJointLimits('rig:hips', strictness='robust', timeRange='1:240')",
        "cmds.applyJointLimits('rig:hips', limits=limits)",
        "limits = cmds.estimateJointLimits('rig:hips', coupled=True, shapeForm='hull')",
        'string $limits = `estimateJointLimits -padding 3 "rig:hips"`;',
    )

    def plan(self, names: Sequence[str], options: dict[str, Any]) -> Prepared[Answer]:
        """Estimate, and remember the result for ``applyJointLimits``."""
        from ..base import scene_progress
        from ..limits import api
        from ..scene import estimates
        from . import sentences

        with scene_progress("Estimating joint limits") as progress:
            found = api.prepare_estimate(names, options, progress).result
        estimates.keep(found, _chosen(names, options))
        is_whole = not sentences.to_look_at(found)
        answer = Answer(found.to_json(), sentences.estimate_said(found)[0], is_whole)
        return Prepared(answer)

    def query(self, names: Sequence[str], choice: Mapping[str, Any]) -> str:
        """Latest estimate as JSON."""
        from ..scene import estimates

        found = estimates.latest(_chosen(names, choice))
        return "" if found is None else found.to_json()


class ApplyCommand(JointLimitsCommand):
    """``applyJointLimits``."""

    name = "applyJointLimits"
    summary = (
        "writes limits, degrees of freedom and preferred angles to joints, as one undo. Reports "
        "what was written, what was skipped and why, and what to do."
    )
    groups = ("scene", "limits", "write")
    can_query = "the joints' rotation limits, and the record of what was applied"
    examples = (
        "cmds.applyJointLimits(limits='hero.limits.json', root='rig:hips')",
        "cmds.applyJointLimits(query=True)",
        'applyJointLimits -limits "hero.limits.json" -replace true "rig:hips";',
    )

    def plan(self, names: Sequence[str], options: dict[str, Any]) -> Prepared[Answer]:
        """Plan the writing."""
        from ..base import scene_progress
        from ..limits import api
        from . import sentences

        limits = options.pop("limits", None)
        with scene_progress("Reading the animation") as progress:
            prepared = api.prepare_apply(limits, names, options, progress)
        return answered(prepared, sentences.apply_said)

    def query(self, names: Sequence[str], choice: Mapping[str, Any]) -> str:
        """Limits and records of joints as JSON."""
        from ..read import applied_limits

        return json_of(applied_limits(_chosen(names, choice)))


class ClearCommand(JointLimitsCommand):
    """``clearJointLimits``."""

    name = "clearJointLimits"
    summary = "restores what joints had before limits were applied, as one undo."
    groups = ("scene",)
    examples = (
        "cmds.clearJointLimits('rig:hips')",
        "cmds.clearJointLimits(allJoints=True)",
        "clearJointLimits;",
    )

    def plan(self, names: Sequence[str], options: dict[str, Any]) -> Prepared[Answer]:
        """Plan the clearing."""
        from ..limits import api
        from . import sentences

        prepared = api.prepare_clear(names, options)
        return answered(prepared, sentences.clear_said)


class SwitchCommand(JointLimitsCommand):
    """``switchJointLimits``."""

    name = "switchJointLimits"
    summary = (
        "switches applied limits off for baking and recording, or on again, as one undo; their "
        "values stay."
    )
    groups = ("scene", "switch")
    examples = (
        "cmds.switchJointLimits('rig:hips', limitsOn=False, everybodys=True)",
        "cmds.switchJointLimits('rig:hips', limitsOn=True)",
        'switchJointLimits -limitsOn false "rig:hips";',
    )

    def plan(self, names: Sequence[str], options: dict[str, Any]) -> Prepared[Answer]:
        """Plan the switching."""
        from ..limits import api
        from . import sentences

        return answered(api.prepare_switch(None, names, options), sentences.switch_said)


class CheckCommand(JointLimitsCommand):
    """``checkJointLimits``."""

    name = "checkJointLimits"
    summary = (
        "finds the frames outside limits, bypassing limits that are switched on in the scene. "
        "Changes nothing in the scene."
    )
    groups = ("scene", "time", "limits", "check")
    examples = (
        "result = json.loads(cmds.checkJointLimits('rig:hips', limits='hero.limits.json'))",
        "print(result['passed'])",
        'checkJointLimits -timeRange "playback" -tolerance 1;',
    )

    def plan(self, names: Sequence[str], options: dict[str, Any]) -> Prepared[Answer]:
        """Check."""
        from ..base import scene_progress
        from ..limits import api
        from . import sentences

        limits = options.pop("limits", None)
        with scene_progress("Checking joint limits") as progress:
            result = api.prepare_check(limits, names, options, progress).result
        sentence, _ = sentences.check_said(result)
        return Prepared(Answer(json_of(result.to_dict()), sentence, result.passed))


LIMITS: tuple[type[JointLimitsCommand], ...] = (
    EstimateCommand,
    ApplyCommand,
    ClearCommand,
    SwitchCommand,
    CheckCommand,
)


def _chosen(names: Sequence[str], options: Mapping[str, Any]) -> list[om.MDagPath]:
    from ..read import joints_from_options

    return joints_from_options(names, options)
