"""Result of a skeleton fit, as used by the report, the JSON file and Maya."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..arrays import Booleans, Floats, Integers
from ..findings import Finding

if TYPE_CHECKING:
    from .options import BodyOptions
    from .tracks import BodyTracks

KINDS = ("ball", "single-axis", "rigid")


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
        "ball", "single-axis" (the place along the axis is a guess, see :mod:`.axis_places`) or
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
    tracks : BodyTracks
        The tracks that were fitted.
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
    slips : tuple
        Times at which a sensor slipped on its body.
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

        Raises
        ------
        KeyError
            If there is no such body, or it is a root.
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
