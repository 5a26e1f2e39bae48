"""Results of building a skeleton from tracked transforms, as objects and plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from jointlimits_core.arrays import Floats
from jointlimits_core.bodies.body_fit import BodyFit
from jointlimits_core.bodies.doubt_findings import doubt_findings
from jointlimits_core.bodies.fit_document import document_of
from jointlimits_core.findings import Finding
from jointlimits_core.motion import Motion

LOOK_AT = (
    *("units", "swapped-bodies", "slip", "several-figures", "loop", "no-relative-motion"),
    *("free-bodies", "never-moves"),
)
"""Rules of findings to review before the skeleton is used, most serious first."""
MENDED = frozenset(("outliers", "swapped-bodies", "slip"))
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
    def is_whole(self) -> bool:
        """Whether there is nothing to review first."""
        return not self.to_look_at

    @property
    def to_look_at(self) -> tuple[Finding, ...]:
        """Findings to review before the skeleton is used; `joint` is a source's name."""
        found = [one for rule in LOOK_AT for one in self.fit.findings if one.rule == rule]
        if self.constrained and any(one.rule in MENDED for one in self.fit.findings):
            found.insert(0, Finding("faults-followed", FOLLOWS_FAULTS))
        return (*found, *doubt_findings((self.fit,)))

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
