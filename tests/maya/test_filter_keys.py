"""Filtered keys in the open scene: one undo, poses between runs only, and what is refused."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from jointlimits_core.limits.limit_set import Orientation
from tests.maya_standin.curves import Keys
from tests.maya_standin.graph import Plug
from tests.maya_standin.state import lines_but_modified
from tests.support import maya_characters as characters
from tests.support.flipped_keys import FPS, Rig, dense_times, is_listed, rotation, stored_keys
from tests.support.limit_set_examples import joint, limit_set, span

FRAMES = 40
FLIPPED = (21, 22, 23)


@pytest.fixture
def maya(maya_with_plug_in):
    return maya_with_plug_in


def keyed_leg(maya):
    """A keyed leg, selected, at frame 1."""
    from maya import cmds

    characters.leg(maya, FRAMES)
    cmds.select("pelvis")
    cmds.currentTime(1)
    maya.undo_queue.flush()
    maya.scene.modified = False
    return maya


@pytest.fixture
def shot(maya):
    """A keyed leg whose hip is on the other Euler branch for three frames."""
    flip(keyed_leg(maya))
    return maya


def curves_of(session, name="hip"):
    plugs = [session.scene.plug(f"{name}.rotate{axis}") for axis in "XYZ"]
    return [session.scene.connections[plug].node for plug in plugs]


def flip(session, name="hip", frames=FLIPPED):
    from jointlimits_core.geometry.euler import other_euler

    order = characters.ORDERS[session.scene.stored(session.scene.plug(f"{name}.rotateOrder"))]
    values = np.array([curve.keys.values for curve in curves_of(session, name)])
    places = [frame - 1 for frame in frames]  # one key a frame, from frame 1
    values[:, places] = other_euler(values[:, places].T, order).T
    for curve, row in zip(curves_of(session, name), values):
        session.scene.set_keys(curve, replace(curve.keys, values=row.tolist()))


def values_of(session, name="hip"):
    return np.degrees([curve.keys.values for curve in curves_of(session, name)])


def test_one_undo_and_one_redo(shot, cmds, jointlimits):
    before, lines = values_of(shot), lines_but_modified(shot.scene)
    result = jointlimits.filter_keys()
    after = values_of(shot)
    assert list(result.filtered.joints) == ["hip"]
    assert result.filtered.joints["hip"].keys == 9
    spans = [(one.start, one.end) for one in result.filtered.joints["hip"].changed]
    assert spans == [(20, 21), (23, 24)]
    assert np.ptp(after, axis=1).max() < 90 < np.ptp(before, axis=1).max()
    kept = [frame - 1 for frame in range(1, FRAMES + 1) if frame not in FLIPPED]
    assert np.array_equal(after[:, kept], before[:, kept])
    json.dumps(result.to_dict())
    cmds.undo()
    assert lines_but_modified(shot.scene) == lines
    cmds.redo()
    assert np.array_equal(values_of(shot), after)
    assert jointlimits.filter_keys().filtered.joints == {}


def test_command_filters_first_and_then_switches_limits_on(shot, cmds):
    order = characters.ORDERS[cmds.getAttr("hip.rotateOrder")]
    own = Orientation(order, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    hip = joint("ball", (span(-60, 60),) * 3, parent=None, orientation=own)
    limits = replace(limit_set(), joints={"hip": hip})
    plain = json.loads(cmds.applyJointLimits(limits=limits.to_json()))
    assert {one["joint"] for one in plain["left_off"]} == {"hip"}
    lines = lines_but_modified(shot.scene)
    found = json.loads(cmds.applyJointLimits(limits=limits.to_json(), filterKeys=True))
    assert found["skipped"] == []
    assert found["filtered"]["joints"]["hip"]["keys"] == 9
    assert cmds.getAttr("hip.minRotXLimitEnable")
    inside = np.abs(values_of(shot)) <= 60.0 + 1e-9
    assert inside.all()
    cmds.undo()
    assert lines_but_modified(shot.scene) == lines


# Refused by name


def refusals():
    import jointlimits_maya

    result = jointlimits_maya.filter_keys()
    assert result.filtered.joints == {}
    return [(one.joint, one.reason) for one in result.skipped]


def test_layers_are_refused_only_where_branches_mix(shot):
    joints = [shot.scene.node(name) for name in ("hip", "knee")]
    characters.add_layer(shot, joints, frames=FRAMES)
    ((name, why),) = refusals()
    assert name == "hip"
    assert why.startswith("layered: rotateX comes from ")


def test_referenced_curves_are_refused(shot, tmp_path, cmds):
    characters.reference_scene(shot, tmp_path)
    cmds.select("char:pelvis")
    ((name, why),) = refusals()
    assert name == "char:hip"
    assert "belongs to a referenced file" in why


def test_limits_that_are_on_must_not_clamp_the_new_keys(shot, cmds, jointlimits):
    cmds.transformLimits("hip", rotationX=(100.0, 360.0), enableRotationX=(True, False))
    assert refusals() == [("hip", "its limits on rotateX are on, and would clamp the new keys")]
    cmds.transformLimits("hip", rotationX=(-360.0, 360.0), enableRotationX=(True, True))
    assert list(jointlimits.filter_keys().filtered.joints) == ["hip"]


def share_curve(session):
    curve = curves_of(session)[0]
    session.scene.connect(Plug(curve, "output"), session.scene.plug("toe.rotateX"))


def drive_by_keys(session):
    scene = session.scene
    driven = scene.create_node("animCurveUA", "driven")
    scene.set_keys(driven, Keys([0.0, 1.0, 1.01, 2.0], [0.0, 0.4, 3.6, 3.5]))
    scene.disconnect(Plug(curves_of(session)[0], "output"), scene.plug("hip.rotateX"))
    scene.connect(Plug(driven, "output"), scene.plug("hip.rotateX"))


def lock_curve(session):
    session.scene.set_node_locked(curves_of(session)[1], True)


def cycle_with_offset(session):
    curve = curves_of(session)[1]
    session.scene.set_keys(curve, replace(curve.keys, post=4))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (share_curve, "its curve also drives 'toe.rotateX'"),
        (drive_by_keys, "rotateX is driven by 'driven' (driven keys)"),
        (lock_curve, "the curve 'hip_rotateY' is locked"),
        (cycle_with_offset, "rotateY cycles with offset beyond its keys"),
    ],
)
def test_curves_that_cannot_be_filtered_are_refused(shot, change, reason):
    change(shot)
    assert refusals() == [("hip", reason)]


# Any keys


@pytest.mark.parametrize(
    ("first", "last"), [(0, 4), pytest.param(4, 40, marks=pytest.mark.thorough)]
)
def test_any_keys(maya_with_plug_in, first, last):
    import jointlimits_maya
    from maya import cmds

    session = maya_with_plug_in
    moved = 0
    for seed in range(first, last):
        rig = Rig(2000 + seed)
        scene = session.new_scene()
        node = characters.add_joint(scene, "knee", order=rig.order)
        for axis, one in zip("XYZ", rig.keys.channels):
            if isinstance(one, float):
                scene.set_value(Plug(node, f"rotate{axis}"), one)
                continue
            curve = scene.create_node("animCurveTA", f"knee_rotate{axis}")
            locks = [rig.random.random() < 0.5 for _ in one.times]
            scene.set_keys(curve, replace(stored_keys(one), tangents_locked=locks))
            scene.connect(Plug(curve, "output"), Plug(node, f"rotate{axis}"))
        cmds.playbackOptions(minTime=-60, maxTime=160)
        session.undo_queue.flush()
        lines, old = lines_but_modified(scene), channels_of(scene)
        found = jointlimits_maya.filter_keys("knee").filtered
        if not found.joints:
            continue
        new, changes = channels_of(scene), found.joints["knee"]
        for time in dense_times(rig.keys):
            pair = (rotation(every, rig.order, time) for every in (old, new))
            difference = np.subtract(*pair)
            if np.abs(difference).max() > 1e-9:
                assert is_listed(changes)(time), (seed, time * FPS)
                moved += 1
        cmds.undo()
        assert channels_of(scene) == old
        assert lines_but_modified(scene) == lines
    assert moved


def channels_of(scene):
    found = []
    for axis in "XYZ":
        plug = scene.plug(f"knee.rotate{axis}")
        source = scene.connections.get(plug)
        found.append(float(scene.stored(plug)) if source is None else source.node.keys)
    return found
