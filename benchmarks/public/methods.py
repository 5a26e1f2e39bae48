"""Methods that say which poses of a part are outside: ours, and published ones as baselines.

A method is one function. It gets a :class:`Training` and returns a function of a part's name and
its :class:`.gate_data.Poses` that returns whether each of them is outside, (frames,).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from jointlimits_core.estimation import as_printed
from jointlimits_core.geometry.arrays import Booleans, Floats
from jointlimits_core.geometry.euler import euler_from_quaternion
from jointlimits_core.geometry.quaternion import (
    conjugate,
    multiply,
    quaternion_between_vectors,
    rotate,
    rotation_vector_from_quaternion,
    swing_twist_from_quaternion,
)
from jointlimits_core.limits.merge import PEOPLE_RANK
from jointlimits_core.people import neutral
from jointlimits_core.people.human_check import TOLERANCE_DEG
from jointlimits_core.people.people import MARGIN_DEG, People, Person
from jointlimits_core.shapes.coupled_limit import FitOptions
from jointlimits_core.shapes.fitting import fit_shape
from tests.support.printed_shapes import fit_swept_kdop

from . import learned
from .gate_data import Clip, Lacking, Poses, is_hinge, pooled

MAX_SAMPLES = 4000
"""Evenly spaced samples of a part that a shape is fitted to."""
SLACK_DEG = 0.1
"""Degrees outside a range of angles that count as inside, because of rounding."""
HULL_PAD_DEG = 3.0


@dataclass(frozen=True, eq=False)
class Training:
    """Data that a method may learn from.

    `own`: the person's other clips. `others`: reaches of all other people. `learn`: poses of the
    people in the half that the person is not in, by part; where people are missing, any use of
    these is an error. `joints_of`: number of joints of a part.
    """

    own: Sequence[Clip]
    others: Sequence[Person] | Lacking
    learn: Mapping[str, Floats] | Lacking
    joints_of: Mapping[str, int]


Outside = Callable[[str, Poses], Booleans]
Fit = Callable[[Training], Outside]


@dataclass(frozen=True)
class Method:
    """A method with its reference and what was assumed where that leaves something open."""

    name: str
    fit: Fit
    reference: str
    assumed: str
    is_ours: bool = False


def own_hull(training: Training, pad_deg: float = HULL_PAD_DEG) -> Outside:
    """Hull of the person's other clips."""
    options = FitOptions(pad_deg=pad_deg)
    shapes = {
        part: fit_shape("hull", turns[:: max(1, len(turns) // MAX_SAMPLES)], options)
        for part, turns in pooled(training.own).items()
    }
    return lambda part, poses: ~shapes[part].contains(poses.turns)


def other_people(training: Training, tolerance_deg: float = TOLERANCE_DEG) -> Outside:
    """Reaches of other people, as ``check --people`` compares them."""
    limits = People(tuple(training.others)).limits()

    def outside(part: str, poses: Poses) -> Booleans:
        if part not in limits:
            return np.zeros(len(poses.turns), dtype=bool)
        values = neutral.reaches(part, poses.turns)
        if not is_hinge(part):
            values[~poses.twist_known, neutral.TWIST] = np.nan
        beyond = np.fmax.reduce(values - limits[part], axis=1, initial=-np.inf)
        return np.asarray(beyond / training.joints_of[part] > tolerance_deg)

    return outside


def both(training: Training, tolerance_deg: float = TOLERANCE_DEG) -> Outside:
    """Outside the person's own hull and outside the reach of other people."""
    own, other = own_hull(training), other_people(training, tolerance_deg)
    return lambda part, poses: own(part, poses) & other(part, poses)


def euler_box(training: Training) -> Outside:
    """Smallest and largest value of each rotate channel in all other clips."""
    ends = {}
    for part, turns in pooled(training.own).items():
        channels = np.degrees(euler_from_quaternion(turns, "xyz"))
        ends[part] = channels.min(axis=0) - SLACK_DEG, channels.max(axis=0) + SLACK_DEG

    def outside(part: str, poses: Poses) -> Booleans:
        channels = np.degrees(euler_from_quaternion(poses.turns, "xyz"))
        low, high = ends[part]
        return np.asarray(((channels < low) | (channels > high)).any(axis=1))

    return outside


def one_clip_box(training: Training) -> Outside:
    """The same for only the first other clip."""
    return euler_box(Training(training.own[:1], (), {}, training.joints_of))


def paper(training: Training) -> Outside:
    """Types and ranges of ``--mode paper``."""
    found = {}
    for part, turns in pooled(training.own).items():
        angles = _paper_angles(turns, _is_paper_hinge(turns))
        ranges = [as_printed.interval_as_printed(column) for column in angles.T]
        found[part] = (_is_paper_hinge(turns), ranges)

    def outside(part: str, poses: Poses) -> Booleans:
        hinge, ranges = found[part]
        angles = _paper_angles(poses.turns, hinge)
        beyond = np.zeros(len(angles), dtype=bool)
        slack = np.radians(SLACK_DEG)
        for column, (low, high) in zip(angles.T, ranges):
            # Equations 20 and 21 add full turns until the angle is above the minimum.
            beyond |= np.mod(column - low + slack, 2.0 * np.pi) > high - low + 2.0 * slack
        return beyond

    return outside


def _is_paper_hinge(turns: Floats) -> bool:
    positive = np.where(turns[:, 3:] < 0.0, -turns, turns)
    eigenvalues = as_printed.covariance_eigenvalues(positive)
    return int(np.sum(eigenvalues > as_printed.EIGENVALUE_THRESHOLD)) == 1


def _paper_angles(turns: Floats, hinge: bool) -> Floats:
    q = np.where(turns[:, 3:] < 0.0, -turns, turns)
    if hinge:  # equation 12
        return 2.0 * np.arctan2(q[:, 3:], np.linalg.norm(q[:, :3], axis=1, keepdims=True))
    return as_printed.zyz_as_printed(q)


HOLDEN_PADDING_RAD = 0.05


def holden_kdop(training: Training) -> Outside:
    """Thirteen lines through the logarithms of the rotations."""
    options = FitOptions(pad_deg=float(np.degrees(HOLDEN_PADDING_RAD)))
    shapes = {
        part: fit_swept_kdop(_logarithms(turns), options)
        for part, turns in pooled(training.own).items()
    }
    return lambda part, poses: ~shapes[part].contains(_logarithms(poses.turns))


def _logarithms(turns: Floats) -> Floats:
    return rotation_vector_from_quaternion(np.where(turns[:, 3:] < 0.0, -turns, turns))


PUBLISHED = {
    "shoulder": ((-60.0, 180.0), (-30.0, 180.0), (-70.0, 90.0)),
    "hip": ((-15.0, 125.0), (-45.0, 45.0), (-45.0, 45.0)),
    "elbow": ((0.0, 150.0),),
    "knee": ((0.0, 130.0),),
}
"""Degrees: extension to flexion, adduction to abduction, medial to lateral rotation; of a hinge its
bend."""
PUBLISHED_SLACK_DEG = 5.0
"""Reading precision of a goniometer, degrees."""


def published(training: Training) -> Outside:
    """Ranges that clinicians measure, of each movement by itself."""
    del training

    def outside(part: str, poses: Poses) -> Booleans:
        if part not in PUBLISHED:
            return np.zeros(len(poses.turns), dtype=bool)
        angles = (
            neutral.reaches(part, poses.turns)[:, :1] if is_hinge(part) else _clinical(part, poses)
        )
        low, high = np.array(PUBLISHED[part]).T
        beyond = (angles < low - PUBLISHED_SLACK_DEG) | (angles > high + PUBLISHED_SLACK_DEG)
        return np.asarray(beyond.any(axis=1))

    return outside


def _clinical(part: str, poses: Poses) -> Floats:
    """Flexion, abduction and lateral rotation from a limb that hangs down, degrees, (frames, 3).

    NaN, which is inside, where a limb points so much to the other direction that the angle says
    nothing, or where the twist is unknown.
    """
    own = neutral.PARTS[part]
    way = rotate(poses.turns, own.bone)
    left, up, front = way.T
    flexion = np.where(np.hypot(up, front) > 0.5, np.degrees(np.arctan2(front, -up)), np.nan)
    abduction = np.where(np.hypot(up, left) > 0.5, np.degrees(np.arctan2(left, -up)), np.nan)
    # Past the upright, the angle has gone round.
    flexion, abduction = (np.where(a < -120.0, a + 360.0, a) for a in (flexion, abduction))
    hanging = np.broadcast_to(-neutral.UP, way.shape)
    from_hanging = quaternion_between_vectors(hanging, way)
    zero = quaternion_between_vectors(own.bone, -neutral.UP)
    turn = multiply(conjugate(from_hanging), multiply(poses.turns, conjugate(zero)))
    _, twist = swing_twist_from_quaternion(turn, neutral.UP)
    lateral = np.degrees(rotation_vector_from_quaternion(twist) @ neutral.UP)
    lateral = np.where(poses.twist_known & (up < 0.5), lateral, np.nan)
    return np.stack([flexion, abduction, lateral], axis=1)


def learned_field(training: Training) -> Outside:
    """Small network that tells how far a rotation is from those that were seen."""
    fields = {part: learned.field_of(part, turns) for part, turns in training.learn.items()}

    def outside(part: str, poses: Poses) -> Booleans:
        if part not in fields:
            return np.zeros(len(poses.turns), dtype=bool)
        return fields[part].is_outside(poses.turns)

    return outside


METHODS = (
    Method(
        "own clips and other people",
        both,
        "docs/method.md",
        f"outside of both: a hull with {HULL_PAD_DEG:g} degrees, and people with {TOLERANCE_DEG:g}",
        True,
    ),
    Method("hull of own clips", own_hull, "docs/coupled_limits.md", "", True),
    Method(
        "other people",
        other_people,
        "docs/command_line.md",
        f"rank {PEOPLE_RANK}, margin {MARGIN_DEG:g}, tolerance {TOLERANCE_DEG:g} degrees",
        True,
    ),
    Method(
        "one clip, Euler box",
        one_clip_box,
        "SideFX Houdini, Configure Joints (KineFX): rotation limits from the channels of a clip",
        "order XYZ; the first other clip of the person",
    ),
    Method(
        "minimum and maximum",
        euler_box,
        "the usual script: smallest and largest key of each channel",
        "order XYZ, values as they come between -180 and 180",
    ),
    Method(
        "as the paper prints",
        paper,
        "Engell-Norregard and Erleben, Estimation of joint types and joint limits from motion "
        "capture data (2009)",
        "equations 4 to 21 and the appendix; rotations against the standard pose",
    ),
    Method(
        "k-DOP",
        holden_kdop,
        "Holden, Joint Limits (article with code)",
        f"thirteen lines, padding {HOLDEN_PADDING_RAD:g}; logarithms from the standard pose",
    ),
    Method(
        "published ranges",
        published,
        "AAOS, in Norkin and White, Measurement of Joint Motion (shoulder, elbow); Merck Manual "
        "(hip, knee)",
        "each movement by itself, from a limb that hangs down; adduction of the shoulder 30; "
        f"{PUBLISHED_SLACK_DEG:g} degrees of slack; spine, head, wrist and foot free",
    ),
    Method(
        "learned distance field",
        learned_field,
        "after Tiwari et al., Pose-NDF (2022), for single joints",
        "numpy, two layers of 32, people of the other half, threshold .1 % of each part's poses",
    ),
)
"""All methods, ours first. Add yours here: a function like the above."""
CURVE = (
    *(
        Method(
            f"own clips and other people, {degrees:g}",
            partial(both, tolerance_deg=degrees),
            "",
            "",
            True,
        )
        for degrees in (0.0, 3.0, 15.0, 25.0)
    ),
    *(
        Method(f"hull of own clips, {degrees:g}", partial(own_hull, pad_deg=degrees), "", "", True)
        for degrees in (8.0, 15.0, 25.0)
    ),
)
"""The same with other tolerances and pads in degrees: the price of fewer false alarms."""
