"""Maya's events, forwarded to the window."""

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
"""Maya's events and the matching events of the window."""


def watch_scene(watcher: Watcher) -> Callable[[], None]:
    """Forward Maya's events.

    Parameters
    ----------
    watcher : callable
        Called with the window's event.

    Returns
    -------
    callable
        Stops the forwarding.
    """
    # live check: script-job-events
    jobs = [
        int(cmds.scriptJob(event=(event, _forwarding(watcher, what))))
        for event, what in EVENTS.items()
    ]

    def stop() -> None:
        for job in jobs:
            if cmds.scriptJob(exists=job):
                cmds.scriptJob(kill=job, force=True)

    return stop


def _forwarding(watcher: Watcher, what: str) -> Callable[..., None]:
    """Return a function for a script job."""

    def forward(*_: Any) -> None:
        watcher(what)

    return forward
