"""Actions of the buttons and the menu: selection in, message out.

An artist never sees a traceback. Errors that she can fix get a message; any other error is reported
as internal, with the details in the log.
"""

from __future__ import annotations

from typing import Any

from jointlimits_core.base import Cancelled, MissingPackageError

from .base import guarded, host
from .commands import (
    OF_BUTTONS,
    ApplyCommand,
    CheckCommand,
    ClearCommand,
    EstimateCommand,
    JointLimitsCommand,
    SkeletonCommand,
    SwitchCommand,
    clamping_question,
)
from .scene import Prepared, undo

APPLY_ALL, LEAVE_OUT, CANCEL = "Apply all", "Leave those out", "Cancel"

open_log = host.open_log
offer_numpy = host.offer_numpy


def _press(command: type[JointLimitsCommand], **options: Any) -> None:
    """Do what a command does, for the selection."""
    _finish(command, command.planned((), options))


def _finish(command: type[JointLimitsCommand], prepared: Prepared[Any], more: str = "") -> None:
    undo.run(prepared.edit)
    text, details = command.message(prepared.result, OF_BUTTONS)
    show = host.info if command.is_complete(prepared.result) else host.warning
    show(text, f"{details}{more}")


@guarded
def estimate(**options: Any) -> None:
    """Estimate the selected character and keep the result for the other buttons."""
    from .scene import chosen_joints, estimates

    joints = chosen_joints()
    prepared = EstimateCommand.planned((), options)
    path = estimates.save(prepared.result, joints)
    _finish(EstimateCommand, prepared, f"\n\nSaved to {path}")


@guarded
def apply(**options: Any) -> None:
    """Write the latest estimate to the selected joints; ask first if that clamps animation."""
    prepared = ApplyCommand.planned((), {"may_move": True, **options})
    if prepared.result.clips and "may_move" not in options:
        answer = host.ask(clamping_question(prepared.result.clips), (APPLY_ALL, LEAVE_OUT, CANCEL))
        if answer == CANCEL:
            raise Cancelled
        if answer == LEAVE_OUT:
            prepared = ApplyCommand.planned((), options)
    _finish(ApplyCommand, prepared)


@guarded
def toggle_limits() -> None:
    """Toggle applied limits: off if any is on, else on."""
    _press(SwitchCommand)


@guarded
def check_pose() -> None:
    """Check the current pose, keyed or not, against the latest estimate."""
    # Maya clamps the keyed numbers, so check their Euler branch.
    _press(CheckCommand, time="current", branch="keys")


@guarded
def check_animation() -> None:
    """Check the playback range against the latest estimate."""
    _press(CheckCommand, time="playback", branch="keys")


@guarded
def clear() -> None:
    """Restore what the selected joints had before limits were applied."""
    _press(ClearCommand)


@guarded
def skeleton_from_selection(**options: Any) -> None:
    """Build a skeleton from the selected tracked transforms, and select its root."""
    _press(SkeletonCommand, **options)


@guarded
def open_window() -> None:
    """Open the window with the selected character."""
    import numpy  # noqa: F401 - fail here if it is missing, not in an empty panel

    from .window import open_window as opener

    window = opener.open_window()
    if window is not None:
        window.begin()


@guarded
def show_results() -> None:
    """Show the latest estimate as a page in the browser, or as a table without matplotlib."""
    from jointlimits_core.report import write_report
    from jointlimits_core.report.terminal import table

    from .base import scene_progress
    from .limits import api
    from .read import limit_set_from
    from .scene import chosen_joints, estimates

    joints = chosen_joints()
    limit_set = limit_set_from(None, joints)
    page = estimates.page_beside(joints)
    try:
        with scene_progress("Drawing joint limits") as progress:
            motion = api.read_motion(progress=progress)
            write_report(limit_set, motion, page, progress)
    except MissingPackageError as error:
        host.info(f"The table is in the Script Editor. For pictures: {error}", table(limit_set))
        return
    host.open_file(page)
    host.info("The page is open in your web browser.", f"The page is {page}")


@guarded
def start() -> None:
    """Load the plug-in and build the menu; called once Maya's window is up."""
    from . import menu

    undo.load_plug_in()
    menu.build()
