"""Results in a sentence or two, for artists; the Script Editor has the details."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from jointlimits_core.applying.joint_plan import Skipped
from jointlimits_core.evaluation.check_result import CheckResult
from jointlimits_core.evaluation.check_text import check_text
from jointlimits_core.limits.limit_set import LimitSet
from jointlimits_core.table import table

from .results import ClearResult, SwitchResult, WriteResult


def counted(number: int, noun: str) -> str:
    """Give a number with its noun, as "1 joint"."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def estimate_said(limit_set: LimitSet) -> tuple[str, str]:
    """Sentence and details of an estimate."""
    limited = [
        name
        for name, joint in limit_set.joints.items()
        if any(limit.state != "free" for limit in joint.limits.values())
    ]
    types = Counter(limit_set.joints[name].type for name in limited)
    kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(types.items()))
    if not limited:
        return (
            f"No joint of {limit_set.character} has limits: nothing moved, or everything turned "
            "all the way round. The Script Editor says more.",
            table(limit_set),
        )
    return (
        f"{counted(len(limited), 'joint')} of {limit_set.character} with limits ({kinds}). "
        "Apply writes them; Results shows them.",
        table(limit_set),
    )


def apply_said(result: WriteResult) -> tuple[str, str]:
    """Sentence and details of writing limits."""
    parts = [f"Limits written on {counted(len(result.written), 'joint')}"]
    if result.unchanged:
        parts.append(f"{len(result.unchanged)} had them already")
    if result.frames is not None and result.frames.joints:
        parts.append(f"{len(result.frames.joints)} re-oriented")
    return _with_skipped(", ".join(parts), result.skipped)


def clear_said(result: ClearResult) -> tuple[str, str]:
    """Sentence and details of clearing."""
    if not (result.restored or result.skipped):
        return "Nothing to clear: no limits were applied to these joints.", ""
    text = f"{counted(len(result.restored), 'joint')} as before Apply"
    if result.frames_restored:
        text += f", {len(result.frames_restored)} of them turned back to their old frames"
    if result.changed_since:
        text += f", also {len(result.changed_since)} that somebody changed since"
    return _with_skipped(text, result.skipped)


def switch_said(result: SwitchResult) -> tuple[str, str]:
    """Sentence and details of switching."""
    state = "on" if result.on else "off"
    if not (result.switched or result.skipped):
        return f"No limits to switch {state}: apply some first.", ""
    return _with_skipped(
        f"Limits {state} on {counted(len(result.switched), 'joint')}", result.skipped
    )


def check_said(result: CheckResult) -> tuple[str, str]:
    """Sentence and details of a check of one motion."""
    found = result.clips[0].violations
    if found is None or result.passed:
        return "Every pose is inside the limits.", check_text(result)
    worst = max(found.bounds, key=lambda bound: bound.worst_deg)
    joints = len({bound.joint for bound in found.bounds})
    return (
        f"{counted(joints, 'joint')} outside the limits, {worst.joint} the furthest: "
        f"{worst.channel} by {worst.worst_deg:.1f} degrees at frame {worst.worst_frame:g}.",
        check_text(result),
    )


def _with_skipped(text: str, skipped: Sequence[Skipped]) -> tuple[str, str]:
    if not skipped:
        return f"{text}.", ""
    first = skipped[0]
    lines = [f"left alone: {_place(one)}: {one.reason}; {one.advice}" for one in skipped]
    return (
        f"{text}; {counted(len(skipped), 'thing')} left alone: {_place(first)} "
        f"({first.reason}; {first.advice}). The Script Editor lists all.",
        "\n".join(lines),
    )


def _place(one: Skipped) -> str:
    return f"{one.joint}.{one.attribute}" if one.attribute else one.joint
