"""Complete evaluation of limits with some clips, and the result of checking several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..base import EstimationError, Progress, plural, report_progress
from ..base.version import __version__
from ..limits import LimitSet
from ..motion import Motion
from .alignment import AlignedClip, aligned
from .clamping_preview import ClampingPreview, clamping_preview_of
from .coverage import Coverage, JointLeak, coverage_of, is_source_clip, leak_of
from .cross_validation import CrossValidation, cross_validated, options_of
from .next_moves import NextMoves, next_moves
from .violations import TOLERANCE_DEG, Violations, violations_of

FORMAT, CHECK_FORMAT, FORMAT_VERSION = "jointlimits.evaluation", "jointlimits.check", 1


@dataclass(frozen=True)
class Evaluation:
    """Evaluation of a limit set."""

    character: str
    tolerance_deg: float
    """Violations of up to this many degrees were ignored."""
    violations: tuple[Violations, ...]
    """One per clip."""
    coverage: Coverage
    leak: tuple[JointLeak, ...]
    """From the given clips that the limits come from, or from all if there are none."""
    clamping_previews: tuple[ClampingPreview, ...]
    """One per clip."""
    next_moves: NextMoves
    cross_validation: CrossValidation | None
    """None unless requested."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        crossed = self.cross_validation
        return {
            "format": FORMAT,
            "version": FORMAT_VERSION,
            "character": self.character,
            "tolerance_deg": self.tolerance_deg,
            "coverage": self.coverage.to_dict(),
            "violations": [item.to_dict() for item in self.violations],
            "rehearsals": [item.to_dict() for item in self.clamping_previews],
            "leak": [item.to_dict() for item in self.leak],
            "cross_validation": None if crossed is None else crossed.to_dict(),
            "next_moves": self.next_moves.to_dict(),
        }


def evaluate(
    limit_set: LimitSet,
    motions: Motion | Sequence[Motion],
    tolerance_deg: float = TOLERANCE_DEG,
    *,
    held_out: bool = False,
    leave_one_out: bool = False,
    progress: Progress | None = None,
) -> Evaluation:
    """Coverage, leak, clamping preview, cross-validation and what to record next.

    Raises EstimationError for no clips, or for `held_out` if the limits come from all of them.
    Raises LimitSetError if the limits are not of rotate channels (paper mode). `tolerance_deg`:
    ignore violations of up to this many degrees. `held_out`: check and preview only clips that the
    limits do not come from. `leave_one_out`: also estimate without each of the clips, with the
    options of the limits.
    """
    clips = [motions] if isinstance(motions, Motion) else list(motions)
    used = [is_source_clip(limit_set, clip) for clip in clips]
    _check_clips(used, held_out)
    beside = _all_aligned(limit_set, clips, progress)
    own = [item for item, was in zip(beside, used) if was]
    shown = [(item, was) for item, was in zip(beside, used) if not (held_out and was)]
    checked = [violations_of(item, tolerance_deg) for item, _ in shown]
    crossed = None
    if leave_one_out:
        crossed = cross_validated(clips, options_of(limit_set), tolerance_deg, progress)
    report_progress(progress, len(clips), len(clips), "finishing")
    return Evaluation(
        character=limit_set.character,
        tolerance_deg=tolerance_deg,
        violations=tuple(checked),
        coverage=coverage_of(checked, [was for _, was in shown]),
        leak=leak_of(own or beside, limit_set),
        clamping_previews=tuple(clamping_preview_of(item) for item, _ in shown),
        next_moves=next_moves(limit_set, crossed),
        cross_validation=crossed,
    )


def _check_clips(used: Sequence[bool], held_out: bool) -> None:
    """Require clips to compare with; `used` marks those that the limits come from."""
    if not used:
        raise EstimationError("no motion to compare the limits with; name at least one")
    if held_out and all(used):
        raise EstimationError(
            "the limits come from every clip given; add a clip that they do not come from, or use "
            "leave-one-out"
        )


def _all_aligned(
    limit_set: LimitSet, clips: Sequence[Motion], progress: Progress | None
) -> list[AlignedClip]:
    """Clips on the branch of the limits, with progress."""
    beside = []
    for number, clip in enumerate(clips):
        beside.append(aligned(limit_set, clip))
        report_progress(progress, number + 1, len(clips), f"placed {clip.name}")
    return beside


@dataclass(frozen=True, eq=False)
class CheckedClip:
    """One motion file."""

    file: str
    """As given by the user."""
    violations: Violations | None
    """None for a file that could not be checked."""
    error: str | None = None

    @property
    def passed(self) -> bool:
        """Whether the clip was checked and nothing exceeds the tolerance."""
        return self.violations is not None and not self.violations.bounds


@dataclass(frozen=True, eq=False)
class CheckResult:
    """All motion files of one check. `limits`: the file with the limits."""

    limits: str
    character: str
    tolerance_deg: float
    clips: tuple[CheckedClip, ...]

    def __repr__(self) -> str:
        outside = [clip.file for clip in self.clips if not clip.passed]
        failed = f", {len(outside)} failed" if outside else ""
        return f"CheckResult({self.limits!r}, {plural(len(self.clips), 'motion')}{failed})"

    @property
    def passed(self) -> bool:
        """Whether every clip passed."""
        return all(clip.passed for clip in self.clips)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "format": CHECK_FORMAT,
            "version": FORMAT_VERSION,
            "program_version": __version__,
            "limits": self.limits,
            "character": self.character,
            "tolerance_deg": self.tolerance_deg,
            "passed": self.passed,
            "motions": [_clip(clip) for clip in self.clips],
        }


def _clip(clip: CheckedClip) -> dict[str, Any]:
    found = {} if clip.violations is None else clip.violations.to_dict()
    return {"file": clip.file, "passed": clip.passed, "error": clip.error, **found}
