"""Library items to review: outliers, unusual joint types, differing sides and performers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from statistics import median

from ..limits.symmetry_record import PairSymmetry
from ..side_names import node_name
from .joint_groups import JointGroup
from .joint_ranges import SIDES, Bound, CharacterRanges
from .spread import FEWEST, far_out

TELL_DEG = 10.0
"""Smallest difference in degrees between sides or performers worth reporting."""
SURE = ("firm", "seen")
"""Grades of limits where the motion stopped."""

_Difference = tuple[float, CharacterRanges, PairSymmetry]


@dataclass(frozen=True)
class Seen:
    """Where a limit was observed.

    Parameters
    ----------
    clip, frame : str and float, optional
        None for a limit that no motion reached.
    findings : tuple of str
        Rules of findings about that frame, such as "spike".
    """

    clip: str | None
    frame: float | None
    findings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Outlier:
    """A limit far from those of the other characters.

    Parameters
    ----------
    side : str
        "min" or "max".
    value_deg, usual_deg : float
        The limit, and the median of all characters.
    further : bool
        Whether the character reaches further than the others; else it moved less.
    """

    character: str
    joint: str
    channel: str
    side: str
    value_deg: float
    usual_deg: float
    further: bool
    seen: Seen


@dataclass(frozen=True)
class OtherType:
    """A joint that surely has another type than in most characters."""

    character: str
    joint: str
    type: str
    usual: str


@dataclass(frozen=True)
class SidesApart:
    """A left joint whose right partner has other limits.

    Parameters
    ----------
    characters : int
        Number of characters compared.
    apart : int
        Number of characters with a limit that differs by more than :data:`TELL_DEG`.
    usual_deg : float
        Median over the characters of the largest difference of a limit.
    worst_by : str
        Character with the largest difference.
    worst_joint, worst_channel, worst_side : str, optional
        The limit with the largest difference.
    worst_seen : Seen, optional
    """

    left: str
    right: str
    characters: int
    apart: int
    usual_deg: float
    worst_deg: float
    worst_by: str
    worst_joint: str | None = None
    worst_channel: str | None = None
    worst_side: str | None = None
    worst_seen: Seen | None = None


@dataclass(frozen=True)
class PerformersApart:
    """A limit at which performers stop at clearly different angles.

    Parameters
    ----------
    side : str
        "min" or "max".
    apart_deg : float
        Gap between the bands of the two that are furthest apart.
    least_by, most_by : str
        Those two characters.
    least_deg, most_deg : float
        Their limits.
    """

    joint: str
    channel: str
    side: str
    apart_deg: float
    least_by: str
    most_by: str
    least_deg: float
    most_deg: float
    least_seen: Seen
    most_seen: Seen


def outliers(groups: Iterable[JointGroup]) -> list[Outlier]:
    """Limits far from the others', wider ones first, largest difference first."""
    found = [one for group in groups for one in _outliers(group)]
    return sorted(found, key=lambda one: (not one.further, -abs(one.value_deg - one.usual_deg)))


def _outliers(group: JointGroup) -> Iterator[Outlier]:
    for channel, side, bounds in _every_bound(group):
        values = [bound.value_deg for bound in bounds.values()]
        names = list(bounds)
        for place in far_out(values):
            value, usual, name = values[place], median(values), names[place]
            further = (value > usual) == bool(side)
            what = group.joint, channel, SIDES[side], value, usual, further
            yield Outlier(name, *what, _seen(bounds[name]))


def _seen(bound: Bound) -> Seen:
    return Seen(bound.clip, bound.frame, bound.found)


def _every_bound(group: JointGroup) -> Iterator[tuple[str, int, dict[str, Bound]]]:
    channels = list(dict.fromkeys(c for member in group.members.values() for c in member.channels))
    for channel in channels:
        for side in range(len(SIDES)):
            yield channel, side, group.bounds(channel, side)


def other_types(groups: Iterable[JointGroup]) -> list[OtherType]:
    """Joints that surely have another type than in most characters."""
    found = []
    for group in groups:
        sure = {name: member.type for name, member in group.members.items() if member.sure}
        (usual, count), *_ = Counter(sure.values()).most_common(1) or [("", 0)]
        if len(sure) >= FEWEST and 2 * count > len(sure):
            found += [
                OtherType(name, group.joint, kind, usual)
                for name, kind in sure.items()
                if kind != usual
            ]
    return found


def sides_apart(characters: Iterable[CharacterRanges]) -> list[SidesApart]:
    """Joint pairs that differ in some character, sorted by how many it concerns."""
    found: dict[tuple[str, str], list[_Difference]] = {}
    for character in characters:
        for pair in character.pairs:
            if pair.asymmetry_deg is not None:
                names = node_name(pair.left), node_name(pair.right)
                found.setdefault(names, []).append((pair.asymmetry_deg, character, pair))
    rows = [_sides(*names, differences) for names, differences in found.items()]
    apart = [row for row in rows if row.apart]
    return sorted(apart, key=lambda row: (-row.apart, -row.usual_deg))


def _sides(left: str, right: str, differences: list[_Difference]) -> SidesApart:
    degrees = [value for value, *_ in differences]
    worst, character, pair = max(differences, key=lambda one: one[0])
    apart = sum(value > TELL_DEG for value in degrees)
    row = SidesApart(left, right, len(degrees), apart, median(degrees), worst, character.name)
    return _located(row, character, pair)


def _located(row: SidesApart, character: CharacterRanges, pair: PairSymmetry) -> SidesApart:
    """Row with the limit that differs most, and where it was observed."""
    ends = [
        (abs(more), channel, end)
        for channel in pair.channels
        for end, more in enumerate(channel.asymmetry_deg or ())
    ]
    if not ends:
        return row
    _, channel, end = max(ends, key=lambda one: one[0])
    joint, side = node_name(channel.reached_by[end]), channel.further_bound(end)
    row = replace(row, worst_joint=joint, worst_channel=channel.channel, worst_side=side)
    member = character.joints.get(joint)
    span = None if member is None else member.channels.get(channel.channel)
    if span is None:
        return row
    return replace(row, worst_seen=_seen(span[SIDES.index(side)]))


def performers_apart(groups: Iterable[JointGroup]) -> list[PerformersApart]:
    """Limits where two characters surely stop at different angles, largest difference first.

    Only limits where the motion was seen to stop or turn back count: a character that did not
    move as far proves nothing. The difference is the gap between their 90 % bands, which are wide
    for few clips.
    """
    found = []
    for group in groups:
        for channel, side, bounds in _every_bound(group):
            known = {name: bound for name, bound in bounds.items() if bound.grade in SURE}
            if len(known) < 2:
                continue
            least_by, least = min(known.items(), key=lambda item: item[1].high_deg)
            most_by, most = max(known.items(), key=lambda item: item[1].low_deg)
            apart = most.low_deg - least.high_deg
            if apart > TELL_DEG:
                place = group.joint, channel, SIDES[side], apart
                ends = least.value_deg, most.value_deg
                seen = _seen(least), _seen(most)
                found.append(PerformersApart(*place, least_by, most_by, *ends, *seen))
    return sorted(found, key=lambda one: -one.apart_deg)
