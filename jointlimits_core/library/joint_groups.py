"""The same joint of several characters: same name, and a frame in which numbers mean the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ..limits.limit_set import Frame
from .joint_ranges import Bound, CharacterRanges, JointRanges

SAME_DEG = 0.5
"""Angles of frames count in steps of this: the same rig may be saved with fewer digits."""
TURN_DEG = 360.0

_Place = tuple[str, tuple[int, ...]]


@dataclass(frozen=True)
class JointGroup:
    """One joint as several characters have it.

    Parameters
    ----------
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
    # By place, not with `replace`: this is done for every bound of every character.
    turned = bound.value_deg + by_deg, bound.low_deg + by_deg, bound.high_deg + by_deg
    return Bound(*turned, bound.grade, bound.clip, bound.frame, bound.found)


def joint_groups(characters: Iterable[CharacterRanges]) -> list[JointGroup]:
    """Group the joints of a library.
    Returns
    -------
    list of JointGroup
        In the order in which joints first appear. Characters whose frames differ are in groups of
        their own: their numbers cannot be compared.
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
    """Frames that are the same but for lost digits have the same place."""
    angles = (*frame.joint_orient_deg, *frame.rotate_axis_deg)
    return frame.rotate_order, tuple(round(angle / SAME_DEG) for angle in angles)
