"""Gate of a check, which accepts short runs, a share of the frames, and a baseline's violations.

Every limit is judged separately. Runs of fewer than `for_frames` frames beyond it do not count. If
the frames that count are at most `allow_percent` of the motion's, the limit passes; otherwise only
the baseline can let it pass.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..base.text import names_words
from .baseline import Baseline
from .by_limit import ByLimit, Given, by_limit, named_joints
from .violations import TOLERANCE_DEG, LimitViolation, Violations

OPTIONS = ("tolerance_deg", "for_frames", "allow_percent", "ignore")
"""Names of a gate's options, except the baseline."""
_TOLERANCE, _FOR, _ALLOW = ByLimit(TOLERANCE_DEG), ByLimit(1), ByLimit(0.0)


@dataclass(frozen=True)
class Gate:
    """Rules of a check; by default, any frame outside a limit fails."""

    tolerance: ByLimit = _TOLERANCE
    """Tolerances, degrees."""
    for_frames: ByLimit = _FOR
    """Minimum number of consecutive frames that count."""
    allow_percent: ByLimit = _ALLOW
    """Largest share of a motion's frames that may count without failing."""
    ignored: tuple[str, ...] = ()
    """Joints that are not compared."""
    baseline: Baseline | None = None

    @classmethod
    def from_values(
        cls,
        joints: Iterable[str],
        tolerance_deg: Given = TOLERANCE_DEG,
        for_frames: Given = 1,
        allow_percent: Given = 0.0,
        ignore: str = "",
        baseline: Baseline | None = None,
    ) -> Gate:
        """Gate for the limits of these joints.

        The numbers may be text with values for some limits, see
        :mod:`jointlimits_core.evaluation.by_limit`. `ignore`: names or patterns of joints, with
        commas. Raises OptionError, also for a pattern that matches no joint.
        """
        names = list(joints)
        return cls(
            by_limit("tolerance_deg", tolerance_deg, names),
            by_limit("for_frames", for_frames, names),
            by_limit("allow_percent", allow_percent, names),
            tuple(named_joints("ignore", names, ignore)) if ignore else (),
            baseline,
        )

    def judge(self, found: Violations) -> Violations:
        """Violations without ignored joints, each with the rule that decided; failed ones first."""
        rows = [row for row, name in enumerate(found.joints) if name not in self.ignored]
        bounds = [
            self._judge_limit(one, found) for one in found.bounds if one.joint not in self.ignored
        ]
        return replace(
            found,
            joints=tuple(found.joints[row] for row in rows),
            outside_deg=found.outside_deg[rows],
            is_outside=found.is_outside[rows],
            bounds=tuple(sorted(bounds, key=lambda item: (item.passed, -item.worst_deg))),
            missing=tuple(name for name in found.missing if name not in self.ignored),
            findings=tuple(item for item in found.findings if item.joint not in self.ignored),
        )

    def _judge_limit(self, item: LimitViolation, found: Violations) -> LimitViolation:
        place = item.joint, item.channel, item.side
        least, allowed = self.for_frames.value_for(*place), self.allow_percent.value_for(*place)
        ends = np.searchsorted(found.frames, np.reshape(item.frame_ranges, (-1, 2)))
        runs = ends[:, 1] - ends[:, 0] + 1
        counted = int(runs[runs >= least].sum())
        before = self.baseline.entry(found.clip, *place) if self.baseline else None
        item = replace(item, counted=counted, baseline_deg=before.worst_deg if before else None)
        if not counted:
            return replace(item, passed=True, rule="for", rule_value=least)
        if 100.0 * counted <= allowed * len(found.frames):
            return replace(item, passed=True, rule="allow", rule_value=allowed)
        further = before is None or item.worst_deg > before.worst_deg + self.tolerance.value_for(
            *place
        )
        if before is not None and not further and item.frames < before.frames + least:
            return replace(item, passed=True, rule="baseline", rule_value=before.worst_deg)
        if allowed > 0.0:
            return replace(item, rule="allow", rule_value=allowed)
        return replace(item, rule="for", rule_value=least) if least > 1 else item

    def to_dict(self) -> dict[str, Any]:
        """Rules as given, as plain data for JSON."""
        return {
            "tolerance": str(self.tolerance),
            "for": str(self.for_frames),
            "allow": str(self.allow_percent),
            "ignore": list(self.ignored),
            "baseline": self.baseline.path if self.baseline else None,
        }

    def __str__(self) -> str:
        parts = [f"tolerance {self.tolerance} degrees"]
        parts += [f"for {self.for_frames} frames"] if self.for_frames != _FOR else []
        parts += [f"allow {self.allow_percent} %"] if self.allow_percent != _ALLOW else []
        parts += [f"without {names_words(self.ignored)}"] if self.ignored else []
        parts += [f"baseline {self.baseline.path}"] if self.baseline else []
        return "; ".join(parts)
