"""Lossless, robust and generous limits, and padding."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jointlimits_core.estimation.options import GENEROUS_DEG, EstimateOptions
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.geometry.euler import CHANNELS
from tests.support.made_motion import clip, rotate, waves
from tests.support.naive_summary import without_short_stays
from tests.support.unscreened import without_rules


def plateaus(*levels, hold=6, move=10):
    """Curve that holds every level for some frames."""
    pieces = []
    for number, level in enumerate(levels):
        if number:
            pieces.append(np.linspace(levels[number - 1], level, move + 2)[1:-1])
        pieces.append(np.full(hold, float(level)))
    return np.concatenate(pieces)


def arm(*curves, strictness="robust", **options):
    """Joint that turns about X, with one clip for each curve and without spike removal."""
    options = {"leave_out": ("non-finite", "inserted-pose"), **options}
    clips = [clip({"arm": rotate(x=curve)}, name=f"{n}") for n, curve in enumerate(curves)]
    return estimate(clips, EstimateOptions(strictness=strictness, **options)).joints["arm"]


def bounds(joint, channel="rotateX"):
    limit = joint.limits[channel]
    return limit.min_deg, limit.max_deg


def outliers(joint):
    return [finding for finding in joint.findings if finding.rule == "outlier"]


CALM = plateaus(0, 50, -20, 50, 0, 30)


# Robust -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("length", [1, 2])
@pytest.mark.parametrize("up", [1.0, -1.0])
def test_spikes_are_left_outside_and_listed(length, up):
    curve = CALM.copy()
    curve[40 : 40 + length] = 100.0
    joint = arm(up * curve)
    low, high = sorted((up * -20.0, up * 50.0))
    assert bounds(joint) == pytest.approx((low, high))
    source = joint.limits["rotateX"].source
    bound = source.max if up > 0 else source.min
    assert (bound.clip, bound.value_deg) == ("0", pytest.approx(up * 50.0))
    # It is a frame of the motion that has this value.
    assert curve[int(bound.frame)] == pytest.approx(50.0)
    (found,) = outliers(joint)
    assert (found.joint, found.clip) == ("arm", "0")
    assert found.frame_ranges == ((40.0, 39.0 + length),)
    assert "rotateX goes up to 50.0 degrees beyond" in found.message
    assert not found.left_out
    assert bounds(arm(up * curve, strictness="lossless")) == pytest.approx(
        (low, 100.0) if up > 0 else (-100.0, high)
    )


@pytest.mark.parametrize("at", [0, 40, len(CALM) - 3])
def test_what_is_held_for_three_frames_is_kept(at):
    curve = CALM.copy()
    curve[at : at + 3] = 100.0
    joint = arm(curve)
    assert bounds(joint) == pytest.approx((-20, 100))
    assert joint.limits["rotateX"].source.max.frame == at
    assert outliers(joint) == []


def test_the_steady_clip_and_frame_are_named():
    """One clip has the highest spike, another one the highest held value."""
    spiked, steady = plateaus(0, 40, 0), plateaus(0, 45, 0, 44, 0)
    spiked[3] = 120.0
    for curves, name in (((spiked, steady), "1"), ((steady, spiked), "0")):
        source = arm(*curves).limits["rotateX"].source.max
        assert (source.clip, source.value_deg) == (name, pytest.approx(45))
        assert source.frame == int(np.argmax(steady))
        lossless = arm(*curves, strictness="lossless").limits["rotateX"].source.max
        assert (lossless.clip, lossless.frame) == (str(1 - int(name)), 3.0)
        (found,) = outliers(arm(*curves))
        assert (found.clip, found.frame_ranges) == (str(1 - int(name)), ((3.0, 3.0),))


def test_spikes_of_long_clips():
    """Most frames are not kept, but the extremes and the held values are."""
    curve = np.tile(CALM, 40)
    curve[[700, 2100]] = 90.0, -70.0
    joint = arm(curve)
    assert bounds(joint) == pytest.approx((-20, 50))
    (found,) = outliers(joint)
    assert {(700.0, 700.0), (2100.0, 2100.0)} == set(found.frame_ranges)


def test_outliers_are_not_taken_for_keys_on_another_turn():
    curve = CALM.copy()
    curve[9] = 80.0
    joint = arm(curve, CALM + 360.0)
    assert [item.clip for item in outliers(joint)] == ["0"]


@pytest.mark.thorough
@settings(max_examples=60)
@given(st.integers(0, 2**32 - 1), st.integers(3, 60))
def test_against_a_loop(seed, count):
    rng = np.random.default_rng(seed)
    curve = np.cumsum(rng.normal(0.0, 3.0, count)) if seed % 2 else rng.uniform(-30, 30, count)
    low, high = without_short_stays(curve)
    if low <= high:
        # Tips of less than a degree are quick turns, not outliers.
        low = low if low - curve.min() > 1.0 else curve.min()
        high = high if curve.max() - high > 1.0 else curve.max()
    with without_rules("inserted-pose", "euler-flip"):
        joint = arm(curve)
    limit = joint.limits["rotateX"]
    if low <= high:
        assert bounds(joint) == pytest.approx((low, high), abs=1e-9)
    else:
        # Nothing stays anywhere: no telling what an outlier is.
        assert bounds(joint) == pytest.approx((curve.min(), curve.max()), abs=1e-9)
    assert limit.min_deg <= limit.max_deg
    for bound in (limit.source.min, limit.source.max):
        assert bound.band_deg[0] - 1e-9 <= bound.value_deg <= bound.band_deg[1] + 1e-9
        assert curve[int(bound.frame)] == pytest.approx(bound.value_deg)
    outside = {
        float(frame)
        for frame in np.flatnonzero((curve < limit.min_deg - 0.01) | (curve > limit.max_deg + 0.01))
    }
    listed = {
        float(frame)
        for item in outliers(joint)
        for first, last in item.frame_ranges
        for frame in range(int(first), int(last) + 1)
    }
    assert listed == outside


def test_a_spike_in_a_channel_that_is_still_otherwise():
    x, y = CALM.copy(), np.full(len(CALM), 12.0)
    y[30] = 47.0
    motion = clip({"arm": rotate(x=x, y=y)})
    for options in ({}, {"pad_deg": 5.0}):
        options = EstimateOptions(strictness="robust", leave_out=(), **options)
        joint = estimate(motion, options).joints["arm"]
        assert joint.limits["rotateY"].state == "locked"
        assert bounds(joint, "rotateY") == pytest.approx((12, 12))
        (found,) = outliers(joint)
        assert "rotateY" in found.message
        assert found.frame_ranges == ((30.0, 30.0),)


def test_padding_lets_small_outliers_in():
    curve = CALM.copy()
    curve[40] = 53.0
    assert len(outliers(arm(curve))) == 1
    padded = arm(curve, pad_deg=4.0)
    assert bounds(padded) == pytest.approx((-24, 54))
    assert outliers(padded) == []


# Generous, and padding ----------------------------------------------------------------------------


@pytest.mark.parametrize("pad", [0.0, 3.0])
def test_generous_is_lossless_and_eight_degrees(pad):
    curve = CALM.copy()
    curve[40] = 100.0
    lossless = bounds(arm(curve, strictness="lossless"))
    generous = arm(curve, strictness="generous", pad_deg=pad)
    assert GENEROUS_DEG == 8.0
    assert bounds(generous) == pytest.approx((lossless[0] - 8 - pad, lossless[1] + 8 + pad))
    source = generous.limits["rotateX"].source
    assert source.min.kind == source.max.kind == "padded"
    assert source.max.value_deg == pytest.approx(100.0)


@pytest.mark.parametrize("strictness", ["lossless", "robust", "generous"])
def test_locked_channels_are_never_padded(strictness):
    joint = arm(CALM, strictness=strictness, pad_deg=5.0)
    for channel in ("rotateY", "rotateZ"):
        assert joint.limits[channel].state == "locked"
        assert bounds(joint, channel) == pytest.approx((0, 0))
    fixed = arm(np.full(50, 7.0), strictness=strictness, pad_deg=5.0)
    assert fixed.type == "fixed"
    assert bounds(fixed) == pytest.approx((7, 7))


def test_padding_to_more_than_a_turn_is_free():
    wide = plateaus(-140, 140, -140)
    assert arm(wide, strictness="lossless").limits["rotateX"].state == "limited"
    assert arm(wide, strictness="lossless", pad_deg=30.0).limits["rotateX"].state == "free"


@pytest.mark.thorough
@pytest.mark.parametrize("strictness", ["lossless", "robust", "generous"])
def test_clips_in_any_order_and_limits_that_hold_the_motion(strictness):
    clips = [
        clip({"arm": rotate(*waves((-40, 60), (-30, 25), (-20, n), frames=100 * n))}, name=f"{n}")
        for n in (9, 5, 7)
    ]
    options = EstimateOptions(strictness=strictness)
    found = estimate(clips, options)
    assert estimate(clips[::-1], options).to_json() == found.to_json()
    for axis, channel in enumerate(CHANNELS):
        values = np.concatenate([motion.rotate_deg("arm")[:, axis] for motion in clips])
        low, high = bounds(found.joints["arm"], channel)
        # Smooth motion has no outliers to speak of.
        slack = 0.5 if strictness == "robust" else 1e-9
        assert low <= values.min() + slack
        assert high >= values.max() - slack
