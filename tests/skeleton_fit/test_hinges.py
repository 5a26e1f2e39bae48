"""Joints that turn about one axis: their place on it, and what noise does not show."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.simulated_faults import Faults
from benchmarks.simulated_figure import HINGED, NAMES, part_of, simulated_figure
from jointlimits_core.geometry.arrays import Floats
from jointlimits_core.skeleton_fit.build import replay
from jointlimits_core.skeleton_fit.document import limbs
from jointlimits_core.skeleton_fit.result import BodyOptions
from tests.support.linkages import Linkage, plain_skeleton, smooth
from tests.support.skeleton_runs import document, skeleton

X, Y, Z = np.eye(3)


def leg(hip_to_knee: Floats, knee_to_ankle: Floats, axis: Floats, knee: Floats) -> Linkage:
    """Pelvis, thigh, shin and foot in their own axes; sensors beside the limbs."""
    shin = np.array([0.08, -0.2, 0.05])
    linkage = Linkage(5).free("pelvis")
    linkage.join("thigh", "pelvis", in_child=knee - hip_to_knee, mounted=False)
    linkage.join("shin", "thigh", axis=axis, in_child=-shin, in_parent=knee, mounted=False)
    return linkage.join("foot", "shin", in_parent=knee_to_ankle - shin)


@pytest.mark.parametrize("lean", [0.0, 0.15])
def test_a_knee_is_where_the_leg_crosses_its_axis(lean):
    """In a straight leg exactly, however its axis leans: sensors on the skin do not matter."""
    axis = np.array([np.cos(lean), np.sin(lean), 0.0])
    linkage = leg(-0.42 * Y, -0.4 * Y, axis, np.array([-0.07, -0.2, 0.04]))
    fit = plain_skeleton(linkage.tracks(), BodyOptions(root="pelvis"))
    knee = fit.joint("shin")
    assert knee.kind == "single-axis"
    assert np.isinf(knee.deviation_m[0])
    assert np.linalg.norm(knee.centre_in_child - linkage.in_child["shin"]) < 1e-9
    assert np.linalg.norm(knee.centre_in_parent - linkage.in_parent["shin"]) < 1e-9
    assert knee.residual_m < 1e-9


def test_a_joint_that_twists_its_limb_stays_near_the_sensors():
    """The shoulder lies on the axis of such an elbow, and says nothing of how far away it is."""
    linkage = Linkage(2).free("chest").join("arm", "chest", in_child=-0.15 * Y, mounted=False)
    linkage.join("forearm", "arm", axis=Y, in_parent=0.15 * Y + 0.04 * X, in_child=-0.1 * Y)
    fit = plain_skeleton(linkage.tracks(), BodyOptions(root="chest"))
    elbow = fit.joint("forearm")
    nearest = elbow.centre_in_child @ elbow.axis_in_child
    nearest += elbow.centre_in_parent @ elbow.axis_in_parent
    assert nearest == pytest.approx(0.0, abs=1e-9)
    levers = [
        np.linalg.norm(np.cross(elbow.centre_in_child, elbow.axis_in_child)),
        np.linalg.norm(np.cross(elbow.centre_in_parent, elbow.axis_in_parent)),
    ]
    assert elbow.on_axis_m == pytest.approx(np.hypot(*levers) / 2.0)
    limb = next(limb for limb in limbs(fit) if limb.end == "forearm")
    assert limb.deviation_m > 0.9 * elbow.on_axis_m


def test_hinges_in_a_row_agree_with_each_other():
    """A finger: each hinge waits for the next one's place, and all end up in one plane."""
    linkage = Linkage(4).free("hand").join("first", "hand", mounted=False)
    for name, above in (("second", "first"), ("third", "second"), ("fourth", "third")):
        beside = 0.02 * len(linkage.names) * X
        linkage.join(
            name, above, axis=X, in_parent=0.05 * Y + beside, in_child=-0.05 * Y, mounted=False
        )
    fit = plain_skeleton(linkage.tracks(), BodyOptions(root="hand"))
    joints = [fit.joint(name) for name in ("first", "second", "third", "fourth")]
    assert [joint.kind for joint in joints] == ["ball", *["single-axis"] * 3]
    for above, joint in zip(joints, joints[1:]):
        step = joint.centre_in_parent - above.centre_in_child
        assert step @ joint.axis_in_parent == pytest.approx(0.0, abs=1e-4)
        assert joint.residual_m < 1e-9


@pytest.mark.thorough
def test_the_stated_error_along_an_axis_is_true_of_simulated_limbs():
    off, stated, lengths = [], [], []
    for seed in range(12):
        trial = simulated_figure(seed, seconds=10.0, faults=Faults(0.002, 0.3), hinges=True)
        fit = plain_skeleton(trial.tracks, BodyOptions(root="pelvis"))
        for joint, limb in zip(fit.joints, limbs(fit)):
            if part_of(NAMES[joint.child]) in HINGED:
                assert joint.kind == "single-axis"
                error = joint.centre_in_child - trial.outboard[joint.child]
                off.append(float(error @ joint.axis_in_child))
                stated.append(joint.on_axis_m)
                assert np.linalg.norm(error - off[-1] * joint.axis_in_child) < 0.003
                true = trial.inboard[joint.child] - trial.outboard[joint.parent]
                lengths.append((limb.length_m - np.linalg.norm(true)) / limb.deviation_m)
    # 48 draws tell a spread to 10 %; the figure's limbs are as crooked as is taken for granted.
    assert 0.6 < np.sqrt(np.mean(np.square(off))) / np.sqrt(np.mean(np.square(stated))) < 1.2
    assert 0.4 < np.sqrt(np.mean(np.square(lengths))) < 1.2


@pytest.mark.thorough
@pytest.mark.parametrize("noise_deg", [0.1, 0.5, 1.0])
def test_bodies_that_shake_about_their_joints_are_no_noise(noise_deg):
    """A figure whose bodies shake, and whose joints hold all the same."""
    faults, root = Faults(0.004, noise_deg), BodyOptions(root="pelvis")
    tracks = simulated_figure(1, seconds=15.0, faults=faults, hinges=True).tracks
    fit = plain_skeleton(replay(plain_skeleton(tracks, root)), root)
    assert len(fit.joints) == 15
    for joint in fit.joints:
        hinge = part_of(fit.names[joint.child]) in HINGED
        assert joint.kind == ("single-axis" if hinge else "ball"), fit.names[joint.child]
        assert joint.residual_m < 1e-9
        assert np.isfinite(joint.deviation_m).all()


@pytest.mark.thorough
def test_the_command_reads_its_own_output(tmp_path):
    """What it wrote has no gaps, and so has what it makes of that."""
    example = "examples/tracked_arm.csv"
    assert skeleton(tmp_path, example, "--body-root", "chest") == 0
    first = document(tmp_path, "tracked_arm")
    again = tmp_path / "again"
    again.mkdir()
    for ending in ("bvh", "ma"):
        source = tmp_path / "out" / f"tracked_arm.skeleton.{ending}"
        folder = again / ending
        folder.mkdir()
        assert skeleton(folder, source, "--body-root", "chest") == 0
        second = document(folder, "tracked_arm.skeleton")
        assert [joint["parent"] for joint in second["joints"]] == [
            joint["parent"] for joint in first["joints"]
        ]
        for one, other in zip(first["joints"], second["joints"]):
            assert other["residual_m"] < 1e-5
            # The turn of the slip is in the motion.
            assert other["kind"] == one["kind"] or one["child"] == "forearm"
            if one["parent"] != "chest":
                assert other["length_m"] == pytest.approx(one["length_m"], abs=1e-4)


def test_white_noise_of_sensors_still_is_taken_out():
    """Little motion and much noise: here plain least squares is centimetres off."""
    linkage = Linkage(8, frames=6000).free("a")
    linkage.join("b", "a", vectors=smooth(5, 6000, 0.1))
    fit = plain_skeleton(linkage.tracks(0.002, 2.0), BodyOptions(root="a"))
    assert np.linalg.norm(fit.joint("b").centre_in_child - linkage.in_child["b"]) < 0.01


def test_noise_of_a_hinge_does_not_make_it_a_ball():
    """Exact places and noisy orientations: gaps are small where sensors sit on the axis."""
    vectors = smooth(3, 1200)[:, :1] * X
    linkage = Linkage(6, frames=1200).free("a")
    linkage.join("b", "a", vectors=vectors, in_child=0.01 * Y, in_parent=0.01 * Z)
    fit = plain_skeleton(linkage.tracks(0.0, 1.0), BodyOptions(root="a"))
    joint = fit.joint("b")
    assert joint.kind == "single-axis"
    assert np.linalg.norm(joint.centre_in_child) < 0.02
