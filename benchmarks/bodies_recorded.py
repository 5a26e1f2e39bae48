"""Skeletons from sensors on recorded motion, in two halves of recordings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.arrays import Floats
from jointlimits_core.motion.motion import Motion
from jointlimits_core.skeleton_fit.doubts import joint_ties
from jointlimits_core.skeleton_fit.fit import fit_pooled
from jointlimits_core.skeleton_fit.result import BodyFit, BodyJoint

from .figures import Figure, benchmark, shared
from .simulated_recording import CMU_BONES, RecordingFaults, SimulatedRecording, recorded_figure

HALVES = {"A": ("01", "01_fairmotion", "03", "16", "49"), "B": ("02", "07", "hdm05")}
"""Subjects of each half; the rules of the tree were chosen on A, with other seeds."""
LONG_FRAMES = 850
"""Recordings at least this long count as long; the others have 140 to 600 frames."""
SEEDS, QUICK_SEEDS, MORE_SEEDS = range(500, 502), range(500, 501), range(600, 608)
RATE = 120.0
MILLIMETRES = 1000.0
WHITE = {"7 mm + 1 deg": RecordingFaults(0.007, 1.0), "4 mm + 0.5 deg": RecordingFaults(0.004, 0.5)}
SKIN = {"skin that repeats, 10 mm + 3 deg": RecordingFaults(skin=0.010, skin_deg=3.0)}
TARGETS = {
    ("7 mm + 1 deg", True): (95.0, 2.5),
    ("4 mm + 0.5 deg", True): (97.0, 1.3),
    ("4 mm + 0.5 deg", False): (90.0, None),
}
"""Least share of correct trees (in short recordings: or named), and largest mean error."""


@dataclass
class _Tally:
    """Results for several recordings."""

    right: list[bool] = field(default_factory=list)
    named: list[bool] = field(default_factory=list)
    tied: list[float] = field(default_factory=list)
    errors_mm: list[float] = field(default_factory=list)
    least_mm: list[float] = field(default_factory=list)
    in_deviations: list[float] = field(default_factory=list)
    in_hidden: list[float] = field(default_factory=list)
    slips: list[bool] = field(default_factory=list)
    lines: list[bool] = field(default_factory=list)

    def add(self, trial: SimulatedRecording, faults: RecordingFaults) -> None:
        """Fit a recording and compare it with the truth."""
        fits = fit_pooled(trial.clips)
        fit = fits[0]
        found = {frozenset((joint.child, joint.parent)) for joint in fit.joints}
        ties = [joint_ties(fit, joint) for joint in fit.joints]
        self.right.append(found == trial.edges())
        self.named.append(trial.edges() - found <= {frozenset(p) for own in ties for p in own})
        self.tied.append(float(sum(map(bool, ties))))
        self.errors_mm.append(MILLIMETRES * float(trial.errors_m(fit).mean()))
        if faults in WHITE.values():
            self.least_mm.append(MILLIMETRES * float(trial.least_errors_m(fit, faults).mean()))
        for off, joint in _off(fit, trial):
            self.in_deviations += list(
                np.abs(off) / joint.deviation_m[np.isfinite(joint.deviation_m)]
            )
            if joint.hidden_m > 0.0:
                self.in_hidden.append(float(np.linalg.norm(off)) / joint.hidden_m)
        self.slips.append(any(one.slips for one in fits))
        self.lines.append(fit.model == "motion lines")


def _off(fit: BodyFit, trial: SimulatedRecording) -> Iterator[tuple[Floats, BodyJoint]]:
    """Errors of correct joints, along directions with a stated deviation."""
    for joint in fit.joints:
        if trial.parents[joint.child] == joint.parent:
            off = joint.directions_in_child @ (joint.centre_in_child - trial.outboard[joint.child])
            yield off[np.isfinite(joint.deviation_m)], joint


def recordings(half: str) -> list[list[Motion]]:
    """Every clip alone, and all clips of each subject together."""
    found = []
    for subject in HALVES[half]:
        folder = subject_folder(subject)
        clips = [read_clip(path, folder) for path in sorted(folder.glob("*.amc"))]
        found += [[clip] for clip in clips] + ([clips] if len(clips) > 2 else [])
    return found


def _is_long(clips: list[Motion]) -> bool:
    return bool(sum(clip.rotations.shape[2] for clip in clips) >= LONG_FRAMES)


def subject_folder(subject: str) -> Path:
    """Folder of a subject's clips and skeleton."""
    return shared(f"data/mocap/{'' if subject == 'hdm05' else 'cmu_asfamc/'}{subject}")


def read_clip(path: Path, folder: Path) -> Motion:
    """One clip of a subject."""
    return read_motion(path, next(folder.glob("*.asf")), frame_rate=RATE)


def _tallies(half: str, faults: RecordingFaults, quick: bool) -> dict[bool, _Tally]:
    """Values for long recordings, and for the others."""
    tallies = {True: _Tally(), False: _Tally()}
    for clips in recordings(half)[:: 4 if quick else 1]:
        long = _is_long(clips)
        for seed in QUICK_SEEDS if quick else SEEDS:
            tallies[long].add(recorded_figure(clips, CMU_BONES, seed, faults), faults)
    return {long: tally for long, tally in tallies.items() if tally.right}


@benchmark
def white_noise(quick: bool) -> Iterator[Figure]:
    """23 sensors on the bones of recordings, white noise: trees, joints and false alarms."""
    for half in HALVES:
        for level, faults in WHITE.items():
            tallies = _tallies(half, faults, quick)
            for long, tally in tallies.items():
                target, largest = TARGETS.get((level, long), (None, None))
                name = f"{half}, {level}, {'long' if long else 'short'}"
                yield from _trees(name, tally, target, long)
                error, least = (float(np.mean(one)) for one in (tally.errors_mm, tally.least_mm))
                beside = f"Cramer-Rao bound {least:.2f}"
                yield Figure(f"{name}: mean joint error", error, "mm", largest, beside)
                yield from _deviations(name, tally)
            every = list(tallies.values())
            for what in ("slips", "lines"):
                alarms = np.concatenate([getattr(tally, what) for tally in every])
                name = f"{half}, {level}: runs with false {what}"
                yield Figure(name, 100.0 * float(alarms.mean()), f"% of {len(alarms)}", 1.0)


@benchmark
def more_draws(quick: bool) -> Iterator[Figure]:
    """Long recordings at 4 mm + 0.5 degrees with other seeds, to tell a miss from chance."""
    faults = WHITE["4 mm + 0.5 deg"]
    for half in HALVES:
        draws = []
        for seed in MORE_SEEDS[: 2 if quick else None]:
            tally = _Tally()
            for clips in filter(_is_long, recordings(half)[:: 4 if quick else 1]):
                tally.add(recorded_figure(clips, CMU_BONES, seed, faults), faults)
            draws.append((float(np.mean(tally.errors_mm)), float(np.mean(tally.least_mm))))
        (error, least), spread = np.mean(draws, axis=0), np.std(draws, axis=0, ddof=1)[0]
        beside = f"standard error {spread / np.sqrt(len(draws)):.3f}; Cramer-Rao bound {least:.2f}"
        name = f"{half}, 4 mm + 0.5 deg, long: mean joint error of {len(draws)} draws"
        yield Figure(name, float(error), "mm", 1.3, beside)


@benchmark
def repeating_skin(quick: bool) -> Iterator[Figure]:
    """The same, with skin that follows the motion of the bones."""
    for half in HALVES:
        for level, faults in SKIN.items():
            for long, tally in _tallies(half, faults, quick).items():
                name = f"{half}, {level}, {'long' if long else 'short'}"
                yield from _trees(name, tally, 69.0, False)
                error = float(np.mean(tally.errors_mm))
                yield Figure(f"{name}: mean joint error", error, "mm")
                yield from _deviations(name, tally)
                share = 100.0 * float(np.mean(np.array(tally.in_hidden) <= 1.0))
                name += ": joints no further off than if markers slide with the skin"
                yield Figure(name, share, f"% of {len(tally.in_hidden)}")


def _trees(name: str, tally: _Tally, target: float | None, right: bool) -> Iterator[Figure]:
    """Correct trees, or trees whose wrong joints are named; the target is for either."""
    unit = f"% of {len(tally.right)}"
    share = 100.0 * float(np.mean(tally.right))
    yield Figure(f"{name}: trees right", share, unit, target if right else None, "", True)
    beside = f"{np.mean(tally.tied):.1f} of 22 joints have another pair named"
    share = 100.0 * float(np.mean(tally.named))
    name = f"{name}: trees right, or the right pair named"
    yield Figure(name, share, unit, None if right else target, beside, True)


def _deviations(name: str, tally: _Tally) -> Iterator[Figure]:
    """Share of positions within one and two stated deviations."""
    for times, nominal in ((1.0, 68), (2.0, 95)):
        share = 100.0 * float(np.mean(np.array(tally.in_deviations) <= times))
        yield Figure(f"{name}: within {times:g} deviations", share, "%", None, f"nominal {nominal}")
