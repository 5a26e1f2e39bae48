"""Options and result of a skeleton fit, as used by the report, the JSON file and Maya."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..base import Finding, OptionError, declared, option
from ..geometry import Booleans, Floats, Integers

if TYPE_CHECKING:
    from .tracks import BodyTracks

KINDS = ("ball", "single-axis", "rigid")
MINIMUM_FRAMES = 6
"""Each frame gives three equations for the six coordinates of a joint; noise needs some more."""


@dataclass(frozen=True, eq=False)
class BodyJoint:
    """A joint between two bodies.

    Directions are ordered by how well the joint's place is known along them, worst first. In
    both bodies they are the same lines in space, as nearly as the motion allows.

    Parameters
    ----------
    child, parent : int
        Indices of the bodies; in a loop joint the parent is the body that comes first in the tree.
    centre_in_child, centre_in_parent : array, shape (3,)
        The joint in the bodies' own frames, metres.
    residual_m : float
        Root mean square gap between the two over all frames in which both were seen.
    kind : str
        "ball", "single-axis" (the place along the axis is a guess, see :mod:`.joints`) or
        "rigid" (no relative motion, so the place is unknown).
    directions_in_child, directions_in_parent : array, shape (3, 3)
        Rows are unit vectors.
    wobble : array, shape (3,)
        Relative rotation of the bodies across each direction, radians rms.
    deviation_m : array, shape (3,)
        Standard deviation of the joint's place along each direction; inf where unknown.
    axis_in_child, axis_in_parent : array, shape (3,), optional
        Unit vectors along a single-axis joint's axis; else None.
    on_axis_m : float, optional
        Standard deviation of a single-axis joint's guessed place along its axis; None if the
        motion determines it, or the joint closes a loop.
    next_best : int, optional
        The runner-up for this body's parent; None if there is none.
    margin_m : float
        How much larger the runner-up's residual is; inf if there is none.
    """

    child: int
    parent: int
    centre_in_child: Floats
    centre_in_parent: Floats
    residual_m: float
    frames_used: int
    kind: str
    directions_in_child: Floats
    directions_in_parent: Floats
    wobble: Floats
    deviation_m: Floats
    axis_in_child: Floats | None = None
    axis_in_parent: Floats | None = None
    on_axis_m: float | None = None
    next_best: int | None = None
    margin_m: float = float("inf")


@dataclass(frozen=True, eq=False)
class BodyFit:
    """A skeleton found in loose bodies.

    Parameters
    ----------
    parents : array of int, shape (bodies,)
        Index of each body's parent, -1 for the root of a figure and for a free body.
    joints : tuple of BodyJoint
        One per body that has a parent, parents first.
    loops : tuple of BodyJoint
        Pairs outside the tree that fit like joints.
    figures : tuple of tuple of int
        Bodies of each figure, root first, parents before children; the largest figure first.
    free : tuple of int
        Bodies that belong to no figure.
    residuals_m : array, shape (bodies, bodies)
        Root mean square gap of every pair at its best joint: symmetric, inf where two bodies were
        never seen together, 0 on the diagonal.
    weights : array, shape (bodies, bodies)
        Weights by which the tree was chosen: the residuals, unless a better model replaced them.
    used : array of bool, shape (bodies, frames)
        Frames that were fitted: no gaps, and no frames that a robust fit excluded.
    extra : mapping of str to object
        Results of further models.
    """

    tracks: BodyTracks
    options: BodyOptions
    parents: Integers
    joints: tuple[BodyJoint, ...]
    loops: tuple[BodyJoint, ...]
    figures: tuple[tuple[int, ...], ...]
    free: tuple[int, ...]
    residuals_m: Floats
    weights: Floats
    used: Booleans
    slips: tuple[Any, ...] = ()
    findings: tuple[Finding, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the bodies."""
        return self.tracks.names

    def joint(self, child: str) -> BodyJoint:
        """The joint that attaches a body to its parent.

        Raises KeyError if there is no such body, or it is a root.
        """
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


@dataclass(frozen=True)
class BodyOptions:
    """Options of a fit.

    Raises ValueError for numbers outside their range.

    Parameters
    ----------
    root : str, optional
        Root body of the figure; chosen by rule if not given.
    parents : mapping of body to parent or None, optional
        A hierarchy known beforehand, for all bodies or some; None makes a body a root.
    free_beyond_m : float
        A gap above which two bodies are not joined, metres rms (more if all gaps are large), ...
    free_share : float
        ... if it also exceeds this share of the relative motion of the bodies.
    loop_share : float
        A pair outside the tree is a loop joint if its residual is at most this many times the
        largest residual on the path between the two in the tree.
    axis_tolerance_deg : float, optional
        Wobble up to which a joint counts as turning about one axis only, degrees rms. By default
        from the joint's own gaps and the noise of orientations: at least 0.08, at most 3.
    minimum_frames : int
        Frames in which two bodies must have been seen together.
    robust : bool
        Whether outlier frames are excluded, and swapped tracks swapped back.
    motion_lines : bool
        Whether a tree that the residuals leave open is chosen, and its joints are placed, by
        the lines of the motion's spectrum; see :mod:`.spectral`.
    """

    root: str | None = None
    parents: Mapping[str, str | None] = field(default_factory=dict)
    free_beyond_m: float = 0.001 * option("free_beyond_mm").default
    free_share: float = 0.2
    loop_share: float = 1.25
    axis_tolerance_deg: float | None = declared("axis_tolerance_deg")
    minimum_frames: int = MINIMUM_FRAMES
    robust: bool = True
    find_slips: bool = True
    motion_lines: bool = True

    def __post_init__(self) -> None:
        if not self.free_beyond_m > 0.0:
            raise ValueError(f"free_beyond_m must be positive, not {self.free_beyond_m}")
        if not 0.0 < self.free_share <= 1.0:
            raise ValueError(f"free_share must be above 0, at most 1, not {self.free_share}")
        if not self.loop_share >= 0.0:
            raise ValueError(f"loop_share must not be negative, not {self.loop_share}")
        tolerance = self.axis_tolerance_deg
        if tolerance is not None and not 0.0 <= tolerance <= 90.0:
            raise OptionError("axis_tolerance_deg", f"must be from 0 to 90, not {tolerance}")
        if self.minimum_frames < 3:
            raise ValueError(f"minimum_frames must be at least 3, not {self.minimum_frames}")


def body_options_of(values: Mapping[str, Any]) -> BodyOptions:
    """Options of a fit from the option table's group "bodies".

    Raises ValueError for parents that are not written as child=parent, or a body with two of them.
    """
    return BodyOptions(
        root=values["body_root"] or None,
        parents=_parents(values["body_parents"]),
        free_beyond_m=0.001 * values["free_beyond_mm"],
        axis_tolerance_deg=values["axis_tolerance_deg"],
        robust=values["robust"],
        find_slips=values["find_slips"],
    )


def _parents(words: Iterable[str]) -> dict[str, str | None]:
    parents: dict[str, str | None] = {}
    for word in words:
        child, sign, parent = (part.strip() for part in word.partition("="))
        if not (child and sign):
            raise OptionError("body_parents", f"must be child=parent, or root=, not {word!r}")
        if child in parents:
            raise OptionError("body_parents", f"must name one parent of {child}, not two")
        parents[child] = parent or None
    return parents
