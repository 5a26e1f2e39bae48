"""One skeleton from several clips of the same bodies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..progress import Progress, tell
from .body_fit import BodyFit
from .careful_fit import joint_ends
from .clips import end_to_end, frames_of, same_bodies
from .fit import fit_skeleton
from .options import BodyOptions
from .slip import find_slips
from .tracks import BodyTracks


def fit_pooled(
    clips: Sequence[BodyTracks],
    options: BodyOptions | None = None,
    progress: Progress | None = None,
) -> tuple[BodyFit, ...]:
    """Find one skeleton in several clips.

    Parameters
    ----------
    clips : sequence of BodyTracks
        Of the same bodies, fixed alike in all of them; those that a clip lacks are left out.
    options : BodyOptions, optional
    progress : callable, optional
        Called as ``progress(done, total, label)`` before each step; False stops.

    Returns
    -------
    tuple of BodyFit
        One per clip. All have the same parents and joints; tracks, used frames, slips and
        findings are the clip's own. For one clip it is what :func:`.fit.fit_skeleton` gives.

    Raises
    ------
    EstimationError, ValueError
        As :func:`.fit.fit_skeleton`; also for clips that have no two bodies in common.
    Cancelled
        If `progress` said so.
    """
    options = options or BodyOptions()
    tell(progress, 0, 1, "finding the joints")
    if len(clips) == 1:
        return (fit_skeleton(clips[0], options),)
    clips = same_bodies(clips)
    whole = fit_skeleton(end_to_end(clips), replace(options, find_slips=False))
    return tuple(_of_clip(whole, clip, part) for clip, part in zip(clips, frames_of(clips)))


def _of_clip(whole: BodyFit, clip: BodyTracks, part: slice) -> BodyFit:
    found = replace(whole, tracks=clip, used=whole.used[:, part], findings=whole.findings)
    if not whole.options.find_slips or not whole.joints:
        return found
    slips = find_slips(clip, *joint_ends(whole), used=found.used)
    return replace(found, slips=slips)
