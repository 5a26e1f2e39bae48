"""Special modes of the skeleton fit: false alarms on white noise, and walks fitted both ways."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from jointlimits_core.geometry.quaternion import (
    conjugate,
    multiply,
    quaternion_from_rotation_vector,
    rotation_vector_from_quaternion,
)
from jointlimits_core.motion.motion import Motion
from jointlimits_core.skeleton_fit.fit import fit_pooled, plain_fit
from jointlimits_core.skeleton_fit.result import BodyFit, BodyOptions

from .bodies_recorded import HALVES, MILLIMETRES, read_clip, recordings, subject_folder
from .figures import Figure, benchmark, upper_bound
from .simulated_faults import Faults, with_faults
from .simulated_recording import CMU_BONES, RecordingFaults, SimulatedRecording, recorded_figure

NOISES = ((0.001, 0.1), (0.002, 0.3), (0.004, 0.5), (0.007, 1.0), (0.015, 3.0))
"""Metres and degrees."""
SEEDS, QUICK_SEEDS = range(900, 910), range(900, 901)
"""Seeds on which nothing was chosen."""
WALKS = {
    "A": {"16": ("16_24", "16_25"), "01": ("01_14",), "49": ("49_18",)},
    "B": {
        "07": ("07_01", "07_02", "07_06"),
        "02": ("02_01", "02_02"),
        "hdm05": ("HDM_dg_06-03_03_120",),
    },
}
WALK_FRAMES, WALK_SEED = 4800, 800
SHARES = (1.0, 0.5, 0.25)
"""Share of every joint's motion about its mean that is kept."""
SKINS = {
    "4 mm + 0.5 deg of white noise": (RecordingFaults(0.004, 0.5), None),
    "7 mm + 1 deg of white noise": (RecordingFaults(0.007, 1.0), None),
    "10 mm + 3 deg of repeating skin": (RecordingFaults(skin=0.010, skin_deg=3.0), None),
    "10 mm + 3 deg of skin": (RecordingFaults(), Faults(wobble=0.010, wobble_deg=3.0)),
    "20 mm + 6 deg of skin": (RecordingFaults(), Faults(wobble=0.020, wobble_deg=6.0)),
}


@benchmark
def false_alarms(quick: bool) -> Iterator[Figure]:
    """Runs with white noise on every recording in which slips, swaps or strides are found."""
    seeds = QUICK_SEEDS if quick else SEEDS
    for half in HALVES:
        found: dict[str, list[bool]] = {"slips": [], "swapped tracks": [], "strides": []}
        for clips in recordings(half)[:: 4 if quick else 1]:
            for noise, noise_deg in NOISES:
                for seed in seeds:
                    faults = RecordingFaults(noise, noise_deg)
                    fits = fit_pooled(recorded_figure(clips, CMU_BONES, seed, faults).clips)
                    found["slips"].append(any(fit.slips for fit in fits))
                    found["swapped tracks"].append(any(fit.extra.get("swaps") for fit in fits))
                    found["strides"].append(fits[0].model == "motion lines")
        for what, alarms in found.items():
            hits, runs = sum(alarms), len(alarms)
            beside = (
                f"{hits} of {runs} runs, at most {100.0 * upper_bound(hits, runs):.2g} % (95 %)"
            )
            yield Figure(f"{half}: runs with false {what}", 100.0 * hits / runs, "%", 1.0, beside)


@dataclass
class _Both:
    """Walks whose tree was chosen by strides, compared with the fit without strides."""

    right: list[tuple[int, int]] = field(default_factory=list)
    errors_mm: list[tuple[float, float]] = field(default_factory=list)

    def add(self, trial: SimulatedRecording) -> None:
        """Fit a walk with and without strides; keep both if strides chose the tree."""
        fits = [plain_fit(trial.clips, BodyOptions(), strides=strides) for strides in (True, False)]
        if fits[0].model == "motion lines":
            one, other = (_right(fit, trial) for fit in fits)
            self.right.append((one, other))
            one_mm, other_mm = (MILLIMETRES * float(trial.errors_m(fit).mean()) for fit in fits)
            self.errors_mm.append((one_mm, other_mm))


@benchmark
def walks_both_ways(quick: bool) -> Iterator[Figure]:
    """Walks of 40 s, unchanged and gentler: the fit by strides compared with the plain fit."""
    for half, subjects in WALKS.items():
        for label, faults in SKINS.items():
            tally, runs = _Both(), 0
            for subject, names in subjects.items():
                folder = subject_folder(subject)
                clips = [read_clip(folder / f"{name}.amc", folder) for name in names]
                for share in SHARES[1:2] if quick else SHARES:
                    tally.add(walk_with_sensors(gentle_walk(clips, share), *faults))
                    runs += 1
            name = f"{half}, {label}: fit by strides"
            yield Figure(f"{name} chosen", len(tally.right), f"of {runs}")
            if not tally.right:
                continue
            result, plain = np.sum(tally.right, axis=0)
            count = f"of {22 * len(tally.right)}"
            yield Figure(f"{name}: joints right", int(result), count, None, f"plain {plain}", True)
            result, plain = np.mean(tally.errors_mm, axis=0)
            yield Figure(f"{name}: mean error", float(result), "mm", None, f"plain {plain:.1f}")


def gentle_walk(clips: Sequence[Motion], share: float) -> Motion:
    """Clips joined and repeated, with a share of every joint's motion about its mean."""
    turns = np.concatenate([clip.rotations for clip in clips], axis=2)
    turns = np.tile(turns, (1, 1, -(-WALK_FRAMES // turns.shape[2])))[:, :, :WALK_FRAMES]
    turns = np.swapaxes(turns, 1, 2)
    moments = np.swapaxes(turns, 1, 2) @ turns
    mean = np.linalg.eigh(moments)[1][:, None, :, -1]
    away = rotation_vector_from_quaternion(multiply(conjugate(mean), turns))
    turns = multiply(mean, quaternion_from_rotation_vector(share * away))
    return replace(
        clips[0],
        rotations=np.ascontiguousarray(np.swapaxes(turns, 1, 2)),
        frames=np.arange(float(WALK_FRAMES)),
        translations={},
        rotates=None,
    )


def walk_with_sensors(
    walk: Motion, on_bones: RecordingFaults, on_top: Faults | None
) -> SimulatedRecording:
    """Sensors on a walk; `on_top` is skin that does not repeat."""
    trial = recorded_figure([walk], CMU_BONES, WALK_SEED, on_bones)
    if on_top is None:
        return trial
    (clip,) = trial.clips
    turns = np.swapaxes(clip.rotations, 1, 2)
    generator = np.random.default_rng(WALK_SEED)
    places, turns, _ = with_faults(
        generator, clip.names, clip.positions, turns, clip.frame_rate, on_top
    )
    rotations = np.ascontiguousarray(np.swapaxes(turns, 1, 2))
    return replace(trial, clips=(replace(clip, positions=places, rotations=rotations),))


def _right(fit: BodyFit, trial: SimulatedRecording) -> int:
    edges = trial.edges()
    return sum(frozenset((joint.child, joint.parent)) in edges for joint in fit.joints)
