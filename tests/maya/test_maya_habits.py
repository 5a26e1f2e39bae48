"""Habits of Maya and of its hosts that the product must survive (places 11, 12 and 16 to 18)."""

from __future__ import annotations

import importlib.util
import sys

import numpy as np
import pytest

from tests.maya.test_scene_reading import CHAIN, keyed_curve, matrix
from tests.support.house_files import ROOT
from tests.support.maya_open_scenes import state
from tests.support.maya_reading import both
from tests.support.maya_scenes import connect, write_scene


def test_redo_does_not_depend_on_maya_redoing_added_keys(maya, cmds, jointlimits, undo):
    """Place 16: after addKeys was redone, Maya redoes no other change of the curve."""
    from jointlimits_maya.scene.edit import SceneEdit
    from jointlimits_maya.scene.joints import node_of
    from jointlimits_maya.scene.plugs import find_plug
    from jointlimits_maya.write.curves import AllKeys, add_curve

    cmds.createNode("joint", name="knee")
    keys = AllKeys(np.array([1.0, 5.0]), np.array([0.25, 0.5]), beyond=(1, 4))
    made, changed = SceneEdit("Make Keys"), SceneEdit("Change Keys")
    channel = find_plug(node_of("knee"), "rotateX")
    add_curve(made, lambda: channel, "animCurveTA", "bend", keys)
    changed.change_keys(
        lambda: node_of("bend"), lambda curve, record: curve.setValue(0, 0.75, record)
    )
    states = [state(maya)]
    for edit in (made, changed):
        undo.run(edit)
        states.append(state(maya))
    for _ in range(2):
        cmds.undo()
        cmds.undo()
        assert state(maya) == states[0]
        cmds.redo()
        assert state(maya) == states[1]
        cmds.redo()
        assert state(maya) == states[2]
    assert maya.scene.node("bend").keys.values[0] == 0.75


@pytest.mark.parametrize(("platform", "warned"), [("win32", True), ("linux", False)])
def test_the_command_for_numpy_runs_in_powershell_too(
    maya, jointlimits, monkeypatch, platform, warned
):
    """Place 11: PowerShell takes a quoted path for a text."""
    from jointlimits_maya.base import host

    monkeypatch.setattr(host.sys, "platform", platform)
    assert ('type "& " before it' in host.advice()) == warned


def test_a_dropped_file_keeps_the_first_entry_however_maya_spells_it(cmds, monkeypatch):
    """Place 12: on Windows Maya writes "C:/..." where Python has backslashes."""
    path = ROOT / "drag_into_maya_joint_limits.py"
    spec = importlib.util.spec_from_file_location("dropped_installer", path)
    installer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(installer)
    spelled = f"{ROOT}/./"
    monkeypatch.setattr(sys, "path", [spelled, "scripts-of-maya"])
    installer._search(["module"])
    assert sys.path == [spelled, "module", "scripts-of-maya"]


def pose(name, place):
    return (
        f'createNode dagPose -n "{name}";\n\tsetAttr ".xm[0]" {matrix(place)}\tsetAttr ".bp" yes;\n'
        + connect("hip.msg", f"{name}.m[0]")
        + connect(f"{name}.w", f"{name}.p[0]")
    )


def skin(name, place):
    return f'createNode skinCluster -n "{name}";\n\tsetAttr ".pm[0]" {matrix(-place)}' + connect(
        "hip.wm", f"{name}.ma[0]"
    )


@pytest.mark.parametrize("store", [pose, skin])
@pytest.mark.parametrize("names", [("first", "second"), ("second", "first")])
def test_of_stores_that_disagree_the_first_by_name_counts(maya, tmp_path, store, names):
    """Place 17: Maya lists nodes of a type by name, a file by their order."""
    body = CHAIN + keyed_curve((0, 5), (3, 6))
    body += "".join(store(name, 10 if name == "first" else 20) for name in names)
    file, scene = both(maya, write_scene(tmp_path, body))
    assert file.skeleton.offsets[0, 0] == pytest.approx(10)
    assert scene.skeleton.offsets[0, 0] == pytest.approx(10)


def test_clear_does_not_need_the_locks_that_apply_set(maya, cmds, jointlimits):
    """Place 18: locks that the API set on referenced nodes may not be saved with the scene."""
    cmds.select(clear=True)
    for name in ("hip", "knee", "foot"):
        cmds.joint(name=name, position=(1, 0, 0))
    for frame, degrees in ((1, 0), (24, 60)):
        cmds.setKeyframe("knee", attribute="rotateZ", time=frame, value=degrees)
    before = state(maya)
    limits = jointlimits.estimate("hip")
    jointlimits.apply(limits, "hip", lock_channels=True)
    locked = [f"knee.rotate{axis}" for axis in "XY"]
    assert all(cmds.getAttr(plug, lock=True) for plug in locked)
    cmds.setAttr(locked[0], lock=False)
    assert not jointlimits.clear("hip").skipped
    assert state(maya) == before
