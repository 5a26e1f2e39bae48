"""The most memory that this process has had in use."""

from __future__ import annotations

import sys


def peak_megabytes() -> float | None:
    """Peak of resident memory in millions of bytes; None where the system does not say."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # In bytes on macOS, in units of 1024 bytes elsewhere.
    return peak / 1e6 if sys.platform == "darwin" else peak * 1024 / 1e6
