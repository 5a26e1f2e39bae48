"""Coverage: share of a clip's frames inside limits that were not estimated from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ..limits.limit_set import LimitSet
from ..motion import Motion
from .violations import TOLERANCE_DEG, Violations, violations


@dataclass(frozen=True)
class ClipCoverage:
    """Share of one clip's frames inside the limits.

    Parameters
    ----------
    used : bool
        Whether the limits come from this clip too; its coverage then says nothing about others.
    whole_pose : float
        Share of frames with every joint inside, 0 to 1.
    joints : mapping of joint name to float
        Share of frames per joint.
    """

    clip: str
    frames: int
    used: bool
    whole_pose: float
    joints: Mapping[str, float]


@dataclass(frozen=True)
class Coverage:
    """Share of several clips' frames inside the limits.

    Parameters
    ----------
    frames : int
        Frames of the clips counted below: those that the limits do not come from, or all if the
        limits come from every clip.
    held_out : bool
        Whether these are clips that the limits do not come from.
    whole_pose : float or None
        Over all of these frames; None if there are none.
    joints : mapping of joint name to float
        Over the frames of the clips that have the joint.
    """

    clips: tuple[ClipCoverage, ...]
    frames: int
    held_out: bool
    whole_pose: float | None
    joints: Mapping[str, float]

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return asdict(self)


def was_used(limit_set: LimitSet, motion: Motion) -> bool:
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

    Parameters
    ----------
    motions : Motion or sequence of Motion
    tolerance_deg, branch
        As in :func:`jointlimits_core.evaluation.violations.violations`.

    Returns
    -------
    Coverage
        Of the clips that the limits do not come from, or of all `motions` if there are none.

    Raises
    ------
    ValueError, LimitSetError, EstimationError
        See :func:`jointlimits_core.evaluation.violations.violations`.
    """
    clips = [motions] if isinstance(motions, Motion) else list(motions)
    return coverage_of(
        [violations(limit_set, clip, tolerance_deg, branch) for clip in clips],
        [was_used(limit_set, clip) for clip in clips],
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
