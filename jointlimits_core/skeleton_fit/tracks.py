"""Tracks of loose bodies: positions and orientations of sensors, clusters or transforms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..base.errors import EstimationError
from ..base.findings import Finding
from ..geometry.arrays import ArrayLike, Booleans, Floats, Integers
from ..geometry.quaternion import matrix_from_quaternion, normalize, quaternion_from_matrix
from ..io.input import SourceFile
from ..motion.motion import Motion

MAX_UNIT_ERROR = 1e-6
"""Largest error of a quaternion's length."""
MAX_ORTHONORMAL_ERROR = 1e-4
"""Largest deviation of a matrix from orthonormality, since files round numbers."""


def require_frame_rate(name: str, rate: float) -> None:
    """Raise ValueError, naming the tracks, unless their frame rate is finite and above 0."""
    if not (np.isfinite(rate) and rate > 0):
        raise ValueError(f"frame rate of {name!r} must be finite and greater than 0, not {rate}")


@dataclass(frozen=True, eq=False)
class BodyTracks:
    """Positions and orientations of bodies over one clip.

    Build it from your own arrays with :meth:`from_quaternions` or :meth:`from_matrices`. Raises
    ValueError naming the body for repeated names, wrong shapes, quaternions that are not of unit
    length, or non-finite numbers where the body was seen.
    """

    names: tuple[str, ...]
    positions: Floats
    """Origins of the bodies in the world, metres, shape (bodies, frames, 3)."""
    rotations: Floats
    """Rotations from body to world, unit (x, y, z, w) of any sign, shape (bodies, 4, frames)."""
    frame_rate: float
    present: Booleans = None  # type: ignore[assignment]
    """Frames in which a body was seen, shape (bodies, frames); by default, those with finite
    numbers. In other frames its numbers are not used and may be NaN."""
    name: str = "tracks"
    """Name of the clip."""
    frames: Floats = None  # type: ignore[assignment]
    """Frame numbers of the source, increasing, shape (frames,); 0, 1, 2, ... by default."""
    source: SourceFile | None = None
    findings: tuple[Finding, ...] = ()
    """Findings of the reader; their `joint` is the name of the body."""
    up: str | None = None
    """Up axis of the world; None if not stated."""

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "names", tuple(self.names))
        put(self, "positions", np.asarray(self.positions, dtype=np.float64))
        put(self, "rotations", np.asarray(self.rotations, dtype=np.float64))
        self._check_shapes()
        places, turns = np.isfinite(self.positions), np.isfinite(self.rotations)
        finite: Booleans = np.logical_and(places.all(axis=2), turns.all(axis=1))
        given = finite if self.present is None else self.present
        numbers = np.arange(self.frame_count) if self.frames is None else self.frames
        put(self, "present", np.asarray(given, dtype=bool))
        put(self, "frames", np.asarray(numbers, dtype=np.float64))
        if self.present.shape != finite.shape:
            raise ValueError(f"present must have shape {finite.shape}, not {self.present.shape}")
        require_frame_rate(self.name, self.frame_rate)
        if len(self.frames) != self.frame_count or np.any(~(np.diff(self.frames) > 0)):
            raise ValueError(f"frame numbers of {self.name!r} must increase, one for each frame")
        self._complain(self.present & ~finite, "has numbers that are not finite")
        squared: Floats = np.einsum("bcf,bcf->bf", self.rotations, self.rotations)
        # NaN, which compares as False, occurs only where nothing was seen.
        wrong = self.present & (np.abs(squared - 1.0) > 2.0 * MAX_UNIT_ERROR)
        self._complain(wrong, "has a rotation that is not a unit quaternion")

    def _check_shapes(self) -> None:
        repeated = {name for name in self.names if self.names.count(name) > 1}
        if repeated:
            raise ValueError(
                f"body name {min(repeated)!r} is used twice in {self.name!r}; names must differ"
            )
        bodies = len(self.names)
        if self.positions.ndim != 3 or self.positions.shape[::2] != (bodies, 3):
            raise ValueError(
                f"positions must have shape ({bodies}, frames, 3), not {self.positions.shape}"
            )
        expected = (bodies, 4, self.positions.shape[1])
        if self.rotations.shape != expected:
            raise ValueError(f"rotations must have shape {expected}, not {self.rotations.shape}")
        if bodies == 0 or self.frame_count == 0:
            raise ValueError(
                f"tracks {self.name!r} must have at least one body and one frame, not {bodies} "
                f"bodies and {expected[2]} frames"
            )

    def _complain(self, wrong: Booleans, what: str) -> None:
        if wrong.any():
            body, frame = np.argwhere(wrong)[0]
            raise ValueError(f"body {self.names[body]!r} {what} at frame {self.frames[frame]:g}")

    @classmethod
    def from_quaternions(
        cls,
        names: Sequence[str],
        positions: ArrayLike,
        quaternions: ArrayLike,
        frame_rate: float,
        *,
        meters_per_unit: float = 1.0,
        present: ArrayLike | None = None,
        name: str = "tracks",
        frames: ArrayLike | None = None,
    ) -> BodyTracks:
        """Build tracks from positions, (frames, bodies, 3), and quaternions of any length.

        `quaternions`, (frames, bodies, 4): (x, y, z, w) from body to world. `meters_per_unit`:
        0.001 for millimetres. `present`, shape (frames, bodies). `frames`: frame numbers of the
        source. Raises ValueError for wrong shapes or values.
        """
        places, turns = np.asarray(positions, np.float64), np.asarray(quaternions, np.float64)
        if turns.shape != (*places.shape[:2], 4):
            raise ValueError(
                "positions and quaternions must have shapes (frames, bodies, 3) and (frames, "
                f"bodies, 4), not {places.shape} and {turns.shape}"
            )
        seen = None if present is None else np.ascontiguousarray(np.asarray(present, bool).T)
        return cls(
            names=tuple(names),
            positions=np.ascontiguousarray(places.transpose(1, 0, 2)) * meters_per_unit,
            rotations=np.ascontiguousarray(normalize(turns).transpose(1, 2, 0)),
            frame_rate=float(frame_rate),
            present=seen,  # type: ignore[arg-type]
            name=name,
            frames=None if frames is None else np.asarray(frames, np.float64),  # type: ignore[arg-type]
        )

    @classmethod
    def from_matrices(
        cls, names: Sequence[str], matrices: ArrayLike, frame_rate: float, **rest: Any
    ) -> BodyTracks:
        """Build tracks from world matrices for column vectors, (frames, bodies, 4 or 3, 4).

        NaN where a body was not seen. `rest`: further arguments for :meth:`from_quaternions`.
        Raises ValueError naming the body for mirrored axes, scale or shear.
        """
        m = np.asarray(matrices, dtype=np.float64)
        if m.ndim != 4 or m.shape[1] != len(names) or m.shape[2:] not in ((4, 4), (3, 4)):
            raise ValueError(
                f"matrices must have shape (frames, {len(names)}, 4, 4), not {m.shape}"
            )
        turns = m[..., :3, :3]
        wanted: Booleans = np.asarray(np.isfinite(m[..., :3, :]).all(axis=(-2, -1)))
        if rest.get("present") is not None:
            wanted &= np.asarray(rest["present"], dtype=bool)
        filled = np.where(wanted[..., None, None], turns, np.eye(3))
        error = np.abs(np.swapaxes(filled, -1, -2) @ filled - np.eye(3)).max(axis=(-2, -1))
        for wrong, what in (
            (
                np.linalg.det(filled) < 0.0,
                "axes of body {!r} are mirrored (left-handed) at its "
                "frame {}; convert the data to right-handed axes first",
            ),
            (
                error > MAX_ORTHONORMAL_ERROR,
                "matrix of body {!r} scales or shears at its frame {}; remove scale first",
            ),
        ):
            if wrong.any():
                frame, body = np.argwhere(wrong)[0]
                raise ValueError(what.format(names[body], frame))
        return cls.from_quaternions(
            names, m[..., :3, 3], quaternion_from_matrix(turns), frame_rate, **rest
        )

    def __len__(self) -> int:
        return len(self.names)

    @property
    def frame_count(self) -> int:
        """Number of frames."""
        return int(self.positions.shape[1])

    def index(self, body: str) -> int:
        """Index of a body. Raises KeyError listing the known names."""
        if body not in self.names:
            raise KeyError(f"no body {body!r}; the bodies are: {', '.join(self.names)}")
        return self.names.index(body)

    def quaternion(self, body: str) -> Floats:
        """World rotations of a body, shape (frames, 4); NaN where it was not seen."""
        index = self.index(body)
        return np.asarray(np.where(self.present[index][:, None], self.rotations[index].T, np.nan))

    def matrices(self) -> Floats:
        """Rotation matrices, shape (bodies, frames, 3, 3); NaN where a body was not seen."""
        turns = matrix_from_quaternion(np.moveaxis(self.rotations, 1, 2))
        return np.asarray(np.where(self.present[..., None, None], turns, np.nan))

    def keep_frames(self, indices: Iterable[int] | Integers) -> BodyTracks:
        """Tracks with chosen frames only. `indices`: positions in :attr:`frames`."""
        chosen = np.asarray(indices, dtype=np.int64)
        return replace(
            self,
            positions=np.take(self.positions, chosen, axis=1),
            rotations=np.take(self.rotations, chosen, axis=2),
            present=np.take(self.present, chosen, axis=1),
            frames=self.frames[chosen],
        )

    def choose_bodies(self, bodies: Iterable[str]) -> BodyTracks:
        """Tracks of chosen bodies only, in the given order."""
        chosen = [self.index(body) for body in bodies]
        return replace(
            self,
            names=tuple(self.names[index] for index in chosen),
            positions=self.positions[chosen],
            rotations=self.rotations[chosen],
            present=self.present[chosen],
        )


def bodies_from_motion(
    motion: Motion, joints: Sequence[str] | None = None, *, meters_per_unit: float | None = None
) -> BodyTracks:
    """Body tracks of joints: their world positions and rotations, without scale.

    `meters_per_unit`: by default the skeleton's unit, or else 0.01 (Maya's centimetres), with a
    finding. Raises EstimationError naming the joint if scale mirrors or flattens its axes.
    """
    names = motion.joint_names if joints is None else tuple(joints)
    chosen = [motion.skeleton.index(name) for name in names]
    world = motion.all_world_matrices()[:, chosen]
    turns = world[..., :3, :3]
    flat = ~(np.linalg.det(turns) > 0.0)
    if flat.any():
        joint = names[int(np.argwhere(flat)[0, 1])]
        raise EstimationError(f"axes of joint {joint!r} are mirrored or flattened by its scale")
    rotations = quaternion_from_matrix(turns / np.linalg.norm(turns, axis=-2, keepdims=True))
    findings = motion.findings
    scale = meters_per_unit or motion.skeleton.meters_per_unit
    if scale is None:
        scale = 0.01
        message = "The file does not state its unit of length; centimetres are assumed."
        findings = (*findings, Finding("unit-not-given", message, clip=motion.name))
    return BodyTracks(
        names,
        np.ascontiguousarray(np.moveaxis(world[..., :3, 3], 0, 1)) * scale,
        np.ascontiguousarray(np.moveaxis(rotations, 0, 2)),
        motion.frame_rate,
        name=motion.name,
        frames=motion.frames,
        source=motion.source,
        findings=findings,
        # BVH, AMC and Maya scenes have Y up.
        up="y",
    )
