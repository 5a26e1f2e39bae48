"""The window and the guides, in a Maya with somebody at the screen."""

from __future__ import annotations

from maya import cmds, mel

from tests.maya_live.kit import check, look

HOOK, OWNER = "AETemplateCustomContent", "jointLimitsProbe"


@check("runtime-commands", "high", "command reference")
def runtime_commands():
    """With undo suspended, making and deleting a Python runtime command is not undoable."""
    cmds.undoInfo(stateWithoutFlush=False)
    try:
        cmds.runTimeCommand(
            "jointLimitsProbeCommand",
            label="Probe",
            annotation="Probe",
            category="Joint Limits",
            command="pass",
            commandLanguage="python",
            default=True,
        )
        assert cmds.runTimeCommand("jointLimitsProbeCommand", exists=True)
        cmds.runTimeCommand("jointLimitsProbeCommand", edit=True, delete=True)
    finally:
        cmds.undoInfo(stateWithoutFlush=True)
    assert not cmds.runTimeCommand("jointLimitsProbeCommand", exists=True)
    assert "runTimeCommand" not in str(cmds.undoInfo(query=True, undoName=True))


@check("attribute-editor-hook", "high", "help of callbacks; a public test in mayapy 2027")
def attribute_editor_hook():
    """A callback of the hook gets a node's name, and is no longer called once cleared."""
    called = []
    cmds.callbacks(addCallback=called.append, hook=HOOK, owner=OWNER)
    cmds.createNode("joint", name="probe")
    run = f'callbacks -executeCallbacks -hook "{HOOK}" "probe"'
    mel.eval(run)
    cmds.callbacks(clearCallbacks=True, hook=HOOK, owner=OWNER)
    mel.eval(run)
    assert called == ["probe"], called


@look("attribute-editor-procedures", "high", "USD's and Arnold's templates")
def attribute_editor_procedures():
    """editorTemplate -callCustom calls one MEL procedure to build, one for another node.

    Select a joint with limits: the Attribute Editor has a section Joint Limits with their
    numbers. Select another joint: the section shows that one. Unload the plug-in: it is gone.
    """


@look("workspace-control", "medium", "command reference")
def workspace_control():
    """A workspaceControl runs its uiScript when created and at Maya's start.

    Press Open window, dock the panel, restart Maya with that layout: it is there and filled.
    Close it: none of its scriptJobs is left (`scriptJob -listJobs`).
    """


@look("panel-script-waits", "low", "none")
def panel_script_waits():
    """The uiScript of a new panel may run after the command returns.

    With a character selected, press Open window in a newly started Maya: the panel measures it at
    once. Report
    whether `from jointlimits_maya.window import maya_host; print(maya_host.window())` in the
    `uiScript` of a new `workspaceControl` prints before or after the command returns.
    """


@look("keys-in-the-panel", "medium", "Qt's documentation")
def keys_in_the_panel():
    """A key handled by a docked panel does not trigger Maya's hotkeys.

    Dock the panel, pin a joint and press Ctrl+Z with the list in focus: the pin is gone, and
    the scene's undo queue is as before. Ctrl+S saves the limits, not the scene.
    """


@look("script-job-events", "high", "help of scriptJob")
def script_job_events():
    """ScriptJob events fire when Maya is idle.

    With the window open, scrub, select, rename and undo: the list and the mark of a pose outside
    the limits follow each of these; while the animation plays the window does not slow it down
    much.
    """


@look("guides-follow-parent", "medium", "as parent-matrix-has-offset")
def guides_follow_parent():
    """A transform with a joint's parentMatrix[0] as offsetParentMatrix sits at the joint.

    Use Limits > Guides on a shoulder and an elbow: the curves are at the joints, follow when the
    parent turns, cannot be selected, and are gone without a trace after Guides again or undo;
    with a referenced rig `referenceQuery -editStrings` lists nothing of them afterwards.
    """
