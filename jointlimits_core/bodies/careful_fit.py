"""A fit that stands up to what goes wrong: outliers, swapped tracks, slips; each in its turn.

Frames that fit no joint are set aside first; then swapped tracks, which explain some of them, are
changed back and all is looked at again; what is left steady is searched for slips.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ..arrays import Booleans, Floats, Integers
from ..findings import Finding, frame_ranges
from .body_fit import BodyFit
from .options import BodyOptions
from .robust import good_frames
from .slip import find_slips
from .swaps import changed_back, find_swaps
from .tracks import BodyTracks

Fit = Callable[[BodyTracks, BodyOptions, "Floats | None"], BodyFit]


def careful_fit(tracks: BodyTracks, options: BodyOptions, fit_once: Fit) -> BodyFit:
    """Fit with `robust` and `find_slips` as the options say.

    Parameters
    ----------
    tracks : BodyTracks
    options : BodyOptions
    fit_once : callable
        Takes tracks, options and weights (bodies, frames) or None, gives a BodyFit.

    Returns
    -------
    BodyFit
        With `slips`, and `extra["swaps"]` where tracks were changed back; its tracks are the
        changed ones.
    """
    found = (
        fit_once(tracks, options, None)
        if not options.robust
        else _robust(tracks, options, fit_once)
    )
    if options.find_slips and found.joints:
        slips = find_slips(found.tracks, *joint_ends(found), used=found.used)
        told = tuple(slip.finding(tracks.name) for slip in slips)
        found = replace(found, slips=slips, findings=found.findings + told)
    return found


def joint_ends(fit: BodyFit) -> tuple[Integers, Integers, Floats, Floats]:
    """Children, parents and centres in both of a fit's joints, as arrays."""
    return (
        np.array([joint.child for joint in fit.joints], dtype=np.int64),
        np.array([joint.parent for joint in fit.joints], dtype=np.int64),
        np.array([joint.centre_in_child for joint in fit.joints]).reshape(-1, 3),
        np.array([joint.centre_in_parent for joint in fit.joints]).reshape(-1, 3),
    )


def _robust(tracks: BodyTracks, options: BodyOptions, fit_once: Fit) -> BodyFit:
    good = good_frames(tracks)
    found = fit_once(tracks, options, good.astype(np.float64))
    swaps = find_swaps(tracks, *joint_ends(found), good) if found.joints else ()
    if swaps:
        tracks = changed_back(tracks, swaps)
        good = good_frames(tracks)
        found = fit_once(tracks, options, good.astype(np.float64))
        found = replace(found, extra={**found.extra, "swaps": swaps})
    return replace(found, findings=found.findings + _told(tracks, good))


def _told(tracks: BodyTracks, good: Booleans) -> tuple[Finding, ...]:
    """Which frames were left out, body by body."""
    findings = []
    for name, seen, kept in zip(tracks.names, tracks.present, good):
        out: Booleans = seen & ~kept
        if out.any():
            text = f"{name} fits none of its joints in {int(out.sum())} frames; they were left out"
            ranges = frame_ranges(tracks.frames, out)
            findings.append(Finding("outliers", text, name, tracks.name, ranges, left_out=True))
    return tuple(findings)
