"""A Python file dropped into a viewport."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path


def drop(path: Path) -> None:
    """Run a dropped file as Maya's executeDroppedPythonFile does.

    Its folder comes first on sys.path; it is imported by its stem, so that what was imported under
    that name before is called again; afterwards the first entry of sys.path goes, whatever it is.
    """
    sys.path.insert(0, str(path.parent))
    try:
        importlib.invalidate_caches()
        importlib.import_module(path.stem).onMayaDroppedPythonFile(None)
    finally:
        sys.path.pop(0)
