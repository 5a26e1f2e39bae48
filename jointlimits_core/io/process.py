"""Process of a command: its streams, signals, memory and number of numpy threads."""

from __future__ import annotations

import _thread
import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator
from functools import lru_cache, partial
from typing import Any, TextIO

AGAIN_SECONDS = 0.01
ENDING = ("SIGTERM", "SIGHUP")
"""Signals that farms send to stop a job, and terminals when they close."""
_THREADS = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
"""Environment variables that numpy's linear algebra reads when it is loaded."""
_SIGNAL_EXIT_CODE = 128
"""Number that shells add to the number of a signal to get an exit code."""


class Terminated(KeyboardInterrupt):
    """A termination signal, handled like Ctrl-C; `number` is the signal number."""

    def __init__(self, number: int) -> None:
        self.number = number
        super().__init__(number)


def standard_streams() -> None:
    """Open the null device in place of missing standard streams, as under cron or pythonw."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115


@lru_cache(maxsize=1)
def memory_bytes() -> int:
    """Memory of this computer in bytes; 8 GB if unknown."""
    if sys.platform == "win32":
        import ctypes

        kilobytes = ctypes.c_ulonglong()
        ctypes.windll.kernel32.GetPhysicallyInstalledSystemMemory(ctypes.byref(kilobytes))
        return 1024 * kilobytes.value or 8 << 30
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError):
        return 8 << 30


def single_threaded_algebra() -> None:
    """Limit linear algebra to one thread, here and in workers, unless the environment sets more.

    The matrices are small, so more threads would only spend time waiting; and the number of threads
    affects how sums are rounded. Call this before numpy is imported.
    """
    for name in _THREADS:
        os.environ.setdefault(name, "1")


def print_line(text: str, stream: TextIO) -> None:
    """Print a line; if the reader is gone, as after ``| head``, the work continues."""
    try:
        print(text, file=stream, flush=True)
    except BrokenPipeError:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)


def interrupted_code(stop: KeyboardInterrupt) -> int:
    """Exit code of a run that was stopped: 130 by Ctrl-C, 143 by SIGTERM, 129 by SIGHUP."""
    return _SIGNAL_EXIT_CODE + (stop.number if isinstance(stop, Terminated) else int(signal.SIGINT))


@contextlib.contextmanager
def terminating_signals() -> Iterator[None]:
    """Raise :class:`Terminated` in the block when a signal would kill the process.

    Signals that are ignored, as under nohup, stay ignored, and existing handlers are kept.
    """
    before: dict[int, Any] = {}

    def end(number: int, frame: object) -> None:
        for one in before:
            signal.signal(one, signal.SIG_IGN)  # clean-up must not be interrupted again
        raise Terminated(number)

    if threading.current_thread() is threading.main_thread():
        numbers = [getattr(signal, name) for name in ENDING if hasattr(signal, name)]
        before = {one: signal.SIG_DFL for one in numbers if signal.getsignal(one) == signal.SIG_DFL}
    try:
        for one in before:
            signal.signal(one, end)
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


def ignore_interrupts() -> None:
    """Leave Ctrl-C and termination signals to the parent process."""
    for name in ("SIGINT", *ENDING):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)


@contextlib.contextmanager
def resend_lost_interrupts() -> Iterator[None]:
    """Send Ctrl-C again if it arrived where no exception can be raised.

    Python prints and then drops an exception raised in a finalizer or weak-reference callback. If
    Ctrl-C arrived in one, a traceback would appear and the command would continue.
    """
    before = sys.unraisablehook

    def hook(lost: Any) -> None:
        if not issubclass(lost.exc_type, KeyboardInterrupt):
            before(lost)
            return
        main, press = threading.main_thread().ident, _thread.interrupt_main
        if main is not None and hasattr(signal, "pthread_kill"):
            # A signal to the thread also interrupts a blocking wait.
            press = partial(signal.pthread_kill, main, signal.SIGINT)
        again = threading.Timer(AGAIN_SECONDS, press)
        again.daemon = True
        again.start()

    sys.unraisablehook = hook
    try:
        yield
    finally:
        sys.unraisablehook = before
