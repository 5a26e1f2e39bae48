"""Result of checking motions against one limit set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..base.text import plural
from ..base.version import __version__
from .violations import Violations

FORMAT, FORMAT_VERSION = "jointlimits.check", 1


@dataclass(frozen=True, eq=False)
class CheckedClip:
    """Result for one motion file."""

    file: str
    """Path as given by the user."""
    violations: Violations | None
    """None for a file that could not be checked."""
    error: str | None = None

    @property
    def passed(self) -> bool:
        """Whether the clip was checked and nothing exceeds the tolerance."""
        return self.violations is not None and not self.violations.bounds


@dataclass(frozen=True, eq=False)
class CheckResult:
    """Results for all motion files of one check. `limits`: path of the limits."""

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
            "passed": self.passed,
            "motions": motions,
        }
