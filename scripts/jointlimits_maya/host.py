"""The Maya that we run in: its version, whether anybody is looking, where its user keeps files."""

from __future__ import annotations

from pathlib import Path

import maya.api.OpenMaya as om
from maya import cmds, mel

TITLE = "Joint Limits"


def is_interactive() -> bool:
    """Whether there is a window, and somebody in front of it."""
    return om.MGlobal.mayaState() in (om.MGlobal.kInteractive, om.MGlobal.kBaseUIMode)


def version() -> str:
    """Return the year of this Maya, such as "2025"."""
    return str(cmds.about(version=True)).split()[0]


def mel_global(name: str) -> str:
    """Value of one of the global variables that Maya's own window keeps its parts in."""
    # The stubs have no types for mel.eval.
    return str(mel.eval(f"$jointLimitsValue = ${name}"))  # type: ignore[no-untyped-call]


def app_folder() -> Path:
    """Folder of the user's preferences and modules."""
    return Path(str(cmds.internalVar(userAppDir=True)))


def user_folder() -> Path:
    """Our own folder in the user's preferences: estimates and the log."""
    return app_folder() / "jointLimits"


def site_packages() -> Path:
    """Folder for Python packages of this user and this Maya, which Maya makes at its start."""
    # live check: version-site-packages
    return app_folder() / version() / "scripts" / "site-packages"
