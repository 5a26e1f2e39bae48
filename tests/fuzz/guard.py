"""What no reader may do, watched from outside: take long, take memory, touch other files."""

from __future__ import annotations

import contextlib
import faulthandler
import math
import os
import resource
import signal
import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

from jointlimits_core.io import owner

SECONDS = 4.0
"""Of processor time for one input; seeds take milliseconds."""
MEMORY_BYTES = 512 << 20
"""More than the process held a second ago; what fuzzes it keeps its own things in it."""
RETURN_SECONDS = 60.0
"""By the clock, after which a reader that has not come back to Python ends the process."""
_STARTS = ("os.system", "os.exec", "os.posix_spawn", "subprocess.Popen", "os.startfile", "os.fork")
_CODE = ("pickle.find_class", "ctypes.dlopen", "code.__new__")


class TooLongError(BaseException):
    """An input took more processor time than was agreed."""


class ForbiddenError(BaseException):
    """A reader did what no reader may do."""


class Guard:
    """Watches this process while inputs are read.

    Parameters
    ----------
    folder : Path
        Where the inputs are; nothing else is read but Python's own modules, and nothing written
        elsewhere.
    """

    def __init__(self, folder: Path) -> None:
        self._own = os.path.realpath(folder)
        modules = {os.path.realpath(place) for place in (sys.prefix, sys.base_prefix, *sys.path)}
        self._python = tuple(modules)
        self._watching = False
        owner()  # reads the machine's own files, once
        self._armed = -math.inf
        sys.addaudithook(self._on_event)
        signal.signal(signal.SIGPROF, self._too_long)
        warnings.simplefilter("error")

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        """Watch one input."""
        if time.monotonic() > self._armed + 1.0:
            # For what does not come back to Python. Setting this takes longer than most inputs.
            self._armed = time.monotonic()
            faulthandler.dump_traceback_later(RETURN_SECONDS, exit=True)
            held = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
            resource.setrlimit(resource.RLIMIT_AS, (held + MEMORY_BYTES, resource.RLIM_INFINITY))
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        self._watching = True
        try:
            yield
        finally:
            self._watching = False
            signal.setitimer(signal.ITIMER_PROF, 0.0)

    def end(self) -> None:
        """Watch no longer whether anything comes back."""
        faulthandler.cancel_dump_traceback_later()

    def _too_long(self, _: int, __: FrameType | None) -> None:
        raise TooLongError(f"more than {SECONDS:g} s of processor time")

    def _on_event(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self._watching:
            return
        if event in _STARTS or event in _CODE or event.startswith("socket."):
            self._watching = False
            raise ForbiddenError(f"{event} {arguments!r}"[:300])
        if event == "open" and not isinstance(arguments[0], int):
            self._opened(os.fsdecode(arguments[0]), arguments[2])

    def _opened(self, path: str, flags: int) -> None:
        writes = flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
        real = os.path.realpath(path)
        if real.startswith(self._own) or (not writes and real.startswith(self._python)):
            return
        self._watching = False
        raise ForbiddenError(f"opened {path!r} to {'write' if writes else 'read'}")


def peak_megabytes() -> float:
    """Most memory that this process has held so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0
