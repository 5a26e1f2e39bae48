"""Poses of the splits' people in a form that is independent of skeletons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.arrays import Booleans, Floats, Integers
from jointlimits_core.geometry.quaternion import quaternion_from_axis_angle
from jointlimits_core.people import bones, neutral
from jointlimits_core.people.people import Person, measure_person

from .splits import Copy, PersonSplit

EVERY = 2
"""Step between samples (30 a second) that count."""


@dataclass(frozen=True, eq=False)
class Poses:
    """Rotations of one part in some frames.

    `turns`, (frames, 4): (x, y, z, w) against the part's base, from the standard pose, right parts
    mirrored to the left; of a hinge its bend alone. `twist_known`, (frames,): whether the data
    shows how the part is twisted about its bone.
    """

    turns: Floats
    twist_known: Booleans

    def __post_init__(self) -> None:
        for values in (self.turns, self.twist_known):
            values.flags.writeable = False  # no method may change what the next one gets

    def take(self, rows: slice | Integers | Booleans) -> Poses:
        """Poses of some frames."""
        return Poses(self.turns[rows], self.twist_known[rows])


@dataclass(frozen=True, eq=False)
class Clip:
    """Poses of one clip by (part, side)."""

    name: str
    poses: Mapping[tuple[str, str], Poses]


@dataclass(frozen=True, eq=False)
class Recorded:
    """One person's clips, and how far the person goes in all of them."""

    split: PersonSplit
    clips: tuple[Clip, ...]
    person: Person
    joints_of: Mapping[str, int]
    """Number of joints of each part: a spine has several."""


def is_hinge(part: str) -> bool:
    """Whether only the bend of a part is compared, as its axis cannot be carried to others."""
    return neutral.PARTS[part].plane is not None


def bent(part: str, degrees: Floats) -> Floats:
    """Rotations of a hinge from its bends, (frames, 4)."""
    own = neutral.PARTS[part]
    assert own.plane is not None
    axis = np.cross(own.bone, own.plane)
    return quaternion_from_axis_angle(axis, np.radians(degrees))


def read_person(copy: Copy, split: PersonSplit) -> Recorded | list[str]:
    """A person's poses, or a description of what the copy lacks."""
    problems = copy.problems(split)
    if problems:
        return problems
    motions = []
    for entry in split.clips:
        path, skeleton = copy.find(entry), copy.find(split.skeletons[entry.name])
        motions.append(read_motion(str(path), skeleton=str(skeleton), frame_rate=120.0))
    standard = neutral.standard_pose(bones.find_figure(motions[0].skeleton), motions)
    clips = []
    for motion in motions:
        turns = neutral.neutral_turns(standard, motion)
        reaches = neutral.neutral_reaches(standard, turns)
        poses = {}
        for (part, side), own in turns.items():
            known = ~np.isnan(reaches[part, side][:, neutral.TWIST]).any(axis=1)
            if is_hinge(part):
                own = bent(part, reaches[part, side][:, 0])
            poses[part, side] = Poses(own, known).take(slice(None, None, EVERY))
        clips.append(Clip(motion.name, poses))
    chains = standard.figure.chains
    joints_of = {part: len(chains.get(part, (0,))) for part in neutral.PARTS}
    return Recorded(split, tuple(clips), measure_person(motions, split.name), joints_of)


def pooled(clips: Sequence[Clip]) -> dict[str, Floats]:
    """Rotations of every part in all clips, both sides, (frames, 4)."""
    found: dict[str, list[Floats]] = {}
    for clip in clips:
        for (part, _), poses in clip.poses.items():
            found.setdefault(part, []).append(poses.turns)
    every = {part: np.concatenate(turns) for part, turns in found.items()}
    for values in every.values():
        values.flags.writeable = False
    return every


class Lacking:
    """Data of other people of whom some are missing: any use of it is an error that says so."""

    def __init__(self, names: Sequence[str]) -> None:
        self._text = f"no data of person {', '.join(names)}"

    def __getattr__(self, name: str) -> Any:
        raise LookupError(self._text)

    def __iter__(self, *_: object) -> Any:
        raise LookupError(self._text)

    __len__ = __getitem__ = __contains__ = __iter__
