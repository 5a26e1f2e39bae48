"""A skeleton from tracked transforms: in the right places, one undo, the transforms untouched."""

# ruff: noqa: F811 - fixtures of another file are asked for by their names

from __future__ import annotations

import numpy as np
import pytest

from jointlimits_core.formats.read_bodies import read_bodies
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.euler import quaternion_from_euler
from jointlimits_core.geometry.quaternion import angle_between, multiply, rotate
from jointlimits_core.skeleton_fit.fit import fit_pooled
from jointlimits_core.skeleton_fit.result import BodyOptions
from tests.support.linkages import arm as linkage_arm
from tests.support.shared_data import shared_path
from tests.support.tracked_locators import ARM, CHANNELS, figure, locators, node
from tests.support.tracked_scenes import (  # noqa: F401 - fixtures
    EVERY,
    GROUP,
    arm,
    joint_errors,
    opens,
    places,
    turns_of,
    worlds,
)

pytestmark = pytest.mark.thorough


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
    assert found.is_complete, [one.message for one in found.warnings]
    assert built.root == "|pelvis_joint"
    hung = {body: built.joints[body].rpartition("|")[0] for body in built.joints}
    for body, parent in enumerate(made.parents):
        if parent >= 0:
            assert hung[node(tracks.names[body])] == built.joints[node(tracks.names[parent])]
    assert joint_errors(maya, made, built, tracks.names[1:]) < 1e-9


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
        own, track = (turns_of(worlds(maya, one)) for one in (path, f"|trackers|{body}"))
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
    assert jointlimits.apply(limits, found.roots).is_complete
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


# A real leg ---------------------------------------------------------------------------------------


def test_real_clusters_give_the_same_knee_as_their_file(maya, opens, jointlimits):
    """An optical system's foot, leg and thigh, walking; its own fit of the same frames agrees."""
    tracks = read_bodies(shared_path("data/bodies/ktk_walkingOptiTrack.c3d"))
    seen = np.flatnonzero(tracks.present.all(axis=0))[::8]
    tracks = tracks.keep_frames(seen)
    opens(GROUP + locators(tracks, below="trackers"))
    found = jointlimits.estimate_skeleton("trackers", body_root="Knee")
    (own,) = fit_pooled([tracks], BodyOptions(root="Knee"))
    assert found.fit.parent_names() == own.parent_names()
    reported = jointlimits.joint_quality(found.roots)["Leg_joint"]
    assert 3.0 < np.sqrt(np.mean(reported.residual_mm**2)) < 6.0
    knee = own.joint("Leg")
    turns = tracks.rotations[knee.parent].T
    there = tracks.positions[knee.parent] + rotate(turns, knee.centre_in_parent)
    frames = (1, 60, 200)
    built = places(maya, found.figures[0].joints["Leg"], frames)
    assert np.abs(built - 100.0 * there[[frame - 1 for frame in frames]]).max() < 1e-3
