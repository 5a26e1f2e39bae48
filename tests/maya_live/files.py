"""Opening and saving files, and references."""

from __future__ import annotations

import contextlib
import os

import maya.api.OpenMaya as om
from maya import cmds, mel

from tests.maya_live.kit import NotHere, check, look
from tests.maya_live.limits import plug
from tests.maya_live.scene_text import HEADER, open_text
from tests.maya_live.scenes import (
    chain,
    curve_of,
    error_of,
    keyed_joint,
    node_of,
    open_file,
    referenced_joint,
    save_as,
    temporary_folder,
)


def reference_of(node):
    """The API's view of the reference that a node comes from."""
    return om.MFnReference(node_of(cmds.referenceQuery(node, referenceNode=True)))


def edits_of(node):
    return (
        cmds.referenceQuery(cmds.referenceQuery(node, referenceNode=True), editStrings=True) or []
    )


@check("open-missing-file", "medium", "case ses-open-missing-file, from memory")
def open_missing_file():
    """Opening a missing file raises RuntimeError."""
    return error_of(open_file, "/nowhere/at/all.ma")


@check("open-not-a-scene", "medium", "wording unknown")
def open_not_a_scene():
    """Opening a text file that is not a scene raises RuntimeError."""
    with temporary_folder() as folder:
        path = f"{folder}/shopping.ma"
        with open(path, "w", encoding="utf-8") as stream:
            stream.write("milk\nbread\n")
        return error_of(open_file, path)


@check("open-newer-scene", "medium", "help of file -ignoreVersion")
def open_newer_scene():
    """Opening a scene from a later Maya raises RuntimeError; the open scene stays open."""
    keyed_joint("before")
    with temporary_folder() as folder:
        header = HEADER.replace("2022", "2099")
        message = error_of(open_text, folder, 'createNode joint -n "later";\n', header=header)
    assert cmds.objExists("before"), "the open scene is gone"
    return message


@check("open-with-errors-raises", "medium", "ynput/OpenPype issue 2452")
def open_with_errors_raises():
    """A scene with an error is opened anyway, and the command raises."""
    body = 'createNode joint -n "knee";\nconnectAttr "nothing.o" "knee.rx";\n'
    with temporary_folder() as folder:
        message = error_of(open_text, folder, body)
    assert cmds.objExists("knee"), "nothing was opened"
    return message


@check("unsaved-changes", "high", "command reference; case ses-open-unsaved")
def unsaved_changes():
    """Without force, a new scene raises RuntimeError if there are unsaved changes."""
    keyed_joint()
    return error_of(cmds.file, newFile=True, prompt=False)


@check("ranges-need-script-nodes", "high", "help of that flag")
def ranges_need_script_nodes():
    """Without script nodes, an opened scene does not set the ranges of the time slider."""
    body = (
        'createNode joint -n "knee";\ncreateNode script -n "sceneConfigurationScriptNode";\n'
        '\tsetAttr ".b" -type "string" "playbackOptions -min 7 -max 9 -ast 5 -aet 11 ";\n'
        '\tsetAttr ".st" 6;\n'
    )
    with temporary_folder() as folder:
        open_text(folder, body)
    found = cmds.playbackOptions(query=True, minTime=True)
    assert abs(found - 7.0) > 1e-9, "the range is the scene's all the same"
    return f"it begins at {found:g}, not at 7"


@check("expressions-wait", "medium", "not documented")
def expressions_wait():
    """Opening a scene runs no expression; reading what an expression drives runs it."""
    body = (
        'createNode transform -n "driven";\ncreateNode expression -n "wave";\n'
        '\tsetAttr -k on ".nds";\n\tsetAttr -s 1 ".out";\n'
        '\tsetAttr ".ixp" -type "string" "global int $jointLimitsRan = 1;\\n.O[0] = time";\n'
        'connectAttr "wave.out[0]" "driven.tx";\nconnectAttr ":time1.o" "wave.tim";\n'
    )
    with temporary_folder() as folder:
        open_text(folder, body)
    before = mel.eval("global int $jointLimitsRan; $jointLimitsRan;")
    value = cmds.getAttr("driven.translateX")
    assert not before, "it ran when the scene was opened"
    return f"not on opening; asked for, it gives {value:g}"


@check("missing-reference-on-open", "high", "public pipeline code")
def missing_reference_on_open():
    """A reference whose file is missing makes opening raise, and stays unloaded."""
    with temporary_folder() as folder:
        referenced_joint(folder)
        path = save_as(f"{folder}/shot.ma")
        cmds.file(newFile=True, force=True)
        os.unlink(f"{folder}/rig.ma")
        message = error_of(open_file, path)
    assert not cmds.objExists("rig:knee")
    return message


@check("reference-beside-scene", "low", "Maya searches the project")
def reference_beside_scene():
    """A reference that is stored as a bare name is found beside its scene."""
    body = (
        'file -rdi 1 -ns "rig" -rfn "rigRN" -op "v=0;" -typ "mayaAscii" "rig.ma";\n'
        'file -r -ns "rig" -rfn "rigRN" -op "v=0;" -typ "mayaAscii" "rig.ma";\n'
        'createNode reference -n "rigRN";\n'
    )
    with temporary_folder() as folder:
        keyed_joint()
        save_as(f"{folder}/rig.ma")
        open_text(folder, body, name="shot.ma")
        assert cmds.objExists("rig:knee"), "the reference was not found"


@check("reference-shared-nodes", "high", "public scenes have one time1")
def reference_shared_nodes():
    """Nodes that a scene declares shared, such as time1, are not created again by a reference."""
    with temporary_folder() as folder:
        referenced_joint(folder)
    assert len(cmds.ls(type="time")) == 1, cmds.ls(type="time")


@check("undo-of-reference-edit", "medium", "none")
def undo_of_reference_edit():
    """Undoing a change of a referenced node removes the edit from the reference."""
    with temporary_folder() as folder:
        joint = referenced_joint(folder)
        before = len(edits_of(joint))
        cmds.setAttr(f"{joint}.radius", 3.0)
        assert len(edits_of(joint)) > before, "there is no record of the change"
        cmds.undo()
        after = len(edits_of(joint))
    assert after == before, f"{after} records, {before} before"


@check("ignored-reference-edits", "medium", "a gist by BigRoy; case ref-ignore-edits-switch")
def ignored_reference_edits():
    """With setIgnoreReferenceEdits(True), a plug that is set and set back leaves no edit."""
    with temporary_folder() as folder:
        joint = referenced_joint(folder)
        before = list(edits_of(joint))
        reference = reference_of(joint)
        ignored = reference.ignoreReferenceEdits()
        reference.setIgnoreReferenceEdits(True)
        enable = plug(f"{joint}.maxRotXLimitEnable")
        enable.setBool(False)
        enable.setBool(True)
        reference.setIgnoreReferenceEdits(ignored)
        after = list(edits_of(joint))
    assert after == before, after


@check("attribute-of-reference", "medium", "help of referenceQuery")
def attribute_of_reference():
    """A scene can remove what it added to a referenced node, even after saving and opening."""
    with temporary_folder() as folder:
        joint = referenced_joint(folder)
        cmds.addAttr(joint, longName="note", dataType="string")
        shot = f"{folder}/noted.ma"
        save_as(shot)
        open_file(shot)
        assert cmds.attributeQuery("note", node=joint, exists=True), "it was not saved"
        node = node_of(joint)
        modifier = om.MDGModifier()
        modifier.removeAttribute(node, om.MFnDependencyNode(node).attribute("note"))
        modifier.doIt()
        save_as(f"{folder}/clean.ma")
        open_file(f"{folder}/clean.ma")
        there = cmds.attributeQuery("note", node=joint, exists=True)
    assert not there, "it is there again"


@check("locked-reference-is-not-free", "medium", "help of MPlug, lockReference")
def locked_reference_is_not_free():
    """Plugs in a locked reference are not free to change, though not locked or connected."""
    with temporary_folder() as folder:
        joint = referenced_joint(folder)
        try:
            cmds.file(cmds.referenceQuery(joint, filename=True), lockReference=True)
        except RuntimeError as error:
            raise NotHere(f"references cannot be locked here: {error}") from None
        limit = plug(f"{joint}.maxRotXLimit")
        assert not limit.isLocked, "it says that it is locked"
        assert limit.isFreeToChange() != om.MPlug.kFreeToChange, "it says that it is free"
        return error_of(cmds.setAttr, f"{joint}.maxRotXLimit", 50)


@check("keys-of-referenced-curves", "high", "a preference of Maya")
def keys_of_referenced_curves():
    """Keys of curves in referenced files cannot be edited by default."""
    with temporary_folder() as folder:
        joint = referenced_joint(folder)
        curve = curve_of(joint)
        before = cmds.keyframe(curve, query=True, valueChange=True)
        with contextlib.suppress(RuntimeError):
            cmds.setKeyframe(joint, attribute="rotateX", time=10, value=33)
        after = cmds.keyframe(curve, query=True, valueChange=True)
    assert after == before, f"{before} became {after}"


@check("names-across-the-graph", "medium", "none")
def names_across_the_graph():
    """A node outside the DAG cannot have the same name as a DAG node; it gets a number."""
    keyed_joint("knee")
    name = cmds.createNode("network", name="knee")
    assert name != "knee", "both are called knee"
    return name


@check("written-scene-opens", "high", "public scenes' attributes")
def written_scene_opens():
    """A scene that `jointlimits apply` wrote opens without an error and has the limits."""
    import io
    from contextlib import redirect_stdout

    from jointlimits_core.cli.main import main

    chain()
    with temporary_folder() as folder:
        path = save_as(f"{folder}/leg.ma")
        printed = io.StringIO()
        with redirect_stdout(printed):
            code = main(["estimate", path, "--apply", "--out", folder])
        assert code == 0, printed.getvalue()
        copy = next(name for name in os.listdir(folder) if name.endswith(".limits.ma"))
        open_file(f"{folder}/{copy}")
        found = cmds.getAttr("knee.maxRotXLimit")
    assert cmds.getAttr("knee.maxRotXLimitEnable"), "the limit is off"
    assert abs(found - 80) < 1e-6, f"the knee's limit is {found}"


@look("written-scene-in-the-editor", "medium", "public scenes' attributes")
def written_scene_in_the_editor():
    """The Attribute Editor shows the limits of a scene that jointlimits apply wrote.

    Open a scene that `jointlimits estimate --apply` wrote: the Attribute Editor shows the limits
    of a joint under Limit Information, Rotate, and no message appears.
    """
