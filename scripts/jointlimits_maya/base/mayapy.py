"""Maya's own Python."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def mayapy() -> Path:
    """Path of mayapy, in ``bin`` on every system; ``sys.executable`` differs between systems."""
    # live check: mayapy-executable
    ending = ".exe" if os.name == "nt" else ""
    location = os.environ.get("MAYA_LOCATION")
    folder = Path(location) / "bin" if location else Path(sys.executable).parent
    return folder / f"mayapy{ending}"
