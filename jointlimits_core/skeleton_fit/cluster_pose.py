"""Position and orientation of rigid groups of markers.

The shape of a group comes from median distances, which a few swapped labels do not change. Its pose
in each frame is the best fit of that shape to the visible markers (Kabsch).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..base.errors import EstimationError
from ..geometry.arrays import Booleans, Floats
from ..geometry.quaternion import quaternion_from_matrix, sign_coherent

MIN_MARKERS = 3
MIN_BEND_RAD = float(np.radians(5.0))
"""Two limbs count as in line if the angle between them is smaller than this."""
MIN_EXTENT_RATIO = 0.05
"""Markers count as collinear if their group is narrower than this share of its length."""
_REFINEMENT_COUNT = 3
_CHOSEN_FRAMES = 2000
"""Number of evenly spread frames that determine the shape, accurate to a tenth of the noise."""
_MAX_ERROR_FACTOR, _MAX_ERROR_M = 5.0, 0.010
"""A frame does not fit if its error exceeds both this multiple of the median and this length."""


@dataclass(frozen=True, eq=False)
class ClusterPose:
    """Motion of one rigid group of markers; NaN where there is no pose or a marker is not seen.

    `positions`, (frames, 3), metres; `rotations`, (4, frames), unit quaternions, the identity in
    the first frame that fits; `shape`, (markers, 3), metres in the group's own axes; `residuals`,
    (markers, frames): distance of each marker from its place in the fitted shape, metres.
    """

    positions: Floats
    rotations: Floats
    present: Booleans
    shape: Floats
    residuals: Floats

    @property
    def rms(self) -> float:
        """Root mean square residual in frames with a pose, in metres."""
        return float(np.sqrt(np.nanmean(self.residuals[:, self.present] ** 2)))

    @property
    def unfit_frames(self) -> Booleans:
        """Frames that had enough markers but did not fit the shape, shape (frames,)."""
        return np.asarray(~self.present & np.isfinite(self.residuals).any(axis=0))


def cluster_pose(positions: Floats, present: Booleans, names: tuple[str, ...] = ()) -> ClusterPose:
    """Pose of a rigid group in every frame that fits and shows at least three of its markers.

    Raises EstimationError for fewer than three markers, collinear markers, or fewer than two frames
    that show three. `positions`, (markers, frames, 3): metres; `present`, (markers, frames);
    `names`: marker names for messages.
    """
    _require(len(positions) >= MIN_MARKERS, names, len(positions), "are fewer than three")
    shape = _shape(positions, present, names)
    usable = _spans_a_plane(shape, present)
    _require(int(usable.sum()) >= 2, names, len(positions), "are never seen three at a time")
    centres, turns, residuals = _fit_poses(shape, positions, present & usable)
    worst = np.sqrt(np.nanmean(residuals[:, usable] ** 2, axis=0))
    limit = max(_MAX_ERROR_FACTOR * float(np.median(worst)), _MAX_ERROR_M)
    fits = np.zeros(len(usable), dtype=bool)
    fits[np.flatnonzero(usable)[worst <= limit]] = True
    first = turns[np.flatnonzero(fits)[0]]
    quaternions = np.full((len(usable), 4), np.nan)
    quaternions[fits] = sign_coherent(quaternion_from_matrix(turns[fits] @ first.T))
    return ClusterPose(
        np.where(fits[:, None], centres, np.nan),
        np.ascontiguousarray(quaternions.T),
        fits,
        shape @ first.T,
        residuals,
    )


def limb_pose(
    start: Floats, end: Floats, beyond: Floats, above: Floats | None = None
) -> ClusterPose:
    """Axes of a limb, from the markers at its ends and at the end of the next limb.

    The first axis points along the limb, and the second is normal to the plane of the three markers
    (Herda et al., section 3.3); there is no pose in frames in which the two limbs are in line.
    Raises EstimationError if there are fewer than two poses. `start`, `end`, `beyond`, (frames, 3),
    metres: the shoulder, elbow and wrist, for example. `above`: spans the plane instead of `start`
    if `start` is on the side of the limb.
    """
    along, next_along = end - start, beyond - end
    before = along if above is None else end - above
    with np.errstate(invalid="ignore", divide="ignore"):
        lengths = np.linalg.norm(along, axis=1)
        x = along / lengths[:, None]
        across = np.cross(_unit(before), _unit(next_along))
        sine = np.linalg.norm(across, axis=1)
        present = sine > np.sin(MIN_BEND_RAD)  # False where a value is NaN
        y = _unit(across - np.sum(across * x, axis=1, keepdims=True) * x)
    if present.sum() < 2:
        raise EstimationError("the limb and the next one are in line or unseen in every frame")
    turns = np.stack([x, y, np.cross(x, y)], axis=-1)[present]
    quaternions = np.full((4, len(start)), np.nan)
    quaternions[:, present] = sign_coherent(quaternion_from_matrix(turns)).T
    length = float(np.median(lengths[present]))
    residuals = np.full((2, len(start)), np.nan)
    residuals[:, present] = [np.zeros(present.sum()), np.abs(lengths[present] - length)]
    shape = np.array([[0.0, 0.0, 0.0], [length, 0.0, 0.0]])
    where = np.where(present[:, None], start, np.nan)
    return ClusterPose(where, quaternions, present, shape, residuals)


def _unit(vectors: Floats) -> Floats:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def _require(holds: bool, names: tuple[str, ...], count: int, problem: str) -> None:
    if not holds:
        raise EstimationError(f"markers {', '.join(names) or count} {problem}")


def _shape(positions: Floats, present: Booleans, names: tuple[str, ...]) -> Floats:
    """Shape of the group relative to its centre, (markers, 3), metres."""
    step = max(1, positions.shape[1] // _CHOSEN_FRAMES)
    chosen, seen = positions[:, ::step], present[:, ::step]
    if (seen.sum(axis=0) >= MIN_MARKERS).sum() < 2:
        chosen, seen = positions, present
    # Points whose distances best match the measured distances (classical scaling).
    both = seen[:, None] & seen
    _require(bool(both.any(axis=2).all()), names, len(seen), "include two never seen together")
    apart = np.linalg.norm(chosen[:, None] - chosen, axis=3)
    squares = np.nanmedian(np.where(both, apart, np.nan), axis=2) ** 2
    inner = squares - squares.mean(axis=0) - squares.mean(axis=1)[:, None] + squares.mean()
    values, vectors = np.linalg.eigh(-0.5 * inner)
    shape = vectors[:, -3:] * np.sqrt(np.maximum(values[-3:], 0.0))
    extents = np.linalg.svd(shape, compute_uv=False)
    _require(bool(extents[1] > MIN_EXTENT_RATIO * extents[0]), names, len(shape), "lie on a line")
    usable = _spans_a_plane(shape, seen)
    _require(int(usable.sum()) >= 2, names, len(shape), "are never seen three at a time")
    chosen, seen = chosen[:, usable], seen[:, usable]
    # Distances cannot tell a shape from its mirror image; keep the one that fits more frames.
    mirrored = shape * [1.0, 1.0, -1.0]
    errors = [np.nansum(_fit_poses(one, chosen, seen)[2] ** 2, axis=0) for one in (shape, mirrored)]
    if 2 * np.sum(errors[0] <= errors[1]) < chosen.shape[1]:
        shape = mirrored
    for _ in range(_REFINEMENT_COUNT):
        # Each marker moves to its median position in the group's axes.
        centres, turns, _ = _fit_poses(shape, chosen, seen)
        local = np.einsum("mfi,fij->mfj", chosen - centres, turns)
        for marker, there in enumerate(seen):
            if there.any():
                shape[marker] = np.median(local[marker, there], axis=0)
        shape = np.asarray(shape - shape.mean(axis=0))
    return shape


def _spans_a_plane(shape: Floats, present: Booleans) -> Booleans:
    """Frames in which the visible markers are not collinear, shape (frames,)."""
    patterns, which = np.unique(present, axis=1, return_inverse=True)
    good = np.zeros(patterns.shape[1], dtype=bool)
    for column, seen in enumerate(patterns.T):
        if seen.sum() >= MIN_MARKERS:
            part = shape[seen] - shape[seen].mean(axis=0)
            extents = np.linalg.svd(part, compute_uv=False)
            good[column] = extents[1] > MIN_EXTENT_RATIO * extents[0]
    return np.asarray(good[np.reshape(which, -1)])


def _fit_poses(
    shape: Floats, positions: Floats, present: Booleans
) -> tuple[Floats, Floats, Floats]:
    """Origins, rotations and residuals, (markers, frames), of a shape in each frame (Kabsch)."""
    weights = present / np.maximum(present.sum(axis=0), 1)
    seen = np.where(present[..., None], positions, 0.0)
    middle = np.einsum("mf,mfi->fi", weights, seen)
    own_middle = weights.T @ shape
    spread = np.einsum("mf,mfi,mj->fij", weights, seen, shape)
    spread -= middle[:, :, None] * own_middle[:, None, :]
    left, _, right = np.linalg.svd(spread)
    signs = np.where(np.linalg.det(left @ right) < 0.0, -1.0, 1.0)
    left[:, :, 2] *= signs[:, None]
    turns = left @ right
    centres = middle - np.einsum("fij,fj->fi", turns, own_middle)
    fitted = np.einsum("fij,mj->mfi", turns, shape) + centres
    residuals = np.where(present, np.linalg.norm(positions - fitted, axis=-1), np.nan)
    return centres, turns, residuals
