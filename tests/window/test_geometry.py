"""Where things are in the pictures of the window."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jointlimits_maya.ui.plots import cloud_layout
from jointlimits_maya.ui.plots import strip_layout as strip
from jointlimits_maya.ui.plots.dial_layout import ChannelState

from jointlimits_core.geometry.quaternion import (
    multiply,
    quaternion_from_axis_angle,
    quaternion_from_rotation_vector,
)
from jointlimits_core.limits.limit_set import Orientation
from jointlimits_core.report.figures import swing
from jointlimits_core.report.figures.space import box_shape, cube_around, step_for, to_vectors_of
from jointlimits_core.report.figures.swing import AXES, reach_outline, swing_and_twist, swing_axes
from jointlimits_core.report.figures.view import ALONG, Stage, View, zoom_at

# --- ticks --------------------------------------------------------------------------------------


@given(st.floats(1e-3, 1e6), st.integers(1, 12))
def test_steps_are_round_and_few(span, most):
    step = step_for(span, most)
    assert span / step <= most * (1.0 + 1e-6)
    mantissa = step / 10.0 ** math.floor(math.log10(step) + 1e-9)
    assert min(abs(mantissa - good) for good in (1.0, 2.0, 5.0, 10.0)) < 1e-6


# --- dial and evidence --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pose", "outside"), [(-140.0, 0.0), (-120.0, 10.0), (140.0, 10.0)], ids=["in", "max", "min"]
)
def test_outside_looks_at_the_nearest_branch(pose, outside):
    assert ChannelState("X", "limited", 150.0, 230.0).degrees_outside(pose) == pytest.approx(
        outside
    )


# --- the view of a cube -------------------------------------------------------------------------


LOOK = View()


def stage(view=LOOK, half=10.0):
    return Stage(view, 400.0, 300.0, (1.0, 2.0, 3.0), half)


@pytest.mark.thorough
@given(st.floats(0.3, 5.0), st.floats(-0.5, 0.5), st.floats(-0.5, 0.5))
def test_zooming_keeps_what_is_under_the_mouse(factor, x, y):
    start = View(20.0, 30.0, 2.0, (0.1, -0.05))
    pixel = np.array([200.0 + 300.0 * x, 150.0 + 300.0 * y])
    before, after = stage(start), stage(zoom_at(start, factor, x, y))

    def seen(one):
        return (pixel - one.origin) / one.pixels_per_unit

    np.testing.assert_allclose(seen(before), seen(after), atol=1e-9)


# --- the cube around the cloud ------------------------------------------------------------------


def test_an_axis_that_points_at_the_eye_has_no_numbers():
    assert {label.axis for label in cloud_layout.labels(stage(ALONG["Z"]))} == {0, 1}
    named = [label for label in cloud_layout.labels(stage()) if label.value is None]
    assert {label.axis for label in named} == {0, 1, 2}


# --- the cloud ----------------------------------------------------------------------------------


def blob(count, seed=0):
    return np.random.default_rng(seed).normal(0.0, [30.0, 20.0, 10.0], (count, 3))


@pytest.mark.thorough
def test_thinning_keeps_the_points_furthest_out_in_every_direction():
    points = blob(120_000, 3).astype(np.float32)
    kept = cloud_layout.thin_out(points, 4_000)
    for direction in cloud_layout.directions():
        assert (points[kept] @ direction).max() == pytest.approx((points @ direction).max())


@pytest.mark.parametrize("flat", [(0, 0, 0), (1, 0, 0), (1, 1, 0)])
def test_a_line_or_a_sheet_is_thinned_to_as_many_points(flat):
    points = (blob(50_000) * flat).astype(np.float32)
    assert 900 <= len(cloud_layout.thin_out(points, 1_000)) <= 1_000 + 102


def test_the_cube_holds_the_points_and_is_never_tiny():
    centre, half = cube_around(blob(1000))
    assert (np.abs(blob(1000) - centre) < half).all()
    assert cube_around(np.full((3, 3), 7.0)) == ((7.0, 7.0, 7.0), 4.0)
    assert cube_around(np.zeros((0, 3)))[1] == 4.0


def test_of_points_on_one_pixel_the_front_one_is_found():
    places = np.array([[10.0, 10.0, -50.0], [10.0, 10.0, 50.0], [40.0, 40.0, 900.0]])
    assert cloud_layout.nearest_on_screen(places, 11.0, 10.0, 5.0) == 1
    assert cloud_layout.nearest_on_screen(places, 25.0, 25.0, 5.0) is None
    assert cloud_layout.nearest_on_screen(places[:0], 0.0, 0.0, 5.0) is None


# --- points into pixels -------------------------------------------------------------------------

BLACK_AND_WHITE = cloud_layout.shades_of(
    np.array([[0.0, 0.0, 0.0], [255.0] * 3]), np.full(3, 128.0)
)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_the_nearer_point_covers_the_further(order):
    places, colours = np.array([[3.0, 3.0, 9.0], [3.0, 3.0, -9.0]]), np.array([1, 0])
    canvas, dot, order = np.zeros((8, 8), np.uint32), np.zeros((1, 2), np.int64), list(order)
    cloud_layout.splat(canvas, places[order], colours[order], BLACK_AND_WHITE, dot, 10.0)
    assert canvas[3, 3] > 0xFFF00000


# --- limits in the space of rotation vectors ----------------------------------------------------

IDENTITY = (0.0, 0.0, 0.0, 1.0)


def test_every_corner_of_the_shape_is_on_the_box():
    order, orient, axis = "zxy", (10.0, 20.0, -30.0), (0.0, 5.0, 0.0)
    rotate = np.array([25.0, -40.0, 60.0])
    to_vectors = to_vectors_of(Orientation(order, orient, axis), IDENTITY)
    Rotation = pytest.importorskip("scipy.spatial.transform").Rotation

    # SciPy's lower case turns about fixed axes, the first letter first: as Maya names its orders.
    def turn(letters, degrees):
        values = [degrees["xyz".index(letter)] for letter in letters]
        return Rotation.from_euler(letters, values, degrees=True)

    own = (turn("xyz", orient) * turn(order, rotate) * turn("xyz", axis)).as_rotvec()
    np.testing.assert_allclose(to_vectors(rotate), np.degrees(own), atol=1e-9)


def test_nothing_jumps_across_the_end_of_the_space():
    to_vectors = to_vectors_of(Orientation("xyz", (0, 0, 0), (0, 0, 0)), IDENTITY)
    edges, triangles = box_shape((-180, -30, -30), (180, 30, 30), to_vectors)
    assert len(edges)
    assert np.linalg.norm(edges[:, 1] - edges[:, 0], axis=1).max() < 90.0
    assert np.linalg.norm(triangles[:, 1] - triangles[:, 0], axis=1).max() < 90.0


# --- swing and twist ----------------------------------------------------------------------------


@pytest.mark.parametrize("axis", ["X", "Y", "Z"])
def test_swing_and_twist_are_told_apart(axis):
    bone = AXES.index(axis)
    first, second = swing_axes(axis)
    assert sorted((bone, first, second)) == [0, 1, 2]
    vector = np.zeros(3)
    vector[first], vector[second] = np.radians([30.0, -20.0])
    swung = quaternion_from_rotation_vector(vector)
    twisted = quaternion_from_axis_angle(np.eye(3)[bone], np.radians(50.0))
    reference = quaternion_from_axis_angle((0.6, 0.0, 0.8), 1.0)
    both = multiply(reference, multiply(swung, twisted))
    found, twist = swing_and_twist(both[None], reference, axis)
    np.testing.assert_allclose(found, [[30.0, -20.0]], atol=1e-9)
    np.testing.assert_allclose(twist, [50.0], atol=1e-9)


@pytest.mark.thorough
@given(st.floats(-90, 90), st.floats(-90, 90), st.floats(1.0, 20.0))
def test_a_pixel_of_the_disc_is_its_swing(first, second, zoom):
    layout = swing.DiscLayout(swing.DiscView(90.0, zoom, (5.0, -3.0)), 330.0, 390.0)
    found = layout.swing(*layout.pixel((first, second)))
    assert found == pytest.approx((first, second), abs=1e-6)


def test_the_rim_is_round_and_holds_everything():
    assert swing.reach_for(np.array([[12.0, 5.0]])) == 15.0
    assert swing.reach_for(np.array([[40.0, 30.0]])) == 60.0
    assert swing.reach_for(np.array([[170.0, 60.0]])) == 180.0
    assert swing.reach_for(np.zeros((0, 2))) == 90.0


def test_the_outline_goes_round_at_the_furthest():
    rng = np.random.default_rng(0)
    angle, radius = rng.uniform(0, 2 * np.pi, 20_000), 40.0 * np.sqrt(rng.uniform(0, 1, 20_000))
    points = np.stack([10.0 + radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    outline = reach_outline(points)
    assert len(outline) == 121
    np.testing.assert_array_equal(outline[0], outline[-1])
    np.testing.assert_allclose(np.hypot(outline[:, 0] - 10.0, outline[:, 1]), 40.0, atol=1.0)
    assert reach_outline(np.zeros((0, 2))).shape == (0, 2)


# --- the time strip -----------------------------------------------------------------------------


@pytest.mark.thorough
@given(st.integers(1, 5000), st.floats(60.0, 900.0))
def test_no_frame_outside_is_lost_however_many_share_a_pixel(frames, width):
    numbers, values = np.arange(float(frames)), np.zeros(frames)
    values[frames // 3] = 7.0
    rows = strip.Rows(("a",), numbers, values[None])
    starts, end, columns = strip.StripLayout(width, 80.0, rows.whole, rows).columns()
    assert strip.highest_in(values, starts, end).max() == 7.0
    assert (np.diff(columns) > 0).all()
    assert len(columns) <= width


def test_a_frame_that_was_not_compared_does_not_hide_its_neighbours():
    values = np.array([np.nan, 3.0, np.nan, np.nan])
    found = strip.highest_in(values, np.array([0, 2]), 4)
    assert found[0] == 3.0
    assert np.isnan(found[1])


@pytest.mark.thorough
@given(st.floats(0.01, 100.0), st.floats(101.0, 200.0))
def test_zooming_time_stays_within_the_clip(factor, frame):
    whole = strip.Span(100.5, 200.5)
    span = strip.Span(120.0, 160.0).zoom_at(whole, factor, frame)
    assert whole.first - 1e-9 <= span.first < span.last <= whole.last + 1e-9
    assert span.length >= 8.0 - 1e-9


def test_gaps_are_drawn_from_nothing_upwards_with_marks_in_their_row_only():
    numbers = 10.0 + 2.0 * np.arange(100)
    values = np.stack([np.full(100, 4.0), np.full(100, -3.0)])
    marks = (strip.Mark(30.0, "first"), strip.Mark(32.0, "second"))
    rows = strip.Rows(("gap", "a"), numbers, np.zeros((2, 100)), values, (None, None), True, marks)
    assert rows.scale(0) == (0.0, pytest.approx(4.4))
    assert rows.scale(1) == (-4.0, -2.0)
    layout = strip.StripLayout(900.0, 200.0, rows.whole, rows)
    texts = [mark and mark.text for mark in (layout.mark_at(0, layout.x(at)) for at in (31.2, 50))]
    assert texts == ["second", None]
    assert layout.mark_at(1, layout.x(30.0)) is None
    assert rows.next_stop(0, True, 0.1) == 10
    assert rows.next_stop(10, True, 0.1) == 11
    assert rows.next_stop(11, True, 0.1) is None
