"""People: how far each of several people can move, in neutral form, and limits from all of them.

Only each person's furthest reaches are kept, never a pose. A limit is :data:`MARGIN_DEG` beyond the
second largest reach over people. Each person counts once, so one person's error cannot make a
limit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..base.errors import EstimationError
from ..geometry.arrays import Booleans, Floats
from ..geometry.quaternion import angle_between, quaternion_between_vectors
from ..limits.merge import PEOPLE_RANK
from ..motion.motion import Motion
from . import bones, neutral

MAX_STEP_DEG = 60.0
"""Largest rotation between two samples, 1/30 s apart, that a person may make."""
TWIST_QUANTILE = 0.995
"""Quantile of a twist that counts as its reach: twists of limbs are the least certain angles."""
MARGIN_DEG = 10.0
"""Degrees by which a limit lies beyond the reach that determines it."""


@dataclass(frozen=True, eq=False)
class Person:
    """Furthest reaches of one person.

    `source`: where the motion is from. `licence`: line about its use. `frames`: number of samples.
    `reaches`: by part, in degrees, (ways,); NaN where unknown. Both sides are pooled.
    """

    name: str
    source: str
    licence: str
    frames: int
    reaches: Mapping[str, Floats]


@dataclass(frozen=True, eq=False)
class People:
    """Several people with different names. Raises ValueError for a repeated name."""

    persons: tuple[Person, ...]

    def __post_init__(self) -> None:
        names = [person.name for person in self.persons]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"person {name!r} is given twice; each person counts once")

    def __len__(self) -> int:
        return len(self.persons)

    def without(self, *names: str) -> People:
        """All people except these."""
        return People(tuple(one for one in self.persons if one.name not in names))

    @cached_property
    def _sorted(self) -> dict[str, Floats]:
        """Reaches by part, largest first, (people, ways); -inf where unknown."""
        found = {}
        for part in neutral.PARTS:
            known = [one.reaches[part] for one in self.persons if part in one.reaches]
            if known:
                values = np.where(np.isnan(known), -np.inf, known)
                found[part] = np.sort(values, axis=0)[::-1]
        return found

    def limits(self, rank: int = PEOPLE_RANK, margin_deg: float = MARGIN_DEG) -> dict[str, Floats]:
        """Limits by part, degrees, (ways,); infinite for ways with too few people.

        Parts with too few people are left out. Raises EstimationError if all are.
        """
        if len(self) < rank:
            raise EstimationError(f"limits need at least {rank} people, not {len(self)}")
        found = {}
        for part, values in self._sorted.items():
            if len(values) >= rank:
                limit = values[rank - 1] + margin_deg
                if np.isfinite(limit).any():
                    found[part] = np.where(np.isfinite(limit), limit, np.inf)
        if not found:
            raise EstimationError(
                f"no body part is known for {rank} people; measure people whose limbs move"
            )
        return found

    def count_beyond(self, part: str, reaches: Floats, pad_deg: float = 0.0) -> int:
        """Number of people who go at least as far as these reaches, (ways,), in every way."""
        values = self._sorted.get(part)
        if values is None:
            return 0
        return int(np.all(np.isnan(reaches) | (reaches <= values + pad_deg), axis=1).sum())


def measure_person(
    motions: Sequence[Motion], name: str, source: str = "", licence: str = ""
) -> Person:
    """Furthest reaches in all motions of one person.

    Raises NotHumanError, and EstimationError for motions of different skeletons.
    """
    if not motions:
        raise EstimationError(f"person {name!r} has no motion")
    names = motions[0].joint_names
    for motion in motions:
        if motion.joint_names != names:
            raise EstimationError(
                f"clip {motion.name!r} has other joints than {motions[0].name!r}; one person's "
                "clips must have one skeleton"
            )
    standard = neutral.standard_pose(bones.find_figure(motions[0].skeleton), motions)
    pooled: dict[str, list[Floats]] = {}
    frames = 0
    for motion in motions:
        turns = neutral.neutral_turns(standard, motion)
        for (part, side), values in neutral.neutral_reaches(standard, turns).items():
            pooled.setdefault(part, []).append(values[is_steady(part, turns[part, side])])
        frames += len(next(iter(turns.values())))
    reaches = {part: _furthest(values) for part, values in pooled.items()}
    if np.isnan(np.concatenate(list(reaches.values()))).all():
        raise EstimationError(f"person {name!r} has no frame with finite rotations")
    return Person(name, source, licence, frames, reaches)


def is_steady(part: str, turns: Floats) -> Booleans:
    """Samples that a person can have reached, (frames,).

    Jumps over :data:`MAX_STEP_DEG` separate runs. Of runs at least half as long as the longest, the
    one nearest to the middle of people's reaches counts; so does every other run that begins near
    the end of the previous one that counts, or ends near the beginning of the next.
    """
    far = np.radians(MAX_STEP_DEG)
    cuts = np.flatnonzero(~(angle_between(turns[1:], turns[:-1]) <= far)) + 1
    runs = np.split(np.arange(len(turns)), cuts)
    own = neutral.PARTS[part]
    off = angle_between(turns, quaternion_between_vectors(own.bone, own.middle))
    off = np.where(np.isfinite(off), off, np.pi)
    least = 0.5 * max(map(len, runs))
    long_runs = [at for at, run in enumerate(runs) if len(run) >= least]
    first = min(long_runs, key=lambda at: float(np.median(off[runs[at]])))
    kept = np.zeros(len(turns), dtype=bool)
    kept[runs[first]] = True
    for some, near, end in ((runs[first + 1 :], -1, 0), (runs[:first][::-1], 0, -1)):
        last = turns[runs[first][near]]
        for run in some:
            if angle_between(turns[run[end]], last) <= far:
                kept[run], last = True, turns[run[near]]
    return kept


def _furthest(values: Sequence[Floats]) -> Floats:
    """Largest reaches of all frames, (ways,); for twists, without the rarest."""
    every = np.concatenate(values)
    ways = every.shape[1]
    furthest = np.full(ways, np.nan)
    for way in range(ways):
        known = np.sort(every[~np.isnan(every[:, way]), way])
        if len(known):
            twist = ways > 2 and way >= len(neutral.WAYS)
            share = TWIST_QUANTILE if twist else 1.0
            furthest[way] = known[int(share * (len(known) - 1))]
    return furthest
