"""Rigs made to break limits on controls: from Estimate to Apply, and one undo."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from tests.maya_standin.state import lines_but_modified
from tests.support.controlled_rigs import X, Y, Z, chain, keys, triple
from tests.support.driven_rigs import DRIVEN_KEY, LOCKED, control, keyed, node, orient
from tests.support.maya_reading import opened_text
from tests.support.maya_scenes import connect, curve, write_scene

BALL = keys("ctl", x=X, y=Y, z=Z)
OTHERS = (
    'setAttr ".mnrl" -type "double3" -10 -20 -30;setAttr ".mxrl" -type "double3" 10 20 30;\n'
    'setAttr ".mrze" yes;setAttr ".xrze" yes;\n'
)
OFFSET = '\tsetAttr "oc.o" -type "double3" 10 20 -30;\n'
HELD = '\tsetAttr -l on ".rz";\n'


class Case(NamedTuple):
    """A rig. `control`: what is chosen; `joint`: what it drives; `words`: what is said, if any."""

    body: str
    control: tuple = ("ctl",)
    joint: str = "hip"
    words: str = ""


CASES = {
    "a constraint with an offset": Case(chain() + control() + BALL + orient("ctl") + OFFSET),
    "two controls of one joint": Case(
        chain()
        + control()
        + control("sub", "ctl")
        + BALL
        + keyed("sub", [(1, 0), (24, 35)])
        + orient("sub"),
        ("ctl", "sub"),
    ),
    "a control in a locked group": Case(
        chain()
        + node("transform", "grp", "", triple("r", 10, 20, 30) + LOCKED)
        + control(parent="grp")
        + BALL
        + orient("ctl")
    ),
    "limits of somebody else": Case(
        chain() + control(more=OTHERS) + keyed("ctl", [(1, -20), (24, 25)]) + orient("ctl"),
        words="replace",
    ),
    "keys on two rotate orders": Case(
        chain()
        + control()
        + BALL
        + curve("order", [(1, 0), (12, 0), (13, 5)], "animCurveTU", 5)
        + connect("order.o", "ctl.ro")
        + orient("ctl")
    ),
    "driven keys": Case(
        chain()
        + control()
        + control("dial")
        + keyed("dial")
        + DRIVEN_KEY
        + connect("dial.rz", "sdk.i")
        + connect("sdk.o", "ctl.rx")
        + keyed("ctl")
        + orient("ctl"),
        ("ctl", "dial"),
    ),
    "a locked channel": Case(chain() + control(more=HELD) + keys("ctl", x=X, y=Y) + orient("ctl")),
    "a control with its joint's name": Case(
        chain()
        + node("transform", "rig")
        + node("transform", "arm", "rig")
        + node("nurbsCurve", "armShape", "|rig|arm")
        + curve("z", Z)
        + connect("z.o", "|rig|arm.rz")
        + orient("|rig|arm", "|hip|arm"),
        ("|rig|arm",),
    ),
    "twins in two namespaces": Case(
        chain()
        + control("a:ctl")
        + control("b:ctl")
        + keyed("a:ctl")
        + keyed("b:ctl", [(1, 5), (24, 90)])
        + orient("a:ctl")
        + orient("b:ctl", "hand", "hc"),
        ("a:ctl", "b:ctl"),
    ),
    "a control that follows another": Case(
        chain()
        + control()
        + BALL
        + control("follower")
        + orient("ctl", "follower", "fc").replace("follower.jo", "follower.ra")
        + orient("follower"),
        ("ctl", "follower"),
    ),
    "mirrored by a negative scale": Case(
        chain()
        + node("transform", "neg", "", triple("s", -1, 1, 1))
        + control(parent="neg")
        + BALL
        + orient("ctl")
    ),
    "limits on a single side": Case(
        chain()
        + control(more='setAttr ".mrze" yes;setAttr ".mnrl" -type "double3" 0 0 -90;\n')
        + BALL
        + orient("ctl"),
        words="replace",
    ),
}


def poses(cmds, names):
    """World matrices of nodes at every frame."""
    found = []
    cmds.undoInfo(stateWithoutFlush=False)
    for frame in range(1, 25):
        cmds.currentTime(frame)
        found.append([cmds.getAttr(f"{name}.worldMatrix[0]") for name in names])
    cmds.currentTime(1)
    cmds.undoInfo(stateWithoutFlush=True)
    return np.array(found, dtype=float).reshape(24, len(names), -1)


@pytest.fixture
def opens(maya, cmds, tmp_path):
    def load(case):
        opened_text(maya, tmp_path, case.body)
        cmds.currentTime(1)
        from jointlimits_maya.scene import undo

        undo.load_plug_in()
        maya.undo_queue.flush()
        return maya

    return load


def nodes_of(case):
    return [*case.control, "hip", "|hip|arm", "hand"]


@pytest.mark.parametrize("replace", [False, pytest.param(True, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("name", CASES)
def test_measured_limits_change_no_pose_and_one_undo_takes_them_back(
    opens, cmds, jointlimits, name, replace
):
    case = CASES[name]
    scene = opens(case)
    limits = jointlimits.estimate(list(case.control), limit_root=True)
    assert limits.of_controls
    before, seen = lines_but_modified(scene.scene), poses(cmds, nodes_of(case))
    done = jointlimits.apply(limits, list(case.control), replace=replace)
    if case.words and not replace:
        assert any(case.words in str(one.advice) for one in done.skipped)
    else:
        assert done.written
    np.testing.assert_allclose(poses(cmds, nodes_of(case)), seen, atol=1e-9)
    if done.written:
        cmds.undo()
    assert lines_but_modified(scene.scene) == before


@pytest.mark.thorough
@pytest.mark.parametrize("name", CASES)
def test_limits_carried_over_change_no_pose_and_one_undo_takes_them_back(
    opens, cmds, jointlimits, name
):
    case = CASES[name]
    scene = opens(case)
    limits = jointlimits.estimate(case.joint, limit_root=True)
    before, seen = lines_but_modified(scene.scene), poses(cmds, nodes_of(case))
    done = jointlimits.apply(limits, case.joint, to_controls=True)
    assert done.written or done.skipped
    np.testing.assert_allclose(poses(cmds, nodes_of(case)), seen, atol=1e-9)
    if done.written:
        cmds.undo()
    assert lines_but_modified(scene.scene) == before


@pytest.mark.parametrize("replace", [False, True])
def test_controls_in_a_reference_get_their_limits_as_edits(
    maya, cmds, jointlimits, tmp_path, replace
):
    rig = chain() + control(more=OTHERS) + control("dial") + orient("ctl")
    write_scene(tmp_path, rig, "rig.ma")
    used = 'file -r -ns "a" -rfn "aRN" -typ "mayaAscii" "rig.ma";\n'
    opened_text(maya, tmp_path, used + keyed("a:dial") + keyed("a:ctl", [(1, -10), (24, 20)]))
    cmds.currentTime(1)
    from jointlimits_maya.scene import undo

    undo.load_plug_in()
    limits = jointlimits.estimate(["a:ctl", "a:dial"])
    names = ["a:ctl", "a:dial", "a:arm"]
    before, seen = lines_but_modified(maya.scene), poses(cmds, names)
    done = jointlimits.apply(limits, ["a:ctl", "a:dial"], replace=replace)
    assert set(done.written) == ({"a:ctl", "a:dial"} if replace else {"a:dial"})
    assert replace == done.is_complete
    np.testing.assert_allclose(poses(cmds, names), seen, atol=1e-9)
    cmds.undo()
    assert lines_but_modified(maya.scene) == before


def test_controls_and_joints_selected_together_are_refused_in_a_sentence(opens, cmds, jointlimits):
    scene = opens(CASES["a constraint with an offset"])
    before = lines_but_modified(scene.scene)
    with pytest.raises(ValueError, match="'ctl' is a control and 'hip' a joint; choose either"):
        jointlimits.estimate(["ctl", "hip"])
    assert lines_but_modified(scene.scene) == before
