"""``jointlimits gui``: the window, for use without Maya."""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import sys
from pathlib import Path

from ..base.errors import MissingPackageError
from ..formats.registry import TRACK_ENDINGS, motion_endings
from . import arguments, output

HOW_TO_INSTALL = (
    "the window needs Qt for Python, which is not installed here; install it with: "
    '{python} -m pip install "PySide6-Essentials>=6.5,!=6.12.0" (Python 3.9 or newer), or '
    '"PySide2>=5.15" (up to 3.10)'
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
    if importlib.util.find_spec("jointlimits_maya") is None and _SCRIPTS.is_dir():
        sys.path.append(str(_SCRIPTS))  # a clone that is not installed
    try:
        application = importlib.import_module("jointlimits_maya.ui.application")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("PySide2", "PySide6", "shiboken2"):
            raise
        raise MissingPackageError(HOW_TO_INSTALL.format(python=sys.executable)) from None
    except ImportError as error:
        # On Linux: Qt lacks a system library.
        raise MissingPackageError(f"Qt is installed but cannot be loaded: {error}") from None
    path = limits[0] if limits else None
    return int(application.run(path, motions, options.skeleton, options.controls))
