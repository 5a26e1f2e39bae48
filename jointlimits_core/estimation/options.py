"""Estimate options, and findings about the clips and frames that the user excludes."""

from __future__ import annotations

import fnmatch
import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, TypedDict

import numpy as np

from ..base.errors import EstimationError, OptionError
from ..base.findings import Finding
from ..base.options import default_field, option
from ..base.records import with_lists
from ..base.text import listed_parts, names_words, plural, suggestion
from ..geometry.arrays import frame_ranges
from ..limits.records import JOINT_TYPES, ArtistEdit
from ..motion.motion import Motion
from ..motion.screening.rules import RULES
from .summary import CharacterSummary

FRAMES_RULE, CLIP_RULE = "ignored-frames", "ignored-clip"
"""Rules of the findings about excluded frames and clips."""
_Ranges = Mapping[str, Sequence[tuple[float, float]]]
_FRAMES = re.compile(r"(.+):(-?\d+(?:\.\d+)?)(?:-(-?\d+(?:\.\d+)?))?", re.DOTALL)


def excluded_frames(
    wishes: Iterable[str], names: Collection[str] = ()
) -> tuple[dict[str, list[tuple[float, float]]], set[str]]:
    """Read exclusions such as "walk:120-160", "walk:7", or "walk" for a whole clip.

    `wishes`: comma-separated lists. `names`: clip names, which may contain commas. Returns the
    first and last frames of the excluded ranges by clip name, and the names of the excluded clips.
    Raises OptionError for a range that ends before it begins.
    """
    ranges: dict[str, list[tuple[float, float]]] = {}
    clips = set()

    def is_whole(wish: str) -> bool:
        found = _FRAMES.fullmatch(wish)
        return wish in names or (found is not None and found[1] in names)

    for wish in (part for text in wishes for part in listed_parts(text, is_whole)):
        found = _FRAMES.fullmatch(wish)
        if found is None or wish in names:
            clips.add(wish)
            continue
        first = float(found[2])
        last = first if found[3] is None else float(found[3])
        if last < first:
            raise OptionError("exclude", f"must have frames in ascending order, not {wish!r}")
        ranges.setdefault(found[1], []).append((first, last))
    return ranges, clips


def without_ranges(clip: Motion, ranges: _Ranges) -> Motion:
    """Clip without the frames in its excluded ranges."""
    chosen = np.zeros(clip.frame_count, dtype=bool)
    for first, last in ranges.get(clip.name, ()):
        chosen |= (clip.frames >= first) & (clip.frames <= last)
    return without_frames(clip, clip.frames[chosen].tolist())


def included_clips(clips: Iterable[Motion], wishes: Iterable[str]) -> list[Motion]:
    """Clips that are not excluded, without their excluded frames."""
    ranges, names = excluded_frames(wishes)
    return [without_ranges(clip, ranges) for clip in clips if clip.name not in names]


def without_frames(clip: Motion, frames: Sequence[float]) -> Motion:
    """Clip without the given frames, with a finding about them.

    Raises EstimationError if no frame remains.
    """
    chosen = np.isin(clip.frames, np.asarray(frames, dtype=np.float64))
    if not chosen.any():
        return clip
    if chosen.all():
        raise EstimationError(
            f"every frame of {clip.name} is excluded: exclude the clip, or include frames again"
        )
    text = f"{plural(int(chosen.sum()), 'frame')} excluded by the artist"
    ranges = frame_ranges(clip.frames, chosen)
    record = Finding(FRAMES_RULE, text, None, clip.name, ranges, left_out=True)
    left = clip.take(np.flatnonzero(~chosen))
    return replace(left, findings=(*clip.findings, record))


def excluded_clip(name: str, first: float, last: float) -> Finding:
    """Finding about an excluded clip; `first` and `last`: its first and last frames."""
    return Finding(CLIP_RULE, "excluded by the artist", None, name, ((first, last),), left_out=True)


def without_clips(
    summary: CharacterSummary, wishes: Iterable[str]
) -> tuple[CharacterSummary, list[Finding]]:
    """Summary without the excluded clips, and the findings about them.

    Raises EstimationError for an unknown clip, for frames that were not excluded from their clip,
    and if no clip remains.
    """
    clips = {clip.clip.name: clip for clip in summary.clips}
    ranges, names = excluded_frames(wishes, clips)
    missing = [name for name in (*names, *ranges) if name not in clips]
    if missing:
        some = names_words(list(clips), 8, "clip")
        raise EstimationError(
            f"no clip {missing[0]!r} to exclude (CLIP or CLIP:A-B); the clips are {some}"
        )
    for name in ranges:
        if all(item.rule != FRAMES_RULE for item in clips[name].findings):
            raise EstimationError(
                f"no frame of {name} could be excluded: it has none of these frames, or is a "
                "summary, which can only be excluded as a whole; give the clip itself"
            )
    kept = tuple(clip for clip in summary.clips if clip.clip.name not in names)
    if not kept:
        raise EstimationError("every clip is excluded; include one again")
    records = [clips[name].clip for name in sorted(names)]
    findings = [excluded_clip(one.name, one.first_frame, one.last_frame) for one in records]
    return summary._replace(clips=kept), findings


GENEROUS_DEG = 8.0
"""Median growth of real joints' hulls when another clip of the same subject is added."""
MAX_SAMPLES = int(option("samples").maximum or 0)
"""Maximum number of samples per clip, enough for several hours at any frame rate."""

Strictness = Literal["lossless", "robust", "generous"]
Symmetry = Literal["off", "report", "pool"]
Prior = Literal["off", "report", "widen"]
OrientationChoice = Literal["own", "advised"]
Mode = Literal["standard", "paper"]


@dataclass(frozen=True)
class EstimateOptions:
    """Estimate options. Raises ValueError with the option's name and its valid values."""

    rest: str = default_field("rest")
    """One of "bind", "first", "mean" or "frame:N"."""
    samples: str | int = default_field("samples")
    """Either "all" frames, or a number of evenly spaced, interpolated samples."""
    pad_deg: float = default_field("pad_deg")
    """Degrees added beyond each measured minimum and maximum."""
    strictness: Strictness = default_field("strictness")
    """One of "lossless" (limits include every frame not left out), "robust" (one-frame outliers are
    excluded and listed) or "generous" (lossless plus :data:`GENEROUS_DEG` on every side)."""
    symmetry: Symmetry = default_field("symmetry")
    """Left and right: "off", "report" how they differ, or "pool" their ranges."""
    prior: Prior = default_field("prior")
    """Published normal ranges: "off", "report" deviations, or "widen" hinges to these ranges."""
    advise: bool = default_field("advise")
    """Suggest joint orientations and rotate orders."""
    orientation: OrientationChoice = default_field("orientation")
    """Give limits in the joints' "own" orientations, or in the "advised" ones."""
    joints: str = default_field("joints")
    """Shell-style patterns of joint names, separated by commas."""
    mode: Mode = default_field("mode")
    """Either "standard", or "paper" for the published method."""
    limit_root: bool = default_field("limit_root")
    """Also limit the root."""
    leave_out: tuple[str, ...] = default_field("leave_out")
    """Screening rules whose frames are excluded."""
    as_types: tuple[str, ...] = default_field("as_types")
    """Types that replace the measured types, as "LeftLeg=hinge"; names may have wildcards."""
    exclude: tuple[str, ...] = default_field("exclude")
    """Frames to leave out, as "walk:120-160", or whole clips, as "walk"."""

    def __post_init__(self) -> None:
        for item in fields(self):
            option(item.name).check(getattr(self, item.name))
        if self.rest not in ("bind", "first", "mean"):
            self.rest_frame()
        for name in self.leave_out:
            if name not in RULES:
                words = suggestion(name, RULES) or f"; available: {', '.join(RULES)}"
                raise ValueError(f"no screening rule {name!r}{words}")
        for wish in self.as_types:
            _parse_type(wish.rpartition(",")[2])
        excluded_frames(self.exclude)
        if self.as_types and self.mode == "paper":
            raise OptionError("as_types", "must be empty in the paper mode")

    def type_edits(self, names: Sequence[str]) -> dict[str, ArtistEdit]:
        """Type edits by joint name; EstimationError if a pattern matches no joint."""

        def is_whole(part: str) -> bool:
            name, _, kind = part.rpartition("=")
            return name in names and kind in JOINT_TYPES

        parts = [part for wish in self.as_types for part in listed_parts(wish, is_whole)]
        return {
            name: ArtistEdit(name, "type", value=kind)
            for pattern, kind in map(_parse_type, parts)
            for name in matching_names(names, pattern)
        }

    @property
    def padding_deg(self) -> float:
        """Degrees added beyond each minimum and maximum."""
        return self.pad_deg + (GENEROUS_DEG if self.strictness == "generous" else 0.0)

    def rest_frame(self) -> float:
        """Frame number of the rest pose ``frame:N``; OptionError for any other rest pose."""
        word, _, number = self.rest.partition(":")
        try:
            frame = float(number)
        except ValueError:
            frame = math.nan
        if word != "frame" or not math.isfinite(frame):
            raise OptionError("rest", f"must be bind, first, mean or frame:N, not {self.rest!r}")
        return frame

    def to_dict(self) -> Mapping[str, Any]:
        """Plain data, as stored in the limit set."""
        return with_lists({item.name: getattr(self, item.name) for item in fields(self)})


def _parse_type(wish: str) -> tuple[str, str]:
    """Pattern and type in "LeftLeg=hinge"; raises OptionError."""
    pattern, _, kind = wish.rpartition("=")
    if not pattern or kind not in JOINT_TYPES:
        kinds = ", ".join(JOINT_TYPES)
        raise OptionError("as_types", f"must be JOINT=TYPE of {kinds}, not {wish!r}")
    return pattern, kind


def matching_names(names: Sequence[str], patterns: str) -> list[str]:
    """Names that match comma-separated shell-style patterns; EstimationError if there are none."""
    known = frozenset(names)
    wanted = listed_parts(patterns, known.__contains__)
    exact = known.intersection(wanted)
    loose = [pattern for pattern in wanted if pattern not in exact]
    found = [n for n in names if n in exact or any(fnmatch.fnmatchcase(n, one) for one in loose)]
    if not found:
        words = suggestion(patterns, names) or f"; the first joints are: {', '.join(names[:8])}"
        raise EstimationError(f"no joint matches {patterns!r}{words}")
    return found


class EstimateKeywords(TypedDict, total=False):
    """Estimate options as keywords, for type checkers; :class:`EstimateOptions` documents them."""

    rest: str
    samples: str | int
    pad_deg: float
    strictness: Strictness
    symmetry: Symmetry
    prior: Prior
    advise: bool
    orientation: OrientationChoice
    joints: str
    mode: Mode
    limit_root: bool
    leave_out: tuple[str, ...]
    as_types: tuple[str, ...]
    exclude: tuple[str, ...]
