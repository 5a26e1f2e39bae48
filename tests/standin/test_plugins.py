"""The stand-in's plug-ins: how a file is found, run, asked about and unloaded."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.maya_standin import NotModelledError, NotModelledNameError

PLUG_IN = '''
from __future__ import annotations

import maya.api.OpenMaya as om
from maya import cmds

SEEN = {"file": "__file__" in globals(), "name": __name__, "plug-ins": []}


def maya_useNewAPI():
    pass


class MoveCommand(om.MPxCommand):
    """Moves a node: once through a command, once past the undo queue."""

    def doIt(self, arguments):
        self.before = cmds.getAttr("hand.tx")
        cmds.setAttr("hand.ty", 5)
        om.MFnDependencyNode(node("hand")).findPlug("tz", False).setDouble(3.0)
        self.redoIt()

    def redoIt(self):
        cmds.setAttr("hand.tx", self.before + 1)

    def undoIt(self):
        cmds.setAttr("hand.tx", self.before)

    def isUndoable(self):
        return True


def node(name):
    return om.MSelectionList().add(name).getDependNode(0)


def syntax():
    made = om.MSyntax()
    made.addFlag("-by", "-byHow", om.MSyntax.kDouble)
    return made


def initializePlugin(handle):
    plug_in = om.MFnPlugin(handle, "Me", "1.5", "Any")
    SEEN["plug-ins"].append((plug_in.name(), plug_in.loadPath()))
    plug_in.registerCommand("moveHand", MoveCommand, syntax)


def uninitializePlugin(handle):
    om.MFnPlugin(handle).deregisterCommand("moveHand")
'''


@pytest.fixture
def cmds(maya, tmp_path):
    """A plug-in on the path, not loaded, and a hand to move."""
    from maya import cmds

    maya.environment["MAYA_PLUG_IN_PATH"] = os.pathsep + str(tmp_path)
    (tmp_path / "mover.py").write_text(PLUG_IN, encoding="utf-8")
    cmds.createNode("transform", name="hand")
    cmds.flushUndo()
    return cmds


def test_a_plug_in_is_found_by_name_with_its_ending_and_only_so(maya, cmds, tmp_path):
    with pytest.raises(RuntimeError, match="was not found on MAYA_PLUG_IN_PATH"):
        cmds.loadPlugin("mover")
    assert cmds.loadPlugin("mover.py") == ["mover"]
    assert maya.plugins["mover"].names["SEEN"]["plug-ins"] == [("mover", tmp_path.as_posix())]


def test_a_path_does_as_well(cmds, tmp_path):
    assert cmds.loadPlugin(str(tmp_path / "mover.py"), quiet=True) == ["mover"]
    with pytest.raises(RuntimeError, match="was not found"):
        cmds.loadPlugin(str(tmp_path / "other.py"))


def test_its_text_knows_neither_file_nor_name(maya, cmds):
    cmds.loadPlugin("mover.py")
    seen = maya.plugins["mover"].names["SEEN"]
    assert not seen["file"]
    assert seen["name"] == "builtins"


def test_loading_again_warns_and_changes_nothing(maya, cmds):
    cmds.loadPlugin("mover.py")
    assert cmds.loadPlugin("mover.py") is None
    assert [kind for kind, _ in maya.messages] == ["warning"]
    cmds.loadPlugin("mover.py", quiet=True)
    assert len(maya.messages) == 1


def test_commands_come_and_go_with_it(cmds):
    assert not hasattr(cmds, "moveHand")
    cmds.loadPlugin("mover.py")
    cmds.moveHand()
    assert cmds.getAttr("hand.translate") == [(1, 5, 3)]
    cmds.flushUndo()
    cmds.unloadPlugin("mover.py")
    assert not hasattr(cmds, "moveHand")
    with pytest.raises(NotModelledNameError):
        cmds.moveHand()


def test_it_cannot_be_unloaded_while_its_commands_can_be_undone(cmds):
    cmds.loadPlugin("mover.py")
    cmds.moveHand()
    with pytest.raises(RuntimeError, match="still in use"):
        cmds.unloadPlugin("mover.py")
    cmds.undo()
    with pytest.raises(RuntimeError, match="still in use"):
        cmds.unloadPlugin("mover.py")
    cmds.unloadPlugin("mover.py", force=True)
    with pytest.raises(RuntimeError, match="not loaded"):
        cmds.unloadPlugin("mover.py")


def test_undo_takes_back_commands_but_not_what_went_past_the_queue(cmds):
    cmds.loadPlugin("mover.py")
    cmds.moveHand()
    cmds.undo()
    # z was set through MPlug: nobody undoes that but the command itself (maya.md 1.2).
    assert cmds.getAttr("hand.translate") == [(0, 0, 3)]
    cmds.redo()
    assert cmds.getAttr("hand.translate") == [(1, 5, 3)]


def test_commands_run_by_undo_and_redo_are_no_items(maya, cmds):
    cmds.loadPlugin("mover.py")
    cmds.moveHand()
    for _ in range(3):
        cmds.undo()
        assert (len(maya.undo_queue.done), len(maya.undo_queue.undone)) == (0, 1)
        cmds.redo()
        assert (len(maya.undo_queue.done), len(maya.undo_queue.undone)) == (1, 0)
    assert maya.undo_queue.recording


def test_it_can_be_asked_about_by_either_name(cmds, tmp_path):
    assert cmds.pluginInfo("mover.py", query=True, loaded=True) is False
    with pytest.raises(RuntimeError, match="no plug-in mover"):
        cmds.pluginInfo("mover", query=True, version=True)
    cmds.loadPlugin("mover.py")
    assert cmds.pluginInfo("mover", query=True, loaded=True) is True
    assert cmds.pluginInfo("mover.py", query=True, version=True) == "1.5"
    assert cmds.pluginInfo("mover", query=True, vendor=True) == "Me"
    assert cmds.pluginInfo("mover", query=True, command=True) == ["moveHand"]
    assert Path(cmds.pluginInfo("mover", query=True, path=True)) == tmp_path / "mover.py"
    assert cmds.pluginInfo(query=True, listPlugins=True) == ["mover"]
    cmds.pluginInfo("mover.py", edit=True, autoload=True)
    assert cmds.pluginInfo("mover", query=True, autoload=True) is True


def test_help_gives_the_flags_of_its_commands(cmds):
    cmds.loadPlugin("mover.py")
    assert "-by -byHow" in cmds.help("moveHand")
    with pytest.raises(NotModelledError):
        cmds.help("setAttr")


def test_one_that_fails_to_come_up_is_not_loaded(maya, cmds, tmp_path):
    text = PLUG_IN.replace('"Any")\n', '"Any")\n    raise RuntimeError("no numpy")\n')
    (tmp_path / "mover.py").write_text(text, encoding="utf-8")
    with pytest.raises(RuntimeError, match="no numpy"):
        cmds.loadPlugin("mover.py")
    assert maya.plugins == {}


def test_a_plug_in_for_the_old_api_is_not_modelled(cmds, tmp_path):
    (tmp_path / "mover.py").write_text(PLUG_IN.replace("useNewAPI", "x"), encoding="utf-8")
    with pytest.raises(NotModelledError, match=r"API 1\.0"):
        cmds.loadPlugin("mover.py")


def test_lines_of_mel_run_its_commands(cmds):
    from maya import mel

    cmds.loadPlugin("mover.py")
    mel.eval("moveHand")
    assert cmds.getAttr("hand.tx") == 1


def test_the_plug_in_of_this_project_comes_and_goes(maya):
    from maya import cmds

    root = Path(__file__).resolve().parents[2]
    maya.environment["MAYA_PLUG_IN_PATH"] = str(root / "plug-ins")
    cmds.loadPlugin("jointLimits.py")
    assert "estimateJointLimits" in cmds.pluginInfo("jointLimits", query=True, command=True)
    before = set(maya.commands)
    assert len(before) > 4
    cmds.unloadPlugin("jointLimits.py")
    assert maya.commands == {}
