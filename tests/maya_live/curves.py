"""Animation curves: how Maya reads tangents that scene files name but do not store."""

from __future__ import annotations

import maya.api.OpenMaya as om
import maya.api.OpenMayaAnim as oma
from maya import cmds

from tests.maya_live.kit import check
from tests.maya_live.limits import plug
from tests.maya_live.scene_text import agrees_with_our_reader, curve_text, keys_text, open_text
from tests.maya_live.scenes import (
    curve_of,
    keyed_joint,
    node_of,
    open_file,
    save_as,
    temporary_folder,
)

KEYS = ((1, 0), (5, 20), (9, 22), (13, 22.5), (17, 60), (20, 10))
NON_WEIGHTED = '".wgt" no'


def evaluated(lines, *frames):
    """Values at frames of a curve that a scene file describes."""
    with temporary_folder() as folder:
        open_text(folder, curve_text(lines))
        times = [(frame, frame) for frame in frames]
        return cmds.keyframe("knee_rotateX", query=True, eval=True, time=times)


def curve_by_name(code, keys=KEYS):
    """A curve whose tangents are all of one kind, by its number in scene files."""
    return agrees_with_our_reader([f'".tan" {code}', NON_WEIGHTED, keys_text(keys)])


@check("tangent-slow-fast", "low", "none")
def tangent_slow_fast():
    """Slow and fast tangents (6 and 7 in files) lie on the line to the neighbouring key."""
    return f"slow {curve_by_name(6)}, fast {curve_by_name(7)}"


@check("tangent-plateau", "medium", "MFnAnimCurve, public evaluators")
def tangent_plateau():
    """Plateau tangents (16) are flat where an automatic tangent would be held back."""
    return curve_by_name(16)


@check("tangent-clamped-close", "medium", "28 values in ufbx/ufbx:test/test_animation.h; FBX files")
def tangent_clamped_close():
    """Clamped tangents (10) are flat beside a key whose value is within 0.05 internal units."""
    return curve_by_name(10)


@check("tangent-auto-custom", "low", "none")
def tangent_auto_custom():
    """Custom automatic tangents (29) are those of plain automatic ones."""
    return curve_by_name(29)


@check("tangent-unknown-code", "low", "none")
def tangent_unknown_code():
    """An unknown tangent code (99) is flat."""
    return curve_by_name(99)


@check("tangent-in-step", "medium", "animx")
def tangent_in_step():
    """After a stepped key, a smooth key's span depends only on the smooth side."""
    lines = ['".tan" 18', NON_WEIGHTED, keys_text(KEYS), '-s 6 ".kot[1:2]" 5 18']
    return agrees_with_our_reader(lines)


@check("curve-one-key-infinity", "medium", "none; animx gives 0")
def curve_one_key_infinity():
    """A curve with one key has its value at all times, whatever its infinity."""
    (found,) = evaluated(['".tan" 2', NON_WEIGHTED, '".ktv[0]" 5 30', '".pst" 3'], 20)
    assert abs(found - 30) < 1e-6, f"{found} at frame 20"


@check("tangent-linear-end", "medium", "what artists see")
def tangent_linear_end():
    """After a linear last key, linear infinity continues the last span."""
    lines = ['".tan" 2', NON_WEIGHTED, '-s 2 ".ktv[0:1]" 1 0 24 23', '".pst" 1']
    (found,) = evaluated(lines, 34)
    assert abs(found - 33) < 1e-6, f"{found} at frame 34"


@check(
    "curve-cycle-edges", "medium", "ufbx/ufbx:data/maya_anim_extrapolation_7700_ascii.fbx; animx"
)
def curve_cycle_edges():
    """Where two cycles meet, the inner key counts: the first one after it, the last one before."""
    lines = ['".tan" 2', NON_WEIGHTED, '-s 2 ".ktv[0:1]" 1 0 24 10', '".pre" 3', '".pst" 3']
    found = evaluated(lines, 47, 70, -22, -45)
    assert max(abs(a - b) for a, b in zip(found, (0, 0, 10, 10))) < 1e-6, found


@check("curve-tan-5", "medium", ".tan 18 in public scenes")
def curve_tan_5():
    """`setAttr ".tan" 5` alone makes every key of a curve stepped."""
    (found,) = evaluated(['".tan" 5', NON_WEIGHTED, keys_text(KEYS)], 4.5)
    curve = oma.MFnAnimCurve(node_of("knee_rotateX"))
    kinds = {curve.outTangentType(key) for key in range(curve.numKeys)}
    assert kinds == {oma.MFnAnimCurve.kTangentStep}, kinds
    assert abs(found) < 1e-6, f"{found} just before the second key"


@check("keys-in-pieces", "high", "Maya splits mesh lists so")
def keys_in_pieces():
    """Keys may be written in pieces, with the size only in the first."""
    with temporary_folder() as folder:
        lines = [
            '".tan" 2',
            NON_WEIGHTED,
            '-s 6 ".ktv[0:2]" 1 0 5 20 9 22',
            '".ktv[3:5]" 13 22.5 17 60 20 10',
        ]
        open_text(folder, curve_text(lines))
        found = cmds.keyframe("knee_rotateX", query=True, valueChange=True)
    expected = [value for _, value in KEYS]
    assert len(found) == len(expected), found
    assert max(abs(a - b) for a, b in zip(found, expected)) < 1e-6, found


@check("keyframe-in-full-precision", "high", "command reference; case key-angle-degrees")
def keyframe_in_full_precision():
    """keyframe returns values of keys as doubles, not rounded."""
    value = 12.345678901234567
    joint = keyed_joint(values=(value, -value))
    found = cmds.keyframe(curve_of(joint), query=True, valueChange=True)
    assert abs(found[0] - value) < 1e-12, f"{found[0]!r} for {value!r}"


@check("value-behind-a-conversion", "high", "API reference; case plug-source-conversion")
def value_behind_a_conversion():
    """The output of a unitConversion is in the internal units of the plug that it feeds."""
    driver, joint = cmds.createNode("transform"), keyed_joint(attribute="rotateY")
    conversion = cmds.createNode("unitConversion")
    cmds.setAttr(f"{conversion}.conversionFactor", 0.0174532925199433)
    cmds.connectAttr(f"{driver}.translateX", f"{conversion}.input")
    cmds.connectAttr(f"{conversion}.output", f"{joint}.rotateX")
    cmds.setAttr(f"{driver}.translateX", 90)
    found = plug(f"{joint}.rotateX").sourceWithConversion().asDouble()
    assert abs(found - 1.5707963267948966) < 1e-9, found


@check("add-keys-replaces", "high", "API reference MFnAnimCurve")
def add_keys_replaces():
    """addKeys(keepExistingKeys=False) leaves only the new keys, and again when it is redone."""
    curve, change = replaced_keys()
    assert curve.numKeys == 2, f"{curve.numKeys} keys are left"
    change.undoIt()
    undone = curve.numKeys
    change.redoIt()
    assert curve.numKeys == 2, f"{curve.numKeys} keys after redo"
    return f"{undone} of 3 keys were back after undo"


@check("add-keys-undo", "high", "public code, Maya 2025")
def add_keys_undo():
    """The undo of addKeys that replaced three keys brings two of them back."""
    curve, change = replaced_keys()
    change.undoIt()
    assert curve.numKeys == 2, f"{curve.numKeys} of 3 keys are back"


@check(
    "redo-after-add-keys",
    "medium",
    "LumaPictures/pymel:tests/test_nodetypes.py leaves the step out",
)
def redo_after_add_keys():
    """After addKeys is undone and redone, redoing a later change of the curve has no effect."""
    curve, added = replaced_keys()
    later = oma.MAnimCurveChange()
    curve.setValue(0, 3.0, later)
    later.undoIt()
    added.undoIt()
    try:
        added.redoIt()
        later.redoIt()
    except RuntimeError as error:
        return str(error)
    assert abs(curve.value(0) - 3.0) > 1e-9, "the later change was redone"
    return f"the key has {curve.value(0):g}, not 3"


def replaced_keys():
    """A curve whose three keys were replaced by two, and the change that can undo it."""
    joint = keyed_joint(values=(0.0, 10.0, 20.0), frames=(2, 3, 4))
    curve = oma.MFnAnimCurve(node_of(curve_of(joint)))
    times = om.MTimeArray([om.MTime(float(t), om.MTime.uiUnit()) for t in (1, 5)])
    values, change = om.MDoubleArray([1.0, 0.5]), oma.MAnimCurveChange()
    kind = oma.MFnAnimCurve.kTangentLinear
    curve.addKeys(times, values, kind, kind, False, change)
    return curve, change


@check("locked-tangents-turn-together", "high", "the Graph Editor")
def locked_tangents_turn_together():
    """setTangent also turns the other side of a key, unless the key's tangents are unlocked."""
    joint = keyed_joint(values=(0.0, 10.0, 20.0), frames=(2, 3, 4))
    curve = oma.MFnAnimCurve(node_of(curve_of(joint)))
    curve.setTangentsLocked(1, False)
    before = curve.getTangentXY(1, True)
    curve.setTangent(1, 1.0, 0.25, False, convertUnits=False)
    after = curve.getTangentXY(1, True)
    assert max(abs(a - b) for a, b in zip(after, before)) < 1e-6, "the unlocked side turned"
    curve.setTangentsLocked(1, True)
    curve.setTangent(1, 1.0, 0.5, False, convertUnits=False)
    x, y = curve.getTangentXY(1, True)
    return f"the locked side has the slope {y / x:.3g}, where 0.5 was set"


@check("curves-kept-by-message", "high", ".ma files hold unconnected nodes")
def curves_kept_by_message():
    """A curve that drives nothing but has its message connected survives saving and opening."""
    joint = keyed_joint(values=(0.0, 10.0, 20.0), frames=(2, 3, 4))
    curve = curve_of(joint)
    modifier = om.MDGModifier()
    messages = om.MFnMessageAttribute()
    attribute = messages.create("liveKept", "lvk")
    messages.array = messages.hidden = True
    modifier.addAttribute(plug(f"{joint}.rotateX").node(), attribute)
    modifier.disconnect(plug(f"{curve}.output"), plug(f"{joint}.rotateX"))
    modifier.doIt()
    modifier.connect(plug(f"{curve}.message"), plug(f"{joint}.liveKept[2]"))
    modifier.doIt()
    with temporary_folder() as folder:
        open_file(save_as(f"{folder}/kept.ma"))
    kept = plug(f"{joint}.liveKept[2]")
    assert kept.isDestination, "the connection is gone"
    found = oma.MFnAnimCurve(kept.source().node())
    assert found.numKeys == 3, f"{found.numKeys} keys"
    again = om.MDGModifier()
    again.connect(found.findPlug("output", False), plug(f"{joint}.rotateX"))
    again.doIt()
    assert plug(f"{joint}.rotateX").isDestination, "it does not drive the joint again"


@check("set-tangent-makes-fixed", "high", "so does dragging")
def set_tangent_makes_fixed():
    """MFnAnimCurve.setTangent makes the tangent's type fixed."""
    joint = keyed_joint()
    curve = oma.MFnAnimCurve(node_of(curve_of(joint)))
    curve.setTangent(0, 1.0, 0.25, False, convertUnits=False)
    found = curve.outTangentType(0)
    assert found == oma.MFnAnimCurve.kTangentFixed, f"type {found}"


@check("scene-time-warp", "medium", "public code connects these")
def scene_time_warp():
    """A time warp of the scene affects curves without input, but not `keyframe -eval`."""
    joint = keyed_joint(values=(0.0, 90.0), frames=(1, 10))
    warp = cmds.createNode("animCurveTT")
    for frame, shown in ((1, 1), (10, 4)):
        cmds.setKeyframe(warp, time=frame, value=shown, inTangentType="linear")
    cmds.connectAttr(f"{warp}.output", "time1.timewarpIn_Raw")
    cmds.setAttr("time1.enableTimewarp", True)
    shown = cmds.getAttr(f"{joint}.rotateX", time=10)
    keyed = cmds.keyframe(curve_of(joint), query=True, eval=True, time=(10, 10))[0]
    assert abs(keyed - 90.0) < 1e-6, f"keyframe -eval gives {keyed}"
    assert abs(shown - 30.0) < 1e-3, f"the joint is at {shown}"


@check("new-curve-weighted", "medium", "the attribute's default; files write .wgt no")
def new_curve_weighted():
    """A curve made by MDGModifier.createNode is weighted until weightedTangents is set."""
    seen = []
    for is_set in (False, True):
        modifier = om.MDGModifier()
        node = modifier.createNode("animCurveTA")
        modifier.doIt()
        if is_set:
            switch = om.MFnDependencyNode(node).findPlug("weightedTangents", False)
            modifier.newPlugValueBool(switch, False)
            modifier.doIt()
        seen.append(bool(oma.MFnAnimCurve(node).isWeighted))
    assert seen == [True, False], f"weighted before and after: {seen}"
