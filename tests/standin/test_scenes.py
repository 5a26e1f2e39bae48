"""The stand-in's scenes: opening, saving, referencing, and asking about references."""

from __future__ import annotations

import pytest

from tests.maya_standin import NotModelledError
from tests.support.maya_scenes import connect, curve, write_scene

RIG = (
    """createNode joint -n "hip";
\tsetAttr ".t" -type "double3" 0 10 0 ;
createNode joint -n "knee" -p "hip";
\tsetAttr ".t" -type "double3" 0 -5 0 ;
"""
    + curve("knee_rx", [(1, 0), (11, 50)])
    + connect("knee_rx.o", "knee.rx")
)
SCRIPT = 'createNode script -n "start";\n\tsetAttr ".st" 1;\n\tsetAttr ".b" -type "string" "boo";\n'


@pytest.fixture
def rig(tmp_path):
    return write_scene(tmp_path, RIG, "rig.ma")


def test_a_changed_scene_is_not_lost_without_force(cmds):
    cmds.createNode("joint", name="knee")
    assert cmds.file(query=True, modified=True)
    with pytest.raises(RuntimeError, match="Unsaved changes"):
        cmds.file(newFile=True)
    cmds.file(newFile=True, force=True)
    assert not cmds.objExists("knee")
    assert not cmds.file(query=True, modified=True)
    assert cmds.undoInfo(query=True, undoQueueEmpty=True)


def test_a_scene_that_is_not_there_raises_and_the_open_one_stays(cmds, tmp_path):
    cmds.createNode("joint", name="knee")
    with pytest.raises(RuntimeError):
        cmds.file(str(tmp_path / "none.ma"), open=True, force=True)
    assert cmds.objExists("knee")
    with pytest.raises(RuntimeError, match="loadReferenceDepth"):
        cmds.file(str(tmp_path / "none.ma"), open=True, force=True, loadReferenceDepth="some")


def test_opening_replaces_the_scene_and_empties_the_undo_queue(cmds, rig):
    cmds.createNode("transform", name="before")
    cmds.file(str(rig), open=True, force=True)
    assert not cmds.objExists("before")
    assert cmds.file(query=True, sceneName=True) == str(rig)
    assert not cmds.file(query=True, modified=True)
    assert cmds.undoInfo(query=True, undoQueueEmpty=True)
    assert cmds.getAttr("knee.rotateX", time=6) == pytest.approx(25)


@pytest.mark.parametrize("wanted", [True, False])
def test_script_nodes_run_only_where_they_may(maya, cmds, tmp_path, wanted):
    path = write_scene(tmp_path, RIG + SCRIPT)
    cmds.file(str(path), open=True, executeScriptNodes=wanted, prompt=False)
    assert maya.executed_script_nodes == (["start"] if wanted else [])


@pytest.mark.thorough
def test_saving_writes_what_opening_reads(maya, cmds, rig, tmp_path):
    cmds.file(str(rig), open=True)
    cmds.joint("knee", edit=True, limitX=(-5, 60))
    copy = tmp_path / "copy.ma"
    cmds.file(rename=str(copy))
    assert not copy.exists()
    cmds.file(save=True, type="mayaAscii")
    assert not cmds.file(query=True, modified=True)
    before = maya.scene_hash()
    cmds.file(newFile=True)
    cmds.file(str(copy), open=True)
    assert cmds.transformLimits("knee", query=True, rotationX=True) == pytest.approx([-5, 60])
    assert maya.scene_hash() == before
    with pytest.raises(NotModelledError, match="mayaBinary"):
        cmds.file(save=True, type="mayaBinary")


def test_a_scene_without_a_name_cannot_be_saved(cmds):
    with pytest.raises(RuntimeError, match="no name"):
        cmds.file(save=True)


def test_a_modified_flag_can_be_given_back(cmds, rig):
    cmds.file(str(rig), open=True)
    cmds.setAttr("hip.rotateX", 5)
    assert cmds.file(query=True, modified=True)
    cmds.file(modified=False)
    assert not cmds.file(query=True, modified=True)


@pytest.fixture
def shot(cmds, rig):
    """A scene that references the rig as `hero`."""
    cmds.file(str(rig), reference=True, namespace="hero")
    return cmds


def test_a_referenced_character_has_its_namespace_and_cannot_be_deleted(shot):
    assert shot.ls(type="joint") == ["hero:hip", "hero:knee"]
    assert shot.referenceQuery("hero:knee", isNodeReferenced=True)
    assert not shot.referenceQuery("persp", isNodeReferenced=True)
    with pytest.raises(RuntimeError, match="locked"):
        shot.delete("hero:hip")
    with pytest.raises(RuntimeError, match="read only"):
        shot.rename("hero:hip", "pelvis")
    shot.setAttr("hero:hip.rotateX", 5)
    assert shot.getAttr("hero:hip.rotateX") == pytest.approx(5)


def test_references_can_be_asked_about_by_node_by_file_and_by_what_is_in_them(shot, rig):
    (node,) = shot.ls(type="reference")
    for name in (node, "hero:knee"):
        assert shot.referenceQuery(name, filename=True) == str(rig)
        assert shot.referenceQuery(name, referenceNode=True) == node
    assert shot.referenceQuery(node, isLoaded=True)
    assert shot.referenceQuery(node, namespace=True) == ":hero"
    assert "hero:knee" in shot.referenceQuery(node, nodes=True)
    assert shot.file(query=True, reference=True) == [str(rig)]
    assert shot.referenceQuery(str(rig), topReference=True) == node
    with pytest.raises(RuntimeError, match="not associated"):
        shot.referenceQuery("persp", filename=True)


@pytest.mark.parametrize(("depth", "joints"), [("all", 2), ("none", None)])
def test_references_are_loaded_as_deep_as_asked(shot, tmp_path, depth, joints):
    path = tmp_path / "shot.ma"
    shot.file(rename=str(path))
    shot.file(save=True)
    shot.file(str(path), open=True, force=True, loadReferenceDepth=depth)
    assert len(shot.ls(type="joint")) == (joints or 0)
    (node,) = shot.ls(type="reference")
    assert shot.referenceQuery(node, isLoaded=True) is (joints is not None)
