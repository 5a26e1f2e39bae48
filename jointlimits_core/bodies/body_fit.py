"""What a fit found: one object that the report, the JSON and Maya need and that all is in."""

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

    Directions are ordered by how well the joint's place is known along them: worst first. In
    both bodies they stand for the same lines in space, as nearly as the motion allows.

    Parameters
    ----------
    child, parent : int
        Indices of the bodies; of a loop joint, the one that comes first in the tree is the parent.
    centre_in_child, centre_in_parent : array, shape (3,)
        The joint in the bodies' own frames, metres.
    residual_m : float
        Root mean square of the gap between the two, over all frames in which both were seen.
    kind : str
        "ball", "single-axis" (the place along the axis is a guess, see :mod:`.axis_places`) or
        "rigid" (no relative motion: nothing is known of the place).
    directions_in_child, directions_in_parent : array, shape (3, 3)
        Rows are unit vectors.
    wobble : array, shape (3,)
        How much the bodies turn against each other across each direction, radians rms.
    deviation_m : array, shape (3,)
        Standard deviation of the joint's place along each direction; inf where nothing is known.
    axis_in_child, axis_in_parent : array, shape (3,), optional
        Unit vectors of a single-axis joint's axis; else None.
    on_axis_m : float, optional
        Standard deviation of the guess where on its axis a single-axis joint of the tree is, if
        its motion does not say; else None.
    next_best : int, optional
        The body that would come next as this body's parent; None if there is no other.
    margin_m : float
        By how much its residual is larger; inf if there is no other.
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
        What it was found in.
    parents : array of int, shape (bodies,)
        Index of each body's parent, -1 for the root of a figure and for a free body.
    joints : tuple of BodyJoint
        One per body that has a parent, parents first.
    loops : tuple of BodyJoint
        Pairs that fit like joints, and are none of the tree.
    figures : tuple of tuple of int
        Bodies of each figure, root first, parents before children; the largest figure first.
    free : tuple of int
        Bodies that belong to no figure.
    residuals_m : array, shape (bodies, bodies)
        Root mean square gap of every pair at its best joint: symmetric, inf where two bodies were
        not seen together, 0 on the diagonal.
    weights : array, shape (bodies, bodies)
        What the tree was chosen by; the residuals, unless a better model took their place.
    used : array of bool, shape (bodies, frames)
        Frames that took part; without gaps and what a robust fit left out.
    slips : tuple
        Times at which a body slipped on what carries it.
    extra : mapping of str to object
        What further models have to say.
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
        """The joint by which a body hangs on its parent.

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
