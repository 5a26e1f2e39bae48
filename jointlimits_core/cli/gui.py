"""``jointlimits gui``: the window, for use without Maya."""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import importlib
import importlib.util
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

from ..base.errors import InputError, MissingPackageError
from ..formats.registry import TRACK_ENDINGS, motion_endings
from ..io.input import check_regular
from . import arguments, output

HOW_TO_INSTALL = (
    "the window needs Qt for Python, which is not installed here; install it with: "
    '{python} -m pip install "PySide6-Essentials>=6.5,!=6.12.0" (Python 3.9 or newer), or '
    '"PySide2>=5.15" (up to 3.10)'
)
SYSTEM_PACKAGES = (
    "on Debian and Ubuntu: sudo apt install libegl1 libgl1 libfontconfig1 libdbus-1-3 "
    "libglib2.0-0 libx11-xcb1 libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 libxcb-xinerama0 "
    "libxkbcommon-x11-0 libwayland-client0 libwayland-cursor0 libwayland-egl1; "
    "on Fedora: sudo dnf install libglvnd-egl libglvnd-glx fontconfig dbus-libs glib2 libX11-xcb "
    "xcb-util-cursor xcb-util-wm xcb-util-keysyms xcb-util-image xcb-util-renderutil "
    "libxkbcommon-x11 libwayland-client libwayland-cursor libwayland-egl"
)
"""Linux packages that the wheels of Qt for Python need."""
NO_PLUGIN = (
    "this Qt has no plugin for the display that {name} names; start an X server and set DISPLAY; "
    "on Debian and Ubuntu: sudo apt install xwayland; "
    "on Fedora: sudo dnf install xorg-x11-server-Xwayland"
)
_SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


def add_arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    sub.description = (
        "View, correct and save limits in a window. Motions without limits are estimated first."
    )
    sub.add_argument(
        "inputs",
        nargs="*",
        metavar="FILE",
        help=f"a .limits.json file and its motions ({', '.join(motion_endings())}), in any order; "
        f"or tracks of loose bodies ({', '.join(TRACK_ENDINGS)}), whose skeleton is found first",
    )
    arguments.add_skeleton(sub)
    arguments.add_declared(sub, "controls")
    sub.set_defaults(own_signals=True)


def run(options: argparse.Namespace) -> int:
    """Show the window, which is not part of this package, until it is closed."""
    limits = [path for path in options.inputs if path.lower().endswith(".json")]
    if len(limits) > 1:
        raise output.UsageError(f"expected one limit set, not {len(limits)}: {', '.join(limits)}")
    motions = [path for path in options.inputs if path not in limits]
    for path in filter(None, (*options.inputs, options.skeleton)):
        check_regular(path, InputError)  # before errors about a missing Qt
    application = _application()
    _check_screen()
    path = limits[0] if limits else None
    return int(application.run(path, motions, options.skeleton, options.controls))


def has_screen() -> bool:
    """Whether this process can show windows, judging by its environment."""
    return not sys.platform.startswith("linux") or any(map(os.environ.get, _DISPLAYS))


def _application() -> ModuleType:
    """Return the module that shows the window; raise MissingPackageError without a usable Qt."""
    if importlib.util.find_spec("jointlimits_maya") is None and _SCRIPTS.is_dir():
        sys.path.append(str(_SCRIPTS))  # a source checkout that is not installed
    try:
        return importlib.import_module("jointlimits_maya.ui.application")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("PySide2", "PySide6", "shiboken2"):
            raise
        raise MissingPackageError(HOW_TO_INSTALL.format(python=sys.executable)) from None
    except ImportError as error:
        raise MissingPackageError(_library_words(error)) from None


def _check_screen() -> None:
    """Raise MissingPackageError where Qt would abort the process: no display, or no library."""
    if not sys.platform.startswith("linux") or os.environ.get("QT_QPA_PLATFORM"):
        return
    if not has_screen():
        raise MissingPackageError(
            "the window needs a display, and neither DISPLAY nor WAYLAND_DISPLAY is set; without "
            "one, `jointlimits estimate --report` writes the same as a page"
        )
    paths = importlib.import_module("jointlimits_maya.ui.toolkit.qt").QtCore.QLibraryInfo
    where = getattr(paths, "path", paths.location)(paths.PluginsPath)
    troubles = []
    for name, (pattern, answers) in _DISPLAYS.items():
        if os.environ.get(name):
            plugins = list(Path(where, "platforms").glob(pattern))
            troubles += [_trouble_of(plugin, os.environ[name], answers) for plugin in plugins]
            troubles += [] if plugins else [NO_PLUGIN.format(name=name)]
    if all(troubles):
        raise MissingPackageError(troubles[-1])


def _trouble_of(plugin: Path, display: str, answers: Callable[[str], bool]) -> str:
    """Why none of Qt's plugins can show windows on a display; "" if one can."""
    try:
        ctypes.CDLL(str(plugin))
        return "" if answers(display) else f"the display {display} does not respond"
    except OSError as error:
        return _library_words(error)


def _library_words(error: Exception) -> str:
    """Name the library that the dynamic linker cannot find, and the packages that have it."""
    library, _, rest = str(error).partition(": cannot open shared object file")
    if not rest:
        return f"Qt is installed but cannot be loaded: {error}"
    return f"Qt lacks {library}; {SYSTEM_PACKAGES}"


def _answers_wayland(display: str) -> bool:
    with contextlib.closing(socket.socket(socket.AF_UNIX)) as stream:
        return stream.connect_ex(os.path.join(os.environ.get("XDG_RUNTIME_DIR", ""), display)) == 0


def _answers_x(display: str) -> bool:
    xcb = ctypes.CDLL("libxcb.so.1")
    xcb.xcb_connect.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(xcb.xcb_connect(os.fsencode(display), None))
    refused = xcb.xcb_connection_has_error(connection)
    xcb.xcb_disconnect(connection)
    return not refused


_DISPLAYS = {
    "WAYLAND_DISPLAY": ("libqwayland*.so", _answers_wayland),
    "DISPLAY": ("libqxcb.so", _answers_x),
}
"""Variables that name a display, in the order in which Qt tries them, with its plugins for each."""
