"""Progress dialog with a cancel button, for work that blocks the window."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator

from jointlimits_core.progress import Progress
from jointlimits_core.time_left import TimeLeft, with_left

from .qt import Qt, QtWidgets
from .words import tr

QUIET_MILLISECONDS = 1000
"""Delay before the dialog appears."""
PAUSE = 0.05
"""Seconds between two updates of the dialog."""
STEPS = 1000
"""Steps of the bar; the total may be bytes, more than Qt's bars can hold."""


@contextlib.contextmanager
def waiting(title: str) -> Iterator[Progress]:
    """Show a dialog while the block runs, if it takes a while.

    Parameters
    ----------
    title : str
        Description of the work.

    Yields
    ------
    callable
        Progress callable for the core; it asks to stop once the button was pressed.
    """
    dialog = QtWidgets.QProgressDialog(title, tr("Cancel"), 0, STEPS)
    dialog.setWindowTitle(title)
    dialog.setWindowModality(Qt.WindowModality.ApplicationModal)
    dialog.setMinimumDuration(QUIET_MILLISECONDS)
    dialog.setAutoClose(False)
    dialog.setAutoReset(False)
    dialog.setMinimumWidth(420)
    left, looked = TimeLeft(), 0.0

    def progress(done: int, total: int, label: str) -> bool:
        nonlocal looked
        left.tell(done, total)
        now = time.monotonic()
        if now - looked >= PAUSE:
            looked = now
            dialog.setLabelText(with_left(label, left))
            # Once the dialog is visible, this lets Qt process the button.
            dialog.setValue(STEPS * done // max(total, 1))
        return not dialog.wasCanceled()

    try:
        yield progress
    finally:
        dialog.close()
        dialog.deleteLater()
