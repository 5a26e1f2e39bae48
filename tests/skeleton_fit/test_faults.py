"""Loose bodies with faults: outliers, swapped tracks, slips, skin that slides."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.bodies_faults import centre_errors
from benchmarks.simulated_faults import Faults, Slip, swapped
from benchmarks.simulated_figure import NAMES, simulated_figure
from jointlimits_core.skeleton_fit import fit as fit_module
from jointlimits_core.skeleton_fit.fit import fit_skeleton
from jointlimits_core.skeleton_fit.outliers import inlier_frames, swap_back
from jointlimits_core.skeleton_fit.residuals import joint_ends
from jointlimits_core.skeleton_fit.result import COMPARED, BodyOptions
from jointlimits_core.skeleton_fit.slips import find_slips
from jointlimits_core.skeleton_fit.spectral import motion_lines
from tests.support.linkages import plain_skeleton

NOISE = Faults(noise=0.007, noise_deg=1.0)


def edges_of(fit):
    return frozenset(frozenset((joint.child, joint.parent)) for joint in fit.joints)


# --- outliers ---------------------------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.parametrize("seed", [0, 1])
def test_a_tenth_of_wrong_frames_and_gaps_leaves_the_right_answer(seed):
    faults = replace(NOISE, outliers=0.1, gaps=0.05)
    trial = simulated_figure(seed, seconds=20.0, faults=faults)
    fit = fit_skeleton(trial.tracks)
    assert edges_of(fit) == trial.edges()
    for joint in fit.joints:
        inward = trial.parents[joint.child] == joint.parent
        truth = trial.outboard[joint.child] if inward else trial.inboard[joint.parent]
        assert np.linalg.norm(joint.centre_in_child - truth) < 0.004
    assert (trial.wrong & fit.used).sum() < 0.03 * trial.wrong.sum()
    assert any(finding.rule == "outliers" for finding in fit.findings)


def test_a_body_that_is_only_turned_wrongly_is_found():
    trial = simulated_figure(3, seconds=20.0, faults=NOISE)
    rotations = trial.tracks.rotations.copy()
    shin = NAMES.index("left shin")
    rotations[shin, :, 100:160] = np.array([[0.0], [0.0], [1.0], [0.0]])
    good = inlier_frames(replace(trial.tracks, rotations=rotations))
    assert (~good[shin, 100:160]).mean() > 0.9
    others = np.delete(good, shin, axis=0)
    assert others[:, 100:160].mean() > 0.98


@pytest.mark.thorough
def test_frames_are_only_left_out_where_others_then_fit_no_worse(monkeypatch):
    """The other fit is kept beside."""
    trial = simulated_figure(0, seconds=8.0, faults=NOISE)
    few = np.random.default_rng(0).random(trial.tracks.present.shape[1]) < 0.03
    monkeypatch.setattr(fit_module, "_fits_everywhere", lambda fit: False)
    monkeypatch.setattr(fit_module.outliers, "inlier_frames", lambda tracks: tracks.present & few)
    fit = fit_skeleton(trial.tracks)
    (compared,) = fit.extra[COMPARED]
    assert compared.gain < -0.1
    assert not compared.used
    np.testing.assert_array_equal(fit.used, trial.tracks.present)
    np.testing.assert_array_equal(compared.other.used, trial.tracks.present & few)


# --- swapped tracks ---------------------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.parametrize("pair", [("left hand", "right hand"), ("left shin", "left foot")])
def test_swapped_tracks_are_named_and_changed_back(pair):
    trial = simulated_figure(5, seconds=20.0, faults=NOISE)
    tracks = swapped(trial.tracks, *pair, 300, 400)
    fit = fit_skeleton(tracks)
    (swap,) = fit.extra["swaps"]
    assert {swap.first, swap.second} == set(pair)
    frames = np.concatenate([np.arange(a, b + 1) for a, b in swap.frame_ranges])
    assert set(frames) <= set(range(300, 400))
    assert len(frames) >= 95
    body = fit.tracks.index(pair[0])
    for frame in frames.astype(int):
        np.testing.assert_array_equal(
            fit.tracks.positions[body, frame], trial.tracks.positions[body, frame]
        )
    assert any(finding.rule == "swapped-bodies" for finding in fit.findings)
    outliers, changed = fit.extra[COMPARED]
    assert (outliers.model, changed.model) == ("outlier frames", "swapped tracks")
    assert outliers.used
    assert changed.used
    assert changed.gain > 1.0
    assert not changed.other.used[body, 300:400].any(), "without the swap they are outliers"


@pytest.mark.thorough
def test_nothing_is_swapped_where_nothing_was():
    trial = simulated_figure(6, seconds=20.0, faults=replace(NOISE, outliers=0.1))
    fit = fit_skeleton(trial.tracks)
    assert "swaps" not in fit.extra
    assert swap_back(trial.tracks, ()).findings == trial.tracks.findings


# --- slips ------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_two_slips_are_told_apart():
    slips = (Slip("left shin", 7.0, distance=0.02), Slip("head", 13.0, distance=0.02))
    trial = simulated_figure(8, seconds=20.0, faults=replace(NOISE, slips=slips))
    fit = fit_skeleton(trial.tracks)
    assert [found.body for found in fit.slips] == ["left shin", "head"]


@pytest.mark.thorough
@pytest.mark.parametrize(
    "faults", [NOISE, Faults(wobble=0.01, wobble_deg=3.0), Faults()], ids=["noise", "skin", "clean"]
)
def test_there_is_no_alarm_where_nothing_slips(faults):
    for seed in range(3):
        trial = simulated_figure(seed, seconds=20.0, faults=faults)
        fit = fit_skeleton(trial.tracks)
        assert find_slips(fit.tracks, joint_ends(fit)) == ()


# --- skin that slides -------------------------------------------------------------------------


@pytest.mark.slow
def test_lines_of_the_motion_tell_the_tree_of_a_walk():
    faults = Faults(wobble=0.02, wobble_deg=6.0)
    right = {True: 0, False: 0}
    for seed in range(6):
        trial = simulated_figure(seed, "walk", frame_rate=30.0, faults=faults)
        for strides in right:
            fit = plain_skeleton(trial.tracks, strides=strides)
            right[strides] += edges_of(fit) == trial.edges()
    assert right[True] >= 5 > right[False]


@pytest.mark.slow
def test_lines_place_the_joints_of_a_walk_better_than_least_squares():
    errors = {True: [], False: []}
    covered = []
    for seed in range(8100, 8106):
        trial = simulated_figure(seed, "walk", faults=Faults(wobble=0.01, wobble_deg=3.0))
        parents = dict(zip(NAMES, (NAMES[p] if p >= 0 else None for p in trial.parents)))
        for strides in errors:
            fit = plain_skeleton(trial.tracks, BodyOptions(parents=parents), strides)
            errors[strides] += centre_errors(fit, trial)
            for joint in fit.joints if strides else ():
                off = joint.centre_in_child - trial.outboard[joint.child]
                along = joint.directions_in_child @ off
                covered += (along / joint.deviation_m)[np.isfinite(joint.deviation_m)].tolist()
    assert np.mean(errors[True]) < 0.65 * np.mean(errors[False])
    assert 0.7 < np.sqrt(np.mean(np.square(covered))) < 2.0


def test_too_short_or_holey_clips_have_no_lines():
    short = simulated_figure(0, "walk", seconds=8.0)
    assert motion_lines(short.tracks) is None
    holey = simulated_figure(0, "walk", faults=Faults(gaps=0.4))
    assert motion_lines(holey.tracks) is None
