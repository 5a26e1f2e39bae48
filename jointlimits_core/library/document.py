"""Library comparison as plain data: ``library.json``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from .._version import __version__
from .findings_by_rule import FindingsByRule
from .joint_groups import JointGroup, joint_groups
from .joint_ranges import SIDES, CharacterRanges
from .oddities import other_types, outliers, performers_apart, sides_apart
from .spread import spread_of

FORMAT, VERSION = "jointlimits.library", 1


def library_document(
    characters: Sequence[CharacterRanges],
    left_out: Mapping[str, str],
    findings: FindingsByRule | None = None,
) -> dict[str, Any]:
    """Compare characters.

    Parameters
    ----------
    left_out : mapping of character to str
        Characters without data, and the reason.
    findings : FindingsByRule, optional
        Findings of all characters whose limit sets could be read.

    Returns
    -------
    dict
        ``joints`` has the ranges, ``limit_sets`` the file names by character, ``findings`` the
        findings about clips; ``outliers``, ``other_types``, ``sides_apart`` and
        ``performers_apart`` the items to review. Angles in degrees.
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
