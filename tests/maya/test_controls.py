"""Limits on controls: chosen, read, written, checked, mirrored and cleared like those on joints."""

from __future__ import annotations

import json

import numpy as np
import pytest

from jointlimits_core.formats.maya_ascii.reader import read_maya_ascii
from tests.maya_standin.state import lines_but_modified
from tests.support.control_rigs import BENDS, body, members, turns
from tests.support.control_scenes import SCENES
from tests.support.control_scenes import scene as scene_file
from tests.support.driven_rigs import control, node, orient
from tests.support.maya_open_scenes import state
from tests.support.maya_reading import assert_same_motion, from_scene, open_file, opened_text
from tests.support.maya_scenes import connect, curve, write_scene

ENABLES = [f"{end}Rot{axis}LimitEnable" for axis in "XYZ" for end in ("min", "max")]
ARM = ["L_fk0_ctl", "L_fk1_ctl"]
SETS = members("inner", "L_fk1_ctl") + members("outer", "R_fk1_ctl", sets=["inner"])


@pytest.fixture
def opens(maya, cmds, tmp_path):
    """Opens a text; the scene, with the plug-in and an empty undo queue."""

    def load(text):
        opened_text(maya, tmp_path, text)
        from jointlimits_maya.scene import undo

        undo.load_plug_in()
        maya.undo_queue.flush()
        maya.scene.modified = True
        return maya

    return load


@pytest.fixture
def scene(opens):
    return opens(body() + SETS)


def on(cmds, name):
    return [one for one in ENABLES if cmds.getAttr(f"{name}.{one}")]


def choose(*names, **options):
    from jointlimits_maya.scene.joints import chosen_joints, joint_names

    return joint_names(chosen_joints(names, **options))


def refusal_of(run, *arguments, **options):
    from jointlimits_maya.base.host import SceneError

    with pytest.raises(SceneError) as caught:
        run(*arguments, **options)
    assert "\n" not in str(caught.value)
    return str(caught.value)


EVERY = ["global_ctl", *ARM, "R_fk0_ctl", "R_fk1_ctl"]
JOINTS = ["hips", "L_arm0", "L_arm1", "R_arm0", "R_arm1"]


@pytest.mark.usefixtures("scene")
@pytest.mark.parametrize(
    ("names", "options", "expected"),
    [
        (["rig"], {}, JOINTS),
        (["rig"], {"controls": True}, EVERY),
        (["rig"], {"controls": None}, [*JOINTS, *EVERY]),
        (["ctls"], {}, EVERY),
        (["L_fk0_npo"], {}, ARM),
        (["L_fk1_ctl.rotateZ"], {}, ARM[1:]),
        (["outer"], {}, ["L_fk1_ctl", "R_fk1_ctl"]),
        (["inner", "R_fk0_npo"], {"pattern": "L_*"}, ["L_fk1_ctl"]),
        ([], {"pattern": "*fk1*", "controls": True}, ["L_fk1_ctl", "R_fk1_ctl"]),
        ([], {"everything": True, "controls": True}, EVERY),
        (["hips", "L_fk0_ctl"], {"controls": True}, ARM),
    ],
)
def test_controls_by_names(names, options, expected):
    assert choose(*names, **options) == expected


def test_what_is_selected_decides_without_the_option(scene, cmds):
    cmds.select(ARM)
    assert choose() == ARM
    cmds.select("outer", noExpand=True)
    assert choose() == ["L_fk1_ctl", "R_fk1_ctl"]
    cmds.select("L_fk0_ctl", "hips")
    assert refusal_of(choose) == (
        "'L_fk0_ctl' is a control and 'hips' a joint; choose either controls or joints"
    )


def test_a_control_above_joints_stands_for_the_joints(opens, cmds):
    opens(control("main") + node("joint", "hips", "main") + node("joint", "knee", "hips"))
    cmds.select("main")
    assert choose() == ["hips", "knee"]
    assert choose(controls=True) == ["main"]


def test_names_are_those_of_controls_alone(opens):
    """A joint of the same name changes no control's name, and the other way round."""
    text = node("transform", "a") + control("arm", "a") + node("joint", "arm")
    text += node("transform", "b") + control("leg", "b") + node("transform", "leg", "a")
    opens(text + node("nurbsCurve", "legShape", "|a|leg"))
    assert choose(everything=True, controls=True) == ["arm", "|a|leg", "|b|leg"]
    assert choose(everything=True) == ["arm"]
    assert choose(everything=True, controls=None) == ["arm", "|a|arm", "|a|leg", "|b|leg"]


def test_a_choice_of_nothing_is_refused_in_a_sentence(scene, opens):
    assert refusal_of(choose, "L_oc0", controls=True).startswith("there are no controls below L_oc")
    assert refusal_of(choose, pattern="*_ctl") == (
        "there are no joints matching '*_ctl'; for its controls, use the option controls"
    )
    opens(node("joint", "hips"))
    assert refusal_of(choose, everything=True, controls=True) == (
        "there are no controls in the scene; select controls, or a group above them"
    )


def test_guides_are_no_controls(scene, jointlimits, cmds):
    from jointlimits_maya.scene.joints import chosen_joints
    from jointlimits_maya.window.guides import show_guides

    from tests.maya_standin.commands import drawing  # noqa: F401 (registers a command)

    limits = jointlimits.estimate("rig", controls=True)
    assert show_guides(limits, chosen_joints(["rig"], controls=True))
    assert choose(everything=True, controls=True) == EVERY


# --- reading --------------------------------------------------------------------------------------

PIVOTS = (
    '\tsetAttr ".rp" -type "double3" 1 2 3;\n\tsetAttr ".sp" -type "double3" 2 -1 4;\n'
    '\tsetAttr ".rpt" -type "double3" 0.5 0 -0.5;\n\tsetAttr ".spt" -type "double3" 0 1 0;\n'
    '\tsetAttr ".s" -type "double3" 1 2 0.5;\n\tsetAttr ".ra" -type "double3" 20 -30 40;\n'
    '\tsetAttr ".t" -type "double3" 3 4 5;\n\tsetAttr ".ro" 2;\n'
)
TURNED = control("a", "", PIVOTS) + node("transform", "g", "a", PIVOTS) + control("b", "g", PIVOTS)
TURNED += control("c", "b") + turns("a", "x", (0, 20, 40, 10)) + turns("b", "z", (5, -50, 9, 0))
TURNED += turns("c", "y", (5, -50, 9, 0))


@pytest.mark.parametrize("text", [body(), TURNED], ids=["rig", "pivots"])
def test_the_motion_of_controls_is_that_of_the_file(maya, tmp_path, text):
    opened_text(maya, tmp_path, text)
    found = from_scene({"everything": True, "controls": True})
    assert_same_motion(read_maya_ascii(tmp_path / "scene.ma", controls=True), found)
    assert not [one for one in found.findings if one.rule == "part-of-a-character"]


def test_controls_are_where_their_pivots_are(maya, tmp_path, cmds):
    """Against the world matrices of the stand-in, at a frame between keys."""
    opened_text(maya, tmp_path, TURNED)
    motion = from_scene({"everything": True, "controls": True})
    place = motion.frames.tolist().index(12.0)
    worlds = motion.all_world_matrices()[place]
    row = np.array(cmds.getAttr("c.worldMatrix[0]", time=12)).reshape(4, 4)
    np.testing.assert_allclose(worlds[2], row.T, atol=1e-9)
    np.testing.assert_allclose(worlds[0][:3, 3], [4.5, 6.0, 7.5], atol=1e-9)


def test_the_same_motion_gives_a_control_and_its_joint_the_same_limits(opens, jointlimits):
    """Joints without orientation of their own, and a control of each rotate order."""
    text = ""
    for number, order in enumerate(("xyz", "yzx", "zxy", "xzy", "yxz", "zyx")):
        ctl, joint = f"{order}_ctl", f"{order}_jnt"
        more = f'\tsetAttr ".ro" {number};\n'
        text += (
            control(ctl, "", more)
            + node("joint", f"{order}_top")
            + node("joint", joint, f"{order}_top", more)
        )
        text += orient(ctl, joint, f"{order}_oc")
        for axis, values in BENDS["L_fk0_ctl"].items():
            text += turns(ctl, axis, values)
    opens(text)
    options = {"everything": True, "limit_root": True}
    joints = jointlimits.estimate(**options)
    controls = jointlimits.estimate(controls=True, **options)
    for name, found in controls.joints.items():
        own = joints.joints[name.replace("_ctl", "_jnt")]
        for channel, axis in found.limits.items():
            other = own.limits[channel]
            assert axis.state == other.state == "limited"
            assert axis.min_deg == pytest.approx(other.min_deg, abs=1e-6)
            assert axis.max_deg == pytest.approx(other.max_deg, abs=1e-6)


def test_limits_on_a_control_do_not_clamp_what_is_read_of_its_joint(opens, cmds):
    opens(body())
    free = from_scene({"root": "hips"}).rotates
    cmds.setAttr("L_fk1_ctl.maxRotZLimit", 20)
    cmds.setAttr("L_fk1_ctl.maxRotZLimitEnable", True)
    before = cmds.getAttr("L_fk1_ctl.maxRotZLimitEnable")
    np.testing.assert_allclose(from_scene({"root": "hips"}).rotates, free, atol=1e-12)
    assert cmds.getAttr("L_fk1_ctl.maxRotZLimitEnable") == before


REFUSED_BY_MAYA = ("a missing file", "a constrained control", "joints and controls")
"""Scenes that open with errors, as they connect plugs twice or miss their rig."""
EVALUATED = ("a driven key", "two rotate orders")
"""Scenes of which Maya evaluates more than the file reader does."""
OTHERS = ("no keys", "no controls", "a prefix", "a locked reference")
"""Scenes without keys or controls, and with what the stand-in reads in another way."""


@pytest.mark.thorough
@pytest.mark.parametrize("name", sorted({*SCENES} - {*REFUSED_BY_MAYA, *OTHERS}))
def test_scenes_as_from_the_file_and_then_limited_and_cleared(
    maya, cmds, tmp_path, jointlimits, name
):
    path, options = scene_file(tmp_path, name), {"everything": True, "controls": True}
    open_file(maya, path)
    found = from_scene(options)
    if name not in EVALUATED:
        assert_same_motion(read_maya_ascii(path, controls=True), found)
    before = shown(cmds)
    done = jointlimits.apply(jointlimits.estimate(**options), **options)
    after = shown(cmds)
    assert done.written
    assert not done.clips
    assert max(abs(before[one] - after[one]) for one in before if "rotate" in one) < 1e-6
    jointlimits.clear(**options)
    assert shown(cmds) == before


def shown(cmds):
    """Rotate channels of all controls at every frame, and which limits are on, as Maya shows."""
    names = choose(everything=True, controls=True)
    channels = [f"{name}.rotate{axis}" for name in names for axis in "XYZ"]
    values = {f"{one} {at}": cmds.getAttr(one, time=at) for one in channels for at in range(1, 25)}
    return {**values, **{name: on(cmds, name) for name in names}}


def test_a_scene_without_controls_is_refused(maya, tmp_path):
    open_file(maya, scene_file(tmp_path, "no controls"))
    assert "there are no controls" in refusal_of(choose, everything=True, controls=True)


# --- writing --------------------------------------------------------------------------------------


@pytest.mark.parametrize("names", [ARM, ["rig"]])
def test_apply_switch_check_clear_and_undo(scene, cmds, jointlimits, names):
    before = state(scene)
    limits = jointlimits.estimate(ARM)
    assert state(scene) == before
    done = jointlimits.apply(limits, names)
    assert set(done.written) == set(ARM)
    assert not done.skipped
    assert not done.following
    assert on(cmds, "L_fk0_ctl") == ENABLES
    assert cmds.getAttr("L_fk1_ctl.maxRotZLimit") == pytest.approx(130.0, abs=1e-6)
    after = state(scene)
    assert not jointlimits.apply(limits, names).written
    assert state(scene) == after
    assert jointlimits.check(limits, names).passed
    assert jointlimits.check(None, names).passed
    switched = jointlimits.switch_limits(False, names).switched
    assert set(switched) == set(ARM)
    assert not on(cmds, "L_fk0_ctl")
    jointlimits.switch_limits(True, names)
    assert on(cmds, "L_fk0_ctl") == ENABLES
    cmds.undo()
    cmds.undo()
    cmds.undo()
    assert state(scene) == before
    cmds.redo()
    assert state(scene) == after
    assert set(jointlimits.clear(names).restored) == set(ARM)
    assert lines_but_modified(scene.scene) == [
        line for line in before if not line.startswith("file ")
    ]


def test_the_latest_estimate_is_found_by_the_same_choice(scene, cmds, jointlimits):
    controls = jointlimits.estimate("rig", controls=True)
    assert set(jointlimits.apply(None, "rig").written) == set(ARM) | {"R_fk0_ctl"}
    joints = jointlimits.estimate("rig")
    assert set(jointlimits.apply(None, "rig", enable_driven=True).written) <= set(JOINTS)
    from jointlimits_maya.scene.estimates import latest
    from jointlimits_maya.scene.joints import chosen_joints

    assert latest(chosen_joints(["rig"])) == joints
    assert latest(chosen_joints(["rig"], controls=True)) == controls
    assert latest(chosen_joints(["L_fk0_ctl"])) == controls


def test_joints_that_follow_stay_off_and_their_controls_do_not(scene, cmds, jointlimits):
    jointlimits.apply(jointlimits.estimate("hips", limit_root=True), "hips")
    done = jointlimits.apply(jointlimits.estimate(ARM), ARM)
    assert not done.following
    assert on(cmds, "L_fk0_ctl")
    assert not on(cmds, "L_arm0")
    assert set(jointlimits.clear("rig").restored) >= {*ARM, "L_arm0", "L_arm1"}


def test_two_buttons_for_selected_controls(scene, cmds, jointlimits):
    from jointlimits_maya import interactive

    cmds.select(ARM)
    before = state(scene)
    assert interactive.estimate()
    assert interactive.apply()
    assert on(cmds, "L_fk1_ctl")
    assert scene.messages[-1][1].startswith("Joint Limits: Limits written on 2 controls")
    cmds.undo()
    assert state(scene) == before


def test_the_commands_take_the_flag(scene, cmds):
    data = json.loads(cmds.estimateJointLimits("rig", controls=True))
    assert set(data["joints"]) == set(EVERY)
    assert json.loads(cmds.estimateJointLimits("rig", query=True, ctl=True))
    written = json.loads(cmds.applyJointLimits("rig", controls=True))["written"]
    assert "L_fk0_ctl" in written
    assert set(json.loads(cmds.applyJointLimits("rig", query=True, controls=True))) == set(EVERY)
    assert json.loads(cmds.checkJointLimits("rig", controls=True))["passed"]


def test_mirroring_gives_the_other_side_its_limits(scene, cmds, jointlimits):
    jointlimits.apply(jointlimits.estimate(ARM), ARM)
    before = state(scene)
    done = jointlimits.mirror_limits("L_fk1_ctl")
    assert set(done.written) == {"R_fk1_ctl"}
    ends = sorted(abs(cmds.getAttr(f"R_fk1_ctl.{end}RotZLimit")) for end in ("min", "max"))
    assert ends == pytest.approx([0.0, 130.0], abs=1e-6)
    cmds.undo()
    assert state(scene) == before


def arms(more_left="", more_right="", group="0 0 0"):
    """A control on each side, below a group; the left one has keys."""
    text = control("main") + node("joint", "hips")
    for side, x, turn, more in (("L", 10, "0 0 0", more_left), ("R", -10, group, more_right)):
        place = f'\tsetAttr ".t" -type "double3" {x} 0 0;\n\tsetAttr ".r" -type "double3" {turn};\n'
        text += node("transform", f"{side}_npo", "main", place)
        text += control(f"{side}_arm_ctl", f"{side}_npo", more)
        text += node("transform", f"{side}_end_npo", f"{side}_arm_ctl", f'\tsetAttr ".tx" {x};\n')
        text += control(f"{side}_hand_ctl", f"{side}_end_npo")
    for axis, values in {"x": (-10, 40, 0, 0), "y": (0, -20, 25, 0), "z": (-30, 0, 15, 0)}.items():
        text += turns("L_arm_ctl", axis, values)
    return text


AXIS = '\tsetAttr ".ra" -type "double3" 0 {} 0;\n'


@pytest.mark.parametrize(
    ("rig", "expected"),
    [
        (arms(), {"X": (-10, 40), "Y": (-25, 20), "Z": (-15, 30)}),
        # Behaviour that is mirrored by a turned group: all three channels keep their signs.
        (arms(group="180 0 0"), {"X": (-10, 40), "Y": (-20, 25), "Z": (-30, 15)}),
        (arms(AXIS.format(30), AXIS.format(-30)), {"X": (-10, 40), "Y": (-25, 20), "Z": (-15, 30)}),
    ],
)
def test_mirroring_follows_groups_and_rotate_axes(opens, cmds, jointlimits, rig, expected):
    opens(rig)
    jointlimits.apply(jointlimits.estimate("L_arm_ctl"), "L_arm_ctl")
    assert set(jointlimits.mirror_limits("L_arm_ctl").written) == {"R_arm_ctl"}
    for axis, ends in expected.items():
        found = [cmds.getAttr(f"R_arm_ctl.{end}Rot{axis}Limit") for end in ("min", "max")]
        assert found == pytest.approx(ends, abs=1e-3)


def test_mirroring_into_another_rotate_order_is_refused_by_name(opens, cmds, jointlimits):
    scene = opens(arms(more_right='\tsetAttr ".ro" 5;\n'))
    jointlimits.apply(jointlimits.estimate("L_arm_ctl"), "L_arm_ctl")
    before = state(scene)
    why = "channels of L_arm_ctl and R_arm_ctl do not map one to one"
    with pytest.raises(ValueError, match=why):
        jointlimits.mirror_limits("L_arm_ctl")
    assert state(scene) == before


def test_keys_are_not_clamped_in_silence(scene, cmds, jointlimits):
    limits = jointlimits.estimate(ARM)
    cmds.setKeyframe("L_fk1_ctl", attribute="rotateZ", time=30, value=170)
    done = jointlimits.apply(limits, ARM)
    assert [(one.joint, one.channel) for one in done.left_off] == [("L_fk1_ctl", "rotateZ")]
    assert "maxRotZLimitEnable" not in on(cmds, "L_fk1_ctl")


def test_suggested_orientations_are_refused_by_name(scene, jointlimits):
    from dataclasses import replace

    from tests.support.reoriented_arm import random_advice

    limits = jointlimits.estimate(ARM)
    joint, advice = limits.joints["L_fk1_ctl"], random_advice(ARM, 3)["L_fk1_ctl"]
    turned = replace(joint.orientation, kind="advised")
    joint = replace(joint, orientation=turned, advice=advice)
    before = state(scene)
    done = jointlimits.apply(
        replace(limits, joints={"L_fk1_ctl": joint}), ARM, reorient="R", replace=True
    )
    (skipped,) = done.skipped
    assert skipped.joint == "L_fk1_ctl"
    assert "a control keeps its own" in skipped.reason
    assert state(scene) == before


# --- bad input ------------------------------------------------------------------------------------

LOCKS = '\tsetAttr -l on ".mnrl";\n\tsetAttr -l on ".mxrl";\n'
DRIVEN_KEY = (
    curve("sdk", [(0, 0), (10, 40)], "animCurveUA")
    + connect("a.ty", "sdk.i")
    + connect("sdk.o", "b.rz")
)
TWO = control("a") + control("b", "a")


def written_with(opens, jointlimits, text, **options):
    """Estimate and apply to the controls of a text; the result and whether the scene changed."""
    scene = opens(text)
    limits = jointlimits.estimate(everything=True, controls=True, limit_root=True)
    before = lines_but_modified(scene.scene)
    done = jointlimits.apply(limits, everything=True, controls=True, **options)
    assert lines_but_modified(scene.scene) == before or done.written
    return done, before, scene


def test_controls_without_keys_are_refused(opens, jointlimits):
    from jointlimits_core.base.errors import EstimationError

    scene = opens(TWO)
    before = state(scene)
    with pytest.raises(EstimationError) as caught:
        jointlimits.estimate("a")
    assert "\n" not in str(caught.value)
    assert state(scene) == before


def test_a_driven_rotate_order_is_named(opens, jointlimits):
    text = TWO + turns("b", "z", (0, 10, 20, 30)) + curve("ro", [(1, 0), (24, 3)], "animCurveTU", 5)
    scene = opens(text + connect("ro.o", "b.ro"))
    before = state(scene)
    limits = jointlimits.estimate("a")
    assert any("rotateOrder" in one.message for one in limits.joints["b"].findings)
    assert state(scene) == before


def test_a_control_below_a_turning_group_gets_the_limits_of_its_channels(opens, jointlimits, cmds):
    text = control("a") + node("transform", "g", "a") + control("b", "g")
    text += turns("b", "z", (0, 10, 20, 30)) + turns("g", "x", (0, 40, 0, 0))
    done, _, _ = written_with(opens, jointlimits, text)
    assert done.is_complete
    assert cmds.getAttr("b.minRotZLimit") == pytest.approx(0.0)
    assert cmds.getAttr("b.maxRotZLimit") == pytest.approx(30.0)
    (note,) = jointlimits.estimate("a", controls=True).joints["b"].findings
    assert note.rule == "turned-above"
    assert "'g' (transform) above it; limits on its rotate channels hold" in note.message


def test_locked_limits_are_skipped_by_name(opens, jointlimits):
    text = control("a") + control("b", "a", LOCKS) + turns("b", "z", (0, 10, 20, 30))
    done, _, _ = written_with(opens, jointlimits, text)
    assert {one.joint for one in done.skipped} == {"b"}
    assert not done.written


def test_a_control_that_driven_keys_turn_is_left_off_and_named(opens, jointlimits, cmds):
    text = TWO + DRIVEN_KEY + curve("up", [(1, 0), (24, 10)], "animCurveTL")
    done, _, _ = written_with(opens, jointlimits, text + connect("up.o", "a.ty"), lock_unmoved=True)
    assert done.following == ("b",)
    assert (done.drivers["b"].name, done.drivers["b"].control) == ("sdk", "a")
    assert not on(cmds, "b")


@pytest.mark.parametrize("replaces", [False, True])
def test_limits_that_somebody_made_are_kept_until_replaced(opens, jointlimits, cmds, replaces):
    somebodys = '\tsetAttr ".mxrze" yes;\n\tsetAttr ".mxrl" -type "double3" 45 45 99;\n'
    somebodys = somebodys.replace("mxrze", "xrze")
    text = control("a") + control("b", "a", somebodys) + turns("b", "z", (0, 10, 20, 30))
    done, before, scene = written_with(opens, jointlimits, text, replace=replaces)
    if replaces:
        assert cmds.getAttr("b.maxRotZLimit") == pytest.approx(30.0)
        jointlimits.clear("b")
        assert lines_but_modified(scene.scene) == before
    else:
        (skipped,) = done.skipped
        assert (skipped.joint, skipped.reason) == ("b", "has limits already")
        assert lines_but_modified(scene.scene) == before


def test_a_locked_node_is_skipped_by_name(opens, jointlimits, cmds):
    opens(TWO + turns("b", "z", (0, 10, 20, 30)))
    limits = jointlimits.estimate("a")
    cmds.lockNode("b", lock=True)
    done = jointlimits.apply(limits, "a")
    assert [(one.joint, one.reason) for one in done.skipped] == [("b", "the node is locked")]


def test_nodes_that_keep_shapes_are_not_put_on_controls(opens, jointlimits):
    from tests.support.maya_projecting import shapes

    scene = opens(TWO + turns("b", "z", (0, 10, 20, 30)))
    before = state(scene)
    done = jointlimits.project_live({"b": shapes()["box"]}, "a")
    assert [one.reason for one in done.skipped] == ["a control, which is posed by hand"]
    assert state(scene) == before


def test_controls_of_a_reference_get_reference_edits(maya, cmds, tmp_path, jointlimits):
    rig = write_scene(tmp_path, body(bends={}), "rig.ma")
    keys = turns(f"shot:{ARM[1]}", "z", BENDS[ARM[1]]["z"])
    text = f'file -r -ns "shot" -rfn "shotRN" -typ "mayaAscii" "{rig}";\n' + keys
    opened_text(maya, tmp_path, text, name="shot.ma")
    limits = jointlimits.estimate(namespace="shot", controls=True)
    done = jointlimits.apply(limits, namespace="shot", controls=True)
    assert set(done.written) == {f"shot:{ARM[1]}"}
    edits = str(maya.scene.references[0].edits)
    assert "maxRotZLimitEnable" in edits
    jointlimits.clear(namespace="shot", controls=True)
    assert not on(cmds, f"shot:{ARM[1]}")
