"""Commands that need Maya's window; without one they raise.

Autodesk's command reference has the flags. That they fail in batch is maya.md 3 ("UI-only").
"""

from __future__ import annotations

import functools

from tests.maya_standin.commands.flags import Bool, Int, Text, Texts
from tests.maya_standin.commands.interface import MAIN_PROGRESS_BAR, Progress
from tests.maya_standin.commands.registry import command
from tests.maya_standin.errors import NotModelledError


def needs_window(function):
    """Wrap a command so that it fails where there is no window."""

    @functools.wraps(function)
    def wrapped(session, *arguments, **flags):
        if session.batch:
            # guess: ui-commands-in-batch
            raise RuntimeError(f"{function.__name__}: not available in batch mode")
        return function(session, *arguments, **flags)

    return wrapped


@command("progressBar")
@needs_window
def progress_bar(
    session,
    name="",
    *,
    edit: Bool = False,
    query: Bool = False,
    beginProgress: Bool = False,
    endProgress: Bool = False,
    isInterruptable: Bool = False,
    isCancelled: Bool = False,
    maxValue: Int = None,
    status: Text = None,
    step: Int = None,
):
    """The main progress bar only; Esc cancels it (maya.md 3, "Progress/cancel")."""
    if name != MAIN_PROGRESS_BAR or not (edit or query):
        raise NotModelledError("cmds.progressBar other than the main one is not modelled")
    ui = session.interface
    if query:
        asked = {
            "isCancelled": (isCancelled, ui.progress.cancelled),
            "maxValue": (maxValue, ui.progress.maximum),
            "status": (status, ui.progress.status),
        }
        return next(value for wanted, value in asked.values() if wanted)
    if beginProgress:
        ui.progress = Progress(running=True, interruptable=bool(isInterruptable))
    _set_progress(ui.progress, maxValue, status)
    if step is not None:
        ui.step_progress(step)
    if endProgress:
        ui.progress.running = False
    return None


def _set_progress(bar, maximum, status):
    bar.maximum = bar.maximum if maximum is None else maximum
    bar.status = bar.status if status is None else status


@command("confirmDialog")
@needs_window
def confirm_dialog(
    session,
    *,
    title: Text = "Confirm",
    message: Text = "",
    button: Texts = ("Confirm",),
    defaultButton: Text = "",
    cancelButton: Text = "",
    dismissString: Text = "dismiss",
):
    """Answered as the test has set; without an answer the test is wrong."""
    ui = session.interface
    ui.dialogs.append({"title": title, "message": message, "buttons": list(button)})
    if not ui.answers:
        raise AssertionError(f"a dialog came up that the test did not expect: {title}: {message}")
    answer = ui.answers.popleft()
    answer = next((one for one in (*button, dismissString) if one.startswith(answer)), answer)
    if answer not in (*button, dismissString):
        raise AssertionError(f"the dialog {title!r} has no button {answer!r}, but {list(button)}")
    return answer


@command("inViewMessage")
@needs_window
def in_view_message(
    session,
    *,
    statusMessage: Text = "",
    position: Text = "midCenter",
    fade: Bool = False,
    fadeStayTime: Int = 0,
):
    session.interface.in_view.append(statusMessage)


@command("refresh")
def refresh(session, *, suspend: Bool = None):
    if suspend is not None:
        session.interface.refresh_suspended = suspend
