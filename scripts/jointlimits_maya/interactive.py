"""What the buttons and the menu run: the selection in, a message out.

Nothing here raises at the artist. What she can put right is said in a sentence; anything else is
said to be our fault, with the details in a log.
"""

from __future__ import annotations

import functools
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import Any

from jointlimits_core.errors import MissingPackageError
from jointlimits_core.progress import Cancelled

from . import log, messages, numpy_install
from .errors import MayaRefusedError

OPEN_LOG = "Open log"
APPLY_ALL, LEAVE_OUT, CANCEL = "Apply all", "Leave those out", "Cancel"


def spoken(action: Callable[..., None]) -> Callable[..., bool]:
    """Turn every failure of an action into a message; it then gives False."""

    @functools.wraps(action)
    def run(*arguments: Any, **options: Any) -> bool:
        try:
            action(*arguments, **options)
        except Cancelled:
            messages.info("Stopped; nothing was changed.")
        except ImportError as error:
            if not numpy_install.is_numpy_missing(error):
                return _failed(action.__name__, error)
            offer_numpy()
        except (ValueError, OSError, MayaRefusedError) as error:
            log.logger().warning("%s: %s", action.__name__, error)
            messages.problem(str(error))
        except Exception as error:  # noqa: BLE001 - the artist never sees a traceback
            return _failed(action.__name__, error)
        else:
            return True
        return False

    return run


def _failed(name: str, error: Exception) -> bool:
    """Tell of a failure that is ours."""
    log.logger().error("%s failed", name, exc_info=error)
    text = (
        f"{name.replace('_', ' ')} failed, which it should not: {type(error).__name__}: {error}\n\n"
        f"Whatever it had begun was taken back. The details are in {log.log_path()}."
    )
    if messages.ask(text, (OPEN_LOG, "Close")) == OPEN_LOG:
        open_log()
    return False


@spoken
def estimate(**options: Any) -> None:
    """Estimate the selected character and keep the result for the other buttons."""
    from . import api, kept, wording
    from .joint_choice import chosen_joints
    from .progress import scene_progress

    joints = chosen_joints()
    with scene_progress("Estimating joint limits") as progress:
        found = api.estimate(progress=progress, **options)
    path = kept.save(found, joints)
    sentence, details = wording.estimate_said(found)
    said = sentence, f"{details}\n\nKept in {path}"
    _tell(said, everything=not wording.to_look_at(found))


@spoken
def apply(**options: Any) -> None:
    """Write the latest estimate on the selected joints; ask first if that clips animation."""
    from . import api, undoable, wording
    from .progress import scene_progress

    with scene_progress("Reading the animation") as progress:
        prepared = api.prepare_apply(None, (), {"may_move": True, **options}, progress)
    if prepared.result.clips and "may_move" not in options:
        text = wording.clipping_asked(prepared.result.clips)
        answer = messages.ask(text, (APPLY_ALL, LEAVE_OUT, CANCEL))
        if answer == CANCEL:
            raise Cancelled
        if answer == LEAVE_OUT:
            with scene_progress("Reading the animation") as progress:
                prepared = api.prepare_apply(None, (), options, progress)
    undoable.run(prepared.edit)
    _tell(wording.apply_said(prepared.result), everything=prepared.result.is_whole)


@spoken
def toggle_limits() -> None:
    """Switch applied limits off if any is on, else on."""
    from . import api, undoable, wording

    prepared = api.prepare_switch(None, (), {})
    undoable.run(prepared.edit)
    _tell(wording.switch_said(prepared.result), everything=prepared.result.is_whole)


@spoken
def check_pose() -> None:
    """Hold the pose as it stands, keyed or not, against the latest estimate."""
    _check(time="current")


@spoken
def check_animation() -> None:
    """Hold the playback range against the latest estimate."""
    _check(time="playback")


def _check(**options: Any) -> None:
    from . import api, wording
    from .progress import scene_progress

    with scene_progress("Checking joint limits") as progress:
        # The numbers that are keyed are what Maya holds to limits.
        result = api.check(progress=progress, branch="keys", **options)
    _tell(wording.check_said(result), everything=result.passed)


@spoken
def clear() -> None:
    """Give the selected joints back what they had before limits were applied."""
    from . import api, wording

    result = api.clear()
    _tell(wording.clear_said(result), everything=not result.skipped)


@spoken
def skeleton_from_selection(**options: Any) -> None:
    """Build a skeleton from the selected tracked transforms, and leave its root selected."""
    from . import skeleton_api, skeleton_wording
    from .progress import scene_progress

    with scene_progress("Skeleton from selection") as progress:
        result = skeleton_api.estimate_skeleton(progress=progress, **options)
    _tell(skeleton_wording.skeleton_said(result), everything=result.is_whole)


@spoken
def open_window() -> None:
    """Open the window, and have it show the selected character."""
    import numpy  # noqa: F401 - said here if it is missing, before an empty panel is made

    from . import open_window as opener

    window = opener.open_window()
    if window is not None:
        window.begin()


@spoken
def show_results() -> None:
    """Show the latest estimate as a page in the browser, or as a table where that is impossible."""
    from jointlimits_core.report import write_report
    from jointlimits_core.table import table

    from . import api, kept
    from .joint_choice import chosen_joints
    from .limit_source import limit_set_from
    from .progress import scene_progress

    joints = chosen_joints()
    limit_set = limit_set_from(None, joints)
    page = kept.page_beside(joints)
    try:
        with scene_progress("Drawing joint limits") as progress:
            motion = api.read_motion(progress=progress)
            write_report(limit_set, motion, page, progress)
    except MissingPackageError as error:
        messages.info(f"The table is in the Script Editor. For pictures: {error}", table(limit_set))
        return
    _open(page)
    messages.info("The page is open in your web browser.", f"The page is {page}")


@spoken
def open_log() -> None:
    """Show the log."""
    path = log.log_path()
    if path.is_file():
        _open(path)
    else:
        messages.info("The log is empty: nothing has failed yet.")


def _open(path: Path) -> None:
    webbrowser.open(path.resolve().as_uri())


def _tell(said: tuple[str, str], *, everything: bool) -> None:
    (messages.info if everything else messages.warning)(*said)


@spoken
def start() -> None:
    """Load the plug-in and make the menu; called once Maya's window is up."""
    from . import menu, undoable

    undoable.load_plug_in()
    menu.build()


def offer_numpy() -> bool:
    """Make sure that numpy is there: say how to install it, and do it if that is wanted.

    Returns
    -------
    bool
        Whether it is there now.
    """
    if numpy_install.is_numpy_there():
        return True
    print(numpy_install.command_line())  # a dialog's text cannot be copied
    if messages.ask(numpy_install.advice(), ("Install it now", "Not now")) != "Install it now":
        return False
    trouble = numpy_install.install()
    if trouble:
        log.logger().error("installing numpy: %s", trouble)
        messages.ask(f"numpy was not installed:\n\n{trouble}", ("Close",))
        return False
    messages.info("numpy is installed; press the button again.")
    return True
