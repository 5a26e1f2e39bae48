"""Commands that estimate, apply, clear, switch and check limits, and messages about their results.

numpy is imported only when a command runs, so that the plug-in loads without it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from jointlimits_core.base.errors import OptionText, reader_words
from jointlimits_core.base.text import plural, plural_noun

from ..base import actions
from ..scene.undo import Prepared
from .base import JointLimitsCommand, Reader, add_skipped, first_warning, json_of

if TYPE_CHECKING:
    from jointlimits_core.base.progress import Progress
    from jointlimits_core.evaluation import check_result, violations
    from jointlimits_core.limits.limit_set import LimitSet

    from ..scene.estimates import Estimate
    from ..scene.results import ClearResult, Outcome, SwitchResult, WriteResult


WARNING_RULES = (
    *("too-few-samples", "outside-keys", "limits-in-the-way", "sparse-keys"),
    *("non-finite", "euler-flip"),
)
"""Rules whose findings appear in the message itself, not only in the details."""


class EstimateCommand(JointLimitsCommand):
    """``estimateJointLimits``."""

    name = "estimateJointLimits"
    summary = (
        "estimates joint types and limits from the animation and returns the limit set as JSON, or "
        "where it is saved. "
        "Changes nothing in the scene."
    )
    groups = (*actions.ESTIMATE, "answer")
    function = "limits.api:estimate"
    progress = "Estimating joint limits"
    can_query = "the latest limit set for these joints in this session, or an empty string"
    examples = (
        "limits = cmds.estimateJointLimits('rig:hips', strictness='robust', timeRange='1:240')",
        "cmds.applyJointLimits('rig:hips', limits=limits)",
        "limits = cmds.estimateJointLimits('rig:hips', coupled=True, shapeForm='hull')",
        "path = json.loads(cmds.estimateJointLimits('rig:hips', brief=True))['path']",
        'string $limits = `estimateJointLimits -padding 3 "rig:hips"`;',
    )

    @classmethod
    def plan(
        cls, names: Sequence[str], options: dict[str, Any], progress: Progress | None
    ) -> Prepared[Any]:
        """Estimate; a brief answer needs the limit set in a file."""
        from ..read.options import joints_from_options, values_of
        from ..scene import estimates

        is_brief = options.pop("brief", False)
        found = super().plan(names, options, progress).result
        if not is_brief:
            return Prepared(estimates.Estimate(found))
        joints = joints_from_options(names, values_of(options, actions.ESTIMATE))
        return Prepared(estimates.save(found, joints))

    @staticmethod
    def message(result: Estimate, reader: Reader) -> tuple[str, str]:
        """Sentence and details about an estimate."""
        from jointlimits_core.limits.ranges import unmoved_joints
        from jointlimits_core.limits.review_entries import review
        from jointlimits_core.report.terminal.limits import table

        limit_set, path = result
        unmoved = unmoved_joints(limit_set)
        limited = [
            joint
            for name, joint in limit_set.joints.items()
            if name not in unmoved and any(limit.state != "free" for limit in joint.limits.values())
        ]
        found = review(limit_set)
        first = f", first: {found.first[0].text}" if found.entries else ""
        noun = limit_set.noun
        kinds = sorted(Counter(joint.type for joint in limited).items())
        text = (
            f"Limits found for {plural(len(limited), noun)} of {limit_set.character} "
            f"({', '.join(f'{count} {kind}' for kind, count in kinds)}). "
            f"{found.sentence()}{first}. Apply writes them; Results shows them."
        )
        if not limited:
            text = (
                f"No {noun} of {limit_set.character} has limits: nothing moved, or every {noun} "
                f"turned full circle. {reader.details} says more."
            )
        details = table(limit_set) + ("" if path is None else f"\n\nSaved to {path}")
        return text + first_warning(warnings_of(limit_set)), details

    @staticmethod
    def is_complete(result: Estimate) -> bool:
        """Whether the limits have no warning and no review entry."""
        from jointlimits_core.limits.review_entries import review

        return not (warnings_of(result.limit_set) or review(result.limit_set).entries)

    @staticmethod
    def answer(result: Estimate) -> str:
        """Limit set as JSON, or the character's name and the path of the JSON."""
        if result.path is None:
            return result.limit_set.to_json()
        return json_of({"character": result.limit_set.character, "path": str(result.path)})

    def query(self, names: Sequence[str], choice: Mapping[str, Any]) -> str:
        """Latest estimate as JSON."""
        from ..read.options import joints_from_options
        from ..scene import estimates

        found = estimates.latest(joints_from_options(names, choice))
        return "" if found is None else found.to_json()


class ApplyCommand(JointLimitsCommand):
    """``applyJointLimits``."""

    name = "applyJointLimits"
    summary = (
        "writes limits, degrees of freedom and preferred angles to joints, as one undo step. "
        "Reports what was written, what was skipped and why, and what to do."
    )
    groups = actions.APPLY
    function = "limits.api:apply"
    progress = "Reading the animation"
    can_query = "the joints' rotation limits, and the record of what was applied"
    examples = (
        "cmds.applyJointLimits(limits='hero.limits.json', root='rig:hips')",
        "cmds.applyJointLimits(query=True)",
        'applyJointLimits -limits "hero.limits.json" -replace true "rig:hips";',
    )

    @staticmethod
    def message(result: WriteResult, reader: Reader) -> tuple[str, str]:
        """Sentence and details about written limits."""
        from ..scene.results import NOT_CHOSEN

        none_fits = {one.reason for one in result.skipped} == {NOT_CHOSEN}
        if none_fits and not (result.written or result.unchanged or result.matched):
            return (
                f"Nothing written: these limits are for other {plural_noun(result.noun)}, such as "
                f"{result.skipped[0].joint}. Select their character, or estimate this one.",
                "\n".join(f"not selected: {one.joint}" for one in result.skipped),
            )
        parts = [f"Limits written on {plural(len(result.written), result.noun)}"]
        if not (result.written or result.unchanged or result.left_off):
            why = "" if result.skipped else f": no limits for these {plural_noun(result.noun)}"
            parts = [f"Nothing written{why}"]
        if result.unchanged:
            parts.append(f"{len(result.unchanged)} already up to date")
        if result.frames is not None and result.frames.joints:
            parts.append(f"{len(result.frames.joints)} re-oriented")
        text = ", ".join(parts) + clamping_clauses(result) + _following_clause(result, reader)
        filtered = result.filtered
        if result.boxed:
            text += f"; {len(result.boxed)} as boxes in another rotate order"
        if filtered is not None and filtered.joints:
            text += f"; {filtered.sentence()}"
        text, details = add_skipped(text, result.skipped, reader)
        without = [
            f"no limits: {name}: {reader_words(why, reader.naming)}"
            for name, why in result.why_without.items()
        ]
        keys = [] if filtered is None else filtered.lines()
        kept = [one.kept_line() for one in result.still_clamped]
        kept += [f"{name}: {why}" for name, why in result.boxed.items()]
        left_off = [
            f"left off: {one.joint}.{one.channel}: would change {one.words()}; "
            f"{reader_words(one.remedy(), reader.naming)}"
            for one in result.left_off
        ]
        driven = [
            f"{'left off: follows a control' if name in result.following else 'driven'}: "
            f"{name}: {driver.words()}"
            for name, driver in result.drivers.items()
        ]
        lines = [*left_off, *driven, *kept, *keys, *without]
        return text, "\n".join([*lines, *([details] if details else [])])

    def query(self, names: Sequence[str], choice: Mapping[str, Any]) -> str:
        """Limits and records of joints as JSON."""
        from ..read.limits import applied_limits
        from ..read.options import joints_from_options

        return json_of(applied_limits(joints_from_options(names, choice)))


class ClearCommand(JointLimitsCommand):
    """``clearJointLimits``."""

    name = "clearJointLimits"
    summary = "restores joints to their state before limits were applied, as one undo step."
    groups = actions.CLEAR
    function = "limits.api:clear"
    examples = (
        "cmds.clearJointLimits('rig:hips')",
        "cmds.clearJointLimits(allJoints=True)",
        "clearJointLimits;",
    )

    @staticmethod
    def message(result: ClearResult, reader: Reader) -> tuple[str, str]:
        """Sentence and details about cleared limits."""
        if not (result.restored or result.skipped):
            kind = plural_noun(result.noun)
            return f"Nothing to clear: no limits were applied to these {kind}.", ""
        text = f"{plural(len(result.restored), result.noun)} restored to the state before Apply"
        if result.frames_restored:
            text += f", {len(result.frames_restored)} with their old orientation"
        if result.changed_since:
            text += f", {len(result.changed_since)} changed by hand since"
        return add_skipped(text, result.skipped, reader)


class SwitchCommand(JointLimitsCommand):
    """``switchJointLimits``."""

    name = "switchJointLimits"
    summary = (
        "switches applied limits off for baking and recording, or on again, as one undo step; "
        "their values stay."
    )
    groups = actions.SWITCH
    function = "limits.api:switch_limits"
    examples = (
        "cmds.switchJointLimits('rig:hips', limitsOn=False, everybodys=True)",
        "cmds.switchJointLimits('rig:hips', limitsOn=True)",
        'switchJointLimits -limitsOn false "rig:hips";',
    )

    @staticmethod
    def message(result: SwitchResult, reader: Reader) -> tuple[str, str]:
        """Sentence and details about switched limits."""
        state = "on" if result.on else "off"
        if not (result.switched or result.skipped or result.following):
            return f"No limits to switch {state}: apply limits first.", ""
        text = f"Limits switched {state} on {plural(len(result.switched), result.noun)}"
        if result.following:
            apply = OptionText("apply them with ", "enable_driven")
            text += (
                f"; {len(result.following)} left off because they follow controls "
                f"({reader_words(apply, reader.naming)})"
            )
        return add_skipped(text + clamping_clauses(result), result.skipped, reader)


class CheckCommand(JointLimitsCommand):
    """``checkJointLimits``."""

    name = "checkJointLimits"
    summary = (
        "finds the frames outside limits, bypassing limits that are switched on in the scene. "
        "Changes nothing in the scene."
    )
    groups = actions.CHECK
    function = "limits.api:check"
    progress = "Checking joint limits"
    examples = (
        "result = json.loads(cmds.checkJointLimits('rig:hips', limits='hero.limits.json'))",
        "print(result['passed'])",
        "cmds.checkJointLimits('rig:hips', forFrames=30, forFramesOf='*Knee.X.min=1')",
        'checkJointLimits -timeRange "playback" -tolerance 1;',
    )

    @staticmethod
    def message(result: check_result.CheckResult, reader: Reader) -> tuple[str, str]:
        """Sentence and details about a check of one motion."""
        from jointlimits_core.report.terminal.check import check_text
        from jointlimits_core.rig.clamping import MIN_CLAMPED_DEG

        every = [clip.violations for clip in result.clips if clip.violations is not None]
        joints = result.joints()
        if result.passed and joints:
            text = f"{plural(len(joints), result.noun)} outside the limits, as the rules allow."
            return text, check_text(result)
        if not every or result.passed:
            nearly = any(found.worst_deg > MIN_CLAMPED_DEG for found in every)
            but = f", to within {result.tolerance_deg:g} degrees" if nearly else ""
            return f"Every pose is inside the limits{but}.", check_text(result)
        worst = joints[0].item
        failed = sum(not one.item.passed for one in joints)
        return (
            f"{plural(failed, result.noun)} outside the limits, worst at {worst.joint}: "
            f"{worst.channel} by {worst.worst_deg:.1f} degrees at frame {worst.worst_frame:g}."
            f"{_flips(every)}",
            check_text(result),
        )

    @staticmethod
    def is_complete(result: check_result.CheckResult) -> bool:
        """Whether every pose is inside the limits."""
        return result.passed


def warnings_of(limit_set: LimitSet) -> list[str]:
    """Warnings about anything that may make limits wrong; joints without limits are left out."""
    joints = [
        (f"{name}: ", joint.findings)
        for name, joint in limit_set.joints.items()
        if any(axis.state != "free" for axis in joint.limits.values())
    ]
    return [
        f"{prefix}{finding.message.rstrip('.')}"
        for prefix, findings in [("", limit_set.findings), *joints]
        for finding in findings
        if finding.rule in WARNING_RULES
    ]


def clamping_clauses(result: Outcome) -> str:
    """Clauses about channels left off and poses that change; empty if there are neither."""
    from jointlimits_core.rig.clamping import clamping_words

    parts = (
        (result.left_off, "left off"),
        (result.clips, "poses change on"),
        (result.still_clamped, "existing limits still clamp"),
    )
    return "".join(
        f"; {words} {clamping_words(found, result.noun)}, "
        f"worst at {found[0].joint}.{found[0].channel}: {found[0].words()}"
        for found, words in parts
        if found
    )


def _following_clause(result: WriteResult, reader: Reader) -> str:
    """Clause about joints whose limits are left off; empty if there are none."""
    from jointlimits_core.rig.joint_drivers import separates

    if not result.following:
        return ""
    (joint, driver), *_ = result.controls.items()
    but = reader_words(OptionText("", "enable_driven", " overrides this"), reader.naming)
    count, follows = len(result.following), f"{joint} follows {driver.control}"
    return f"; {count} left off: {follows}, and {separates(result.noun)} ({but})"


def _flips(every: Sequence[violations.Violations]) -> str:
    """Sentence about poses that are outside only because of their Euler branch; else empty."""
    flipped = [
        one.joint
        for found in every
        for one in found.findings
        if one.rule == "other-branch" and found.branch == "keys"
    ]
    if not flipped:
        return ""
    keyed = "joint is" if len(flipped) == 1 else "joints are"
    return (
        f" {len(flipped)} {keyed} keyed on another Euler branch: the poses are inside the limits, "
        "but Maya would clamp them; run an Euler filter (Graph Editor: Curves > Euler Filter)."
    )
