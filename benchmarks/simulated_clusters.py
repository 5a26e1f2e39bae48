"""Two segments with a cluster of four markers each, joined in one point or about one axis.

The simulations of Ehrig et al. 2006 and 2007 (J Biomech 39:2798 and 40:2150): Gaussian noise of
1 mm on each marker, on all markers of a segment together, or both; ranges of motion from 5 to 90
degrees. Their summaries do not give the layout. Ours: corners of a regular tetrahedron of
15 cm in any orientation, 10 cm from the joint on the parent and 20 cm on the child, as equal
distances would hide that noise draws joints to the middle between the clusters; 1,000 frames at
100 Hz in which both segments move; the range is the opening of the cone, or of the hinge.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jointlimits_core.geometry import (
    Floats,
    conjugate,
    multiply,
    quaternion_from_rotation_vector,
    rotated,
)
from jointlimits_core.skeleton_fit import BodyTracks
from jointlimits_core.skeleton_fit.cluster_pose import cluster_pose

FRAMES, RATE = 1000, 100.0
NOISES = ("each marker", "all markers", "both")
NOISE_M = 0.001
AWAY_M, EDGE_M = (0.1, -0.2), 0.15
CORNERS = np.array([[1.0, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]]) / np.sqrt(8.0)
"""Of a regular tetrahedron with edges of length 1."""
CYCLES = 6
"""Highest frequency of the motion, per clip."""


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


def cluster_trial(seed: int, range_deg: float, noise: str, hinge: bool) -> ClusterTrial:
    """One trial.

    Parameters
    ----------
    seed : int
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
    vectors = _turning(generator, np.radians(range_deg), hinge)
    parent = quaternion_from_rotation_vector(0.1 * _smooth(generator, 3))
    place = 0.02 * _smooth(generator, 3)
    turns = np.stack([parent, multiply(parent, quaternion_from_rotation_vector(vectors))])
    markers = []
    for turn, away in zip(turns, AWAY_M):
        mount = _unit(generator.normal(size=4))
        shape = rotated(mount, EDGE_M * CORNERS) + np.array([0.0, away, 0.0])
        points = rotated(turn, shape[:, None]) + place
        if noise != "all markers":
            points = points + NOISE_M * generator.normal(size=points.shape)
        if noise != "each marker":
            points = points + NOISE_M * generator.normal(size=place.shape)
        markers.append(points)
    seen = np.ones((4, FRAMES), dtype=bool)
    poses = [cluster_pose(points, seen) for points in markers]
    tracks = BodyTracks(
        ("parent", "child"),
        np.stack([pose.positions for pose in poses]),
        np.stack([pose.rotations for pose in poses]),
        RATE,
    )
    back = [conjugate(turn.T) for turn in tracks.rotations]
    rows = list(zip(back, tracks.positions, turns))
    local = [rotated(b, points - t) for (b, t, _), points in zip(rows, markers[::-1])]
    axes = rotated(turns, np.array([1.0, 0.0, 0.0]))
    return ClusterTrial(
        tracks,
        np.stack(local),
        np.stack([rotated(b, place - t).mean(axis=0) for b, t, _ in rows]),
        np.stack([_unit(rotated(b, axis).mean(axis=0)) for (b, _, _), axis in zip(rows, axes)]),
        vectors[:, 0],
    )


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


def _smooth(generator: np.random.Generator, columns: int) -> Floats:
    """Sums of sines, shape (frames, columns)."""
    time = np.linspace(0.0, 2.0 * np.pi, FRAMES)[:, None]
    parts = [
        generator.normal(size=columns)
        * np.sin(cycles * time + generator.uniform(0.0, 2.0 * np.pi, columns))
        for cycles in range(1, CYCLES + 1)
    ]
    return np.asarray(np.sum(parts, axis=0))


def _unit(vector: Floats) -> Floats:
    return np.asarray(vector / np.linalg.norm(vector))
