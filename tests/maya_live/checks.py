"""Every check of the kit: importing this registers them all."""

from __future__ import annotations

from typing import Any

from maya import cmds

BEFORE_START: dict[str, Any] = {}
"""What there was before Maya was brought up."""
SECONDS = 180.0
"""Time of a check; what it starts itself has two thirds of it."""


def fresh_scene() -> None:
    """Empty the scene and the undo queue, which mayapy starts without; set the checks' units."""
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
