"""Header of every log: program version and environment."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Mapping
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path

from ._version import __version__
from .wording import printable

WORD_WIDTH = 10


def header_lines(title: str, more: Mapping[str, str] | None = None) -> list[str]:
    """First lines of a log.

    Parameters
    ----------
    title : str
        First line.
    more : mapping of word to text, optional
        Host application, as {"maya": "2025"}.

    Returns
    -------
    list of str
        Each printable.
    """
    words = {
        "began": f"{time_words()}, process {os.getpid()}",
        "version": f"jointlimits {__version__}",
        "python": f"{sys.version.split()[0]}, {sys.executable}",
        "numpy": _numpy(),
        "system": f"{platform.platform()}, {os.cpu_count()} processors",
        **_qt(),
        **(more or {}),
    }
    return [
        title,
        *(printable(f"{word.ljust(WORD_WIDTH)} {text}") for word, text in words.items()),
    ]


def time_words() -> str:
    """Local time with its offset from UTC."""
    return datetime.now().astimezone().isoformat(sep=" ", timespec="seconds")


def _qt() -> dict[str, str]:
    """Version of Qt if it is already loaded; never loads it."""
    found = [name for name in ("PySide6", "PySide2") if f"{name}.QtCore" in sys.modules]
    versions = (f"{name} {sys.modules[f'{name}.QtCore'].__version__}" for name in found)
    return {"qt": ", ".join(versions)} if found else {}


def _numpy() -> str:
    """Version of numpy, read from its metadata where it is not loaded (batch parent process)."""
    spec = None if "numpy" in sys.modules else find_spec("numpy")
    if spec is not None and spec.origin is not None:
        # Installers put a folder named after the version beside the package.
        beside = Path(spec.origin).parents[1].glob("numpy-*.dist-info")
        versions = [path.name[len("numpy-") : -len(".dist-info")] for path in beside]
        if len(versions) == 1:
            return versions[0]
    try:
        import numpy
    except ImportError as error:  # also for a broken installation
        return f"none: {type(error).__name__}: {error}"
    return str(numpy.__version__)
