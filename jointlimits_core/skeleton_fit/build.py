"""Skeletons and motions from skeleton fits, and replay of the tracks through a skeleton.

Each body becomes one joint, at the point where it is attached to its parent. The joint's X axis
points along the bone; its Z axis is the axis of a single-axis joint, or else lies close to the
direction about which the joint turns most. All rotate channels are zero in the rest pose, the mean
of the motion. A replay keeps the measured rotations and the root's positions, and moves each body
to its joint, from the root outwards (O'Brien et al. 2000, section 4).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..base.errors import EstimationError
from ..geometry import quaternion
from ..geometry.arrays import Booleans, Floats
from ..motion.motion import Motion
from ..motion.skeleton import Skeleton
from . import doubts, result
from .tracks import BodyTracks

NO_LENGTH_M = 1e-4
"""A bone shorter than this, in metres, has no usable direction."""
MAX_COSINE = 0.99
"""Largest cosine between a bone and a direction that can serve as its second axis."""


def motions(fit: result.BodyFit) -> tuple[Motion, ...]:
    """Motions in metres, one per figure, largest first; errors as in :func:`pooled_motions`."""
    return tuple(clips[0] for clips in pooled_motions([fit]))


def pooled_motions(fits: Sequence[result.BodyFit]) -> tuple[tuple[Motion, ...], ...]:
    """Motions in metres, one tuple per figure with one motion per clip, largest figure first.

    The motions of a figure share one Skeleton, whose rest pose is the mean pose of all clips.
    Raises EstimationError if no two bodies are joined, or no joint fits.
    """
    doubts.reject_wide_gaps(fits)
    first = fits[0]
    if not first.figures:
        raise EstimationError(
            f"no two bodies of {first.tracks.name!r} are joined, so there is no skeleton; the "
            f"bodies are {', '.join(first.names[body] for body in first.free)}"
        )
    tracks = [replay(fit) for fit in fits]
    return tuple(_figure_motions(fits, tracks, number) for number in range(len(first.figures)))


def _figure_motions(
    fits: Sequence[result.BodyFit], tracks: Sequence[BodyTracks], figure: int
) -> tuple[Motion, ...]:
    """Motions of one figure from replayed tracks."""
    order = fits[0].figures[figure]
    origins, axes = joint_places(fits[0], figure)
    number = {body: row for row, body in enumerate(order)}
    parents = [number.get(int(fits[0].parents[body]), -1) for body in order]
    moved = []
    for clip in tracks:
        bodies = np.swapaxes(clip.rotations[list(order)], 1, 2)
        world = quaternion.multiply(bodies, axes[:, None])
        local = np.array(world)
        for row, parent in enumerate(parents):
            if parent >= 0:
                local[row] = quaternion.multiply(quaternion.conjugate(world[parent]), world[row])
        root = quaternion.rotate(bodies[0], origins[0])
        moved.append((local, clip.positions[order[0]] + root))
    joined = [np.concatenate(parts, axis=-2) for parts in zip(*moved)]
    skeleton = _skeleton(fits[0], figure, parents, *joined)
    return tuple(
        Motion(
            skeleton=skeleton,
            rotations=np.ascontiguousarray(np.swapaxes(local, 1, 2)),
            frames=clip.frames,
            frame_rate=clip.frame_rate,
            name=clip.name,
            translations={0: root},
            source=clip.source,
            findings=fit.findings,
        )
        for fit, clip, (local, root) in zip(fits, tracks, moved)
    )


def _skeleton(
    fit: result.BodyFit, figure: int, parents: list[int], local: Floats, root: Floats
) -> Skeleton:
    bodies, (origins, axes) = fit.figures[figure], joint_places(fit, figure)
    offsets = np.zeros((len(parents), 3))
    offsets[0] = root.mean(axis=0)
    by_child = {joint.child: joint for joint in fit.joints}
    for row, parent in enumerate(parents):
        if parent >= 0:
            step = by_child[bodies[row]].centre_in_parent - origins[parent]
            offsets[row] = quaternion.rotate(quaternion.conjugate(axes[parent]), step)
    # The mean rotation of each joint is the dominant eigenvector of the sum of q q'.
    rest = np.linalg.eigh(np.einsum("jfa,jfb->jab", local, local))[1][:, :, -1]
    return Skeleton(
        names=tuple(fit.names[body] for body in bodies),
        parents=np.array(parents),
        offsets=offsets,
        rest_rotations=rest,
        rest_source="mean",
        joint_orients=rest,
        name=fit.tracks.name,
        meters_per_unit=1.0,
    )


def joint_places(fit: result.BodyFit, figure: int = 0) -> tuple[Floats, Floats]:
    """Origins, (joints, 3) metres, and axes, (joints, 4), of one figure's joints in their bodies.

    The root's origin is the centre of its joints, or its sensor if it has only one joint.
    """
    bodies = fit.figures[figure]
    by_child = {joint.child: joint for joint in fit.joints}
    origins, frames = np.zeros((len(bodies), 3)), np.tile(quaternion.IDENTITY, (len(bodies), 1))
    for row, body in enumerate(bodies):
        ends = [joint.centre_in_parent for joint in fit.joints if joint.parent == body]
        # At the end of a limb, only the sensor's position shows the limb's direction.
        middle = np.mean(ends, axis=0) if ends else np.zeros(3)
        if row > 0:
            origins[row] = by_child[body].centre_in_child
            frames[row] = _axes(by_child[body], middle - origins[row])
        elif len(ends) > 1:
            origins[row] = middle
    return origins, frames


def _axes(joint: result.BodyJoint, bone: Floats) -> Floats:
    """Rotation of a joint's axes relative to its body's axes."""
    # Wobble across the first direction is smallest, so the joint turns mostly about it.
    about, second, _ = joint.directions_in_child
    length = float(np.linalg.norm(bone))
    if length < NO_LENGTH_M:
        return _frame(second, about)
    along = bone / length
    if joint.axis_in_child is not None and abs(along @ about) < MAX_COSINE:
        return _frame(along - (along @ about) * about, about)
    sideways = about if abs(along @ about) < MAX_COSINE else second
    return _frame(along, sideways - (sideways @ along) * along)


def _frame(x: Floats, z: Floats) -> Floats:
    """Rotation with the given X and Z axes, which must be perpendicular, of any length."""
    x, z = x / np.linalg.norm(x), z / np.linalg.norm(z)
    return quaternion.quaternion_from_matrix(np.stack([x, np.cross(z, x), z], axis=1))


def replay(fit: result.BodyFit) -> BodyTracks:
    """Tracks that the fitted skeleton follows; rotations are interpolated for unseen bodies."""
    rotations = np.array(np.swapaxes(fit.tracks.rotations, 1, 2))
    positions = np.array(fit.tracks.positions)
    frames = np.arange(fit.tracks.frame_count)
    for body in (*(figure[0] for figure in fit.figures), *fit.free):
        used = fit.used[body]
        rotations[body] = _filled_turns(rotations[body], used)
        for column in positions[body].T if used.any() else ():
            column[~used] = np.interp(frames[~used], frames[used], column[used])
    for joint in fit.joints:
        parent, used = rotations[joint.parent], fit.used[joint.child]
        if not used.all():
            local = quaternion.multiply(quaternion.conjugate(parent), rotations[joint.child])
            rotations[joint.child] = quaternion.multiply(parent, _filled_turns(local, used))
        there = positions[joint.parent] + quaternion.rotate(parent, joint.centre_in_parent)
        own = quaternion.rotate(rotations[joint.child], joint.centre_in_child)
        positions[joint.child] = there - own
    return replace(
        fit.tracks,
        positions=positions,
        rotations=np.ascontiguousarray(np.swapaxes(rotations, 1, 2)),
        present=fit.tracks.present | fit.used.any(axis=1)[:, None],
        findings=fit.findings,
    )


def replay_distance_m(fit: result.BodyFit, tracks: BodyTracks) -> Floats:
    """Rms distance, metres, by which a replay moves each body in its used frames, (bodies,)."""
    step = tracks.positions - fit.tracks.positions
    squared = np.where(fit.used, np.sum(step * step, axis=2), 0.0)
    return np.asarray(np.sqrt(squared.sum(axis=1) / np.maximum(fit.used.sum(axis=1), 1)))


def _filled_turns(turns: Floats, used: Booleans) -> Floats:
    """Rotations in which unused frames are interpolated between the neighbouring used frames."""
    if used.all() or not used.any():
        return turns
    known = np.flatnonzero(used)
    # Position of every frame in the list of used frames; fractional between used frames.
    at = np.interp(np.arange(len(used)), known, np.arange(len(known)))
    last, following = (known[end(at).astype(int)] for end in (np.floor, np.ceil))
    between = quaternion.normalize(quaternion.slerp(turns[last], turns[following], at % 1.0))
    return np.asarray(np.where(used[:, None], turns, between))
