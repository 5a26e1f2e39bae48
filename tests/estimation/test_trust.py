"""Trust in limits, on clips for which it is obvious."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jointlimits_core.estimation import bounds
from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.estimation.pipeline import estimate, summarize
from jointlimits_core.estimation.summary import samples_of
from jointlimits_core.geometry.circle import Interval
from jointlimits_core.geometry.euler import CHANNELS
from jointlimits_core.limits.vocabulary import GRADES
from tests.support.made_motion import clip, rotate, waves
from tests.support.unscreened import unlimited_gap, without_rules


def path(*stations, speed=2.0):
    """Curve from one value to the next at a speed in degrees per frame."""
    pieces = [np.atleast_1d(float(stations[0]))]
    for start, end in zip(stations, stations[1:]):
        count = max(int(np.ceil(abs(end - start) / speed)), 1)
        pieces.append(np.linspace(start, end, count + 1)[1:])
    return np.concatenate(pieces)


def held(value, frames):
    return np.full(frames, float(value))


def source(*curves, side="max", **options):
    """Source of a limit of rotateX, with one clip for each curve."""
    clips = [clip({"arm": rotate(x=curve)}, name=f"{n}") for n, curve in enumerate(curves)]
    found = estimate(clips, EstimateOptions(**options)).joints["arm"].limits["rotateX"].source
    return found.max if side == "max" else found.min


SWING = path(10, 60, -20, 60, -20, 60, 10)


# How it was reached -------------------------------------------------------------------------------


def test_clips_and_visits_of_several():
    curves = SWING, path(0, 59.5, 0), path(0, 58.9, 0), path(10, 60.2, 10, 60.2, 10)
    found = source(*curves)
    # 58.9 is more than a degree away.
    assert (found.clip, found.value_deg) == ("3", pytest.approx(60.2))
    assert (found.clips, found.visits) == (3, 3 + 1 + 2)
    low = source(*curves, side="min")
    assert (low.clip, low.clips, low.visits) == ("0", 1, 2)


@pytest.mark.parametrize(
    ("curve", "stop"),
    [
        (path(0, 60, 0, speed=5), "turned"),
        (np.concatenate([path(0, 60, speed=5), held(60, 20), path(60, 0, speed=5)]), "held"),
        (path(-20, 0, 60, speed=5), "cut"),
        (path(60, 0, 30, speed=5), "cut"),
        (np.concatenate([path(0, 60, speed=5), held(60, 20)]), "held"),
    ],
)
def test_how_it_stopped_there(curve, stop):
    assert source(curve).stop == stop
    assert source(-curve, side="min").stop == stop


def test_the_best_stop_of_the_clips_that_come_there():
    cut, turned = path(0, 60, speed=5), path(0, 60, 0, speed=5)
    assert source(cut, turned).stop == "turned"
    # A clip that stops well before says nothing about this bound.
    elsewhere = np.concatenate([path(0, 40, speed=5), held(40, 30), path(40, 0, speed=5)])
    assert source(cut, elsewhere).stop == "cut"
    assert source(cut, elsewhere).clips == 1


@pytest.mark.parametrize("turns", [-2, 1, 3])
def test_a_clip_on_another_turn(turns):
    """Its values are full turns away, but it reaches the same limit."""
    away = path(0, 59.7, 0, 59.7, 0) + 360.0 * turns
    found = source(SWING, away)
    assert found.value_deg == pytest.approx(60)
    assert (found.clips, found.visits, found.stop) == (2, 5, "turned")
    assert (found.clip, found.band_deg[0]) == ("0", pytest.approx(60, abs=2.1))
    furthest = source(SWING, path(0, 75, 0, 75, 0) + 360.0 * turns)
    assert furthest.value_deg == pytest.approx(75)
    assert (furthest.clip, furthest.clips, furthest.visits) == ("1", 1, 2)


def test_a_clip_in_two_pieces_on_the_circle():
    """The range crosses 180 degrees, and no clip's own range ends there."""
    (curve,) = waves((150, 215), frames=300)
    wrapped = (curve + 180.0) % 360.0 - 180.0
    with without_rules("euler-flip"):
        low, high = (source(wrapped, side=s) for s in ("min", "max"))
    assert high.value_deg - low.value_deg == pytest.approx(65, abs=0.1)
    assert low.clips == high.clips == 1
    assert low.visits >= 1
    # What the clip's numbers say of other values is not taken for outliers here.
    assert low.band_deg[1] == pytest.approx(low.value_deg)
    assert high.band_deg[0] == pytest.approx(high.value_deg)
    with without_rules("euler-flip"):
        robust = [source(wrapped, side=s, strictness="robust").value_deg for s in ("min", "max")]
    assert robust == pytest.approx([low.value_deg, high.value_deg])


@pytest.mark.parametrize("strictness", ["lossless", "robust"])
def test_a_clip_in_two_pieces_beside_one_that_goes_less_far(strictness):
    """Of the first nothing is known but its poses; the second must not pass for all there is."""
    (far,), (near,) = waves((150, 215), frames=300), waves((165, 195), frames=300)
    wrapped = (far + 180.0) % 360.0 - 180.0
    with without_rules("euler-flip"):
        low, high = (
            source(wrapped, near, side=side, strictness=strictness) for side in ("min", "max")
        )
    assert high.value_deg - low.value_deg == pytest.approx(np.ptp(far))
    assert (low.clip, high.clip) == ("0", "0")


# The band -----------------------------------------------------------------------------------------


def random_clips(rng):
    clips = []
    for number in range(rng.integers(1, 5)):
        frames = int(rng.integers(1, 400))
        curves = [
            rng.uniform(0, 100) * np.sin(rng.uniform(0.01, 0.3) * np.arange(frames))
            + rng.uniform(-200, 200)
            + rng.normal(0, rng.choice([0.0, 0.5]), frames)
            for _ in range(3)
        ]
        clips.append(
            clip({"arm": rotate(*curves)}, name=f"{number}", from_source=bool(rng.integers(3)))
        )
    return clips


@pytest.mark.thorough
@settings(max_examples=60)
@given(st.integers(0, 2**32 - 1))
def test_bands_hold_their_bounds(seed):
    rng = np.random.default_rng(seed)
    options = EstimateOptions(strictness=str(rng.choice(["lossless", "robust"])))
    found = estimate(random_clips(rng), options).joints["arm"]
    least = np.degrees(bounds.MIN_BAND_RAD)
    for channel in CHANNELS:
        limit = found.limits[channel]
        if limit.state == "free":
            continue
        below, above = limit.source.min, limit.source.max
        assert below.value_deg <= above.value_deg + 1e-9
        for bound, outward in ((below, -1.0), (above, 1.0)):
            low, high = bound.band_deg
            # The value and its band are rounded each on their own, to nine decimals.
            assert low - 1.5e-9 <= bound.value_deg <= high + 1.5e-9
            outer = high if outward > 0 else low
            assert outward * (outer - bound.value_deg) >= least - 1e-9
            assert bound.grade in GRADES
            assert bound.clips >= 1
            assert bound.visits >= bound.clips
        # Each side has its own half of the gap.
        beyond = above.band_deg[1] - below.band_deg[0]
        assert beyond <= max(360.0, above.value_deg - below.value_deg + 2 * least) + 1e-6


@pytest.mark.thorough
@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1))
def test_neither_band_reaches_into_the_half_of_the_other(seed):
    samples = samples_of(summarize(random_clips(np.random.default_rng(seed))))
    with unlimited_gap(0.0):
        box = bounds.channel_box(samples)
    for trust in bounds.trust_in_bounds(box, samples, ["ball"]):
        assert (trust.beyond <= np.maximum(0.5 * box.gap, bounds.MIN_BAND_RAD) + 1e-12).all()
        assert (trust.beyond >= bounds.MIN_BAND_RAD).all()
        assert (trust.within >= 0.0).all()
        assert (trust.within <= box.high - box.low + 1e-9).all()


def beyond(bound):
    return bound.band_deg[1] - bound.value_deg


def bands_of(**tops):
    """Bands beyond the maxima of joints that move from 0 to the given values and back."""
    swing = 1.0 - np.abs(np.linspace(-1.0, 1.0, 61))
    found = estimate(clip({name: rotate(x=top * swing) for name, top in tops.items()})).joints
    sources = {name: found[name].limits["rotateX"].source for name in tops}
    return {name: bound.max and beyond(bound.max) for name, bound in sources.items()}


def test_sides_that_differ_make_the_bands_of_both_wider():
    found = bands_of(leftArm=60, rightArm=60, leftLeg=60, rightLeg=70, leftHand=-40, rightHand=60)
    assert found["leftArm"] == found["rightArm"] == pytest.approx(15.0)
    assert found["leftLeg"] == found["rightLeg"] == pytest.approx(45.0)
    # A hand that is mirrored by the opposite sign: its maximum is the other's minimum.
    assert found["leftHand"] == pytest.approx(15.0)
    assert found["rightHand"] == pytest.approx(75.0)


def test_a_joint_without_another_side_has_a_wider_band_than_sides_that_agree():
    found = bands_of(leftArm=60, rightArm=60, spine=60)
    assert found["spine"] == pytest.approx(1.5 * found["leftArm"])


def test_a_side_that_goes_all_the_way_round_says_nothing_of_the_other():
    found = bands_of(leftArm=60, rightArm=500)
    assert found["rightArm"] is None
    assert found["leftArm"] == pytest.approx(1.5 * 15.0)


def test_a_side_that_stays_still_says_nothing_of_the_other():
    found = bands_of(leftArm=60, rightArm=0)
    assert found == pytest.approx({"leftArm": 1.5 * 15.0, "rightArm": 0.5})


@pytest.mark.thorough
@given(st.integers(0, 2**32 - 1))
def test_distance_of_sides_against_every_way_to_mirror_them(seed):
    rng = np.random.default_rng(seed)
    low = rng.uniform(-3.0, 3.0, (4, 3))
    high = low + rng.uniform(0.0, 3.0, (4, 3))
    box = Interval(low, high, 0 * low, 0 * low, 0 * low)
    found = bounds.side_differences(box, np.array([1, 0, 3, 2]))
    for joint, other in ((0, 1), (1, 0), (2, 3), (3, 2)):
        for axis in range(3):
            a, b = (low[joint, axis], high[joint, axis]), (low[other, axis], high[other, axis])
            ways = [(b[0] + k * np.pi, b[1] + k * np.pi) for k in range(-4, 5)]
            ways += [(k * np.pi - b[1], k * np.pi - b[0]) for k in range(-4, 5)]
            apart = [(abs(a[0] - way[0]), abs(a[1] - way[1])) for way in ways]
            assert found[:, joint, axis].sum() == pytest.approx(min(map(sum, apart)))
            assert found[:, joint, axis].tolist() in [pytest.approx(one) for one in apart]


def test_single_frames_make_the_band_begin_inside_and_robust_keeps_its_end():
    spiked = path(*([0, 60] * 5), 0)
    spiked[37] = 90.0
    found = source(spiked, leave_out=())
    assert found.value_deg == pytest.approx(90)
    assert found.band_deg[0] < 61
    robust = source(spiked, leave_out=(), strictness="robust")
    assert robust.value_deg < 61
    assert robust.band_deg == pytest.approx((robust.value_deg, 90.0 + 33.75))


# Grades -------------------------------------------------------------------------------------------


def test_grades():
    again = path(*([0, 60] * 20), 0, speed=6.0)
    assert source(*[again] * 5).grade == "firm"
    assert source(*[again] * 4).grade == "seen"
    assert source(again).grade == "seen"
    # Once, and quickly on again: a pass, not a stop. Staying there is a stop.
    assert source(path(0, 60, 0, speed=20.0)).grade == "open"
    assert source(path(0, 60, 0, 60, 0, speed=20.0)).grade == "seen"
    assert source(np.concatenate([path(0, 60), held(60, 30), path(60, 0)])).grade == "seen"
    # However often the clips end there: they may well go on.
    ending = [path(0, 20, 0, 60, speed=5)] * 8
    assert source(*ending).grade == "open"
    assert source(held(12, 50)).grade == "untested"
    assert source(held(12, 50), held(12, 70), side="min").grade == "untested"


def test_a_channel_that_was_not_tried_is_never_firm():
    """Five clips agree only because none uses the channel, unless the joint is a hinge."""
    curves = waves((-2, 2), (-30, 30), (-30, 30), frames=300)
    clips = [clip({"arm": rotate(*curves)}, name=f"{n}") for n in range(6)]
    limits = estimate(clips).joints["arm"].limits
    grades = [limits[channel].source.max.grade for channel in CHANNELS]
    assert grades == ["seen", "firm", "firm"]
    assert source(*[path(*([0, 4] * 20), 0, speed=0.5)] * 5).grade == "firm"
