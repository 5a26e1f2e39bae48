"""Estimate options, and findings about the clips and frames that the user excludes."""

from __future__ import annotations

import fnmatch
import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, TypedDict

import numpy as np

from ..base.errors import EstimationError, OptionError
from ..base.findings import Finding
from ..base.options import default_field, option
from ..base.records import with_lists
from ..base.text import listed_parts, names_words, plural, suggestion
from ..geometry.arrays import Booleans, frame_ranges
from ..limits.exclusions import (
    CLIP_RULE,
    EXCLUDED_RULES,
    FRAMES_RULE,
    Exclusion,
    exclusion,
    read_exclusions,
)
from ..limits.records import JOINT_TYPES, ArtistEdit
from ..motion.motion import Motion, rename_joints
from ..motion.name_matching import prefixes_apart
from ..motion.screening.rules import RULES
from .summary import CharacterSummary

SAME_FRAME = 1e-6
"""Largest difference between frame numbers that count as the same frame."""
BY_YOU = "excluded by you"
_NAMESPACES = re.compile("[^|:]*:")


def with_exclusions(
    clip: Motion, wishes: Iterable[str], clips: Collection[str]
) -> tuple[Motion, Booleans]:
    """Clip with findings about its excluded frames, and the excluded frames of each joint.

    `clips`: names of all clips. The frames have shape (joints, frames); a clip that is excluded as
    a whole keeps its frames, as :func:`without_clips` removes it later. Raises EstimationError for
    frames or joints that the clip does not have, and if no frame remains.
    """
    names = clip.joint_names
    chosen = np.zeros((len(names), clip.frame_count), dtype=bool)
    for one in read_exclusions(wishes, clips, names):
        if one.clip == clip.name and (one.joints or one.first is not None):
            frames = _frames_of(one, clip)
            rows = [names.index(name) for name in _joints_of(one.joints, names, clip.name)]
            chosen[rows or slice(None)] |= frames
    return replace(clip, findings=(*clip.findings, *_records(clip, chosen))), chosen


def _frames_of(one: Exclusion, clip: Motion) -> Booleans:
    """Frames of an exclusion, (frames,); EstimationError if the clip has none of them."""
    if one.first is None or one.last is None:
        return np.ones(clip.frame_count, dtype=bool)
    frames = clip.frames
    inside = (frames > one.first - SAME_FRAME) & (frames < one.last + SAME_FRAME)
    if not inside.any():
        wish = exclusion(one.clip, one.first, one.last)
        raise EstimationError(
            f"no frame of {clip.name} could be excluded: {wish} is not in it (frames "
            f"{frames[0]:.10g} to {frames[-1]:.10g})"
        )
    return np.asarray(inside)


def _joints_of(patterns: Iterable[str], names: Sequence[str], clip: str) -> list[str]:
    """Names that match any pattern; EstimationError for a pattern without a match."""
    found = []
    for one in patterns:
        some = [one] if one in names else fnmatch.filter(names, one) or _in_other_clips(one, names)
        if not some:
            words = suggestion(one, names) or f"; the joints are {names_words(names, 8)}"
            raise EstimationError(f"cannot exclude joint {one!r}: {clip} has no such joint{words}")
        found += some
    return found


def _in_other_clips(pattern: str, names: Sequence[str]) -> list[str]:
    """Names that match if namespaces, or the prefix that most names share, are ignored."""
    plain = _NAMESPACES.sub("", pattern)
    found = [name for name in names if fnmatch.fnmatchcase(_NAMESPACES.sub("", name), plain)]
    apart = None if found else prefixes_apart([pattern], names)
    if apart is not None and 2 * sum(name.startswith(apart[1]) for name in names) > len(names):
        found = [apart[1] + pattern[len(apart[0]) :]]
    return found


def _records(clip: Motion, chosen: Booleans) -> Iterator[Finding]:
    """Findings about excluded frames of a clip, (joints, frames)."""
    every = chosen.all(axis=0)
    if every.all():
        raise EstimationError(
            f"every frame of {clip.name} is excluded: exclude the clip, or include frames again"
        )
    if every.any():
        text, ranges = plural(int(every.sum()), "frame"), frame_ranges(clip.frames, every)
        yield Finding(FRAMES_RULE, f"{text} {BY_YOU}", None, clip.name, ranges, left_out=True)
    for row in np.flatnonzero((chosen & ~every).any(axis=1)):
        name, own = clip.joint_names[row], chosen[row] & ~every
        if chosen[row].all():
            yield excluded_clip(clip.name, float(clip.frames[0]), float(clip.frames[-1]), name)
            continue
        text, ranges = plural(int(own.sum()), "frame"), frame_ranges(clip.frames, own)
        yield Finding(FRAMES_RULE, f"{text} {BY_YOU}", name, clip.name, ranges, left_out=True)


def included_clips(
    clips: Sequence[Motion], wishes: Sequence[str], joints: Collection[str]
) -> list[tuple[Motion, Booleans]]:
    """Clips that are not excluded, each with its excluded frames, (joints, frames).

    Joints of the clips are renamed to the matching names in `joints`.
    """
    names = [clip.name for clip in clips]
    whole = {one.clip for one in read_exclusions(wishes, names, joints) if one.is_whole_clip}
    kept = [with_exclusions(clip, wishes, names) for clip in clips if clip.name not in whole]
    return [(rename_joints(clip, joints), excluded) for clip, excluded in kept]


def excluded_clip(name: str, first: float, last: float, joint: str | None = None) -> Finding:
    """Finding about a clip that is excluded, for one joint or for all.

    `first`, `last`: its first and last frames.
    """
    return Finding(CLIP_RULE, BY_YOU, joint, name, ((first, last),), left_out=True)


def exclusions_of(
    wishes: Iterable[str], clips: Collection[str], joints: Collection[str]
) -> list[Exclusion]:
    """Parsed exclusions; EstimationError if one names a clip that is not in `clips`."""
    every = read_exclusions(wishes, clips, joints)
    for one in every:
        if one.clip not in clips:
            name, _, frames = one.clip.partition(":")
            if name in clips:
                raise EstimationError(
                    f"frames to exclude must be whole numbers, as in {name}:120-160, not {frames!r}"
                )
            raise EstimationError(
                f"no clip {one.clip!r} to exclude (CLIP, CLIP:A-B or CLIP:A-B@JOINT); the clips "
                f"are {names_words(list(clips), 8, 'clip')}"
            )
    return every


def without_clips(
    summary: CharacterSummary, wishes: Iterable[str]
) -> tuple[CharacterSummary, list[Finding]]:
    """Summary without the clips that are excluded, entirely or for some joints, and the findings.

    Raises EstimationError for an unknown clip or joint, for frames that were not excluded from
    their clip, and if no clip remains.
    """
    clips = {clip.clip.name: clip for clip in summary.clips}
    every = exclusions_of(wishes, clips, summary.skeleton.names)
    for one in every:
        about = clips[one.clip].findings
        if one.first is not None and all(item.rule not in EXCLUDED_RULES for item in about):
            raise EstimationError(
                f"no frame of {one.clip} could be excluded: it is a summary, which can only be "
                "excluded as a whole or for whole joints; give the clip itself"
            )
    kept, findings = [], []
    for clip in summary.clips:
        record = clip.clip
        own = [one for one in every if one.clip == record.name and one.first is None]
        patterns = [name for one in own for name in one.joints]
        if any(one.is_whole_clip for one in own):
            findings.append(excluded_clip(record.name, record.first_frame, record.last_frame))
            continue
        names = _joints_of(patterns, summary.skeleton.names, record.name)
        new = [name for name in names if clip.of_joint(name) is not None]
        for name in new:
            ends = record.first_frame, record.last_frame
            findings.append(excluded_clip(record.name, *ends, name))
        if new:
            noticed = [i for i in clip.findings if i.joint not in new or i.rule not in RULES]
            apart = {**clip.apart, **dict.fromkeys(new)}
            clip = replace(clip, apart=apart, findings=tuple(noticed))
        kept.append(clip)
    if not kept:
        raise EstimationError("every clip is excluded; include one again")
    return summary._replace(clips=tuple(kept)), findings


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
    people: str = default_field("people")
    """Limits of other people to start from: "off", "people" (those included with the program), or
    the path of a people file."""
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
    """Types that replace the measured types, such as "LeftLeg=hinge"; wildcards may be used."""
    exclude: tuple[str, ...] = default_field("exclude")
    """Frames to exclude, such as "walk:120-160", or whole clips, such as "walk"; for some joints
    only, "walk:120-160@LeftHand" or "walk@LeftHand+LeftThumb"."""

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
        read_exclusions(self.exclude)
        if self.as_types and self.mode == "paper":
            raise OptionError("as_types", "must be empty in the paper mode")
        if self.people != "off" and self.mode == "paper":
            raise OptionError("people", "must be off in the paper mode")

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

    @property
    def needs_clips(self) -> bool:
        """Whether the estimate needs the clips themselves, as summaries do not hold every frame."""
        is_exact = self.orientation == "advised" or self.mode == "paper"
        return is_exact or self.people != "off" or self.rest.startswith("frame:")

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
    """Pattern and type from text such as "LeftLeg=hinge"; raises OptionError."""
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
        words = "; put commas between joints" if known.issuperset(patterns.split()) else words
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
    people: str
    advise: bool
    orientation: OrientationChoice
    joints: str
    mode: Mode
    limit_root: bool
    leave_out: tuple[str, ...]
    as_types: tuple[str, ...]
    exclude: tuple[str, ...]
