"""Which transforms a skeleton is found in, where they are, and what its joints are called."""

# ruff: noqa: F811 - fixtures of another file are asked for by their names

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.simulated_faults import Faults
from jointlimits_core.geometry.euler import euler_from_quaternion
from tests.support.maya_characters import reference_scene
from tests.support.maya_scenes import connect, curve
from tests.support.tracked_locators import ARM, RATE_HZ, figure, header, locators, node
from tests.support.tracked_scenes import (  # noqa: F401 - fixtures
    EVERY,
    GROUP,
    SOME,
    arm,
    joint_errors,
    opens,
    places,
    true_cm,
)

pytestmark = pytest.mark.thorough

# Where tracks are ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("length", "unit"), [("meter", 1.0), ("inch", 100.0 / 2.54)])
def test_the_unit_of_the_scene_is_respected(maya, cmds, opens, jointlimits, length, unit):
    made, tracks = figure(ARM, seconds=6.0, faults=Faults(noise=0.003))
    opens(GROUP + locators(tracks, below="trackers", unit=unit), header(length))
    found = jointlimits.estimate_skeleton("trackers", body_root="chest")
    built = found.figures[0]
    assert joint_errors(maya, made, built, ["left forearm"]) < 2.0
    fore = built.joints["left_forearm"]
    shown = [cmds.getAttr(f"{fore}.translate{axis}") for axis in "XYZ"]
    bone = places(maya, fore) - places(maya, built.joints["left_upper_arm"])
    # World matrices are in centimetres whatever the unit of the scene is.
    assert np.linalg.norm(shown) * 100.0 / unit == pytest.approx(np.linalg.norm(bone[0]), rel=1e-9)
    reported = jointlimits.joint_quality(built.root)["left_forearm_joint"].residual_mm
    assert np.sqrt(np.mean(reported**2)) == pytest.approx(
        1000.0 * found.fit.joint("left_forearm").residual_m, rel=1e-6
    )
    assert 2.0 < np.sqrt(np.mean(reported**2)) < 12.0


@pytest.mark.parametrize("constrained", [False, True], ids=["keyed", "live"])
def test_groups_above_may_move_turn_and_scale_the_tracks(maya, cmds, arm, jointlimits, constrained):
    cmds.setAttr("trackers.scale", 2.0, 2.0, 2.0, type="double3")
    cmds.setAttr("trackers.rotate", 10.0, 20.0, 30.0, type="double3")
    cmds.setAttr("trackers.translate", 5.0, 6.0, 7.0, type="double3")
    found = jointlimits.estimate_skeleton("trackers", body_root="chest", constrained=constrained)
    above = np.reshape(cmds.getAttr("trackers.worldMatrix[0]"), (4, 4))
    for body in ARM[1:]:
        true = np.hstack([true_cm(arm, body), np.ones((len(SOME), 1))]) @ above
        there = places(maya, found.figures[0].joints[node(body)])
        assert np.abs(there - true[:, :3]).max() < 1e-8


def test_a_scale_of_a_track_itself_is_left_out(maya, cmds, arm, jointlimits):
    for body, scale in zip(
        ARM, ((2.0, 1.0, 0.5), (3.0, 3.0, 3.0), (1.0, 1.0, 1.0), (0.1, 9.0, 1.0))
    ):
        cmds.setAttr(f"{node(body)}.scale", *scale, type="double3")
    for constrained in (False, True):
        found = jointlimits.estimate_skeleton(
            "trackers", body_root="chest", constrained=constrained
        )
        assert joint_errors(maya, arm, found.figures[0], ARM[1:]) < 1e-8
        cmds.undo()


def test_joints_and_what_constraints_move_can_be_tracks(maya, cmds, opens, jointlimits):
    made, tracks = figure(ARM, seconds=6.0)
    opens(locators(tracks, kind="joint"))
    for body in ARM:
        cmds.createNode("transform", name=f"follows_{node(body)}")
        cmds.parentConstraint(node(body), f"follows_{node(body)}")
    found = jointlimits.estimate_skeleton([node(body) for body in ARM], body_root="chest")
    assert joint_errors(maya, made, found.figures[0], ARM[1:]) < 1e-9
    cmds.undo()
    found = jointlimits.estimate_skeleton("follows_*", body_root="follows_chest")
    joints = {name.partition("_")[2]: path for name, path in found.figures[0].joints.items()}
    for body in ARM[1:]:
        assert np.abs(places(maya, joints[node(body)]) - true_cm(made, body)).max() < 1e-8


SOLVED = (
    'createNode joint -n "hip";\ncreateNode joint -n "knee" -p "hip";\n'
    'createNode joint -n "ankle" -p "knee";\ncreateNode ikEffector -n "eff" -p "knee";\n'
    'createNode ikHandle -n "ik";\n'
    + connect("hip.msg", "ik.hsj")
    + connect("eff.hp", "ik.hee")
    + curve("c", [(0, 0), (9, 5)], "animCurveTL")
    + connect("c.o", "ik.tx")
)


def test_what_a_solver_turns_is_played_and_the_time_comes_back(maya, cmds, opens):
    from jointlimits_maya.scene.time import TimeChoice
    from jointlimits_maya.skeleton.sources import tracked_transforms, tracks_from_scene

    scene = opens(SOLVED)
    scene.scripted[scene.plug("hip.rx")] = lambda seconds: -seconds * RATE_HZ * 0.1
    scene.scripted[scene.plug("knee.rx")] = lambda seconds: seconds * RATE_HZ * 0.3
    cmds.currentTime(4)
    maya.reset_counters()
    sources = tracked_transforms(["hip", "knee", "ankle"])
    tracks = tracks_from_scene(sources, TimeChoice()).tracks
    assert tracks.frames.tolist() == list(range(10))
    for body, pace in (("hip", -0.1), ("knee", 0.2), ("ankle", 0.2)):
        euler = euler_from_quaternion(tracks.quaternion(body))
        np.testing.assert_allclose(euler[:, 0], pace * np.arange(10), atol=1e-9)
    assert maya.counters["time_changes"] == 11
    assert cmds.currentTime(query=True) == 4


def test_tracks_that_hang_on_each_other_are_looked_at_in_the_world(maya, cmds, arm, jointlimits):
    cmds.parent("left_hand", "left_forearm", relative=True)
    far = places(maya, "|trackers|left_forearm|left_hand")
    found = jointlimits.estimate_skeleton([node(body) for body in ARM])
    # The hand's curves are now read below the forearm: no joint, but places in the world.
    hand = found.fit.tracks.positions[found.fit.names.index("left_hand")]
    assert 100.0 * hand[[frame - 1 for frame in SOME]] == pytest.approx(far, abs=1e-9)
    # What moves itself stands for itself alone, whatever moves below it.
    cmds.undo()
    found = jointlimits.estimate_skeleton([node(body) for body in ARM[:3]])
    assert set(found.fit.names) == {node(body) for body in ARM[:3]}


def test_a_referenced_file_of_tracks_is_only_read(maya, cmds, opens, jointlimits, tmp_path):
    made, tracks = figure(ARM, seconds=6.0)
    opens(GROUP + locators(tracks, below="trackers"))
    reference = reference_scene(maya, tmp_path, "shoot")
    maya.scene.modified = True
    before, there = list(reference.edits), maya.scene_hash()
    for constrained in (False, True):
        found = jointlimits.estimate_skeleton(
            "shoot:trackers", body_root="chest", constrained=constrained
        )
        # What goes out of a referenced file is kept with its reference, nothing goes in.
        added = [] if not constrained else ["worldMatrix[0]"] * 5
        assert [edit[1].path for edit in reference.edits if edit not in before] == added
        assert all(edit[1].node.name.startswith("shoot:") for edit in reference.edits)
        assert all(not edit[2].node.name.startswith("shoot:") for edit in reference.edits)
        built = found.figures[0]
        assert built.root == "|chest_joint"
        joints = {name.partition(":")[2]: path for name, path in built.joints.items()}
        for body in ARM[1:]:
            assert np.abs(places(maya, joints[node(body)]) - true_cm(made, body)).max() < 1e-9
        cmds.undo()
        assert maya.scene_hash() == there
        assert list(reference.edits) == before


# What is chosen, and what it is called -----------------------------------------------------------


def test_a_group_that_stands_still_is_what_moves_below_it(maya, cmds, arm, jointlimits):
    cmds.createNode("transform", name="still", parent="trackers")
    cmds.createNode("transform", name="inner", parent="trackers")
    cmds.parent("left_hand", "inner", relative=True)
    cmds.select("trackers", "chest")
    found = jointlimits.estimate_skeleton(body_root="chest")
    assert set(found.fit.names) == {node(body) for body in ARM}
    assert joint_errors(maya, arm, found.figures[0], ARM[1:]) < 1e-9


@pytest.mark.parametrize("constrained", [False, True], ids=["keyed", "live"])
def test_joints_that_were_built_are_no_tracks(maya, cmds, arm, jointlimits, constrained):
    first = jointlimits.estimate_skeleton("trackers", body_root="chest", constrained=constrained)
    assert first.left_out == ()
    built = list(first.figures[0].joints.values())
    cmds.select(["trackers", *built])
    second = jointlimits.estimate_skeleton(body_root="chest")
    assert set(second.fit.names) == {node(body) for body in ARM}
    assert set(second.left_out) == {f"{node(body)}_joint" for body in ARM}
    assert second.to_dict()["left_out"] == list(second.left_out)
    assert joint_errors(maya, arm, second.figures[0], ARM[1:]) < 1e-9


def test_built_joints_alone_are_refused(maya, cmds, arm, jointlimits):
    joints = list(jointlimits.estimate_skeleton("trackers").figures[0].joints.values())
    before = maya.scene_hash()
    for names, words in (
        (joints[:1], r"_joint' is a joint of a skeleton that was built from tracks; "),
        (joints, r"_joint' and 3 more are joints of a skeleton that was built from tracks"),
        ([joints[0], "chest"], "'chest' is the only track"),
    ):
        with pytest.raises(ValueError, match=words) as caught:
            jointlimits.estimate_skeleton(names)
        assert "select the tracked locators, groups or joints" in str(caught.value)
    assert maya.scene_hash() == before


def test_a_channel_stands_for_its_node_and_a_name_of_several_for_all(cmds, opens, jointlimits):
    _, tracks = figure(ARM, seconds=6.0)
    opens(locators(tracks, prefix="A:"))
    names = ["A:chest.translateX", "A:left_*", "A:left_hand"]
    found = jointlimits.estimate_skeleton(names, body_root="A:chest")
    assert set(found.fit.names) == {f"A:{node(body)}" for body in ARM}
    assert found.roots == ("|chest_joint",)


@pytest.mark.parametrize("constrained", [False, True], ids=["keyed", "live"])
def test_two_figures_with_the_same_names_get_two_roots(maya, cmds, opens, jointlimits, constrained):
    made, tracks = figure(ARM, seconds=6.0)
    other, others = figure(ARM, seconds=6.0, seed=8)
    opens(locators(tracks, prefix="A:") + locators(others, prefix="B:"))
    found = jointlimits.estimate_skeleton("*:*", constrained=constrained)
    assert len(found.figures) == 2
    assert not found.is_complete
    assert any("2 figures" in one.message for one in found.warnings)
    names = [path.rpartition("|")[2] for one in found.figures for path in one.joints.values()]
    assert len(set(names)) == 8
    assert set(cmds.ls(selection=True, long=True)) == set(found.roots)
    for one in found.figures:
        truth = made if next(iter(one.joints)).startswith("A:") else other
        for name, path in one.joints.items():
            # No roots were given, so the chest may hang on an arm.
            if "fore" in name or "hand" in name:
                body = name[2:].replace("_", " ")
                assert np.abs(places(maya, path) - true_cm(truth, body)).max() < 1e-9
    limits = jointlimits.estimate(found.roots[1])
    assert len(limits.joints) == 4


def test_names_that_are_taken_get_numbers_and_the_current_namespace(maya, cmds, arm, jointlimits):
    cmds.createNode("transform", name="chest_joint")
    cmds.createNode("multiplyDivide", name="left_hand_joint")
    first = jointlimits.estimate_skeleton("trackers", body_root="chest")
    assert first.roots == ("|chest_joint1",)
    assert first.figures[0].joints["left_hand"].endswith("|left_hand_joint1")
    again = jointlimits.estimate_skeleton("trackers", body_root="chest")
    assert again.roots == ("|chest_joint2",)
    for found in (first, again):
        assert all(cmds.objExists(path) for path in found.figures[0].joints.values())
        assert joint_errors(maya, arm, found.figures[0], ARM[1:]) < 1e-9
    cmds.namespace(addNamespace="solve")
    cmds.namespace(setNamespace="solve")
    found = jointlimits.estimate_skeleton("trackers", body_root="chest")
    assert found.roots == ("|solve:chest_joint",)
    assert cmds.objExists("|solve:chest_joint")


def test_paths_tell_tracks_apart_that_share_a_name(maya, cmds, opens, jointlimits):
    made, tracks = figure(ARM, seconds=6.0)
    text = 'createNode transform -n "one";\ncreateNode transform -n "two";\n'
    text += locators(tracks.choose_bodies(ARM[:2]), below="one")
    text += locators(tracks.choose_bodies(ARM[2:]), below="two")
    opens(text)
    cmds.rename("|two|left_forearm", "chest")
    found = jointlimits.estimate_skeleton(["one", "two"], body_root="|one|chest")
    joints = found.figures[0].joints
    assert joints["|one|chest"] == "|chest_joint"
    assert joints["|two|chest"].endswith("|left_upper_arm_joint|chest_joint1")
    assert np.abs(places(maya, joints["|two|chest"]) - true_cm(made, "left forearm")).max() < 1e-9


def test_parents_may_be_given_and_namespaces_left_off(cmds, opens, jointlimits):
    _, tracks = figure(ARM, seconds=6.0)
    opens(locators(tracks, prefix="A:"))
    found = jointlimits.estimate_skeleton(
        "A:*", body_root="left_hand", body_parents=("chest=left_upper_arm",)
    )
    assert found.roots == ("|left_hand_joint",)
    assert found.fit.parent_names()["A:chest"] == "A:left_upper_arm"


# Frames -------------------------------------------------------------------------------------------


def test_frames_are_those_that_were_asked_for(maya, cmds, arm, jointlimits):
    found = jointlimits.estimate_skeleton("trackers", time="11:91/2", body_root="chest")
    assert found.fit.tracks.frames.tolist() == list(range(11, 92, 2))
    assert found.fit.tracks.frame_rate == RATE_HZ / 2.0
    keys = cmds.keyframe("chest_joint.rotateX", query=True, timeChange=True)
    assert keys == list(range(11, 92, 2))
    assert joint_errors(maya, arm, found.figures[0], ARM[1:], (11, 51, 91)) < 1e-9


def test_keys_between_frames_are_no_frames_of_their_own(cmds, arm, jointlimits):
    cmds.setKeyframe("chest", attribute="translateX", time=20.4, value=0.0)
    found = jointlimits.estimate_skeleton("trackers")
    assert found.fit.tracks.frames.tolist() == list(EVERY)
    at_keys = jointlimits.estimate_skeleton("trackers", time="at-keys")
    assert at_keys.fit.tracks.frames.tolist() == sorted([*EVERY, 20.4])
