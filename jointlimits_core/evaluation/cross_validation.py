"""Leave-one-out cross-validation: each clip against limits from all the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from ..base import EstimationError, LimitSetError, Progress, report_progress
from ..base.records import with_tuples
from ..estimation import EstimateOptions, estimate_from_summary, merged, summarize
from ..limits import BOUNDS, LimitSet
from ..motion import Motion
from .coverage import coverage_of
from .violations import TOLERANCE_DEG, LimitViolation, violations


@dataclass(frozen=True)
class Fold:
    """One clip against limits from all others."""

    clip: str
    """The clip left out."""
    frames: int
    whole_pose: float
    """Share of its frames with every joint inside, 0 to 1."""
    joints: Mapping[str, float]
    """Share of its frames per joint, by joint name."""
    violations: tuple[LimitViolation, ...]
    """Worst first."""


@dataclass(frozen=True)
class LimitStability:
    """One limit (min or max), and its value without each of the clips."""

    joint: str
    channel: str
    side: str
    bound_deg: float
    """From all clips."""
    inner_deg: float
    """Its tightest value with one clip left out."""
    inner_clip: str | None
    """The clip left out for that; None if no clip changes the value."""
    clips_beyond: int
    """Number of clips that exceed the limit from the others by more than the tolerance."""
    worst_deg: float

    @property
    def loose_deg(self) -> float:
        """Degrees of the limit that depend on a single clip."""
        return abs(self.bound_deg - self.inner_deg)


@dataclass(frozen=True)
class CrossValidation:
    """Result of leave-one-out cross-validation."""

    folds: tuple[Fold, ...]
    """One per clip, in the order of the clips."""
    frames: int
    whole_pose: float
    """Share of all frames with every joint inside the limits from the other clips."""
    joints: Mapping[str, float]
    """The same per joint, by joint name."""
    bounds: tuple[LimitStability, ...]
    """Every min and max of every limited channel, the most dependent on one clip first."""
    types: Mapping[str, Mapping[str, str]]
    """By joint name and clip left out: the type that a joint gets then, if it changes."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return asdict(self)


def options_of(limit_set: LimitSet) -> EstimateOptions:
    """Options of the estimate. Raises LimitSetError if the limit set's are invalid."""
    names = {option.name for option in fields(EstimateOptions)}
    given = {key: value for key, value in limit_set.options.items() if key in names}
    try:
        return EstimateOptions(**with_tuples(given))
    except (TypeError, ValueError) as error:
        name = limit_set.character or "limit set"
        raise LimitSetError(name, f"invalid estimation options: {error}") from None


def cross_validated(
    motions: Sequence[Motion],
    options: EstimateOptions | None = None,
    tolerance_deg: float = TOLERANCE_DEG,
    progress: Progress | None = None,
) -> CrossValidation:
    """Estimate limits from all clips but one and compare them with that clip, for every clip.

    Raises EstimationError for fewer than two clips, or clips that limits cannot be estimated from.
    `motions`: at least two clips of one character. `options`: of every estimate; the rest pose is
    not used. `tolerance_deg`: ignore violations of up to this many degrees.
    """
    clips = list(motions)
    if len(clips) < 2:
        raise EstimationError(
            f"leave-one-out needs at least two clips, not {len(clips)}; add another motion"
        )
    fold_options = replace(options or EstimateOptions(), rest="bind")
    summaries = []
    for number, clip in enumerate(clips):
        summaries.append(summarize([clip], fold_options))
        report_progress(progress, number + 1, len(clips), f"screened {clip.name}")
    whole = estimate_from_summary(merged(summaries), fold_options)
    parts, checked = [], []
    for number, clip in enumerate(clips):
        others = summaries[:number] + summaries[number + 1 :]
        part = estimate_from_summary(merged(others), fold_options)
        parts.append(part)
        checked.append(violations(part, clip, tolerance_deg))
        report_progress(progress, number + 1, len(clips), f"without {clip.name}")
    covered = coverage_of(checked, [False] * len(clips))
    folds = tuple(
        Fold(share.clip, share.frames, share.whole_pose, share.joints, item.bounds)
        for share, item in zip(covered.clips, checked)
    )
    return CrossValidation(
        folds=folds,
        frames=covered.frames,
        whole_pose=float(covered.whole_pose or 0.0),
        joints=covered.joints,
        bounds=_stability(whole, parts, folds),
        types=_type_changes(whole, parts, folds),
    )


def _stability(
    whole: LimitSet, parts: Sequence[LimitSet], folds: Sequence[Fold]
) -> tuple[LimitStability, ...]:
    """Every min and max from all clips, the most dependent on one clip first."""
    beyond: dict[tuple[str, str, str], list[float]] = {}
    for fold in folds:
        for item in fold.violations:
            beyond.setdefault((item.joint, item.channel, item.side), []).append(item.worst_deg)
    found = []
    for name, joint in whole.joints.items():
        for channel, limit in joint.limits.items():
            for side in BOUNDS:
                bound = limit.bound_deg(side)
                if limit.state != "limited" or bound is None:
                    continue
                inner, clip = _innermost(parts, folds, (name, channel, side), bound)
                exceeded = beyond.get((name, channel, side), [])
                worst = max(exceeded, default=0.0)
                found.append(
                    LimitStability(name, channel, side, bound, inner, clip, len(exceeded), worst)
                )
    return tuple(sorted(found, key=lambda item: -item.loose_deg))


def _innermost(
    parts: Sequence[LimitSet], folds: Sequence[Fold], key: tuple[str, str, str], bound: float
) -> tuple[float, str | None]:
    """Tightest value of a limit with one clip left out, on the branch of `bound`, and that clip."""
    joint, channel, side = key
    inward = 1.0 if side == "min" else -1.0
    inner, clip = bound, None
    for part, fold in zip(parts, folds):
        value = part.joints[joint].limits[channel].bound_deg(side)
        if value is None:
            continue
        value -= 360.0 * round((value - bound) / 360.0)
        if inward * (value - inner) > 0.0:
            inner, clip = value, fold.clip
    return inner, clip


def _type_changes(
    whole: LimitSet, parts: Sequence[LimitSet], folds: Sequence[Fold]
) -> dict[str, dict[str, str]]:
    changes: dict[str, dict[str, str]] = {}
    for part, fold in zip(parts, folds):
        for name, joint in part.joints.items():
            if joint.type != whole.joints[name].type:
                changes.setdefault(name, {})[fold.clip] = joint.type
    return changes
