"""What a file of markers lacks, in a sentence or two for all of them.

Bodies are told of one by one, where a skeleton is fitted to them.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..arrays import Booleans, Floats
from ..findings import Finding, frame_ranges


def gap_findings(
    labels: Sequence[str], present: Booleans, frames: Floats, clip: str
) -> list[Finding]:
    """What was never seen, by name, and how much else is missing.

    Parameters
    ----------
    present : array of bool, shape (markers, frames)
    frames : array, shape (frames,)
        Their numbers in the file.

    Returns
    -------
    list of Finding
        Of rules "never-seen" and "gaps"; at most one each.
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
