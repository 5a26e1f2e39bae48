"""Two segments with a cluster of four markers each, joined at a point or about an axis.

The simulations of Ehrig et al. 2006 and 2007 (J Biomech 39:2798 and 40:2150): Gaussian noise of
1 mm on each marker, on all markers of a segment together, or both; ranges of motion from 5 to 90
degrees. Their summaries do not give the layout. Ours: corners of a regular tetrahedron of
15 cm in any orientation, 10 cm from the joint on the parent and 20 cm on the child, as equal
distances would hide that noise draws joints to the middle between the clusters; 1,000 frames at
100 Hz in which both segments move; the range is the opening of the cone, or of the hinge. The
clusters' shapes are known, as from a trial at rest.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jointlimits_core.geometry.arrays import Floats
from jointlimits_core.geometry.quaternion import (
    conjugate,
    matrix_from_quaternion,
    multiply,
    quaternion_from_matrix,
    quaternion_from_rotation_vector,
    rotate,
)
from jointlimits_core.skeleton_fit.tracks import BodyTracks

FRAMES, RATE = 1000, 100.0
NOISES = ("each marker", "all markers", "both")
NOISE_M = 0.001
AWAY_M, EDGE_M = (0.1, -0.2), 0.15
CORNERS = np.array([[1.0, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]]) / np.sqrt(8.0)
"""Of a regular tetrahedron with edges of length 1."""
CYCLES = 6
"""Highest frequency of the motion, per clip."""
NO_NOISE_M = 1e-5
"""Tiny marker noise in place of none, so that a matrix can be inverted."""


@dataclass(frozen=True, eq=False)
class ClusterTrial:
    """Tracks of a parent and a child, and the truth.

    Parameters
    ----------
    tracks : BodyTracks
        Parent, child, by the best rotation of each cluster.
    local : array, shape (2, 4, frames, 3)
        Markers in the axes of the other segment, as measured.
    centre : array, shape (2, 3)
        True place of the joint in both bodies.
    axis : array, shape (2, 3)
        True axis of a hinge in both bodies.
    angles : array, shape (frames,)
        Of a hinge, radians.
    """

    tracks: BodyTracks
    local: Floats
    centre: Floats
    axis: Floats
    angles: Floats


@dataclass(frozen=True, eq=False)
class ClusterMotion:
    """Two segments without noise.

    Parameters
    ----------
    turns : array, shape (2, frames, 4)
        Of the segments, whose axes agree where the joint is not turned.
    place : array, shape (frames, 3)
        Of the joint.
    vectors : array, shape (frames, 3)
        Turns of the child against the parent, as rotation vectors.
    shapes : array, shape (2, 4, 3)
        Markers in the axes of their segment, from the joint.
    """

    turns: Floats
    place: Floats
    vectors: Floats
    shapes: Floats


def cluster_motion(generator: np.random.Generator, range_deg: float, hinge: bool) -> ClusterMotion:
    """Motion and clusters of one trial.

    Parameters
    ----------
    generator : Generator
    range_deg : float
    hinge : bool
        Whether the joint turns about one axis, else within a cone.

    Returns
    -------
    ClusterMotion
    """
    vectors = _turning(generator, np.radians(range_deg), hinge)
    parent = quaternion_from_rotation_vector(0.1 * _smooth(generator, 3))
    place = 0.02 * _smooth(generator, 3)
    turns = np.stack([parent, multiply(parent, quaternion_from_rotation_vector(vectors))])
    shapes = [
        rotate(_unit(generator.normal(size=4)), EDGE_M * CORNERS) + np.array([0.0, away, 0.0])
        for away in AWAY_M
    ]
    return ClusterMotion(turns, place, vectors, np.stack(shapes))


def cluster_trial(seed: int, range_deg: float, noise: str, hinge: bool) -> ClusterTrial:
    """One trial.

    Parameters
    ----------
    seed : int
        Draws the motion, which is the same for every noise and range, and the noise.
    range_deg : float
    noise : str
        One of NOISES.
    hinge : bool
        Whether the joint turns about one axis, else within a cone.

    Returns
    -------
    ClusterTrial
    """
    generator = np.random.default_rng(seed)
    motion = cluster_motion(generator, range_deg, hinge)
    each, common = _deviations(noise)
    points = rotate(motion.turns[:, None], motion.shapes[:, :, None]) + motion.place
    points = points + each * generator.normal(size=points.shape)
    points = points + common * generator.normal(size=(2, 1, FRAMES, 3))
    middles = motion.shapes.mean(axis=1)
    positions = points.mean(axis=1)
    turns = np.stack([_turns(*pair) for pair in zip(points, motion.shapes - middles[:, None])])
    rotations = np.ascontiguousarray(np.swapaxes(turns, 1, 2))
    tracks = BodyTracks(("parent", "child"), positions, rotations, RATE)
    local = [
        rotate(conjugate(turns[body]), points[1 - body] - positions[body]) for body in range(2)
    ]
    axis = np.tile([1.0, 0.0, 0.0], (2, 1))
    return ClusterTrial(tracks, np.stack(local), -middles, axis, motion.vectors[:, 0])


def rigid_pair(seed: int, frames: int, noise_m: float, noise_deg: float) -> BodyTracks:
    """Make two sensors on one moving body, under white noise.

    Parameters
    ----------
    seed, frames : int
    noise_m, noise_deg : float
        One sd per axis and frame, metres and degrees.

    Returns
    -------
    BodyTracks
    """
    generator = np.random.default_rng(seed)
    body = quaternion_from_rotation_vector(0.5 * _smooth(generator, 3, frames))
    place = 0.3 * _smooth(generator, 3, frames)
    positions, rotations = [], []
    for _ in range(2):
        away = generator.uniform(0.03, 0.15) * _unit(generator.normal(size=3))
        mount = _unit(generator.normal(size=4))
        tilt = np.radians(noise_deg) * generator.normal(size=(frames, 3))
        turns = multiply(multiply(body, mount), quaternion_from_rotation_vector(tilt))
        shaken = noise_m * generator.normal(size=(frames, 3))
        positions.append(place + rotate(body, away) + shaken)
        rotations.append(np.ascontiguousarray(turns.T))
    return BodyTracks(("one", "other"), np.stack(positions), np.stack(rotations), RATE)


def _deviations(noise: str) -> tuple[float, float]:
    """Noise of each marker, and of all markers of a segment together, metres."""
    return NOISE_M * (noise != "all markers"), NOISE_M * (noise != "each marker")


def _turns(points: Floats, shape: Floats) -> Floats:
    """Best rotation of a shape about its middle onto markers (Kabsch), shape (frames, 4)."""
    left, _, right = np.linalg.svd(np.einsum("mfi,mj->fij", points, shape))
    left[:, :, 2] *= np.sign(np.linalg.det(left @ right))[:, None]
    return quaternion_from_matrix(left @ right)


def least_error_m(
    seed: int, range_deg: float, noise: str, hinge: bool, known_m: float = np.inf
) -> float:
    """Least error (rms over both bodies) that an unbiased estimate can have in a trial.

    The Cramer-Rao bound: unknown are the pose of the parent and the turn of the joint in every
    frame, the place of the joint in both bodies, and of a hinge the axis, of which the place along
    it is not counted. Everything else is known, noise and shapes included.

    Parameters
    ----------
    seed, range_deg, noise, hinge
        As in :func:`cluster_trial`.
    known_m : float
        Standard deviation per axis to which the places are known beforehand: then the bound is that
        of any estimate, biased or not (van Trees 1968, section 2.4).

    Returns
    -------
    float
        Metres.
    """
    motion = cluster_motion(np.random.default_rng(seed), range_deg, hinge)
    turns = matrix_from_quaternion(motion.turns)
    wanted, per_frame = _slopes(motion, turns, hinge)
    each, common = _deviations(noise)
    one = max(each, NO_NOISE_M) ** 2 * np.eye(4) + common**2 * np.ones((4, 4))
    white = np.kron(np.eye(2), np.kron(np.linalg.inv(np.linalg.cholesky(one)), np.eye(3)))
    wanted, per_frame = white @ wanted, white @ per_frame
    crossed = np.swapaxes(wanted, 1, 2) @ per_frame
    inner = np.swapaxes(per_frame, 1, 2) @ per_frame
    solved = crossed @ np.linalg.solve(inner, np.swapaxes(crossed, 1, 2))
    information = (np.swapaxes(wanted, 1, 2) @ wanted - solved).sum(axis=0)
    if hinge:
        # Both places along the axis together change nothing that can be seen.
        information[[0, 0, 3, 3], [0, 3, 0, 3]] += information[1, 1]
    information[range(6), range(6)] += known_m**-2.0
    counted = [1, 2, 4, 5] if hinge else [0, 1, 2, 3, 4, 5]
    variances = np.diag(np.linalg.inv(information))[counted]
    return float(np.sqrt(0.5 * variances.sum()))


def _slopes(motion: ClusterMotion, turns: Floats, hinge: bool) -> tuple[Floats, Floats]:
    """Derivatives of all markers, shape (frames, 24, unknowns).

    By the joint's place in both bodies (and the tilt of a hinge's axis in both), and by what is
    unknown in every frame.
    """
    frames = turns.shape[1]
    wanted, per_frame = np.zeros((frames, 24, 6)), np.zeros((frames, 24, 9))
    for body, marker in np.ndindex(2, 4):
        rows = slice(12 * body + 3 * marker, 12 * body + 3 * marker + 3)
        wanted[:, rows, 3 * body : 3 * body + 3] = -turns[body]
        per_frame[:, rows, :3] = np.eye(3)
        arm = turns[body] @ motion.shapes[body, marker]
        columns = slice(3 + 3 * body, 6 + 3 * body)
        per_frame[:, rows, columns] = np.cross(np.eye(3), arm[:, None]).swapaxes(1, 2)
    if not hinge:
        return wanted, per_frame
    child = per_frame[:, :, 6:]
    tilts = np.concatenate([child @ turns[0][:, :, 1:], child @ turns[1][:, :, 1:]], axis=2)
    about = child @ turns[0][:, :, :1]
    parent = per_frame[:, :, 3:6] + child
    both = np.concatenate([per_frame[:, :, :3], parent, about], axis=2)
    return np.concatenate([wanted, tilts], axis=2), both


def _turning(generator: np.random.Generator, opening: float, hinge: bool) -> Floats:
    """Rotation vectors of the child against the parent, shape (frames, 3)."""
    found = np.zeros((FRAMES, 3))
    if hinge:
        swing = _smooth(generator, 1)[:, 0]
        found[:, 0] = (swing - swing.min()) / np.ptp(swing) - 0.5
    else:
        swings = _smooth(generator, 2)
        found[:, [0, 2]] = 0.5 * swings / np.linalg.norm(swings, axis=1).max()
    return opening * found


def _smooth(generator: np.random.Generator, columns: int, frames: int = FRAMES) -> Floats:
    """Sums of sines, as fast whatever the number of frames, shape (frames, columns)."""
    time = np.linspace(0.0, 2.0 * np.pi * frames / FRAMES, frames)[:, None]
    parts = [
        generator.normal(size=columns)
        * np.sin(cycles * time + generator.uniform(0.0, 2.0 * np.pi, columns))
        for cycles in range(1, CYCLES + 1)
    ]
    return np.asarray(np.sum(parts, axis=0))


def _unit(vector: Floats) -> Floats:
    return np.asarray(vector / np.linalg.norm(vector))
