"""The stand-in's commands of plug-ins: syntax, arguments, results, undo."""

from __future__ import annotations

import textwrap

import pytest

from tests.maya_standin import NotModelledError

PLUGIN = """
import maya.api.OpenMaya as om
import maya.cmds as cmds

maya_useNewAPI = True
SEEN = {}


def syntax():
    made = om.MSyntax()
    made.setObjectType(om.MSyntax.kSelectionList)
    made.useSelectionAsDefault(True)
    made.enableQuery = True
    made.addFlag("-st", "-startTime", om.MSyntax.kTime)
    made.addFlag("-an", "-angle", om.MSyntax.kAngle)
    made.addFlag("-ap", "-apply", om.MSyntax.kBoolean)
    made.addFlag("-ct", "-count", om.MSyntax.kLong)
    made.addFlag("-cl", "-clip", om.MSyntax.kString)
    made.makeFlagMultiUse("-clip")
    made.addFlag("-rg", "-range", om.MSyntax.kDouble, om.MSyntax.kDouble)
    made.makeFlagMultiUse("-rg")
    made.addFlag("-fc", "-force")
    return made


class Turn(om.MPxCommand):
    def __init__(self):
        super().__init__()
        self.modifier = om.MDGModifier()

    def doIt(self, args):
        found = om.MArgDatabase(self.syntax(), args)
        SEEN["last"] = found
        self.nodes = found.getObjectList()
        for index in range(self.nodes.length()):
            plug = om.MFnDependencyNode(self.nodes.getDependNode(index)).findPlug("rx", False)
            self.modifier.newPlugValueMAngle(plug, om.MAngle(1.0))
        if found.isFlagSet("force"):
            cmds.setAttr("tail.translateX", 5.0)
        if found.isFlagSet("count") and not found.isQuery:
            raise KeyError("count")
        self.setResult(list(self.nodes.getSelectionStrings()))
        self.modifier.doIt()

    def redoIt(self):
        self.modifier.doIt()

    def undoIt(self):
        self.modifier.undoIt()

    def isUndoable(self):
        return True


def initializePlugin(handle):
    plugin = om.MFnPlugin(handle, "Me", "1.0", "Any")
    plugin.registerCommand("turnThings", Turn, syntax)


def uninitializePlugin(handle):
    om.MFnPlugin(handle).deregisterCommand("turnThings")
"""


@pytest.fixture
def cmds(maya, tmp_path):
    """Commands, with the plug-in's and two joints."""
    import maya.cmds as cmds

    file = tmp_path / "turning.py"
    file.write_text(textwrap.dedent(PLUGIN), encoding="utf-8")
    cmds.loadPlugin(str(file))
    maya.scene.create_node("joint", "hip")
    maya.scene.create_node("joint", "tail")
    maya.undo_queue.flush()
    return cmds


@pytest.fixture
def seen(maya, cmds):
    """What the command made of its arguments."""
    return lambda: maya.plugins["turning"].names["SEEN"]["last"]


def test_result_and_undo(cmds, maya):
    assert cmds.turnThings("hip", ["tail"]) == ["hip", "tail"]
    assert cmds.getAttr("tail.rotateX") == pytest.approx(57.29577951308232)
    assert [item.name for item in maya.undo_queue.done] == ["turnThings"]
    cmds.undo()
    assert cmds.getAttr("tail.rotateX") == 0.0
    cmds.redo()
    assert cmds.getAttr("hip.rotateX") == pytest.approx(57.29577951308232)


def test_selection_is_the_default(cmds, maya):
    maya.scene.select([maya.scene.node("tail")])
    assert cmds.turnThings() == ["tail"]


def test_commands_inside_belong_to_it(cmds, maya):
    cmds.turnThings("hip", force=True)
    assert cmds.getAttr("tail.translateX") == 5.0
    cmds.undo()
    assert cmds.getAttr("tail.translateX") == 0.0
    assert not maya.undo_queue.done


def test_flags(cmds, seen, maya):
    maya.scene.units.time = "ntsc"
    cmds.turnThings("hip", startTime=15, angle=90.0, clip=["a", "b"], range=[(1, 2), (3, 4)])
    found = seen()
    assert found.flagArgumentMTime("startTime", 0).asUnits(3) == 0.5
    assert found.flagArgumentMAngle("-an", 0).asDegrees() == 90.0
    assert found.numberOfFlagUses("clip") == 2
    assert found.getFlagArgumentList("clip", 1).asString(0) == "b"
    assert found.getFlagArgumentList("range", 1).asDouble(1) == 4.0
    assert not found.isFlagSet("apply")
    assert not found.isFlagSet("force")
    assert not found.isQuery
    with pytest.raises(RuntimeError):
        found.flagArgumentBool("apply", 0)
    with pytest.raises(NotModelledError, match="declared"):
        found.flagArgumentInt("startTime", 0)
    with pytest.raises(NotModelledError):
        found.isFlagSet("aply")


def test_one_use_of_flags_with_many(cmds, seen):
    cmds.turnThings("hip", clip="a", range=(1.0, 2.0))
    assert seen().numberOfFlagUses("clip") == 1
    assert seen().getFlagArgumentList("range", 0).asDouble(0) == 1.0


def test_no_argument_flags_take_a_value(cmds, seen):
    cmds.turnThings("hip", force=False)
    assert not seen().isFlagSet("force")


def test_query(cmds, seen):
    cmds.turnThings("hip", query=True, count=True)
    assert seen().isQuery
    assert seen().isFlagSet("count")
    with pytest.raises(TypeError, match="Invalid flag 'edit'"):
        cmds.turnThings("hip", edit=True)


@pytest.mark.parametrize(
    "flags",
    [
        {"aply": True},
        {"apply": "yes"},
        {"count": 1.5},
        {"count": True},
        {"angle": "90"},
        {"clip": 3},
        {"range": (1.0,)},
        {"range": [(1.0, 2.0, 3.0)]},
        {"startTime": None},
    ],
)
def test_wrong_flags(cmds, maya, flags):
    with pytest.raises(TypeError, match=r"Invalid|Flag"):
        cmds.turnThings("hip", **flags)
    assert not maya.undo_queue.done


def test_errors(cmds, maya):
    with pytest.raises(RuntimeError, match="nobody"):
        cmds.turnThings("nobody")
    with pytest.raises(RuntimeError, match="count"):
        cmds.turnThings("hip", count=1)
    assert not maya.undo_queue.done


def test_results(cmds, maya):
    import maya.api.OpenMaya as om

    from tests.maya_standin.open_maya.command import Call, running

    call = Call()
    with running(call):
        for good in (True, 3, 2.5, "text", [1, 2.5], ("a", "b")):
            om.MPxCommand.setResult(good)
            assert call.result == (list(good) if isinstance(good, tuple) else good)
        for bad in ({"a": 1}, [1, "a"], [[1], [2]], None):
            with pytest.raises(TypeError):
                om.MPxCommand.setResult(bad)
        om.MPxCommand.clearResult()
        om.MPxCommand.appendToResult("a")
        om.MPxCommand.appendToResult("b")
        assert om.MPxCommand.currentResult() == ["a", "b"]
    with pytest.raises(NotModelledError):
        om.MPxCommand.setResult(1)


def test_names_of_flags(maya):
    import maya.api.OpenMaya as om

    for short, long in (("-stim", "-startTime"), ("-st", "-sta"), ("-q", "-quiet")):
        with pytest.raises(RuntimeError):
            om.MSyntax().addFlag(short, long)
    taken = om.MSyntax().addFlag("-st", "-start")
    with pytest.raises(RuntimeError, match="already"):
        taken.addFlag("-st", "-other")


def test_unloading(cmds, maya):
    cmds.turnThings("hip")
    with pytest.raises(RuntimeError, match="in use"):
        cmds.unloadPlugin("turning")
    cmds.flushUndo()
    cmds.unloadPlugin("turning")
    with pytest.raises(AttributeError):
        cmds.turnThings("hip")
