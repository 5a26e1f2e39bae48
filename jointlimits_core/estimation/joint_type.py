"""Joint type decision: fixed, hinge, universal or ball.

Types are tried in turn, the simplest first: a type is chosen if its residual, in degrees and
without noise, is small enough. Rotation that follows the joint's angles or differs between clips
counts as free rotation, unless the character's hinges show as much of it. The mirrored joint
contributes to the decision. If other joints of the clip are exact hinges, the clip has neither
noise nor cross-talk, and any rotation about a further axis counts. (The paper's thresholds are for
eigenvalues that depend on the number of samples, on quaternion signs and on joint orientations.)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..geometry.arrays import Booleans, Floats, Integers
from ..geometry.axes import UniversalFit, fit_universal, universal_coordinates
from ..motion.motion import STILL_RAD
from .moment import (
    EXACT_DEG,
    USUAL,
    CrossTalk,
    Moment,
    Noise,
    Residual,
    average_neighbours,
    cross_talk_of,
    hinge_coordinates,
    hinge_terms,
    is_exact,
    mean_square,
    noise_floor,
    noise_model,
    split_residual,
    universal_terms,
    without_cross_talk,
)

RANGE_OF_RMS = 2.0 * np.sqrt(2.0)
"""Range of a sinusoidal swing divided by its root mean square."""
MIN_OBVIOUS_FACTOR = 1.25
"""Factor by which obvious motion exceeds the tolerance."""

_SENTENCES = {
    ("fixed", "hinge"): "turn it by more than {range} degrees; less counts as not moving",
    ("hinge", "fixed"): "bend it further than {range} degrees; so far it hardly moves",
    ("universal", "fixed"): "turn it further than {range} degrees; so far it hardly moves",
    ("ball", "fixed"): "turn it further than {range} degrees; so far it hardly moves",
    ("hinge", "universal"): "turn it further than {range} degrees about a second axis, if it can",
    ("universal", "hinge"): "turn it further than {range} degrees about its second axis",
    ("ball", "hinge"): "turn it further than {range} degrees about a second axis",
    ("universal", "ball"): "turn it further than {range} degrees about a third axis, if it can",
    ("ball", "universal"): "turn it further than {range} degrees about its third axis",
}
_ON_ITS_OWN = {
    "hinge": "turn it about a second axis without bending it; so far the two only moved together",
    "universal": "turn it about a third axis alone; so far it never turned about that axis alone",
}
MIN_INSISTING_FACTOR = 3.0
"""Evidence above or below the threshold by this factor overrules the partner joint's evidence."""
MAX_WEIGHED_MOTION_DEG = 5.0
"""Beyond this spread, more motion adds no weight to the evidence."""
FREE_DEG = 0.5
"""Free rotation about each axis caused by solvers and skin, root mean square degrees."""
CHANCE, MOVES_CHANCE = 0.5, 3.5
"""Number of standard deviations of the noise power that may remain by chance: in the residual of
one joint, and in the largest residual of many joints that do not move."""
MAX_ABOVE_MEDIAN_FACTOR = 3.0
"""Maximum cross-talk of a joint about each axis, as a multiple of the median hinge's cross-talk."""
MAX_MISFIT_SHARE = 0.2
"""Maximum misfit of the median hinge's cross-talk about each axis, as a share of the cross-talk."""
MIN_EVIDENCE_SHARE = 1e-9
"""Minimum evidence, as a share of the threshold, so that its logarithm is finite."""
TYPES = ("fixed", "hinge", "universal", "ball")
EXACT_AXIS_DEG = 0.1
"""Minimum rotation about a further axis that counts in exact data, root mean square."""
MIN_CLEAR_MARGIN_DEG = 0.5
"""Minimum margin of a sure decision, or a quarter of the threshold if that is less."""


def settling_motion(kind: str, runner_up: str, allowed: float, in_step: str) -> str:
    """Request for motion that tells two types apart; `allowed`: tolerated residual, degrees."""
    if in_step:
        return _ON_ITS_OWN[in_step]
    enough = int(np.ceil(MIN_OBVIOUS_FACTOR * RANGE_OF_RMS * allowed))
    return _SENTENCES[kind, runner_up].format(range=enough)


class Tolerance(NamedTuple):
    """Tolerated residual of a joint type; docs/evidence/accuracy.md has the resulting accuracy."""

    axes: int
    """Number of axes about which the type does not turn."""
    terms: int
    """Number of terms that are fitted to each clip's residual."""
    own_terms: int
    """Number of these terms that allow for each clip's own axes."""
    share: float = 0.0
    """Free residual that is tolerated, as a share of the motion: no knee is a perfect hinge."""

    def free(self, motion: Floats, noise: Noise, cross_talk: CrossTalk) -> Floats:
        """Tolerated free residual, degrees squared, shaped like `motion` (degrees)."""
        share = max(MAX_MISFIT_SHARE * self.axes * cross_talk.coupled, self.share)
        by_chance = CHANCE * noise.deviation(self.axes)
        return np.asarray(self.axes * FREE_DEG**2 + (share * motion) ** 2 + by_chance)

    def subtract_noise(self, residual: Residual, noise: Noise) -> Residual:
        """Parts of a residual beyond the average noise; negative if the noise was below average."""
        own_terms = self.own_terms if noise.clips > 1 else 0
        raw, own, rest = (
            self.axes * noise.power_after(terms) for terms in (0, own_terms, self.terms)
        )
        return Residual(
            residual.free - rest,
            residual.coupled - max(own - rest, 0.0),
            residual.between - max(raw - own, 0.0),
        )


FIXED = Tolerance(axes=3, terms=1, own_terms=1)
HINGE = Tolerance(axes=2, terms=4, own_terms=2, share=0.05)
UNIVERSAL = Tolerance(axes=1, terms=8, own_terms=3)


def tolerated_deg(kind: str, spread_deg: float, noise_deg: float) -> float | None:
    """Largest residual of a type for a given spread and noise, degrees; None for a ball."""
    tolerance = dict(zip(TYPES, (FIXED, HINGE, UNIVERSAL))).get(kind)
    if tolerance is None:
        return None
    motion = np.array(0.0 if kind == "fixed" else spread_deg)
    forgiven = tolerance.free(motion, Noise(0.0, 0.0, 0.0), USUAL)
    return float(np.sqrt(forgiven + tolerance.axes * noise_deg**2))


class Evidence(NamedTuple):
    """Evidence against one type for several joints."""

    against: Floats
    """Squared residual divided by the squared tolerance, shape (joints,); the type is possible if
    this is at most 1."""
    allowed: Floats
    """Tolerated residual, root mean square degrees, shape (joints,)."""
    in_step: Booleans
    """Whether the type is possible only because motion in step is discounted, shape (joints,)."""
    chance: float = 0.0
    """Difference from the threshold that noise alone may cause, degrees squared."""
    mistaken: Floats | float = 0.0
    """Residual, degrees, that may remain because the fitted cross-talk is not exact, (joints,)."""

    @property
    def doubtful(self) -> Booleans:
        """Whether noise or cross-talk may have decided the test, shape (joints,)."""
        by_noise = np.abs(self.against - 1.0) * self.allowed**2 < self.chance
        return np.asarray(by_noise | ((self.against > 1.0) & (self.residual < self.mistaken)))

    @property
    def residual(self) -> Floats:
        """Residual without noise, with coupled motion discounted, to compare with `allowed`."""
        return np.asarray(self.allowed * np.sqrt(self.against))


def weigh(
    residual: Residual,
    motion: Floats,
    noise: Noise,
    tolerance: Tolerance,
    cross_talk: CrossTalk | None,
) -> Evidence:
    """Compare a residual with its tolerance.

    Motion in step, and differences between clips, are discounted as far as the character's hinges
    show them. If `cross_talk` is None, the data are exact and the whole residual counts.
    """
    if cross_talk is None:
        against = residual.total / EXACT_AXIS_DEG**2
        limit = np.full_like(against, EXACT_AXIS_DEG)
        return Evidence(against, limit, np.zeros(len(against), dtype=bool))
    allowed = tolerance.free(motion, noise, cross_talk)
    part = tolerance.subtract_noise(residual, noise)
    most = MAX_ABOVE_MEDIAN_FACTOR * tolerance.axes * motion
    forgiven = np.maximum((most * cross_talk.coupled) ** 2, allowed)
    apart = np.maximum((most * cross_talk.between) ** 2, allowed)
    against = part.free / allowed + part.coupled / forgiven + part.between / apart
    free = np.maximum(part.free, 0.0)
    in_step = (free <= allowed) & (free + np.maximum(part.coupled, 0.0) > allowed)
    mistaken = MAX_ABOVE_MEDIAN_FACTOR * cross_talk.coupled * motion if cross_talk.measured else 0.0
    chance = noise.deviation(tolerance.axes)
    return Evidence(np.maximum(against, 0.0), np.sqrt(allowed), in_step, chance, mistaken)


def combine_partners(evidence: Evidence, motion: Floats, partners: Integers) -> Evidence:
    """Combine the evidence of mirrored partners, weighted by their motion.

    Left and right usually have the same type, and one of them often moves too little to show it. A
    joint keeps its own evidence if that evidence is far above the threshold, or if it is far below
    and the joint moves at least half as much as its partner.
    """
    other = np.where(partners >= 0, partners, np.arange(len(partners)))
    power = np.minimum(motion, MAX_WEIGHED_MOTION_DEG) ** 2 + MIN_EVIDENCE_SHARE
    weight = power / (power + power[other])
    own = np.log(np.maximum(evidence.against, MIN_EVIDENCE_SHARE))
    both = np.exp(weight * own + (1.0 - weight) * own[other])
    moved = motion >= 0.5 * motion[other]
    insists = (evidence.against > MIN_INSISTING_FACTOR) | (
        (evidence.against < 1.0 / MIN_INSISTING_FACTOR) & moved
    )
    combined = np.where(insists | (partners < 0), evidence.against, both)
    return evidence._replace(against=combined)


class TypeDecision(NamedTuple):
    """Joint types with their evidence, in degrees."""

    types: tuple[str, ...]
    residuals: Floats
    """Rms residual rotation of each type, shape (joints, 4); NaN where not computed."""
    runner_ups: tuple[str, ...]
    margins: Floats
    """Change in the deciding residual that would make the runner-up win, shape (joints,)."""
    clear: Booleans
    """Whether the decision is sure: its margin is large enough and it does not depend on motion in
    step, shape (joints,)."""
    noise: float
    universal: UniversalFit | None
    """Universal joint fits for the joints in `universal_of`."""
    universal_of: Integers
    tested: Floats
    """Residual tested for each of fixed, hinge and universal, shape (joints, 3): noise removed,
    motion in step discounted, partner included; NaN where not computed."""
    allowed: Floats
    """Largest value of `tested` for which the type is chosen, shape (joints, 3)."""
    settle: tuple[str, ...]
    """Request for motion that would confirm the type; empty if the type is sure."""


def decide_types(
    rotations: Floats,
    moment: Moment,
    noise: float | None = None,
    *,
    clip_starts: Integers | None = None,
    partners: Integers | None = None,
) -> TypeDecision:
    """Decide the type of every joint.

    Parameters
    ----------
    rotations : array, shape (joints, 4, samples)
        Unit quaternions in time order; a few thousand evenly spaced samples are enough.
    moment : Moment
        Moments of these samples, or of all frames that they represent.
    noise : float, optional
        Noise in degrees about each axis; by default estimated from the rotations.
    clip_starts : array of int, optional
        First sample of each clip.
    partners : array of int, shape (joints,), optional
        Row of each joint's mirrored partner, -1 for none.
    """
    starts = np.zeros(1, np.int64) if clip_starts is None else np.asarray(clip_starts)
    partner = np.full(len(rotations), -1) if partners is None else np.asarray(partners)
    moving = moment.residual_fixed > STILL_RAD
    angle, off_hinge = hinge_coordinates(rotations, moment)
    own, rest = without_cross_talk(off_hinge, [angle], hinge_terms, starts)
    level = noise_floor(moment, moving, mean_square(rest)) if noise is None else noise
    exact = level <= EXACT_DEG and is_exact(moment, moving)
    fitted = HINGE.terms if noise is None else 0
    model = noise_model(0.0 if exact else level, rest, moving, len(starts), fitted)
    if noise is None:
        model = model.limit_to(np.degrees(moment.spreads[moving, 2]))
    motion = np.sqrt(np.maximum(np.degrees(moment.spreads[:, 0]) ** 2 - model.level**2, 0.0))
    off = split_residual(off_hinge, own, rest, model.averages)
    about = np.degrees(2.0 * np.sin(0.5 * angle))[:, None]
    whole = mean_square(average_neighbours(about) if model.averages else about) + off.total
    fixed = _weigh_fixed(whole, model, _partners_among(moving, partner))
    turning = fixed.against >= 1.0
    # Joints that would be hinges with the usual cross-talk show the character's own cross-talk.
    beyond, allowed = HINGE.subtract_noise(off, model), HINGE.free(motion, model, USUAL)
    like_hinges = (motion**2 > FIXED.axes * FREE_DEG**2) & (beyond.free <= allowed)
    exactly = None if exact else cross_talk_of(beyond, motion, like_hinges)
    bending = weigh(off, motion, model, HINGE, exactly)
    bending = combine_partners(bending, motion, _partners_among(turning, partner))
    rows = np.flatnonzero(turning & (bending.against > 1.0))
    crossing, fit = Evidence(np.empty(0), np.empty(0), np.empty(0, bool)), None
    if rows.size:
        fit = fit_universal(rotations[rows])
        *angles, departure = universal_coordinates(rotations[rows], fit)
        own, rest = without_cross_talk(departure, angles, universal_terms, starts)
        residual = split_residual(departure, own, rest, model.averages)
        crossing = weigh(residual, motion[rows], model, UNIVERSAL, exactly)
        # Index of each partner among the rows, -1 where the partner is not one of them.
        place = np.full(len(partner) + 1, -1)
        place[rows] = np.arange(len(rows))
        crossing = combine_partners(crossing, motion[rows], place[partner[rows]])
    return _combine_tests(moment, model.level, (fixed, bending, crossing), fit, rows)


def _weigh_fixed(whole: Floats, noise: Noise, partners: Integers) -> Evidence:
    """Evidence against the type "fixed"; only joints that move count as partners."""
    leftover = np.maximum(whole - FIXED.axes * noise.power_after(FIXED.terms), 0.0)
    deviation = noise.deviation(FIXED.axes)
    allowed = np.full_like(leftover, FIXED.axes * FREE_DEG**2 + MOVES_CHANCE * deviation)
    in_step = np.zeros(len(leftover), dtype=bool)
    alone = Evidence(leftover / allowed, np.sqrt(allowed), in_step, deviation)
    known = _partners_among(leftover > MOVES_CHANCE * deviation, partners)
    return combine_partners(alone, np.sqrt(whole), known)


def _partners_among(chosen: Booleans, partners: Integers) -> Integers:
    """Partners where both sides are chosen, else -1."""
    return np.where(chosen & (partners >= 0) & chosen[partners], partners, -1)


def _combine_tests(
    moment: Moment,
    noise: float,
    evidence: tuple[Evidence, Evidence, Evidence],
    fit: UniversalFit | None,
    rows: Integers,
) -> TypeDecision:
    """Combine the three tests: a joint gets the first type whose test it passes."""
    joints = len(moment.values)
    tested, allowed = np.full((joints, 3), np.nan), np.full((joints, 3), np.nan)
    in_step, doubtful = np.zeros((joints, 3), dtype=bool), np.zeros((joints, 3), dtype=bool)
    every = np.arange(joints)
    for test, (found, where) in enumerate(zip(evidence, (every, every, rows))):
        tested[where, test], allowed[where, test] = found.residual, found.allowed
        in_step[where, test], doubtful[where, test] = found.in_step, found.doubtful
    # The residual of a fixed joint must be below the tolerance; for other types it may be equal.
    passed = tested <= allowed
    passed[:, 0] = tested[:, 0] < allowed[:, 0]
    chosen = _first_columns(passed, 3)
    # The closest test, up to the chosen type, decides the margin.
    led = np.arange(3) <= chosen[:, None]
    apart = np.where(led, np.abs(tested - allowed), np.inf)
    nearest, each = apart.argmin(axis=1), np.arange(len(apart))
    runner_up = np.where(nearest < chosen, nearest, chosen + 1)
    margins, line = apart[each, nearest], allowed[each, nearest]
    deciding = _first_columns(in_step & led, -1)
    clear = (margins >= np.minimum(MIN_CLEAR_MARGIN_DEG, 0.25 * line)) & (deciding < 0)
    clear &= ~(doubtful & led).any(axis=1)
    kinds, others = [TYPES[k] for k in chosen], [TYPES[k] for k in runner_up]
    in_steps = ["" if k < 0 else TYPES[k] for k in deciding]
    cases = zip(clear, kinds, others, line.tolist(), in_steps)
    return TypeDecision(
        types=tuple(kinds),
        residuals=_residuals_deg(moment, fit, rows),
        runner_ups=tuple(others),
        margins=margins,
        clear=clear,
        noise=noise,
        universal=fit,
        universal_of=rows,
        tested=tested,
        allowed=allowed,
        settle=tuple("" if sure else settling_motion(*case) for sure, *case in cases),
    )


def _residuals_deg(moment: Moment, fit: UniversalFit | None, rows: Integers) -> Floats:
    """Residual of every type, (joints, 4); NaN where no universal joint was fitted."""
    universal = np.full(len(moment.values), np.nan)
    if fit is not None:
        universal[rows] = np.degrees(fit.residual)
    fixed, hinge = np.degrees(moment.residual_fixed), np.degrees(moment.residual_hinge)
    return np.stack([fixed, hinge, universal, np.zeros_like(fixed)], axis=1)


def _first_columns(true: Booleans, otherwise: int) -> Integers:
    """Column of the first True in every row; `otherwise` in rows without one."""
    return np.where(true.any(axis=1), true.argmax(axis=1), otherwise)
