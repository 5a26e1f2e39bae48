"""Where things are in the pictures of the window."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jointlimits_maya.ui.plots import bars, dial_layout
from jointlimits_maya.ui.plots import strip_layout as strip
from jointlimits_maya.ui.plots import strip_layout as strip_rows

from jointlimits_core.estimation.joint_type import tolerated_deg
from jointlimits_core.geometry.quaternion import (
    multiply,
    quaternion_from_axis_angle,
    quaternion_from_rotation_vector,
)
from jointlimits_core.limits.limit_set import Frame
from jointlimits_core.report import figures
from jointlimits_core.report.figures import cloud, cube, swing
from jointlimits_core.report.figures.space import (
    angle_step_for,
    box_shape,
    cube_around,
    step_for,
    ticks_within,
    to_vectors_of,
)
from jointlimits_core.report.figures.swing import AXES, across, reach_outline, swing_and_twist
from jointlimits_core.report.figures.view import ALONG, Stage, View, orbited, zoomed

angles = st.floats(-720.0, 720.0)


# --- circle -------------------------------------------------------------------------------------


@pytest.mark.thorough
@given(angles)
def test_a_point_of_the_circle_has_its_angle(angle):
    found = dial_layout.angle_at(*dial_layout.point_at(angle, 50.0))
    assert -180.0 < found <= 180.0
    assert abs((found - angle + 180.0) % 360.0 - 180.0) < 1e-9


def test_zero_is_right_and_more_is_anticlockwise():
    assert dial_layout.angle_at(10.0, 0.0) == 0.0
    assert dial_layout.angle_at(0.0, -10.0) == 90.0  # y points down
    assert dial_layout.angle_at(-10.0, 0.0) == 180.0
    assert dial_layout.angle_at(-10.0, -0.0) == 180.0


@pytest.mark.thorough
@given(angles, angles)
def test_turned_near_is_the_same_direction_at_most_half_a_turn_away(angle, near):
    found = dial_layout.turned_near(angle, near)
    assert abs(found - near) <= 180.0 + 1e-9
    assert math.isclose(math.cos(math.radians(found - angle)), 1.0, abs_tol=1e-9)


def test_nearest_takes_none_that_is_too_far():
    assert dial_layout.nearest(5.0, [1.0, 6.5, 9.0], 2.0) == 6.5
    assert dial_layout.nearest(5.0, [1.0, 9.0], 2.0) is None
    assert dial_layout.nearest(5.0, [], 2.0) is None


# --- ticks --------------------------------------------------------------------------------------


@given(st.floats(1e-3, 1e6), st.integers(1, 12))
def test_steps_are_round_and_few(span, most):
    step = step_for(span, most)
    assert span / step <= most * (1.0 + 1e-6)
    mantissa = step / 10.0 ** math.floor(math.log10(step) + 1e-9)
    assert min(abs(mantissa - good) for good in (1.0, 2.0, 5.0, 10.0)) < 1e-6


def test_angles_step_by_parts_of_a_right_angle():
    assert angle_step_for(360.0, 4) == 90.0
    assert angle_step_for(100.0, 4) == 30.0
    assert angle_step_for(20.0, 4) == 5.0


def test_ticks_include_both_ends():
    assert ticks_within(-90.0, 90.0, 30.0) == [-90, -60, -30, 0, 30, 60, 90]
    assert ticks_within(0.1, 0.3, 0.1) == pytest.approx([0.1, 0.2, 0.3])


# --- dial ---------------------------------------------------------------------------------------

LAYOUT = dial_layout.layout_for(256, 256)
NARROW = dial_layout.ChannelState("X", "limited", -5.0, 5.0)
WIDE = dial_layout.ChannelState("X", "limited", -172.0, 178.0)


@pytest.mark.parametrize(
    "state", [NARROW, WIDE, dial_layout.ChannelState("Y", "locked", 30.0, 30.0)]
)
def test_each_handle_is_taken_hold_of_where_it_is_drawn(state):
    for which in (dial_layout.MIN, dial_layout.MAX):
        angle = dial_layout.knob_angle(LAYOUT, state, which)
        assert dial_layout.handle_at(LAYOUT, state, *LAYOUT.point(angle, LAYOUT.knob_ring)) == which


@pytest.mark.parametrize("state", [NARROW, WIDE])
def test_handles_do_not_lie_on_each_other(state):
    at = [
        LAYOUT.point(dial_layout.knob_angle(LAYOUT, state, which), LAYOUT.knob_ring)
        for which in (dial_layout.MIN, dial_layout.MAX)
    ]
    assert math.dist(*at) > 2.0 * LAYOUT.knob


def test_a_bound_is_taken_hold_of_on_the_ring_too():
    assert (
        dial_layout.handle_at(LAYOUT, WIDE, *LAYOUT.point(-172.0, LAYOUT.ring)) == dial_layout.MIN
    )
    assert dial_layout.handle_at(LAYOUT, WIDE, *LAYOUT.point(90.0, LAYOUT.ring)) == ""


@pytest.mark.parametrize(
    "state",
    [dial_layout.ChannelState(), dial_layout.ChannelState("X", "limited", 0, 9, editable=False)],
)
def test_nothing_is_taken_hold_of_where_nothing_may_be_changed(state):
    assert dial_layout.handle_at(LAYOUT, state, *LAYOUT.point(0.0, LAYOUT.ring)) == ""
    assert dial_layout.knob_angle(LAYOUT, dial_layout.ChannelState(), dial_layout.MIN) is None


def test_snapping_reaches_a_few_pixels():
    reach = LAYOUT.degrees_of(dial_layout.SNAP_PIXELS)
    assert dial_layout.snapped(LAYOUT, 40.0 + 0.9 * reach, [40.0]) == 40.0
    assert dial_layout.snapped(LAYOUT, 40.0 + 1.1 * reach, [40.0]) == round(40.0 + 1.1 * reach)


def test_a_bound_stops_at_the_other():
    assert dial_layout.moved_bound(NARROW, dial_layout.MIN, 20.0) == 5.0
    assert dial_layout.moved_bound(NARROW, dial_layout.MAX, -20.0) == -5.0
    assert dial_layout.moved_bound(NARROW, dial_layout.MAX, 400.0) == 400.0


def test_outside_looks_at_the_nearest_branch():
    state = dial_layout.ChannelState("X", "limited", 150.0, 230.0)
    assert state.outside(-140.0) == 0.0  # 220
    assert state.outside(-120.0) == pytest.approx(10.0)
    assert state.outside(140.0) == pytest.approx(10.0)
    assert dial_layout.ChannelState().outside(77.0) == 0.0


def test_the_gap_completes_the_circle():
    assert NARROW.gap == (5.0, 355.0)
    assert dial_layout.ChannelState("X", "limited", -200.0, 200.0).gap is None
    assert dial_layout.ChannelState("X", "free", 0.0, 1.0).gap is None


def test_next_target_goes_on_from_where_it_is():
    assert dial_layout.next_target(10.0, [0.0, 10.0, 20.0], up=True) == 20.0
    assert dial_layout.next_target(10.0, [0.0, 10.0, 20.0], up=False) == 0.0
    assert dial_layout.next_target(20.0, [0.0, 10.0, 20.0], up=True) is None


# --- bars ---------------------------------------------------------------------------------------


def test_pieces_go_on_at_the_other_end():
    assert bars.pieces(-90.0, 90.0, 100.0) == [(25.0, 50.0)]
    assert bars.pieces(90.0, 270.0, 100.0) == [(75.0, 25.0), (0.0, 25.0)]
    ((start, length),) = bars.pieces(180.0, 180.0, 100.0)
    assert length == 2.0
    assert 0.0 <= start <= 98.0


def test_lanes_share_a_height():
    rows = bars.lane_rows(3, 20.0)
    assert [top for top, _ in rows] == [0.0, 7.0, 14.0]
    assert rows[-1][0] + rows[-1][1] == 20.0
    assert bars.lane_rows(0, 20.0) == []


def test_residuals_keep_their_order_on_the_scale_of_decades():
    places = [bars.decade_position(d) for d in (0.0, 0.03, 0.1, 1.0, 10.0, 180.0, 400.0)]
    assert places[0] == places[1] == 0.0
    assert places[-2] == places[-1] == 1.0
    assert places[2:6] == sorted(places[2:6])
    one_decade = bars.decade_position(1.0) - bars.decade_position(0.1)
    assert one_decade == pytest.approx(bars.decade_position(10.0) - bars.decade_position(1.0))


def test_a_tolerance_grows_with_noise_and_a_ball_has_none():
    assert tolerated_deg("ball", 30.0, 0.1) is None
    quiet, loud = (tolerated_deg("hinge", 30.0, noise) for noise in (0.0, 2.0))
    assert quiet == pytest.approx(math.hypot(0.5, 0.5, 0.06 * 30.0))
    assert loud**2 - quiet**2 == pytest.approx(2 * 2.0**2)


def test_a_candidate_passes_up_to_its_tolerance():
    assert bars.Candidate("hinge", 1.0, 1.0).passes is True
    assert bars.Candidate("hinge", 1.1, 1.0).passes is False
    assert bars.Candidate("hinge", None, 1.0).passes is None


# --- the view of a cube -------------------------------------------------------------------------


@pytest.mark.thorough
@given(st.floats(-180, 180), st.floats(-90, 90))
def test_a_view_is_a_rotation(yaw, pitch):
    matrix = View(yaw, pitch).matrix
    np.testing.assert_allclose(matrix @ matrix.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(matrix) == pytest.approx(1.0)


@pytest.mark.parametrize(("name", "axis"), [("X", 0), ("Y", 1), ("Z", 2)])
def test_looking_along_an_axis_has_it_point_at_the_eye(name, axis):
    np.testing.assert_allclose(ALONG[name].matrix[2], np.eye(3)[axis], atol=1e-12)


LOOK = View()


def stage(view=LOOK, half=10.0):
    return Stage(view, 400.0, 300.0, (1.0, 2.0, 3.0), half)


def test_the_middle_of_the_cube_is_in_the_middle():
    np.testing.assert_allclose(stage().project((1.0, 2.0, 3.0)), (200.0, 150.0, 0.0), atol=1e-9)


def test_up_is_up_and_right_is_right():
    front = stage(View(0.0, 0.0))
    x, y, depth = front.project((1.0, 2.0, 3.0 + 5.0))
    assert (x, y) == pytest.approx((200.0, 150.0))
    assert depth > 0.0  # Z points at the eye
    assert front.project((1.0, 7.0, 3.0))[1] < 150.0
    assert front.project((6.0, 2.0, 3.0))[0] > 200.0


@given(st.floats(-180, 180), st.floats(-90, 90))
def test_the_whole_cube_is_seen_from_everywhere(yaw, pitch):
    corners = np.array([[x, y, z] for x in (-9, 11) for y in (-8, 12) for z in (-7, 13)])
    at = stage(View(yaw, pitch)).project(corners)
    assert (at[:, 1] > -15.0).all()
    assert (at[:, 1] < 315.0).all()


def test_what_is_in_front_follows_the_mouse():
    before, after = View(0.0, 0.0), orbited(View(0.0, 0.0), 30.0, 20.0)
    near = np.array([1.0, 2.0, 12.0])
    a, b = stage(before).project(near), stage(after).project(near)
    assert b[0] > a[0]
    assert b[1] > a[1]


def test_turning_over_the_pole_stops_there():
    assert orbited(View(0.0, 80.0), 0.0, 500.0).pitch_deg == 90.0


@pytest.mark.thorough
@given(st.floats(0.3, 5.0), st.floats(-0.5, 0.5), st.floats(-0.5, 0.5))
def test_zooming_keeps_what_is_under_the_mouse(factor, x, y):
    start = View(20.0, 30.0, 2.0, (0.1, -0.05))
    pixel = np.array([200.0 + 300.0 * x, 150.0 + 300.0 * y])
    before, after = stage(start), stage(zoomed(start, factor, x, y))

    def seen(one):
        return (pixel - one.origin) / one.pixels_per_unit

    np.testing.assert_allclose(seen(before), seen(after), atol=1e-9)


def test_single_precision_stays_single():
    assert stage().project(np.zeros((5, 3), np.float32)).dtype == np.float32
    assert stage().project(np.zeros((5, 3))).dtype == np.float64


# --- the cube around the cloud ------------------------------------------------------------------


@pytest.mark.thorough
@given(st.floats(-175, 175), st.floats(-85, 85))
def test_the_sides_behind_are_behind(yaw, pitch):
    one = stage(View(yaw, pitch))
    back = cube.back_signs(one)
    for axis in range(3):
        face = np.array(one.centre)
        face[axis] += back[axis] * one.half
        assert one.project(face)[2] <= 1e-9


@pytest.mark.thorough
@given(st.floats(-175, 175), st.floats(-85, 85), st.integers(0, 2))
def test_numbers_stand_on_the_outline(yaw, pitch, axis):
    one = stage(View(yaw, pitch))
    edge = cube.label_edge(one, axis)
    signs = np.sign((edge - one.centre).mean(axis=0))
    front = signs != cube.back_signs(one)
    others = [other for other in range(3) if other != axis]
    # Of the two sides that meet at the edge one is before and one is behind.
    assert front[others].sum() == 1


def test_an_axis_that_points_at_the_eye_has_no_numbers():
    assert {label.axis for label in cube.labels(stage(ALONG["Z"]))} == {0, 1}
    named = [label for label in cube.labels(stage()) if label.value is None]
    assert {label.axis for label in named} == {0, 1, 2}


# --- the cloud ----------------------------------------------------------------------------------


def blob(count, seed=0):
    return np.random.default_rng(seed).normal(0.0, [30.0, 20.0, 10.0], (count, 3))


def test_a_small_cloud_is_drawn_whole():
    levels = cloud.levels_of(blob(500))
    assert len(levels.still) == len(levels.moving) == levels.count == 500


def test_thinning_keeps_to_its_number_and_uses_most_of_it():
    kept = cloud.thinned(blob(200_000).astype(np.float32), 10_000)
    assert 5_000 < len(kept) <= 10_000 + 102
    assert (np.diff(kept) > 0).all()


@pytest.mark.thorough
def test_thinning_keeps_the_points_furthest_out_in_every_direction():
    points = blob(120_000, 3).astype(np.float32)
    kept = cloud.thinned(points, 4_000)
    for direction in cloud.directions():
        assert (points[kept] @ direction).max() == pytest.approx((points @ direction).max())


def test_thinning_keeps_a_stray_sample_that_every_nth_would_lose():
    points = np.concatenate([0.1 * blob(99_999), [[0.0, 0.0, 25.0]]]).astype(np.float32)
    points[[40_001, -1]] = points[[-1, 40_001]]
    assert 40_001 in cloud.thinned(points, 2_000)


def test_thinning_is_the_same_every_time():
    points = blob(50_000).astype(np.float32)
    np.testing.assert_array_equal(cloud.thinned(points, 999), cloud.thinned(points, 999))


@pytest.mark.parametrize("flat", [(0, 0, 0), (1, 0, 0), (1, 1, 0)])
def test_a_line_or_a_sheet_is_thinned_to_as_many_points(flat):
    points = (blob(50_000) * flat).astype(np.float32)
    assert 900 <= len(cloud.thinned(points, 1_000)) <= 1_000 + 102


def test_samples_that_are_no_numbers_are_left_out_and_the_others_keep_theirs():
    points = blob(10)
    points[3, 1] = np.nan
    levels = cloud.levels_of(points)
    assert levels.indices.tolist() == [0, 1, 2, 4, 5, 6, 7, 8, 9]


def test_the_cube_holds_the_points_and_is_never_tiny():
    centre, half = cube_around(blob(1000))
    assert (np.abs(blob(1000) - centre) < half).all()
    assert cube_around(np.full((3, 3), 7.0)) == ((7.0, 7.0, 7.0), 4.0)
    assert cube_around(np.zeros((0, 3)))[1] == 4.0


def test_of_points_on_one_pixel_the_front_one_is_found():
    places = np.array([[10.0, 10.0, -50.0], [10.0, 10.0, 50.0], [40.0, 40.0, 900.0]])
    assert cloud.nearest_on_screen(places, 11.0, 10.0, 5.0) == 1
    assert cloud.nearest_on_screen(places, 25.0, 25.0, 5.0) is None
    assert cloud.nearest_on_screen(places[:0], 0.0, 0.0, 5.0) is None


# --- points into pixels -------------------------------------------------------------------------

BLACK_AND_WHITE = cloud.shaded(np.array([[0.0, 0.0, 0.0], [255.0] * 3]), np.full(3, 128.0))


def drawn(places, colour, dot=((0, 0),), size=(8, 8)):
    canvas = np.zeros(size, np.uint32)
    cloud.splat(
        canvas, np.array(places, float), np.array(colour), BLACK_AND_WHITE, np.array(dot), 10.0
    )
    return canvas


def test_a_point_is_drawn_where_it_is():
    canvas = drawn([[2.2, 5.4, 10.0]], [1])
    assert np.argwhere(canvas).tolist() == [[5, 2]]
    assert canvas[5, 2] == 0xFFFFFFFF


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_the_nearer_point_covers_the_further(order):
    places, colours = np.array([[3.0, 3.0, 9.0], [3.0, 3.0, -9.0]]), np.array([1, 0])
    assert drawn(places[list(order)], colours[list(order)])[3, 3] > 0xFFF00000


def test_points_beyond_the_picture_are_left_out():
    assert not drawn([[-1.0, 3.0, 0.0], [8.0, 3.0, 0.0], [3.0, 99.0, 0.0]], [1, 1, 1]).any()


def test_far_points_fade():
    near, far = drawn([[3, 3, 10.0]], [1])[3, 3], drawn([[3, 3, -10.0]], [1])[3, 3]
    assert (near & 0xFF) == 255
    assert 128 < (far & 0xFF) < 255


@given(st.floats(1.0, 9.0))
def test_a_dot_is_about_as_wide_as_asked(diameter):
    dot = cloud.stencil(diameter)
    wide = dot.max(axis=0) - dot.min(axis=0) + 1
    assert (np.abs(wide - diameter) <= 1.6).all()
    assert len(np.unique(dot, axis=0)) == len(dot)


def test_fewer_points_are_larger():
    sizes = [cloud.diameter_for(count, 2.0) for count in (10, 5_000, 1_000_000)]
    assert sizes == [8.0, 6.0, 4.0]


# --- limits in the space of rotation vectors ----------------------------------------------------

IDENTITY = (0.0, 0.0, 0.0, 1.0)


def test_a_narrow_box_is_nearly_a_box():
    to_vectors = to_vectors_of(Frame("xyz", (0, 0, 0), (0, 0, 0)), IDENTITY)
    edges, triangles = box_shape((-1, -2, -3), (1, 2, 3), to_vectors)
    assert edges.shape == (12 * figures.space.STEPS, 2, 3)
    assert triangles.shape == (6 * 2 * figures.space.STEPS**2, 3, 3)
    np.testing.assert_allclose(np.abs(edges).max(axis=(0, 1)), (1, 2, 3), rtol=0.06)


def test_every_corner_of_the_shape_is_on_the_box():
    order, orient, axis = "zxy", (10.0, 20.0, -30.0), (0.0, 5.0, 0.0)
    rotate = np.array([25.0, -40.0, 60.0])
    to_vectors = to_vectors_of(Frame(order, orient, axis), IDENTITY)
    own = to_vectors_by_hand(order, orient, axis, rotate)
    np.testing.assert_allclose(to_vectors(rotate), own, atol=1e-9)


def to_vectors_by_hand(order, orient, axis, rotate):
    Rotation = pytest.importorskip("scipy.spatial.transform").Rotation

    # SciPy's lower case turns about fixed axes, the first letter first: as Maya names its orders.
    def turn(letters, degrees):
        values = [degrees["xyz".index(letter)] for letter in letters]
        return Rotation.from_euler(letters, values, degrees=True)

    both = turn("xyz", orient) * turn(order, rotate) * turn("xyz", axis)
    return np.degrees(both.as_rotvec())


def test_a_locked_axis_makes_a_sheet():
    to_vectors = to_vectors_of(Frame("xyz", (0, 0, 0), (0, 0, 0)), IDENTITY)
    _, triangles = box_shape((-20, -20, 0), (20, 20, 0), to_vectors)
    assert len(triangles) == 2 * figures.space.STEPS**2


def test_nothing_jumps_across_the_end_of_the_space():
    to_vectors = to_vectors_of(Frame("xyz", (0, 0, 0), (0, 0, 0)), IDENTITY)
    edges, triangles = box_shape((-180, -30, -30), (180, 30, 30), to_vectors)
    assert len(edges)
    assert np.linalg.norm(edges[:, 1] - edges[:, 0], axis=1).max() < 90.0
    assert np.linalg.norm(triangles[:, 1] - triangles[:, 0], axis=1).max() < 90.0


# --- swing and twist ----------------------------------------------------------------------------


@pytest.mark.parametrize("axis", ["X", "Y", "Z"])
def test_swing_and_twist_are_told_apart(axis):
    bone = AXES.index(axis)
    first, second = across(axis)
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


def disc(**view):
    return swing.DiscLayout(swing.DiscView(**view), 330.0, 390.0)


@pytest.mark.thorough
@given(st.floats(-90, 90), st.floats(-90, 90), st.floats(1.0, 20.0))
def test_a_pixel_of_the_disc_is_its_swing(first, second, zoom):
    layout = disc(reach_deg=90.0, zoom=zoom, middle=(5.0, -3.0))
    found = layout.swing(*layout.pixel((first, second)))
    assert found == pytest.approx((first, second), abs=1e-6)


def test_the_disc_and_its_names_fit():
    layout = disc(reach_deg=60.0)
    assert layout.pixel((60.0, 0.0))[0] < 330.0 - 10.0
    assert layout.pixel((0.0, 60.0))[1] > 10.0
    assert layout.pixel((0.0, -60.0))[1] < layout.strip[1] - 10.0


@given(st.floats(-179, 179))
def test_a_pixel_of_the_strip_is_its_twist(twist):
    assert disc().twist(disc().twist_x(twist)) == pytest.approx(twist)


def test_the_rim_is_round_and_holds_everything():
    assert swing.reach_for(np.array([[12.0, 5.0]])) == 15.0
    assert swing.reach_for(np.array([[40.0, 30.0]])) == 60.0
    assert swing.reach_for(np.array([[170.0, 60.0]])) == 180.0
    assert swing.reach_for(np.zeros((0, 2))) == 90.0


def test_zooming_the_disc_keeps_what_is_under_the_mouse_and_goes_back_to_all():
    layout = disc()
    before = layout.swing(100.0, 90.0)
    nearer = swing.DiscLayout(swing.disc_zoomed(layout, 3.0, 100.0, 90.0), 330.0, 390.0)
    assert nearer.swing(100.0, 90.0) == pytest.approx(before)
    assert swing.disc_zoomed(nearer, 0.1, 7.0, 7.0) == swing.DiscView()
    assert swing.disc_panned(layout, 50.0, 0.0) == layout.view  # nothing to shift


def test_dragging_the_disc_brings_the_swing_along():
    layout = disc(zoom=4.0)
    moved = swing.DiscLayout(swing.disc_panned(layout, 12.0, -7.0), 330.0, 390.0)
    np.testing.assert_allclose(moved.pixel((3.0, 4.0)) - layout.pixel((3.0, 4.0)), (12.0, -7.0))


def test_the_outline_goes_round_at_the_furthest():
    rng = np.random.default_rng(0)
    angle, radius = rng.uniform(0, 2 * np.pi, 20_000), 40.0 * np.sqrt(rng.uniform(0, 1, 20_000))
    points = np.stack([10.0 + radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    outline = reach_outline(points)
    assert len(outline) == 121
    np.testing.assert_array_equal(outline[0], outline[-1])
    np.testing.assert_allclose(np.hypot(outline[:, 0] - 10.0, outline[:, 1]), 40.0, atol=1.0)
    assert reach_outline(np.zeros((0, 2))).shape == (0, 2)


def test_density_counts_everything_inside_once():
    places = np.array([[0.5, 0.5], [0.9, 0.1], [2.5, 1.5], [-0.5, 0.5], [3.0, 0.0]])
    assert swing.density(places, 3, 2).tolist() == [[2, 0, 0], [0, 0, 1]]


def test_every_twist_is_counted():
    counts = swing.twist_counts(np.array([-180.0, 0.0, 1.9, 180.0]))
    assert counts.sum() == 4
    assert counts[[0, 90, 179]].tolist() == [1, 2, 1]


# --- the time strip -----------------------------------------------------------------------------


def rows(frames=100, count=3):
    numbers = 101.0 + np.arange(frames)
    values = np.arange(count)[:, None] + np.sin(numbers)
    return strip_rows.Rows(tuple("abcdefgh"[:count]), numbers, np.zeros((count, frames)), values)


def strip_layout(span=None, scroll=0.0, height=120.0, given=None):
    given = given or rows()
    span = span or strip.whole_span(given)
    return strip.StripLayout(600.0, height, span, scroll, given.row_pixels, given.count)


def test_the_whole_clip_has_half_a_frame_at_both_ends():
    assert strip.whole_span(rows()) == strip.Span(100.5, 200.5)
    assert strip.whole_span(strip_rows.NO_ROWS).length == 1.0
    assert strip.whole_span(rows(1)) == strip.Span(100.5, 101.5)


@pytest.mark.thorough
@given(st.floats(100.5, 200.5))
def test_a_pixel_of_the_strip_is_its_frame(frame):
    layout = strip_layout()
    assert layout.frame(layout.x(frame)) == pytest.approx(frame)


@pytest.mark.thorough
@given(st.floats(0.01, 100.0), st.floats(101.0, 200.0))
def test_zooming_time_stays_within_the_clip(factor, frame):
    whole = strip.whole_span(rows())
    span = strip.span_zoomed(strip.Span(120.0, 160.0), whole, factor, frame)
    assert whole.first - 1e-9 <= span.first < span.last <= whole.last + 1e-9
    assert span.length >= 8.0 - 1e-9


def test_zooming_time_keeps_the_frame_under_the_mouse():
    whole, before = strip.whole_span(rows()), strip.Span(120.0, 160.0)
    after = strip.span_zoomed(before, whole, 2.0, 130.0)
    assert after.length == pytest.approx(20.0)
    assert (130.0 - after.first) / after.length == pytest.approx(10.0 / 40.0)


def test_the_playhead_is_brought_into_sight_only_if_it_is_not():
    whole, span = strip.whole_span(rows()), strip.Span(120.0, 140.0)
    assert strip.span_showing(span, whole, 125.0) == span
    assert strip.span_showing(span, whole, 180.0) == strip.Span(170.0, 190.0)
    assert strip.span_showing(span, whole, 199.0) == strip.Span(180.5, 200.5)


@pytest.mark.parametrize(
    ("asked", "found"), [(0.0, 101.0), (101.4, 101.0), (101.6, 102.0), (999.0, 200.0)]
)
def test_the_nearest_frame(asked, found):
    frames = rows().frames
    assert frames[strip_rows.nearest_frame(frames, asked)] == found
    assert strip_rows.nearest_frame(frames[:1], asked) == 0


@pytest.mark.thorough
@given(st.integers(1, 5000), st.floats(60.0, 900.0))
def test_no_frame_outside_is_lost_however_many_share_a_pixel(frames, width):
    numbers = np.arange(float(frames))
    values = np.zeros(frames)
    values[frames // 3] = 7.0
    given_rows = strip_rows.Rows(("a",), numbers, values[None])
    layout = strip.StripLayout(width, 80.0, strip.whole_span(given_rows), 0.0, 22.0, 1)
    starts, columns = strip.column_starts(layout, numbers)
    assert strip_rows.worst_in(values, starts, frames).max() == 7.0
    assert (np.diff(columns) > 0).all()
    assert len(columns) <= width
    assert strip_rows.least_in(-values, starts, frames).min() == -7.0


def test_columns_of_frames_out_of_sight_are_empty():
    starts, columns = strip.column_starts(strip_layout(strip.Span(0.0, 10.0)), rows().frames)
    assert len(starts) == len(columns) == 0
    assert len(strip_rows.worst_in(rows().outside_deg[0], starts, 0)) == 0


def test_a_frame_that_was_not_compared_does_not_hide_its_neighbours():
    values = np.array([np.nan, 3.0, np.nan, np.nan])
    found = strip_rows.worst_in(values, np.array([0, 2]), 4)
    assert found[0] == 3.0
    assert np.isnan(found[1])


def test_rows_scroll():
    layout = strip_layout(scroll=50.0)
    assert layout.row(10.0) is None
    assert layout.row(layout.top(1) + 9.0) == 1
    assert list(layout.seen_rows) == [1, 2]
    assert layout.most_scroll == 3 * strip_rows.TALL_ROW - (120.0 - strip.HEADER_PIXELS)


def test_the_scale_of_a_curve_holds_its_range_and_its_values():
    one = rows()
    one = strip_rows.Rows(one.labels, one.frames, one.outside_deg, one.values, (-40.0,), (10.0,))
    low, high = strip_rows.value_scale(one, 0)
    assert low < -40.0
    assert high > 10.0
    low, high = strip_rows.value_scale(one, 2)  # without a range
    assert low < 1.0 < 3.0 < high
    flat = strip_rows.Rows(("a",), one.frames, one.outside_deg[:1], np.full((1, 100), 5.0))
    assert strip_rows.value_scale(flat, 0) == (4.0, 6.0)


def test_the_next_stretch_outside_is_found_from_its_start():
    outside = strip_rows.outside_frames(np.array([[0, 2, 2, 0, 0], [0, 0, 0, 0.05, 9]]), 0.1)
    assert outside.tolist() == [False, True, True, False, True]
    assert strip_rows.next_outside(outside, 0, True) == 1
    assert strip_rows.next_outside(outside, 1, True) == 4
    assert strip_rows.next_outside(outside, 4, True) is None
    assert strip_rows.next_outside(outside, 4, False) == 1
    assert strip_rows.next_outside(outside, 1, False) is None


def test_a_marked_frame_is_a_next_place_too():
    outside = np.array([False, True, True, False, False])
    marked = np.array([False, False, True, False, True])
    assert strip_rows.next_outside(outside, 0, True, marked) == 1
    assert strip_rows.next_outside(outside, 1, True, marked) == 2
    assert strip_rows.next_outside(outside, 2, True, marked) == 4
    assert strip_rows.next_outside(outside, 4, False, marked) == 2


def marked_rows():
    """Two rows of 100 frames from 10 on, every second one; the upper has millimetres and marks."""
    numbers = 10.0 + 2.0 * np.arange(100)
    values = np.stack([np.full(100, 4.0), np.full(100, -3.0)])
    marks = (
        (
            strip_rows.Mark(30.0, "first"),
            strip_rows.Mark(32.0, "second"),
            strip_rows.Mark(61.0, "odd"),
        ),
    )
    return strip_rows.Rows(("gap", "a"), numbers, np.zeros((2, 100)), values, gaps=frozenset({0}),
                      marks=marks)  # fmt: skip


def test_marks_are_found_by_the_mouse_in_their_row_only():
    given_rows = marked_rows()
    layout = strip.StripLayout(900.0, 200.0, strip.whole_span(given_rows), 0.0, 46.0, 2)
    apart = layout.x(32.0) - layout.x(30.0)
    assert strip.MARK_PIXELS < apart < 2.0 * strip.MARK_PIXELS
    found = [strip.mark_at(layout, given_rows, 0, layout.x(30.0) + step) for step in
             (-strip.MARK_PIXELS - 1, -strip.MARK_PIXELS, 0, 0.4 * apart, 0.6 * apart)]  # fmt: skip
    texts = [None if mark is None else mark.text for mark in found]
    assert texts == [None, "first", "first", "first", "second"]
    assert strip.mark_at(layout, given_rows, 1, layout.x(30.0)) is None
    assert strip.mark_at(layout, given_rows, None, layout.x(30.0)) is None


def test_a_mark_between_frames_belongs_to_the_nearest():
    found = np.flatnonzero(strip_rows.marked_frames(marked_rows()))
    assert marked_rows().frames[found].tolist() in ([30.0, 32.0, 60.0], [30.0, 32.0, 62.0])
    assert not strip_rows.marked_frames(rows()).any()


def test_gaps_are_drawn_from_nothing_upwards():
    assert strip_rows.value_scale(marked_rows(), 0) == (0.0, pytest.approx(4.4))
    low, high = strip_rows.value_scale(marked_rows(), 1)
    assert low < -3.0 < high < 0.0
    unknown = strip_rows.Rows(("gap",), np.arange(4.0), np.zeros((1, 4)), np.full((1, 4), np.nan),
                         gaps=frozenset({0}))  # fmt: skip
    low, high = strip_rows.value_scale(unknown, 0)
    assert low == 0.0 < high
