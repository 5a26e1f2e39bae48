"""Steps that settle review entries, and what they cost in frames of a joint.

A step is the smallest that settles its entry: frames are excluded for the joint in question only. A
step that would cost many of the joint's frames comes with an alternative. A joint with too many
stretches of bad frames is left out of the whole clip.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import ceil, floor
from shlex import quote
from typing import TYPE_CHECKING

from ..base.findings import Finding
from ..base.text import names_words, plural, printable
from .exclusions import EXCLUDED_RULES, exclude_flag

if TYPE_CHECKING:
    from .limit_set import ClipRecord, LimitSet
    from .review_entries import ReviewEntry

LASTING = ("zero-slip",)
"""Faults after which a joint's angles stay shifted."""
MAX_ONLY_SHARE, MAX_FIRST_SHARE = 0.05, 0.1
"""Largest share of a joint's frames to exclude as the only step, and as the first of two."""
MAX_STRETCHES = 2
"""Beyond the second share, joints with more bad stretches than this are left out of the clip."""
KEEP, EDIT = "Keep as is", "jointlimits edit LIMITS.json --out NEW.json"

Run = tuple[str, float, float]
"""Clip, first and last frame."""


@dataclass(frozen=True)
class Action:
    """One step that settles an entry."""

    kind: str
    """One of "exclude" (frames), "exclude-clip" (all of them), "limit" or "type" (to set one),
    "orient" (as suggested), "fit" (a shape), "pin" (joints), or "show" (a problem to fix in the
    scene)."""
    text: str
    """Label for a button, with the cost of the step."""
    flag: str = ""
    """Arguments of ``jointlimits estimate``, or another command, quoted for a shell."""
    frames: tuple[Run, ...] = ()
    """Frames to leave out."""
    clip: str | None = None
    joint: str | None = None
    channel: str | None = None
    side: str | None = None
    value: float | str | None = None
    """Degrees of a limit, or the name of a type."""
    joints: tuple[str, ...] = ()
    """Joints whose frames or clip are left out, or that are pinned; empty for the whole body."""


# Steps


def excluding(items: Sequence[Finding]) -> Action:
    """Action that leaves out the frames of findings for the joint in question."""
    frames = tuple(
        (item.clip, first, last)
        for item in items
        if item.clip is not None
        for first, last in item.frame_ranges
    )
    joint = items[0].joint
    return Action("exclude", "Exclude these frames", "", frames, joints=(joint,) if joint else ())


def keeping(joints: Sequence[str], entry: ReviewEntry | None = None) -> Action:
    """Action that pins the limit of an entry, or all limits of joints."""
    places = list(joints)
    if entry is not None and entry.channel and entry.side and len(places) == 1:
        places = [".".join(part for part in entry.place if part)]
    flag = f"{EDIT} {' '.join(f'--pin {quote(place)}' for place in places)}"
    return Action("pin", KEEP, flag, joint=joints[0], joints=tuple(joints))


def with_cost(limit_set: LimitSet, entry: ReviewEntry) -> ReviewEntry:
    """Entry whose exclusion states its cost, with an alternative step if the cost is high.

    A joint with too many bad stretches is left out of the clips in question instead. Otherwise, if
    the cost is very high, the first step is to keep everything as it is.
    """
    action, joints = entry.action, entry.action.joints
    whole, named = sum(clip.frames for clip in limit_set.clips), {run[0] for run in action.frames}
    clips = [clip for clip in limit_set.clips if clip.name in named]
    if not clips:
        return entry
    runs = (*action.frames, *excluded_runs(limit_set, entry.joint))
    lost = frame_count(clips, runs) / whole
    is_all = bool(joints) and lost > MAX_FIRST_SHARE and len(runs) > MAX_STRETCHES
    step = _of_clips(clips, joints) if is_all else _of_frames(clips, action.frames, joints, whole)
    if entry.other is not None:  # its frames are left out already
        text = step.text.replace("Exclude", "Leave out")
        return replace(entry, action=replace(step, text=text))
    own = joints or _joints_limited_by(limit_set, step.frames)
    if lost <= MAX_ONLY_SHARE or not own:
        return replace(entry, action=step)
    keep = keeping(own, entry if joints else None)
    action, other = (step, keep) if is_all or lost <= MAX_FIRST_SHARE else (keep, step)
    return replace(entry, action=action, other=other)


def _of_clips(clips: Sequence[ClipRecord], joints: tuple[str, ...]) -> Action:
    """Action that leaves joints out of whole clips."""
    where = printable(clips[0].name) if len(clips) == 1 else plural(len(clips), "clip")
    runs = tuple((clip.name, clip.first_frame, clip.last_frame) for clip in clips)
    flag = exclude_flag(((clip.name, None, None) for clip in clips), joints)
    text, clip = f"Leave {names_words(joints)} out of {where}", clips[0].name
    return Action("exclude-clip", text, flag, runs, clip, joints=joints)


def _of_frames(
    clips: Sequence[ClipRecord], frames: Sequence[Run], joints: tuple[str, ...], whole: int
) -> Action:
    """Action that excludes frames of joints, or of the whole body, out of `whole` frames."""
    runs = _merge_runs(clips, frames)
    text = f"Exclude {frame_count(clips, runs):,} of {whole:,} frames"
    text += f" of {names_words(joints)}" if joints else ""
    text += f" in {plural(len(clips), 'clip')}" if len(clips) > 1 else ""
    return Action("exclude", text, exclude_flag(runs, joints), runs, joints=joints)


def _joints_limited_by(limit_set: LimitSet, runs: Sequence[Run]) -> list[str]:
    """Joints with a limit that was reached in these frames."""
    return [
        name
        for name, joint in limit_set.joints.items()
        if any(
            clip == end.clip and is_within(end.frame, [(first, last)])
            for axis in joint.limits.values()
            for end in axis.source.known
            for clip, first, last in runs
        )
    ]


# Frames


def frame_step(clip: ClipRecord) -> float:
    """Distance between frame numbers; whole if they are whole, even if frames are missing."""
    step = clip.frame_step or 1.0
    is_whole = clip.first_frame.is_integer() and clip.last_frame.is_integer()
    return float(floor(step)) if is_whole and step >= 1.0 else step


def _merge_runs(clips: Sequence[ClipRecord], runs: Iterable[Run]) -> tuple[Run, ...]:
    """Runs of frames in these clips, joined where they overlap or touch, to 3 decimals."""
    found: list[Run] = []
    by_name = {clip.name: clip for clip in clips}
    for name, *ends in sorted(run for run in runs if run[0] in by_name):
        clip = by_name[name]
        first = floor(1000.0 * max(ends[0], clip.first_frame)) / 1000.0
        last = ceil(1000.0 * min(ends[1], clip.last_frame)) / 1000.0
        if found and found[-1][0] == name and first <= found[-1][2] + 1.01 * frame_step(clip):
            _, first, before = found.pop()
            last = max(last, before)
        found.append((name, first, last))
    return tuple(found)


def frame_count(clips: Sequence[ClipRecord], runs: Iterable[Run]) -> int:
    """Number of frames in runs, which may overlap."""
    steps = {clip.name: frame_step(clip) for clip in clips}
    every = _merge_runs(clips, runs)
    return sum(max(round((last - first) / steps[name]) + 1, 0) for name, first, last in every)


def excluded_runs(limit_set: LimitSet, joint: str) -> list[Run]:
    """Frames that an artist excluded for a joint, or for the whole body."""
    own = limit_set.joints[joint].findings if joint in limit_set.joints else ()
    return [
        (item.clip or "", first, last)
        for item in (*limit_set.findings, *own)
        if item.rule in EXCLUDED_RULES and item.joint in (None, joint)
        for first, last in item.frame_ranges
    ]


def is_excluded(limit_set: LimitSet, entry: ReviewEntry) -> bool:
    """Whether an artist excluded all frames that an entry would."""
    gone, wanted = excluded_runs(limit_set, entry.joint), entry.action.frames
    both = frame_count(limit_set.clips, (*wanted, *gone))
    return bool(wanted and gone) and both == frame_count(limit_set.clips, gone)


def is_within(frame: float | None, ranges: Sequence[tuple[float, float]]) -> bool:
    """Whether a known frame is in one of several ranges."""
    return frame is not None and any(first <= frame <= last for first, last in ranges)
