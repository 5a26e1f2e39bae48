"""Limits of the rotate channels from their ranges: what the options make of what was observed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..euler import TURN
from ..limits.limit_set import AxisLimit, AxisSource, BoundSource
from .channel_box import LOCKED, ChannelBox
from .options import EstimateOptions
from .reach import STOPS
from .samples import Samples
from .trust import GRADES, Trust


@dataclass(frozen=True, eq=False)
class Ranges:
    """Ranges of the chosen joints and the trust in both sides of them."""

    box: ChannelBox
    lower: Trust
    upper: Trust


def axis_limits(
    ranges: Ranges, samples: Samples, joint: int, joint_type: str, options: EstimateOptions
) -> list[AxisLimit]:
    """Limits of the three channels of one joint.

    Parameters
    ----------
    ranges : Ranges
    samples : Samples
    joint : int
        Position among the chosen joints.
    joint_type : str
    options : EstimateOptions

    Returns
    -------
    list of three AxisLimit
    """
    is_root = samples.skeleton.parents[joint] < 0
    if is_root and not options.limit_root:
        gaps = np.degrees(ranges.box.gap[joint]).tolist()
        return [AxisLimit("free", gap_deg=gap) for gap in gaps]
    return [_axis_limit(ranges, samples, (joint, axis), joint_type, options) for axis in range(3)]


def _axis_limit(
    ranges: Ranges,
    samples: Samples,
    at: tuple[int, int],
    joint_type: str,
    options: EstimateOptions,
) -> AxisLimit:
    box = ranges.box
    low, high, gap = float(box.low[at]), float(box.high[at]), float(np.degrees(box.gap[at]))
    pad = options.padding_deg
    left = np.degrees(TURN - (high - low)) - 2.0 * pad
    if box.unlimited[at] or left < options.unlimited_gap_deg:
        return AxisLimit("free", gap_deg=gap)
    locked = joint_type == "fixed" or high - low < LOCKED
    pad = 0.0 if locked else pad
    below = _bound(samples, ranges.lower, at, low, int(box.low_at[at]), -1.0, options, pad)
    above = _bound(samples, ranges.upper, at, high, int(box.high_at[at]), 1.0, options, pad)
    state = "locked" if locked else "limited"
    assert below.value_deg is not None
    assert above.value_deg is not None
    source = AxisSource(below, above)
    return AxisLimit(state, below.value_deg - pad, above.value_deg + pad, gap, source)


def _bound(
    samples: Samples,
    trust: Trust,
    at: tuple[int, int],
    value: float,
    sample: int,
    outward: float,
    options: EstimateOptions,
    pad: float,
) -> BoundSource:
    """Where one bound comes from; `outward` is -1 for a lower and 1 for an upper one."""
    clip, frame = int(samples.clip_of[sample]), float(samples.frame_of[sample])
    within, beyond = float(trust.within[at]), float(trust.beyond[at])
    if options.strictness == "robust" and within > 0.0:
        value -= outward * within
        clip, frame = int(trust.steady_clip[at]), float(trust.steady_frame[at])
        beyond, within = beyond + within, 0.0
    band = sorted((value - outward * within, value + outward * beyond))
    return BoundSource(
        kind="padded" if pad else "observed",
        clip=samples.clips[clip].clip.name,
        frame=frame,
        value_deg=float(np.degrees(value)),
        clips=int(trust.clips[at]),
        visits=int(trust.visits[at]),
        stop=STOPS[int(trust.stop[at])],
        band_deg=(float(np.degrees(band[0])), float(np.degrees(band[1]))),
        grade=GRADES[int(trust.grade[at])],
    )
