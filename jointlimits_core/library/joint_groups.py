"""The same joint of several characters: same name, and a frame in which numbers mean the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ..limits.frames import same_frame
from ..limits.limit_set import Frame
from .joint_ranges import Bound, CharacterRanges, JointRanges

SAME_DEG = 0.5
"""Frames that differ by less are the same rig, saved with fewer digits."""
TURN_DEG = 360.0


@dataclass(frozen=True)
class JointGroup:
    """One joint as several characters have it.

    Parameters
    ----------
    joint : str
    frame : Frame
        Of the first character; the others' are the same.
    members : mapping of character to JointRanges
    """

    joint: str
    frame: Frame
    members: Mapping[str, JointRanges]

    def bounds(self, channel: str, side: int) -> dict[str, Bound]:
        """Bounds of a channel by character, on one turn, without characters that have none.

        Parameters
        ----------
        channel : str
        side : int
            0 for the minimum, 1 for the maximum.
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
    return Bound(
        bound.value_deg + by_deg, bound.low_deg + by_deg, bound.high_deg + by_deg, bound.grade
    )


def joint_groups(characters: Iterable[CharacterRanges]) -> list[JointGroup]:
    """Group the joints of a library.

    Parameters
    ----------
    characters : iterable of CharacterRanges

    Returns
    -------
    list of JointGroup
        In the order in which joints first appear. Characters whose frames differ are in groups of
        their own: their numbers cannot be compared.
    """
    grouped: dict[str, list[tuple[Frame, dict[str, JointRanges]]]] = {}
    for character in characters:
        for joint, ranges in character.joints.items():
            members = _members(grouped.setdefault(joint, []), ranges.frame)
            members[character.name] = ranges
    return list(_as_groups(grouped))


def _members(
    groups: list[tuple[Frame, dict[str, JointRanges]]], frame: Frame
) -> dict[str, JointRanges]:
    for known, members in groups:
        if same_frame(known, frame, SAME_DEG):
            return members
    groups.append((frame, {}))
    return groups[-1][1]


def _as_groups(
    grouped: Mapping[str, list[tuple[Frame, dict[str, JointRanges]]]],
) -> Iterator[JointGroup]:
    for joint, groups in grouped.items():
        for frame, members in groups:
            yield JointGroup(joint, frame, members)
