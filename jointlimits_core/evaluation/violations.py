"""Limit violations in a clip: frames, worst frame and worst excess.

The limits are ranges, ranges that depend on another channel, and coupled limits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from ..base.findings import Finding
from ..base.text import channel_letter, number, plural
from ..geometry.arrays import Booleans, Floats, frame_ranges, runs
from ..geometry.branches import mixes_branches
from ..geometry.circle import euler_in_box
from ..geometry.euler import CHANNELS
from ..limits.layers import active_dependencies, active_shapes
from ..limits.limit_set import LimitSet
from ..motion.motion import Motion
from ..shapes.fitting import shape_of_limit
from .alignment import AlignedClip, align, outside_by
from .by_limit import ByLimit, Given, by_limit

TOLERANCE_DEG = 0.1
"""Default tolerance of a check, degrees.

Processing that keeps the motion (writing five digits, resampling, an Euler filter, another
program's curves) changes a channel by hundredths of a degree. A tenth is more than that, yet too
small to see: 1.7 mm at a distance of one metre.
"""


@dataclass(frozen=True)
class LimitViolation:
    """One limit (min or max, or a shape) and the frames beyond it."""

    joint: str
    """Name in the limits."""
    channel: str
    """A rotate channel, or "shape" for a coupled limit."""
    side: str
    """Either "min" or "max"; for a shape, its kind."""
    bound_deg: float
    """Limit that is exceeded; 0 for a shape, which has no single limit."""
    frames: int
    """Number of frames beyond the limit by more than the tolerance."""
    frame_ranges: tuple[tuple[float, float], ...]
    """Runs of these frames as (first, last), in the source's frame numbers."""
    worst_deg: float
    """Largest excess in degrees."""
    worst_frame: float
    worst_value_deg: float
    """Channel value in the worst frame, on the compared branch; for a shape, the excess."""
    on_joint: str | None = None
    on_channel: str | None = None
    """Channel that the limit depends on, if any; `bound_deg` is the limit in the worst frame."""
    on_value_deg: float | None = None
    """Value of that channel in the worst frame."""
    share_percent: float = 0.0
    """Share of the clip's frames beyond the limit."""
    longest: int = 0
    """Number of frames in the longest run."""
    counted: int = 0
    """Number of frames in runs that are long enough to count."""
    passed: bool = False
    """Whether the violation passes the check."""
    rule: str = "tolerance"
    """Option that decided: tolerance, for, allow or baseline."""
    rule_value: float = 0.0
    """Value of that option for this limit; for a baseline, the worst degrees in it."""
    baseline_deg: float | None = None
    """Worst degrees in the baseline, if it has an entry."""

    def verdict(self) -> str:
        """Verdict with the rule behind it: "failed", "passed: allow 5", "failed: for 30"."""
        own = () if self.rule in ("tolerance", "baseline") else (self.rule,)
        rules = [f"{rule} {self.rule_value:g}" for rule in own]
        if self.baseline_deg is not None and (self.rule == "baseline" or not self.passed):
            rules.append(f"baseline {number(self.baseline_deg)}")
        verdict = "passed" if self.passed else "failed"
        return f"{verdict}: {', '.join(rules)}" if rules else verdict

    def label(self, digits: int = 1, written: Callable[[float, int], str] = number) -> str:
        """Label of the limit: "X max 45.0", or the kind of the shape.

        A limit that depends on another channel names that channel: "X max 45.0 with hip Z at 20.0".
        `written` formats an angle, given its value and the number of decimals.
        """
        if self.channel == "shape":
            return "shape (its axes)" if self.side == "flat" else f"shape ({self.side})"
        words = f"{channel_letter(self.channel)} {self.side} {written(self.bound_deg, digits)}"
        if self.on_joint is None or self.on_channel is None or self.on_value_deg is None:
            return words
        there = written(self.on_value_deg, digits)
        return f"{words} with {self.on_joint} {channel_letter(self.on_channel)} at {there}"


@dataclass(frozen=True, eq=False)
class Violations:
    """Comparison of one clip with a limit set."""

    clip: str
    frames: Floats
    """Frame numbers of the source, shape (frames,)."""
    frame_rate: float
    """Frames per second."""
    tolerance: ByLimit
    """Tolerances, degrees."""
    branch: str
    """See :func:`jointlimits_core.evaluation.alignment.align`."""
    joints: tuple[str, ...]
    """Compared joints, by their names in the limits."""
    outside_deg: Floats
    """Largest excess of any channel, shape (joints, frames); 0 inside."""
    is_outside: Booleans
    """Whether a joint is outside by more than the tolerance, shape (joints, frames)."""
    bounds: tuple[LimitViolation, ...]
    """Limits exceeded by more than the tolerance, worst first."""
    missing: tuple[str, ...]
    """Joints of the limits that are not in the motion."""
    findings: tuple[Finding, ...]
    """Notes that are not violations: poses inside the limits but keyed on another branch
    ("other-branch"; with branch "keys" they are violations too), frames left out, and joints with a
    different orientation."""

    @property
    def frames_outside(self) -> int:
        """Number of frames with any joint outside."""
        return int(np.count_nonzero(self.is_outside.any(axis=0)))

    @property
    def worst_deg(self) -> float:
        """Largest excess of any sample in degrees, even within the tolerance."""
        return float(self.outside_deg.max(initial=0.0))

    @property
    def joints_outside(self) -> tuple[str, ...]:
        """Joints with a violation, worst first."""
        return tuple(dict.fromkeys(item.joint for item in self.bounds))

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "clip": self.clip,
            "frames": len(self.frames),
            "frames_outside": self.frames_outside,
            "worst_deg": self.worst_deg,
            "branch": self.branch,
            "joints": list(self.joints),
            "violations": [asdict(item) for item in self.bounds],
            "missing": list(self.missing),
            "findings": [item.to_dict() for item in self.findings],
        }


def violations(
    limit_set: LimitSet,
    motion: Motion,
    tolerance_deg: Given = TOLERANCE_DEG,
    branch: str = "main",
    shapes: bool = False,
) -> Violations:
    """Compare a clip with limits.

    `limit_set`: its joints are matched by name, then by the end of their paths, ignoring
    namespaces. `tolerance_deg`: ignore violations of up to this many degrees; a number, or text
    with values for some limits (:mod:`jointlimits_core.evaluation.by_limit`). `branch`: "main"
    (flips undone and reported), "keys" (the keyed values, which Maya would clamp) or "circle" (any
    values for the same rotation). `shapes`: use a joint's coupled limit, if it has one, instead of
    its ranges, and also check ranges that depend on another channel. Raises ValueError for a
    negative tolerance, and the errors of :func:`jointlimits_core.evaluation.alignment.align`.
    """
    clip = align(limit_set, motion, branch)
    found = violations_of(clip, by_limit("tolerance_deg", tolerance_deg, limit_set.joints), branch)
    if shapes:
        found = with_shape_violations(found, limit_set, clip)
        found = with_dependency_violations(found, limit_set, clip)
    return found


def violations_of(
    clip: AlignedClip, tolerance_deg: Given = TOLERANCE_DEG, branch: str = "main"
) -> Violations:
    """Compare a clip already on the branch of the limits; see :func:`violations`."""
    tolerance = by_limit("tolerance_deg", tolerance_deg, clip.names)
    values, bounds = np.degrees(clip.values), []
    outside = np.maximum(outside_by(values, clip.low, clip.high), 0.0).max(axis=1)
    is_outside, box = np.zeros(outside.shape, dtype=bool), []
    for side, bound, sign in (("min", clip.low, -1.0), ("max", clip.high, 1.0)):
        beyond = sign * (values - bound[..., None])
        let = np.array(
            [[tolerance.value_for(name, c, side) for c in CHANNELS] for name in clip.names]
        )
        box.append(bound + sign * let)
        is_outside |= (beyond > let[..., None]).any(axis=1)
        for row, axis in zip(*np.nonzero(beyond.max(axis=2) > let)):
            limit, at = (clip.names[row], CHANNELS[axis], side), (row, axis)
            how = clip.motion.frames, let[at]
            bounds.append(_violation(limit, bound[at][None], values[at], beyond[at], *how))
    return Violations(
        clip=clip.motion.name,
        frames=clip.motion.frames,
        frame_rate=clip.motion.frame_rate,
        tolerance=tolerance,
        branch=branch,
        joints=clip.names,
        outside_deg=outside,
        is_outside=is_outside,
        bounds=_worst_first(bounds),
        missing=clip.missing,
        findings=(*clip.findings, *_other_branch(clip, is_outside, box, branch)),
    )


def _other_branch(
    clip: AlignedClip, is_outside: Booleans, box: Sequence[Floats], branch: str
) -> list[Finding]:
    """Poses inside the limits whose keys Maya would clamp.

    `box`: minima and maxima with the tolerance, degrees, shape (joints, 3) each.
    """
    if clip.motion.rotates is None:
        return []
    findings = []
    for row in np.flatnonzero(clip.own):
        keyed = clip.motion.rotates[clip.joints[row]]
        low, high = box[0][row], box[1][row]
        clamped = outside_by(np.degrees(keyed), low, high).max(axis=0) > 0.0
        apart = clamped & ~is_outside[row]
        if branch == "keys" and clamped.any():
            ends = np.radians(clip.low[row]), np.radians(clip.high[row])
            inside = euler_in_box(keyed.T, ends[0], ends[1], clip.orders[row]).T
            off = outside_by(np.degrees(inside), low, high).max(axis=0)
            apart = clamped & (off <= 0.0)
        if not apart.any():
            continue
        step = "fix the frames where its keys jump by a full turn"
        if apart.all():
            step = "apply the limits to this joint"
        elif mixes_branches(keyed.T, clip.orders[row]):
            step = "filter its keys"
        text = (
            f"{plural(int(apart.sum()), 'frame')} inside the limits but keyed on another "
            f"Euler branch, which Maya would clamp; {step}"
        )
        ranges = frame_ranges(clip.motion.frames, apart)
        findings.append(Finding("other-branch", text, clip.names[row], clip.motion.name, ranges))
    return findings


def with_dependency_violations(
    found: Violations, limit_set: LimitSet, clip: AlignedClip
) -> Violations:
    """Add violations of ranges that depend on another channel.

    `found`: violations in the same clip. `limit_set`: an active dependency counts if the clip has
    both joints. Each violation states the limit in its worst frame.
    """
    rows = {name: row for row, name in enumerate(clip.names)}
    outside, bounds = np.array(found.outside_deg), list(found.bounds)
    is_outside = found.is_outside.copy()
    for item in active_dependencies(limit_set):
        if item.joint not in rows or item.on_joint not in rows:
            continue
        row = rows[item.joint]
        values = np.degrees(clip.values[row, CHANNELS.index(item.channel)])
        on = np.degrees(clip.values[rows[item.on_joint], CHANNELS.index(item.on_channel)])
        for side, bound, sign in zip(("min", "max"), item.bounds_deg(on), (-1.0, 1.0)):
            beyond, limit = sign * (values - bound), (item.joint, item.channel, side)
            how = found.frames, found.tolerance.value_for(*limit)
            if beyond.max() > how[1]:
                driver = item.on_joint, item.on_channel, float(on[int(beyond.argmax())])
                bounds.append(_violation(limit, bound, values, beyond, *how, *driver))
                outside[row] = np.maximum(outside[row], beyond)
                is_outside[row] |= beyond > how[1]
    return replace(found, outside_deg=outside, is_outside=is_outside, bounds=_worst_first(bounds))


def with_shape_violations(found: Violations, limit_set: LimitSet, clip: AlignedClip) -> Violations:
    """Compare joints that have a coupled limit with that limit instead of their ranges.

    Shapes and ranges differ in padding, so a motion projected into shapes must be judged by shapes.
    `found`: violations in the same clip. `limit_set`: its joints without an active shape
    keep the violations found. Violations of a shape have the channel "shape".
    """
    shapes = active_shapes(limit_set)
    outside, is_outside = np.array(found.outside_deg), found.is_outside.copy()
    bounds = [bound for bound in found.bounds if bound.joint not in shapes]
    for row, name in enumerate(clip.names):
        if name not in shapes:
            continue
        # The angle by which a projection into the shape would move the joint.
        shape = shape_of_limit(shapes[name])
        outside[row] = np.degrees(shape.distance(clip.motion.rotations[clip.joints[row]].T))
        limit = name, "shape", shapes[name].kind
        how = found.frames, found.tolerance.value_for(*limit)
        is_outside[row] = outside[row] > how[1]
        if is_outside[row].any():
            bounds.append(_violation(limit, np.zeros(1), outside[row], outside[row], *how))
    return replace(found, outside_deg=outside, is_outside=is_outside, bounds=_worst_first(bounds))


def _worst_first(bounds: list[LimitViolation]) -> tuple[LimitViolation, ...]:
    return tuple(sorted(bounds, key=lambda item: -item.worst_deg))


def _violation(
    limit: tuple[str, str, str],
    bound_deg: Floats,
    values: Floats,
    beyond: Floats,
    frames: Floats,
    tolerance_deg: float,
    *driver: Any,
) -> LimitViolation:
    """Violation of a limit (joint, channel, side) in a clip.

    `values` and `beyond` have shape (frames,), `bound_deg` (frames,) or (1,), all in degrees.
    `driver`: joint, channel and value that the limit depends on, if any.
    """
    chosen, worst = beyond > tolerance_deg, int(beyond.argmax())
    bound = float(np.broadcast_to(bound_deg, beyond.shape)[worst])
    at_worst = float(beyond[worst]), float(frames[worst]), float(values[worst])
    count, lengths = int(chosen.sum()), [stop - first for first, stop in runs(chosen)]
    ranges = frame_ranges(frames, chosen)
    found = LimitViolation(*limit, bound, count, ranges, *at_worst, *driver)
    share, longest = 100.0 * count / len(frames), max(lengths, default=0)
    found = replace(found, share_percent=share, longest=longest, counted=count)
    return replace(found, rule_value=float(tolerance_deg))
