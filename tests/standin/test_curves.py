"""The stand-in's animation curves: against Autodesk's values, against the program, by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jointlimits_core.rig.curves import AnimCurve
from tests.maya_standin.curves import Keys, evaluate, value_at
from tests.maya_standin.tangent_rules import (
    AUTO,
    CLAMPED,
    CODES,
    FIXED,
    FLAT,
    LINEAR,
    PLATEAU,
    SPLINE,
    STEP_NEXT,
)
from tests.support.shared_data import oracle_curves


def keys(times, values, kind=LINEAR, **rest):
    return Keys(times, values, [kind] * len(times), [kind] * len(times), **rest)


def oracle_keys(entry, *, stored):
    """Keys of one curve of the oracle; without the stored tangents they have to be computed."""
    frames, degrees = zip(*entry["keys"])
    tangents = {}
    if stored:
        tangents["in_tangents"] = list(zip(entry["kix"], entry["kiy"]))
        tangents["out_tangents"] = list(zip(entry["kox"], entry["koy"]))
    return Keys(
        [frame / entry["fps"] for frame in frames],
        [math.radians(degree) for degree in degrees],
        entry["kit"],
        entry["kot"],
        weighted=entry["weighted"],
        pre=entry["pre"],
        post=entry["post"],
        **tangents,
    )


def by_the_stand_in(entry, seconds):
    return evaluate(oracle_keys(entry, stored=True), seconds)


def by_the_program(entry, seconds):
    curve = oracle_keys(entry, stored=True)
    sides = {"in_types": curve.in_types, "out_types": curve.out_types}
    sides |= {
        f"{side}_{axis}": entry[f"k{side[0]}{axis}"] for side in ("in", "out") for axis in "xy"
    }
    settings = {"weighted": curve.weighted, "pre": curve.pre, "post": curve.post}
    return AnimCurve.from_keys(curve.times, curve.values, **sides, **settings).evaluate(seconds)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("evaluated", "inside", "outside"),
    [(by_the_stand_in, 1e-11, 1e-9), (by_the_program, 1e-5, 1e-5)],
)
def test_every_curve_of_the_oracle(evaluated, inside, outside):
    """Largest differences in degrees from Autodesk's values, between keys and beyond them."""
    entries = oracle_curves()
    assert len(entries) == 400
    for entry in entries:
        frames = np.array(entry["frames"])
        off = np.abs(np.degrees(evaluated(entry, frames / entry["fps"])) - entry["expected_deg"])
        first, last = entry["keys"][0][0], entry["keys"][-1][0]
        is_inside = (first <= frames) & (frames <= last)
        assert off[is_inside].max(initial=0.0) < inside
        assert off[~is_inside].max(initial=0.0) < outside


def test_tangents_that_need_not_be_stored_have_the_directions_of_the_oracle():
    compared = 0
    for entry in oracle_curves():
        curve = oracle_keys(entry, stored=False)
        for kinds, xs, ys, mine in (
            (entry["kit"], entry["kix"], entry["kiy"], curve.ins),
            (entry["kot"], entry["kox"], entry["koy"], curve.outs),
        ):
            for kind, x, y, tangent in zip(kinds, xs, ys, mine):
                if kind in (LINEAR, FLAT, AUTO):
                    assert tangent[1] / tangent[0] == pytest.approx(y / x, rel=1e-9, abs=1e-12)
                    compared += 1
    assert compared > 1500


def random_keys(seed, kinds, *, weighted, infinity):
    """A curve for both programs, with steps between keys of every size."""
    rng = np.random.default_rng(seed)
    times = np.cumsum(rng.uniform(0.02, 1.5, 9))
    values = rng.normal(0.0, 1.2, 9)
    types = rng.choice(kinds, (2, 9))
    curve = Keys(times, values, types[0], types[1], weighted=weighted, pre=infinity, post=infinity)
    other = AnimCurve.from_keys(
        times,
        values,
        in_types=types[0],
        out_types=types[1],
        weighted=weighted,
        pre=infinity,
        post=infinity,
    )
    return curve, other, np.linspace(times[0] - 3.0, times[-1] + 3.0, 173)


@pytest.mark.thorough
@pytest.mark.parametrize("infinity", [0, 1, 3, 4, 5])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_program_has_the_same_values_for_every_type_of_tangent(weighted, infinity):
    for seed in range(25):
        curve, other, times = random_keys(seed, CODES, weighted=weighted, infinity=infinity)
        # The two round cycled times on their own: half a tick of a steep curve apart at most.
        np.testing.assert_allclose(evaluate(curve, times), other.evaluate(times), atol=2e-6)


@pytest.mark.thorough
@settings(deadline=None, max_examples=80)
@given(
    st.floats(0.05, 5.0),
    st.floats(-3, 3),
    st.tuples(st.floats(0.02, 6.0), st.floats(-5, 5)),
    st.tuples(st.floats(0.02, 6.0), st.floats(-5, 5)),
)
def test_weighted_spans_of_any_handles_agree_with_the_program(span, rise, leave, enter):
    leave, enter = (leave[0] * span, leave[1]), (enter[0] * span, enter[1])
    mine = Keys(
        (0.0, span),
        (0.0, rise),
        (FIXED, FIXED),
        (FIXED, FIXED),
        ((1.0, 0.0), enter),
        (leave, (1.0, 0.0)),
        weighted=True,
    )
    other = AnimCurve.from_keys(
        mine.times,
        mine.values,
        in_types=mine.in_types,
        out_types=mine.out_types,
        in_x=[1.0, enter[0]],
        in_y=[0.0, enter[1]],
        out_x=[leave[0], 1.0],
        out_y=[leave[1], 0.0],
        weighted=True,
    )
    times = np.linspace(0.0, span, 17)
    # Where handles are cut the curve is upright in time, and the last digits are anyone's.
    np.testing.assert_allclose(evaluate(mine, times), other.evaluate(times), atol=2e-3)


def test_slopes_of_types_that_only_words_describe():
    times, values = (0.0, 1.0, 3.0, 4.0), (0.0, 2.0, 4.0, 3.0)
    for kind, wanted in (
        (SPLINE, (2.0, 4.0 / 3.0, 1.0 / 3.0, -1.0)),
        (CLAMPED, (2.0, 4.0 / 3.0, 1.0 / 3.0, -1.0)),
        (PLATEAU, (0.0, 4.0 / 3.0, 0.0, 0.0)),
    ):
        tangents = keys(times, values, kind).outs
        assert [y / x for x, y in tangents] == pytest.approx(wanted), kind


def test_tangents_are_unit_long_without_weights_and_as_long_as_the_span_with_them():
    plain = keys((0.0, 2.0), (0.0, 6.0), SPLINE)
    assert plain.outs[0] == pytest.approx((1 / math.sqrt(10), 3 / math.sqrt(10)))
    weighted = keys((0.0, 2.0), (0.0, 6.0), SPLINE, weighted=True)
    assert weighted.outs[0] == pytest.approx((2.0, 6.0))


def test_few_keys_and_bad_keys():
    assert value_at(Keys(), 3.0) == 0.0
    for code in (0, 1, 3, 4, 5):
        assert evaluate(keys([2.0], [3.0], AUTO, pre=code, post=code), [1.0, 2.0, 9.0]) == [3.0] * 3
    with pytest.raises(ValueError, match="increase"):
        keys([1.0, 1.0], [0.0, 0.0])
    with pytest.raises(ValueError, match="2 times for 1 values"):
        Keys([0.0, 1.0], [0.0])
    with pytest.raises(ValueError, match="in_types"):
        Keys([0.0, 1.0], [0.0, 1.0], [AUTO])


def test_keys_are_found_within_half_a_tick_and_changed():
    curve = keys([0.0, 0.1, 0.3], [1.0, 2.0, 3.0], STEP_NEXT)
    assert curve.key_at(0.1 + 0.2) == 2
    assert curve.key_at(0.1 + 1e-7) is None
    changed = curve.with_key(0.3, 9.0).with_key(0.2, 5.0)
    assert changed.times == (0.0, 0.1, 0.2, 0.3)
    assert changed.values == (1.0, 2.0, 5.0, 9.0)
    assert changed.out_types == (STEP_NEXT, STEP_NEXT, AUTO, STEP_NEXT)
    assert changed.without_key(2).values == (1.0, 2.0, 9.0)
    assert curve.values == (1.0, 2.0, 3.0)


def test_quaternion_curves_are_known_by_their_flag():
    assert not keys([0.0], [0.0], rotation_interpolation=2).is_quaternion
    assert keys([0.0], [0.0], rotation_interpolation=4).is_quaternion
