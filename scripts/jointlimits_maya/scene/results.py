"""Results of writing, clearing, switching, projecting and building skeletons, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from jointlimits_core.base import Finding
from jointlimits_core.geometry import Floats
from jointlimits_core.motion import Motion
from jointlimits_core.rig import Skipped
from jointlimits_core.skeleton_fit import BodyFit, document_of, joint_warning_findings

NOT_CHOSEN = "joint not selected"
"""Reason to skip limits whose joint is not among the selected ones."""


class Outcome:
    """Base of the results of all actions; each is a dataclass."""

    skipped: tuple[Skipped, ...]
    """What was skipped, why, and what to do."""
    clips: tuple[Clamped, ...] = ()
    """Animation that is clamped, worst first."""

    @property
    def is_complete(self) -> bool:
        """Whether nothing was skipped and nothing is clamped."""
        return not (self.skipped or self.clips)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        result: Any = self
        return {key: _listed(value) for key, value in asdict(result).items()}


@dataclass(frozen=True)
class Clamped:
    """A channel whose animation exceeds its limits, so that Maya would clamp it.

    Parameters
    ----------
    frames : int
        Frames of the animation; 0 if only the current pose is clamped.
    worst_deg : float
        Degrees beyond the limit.
    flips : int
        Frames whose pose is inside the limits but keyed on another Euler branch.
    """

    joint: str
    channel: str
    frames: int
    worst_deg: float
    worst_frame: float
    flips: int = 0


@dataclass(frozen=True)
class ReorientResult(Outcome):
    """Re-oriented joints.

    Parameters
    ----------
    mode : str
        "R" or "C".
    joints : mapping of joint name to tuple of str
        Long names of the attributes that change on the joints.
    compensated : mapping of node name to tuple of str
        The same for nodes below them that are counter-rotated (mode C).
    keys : mapping of joint name to int
        Keys on each of the joint's new rotation curves.
    unchanged : tuple of str
        Joints that already have the advised orientation, or are advised to keep theirs.
    """

    mode: str
    joints: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    compensated: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    keys: Mapping[str, int] = field(default_factory=dict)
    unchanged: tuple[str, ...] = ()
    skipped: tuple[Skipped, ...] = ()


@dataclass(frozen=True)
class WriteResult(Outcome):
    """Result of writing limits on joints.

    Parameters
    ----------
    written : mapping of joint name to tuple of str
        Long names of the attributes that change.
    unchanged : tuple of str
        Joints that are already up to date.
    skipped : tuple of Skipped
        What is skipped, why, and what to do.
    matched : mapping of str to str
        Name in the scene of joints that the limit set calls something else.
    without_limits : tuple of str
        Selected joints for which the limit set has no limits.
    frames : ReorientResult, optional
        If joints are re-oriented.
    clips : tuple of Clamped
        Animation clamped by limits that are switched on anyway, worst first.
    why_without : mapping of str to str
        Why the limit set has no limits for those joints.
    """

    written: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unchanged: tuple[str, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    matched: Mapping[str, str] = field(default_factory=dict)
    without_limits: tuple[str, ...] = ()
    frames: ReorientResult | None = None
    clips: tuple[Clamped, ...] = ()
    why_without: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class ClearResult(Outcome):
    """Result of clearing limits.

    Parameters
    ----------
    restored : mapping of joint name to tuple of str
        Long names of the attributes that get their old values or locks back.
    untouched : tuple of str
        Joints that were never written.
    changed_since : mapping of joint name to tuple of str
        Attributes changed by hand since; they get their old values all the same.
    frames_kept : tuple of str
        Re-oriented joints that keep their new orientation; `skipped` says why.
    frames_restored : tuple of str
        Joints that get their old orientation and keys back.
    """

    restored: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    untouched: tuple[str, ...] = ()
    changed_since: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    frames_kept: tuple[str, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    frames_restored: tuple[str, ...] = ()


@dataclass(frozen=True)
class SwitchResult(Outcome):
    """Result of switching limits on or off.

    Parameters
    ----------
    switched : mapping of joint name to tuple of str
        Long names of the enables that change.
    unchanged : tuple of str
        Joints with nothing to switch.
    clips : tuple of Clamped
        Animation clamped by limits that are switched on again, worst first.
    """

    on: bool
    switched: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unchanged: tuple[str, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    clips: tuple[Clamped, ...] = ()


def _listed(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _listed(one) for key, one in value.items()}
    return [_listed(one) for one in value] if isinstance(value, (list, tuple)) else value


@dataclass(frozen=True)
class ProjectResult(Outcome):
    """Joints that are kept inside their shapes.

    Parameters
    ----------
    form : str
        Type of the node, or "plain nodes".
    unchanged : tuple of str
        Joints that already had exactly this projection.
    """

    form: str
    projected: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    skipped: tuple[Skipped, ...] = ()


@dataclass(frozen=True)
class StopResult(Outcome):
    """Joints that are driven as before.

    Parameters
    ----------
    untouched : tuple of str
        Joints that were not projected.
    """

    stopped: tuple[str, ...] = ()
    untouched: tuple[str, ...] = ()
    skipped: tuple[Skipped, ...] = ()


@dataclass(frozen=True)
class MovedKeys:
    """Keys of one joint that were moved inside its shape.

    Parameters
    ----------
    frames : tuple of float
        Frames of moved keys.
    moved_deg : tuple of float
        Angle between old and new rotation at each of them.
    added : int
        Keys added to channels at these frames because only other channels had one.
    outside_between : int
        Frames between keys at which the curves are still outside the shape.
    between_deg : float
        Worst distance there, degrees.
    """

    joint: str
    frames: tuple[float, ...]
    moved_deg: tuple[float, ...]
    added: int = 0
    outside_between: int = 0
    between_deg: float = 0.0


@dataclass(frozen=True)
class ProjectKeysResult(Outcome):
    """Keys that were moved inside shapes.

    Parameters
    ----------
    unchanged : tuple of str
        Joints whose keys were all inside.
    """

    moved: tuple[MovedKeys, ...] = ()
    unchanged: tuple[str, ...] = ()
    skipped: tuple[Skipped, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether nothing was skipped and no curve leaves a shape between keys."""
        return not self.skipped and not any(one.outside_between for one in self.moved)


REVIEW_RULES = (
    *("units", "swapped-bodies", "slip", "several-figures", "loop", "no-relative-motion"),
    *("free-bodies", "never-moves"),
)
"""Rules of findings to review before the skeleton is used, most serious first."""
CORRECTED_RULES = frozenset(("outliers", "swapped-bodies", "slip"))
"""Rules of faults in the tracks that keyed joints leave out or correct."""
FOLLOWS_FAULTS = (
    "some tracks have outliers, swap or slip; joints that follow live repeat these faults, keyed "
    "joints (constrained off) do not"
)


@dataclass(frozen=True, eq=False)
class BuiltFigure:
    """The joints of one figure.

    Parameters
    ----------
    root : str
        Full path of the root joint.
    joints : mapping of str to str
        Full path of the joint of each source, by the source's name; parents first.
    motion : Motion
        In metres; its joints have the names of the sources.
    """

    root: str
    joints: Mapping[str, str]
    motion: Motion


@dataclass(frozen=True, eq=False)
class SkeletonResult:
    """A skeleton found in tracked transforms, and its joints.

    Parameters
    ----------
    fit : BodyFit
        Joints, gaps, margins, slips, loops and findings.
    figures : tuple of BuiltFigure
        Largest first.
    constrained : bool
        Whether the joints follow their sources live; else they have keys.
    left_out : tuple of str
        Selected joints that were themselves built from tracks.
    """

    fit: BodyFit
    figures: tuple[BuiltFigure, ...] = field(default=())
    constrained: bool = False
    left_out: tuple[str, ...] = ()

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
        return (*found, *joint_warning_findings((self.fit,)))

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "figures": [{"root": one.root, "joints": dict(one.joints)} for one in self.figures],
            "constrained": self.constrained,
            "left_out": list(self.left_out),
            "skeleton": document_of((self.fit,)),
        }


@dataclass(frozen=True, eq=False)
class JointQuality:
    """Fit of a built joint to its sources over time, from the joint's own attributes.

    Parameters
    ----------
    frames : array, shape (keys,)
        In the scene's unit of time.
    residual_mm : array, shape (keys,)
        Gap of the joint, millimetres.
    slips : tuple of (frame, millimetres, degrees)
        When the source slipped and how far; degrees are 0 if unknown.
    """

    frames: Floats
    residual_mm: Floats
    slips: tuple[tuple[float, float, float], ...] = ()
