"""Identity of the process that owns a temporary file."""

from __future__ import annotations

import contextlib
import hashlib
import os
import platform
from functools import lru_cache
from pathlib import Path

OWNER = r"[0-9a-f]{8}-[0-9]{1,10}"
"""Pattern of the names that :func:`owner` returns."""
LONGEST_WORK = 24 * 3600.0
"""Seconds after which a file of another computer counts as abandoned."""
_CAN_ASK = os.name == "posix"
"""On Windows ``os.kill(pid, 0)`` would terminate the process."""


def owner() -> str:
    """Name of this process, unique among all computers that share a folder."""
    return f"{_computer()}-{os.getpid()}"


def is_given_up(whose: str, age: float) -> bool:
    """Whether the owner of a temporary file has abandoned it.

    Parameters
    ----------
    whose : str
        As returned by :func:`owner`.
    age : float
        Seconds since it was last changed.

    Returns
    -------
    bool
        On this computer since its last start, whether the process has ended; otherwise whether
        `age` exceeds :data:`LONGEST_WORK`.
    """
    computer, _, number = whose.partition("-")
    if computer != _computer() or not _CAN_ASK:
        return age > LONGEST_WORK
    return not _is_there(int(number))


@lru_cache(maxsize=1)
def _computer() -> str:
    """Hash of this boot and process namespace, within which process ids are unique."""
    parts = [platform.node()]
    with contextlib.suppress(OSError):
        parts.append(Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii"))
    with contextlib.suppress(OSError):
        parts.append(os.readlink("/proc/self/ns/pid"))
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:8]


def _is_there(number: int) -> bool:
    try:
        os.kill(number, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:  # exists, but belongs to another user
        return True
    return not _has_ended(number)


def _has_ended(number: int) -> bool:
    """Whether it is a zombie; in a container it may never be reaped."""
    try:
        text = Path(f"/proc/{number}/stat").read_bytes()
    except OSError:
        return False
    return text.rpartition(b")")[2].split()[:1] == [b"Z"]
