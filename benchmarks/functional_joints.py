"""Joint centres and axes from two clusters of markers: our fit and published methods.

SCoRE and SARA (Ehrig et al. 2006, 2007) are written as published: the stacked equations
R_1 c_1 + t_1 = R_2 c_2 + t_2 of all frames, their least-squares solution and the singular vector of
the least singular value. SCoRE's solution is that of O'Brien et al. (2000), section 3.1. The
geometric axis fit puts every marker on a circle about one axis in the other segment. The floor is
the Cramer-Rao bound of the same trials. ``python -m docs.make_accuracy_image`` draws the figures of
``--json FILE``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from jointlimits_core.geometry.arrays import Floats
from jointlimits_core.geometry.quaternion import (
    conjugate,
    multiply,
    rotation_vector_from_quaternion,
)
from jointlimits_core.skeleton_fit.fit import plain_fit
from jointlimits_core.skeleton_fit.result import BodyOptions
from jointlimits_core.skeleton_fit.tracks import BodyTracks

from .figures import Figure, benchmark, upper_bound
from .simulated_clusters import NOISES, ClusterTrial, cluster_trial, least_error_m, rigid_pair

MILLIMETRES = 1000.0
RANGES_DEG = (5.0, 10.0, 20.0, 45.0, 90.0)
CENTRE_DEG, CENTRE_MM = 20.0, 1.0
AXIS_DEG, AXIS_MM = 5.0, 8.0
TRIALS, OTHER_TRIALS, QUICK_TRIALS = 1000, 300, 5
"""Trials at the ranges with a target, at the others, and in a quick run."""
FLOOR_TRIALS = 100
KNOWN_M = 0.01
"""Metres to which an estimate may know a centre in advance, where its bias counts."""
RIGID_PAIRS, QUICK_PAIRS = 500, 20
RIGID = ((100, 0.4), (300, 1.0), (1000, 0.05), (1000, 3.0), (4000, 1.0))
"""Frames, and degrees of noise, of pairs that do not turn."""
RIGID_M = 0.004
FIRST_SEED = 7000
STEPS, STEP = 12, 1e-6
SETTLED = 1e-7
Line = tuple[Floats, Floats]
"""Places and directions of a joint in both bodies, shape (2, 3) each."""


def score(trial: ClusterTrial) -> Line:
    """SCoRE, and O'Brien's closed form; with SARA's direction."""
    design, wanted = _stacked(trial.tracks)
    place = np.linalg.lstsq(design, wanted, rcond=None)[0]
    return place.reshape(2, 3), _null_directions(design)


def sara(trial: ClusterTrial) -> Line:
    """SARA: the place nearest to the bodies' origins on the axis."""
    design, wanted = _stacked(trial.tracks)
    left, values, right = np.linalg.svd(design, full_matrices=False)
    place = right[:5].T @ ((left.T @ wanted)[:5] / values[:5])
    return place.reshape(2, 3), _null_directions(design)


def geometric(trial: ClusterTrial) -> Line:
    """Geometric axis fit by Gauss-Newton from SARA, in each body for the other's markers."""
    places, axes = sara(trial)
    found = [_circles(*side) for side in zip(trial.local, places, axes)]
    return np.stack([place for place, _ in found]), np.stack([axis for _, axis in found])


def ours(trial: ClusterTrial) -> Line:
    """Our fit by default, without the search for outliers and slips; unknown positions are nan."""
    (joint,) = plain_fit([trial.tracks], BodyOptions("parent")).joints
    places = np.stack([joint.centre_in_parent, joint.centre_in_child])
    if joint.kind == "rigid":
        places = np.full_like(places, np.nan)
    return places, np.stack([joint.directions_in_parent[0], joint.directions_in_child[0]])


OURS, FLOOR = "ours", "floor"
METHODS: dict[str, Callable[[ClusterTrial], Line]] = {
    OURS: ours,
    "SCoRE": score,
    "O'Brien": score,
    "SARA": sara,
    "geometric": geometric,
}
CENTRE_METHODS, HINGE_METHODS = (OURS, "SCoRE"), (OURS, "O'Brien", "SARA", "geometric")
"""The centre of O'Brien et al. is that of SCoRE."""


def _stacked(tracks: BodyTracks) -> tuple[Floats, Floats]:
    """Equations of all frames, shape (3 frames, 6), and their right-hand sides."""
    parent, child = tracks.matrices()
    design = np.concatenate([parent, -child], axis=2).reshape(-1, 6)
    return design, (tracks.positions[1] - tracks.positions[0]).reshape(-1)


def _null_directions(design: Floats) -> Floats:
    """The axis in both bodies: halves of the singular vector of the least singular value."""
    least = np.linalg.svd(design, full_matrices=False)[2][-1].reshape(2, 3)
    return np.asarray(least / np.linalg.norm(least, axis=1, keepdims=True))


def _circles(markers: Floats, place: Floats, axis: Floats) -> Line:
    """Axis whose circles the markers, shape (markers, frames, 3), leave least."""
    across = np.linalg.svd(axis[None])[2][1:]
    unknown = np.zeros(4)

    def line(values: Floats) -> Line:
        turned = axis + values[2:] @ across
        return place + values[:2] @ across, turned / np.linalg.norm(turned)

    def residuals(values: Floats) -> Floats:
        point, direction = line(values)
        off = markers - point
        height = off @ direction
        radius = np.linalg.norm(off - height[..., None] * direction, axis=-1)
        both = np.stack([height, radius])
        return np.asarray((both - both.mean(axis=-1, keepdims=True)).ravel())

    for _ in range(STEPS):
        now = residuals(unknown)
        slope = np.stack([(residuals(unknown + step) - now) / STEP for step in STEP * np.eye(4)])
        change = np.linalg.lstsq(slope.T, -now, rcond=None)[0]
        unknown = unknown + change
        if np.abs(change).max() < SETTLED:
            break
    return line(unknown)


def centre_error_m(trial: ClusterTrial, found: Line) -> float:
    """Distance from the true joint, root mean square over both bodies, metres."""
    return float(np.sqrt(np.mean(np.sum((found[0] - trial.centre) ** 2, axis=1))))


def axis_error_m(trial: ClusterTrial, found: Line) -> float:
    """Distance of the axis from the middle of the true axis, computed likewise."""
    off = trial.centre - found[0]
    across = off - np.sum(off * found[1], axis=1, keepdims=True) * found[1]
    return float(np.sqrt(np.mean(np.sum(across**2, axis=1))))


def arena_distance(one: Floats, other: Floats) -> float:
    """Distance of two joints by the twists at their limits, shape (2, 6) each.

    ArticulateArena (arXiv 2609.33931): the root of the smaller sum of squares of the two pairings;
    rotation in radians, translation in metres.
    """
    pairings = [np.sum((one - other[order]) ** 2) for order in ([0, 1], [1, 0])]
    return float(np.sqrt(min(pairings)))


def limit_twists(place: Floats, axis: Floats, limits: tuple[float, float]) -> Floats:
    """Twists of a hinge at both limits, shape (2, 6): rotation, then translation of the origin."""
    return np.outer(limits, np.concatenate([axis, np.cross(place, axis)]))


def _twists_found(trial: ClusterTrial, found: Line) -> Floats:
    """Twists at the limits seen in the tracks, in the parent; angles about the mean."""
    parent, child = (turn.T for turn in trial.tracks.rotations)
    relative = multiply(conjugate(parent), child)
    turns = rotation_vector_from_quaternion(multiply(relative, conjugate(relative[0])))
    axis = found[1][0]
    angles = turns @ axis
    angles = angles - angles.mean()
    return limit_twists(found[0][0], axis, (float(angles.min()), float(angles.max())))


def _true_twists(trial: ClusterTrial) -> Floats:
    angles = trial.angles - trial.angles.mean()
    limits = float(angles.min()), float(angles.max())
    return limit_twists(trial.centre[0], trial.axis[0], limits)


def errors_mm(hinge: bool, noise: str, range_deg: float, count: int) -> dict[str, Floats]:
    """Errors of every method in some trials, and the floor of some of them."""
    error = axis_error_m if hinge else centre_error_m
    names = HINGE_METHODS if hinge else CENTRE_METHODS
    trials = [
        cluster_trial(FIRST_SEED + seed, range_deg, noise, hinge=hinge) for seed in range(count)
    ]
    found = {
        name: MILLIMETRES * np.array([error(trial, METHODS[name](trial)) for trial in trials])
        for name in names
    }
    seeds = range(FIRST_SEED, FIRST_SEED + min(count, FLOOR_TRIALS))
    floor = [least_error_m(seed, range_deg, noise, hinge) for seed in seeds]
    return {**found, FLOOR: MILLIMETRES * np.array(floor)}


def root_mean_square(values: Floats) -> float:
    """Of the errors of trials whose position is known."""
    return float(np.sqrt(np.nanmean(values**2)))


def _standard_error(values: Floats) -> float:
    """Of the root mean square."""
    known = values[np.isfinite(values)]
    return float(np.std(known**2) / (2.0 * root_mean_square(known) * np.sqrt(len(known))))


def _figures(hinge: bool, target_deg: float, target_mm: float, quick: bool) -> Iterator[Figure]:
    what = "axis" if hinge else "centre"
    for noise in NOISES:
        for range_deg in (target_deg,) if quick else RANGES_DEG:
            headline = range_deg == target_deg
            count = QUICK_TRIALS if quick else TRIALS if headline else OTHER_TRIALS
            for method, values in errors_mm(hinge, noise, range_deg, count).items():
                name = f"{what}, {range_deg:g} degrees, noise on {noise}: {method}"
                target = target_mm if headline and method == OURS else None
                beside = f"+- {_standard_error(values):.2g}, {len(values)} trials"
                unknown = int(np.isnan(values).sum())
                if unknown:
                    beside += f", {unknown} of them reported as unknown"
                yield Figure(name, root_mean_square(values), "mm rms", target, beside)


@benchmark
def centres(quick: bool) -> Iterator[Figure]:
    """Ball joints, Ehrig et al. 2006."""
    yield from _figures(False, CENTRE_DEG, CENTRE_MM, quick)
    seeds = range(FIRST_SEED, FIRST_SEED + (QUICK_TRIALS if quick else FLOOR_TRIALS))
    for noise in NOISES:
        least = [least_error_m(seed, CENTRE_DEG, noise, False, KNOWN_M) for seed in seeds]
        name = f"centre, {CENTRE_DEG:g} degrees, noise on {noise}: floor of biased estimates, too"
        beside = f"given the position to {MILLIMETRES * KNOWN_M:g} mm per axis (van Trees)"
        yield Figure(name, MILLIMETRES * root_mean_square(np.array(least)), "mm rms", None, beside)


@benchmark
def axes(quick: bool) -> Iterator[Figure]:
    """Hinges, Ehrig et al. 2007."""
    yield from _figures(True, AXIS_DEG, AXIS_MM, quick)


@benchmark
def rigid_pairs(quick: bool) -> Iterator[Figure]:
    """Share of runs in which a turn is reported for two sensors on one body under white noise."""
    count = QUICK_PAIRS if quick else RIGID_PAIRS
    turning = 0
    for frames, noise_deg in RIGID:
        pairs = [rigid_pair(seed, frames, RIGID_M, noise_deg) for seed in range(count)]
        found = [plain_fit([pair], BodyOptions()).joints[0].kind for pair in pairs]
        turning += sum(kind != "rigid" for kind in found)
    runs = count * len(RIGID)
    beside = f"{turning} of {runs}, at most {100.0 * upper_bound(turning, runs):.2g} % (95 %)"
    yield Figure("rigid pairs reported to turn", 100.0 * turning / runs, "%", 1.0, beside)


@benchmark
def arena(quick: bool) -> Iterator[Figure]:
    """Hinges by ArticulateArena's distance: type, axis, place and limits in one number."""
    for range_deg in (20.0, 45.0, 90.0):
        trials = [
            cluster_trial(FIRST_SEED + seed, range_deg, "both", hinge=True)
            for seed in range(QUICK_TRIALS if quick else OTHER_TRIALS)
        ]
        found = {
            name: float(
                np.mean(
                    [
                        arena_distance(_true_twists(trial), _twists_found(trial, method(trial)))
                        for trial in trials
                    ]
                )
            )
            for name, method in METHODS.items()
            if name in HINGE_METHODS
        }
        beside = "; ".join(f"{name} {value:.4f}" for name, value in found.items() if name != OURS)
        yield Figure(f"hinges, {range_deg:g} degrees: mean distance", found[OURS], "", None, beside)
