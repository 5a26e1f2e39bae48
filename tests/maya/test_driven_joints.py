"""Joints that controls drive: named before Apply, and written with their limits off."""

from __future__ import annotations

import json

import numpy as np
import pytest

from jointlimits_core.base.findings import DRIVEN, FOLLOWS_CONTROL
from tests.maya_standin.state import lines_but_modified
from tests.support.driven_rigs import (
    CHAIN,
    DRIVEN_KEY,
    LOCKED,
    RIGS,
    control,
    keyed,
    node,
    orient,
    rig,
    some_quick,
)
from tests.support.maya_open_scenes import state
from tests.support.maya_reading import from_scene, opened_text
from tests.support.maya_scenes import connect, write_scene

FOLLOWING = [name for name, (_, driver) in RIGS.items() if driver and len(driver) == 3]
ENABLES = [f"{end}Rot{axis}LimitEnable" for axis in "XYZ" for end in ("min", "max")]


@pytest.fixture
def opens(maya, cmds, tmp_path):
    """Opens a rig of the table or a text; the scene, with an empty undo queue."""

    def load(body):
        opened_text(maya, tmp_path, rig(body)[0] if body in RIGS else body)
        return maya

    return load


def on(cmds, joint="arm"):
    return [name for name in ENABLES if cmds.getAttr(f"{joint}.{name}")]


@pytest.mark.parametrize("name", RIGS)
def test_the_motion_names_what_drives_a_joint(opens, name):
    scene = opens(name)
    before = state(scene)
    found = [one for one in from_scene().findings if one.driver and one.joint == "arm"]
    expected = rig(name)[1]
    assert [one.driver for one in found] == ([] if expected is None else [expected])
    for one in found:
        assert one.rule == (FOLLOWS_CONTROL if expected.control else DRIVEN)
    assert state(scene) == before


def test_a_loop_is_searched_once(opens):
    from jointlimits_maya.read.drivers import Drivers
    from jointlimits_maya.read.joint_drivers import drivers_of_joints

    opens("a loop")
    found = drivers_of_joints({"arm": "|hip|arm"}, Drivers(solved={}))
    assert found == {"arm": rig("a loop")[1]}


@pytest.mark.parametrize("name", some_quick(FOLLOWING))
def test_limits_are_written_but_off_until_asked(opens, cmds, jointlimits, name):
    scene = opens(name)
    limits = jointlimits.estimate("hip", limit_root=True)
    assert any(one.rule == FOLLOWS_CONTROL for one in limits.joints["arm"].findings)
    before = lines_but_modified(scene.scene)
    done = jointlimits.apply(limits, "hip", lock_unmoved=True)
    limited = [c for c, axis in limits.joints["arm"].limits.items() if axis.state != "free"]
    assert done.following == (("hip", "arm") if "IK" in name else ("arm",))
    assert not on(cmds)
    assert on(cmds, "hand"), "others get their limits as before"
    for channel in limited:
        low = limits.joints["arm"].limits[channel].min_deg
        assert cmds.getAttr(f"arm.minRot{channel[-1]}Limit") == pytest.approx(low, abs=0.1)
    jointlimits.clear("hip")
    assert lines_but_modified(scene.scene) == before
    done = jointlimits.apply(limits, "hip", lock_unmoved=True, enable_driven=True, may_move=True)
    assert not done.following
    assert len(on(cmds)) == 2 * len(limited)
    jointlimits.clear("hip")
    assert lines_but_modified(scene.scene) == before


DRIVEN_ARM = CHAIN + control() + keyed("ctl") + orient("ctl")


@pytest.fixture
def arm(opens, jointlimits):
    """An arm that follows a control, and its limits."""
    scene = opens(DRIVEN_ARM)
    return scene, jointlimits.estimate("hip", limit_root=True)


def test_undo_redo_and_a_second_apply(arm, cmds, jointlimits):
    scene, limits = arm
    before = lines_but_modified(scene.scene)
    jointlimits.apply(limits, "hip")
    after = state(scene)
    again = jointlimits.apply(limits, "hip")
    assert not again.written
    assert again.following == ("arm",)
    assert state(scene) == after
    cmds.undo()
    assert lines_but_modified(scene.scene) == before
    cmds.redo()
    assert state(scene) == after


def test_limits_on_and_off_never_turn_them_on(arm, cmds, jointlimits):
    scene, limits = arm
    jointlimits.apply(limits, "hip")
    after = state(scene)
    assert "arm" not in jointlimits.switch_limits(False, "hip").switched
    back = jointlimits.switch_limits(True, "hip")
    assert (back.following, back.skipped) == (("arm",), ())
    assert not on(cmds)
    assert state(scene) == after


def test_what_was_turned_on_by_request_comes_back(arm, cmds, jointlimits):
    _, limits = arm
    jointlimits.apply(limits, "hip")
    jointlimits.apply(limits, "hip", enable_driven=True)
    asked = on(cmds)
    assert asked
    jointlimits.switch_limits(False, "hip")
    assert not on(cmds)
    assert not jointlimits.switch_limits(True, "hip").following
    assert on(cmds) == asked
    done = jointlimits.apply(limits, "hip")
    assert done.following == ("arm",)
    assert not on(cmds)


def test_a_limit_that_somebody_turned_on_stays_on(arm, cmds, jointlimits):
    _, limits = arm
    jointlimits.apply(limits, "hip")
    cmds.setAttr("arm.minRotZLimitEnable", True)
    done = jointlimits.apply(limits, "hip")
    assert [one.joint for one in done.skipped] == ["arm"]
    assert on(cmds) == ["minRotZLimitEnable"]
    assert jointlimits.clear("hip").changed_since == {"arm": ("minRotZLimitEnable",)}
    assert not on(cmds)


def test_a_check_without_an_estimate_uses_the_limits_that_are_off(arm, cmds, jointlimits):
    from jointlimits_maya.read.limits import limits_on_joints
    from jointlimits_maya.scene.joints import chosen_joints

    _, limits = arm
    jointlimits.apply(limits, "hip")
    found = limits_on_joints(chosen_joints(["hip"]))
    own, wanted = (one.joints["arm"].limits["rotateZ"] for one in (found, limits))
    assert own.state == "limited"
    assert own.max_deg == pytest.approx(wanted.max_deg, abs=1e-6)


def test_a_joint_that_gets_a_control_later_loses_its_limit(opens, cmds, jointlimits):
    opens(CHAIN + keyed("arm") + control())
    limits = jointlimits.estimate("hip", limit_root=True)
    jointlimits.apply(limits, "hip")
    assert on(cmds)
    cmds.delete("arm_z")
    cmds.connectAttr("ctl.rotateZ", "arm.rotateZ")
    assert jointlimits.apply(limits, "hip").following == ("arm",)
    assert not on(cmds)


def test_a_recorded_skeleton_that_drives_another_gets_its_limits_as_before(
    opens, cmds, jointlimits
):
    opens("a recorded joint")
    done = jointlimits.apply(jointlimits.estimate("hip", limit_root=True), "hip")
    assert done.drivers["arm"] == rig("a recorded joint")[1]
    assert not done.following
    assert on(cmds)


def test_the_commands_say_so(maya_with_plug_in, tmp_path):
    from maya import cmds

    opened_text(maya_with_plug_in, tmp_path, DRIVEN_ARM)
    data = json.loads(cmds.estimateJointLimits("hip", limitRoot=True))
    (about,) = (one for one in data["joints"]["arm"]["findings"] if "driver" in one)
    assert about["driver"] == {"name": "oc", "kind": "orientConstraint", "control": "ctl"}
    data = json.loads(cmds.applyJointLimits("hip"))
    assert data["following"] == ["arm"]
    assert data["drivers"]["arm"]["control"] == "ctl"
    message = maya_with_plug_in.messages[-1][1]
    assert "; 1 left off: arm follows ctl, and a limit here would separate" in message
    assert "the flag enableDriven overrides this" in message
    cmds.switchJointLimits("hip", limitsOn=True)
    message = maya_with_plug_in.messages[-1][1]
    assert message.endswith(
        "Limits switched on on 0 joints; 1 left off because they follow controls "
        "(apply them with the flag enableDriven)."
    )
    assert json.loads(cmds.applyJointLimits("hip", enableDriven=True))["following"] == []


REFERENCED = (
    'file -rdi 1 -ns "c" -dr 1 -rfn "cRN" -typ "mayaAscii" "ctl.ma";\n'
    'file -r -ns "c" -dr 1 -rfn "cRN" -typ "mayaAscii" "ctl.ma";\n'
    'createNode reference -n "cRN";\n\tsetAttr -s 2 ".phl";\n\tsetAttr ".phl[1]" 0;\n'
    '\tsetAttr ".ed" -type "dataReferenceEdits" "cRN" "cRN" 1 5 3 "cRN" "|c:ctl.rotateZ" '
    '"cRN.placeHolderList[1]" "";\n'
)
LOOP = node("multiplyDivide", "a") + node("multiplyDivide", "b")
LOOP += connect("a.o", "b.i1") + connect("b.o", "a.i1")
ODD = {
    "a reference": (REFERENCED + CHAIN + connect("cRN.phl[1]", "arm.rz"), "cRN (not loaded)"),
    "a driven key of a reference": (
        REFERENCED
        + CHAIN
        + DRIVEN_KEY
        + connect("cRN.phl[1]", "sdk.i")
        + connect("sdk.o", "arm.rz"),
        "cRN (not loaded)",
    ),
    "a loop": (CHAIN + LOOP + connect("a.ox", "arm.rx"), ""),
    "a loop with a control": (
        CHAIN + LOOP + control() + connect("ctl.t", "b.i2") + connect("a.ox", "arm.rx"),
        "ctl",
    ),
    "a control below a loop": (
        CHAIN + LOOP + control() + connect("a.o", "ctl.t") + orient("ctl"),
        "ctl",
    ),
}


@pytest.mark.parametrize("name", ODD)
def test_odd_drivers_go_through_estimate_and_apply(opens, cmds, jointlimits, tmp_path, name):
    """A reference that is not loaded may hold a control; of cycles, Maya only warns."""
    body, wanted = ODD[name]
    write_scene(tmp_path, control() + keyed("ctl"), "ctl.ma")
    scene = opens(body)
    before = lines_but_modified(scene.scene)
    limits = jointlimits.estimate("hip", limit_root=True)
    assert lines_but_modified(scene.scene) == before
    (about,) = (one for one in limits.joints["arm"].findings if one.driver)
    assert about.driver.control == wanted
    assert "\n" not in about.message
    done = jointlimits.apply(limits, "hip", lock_unmoved=True)
    assert done.following == (("arm",) if wanted else ())
    assert bool(on(cmds)) != bool(wanted)
    jointlimits.clear("hip")
    assert lines_but_modified(scene.scene) == before


@pytest.mark.parametrize("obstacle", ["lockNode", "lock", "namespace", "metres", "radians"])
def test_bad_input_is_one_sentence_and_changes_nothing(arm, cmds, jointlimits, obstacle):
    scene, limits = arm
    if obstacle == "lockNode":
        cmds.lockNode("arm", lock=True)
    elif obstacle == "lock":
        cmds.setAttr("arm.minRotZLimitEnable", lock=True)
    elif obstacle == "namespace":
        cmds.namespace(addNamespace="shot")
        cmds.namespace(setNamespace="shot")
    elif obstacle == "metres":
        cmds.currentUnit(linear="m")
    else:
        cmds.currentUnit(angle="rad")
    before = lines_but_modified(scene.scene)
    done = jointlimits.apply(limits, "hip")
    assert {one.joint for one in done.skipped} == ({"arm"} if "lock" in obstacle else set())
    assert done.following == (() if obstacle == "lockNode" else ("arm",))
    assert not on(cmds)
    jointlimits.clear("hip")
    assert lines_but_modified(scene.scene) == before


KINDS = (
    ("recorded", lambda source, joint: node("joint", source) + keyed(source), False),
    ("locked", lambda source, joint: node("transform", source, "", LOCKED), False),
    ("keyed", lambda source, joint: node("transform", source) + keyed(source), True),
    ("shape", lambda source, joint: control(source, more=LOCKED), True),
    ("free", lambda source, joint: node("transform", source), True),
)


@pytest.mark.parametrize(
    "seed", [*range(3), *(pytest.param(one, marks=pytest.mark.thorough) for one in range(3, 12))]
)
def test_random_rigs_are_named_left_off_and_restored(opens, cmds, jointlimits, seed):
    """Chains of joints, each constrained to, or copied from, a source of a random kind."""
    rng = np.random.default_rng(seed)
    body, follows = CHAIN, {}
    for joint in ("arm", "hand"):
        kind, make, is_control = KINDS[rng.integers(len(KINDS))]
        source = f"{joint}_{kind}"
        body += make(source, joint)
        if rng.random() < 0.3:  # another joint in between
            body += node("joint", f"{joint}_fk") + orient(source, f"{joint}_fk", f"{joint}_fkc")
            source = f"{joint}_fk"
        copied = rng.random() < 0.4
        body += (
            connect(f"{source}.r", f"{joint}.r") if copied else orient(source, joint, f"{joint}_c")
        )
        follows[joint] = f"{joint}_{kind}" if is_control else ""
    scene = opens(body)
    before = lines_but_modified(scene.scene)
    named = {
        one.joint: one.driver.control for one in from_scene({"root": "hip"}).findings if one.driver
    }
    assert named == follows
    limits = jointlimits.estimate("hip", limit_root=True)
    done = jointlimits.apply(limits, "hip", lock_unmoved=True)
    for joint in ("hip", "arm", "hand"):
        assert (joint in done.following) == bool(follows.get(joint))
        assert not (follows.get(joint) and on(cmds, joint))
    jointlimits.clear("hip")
    assert lines_but_modified(scene.scene) == before
