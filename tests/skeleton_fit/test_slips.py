"""Sensors that slip: how far and how they turned, and a fit as if they had not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.bodies_faults import centre_errors, right_tree
from benchmarks.simulated_faults import Faults, Slip
from benchmarks.simulated_figure import NAMES, simulated_figure
from examples import make_tracked_arm
from jointlimits_core.formats.read_bodies import read_bodies
from jointlimits_core.geometry.quaternion import (
    matrix_from_quaternion,
    quaternion_from_rotation_vector,
    rotated,
)
from jointlimits_core.geometry.quaternion import rotation_vector_from_quaternion as rotation_vector
from jointlimits_core.skeleton_fit.build import motions
from jointlimits_core.skeleton_fit.fit import fit_skeleton
from jointlimits_core.skeleton_fit.residuals import joint_ends, joint_gaps
from jointlimits_core.skeleton_fit.result import BodyOptions
from jointlimits_core.skeleton_fit.slip_steps import (
    JointSides,
    distinct_jump,
    joints_with_gaps,
    slip_change,
)
from jointlimits_core.skeleton_fit.slips import as_measured, find_slips, slips_removed
from tests.support.linkages import Linkage

NOISE = Faults(noise=0.004, noise_deg=0.5)
PLAIN = BodyOptions(robust="off", find_slips="off")


def with_slips(*slips: Slip, faults: Faults = NOISE, seed: int = 7, seconds: float = 20.0):
    return simulated_figure(seed, seconds=seconds, faults=replace(faults, slips=slips))


@pytest.mark.thorough
@pytest.mark.parametrize(
    "slip",
    [
        Slip("left forearm", 12.0, distance=0.005),
        Slip("chest", 8.0, distance=0.025, angle_deg=10.0),
        Slip("right hand", 9.0, distance=0.05, angle_deg=10.0),
        # So far that without a search for slips all that follows is left out.
        Slip("left shin", 17.0, distance=0.2, angle_deg=40.0),
        Slip("left shin", 2.5, distance=0.2, angle_deg=40.0),
    ],
    ids=lambda slip: f"{slip.body} {slip.seconds}",
)
def test_joints_are_where_they_would_be_without_it(slip):
    clean, trial = with_slips(), with_slips(slip)
    fit = fit_skeleton(trial.tracks)
    (found,) = fit.slips
    assert (found.body, fit.parents.tolist()) == (slip.body, list(trial.parents))
    errors = [centre_errors(fit_skeleton(clean.tracks), clean), centre_errors(fit, trial)]
    if slip.seconds > 3.0:
        assert np.mean(errors[1]) < 1.1 * np.mean(errors[0])
        assert np.max(errors[1]) < 1.5 * np.max(errors[0])
        assert found.distance_m == pytest.approx(slip.distance, abs=0.004)
    assert fit.used.all()
    # Nothing of the step is left in the gaps.
    gaps = joint_gaps(fit.tracks, *joint_ends(fit))
    at = round(slip.seconds * 60.0)
    own = [
        row for row, j in enumerate(fit.joints) if found.body in (NAMES[j.child], NAMES[j.parent])
    ]
    for row in own:
        back = fit.tracks.rotations[NAMES.index(slip.body)].T * [-1.0, -1.0, -1.0, 1.0]
        seen = rotated(back, gaps[row])
        step = np.linalg.norm(seen[at:].mean(axis=0) - seen[:at].mean(axis=0))
        assert step < 0.0015


@pytest.mark.thorough
def test_without_the_search_a_slip_is_fitted_over():
    trial = with_slips(Slip("chest", 8.0, distance=0.025, angle_deg=10.0))
    over = centre_errors(fit_skeleton(trial.tracks, BodyOptions(find_slips="off")), trial)
    mended_ = centre_errors(fit_skeleton(trial.tracks), trial)
    assert np.max(over) > 5.0 * np.max(mended_)


@pytest.mark.thorough
def test_tracks_are_put_back_and_stay_at_hand():
    clean = with_slips(faults=Faults())
    trial = with_slips(Slip("left thigh", 8.0, 0.02, 6.0), faults=Faults())
    fit = fit_skeleton(trial.tracks)
    thigh = NAMES.index("left thigh")
    # Exact data tell the slip to a fraction of a millimetre and of a degree.
    apart = np.linalg.norm(fit.tracks.positions - clean.tracks.positions, axis=2)
    assert apart[thigh].max() < 5e-4
    assert np.delete(apart, thigh, axis=0).max() == 0.0
    alike = np.abs(np.sum(fit.tracks.rotations * clean.tracks.rotations, axis=1))
    assert np.degrees(2.0 * np.arccos(np.minimum(alike, 1.0))).max() < 0.2
    np.testing.assert_array_equal(as_measured(fit).positions, trial.tracks.positions)
    (slip,) = fit.slips
    assert slip.distance_m == pytest.approx(0.02, abs=5e-4)
    assert slip.angle_deg == pytest.approx(6.0, abs=0.2)
    assert "change" not in slip.to_dict()


@pytest.mark.thorough
def test_what_did_not_slip_is_left_as_it_is():
    trial = with_slips()
    fit = fit_skeleton(trial.tracks)
    assert fit.slips == ()
    assert fit.tracks is trial.tracks
    assert as_measured(fit) is trial.tracks
    assert slips_removed(trial.tracks, ()) is trial.tracks


@pytest.mark.thorough
@pytest.mark.parametrize("seed", [1, 3, 4])
def test_a_sensor_may_slip_twice(seed):
    body = ["left shin", "right thigh", "right forearm"][seed % 3]
    slips = Slip(body, 7.0, 0.02, 6.0), Slip(body, 13.5, 0.03, 8.0)
    trial = with_slips(*slips, seed=seed)
    fit = fit_skeleton(trial.tracks)
    assert [(s.body, round(s.seconds, 1)) for s in fit.slips] == [(body, 7.0), (body, 13.5)]
    assert right_tree(fit, trial)
    assert np.max(centre_errors(fit, trial)) < 0.003
    # The last one is undone first: the sensor is where it was at the start.
    row = NAMES.index(body)
    bare = simulated_figure(seed, seconds=20.0).tracks
    off = fit.tracks.positions[row, 1000:] - bare.positions[row, 1000:]
    assert np.linalg.norm(off.mean(axis=0)) < 0.004


@pytest.mark.thorough
def test_the_built_motion_has_no_step():
    trial = with_slips(Slip("left forearm", 12.0, distance=0.03, angle_deg=15.0), faults=Faults())
    fit = fit_skeleton(trial.tracks)
    (motion,) = motions(fit)
    turns = motion.rotations[motion.joint_names.index("left forearm")].T
    between = np.abs(np.sum(turns[1:] * turns[:-1], axis=1))
    speed = np.degrees(2.0 * np.arccos(np.minimum(between, 1.0)))
    assert speed[719] < 1.5 * np.median(speed[700:740]) + 0.2


@pytest.mark.thorough
def test_an_elbow_stays_a_hinge_over_a_large_slip(tmp_path, monkeypatch):
    monkeypatch.setattr(make_tracked_arm, "SLIP_MM", 25.0)
    monkeypatch.setattr(make_tracked_arm, "SLIP_DEG", 10.0)
    make_tracked_arm.main(tmp_path)
    tracks = read_bodies(tmp_path / make_tracked_arm.NAME)
    fit = fit_skeleton(tracks, BodyOptions(root="chest"))
    (slip,) = fit.slips
    assert slip.body == "forearm"
    assert slip.angle_deg == pytest.approx(10.0, abs=2.0)
    assert fit.joint("forearm").kind == "single-axis"
    assert max(joint.residual_m for joint in fit.joints) < 0.006
    over = fit_skeleton(tracks, BodyOptions(root="chest", find_slips="off"))
    assert over.joint("forearm").kind == "ball"


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
    fit = fit_skeleton(tracks, PLAIN)
    (found,) = find_slips(tracks, joint_ends(fit))
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
    (joint,) = joints_with_gaps(tracks, joint_ends(fit), tracks.present)
    sides = joint.sides(1, frame, {1: [frame]})
    solved = left[frame][1]
    np.testing.assert_allclose(sides.before, solved[:3], atol=1e-6)
    np.testing.assert_allclose(sides.after, solved[:3] + solved[6:], atol=1e-6)


@pytest.mark.thorough
def test_gaps_of_other_joints_help_to_locate_a_slip():
    """By the gaps of the forearm's own joints alone it is found 1.1 s later."""
    slip = Slip("left forearm", 17.19, distance=0.005)
    faults = Faults(noise=0.007, noise_deg=1.0, slips=(slip,))
    (found,) = fit_skeleton(simulated_figure(10_027, faults=faults).tracks).slips
    assert found.body == "left forearm"
    assert found.seconds == pytest.approx(17.19, abs=0.5)


@pytest.mark.thorough
def test_the_covariance_of_both_sides_is_that_of_many_trials():
    frames, at, found, stated = 300, 150, [], []
    generator = np.random.default_rng(5)
    linkage = Linkage(2, frames).free("trunk").joined("arm", "trunk")
    exact = linkage.tracks(0.0, 0.0)
    for _ in range(60):
        noise = 0.004 * generator.normal(size=exact.positions.shape)
        tracks = replace(exact, positions=exact.positions + noise)
        ends = joint_ends(fit_skeleton(tracks, PLAIN))
        (joint,) = joints_with_gaps(tracks, ends, tracks.present)
        sides = joint.sides(1, at, {1: [at]})
        found.append(np.concatenate([sides.before, sides.after]))
        stated.append(np.diag(sides.covariance))
    spread = np.std(found, axis=0)
    np.testing.assert_allclose(np.sqrt(np.mean(stated, axis=0)), spread, rtol=0.35)


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


@pytest.mark.parametrize("count", [1, 2, 3])
def test_the_change_makes_joints_agree(count):
    generator = np.random.default_rng(count)
    turn = quaternion_from_rotation_vector(np.radians([12.0, -20.0, 8.0]))
    shift = np.array([0.03, -0.01, 0.02])
    before = generator.normal(0.0, 0.15, (count, 3))
    after = (before - shift) @ matrix_from_quaternion(turn)
    sides = [JointSides(*pair, 1e-8 * np.eye(6)) for pair in zip(before, after)]
    change = slip_change(sides, None)
    put_back = rotated(change.turn, after) + change.shift
    np.testing.assert_allclose(put_back, before, atol=1e-4)
    assert np.isfinite(change.angle_deg) == (count == 3)
    if count == 3:
        np.testing.assert_allclose(rotation_vector(change.turn), rotation_vector(turn), atol=1e-3)
        np.testing.assert_allclose(change.shift, shift, atol=1e-3)
    if count == 1:
        assert np.linalg.norm(rotation_vector(change.turn)) < 1e-6
