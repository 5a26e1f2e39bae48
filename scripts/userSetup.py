"""Startup script: loads the plug-in and builds the menu; does nothing without a window."""

from maya import cmds


def _start_joint_limits() -> None:
    from jointlimits_maya import interactive

    interactive.start()


# live check: user-setup-of-module
if not cmds.about(batch=True):
    cmds.evalDeferred(_start_joint_limits, lowestPriority=True)
