"""Reaches of clips at the ends of their ranges, compared with a loop over the frames."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jointlimits_core.estimation.clip_summary import STOPS, both_reaches
from tests.support.naive_summary import naive_lower_reach, naive_upper_reach

SIDES = {"lower": (0, naive_lower_reach), "upper": (1, naive_upper_reach)}


def reach(values_deg, side="upper", frame_rate=30.0):
    """Reach of one channel, plain values."""
    values = np.radians(np.atleast_1d(np.asarray(values_deg, float)))
    rotates = np.broadcast_to(values, (1, 3, len(values)))
    frames = np.arange(len(values)) + 100.0
    found = both_reaches(np.array(rotates), frames, frame_rate)[SIDES[side][0]]
    return {
        "value": np.degrees(found.value[0, 0]),
        "visits": found.visits[0, 0],
        "stop": STOPS[found.stop[0, 0]],
        "steady": np.degrees(found.steady[0, 0]),
        "steady_frame": found.steady_frame[0, 0],
    }


@pytest.mark.thorough
@given(
    st.integers(0, 2**32 - 1),
    st.integers(1, 70),
    st.sampled_from([1.0, 24.0, 30.0, 60.0, 119.88]),
    st.sampled_from(list(SIDES)),
)
def test_against_a_loop(seed, count, frame_rate, side):
    rng = np.random.default_rng(seed)
    t = np.arange(count)
    wave = 40.0 * np.sin(0.3 * t + rng.uniform(0, 6))
    # Noise, waves, plateaus, constants.
    rotates = np.radians(
        [
            [rng.normal(0, 0.6, count), wave, np.clip(wave, -25, 25)],
            [np.round(rng.uniform(0, 3, count)), np.full(count, rng.uniform(-90, 90)), 2.0 * t],
            [rng.uniform(-200, 200, count), np.cumsum(rng.normal(0, 0.4, count)), -0.5 * t],
        ]
    )
    frames = np.cumsum(rng.uniform(0.5, 2.0, count))
    place, naive = SIDES[side]
    found = both_reaches(rotates, frames, frame_rate)[place]
    for joint in range(3):
        for axis in range(3):
            at = joint, axis
            expected = naive(rotates[at].tolist(), frames.tolist(), frame_rate)
            assert found.value[at] == expected.value
            assert found.visits[at] == expected.visits
            assert STOPS[found.stop[at]] == expected.stop
            assert found.steady[at] == expected.steady
            assert found.steady_frame[at] == expected.steady_frame


def test_held_for_a_tenth_of_a_second():
    """At 60 frames per second, a pose counts as held from six frames on."""
    for frames, stop in ((5, "turned"), (6, "held")):
        values = np.concatenate([np.arange(0, 60, 5.0), np.full(frames, 60.0), [30.0, 0.0]])
        assert reach(values, frame_rate=60.0)["stop"] == stop


def test_cut_off_at_either_end_while_moving():
    assert reach([50, 40, 30, 20, 10, 0, 5])["stop"] == "cut"
    assert reach([0, 5, 10, 20, 30, 40, 50])["stop"] == "cut"
    # At rest there, the motion did not go on.
    assert reach([0, 20, 40, 50, 50, 50, 50])["stop"] == "held"
    assert reach([50, 49.995, 30, 0, 20])["stop"] == "turned"
    # Both ends of the range at both ends of the clip.
    ramp = np.linspace(-30, 30, 40)
    assert reach(ramp)["stop"] == reach(ramp, "lower")["stop"] == "cut"
