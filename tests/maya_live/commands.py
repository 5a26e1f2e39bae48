"""Commands of a plug-in: flags, errors, undo, help; and time, units and the window."""

from __future__ import annotations

import contextlib
import os

from maya import cmds, mel

from tests.maya_live.kit import NotHere, check, look
from tests.maya_live.limits import plug
from tests.maya_live.scenes import chain, error_of, keyed_joint, temporary_folder

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROBE = '''
import maya.api.OpenMaya as om

def maya_useNewAPI():
    pass

class Probe(om.MPxCommand):
    """Command that fails on request."""

    @staticmethod
    def syntax_of():
        syntax = om.MSyntax()
        syntax.addFlag("-a", "-about", om.MSyntax.kString)
        syntax.addFlag("-q2", "-quiet")
        syntax.setObjectType(om.MSyntax.kStringObjects, 1, 2)
        syntax.enableQuery = True
        return syntax

    def doIt(self, arguments):
        parsed = om.MArgParser(self.syntax(), arguments)
        about = parsed.flagArgumentString("-about", 0) if parsed.isFlagSet("-about") else ""
        if about == "fail":
            raise RuntimeError("the probe fails")
        if about == "half":
            modifier = om.MDGModifier()
            modifier.renameNode(_node(parsed.getObjectStrings()[0]), "renamed")
            modifier.doIt()
            raise RuntimeError("half done")
        self.setResult("quiet" if parsed.isFlagSet("-quiet") else "loud")

def _node(name):
    selection = om.MSelectionList()
    selection.add(name)
    return selection.getDependNode(0)

def initializePlugin(plug_in):
    om.MFnPlugin(plug_in).registerCommand("jointLimitsProbe", Probe, Probe.syntax_of)

def uninitializePlugin(plug_in):
    om.MFnPlugin(plug_in).deregisterCommand("jointLimitsProbe")
'''


def load_ours():
    """Load the plug-in of this module by its path."""
    path = os.path.join(ROOT, "plug-ins", "jointLimits.py").replace(os.sep, "/")
    if not cmds.pluginInfo("jointLimits.py", query=True, loaded=True):
        cmds.loadPlugin(path, quiet=True)


def load_text(folder, name, text):
    path = f"{folder}/{name}"
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text)
    cmds.loadPlugin(path, quiet=True)


@contextlib.contextmanager
def probe():
    """Load a small plug-in while the block runs; yields its command."""
    with temporary_folder() as folder:
        load_text(folder, "jointLimitsProbe.py", PROBE)
        try:
            yield cmds.jointLimitsProbe
        finally:
            cmds.flushUndo()
            cmds.unloadPlugin("jointLimitsProbe.py")


def apply_to_chain():
    """Limits on a chain of joints, set by our plug-in."""
    load_ours()
    import jointlimits_maya

    chain()
    jointlimits_maya.apply(jointlimits_maya.estimate(["hip"]), ["hip"])


@check("plug-in-by-path", "settled", "references; case ses-plugin-info")
def plug_in_by_path():
    """A plug-in that was loaded by its path is listed by its file's name."""
    load_ours()
    assert cmds.pluginInfo("jointLimits.py", query=True, loaded=True)


@check("module-paths-in-mayapy", "high", "cmdx; a public module")
def module_paths_in_mayapy():
    """MFnPlugin.loadPath gives the plug-in's folder, where it finds its packages."""
    load_ours()
    chain()
    assert '"knee"' in cmds.estimateJointLimits("hip")


@check("error-of-a-command", "high", "API 2.0 guide")
def error_of_a_command():
    """A RuntimeError in doIt reaches the caller of cmds as a RuntimeError."""
    with probe() as command:
        return error_of(command, "x", about="fail")


@check("failed-command-keeps-edits", "medium", "mottosso/cmdx:cmdx.py")
def failed_command_keeps_edits():
    """Changes that a command made before it raised stay, and are not on the undo queue."""
    joint = keyed_joint()
    with probe() as command:
        error_of(command, joint, about="half")
        kept = cmds.objExists("renamed")
    assert kept, "Maya took the change back"


@check("no-arg-flag-false", "medium", "Autodesk's pyMetaDataCmd")
def no_arg_flag_false():
    """A flag without arguments that is given as False has no effect."""
    with probe() as command:
        assert command("x", quiet=True) == "quiet"
        found = command("x", quiet=False)
    assert found == "loud", found


@check("query-object-count", "low", "none")
def query_object_count():
    """A query may leave out the objects that the command otherwise needs."""
    with probe() as command:
        command(query=True)


@check("no-arg-flag-from-python", "medium", "pyMetaDataCmd")
def no_arg_flag_from_python():
    """`help=True` reaches our commands as their own flag -help."""
    load_ours()
    found = cmds.estimateJointLimits(help=True)
    assert "Flags" in found, found


@check("help-of-command", "medium", "command reference")
def help_of_command():
    """`help` of a plug-in's command gives a synopsis with the flags of its syntax."""
    load_ours()
    found = cmds.help("estimateJointLimits")
    assert "-strictness" in found, found


@check("query-with-full-args", "high", "public plug-ins")
def query_with_full_args():
    """Flags that choose joints keep their values in a query."""
    load_ours()
    chain()
    cmds.select(clear=True)
    found = cmds.applyJointLimits(query=True, root="hip")
    assert '"knee"' in found, found


@check("undo-chunk-name", "high", "command reference; case ses-chunk-name")
def undo_chunk_name():
    """Changes by the functions are undone in one step, under the name of the edit."""
    apply_to_chain()
    found = cmds.undoInfo(query=True, undoName=True)
    cmds.undo()
    assert not cmds.getAttr("knee.maxRotXLimitEnable"), "undo left the limit"
    assert found == "Apply Joint Limits", found


@check("modifier-redo-keeps-nodes", "high", "devkit; case undo-group-nodes")
def modifier_redo_keeps_nodes():
    """MDGModifier.doIt after undoIt restores an added attribute and its value."""
    apply_to_chain()
    before = sorted(cmds.listAttr("knee", userDefined=True) or [])
    cmds.undo()
    assert not cmds.getAttr("knee.maxRotXLimitEnable"), "undo left the limit"
    cmds.redo()
    assert cmds.getAttr("knee.maxRotXLimitEnable"), "redo did not restore the limit"
    after = sorted(cmds.listAttr("knee", userDefined=True) or [])
    assert before == after, (before, after)


@check("unload-ok", "high", "case cmd-unload-in-queue")
def unload_ok():
    """A plug-in reports that it cannot be unloaded while the undo queue has one of its commands."""
    apply_to_chain()
    assert not cmds.pluginInfo("jointLimits.py", query=True, unloadOk=True), "it could be unloaded"
    cmds.flushUndo()
    assert cmds.pluginInfo("jointLimits.py", query=True, unloadOk=True), "it still cannot be"


@check("dynamic-matrix-attribute-type", "low", "none")
def dynamic_matrix_attribute_type():
    """The attribute object of a joint's own matrix attribute is kMatrixAttribute."""
    joint = keyed_joint()
    found = plug(f"{joint}.bindPose").attribute().apiTypeStr
    assert found == "kMatrixAttribute", found


@check("playback-range-follows", "medium", "the time slider")
def playback_range_follows():
    """Moving the outer range inside the inner one also shortens the inner one."""
    cmds.playbackOptions(animationStartTime=1, minTime=1, maxTime=100, animationEndTime=100)
    cmds.playbackOptions(animationEndTime=50)
    found = cmds.playbackOptions(query=True, maxTime=True)
    assert abs(found - 50) < 1e-9, f"the inner range ends at {found}"


@check("time-unit-keeps-seconds", "medium", "currentUnit, for keys")
def time_unit_keeps_seconds():
    """Changing the unit of time keeps the current time and the ranges in seconds."""
    cmds.playbackOptions(animationStartTime=1, minTime=1, maxTime=24, animationEndTime=48)
    cmds.currentTime(12)
    cmds.currentUnit(time="ntscf")
    now, end = cmds.currentTime(query=True), cmds.playbackOptions(query=True, maxTime=True)
    assert abs(now - 30) < 1e-6, f"frame 12 of 24 became {now}"
    assert abs(end - 60) < 1e-6, f"frame 24 of 24 became {end}"


@check("ui-commands-in-batch", "high", "command reference")
def ui_commands_in_batch():
    """Commands for Maya's window raise RuntimeError where there is no window."""
    if not cmds.about(batch=True):
        raise NotHere("there is a window; run the kit with mayapy")
    return error_of(cmds.shelfLayout, "JointLimits", exists=True)


@check(
    "mel-globals-in-batch", "medium", "Maya's UI scripts; case ses-mel-global has one of its own"
)
def mel_globals_in_batch():
    """$gMainProgressBar does not exist where there is no window."""
    if not cmds.about(batch=True):
        raise NotHere("there is a window; run the kit with mayapy")
    return error_of(mel.eval, "$jointLimitsTmp=$gMainProgressBar")


@check("current-time-is-undoable", "medium", "command reference")
def current_time_is_undoable():
    """The command currentTime adds to the undo queue."""
    keyed_joint()
    cmds.currentTime(7)
    cmds.undo()
    found = cmds.currentTime(query=True)
    assert abs(found - 1) < 1e-9, f"undo leaves the time at {found}"


@check("bake-in-a-modifier", "medium", "API reference: the command must be undoable")
def bake_in_a_modifier():
    """A modifier runs bakeResults, undoes and redoes it, and adds nothing to the undo queue."""
    import maya.api.OpenMaya as om

    joint = keyed_joint()
    cmds.createNode("joint", name="follower")
    cmds.connectAttr(f"{joint}.rotateX", "follower.rotateX")
    cmds.flushUndo()
    modifier = om.MDGModifier()
    modifier.commandToExecute(
        'bakeResults -simulation true -time "1:4" -sampleBy 1 -disableImplicitControl true '
        '-preserveOutsideKeys true -minimizeRotation false -attribute "rotateX" "|follower"'
    )
    kinds = []
    for step in (modifier.doIt, modifier.undoIt, modifier.doIt):
        step()
        (source,) = cmds.listConnections("follower.rotateX", source=True, destination=False)
        kinds.append(cmds.nodeType(source))
    assert kinds == ["animCurveTA", "joint", "animCurveTA"], kinds
    undone = str(cmds.undoInfo(query=True, undoName=True))
    assert "bakeResults" not in undone, undone


@check("bake-below-a-compound", "low", "none")
def bake_below_a_compound():
    """bakeResults does not bake a channel whose compound is connected as a whole."""
    joint = keyed_joint()
    cmds.createNode("joint", name="follower")
    cmds.connectAttr(f"{joint}.rotate", "follower.rotate")
    cmds.bakeResults(
        "follower",
        attribute="rotateX",
        time=(1, 4),
        simulation=True,
        sampleBy=1,
        disableImplicitControl=True,
        preserveOutsideKeys=True,
        minimizeRotation=False,
    )
    plugs = cmds.listConnections("follower", source=True, destination=False, plugs=True)
    assert plugs == [f"{joint}.rotate"], plugs
    return str(plugs)


@look("load-new-shelf", "medium", "public installers")
def load_new_shelf():
    """MEL loadNewShelf 'path' shows a shelf at once.

    After dropping the installer into the viewport, the shelf appears at once; after a restart it
    is there once, not twice.
    """


@look("shelf-preferences", "medium", "Maya's deleteShelfTab")
def shelf_preferences():
    """deleteUI of a shelf leaves option variables such as shelfName<N>.

    After uninstalling by dropping the installer again, and after a restart, every other tab of
    the shelf has its buttons.
    """


@look("load-module-at-once", "medium", "mGear")
def load_module_at_once():
    """loadModule registers a user's module without a restart.

    After dropping the installer into the viewport, `import jointlimits_maya` works at once;
    `cmds.moduleInfo(path=True, moduleName="jointLimits")` names the folder.
    """


@look("load-module-user-setup", "medium", "command reference")
def load_module_user_setup():
    """loadModule runs no userSetup.py and shows no shelf.

    After dropping the installer: does the menu appear at once, or at the next start of Maya?
    """


@look("icon-200-suffix", "low", "module help")
def icon_200_suffix():
    """name_200.png is used on high-DPI screens; icons are found by bare name.

    On a high-DPI screen, the icons of the shelf are sharp.
    """


@look("unsaved-shelf", "medium", "Ramses makes it read-only")
def unsaved_shelf():
    """Saving all shelves overwrites the module's shelf file.

    Use Save All Shelves, then look at shelves/shelf_JointLimits.mel of the module: it is
    unchanged; otherwise say what Maya wrote into it.
    """
