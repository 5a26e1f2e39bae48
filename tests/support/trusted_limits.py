"""Limits with grades, advice and symmetry, made by hand."""

from __future__ import annotations

from jointlimits_core.limits.limit_set import AxisLimit, AxisSource, BoundSource
from jointlimits_core.limits.records import ChannelSymmetry, PairSymmetry, SymmetryRecord
from jointlimits_core.motion.reorient import OrientAdvice


def bound_of(word, value=0.0, band=None, clips=2, visits=3, stop="turned"):
    """A bound of a grade, or of the layer "prior" or "artist"."""
    if word in ("prior", "artist"):
        return BoundSource(word, value_deg=value)
    return BoundSource("observed", "walk", 3.0, value, clips, visits, stop, band, word)


def range_of(low, high, state="limited"):
    """A range from -10 to 20 degrees with these grades; bands of 5 degrees to each side."""
    source = AxisSource(bound_of(low, -10.0, (-15.0, -5.0)), bound_of(high, 20.0, (15.0, 25.0)))
    return AxisLimit(state, -10.0, 20.0, 330.0, source)


def advice(mode="order", text="rotate order yzx: box 37 % smaller", **fields):
    return OrientAdvice(mode, "yzx", (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), text=text, **fields)


def asymmetric(*pairs, pooled=False, signs=(1, -1, -1), signs_from="rest pose"):
    """Pairs (left, right, how much further the right one goes at the maximum of rotateX)."""
    made = []
    for left, right, more in pairs:
        further = (left, right if more > 0.0 else left)
        channel = ChannelSymmetry(
            "rotateX", signs[0], (0.0, 50.0), (0.0, 50.0 + more), (0.0, more), further
        )
        plain = (left, right, "name", 0.0, signs, signs_from, 0.0, None, abs(more), pooled)
        made.append(PairSymmetry(*plain, channels=(channel,)))
    return SymmetryRecord("pool" if pooled else "report", tuple(made), ("spine",))
