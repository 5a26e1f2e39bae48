"""The running Maya: version and folders, errors, messages, progress, log, and numpy.

Messages go to the viewport, the Script Editor or a dialog; details of failures go to the log.
"""

from __future__ import annotations

import contextlib
import functools
import html
import importlib
import logging
import math
import subprocess  # noqa: TID251 - pip for numpy, from an argument list
import sys
import time
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from maya import cmds, mel

from jointlimits_core.base.progress import Cancelled, Progress, TimeLeft, with_time_left
from jointlimits_core.io import logs

from .mayapy import mayapy
from .open_maya import om

TITLE = "Joint Limits"


class SceneError(ValueError):
    """A problem with the open scene or a request, which the user must fix first.

    `message`: what is wrong and what to do about it. `where`: the node concerned; empty for the
    whole scene.
    """

    def __init__(self, message: str, where: str = "") -> None:
        self.message, self.where = message, where
        super().__init__(f"{where}: {message}" if where else message)


MAX_LISTED_PLACES = 12
"""Largest number of places that a message lists."""


class MayaRefusedError(RuntimeError):
    """Maya rejected a change; everything done so far was rolled back.

    `reason`: Maya's own error. `left`: places that could not be restored, such as "knee.rotateX".
    """

    def __init__(self, reason: object, left: Sequence[str] = ()) -> None:
        self.left = tuple(left)
        why = str(reason).strip().rstrip(".")
        if self.left:
            text = (
                f"Maya rejected a change, and could not restore {listed_places(self.left)}: {why}. "
                "Set these back by hand, or open the saved scene again"
            )
        else:
            text = (
                f"Maya rejected a change, and the scene was restored: {why}. Check for locked or "
                "connected attributes and locked references, and try again"
            )
        super().__init__(text)


def listed_places(places: Sequence[str]) -> str:
    """Join places for a message, up to :data:`MAX_LISTED_PLACES`; the log has all of them."""
    more = len(places) - MAX_LISTED_PLACES
    rest = [f"{more} more (all are in {log_path()})"] if more > 0 else []
    return ", ".join([*places[:MAX_LISTED_PLACES], *rest])


def is_interactive() -> bool:
    """Whether Maya runs with a window."""
    return om.MGlobal.mayaState() in (om.MGlobal.kInteractive, om.MGlobal.kBaseUIMode)


def version() -> str:
    """Return the year of this Maya, such as "2025"."""
    return str(cmds.about(version=True)).split()[0]


def mel_global(name: str) -> str:
    """Value of a MEL global variable, such as the name of a part of Maya's window."""
    # The stubs have no types for mel.eval.
    return str(mel.eval(f"$jointLimitsValue = ${name}"))  # type: ignore[no-untyped-call]


def app_folder() -> Path:
    """Folder of the user's preferences and modules."""
    return Path(str(cmds.internalVar(userAppDir=True)))


def user_folder() -> Path:
    """Folder for estimates and the log, in the user's preferences."""
    return app_folder() / "jointLimits"


def site_packages() -> Path:
    """Folder of Python packages for this user and Maya version; Maya creates it at startup."""
    # live check: version-site-packages
    return app_folder() / version() / "scripts" / "site-packages"


def log_path() -> Path:
    """Path of the log; the previous log is next to it."""
    return logs.log_path(user_folder())


@functools.lru_cache(maxsize=1)
def logger() -> logging.Logger:
    """Return the logger; if its file cannot be written, the details are dropped silently."""
    return logs.session_logger("maya", log_path(), {"maya": version()})


def info(text: str, details: str = "") -> None:
    """Report success; details go to the Script Editor."""
    _report(om.MGlobal.displayInfo, text, details)


def warning(text: str, details: str = "") -> None:
    """Report that something was done only in part, or not as expected."""
    _report(om.MGlobal.displayWarning, text, details)


def problem(text: str) -> None:
    """Report the reason why nothing was done, and the remedy."""
    _report(om.MGlobal.displayError, text)


def _report(display: Callable[[str], object], text: str, details: str = "") -> None:
    if details:
        print(details)
    display(_one_line(text))
    if is_interactive():
        shown = html.escape(text, quote=False).replace("\n", "<br>")
        cmds.inViewMessage(statusMessage=shown, position="topCenter", fade=True, fadeStayTime=4000)


def ask(text: str, buttons: Sequence[str]) -> str:
    """Ask, and return the label of the pressed button; a dismissed dialog returns the last."""
    if not is_interactive():
        om.MGlobal.displayWarning(_one_line(text))
        return buttons[-1]
    answer = cmds.confirmDialog(
        title=TITLE,
        message=text,
        button=list(buttons),
        defaultButton=buttons[0],
        cancelButton=buttons[-1],
        dismissString=buttons[-1],
    )
    return str(answer)


def _one_line(text: str) -> str:
    return f"{TITLE}: {' '.join(text.split())}"


def requirement() -> str:
    """Return the numpy requirement of this Maya.

    Up to Maya 2026 (Python 3.11), the Qt binding is built against numpy 1 and warns, or fails, with
    numpy 2. numpy 1 has no builds for the Python 3.13 of Maya 2027.
    """
    # live check: numpy-and-qt-binding
    return "numpy<2" if sys.version_info < (3, 12) else "numpy"


def command() -> list[str]:
    """Arguments of the command that installs numpy for this user and this Maya."""
    target = ["--target", str(site_packages())]
    return [str(mayapy()), "-m", "pip", "install", *target, requirement()]


def command_line() -> str:
    """Return the command as typed in a terminal."""
    return " ".join(f'"{word}"' if set(word) & set(' <>()"') else word for word in command())


def advice() -> str:
    """Message saying that numpy is missing, with the command that installs it."""
    old = "<" in requirement()
    # PowerShell treats a quoted path as text, and the Command Prompt does not know "&".
    shell = ' (in PowerShell, type "& " before it)' if sys.platform == "win32" else ""
    reason = " (numpy 1, because the Qt of this Maya is built against it)" if old else ""
    return (
        f"Joint Limits needs numpy, which Maya does not include. Install it{reason} with this "
        f"command in a terminal{shell}:\n\n{command_line()}"
    )


def is_numpy_missing(error: ImportError) -> bool:
    """Whether an import failed because numpy is missing."""
    return (error.name or "").partition(".")[0] == "numpy"


def is_numpy_installed() -> bool:
    """Whether numpy can be imported, if need be from the folder that pip installs it to."""
    try:
        importlib.import_module("numpy")
    except ImportError:
        folder = site_packages()
        if str(folder) in sys.path or not folder.is_dir():
            return False
        # mayapy may not search this folder. live check: version-site-packages
        sys.path.append(str(folder))
        importlib.invalidate_caches()
        try:
            importlib.import_module("numpy")
        except ImportError:
            sys.path.remove(str(folder))
            return False
    return True


def install() -> str:
    """Install numpy; returns "" on success, otherwise the last lines of pip's output."""
    try:
        done = subprocess.run(
            command(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
        )
    except OSError as error:
        return f"{command()[0]}: {error.strerror or error}"
    importlib.invalidate_caches()
    if str(site_packages()) not in sys.path:
        sys.path.append(str(site_packages()))
    output = done.stdout.decode("utf-8", "replace").strip()
    return "" if done.returncode == 0 else "\n".join(output.splitlines()[-5:]) or "pip failed"


OPEN_LOG = "Open log"


def guard(action: Callable[..., None]) -> Callable[..., bool]:
    """Turn every failure of an action into a message; the action then returns False."""

    @functools.wraps(action)
    def run(*arguments: Any, **options: Any) -> bool:
        try:
            action(*arguments, **options)
        except Cancelled:
            info("Stopped; nothing was changed.")
        except ImportError as error:
            if not is_numpy_missing(error):
                return _report_internal_error(action.__name__, error)
            offer_numpy()
        except (ValueError, OSError, MayaRefusedError) as error:
            logger().warning("%s: %s", action.__name__, error)
            problem(str(error))
        except Exception as error:  # noqa: BLE001 - the artist never sees a traceback
            return _report_internal_error(action.__name__, error)
        else:
            return True
        return False

    return run


def _report_internal_error(name: str, error: Exception) -> bool:
    logger().error("%s failed", name, exc_info=error)
    left: tuple[str, ...] = getattr(error, "left", ())
    scene = f"Not restored: {listed_places(left)}." if left else "The scene was restored."
    text = (
        f"Internal error in {name.replace('_', ' ')}: {type(error).__name__}: {error}\n\n"
        f"{scene} The details are in {log_path()}."
    )
    if ask(text, (OPEN_LOG, "Close")) == OPEN_LOG:
        open_log()
    return False


@guard
def open_log() -> None:
    """Open the log."""
    path = log_path()
    if path.is_file():
        open_file(path)
    else:
        info("The log is empty: nothing has failed yet.")


def open_file(path: Path) -> None:
    """Open a file with the system's default program."""
    webbrowser.open(path.resolve().as_uri())


def offer_numpy() -> bool:
    """Offer to install numpy if it is missing; return whether it is installed now."""
    if is_numpy_installed():
        return True
    print(command_line())  # a dialog's text cannot be copied
    if ask(advice(), ("Install it now", "Not now")) != "Install it now":
        return False
    problem = install()
    if problem:
        logger().error("installing numpy: %s", problem)
        ask(f"numpy could not be installed:\n\n{problem}", ("Close",))
        return False
    info("numpy is installed; press the button again.")
    return True


PAUSE_SECONDS = 0.1
"""Seconds between updates of the progress bar, each of which checks for Esc."""


@contextlib.contextmanager
def scene_progress(title: str) -> Iterator[Progress | None]:
    """Show Maya's main progress bar while the block runs, if Maya has a window.

    `title`: shown until the first progress label. Yields a progress callback for the core, which
    cancels once Esc is pressed.
    """
    if not is_interactive():
        yield None
        return
    bar = mel_global("gMainProgressBar")
    cmds.progressBar(
        bar, edit=True, beginProgress=True, isInterruptable=True, status=title, maxValue=100
    )
    try:
        shown, updated, last_label, left = 0, -math.inf, "", TimeLeft()

        def update(done: int, total: int, label: str) -> bool:
            nonlocal shown, updated, last_label
            left.update(done, total)
            # Asking Maya takes longer than reading a frame.
            now = time.monotonic()
            if now - updated < PAUSE_SECONDS and label == last_label:
                return True
            updated, last_label = now, label
            percent = 100 * done // max(total, 1)
            # A step of zero still lets Maya check for Esc.
            cmds.progressBar(
                bar, edit=True, step=max(percent - shown, 0), status=with_time_left(label, left)
            )
            shown = max(percent, shown)
            return not cmds.progressBar(bar, query=True, isCancelled=True)

        yield update
    finally:
        cmds.progressBar(bar, edit=True, endProgress=True)
