"""Result of building a skeleton, as sentences.

Results as a sentence or two for artists, with details for the Script Editor.

Results of projecting joints and keys, as sentences.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from jointlimits_core.base import millimetres
from jointlimits_core.evaluation import CheckResult, Violations
from jointlimits_core.limits import LimitSet
from jointlimits_core.report.terminal import check_text, table
from jointlimits_core.rig import Skipped
from jointlimits_core.skeleton_fit import BodyFit

from ..scene import (
    NOT_CHOSEN,
    ClearResult,
    Clipped,
    ProjectKeysResult,
    ProjectResult,
    SkeletonResult,
    StopResult,
    SwitchResult,
    WriteResult,
    short_name,
)
from ..write import CLIPPED_DEG, clip_words, worst_first

MOST_CLIPS = 8
"""Channels listed in a question."""


DOUBTFUL = (
    *("too-few-samples", "outside-keys", "limits-in-the-way", "sparse-keys"),
    *("non-finite", "euler-flip"),
)
"""Findings shown in the message itself, not only in the details."""


def counted(number: int, noun: str) -> str:
    """Number with its noun, such as "1 joint"."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def estimate_said(limit_set: LimitSet) -> tuple[str, str]:
    """Sentence and details of an estimate."""
    limited = [
        name
        for name, joint in limit_set.joints.items()
        if joint.animated and any(limit.state != "free" for limit in joint.limits.values())
    ]
    types = Counter(limit_set.joints[name].type for name in limited)
    kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(types.items()))
    if not limited:
        return (
            f"No joint of {limit_set.character} has limits: nothing moved, or every joint turned "
            f"full circle. The Script Editor says more.{_noticed(limit_set)}",
            table(limit_set),
        )
    return (
        f"Limits found for {counted(len(limited), 'joint')} of {limit_set.character} ({kinds}). "
        f"Apply writes them; Results shows them.{_noticed(limit_set)}",
        table(limit_set),
    )


def to_look_at(limit_set: LimitSet) -> list[str]:
    """Warnings that may make the limits wrong."""
    joints = [(f"{name}: ", joint.findings) for name, joint in limit_set.joints.items()]
    return [
        f"{prefix}{finding.message.rstrip('.')}"
        for prefix, findings in [("", limit_set.findings), *joints]
        for finding in findings
        if finding.rule in DOUBTFUL
    ]


def _noticed(limit_set: LimitSet) -> str:
    """First warning, as a sentence; empty without warnings."""
    noticed = to_look_at(limit_set)
    if not noticed:
        return ""
    more = len(noticed) - 1
    rest = f" (and {counted(more, 'more warning')})" if more else ""
    return f" Warning: {noticed[0]}{rest}."


def apply_said(result: WriteResult) -> tuple[str, str]:
    """Sentence and details of writing limits."""
    if _is_of_others(result):
        return (
            "Nothing written: these limits are for other joints, such as "
            f"{result.skipped[0].joint}. Select their character, or estimate this one.",
            "\n".join(f"not selected: {one.joint}" for one in result.skipped),
        )
    parts = [f"Limits written on {counted(len(result.written), 'joint')}"]
    if not (result.written or result.unchanged):
        why = "" if result.skipped else ": no limits for these joints"
        parts = [f"Nothing written{why}"]
    if result.unchanged:
        parts.append(f"{len(result.unchanged)} already up to date")
    if result.frames is not None and result.frames.joints:
        parts.append(f"{len(result.frames.joints)} re-oriented")
    text, details = with_skipped(", ".join(parts) + _clipping(result.clips), result.skipped)
    without = [f"no limits: {name}: {why}" for name, why in result.why_without.items()]
    return text, "\n".join([*without, *([details] if details else [])])


def _is_of_others(result: WriteResult) -> bool:
    """Whether no selected joint has a name that the limits know."""
    reasons = {one.reason for one in result.skipped}
    return reasons == {NOT_CHOSEN} and not (result.written or result.unchanged or result.matched)


def clipping_asked(clips: Sequence[Clipped]) -> str:
    """Question before switching on limits that clamp animation; worst first."""
    joints = len({one.joint for one in clips})
    lines = [
        f"{one.joint}.{one.channel}: {_clipped(one)}" for one in worst_first(clips)[:MOST_CLIPS]
    ]
    if len(clips) > MOST_CLIPS:
        lines.append(f"... and {counted(len(clips) - MOST_CLIPS, 'channel')} more")
    flips = any(one.flips for one in clips)
    filtered = (
        "\n\nTo fix keys on another Euler branch, run an Euler filter on them "
        "(Graph Editor: Curves > Euler Filter)."
    )
    return (
        f"The limits would clamp {counted(joints, 'joint')}:\n\n"
        + "\n".join(lines)
        + (filtered if flips else "")
    )


def _clipping(clips: Sequence[Clipped]) -> str:
    """Clause about clamped joints, to end a sentence; empty if none is."""
    if not clips:
        return ""
    worst, joints = worst_first(clips)[0], counted(len({one.joint for one in clips}), "joint")
    return f"; they clamp {joints}, most of all {worst.joint}.{worst.channel}: {clip_words(worst)}"


def _clipped(one: Clipped) -> str:
    if not one.flips:
        return clip_words(one)
    some = "" if one.flips == one.frames else f"{one.flips} of them "
    return f"{clip_words(one)} ({some}on another Euler branch)"


def clear_said(result: ClearResult) -> tuple[str, str]:
    """Sentence and details of clearing."""
    if not (result.restored or result.skipped):
        return "Nothing to clear: no limits were applied to these joints.", ""
    text = f"State before Apply restored on {counted(len(result.restored), 'joint')}"
    if result.frames_restored:
        text += f", {len(result.frames_restored)} with their old orientation"
    if result.changed_since:
        text += f", {len(result.changed_since)} changed by hand since"
    return with_skipped(text, result.skipped)


def switch_said(result: SwitchResult) -> tuple[str, str]:
    """Sentence and details of switching."""
    state = "on" if result.on else "off"
    if not (result.switched or result.skipped):
        return f"No limits to switch {state}: apply limits first.", ""
    text = f"Limits switched {state} on {counted(len(result.switched), 'joint')}"
    return with_skipped(text + _clipping(result.clips), result.skipped)


def check_said(result: CheckResult) -> tuple[str, str]:
    """Sentence and details of a check of one motion."""
    every = [clip.violations for clip in result.clips if clip.violations is not None]
    if not every or result.passed:
        nearly = any(found.worst_deg > CLIPPED_DEG for found in every)
        but = f", to within {result.tolerance_deg:g} degrees" if nearly else ""
        return f"Every pose is inside the limits{but}.", check_text(result)
    bounds = [bound for found in every for bound in found.bounds]
    worst = max(bounds, key=lambda bound: bound.worst_deg)
    joints = len({bound.joint for bound in bounds})
    return (
        f"{counted(joints, 'joint')} outside the limits, most of all {worst.joint}: "
        f"{worst.channel} by {worst.worst_deg:.1f} degrees at frame {worst.worst_frame:g}."
        f"{_flips(every)}",
        check_text(result),
    )


def _flips(every: Sequence[Violations]) -> str:
    """Sentence about poses that are outside only by their Euler branch; empty if none is."""
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


def with_skipped(text: str, skipped: Sequence[Skipped]) -> tuple[str, str]:
    """Sentence and details, with what was skipped."""
    if not skipped:
        return f"{text}.", ""
    first = skipped[0]
    lines = [f"skipped: {_place(one)}: {one.reason}; {one.advice}" for one in skipped]
    return (
        f"{text}; {counted(len(skipped), 'item')} skipped: {_place(first)} "
        f"({first.reason}; {first.advice}). The Script Editor lists all.",
        "\n".join(lines),
    )


def _place(one: Skipped) -> str:
    return f"{one.joint}.{one.attribute}" if one.attribute else one.joint


def project_said(result: ProjectResult) -> tuple[str, str]:
    """Sentence and details of keeping joints inside."""
    if not (result.projected or result.skipped):
        return "Nothing to do: these joints are already kept inside their shapes.", ""
    text = f"{counted(len(result.projected), 'joint')} kept inside by {result.form}"
    return with_skipped(text, result.skipped)


def stop_said(result: StopResult) -> tuple[str, str]:
    """Sentence and details of removing projections."""
    if not (result.stopped or result.skipped):
        return "Nothing to remove: these joints are not projected.", ""
    text = f"{counted(len(result.stopped), 'joint')} driven as before"
    return with_skipped(text, result.skipped)


def keys_said(result: ProjectKeysResult) -> tuple[str, str]:
    """Sentence and details of new keys."""
    if not (result.moved or result.skipped):
        return "Every key is inside.", ""
    keys = sum(len(one.frames) for one in result.moved)
    text = f"{counted(len(result.moved), 'joint')} moved inside at {counted(keys, 'key')}"
    worst = max(result.moved, key=lambda one: max(one.moved_deg), default=None)
    if worst is not None:
        text += f", most of all {worst.joint}, by {max(worst.moved_deg):.1f} degrees"
    left = [one for one in result.moved if one.outside_between]
    if left:
        frames = sum(one.outside_between for one in left)
        most = max(one.between_deg for one in left)
        text += (
            f"; between keys, the curves are still outside at {counted(frames, 'frame')}, by up to "
            f"{most:.1f} degrees: bake a key on every frame and run this again"
        )
    return with_skipped(text, result.skipped)


def skeleton_said(result: SkeletonResult) -> tuple[str, str]:
    """Sentence and details of a built skeleton."""
    made = sum(len(figure.joints) for figure in result.figures)
    roots = " and ".join(short_name(root) for root in result.roots)
    how = "following the tracks live" if result.constrained else "with a key on every frame"
    text = f"{counted(made, 'joint')} below {roots}, {how}; {_gaps(result.fit)}."
    if result.left_out:
        text += f" Left out: {counted(len(result.left_out), 'joint')} of a skeleton built earlier."
    doubts = [finding.message.rstrip(".") for finding in result.to_look_at]
    if doubts:
        more = f" (and {counted(len(doubts) - 1, 'more warning')})" if len(doubts) > 1 else ""
        text += f" Warning: {doubts[0]}{more}."
    return text, "\n".join(f"warning: {doubt}" for doubt in doubts)


def _gaps(fit: BodyFit) -> str:
    """Median and widest gap of the joints."""
    worst = max(fit.joints, key=lambda joint: joint.residual_m)
    usual = float(np.median([joint.residual_m for joint in fit.joints]))
    return (
        f"median joint gap {millimetres(usual)} mm, "
        f"widest {millimetres(worst.residual_m)} mm ({fit.names[worst.child]})"
    )
