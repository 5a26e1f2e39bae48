"""Skeletons whose knees and elbows are hinges: the place along the axis is a guess."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from jointlimits_core.geometry.arrays import Floats
from jointlimits_core.skeleton_fit.document import limbs
from jointlimits_core.skeleton_fit.fit import fit_skeleton
from jointlimits_core.skeleton_fit.result import BodyFit

from .bodies_faults import right_tree
from .figures import Figure, benchmark
from .simulated_faults import Faults
from .simulated_figure import SimulatedFigure, simulated_figure

MILLIMETRES = 1000.0


@benchmark
def hinges(quick: bool) -> Iterator[Figure]:
    """Knees and elbows with a single axis, in limbs that are not quite straight."""
    count = 4 if quick else 40
    for noise, degrees in ((0.0, 0.0), (0.007, 1.0)):
        trials = [
            simulated_figure(seed, faults=Faults(noise, degrees), hinges=True)
            for seed in range(count)
        ]
        fits = [fit_skeleton(trial.tracks) for trial in trials]
        name = f"hinges, {MILLIMETRES * noise:.0f} mm + {degrees:g} deg"
        right = sum(right_tree(*pair) for pair in zip(fits, trials))
        beside = f"of {count}"
        yield Figure(f"{name}: hierarchies right", 100.0 * right / count, "%", 100.0, beside, True)
        pairs = [_hinge_errors(*pair) for pair in zip(fits, trials)]
        across, along, stated, by_sensors = np.concatenate(pairs).T
        found = 100.0 * len(across) / (4 * count)
        yield Figure(f"{name}: found to be single-axis", found, "%", 100.0, beside, True)
        target = 0.8 if noise else None
        mean = MILLIMETRES * float(across.mean())
        yield Figure(f"{name}: mean error across the axis", mean, "mm", target)
        beside = f"nearest to the sensors {MILLIMETRES * _rms(by_sensors):.0f} mm"
        beside += f"; stated {MILLIMETRES * _rms(stated):.0f} mm"
        yield Figure(f"{name}: rms error along it", MILLIMETRES * _rms(along), "mm", None, beside)
        lengths = np.concatenate([_length_errors(*pair) for pair in zip(fits, trials)])
        off, stated = MILLIMETRES * _rms(lengths[:, 0]), MILLIMETRES * _rms(lengths[:, 1])
        yield Figure(
            f"{name}: rms error of their limbs", off, "mm", None, f"stated {stated:.1f} mm"
        )


def _rms(values: Floats) -> float:
    return float(np.sqrt(np.mean(np.square(values))))


def _hinge_errors(fit: BodyFit, trial: SimulatedFigure) -> Floats:
    """Errors of single-axis joints, shape (joints, 4), metres.

    Across the axis, along it, stated along it, and along it if placed nearest to the sensors.
    """
    rows = []
    for joint in fit.joints:
        if joint.on_axis_m is None or trial.parents[joint.child] != joint.parent:
            continue
        outboard, inboard = trial.outboard[joint.child], trial.inboard[joint.child]
        off = joint.centre_in_child - outboard
        along = off @ joint.axis_in_child
        across = np.linalg.norm(off - along * joint.axis_in_child)
        by_sensors = 0.5 * (outboard @ joint.axis_in_child + inboard @ joint.axis_in_parent)
        rows.append((across, along, joint.on_axis_m, by_sensors))
    return np.array(rows).reshape(-1, 4)


def _length_errors(fit: BodyFit, trial: SimulatedFigure) -> Floats:
    """True and stated errors of the lengths of limbs that begin or end at a hinge, metres."""
    open_ends = {joint.child for joint in fit.joints if joint.on_axis_m is not None}
    rows = []
    for joint, limb in zip(fit.joints, limbs(fit)):
        if trial.parents[joint.parent] >= 0 and {joint.child, joint.parent} & open_ends:
            step = trial.inboard[joint.child] - trial.outboard[joint.parent]
            rows.append((limb.length_m - np.linalg.norm(step), limb.deviation_m))
    return np.array(rows).reshape(-1, 2)
