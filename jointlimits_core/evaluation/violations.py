"""Violations of limits by a clip: frames, worst frame and worst excess of each limit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ..arrays import Booleans, Floats
from ..findings import Finding, frame_ranges
from ..joint_frame import CHANNELS
from ..limits.limit_set import LimitSet
from ..motion import Motion
from ..wording import channel_letter, number, plural
from .placement import Placed, nearest_on_circle, outside_by, placed

TOLERANCE_DEG = 0.1
"""Default tolerance of a check, degrees.

Processing that keeps the motion - writing five digits, resampling, an Euler filter, another
program's curves - changes a channel by hundredths of a degree. A tenth is more than that, and too
small to see: 1.7 mm at the end of a metre.
"""


@dataclass(frozen=True)
class BoundViolation:
    """One limit (min or max, or a shape) and the frames beyond it.

    Parameters
    ----------
    joint : str
        Name in the limits.
    channel : str
        A rotate channel, or "shape" for a coupled limit.
    side : str
        "min" or "max"; for a shape its kind.
    bound_deg : float
        0 for a shape.
    frames : int
        Number of frames beyond it by more than the tolerance.
    frame_ranges : tuple of (first, last)
        Those frames, in the source's numbers.
    worst_deg : float
        Largest excess in degrees.
    worst_value_deg : float
        Value of the channel there, on the compared branch; for a shape the excess.
    on_joint, on_channel : str, optional
        The channel that the limit depends on, if any; `bound_deg` is then that of the worst frame.
    on_value_deg : float, optional
        Value of that channel in the worst frame.
    """

    joint: str
    channel: str
    side: str
    bound_deg: float
    frames: int
    frame_ranges: tuple[tuple[float, float], ...]
    worst_deg: float
    worst_frame: float
    worst_value_deg: float
    on_joint: str | None = None
    on_channel: str | None = None
    on_value_deg: float | None = None

    def bound_words(self, digits: int = 1, written: Callable[[float, int], str] = number) -> str:
        """Label of the limit: "X max 45.0", or the kind of the shape.

        A limit that depends on another channel names it: "X max 45.0 with hip Z at 20.0".
        `written` formats an angle, given its value and the number of decimals.
        """
        if self.channel == "shape":
            return "about its axes" if self.side == "flat" else f"shape ({self.side})"
        words = f"{channel_letter(self.channel)} {self.side} {written(self.bound_deg, digits)}"
        if self.on_joint is None or self.on_channel is None or self.on_value_deg is None:
            return words
        there = written(self.on_value_deg, digits)
        return f"{words} with {self.on_joint} {channel_letter(self.on_channel)} at {there}"


@dataclass(frozen=True, eq=False)
class Violations:
    """Comparison of one clip with a limit set.

    Parameters
    ----------
    frames : array, shape (frames,)
        Frame numbers of the source.
    frame_rate : float
        Hz.
    branch : str
        See :func:`jointlimits_core.evaluation.placement.placed`.
    joints : tuple of str
        Names in the limits of the compared joints.
    outside_deg : array, shape (joints, frames)
        Largest excess of a channel; 0 inside.
    bounds : tuple of BoundViolation
        Limits exceeded by more than the tolerance, worst first.
    missing : tuple of str
        Joints of the limits that are not in the motion.
    findings : tuple of Finding
        Notes that are not violations: poses inside the limits keyed on another branch
        ("other-branch"; with branch "keys" they are violations too), frames left out, joints
        compared in another orientation.
    """

    clip: str
    frames: Floats
    frame_rate: float
    tolerance_deg: float
    branch: str
    joints: tuple[str, ...]
    outside_deg: Floats
    bounds: tuple[BoundViolation, ...]
    missing: tuple[str, ...]
    findings: tuple[Finding, ...]

    @property
    def is_outside(self) -> Booleans:
        """Whether frames are outside by more than the tolerance, shape (joints, frames)."""
        return np.asarray(self.outside_deg > self.tolerance_deg)

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
    tolerance_deg: float = TOLERANCE_DEG,
    branch: str = "main",
    shapes: bool = False,
) -> Violations:
    """Compare a clip with limits.

    Parameters
    ----------
    limit_set : LimitSet
        Joints are matched by name, then by the end of their paths, ignoring namespaces.
    tolerance_deg : float
        Ignore violations of up to this many degrees; at least 0.
    branch : str
        "main" (flips undone and reported), "keys" (the numbers that Maya would clamp) or "circle"
        (any numbers of the same rotation).
    shapes : bool
        Whether to use coupled limits in place of ranges, where there are any, and also ranges that
        depend on another channel.

    Raises
    ------
    ValueError
        For a negative tolerance or an unknown `branch`.
    LimitSetError
        If the limits are not of rotate channels (paper mode).
    EstimationError
        If the clip has none of the joints, or screening leaves none of its frames.
    """
    clip = placed(limit_set, motion, branch)
    found = violations_of(clip, tolerance_deg, branch)
    if not shapes:
        return found
    from .dependency_violations import with_dependency_violations
    from .shape_violations import with_shape_violations

    return with_dependency_violations(
        with_shape_violations(found, limit_set, clip), limit_set, clip
    )


def violations_of(
    clip: Placed, tolerance_deg: float = TOLERANCE_DEG, branch: str = "main"
) -> Violations:
    """Compare a clip already on the branch of the limits; see :func:`violations`."""
    if not 0.0 <= tolerance_deg < np.inf:
        raise ValueError(f"tolerance must be finite and at least 0 degrees, not {tolerance_deg!r}")
    values = np.degrees(clip.values)
    outside = np.maximum(outside_by(values, clip.low, clip.high), 0.0).max(axis=1)
    return Violations(
        clip=clip.motion.name,
        frames=clip.motion.frames,
        frame_rate=clip.motion.frame_rate,
        tolerance_deg=tolerance_deg,
        branch=branch,
        joints=clip.names,
        outside_deg=outside,
        bounds=_bounds(clip, values, tolerance_deg),
        missing=clip.missing,
        findings=(*clip.findings, *_other_branch(clip, outside, tolerance_deg, branch)),
    )


def _bounds(clip: Placed, values: Floats, tolerance_deg: float) -> tuple[BoundViolation, ...]:
    """Violations of all limits, worst first."""
    found = []
    for side, bound, sign in (("min", clip.low, -1.0), ("max", clip.high, 1.0)):
        beyond = sign * (values - bound[..., None])
        for row, axis in zip(*np.nonzero(beyond.max(axis=2) > tolerance_deg)):
            own = beyond[row, axis]
            chosen, worst = own > tolerance_deg, int(own.argmax())
            found.append(
                BoundViolation(
                    joint=clip.names[row],
                    channel=CHANNELS[axis],
                    side=side,
                    bound_deg=float(bound[row, axis]),
                    frames=int(chosen.sum()),
                    frame_ranges=frame_ranges(clip.motion.frames, chosen),
                    worst_deg=float(own[worst]),
                    worst_frame=float(clip.motion.frames[worst]),
                    worst_value_deg=float(values[row, axis, worst]),
                )
            )
    return tuple(sorted(found, key=lambda item: -item.worst_deg))


def _other_branch(
    clip: Placed, outside: Floats, tolerance_deg: float, branch: str
) -> list[Finding]:
    """Poses inside the limits whose keys Maya would clamp."""
    if clip.motion.rotates is None:
        return []
    findings = []
    for row in np.flatnonzero(clip.own):
        keyed = clip.motion.rotates[clip.joints[row]]
        low, high = clip.low[row], clip.high[row]
        clamped = outside_by(np.degrees(keyed), low, high).max(axis=0) > tolerance_deg
        apart = clamped & (outside[row] <= tolerance_deg)
        if branch == "keys" and clamped.any():
            box = np.radians(low)[:, None], np.radians(high)[:, None]
            inside = np.degrees(nearest_on_circle(keyed, *box, clip.orders[row]))
            apart = clamped & (outside_by(inside, low, high).max(axis=0) <= tolerance_deg)
        if apart.any():
            text = (
                f"{plural(int(apart.sum()), 'frame')} inside the limits but keyed on another "
                "Euler branch, which Maya would clamp; run an Euler filter"
            )
            ranges = frame_ranges(clip.motion.frames, apart)
            findings.append(
                Finding("other-branch", text, clip.names[row], clip.motion.name, ranges)
            )
    return findings
