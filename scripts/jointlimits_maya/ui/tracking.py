"""Skeletons from tracks of loose bodies, found beside the main thread."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jointlimits_core.option_table import checked_options
from jointlimits_core.progress import Progress

from .from_tracks import Figure, figures_in
from .long_work import LongWork
from .qt import Signal


class Tracking(LongWork):
    """Finds figures in files.

    Notes
    -----
    `found` (a tuple of :class:`Figure`, the largest first) tells of what came of it, besides the
    signals of :class:`LongWork`.
    """

    found = Signal(object)

    def find(self, paths: Sequence[str], **options: Any) -> None:
        """Find the figures in some files; nothing of the document changes.

        Parameters
        ----------
        paths : sequence of str
            Of the same bodies.
        **options
            Of the option table's groups "bodies" and "tracks".

        Raises
        ------
        ValueError
            For an option that there is not, or a value that it may not have.
        """
        values = checked_options(options, ("bodies", "tracks"))
        taken = tuple(paths)

        def work(progress: Progress) -> tuple[Figure, ...]:
            return figures_in(taken, values, progress)

        self._start(work, self.found.emit)
