"""The page of a skeleton from loose bodies: the figure over the tracks, gaps, lengths, slips."""

from __future__ import annotations

import os
from collections.abc import Sequence

from .._version import __version__
from ..atomic import write_text_atomically
from ..bodies.body_fit import BodyFit
from ..progress import Progress, tell
from .document import document
from .markup import element


def write_skeleton_report(
    fits: Sequence[BodyFit],
    path: str | os.PathLike[str],
    progress: Progress | None = None,
) -> None:
    """Write what a fit found as one HTML page with pictures.

    Parameters
    ----------
    fits : sequence of BodyFit
        One per clip, all of one skeleton.
    path : path-like
        The page; written whole or not at all.
    progress : callable, optional
        Called as ``progress(done, total, label)`` before each step; False stops.

    Raises
    ------
    ValueError
        If there is no fit.
    Cancelled
        If `progress` said so. Nothing was written.
    """
    if not fits:
        raise ValueError("there is no fit to report on")
    tell(progress, 0, 1, "writing the page")
    title = f"Skeleton of {fits[0].tracks.name}"
    page = document(title, element("header", element("h1", title)), version=__version__)
    write_text_atomically(path, page)
