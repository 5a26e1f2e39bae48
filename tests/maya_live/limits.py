"""Limits, locks, joints and their drivers."""

from __future__ import annotations

import math

import maya.api.OpenMaya as om
import maya.api.OpenMayaAnim as oma
from maya import cmds

from tests.maya_live.kit import check
from tests.maya_live.scenes import (
    curve_of,
    error_of,
    keyed_joint,
    node_of,
    open_file,
    referenced_joint,
    save_as,
    temporary_folder,
)


def plug(name: str) -> om.MPlug:
    """A plug by its name."""
    return om.MSelectionList().add(name).getPlug(0)


@check("keyed-limit-clamps", "high", "Autodesk's rockingTransformCheck; two tools")
def keyed_limit_clamps():
    """An enabled limit clamps a keyed rotate in getAttr and in the matrix, but not the curve."""
    joint = keyed_joint()
    cmds.transformLimits(joint, rotationX=(0, 45), enableRotationX=(True, True))
    cmds.currentTime(10)
    seen = cmds.getAttr(f"{joint}.rotateX")
    assert abs(seen - 45) < 1e-6, f"getAttr gives {seen} where the curve has 90 and the limit is 45"
    matrix = cmds.getAttr(f"{joint}.matrix")
    assert abs(math.degrees(math.atan2(matrix[6], matrix[5])) - 45) < 1e-6, matrix
    curve = curve_of(joint)
    value = cmds.keyframe(curve, query=True, eval=True, time=(10, 10))[0]
    assert abs(value - 90) < 1e-6, f"the curve itself gives {value}"
    return f"{seen:g} degrees of 90"


@check("limit-clamps-other-times", "medium", "a branch of the same sample")
def limit_clamps_other_times():
    """An enabled limit also clamps at times other than the current one."""
    joint = keyed_joint()
    cmds.transformLimits(joint, rotationX=(0, 45), enableRotationX=(True, True))
    seen = cmds.getAttr(f"{joint}.rotateX", time=10)
    assert abs(seen - 45) < 1e-6, f"getAttr at frame 10 gives {seen}"


@check("joint-type-does-not-lock", "high", "help of joint")
def joint_type_does_not_lock():
    """Switching jointTypeY off by setAttr neither locks rotateY nor disables its keys."""
    joint = keyed_joint(attribute="rotateY")
    cmds.setAttr(f"{joint}.jointTypeY", False)
    assert not cmds.getAttr(f"{joint}.rotateY", lock=True), "rotateY is locked"
    cmds.currentTime(10)
    assert abs(cmds.getAttr(f"{joint}.rotateY") - 90) < 1e-6, "the keys have no effect"


@check("modifier-on-locked-plug", "medium", "not documented")
def modifier_on_locked_plug():
    """MDGModifier raises RuntimeError for a locked plug and keeps the value."""
    joint = keyed_joint()
    name = f"{joint}.minRotXLimit"
    cmds.setAttr(name, -10)
    cmds.setAttr(name, lock=True)
    modifier = om.MDGModifier()

    def change():
        modifier.newPlugValueMAngle(plug(name), om.MAngle(-20, om.MAngle.kDegrees))
        modifier.doIt()

    message = error_of(change)
    assert abs(cmds.getAttr(name) + 10) < 1e-9, "the locked value was changed"
    return message


@check("api-set-on-locked-plug", "medium", "setAttr raises, case mod-set-locked-plug")
def api_set_on_locked_plug():
    """MPlug.setBool on a locked plug raises."""
    joint = keyed_joint()
    cmds.setAttr(f"{joint}.jointTypeX", lock=True)
    return error_of(plug(f"{joint}.jointTypeX").setBool, False)


@check("api-sets-without-undo", "high", "mottosso/cmdx:README.md")
def api_sets_without_undo():
    """MPlug.setBool adds nothing to the undo queue."""
    joint = keyed_joint()
    cmds.setAttr(f"{joint}.radius", 2.0)
    plug(f"{joint}.jointTypeX").setBool(False)
    cmds.undo()
    assert abs(cmds.getAttr(f"{joint}.radius") - 1.0) < 1e-9, "undo did not reach the setAttr"
    assert not cmds.getAttr(f"{joint}.jointTypeX"), "undo reverted the direct change"


@check("plug-lock", "high", "case ref-unlock-api")
def plug_lock():
    """MPlug.isLocked can be set, and locks as setAttr does."""
    joint = keyed_joint()
    plug(f"{joint}.rotateY").isLocked = True
    assert cmds.getAttr(f"{joint}.rotateY", lock=True)
    plug(f"{joint}.rotateY").isLocked = False
    assert not cmds.getAttr(f"{joint}.rotateY", lock=True)


@check("lock-on-reference", "low", "reference edits are; pymel's docstring says no")
def lock_on_reference():
    """A lock that the API sets on a referenced plug is saved with the scene."""
    with temporary_folder() as folder:
        joint = referenced_joint(folder)
        plug(f"{joint}.rotateY").isLocked = True
        path = save_as(f"{folder}/scene.ma")
        cmds.file(newFile=True, force=True)
        open_file(path)
        assert cmds.getAttr(f"{joint}.rotateY", lock=True), "it is gone"


@check("damp-range-unit", "settled", "maya-mock-completion 0.2.0: a live Maya's attributes")
def damp_range_unit():
    """minRotateDampRange is an angle: degrees in commands, radians in the API."""
    joint = keyed_joint()
    cmds.setAttr(f"{joint}.minRotateDampRangeX", 10)
    found = plug(f"{joint}.minRotateDampRangeX").asDouble()
    assert abs(found - math.radians(10)) < 1e-9, f"10 is {found} inside"


@check("children-of-connected-compounds", "high", "help of MPlug")
def children_of_connected_compounds():
    """A child of a connected compound is not a destination; the compound is."""
    source, joint = cmds.createNode("transform"), keyed_joint("other", attribute="rotateY")
    cmds.connectAttr(f"{source}.translate", f"{joint}.translate")
    child = plug(f"{joint}.translateX")
    assert child.parent().isDestination, "the compound is not a destination"
    assert not child.isDestination, "the child says that it is a destination"


@check("source-skips-unit-conversion", "high", "case plug-source-conversion")
def source_skips_unit_conversion():
    """MPlug.source() skips a unitConversion; sourceWithConversion() does not."""
    driver, joint = cmds.createNode("transform"), keyed_joint(attribute="rotateY")
    conversion = cmds.createNode("unitConversion")
    cmds.connectAttr(f"{driver}.translateX", f"{conversion}.input")
    cmds.connectAttr(f"{conversion}.output", f"{joint}.rotateX")
    target = plug(f"{joint}.rotateX")
    kinds = [
        om.MFnDependencyNode(one.node()).typeName
        for one in (target.source(), target.sourceWithConversion())
    ]
    assert kinds == ["transform", "unitConversion"], kinds


@check("api-time-change-without-undo", "high", "as api-sets-without-undo")
def api_time_change_without_undo():
    """MAnimControl.setCurrentTime adds nothing to the undo queue."""
    joint = keyed_joint()
    cmds.setAttr(f"{joint}.radius", 2.0)
    oma.MAnimControl.setCurrentTime(om.MTime(5.0, om.MTime.uiUnit()))
    cmds.undo()
    assert abs(cmds.getAttr(f"{joint}.radius") - 1.0) < 1e-9, "undo did not reach the setAttr"
    assert abs(cmds.currentTime(query=True) - 5.0) < 1e-9, "undo reverted the time"


@check("unit-setter-keeps-number", "medium", "API reference")
def unit_setter_keeps_number():
    """Setting the unit of an MTime keeps the number and does not convert."""
    time = om.MTime(24.0, om.MTime.k24FPS)
    time.unit = om.MTime.k48FPS
    assert abs(time.value - 24.0) < 1e-9, f"24 became {time.value}"


@check("selection-list-ambiguous-name", "medium", "it accepts patterns")
def selection_list_ambiguous_name():
    """MSelectionList.add with a name that two nodes share adds both."""
    for top in ("left", "right"):
        cmds.createNode("joint", name="arm", parent=cmds.createNode("transform", name=top))
    selection = om.MSelectionList()
    selection.add("arm")
    assert selection.length() == 2, f"{selection.length()} were added"


@check("deleted-node-alive-for-undo", "medium", "names of the methods")
def deleted_node_alive_for_undo():
    """The handle of a deleted node that undo can restore is alive but not valid."""
    joint = keyed_joint()
    handle = om.MObjectHandle(node_of(joint))
    cmds.delete(joint)
    assert handle.isAlive(), "not alive"
    assert not handle.isValid(), "valid"
    cmds.undo()
    assert handle.isValid(), "not valid after undo"


@check("keyframe-eval-many-times", "high", "command reference")
def keyframe_eval_many_times():
    """keyframe(eval=True) accepts many times in one call and returns their values in order."""
    joint = keyed_joint()
    curve = curve_of(joint)
    times = [(0.5 * k, 0.5 * k) for k in range(2, 21)]
    found = cmds.keyframe(curve, query=True, eval=True, time=times)
    assert len(found) == len(times), f"{len(found)} values of {len(times)} times"
    expected = [(time - 1) * 10.0 for time, _ in times]
    worst = max(abs(one - other) for one, other in zip(found, expected))
    assert worst < 1e-6, f"values differ by {worst}; first {found[:3]}"


@check("delete-takes-curves", "medium", "none; animators see it")
def delete_takes_curves():
    """Deleting a joint also deletes the curves that drive nothing else."""
    joint = keyed_joint()
    curve = curve_of(joint)
    cmds.delete(joint)
    assert not cmds.objExists(curve), "the curve is still there"
