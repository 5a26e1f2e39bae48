"""Findings about missing data in a file of markers, one for all markers together.

Bodies are reported one by one when a skeleton is fitted to them.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..arrays import Booleans, Floats
from ..findings import Finding, frame_ranges


def gap_findings(
    labels: Sequence[str], present: Booleans, frames: Floats, clip: str
) -> list[Finding]:
    """Findings about markers never seen, by name, and about the share of missing samples.

    Parameters
    ----------
    present : array of bool, shape (markers, frames)
    frames : array, shape (frames,)
        Frame numbers in the file.

    Returns
    -------
    list of Finding
        With rules "never-seen" and "gaps"; at most one each.
    """
    never = [label for label, seen in zip(labels, present) if not seen.any()]
    found = []
    if never:
        message = f"Never seen: {', '.join(never[:10])}{' ...' if len(never) > 10 else ''}."
        found.append(Finding("never-seen", message, clip=clip))
    there = present[present.any(axis=1)]
    if there.size and not there.all():
        gaps = ~there.all(axis=0)
        message = f"{100.0 * (1.0 - there.mean()):.1f} % of the samples are gaps."
        found.append(Finding("gaps", message, clip=clip, frame_ranges=frame_ranges(frames, gaps)))
    return found
