"""Actions of the buttons and the menu: selection in, message out.

An artist never sees a traceback. Errors that she can fix get a message; any other error is reported
as internal, with the details in the log.
"""

from __future__ import annotations

from typing import Any

from jointlimits_core.base import Cancelled, MissingPackageError

from .base import guarded, host

APPLY_ALL, LEAVE_OUT, CANCEL = "Apply all", "Leave those out", "Cancel"


@guarded
def estimate(**options: Any) -> None:
    """Estimate the selected character and keep the result for the other buttons."""
    from .base import scene_progress
    from .commands import sentences
    from .limits import api
    from .scene import chosen_joints, estimates

    joints = chosen_joints()
    with scene_progress("Estimating joint limits") as progress:
        found = api.estimate(progress=progress, **options)
    path = estimates.save(found, joints)
    sentence, details = sentences.estimate_said(found)
    _show((sentence, f"{details}\n\nSaved to {path}"), complete=not sentences.to_look_at(found))


@guarded
def apply(**options: Any) -> None:
    """Write the latest estimate to the selected joints; ask first if that clamps animation."""
    from .base import scene_progress
    from .commands import sentences
    from .limits import api
    from .scene import undo

    with scene_progress("Reading the animation") as progress:
        prepared = api.prepare_apply(None, (), {"may_move": True, **options}, progress)
    if prepared.result.clips and "may_move" not in options:
        text = sentences.clipping_asked(prepared.result.clips)
        answer = host.ask(text, (APPLY_ALL, LEAVE_OUT, CANCEL))
        if answer == CANCEL:
            raise Cancelled
        if answer == LEAVE_OUT:
            with scene_progress("Reading the animation") as progress:
                prepared = api.prepare_apply(None, (), options, progress)
    undo.run(prepared.edit)
    _show(sentences.apply_said(prepared.result), complete=prepared.result.is_whole)


@guarded
def toggle_limits() -> None:
    """Toggle applied limits: off if any is on, else on."""
    from .commands import sentences
    from .limits import api
    from .scene import undo

    prepared = api.prepare_switch(None, (), {})
    undo.run(prepared.edit)
    _show(sentences.switch_said(prepared.result), complete=prepared.result.is_whole)


@guarded
def check_pose() -> None:
    """Check the current pose, keyed or not, against the latest estimate."""
    _check(time="current")


@guarded
def check_animation() -> None:
    """Check the playback range against the latest estimate."""
    _check(time="playback")


def _check(**options: Any) -> None:
    from .base import scene_progress
    from .commands import sentences
    from .limits import api

    with scene_progress("Checking joint limits") as progress:
        # Maya clamps the keyed numbers, so check their Euler branch.
        result = api.check(progress=progress, branch="keys", **options)
    _show(sentences.check_said(result), complete=result.passed)


@guarded
def clear() -> None:
    """Restore what the selected joints had before limits were applied."""
    from .commands import sentences
    from .limits import api

    result = api.clear()
    _show(sentences.clear_said(result), complete=not result.skipped)


@guarded
def skeleton_from_selection(**options: Any) -> None:
    """Build a skeleton from the selected tracked transforms, and select its root."""
    from .base import scene_progress
    from .commands import sentences
    from .skeleton import api as skeleton_api

    with scene_progress("Skeleton from selection") as progress:
        result = skeleton_api.estimate_skeleton(progress=progress, **options)
    _show(sentences.skeleton_said(result), complete=result.is_whole)


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


def _show(text_and_details: tuple[str, str], *, complete: bool) -> None:
    (host.info if complete else host.warning)(*text_and_details)


@guarded
def start() -> None:
    """Load the plug-in and build the menu; called once Maya's window is up."""
    from . import menu
    from .scene import undo

    undo.load_plug_in()
    menu.build()
