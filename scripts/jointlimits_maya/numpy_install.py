"""Installation of numpy, which Maya does not include."""

from __future__ import annotations

import importlib
import subprocess
import sys

from . import host
from .mayapy import mayapy


def requirement() -> str:
    """Return the numpy requirement of this Maya.

    Up to Maya 2026 (Python 3.11), the Qt binding is built against numpy 1 and warns, or fails, with
    numpy 2. numpy 1 has no builds for the Python 3.13 of Maya 2027.
    """
    # live check: numpy-and-qt-binding
    return "numpy<2" if sys.version_info < (3, 12) else "numpy"


def command() -> list[str]:
    """Arguments of the command that installs numpy for this user and this Maya."""
    target = ["--target", str(host.site_packages())]
    return [str(mayapy()), "-m", "pip", "install", *target, requirement()]


def command_line() -> str:
    """Return the command as typed in a terminal."""
    return " ".join(f'"{word}"' if set(word) & set(' <>()"') else word for word in command())


def advice() -> str:
    """Message that numpy is missing, with the command that installs it."""
    reason = (
        " (numpy 1, because the Qt of this Maya is built against it)"
        if "<" in requirement()
        else ""
    )
    return (
        f"Joint Limits needs numpy, which Maya does not include. Install it{reason} with this "
        f"command in a terminal:\n\n{command_line()}"
    )


def is_numpy_missing(error: ImportError) -> bool:
    """Whether an import failed because numpy is missing."""
    return (error.name or "").partition(".")[0] == "numpy"


def is_numpy_there() -> bool:
    """Whether numpy can be imported."""
    try:
        importlib.import_module("numpy")
    except ImportError:
        return False
    return True


def install() -> str:
    """Install numpy; empty on success, else the last lines of pip's output."""
    try:
        done = subprocess.run(
            command(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
        )
    except OSError as error:
        return f"{command()[0]}: {error.strerror or error}"
    importlib.invalidate_caches()
    if str(host.site_packages()) not in sys.path:
        sys.path.append(str(host.site_packages()))
    output = done.stdout.decode("utf-8", "replace").strip()
    return "" if done.returncode == 0 else "\n".join(output.splitlines()[-5:]) or "pip failed"
