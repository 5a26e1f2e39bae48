"""Results of writing, clearing, switching, projecting and building skeletons, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from jointlimits_core.base.findings import Finding
from jointlimits_core.geometry.arrays import Floats
from jointlimits_core.motion.motion import Motion
from jointlimits_core.rig import clamping, filter_keys, limit_plan
from jointlimits_core.skeleton_fit import document, doubts
from jointlimits_core.skeleton_fit.result import BodyFit

NOT_CHOSEN = "joint not selected"
"""Reason to skip limits whose joint is not selected."""


class Outcome:
    """Base of the results of all actions; each is a dataclass."""

    skipped: tuple[limit_plan.Skipped, ...]
    """Skipped items, each with the reason and advice."""
    clips: tuple[clamping.Clamped, ...] = ()
    """Channels on which limits change poses, worst first."""
    left_off: tuple[clamping.Clamped, ...] = ()
    """Channels left without limits, which would change poses, worst first."""
    still_clamped: tuple[clamping.Clamped, ...] = ()
    """Channels clamped by limits that were on before and stay on, worst first."""

    @property
    def is_complete(self) -> bool:
        """Whether nothing was skipped or left off, and no pose changes or is clamped."""
        return not (self.skipped or self.clips or self.left_off or self.still_clamped)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        result: Any = self
        return {key: _plain_data(value) for key, value in asdict(result).items()}


@dataclass(frozen=True)
class ReorientResult(Outcome):
    """Re-oriented joints."""

    mode: str
    """One of "R" or "C"."""
    joints: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Long names of the attributes that change on the joints."""
    compensated: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The same for nodes below them that are counter-rotated (mode C), by node name."""
    keys: Mapping[str, int] = field(default_factory=dict)
    """Keys on each of the joint's new rotation curves, by joint name."""
    unchanged: tuple[str, ...] = ()
    """Joints that already have the advised orientation, or are advised to keep theirs."""
    skipped: tuple[limit_plan.Skipped, ...] = ()


@dataclass(frozen=True)
class WriteResult(Outcome):
    """Result of writing limits on joints."""

    written: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Long names of the attributes that change."""
    unchanged: tuple[str, ...] = ()
    """Joints that are already up to date."""
    skipped: tuple[limit_plan.Skipped, ...] = ()
    matched: Mapping[str, str] = field(default_factory=dict)
    """Names in the scene, by name in the limit set, of joints whose two names differ."""
    without_limits: tuple[str, ...] = ()
    """Selected joints for which the limit set has no limits."""
    frames: ReorientResult | None = None
    """Re-orientation of joints; None if it was not needed."""
    clips: tuple[clamping.Clamped, ...] = ()
    left_off: tuple[clamping.Clamped, ...] = ()
    still_clamped: tuple[clamping.Clamped, ...] = ()
    why_without: Mapping[str, str] = field(default_factory=dict)
    """Reason why the limit set has no limits for each of those joints, by name."""
    filtered: filter_keys.KeyFilterReport | None = None
    """Rotate keys brought to one Euler branch and turn; None unless requested."""


@dataclass(frozen=True)
class FilterResult(Outcome):
    """Result of filtering rotate keys."""

    filtered: filter_keys.KeyFilterReport
    """Keys and frames that change."""
    skipped: tuple[limit_plan.Skipped, ...] = ()
    """Joints whose keys mix branches or turns but cannot be rewritten."""


@dataclass(frozen=True)
class ClearResult(Outcome):
    """Result of clearing limits."""

    restored: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Long names of the attributes that get their old values or locks back."""
    untouched: tuple[str, ...] = ()
    """Joints that were never written."""
    changed_since: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Attributes changed by hand since, by joint name; they are restored anyway."""
    frames_kept: tuple[str, ...] = ()
    """Re-oriented joints that keep their new orientation; `skipped` says why."""
    skipped: tuple[limit_plan.Skipped, ...] = ()
    frames_restored: tuple[str, ...] = ()
    """Joints that get their old orientation and keys back."""


@dataclass(frozen=True)
class SwitchResult(Outcome):
    """Result of switching limits on or off."""

    on: bool
    switched: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Long names of the enables that change."""
    unchanged: tuple[str, ...] = ()
    """Joints with nothing to switch."""
    skipped: tuple[limit_plan.Skipped, ...] = ()
    clips: tuple[clamping.Clamped, ...] = ()
    """Animation clamped by limits that are switched on again, worst first."""


def _plain_data(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain_data(one) for key, one in value.items()}
    return [_plain_data(one) for one in value] if isinstance(value, (list, tuple)) else value


@dataclass(frozen=True)
class ProjectResult(Outcome):
    """Joints that are kept inside their shapes."""

    form: str
    """Type of the node, or "plain nodes"."""
    projected: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    """Joints that already had exactly this projection."""
    skipped: tuple[limit_plan.Skipped, ...] = ()


@dataclass(frozen=True)
class StopResult(Outcome):
    """Joints that are driven as before."""

    stopped: tuple[str, ...] = ()
    untouched: tuple[str, ...] = ()
    """Joints that were not projected."""
    skipped: tuple[limit_plan.Skipped, ...] = ()


@dataclass(frozen=True)
class MovedKeys:
    """Keys of one joint that were moved inside its shape."""

    joint: str
    frames: tuple[float, ...]
    """Frames of moved keys."""
    moved_deg: tuple[float, ...]
    """Angle between old and new rotation at each of them."""
    added: int = 0
    """Keys added to channels at these frames because only other channels had one."""
    outside_between: int = 0
    """Frames between keys at which the curves are still outside the shape."""
    between_deg: float = 0.0
    """Worst distance there, degrees."""


@dataclass(frozen=True)
class ProjectKeysResult(Outcome):
    """Keys that were moved inside shapes."""

    moved: tuple[MovedKeys, ...] = ()
    unchanged: tuple[str, ...] = ()
    """Joints whose keys were all inside."""
    skipped: tuple[limit_plan.Skipped, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether nothing was skipped and no curve leaves a shape between keys."""
        return not self.skipped and not any(one.outside_between for one in self.moved)


REVIEW_RULES = (
    *("units", "swapped-bodies", "slip", "several-figures", "loop", "no-relative-motion"),
    *("free-bodies", "never-moves"),
)
"""Rules of findings to review before the skeleton is used, most serious first."""
CORRECTED_RULES = frozenset(("outliers", "swapped-bodies"))
"""Rules of faults in the tracks that keyed joints leave out or correct."""
FOLLOWS_FAULTS = (
    "some tracks have outliers or swap; joints that follow live repeat these faults, keyed joints "
    "(constrained off) do not"
)


@dataclass(frozen=True, eq=False)
class BuiltFigure:
    """The joints of one figure."""

    root: str
    """Full path of the root joint."""
    joints: Mapping[str, str]
    """Full path of the joint of each source, by the name of the source; parents first."""
    motion: Motion
    """In metres; its joints have the names of the sources."""


@dataclass(frozen=True, eq=False)
class SkeletonResult:
    """A skeleton found in tracked transforms, and its joints."""

    fit: BodyFit
    """Joints, gaps, margins, slips, loops and findings."""
    figures: tuple[BuiltFigure, ...] = field(default=())
    """Largest first."""
    constrained: bool = False
    """Whether the joints follow their sources live; else they have keys."""
    left_out: tuple[str, ...] = ()
    """Selected joints that were themselves built from tracks."""

    @property
    def roots(self) -> tuple[str, ...]:
        """Full paths of the root joints, as taken by the functions for limits."""
        return tuple(figure.root for figure in self.figures)

    @property
    def is_complete(self) -> bool:
        """Whether there is nothing to review first."""
        return not self.warnings

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """Findings to review before the skeleton is used; `joint` is a source's name."""
        found = [one for rule in REVIEW_RULES for one in self.fit.findings if one.rule == rule]
        if self.constrained and any(one.rule in CORRECTED_RULES for one in self.fit.findings):
            found.insert(0, Finding("faults-followed", FOLLOWS_FAULTS))
        return (*found, *doubts.joint_warning_findings((self.fit,)))

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "figures": [{"root": one.root, "joints": dict(one.joints)} for one in self.figures],
            "constrained": self.constrained,
            "left_out": list(self.left_out),
            "skeleton": document.document_of((self.fit,)),
        }


@dataclass(frozen=True, eq=False)
class JointQuality:
    """Fit of a built joint to its sources over time, from the joint's own attributes."""

    frames: Floats
    """In the scene's unit of time, shape (keys,)."""
    residual_mm: Floats
    """Gap of the joint, millimetres, shape (keys,)."""
    slips: tuple[tuple[float, float, float], ...] = ()
    """Slips of the source, each (frame, millimetres, degrees); degrees are 0 if unknown."""
