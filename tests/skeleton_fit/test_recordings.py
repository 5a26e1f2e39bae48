"""Sensors on recorded motion: white noise is no skin, no slip and no stride; still bodies."""

from __future__ import annotations

import json
from functools import cache

import numpy as np
import pytest

from benchmarks.bodies_evidence import gentle_walk, walk_with_sensors
from benchmarks.simulated_faults import Faults
from benchmarks.simulated_figure import simulated_figure
from benchmarks.simulated_recording import CMU_BONES, RecordingFaults, recorded_figure
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.quaternion import quaternion_from_rotation_vector
from jointlimits_core.io.input import DEFAULT_LIMITS
from jointlimits_core.skeleton_fit import slips
from jointlimits_core.skeleton_fit.document import document_of
from jointlimits_core.skeleton_fit.doubts import joint_ties, joint_warnings
from jointlimits_core.skeleton_fit.fit import fit_skeleton
from jointlimits_core.skeleton_fit.joint_centres import pair_moments, pair_table
from jointlimits_core.skeleton_fit.likelihood import orientation_noise, still_bodies
from jointlimits_core.skeleton_fit.residuals import joint_ends
from jointlimits_core.skeleton_fit.result import COMPARED, BodyOptions
from jointlimits_core.skeleton_fit.slips import find_slips
from jointlimits_core.skeleton_fit.tree import spanning_forest
from tests.support.house_files import ROOT
from tests.support.linkages import Linkage, plain_skeleton, smooth
from tests.support.shared_data import shared

BONES = (
    *("Hips", "Spine", "Neck"),
    *(
        side + bone
        for side in ("Left", "Right")
        for bone in ("Clavicle", "Shoulder", "Elbow", "Wrist")
    ),
    *(side + bone for side in ("Left", "Right") for bone in ("Hip", "Knee", "Ankle", "Toe")),
)
NO_FAULTS = RecordingFaults()
SCHEMA = ROOT / "jointlimits_core" / "skeleton_fit" / "skeleton.schema.json"


@cache
def exercise():
    return read_motion(ROOT / "examples" / "humanoid_rom.bvh", limits=DEFAULT_LIMITS)


def edges(fit):
    return {frozenset((joint.child, joint.parent)) for joint in fit.joints}


# --- white noise ------------------------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.parametrize(("seed", "noise", "degrees"), [(0, 0.004, 0.5), (1, 0.007, 1.0)])
def test_white_noise_on_recorded_motion_is_only_noise(seed, noise, degrees):
    """Most joints of this exercise bend in few of its frames: they are not outliers."""
    trial = recorded_figure([exercise()], BONES, seed, RecordingFaults(noise, degrees))
    fit = fit_skeleton(trial.clips[0])
    assert edges(fit) == trial.edges()
    assert fit.model == "likelihood"
    assert fit.slips == ()
    assert fit.used.all()
    assert COMPARED not in fit.extra
    assert trial.errors_m(fit).mean() < 0.004


@pytest.mark.thorough
def test_stated_deviations_hold_on_recorded_motion():
    within = []
    for seed in range(4):
        trial = recorded_figure([exercise()], BONES, seed, RecordingFaults(0.004, 0.5))
        for joint in fit_skeleton(trial.clips[0]).joints:
            assert trial.parents[joint.child] == joint.parent
            off = joint.directions_in_child @ (joint.centre_in_child - trial.outboard[joint.child])
            known = np.isfinite(joint.deviation_m)
            within += list(np.abs(off[known]) / joint.deviation_m[known])
    assert 0.58 < np.mean(np.array(within) < 1.0) < 0.78
    assert 0.90 < np.mean(np.array(within) < 2.0) < 0.99


def forearm(seed):
    """Two axes that meet, elbow and twist: upper arm and hand share a point, too."""
    linkage = Linkage(seed, 1200).free("upper arm")
    turn = smooth(seed + 50, 1200)
    far = np.array([0.0, 0.35, 0.0])
    linkage.attach(
        "radius", "upper arm", vectors=turn[:, :1] * [1.0, 0, 0], in_child=far, mounted=False
    )
    twist = turn[:, 1:2] * [0, 0, 1.0]
    near = np.array([0.0, 0.0, 0.05])
    linkage.attach("wrist", "radius", vectors=twist, in_child=near, in_parent=far)
    return linkage.tracks(0.004, 0.5)


@pytest.mark.parametrize("seed", [1, 2])
def test_of_pairs_within_noise_those_that_turn_about_fewer_axes_are_joined(seed):
    tracks = forearm(seed)
    gaps = pair_table(pair_moments(tracks), 3).weights()
    assert {frozenset(edge) for edge in spanning_forest(gaps)} != {
        frozenset((0, 1)),
        frozenset((1, 2)),
    }
    fit = fit_skeleton(tracks)
    assert edges(fit) == {frozenset((0, 1)), frozenset((1, 2))}


# --- near ties --------------------------------------------------------------------------------


def test_pairs_that_the_data_cannot_tell_are_named():
    """A neck that moves by half a degree: the head might as well hang on the chest."""
    linkage = Linkage(6, 300).free("chest")
    for number, (name, above, size) in enumerate((("neck", "chest", 0.006), ("head", "neck", 0.3))):
        turns = smooth(40 + number, 300, size)
        linkage.attach(name, above, vectors=turns, in_parent=np.array([0.0, 0.05, 0.0]))
    fit = fit_skeleton(linkage.tracks(0.007, 1.0), BodyOptions(root="chest"))
    joint = fit.joint("head")
    (tie,) = joint_ties(fit, joint)
    assert {fit.names[body] for body in tie} | {fit.names[joint.parent]} == set(fit.names)
    (doubt,) = joint_warnings([fit], joint)
    assert doubt.kind == "close call"
    (entry,) = (one for one in document_of([fit])["joints"] if one["child"] == "head")
    assert entry["ties"] == [[fit.names[body] for body in tie]]


# --- strides ----------------------------------------------------------------------------------


@pytest.mark.thorough
def test_white_noise_on_a_gentle_walk_is_no_stride():
    folder = shared("data/mocap/cmu_asfamc/02")
    clips = [
        read_motion(folder / f"{name}.amc", folder / "02.asf", frame_rate=120.0)
        for name in ("02_01", "02_02")
    ]
    faults = RecordingFaults(0.007, 1.0)
    trial = recorded_figure([gentle_walk(clips, 0.25)], CMU_BONES, 800, faults)
    fit = fit_skeleton(trial.clips[0])
    assert fit.model == "likelihood"
    assert edges(fit) == trial.edges()
    assert COMPARED not in fit.extra


@pytest.mark.thorough
def test_strides_choose_the_tree_of_a_walk_and_its_sides_decide_together():
    jsonschema = pytest.importorskip("jsonschema")
    walk = simulated_figure(0, "walk", faults=Faults(wobble=0.02, wobble_deg=6.0)).tracks
    fit = plain_skeleton(walk)
    assert fit.model == "motion lines"
    written = document_of([fit])
    jsonschema.validate(written, json.loads(SCHEMA.read_text(encoding="utf-8")))
    assert ["left hand", "right hand"] in [sorted(pair) for pair in written["sides"]]
    assert plain_skeleton(walk, strides=False).model == "likelihood"


@pytest.mark.thorough
@pytest.mark.parametrize("repeats", [False, True], ids=["skin by itself", "skin in step"])
def test_strides_that_cost_joints_do_not_choose_the_tree(repeats):
    """They lost 6 of 22; skin that follows the motion is in its lines, too."""
    folder = shared("data/mocap/cmu_asfamc/01")
    clip = read_motion(folder / "01_14.amc", folder / "01.asf", frame_rate=120.0)
    skin = Faults(wobble=0.01, wobble_deg=3.0)
    faults = (RecordingFaults(skin=0.01, skin_deg=3.0), None) if repeats else (NO_FAULTS, skin)
    trial = walk_with_sensors(gentle_walk([clip], 1.0), *faults)
    fit = plain_skeleton(trial.clips[0])
    assert fit.model == "likelihood"
    assert edges(fit) == trial.edges()
    compared = [(one.model, one.used) for one in fit.extra.get(COMPARED, ())]
    assert compared == ([] if repeats else [("motion lines", False)])


@pytest.mark.thorough
def test_where_a_fifth_of_the_bodies_seem_to_slip_none_does(monkeypatch):
    """Skin that follows the motion leaves steps in most gaps."""
    folder = shared("data/mocap/cmu_asfamc/49")
    motion = read_motion(folder / "49_19.amc", folder / "49.asf", frame_rate=120.0)
    skin = RecordingFaults(skin=0.01, skin_deg=3.0)
    tracks = recorded_figure([motion], CMU_BONES, 500, skin).clips[0]
    ends = joint_ends(plain_skeleton(tracks))
    assert find_slips(tracks, ends) == ()
    monkeypatch.setattr(slips, "MAX_SLIPPED_SHARE", 1.0)
    assert len(find_slips(tracks, ends)) > 4


# --- bodies that do not move ------------------------------------------------------------------


def fixed(linkage, name, place):
    linkage.names.append(name)
    linkage.positions.append(np.tile(np.asarray(place), (linkage.frames, 1)))
    linkage.rotations.append(
        np.tile(quaternion_from_rotation_vector([0.1, 0.2, 0.3]), (linkage.frames, 1))
    )
    return linkage


def test_the_laboratory_is_joined_to_nobody():
    linkage = Linkage(4).free("pelvis")
    linkage.positions[0] = 0.02 * linkage.positions[0]
    linkage.attach("thigh", "pelvis").attach("shin", "thigh")
    tracks = fixed(fixed(linkage, "room", [0.1, 0, 0]), "table", [0.1, 0.1, 0]).tracks(0.001, 0.1)
    noise = orientation_noise(tracks, tracks.present)
    assert still_bodies(tracks, tracks.present, noise).tolist() == [False] * 3 + [True] * 2
    fit = fit_skeleton(tracks)
    assert [fit.names[body] for body in fit.free] == ["room", "table"]
    assert len(fit.joints) == 2


@pytest.mark.parametrize("noise", [0.0, 0.002])
def test_a_door_is_joined_to_its_frame(noise):
    linkage = fixed(Linkage(5), "frame", [0, 0, 0])
    linkage.attach("door", "frame", axis=np.array([0.0, 1.0, 0.0]))
    linkage.attach("handle", "door", axis=np.array([1.0, 0.0, 0.0]))
    fit = fit_skeleton(linkage.tracks(noise, 100.0 * noise), BodyOptions(root="frame"))
    assert fit.parent_names() == {"frame": None, "door": "frame", "handle": "door"}
