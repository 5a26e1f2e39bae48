"""Ctrl-C that no part of Python swallows."""

from __future__ import annotations

import _thread
import contextlib
import signal
import sys
import threading
from collections.abc import Iterator
from typing import Any

AGAIN_SECONDS = 0.01


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
