"""Results of writing, clearing, switching and projecting, and of building skeletons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from jointlimits_core.base.findings import Finding, JointDriver
from jointlimits_core.geometry.arrays import Floats
from jointlimits_core.motion.motion import Motion
from jointlimits_core.rig import clamping, filter_keys, limit_plan
from jointlimits_core.skeleton_fit import document, doubts
from jointlimits_core.skeleton_fit.result import BodyFit

NOT_CHOSEN = "not selected"
"""Reason to skip limits whose joint is not selected."""


class Outcome:
    """Base class of all results, which are dataclasses."""

    skipped: tuple[limit_plan.Skipped, ...]
    """Skipped items, each with the reason and advice."""
    clips: tuple[clamping.Clamped, ...] = ()
    """Channels on which limits change poses, worst first."""
    left_off: tuple[clamping.Clamped, ...] = ()
    """Channels left without limits because limits would change poses, worst first."""
    still_clamped: tuple[clamping.Clamped, ...] = ()
    """Channels clamped by limits that were on before and stay on, worst first."""
    following: tuple[str, ...] = ()
    """Joints whose limits are written but not turned on, because they follow a control."""
    noun: str = "joint"
    """Word for what the result is about, from :func:`~jointlimits_maya.scene.joints.noun_of`."""

    @property
    def is_complete(self) -> bool:
        """Whether nothing was skipped or left off, and no pose changes or is clamped."""
        off = self.left_off or self.following
        return not (self.skipped or self.clips or off or self.still_clamped)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        result: Any = self
        return {key: _plain_data(value) for key, value in asdict(result).items()}


@dataclass(frozen=True)
class ReorientResult(Outcome):
    """Result of re-orienting joints."""

    mode: str
    """Mode of the re-orientation, "R" or "C"."""
    joints: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Long names of the attributes that change on the joints, by joint name."""
    compensated: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Attributes that change on counter-rotated nodes below the joints (mode C), by node name."""
    keys: Mapping[str, int] = field(default_factory=dict)
    """Number of keys on each new rotation curve of a joint, by joint name."""
    unchanged: tuple[str, ...] = ()
    """Joints that already have the advised orientation, or are advised to keep theirs."""
    skipped: tuple[limit_plan.Skipped, ...] = ()


@dataclass(frozen=True)
class WriteResult(Outcome):
    """Result of writing limits on joints."""

    written: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Long names of the attributes that change, by joint name."""
    unchanged: tuple[str, ...] = ()
    """Joints that are already up to date."""
    skipped: tuple[limit_plan.Skipped, ...] = ()
    matched: Mapping[str, str] = field(default_factory=dict)
    """Joints whose names differ: name in the scene by name in the limit set."""
    without_limits: tuple[str, ...] = ()
    """Selected joints for which the limit set has no limits."""
    frames: ReorientResult | None = None
    """Re-orientation of joints; None if it was not needed."""
    clips: tuple[clamping.Clamped, ...] = ()
    left_off: tuple[clamping.Clamped, ...] = ()
    still_clamped: tuple[clamping.Clamped, ...] = ()
    why_without: Mapping[str, str] = field(default_factory=dict)
    """Reason why a joint of `without_limits` has no limits, by joint name."""
    filtered: filter_keys.KeyFilterReport | None = None
    """Keys of rotate channels moved to one Euler branch and turn; None unless requested."""
    drivers: Mapping[str, JointDriver] = field(default_factory=dict)
    """Nodes that drive joints, and the controls that these follow, by joint name."""
    following: tuple[str, ...] = ()
    boxed: Mapping[str, str] = field(default_factory=dict)
    """Joints whose limits were converted to another rotate order, and what this adds to them."""
    noun: str = "joint"

    @property
    def controls(self) -> dict[str, JointDriver]:
        """Drivers of the joints in `following`."""
        return {name: self.drivers[name] for name in self.following}


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
    """Long names of the attributes that get their old values or locks back, by joint name."""
    untouched: tuple[str, ...] = ()
    """Joints to which limits were never written."""
    changed_since: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Attributes changed by hand since Apply, by joint name; they are restored anyway."""
    frames_kept: tuple[str, ...] = ()
    """Re-oriented joints that keep their new orientation; `skipped` says why."""
    skipped: tuple[limit_plan.Skipped, ...] = ()
    frames_restored: tuple[str, ...] = ()
    """Joints that get their old orientation and keys back."""
    noun: str = "joint"


@dataclass(frozen=True)
class SwitchResult(Outcome):
    """Result of switching limits on or off."""

    on: bool
    switched: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Long names of the enable attributes that change, by joint name."""
    unchanged: tuple[str, ...] = ()
    """Joints with nothing to switch."""
    skipped: tuple[limit_plan.Skipped, ...] = ()
    clips: tuple[clamping.Clamped, ...] = ()
    """Animation clamped by limits that are switched on again, worst first."""
    following: tuple[str, ...] = ()
    noun: str = "joint"


@dataclass(frozen=True)
class BakeResult(Outcome):
    """Result of baking joints; no pose changes, or nothing would have been baked."""

    baked: tuple[str, ...]
    channels: tuple[str, ...]
    """Channels that get a key on every frame, on all of these joints."""
    frames: tuple[float, float]
    """First and last frame."""
    limited: tuple[str, ...] = ()
    """Joints whose limits are off while Maya bakes."""
    skipped: tuple[limit_plan.Skipped, ...] = ()
    noun: str = "joint"


def _plain_data(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain_data(one) for key, one in value.items()}
    return [_plain_data(one) for one in value] if isinstance(value, (list, tuple)) else value


@dataclass(frozen=True)
class ProjectResult(Outcome):
    """Result of projecting, which keeps joints inside their shapes."""

    form: str
    """Type of the inserted node, or "plain nodes"."""
    projected: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    """Joints that already had exactly this projection."""
    skipped: tuple[limit_plan.Skipped, ...] = ()
    by_hand: tuple[str, ...] = ()
    """Projected joints that were posed by hand, with keys or without; this now needs the node."""


@dataclass(frozen=True)
class StopResult(Outcome):
    """Result of removing projections: joints are driven as before."""

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
    """Angle between the old and the new rotation at each of these frames."""
    added: int = 0
    """Number of keys added at these frames, to channels that had none while others did."""
    outside_between: int = 0
    """Number of frames between keys at which the curves are still outside the shape."""
    between_deg: float = 0.0
    """Largest distance from the shape at such a frame, degrees."""


@dataclass(frozen=True)
class ProjectKeysResult(Outcome):
    """Result of moving keys inside shapes."""

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
"""Rules of the findings to review before using the skeleton, most serious first."""
CORRECTED_RULES = frozenset(("outliers", "swapped-bodies"))
"""Rules of findings about track faults that keyed joints leave out or correct."""
FOLLOWS_FAULTS = (
    "some tracks have outliers or are swapped; joints that follow live repeat these faults, keyed "
    "joints (constrained off) do not"
)


@dataclass(frozen=True, eq=False)
class BuiltFigure:
    """The joints of one figure."""

    root: str
    """Full path of the root joint."""
    joints: Mapping[str, str]
    """Full path of each source's joint, by the name of the source; parents first."""
    motion: Motion
    """Motion in metres; its joints have the names of the sources."""


@dataclass(frozen=True, eq=False)
class SkeletonResult:
    """A skeleton found in tracked transforms, and its joints."""

    fit: BodyFit
    """Joints, gaps, margins, slips, loops and findings."""
    figures: tuple[BuiltFigure, ...] = field(default=())
    """Figures, largest first."""
    constrained: bool = False
    """Whether the joints follow their sources live; else they have keys."""
    left_out: tuple[str, ...] = ()
    """Selected joints that were left out because they were themselves built from tracks."""

    @property
    def roots(self) -> tuple[str, ...]:
        """Full paths of the root joints, as input for the functions that handle limits."""
        return tuple(figure.root for figure in self.figures)

    @property
    def is_complete(self) -> bool:
        """Whether there is nothing to review first."""
        return not self.warnings

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """Findings to review before the skeleton is used; `joint` is the name of a source."""
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
    """Frames in the scene's time unit, shape (keys,)."""
    residual_mm: Floats
    """Gap of the joint, millimetres, shape (keys,)."""
    slips: tuple[tuple[float, float, float], ...] = ()
    """Slips of the source, each (frame, millimetres, degrees); degrees are 0 if unknown."""
