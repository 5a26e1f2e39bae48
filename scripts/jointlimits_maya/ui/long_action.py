"""Command that starts a long task, with its progress in the window."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from . import speaking
from .abilities import show_abilities
from .long_work import LongWork
from .taking_back import taking_back

if TYPE_CHECKING:
    from .window import Window


class LongAction:
    """One such command.

    Parameters
    ----------
    command : str
        Name under which a failure is reported.
    """

    def __init__(self, window: Window, work: LongWork, command: str) -> None:
        self._window, self._command = window, command
        work.progressed.connect(window.guarded(self._on_progress))
        work.failed.connect(window.guarded(self._on_failed))

    def begin(self, words: str, start: Callable[[], object]) -> None:
        """Begin, with the option to cancel.

        Parameters
        ----------
        words : str
            Description of the task.
        start : callable
        """
        self._window.messages.work(words)
        self._window.actions_by_name["cancel"].setEnabled(True)
        with taking_back(self.end):
            start()

    def end(self) -> None:
        """Clear the progress and the option to cancel."""
        self._window.messages.clear()
        show_abilities(self._window)

    def _on_progress(self, done: int, total: int, label: str) -> None:
        self._window.messages.work(label, done, total)

    def _on_failed(self, error: Exception) -> None:
        self.end()
        speaking.tell(self._window, self._command, error)
