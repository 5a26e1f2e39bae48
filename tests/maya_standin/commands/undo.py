"""undo, redo, undoInfo, flushUndo."""

from __future__ import annotations

from tests.maya_standin.commands.flags import Bool, Int, Text
from tests.maya_standin.commands.registry import command
from tests.maya_standin.errors import NotModelledError


@command("undo")
def undo(session):
    return session.undo_queue.undo()


@command("redo")
def redo(session):
    return session.undo_queue.redo()


@command("flushUndo")
def flush_undo(session):
    session.undo_queue.flush()


@command("undoInfo")
def undo_info(
    session,
    *,
    query: Bool = False,
    openChunk: Bool = False,
    closeChunk: Bool = False,
    chunkName: Text = "",
    state: Bool = None,
    stateWithoutFlush: Bool = None,
    infinity: Bool = None,
    length: Int = None,
    undoName: Bool = False,
    redoName: Bool = False,
    undoQueueEmpty: Bool = False,
    redoQueueEmpty: Bool = False,
):
    """Ask the queue, switch it, or put what follows into a chunk.

    Turning the state off flushes the queue, `stateWithoutFlush` does not (command reference).
    """
    queue = session.undo_queue
    if query:
        asked = {"state": state or stateWithoutFlush, "undoName": undoName, "redoName": redoName,
                 "undoQueueEmpty": undoQueueEmpty, "redoQueueEmpty": redoQueueEmpty}  # fmt: skip
        return _answer(queue, [name for name, wanted in asked.items() if wanted])
    if length is not None or infinity is False:
        raise NotModelledError("cmds.undoInfo with a length of the queue is not modelled")
    if openChunk:
        queue.open_chunk(chunkName)
    if closeChunk:
        queue.close_chunk()
    if stateWithoutFlush is not None:
        queue.recording = stateWithoutFlush
    if state is not None:
        queue.recording = state
        if not state:
            queue.flush()
    return None


def _answer(queue, asked):
    if not asked:
        return len(queue.done)
    if len(asked) > 1:
        raise NotModelledError("cmds.undoInfo(query=True) with several questions")
    answers = {
        "state": queue.recording,
        "undoName": queue.done[-1].name if queue.done else "",
        "redoName": queue.undone[-1].name if queue.undone else "",
        "undoQueueEmpty": not queue.done,
        "redoQueueEmpty": not queue.undone,
    }
    return answers[asked[0]]
