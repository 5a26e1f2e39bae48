"""Poses compared with other people: how far outside their limits, and how many people go as far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..base.errors import EstimationError
from ..geometry.arrays import Floats
from ..motion.motion import Motion
from . import bones, neutral
from .people import People

TOLERANCE_DEG = 8.0
"""Degrees by which each joint may exceed the limits."""


@dataclass(frozen=True)
class JointOutside:
    """One joint of a motion, or one chain of joints, compared with people.

    `joints`: names, several for a spine or neck. `part`, `side`: as in :data:`.neutral.PARTS`.
    `frames`: number of frames beyond the tolerance. `worst_deg`: largest excess of a joint, 0 if
    none; for a chain, divided by its number of joints. `worst_frame`: its frame. `people`: number
    of people who go as far as in that frame.
    """

    joints: tuple[str, ...]
    part: str
    side: str
    frames: int
    worst_deg: float
    worst_frame: float
    people: int


@dataclass(frozen=True)
class HumanCheck:
    """Result of a check against people; ``passed`` if no frame is outside.

    `frames`: number of compared frames. `outside`: frames in which any joint is outside.
    `not_compared`: reason by joint name, for joints that are not compared.
    """

    clip: str
    people: int
    tolerance_deg: float
    frames: int
    outside: int
    joints: tuple[JointOutside, ...]
    not_compared: Mapping[str, str]

    @property
    def passed(self) -> bool:
        """Whether no frame is outside."""
        return self.outside == 0


def excess_of(
    standard: neutral.Standard, limits: Mapping[str, Floats], reaches: neutral.Turns
) -> dict[tuple[str, str], Floats]:
    """Degrees beyond the limits in every frame, by (part, side), negative inside, (frames,).

    It is -inf where nothing is known, as in frames with rotations that are not finite.
    The excess of a spine or neck is divided by the number of its joints.
    """
    found = {}
    for (part, side), values in reaches.items():
        if part in limits:
            beyond = np.fmax.reduce(values - limits[part], axis=1, initial=-np.inf)
            found[part, side] = beyond / len(standard.figure.chains.get(part, (0,)))
    return found


def check_people(
    motion: Motion,
    people: People,
    tolerance_deg: float = TOLERANCE_DEG,
    clips: Sequence[Motion] = (),
) -> HumanCheck:
    """Compare a motion with the limits of people.

    `clips`: all clips of the character, which show how its limbs are twisted; by default this one.
    Raises NotHumanError for a skeleton that is not one human figure, and EstimationError if no
    frame can be compared.
    """
    figure = bones.find_figure(motion.skeleton)
    standard = neutral.standard_pose(figure, clips or [motion])
    reaches = neutral.neutral_reaches(standard, neutral.neutral_turns(standard, motion))
    excess = excess_of(standard, people.limits(), reaches)
    step = neutral.sample_step(motion)
    largest = np.max(list(excess.values()), axis=0, initial=-np.inf)
    compared = int(np.sum(largest > -np.inf))
    if not compared:
        raise EstimationError(
            f"clip {motion.name!r} has no frame with finite rotations of joints for which these "
            "people have data"
        )
    joints = []
    for (part, side), beyond in excess.items():
        outside, worst = beyond > tolerance_deg, int(np.argmax(beyond))
        count = people.count_beyond(part, reaches[part, side][worst])
        rows = figure.rows_of(part, neutral.role_of(part, side))
        names = tuple(figure.skeleton.names[row] for row in rows)
        at, degrees = float(motion.frames[worst * step]), max(float(beyond[worst]), 0.0)
        joints.append(JointOutside(names, part, side, int(outside.sum()), degrees, at, count))
    return HumanCheck(
        motion.name,
        len(people),
        tolerance_deg,
        compared,
        int(np.sum(largest > tolerance_deg)),
        tuple(joints),
        {**figure.skipped, **standard.reasons()},
    )
