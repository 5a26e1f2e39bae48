"""Clamping preview: frames that the limits would change, worst first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from jointlimits_core.base.progress import Progress, report_progress
from jointlimits_core.evaluation import alignment, clamping_preview
from jointlimits_core.evaluation.violations import Violations, violations, violations_of
from jointlimits_core.geometry.arrays import frame_ranges
from jointlimits_core.limits.limit_set import LimitSet
from jointlimits_core.motion.motion import Motion


@dataclass(frozen=True)
class ClampedFrames:
    """A run of frames in which limits would change a joint, in the source's frame numbers.

    `worst_deg` is the largest angle by which a channel is outside its limits, in degrees.
    """

    clip: str
    joint: str
    first: float
    last: float
    worst_frame: float
    worst_deg: float


@dataclass(frozen=True, eq=False)
class ClampedClip:
    """One clip: how far joints are outside their limits over time, and the effect of clamping."""

    violations: Violations
    preview: clamping_preview.ClampingPreview


@dataclass(frozen=True, eq=False)
class ClampingResult:
    """Result for all clips; `frames` lists the runs of frames, worst first."""

    clips: tuple[ClampedClip, ...]
    frames: tuple[ClampedFrames, ...]


def preview_clamping(
    limits: LimitSet, clips: Sequence[Motion], progress: Progress | None = None
) -> ClampingResult:
    """Replay clips through limits, including clips and frames excluded from the estimate.

    Raises EstimationError or LimitSetError if a clip cannot be compared with the limits, and
    Cancelled.
    """
    found, runs = [], []
    for number, clip in enumerate(clips):
        report_progress(progress, number, len(clips), f"clamping {clip.name}")
        beside = alignment.align(limits, clip, every_joint=True)
        outside = violations_of(beside, clamping_preview.MIN_CLAMPED_DEG)
        found.append(ClampedClip(outside, clamping_preview.clamping_preview_of(beside)))
        runs += _runs_of(outside)
    runs.sort(key=lambda run: -run.worst_deg)
    return ClampingResult(tuple(found), tuple(runs))


def _runs_of(found: Violations) -> list[ClampedFrames]:
    """Runs of consecutive frames in which a joint is outside its limits, joint by joint."""
    runs = []
    outside = found.is_outside
    for row in np.flatnonzero(outside.any(axis=1)):
        for first, last in frame_ranges(found.frames, outside[row]):
            start, stop = np.searchsorted(found.frames, [first, last])
            worst = int(start + found.outside_deg[row, start : stop + 1].argmax())
            place = float(found.frames[worst]), float(found.outside_deg[row, worst])
            runs.append(ClampedFrames(found.clip, found.joints[row], first, last, *place))
    return runs


def pose_outside(limits: LimitSet, pose: Motion, tolerance_deg: float) -> dict[str, float]:
    """Joints outside their limits in a pose (its last frame), and how far, in degrees."""
    last = pose.keep_frames([pose.frame_count - 1])
    found = violations(limits, last, tolerance_deg)
    return {
        name: float(outside[0])
        for name, outside in zip(found.joints, found.outside_deg)
        if outside[0] > tolerance_deg
    }
