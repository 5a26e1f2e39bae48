"""The same joint of several characters: same name and the same orientation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ..limits.limit_set import Frame
from .joint_ranges import Bound, CharacterRanges, JointRanges

SAME_DEG = 0.5
"""Step to which orientation angles are rounded: the same rig may be saved with fewer digits."""
TURN_DEG = 360.0

_Place = tuple[str, tuple[int, ...]]


@dataclass(frozen=True)
class JointGroup:
    """One joint of several characters.

    Parameters
    ----------
    frame : Frame
        Orientation in the first character; the same in all others.
    members : mapping of character to JointRanges
    """

    joint: str
    frame: Frame
    members: Mapping[str, JointRanges]

    def bounds(self, channel: str, side: int) -> dict[str, Bound]:
        """Limits of a channel by character, on one turn, without characters that have none.

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
    # Positional, not `replace`, for speed: this runs for every limit of every character.
    turned = bound.value_deg + by_deg, bound.low_deg + by_deg, bound.high_deg + by_deg
    return Bound(*turned, bound.grade, bound.clip, bound.frame, bound.found)


def joint_groups(characters: Iterable[CharacterRanges]) -> list[JointGroup]:
    """Group the joints of a library.

    Returns
    -------
    list of JointGroup
        In order of first appearance. Characters whose orientations differ are in separate groups,
        as their numbers cannot be compared.
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
