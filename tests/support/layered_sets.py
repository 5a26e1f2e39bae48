"""Limit sets that hold edits, symmetry and purpose, and small ones of one joint."""

from __future__ import annotations

from jointlimits_core.limits.limit_set import AxisLimit, AxisSource, BoundSource, LimitSet
from tests.support.limit_set_examples import CHANNELS, joint


def axis(low, high, clip="walk", clips=1, frame=3.0):
    """Observed range."""
    sources = (BoundSource("observed", clip, frame, value, clips) for value in (low, high))
    return AxisLimit("limited", low, high, 360.0 - (high - low), AxisSource(*sources))


def range_by(kinds, low, high, state="limited"):
    """Range whose limits are of these kinds, from clips named after them."""
    kinds = (kinds, kinds) if isinstance(kinds, str) else kinds
    sources = (BoundSource(kind, f"{kind}_{end}") for kind, end in zip(kinds, ("low", "high")))
    return AxisLimit(state, low, high, source=AxisSource(*sources))


def one_joint(name="hip", axes=None, **changes):
    """Limit set of one ball joint."""
    ranges = axes or (axis(-30.0, 90.0), axis(-20.0, 20.0), axis(-10.0, 10.0))
    fields = {"joints": {name: joint("ball", ranges, parent=None)}, **changes}
    return LimitSet("person", **fields)


def spans(limit_set, name):
    """Minimum and maximum of the three channels of a joint; None where free."""
    limits = limit_set.joints[name].limits
    return [(limits[channel].min_deg, limits[channel].max_deg) for channel in CHANNELS]
