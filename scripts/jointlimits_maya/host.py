"""The running Maya: its version, whether it has a window, and the user's folders."""

from __future__ import annotations

from pathlib import Path

import maya.api.OpenMaya as om
from maya import cmds, mel

TITLE = "Joint Limits"


def is_interactive() -> bool:
    """Whether Maya runs with a window."""
    return om.MGlobal.mayaState() in (om.MGlobal.kInteractive, om.MGlobal.kBaseUIMode)


def version() -> str:
    """Return the year of this Maya, such as "2025"."""
    return str(cmds.about(version=True)).split()[0]


def mel_global(name: str) -> str:
    """Value of a MEL global variable, such as the name of a part of Maya's window."""
    # The stubs have no types for mel.eval.
    return str(mel.eval(f"$jointLimitsValue = ${name}"))  # type: ignore[no-untyped-call]


def app_folder() -> Path:
    """Folder of the user's preferences and modules."""
    return Path(str(cmds.internalVar(userAppDir=True)))


def user_folder() -> Path:
    """Folder for estimates and the log, in the user's preferences."""
    return app_folder() / "jointLimits"


def site_packages() -> Path:
    """Folder for Python packages of this user and this Maya, which Maya creates at startup."""
    # live check: version-site-packages
    return app_folder() / version() / "scripts" / "site-packages"
