"""The most memory that this process has had in use."""

from __future__ import annotations

import re
import sys
from pathlib import Path

_PEAK = re.compile(r"^VmHWM:\s*(\d+) kB$", re.MULTILINE)


def peak_megabytes() -> float | None:
    """Peak of resident memory in millions of bytes; None where the system does not say."""
    try:
        # What getrusage says on Linux begins with the peak of the process that started this one.
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
