"""Maya's events, as the window is told of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from maya import cmds

from .ui.host import FRAME, NODES, SCENE, SELECTION, Watcher

EVENTS = {
    "timeChanged": FRAME,
    "SelectionChanged": SELECTION,
    "NewSceneOpened": SCENE,
    "SceneOpened": SCENE,
    "NameChanged": NODES,
    "Undo": NODES,
    "Redo": NODES,
}
"""Maya's events, and what they are for the window."""


def watch_scene(watcher: Watcher) -> Callable[[], None]:
    """Tell of what happens in Maya.

    Parameters
    ----------
    watcher : callable
        Called with what it is for the window.

    Returns
    -------
    callable
        Ends it.
    """
    # live check: script-job-events
    jobs = [
        int(cmds.scriptJob(event=(event, _telling(watcher, what))))
        for event, what in EVENTS.items()
    ]

    def stop() -> None:
        for job in jobs:
            if cmds.scriptJob(exists=job):
                cmds.scriptJob(kill=job, force=True)

    return stop


def _telling(watcher: Watcher, what: str) -> Callable[..., None]:
    """Make a function of no arguments for a job."""

    def tell(*_: Any) -> None:
        watcher(what)

    return tell
