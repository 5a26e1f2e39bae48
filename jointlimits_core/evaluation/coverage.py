"""Coverage and leak: how much of other motion limits hold, and how much no motion supports.

Limits per channel allow every combination of values that the channels reached separately, many of
which no motion ever showed: a raised shoulder does not twist as far as a hanging one. The leak is
the share of a joint's box that is near no sample.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ..estimation import haar_share
from ..geometry import ArrayLike, Booleans, Floats, Integers, axes_of, quaternion_from_euler
from ..limits import LimitSet
from ..motion import Motion
from .alignment import AlignedClip, aligned
from .violations import TOLERANCE_DEG, Violations, violations

_STEPS = 1.2207440846057596 ** -np.arange(1.0, 4.0)


def points_in_box(low: ArrayLike, high: ArrayLike, rotate_order: str, count: int) -> Floats:
    """Euler angles that fill a box; deterministic.

    `low` and `high` have shape (3,): radians about X, Y and Z; `high` must not be smaller. The
    result has shape (count, 3): even in the measure of the rotations, ``|cos(middle)| dx dy dz``:
    fewer near gimbal lock. Rotations that the box holds twice get points for both.
    """
    begin, end = np.asarray(low, np.float64), np.asarray(high, np.float64)
    share = quasi_random(count)
    angles = np.asarray(begin + share * (end - begin))
    middle = axes_of(rotate_order)[1]
    bottom, top = _area_of_angle(begin[middle]), _area_of_angle(end[middle])
    filled = _angle_of_area(bottom + share[:, middle] * (top - bottom))
    angles[:, middle] = np.clip(filled, begin[middle], end[middle])
    return angles


def quasi_random(count: int) -> Floats:
    """Points of the unit cube without holes or clusters, shape (count, 3).

    Each coordinate advances by a power of the inverse of the real root of ``x^4 = x + 1``
    (M. Roberts, "The unreasonable effectiveness of quasirandom sequences", 2018).
    """
    return np.asarray((0.5 + np.arange(1, count + 1)[:, None] * _STEPS) % 1.0)


def _area_of_angle(angle: Floats) -> Floats:
    """Integral of ``|cos|`` from -pi/2 to `angle`."""
    half_turns = np.round(angle / np.pi)
    return np.asarray(2.0 * half_turns + 1.0 + np.sin(angle - half_turns * np.pi))


def _angle_of_area(area: Floats) -> Floats:
    """Inverse of :func:`_area_of_angle`."""
    half_turns = np.floor(0.5 * area)
    sine = np.clip(area - 2.0 * half_turns - 1.0, -1.0, 1.0)
    return np.asarray(half_turns * np.pi + np.arcsin(sine))


@dataclass(frozen=True)
class ClipCoverage:
    """Share of one clip's frames inside the limits."""

    clip: str
    frames: int
    used: bool
    """Whether the limits come from this clip too; its coverage then says nothing about others."""
    whole_pose: float
    """Share of frames with every joint inside, 0 to 1."""
    joints: Mapping[str, float]
    """Share of frames per joint, by joint name."""


@dataclass(frozen=True)
class Coverage:
    """Share of several clips' frames inside the limits."""

    clips: tuple[ClipCoverage, ...]
    frames: int
    """Frames of the clips counted below: those that the limits do not come from, or all if the
    limits come from every clip."""
    held_out: bool
    """Whether these are clips that the limits do not come from."""
    whole_pose: float | None
    """Over all of these frames; None if there are none."""
    joints: Mapping[str, float]
    """Over the frames of the clips that have the joint, by joint name."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return asdict(self)


def is_source_clip(limit_set: LimitSet, motion: Motion) -> bool:
    """Whether limits come from a clip: by its file's hash, or by name where there is none."""
    digest = None if motion.source is None else motion.source.sha256
    for clip in limit_set.clips:
        if digest is not None and clip.sha256 is not None:
            if digest == clip.sha256:
                return True
        elif clip.name == motion.name:
            return True
    return False


def coverage(
    limit_set: LimitSet,
    motions: Motion | Sequence[Motion],
    tolerance_deg: float = TOLERANCE_DEG,
    branch: str = "main",
) -> Coverage:
    """Coverage of clips by limits.

    `tolerance_deg` and `branch`: as in :func:`jointlimits_core.evaluation.violations.violations`.
    The result is of the clips that the limits do not come from, or of all `motions` if there are
    none. Raises ValueError, LimitSetError, EstimationError as
    :func:`jointlimits_core.evaluation.violations.violations`.
    """
    clips = [motions] if isinstance(motions, Motion) else list(motions)
    return coverage_of(
        [violations(limit_set, clip, tolerance_deg, branch) for clip in clips],
        [is_source_clip(limit_set, clip) for clip in clips],
    )


def coverage_of(checked: Sequence[Violations], used: Sequence[bool]) -> Coverage:
    """Coverage of clips already compared with the limits; see :func:`coverage`."""
    clips = tuple(_clip_coverage(item, was) for item, was in zip(checked, used))
    held_out = not all(used)
    counted = [clip for clip in clips if not (held_out and clip.used)]
    frames = sum(clip.frames for clip in counted)
    inside: dict[str, float] = {}
    seen: dict[str, int] = {}
    for clip in counted:
        for name, share in clip.joints.items():
            inside[name] = inside.get(name, 0.0) + share * clip.frames
            seen[name] = seen.get(name, 0) + clip.frames
    whole = sum(clip.whole_pose * clip.frames for clip in counted)
    return Coverage(
        clips=clips,
        frames=frames,
        held_out=held_out and bool(clips),
        whole_pose=whole / frames if frames else None,
        joints={name: inside[name] / seen[name] for name in inside},
    )


def _clip_coverage(checked: Violations, used: bool) -> ClipCoverage:
    inside = ~checked.is_outside
    shares = inside.mean(axis=1)
    return ClipCoverage(
        clip=checked.clip,
        frames=len(checked.frames),
        used=used,
        whole_pose=float(np.mean(inside.all(axis=0))),
        joints={name: float(share) for name, share in zip(checked.joints, shares)},
    )


RUN = 32
"""Samples handled together; neighbours in time are close in rotation."""
BLOCK = 1 << 20
"""Maximum number of quaternion products in memory at once."""


def is_near(points: Floats, samples: Floats, radius: float) -> Booleans:
    """Which rotations are within a distance of any sample; exact.

    Samples are grouped in runs. Points near the middle of a run are accepted at once; the others
    are compared with the samples of the runs that reach far enough. `points` has shape (points, 4):
    unit quaternions of any sign. `samples` has shape (samples, 4): unit quaternions of any sign, at
    least one; fastest in time order. `radius`: radians, less than a half turn. The result has shape
    (points,).
    """
    # |p . q| is the cosine of half the angle between two rotations.
    padding = -len(samples) % RUN
    runs = np.concatenate([samples, np.repeat(samples[-1:], padding, axis=0)]).reshape(-1, RUN, 4)
    middles = runs[:, RUN // 2]
    smallest = np.abs(np.einsum("rkc,rc->rk", runs, middles)).min(axis=1)
    reach = 0.5 * radius + np.arccos(np.minimum(smallest, 1.0))
    reaches = np.cos(np.minimum(reach, 0.5 * np.pi))
    near = np.zeros(len(points), dtype=bool)
    step = max(BLOCK // len(runs), 1)
    for start in range(0, len(points), step):
        piece = points[start : start + step]
        cosines = np.abs(piece @ middles.T)
        found = cosines.max(axis=1) >= np.cos(0.5 * radius)
        # Slightly wider: arccos of a cosine near 1 keeps only half its digits.
        pairs = np.argwhere((cosines >= reaches - 1e-7) & ~found[:, None])
        found[_near_pairs(piece, runs, pairs, radius)] = True
        near[start : start + step] = found
    return near


def _near_pairs(points: Floats, runs: Floats, pairs: Integers, radius: float) -> Integers:
    """Points near a sample of a run, among pairs (point, run)."""
    found = []
    step = BLOCK // (4 * RUN)
    for start in range(0, len(pairs), step):
        point, run = pairs[start : start + step].T
        cosines = np.abs(np.einsum("pkc,pc->pk", runs[run], points[point]))
        found.append(point[cosines.max(axis=1) >= np.cos(0.5 * radius)])
    return np.concatenate(found) if found else np.zeros(0, dtype=np.int64)


RADIUS_DEG = 6.0
"""Degrees from a sample within which a rotation counts as supported."""
POINTS = 4096
TYPES = ("universal", "ball")
"""Types that can leak; a hinge on its channel cannot."""


@dataclass(frozen=True)
class JointLeak:
    """What a joint's limits allow, compared with the samples."""

    joint: str
    type: str
    box_volume: float
    """Share of all rotations inside the box of limits (Haar measure, exact); 0 if a channel is
    locked at one value. A free channel counts as a full turn."""
    supported_volume: float
    """Share of all rotations that are inside the box and near a sample."""
    leak: float
    """Share of the box that is near no sample, 0 to 1."""
    error: float
    """Standard error of `leak` for random points; the even ones used are more accurate."""
    samples: int

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return asdict(self)


def leak(
    limit_set: LimitSet,
    motions: Motion | Sequence[Motion],
    radius_deg: float = RADIUS_DEG,
    points: int = POINTS,
) -> tuple[JointLeak, ...]:
    """Share of every joint's box that no sample supports.

    Returns the leak of universal and ball joints with any limit, in the order of the limits. Raises
    ValueError for an invalid radius or number of points. Raises LimitSetError, EstimationError as
    :func:`jointlimits_core.evaluation.alignment.aligned`. `motions`: the clips that the limits come
    from, or others to compare with them. `radius_deg`: distance from a sample within which a
    rotation is supported, between 0 and 180 degrees. `points`: number of evenly spaced points in
    the box, always the same ones; the error falls with the square root of their number.
    """
    clips = [motions] if isinstance(motions, Motion) else list(motions)
    return leak_of([aligned(limit_set, clip) for clip in clips], limit_set, radius_deg, points)


def leak_of(
    clips: Sequence[AlignedClip],
    limit_set: LimitSet,
    radius_deg: float = RADIUS_DEG,
    points: int = POINTS,
) -> tuple[JointLeak, ...]:
    """Leak of clips already on the branch of the limits; see :func:`leak`."""
    if not 0.0 < radius_deg < 180.0:
        raise ValueError(f"radius must be between 0 and 180 degrees, not {radius_deg!r}")
    if points < 1:
        raise ValueError(f"points must be at least 1, not {points!r}")
    found = []
    for name, joint in limit_set.joints.items():
        rows = [(clip, clip.names.index(name)) for clip in clips if name in clip.names]
        if joint.type not in TYPES or not rows:
            continue
        clip, row = rows[0]
        low, high = np.radians(clip.low[row]), np.radians(clip.high[row])
        if np.isfinite(low).any() or np.isfinite(high).any():
            angles = np.concatenate([item.values[at].T for item, at in rows])
            samples = quaternion_from_euler(angles, clip.orders[row])
            box = _closed_box(low, high)
            measured = _measured(samples, box, clip.orders[row], np.radians(radius_deg), points)
            found.append(JointLeak(name, joint.type, *measured, len(samples)))
    return tuple(found)


def _closed_box(low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Box with a full turn for a channel that is unlimited on one side or both."""
    begin = np.where(np.isfinite(low), low, np.where(np.isfinite(high), high - 2 * np.pi, -np.pi))
    return begin, np.where(np.isfinite(high), high, begin + 2 * np.pi)


def _measured(
    samples: Floats, box: tuple[Floats, Floats], order: str, radius: float, points: int
) -> tuple[float, float, float, float]:
    """Volumes of the box and of its supported part, the leak and its error."""
    volume = float(haar_share(*box, order))
    filling = quaternion_from_euler(points_in_box(*box, order, points), order)
    share = float(np.mean(is_near(filling, samples, radius)))
    error = float(np.sqrt(share * (1.0 - share) / points))
    return volume, share * volume, 1.0 - share, error
