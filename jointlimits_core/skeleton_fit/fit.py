"""Fit of one skeleton to one or several clips of the same loose bodies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..base.findings import Finding
from ..base.progress import Progress, report_progress
from ..geometry.arrays import Floats, frame_ranges
from .clips import frames_of, same_bodies, track_findings
from .doubts import remounted
from .result import BodyFit, BodyOptions
from .robust import robust_fit
from .slips import with_slips
from .solve import plain_fit
from .tracks import BodyTracks


def fit_pooled(
    clips: Sequence[BodyTracks],
    options: BodyOptions | None = None,
    progress: Progress | None = None,
) -> tuple[BodyFit, ...]:
    """Fit one skeleton to several clips.

    Raises EstimationError, ValueError as :func:`fit_skeleton`; also for clips that have no two
    bodies in common. Raises Cancelled if `progress` returned False. `clips`: of the same bodies,
    with sensors mounted alike; bodies missing in a clip are dropped. `progress`: called as
    ``progress(done, total, label)`` before each step; False stops.

    Returns one fit per clip. All share the parents, joints, loops and weights, fitted to all clips;
    tracks, used frames, slips and findings are the clip's own, as is ``extra["swaps"]`` where
    tracks were swapped back.
    """
    options = options or BodyOptions()
    clips = same_bodies(clips)
    report_progress(progress, 0, 2, "finding the joints")
    fitted = robust_fit(clips, options)
    report_progress(progress, 1, 2, "looking for slips")
    found = []
    for clip, swaps, part in zip(fitted.clips, fitted.swaps, frames_of(clips)):
        fit = of_clip(fitted.whole, clip, part)
        found.append(replace(fit, extra={**fit.extra, "swaps": swaps}) if swaps else fit)
    return remounted(with_slips(fitted.whole, found))


def of_clip(whole: BodyFit, clip: BodyTracks, part: slice) -> BodyFit:
    """Part of a fit of several clips that belongs to one of them.

    It has the findings on the clip's tracks, too. `whole`: from :func:`.plain_fit`; `part`: the
    clip's frames among those of all clips.
    """
    found = replace(whole, tracks=clip, used=whole.used[:, part])
    on_skeleton = [replace(finding, clip=clip.name) for finding in whole.findings]
    findings = [*clip.findings, *track_findings(clip), *on_skeleton]
    for name, out in zip(clip.names, clip.present & ~found.used):
        if out.any():
            text = f"{name} fits none of its joints in {int(out.sum())} frames; they were left out"
            ranges = frame_ranges(clip.frames, out)
            findings.append(Finding("outliers", text, name, clip.name, ranges, left_out=True))
    return replace(found, findings=tuple(findings))


def fit_skeleton(
    tracks: BodyTracks, options: BodyOptions | None = None, weights: Floats | None = None
) -> BodyFit:
    """Find which bodies are joined, where, about which axes, and how well.

    `weights`, shape (bodies, frames): weight of each frame of a body; 0 excludes it. If given,
    frames that do not fit are not searched for. Bodies to which nothing is joined are free; if all
    are, no joint is found, and a finding reports it. Raises EstimationError if there is only one
    body, too few frames, or bodies in different units. Raises ValueError if a given root or parent
    does not exist, or contradicts another.
    """
    options = options or BodyOptions()
    if weights is None:
        return fit_pooled([tracks], options)[0]
    return of_clip(plain_fit([tracks], options, weights), tracks, slice(None))
