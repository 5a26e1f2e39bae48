"""Result of checking motions against one limit set."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from ..base.text import plural
from ..base.version import __version__
from .gate import Gate
from .violations import LimitViolation, Violations

FORMAT, FORMAT_VERSION = "jointlimits.check", 1


@dataclass(frozen=True, eq=False)
class CheckedClip:
    """Result for one motion file."""

    file: str
    """Path as given by the user."""
    violations: Violations | None
    """None for a file that could not be checked."""
    error: str | None = None

    @classmethod
    def judge(cls, file: str, found: Violations, gate: Gate) -> CheckedClip:
        """Result of a motion, judged by a gate."""
        return cls(file, gate.judge(found))

    @property
    def passed(self) -> bool:
        """Whether the clip was checked and every limit passes."""
        return self.violations is not None and all(one.passed for one in self.violations.bounds)


class JointSummary(NamedTuple):
    """A joint that is outside in some motion, and the limit that decides its result."""

    clip: CheckedClip
    item: LimitViolation
    """Worst violation that fails, or else the worst that passes; `clip` is its motion."""
    failed: int
    """Number of motions that fail because of this joint."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        item = asdict(self.item)
        names = ("joint", "passed", "rule", "rule_value", "channel", "side", "frames")
        more = ("share_percent", "longest", "counted", "worst_deg", "worst_frame", "baseline_deg")
        found = {name: item[name] for name in (*names, *more)}
        return {**found, "file": self.clip.file, "motions_failed": self.failed}


@dataclass(frozen=True, eq=False)
class CheckResult:
    """Results for all motion files of one check.

    `limits`: path of the limits. `noun`: what they limit, "joint" or "control".
    """

    limits: str
    character: str
    gate: Gate
    clips: tuple[CheckedClip, ...]
    noun: str = "joint"

    def __repr__(self) -> str:
        outside = [clip.file for clip in self.clips if not clip.passed]
        failed = f", {len(outside)} failed" if outside else ""
        return f"CheckResult({self.limits!r}, {plural(len(self.clips), 'motion')}{failed})"

    @property
    def passed(self) -> bool:
        """Whether every clip passed."""
        return all(clip.passed for clip in self.clips)

    @property
    def tolerance_deg(self) -> float:
        """Tolerance of limits that have none of their own."""
        return self.gate.tolerance.default

    def joints(self) -> list[JointSummary]:
        """One summary per joint outside: failed ones first, then by degrees."""
        found: dict[str, list[tuple[CheckedClip, LimitViolation]]] = {}
        for clip in self.clips:
            for item in clip.violations.bounds if clip.violations else ():
                found.setdefault(item.joint, []).append((clip, item))
        summaries = []
        for pairs in found.values():
            clip, item = min(pairs, key=lambda pair: (pair[1].passed, -pair[1].worst_deg))
            failed = {id(clip) for clip, one in pairs if not one.passed}
            summaries.append(JointSummary(clip, item, len(failed)))
        return sorted(summaries, key=lambda one: (one.item.passed, -one.item.worst_deg))

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        motions = [
            {
                "file": clip.file,
                "passed": clip.passed,
                "error": clip.error,
                **({} if clip.violations is None else clip.violations.to_dict()),
            }
            for clip in self.clips
        ]
        return {
            "format": FORMAT,
            "version": FORMAT_VERSION,
            "program_version": __version__,
            "limits": self.limits,
            "character": self.character,
            "tolerance_deg": self.tolerance_deg,
            "rules": self.gate.to_dict(),
            "passed": self.passed,
            "joints": [joint.to_dict() for joint in self.joints()],
            "motions": motions,
        }
