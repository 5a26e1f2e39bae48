"""Sensors that slip: which, when, how far, and how they turned."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.simulated_faults import Faults, Slip
from benchmarks.simulated_figure import NAMES, simulated_figure
from jointlimits_core.geometry.quaternion import rotated
from jointlimits_core.skeleton_fit.fit import fit_skeleton
from jointlimits_core.skeleton_fit.residuals import joint_ends
from jointlimits_core.skeleton_fit.slips import distinct_jump, find_slips
from tests.support.linkages import Linkage, plain_skeleton

NOISE = Faults(noise=0.004, noise_deg=0.5)


def with_slips(*slips: Slip, faults: Faults = NOISE, seed: int = 7, seconds: float = 20.0):
    return simulated_figure(seed, seconds=seconds, faults=replace(faults, slips=slips))


@pytest.mark.thorough
@pytest.mark.parametrize(
    "slip",
    [
        Slip("left forearm", 12.0, distance=0.005),
        Slip("chest", 8.0, distance=0.025, angle_deg=10.0),
        Slip("right hand", 9.0, distance=0.05, angle_deg=10.0),
        # So far that all that follows fits no joint and is left out.
        Slip("left shin", 17.0, distance=0.2, angle_deg=40.0),
        Slip("left shin", 2.5, distance=0.2, angle_deg=40.0),
    ],
    ids=lambda slip: f"{slip.body} {slip.seconds}",
)
def test_a_slip_is_named_and_the_tracks_stay_as_they_are(slip):
    trial = with_slips(slip)
    fit = fit_skeleton(trial.tracks)
    (found,) = fit.slips
    assert found.body == slip.body
    assert found.seconds == pytest.approx(slip.seconds, abs=0.5)
    assert fit.tracks is trial.tracks
    assert fit_skeleton(with_slips().tracks).slips == ()


@pytest.mark.thorough
@pytest.mark.parametrize("seed", [1, 3, 4])
def test_a_sensor_may_slip_twice(seed):
    body = ["left shin", "right thigh", "right forearm"][seed % 3]
    slips = Slip(body, 7.0, 0.02, 6.0), Slip(body, 13.5, 0.03, 8.0)
    trial = with_slips(*slips, seed=seed)
    fit = fit_skeleton(trial.tracks)
    assert [(s.body, round(s.seconds, 1)) for s in fit.slips] == [(body, 7.0), (body, 13.5)]


@pytest.mark.parametrize("distance", [0.02, 0.05, 0.1])
def test_a_slip_does_not_hide_behind_the_doubt_that_it_casts(distance):
    """The only joint of a root is placed the worse, the further the root slips."""
    faults = Faults(0.003, 0.3, slips=(Slip("pelvis", 8.0, distance),))
    tracks = simulated_figure(3, seconds=16.0, frame_rate=30.0, faults=faults).tracks
    fit = fit_skeleton(tracks.only(("pelvis", "left thigh", "left shin", "left foot")))
    (found,) = fit.slips
    assert (found.body, found.seconds) == ("pelvis", 8.0)
    assert found.distance_m == pytest.approx(distance, rel=0.1)


# --- the moment, and the change ----------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(3))
def test_a_slip_is_where_a_fit_with_a_step_in_it_fits_best(seed):
    """A joint that moves slowly hides a step; every frame is tried by hand."""
    frames, at = 400, 150 + 60 * seed
    slow = np.linspace(-0.8, 0.8, frames)[:, None] * np.array([1.0, 0.4, -0.6])
    linkage = Linkage(seed, frames).free("trunk").joined("arm", "trunk", vectors=slow)
    tracks = linkage.tracks(0.004, 0.3)
    positions = tracks.positions.copy()
    positions[1, at:] += rotated(tracks.rotations[1, :, at:].T, np.array([0.012, -0.006, 0.009]))
    tracks = replace(tracks, positions=positions)
    fit = plain_skeleton(tracks)
    found = max(find_slips(tracks, joint_ends(fit)), key=lambda slip: slip.statistic)
    frame, margin = int(found.frame), 20
    turns = tracks.matrices()
    left = {}
    for trial in range(margin, frames - margin, 2):
        after = (np.arange(frames) >= trial)[:, None, None]
        rows = np.concatenate([turns[1], -turns[0], turns[1] * after], axis=2).reshape(-1, 9)
        right = (tracks.positions[0] - tracks.positions[1]).reshape(-1)
        solved = np.linalg.lstsq(rows, right, rcond=None)[0]
        left[trial] = np.sum((rows @ solved - right) ** 2), solved
    best = min(left, key=lambda trial: left[trial][0])
    assert abs(frame - best) <= 4
    assert abs(frame - at) <= 12


@pytest.mark.thorough
def test_a_jump_is_located_to_the_frame():
    trial = with_slips(Slip("right hand", 10.0, angle_deg=8.0))
    hand, seen = NAMES.index("right hand"), trial.tracks.present[0]
    jump = distinct_jump(trial.tracks, hand, 620, seen)
    assert jump is not None
    assert jump.frame == 600
    assert np.degrees(np.linalg.norm(jump.turn)) == pytest.approx(8.0, abs=1.5)
    for body in range(len(NAMES)):
        if body != hand:
            assert distinct_jump(trial.tracks, body, 620, seen) is None
    holes = seen & (np.abs(np.arange(len(seen)) - 600) > 9)
    assert distinct_jump(trial.tracks, hand, 600, holes) is None
