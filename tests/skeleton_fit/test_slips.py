"""Sensors that slip: which, when, how far, and how they turned."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks.simulated_faults import Faults, Slip
from benchmarks.simulated_figure import simulated_figure
from jointlimits_core.skeleton_fit.document import document_of
from jointlimits_core.skeleton_fit.fit import fit_skeleton

NOISE = Faults(noise=0.004, noise_deg=0.5)


def with_slips(*slips: Slip, faults: Faults = NOISE, seed: int = 7, seconds: float = 20.0):
    return simulated_figure(seed, seconds=seconds, faults=replace(faults, slips=slips))


@pytest.mark.thorough
@pytest.mark.parametrize(
    "slip",
    [
        Slip("left forearm", 12.0, distance=0.005),
        Slip("chest", 8.0, distance=0.025, angle_deg=10.0),
        Slip("right foot", 14.0, angle_deg=5.0),
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
    if 0.0 < slip.distance < 0.1:
        assert found.distance_m == pytest.approx(slip.distance, rel=0.3)
    if 0.0 < slip.angle_deg < 20.0:
        assert found.angle_deg == pytest.approx(slip.angle_deg, abs=2.0)
    (written,) = document_of([fit])["clips"][0]["slips"]
    assert written["angle_deg"] is None or slip.angle_deg
    assert [item.rule for item in fit.findings if item.rule == "slip"] == ["slip"]
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


@pytest.mark.thorough
@pytest.mark.parametrize("distance", [0.02, 0.05, 0.1])
def test_a_slip_does_not_hide_behind_the_doubt_that_it_casts(distance):
    """The only joint of a root is placed the worse, the further the root slips."""
    faults = Faults(0.003, 0.3, slips=(Slip("pelvis", 8.0, distance),))
    tracks = simulated_figure(3, seconds=16.0, frame_rate=30.0, faults=faults).tracks
    fit = fit_skeleton(tracks.choose_bodies(("pelvis", "left thigh", "left shin", "left foot")))
    (found,) = fit.slips
    assert (found.body, found.seconds) == ("pelvis", 8.0)
    assert found.distance_m == pytest.approx(distance, rel=0.1)
