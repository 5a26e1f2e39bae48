"""Peak memory of this process."""

from __future__ import annotations

import re
import sys
from pathlib import Path

_PEAK = re.compile(r"^VmHWM:\s*(\d+) kB$", re.MULTILINE)


def peak_megabytes() -> float | None:
    """Peak resident memory in millions of bytes; None if unknown."""
    try:
        # getrusage on Linux starts from the peak of the parent process.
        peak = _PEAK.search(Path("/proc/self/status").read_text(encoding="ascii", errors="replace"))
    except OSError:
        peak = None
    return _of_getrusage() if peak is None else int(peak[1]) * 1024 / 1e6


def _of_getrusage() -> float | None:
    try:
        import resource
    except ImportError:  # Windows
        return None
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # In bytes on macOS, in units of 1024 bytes elsewhere.
    return most / 1e6 if sys.platform == "darwin" else most * 1024 / 1e6
