"""Report of a limit set: one self-contained HTML page that needs no network."""

from __future__ import annotations

import os
from collections.abc import Sequence

from ..base.progress import Progress, report_progress
from ..io.output import write_text_atomically
from ..limits.limit_set import LimitSet
from ..limits.review_entries import ReviewEntry
from ..motion.motion import Motion
from .html.character_figure import shown_clips
from .html.joint_section import joint_section
from .html.limits_page import frame_link, needs_section, page


def write_report(
    limit_set: LimitSet,
    motions: Motion | Sequence[Motion],
    path: str | os.PathLike[str],
    progress: Progress | None = None,
    first: Sequence[ReviewEntry] = (),
) -> None:
    """Write joint types and limits as one HTML page on which the character moves.

    Parameters
    ----------
    motions : Motion or sequence of Motion
        The motions that were measured; without any the page has numbers only.
    path : path-like
        The page; written atomically.
    progress : callable, optional
        Called as ``progress(done, total, label)`` before each step; False stops.
    first : sequence of ReviewEntry, optional
        What to look at before what the limits show, such as channels left off in a scene.

    Raises
    ------
    Cancelled
        If `progress` returned False. Nothing was written.
    """
    report_progress(progress, 0, 3, "preparing the motion")
    shown = shown_clips(limit_set, [motions] if isinstance(motions, Motion) else motions)
    report_progress(progress, 1, 3, "describing joints")
    sections = {
        name: joint_section(limit_set, name, frame_link(limit_set, name, shown))
        for name, limit in limit_set.joints.items()
        if needs_section(limit)
    }
    report_progress(progress, 2, 3, "writing the page")
    write_text_atomically(path, page(limit_set, sections, shown, first))
