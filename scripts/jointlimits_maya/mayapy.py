"""Where Maya's own Python is; known without a Maya that runs."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def mayapy() -> Path:
    """Path of Maya's own Python, which stands in ``bin`` on every system.

    What it says of itself in ``sys.executable`` is not the same everywhere.
    """
    # live check: mayapy-executable
    ending = ".exe" if os.name == "nt" else ""
    location = os.environ.get("MAYA_LOCATION")
    folder = Path(location) / "bin" if location else Path(sys.executable).parent
    return folder / f"mayapy{ending}"
