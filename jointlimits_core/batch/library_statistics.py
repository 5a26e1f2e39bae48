"""Ranges of many characters, grouped by joint, and their robust statistics.

The data kept per character is compact enough for ten thousand of them in memory. A joint is the
same in two characters if its name and its orientation are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median, quantiles
from sys import intern
from typing import Optional

from ..base import Finding
from ..limits import AxisLimit, BoundSource, Frame, JointLimit, LimitSet, PairSymmetry, span_of
from ..motion import node_name

SIDES = ("min", "max")
SAME_DEG = 0.5
"""Step to which orientation angles are rounded: the same rig may be saved with fewer digits."""
TURN_DEG = 360.0
FEWEST = 4
"""Fewest values for finding outliers."""
FAR, MAD_TO_SIGMA = 3.5, 1.4826
"""Modified z-score above which a value is an outlier: Iglewicz and Hoaglin, "How to Detect and
Handle Outliers" (1993), chapter 3."""
REPORT_DEG = 15.0
"""Smallest deviation worth reporting, however alike the others are."""


@dataclass(frozen=True)
class Bound:
    """One limit (min or max) of a rotate channel.

    `low_deg`, `high_deg`: 90 % band, from the limit outwards; equal to the limit where there is
    none. `grade`: as in :class:`~jointlimits_core.limits.limit_set.BoundSource`. `clip`, `frame`:
    where the motion reached the extreme, by the clip's own frame number; None for a limit that no
    motion reached, such as a prior's. `found`: rules of findings about that frame, for the joint or
    the whole clip.
    """

    value_deg: float
    low_deg: float
    high_deg: float
    grade: str
    clip: str | None = None
    frame: float | None = None
    found: tuple[str, ...] = ()


Bounds = Optional[tuple[Bound, Bound]]


@dataclass(frozen=True)
class JointRanges:
    """One joint of one character.

    `sure`: whether the evidence for the type is sure. `channels`: None for a free channel.
    """

    type: str
    sure: bool
    frame: Frame
    channels: Mapping[str, Bounds]


@dataclass(frozen=True)
class CharacterRanges:
    """One character.

    `joints`: names without paths and namespaces; names shared by two joints are left out. `pairs`:
    left and right, if the estimate compared them. `file`: file name of the limit set, beside the
    page; empty if not stored in a file.
    """

    name: str
    joints: Mapping[str, JointRanges]
    pairs: tuple[PairSymmetry, ...] = ()
    file: str = ""


def character_ranges(name: str, limit_set: LimitSet, file: str = "") -> CharacterRanges:
    """Extract the data of a limit set that characters are compared by.

    `name`: name of the character in the library. `limit_set`: in standard mode. `file`: file name
    beside the page of the library. Joints that are not animated or have no limits are left out.
    """
    named: dict[str, list[JointLimit]] = {}
    for path, joint in limit_set.joints.items():
        if joint.animated:
            named.setdefault(node_name(path), []).append(joint)
    joints = {
        short: _ranges(found[0], limit_set.findings)
        for short, found in named.items()
        if len(found) == 1
    }
    pairs = () if limit_set.symmetry is None else limit_set.symmetry.pairs
    return CharacterRanges(name, joints, pairs, file)


def _ranges(joint: JointLimit, of_clips: Sequence[Finding]) -> JointRanges:
    findings = [one for one in (*joint.findings, *of_clips) if one.frame_ranges]
    channels = {channel: _bounds(axis, findings) for channel, axis in joint.limits.items()}
    return JointRanges(joint.type, joint.evidence.sure == "clear", joint.frame, channels)


def _bounds(axis: AxisLimit, findings: Sequence[Finding]) -> Bounds:
    span = span_of(axis)
    if span is None:
        return None
    low, high = axis.source.min, axis.source.max
    return _bound(span[0], low, findings), _bound(span[1], high, findings)


def _bound(value: float, source: BoundSource | None, findings: Sequence[Finding]) -> Bound:
    if source is None:
        return Bound(value, value, value, "untested")
    low, high = source.band_deg or (value, value)
    # One shared string per clip: ten thousand characters have millions of limits.
    clip = None if source.clip is None else intern(source.clip)
    band = min(low, value), max(high, value)
    found = tuple(dict.fromkeys(one.rule for one in findings if _is_about(one, source)))
    return Bound(value, *band, source.grade, clip, source.frame, found)


def _is_about(finding: Finding, source: BoundSource) -> bool:
    """Whether a finding covers the frame that a limit comes from."""
    frame = source.frame
    if frame is None or finding.clip != source.clip:
        return False
    return any(first <= frame <= last for first, last in finding.frame_ranges)


_Place = tuple[str, tuple[int, ...]]


@dataclass(frozen=True)
class JointGroup:
    """One joint of several characters. `frame`: orientation, the same in all."""

    joint: str
    frame: Frame
    members: Mapping[str, JointRanges]

    def bounds(self, channel: str, side: int) -> dict[str, Bound]:
        """Limits of a channel by character, on one turn, without characters that have none.

        `side`: 0 for the minimum, 1 for the maximum.
        """
        spans = {
            name: span
            for name, member in self.members.items()
            if (span := member.channels.get(channel)) is not None
        }
        middles = {
            name: 0.5 * (low.value_deg + high.value_deg) for name, (low, high) in spans.items()
        }
        first = next(iter(middles.values()), 0.0)
        return {
            name: _turned(span[side], TURN_DEG * round((first - middles[name]) / TURN_DEG))
            for name, span in spans.items()
        }


def _turned(bound: Bound, by_deg: float) -> Bound:
    # Positional, not `replace`, for speed: this runs for every limit of every character.
    turned = bound.value_deg + by_deg, bound.low_deg + by_deg, bound.high_deg + by_deg
    return Bound(*turned, bound.grade, bound.clip, bound.frame, bound.found)


def joint_groups(characters: Iterable[CharacterRanges]) -> list[JointGroup]:
    """Group the joints of a library.

    They are in order of first appearance. Characters whose orientations differ are in separate
    groups, as their numbers cannot be compared.
    """
    frames: dict[tuple[str, _Place], Frame] = {}
    members: dict[tuple[str, _Place], dict[str, JointRanges]] = {}
    for character in characters:
        for joint, ranges in character.joints.items():
            key = joint, _place(ranges.frame)
            frames.setdefault(key, ranges.frame)
            members.setdefault(key, {})[character.name] = ranges
    order = {name: place for place, name in enumerate(dict.fromkeys(name for name, _ in members))}
    keys = sorted(members, key=lambda key: order[key[0]])
    return [JointGroup(key[0], frames[key], members[key]) for key in keys]


def _place(frame: Frame) -> _Place:
    """Rounded orientation, equal for orientations that differ only by lost digits."""
    angles = (*frame.joint_orient_deg, *frame.rotate_axis_deg)
    return frame.rotate_order, tuple(round(angle / SAME_DEG) for angle in angles)


@dataclass(frozen=True)
class Spread:
    """Distribution of values. `median`, `low`, `high`: median, lower and upper quartile."""

    count: int
    median: float
    low: float
    high: float
    least: float
    most: float


def spread_of(values: Sequence[float]) -> Spread:
    """Spread of one or more values."""
    low, high = values[0], values[0]
    if len(values) > 1:
        low, _, high = quantiles(values, n=4, method="inclusive")
    return Spread(len(values), median(values), low, high, min(values), max(values))


def far_out(values: Sequence[float]) -> list[int]:
    """Positions of values far from the median, measured by the median absolute deviation.

    Up to half of the values can be anything without hiding the others. `values` are in degrees.
    Empty if there are fewer than :data:`FEWEST` values.
    """
    if len(values) < FEWEST:
        return []
    middle = median(values)
    apart = [abs(value - middle) for value in values]
    least = max(REPORT_DEG, FAR * MAD_TO_SIGMA * median(apart))
    return [place for place, distance in enumerate(apart) if distance > least]
