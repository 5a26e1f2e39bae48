"""HTML report: one self-contained page that needs no network."""

from __future__ import annotations

import os
from collections.abc import Sequence

from ..base import Progress, report_progress
from ..io import write_text_atomically
from ..limits import LimitSet, widest_deg
from ..motion import Motion
from .figures import samples_of
from .html import anchor, clip_colours, needs_section, page, require_matplotlib
from .html.joint_section import joint_section

__all__ = ["require_matplotlib", "write_report"]


def write_report(
    limit_set: LimitSet,
    motions: Motion | Sequence[Motion],
    path: str | os.PathLike[str],
    progress: Progress | None = None,
) -> None:
    """Write joint types and limits as one HTML page with pictures.

    Parameters
    ----------
    motions : Motion or sequence of Motion
        The motions that were measured, for the pictures; without any the page has numbers only.
    path : path-like
        The page; written atomically.
    progress : callable, optional
        Called as ``progress(done, total, label)`` before each step; False stops.

    Raises
    ------
    MissingPackageError
        If matplotlib is missing; the message says what to install.
    Cancelled
        If `progress` returned False. Nothing was written.
    """
    require_matplotlib()
    sources = [motions] if isinstance(motions, Motion) else motions
    clips = clip_colours(sources)
    moving = [name for name, limit in limit_set.joints.items() if needs_section(limit)]
    sections = {}
    for done, name in enumerate(moving):
        report_progress(progress, done, len(moving), name)
        sections[name] = joint_section(
            name,
            anchor(limit_set, name),
            limit_set.joints[name],
            samples_of(limit_set, name, sources),
            clips,
            [edit for edit in limit_set.edits if edit.joint == name],
            widest_deg(
                tuple(limit_set.joints), name, next(iter(limit_set.joints[name].limits), "")
            ),
        )
    report_progress(progress, len(moving), len(moving), "writing the page")
    write_text_atomically(path, page(limit_set, sections, clips))
