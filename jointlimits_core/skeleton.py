"""Skeleton: joints, how they hang together, and the frames in which their channels turn."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .arrays import ArrayLike, Floats, Integers
from .euler import axes_of
from .kinematics import world_matrices_from_local
from .rotation import IDENTITY, normalized


@dataclass(frozen=True)
class Declaration:
    """What the author of a file says of a joint: kept, shown, and never used as truth.

    Parameters
    ----------
    dof : tuple of str, optional
        Channels that are declared to move ("rotateX", ...); None if the file does not say.
    limits_deg : mapping of channel to (min or None, max or None)
        Declared limits in degrees; in a Maya scene those that are enabled.
    locked : frozenset of str
        Channels that are locked.
    """

    dof: tuple[str, ...] | None = None
    limits_deg: Mapping[str, tuple[float | None, float | None]] = field(default_factory=dict)
    locked: frozenset[str] = frozenset()


def _stack(value: ArrayLike | None, shape: tuple[int, ...], default: ArrayLike) -> Floats:
    if value is None:
        return np.array(np.broadcast_to(np.asarray(default, dtype=np.float64), shape))
    array = np.array(np.asarray(value, dtype=np.float64))
    if array.shape != shape:
        raise ValueError(f"expected an array of shape {shape}, found {array.shape}")
    return array


@dataclass(frozen=True, eq=False)
class Skeleton:
    """Joints, how they hang together, and the frames in which their channels turn.

    Parameters
    ----------
    names : sequence of str
        Unique joint names; full paths where short names repeat.
    parents : sequence of int, shape (joints,)
        Index of the parent joint, -1 for a root. A parent comes before its children.
    offsets : array, shape (joints, 3), optional
        Rest translation relative to the parent, in the source's length unit.
    rest_rotations : array, shape (joints, 4), optional
        Local rotation in the rest pose (the bind pose where the file has one).
    rest_source : str
        Where the rest pose comes from: "bind", "first", "identity", ...
    rotate_orders : sequence of str, optional
        One of the six Maya names per joint.
    joint_orients, rotate_axes : array, shape (joints, 4), optional
        As in :mod:`jointlimits_core.joint_frame`.
    scales : array, shape (joints, 3), optional
    compensates_scale : array of bool, shape (joints,), optional
        True where the parent joint's scale is taken back (segmentScaleCompensate).
    between : mapping of joint index to array (4, 4)
        Constant transforms between the parent joint, or the world, and the joint.
    declarations : mapping of joint name to Declaration
    name : str
        Name of the character.
    meters_per_unit : float, optional
        Length unit of the source, if it says so.
    hanging : frozenset of str
        Joints without a parent here that hang below joints which were not asked for: no roots.

    Raises
    ------
    ValueError
        Naming the joint, for repeated names, parents out of order, wrong shapes or values that
        are not finite.
    """

    names: tuple[str, ...]
    parents: Integers
    offsets: Floats = None  # type: ignore[assignment]
    rest_rotations: Floats = None  # type: ignore[assignment]
    rest_source: str = "identity"
    rotate_orders: tuple[str, ...] = ()
    joint_orients: Floats = None  # type: ignore[assignment]
    rotate_axes: Floats = None  # type: ignore[assignment]
    scales: Floats = None  # type: ignore[assignment]
    compensates_scale: Any = None
    between: Mapping[int, Floats] = field(default_factory=dict)
    declarations: Mapping[str, Declaration] = field(default_factory=dict)
    name: str = ""
    meters_per_unit: float | None = None
    hanging: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        count = len(self.names)
        put = object.__setattr__
        put(self, "names", tuple(self.names))
        put(self, "parents", np.asarray(self.parents, dtype=np.int64).reshape(-1))
        put(self, "rotate_orders", tuple(self.rotate_orders) or ("xyz",) * count)
        put(self, "offsets", _stack(self.offsets, (count, 3), 0.0))
        put(self, "scales", _stack(self.scales, (count, 3), 1.0))
        for attribute in ("rest_rotations", "joint_orients", "rotate_axes"):
            array = _stack(getattr(self, attribute), (count, 4), IDENTITY)
            put(self, attribute, normalized(array))
        compensates = np.zeros(count) if self.compensates_scale is None else self.compensates_scale
        put(self, "compensates_scale", np.asarray(compensates, dtype=bool).reshape(-1))
        self._check()

    def _check(self) -> None:
        seen: set[str] = set()
        for index, (name, parent) in enumerate(zip(self.names, self.parents)):
            if name in seen:
                raise ValueError(f"joint name {name!r} is used twice; use full paths")
            if not -1 <= parent < index:
                raise ValueError(f"joint {name!r} must come after its parent (index {parent})")
            seen.add(name)
        for order in self.rotate_orders:
            axes_of(order)
        if not len(self.names) == len(self.parents) == len(self.rotate_orders):
            raise ValueError(
                f"{len(self.names)} names, {len(self.parents)} parents and "
                f"{len(self.rotate_orders)} rotate orders do not belong together"
            )
        if len(self.compensates_scale) != len(self.names):
            raise ValueError(
                f"compensates_scale has {len(self.compensates_scale)} values for "
                f"{len(self.names)} joints"
            )
        for attribute in ("offsets", "rest_rotations", "joint_orients", "rotate_axes", "scales"):
            bad = ~np.isfinite(getattr(self, attribute)).all(axis=-1)
            if bad.any():
                raise ValueError(
                    f"{attribute} of joint {self.names[int(np.argmax(bad))]!r} is not finite"
                )

    def __len__(self) -> int:
        return len(self.names)

    def index(self, joint: str) -> int:
        """Index of a joint.

        Raises
        ------
        KeyError
            With the names that come closest.
        """
        try:
            return self.names.index(joint)
        except ValueError:
            close = ", ".join(difflib.get_close_matches(joint, self.names)) or "none similar"
            raise KeyError(f"no joint {joint!r}; there is: {close}") from None

    def parent_name(self, joint: str) -> str | None:
        """Name of the parent joint, None for a root."""
        parent = int(self.parents[self.index(joint)])
        return None if parent < 0 else self.names[parent]

    def is_root(self, index: int) -> bool:
        """Whether a joint places its character in the world, with no joint above it."""
        return bool(self.parents[index] < 0) and self.names[index] not in self.hanging

    def rest_world_matrices(self) -> Floats:
        """World matrices of the rest pose, shape (joints, 4, 4), column vectors."""
        return world_matrices_from_local(self, self.rest_rotations, self.offsets, self.scales, {})
