"""What became of building a skeleton from tracked transforms, as objects and as plain data."""

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
"""Rules of findings that somebody should look at before the skeleton is used, gravest first."""
MENDED = frozenset(("outliers", "swapped-bodies", "slip"))
"""Rules of findings of what keys leave out, or put right."""
FOLLOWS_FAULTS = (
    "some frames of the tracks fit no joint, tracks change places or slip; joints that follow "
    "live go wrong with them, joints with keys (constrained off) do not"
)


@dataclass(frozen=True, eq=False)
class BuiltFigure:
    """The joints of one figure.

    Parameters
    ----------
    root : str
        Full path of the root joint.
    joints : mapping of str to str
        Full path of the joint that stands for each source, by the source's name; parents first.
    motion : Motion
        What the joints do, in metres; its joints have the names of the sources.
    """

    root: str
    joints: Mapping[str, str]
    motion: Motion


@dataclass(frozen=True, eq=False)
class SkeletonResult:
    """A skeleton found in tracked transforms, and the joints that are made of it.

    Parameters
    ----------
    fit : BodyFit
        All that was found: joints, gaps, margins, slips, loops, findings.
    figures : tuple of BuiltFigure
        The largest first.
    constrained : bool
        Whether the joints follow their sources live; else they have keys.
    left_out : tuple of str
        Joints that were chosen, too, but were built from tracks themselves.
    """

    fit: BodyFit
    figures: tuple[BuiltFigure, ...] = field(default=())
    constrained: bool = False
    left_out: tuple[str, ...] = ()

    @property
    def roots(self) -> tuple[str, ...]:
        """Full paths of the root joints; the names that the functions for limits take."""
        return tuple(figure.root for figure in self.figures)

    @property
    def is_whole(self) -> bool:
        """Whether there is nothing that somebody should look at first."""
        return not self.to_look_at

    @property
    def to_look_at(self) -> tuple[Finding, ...]:
        """What somebody should look at before the skeleton is used; `joint` is a source's name."""
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
    """How well a joint that was built fits its sources over time, from the joint's own attributes.

    Parameters
    ----------
    frames : array, shape (keys,)
        In the scene's unit of time.
    residual_mm : array, shape (keys,)
        Gap of the joint, millimetres.
    slips : tuple of (frame, millimetres, degrees)
        When the source slipped and how far; degrees are 0 where they are not known.
    """

    frames: Floats
    residual_mm: Floats
    slips: tuple[tuple[float, float, float], ...] = ()
