"""Whose something half-done is: the process at work on it, in letters for its name."""

from __future__ import annotations

import contextlib
import hashlib
import os
import platform
from functools import lru_cache
from pathlib import Path

OWNER = r"[0-9a-f]{8}-[0-9]{1,10}"
"""Pattern of what :func:`owner` gives."""
LONGEST_WORK = 24 * 3600.0
"""Seconds; what a process on another computer has left alone for so long is taken as given up."""
_CAN_ASK = os.name == "posix"
"""Elsewhere asking whether a process is there would end it."""


def owner() -> str:
    """Name of this process among those of all computers that see the same folder."""
    return f"{_computer()}-{os.getpid()}"


def is_given_up(whose: str, age: float) -> bool:
    """Whether nobody is at work any more on what bears the name of an owner.

    Parameters
    ----------
    whose : str
        As :func:`owner` gave it.
    age : float
        Seconds since it was last changed.

    Returns
    -------
    bool
        If the owner is of this computer, as it runs since it was last started: whether the
        process is gone. Else nobody can know, and age decides.
    """
    computer, _, number = whose.partition("-")
    if computer != _computer() or not _CAN_ASK:
        return age > LONGEST_WORK
    return not _is_there(int(number))


@lru_cache(maxsize=1)
def _computer() -> str:
    """Letters for a computer since its start, or a container on it: where numbers are unique."""
    said = [platform.node()]
    with contextlib.suppress(OSError):
        said.append(Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii"))
    with contextlib.suppress(OSError):
        said.append(os.readlink("/proc/self/ns/pid"))
    return hashlib.sha256("\n".join(said).encode("utf-8", "surrogateescape")).hexdigest()[:8]


def _is_there(number: int) -> bool:
    try:
        os.kill(number, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:  # somebody else's, so it is there
        return True
    return not _has_ended(number)


def _has_ended(number: int) -> bool:
    """Whether it only waits for somebody to ask how it ended; in a container that may be nobody."""
    try:
        text = Path(f"/proc/{number}/stat").read_bytes()
    except OSError:
        return False
    return text.rpartition(b")")[2].split()[:1] == [b"Z"]
