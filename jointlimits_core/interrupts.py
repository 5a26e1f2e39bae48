"""Ctrl-C that no part of Python swallows, and the signals of farms that mean the same."""

from __future__ import annotations

import _thread
import contextlib
import signal
import sys
import threading
from collections.abc import Iterator
from typing import Any

AGAIN_SECONDS = 0.01
ENDING = ("SIGTERM", "SIGHUP")
"""Signals by which farms end what they started, and terminals that are closed."""
_SIGNALLED = 128
"""Exit codes of what a signal ended are this and its number, as of shells."""


class Ended(KeyboardInterrupt):
    """A signal that asks for the end, as Ctrl-C does.

    Parameters
    ----------
    number : int
        Of the signal.
    """

    def __init__(self, number: int) -> None:
        self.number = number
        super().__init__(number)


def interrupted_code(stop: KeyboardInterrupt) -> int:
    """Exit code of a run that was stopped: 130 by Ctrl-C, 143 by SIGTERM, 129 by SIGHUP."""
    return _SIGNALLED + (stop.number if isinstance(stop, Ended) else int(signal.SIGINT))


@contextlib.contextmanager
def ended_by_signals() -> Iterator[None]:
    """Raise :class:`Ended` in the block where a signal would end the process at once.

    A signal that is ignored, as by nohup, stays so, and one that somebody waits for is theirs.
    """
    before: dict[int, Any] = {}

    def end(number: int, frame: object) -> None:
        for one in before:
            signal.signal(one, signal.SIG_IGN)  # once is enough, and clearing up takes a moment
        raise Ended(number)

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
    """Leave Ctrl-C and the signals to the process that started this one."""
    for name in ("SIGINT", *ENDING):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)


@contextlib.contextmanager
def no_interrupt_lost() -> Iterator[None]:
    """Send Ctrl-C once more if it came where nothing can be raised.

    Python prints and drops what is raised in a finalizer or in the callback of a weak reference.
    A Ctrl-C that happens to come just then would be seen as a traceback, and the command would go
    on.
    """
    before = sys.unraisablehook

    def hook(lost: Any) -> None:
        if not issubclass(lost.exc_type, KeyboardInterrupt):
            before(lost)
            return
        again = threading.Timer(AGAIN_SECONDS, _press_again)
        again.daemon = True
        again.start()

    sys.unraisablehook = hook
    try:
        yield
    finally:
        sys.unraisablehook = before


def _press_again() -> None:
    main = threading.main_thread().ident
    if main is not None and hasattr(signal, "pthread_kill"):
        signal.pthread_kill(main, signal.SIGINT)  # wakes it up where it waits, too
    else:
        _thread.interrupt_main()
