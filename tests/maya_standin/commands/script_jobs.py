"""scriptJob: functions that Maya calls, once it is idle, after something has happened.

What has happened is seen by comparing the scene with how it was; see `tell`.
guess: script-job-events
"""

from __future__ import annotations

from tests.maya_standin.commands.flags import Bool, Int, NamedScript
from tests.maya_standin.commands.registry import command
from tests.maya_standin.errors import NotModelledError
from tests.maya_standin.words import words_of

EVENTS = words_of("timeChanged SelectionChanged NewSceneOpened SceneOpened NameChanged Undo Redo")


@command("scriptJob")
def script_job(
    session, *, event: NamedScript = None, kill: Int = None, force: Bool = False, exists: Int = None
):
    """Add a job and give its number, end one, or ask for one."""
    found = jobs(session)
    if exists is not None:
        return exists in found
    if kill is not None:
        if kill not in found:
            raise RuntimeError(f"scriptJob: no job {kill}")
        del found[kill]
        return None
    if event is None or event[0] not in EVENTS:
        raise NotModelledError(f"cmds.scriptJob of {event and event[0]}")
    number = max(found, default=0) + 1
    found[number] = tuple(event)
    return number


def jobs(session):
    """Jobs by number, with what was there when they were last looked after."""
    if not hasattr(session, "script_jobs"):
        session.script_jobs, session.seen_by_jobs = {}, _state_of(session)
    return session.script_jobs


def _state_of(session):
    scene = session.scene
    done, undone = len(session.undo_queue.done), len(session.undo_queue.undone)
    return {
        "scene": (id(scene), scene.file_name),
        "time": scene.time,
        "selection": list(scene.selection),
        "names": [node.name for node in scene.nodes],
        "undone": undone,
        "done": done,
    }


def tell(session):
    """Call the jobs of what has changed since the last time, as Maya does when it becomes idle."""
    listed, before = jobs(session), session.seen_by_jobs
    now = session.seen_by_jobs = _state_of(session)
    happened = set()
    if now["scene"] != before["scene"]:
        happened |= {"SceneOpened" if session.scene.file_name else "NewSceneOpened"}
    if now["time"] != before["time"]:
        happened.add("timeChanged")
    if now["selection"] != before["selection"]:
        happened.add("SelectionChanged")
    if len(now["names"]) == len(before["names"]) and now["names"] != before["names"]:
        happened.add("NameChanged")
    if now["undone"] > before["undone"]:
        happened.add("Undo")
    elif now["undone"] < before["undone"] and now["done"] > before["done"]:
        happened.add("Redo")
    for name, function in list(listed.values()):
        if name in happened:
            function()
