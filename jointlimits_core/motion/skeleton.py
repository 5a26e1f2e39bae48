"""Skeleton: joint hierarchy, rest pose, joint orientations and forward kinematics.

For column vectors, ``world = world(parent) @ between @ T(translation) @ S(1 / parent scale) @
R(rotation) @ S(scale)``. Here ``between`` is the transform of groups between the parent joint and
this one, usually the identity, and the parent's inverse scale applies only if the joint compensates
for it (Maya's segmentScaleCompensate). For BVH and Acclaim files this is ``T R``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from typing import Any

import numpy as np

from ..geometry.arrays import ArrayLike, Floats, Integers
from ..geometry.euler import axes_of
from ..geometry.quaternion import IDENTITY, matrix_from_quaternion, normalize


def world_matrices_from_local(
    skeleton: Skeleton,
    rotations: Floats,
    translations: Floats,
    scales: Floats,
    between: Mapping[int, Floats],
) -> Floats:
    """World matrices, (..., joints, 4, 4), of one pose or many, for column vectors."""
    turns = matrix_from_quaternion(rotations)
    # Local matrices, each replaced by its world matrix; parents come first.
    world = np.zeros((*turns.shape[:-2], 4, 4))
    np.multiply(turns, scales[..., None, :], out=world[..., :3, :3])
    world[..., :3, 3] = translations
    world[..., 3, 3] = 1.0
    for joint, parent in enumerate(skeleton.parents.tolist()):
        local = world[..., joint, :, :]
        if parent >= 0 and skeleton.compensates_scale[joint]:
            local[..., :3, :3] /= scales[..., parent, :, None]
        own = between.get(joint, skeleton.between.get(joint))
        if own is not None:
            local[...] = own @ local
        if parent >= 0:
            local[...] = world[..., parent, :, :] @ local
    return world


@dataclass(frozen=True)
class Declaration:
    """Limits and locks that a file declares for a joint; they are shown, but never trusted."""

    dof: tuple[str, ...] | None = None
    """Channels declared to move ("rotateX", ...); None if not declared."""
    limits_deg: Mapping[str, tuple[float | None, float | None]] = field(default_factory=dict)
    """Declared limits in degrees, by channel; in a Maya scene, only enabled ones."""
    locked: frozenset[str] = frozenset()


def _stack(value: ArrayLike | None, shape: tuple[int, ...], default: ArrayLike) -> Floats:
    if value is None:
        return np.array(np.broadcast_to(np.asarray(default, dtype=np.float64), shape))
    array = np.array(np.asarray(value, dtype=np.float64))
    if array.shape != shape:
        raise ValueError(f"array must have shape {shape}, not {array.shape}")
    return array


@dataclass(frozen=True, eq=False)
class Skeleton:
    """Joint hierarchy, rest pose and joint orientations.

    Raises ValueError naming the joint for repeated names, parents out of order, wrong shapes or
    non-finite values.
    """

    names: tuple[str, ...]
    """Unique joint names; full paths for repeated names."""
    parents: Integers
    """Index of the parent, -1 for a root, shape (joints,). Parents come before children."""
    offsets: Floats = None  # type: ignore[assignment]
    """Rest translation relative to the parent, in the source's length unit, shape (joints, 3)."""
    rest_rotations: Floats = None  # type: ignore[assignment]
    """Local rotation in the rest pose (the bind pose where the file has one), shape (joints, 4)."""
    rest_source: str = "identity"
    """Source of the rest pose: "bind", "first", "identity", ..."""
    rotate_orders: tuple[str, ...] = ()
    """One of Maya's six rotate orders per joint."""
    joint_orients: Floats = None  # type: ignore[assignment]
    rotate_axes: Floats = None  # type: ignore[assignment]
    """As in :func:`jointlimits_core.geometry.euler.local_from_rotate`, shape (joints, 4)."""
    scales: Floats = None  # type: ignore[assignment]
    """Scales in the rest pose, shape (joints, 3)."""
    compensates_scale: Any = None
    """Whether the parent joint's scale is compensated (segmentScaleCompensate), shape (joints,)."""
    between: Mapping[int, Floats] = field(default_factory=dict)
    """Constant transform (4, 4) from the parent joint, or the world, by joint index."""
    declarations: Mapping[str, Declaration] = field(default_factory=dict)
    name: str = ""
    meters_per_unit: float | None = None
    """Length unit of the source, if declared."""
    hanging: frozenset[str] = frozenset()
    """Joints whose parent was not selected; they have no parent here but are not roots."""
    roots: frozenset[str] | None = None
    """Joints that place a character, if its motion is known; see :mod:`.roots`."""
    of_controls: bool = False
    """Whether these are controls: transforms without joint types, jointOrient or preferred angle,
    each below its own groups."""
    angle_unit: str | None = None
    """Angle unit that the source also states for its motions: "degrees" or "radians"."""

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
            put(self, attribute, normalize(array))
        compensates = np.zeros(count) if self.compensates_scale is None else self.compensates_scale
        put(self, "compensates_scale", np.asarray(compensates, dtype=bool).reshape(-1))
        self._check()

    def _check(self) -> None:
        count, seen = len(self.names), set()
        for index, (name, parent) in enumerate(zip(self.names, self.parents)):
            if name in seen:
                raise ValueError(f"joint name {name!r} is used twice; use full paths")
            if not -1 <= parent < index:
                raise ValueError(f"joint {name!r} must come after its parent (index {parent})")
            seen.add(name)
        for order in self.rotate_orders:
            axes_of(order)
        for attribute in ("parents", "rotate_orders", "compensates_scale"):
            found = len(getattr(self, attribute))
            if found != count:
                message = f"{attribute} must have {count} values, one per joint, not {found}"
                raise ValueError(message)
        for attribute in ("offsets", "rest_rotations", "joint_orients", "rotate_axes", "scales"):
            bad = ~np.isfinite(getattr(self, attribute)).all(axis=-1)
            if bad.any():
                raise ValueError(
                    f"{attribute} of joint {self.names[int(np.argmax(bad))]!r} must be finite"
                )

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def _rows(self) -> dict[str, int]:
        return {name: row for row, name in enumerate(self.names)}

    def index(self, joint: str) -> int:
        """Index of a joint. Raises KeyError listing the most similar names."""
        if joint in self._rows:
            return self._rows[joint]
        near = " or ".join(get_close_matches(joint, self.names))
        hint = f"did you mean {near}?" if near else "no similar name"
        raise KeyError(f"no joint {joint!r}; {hint}")

    def parent_name(self, joint: str) -> str | None:
        """Name of the parent joint; None for a root."""
        parent = int(self.parents[self.index(joint)])
        return None if parent < 0 else self.names[parent]

    def ancestors(self, joint: int) -> list[int]:
        """A joint and all joints above it, upwards."""
        chain = [joint]
        while self.parents[chain[-1]] >= 0:
            chain.append(int(self.parents[chain[-1]]))
        return chain

    def is_root(self, index: int) -> bool:
        """Whether a joint places its character, judged by motion or, if unknown, by hierarchy."""
        if self.roots is not None:
            return self.names[index] in self.roots
        return bool(self.parents[index] < 0) and self.names[index] not in self.hanging

    @cached_property
    def placing_joints(self) -> frozenset[int]:
        """Roots and the joints above them, which place a character and have no limits."""
        roots = filter(self.is_root, range(len(self)))
        return frozenset(joint for root in roots for joint in self.ancestors(root))

    def rest_world_matrices(self) -> Floats:
        """World matrices of the rest pose, shape (joints, 4, 4), column vectors."""
        return world_matrices_from_local(self, self.rest_rotations, self.offsets, self.scales, {})


DEFAULT_TWIST: Floats = np.array([1.0, 0.0, 0.0])
"""Twist axis of joints without children, or with children at their own position."""
MIN_TWIST_SHARE = 1e-6
"""A sum of bones shorter than this share of the longest bone counts as having no direction."""


def twist_axes(skeleton: Skeleton) -> Floats:
    """Twist axes in the joints' own space, unit, (joints, 3): Holden's sum of child offsets."""
    offsets = np.stack([offset_in_parent(skeleton, row) for row in range(len(skeleton))])
    summed = np.zeros((len(skeleton), 3))
    children = np.flatnonzero(skeleton.parents >= 0)
    np.add.at(summed, skeleton.parents[children], offsets[children])
    length = np.linalg.norm(summed, axis=1, keepdims=True)
    longest = float(np.max(np.linalg.norm(offsets, axis=1), initial=0.0))
    points = length > MIN_TWIST_SHARE * longest
    return np.asarray(np.where(points, summed / np.where(points, length, 1.0), DEFAULT_TWIST))


def offset_in_parent(skeleton: Skeleton, row: int) -> Floats:
    """Position of a joint in its parent's space, including transforms between them, shape (3,)."""
    between = skeleton.between.get(row, np.eye(4))
    return np.asarray(between[:3, :3] @ skeleton.offsets[row] + between[:3, 3])
