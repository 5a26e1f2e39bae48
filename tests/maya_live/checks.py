"""Every check of the kit: importing this registers them all."""

from __future__ import annotations

from typing import Any

from maya import cmds

BEFORE_START: dict[str, Any] = {}
"""State from before Maya was started."""
SECONDS = 180.0
"""Seconds for a check; a process that it starts gets two thirds of them."""


def fresh_scene() -> None:
    """Clear the scene, start an empty undo queue (mayapy has none), and set the checks' units."""
    cmds.undoInfo(state=True, infinity=True)
    cmds.file(newFile=True, force=True)
    cmds.flushUndo()
    cmds.currentUnit(linear="cm", angle="deg", time="film")
    cmds.currentTime(1)


from tests.maya_live import (  # noqa: E402, F401 - they register themselves
    commands,
    controls,
    curves,
    edits,
    files,
    graphs,
    limits,
    main_paths,
    poses,
    projecting,
    skeleton,
    startup,
    window,
)
