"""Occupied arcs and the gap that several clips leave, compared with a scan of every angle."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jointlimits_core.geometry import circle
from tests.support.naive_estimation import TURN, distance_on_circle, gaps_on_circle

DEGREES = st.integers(-800, 800)
CLIPS = st.lists(st.lists(DEGREES, min_size=1, max_size=12), min_size=1, max_size=4)


def arcs_of(*degrees, first_joint=0):
    """Arcs of a joint that turns about X only; frames are 100, 101, ...

    Without gaps within, the range is the arc.
    """
    rotates = np.zeros((1, 3, len(degrees)))
    rotates[0, 0] = np.radians(degrees)
    frames = np.arange(len(degrees)) + 100.0
    found = circle.occupied_arcs(rotates, frames, first_joint).of_channel(3 * first_joint)
    if len(found):
        return found
    span = circle.spanned_interval(rotates[0, :1])
    ends = circle.wrap_angle([span.low, span.high])
    return circle.OccupiedArcs(np.zeros(1, int), *ends, frames[span.low_at], frames[span.high_at])


@pytest.mark.parametrize(
    ("degrees", "expected"),
    [
        ((10, 10.5, 11), [(10, 11, 100, 102)]),
        ((11, 10.5, 10), [(10, 11, 102, 100)]),
        ((10, 10.5, 40, 44.8), [(10, 10.5, 100, 101), (40, 44.8, 102, 103)]),
        ((40, 10, 40.8, 10.5), [(10, 10.5, 101, 103), (40, 40.8, 100, 102)]),
        ((-179.7, 179.7, 50), [(50, 50, 102, 102), (179.7, -179.7, 101, 100)]),
        ((-30, 30, -30, 30), [(-30, -30, 100, 102), (30, 30, 101, 103)]),
        ((7,), [(7, 7, 100, 100)]),
        ((370, 370.8), [(10, 10.8, 100, 101)]),
        ((0, 4.99), [(0, 4.99, 100, 101)]),
        ((0, 5.1), [(0, 0, 100, 100), (5.1, 5.1, 101, 101)]),
    ],
)
def test_arcs_by_hand(degrees, expected):
    arcs = arcs_of(*degrees)
    ends = np.degrees(arcs.start).round(6), np.degrees(arcs.end).round(6)
    found = sorted(zip(*ends, arcs.start_frame, arcs.end_frame))
    assert found == [pytest.approx(row, abs=1e-5) for row in sorted(expected)]


def test_a_full_circle_is_one_arc():
    arcs = arcs_of(*np.arange(0.0, 360.0, 0.5))
    assert len(arcs) == 1
    assert [len(values) for values in vars(arcs).values()] == [1] * 5
    assert arcs.end - arcs.start == pytest.approx(TURN)
    gap = circle.widest_gap(arcs, np.array([4]))
    assert (gap.gap, gap.low, gap.high) == (0.0, -np.pi, np.pi)
    assert gap.low_at[0] == gap.high_at[0] == 4


@given(CLIPS)
def test_the_widest_gap_of_clips_is_that_of_all_their_angles(clips):
    parts = [arcs_of(*clip) for clip in clips]
    numbers = np.repeat(np.arange(len(clips)), [len(part) for part in parts])
    found = circle.widest_gap(circle.OccupiedArcs.concatenate(parts), numbers)
    everything = np.radians(np.concatenate(clips))
    gaps = gaps_on_circle(everything)
    # What is below five degrees may count as no gap.
    if gaps[0][0] > circle.MIN_GAP_RAD + 1e-9:
        assert found.gap == pytest.approx(gaps[0][0], abs=1e-9)
        assert found.high - found.low == pytest.approx(TURN - found.gap, abs=1e-9)
        assert -np.pi <= found.low < np.pi
        for value, (clip, frame) in ((found.low, found.low_at), (found.high, found.high_at)):
            sample = np.radians(clips[clip][int(frame) - 100])
            assert distance_on_circle(value, sample) < 1e-9


def test_a_slow_swing_over_a_long_clip_is_its_range_and_has_no_arcs():
    angles = 1.2 + 0.9 * np.sin(np.linspace(0.0, 40.0, 5000))
    rotates = np.stack([np.zeros((3, 5000)), np.stack([angles, -angles, angles + 3.0])])
    assert len(circle.occupied_arcs(rotates, np.arange(5000.0), first_joint=2)) == 0
    rotates[1, 2, 2000:] += np.radians(6.0) + np.ptp(angles)
    arcs = circle.occupied_arcs(rotates, np.arange(5000.0), first_joint=2)
    assert set(arcs.channel.tolist()) == {11}


def test_arcs_of_joints_are_chosen_replaced_and_put_in_another_order():
    channel = np.array([0, 0, 2, 3, 7])
    at = np.arange(5.0)
    arcs = circle.OccupiedArcs(channel, at / 10, at / 10 + 0.05, at, at + 0.5)
    assert arcs.of_channel(0).start.tolist() == [0.0, 0.1]
    assert len(arcs.of_channel(1)) == 0
    others = replace(arcs, channel=np.array([1, 3, 3, 4, 8]), start_frame=at + 10.0)
    replaced = arcs.replace_joints(np.array([1]), others)
    assert replaced.channel.tolist() == [0, 0, 2, 3, 3, 4, 7]
    assert replaced.start_frame.tolist() == [0.0, 1.0, 2.0, 11.0, 12.0, 13.0, 4.0]
    assert arcs.replace_joints(np.array([0, 2]), circle.NO_ARCS).channel.tolist() == [3]
    moved = arcs.reorder(np.array([2, 0, 1]))
    assert moved.channel.tolist() == [1, 3, 3, 5, 6]
    assert moved.start_frame.tolist() == [4.0, 0.0, 1.0, 2.0, 3.0]
    assert len(circle.NO_ARCS) == 0
    assert (
        circle.OccupiedArcs.concatenate([arcs, circle.NO_ARCS]).channel.tolist() == channel.tolist()
    )


@pytest.mark.parametrize("degrees", [(-180.0, -174.85), (174.85, 179.99), (-5.0, 0.15)])
def test_gaps_of_hardly_more_than_five_degrees_are_kept_anywhere(degrees):
    """Also beside half a turn, where the circle is cut."""
    many = [d for d in np.arange(-180.0, 180.0, 0.3) if not degrees[0] < d < degrees[1]]
    arcs = arcs_of(*many, *degrees)
    ends = np.degrees(np.concatenate([arcs.start, arcs.end]))
    assert ends == pytest.approx([degrees[1], degrees[0]], abs=1e-9)


def test_the_widest_gap_of_arcs_across_half_a_turn():
    start, end = np.radians([[170.0, 160.0, -165.0], [-170.0, -175.0, 150.0]])
    arcs = circle.OccupiedArcs(
        np.zeros(3, dtype=int), start, end, np.arange(3.0), np.arange(3.0) + 10.0
    )
    found = circle.widest_gap(arcs, np.array([5, 6, 7]))
    assert np.degrees(found[:3]) == pytest.approx([10.0, 160.0, 510.0])
    assert (found.low_at, found.high_at) == ((6, 1.0), (7, 12.0))
