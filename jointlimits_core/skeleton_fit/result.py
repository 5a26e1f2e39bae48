"""Options and result of a skeleton fit, as used by the report, the JSON file and Maya."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from ..base import errors, text
from ..base.findings import Finding
from ..base.options import option
from ..geometry.arrays import Booleans, Floats, Integers

if TYPE_CHECKING:
    from .tracks import BodyTracks

KINDS = ("ball", "single-axis", "rigid")
MIN_FRAMES = 6
"""Minimum number of frames in which two bodies must be seen together. Each frame gives three
equations for the six coordinates of a joint; noise requires a few more frames."""
FREE_SHARE = 0.2
"""Largest gap of a joint as a share of the relative motion of its bodies. Pairs with a larger gap
may still be joints, see ``BodyOptions.free_beyond_m``."""
LOOP_SHARE = 1.25
"""Largest residual of a loop joint, as a multiple of the largest on the tree's path."""


@dataclass(frozen=True, eq=False)
class BodyJoint:
    """A joint between two bodies.

    Directions are sorted by the accuracy of the joint's position along them, worst first. They are
    the same lines in space for both bodies, as nearly as the motion allows.
    """

    child: int
    parent: int
    """Indices of the bodies; a loop joint's parent is the body that comes first in the tree."""
    centre_in_child: Floats
    centre_in_parent: Floats
    """Position of the joint in the bodies' own axes, metres, shape (3,)."""
    residual_m: float
    """Root mean square distance between these two points in all frames that show both bodies."""
    frames_used: int
    kind: str
    """Kind of joint: "ball", "single-axis" (its position along the axis is a guess, see
    :mod:`.joints`) or "rigid" (no relative motion, so its position is unknown)."""
    directions_in_child: Floats
    directions_in_parent: Floats
    """Unit vectors as rows, shape (3, 3)."""
    wobble: Floats
    """Relative rotation of the bodies across each direction, radians rms, shape (3,)."""
    deviation_m: Floats
    """Standard deviation of the position along each direction, metres, (3,); inf if unknown."""
    axis_in_child: Floats | None = None
    axis_in_parent: Floats | None = None
    """Unit vectors along a single-axis joint's axis, shape (3,); else None."""
    on_axis_m: float | None = None
    """Standard deviation of the guessed position along a single axis, metres; None if the motion
    determines it, or the joint closes a loop."""
    next_best: int | None = None
    """Runner-up for the child's parent; None if there is none."""
    margin_m: float = float("inf")
    """Excess of the runner-up's residual, metres; inf if there is no runner-up."""
    independent_frames: float = float("inf")
    """Number of independent frames used: all of them in white noise, far fewer if skin slides."""
    hidden_m: float = 0.0
    """Position error, metres (across the axis if single), due to markers that slide with the skin
    as the joint turns, as far as its gap suggests; 0 if gaps show no sliding."""

    @property
    def ends(self) -> tuple[int, int, Floats, Floats]:
        """Both bodies, and the joint's position in each, as for :func:`.residuals.joint_gap`."""
        return self.child, self.parent, self.centre_in_child, self.centre_in_parent

    @property
    def lateral_m(self) -> float:
        """Largest position deviation, except along a single axis, where the position is a guess."""
        return float(self.deviation_m[1 if self.kind == "single-axis" else 0 :].max())


@dataclass(frozen=True, eq=False)
class BodyFit:
    """Skeleton fitted to loose bodies."""

    tracks: BodyTracks
    options: BodyOptions
    parents: Integers
    """Index of each body's parent, shape (bodies,); -1 for roots and free bodies."""
    joints: tuple[BodyJoint, ...]
    """One per body that has a parent, parents first."""
    loops: tuple[BodyJoint, ...]
    """Joints outside the tree, which close a loop."""
    figures: tuple[tuple[int, ...], ...]
    """Bodies of each figure, root first, parents before children; the largest figure first."""
    free: tuple[int, ...]
    """Bodies that belong to no figure."""
    residuals_m: Floats
    """Root mean square gap of every pair at its best joint, metres, shape (bodies, bodies):
    symmetric, inf where two bodies were never seen together, 0 on the diagonal."""
    weights: Floats
    """Weights that decided the tree, shape (bodies, bodies); see `model`."""
    used: Booleans
    """Frames used in the fit, shape (bodies, frames): all but gaps and outliers."""
    model: str = "gaps"
    """Source of the weights: "gaps" in exact data, metres; "likelihood" (:mod:`.likelihood`) or
    "motion lines" (:mod:`.spectral`), negative logarithms."""
    slips: tuple[Any, ...] = ()
    findings: tuple[Finding, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Results of further models, by name."""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the bodies."""
        return self.tracks.names

    def joint(self, child: str) -> BodyJoint:
        """Joint between a body and its parent. Raises KeyError for a root or an unknown body."""
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
"""Keys of ``BodyFit.extra``: comparisons, and pairs of bodies that were fitted as mirror images."""


@dataclass(frozen=True, eq=False)
class Comparison:
    """Special model compared with the plain fit, in frames that neither was fitted to.

    `gain`: mean log ratio of the plain fit's gaps to the model's gaps; `other`: the rejected fit.
    """

    model: str
    used: bool
    gain: float
    other: BodyFit


MAX_EQUAL_LOG_RATIO = 0.05
"""Mean log ratio of held-out gaps up to which two models are equally good, so the special model is
kept: half the standard error of a mean over fifteen joints."""


def better_fit(
    model: str, special: BodyFit, plain: BodyFit, gain: float, equal: float = MAX_EQUAL_LOG_RATIO
) -> BodyFit:
    """Better of two fits, with the other one in its ``extra``; `gain`: see :class:`Comparison`."""
    better = gain > -equal
    chosen, other = (special, plain) if better else (plain, special)
    earlier = chosen.extra.get(COMPARED) or other.extra.get(COMPARED, ())
    comparison = Comparison(model, better, gain, other)
    return replace(chosen, extra={**chosen.extra, COMPARED: (*earlier, comparison)})


@dataclass(frozen=True)
class BodyOptions:
    """Options of a fit. Raises ValueError for numbers outside their range."""

    root: str | None = None
    """Root body of the figure; chosen automatically by default."""
    parents: Mapping[str, str | None] = field(default_factory=dict)
    """Known parents of all or some bodies; None makes a body a root."""
    free_beyond_m: float = 0.001 * option("free_beyond_mm").default
    """Largest gap of a joint, metres rms, unless it is below :data:`FREE_SHARE` of the bodies'
    relative motion, or all gaps are large."""

    def __post_init__(self) -> None:
        if not self.free_beyond_m > 0.0:
            raise ValueError(f"free_beyond_m must be positive, not {self.free_beyond_m}")


def body_names(clips: Sequence[BodyTracks]) -> frozenset[str]:
    """Names of the bodies of all clips."""
    return frozenset(name for clip in clips for name in clip.names)


def body_options_of(values: Mapping[str, Any], bodies: Collection[str] = ()) -> BodyOptions:
    """Fit options from the option table's group "bodies"; ValueError for invalid parents."""

    def is_whole(part: str) -> bool:
        return _are_known(_child_and_parent(part, bodies), bodies)

    # Lists such as "shin=thigh,hips="; an empty parent makes the child a root.
    lists = (text.listed_parts(wish, is_whole) for wish in values["body_parents"])
    parents: dict[str, str | None] = {}
    for word in chain.from_iterable(lists):
        child, parent = _child_and_parent(word, bodies)
        if not child:
            message = f"must be child=parent, or root=, not {word!r}"
            raise errors.OptionError("body_parents", message)
        if child in parents:
            raise errors.OptionError("body_parents", f"must name one parent of {child}, not two")
        parents[child] = parent or None
    return BodyOptions(values["body_root"] or None, parents, 0.001 * values["free_beyond_mm"])


def _child_and_parent(word: str, bodies: Collection[str]) -> tuple[str, str]:
    """Texts around the equals sign that separates known bodies, or else around the first sign."""
    places = [place for place, letter in enumerate(word) if letter == "="]
    pairs = [(word[:place].strip(), word[place + 1 :].strip()) for place in places]
    return next((pair for pair in pairs if _are_known(pair, bodies)), (pairs or [("", "")])[0])


def _are_known(pair: tuple[str, str], bodies: Collection[str]) -> bool:
    return pair[0] in bodies and (not pair[1] or pair[1] in bodies)
