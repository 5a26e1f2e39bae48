"""Motion: one clip of one skeleton, as returned by every reader; resampling and units.

Rotations are joint-major, ``[joint, component, frame]``, since later computations use the frames of
one joint at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..base.findings import Finding
from ..base.progress import Progress, report_progress
from ..base.text import plural
from ..geometry.arrays import ArrayLike, Floats, Integers
from ..geometry.euler import euler_near, local_from_rotate, turn_from_local
from ..geometry.quaternion import normalize, quaternion_from_matrix, slerp
from ..io.input import SourceFile
from .name_matching import matched_joints
from .skeleton import Skeleton, world_matrices_from_local

STILL_RAD = np.radians(0.01)
"""Largest rotation, radians, of a joint that counts as still."""


@dataclass(frozen=True, eq=False)
class Motion:
    """One clip of one skeleton.

    Build it with :meth:`from_quaternions` or :meth:`from_rotates`. Raises ValueError for mismatched
    shapes, a frame rate that is not positive, or no frames.
    """

    skeleton: Skeleton
    rotations: Floats
    """Local rotations relative to the parent, shape (joints, 4, frames); joint-major, so
    ``rotations[j]`` is contiguous."""
    frames: Floats
    """Frame numbers of the source, increasing, shape (frames,); may be fractional."""
    frame_rate: float
    """Frames per second."""
    name: str = "motion"
    rotates: Floats | None = None
    """rotateX, rotateY, rotateZ of the source in radians, on the source's Euler branch, shape
    (joints, 3, frames)."""
    translations: Mapping[int, Floats] = field(default_factory=dict)
    """Animated translations by joint index, (frames, 3); other joints keep their offset."""
    scales: Mapping[int, Floats] = field(default_factory=dict)
    """Animated scales by joint index, (frames, 3)."""
    between: Mapping[int, Floats] = field(default_factory=dict)
    """Animated transforms from the parent joint to the joint, by joint index, (frames, 4, 4)."""
    source: SourceFile | None = None
    findings: tuple[Finding, ...] = ()
    animated: frozenset[str] | None = None
    """Joints whose rotation has keys or a driver in the source; None if all joints do."""

    def __post_init__(self) -> None:
        joints, count = len(self.skeleton), len(self.frames)
        if self.rotations.shape != (joints, 4, count):
            raise ValueError(
                f"rotations must have shape {(joints, 4, count)}, not {self.rotations.shape}"
            )
        if self.rotates is not None and self.rotates.shape != (joints, 3, count):
            raise ValueError(
                f"rotates must have shape {(joints, 3, count)}, not {self.rotates.shape}"
            )
        if count == 0:
            raise ValueError(f"clip {self.name!r} has no frames")
        if not (np.isfinite(self.frame_rate) and self.frame_rate > 0):
            raise ValueError(
                f"clip {self.name!r}: frame rate must be finite and greater than 0, "
                f"not {self.frame_rate}"
            )
        if np.any(np.diff(self.frames) <= 0) or not np.isfinite(self.frames).all():
            raise ValueError(f"clip {self.name!r}: frame numbers must be finite and increase")

    @classmethod
    def from_quaternions(
        cls,
        names: Sequence[str],
        parents: Sequence[int],
        quaternions: ArrayLike,
        frame_rate: float,
        *,
        offsets: ArrayLike | None = None,
        rotate_orders: Sequence[str] | str = "xyz",
        joint_orients: ArrayLike | None = None,
        rotate_axes: ArrayLike | None = None,
        rest_rotations: ArrayLike | None = None,
        frames: ArrayLike | None = None,
        name: str = "motion",
    ) -> Motion:
        """Build a motion from local rotations in memory.

        `parents`: -1 for a root; a parent comes before its children. `quaternions`, (frames,
        joints, 4): (x, y, z, w) relative to the parent, of any sign and length. `frame_rate`:
        frames per second. `rotate_orders`: one for all joints, or one per joint. `frames`,
        (frames,): frame numbers; 0, 1, 2, ... by default. `name`: name of the clip. Other arguments
        are those of :class:`Skeleton`. Raises ValueError for mismatched shapes or invalid values.
        """
        q = np.asarray(quaternions, dtype=np.float64)
        if q.ndim != 3 or q.shape[1:] != (len(names), 4):
            raise ValueError(
                f"quaternions must have shape (frames, {len(names)}, 4), not {q.shape}"
            )
        orders = (rotate_orders,) * len(names) if isinstance(rotate_orders, str) else rotate_orders
        skeleton = Skeleton(
            names=tuple(names),
            parents=np.asarray(parents),
            offsets=offsets,  # type: ignore[arg-type]
            rest_rotations=rest_rotations,  # type: ignore[arg-type]
            rest_source="identity" if rest_rotations is None else "given",
            rotate_orders=tuple(orders),
            joint_orients=joint_orients,  # type: ignore[arg-type]
            rotate_axes=rotate_axes,  # type: ignore[arg-type]
        )
        numbers = np.arange(len(q), dtype=np.float64) if frames is None else frames
        rotations = np.ascontiguousarray(np.moveaxis(normalize(q), 0, 2))
        return cls(skeleton, rotations, np.asarray(numbers, np.float64), float(frame_rate), name)

    @classmethod
    def from_rotates(
        cls,
        skeleton: Skeleton,
        rotates: Floats,
        frames: ArrayLike,
        frame_rate: float,
        name: str,
        progress: Progress | None = None,
        **rest: Any,
    ) -> Motion:
        """Build a motion from rotate channels.

        `rotates`, (joints, 3, frames): rotateX, rotateY, rotateZ in radians on the source's Euler
        branch. `frames`, (frames,): frame numbers. `**rest`: further fields of :class:`Motion`.
        """
        joints = len(skeleton)
        rotations = np.empty((joints, 4, rotates.shape[-1]))
        for joint, order in enumerate(skeleton.rotate_orders):
            orient, axis = skeleton.joint_orients[joint], skeleton.rotate_axes[joint]
            rotations[joint] = local_from_rotate(rotates[joint].T, orient, axis, order).T
            report_progress(progress, joint + 1, joints, f"turning the joints of {name}")
        numbers = np.asarray(frames, dtype=np.float64)
        return cls(skeleton, rotations, numbers, float(frame_rate), name, rotates, **rest)

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Names of the joints, parents first."""
        return self.skeleton.names

    def __repr__(self) -> str:
        shape = f"{plural(len(self.skeleton), 'joint')}, {plural(self.frame_count, 'frame')}"
        return f"Motion({self.name!r}, {shape} at {self.frame_rate:g} Hz)"

    @property
    def frame_count(self) -> int:
        """Number of frames."""
        return len(self.frames)

    def quaternion(self, joint: str) -> Floats:
        """Local rotations of a joint relative to its parent, shape (frames, 4), (x, y, z, w)."""
        return np.asarray(self.rotations[self.skeleton.index(joint)].T)

    def rotate_deg(self, joint: str) -> Floats | None:
        """Rotate channels of the source, degrees, (frames, 3), not wrapped; None if it has none."""
        index = self.skeleton.index(joint)
        return None if self.rotates is None else np.degrees(self.rotates[index].T)

    def translations_and_scales(self) -> tuple[Floats, Floats]:
        """Translations and scales of every joint and frame, shapes (frames, joints, 3)."""
        shape = (self.frame_count, len(self.skeleton), 3)
        translations = np.array(np.broadcast_to(self.skeleton.offsets, shape))
        scales = np.array(np.broadcast_to(self.skeleton.scales, shape))
        for joint, values in self.translations.items():
            translations[:, joint] = values
        for joint, values in self.scales.items():
            scales[:, joint] = values
        return translations, scales

    def all_world_matrices(self) -> Floats:
        """World matrices of every frame, shape (frames, joints, 4, 4), column vectors."""
        translations, scales = self.translations_and_scales()
        rotations = np.moveaxis(self.rotations, 2, 0)
        return world_matrices_from_local(
            self.skeleton, rotations, translations, scales, self.between
        )

    def world_matrices(self, frame: float) -> Floats:
        """World matrices in a frame of the source, (joints, 4, 4); ValueError if there is none."""
        found = np.flatnonzero(np.abs(self.frames - frame) < 1e-9)
        if found.size == 0:
            raise ValueError(
                f"clip {self.name!r} has no frame {frame:g}; it has {self.frame_count} frames "
                f"from {self.frames[0]:g} to {self.frames[-1]:g}"
            )
        return np.asarray(self.keep_frames(found).all_world_matrices()[0])

    def keep_frames(self, indices: Iterable[int] | Integers) -> Motion:
        """Clip with chosen frames only. `indices`: positions in :attr:`frames`, increasing."""
        chosen = np.asarray(indices, dtype=np.int64)
        # Fancy indexing would give a memory layout that slows down later work.
        rotations = np.take(self.rotations, chosen, axis=-1)
        rotates = None if self.rotates is None else np.take(self.rotates, chosen, axis=-1)
        return self._with_frames(self.frames[chosen], rotations, rotates, chosen)

    def _with_frames(
        self, frames: Floats, rotations: Floats, rotates: Floats | None, chosen: Integers
    ) -> Motion:
        """Clip with the given frames and rotations, and its other animation in `chosen` frames."""
        rest: dict[str, Any] = {
            name: {joint: values[chosen] for joint, values in getattr(self, name).items()}
            for name in ("translations", "scales", "between")
        }
        return replace(self, frames=frames, rotations=rotations, rotates=rotates, **rest)


def resample(motion: Motion, count: int) -> Motion:
    """Resample a clip at `count` evenly spaced frames, including the first and the last.

    Rotations are interpolated by slerp; rotate channels are on the branch nearest to their linear
    interpolation. Translations and scales keep the value of the previous frame.
    """
    if motion.frame_count == 1:
        return motion
    frames = np.linspace(motion.frames[0], motion.frames[-1], count)
    last = motion.frame_count - 1
    before = np.clip(np.searchsorted(motion.frames, frames, side="right") - 1, 0, last - 1)
    after = before + 1
    fraction = (frames - motion.frames[before]) / (motion.frames[after] - motion.frames[before])

    skeleton = motion.skeleton
    rotations = np.empty((len(skeleton), 4, count))
    rotates = None if motion.rotates is None else np.empty((len(skeleton), 3, count))
    for joint, values in enumerate(motion.rotations):
        rotations[joint] = slerp(values.T[before], values.T[after], fraction).T
        if motion.rotates is not None and rotates is not None:
            start, end = motion.rotates[joint][:, before], motion.rotates[joint][:, after]
            line = start + fraction * (end - start)
            orient, axis = skeleton.joint_orients[joint], skeleton.rotate_axes[joint]
            turn = turn_from_local(rotations[joint].T, orient, axis)
            rotates[joint] = euler_near(turn, line.T, skeleton.rotate_orders[joint]).T
    return motion._with_frames(frames, rotations, rotates, before)


CENTIMETRE_M = 0.01
"""One centimetre in metres: the unit of written Maya scenes, and assumed for BVH files."""


def in_centimetres(motion: Motion) -> Motion:
    """Motion in centimetres; the same object if it already is, or its unit is unknown."""
    bones = motion.skeleton
    if bones.meters_per_unit in (None, CENTIMETRE_M):
        return motion
    factor = bones.meters_per_unit / CENTIMETRE_M
    between = {joint: scaled_translations(one, factor) for joint, one in bones.between.items()}
    skeleton = replace(
        bones, offsets=bones.offsets * factor, between=between, meters_per_unit=CENTIMETRE_M
    )
    return replace(
        motion,
        skeleton=skeleton,
        translations={joint: places * factor for joint, places in motion.translations.items()},
        between={joint: scaled_translations(one, factor) for joint, one in motion.between.items()},
    )


def scaled_translations(matrices: Floats, factor: float) -> Floats:
    """Matrices with translations scaled by a factor."""
    result = np.array(matrices)
    result[..., :3, 3] *= factor
    return result


MAX_FIXED_SHARE = 1e-9
"""Largest movement, as a share of the largest coordinate, of a joint that counts as fixed."""


def rename_joints(clip: Motion, names: Iterable[str]) -> Motion:
    """Clip with its joints renamed to the matching names (:func:`.matched_joints`)."""
    own = clip.joint_names
    new = {own[at]: name for name, at in matched_joints(names, own).items() if own[at] != name}
    renamed = tuple(new.get(name, name) for name in own)
    if not new or len(set(renamed)) != len(renamed):
        return clip
    bones, driven = clip.skeleton, clip.animated
    declared = {new.get(name, name): value for name, value in bones.declarations.items()}
    return replace(
        clip,
        skeleton=replace(bones, names=renamed, declarations=declared),
        animated=None if driven is None else frozenset(new.get(name, name) for name in driven),
    )


def plain_motion(motion: Motion) -> Motion:
    """Motion with rotations and translations only; the same object if it has nothing else."""
    bones = motion.skeleton
    scaled = motion.scales or (bones.scales != 1.0).any()
    if not (motion.between or bones.between or scaled):
        return motion
    world = motion.all_world_matrices()
    world[..., :3, :3] /= np.linalg.norm(world[..., :3, :3], axis=-2, keepdims=True)
    local = np.array(world)
    below = np.flatnonzero(bones.parents >= 0)
    local[:, below] = np.linalg.inv(world[:, bones.parents[below]]) @ world[:, below]
    places = local[..., :3, 3]
    moving = np.flatnonzero(
        np.ptp(places, axis=0).max(axis=1) > MAX_FIXED_SHARE * np.abs(places).max()
    )
    skeleton = Skeleton(bones.names, bones.parents, places[0], rotate_orders=bones.rotate_orders)
    rotations = quaternion_from_matrix(local[..., :3, :3])
    return Motion(
        skeleton,
        np.ascontiguousarray(np.moveaxis(rotations, 0, 2)),
        motion.frames,
        motion.frame_rate,
        motion.name,
        translations={joint: places[:, joint] for joint in moving.tolist()},
    )
