"""Keys brought inside coupled limits: which move, which stay to the bit, and what is reported."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from jointlimits_core.geometry.euler import local_from_rotate, quaternion_from_euler
from jointlimits_core.geometry.quaternion import angle_between
from tests.maya_standin.graph import Plug
from tests.maya_standin.nodes import Reference
from tests.maya_standin.state import state_lines
from tests.support.maya_projecting import FRAMES, KEYS, arm, keyed_arm, rotate_of, shapes

ORIENT = quaternion_from_euler(np.radians([20.0, -35.0, 50.0]))
AXIS = quaternion_from_euler(np.radians([5.0, 12.0, -8.0]))
SHAPE = shapes()["obb"].pad(0.6)
CURVES = [f"shoulder_{channel}" for channel in KEYS]


def locals_at(cmds, frames=FRAMES):
    rotates = [rotate_of(cmds, frame=frame) for frame in frames]
    return local_from_rotate(rotates, ORIENT, AXIS, "zxy")


def keys_of(maya):
    return {name: maya.scene.node(name).keys for name in CURVES}


def test_keys_that_are_outside_come_inside_and_all_others_stay_to_the_bit(maya, cmds, jointlimits):
    keyed_arm(cmds)
    before, old = locals_at(cmds), keys_of(maya)
    outside = ~SHAPE.contains(before)
    assert 1 < outside.sum() < len(FRAMES)
    result = jointlimits.project_keys({"shoulder": SHAPE})
    assert angle_between(locals_at(cmds), SHAPE.project(before)).max() < 1e-9
    (one,) = result.moved
    assert one.joint == "shoulder"
    assert one.frames == tuple(np.array(FRAMES, dtype=float)[outside])
    assert np.abs(np.radians(one.moved_deg) - SHAPE.distance(before)[outside]).max() < 1e-9
    assert one.added == 0
    for name, keys in keys_of(maya).items():
        stayed = [n for n in range(len(FRAMES)) if not outside[n]]
        assert [keys.values[n] for n in stayed] == [old[name].values[n] for n in stayed]
        assert keys == replace(old[name], values=keys.values)


def test_undo_gives_the_scene_back_redo_the_new_keys_and_a_second_time_nothing_moves(
    maya, cmds, jointlimits
):
    keyed_arm(cmds)
    before = maya.scene_hash()
    jointlimits.project_keys({"shoulder": SHAPE})
    after = maya.scene_hash()
    assert after != before
    cmds.undo()
    assert maya.scene_hash() == before
    cmds.redo()
    queue = len(maya.undo_queue.done)
    again = jointlimits.project_keys({"shoulder": SHAPE})
    assert again.unchanged == ("shoulder",)
    assert not again.moved
    assert maya.scene_hash() == after
    assert len(maya.undo_queue.done) == queue


@pytest.mark.parametrize(
    ("key_range", "frames"),
    [("15:25", (20.0,)), ("1:5,28:31", (30.0,)), ("25:29", ()), ("current", (20.0,))],
)
def test_only_keys_in_the_range_move(maya, cmds, jointlimits, key_range, frames):
    keyed_arm(cmds)
    cmds.currentTime(20)
    moving = {1.0: False, 20.0: True, 30.0: True}
    inside = SHAPE.contains(locals_at(cmds, tuple(moving)))
    assert list(~inside) == list(moving.values())
    result = jointlimits.project_keys({"shoulder": SHAPE}, time=key_range)
    assert tuple(f for one in result.moved for f in one.frames) == frames


def test_curves_that_leave_the_shape_between_keys_are_reported(maya, cmds, jointlimits):
    keyed_arm(cmds)
    modified = maya.scene.modified
    lines = state_lines(maya.scene)
    from jointlimits_maya.projection.api import project_keys

    prepared = project_keys.plan({"shoulder": SHAPE})
    # Looked for with the new keys in place, and these were taken out again.
    changed = set(state_lines(maya.scene)) ^ set(lines)
    assert all(line.startswith("file ") for line in changed)
    assert maya.scene.modified == modified
    (one,) = prepared.result.moved
    jointlimits.project_keys({"shoulder": SHAPE})
    frames = [f for f in range(1, 41) if f not in FRAMES]
    beyond = np.degrees(SHAPE.distance(locals_at(cmds, frames)))
    assert one.outside_between == (beyond > 1e-3).sum() > 0
    assert one.between_deg == pytest.approx(beyond.max(), abs=1e-9)
    assert not prepared.result.is_complete


def test_a_channel_without_a_key_there_gets_one_where_it_has_to_move(maya, cmds, jointlimits):
    arm(cmds)
    for frame, value in ((1, 0.0), (20, 80.0), (40, 0.0)):
        cmds.setKeyframe("shoulder", attribute="rotateX", time=frame, value=value)
    for channel in ("rotateY", "rotateZ"):
        for frame in (1, 40):
            cmds.setKeyframe("shoulder", attribute=channel, time=frame, value=5.0)
    before = maya.scene_hash()
    expected = SHAPE.project(locals_at(cmds, (20,)))
    result = jointlimits.project_keys({"shoulder": SHAPE}, time="10:30")
    (one,) = result.moved
    assert (one.frames, one.added) == ((20.0,), 2)
    assert angle_between(locals_at(cmds, (20,)), expected).max() < 1e-9
    assert len(maya.scene.node("shoulder_rotateY").keys) == 3
    cmds.undo()
    assert maya.scene_hash() == before


def test_branches_of_the_keys_stay(maya, cmds, jointlimits):
    """Whole turns above or below: the new keys are on the branch of the old ones."""
    keyed_arm(cmds)
    jointlimits.project_keys({"shoulder": SHAPE})
    plain = [keys.values for keys in keys_of(maya).values()]
    cmds.file(newFile=True, force=True)
    keyed_arm(cmds)
    for name in CURVES:
        curve = maya.scene.node(name)
        lifted = [value + 2.0 * np.pi for value in curve.keys.values]
        maya.scene.set_keys(curve, replace(curve.keys, values=lifted))
    jointlimits.project_keys({"shoulder": SHAPE})
    lifted = [keys.values for keys in keys_of(maya).values()]
    assert np.abs(np.array(lifted) - 2.0 * np.pi - plain).max() < 1e-9


def test_keys_under_a_live_projection_are_the_ones_that_move(maya, cmds, jointlimits):
    keyed_arm(cmds)
    before = locals_at(cmds)
    jointlimits.project_live({"shoulder": SHAPE})
    result = jointlimits.project_keys({"shoulder": SHAPE})
    assert result.moved
    jointlimits.stop_projecting("shoulder")
    assert angle_between(locals_at(cmds), SHAPE.project(before)).max() < 1e-9


def test_softness_leaves_keys_as_far_outside_as_it_says(maya, cmds, jointlimits):
    keyed_arm(cmds)
    before = SHAPE.distance(locals_at(cmds))
    jointlimits.project_keys({"shoulder": SHAPE}, softness_deg=4.0)
    beyond = SHAPE.distance(locals_at(cmds))
    assert (beyond <= np.minimum(np.radians(4.0), before) + 1e-9).all()
    assert beyond.max() > np.radians(1.0)


# What is refused ----------------------------------------------------------------------------------


def key_only_x(cmds, maya):
    arm(cmds)
    for frame, value in ((1, 0.0), (20, 80.0)):
        cmds.setKeyframe("shoulder", attribute="rotateX", time=frame, value=value)


def constrain(cmds, maya):
    arm(cmds)
    cmds.createNode("transform", name="target")
    cmds.orientConstraint("target", "shoulder")


def share_curve(cmds, maya):
    keyed_arm(cmds)
    cmds.connectAttr("shoulder_rotateZ.output", "elbow.rotateZ")


def lock_curve(cmds, maya):
    keyed_arm(cmds)
    maya.scene.set_locked(Plug(maya.scene.node("shoulder_rotateX"), "keyTimeValue"), True)


def lock_channel(cmds, maya):
    keyed_arm(cmds)
    cmds.setAttr("shoulder.rotateY", lock=True)


def reference_curve(cmds, maya):
    keyed_arm(cmds)
    reference = Reference(maya.scene.create_node("reference", "armRN"), "arm.ma")
    maya.scene.add_reference(reference)
    curve = maya.scene.node("shoulder_rotateX")
    curve.reference = reference
    reference.nodes.append(curve)


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda cmds, maya: arm(cmds), ": has no keys"),
        (key_only_x, "rotateY: must change but has no keys"),
        (constrain, "rotateX: driven by something other than its keys"),
        (share_curve, "rotateZ: its curve also drives other plugs"),
        (lock_curve, "rotateX: its curve is locked"),
        (lock_channel, "rotateY: locked"),
        (reference_curve, "rotateX: its keys are in a referenced file"),
    ],
)
def test_keys_that_must_not_change_are_refused(maya, cmds, jointlimits, make, reason):
    make(cmds, maya)
    before = maya.scene_hash()
    result = jointlimits.project_keys({"shoulder": SHAPE})
    assert not result.moved
    assert maya.scene_hash() == before
    (one,) = result.skipped
    assert one.advice
    assert f"{one.attribute}: {one.reason}" == reason


# The command --------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_the_command_reports_as_json_and_in_a_sentence(maya, cmds, jointlimits, tmp_path, undo):
    from tests.maya.test_projecting import _limits_with_a_shape

    undo.load_plug_in()
    keyed_arm(cmds)
    limits = str(_limits_with_a_shape(jointlimits, tmp_path))
    before = maya.scene_hash()
    report = json.loads(cmds.projectKeys("shoulder", limits=limits, timeRange="1:40"))
    (moved,) = report["moved"]
    assert moved["joint"] == "shoulder"
    assert len(moved["frames"]) == len(moved["moved_deg"]) > 0
    kind, text = maya.messages[-1]
    assert kind == "warning"  # the curves overshoot between keys
    keys, most = len(moved["frames"]), max(moved["moved_deg"])
    assert f"1 joint moved inside at {keys} keys, by up to {most:.1f} degrees (shoulder)" in text
    assert "bake a key on every frame" in text
    cmds.undo()
    assert maya.scene_hash() == before
    with pytest.raises(RuntimeError, match=r"time range must be keys, .* not 'sometimes'"):
        cmds.projectKeys("shoulder", limits=limits, timeRange="sometimes")
