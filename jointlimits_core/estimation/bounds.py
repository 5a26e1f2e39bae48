"""Channel limits from measured ranges, with source frames and trust for each limit.

A measured limit is never too wide, but often too narrow: the joint may turn further than was
recorded. The missing part is estimated from how much limits grew in other motion libraries when the
number of clips doubled, and from the mirrored joint: if left and right differ, one of them did not
show its full range. Close agreement between clips proves little: another activity may go further.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ..geometry.arrays import Booleans, Floats, Integers, values_at
from ..geometry.circle import Interval, spanned_interval
from ..geometry.euler import TURN
from ..limits.limit_set import AxisLimit, AxisSource, BoundSource
from ..limits.vocabulary import GRADES
from ..motion.mirror import partners
from .clip_summary import CUT, HELD, NEAR_RAD, ROUNDING_RAD, STOPS, Reach
from .options import EstimateOptions
from .summary import Samples

MIN_MOVING_RAD = np.radians(0.01)
"""Minimum range, radians, of a channel that counts as moving."""
GROWTH_OF_ONE_RAD = np.radians(15.0)
"""85th percentile of the growth of limits measured from one clip, if left and right agree."""
GROWTH_RAD = np.radians(8.0)
"""90th percentile of the growth of limits measured from several clips when their number doubles."""
DOUBLING_RAD = np.radians(5.0)
"""Difference between left and right that doubles the growth; twice this difference triples it."""
UNPAIRED, NO_SIDES = 1.5, 2.25
"""Growth factors for a joint without a partner, and for a skeleton without known sides."""
MIN_BAND_RAD = np.radians(0.5)
"""Minimum width of an uncertainty band beyond a limit."""
MAX_FIRM_RAD = np.radians(5.0)
"""Maximum width of the band beyond a confirmed limit; also the minimum range of its channel."""
MIN_FIRM_CLIPS = 5
"""Number of clips that must agree within a degree to confirm a limit. Even if limits varied so much
that one in twenty grew by over 5 degrees when the number of clips doubled, five clips would agree
in only one case out of twenty-five."""
MIN_MOVING_DEG = float(np.degrees(MIN_MOVING_RAD))


Sources = tuple[Integers, Floats]
"""Clip index and frame number of each limit, shapes (joints, 3)."""


@dataclass(frozen=True, eq=False)
class ChannelBox(Interval):
    """Ranges of rotate channels, each on the branch nearest to zero.

    All arrays have shape (joints, 3). `unlimited`: whether the channel makes (nearly) a full turn.
    `low_source` and `high_source`: clips and frames of the minima and the maxima.
    """

    unlimited: Booleans
    low_source: Sources
    high_source: Sources


UNLIMITED_GAP_DEG = 30.0
"""A channel is free if it leaves a smaller gap than this on the circle."""


def channel_box(samples: Samples) -> ChannelBox:
    """Range of every channel; for nearly a full turn, the circle without its largest gap."""
    unlimited_gap = float(np.radians(UNLIMITED_GAP_DEG))
    values, clips, frames = samples.ends
    plain = spanned_interval(values)
    doubtful = plain.high - plain.low >= TURN - unlimited_gap
    sources = [(clips[at], values_at(frames, at)) for at in (plain.low_at, plain.high_at)]
    box = ChannelBox(
        **vars(plain), unlimited=doubtful, low_source=sources[0], high_source=sources[1]
    )
    for joint, axis in np.argwhere(doubtful).tolist():
        found = samples.widest_gap(3 * joint + axis)
        turns = TURN * np.ceil(0.5 * (found.low + found.high) / TURN - 0.5 - ROUNDING_RAD)
        box.low[joint, axis], box.high[joint, axis] = found.low - turns, found.high - turns
        box.gap[joint, axis] = found.gap
        for source, end in zip(sources, (found.low_at, found.high_at)):
            source[0][joint, axis], source[1][joint, axis] = end
    unlimited = (box.gap < unlimited_gap) | (box.gap <= 0.0)
    unlimited |= np.any([clip.goes_round for clip in samples.clips], axis=0)
    return replace(box, unlimited=unlimited)


class Trust(NamedTuple):
    """Trust in the minima or the maxima of all channels; shapes (joints, 3)."""

    clips: Integers
    """Number of clips that come within a degree of the limit."""
    visits: Integers
    """Number of times that these clips come this close."""
    stop: Integers
    """Best kind of stop there; see :class:`jointlimits_core.estimation.clip_summary.Reach`."""
    beyond: Floats
    """Width of the 90 % band beyond the limit, radians."""
    within: Floats
    """Width of the band inside the limit that is never entered for three frames in a row."""
    steady_clip: Integers
    """Clip with the most extreme held value."""
    steady_frame: Floats
    grade: Integers
    """Index of :data:`GRADES`."""


def trust_in_bounds(box: ChannelBox, samples: Samples, types: Sequence[str]) -> tuple[Trust, Trust]:
    """Trust in the minima and in the maxima. `types`: type of each joint."""
    growth = GROWTH_RAD if len(samples.clips) > 1 else GROWTH_OF_ONE_RAD
    # Widths of the bands beyond minima and maxima, (2, joints, 3), each at most half the gap.
    partner = partners(samples.skeleton.names)
    moves = box.high - box.low >= MIN_MOVING_RAD
    paired = moves & moves[partner] & (partner >= 0)[:, None]
    paired &= ~(box.unlimited | box.unlimited[partner])
    alone = UNPAIRED if (partner >= 0).any() else NO_SIDES
    more = np.where(paired, 1.0 + side_differences(box, partner) / DOUBLING_RAD, alone)
    beyond = np.asarray(
        np.maximum(np.minimum(np.where(moves, growth, 0.0) * more, 0.5 * box.gap), MIN_BAND_RAD)
    )
    trust = _trust([(clip.lower.mirror(), clip.upper) for clip in samples.clips], box, beyond)
    # A hinge never moves off its axis, so narrow ranges of its other channels can be confirmed.
    hinges = np.array([name == "hinge" for name in types])[:, None]
    tried = (box.high - box.low >= MAX_FIRM_RAD) | hinges
    back = trust.stop > CUT
    stopped = (trust.stop == HELD) | (back & (trust.visits >= 2))
    firm = back & tried & (trust.clips >= MIN_FIRM_CLIPS) & (box.high - box.low >= MIN_MOVING_RAD)
    grade = np.where(stopped, GRADES.index("seen"), GRADES.index("open"))
    grade = np.where(box.high - box.low < MIN_MOVING_RAD, GRADES.index("untested"), grade)
    grade[firm] = GRADES.index("firm")
    # If no pose is held, as in a clip of three frames, outliers cannot be identified.
    crossed = trust.within[0] + trust.within[1] > box.high - box.low + ROUNDING_RAD
    trust = trust._replace(
        grade=grade,
        beyond=np.where(firm, np.minimum(beyond, MAX_FIRM_RAD), beyond),
        within=np.where(crossed, 0.0, trust.within),
    )
    below, above = map(Trust._make, zip(*trust))
    return below, above


def _trust(reaches: Sequence[tuple[Reach, Reach]], box: ChannelBox, beyond: Floats) -> Trust:
    """Trust in negated minima and in maxima, before grading; shapes (2, joints, 3)."""
    # Shapes (clips, 2, joints, 3).
    values, visits, stops, steady, frames, _ = (
        np.array(clips) for clips in zip(*(zip(*pair) for pair in reaches))
    )
    bound = np.array([-box.low, box.high])
    short, held = _short_of(bound, values), _short_of(bound, steady)
    near, at = short < NEAR_RAD + ROUNDING_RAD, held.argmin(axis=0)
    return Trust(
        # Every limit counts as reached once, even if no clip's own range ends there.
        clips=np.maximum(near.sum(axis=0), 1),
        visits=np.maximum(np.where(near, visits, 0).sum(axis=0), 1),
        stop=np.where(near, stops, 0).max(axis=0),
        beyond=beyond,
        within=np.where(short.min(axis=0) < ROUNDING_RAD, held.min(axis=0), 0.0),
        steady_clip=at,
        steady_frame=values_at(frames.transpose(1, 2, 3, 0), at),
        grade=np.zeros(bound.shape, dtype=np.int64),
    )


def _short_of(bound: Floats, values: Floats) -> Floats:
    """Distance on the circle by which values fall short of a limit."""
    return np.asarray(np.maximum(np.mod(bound - values + ROUNDING_RAD, TURN) - ROUNDING_RAD, 0.0))


def side_differences(box: Interval, partner: Integers) -> Floats:
    """Differences between left and right in minima and maxima, shape (2, joints, 3).

    The mirrored joint's channels may have the same or the opposite sign; the better fit is used.
    """
    ends = np.stack([box.low, box.high])
    other = ends[:, partner]
    ways = np.stack([other, -other[::-1]])
    # Both ends of the other side may be offset by the same number of half turns.
    ways += 0.5 * TURN * np.round((ends - ways).sum(axis=1, keepdims=True) / TURN)
    apart = np.abs(ends - ways)
    same, opposite = apart.sum(axis=1)
    return np.asarray(np.where(same <= opposite + ROUNDING_RAD, *apart))


def axis_limits(
    box: ChannelBox,
    samples: Samples,
    types: Sequence[str],
    options: EstimateOptions,
    unexplained: Booleans,
) -> list[list[AxisLimit]]:
    """Limits for the three channels of every joint; `unexplained` joints get no limits."""
    below, above = trust_in_bounds(box, samples, types)
    lower = _sources(box.low, box.low_source, below, -1.0, samples, options)
    upper = _sources(box.high, box.high_source, above, 1.0, samples, options)
    free = box.unlimited | unexplained[:, None]
    if not options.limit_root:
        free[list(samples.skeleton.placing_joints)] = True
    limits = []
    for row, kind in enumerate(types):
        channels = zip(free[row], lower[row], upper[row], np.degrees(box.gap[row]).tolist())
        limits.append(
            [
                AxisLimit("free", gap_deg=gap)
                if is_free
                else _axis_limit(least, most, gap, kind == "fixed", options)
                for is_free, least, most, gap in channels
            ]
        )
    return limits


def _axis_limit(
    below: BoundSource, above: BoundSource, gap: float, fixed: bool, options: EstimateOptions
) -> AxisLimit:
    assert below.value_deg is not None
    assert above.value_deg is not None
    # Rounding may swap the ends if a single value remains when the outliers are removed.
    low, high = sorted((below.value_deg, above.value_deg))
    pad = options.padding_deg
    if 360.0 - (high - low) - 2.0 * pad < UNLIMITED_GAP_DEG:
        return AxisLimit("free", gap_deg=gap)
    if fixed or high - low < MIN_MOVING_DEG:
        return AxisLimit("locked", low, high, gap, AxisSource(below, above))
    if pad:
        below, above = replace(below, kind="padded"), replace(above, kind="padded")
    return AxisLimit("limited", low - pad, high + pad, gap, AxisSource(below, above))


def _sources(
    bound: Floats,
    source: Sources,
    trust: Trust,
    outward: float,
    samples: Samples,
    options: EstimateOptions,
) -> list[list[BoundSource]]:
    """Sources of all minima or all maxima; `outward` is -1 for minima and 1 for maxima."""
    clip, frame = source
    within, beyond = trust.within, trust.beyond
    if options.strictness == "robust":
        # The peak of a quick motion is not an outlier, even if it lasts only one frame.
        outlying = within > NEAR_RAD
        within = np.where(outlying, within, 0.0)
        bound = bound - outward * within
        clip = np.where(outlying, trust.steady_clip, clip)
        frame = np.where(outlying, trust.steady_frame, frame)
        beyond, within = beyond + within, np.zeros_like(within)
    ends = np.stack([bound - outward * within, bound + outward * beyond], axis=-1)
    counts = trust.clips, trust.visits, trust.stop
    bands = np.degrees(np.sort(ends, axis=-1))
    columns = clip, frame, np.degrees(bound), *counts, bands, trust.grade
    names = [item.clip.name for item in samples.clips]
    return [
        [
            BoundSource("observed", names[c], f, v, n, t, STOPS[s], (b[0], b[1]), GRADES[g])
            for c, f, v, n, t, s, b, g in zip(*row)
        ]
        for row in zip(*(column.tolist() for column in columns))
    ]
