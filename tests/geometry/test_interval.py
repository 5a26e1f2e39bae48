"""Contiguous intervals, compared with a sort and a scan, and at special angles."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from jointlimits_core.geometry.circle import contiguous_interval, into_interval, spanned_interval
from tests.support.naive_estimation import TURN, covers, distance_on_circle, gaps_on_circle
from tests.support.rotation_strategies import SPECIAL_ANGLES

ANGLES = st.one_of(
    st.sampled_from([*SPECIAL_ANGLES, math.pi, -math.pi, -0.0, 20.0 * math.pi, -7.0 * math.pi]),
    st.floats(-40.0, 40.0),
)
SAMPLES = st.lists(ANGLES, min_size=1, max_size=30)


@given(SAMPLES)
def test_as_a_sort_and_a_scan_do(angles):
    found = contiguous_interval(angles)
    gaps = gaps_on_circle(angles)
    assert found.gap == pytest.approx(gaps[0][0], abs=1e-9)
    assert found.high - found.low == pytest.approx(TURN - found.gap, abs=1e-9)
    if len(gaps) == 1 or gaps[0][0] - gaps[1][0] > 1e-9:
        assert distance_on_circle(found.low, gaps[0][2]) < 1e-9
        assert distance_on_circle(found.high, gaps[0][1]) < 1e-9


@pytest.mark.parametrize(
    ("degrees", "low", "high"),
    [
        ((10, 20, 20, 35, 50), 10, 50),  # as printed: 20 to 380
        ((12, 12, 12), 12, 12),  # as printed: 12 to 372
        ((12,), 12, 12),
        ((-0.0,), 0, 0),
        ((-0.0, 0.0), 0, 0),
        ((170, -170, 175), 170, 190),
        ((180, -180, 540), -180, -180),
        ((179, 180), 179, 180),
        ((-100, 100, 0), -100, 100),  # more than half a turn
        ((100, -100), 100, 260),  # less, the other way round
        (tuple(range(0, 350, 10)), 0, 340),
        (tuple(range(15, 375, 15)), -165, 180),  # equal gaps all round: any will do
        ((730, 740), 10, 20),
        ((-3600.0 - 30, 30), -30, 30),
    ],
)
def test_ranges_worked_out_by_hand(degrees, low, high):
    found = contiguous_interval(np.radians(degrees))
    found_low, found_high, gap = np.degrees([found.low, found.high, found.gap])
    assert found_high - found_low == pytest.approx(high - low, abs=1e-9)
    assert gap == pytest.approx(360 - (high - low), abs=1e-9)
    if len(set(degrees)) < 20 or degrees[0] == 0:
        assert distance_on_circle(math.radians(found_low), math.radians(low)) < 1e-9


@given(arrays(np.float64, (3, 8), elements=st.floats(-50, 50)))
def test_the_span_of_angles_on_one_branch_is_least_and_most(angles):
    found = spanned_interval(angles)
    for row in range(3):
        assert found.low[row] == min(angles[row])
        assert found.high[row] == max(angles[row])
        # The first of those that are equal but for rounding.
        for end, at in ((found.low[row], found.low_at[row]), (found.high[row], found.high_at[row])):
            near = np.abs(angles[row] - end) <= 1e-12
            assert at == np.flatnonzero(near)[0]
        assert found.gap[row] == max(TURN - (max(angles[row]) - min(angles[row])), 0.0)


@given(ANGLES, ANGLES, st.floats(0.0, 4.0 * TURN))
def test_of_the_turns_that_fit_the_nearest_is_taken(angle, low, width):
    high = low + width
    placed = float(into_interval(angle, low, high))
    turns = [angle + TURN * n for n in range(-40, 41)]
    fitting = [turn for turn in turns if low <= turn <= high]
    if fitting and abs(placed - angle) > 1e-9:
        assert abs(placed - angle) == pytest.approx(min(abs(turn - angle) for turn in fitting))


def test_a_rounding_error_beside_a_wide_range_stays_there():
    for angle, low, high in ((-1e-12, 0.0, 2.0 * TURN), (TURN + 1e-12, -TURN, TURN)):
        assert float(into_interval(angle, low, high)) == pytest.approx(angle, abs=1e-9)


@given(ANGLES, ANGLES, st.floats(0.0, TURN - 1e-6))
def test_into_an_interval_by_full_turns(angle, low, width):
    high = low + width
    placed = float(into_interval(angle, low, high))
    assert distance_on_circle(placed, angle) < 1e-9
    if covers(low, high, angle, 0.0) and not covers(high, low + TURN, angle, 1e-9):
        assert low - 1e-9 <= placed <= high + 1e-9
    # No other turn is nearer.
    beyond = max(low - placed, placed - high, 0.0)
    for turns in (-1, 1):
        other = placed + turns * TURN
        assert beyond <= max(low - other, other - high, 0.0) + 1e-9


@pytest.mark.parametrize(
    ("angle", "expected"),
    [(-20, -20), (340, -20), (370, 10), (-720, 0), (60, 60), (70, 70), (-30, -30), (250, -110)],
)
def test_a_rest_angle_that_the_printed_test_gets_wrong(angle, expected):
    placed = np.degrees(into_interval(*np.radians([angle, -20, 60])))
    assert placed == pytest.approx(expected, abs=1e-9)
