"""Comparison of the characters of a finished batch: ``library.json`` and a page.

Items to review are outliers, unusual joint types, and differences between sides and performers.
Findings about the clips are listed by rule.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any

from ..base import (
    UNREPORTED_RULES,
    Finding,
    LimitSetError,
    all_findings,
    counted,
    place_words,
    shortened,
)
from ..base.text import LONGEST_MESSAGE
from ..base.version import __version__
from ..io import write_text_atomically
from ..limits import PairSymmetry, read_limit_set
from ..motion import node_name
from ..report.html.library_page import library_page
from .library_statistics import (
    FEWEST,
    SIDES,
    Bound,
    CharacterRanges,
    JointGroup,
    character_ranges,
    far_out,
    joint_groups,
    spread_of,
)
from .run import Batch

REPORT_DEG = 10.0
"""Smallest difference in degrees between sides or performers worth reporting."""
SURE = ("firm", "seen")
"""Grades of limits where the motion stopped."""
FORMAT, VERSION = "jointlimits.library", 1
DATA, PAGE = "library.json", "library.html"
PAPER_MODE = "its paper-mode limits are ZYZ angles, not rotate channels"


class FindingsByRule:
    """Findings of characters added one by one; only the first message of a rule is kept."""

    def __init__(self) -> None:
        self._examples: dict[str, dict[str, Any]] = {}
        self._characters: dict[str, dict[str, int]] = {}

    def add(self, name: str, findings: Iterable[Finding]) -> None:
        """Add the findings of a character."""
        every = list(findings)
        for finding in every:
            if finding.rule not in self._examples:
                self._examples[finding.rule] = _example(name, finding)
        for rule, count in counted(every).items():
            self._characters.setdefault(rule, {})[name] = count

    def rows(self) -> list[dict[str, Any]]:
        """Plain data of each rule: reported rules first, then by number of characters.

        ``told`` is whether the lines of a batch report the rule, ``characters`` has the number of
        findings per character, most first, ``example`` is one of them.
        """
        rows = [_row(rule, self._characters[rule], one) for rule, one in self._examples.items()]
        return sorted(rows, key=lambda row: (not row["told"], -len(row["characters"]), row["rule"]))


def _row(rule: str, characters: Mapping[str, int], example: dict[str, Any]) -> dict[str, Any]:
    ranked = sorted(characters.items(), key=lambda item: -item[1])
    return {
        "rule": rule,
        "told": rule not in UNREPORTED_RULES,
        "findings": sum(characters.values()),
        "characters": [{"name": name, "findings": count} for name, count in ranked],
        "example": example,
    }


def _example(name: str, finding: Finding) -> dict[str, Any]:
    return {
        "character": name,
        "joint": finding.joint,
        "message": shortened(finding.message, LONGEST_MESSAGE),
        "place": place_words(finding),
    }


_Difference = tuple[float, CharacterRanges, PairSymmetry]


@dataclass(frozen=True)
class Seen:
    """Where a limit was observed.

    `clip`, `frame`: None for a limit that no motion reached. `findings`: rules of findings about
    that frame, such as "spike".
    """

    clip: str | None
    frame: float | None
    findings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Outlier:
    """A limit far from those of the other characters.

    `side`: "min" or "max". `value_deg`, `usual_deg`: the limit, and the median of all characters.
    `further`: whether the character reaches further than the others; else it moved less.
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
    """A joint that surely differs in type from most characters."""

    character: str
    joint: str
    type: str
    usual: str


@dataclass(frozen=True)
class SidesApart:
    """A left joint whose right partner has other limits.

    `characters`: number of characters compared. `apart`: number of characters with a limit that
    differs by more than :data:`REPORT_DEG`. `usual_deg`: median over the characters of the largest
    difference of a limit. `worst_by`: character with the largest difference. `worst_joint`,
    `worst_channel`, `worst_side`: the limit with the largest difference.
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

    `side`: "min" or "max". `apart_deg`: gap between the bands of the two that are furthest apart.
    `least_by`, `most_by`: those two characters. `least_deg`, `most_deg`: their limits.
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
    for channel in dict.fromkeys(c for one in group.members.values() for c in one.channels):
        for side in range(len(SIDES)):
            yield channel, side, group.bounds(channel, side)


def other_types(groups: Iterable[JointGroup]) -> list[OtherType]:
    """Joints that surely differ in type from most characters."""
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
    apart = sum(value > REPORT_DEG for value in degrees)
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
            if apart > REPORT_DEG:
                place = group.joint, channel, SIDES[side], apart
                ends = least.value_deg, most.value_deg
                seen = _seen(least), _seen(most)
                found.append(PerformersApart(*place, least_by, most_by, *ends, *seen))
    return sorted(found, key=lambda one: -one.apart_deg)


def library_document(
    characters: Sequence[CharacterRanges],
    left_out: Mapping[str, str],
    findings: FindingsByRule | None = None,
) -> dict[str, Any]:
    """Compare characters.

    `left_out`: characters without data, and the reason. `findings`: findings of all characters
    whose limit sets could be read. In the document, ``joints`` has the ranges, ``limit_sets`` the
    file names by character, ``findings`` the findings about clips; ``outliers``, ``other_types``,
    ``sides_apart`` and ``performers_apart`` the items to review. Angles in degrees.
    """
    groups = joint_groups(characters)
    return {
        "format": FORMAT,
        "version": VERSION,
        "program_version": __version__,
        "characters": [character.name for character in characters],
        "limit_sets": {one.name: one.file for one in characters if one.file},
        "left_out": [{"name": name, "reason": reason} for name, reason in left_out.items()],
        "sides_compared": sum(bool(character.pairs) for character in characters),
        "findings": [] if findings is None else findings.rows(),
        "outliers": [asdict(one) for one in outliers(groups)],
        "other_types": [asdict(one) for one in other_types(groups)],
        "sides_apart": [asdict(one) for one in sides_apart(characters)],
        "performers_apart": [asdict(one) for one in performers_apart(groups)],
        "joints": [_joint(group) for group in groups],
    }


def _joint(group: JointGroup) -> dict[str, Any]:
    members = list(group.members.values())
    channels = list(dict.fromkeys(name for member in members for name in member.channels))
    return {
        "joint": group.joint,
        "characters": len(members),
        "rotate_order": group.frame.rotate_order,
        "joint_orient_deg": list(group.frame.joint_orient_deg),
        "rotate_axis_deg": list(group.frame.rotate_axis_deg),
        "types": dict(Counter(member.type for member in members).most_common()),
        "channels": {channel: _channel(group, channel) for channel in channels},
    }


def _channel(group: JointGroup, channel: str) -> dict[str, Any]:
    free = sum(member.channels.get(channel) is None for member in group.members.values())
    ends: dict[str, Any] = {"free": free}
    for side, name in enumerate(SIDES):
        values = [bound.value_deg for bound in group.bounds(channel, side).values()]
        ends[name] = asdict(spread_of(values)) if values else None
    return ends


def write_library(batch: Batch, summary: Mapping[str, Any]) -> tuple[Path, Path]:
    """Compare the characters that have limits; write data and a page beside the results.

    `summary`: from :func:`.summary.summary_of`. Returns both paths. The files do not depend on how
    the batch was split and in which order it ran.
    """
    characters: list[CharacterRanges] = []
    left_out: dict[str, str] = {}
    findings = FindingsByRule()
    for item, row in enumerate(summary["characters"]):
        if row["status"] != "ok":
            left_out[row["name"]] = row["message"]
            continue
        try:
            characters.append(_ranges(batch, item, row["name"], findings))
        except (LimitSetError, ValueError) as error:
            left_out[row["name"]] = str(error)
    document = library_document(characters, left_out, findings)
    data, page = batch.results.folder / DATA, batch.results.folder / PAGE
    write_text_atomically(data, json.dumps(document, indent=1, allow_nan=False) + "\n")
    write_text_atomically(page, library_page(document))
    return data, page


def _ranges(batch: Batch, item: int, name: str, findings: FindingsByRule) -> CharacterRanges:
    """Ranges of a character with limits; its clips' findings are added to `findings`."""
    path = batch.results.limits_path(batch.address(item))
    limit_set = read_limit_set(path, batch.manifest.limits)
    findings.add(name, all_findings(limit_set))
    if limit_set.mode == "paper":
        raise ValueError(PAPER_MODE)
    file = path.relative_to(batch.results.folder).as_posix()
    return character_ranges(name, limit_set, file)
