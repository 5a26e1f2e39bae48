"""Deviations under skin that follows the motion, under other skin, and in noise."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.simulated_faults import Faults
from benchmarks.simulated_figure import simulated_figure
from benchmarks.simulated_recording import CMU_BONES, RecordingFaults, recorded_figure
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.quaternion import rotate
from jointlimits_core.skeleton_fit import fit as solve
from jointlimits_core.skeleton_fit.fit import fit_skeleton
from tests.support.linkages import Linkage, plain_skeleton, smooth
from tests.support.shared_data import shared_path


def both_fits(tracks, monkeypatch):
    """The fit, and the same without the allowance."""
    allowed = plain_skeleton(tracks)
    with monkeypatch.context() as patch:
        patch.setattr(solve, "allowing_for_skin", lambda tracks, used, joints: list(joints))
        return allowed, plain_skeleton(tracks)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "faults",
    [Faults(0.007, 1.0), Faults(wobble=0.01, wobble_deg=3.0)],
    ids=["noise", "skin that slides by itself"],
)
@pytest.mark.parametrize("trial", ["exercise", "walk"])
def test_what_does_not_follow_the_joints_changes_no_deviation(faults, trial, monkeypatch):
    tracks = simulated_figure(3, trial, seconds=15.0, faults=faults).tracks
    for one, other in zip(*(fit.joints for fit in both_fits(tracks, monkeypatch))):
        np.testing.assert_array_equal(one.deviation_m, other.deviation_m)
        assert one.hidden_m == 0.0


def test_a_hinge_whose_sensor_follows_it_has_the_deviation_of_what_is_hidden():
    turns = smooth(4, 2000, 0.2)[:, :1] * np.array([1.0, 0.0, 0.0])
    linkage = Linkage(2, 2000).free("trunk").join("shin", "trunk", vectors=turns, mounted=False)
    size = 0.02
    shift = size * turns[:, :1] * np.array([1.0, 0.6, -0.8])
    linkage.positions[1] = linkage.positions[1] + rotate(linkage.rotations[1], shift)
    tracks = linkage.tracks(noise=1e-4)
    fit = plain_skeleton(tracks)
    (joint,) = fit.joints
    assert joint.kind == "single-axis"
    # Of a shift of 20 mm per radian along the axis, as much is assumed to hide across it.
    across = joint.deviation_m[1:]
    np.testing.assert_allclose(across, 1.15 * size, rtol=0.1)
    off = joint.directions_in_child[1:] @ (joint.centre_in_child - linkage.in_child["shin"])
    assert np.linalg.norm(off) == pytest.approx(size, rel=0.1)
    # Here what hides is as large as what shows.
    assert joint.hidden_m == pytest.approx(np.linalg.norm(off), rel=0.1)


@pytest.mark.thorough
def test_stated_deviations_hold_where_skin_repeats_with_the_stride():
    folder = shared_path("data/mocap/cmu_asfamc/07")
    clips = sorted(folder.glob("*.amc"))[:3]
    skeleton = next(folder.glob("*.asf"))
    off = []
    for seed, path in enumerate(clips):
        motion = read_motion(path, skeleton, frame_rate=120.0)
        skin = RecordingFaults(skin=0.01, skin_deg=3.0)
        trial = recorded_figure([motion], CMU_BONES, 900 + seed, skin)
        fit = fit_skeleton(trial.clips[0])
        for joint in fit.joints:
            if trial.parents[joint.child] == joint.parent:
                known = np.isfinite(joint.deviation_m)
                error = joint.centre_in_child - trial.outboard[joint.child]
                off += list(
                    np.abs(joint.directions_in_child @ error)[known] / joint.deviation_m[known]
                )
    assert np.mean(np.array(off) <= 1.0) > 0.5
    assert np.mean(np.array(off) <= 2.0) > 0.85
