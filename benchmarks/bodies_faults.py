"""Loose bodies with faults: skin that slides, slips, outliers, swapped tracks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from jointlimits_core.geometry.arrays import Floats
from jointlimits_core.skeleton_fit.fit import fit_skeleton, plain_fit
from jointlimits_core.skeleton_fit.result import BodyFit, BodyOptions
from jointlimits_core.skeleton_fit.slips import BodySlip
from jointlimits_core.skeleton_fit.tracks import BodyTracks

from .figures import Figure, benchmark
from .simulated_faults import Faults, Slip, swapped
from .simulated_figure import NAMES, SimulatedFigure, simulated_figure

WOBBLES = ((0.010, 3.0, 40.0), (0.020, 6.0, 35.0), (0.030, 8.0, 25.0))
"""Metres, degrees, and target for correct hierarchies of 40 walks."""
TRIALS, QUICK_TRIALS = 40, 4
OTHER_SEEDS = 3000
"""First seed of the walks on which no constant was chosen."""
NOISE = Faults(noise=0.007, noise_deg=1.0)
MILLIMETRES = 1000.0
SOON = 0.5


def plain(tracks: BodyTracks, strides: bool = True) -> BodyFit:
    """Fit to all frames, without a search for faulty ones."""
    return plain_fit([tracks], BodyOptions(), strides=strides)


def right_tree(fit: BodyFit, trial: SimulatedFigure) -> bool:
    """Whether exactly the joined bodies were joined."""
    return frozenset(frozenset((j.child, j.parent)) for j in fit.joints) == trial.edges()


def centre_errors(fit: BodyFit, trial: SimulatedFigure) -> list[float]:
    """Error of each correct joint in its child, in metres, in whichever direction it was read."""
    errors = []
    for joint in fit.joints:
        truth = {
            trial.parents[joint.child] == joint.parent: trial.outboard[joint.child],
            trial.parents[joint.parent] == joint.child: trial.inboard[joint.parent],
        }.get(True)
        if truth is not None:
            errors.append(float(np.linalg.norm(joint.centre_in_child - truth)))
    return errors


@benchmark
def skin_wobble(quick: bool) -> Iterator[Figure]:
    """Hierarchies found for gentle walks under sliding skin, and for exercises."""
    count = QUICK_TRIALS if quick else TRIALS
    for wobble, angle, target in WOBBLES:
        name = f"walk, {MILLIMETRES * wobble:.0f} mm + {angle:.0f} deg of wobble"
        faults = Faults(wobble=wobble, wobble_deg=angle)
        walks = [simulated_figure(seed, "walk", faults=faults) for seed in range(count)]
        right = [sum(_right(trial, strides) for trial in walks) for strides in (True, False)]
        beside = f"without strides: {right[1]}; known 33, 8, 2 of 40"
        goal = None if quick else target
        yield Figure(f"{name}: hierarchies right", right[0], f"of {count}", goal, beside, True)
        seeds = range(OTHER_SEEDS, OTHER_SEEDS + count)
        others = [simulated_figure(seed, "walk", faults=faults) for seed in seeds]
        value = sum(_right(trial) for trial in others)
        yield Figure(f"{name}: other walks", value, f"of {count}", goal, "held out", True)
        drills = [simulated_figure(seed, faults=faults) for seed in range(count)]
        value = sum(_right(trial) for trial in drills)
        yield Figure("the same with exercises", value, f"of {count}", count, "known 40", True)


@benchmark
def joints_under_skin(quick: bool) -> Iterator[Figure]:
    """Joint errors of gentle walks under sliding skin, with a given tree."""
    count = 2 if quick else 20
    for wobble, angle, _ in WOBBLES:
        faults = Faults(wobble=wobble, wobble_deg=angle)
        seeds = range(OTHER_SEEDS, OTHER_SEEDS + count)
        walks = [simulated_figure(seed, "walk", faults=faults) for seed in seeds]
        ours, without = (_mean_error(walks, strides) for strides in (True, False))
        name = f"walk, {MILLIMETRES * wobble:.0f} mm + {angle:.0f} deg of wobble: mean joint error"
        yield Figure(name, ours, "mm", None, f"without strides {without:.0f} mm; {count} walks")


def _mean_error(walks: list[SimulatedFigure], strides: bool) -> float:
    parents = {
        name: NAMES[parent] if parent >= 0 else None
        for name, parent in zip(NAMES, walks[0].parents)
    }
    options = BodyOptions(parents=parents)
    fits = [plain_fit([trial.tracks], options, strides=strides) for trial in walks]
    errors = [centre_errors(*pair) for pair in zip(fits, walks)]
    return MILLIMETRES * float(np.concatenate(errors).mean())


@benchmark
def pooled_walks(quick: bool) -> Iterator[Figure]:
    """Three walks of one performer, fitted together."""
    count = 2 if quick else 20
    faults = Faults(wobble=WOBBLES[-1][0], wobble_deg=WOBBLES[-1][1])
    right = np.zeros(2)
    errors: tuple[list[float], list[float]] = ([], [])
    for seed in range(OTHER_SEEDS, OTHER_SEEDS + count):
        trial = simulated_figure(seed, "walk", seconds=135.0, faults=faults)
        third = trial.tracks.frame_count // 3
        clips = [trial.tracks.keep_frames(range(n * third, (n + 1) * third)) for n in range(3)]
        for row, chosen in enumerate((clips[:1], clips)):
            fit = plain_fit(chosen, BodyOptions())
            right[row] += right_tree(fit, trial)
            errors[row].extend(centre_errors(fit, trial))
    name = "3 walks of 45 s, 30 mm + 8 deg of wobble"
    one, all_ = (MILLIMETRES * float(np.mean(found)) for found in errors)
    beside = f"of one of them: {right[0]:.0f}"
    yield Figure(f"{name}: hierarchies right", right[1], f"of {count}", None, beside, True)
    yield Figure(f"{name}: mean joint error", all_, "mm", None, f"of one of them: {one:.0f} mm")


def _right(trial: SimulatedFigure, strides: bool = True) -> bool:
    return right_tree(plain(trial.tracks, strides), trial)


@benchmark
def slips(quick: bool) -> Iterator[Figure]:
    """Slips that are found, named and timed at 7 mm and 1 degree of noise, and false alarms."""
    count = 3 if quick else 100
    for what, change in (("5 mm", {"distance": 0.005}), ("5 deg", {"angle_deg": 5.0})):
        found, named, timed = (np.zeros(count, dtype=bool) for _ in range(3))
        sizes = []
        for seed in range(count):
            generator = np.random.default_rng(seed)
            body = NAMES[int(generator.integers(len(NAMES)))]
            at = float(generator.uniform(5.0, 40.0))
            faults = replace(NOISE, slips=(Slip(body, at, **change),))
            seen = _slips(simulated_figure(OTHER_SEEDS + seed, faults=faults))
            found[seed] = bool(seen)
            named[seed] = len(seen) == 1 and seen[0].body == body
            timed[seed] = any(s.body == body and abs(s.seconds - at) <= SOON for s in seen)
            sizes += [s.distance_m for s in seen if s.body == body]
        unit = f"% of {count}"
        for row, (name, hits, goal) in enumerate(
            (
                ("found", found, 95.0),
                ("body named, no other", named, 95.0),
                ("in time", timed, 90.0),
            )
        ):
            beside = ("known 20/20", "known 19/20", f"known 17/20, {SOON} s")[row]
            yield Figure(f"slip of {what}: {name}", 100.0 * hits.mean(), unit, goal, beside, True)
        yield Figure(f"slip of {what}: median size", MILLIMETRES * float(np.median(sizes)), "mm")
    for name, faults in (("noise", NOISE), ("wobble", Faults(wobble=0.010, wobble_deg=3.0))):
        alarms = sum(len(_slips(simulated_figure(seed, faults=faults))) for seed in range(count))
        yield Figure(f"false alarms, {name}", float(alarms), f"in {count}", 0.0, "clean runs")


@benchmark
def joints_of_slipped_sensors(quick: bool) -> Iterator[Figure]:
    """Joints of figures in which a sensor slips, compared with the same figures without slips."""
    count = 2 if quick else 20
    clean = [simulated_figure(OTHER_SEEDS + seed, faults=NOISE) for seed in range(count)]
    bare = _errors_mm(clean)
    yield Figure("no slip: mean joint error", bare.mean(), "mm", None, f"worst {bare.max():.1f}")
    sizes = (("5 mm", 0.005, 0.0), ("25 mm", 0.025, 0.0), ("50 mm + 10 deg", 0.05, 10.0))
    for what, distance, angle in sizes:
        trials = []
        for seed in range(count):
            generator = np.random.default_rng(seed)
            body = NAMES[int(generator.integers(len(NAMES)))]
            slip = Slip(body, float(generator.uniform(5.0, 40.0)), distance, angle)
            faults = replace(NOISE, slips=(slip,))
            trials.append(simulated_figure(OTHER_SEEDS + seed, faults=faults))
        errors = _errors_mm(trials)
        name = f"slip of {what}: mean joint error"
        yield Figure(name, errors.mean(), "mm", None, f"worst {errors.max():.1f}")


def _errors_mm(trials: list[SimulatedFigure]) -> Floats:
    errors = [centre_errors(fit_skeleton(trial.tracks), trial) for trial in trials]
    return MILLIMETRES * np.concatenate(errors)


def _slips(trial: SimulatedFigure) -> tuple[BodySlip, ...]:
    return fit_skeleton(trial.tracks).slips


@benchmark
def gross_outliers(quick: bool) -> Iterator[Figure]:
    """Outliers in a tenth of every body's frames, gaps, and swapped tracks."""
    count = 2 if quick else 20
    faults = replace(NOISE, outliers=0.1, gaps=0.05)
    trials = [simulated_figure(seed, faults=faults) for seed in range(count)]
    fits = [fit_skeleton(trial.tracks) for trial in trials]
    pairs = list(zip(fits, trials))
    right = sum(right_tree(*pair) for pair in pairs)
    unit = f"of {count}"
    yield Figure("10 % outliers: hierarchies right", right, unit, count, "5 % gaps, too", True)
    errors = np.concatenate([centre_errors(*pair) for pair in pairs])
    yield Figure("10 % outliers: mean joint error", MILLIMETRES * errors.mean(), "mm", 0.8)
    left = [trial.wrong & fit.used for fit, trial in pairs]
    share = 100.0 * np.mean([part.sum() / trial.wrong.sum() for part, trial in zip(left, trials)])
    yield Figure("wrong frames not noticed", float(share), "%")
    right = sum(right_tree(plain(trial.tracks), trial) for trial in trials)
    yield Figure("hierarchies right by least squares alone", right, unit)
    yield from _swaps(trials)


def _swaps(trials: list[SimulatedFigure]) -> Iterator[Figure]:
    named, healed = 0, []
    for seed, trial in enumerate(trials):
        one, other = np.random.default_rng(seed).choice(len(NAMES), 2, replace=False)
        pair = {NAMES[one], NAMES[other]}
        tracks = swapped(trial.tracks, NAMES[one], NAMES[other], 600, 720)
        swaps = fit_skeleton(tracks).extra.get("swaps", ())
        named += [{swap.first, swap.second} for swap in swaps] == [pair]
        ours = [swap for swap in swaps if {swap.first, swap.second} == pair]
        healed.append(sum(last - first + 1 for s in ours for first, last in s.frame_ranges) / 120)
    yield Figure(
        "swap of 2 s among outliers: pair named, no other", named, f"of {len(trials)}",
        len(trials), "at 30 of 45 s", True,
    )  # fmt: skip
    yield Figure("swapped frames changed back", 100.0 * float(np.mean(healed)), "%")
