"""Channel limits from measured ranges and the estimate options."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..arrays import Floats, Integers
from ..limits.limit_set import AxisLimit, AxisSource, BoundSource
from .channel_box import LOCKED, ChannelBox
from .options import EstimateOptions
from .reach import NEAR, STOPS
from .samples import Samples
from .trust import GRADES, Trust

LOCKED_DEG = float(np.degrees(LOCKED))


def axis_limits(
    box: ChannelBox,
    trust: tuple[Trust, Trust],
    samples: Samples,
    types: Sequence[str],
    options: EstimateOptions,
) -> list[list[AxisLimit]]:
    """Limits of the three channels of every joint.

    Parameters
    ----------
    trust : (Trust, Trust)
        For minima and for maxima.
    types : sequence of str
        Type of each joint.

    Returns
    -------
    list of lists of three AxisLimit
    """
    lower = _sources(box.low, box.low_at, trust[0], -1.0, samples, options)
    upper = _sources(box.high, box.high_at, trust[1], 1.0, samples, options)
    gap, unlimited = np.degrees(box.gap).tolist(), box.unlimited.tolist()
    limits = []
    for joint, joint_type in enumerate(types):
        free = samples.skeleton.is_root(joint) and not options.limit_root
        limits.append(
            [
                AxisLimit("free", gap_deg=gap[joint][axis])
                if free or unlimited[joint][axis]
                else _axis_limit(
                    lower[joint][axis],
                    upper[joint][axis],
                    gap[joint][axis],
                    joint_type == "fixed",
                    options,
                )
                for axis in range(3)
            ]
        )
    return limits


def _axis_limit(
    below: BoundSource, above: BoundSource, gap: float, fixed: bool, options: EstimateOptions
) -> AxisLimit:
    assert below.value_deg is not None
    assert above.value_deg is not None
    # Without outliers a channel may be a single value whose ends rounding can swap.
    low, high = sorted((below.value_deg, above.value_deg))
    pad = options.padding_deg
    if 360.0 - (high - low) - 2.0 * pad < options.unlimited_gap_deg:
        return AxisLimit("free", gap_deg=gap)
    if fixed or high - low < LOCKED_DEG:
        return AxisLimit("locked", low, high, gap, AxisSource(below, above))
    if pad:
        below, above = replace(below, kind="padded"), replace(above, kind="padded")
    return AxisLimit("limited", low - pad, high + pad, gap, AxisSource(below, above))


def _sources(
    bound: Floats,
    sample: Integers,
    trust: Trust,
    outward: float,
    samples: Samples,
    options: EstimateOptions,
) -> list[list[BoundSource]]:
    """Sources of the limits of one side; `outward` is -1 for minima and 1 for maxima."""
    clip, frame = samples.clip_of[sample], samples.frame_of[sample]
    within, beyond = trust.within, trust.beyond
    if options.strictness == "robust":
        # The peak of a quick motion is not an outlier, even if it lasts one frame only.
        outlying = within > NEAR
        within = np.where(outlying, within, 0.0)
        bound = bound - outward * within
        clip = np.where(outlying, trust.steady_clip, clip)
        frame = np.where(outlying, trust.steady_frame, frame)
        beyond, within = beyond + within, np.zeros_like(within)
    ends = np.stack([bound - outward * within, bound + outward * beyond], axis=-1)
    columns = (
        clip, frame, np.degrees(bound), trust.clips, trust.visits, trust.stop,
        np.degrees(np.sort(ends, axis=-1)), trust.grade,
    )  # fmt: skip
    names = [item.clip.name for item in samples.clips]
    return [
        [
            BoundSource("observed", names[c], f, v, n, t, STOPS[s], (b[0], b[1]), GRADES[g])
            for c, f, v, n, t, s, b, g in zip(*row)
        ]
        for row in zip(*(column.tolist() for column in columns))
    ]
