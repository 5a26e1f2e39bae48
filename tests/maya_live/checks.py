"""Every check of the kit: importing this registers them all."""

from __future__ import annotations

from typing import Any

from maya import cmds

BEFORE_START: dict[str, Any] = {}
"""What there was before Maya was brought up."""


def fresh_scene() -> None:
    """Empty the scene, in the units that the checks count in."""
    cmds.file(newFile=True, force=True)
    cmds.currentUnit(linear="cm", angle="deg", time="film")
    cmds.currentTime(1)


from tests.maya_live import (  # noqa: E402, F401 - they register themselves
    commands,
    curves,
    files,
    limits,
    main_paths,
    poses,
    projecting,
    skeleton,
    startup,
    window,
)
