"""A skeleton from tracked transforms: in the right places, one undo, the transforms untouched."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

from benchmarks.simulated_figure import Faults, Slip, swapped
from jointlimits_core import read_motion
from jointlimits_core.euler import quaternion_from_euler
from jointlimits_core.rotation import angle_between, multiply, quaternion_from_matrix
from tests.linkages import arm as linkage_arm
from tests.maya_characters import referenced
from tests.maya_open_scenes import value
from tests.maya_reading import opened_text
from tests.maya_scenes import HEADER
from tests.tracked_locators import (
    ARM,
    CHANNELS,
    FRAME_RATE,
    figure,
    header,
    locators,
    node,
    true_places,
)

GROUP = 'createNode transform -n "trackers";\n'
SOME = (1, 40, 97, 144)
"""Frames at which places are looked at."""
EVERY = range(1, 145)


@pytest.fixture
def cmds(maya, tmp_path):
    maya.environment["MAYA_APP_DIR"] = str(tmp_path / "app")
    from maya import cmds

    return cmds


@pytest.fixture
def jointlimits(maya):
    import jointlimits_maya

    return jointlimits_maya


@pytest.fixture
def opens(maya, tmp_path, cmds):
    """Opens a scene's text; it counts as changed, so that states can be compared."""

    def opened(text, head=HEADER):
        scene = opened_text(maya, tmp_path, text, head)
        scene.modified = True
        return scene

    return opened


@pytest.fixture
def arm(opens):
    """Four bodies of a figure below a group: chest, upper arm, forearm and hand."""
    made, tracks = figure(ARM, seconds=6.0)
    opens(GROUP + locators(tracks, below="trackers"))
    return made


def places(session, path, frames=SOME):
    """Where a node is in the world, centimetres, shape (frames, 3)."""
    return worlds(session, path, frames)[:, 3, :3]


def worlds(session, path, frames=SOME):
    """World matrices of a node, row vectors, shape (frames, 4, 4)."""
    plug = f"{path}.worldMatrix[0]"
    flat = [value(session, plug, frame / FRAME_RATE) for frame in frames]
    return np.reshape(flat, (len(frames), 4, 4))


def turned(matrices):
    return quaternion_from_matrix(np.swapaxes(matrices[:, :3, :3], 1, 2))


def true_cm(made, body, frames=SOME):
    return 100.0 * true_places(made, made.tracks, body)[[frame - 1 for frame in frames]]


def off(session, made, built, bodies, frames=SOME):
    """How far joints are from where they truly are, centimetres."""
    return max(
        np.abs(
            places(session, built.joints[node(body)], frames) - true_cm(made, body, frames)
        ).max()
        for body in bodies
    )


def nodes_of(session):
    return {one.full_path() if one.is_dag else one.name for one in session.scene.nodes}


def curves_into(session, path):
    """Channels of a node that a curve drives."""
    return {
        plug.path
        for plug, source in session.scene.connections.items()
        if plug.node.is_dag
        and plug.node.full_path() == path
        and source.node.type.startswith("animCurve")
    }


# Built --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("constrained", [False, True], ids=["keyed", "live"])
def test_all_joints_of_a_figure_are_where_they_truly_are(maya, opens, jointlimits, constrained):
    made, tracks = figure(seconds=6.0)
    opens(GROUP + locators(tracks, below="trackers"))
    found = jointlimits.estimate_skeleton("trackers", constrained=constrained)
    (built,) = found.figures
    assert found.is_whole, [one.message for one in found.to_look_at]
    assert built.root == "|pelvis_joint"
    hung = {body: built.joints[body].rpartition("|")[0] for body in built.joints}
    for body, parent in enumerate(made.parents):
        if parent >= 0:
            assert hung[node(tracks.names[body])] == built.joints[node(tracks.names[parent])]
    assert off(maya, made, built, tracks.names[1:]) < 1e-9


def test_bones_keep_their_length_and_only_the_root_is_carried(maya, arm, jointlimits):
    built = jointlimits.estimate_skeleton("trackers", body_root="chest").figures[0]
    rotates = {f"rotate{axis}" for axis in "XYZ"}
    for body, path in built.joints.items():
        keyed = {plug for plug in curves_into(maya, path) if plug in CHANNELS}
        assert keyed == (set(CHANNELS) if body == "chest" else rotates)
    upper, fore = (built.joints[f"left_{part}"] for part in ("upper_arm", "forearm"))
    lengths = np.linalg.norm(places(maya, fore) - places(maya, upper), axis=1)
    assert np.ptp(lengths) < 1e-10
    # Scaled by an artist, a joint's children keep their size, as those of Maya's own chains do.
    scaled = maya.scene.connections[maya.scene.plug(f"{fore}.inverseScale")]
    assert (scaled.node.full_path(), scaled.path) == (upper, "scale")


@pytest.mark.parametrize("constrained", [False, True], ids=["keyed", "live"])
def test_axes_turn_with_the_tracks_and_point_along_the_bone(maya, arm, jointlimits, constrained):
    found = jointlimits.estimate_skeleton("trackers", body_root="chest", constrained=constrained)
    joints = found.figures[0].joints
    for body, path in joints.items():
        own, track = (turned(worlds(maya, one)) for one in (path, f"|trackers|{body}"))
        offset = multiply(track * [-1.0, -1.0, -1.0, 1.0], own)
        assert angle_between(offset, offset[:1]).max() < 1e-7, body
    upper = worlds(maya, joints["left_upper_arm"])
    bone = places(maya, joints["left_forearm"]) - upper[:, 3, :3]
    along = np.einsum("fi,fi->f", upper[:, 0, :3], bone) / np.linalg.norm(bone, axis=1)
    assert along == pytest.approx(1.0, abs=1e-9)


def test_at_zero_rotation_a_joint_stands_in_the_middle_of_its_motion(cmds, arm, jointlimits):
    path = jointlimits.estimate_skeleton("trackers", body_root="chest").figures[0]
    path = path.joints["left_forearm"]
    values = np.array(
        [[cmds.getAttr(f"{path}.rotate{axis}", time=frame) for axis in "XYZ"] for frame in EVERY]
    )
    assert np.abs(np.diff(values, axis=0)).max() < 90.0
    turns = quaternion_from_euler(np.radians(values))
    middle = np.linalg.eigh(turns.T @ turns)[1][:, -1]
    assert angle_between(middle, np.array([0.0, 0.0, 0.0, 1.0])) < 1e-6


@pytest.mark.parametrize("constrained", [False, True], ids=["keyed", "live"])
def test_one_undo_leaves_no_trace_and_redo_brings_it_back(
    maya, cmds, arm, jointlimits, tmp_path, constrained
):
    def saved():
        cmds.file(rename=str(tmp_path / "saved.ma"))
        cmds.file(save=True, type="mayaAscii")
        return (tmp_path / "saved.ma").read_bytes()

    cmds.select("trackers")
    file = saved()
    maya.scene.modified = True
    before = maya.scene_hash()
    queue = len(maya.undo_queue.done)
    found = jointlimits.estimate_skeleton(constrained=constrained)
    built, there = maya.scene_hash(), places(maya, found.roots[0])
    assert cmds.undoInfo(query=True, undoName=True) == "Skeleton from Tracks"
    assert len(maya.undo_queue.done) == queue + 1
    assert cmds.ls(selection=True, long=True) == list(found.roots)
    cmds.undo()
    assert maya.scene_hash() == before
    assert cmds.ls(selection=True) == ["trackers"]
    assert saved() == file
    maya.scene.modified = True
    cmds.redo()
    assert maya.scene_hash() == built
    assert np.array_equal(places(maya, found.roots[0]), there)
    cmds.undo()
    assert maya.scene_hash() == before


def test_the_tracks_are_untouched(maya, cmds, arm, jointlimits):
    def about_tracks():
        found = {}
        for one in maya.scene.nodes:
            if one.name in before_names:
                into = {
                    plug.path: source.node.name
                    for plug, source in maya.scene.connections.items()
                    if plug.node is one
                }
                found[one.name] = (dict(one.values), set(one.locked), dict(one.dynamic), into)
        return found

    before_names = {one.name for one in maya.scene.nodes}
    before = about_tracks()
    for constrained in (False, True):
        jointlimits.estimate_skeleton("trackers", constrained=constrained)
        assert about_tracks() == before


def test_live_joints_follow_when_a_track_is_changed(maya, cmds, arm, jointlimits):
    found = jointlimits.estimate_skeleton("trackers", body_root="chest", constrained=True)
    joints = found.figures[0].joints
    hand = joints["left_hand"]
    length = np.linalg.norm(places(maya, hand) - places(maya, joints["left_forearm"]), axis=1)
    before = worlds(maya, hand)
    cmds.setAttr("trackers.rotateY", 30.0)
    cmds.setAttr("trackers.translateX", 250.0)
    moved = worlds(maya, hand)
    carried = before @ np.reshape(cmds.getAttr("trackers.worldMatrix[0]"), (4, 4))
    assert np.abs(moved - carried).max() < 1e-9
    now = np.linalg.norm(places(maya, hand) - places(maya, joints["left_forearm"]), axis=1)
    assert now == pytest.approx(length, abs=1e-10)
    assert not any(curves_into(maya, path) & set(CHANNELS) for path in joints.values())


def test_limits_are_estimated_on_the_result_and_hold(maya, cmds, arm, jointlimits):
    found = jointlimits.estimate_skeleton("trackers", body_root="chest")
    limits = jointlimits.estimate(found.roots)
    assert set(limits.joints) == {f"{node(body)}_joint" for body in ARM}
    assert limits.joints["left_forearm_joint"].type == "ball"
    assert jointlimits.apply(limits, found.roots).is_whole
    assert jointlimits.check(limits, found.roots).passed
    for _ in range(2):
        cmds.undo()
    assert not cmds.ls(type="joint")


def test_a_hinge_turns_about_its_z_axis_and_is_found_to_be_one(maya, cmds, opens, jointlimits):
    built = linkage_arm(3)
    opens(GROUP + locators(built.tracks(), below="trackers"))
    found = jointlimits.estimate_skeleton("trackers", body_root="trunk")
    assert found.fit.joint("forearm").kind == "single-axis"
    limits = jointlimits.estimate(found.roots)
    joint = limits.joints["forearm_joint"]
    assert joint.type == "hinge"
    spans = {name: one.max_deg - one.min_deg for name, one in joint.limits.items()}
    assert spans["rotateZ"] > 40.0
    assert max(spans["rotateX"], spans["rotateY"]) < 1e-6
    assert limits.joints["upper_arm_joint"].type == "ball"


def test_a_saved_scene_is_read_as_the_same_motion(maya, cmds, arm, jointlimits, tmp_path):
    found = jointlimits.estimate_skeleton("trackers", body_root="chest")
    cmds.file(rename=str(tmp_path / "built.ma"))
    cmds.file(save=True, type="mayaAscii")
    motion = read_motion(tmp_path / "built.ma")
    (built,) = found.figures
    assert [f"{name}_joint" for name in built.motion.joint_names] == list(motion.joint_names)
    ours, read = built.motion.all_world_matrices(), motion.all_world_matrices()
    assert np.abs(100.0 * ours[..., :3, 3] - read[..., :3, 3]).max() < 1e-9
    assert np.abs(ours[..., :3, :3] - read[..., :3, :3]).max() < 1e-9


# Where tracks are ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("length", "unit"), [("meter", 1.0), ("inch", 100.0 / 2.54)])
def test_the_unit_of_the_scene_is_respected(maya, cmds, opens, jointlimits, length, unit):
    made, tracks = figure(ARM, seconds=6.0, faults=Faults(noise=0.003))
    opens(GROUP + locators(tracks, below="trackers", unit=unit), header(length))
    found = jointlimits.estimate_skeleton("trackers", body_root="chest")
    built = found.figures[0]
    assert off(maya, made, built, ["left forearm"]) < 2.0
    fore = built.joints["left_forearm"]
    shown = [cmds.getAttr(f"{fore}.translate{axis}") for axis in "XYZ"]
    bone = places(maya, fore) - places(maya, built.joints["left_upper_arm"])
    # World matrices are in centimetres whatever the unit of the scene is.
    assert np.linalg.norm(shown) * 100.0 / unit == pytest.approx(np.linalg.norm(bone[0]), rel=1e-9)
    told = jointlimits.joint_quality(built.root)["left_forearm_joint"].residual_mm
    assert np.sqrt(np.mean(told**2)) == pytest.approx(
        1000.0 * found.fit.joint("left_forearm").residual_m, rel=1e-6
    )
    assert 2.0 < np.sqrt(np.mean(told**2)) < 12.0


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
        assert off(maya, arm, found.figures[0], ARM[1:]) < 1e-8
        cmds.undo()


def test_joints_and_what_constraints_move_can_be_tracks(maya, cmds, opens, jointlimits):
    made, tracks = figure(ARM, seconds=6.0)
    opens(locators(tracks, kind="joint"))
    for body in ARM:
        cmds.createNode("transform", name=f"follows_{node(body)}")
        cmds.parentConstraint(node(body), f"follows_{node(body)}")
    found = jointlimits.estimate_skeleton([node(body) for body in ARM], body_root="chest")
    assert off(maya, made, found.figures[0], ARM[1:]) < 1e-9
    cmds.undo()
    found = jointlimits.estimate_skeleton("follows_*", body_root="follows_chest")
    joints = {name.partition("_")[2]: path for name, path in found.figures[0].joints.items()}
    for body in ARM[1:]:
        assert np.abs(places(maya, joints[node(body)]) - true_cm(made, body)).max() < 1e-8


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
    reference = referenced(maya, tmp_path, "shoot")
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
    assert off(maya, arm, found.figures[0], ARM[1:]) < 1e-9


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
    assert not found.is_whole
    assert any("2 figures" in one.message for one in found.to_look_at)
    names = [path.rpartition("|")[2] for one in found.figures for path in one.joints.values()]
    assert len(set(names)) == 8
    assert set(cmds.ls(selection=True, long=True)) == set(found.roots)
    for one in found.figures:
        truth = made if next(iter(one.joints)).startswith("A:") else other
        for name, path in one.joints.items():
            # Nobody told the roots, so the chest may hang on an arm.
            if "fore" in name or "hand" in name:
                body = name[2:].replace("_", " ")
                assert np.abs(places(maya, path) - true_cm(truth, body)).max() < 1e-9
    limits = jointlimits.estimate(found.roots[1])
    assert len(limits.joints) == 4


def test_names_that_are_taken_get_numbers(maya, cmds, arm, jointlimits):
    cmds.createNode("transform", name="chest_joint")
    cmds.createNode("multiplyDivide", name="left_hand_joint")
    first = jointlimits.estimate_skeleton("trackers", body_root="chest")
    assert first.roots == ("|chest_joint1",)
    assert first.figures[0].joints["left_hand"].endswith("|left_hand_joint1")
    again = jointlimits.estimate_skeleton("trackers", body_root="chest", joint_suffix="")
    assert again.roots == ("|chest1",)
    for found in (first, again):
        assert all(cmds.objExists(path) for path in found.figures[0].joints.values())
        assert off(maya, arm, found.figures[0], ARM[1:]) < 1e-9


def test_joints_go_into_the_current_namespace(maya, cmds, arm, jointlimits):
    cmds.namespace(addNamespace="solve")
    cmds.namespace(setNamespace="solve")
    found = jointlimits.estimate_skeleton("trackers", body_root="chest")
    assert found.roots == ("|solve:chest_joint",)
    assert cmds.objExists("|solve:chest_joint")


def test_paths_tell_tracks_apart_that_share_a_name(maya, cmds, opens, jointlimits):
    made, tracks = figure(ARM, seconds=6.0)
    text = 'createNode transform -n "one";\ncreateNode transform -n "two";\n'
    text += locators(tracks.only(ARM[:2]), below="one")
    text += locators(tracks.only(ARM[2:]), below="two")
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
    found = jointlimits.estimate_skeleton("trackers", time="11:91", by=2.0, body_root="chest")
    assert found.fit.tracks.frames.tolist() == list(range(11, 92, 2))
    assert found.fit.tracks.frame_rate == FRAME_RATE / 2.0
    keys = cmds.keyframe("chest_joint.rotateX", query=True, timeChange=True)
    assert keys == list(range(11, 92, 2))
    assert off(maya, arm, found.figures[0], ARM[1:], (11, 51, 91)) < 1e-9


def test_keys_between_frames_are_no_frames_of_their_own(cmds, arm, jointlimits):
    cmds.setKeyframe("chest", attribute="translateX", time=20.4, value=0.0)
    found = jointlimits.estimate_skeleton("trackers")
    assert found.fit.tracks.frames.tolist() == list(EVERY)
    at_keys = jointlimits.estimate_skeleton("trackers", at_keys=True)
    assert at_keys.fit.tracks.frames.tolist() == sorted([*EVERY, 20.4])


def test_the_scene_is_left_at_its_time(maya, cmds, arm, jointlimits):
    cmds.currentTime(33)
    jointlimits.estimate_skeleton("trackers")
    assert cmds.currentTime(query=True) == 33


# How well joints fit -----------------------------------------------------------------------------


@pytest.fixture
def slipped(opens):
    """Chest to hand; at 12 s the forearm's sensor slips by 3 cm and 15 degrees."""
    slip = Slip("left forearm", 12.0, 0.03, 15.0)
    made, tracks = figure(ARM, seconds=24.0, faults=Faults(noise=0.002, slips=(slip,)))
    opens(GROUP + locators(tracks, below="trackers"))
    return made, tracks


def test_gap_and_slip_are_keyed_on_the_joints(cmds, slipped, jointlimits):
    _, tracks = slipped
    found = jointlimits.estimate_skeleton("trackers", body_root="chest")
    assert not found.is_whole
    joints = found.figures[0].joints
    fore = joints["left_forearm"]
    (slip,) = found.fit.slips
    assert slip.body == "left_forearm"
    at = slip.frame
    assert abs(at - (1 + 12.0 * FRAME_RATE)) < 0.5 * FRAME_RATE
    for name, size in (
        ("slipMillimeters", 1000.0 * slip.distance_m),
        ("slipDegrees", slip.angle_deg),
    ):
        size = size if np.isfinite(size) else 0.0
        values = [cmds.getAttr(f"{fore}.{name}", time=time) for time in (1, at - 1, at, at + 50)]
        assert values == pytest.approx([0.0, 0.0, size, size])
    assert 10.0 < cmds.getAttr(f"{fore}.slipMillimeters", time=at) < 60.0
    assert cmds.getAttr(f"{joints['left_hand']}.slipMillimeters", time=at) == 0.0
    assert cmds.attributeQuery("residualMillimeters", node=fore, keyable=True)
    frame = 200
    assert cmds.getAttr(f"{fore}.residualMillimeters", time=frame) == pytest.approx(
        gap_mm(tracks, found.fit.joint("left_forearm"), frame - 1), abs=1e-6
    )


def gap_mm(tracks, joint, row):
    """Distance between both places of a joint, one matrix at a time."""
    ends = []
    for body, centre in (
        (joint.child, joint.centre_in_child),
        (joint.parent, joint.centre_in_parent),
    ):
        turn = tracks.matrices()[body, row]
        ends.append(tracks.positions[body, row] + turn @ centre)
    return 1000.0 * float(np.linalg.norm(ends[0] - ends[1]))


def test_quality_is_read_back_from_the_joints(maya, cmds, slipped, jointlimits):
    found = jointlimits.estimate_skeleton("trackers", body_root="chest")
    told = jointlimits.joint_quality(found.roots)
    assert set(told) == {f"{node(body)}_joint" for body in ARM}
    assert len(told["chest_joint"].frames) == 0
    (slip,) = found.fit.slips
    ((frame, length, angle),) = told["left_forearm_joint"].slips
    assert (frame, length) == (slip.frame, pytest.approx(1000.0 * slip.distance_m))
    assert angle == pytest.approx(slip.angle_deg if np.isfinite(slip.angle_deg) else 0.0)
    assert told["left_hand_joint"].slips == ()
    quality = told["left_hand_joint"]
    assert quality.frames.tolist() == found.fit.tracks.frames.tolist()
    own = 1000.0 * found.fit.joint("left_hand").residual_m
    assert np.sqrt(np.mean(quality.residual_mm**2)) == pytest.approx(own, rel=1e-6)
    cmds.createNode("joint", name="somebodys")
    assert jointlimits.joint_quality("somebodys") == {}


def test_tracks_that_change_places_are_put_right_by_keys_and_followed_live(
    maya, opens, jointlimits
):
    made, tracks = figure(ARM, seconds=12.0, faults=Faults(noise=0.002))
    wrong = swapped(tracks, "left forearm", "left hand", 100, 140)
    opens(GROUP + locators(wrong, below="trackers"))
    built = jointlimits.estimate_skeleton("trackers", body_root="chest")
    within = (1, 90, 120, 200)
    assert off(maya, made, built.figures[0], ARM[1:], within) < 2.0
    assert any("each other's tracks" in one.message for one in built.to_look_at)
    live = jointlimits.estimate_skeleton("trackers", body_root="chest", constrained=True)
    assert "joints with keys" in live.to_look_at[0].message
    assert off(maya, made, live.figures[0], ARM[1:], (1, 90, 200)) < 2.0
    assert off(maya, made, live.figures[0], ARM[1:], (120,)) > 5.0


# What cannot be done -----------------------------------------------------------------------------


def refused(jointlimits, *names, **options):
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the words are compared by the callers
        jointlimits.estimate_skeleton(list(names), **options)
    return str(caught.value)


def test_every_refusal_says_what_to_do_and_changes_nothing(maya, cmds, arm, jointlimits):
    cmds.createNode("multiplyDivide", name="sums")
    cmds.createNode("transform", name="stone")
    cmds.createNode("transform", name="rock")
    cmds.select(clear=True)
    before = maya.scene_hash()
    for names, options, words in (
        ((), {}, r"nothing is selected; select the tracked locators, groups or joints"),
        (("nobody",), {}, r"'nobody' does not exist; give the names of the tracked"),
        (("sums",), {}, r"'sums' is no transform; give the names"),
        (("stone", "rock"), {}, r"none of these transforms moves from frame 1 to 120; choose"),
        (("stone",), {}, r"'stone' does not move"),
        (("chest",), {}, r"has one body, 'chest'"),
        (("trackers",), {"time": "1:4"}, r"has 4 usable frames; at least 6"),
        (("trackers",), {"time": "soon"}, r"'soon' is no range of time"),
        (("trackers",), {"body_root": "pelvis"}, r"no body 'pelvis'; there is: chest"),
        (("trackers",), {"joint_suffix": "-j"}, r"joint_suffix must be letters"),
        (("trackers",), {"suffix": "_j"}, r"no option 'suffix'; did you mean joint_suffix"),
    ):
        assert re.search(words, refused(jointlimits, *names, **options)), (names, options)
        assert maya.scene_hash() == before


def test_things_that_fly_freely_are_no_skeleton(maya, opens, jointlimits):
    _, tracks = figure(("head", "left hand", "right foot"), seconds=6.0)
    opens(GROUP + locators(tracks, below="trackers"))
    before = maya.scene_hash()
    words = refused(jointlimits, "trackers")
    assert "no two of these tracks are joined" in words
    assert "head, left_hand, right_foot" in words
    assert "frames in which it moves a lot" in words
    assert maya.scene_hash() == before


@pytest.mark.parametrize(
    ("plug", "values", "words"),
    [
        ("trackers.scale", (-1.0, 1.0, 1.0), "chest: is mirrored by a negative scale at frame 1"),
        ("left_hand.scale", (1.0, 1.0, -1.0), "left_hand: is mirrored by a negative scale"),
        ("left_hand.scale", (1.0, 0.0, 1.0), "left_hand: is scaled to nothing at frame 1"),
        ("trackers.scale", (1.0, 2.0, 1.0), "is sheared, by itself or by a scale above it"),
        ("left_hand.shear", (0.3, 0.0, 0.0), "left_hand: is sheared"),
    ],
)
def test_scale_that_leaves_no_rotation_is_refused_by_name(
    maya, cmds, arm, jointlimits, plug, values, words
):
    cmds.setAttr(plug, *values, type="double3")
    before = maya.scene_hash()
    said = refused(jointlimits, "trackers")
    assert words in said
    assert "take the scale off it" in said
    assert maya.scene_hash() == before


def test_markers_that_never_turn_are_told_from_bodies(maya, cmds, opens, jointlimits):
    _, tracks = figure(ARM, seconds=6.0)
    opens(GROUP + locators(tracks, below="trackers"))
    for body in ARM:
        cmds.cutKey(node(body), attribute="rotate", clear=True)
        cmds.setAttr(f"{node(body)}.rotate", 10.0, 20.0, 30.0, type="double3")
    said = refused(jointlimits, "trackers")
    assert "none of them ever turns" in said
    assert "jointlimits skeleton" in said


def test_a_stone_among_the_tracks_is_told_and_joined_to_nothing(cmds, arm, jointlimits):
    cmds.createNode("transform", name="stone")
    found = jointlimits.estimate_skeleton(["trackers", "stone"], body_root="chest")
    assert [found.fit.names[body] for body in found.fit.free] == ["stone"]
    assert any("stone" in one.message for one in found.to_look_at)
    assert not cmds.objExists("stone_joint")


def test_stopped_or_refused_by_maya_nothing_is_changed(maya, cmds, arm, jointlimits, monkeypatch):
    from jointlimits_maya import all_keys
    from jointlimits_maya.errors import MayaRefusedError

    from jointlimits_core.progress import Cancelled

    cmds.select("trackers")
    before = maya.scene_hash()
    said = []
    with pytest.raises(Cancelled):
        jointlimits.estimate_skeleton(progress=lambda *told: said.append(told) or len(said) < 40)
    assert said[0][2] == "reading the tracks"
    assert maya.scene_hash() == before

    def broken(self, curve, change):
        raise RuntimeError("no keys today")

    monkeypatch.setattr(all_keys.AllKeys, "__call__", broken)
    with pytest.raises(MayaRefusedError, match="no keys today"):
        jointlimits.estimate_skeleton()
    assert maya.scene_hash() == before
    assert cmds.ls(selection=True) == ["trackers"]


# Command and button ------------------------------------------------------------------------------


@pytest.fixture
def plug_in(cmds):
    from jointlimits_maya import undoable

    undoable.load_plug_in()


@pytest.mark.usefixtures("plug_in", "arm")
def test_the_command_gives_json_and_is_one_undo(maya, cmds):
    before = maya.scene_hash()
    text = cmds.estimateSkeleton("trackers", bodyRoot="chest", timeRange="1:120", jointSuffix="_j")
    data = json.loads(text)
    (built,) = data["figures"]
    assert built["root"] == "|chest_j"
    assert list(built["joints"]) == [node(body) for body in ARM]
    assert data["constrained"] is False
    assert data["skeleton"]["format"] == "jointlimits.skeleton"
    assert data["skeleton"]["clips"][0]["frames"] == 120
    assert cmds.estimateJointLimits(built["root"])
    kind, said = maya.messages[0]
    assert kind == "info"
    assert said.startswith("estimateSkeleton: 4 joints below chest_j, with a key on every frame")
    cmds.undo()
    assert maya.scene_hash() == before
    cmds.redo()
    assert cmds.objExists("|chest_j")


@pytest.mark.usefixtures("plug_in", "arm")
def test_the_command_speaks_of_flags_and_warns(maya, cmds):
    with pytest.raises(RuntimeError, match="jointSuffix must be letters"):
        cmds.estimateSkeleton("trackers", jointSuffix="+")
    with pytest.raises(RuntimeError, match="nothing is selected"):
        cmds.estimateSkeleton()
    cmds.createNode("transform", name="stone")
    cmds.estimateSkeleton("trackers", "stone", constrained=True)
    kind, said = maya.messages[-1]
    assert kind == "warning"
    assert "following the tracks live" in said
    assert "stone" in said
    assert "Tracked locators, groups or joints" in cmds.estimateSkeleton(help=True)


@pytest.mark.usefixtures("plug_in")
def test_examples_in_the_help_run(maya, cmds, opens):
    """Every example in Python, on a group of trackers as they speak of."""
    bodies = {"hips": "pelvis", "thigh": "left thigh", "shin": "left shin"}
    _, tracks = figure(tuple(bodies.values()), seconds=6.0)
    opens(GROUP + locators(tracks, below="trackers"))
    for name, body in bodies.items():
        cmds.rename(node(body), name)
    lines = cmds.estimateSkeleton(help=True).partition("Examples")[2].splitlines()
    ran = [line.strip() for line in lines if "cmds." in line]
    assert len(ran) == 3
    names = {"cmds": cmds, "json": json}
    for line in ran:
        exec(line, names)  # noqa: S102
    assert cmds.objExists("|hips_joint1")


@pytest.mark.usefixtures("plug_in", "arm")
def test_the_button_leaves_the_root_selected_for_the_next_one(maya, cmds):
    from jointlimits_maya import interactive

    cmds.select(clear=True)
    assert not interactive.skeleton_from_tracks()
    assert maya.messages[-1][0] == "error"
    assert "select the tracked locators" in maya.messages[-1][1]
    cmds.select("trackers")
    assert interactive.skeleton_from_tracks()
    assert "gaps of 0.0 mm between the tracks of a joint" in maya.messages[-1][1]
    assert interactive.estimate()
    # The root is no joint that limits are for.
    assert "3 joints of scene with limits (3 ball)" in maya.messages[-1][1]
    assert maya.messages[-1][0] == "info"
    cmds.undo()
    assert cmds.ls(selection=True) == ["trackers"]
