"""A skeleton and its motion from a fit.

Each body becomes one joint, in the place where it hangs on its parent. Its X axis points along the
bone, at the joints that hang on it; its Z axis is the axis of a single-axis joint, exactly, or
else as near as may be to the direction about which the joint turns most. At rest, which is the
mean of the motion, all rotate channels are zero: what the joint is turned by then is its joint
orient.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..arrays import Floats
from ..errors import EstimationError
from ..motion import Motion
from ..rotation import conjugate, multiply, quaternion_from_matrix, rotated
from ..skeleton import Skeleton
from .body_fit import BodyFit, BodyJoint
from .replay import replayed
from .tracks import BodyTracks
from .wide_gaps import refuse_wide_gaps

NO_LENGTH_M = 1e-4
"""Bones shorter than that point nowhere."""
PARALLEL = 0.99
"""Cosine from which a direction is no help beside another."""


@dataclass(frozen=True, eq=False)
class JointPlaces:
    """Where the joints of one figure are on its bodies.

    Parameters
    ----------
    bodies : tuple of int
        Parents before children; one joint each.
    origins : array, shape (joints, 3)
        Each joint in its own body's frame, metres.
    frames : array, shape (joints, 4)
        How each joint's axes are turned against its body's.
    """

    bodies: tuple[int, ...]
    origins: Floats
    frames: Floats


def motions(fit: BodyFit) -> tuple[Motion, ...]:
    """One motion per figure, the largest first.
    Returns
    -------
    tuple of Motion
        In metres; the skeletons' joints have the names of their bodies.

    Raises
    ------
    EstimationError
        If no two bodies are joined, as what moves freely is no skeleton, or no joint fits.
    """
    return tuple(clips[0] for clips in pooled_motions([fit]))


def pooled_motions(fits: Sequence[BodyFit]) -> tuple[tuple[Motion, ...], ...]:
    """The motions of several clips, figure by figure, each figure on one skeleton.

    Parameters
    ----------
    fits : sequence of BodyFit
        Of :func:`.pooled.fit_pooled`: one per clip, all with the same joints.

    Returns
    -------
    tuple of tuple of Motion
        For every figure, the largest first, one motion per clip. They share one Skeleton: its
        rest, and with it the joint orients, is the mean of all clips.

    Raises
    ------
    EstimationError
        If no two bodies are joined, as what moves freely is no skeleton, or no joint fits.
    """
    refuse_wide_gaps(fits)
    first = fits[0]
    if not first.figures:
        raise EstimationError(
            f"no two bodies of {first.tracks.name!r} are joined, so there is no skeleton; free "
            f"are {', '.join(first.names[body] for body in first.free)}"
        )
    tracks = [replayed(fit) for fit in fits]
    return tuple(_figure_motions(fits, tracks, number) for number in range(len(first.figures)))


def figure_motion(fit: BodyFit, figure: int = 0) -> Motion:
    """The motion of one figure.

    Parameters
    ----------
    figure : int
        Index in ``fit.figures``.

    Returns
    -------
    Motion
        Of a skeleton with constant bones; its root is translated as well.
    """
    return _figure_motions([fit], [replayed(fit)], figure)[0]


def _figure_motions(
    fits: Sequence[BodyFit], tracks: Sequence[BodyTracks], figure: int
) -> tuple[Motion, ...]:
    """Motions of one figure in clips whose replayed tracks are given."""
    places = joint_places(fits[0], figure)
    number = {body: row for row, body in enumerate(places.bodies)}
    parents = [number.get(int(fits[0].parents[body]), -1) for body in places.bodies]
    moved = [_local(clip, places, parents) for clip in tracks]
    joined = [np.concatenate(parts, axis=-2) for parts in zip(*moved)]
    skeleton = _skeleton(fits[0], places, parents, *joined)
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


def _local(tracks: BodyTracks, places: JointPlaces, parents: list[int]) -> tuple[Floats, Floats]:
    """Rotations against the parents, (joints, frames, 4), and where the root is, (frames, 3)."""
    bodies = np.swapaxes(tracks.rotations[list(places.bodies)], 1, 2)
    world = multiply(bodies, places.frames[:, None])
    local = np.array(world)
    for row, parent in enumerate(parents):
        if parent >= 0:
            local[row] = multiply(conjugate(world[parent]), world[row])
    return local, tracks.positions[places.bodies[0]] + rotated(bodies[0], places.origins[0])


def _skeleton(
    fit: BodyFit, places: JointPlaces, parents: list[int], local: Floats, root: Floats
) -> Skeleton:
    offsets = np.zeros((len(parents), 3))
    offsets[0] = root.mean(axis=0)
    by_child = {joint.child: joint for joint in fit.joints}
    for row, parent in enumerate(parents):
        if parent >= 0:
            step = by_child[places.bodies[row]].centre_in_parent - places.origins[parent]
            offsets[row] = rotated(conjugate(places.frames[parent]), step)
    rest = _mean_rotations(local)
    return Skeleton(
        names=tuple(fit.names[body] for body in places.bodies),
        parents=np.array(parents),
        offsets=offsets,
        rest_rotations=rest,
        rest_source="mean",
        joint_orients=rest,
        name=fit.tracks.name,
        meters_per_unit=1.0,
    )


def _mean_rotations(rotations: Floats) -> Floats:
    """Mean rotation of every row: the first eigenvector of the sum of q q'."""
    moment = np.einsum("jfa,jfb->jab", rotations, rotations)
    return np.asarray(np.linalg.eigh(moment)[1][:, :, -1])


def joint_places(fit: BodyFit, figure: int = 0) -> JointPlaces:
    """Origins and axes of the joints of one figure, in the frames of its bodies.

    The root's origin is in the middle of the joints that hang on it, or where its sensor is if
    there is one joint only: no bone is without length. Its axes are its body's.
    """
    bodies = fit.figures[figure]
    by_child = {joint.child: joint for joint in fit.joints}
    origins, frames = np.zeros((len(bodies), 3)), np.zeros((len(bodies), 4))
    frames[:, 3] = 1.0
    for row, body in enumerate(bodies):
        ends = [joint.centre_in_parent for joint in fit.joints if joint.parent == body]
        if row == 0:
            origins[row] = np.mean(ends, axis=0) if len(ends) > 1 else np.zeros(3)
            continue
        joint = by_child[body]
        origins[row] = joint.centre_in_child
        # At the end of a limb the sensor itself is all that says where the limb is.
        target = np.mean(ends, axis=0) if ends else np.zeros(3)
        frames[row] = _axes(joint, target - origins[row])
    return JointPlaces(tuple(bodies), origins, frames)


def _axes(joint: BodyJoint, bone: Floats) -> Floats:
    """How a joint's axes are turned against its body's."""
    # Across the first direction there is the least wobble: most turning is about it.
    about, second, _ = joint.directions_in_child
    length = float(np.linalg.norm(bone))
    if length < NO_LENGTH_M:
        return _frame(second, about)
    along = bone / length
    if joint.axis_in_child is not None and abs(along @ about) < PARALLEL:
        return _frame(along - (along @ about) * about, about)
    sideways = about if abs(along @ about) < PARALLEL else second
    return _frame(along, sideways - (sideways @ along) * along)


def _frame(x: Floats, z: Floats) -> Floats:
    """The rotation whose X and Z axes these two are; they are at right angles, of any length."""
    x, z = x / np.linalg.norm(x), z / np.linalg.norm(z)
    return quaternion_from_matrix(np.stack([x, np.cross(z, x), z], axis=1))
