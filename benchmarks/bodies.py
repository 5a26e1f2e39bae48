"""Skeletons from loose bodies: accuracy and speed."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np

from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.arrays import Floats
from jointlimits_core.geometry.quaternion import (
    conjugate,
    multiply,
    normalize,
    quaternion_from_rotation_vector,
    rotate,
)
from jointlimits_core.skeleton_fit.fit import fit_skeleton
from jointlimits_core.skeleton_fit.joint_centres import pair_moments, pair_table
from jointlimits_core.skeleton_fit.result import BodyFit
from jointlimits_core.skeleton_fit.tracks import BodyTracks, bodies_from_motion
from jointlimits_core.skeleton_fit.tree import spanning_forest

from .bodies_faults import plain
from .figures import Figure, benchmark, best_seconds, shared
from .simulated_faults import Faults
from .simulated_figure import SimulatedFigure, simulated_figure
from .simulated_recording import nearest_above

MILLIMETRES = 1000.0
MINIMUM_FRAMES = 6
SHARED_POINTS = frozenset(("lhand", "rhand", "lthumb", "rthumb"))
"""Bones of an ASF that begin at one point: gaps cannot tell which is the parent of which."""
SENSOR_AWAY_M = 0.1


def _joint_errors(fit: BodyFit, trial: SimulatedFigure) -> Floats:
    """Distance of every joint from the true one in metres, in the worse of its two bodies."""
    errors = []
    for joint in fit.joints:
        if trial.parents[joint.child] == joint.parent:
            found = joint.centre_in_child - trial.outboard[joint.child]
            there = joint.centre_in_parent - trial.inboard[joint.child]
            errors.append(max(np.linalg.norm(found), np.linalg.norm(there)))
    return np.array(errors)


def _right_tree(fit: BodyFit, trial: SimulatedFigure) -> bool:
    return {frozenset((joint.child, joint.parent)) for joint in fit.joints} == trial.edges()


def _trials(
    count: int, faults: Faults, motion_deg: float, seconds: float
) -> tuple[Floats, int, float]:
    """Errors of all joints, number of correct trees, and smallest margin of a parent."""
    errors, right, margin = [], 0, np.inf
    for seed in range(count):
        trial = simulated_figure(seed, seconds=seconds, faults=faults, motion_deg=motion_deg)
        fit = fit_skeleton(trial.tracks)
        errors.append(_joint_errors(fit, trial))
        right += _right_tree(fit, trial)
        margin = min([margin, *(joint.margin_m for joint in fit.joints)])
    return np.concatenate(errors), right, margin


@benchmark
def noise_free(quick: bool) -> Iterator[Figure]:
    """The figure of 48 degrees of freedom without noise."""
    count = 3 if quick else 40
    errors, right, margin = _trials(count, Faults(), 25.0, 20.0)
    beside = f"{count} figures, 16 bodies; paper < 1e-6 m"
    yield Figure("48-DOF figure, noise-free: largest joint error", errors.max(), "m", 1e-9, beside)
    yield Figure("hierarchies right", 100.0 * right / count, "%", 100.0, beside, at_least=True)
    yield Figure("smallest margin to the next-best parent", MILLIMETRES * margin, "mm")


@benchmark
def noisy(quick: bool) -> Iterator[Figure]:
    """The same with white sensor noise."""
    count = 4 if quick else 40
    rows = (
        (0.004, 0.5, 25.0, None, "plain closed form .37 mm"),
        (0.007, 1.0, 25.0, 0.8, "plain closed form .77 mm"),
        (0.007, 2.0, 25.0, None, "plain closed form 2.1 mm"),
        (0.007, 1.0, 8.0, None, "8 degrees of motion; plain closed form 5.2 mm"),
        (0.007, 1.0, 4.0, None, "4 degrees of motion; plain closed form 18 mm"),
    )
    for noise, degrees, motion, target, beside in rows:
        errors, right, _ = _trials(count, Faults(noise, degrees), motion, 45.0)
        name = f"{MILLIMETRES * noise:.0f} mm + {degrees:g} deg, motion {motion:g} deg"
        mean = MILLIMETRES * float(errors.mean())
        yield Figure(f"{name}: mean joint error", mean, "mm", target, beside)
        share = 100.0 * right / count
        yield Figure(f"{name}: hierarchies right", share, "%", 100.0, f"of {count}", True)


def _cmu_bodies(noise: float, noise_deg: float) -> tuple[BodyTracks, Floats, list[int]]:
    """Sensors 10 cm from the bones in all clips of CMU 02, their joints, and the true tree."""
    folder = shared("data/mocap/cmu_asfamc/02")
    skeleton = folder / "02.asf"
    clips = [read_motion(path, skeleton=skeleton) for path in sorted(folder.glob("*.amc"))]
    figure = clips[0].skeleton
    joined = np.concatenate([clip.rotations for clip in clips], axis=2)
    moves = np.ptp(joined, axis=2).max(axis=1) > 1e-3
    names = [
        name for name, moving in zip(figure.names, moves) if moving and name not in SHARED_POINTS
    ]
    parts = [bodies_from_motion(clip, names) for clip in clips]
    places = np.concatenate([part.positions for part in parts], axis=1)
    turns = np.swapaxes(np.concatenate([part.rotations for part in parts], axis=2), 1, 2)
    generator = np.random.default_rng(0)
    mounts = normalize(generator.normal(size=(len(names), 4)))
    away = generator.normal(size=(len(names), 3))
    away *= SENSOR_AWAY_M / np.linalg.norm(away, axis=1, keepdims=True)
    places = places + rotate(turns, away[:, None])
    places += noise * generator.normal(size=places.shape)
    shaken = np.radians(noise_deg) * generator.normal(size=places.shape)
    turns = multiply(multiply(turns, mounts[:, None]), quaternion_from_rotation_vector(shaken))
    tracks = BodyTracks(
        tuple(names), places, np.ascontiguousarray(np.swapaxes(turns, 1, 2)), clips[0].frame_rate
    )
    return tracks, rotate(conjugate(mounts), -away), nearest_above(figure, names)


@benchmark
def cmu(quick: bool) -> Iterator[Figure]:
    """Bodies made from CMU 02: every bone that moves, a sensor 10 cm away from its joint."""
    levels = ((0.0, 0.0), (0.004, 0.5)) if quick else ((0.0, 0.0), (0.004, 0.5), (0.007, 1.0))
    for noise, degrees in levels:
        tracks, joints, parents = _cmu_bodies(noise, degrees)
        fit = fit_skeleton(tracks)
        name = f"CMU 02, {MILLIMETRES * noise:.0f} mm + {degrees:g} deg"
        beside = f"{len(tracks)} bodies, {tracks.frame_count} frames, all clips"
        errors = []
        for joint in fit.joints:
            off = joint.directions_in_child @ (joint.centre_in_child - joints[joint.child])
            # Along the axis of a single-axis joint, all places are equally good.
            errors.append(MILLIMETRES * np.linalg.norm(off[np.isfinite(joint.deviation_m)]))
        right = fit.parents.tolist() == parents
        yield Figure(f"{name}: parents right", float(right), "of 1", 1.0, beside, at_least=True)
        yield Figure(f"{name}: mean joint error", float(np.mean(errors)), "mm", 2.0, beside)
        yield Figure(f"{name}: largest joint error", float(np.max(errors)), "mm", None, beside)


def _tree(tracks: BodyTracks) -> list[tuple[int, int]]:
    table = pair_table(pair_moments(tracks), len(tracks))
    return spanning_forest(table.weights())


def _paper_tree(tracks: BodyTracks) -> list[tuple[int, int]]:
    """Section 3 of the paper as printed: a decomposition of 3n rows for each pair."""
    turns, count = tracks.matrices(), len(tracks)
    weights = np.full((count, count), np.inf)
    for one in range(count):
        for other in range(one):
            rows = np.concatenate([turns[one], -turns[other]], axis=2).reshape(-1, 6)
            gap = -(tracks.positions[one] - tracks.positions[other]).reshape(-1)
            left, values, right = np.linalg.svd(rows, full_matrices=False)
            joint = right.T @ ((left.T @ gap) / values)
            error = np.sqrt(np.mean(np.sum((rows @ joint - gap).reshape(-1, 3) ** 2, axis=1)))
            weights[one, other] = weights[other, one] = error
    return spanning_forest(weights)


@benchmark
def speed(quick: bool) -> Iterator[Figure]:
    """Time for all pairs and the tree: 16 bodies, 45 s at 120 Hz."""
    trial = simulated_figure(0, seconds=45.0, frame_rate=120.0, faults=Faults(0.007, 1.0))
    ours = best_seconds(lambda: _tree(trial.tracks), 20 if quick else 200)
    beside = "16 bodies x 45 s x 120 Hz, quaternions to tree; known 12 ms"
    yield Figure("all pairs and tree", MILLIMETRES * ours, "ms", 10.0, beside)
    theirs = best_seconds(lambda: _paper_tree(trial.tracks), 1 if quick else 5)
    beside = f"SVD of the paper in this run: {MILLIMETRES * theirs:.0f} ms"
    yield Figure("SVD of the paper against it", theirs / ours, "x", 15.0, beside, at_least=True)
    same = {frozenset(edge) for edge in _tree(trial.tracks)} == trial.edges()
    same &= {frozenset(edge) for edge in _paper_tree(trial.tracks)} == trial.edges()
    yield Figure("both trees right", float(same), "of 1", 1.0, at_least=True)
    whole = best_seconds(lambda: plain(trial.tracks), 2 if quick else 10)
    yield Figure("whole fit, with uncertainty and loops", MILLIMETRES * whole, "ms")
    careful = best_seconds(lambda: fit_skeleton(trial.tracks), 2 if quick else 10)
    beside = "as by default: with the search for outliers, swaps and slips"
    yield Figure("the same by default", MILLIMETRES * careful, "ms", None, beside)


@benchmark
def many_bodies(quick: bool) -> Iterator[Figure]:
    """Time for 200 bodies in 10,000 frames: several figures at once."""
    frames = 1000 if quick else 10_000
    tracks = _crowd(frames)
    before = _peak_gigabytes()
    seconds = best_seconds(lambda: plain(tracks), 1 if quick else 3)
    beside = f"{len(tracks)} bodies, {frames} frames, whole fit"
    yield Figure("200 bodies", seconds, "s", 5.0, beside)
    careful = best_seconds(lambda: fit_skeleton(tracks), 1)
    beside = "with the search for outliers, swaps and slips"
    yield Figure("200 bodies, by default", careful, "s", None, beside)
    peak = _peak_gigabytes()
    if peak is None or before is None:
        return
    yield Figure("peak memory of the process", peak, "GB", 1.0, f"{before:.2f} GB before the fit")


def _crowd(frames: int) -> BodyTracks:
    """Twelve and a half figures, each in its own place."""
    names, positions, rotations = [], [], []
    for number in range(13):
        tracks = simulated_figure(
            number, seconds=frames / 120.0, frame_rate=120.0, faults=Faults(0.004, 0.5)
        ).tracks
        names += [f"{number} {name}" for name in tracks.names]
        positions.append(tracks.positions + np.array([3.0 * number, 0.0, 0.0]))
        rotations.append(tracks.rotations)
    return BodyTracks(
        tuple(names[:200]), np.concatenate(positions)[:200], np.concatenate(rotations)[:200], 120.0
    )


def _peak_gigabytes() -> float | None:
    """Peak memory of this process so far; None where the system does not report it."""
    try:
        import resource
    except ImportError:
        return None
    kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return float(kilobytes) / (1024.0**3 if sys.platform == "darwin" else 1024.0**2)
