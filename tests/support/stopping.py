"""Commands in processes of their own, on a terminal of their own, and Ctrl-C pressed there."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass

from tests.support.house_files import ROOT

COMMAND = (sys.executable, "-m", "jointlimits_core")


@dataclass(frozen=True)
class Ended:
    """How a command ended: its exit code, what its terminal showed, seconds since Ctrl-C."""

    code: int
    shown: str
    seconds: float


def hears_ctrl_c():
    """Whoever runs the tests in the background may ignore Ctrl-C; a command does not."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def on_a_terminal(arguments, *, until=None, timeout=60.0):
    """Run a command whose standard error is a terminal; press Ctrl-C once that shows `until`."""
    import pty

    master, terminal = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, *arguments],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=terminal,
        preexec_fn=hears_ctrl_c,
        start_new_session=True,
    )
    os.close(terminal)
    shown, pressed, began = "", None, time.monotonic()
    try:
        while True:
            assert time.monotonic() - began < timeout, shown
            with contextlib.suppress(OSError):  # Linux says so at the end
                piece = os.read(master, 4096)
                if piece:
                    shown += piece.decode()
                    if until is not None and pressed is None and until in shown:
                        os.killpg(process.pid, signal.SIGINT)
                        pressed = time.monotonic()
                    continue
            break
        code = process.wait(timeout)
    finally:
        process.kill()
        os.close(master)
    return Ended(code, shown, time.monotonic() - (pressed or began))
