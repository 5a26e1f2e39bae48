"""Clamping preview: frames that the limits would change, worst first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from jointlimits_core.base import Progress, frame_ranges, tell
from jointlimits_core.evaluation import (
    CLAMPED_DEG,
    ClampingPreview,
    Violations,
    aligned,
    clamping_preview_of,
    violations_of,
)
from jointlimits_core.evaluation.violations import violations
from jointlimits_core.limits import LimitSet
from jointlimits_core.motion import Motion


@dataclass(frozen=True)
class ClampedFrames:
    """A run of frames in which limits would change a joint.

    Parameters
    ----------
    first, last, worst_frame : float
        Frame numbers in the source.
    worst_deg : float
        Largest angle by which a channel is outside, in degrees.
    """

    clip: str
    joint: str
    first: float
    last: float
    worst_frame: float
    worst_deg: float


@dataclass(frozen=True, eq=False)
class ClampedClip:
    """One clip: where it is outside over time, and the effect of clamping."""

    violations: Violations
    rehearsal: ClampingPreview


@dataclass(frozen=True, eq=False)
class ClampingResult:
    """Result for all clips.

    Parameters
    ----------
    frames : tuple of ClampedFrames
        Worst first.
    limits : LimitSet
        The previewed limits.
    """

    clips: tuple[ClampedClip, ...]
    frames: tuple[ClampedFrames, ...]
    limits: LimitSet

    @property
    def frames_clamped(self) -> int:
        """Number of frames of all clips in which at least one joint would change."""
        return sum(one.rehearsal.frames_clipped for one in self.clips)


def preview_clamping(
    limits: LimitSet,
    clips: Sequence[Motion],
    branch: str = "main",
    progress: Progress | None = None,
) -> ClampingResult:
    """Replay clips through limits.

    Parameters
    ----------
    clips : sequence of Motion
        Including what was excluded from the estimate.
    branch : str
        As in :func:`jointlimits_core.evaluation.alignment.aligned`.
    progress : callable, optional

    Raises
    ------
    EstimationError, LimitSetError
        If a clip cannot be compared with the limits.
    Cancelled
    """
    found, runs = [], []
    for number, clip in enumerate(clips):
        tell(progress, number, len(clips), f"clamping {clip.name}")
        beside = aligned(limits, clip, branch)
        one = ClampedClip(violations_of(beside, CLAMPED_DEG, branch), clamping_preview_of(beside))
        found.append(one)
        runs += runs_of(one.violations)
    runs.sort(key=lambda run: -run.worst_deg)
    return ClampingResult(tuple(found), tuple(runs), limits)


def runs_of(found: Violations) -> list[ClampedFrames]:
    """Runs of consecutive frames outside, by joint."""
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
    """Joints that a pose has outside their limits, with the angle in degrees.

    Parameters
    ----------
    pose : Motion
        With one frame; of several, the last is used.
    """
    last = pose.take([pose.frame_count - 1])
    found = violations(limits, last, tolerance_deg)
    return {
        name: float(outside[0])
        for name, outside in zip(found.joints, found.outside_deg)
        if outside[0] > tolerance_deg
    }
