"""Rig joint: parent, orientation and rotate order."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

from ..arrays import Floats
from ..euler import quaternion_from_euler
from ..skeleton import Declaration


@dataclass(frozen=True, eq=False)
class RigJoint:
    """Static properties of a joint.

    Parameters
    ----------
    key : hashable
        Identifier in the reader.
    name : str
        Unique among the joints.
    parent : int
        Index of the parent joint, -1 for a root.
    between : tuple of hashable
        Transforms between the parent joint, or the world, and this joint, from the top down.
    joint_orient, rotate_axis : array, shape (3,)
        Radians.
    compensates_scale : bool
        True if it compensates the scale of its parent joint.
    is_hanging : bool
        True if its parent joint was not selected.
    """

    key: Hashable
    name: str
    parent: int
    between: tuple[Hashable, ...]
    rotate_order: str
    joint_orient: Floats
    rotate_axis: Floats
    compensates_scale: bool = False
    declaration: Declaration = field(default_factory=Declaration)
    is_hanging: bool = False

    @property
    def orient_quaternion(self) -> Floats:
        """Rotation of jointOrient, shape (4,)."""
        return quaternion_from_euler(self.joint_orient)

    @property
    def axis_quaternion(self) -> Floats:
        """Rotation of rotateAxis, shape (4,)."""
        return quaternion_from_euler(self.rotate_axis)
