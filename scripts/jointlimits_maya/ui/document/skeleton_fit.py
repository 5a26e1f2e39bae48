"""Skeletons found in loose bodies: their clips, joint gaps over time, and slips."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from jointlimits_core.base.findings import Finding
from jointlimits_core.base.progress import Progress
from jointlimits_core.base.text import names_words
from jointlimits_core.formats.maya_ascii.motion_scene import as_in_maya
from jointlimits_core.formats.read_bodies import read_clips
from jointlimits_core.geometry.arrays import Floats
from jointlimits_core.limits import limit_set, vocabulary
from jointlimits_core.motion.motion import Motion
from jointlimits_core.skeleton_fit import build, residuals, result
from jointlimits_core.skeleton_fit.doubts import RULE as DOUBTFUL
from jointlimits_core.skeleton_fit.doubts import joint_warning_findings
from jointlimits_core.skeleton_fit.fit import fit_pooled
from jointlimits_core.skeleton_fit.slips import BodySlip

from ..plots.strip_layout import Mark
from ..toolkit.words import counted, frame_number, millimetres
from .files import check_exists

MAX_FRAME_ROUNDING = 1e-4
"""Largest rounding error between equal frame numbers of a scene's keys."""
APART = ("free-bodies", "several-figures")
"""Rules of findings about bodies that are not part of the skeleton."""


@dataclass(frozen=True, eq=False)
class Trace:
    """Fit of one joint in one clip."""

    frames: Floats
    """Frame numbers of the clip, increasing, shape (frames,)."""
    gap_mm: Floats
    """Distance between the joint's positions in its two bodies, millimetres, shape (frames,); NaN
    where one body was not seen or the frame was not used."""
    slips: tuple[Mark, ...] = ()
    """Slips of the body on its carrier: the first frame after each slip, and its size."""

    def gap_at(self, frames: Floats) -> Floats:
        """Gap at the given frames of the clip, shape (frames,); NaN where unknown."""
        if not len(self.frames):
            return np.full(len(frames), np.nan)
        after = np.searchsorted(self.frames, frames - MAX_FRAME_ROUNDING)
        at = np.clip(after, 0, len(self.frames) - 1)
        same = np.abs(self.frames[at] - frames) <= MAX_FRAME_ROUNDING
        return np.asarray(np.where(same, self.gap_mm[at], np.nan))


Traces = Mapping[str, Mapping[str, Trace]]
"""Traces by clip name, then by joint name."""


def traces_of(fit: result.BodyFit) -> dict[str, Trace]:
    """Traces of a fit's joints, by child body; a root is included only if it slipped."""
    tracks, names = fit.tracks, fit.names
    slips = {name: [slip for slip in fit.slips if slip.body == name] for name in names}
    found, ends = {}, residuals.joint_ends(fit)
    counts = fit.used[ends.child] & fit.used[ends.parent]
    gaps_mm = np.where(counts, 1000.0 * residuals.gap_lengths(tracks, ends), np.nan)
    for name, gap_mm in zip((names[joint.child] for joint in fit.joints), gaps_mm):
        found[name] = Trace(tracks.frames, gap_mm, _marks(slips[name]))
    nothing = np.full(tracks.frame_count, np.nan)
    for figure in fit.figures:
        root = names[figure[0]]
        if slips[root]:
            found[root] = Trace(tracks.frames, nothing, _marks(slips[root]))
    return found


def with_slips(clip: Motion, traces: Mapping[str, Trace]) -> Motion:
    """Clip with a finding added for each slip; limits estimated from it will have them too."""
    slips = tuple(
        Finding("slip", f"{joint} {mark.text}", joint, clip.name, ((mark.frame, mark.frame),))
        for joint, trace in traces.items()
        for mark in trace.slips
    )
    return replace(clip, findings=(*clip.findings, *slips)) if slips else clip


def _marks(slips: Iterable[BodySlip]) -> tuple[Mark, ...]:
    return tuple(
        Mark(slip.frame, slip_words(1000.0 * slip.distance_m, slip.angle_deg)) for slip in slips
    )


def slip_words(distance_mm: float, angle_deg: float) -> str:
    """Distance and angle of a slip as text; an unknown angle (NaN) is left out."""
    distance = millimetres(distance_mm, 0)
    if not np.isfinite(angle_deg):
        return f"slipped by about {distance}"
    return f"slipped by about {distance} and {vocabulary.degrees(angle_deg)}"


def joint_words(traces: Traces, joint: str) -> str:
    """Description of a joint's fit over all clips; empty if unknown."""
    gap = _rms_of(traces, joint)
    own = [found[joint] for found in traces.values() if joint in found]
    parts = [] if gap is None else [f"gap {millimetres(gap)} rms"]
    parts += dict.fromkeys(mark.text for trace in own for mark in trace.slips)
    return f"Found in tracks: {', '.join(parts)}." if parts else ""


def _rms_of(traces: Traces, joint: str) -> float | None:
    """RMS gap of a joint over all clips, in millimetres; None if unknown."""
    parts = [found[joint].gap_mm for found in traces.values() if joint in found]
    seen = np.concatenate([part[np.isfinite(part)] for part in parts]) if parts else np.zeros(0)
    return float(np.sqrt(np.mean(seen**2))) if len(seen) else None


def skeleton_words(traces: Traces, limits: limit_set.LimitSet) -> tuple[str, bool]:
    """Description of a skeleton's fit, and whether there is nothing to check.

    The text is empty if nothing is known about the joints.
    """
    slips = [
        (joint, clip, mark)
        for clip, found in traces.items()
        for joint, trace in found.items()
        if joint in limits.joints
        for mark in trace.slips
    ]
    apart = [item.message for item in limits.findings if item.rule in APART]
    # Doubts other than slips, which are reported separately.
    grave = (DOUBTFUL, "no-relative-motion")
    doubtful = [
        name
        for name, joint in limits.joints.items()
        if any(item.rule in grave for item in joint.findings)
    ]
    texts = []
    known = {joint: _rms_of(traces, joint) for joint in limits.joints}
    gaps = {joint: gap for joint, gap in known.items() if gap is not None}
    if gaps:
        worst = max(gaps, key=lambda joint: gaps[joint])
        usual, most = millimetres(float(np.median(list(gaps.values())))), millimetres(gaps[worst])
        texts.append(f"Joint gaps: typically {usual} rms; the largest is {most}, at {worst}.")
    if len(slips) > 1:
        bodies = names_words(list(dict.fromkeys(joint for joint, _, _ in slips)), noun="body")
        texts.append(f"Slipped: {bodies}; triangles in Time mark the frames.")
    for joint, clip, mark in slips if len(slips) == 1 else ():
        texts.append(f"{joint} {mark.text} at frame {frame_number(mark.frame)} of {clip}.")
    if doubtful:
        texts.append(f"Doubtful: {names_words(doubtful)}; see Notes.")
    texts += [f"{text[:1].upper()}{text[1:]}." for text in dict.fromkeys(apart)]
    return " ".join(texts), not (slips or apart or doubtful)


@dataclass(frozen=True, eq=False)
class Figure:
    """One skeleton that was found, with a clip for each file; the clip names are unique."""

    clips: tuple[Motion, ...]
    traces: Traces

    @property
    def words(self) -> str:
        """Label of the figure in a list."""
        names = self.clips[0].joint_names
        count = counted(len(names), "joint")
        return f"{names[0]}, {count}"


def figures_in(
    paths: Sequence[str], values: Mapping[str, Any], progress: Progress | None = None
) -> tuple[Figure, ...]:
    """Find the figures in track files with the same bodies, largest first.

    `values` has all options of the groups "bodies" and "tracks". Runs off the main thread. Raises
    InputError if a file cannot be read, EstimationError if no two bodies are joined or there are
    too few bodies or frames, and Cancelled.
    """
    for path in paths:
        check_exists(path)
    clips = read_clips(paths, values, progress=progress)
    fits = fit_pooled(clips, result.body_options_of(values, result.body_names(clips)), progress)
    doubts = joint_warning_findings(fits)
    figures = []
    for moved in build.pooled_motions(fits):
        bodies = moved[0].joint_names
        own = tuple(doubt for doubt in doubts if doubt.joint in (None, *bodies))
        # Report the doubts only once, with the first clip.
        first = replace(moved[0], findings=(*moved[0].findings, *own))
        built = tuple(as_in_maya(clip) for clip in (first, *moved[1:]))
        names = dict(zip(bodies, built[0].joint_names))
        traces = {
            clip.name: {names[body]: one for body, one in traces_of(fit).items() if body in names}
            for clip, fit in zip(moved, fits)
        }
        figures.append(Figure(built, traces))
    return tuple(figures)
