"""Skeletons from tracks of loose bodies, found in the background."""

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
    `found` passes the result, a tuple of :class:`Figure`, the largest first; see also
    :class:`LongWork`.
    """

    found = Signal(object)

    def find(self, paths: Sequence[str], **options: Any) -> None:
        """Find the figures in some files; the document does not change.

        Parameters
        ----------
        paths : sequence of str
            Files of the same bodies.
        **options
            Options of the groups "bodies" and "tracks".

        Raises
        ------
        ValueError
            For an unknown option or an invalid value.
        """
        values = checked_options(options, ("bodies", "tracks"))
        taken = tuple(paths)

        def work(progress: Progress) -> tuple[Figure, ...]:
            return figures_in(taken, values, progress)

        self._start(work, self.found.emit)
