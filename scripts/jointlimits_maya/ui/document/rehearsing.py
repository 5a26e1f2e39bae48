"""Clamping preview: frames that the limits would change, worst first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from jointlimits_core.base import Progress, frame_ranges, tell
from jointlimits_core.evaluation import (
    CLIPPED_DEG,
    Rehearsal,
    Violations,
    placed,
    rehearsal_of,
    violations_of,
)
from jointlimits_core.evaluation.violations import violations
from jointlimits_core.limits import LimitSet
from jointlimits_core.motion import Motion


@dataclass(frozen=True)
class ClippedFrames:
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
class RehearsedClip:
    """One clip: where it is outside over time, and the effect of clamping."""

    violations: Violations
    rehearsal: Rehearsal


@dataclass(frozen=True, eq=False)
class Rehearsed:
    """Result for all clips.

    Parameters
    ----------
    frames : tuple of ClippedFrames
        Worst first.
    limits : LimitSet
        The previewed limits.
    """

    clips: tuple[RehearsedClip, ...]
    frames: tuple[ClippedFrames, ...]
    limits: LimitSet

    @property
    def frames_clipped(self) -> int:
        """Number of frames of all clips in which at least one joint would change."""
        return sum(one.rehearsal.frames_clipped for one in self.clips)


def rehearsed(
    limits: LimitSet,
    clips: Sequence[Motion],
    branch: str = "main",
    progress: Progress | None = None,
) -> Rehearsed:
    """Replay clips through limits.

    Parameters
    ----------
    clips : sequence of Motion
        Including what was excluded from the estimate.
    branch : str
        As in :func:`jointlimits_core.evaluation.placement.placed`.
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
        beside = placed(limits, clip, branch)
        one = RehearsedClip(violations_of(beside, CLIPPED_DEG, branch), rehearsal_of(beside))
        found.append(one)
        runs += runs_of(one.violations)
    runs.sort(key=lambda run: -run.worst_deg)
    return Rehearsed(tuple(found), tuple(runs), limits)


def runs_of(found: Violations) -> list[ClippedFrames]:
    """Runs of consecutive frames outside, by joint."""
    runs = []
    outside = found.is_outside
    for row in np.flatnonzero(outside.any(axis=1)):
        for first, last in frame_ranges(found.frames, outside[row]):
            start, stop = np.searchsorted(found.frames, [first, last])
            worst = int(start + found.outside_deg[row, start : stop + 1].argmax())
            place = float(found.frames[worst]), float(found.outside_deg[row, worst])
            runs.append(ClippedFrames(found.clip, found.joints[row], first, last, *place))
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
