"""Animation curves against Autodesk's evaluator, and by hand.

All types of tangents, weights and infinities: :mod:`tests.standin.test_curves`.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jointlimits_core.rig.curves import AnimCurve, TangentType

FIXED, LINEAR, FLAT, STEP, STEP_NEXT = 1, 2, 3, 5, 17
SPLINE, CLAMPED, PLATEAU, AUTO = 9, 10, 16, 18


def curve(times, values, kind=LINEAR, out_kind=None, **rest):
    count = len(times)
    out_kind = kind if out_kind is None else out_kind
    return AnimCurve.from_keys(
        times, values, in_types=[kind] * count, out_types=[out_kind] * count, **rest
    )


def slopes(times, values, kind, incoming):
    in_x, in_y, out_x, out_y = curve(times, values, kind).tangents
    return in_y / in_x if incoming else out_y / out_x


def test_a_time_off_by_rounding_is_still_the_key():
    c = curve([0.0, 0.1, 0.3], [1.0, 2.0, 3.0], STEP_NEXT)
    rounded = 0.1 + 0.2 - 0.2  # not 0.1
    assert rounded != 0.1
    np.testing.assert_array_equal(c.evaluate([rounded]), [2.0])


def test_types_that_are_read_as_others():
    t, v = [0.0, 1.0, 3.0, 4.0], [0.0, 2.0, 4.0, 3.0]
    for kind, same in ((TangentType.AUTO_CUSTOM, AUTO), (TangentType.SLOW, LINEAR)):
        np.testing.assert_array_equal(slopes(t, v, kind, False), slopes(t, v, same, False))


def test_clamped_tangents_are_flat_beside_a_close_neighbour():
    assert slopes([0, 1, 2], [0.0, 0.04, 5.0], CLAMPED, False)[1] == 0.0
    assert slopes([0, 1, 2], [0.0, 0.06, 5.0], CLAMPED, False)[1] == pytest.approx(2.5)


def test_fixed_tangents_are_taken_as_stored_and_missing_ones_are_flat():
    nan = np.nan
    c = AnimCurve.from_keys(
        [0.0, 1.0, 2.0],
        [0.0, 0.0, 0.0],
        in_types=[FIXED, FLAT, FIXED],
        out_types=[FIXED, FIXED, FLAT],
        in_x=[nan, 7.0, nan],
        in_y=[nan, 7.0, nan],
        out_x=[0.6, nan, nan],
        out_y=[0.8, nan, nan],
    )
    np.testing.assert_allclose(c.tangents.out_y / c.tangents.out_x, [4 / 3, 0.0, 0.0])
    np.testing.assert_allclose(c.tangents.in_y, 0.0)
    # All keys alike, and the curve still moves: slope 4/3 at the start, t (1 - t)^2.
    np.testing.assert_allclose(c.evaluate([0.5, 1.5]), [4 / 3 / 8, 0.0], atol=1e-15)


def test_an_unknown_infinity_is_constant():
    c = curve([1.0, 3.0], [10.0, 20.0], pre=77, post=77)
    np.testing.assert_array_equal(c.evaluate([-1.5, 0.5, 3.5, 6.0]), [10, 10, 20, 20])


def test_linear_infinity_follows_the_outer_tangents():
    c = curve([0.0, 1.0], [0.0, 4.0], SPLINE, pre=1, post=1)
    np.testing.assert_allclose(c.evaluate([-2.0, 0.5, 3.0]), [-8.0, 2.0, 12.0])
    upright = AnimCurve.from_keys(
        [0.0, 1.0],
        [0.0, 4.0],
        in_types=[1, 1],
        out_types=[1, 1],
        in_x=[0.0, 1.0],
        in_y=[1.0, 0.0],
        out_x=[1.0, 0.0],
        out_y=[0.0, 1.0],
        pre=1,
        post=1,
    )
    np.testing.assert_array_equal(upright.evaluate([-2.0, 3.0]), [0.0, 4.0])


@pytest.mark.parametrize("infinity", [0, 1, 3, 4, 5])
def test_far_outside_and_degenerate_times(infinity):
    c = curve([0.0, 1.0, 2.0], [1.0, 2.0, 1.5], AUTO, pre=infinity, post=infinity)
    values = c.evaluate([-1e9, 1e9, np.nan, 0.0])
    assert np.isfinite(values[[0, 1, 3]]).all()
    assert np.isnan(values[2])
    assert c.evaluate([]).shape == (0,)
    assert c.evaluate(np.zeros((2, 3))).shape == (2, 3)
    assert c.evaluate(1.0).shape == ()


@pytest.mark.parametrize("infinity", [0, 1, 3, 4, 5])
@pytest.mark.parametrize("kind", [FIXED, LINEAR, STEP, SPLINE, AUTO, PLATEAU, 99])
def test_no_key_and_one_key(infinity, kind):
    one = curve([2.0], [3.0], kind, pre=infinity, post=infinity, weighted=True)
    np.testing.assert_array_equal(one.evaluate([-5.0, 2.0, 5.0]), 3.0)
    none = curve([], [], kind, pre=infinity, post=infinity)
    np.testing.assert_array_equal(none.evaluate([-5.0, 2.0]), 0.0)


def test_keys_are_sorted_and_the_last_of_a_time_wins():
    c = curve([2.0, 0.0, 1.0, 1.0], [2.0, 0.0, 9.0, 5.0])
    np.testing.assert_array_equal(c.times, [0.0, 1.0, 2.0])
    np.testing.assert_array_equal(c.values, [0.0, 5.0, 2.0])


def test_bad_keys_are_refused():
    with pytest.raises(ValueError, match="different shapes"):
        AnimCurve.from_keys([0, 1], [0], in_types=[1], out_types=[1])
    with pytest.raises(ValueError, match="must be finite numbers"):
        curve([0.0, np.nan], [0.0, 1.0])


def weighted_span(t1, v1, x0, y0, x1, y1):
    return AnimCurve.from_keys(
        [0.0, t1],
        [0.0, v1],
        in_types=[1, 1],
        out_types=[1, 1],
        in_x=[1.0, x1],
        in_y=[0.0, y1],
        out_x=[x0, 1.0],
        out_y=[y0, 0.0],
        weighted=True,
    )


@pytest.mark.thorough
@settings(deadline=None, max_examples=60)
@given(st.floats(0, 1e6), st.floats(-1e3, 1e3), st.floats(0, 1e6), st.floats(-1e3, 1e3))
def test_extreme_weights_stay_functions_of_time(x0, y0, x1, y1):
    c = weighted_span(1.0, 1.0, x0, y0, x1, y1)
    values = c.evaluate(np.linspace(0.0, 1.0, 101))
    assert np.isfinite(values).all()
    assert values[0] == 0.0
    assert values[-1] == 1.0


def test_handles_that_are_too_long_keep_their_direction():
    # Reaches of 2 spans each: both are cut to the longest monotonic pair.
    c = weighted_span(1.0, 0.0, 6.0, 6.0, 6.0, 6.0)
    assert np.isfinite(c.evaluate(np.linspace(0, 1, 33))).all()
    # The first handle is preferred and cut to 4/3 of the span, the second to 1/3.
    s = 0.25
    r = 1 - s
    time = 3 * r * r * s * (4 / 3) + 3 * r * s * s * (2 / 3) + s**3
    value = 3 * r * r * s * (4 / 3) + 3 * r * s * s * (-1 / 3)
    assert c.evaluate(time) == pytest.approx(value, abs=1e-6)


@pytest.mark.thorough
@settings(deadline=None, max_examples=100)
@given(
    st.lists(
        st.tuples(st.floats(-1e4, 1e4), st.floats(-1e6, 1e6), st.sampled_from(list(TangentType))),
        max_size=12,
    ),
    st.sampled_from([0, 1, 3, 4, 5]),
    st.booleans(),
)
def test_any_keys_give_finite_values(keys, infinity, weighted):
    times, values, kinds = zip(*keys) if keys else ((), (), ())
    c = AnimCurve.from_keys(
        times,
        values,
        in_types=kinds,
        out_types=kinds,
        weighted=weighted,
        pre=infinity,
        post=infinity,
    )
    inside = c.evaluate(c.times)
    np.testing.assert_array_equal(inside, c.values)
    if len(c.times) > 1 and np.diff(c.times).min() > 1e-6:
        assert np.isfinite(c.evaluate(np.linspace(-2e4, 2e4, 50))).all()
