"""Coupled limits live in the rig: clamped, undone, taken out without a trace, or refused."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.euler import (
    ROTATE_ORDERS,
    local_from_rotate,
    quaternion_from_euler,
    rotate_from_local,
)
from jointlimits_core.geometry.quaternion import angle_between
from jointlimits_core.shapes.scalar_joint import compact_text
from tests.maya_standin import installed
from tests.maya_standin.curves import Keys
from tests.maya_standin.errors import NotModelledError
from tests.maya_standin.graph import Plug
from tests.support.maya_projecting import FRAMES, KEYS, arm, keyed_arm, rotate_of, shapes

ORIENT = quaternion_from_euler(np.radians([20.0, -35.0, 50.0]))
AXIS = quaternion_from_euler(np.radians([5.0, 12.0, -8.0]))
EVERY = range(1, 41)
SHAPES = shapes()
FORMS = {"node": {}, "plain nodes": {"plain_nodes": True}}
TOLERANCE = {"node": 1e-12, "plain nodes": 1e-6}
"""Radians; plain nodes compute in single precision here and there."""


def locals_of(rotates, order="zxy"):
    return local_from_rotate(rotates, ORIENT, AXIS, order)


def poses(cmds, frames=EVERY, joint="shoulder"):
    return np.array([rotate_of(cmds, joint, frame) for frame in frames])


# A keyed arm --------------------------------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", SHAPES)
def test_node_batch_and_plain_nodes_agree(cmds, jointlimits, kind, form):
    """Three ways to the same pose; what is inside passes to the bit, in both forms."""
    keyed_arm(cmds)
    shape = SHAPES[kind].pad(0.5)
    before = poses(cmds)
    expected = shape.project(locals_of(before))
    result = jointlimits.project_live({"shoulder": shape}, **FORMS[form])
    assert result.projected == ("shoulder",)
    assert result.is_complete
    after = poses(cmds)
    assert angle_between(locals_of(after), expected).max() < TOLERANCE[form]
    inside = shape.contains(locals_of(before))
    assert 3 < inside.sum() < len(EVERY) - 3
    assert np.array_equal(after[inside], before[inside])
    assert (np.abs(after[~inside] - before[~inside]).max(axis=1) > 1e-6).all()


@pytest.mark.thorough
@pytest.mark.parametrize("order", ROTATE_ORDERS)
def test_every_rotate_order_is_followed(cmds, jointlimits, order):
    for form, options in FORMS.items():
        cmds.file(newFile=True, force=True)
        keyed_arm(cmds, order)
        shape = SHAPES["obb"]
        expected = shape.project(locals_of(poses(cmds), order))
        jointlimits.project_live({"shoulder": shape}, **options)
        off = angle_between(locals_of(poses(cmds), order), expected).max()
        assert off < TOLERANCE[form], form


@pytest.mark.thorough
@pytest.mark.parametrize("form", FORMS)
def test_undone_or_taken_out_there_is_no_trace_and_redone_it_is_back(maya, cmds, jointlimits, form):
    keyed_arm(cmds)
    before, shown = maya.scene_hash(), poses(cmds)
    jointlimits.project_live({"shoulder": SHAPES["swing and twist"]}, **FORMS[form])
    clamped, projected = poses(cmds), maya.scene_hash()
    assert np.abs(clamped - shown).max() > 0.1
    cmds.undo()
    assert maya.scene_hash() == before
    assert np.array_equal(poses(cmds), shown)
    cmds.redo()
    assert maya.scene_hash() == projected
    assert np.array_equal(poses(cmds), clamped)
    result = jointlimits.stop_projecting("shoulder")
    assert (result.stopped, result.untouched) == (("shoulder",), ("elbow",))
    assert maya.scene_hash() == before
    cmds.undo()
    assert maya.scene_hash() == projected
    assert np.array_equal(poses(cmds), clamped)


@pytest.mark.thorough
@pytest.mark.parametrize("kind", SHAPES)
def test_plain_nodes_are_right_wherever_the_joint_turns(cmds, jointlimits, kind):
    """But for rotations that are nearer to the box the other way round, which they do not look."""
    arm(cmds)
    shape = SHAPES[kind]
    centre = rotate_from_local(shape.chart.centre, ORIENT, AXIS, "zxy")
    jointlimits.project_live({"shoulder": shape}, plain_nodes=True)
    tried = [centre, *np.random.default_rng(11).uniform(-3.0, 3.0, size=(60, 3))]
    compared = 0
    for rotate in tried:
        for axis, value in zip("XYZ", np.degrees(rotate)):
            cmds.setAttr(f"shoulder_jointLimits.inRotate{axis}1", value)
        local = locals_of(np.radians([cmds.getAttr("shoulder_jointLimits.inRotate1")[0]]))
        points = shape.chart.coordinates(local)
        straight = shape.chart.rotation(shape.region.nearest(points))
        if angle_between(straight, shape.project(local)).max() > 1e-9:
            continue
        compared += 1
        off = angle_between(locals_of([rotate_of(cmds)]), straight).max()
        assert off < TOLERANCE["plain nodes"], rotate
    assert compared > 30


def test_the_node_tells_how_far_outside(cmds, jointlimits):
    keyed_arm(cmds)
    shape = SHAPES["box"]
    distances = np.degrees(shape.distance(locals_of(poses(cmds))))
    jointlimits.project_live({"shoulder": shape})
    reported = [cmds.getAttr("shoulder_jointLimits.outside", time=frame) for frame in EVERY]
    assert np.abs(reported - distances).max() < 1e-9
    assert cmds.getAttr("shoulder_jointLimits.problem") == ""


@pytest.mark.parametrize(
    ("form", "plug"),
    [
        ("node", "shoulder_jointLimits.enable"),
        pytest.param(
            "plain nodes", "shoulder_jointLimits_outside.colorIfTrueR", marks=pytest.mark.thorough
        ),
    ],
)
def test_switched_off_everything_passes(cmds, jointlimits, form, plug):
    keyed_arm(cmds)
    before = poses(cmds)
    jointlimits.project_live({"shoulder": SHAPES["box"]}, **FORMS[form])
    cmds.setAttr(plug, 0)
    assert np.array_equal(poses(cmds), before)
    cmds.setAttr(plug, 1)
    assert not np.array_equal(poses(cmds), before)


@pytest.mark.thorough
def test_softness_gives_way_by_no_more_than_it_says(cmds, jointlimits):
    keyed_arm(cmds)
    shape = SHAPES["box"]
    outside = shape.distance(locals_of(poses(cmds)))
    jointlimits.project_live({"shoulder": shape}, softness_deg=5.0)
    beyond = shape.distance(locals_of(poses(cmds)))
    assert (beyond <= np.minimum(np.radians(5.0), outside) + 1e-9).all()
    assert (beyond[outside > 0.1] > 0.005).all()


def test_the_hand_of_the_artist_goes_through_the_node(cmds, jointlimits, maya):
    """Nothing is keyed: values are set on the node, and stay on the joint when it goes."""
    arm(cmds)
    cmds.setAttr("shoulder.rotate", 10.0, 20.0, 30.0, type="double3")
    before = maya.scene_hash()
    jointlimits.project_live({"shoulder": SHAPES["box"]})
    assert cmds.getAttr("shoulder_jointLimits.inputRotateY") == pytest.approx(20.0, abs=1e-12)
    cmds.undo()
    assert maya.scene_hash() == before
    cmds.redo()
    cmds.setAttr("shoulder_jointLimits.inputRotateX", 95.0)
    jointlimits.stop_projecting("shoulder")
    assert cmds.getAttr("shoulder.rotateX") == pytest.approx(95.0, abs=1e-12)
    assert cmds.getAttr("shoulder.rotateY") == pytest.approx(20.0, abs=1e-12)


@pytest.mark.thorough
def test_a_second_shape_replaces_the_first_and_the_same_one_changes_nothing(
    maya, cmds, jointlimits
):
    keyed_arm(cmds)
    before = maya.scene_hash()
    jointlimits.project_live({"shoulder": SHAPES["box"]})
    once = maya.scene_hash()
    again = jointlimits.project_live({"shoulder": SHAPES["box"]})
    assert again.unchanged == ("shoulder",)
    assert not again.projected
    assert maya.scene_hash() == once
    cmds.undo()
    assert maya.scene_hash() == before
    cmds.redo()
    jointlimits.project_live({"shoulder": SHAPES["obb"]}, plain_nodes=True)
    keyed = np.radians(np.transpose(list(KEYS.values())))
    expected = SHAPES["obb"].project(locals_of(keyed))
    assert angle_between(locals_of(poses(cmds, FRAMES)), expected).max() < 1e-6
    assert not any(node.is_a("jointLimitProject") for node in maya.scene.nodes)
    jointlimits.stop_projecting("shoulder")
    assert maya.scene_hash() == before


# What else drives a joint -------------------------------------------------------------------------


def constrain(cmds):
    arm(cmds)
    cmds.createNode("transform", name="target")
    for frame, value in zip(FRAMES, KEYS["rotateX"]):
        cmds.setKeyframe("target", attribute="rotateX", time=frame, value=value * 1.5)
    cmds.orientConstraint("target", "shoulder")


def add_layer(cmds):
    name = keyed_arm(cmds)
    cmds.animLayer("more")
    cmds.animLayer("more", edit=True, attribute=[f"{name}.rotate"])
    cmds.setAttr("shoulder_rotate_more.inputBX", 40.0)
    assert abs(rotate_of(cmds, frame=1)[0] - math.radians(40.0)) < 1e-9


@pytest.mark.thorough
@pytest.mark.parametrize("drive", [constrain, add_layer])
@pytest.mark.parametrize("form", FORMS)
def test_a_joint_with_other_drivers_is_kept_inside_and_given_back(
    maya, cmds, jointlimits, form, drive
):
    drive(cmds)
    before, shown = maya.scene_hash(), poses(cmds)
    expected = SHAPES["obb"].project(locals_of(shown))
    jointlimits.project_live({"shoulder": SHAPES["obb"]}, **FORMS[form])
    assert angle_between(locals_of(poses(cmds)), expected).max() < TOLERANCE[form]
    jointlimits.stop_projecting("shoulder")
    assert maya.scene_hash() == before
    assert np.array_equal(poses(cmds), shown)


def test_what_drives_the_whole_rotate_comes_back_whole(maya, cmds, jointlimits):
    arm(cmds)
    cmds.createNode("transform", name="control")
    cmds.setAttr("control.rotateX", 80.0)
    cmds.connectAttr("control.rotate", "shoulder.rotate")
    before = maya.scene_hash()
    shown = rotate_of(cmds)
    jointlimits.project_live({"shoulder": SHAPES["box"]})
    expected = SHAPES["box"].project(locals_of(shown))
    assert angle_between(locals_of(rotate_of(cmds)), expected) < 1e-12
    jointlimits.stop_projecting("shoulder")
    assert maya.scene_hash() == before


@pytest.mark.thorough
def test_an_estimate_looks_past_a_projection(cmds, jointlimits, maya):
    """Else limits would be estimated from what limits made of the motion."""

    from jointlimits_maya.limits import api

    keyed_arm(cmds)
    for options in FORMS.values():
        before = api.read_motion("shoulder").rotate_deg("shoulder")
        jointlimits.project_live({"shoulder": SHAPES["box"]}, **options)
        assert np.array_equal(api.read_motion("shoulder").rotate_deg("shoulder"), before)
        jointlimits.stop_projecting("shoulder")


@pytest.mark.thorough
@pytest.mark.parametrize("form", FORMS)
def test_a_saved_scene_is_read_past_a_projection_and_opens_with_it(
    cmds, jointlimits, tmp_path, form
):
    keyed_arm(cmds)
    plain, kept = str(tmp_path / "plain.ma"), str(tmp_path / "kept.ma")
    _save(cmds, plain)
    jointlimits.project_live({"shoulder": SHAPES["box"]}, **FORMS[form])
    _save(cmds, kept)
    before = poses(cmds)
    first, second = read_motion(plain), read_motion(kept)
    assert np.array_equal(first.rotate_deg("shoulder"), second.rotate_deg("shoulder"))
    assert len(first.frames) == 40
    cmds.file(kept, open=True, force=True)
    assert np.array_equal(poses(cmds), before)


def _save(cmds, path):
    cmds.file(rename=path)
    cmds.file(save=True, force=True, type="mayaAscii")


# What is refused ----------------------------------------------------------------------------------


def refusal_of(jointlimits, maya, **options):
    """Projecting is refused, nothing changes; why."""
    before = maya.scene_hash()
    result = jointlimits.project_live({"shoulder": SHAPES["box"]}, **options)
    assert not result.projected
    assert maya.scene_hash() == before
    (one,) = result.skipped
    assert one.joint == "shoulder"
    assert one.advice
    return f"{one.attribute}: {one.reason}; {one.advice}"


@pytest.mark.parametrize(
    ("lock", "expected"),
    [
        (lambda cmds: cmds.setAttr("shoulder.rotateY", lock=True), "rotateY: locked; unlock"),
        (lambda cmds: cmds.lockNode("shoulder", lock=True), "the node is locked; unlock it"),
    ],
    ids=["channel", "node"],
)
def test_what_is_locked_is_refused(cmds, jointlimits, maya, lock, expected):
    keyed_arm(cmds)
    lock(cmds)
    assert expected in refusal_of(jointlimits, maya)


def test_a_joint_that_a_solver_turns_is_refused(cmds, jointlimits, maya):
    arm(cmds)
    scene = maya.scene
    handle = scene.create_node("ikHandle", "ik")
    effector = scene.create_node("ikEffector", "effector", scene.node("elbow"))
    scene.connect(Plug(scene.node("shoulder"), "message"), Plug(handle, "startJoint"))
    scene.connect(Plug(effector, "handlePath[0]"), Plug(handle, "endEffector"))
    assert "driven by an IK handle" in refusal_of(jointlimits, maya)


def test_quaternion_curves_are_refused(cmds, jointlimits, maya):
    keyed_arm(cmds)
    curve = maya.scene.node("shoulder_rotateX")
    keys = curve.keys
    maya.scene.set_keys(
        curve, Keys(keys.times, keys.values, rotation_interpolation=4, weighted=False)
    )
    assert "interpolated as quaternions" in refusal_of(jointlimits, maya)


def test_plain_nodes_refuse_what_they_cannot_hold(cmds, jointlimits, maya):
    keyed_arm(cmds)
    assert "do not support softness" in refusal_of(
        jointlimits, maya, plain_nodes=True, softness_deg=3.0
    )
    wide = SHAPES["box"].pad(3.2)
    result = jointlimits.project_live({"shoulder": wide}, plain_nodes=True)
    assert "beyond 180 degrees" in result.skipped[0].reason
    hull = {**SHAPES["box"].to_dict(), "region": {"kind": "ellipsoid"}}
    result = jointlimits.project_live({"shoulder": hull}, plain_nodes=True)
    assert result.skipped
    assert not result.projected


def test_a_joint_that_was_not_chosen_is_reported(cmds, jointlimits, maya):
    keyed_arm(cmds)
    result = jointlimits.project_live({"shoulder": SHAPES["box"], "hip": SHAPES["box"]})
    assert result.projected == ("shoulder",)
    assert [one.joint for one in result.skipped] == ["hip"]
    assert not result.is_complete


BROKEN = {**SHAPES["box"].to_dict(), "coordinates": {"kind": "rotation-vector"}}
NO_SHAPES = [None, "x", 3, [1], {"a": object()}, {"region": float("nan")}, {"region": 3}]


@pytest.mark.parametrize(
    ("form", "shape"),
    [
        ("project_live", BROKEN),
        *(
            pytest.param(form, shape, marks=pytest.mark.thorough)
            for form in ("project_live", "project_keys")
            for shape in NO_SHAPES
        ),
    ],
)
def test_what_is_no_shape_is_refused_with_its_reason(cmds, jointlimits, maya, form, shape):
    keyed_arm(cmds)
    before = maya.scene_hash()
    result = getattr(jointlimits, form)({"shoulder": shape})
    assert "invalid shape: " in result.skipped[0].reason
    assert maya.scene_hash() == before


# The node by itself -------------------------------------------------------------------------------


def hostile():
    """Texts that say what no shape is, each with a word of the node's answer."""
    box = SHAPES["box"].to_dict()

    def with_region(**region):
        return json.dumps({**box, "kind": region["kind"], "region": region})

    def with_centre(centre):
        return json.dumps({**box, "coordinates": {"kind": "rotation-vector", "centre": centre}})

    ways = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [-1, 0, 0], [0, -1, 0], [0, 0, -1]]
    yield with_centre(["nan"] * 4), "coordinates.centre[0]"
    yield with_centre([0] * 5), "expected 4 items"
    yield with_centre([]), "expected 4 items"
    yield with_centre([0] * 200_000), "expected 4 items"
    yield with_region(kind="hull", directions=ways, offsets_rad=[-0.3] * 6), "the region is empty"
    yield with_region(kind="hull", directions=ways, offsets_rad=[0.0] * 6), "the region is empty"
    yield (
        with_region(kind="hull", directions=ways[:5], offsets_rad=[0.3] * 5),
        "the region is unbounded",
    )
    yield with_region(kind="hull", directions=ways, offsets_rad=[0.3] * 4), "as in directions"
    yield with_region(kind="hull", directions=ways * 999, offsets_rad=[1] * 5994), "4 to 1024"
    yield (
        with_region(kind="kdop", directions=[[0, 0, 0]] * 6, offsets_rad=[1] * 6),
        "length 1, not 0",
    )
    yield with_region(kind="box", low=[-(10**400)] * 3, high=[1] * 3), "between -100 and 100"
    yield with_region(kind="box", low=[1] * 3, high=[-1] * 3), "at least low"
    yield with_region(kind="obb", low=[-1] * 3, high=[1] * 3, axes=[[0] * 3] * 3), "length 1, not 0"
    yield with_region(kind="wrap"), "missing"
    yield json.dumps({**box, "kind": "hull"}), "kind"
    yield "junk", "not JSON: "
    yield from ((text, "not a valid shape: ") for text in ("{}", '{"region": 3}', "[]"))
    yield "[" * 100_000, "nested"
    yield '{"region": NaN}', "NaN"
    yield '{"coordinates": {}, "region": {}, "more": 1e999}', "unknown field"


@pytest.mark.thorough
@pytest.mark.parametrize(("text", "expected"), list(hostile()), ids=range(22))
def test_a_hostile_text_on_the_node_lets_everything_pass_and_warns_once(
    cmds, jointlimits, maya, text, expected
):
    keyed_arm(cmds)
    before = poses(cmds, FRAMES)
    jointlimits.project_live({"shoulder": SHAPES["box"]})
    cmds.setAttr("shoulder_jointLimits.shape", text, type="string")
    maya.messages.clear()
    assert np.array_equal(poses(cmds, FRAMES), before)
    assert expected in cmds.getAttr("shoulder_jointLimits.problem")
    assert cmds.getAttr("shoulder_jointLimits.outside") == 0.0
    assert not maya.messages, "compute may run in another thread"
    maya.run_deferred()
    assert [kind for kind, _ in maya.messages] == ["warning"]


def test_a_new_node_without_a_shape_passes_in_silence(cmds, jointlimits, maya, undo):
    undo.load_plug_in()
    node = cmds.createNode("jointLimitProject")
    cmds.setAttr(f"{node}.inputRotateZ", 123.0)
    assert cmds.getAttr(f"{node}.outputRotateZ") == pytest.approx(123.0, abs=1e-12)
    assert cmds.getAttr(f"{node}.problem") == "no shape"
    assert not maya.messages


def test_all_outputs_are_computed_together_and_once_a_frame(cmds, jointlimits, maya):
    keyed_arm(cmds)
    jointlimits.project_live({"shoulder": SHAPES["box"]})
    maya.reset_counters()
    cmds.currentTime(25)
    for axis in "XYZ":
        cmds.getAttr(f"shoulder.rotate{axis}")
    cmds.getAttr("shoulder_jointLimits.outside")
    assert maya.counters["calls"]["jointLimitProject.compute"] == 1


def test_the_plug_in_stays_loaded_while_a_node_is_there(cmds, jointlimits, maya):
    keyed_arm(cmds)
    jointlimits.project_live({"shoulder": SHAPES["box"]})
    jointlimits.stop_projecting("shoulder")
    cmds.flushUndo()
    cmds.unloadPlugin("jointLimits")
    with pytest.raises(NotModelledError):
        cmds.createNode("jointLimitProject")
    jointlimits.project_live({"shoulder": SHAPES["box"]})
    cmds.flushUndo()
    with pytest.raises(RuntimeError, match="in use"):
        cmds.unloadPlugin("jointLimits")


def test_a_compute_that_reads_what_does_not_affect_it_is_caught(cmds, jointlimits, maya, undo):
    """The stand-in would let nobody forget attributeAffects."""
    from jointlimits_maya.projection.node import JointLimitProject

    undo.load_plug_in()
    node = cmds.createNode("jointLimitProject")
    outside = JointLimitProject.attributes["outside"]
    JointLimitProject.attributes["shape"] = outside
    with pytest.raises(NotModelledError, match="does not affect"):
        cmds.getAttr(f"{node}.outputRotateX")


# The command --------------------------------------------------------------------------------------


def test_the_command_puts_it_in_and_takes_it_out(cmds, jointlimits, maya, tmp_path, undo):
    undo.load_plug_in()
    keyed_arm(cmds)
    before = maya.scene_hash()
    limits = _limits_with_a_shape(jointlimits, tmp_path)
    reported = json.loads(cmds.projectJointLimits("shoulder", limits=str(limits), softness=1.0))
    assert reported["projected"] == ["shoulder"]
    assert reported["form"] == "jointLimitProject"
    assert "1 joint kept inside" in maya.messages[-1][1]
    assert cmds.getAttr("shoulder_jointLimits.softness") == pytest.approx(1.0)
    text = cmds.getAttr("shoulder_jointLimits.shape")
    assert text == compact_text(json.loads(text))
    cmds.undo()
    assert maya.scene_hash() == before
    cmds.redo()
    reported = json.loads(cmds.projectJointLimits("shoulder", projectOn=False))
    assert reported["stopped"] == ["shoulder"]
    assert maya.scene_hash() == before


def _limits_with_a_shape(jointlimits, folder):
    """A limit set as a file whose shoulder has a coupled limit."""
    from dataclasses import replace

    from jointlimits_core.limits.limit_set import write_limit_set
    from jointlimits_core.shapes.coupled_limit import CoupledLimit

    found = jointlimits.estimate("shoulder")
    data = SHAPES["box"].to_dict()
    coupled = CoupledLimit(
        kind="box",
        coordinates=data["coordinates"],
        region=data["region"],
        pad_deg=0.0,
        freedom=0.01,
        samples=40,
    )
    joints = {**found.joints, "shoulder": replace(found.joints["shoulder"], coupled=coupled)}
    path = folder / "hero.limits.json"
    write_limit_set(replace(found, joints=joints), path)
    return path


def test_limits_without_shapes_say_what_to_do(cmds, jointlimits, maya):
    keyed_arm(cmds)
    jointlimits.estimate("shoulder")
    with pytest.raises(jointlimits.SceneError, match="fit shapes first"):
        jointlimits.project_live(joints="shoulder")


@pytest.mark.thorough
def test_a_farm_without_numpy_computes_the_node():
    import subprocess
    import sys

    from tests.support.house_files import ROOT

    code = f"""
import sys
from tests.maya_standin import installed
with installed() as session:
    from maya import cmds
    sys.modules["numpy"] = None
    cmds.loadPlugin({str(ROOT / "plug-ins" / "jointLimits.py")!r})
    node = cmds.createNode("jointLimitProject")
    cmds.setAttr(node + ".shape", {compact_text(SHAPES["box"].to_dict())!r}, type="string")
    cmds.setAttr(node + ".inputRotateX", 100.0)
    print(cmds.getAttr(node + ".outside") > 20.0)
"""
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert run.stdout.strip() == "True", run.stderr


def test_a_session_forgets_the_node_of_another(tmp_path):
    with installed():
        from maya import cmds

        with pytest.raises(NotModelledError):
            cmds.createNode("jointLimitProject")


# Referenced characters ----------------------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.parametrize("form", FORMS)
def test_a_joint_of_a_reference_is_projected_and_undone(maya, cmds, jointlimits, tmp_path, form):
    keyed_arm(cmds)
    path = str(tmp_path / "rig.ma")
    _save(cmds, path)
    cmds.file(newFile=True, force=True)
    cmds.file(path, reference=True, namespace="rig")
    before = maya.scene_hash()
    shown = poses(cmds, joint="rig:shoulder")
    result = jointlimits.project_live({"rig:shoulder": SHAPES["box"]}, **FORMS[form])
    assert result.projected == ("rig:shoulder",)
    expected = SHAPES["box"].project(locals_of(shown))
    kept = poses(cmds, joint="rig:shoulder")
    assert angle_between(locals_of(kept), expected).max() < TOLERANCE[form]
    cmds.undo()
    assert maya.scene_hash() == before
    (reference,) = maya.scene.references
    reference.locked = True
    result = jointlimits.project_live({"rig:shoulder": SHAPES["box"]}, **FORMS[form])
    assert "in a locked reference" in result.skipped[0].reason
    keys = jointlimits.project_keys({"rig:shoulder": SHAPES["box"]})
    assert "in a locked reference" in keys.skipped[0].reason


@pytest.mark.parametrize("form", FORMS)
def test_nodes_that_cannot_be_removed_are_refused_by_name(maya, cmds, jointlimits, tmp_path, form):
    """In a reference, locked, or with a locked input; other joints are still changed."""
    keyed_arm(cmds)
    jointlimits.project_live({"shoulder": SHAPES["box"]}, **FORMS[form])
    path = str(tmp_path / "rig.ma")
    _save(cmds, path)
    cmds.lockNode("shoulder_jointLimits", lock=True)
    assert _refusals(maya, jointlimits, "shoulder") == {
        "shoulder_jointLimits, which keeps it inside, is locked"
    }
    cmds.lockNode("shoulder_jointLimits", lock=False)
    taken = {"node": "inputRotateX", "plain nodes": "inRotateX1"}[form]
    cmds.setAttr(f"shoulder_jointLimits.{taken}", lock=True)
    assert _refusals(maya, jointlimits, "shoulder") == {"locked"}
    cmds.file(newFile=True, force=True)
    cmds.file(path, reference=True, namespace="rig")
    (why,) = _refusals(maya, jointlimits, "rig:shoulder")
    assert why.startswith("rig:shoulder_jointLimits")
    assert why.endswith(", which keeps it inside, is in a referenced file")


def _refusals(maya, jointlimits, joint):
    """Why a projection is neither replaced nor removed; an elbow beside it gets another one."""
    before, found = maya.scene_hash(), set()
    stopped = jointlimits.stop_projecting(joint)
    assert (stopped.stopped, len(stopped.untouched)) == ((), 1)
    projected = jointlimits.project_live({joint: SHAPES["obb"]})
    assert not projected.projected
    for result in (stopped, projected):
        found |= {one.reason for one in result.skipped}
        assert all(one.advice for one in result.skipped)
    assert maya.scene_hash() == before
    return found


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("drive", [keyed_arm, arm])
def test_nodes_that_a_duplicate_shares_stay_for_the_other(maya, cmds, jointlimits, form, drive):
    drive(cmds)
    jointlimits.project_live({"shoulder": SHAPES["box"]}, **FORMS[form])
    cmds.createNode("joint", name="copied", parent="arm")
    for axis in "XYZ":
        output = {"node": f"outputRotate{axis}", "plain nodes": f"outRotate{axis}"}[form]
        cmds.connectAttr(f"shoulder_jointLimits.{output}", f"copied.rotate{axis}")
    before, shown = maya.scene_hash(), poses(cmds)
    assert jointlimits.stop_projecting("copied").stopped == ("copied",)
    assert np.array_equal(poses(cmds), shown)
    cmds.undo()
    assert maya.scene_hash() == before
    jointlimits.project_live({"copied": SHAPES["obb"].pad(0.2)})
    assert np.array_equal(poses(cmds), shown)
    jointlimits.stop_projecting(["shoulder", "copied"])
    assert not [node for node in maya.scene.nodes if "jointLimits" in node.name]


OUTPUTS = {"node": "outputRotate", "plain nodes": "outRotate"}


def _by_the_compound(cmds, output):
    for axis in "XYZ":
        cmds.disconnectAttr(f"{output}{axis}", f"shoulder.rotate{axis}")
    cmds.connectAttr(output, "shoulder.rotate")
    return {}


def _by_two_channels(cmds, output):
    cmds.disconnectAttr(f"{output}Z", "shoulder.rotateZ")
    return {}


def _by_two_channels_and_a_control(cmds, output):
    _by_two_channels(cmds, output)
    cmds.createNode("transform", name="control")
    cmds.connectAttr("control.rotateZ", "shoulder.rotateZ")
    return {"rotateZ": "control"}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "rewire", [_by_the_compound, _by_two_channels, _by_two_channels_and_a_control]
)
def test_nodes_that_were_connected_anew_are_replaced_and_removed(
    maya, cmds, jointlimits, form, rewire
):
    """Nothing that drives a channel is lost: neither its curve nor what took its place."""
    keyed_arm(cmds)
    jointlimits.project_live({"shoulder": SHAPES["box"]}, **FORMS[form])
    others = rewire(cmds, f"shoulder_jointLimits.{OUTPUTS[form]}")
    before, shown = maya.scene_hash(), poses(cmds)
    assert jointlimits.stop_projecting("shoulder").stopped == ("shoulder",)
    for channel in KEYS:
        source = others.get(channel, f"shoulder_{channel}")
        assert cmds.listConnections(f"shoulder.{channel}", source=True) == [source]
    assert not [node for node in maya.scene.nodes if "jointLimits" in node.name]
    cmds.undo()
    assert maya.scene_hash() == before
    assert np.array_equal(poses(cmds), shown)
    assert not jointlimits.project_live({"shoulder": SHAPES["box"].pad(0.1)}).skipped
    assert SHAPES["box"].pad(0.1 + 1e-9).contains(locals_of(poses(cmds))).all()


def test_a_channel_that_was_set_free_is_held_again_or_keeps_its_value(cmds, jointlimits):
    arm(cmds)
    jointlimits.project_live({"shoulder": SHAPES["box"]})
    assert jointlimits.project_live({"shoulder": SHAPES["box"]}).unchanged == ("shoulder",)
    cmds.disconnectAttr("shoulder_jointLimits.outputRotateZ", "shoulder.rotateZ")
    cmds.setAttr("shoulder.rotateZ", 7.0)
    jointlimits.stop_projecting("shoulder")
    assert cmds.getAttr("shoulder.rotateZ") == pytest.approx(7.0, abs=1e-12)
    cmds.undo()
    assert jointlimits.project_live({"shoulder": SHAPES["box"]}).projected == ("shoulder",)
