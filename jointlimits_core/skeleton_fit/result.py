"""Options and result of a skeleton fit, as used by the report, the JSON file and Maya."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ..base import errors, text
from ..base.findings import Finding
from ..base.options import option
from ..geometry.arrays import Booleans, Floats, Integers

if TYPE_CHECKING:
    from .tracks import BodyTracks

KINDS = ("ball", "single-axis", "rigid")
MIN_FRAMES = 6
"""Frames in which two bodies must have been seen together: each gives three equations for the six
coordinates of a joint, and noise needs some more."""
FREE_SHARE = 0.2
"""Largest gap of a joint as a share of the relative motion of its bodies; larger ones may still be
joints, see ``BodyOptions.free_beyond_m``."""
LOOP_SHARE = 1.25
"""A pair outside the tree is a loop joint if its residual is at most this many times the largest
residual on the path between the two in the tree."""


@dataclass(frozen=True, eq=False)
class BodyJoint:
    """A joint between two bodies.

    Directions are ordered by how well the joint's place is known along them, worst first. In
    both bodies they are the same lines in space, as nearly as the motion allows.
    """

    child: int
    parent: int
    """Indices of the bodies; in a loop joint the parent is the body that comes first in the
    tree."""
    centre_in_child: Floats
    centre_in_parent: Floats
    """The joint in the bodies' own frames, metres, shape (3,)."""
    residual_m: float
    """Root mean square gap between the two over all frames in which both were seen."""
    frames_used: int
    kind: str
    """One of "ball", "single-axis" (the place along the axis is a guess, see :mod:`.joints`) or
    "rigid" (no relative motion, so its position is unknown)."""
    directions_in_child: Floats
    directions_in_parent: Floats
    """Rows are unit vectors, shape (3, 3)."""
    wobble: Floats
    """Relative rotation of the bodies across each direction, radians rms, shape (3,)."""
    deviation_m: Floats
    """Standard deviation of the joint's place along each direction, shape (3,); inf where
    unknown."""
    axis_in_child: Floats | None = None
    axis_in_parent: Floats | None = None
    """Unit vectors along a single-axis joint's axis, shape (3,); else None."""
    on_axis_m: float | None = None
    """Standard deviation of a single-axis joint's guessed place along its axis; None if the motion
    determines it, or the joint closes a loop."""
    next_best: int | None = None
    """The runner-up for this body's parent; None if there is none."""
    margin_m: float = float("inf")
    """How much larger the runner-up's residual is; inf if there is none."""
    independent_frames: float = float("inf")
    """Number of independent frames among those used: all in white noise, few where skin slides."""
    hidden_m: float = 0.0
    """Error of the position, metres, in the worst direction but along an axis, if markers slide
    with the skin as the joint turns, by as much as its gap shows; 0 where gaps show none."""


@dataclass(frozen=True, eq=False)
class BodyFit:
    """A skeleton found in loose bodies."""

    tracks: BodyTracks
    options: BodyOptions
    parents: Integers
    """Index of each body's parent, -1 for the root of a figure and for a free body, shape
    (bodies,)."""
    joints: tuple[BodyJoint, ...]
    """One per body that has a parent, parents first."""
    loops: tuple[BodyJoint, ...]
    """Pairs outside the tree that fit like joints."""
    figures: tuple[tuple[int, ...], ...]
    """Bodies of each figure, root first, parents before children; the largest figure first."""
    free: tuple[int, ...]
    """Bodies that belong to no figure."""
    residuals_m: Floats
    """Root mean square gap of every pair at its best joint, shape (bodies, bodies): symmetric, inf
    where two bodies were never seen together, 0 on the diagonal."""
    weights: Floats
    """Weights by which the tree was chosen, shape (bodies, bodies), see `model`."""
    used: Booleans
    """Frames that were fitted, shape (bodies, frames): no gaps, and no frames that a robust fit
    excluded."""
    model: str = "gaps"
    """What the weights are: "gaps" in exact data, in metres; "likelihood", negative logarithms, see
    :mod:`.likelihood`; or "motion lines", negative logarithms, see :mod:`.spectral`."""
    slips: tuple[Any, ...] = ()
    findings: tuple[Finding, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Results of further models, by name."""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the bodies."""
        return self.tracks.names

    def joint(self, child: str) -> BodyJoint:
        """Joint that attaches a body to its parent. Raises KeyError for a root or no such body."""
        index = self.tracks.index(child)
        for joint in self.joints:
            if joint.child == index:
                return joint
        raise KeyError(f"body {child!r} has no parent")

    def parent_names(self) -> dict[str, str | None]:
        """Parent of every body by name; None for roots and free bodies."""
        names = self.names
        return {
            name: None if parent < 0 else names[parent]
            for name, parent in zip(names, self.parents.tolist())
        }


COMPARED, SIDES = "compared", "sides"
"""Keys of ``BodyFit.extra``: comparisons, and pairs of bodies that decided as mirror images."""


@dataclass(frozen=True, eq=False)
class Comparison:
    """A special model held against the plain fit, on frames that neither had seen.

    `gain`: mean log ratio of the plain fit's gaps to its own there; `other`: the fit not used.
    """

    model: str
    used: bool
    gain: float
    other: BodyFit


MAX_EQUAL_LOG_RATIO = 0.05
"""Mean log ratio of held-out gaps up to which two models are equally good, half the standard error
of a mean over fifteen joints; then the model whose evidence called it in stays."""


def better_fit(
    model: str, special: BodyFit, plain: BodyFit, gain: float, equal: float = MAX_EQUAL_LOG_RATIO
) -> BodyFit:
    """The better of two fits, with the other in its ``extra``; `gain`: of :class:`Comparison`."""
    better = gain > -equal
    chosen, other = (special, plain) if better else (plain, special)
    earlier = chosen.extra.get(COMPARED) or other.extra.get(COMPARED, ())
    comparison = Comparison(model, better, gain, other)
    return replace(chosen, extra={**chosen.extra, COMPARED: (*earlier, comparison)})


@dataclass(frozen=True)
class BodyOptions:
    """Options of a fit. Raises ValueError for numbers outside their range."""

    root: str | None = None
    """Root body of the figure; chosen by rule if not given."""
    parents: Mapping[str, str | None] = field(default_factory=dict)
    """A hierarchy known beforehand, for all bodies or some; None makes a body a root."""
    free_beyond_m: float = 0.001 * option("free_beyond_mm").default
    """A gap above which two bodies are not joined, metres rms (more if all gaps are large), if it
    also exceeds :data:`FREE_SHARE` of their relative motion."""

    def __post_init__(self) -> None:
        if not self.free_beyond_m > 0.0:
            raise ValueError(f"free_beyond_m must be positive, not {self.free_beyond_m}")


def body_names(clips: Sequence[BodyTracks]) -> frozenset[str]:
    """Names of the bodies of all clips."""
    return frozenset(name for clip in clips for name in clip.names)


def body_options_of(values: Mapping[str, Any], bodies: Collection[str] = ()) -> BodyOptions:
    """Options of a fit from the option table's group "bodies"; ValueError for bad parents."""

    def is_whole(part: str) -> bool:
        return _are_known(_child_and_parent(part, bodies), bodies)

    # Lists as "shin=thigh,hips="; None for a root.
    parents: dict[str, str | None] = {}
    for word in (
        part for wish in values["body_parents"] for part in text.listed_parts(wish, is_whole)
    ):
        child, parent = _child_and_parent(word, bodies)
        if not child:
            raise errors.OptionError(
                "body_parents", f"must be child=parent, or root=, not {word!r}"
            )
        if child in parents:
            raise errors.OptionError("body_parents", f"must name one parent of {child}, not two")
        parents[child] = parent or None
    return BodyOptions(values["body_root"] or None, parents, 0.001 * values["free_beyond_mm"])


def _child_and_parent(word: str, bodies: Collection[str]) -> tuple[str, str]:
    """Both sides of the equals sign that stands between known bodies, else of the first one."""
    places = [place for place, letter in enumerate(word) if letter == "="]
    pairs = [(word[:place].strip(), word[place + 1 :].strip()) for place in places]
    return next((pair for pair in pairs if _are_known(pair, bodies)), (pairs or [("", "")])[0])


def _are_known(pair: tuple[str, str], bodies: Collection[str]) -> bool:
    return pair[0] in bodies and (not pair[1] or pair[1] in bodies)
