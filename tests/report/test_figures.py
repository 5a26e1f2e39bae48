"""The report's figures: their geometry, without drawing."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jointlimits_core.base.findings import Finding
from jointlimits_core.geometry.euler import ROTATE_ORDERS, local_from_rotate, quaternion_from_euler
from jointlimits_core.geometry.quaternion import (
    angle_between,
    multiply,
    quaternion_from_axis_angle,
    quaternion_from_rotation_vector,
)
from jointlimits_core.limits.limit_set import Orientation, Universal
from jointlimits_core.report.figures.circle import bar_segments, counts_on_circle, spikes
from jointlimits_core.report.figures.samples import (
    mean_rotation,
    on_branch,
    relative_rotation_vectors,
    samples_of,
)
from jointlimits_core.report.figures.space import axis_lines, rest_rotation
from jointlimits_core.report.html.joint_section import joint_section
from jointlimits_core.report.html.limits_page import frame_link
from tests.support.limit_set_examples import FREE, joint, limit_set, lock, motion, rotate_deg, span
from tests.support.page_streams import pieces, words_of

angles = st.floats(-1000.0, 1000.0, allow_nan=False)


# The angle circle


@pytest.mark.thorough
@given(st.lists(st.integers(-2000, 2000).map(lambda whole: whole + 0.5), max_size=50))
def test_counts_on_the_circle(values):
    expected = [0] * 36
    for value in values:
        expected[int(((value + 5.0) % 360.0) // 10.0)] += 1
    assert list(counts_on_circle(np.array(values), 10)) == expected


def test_a_single_sample_among_many_is_seen():
    counts = np.zeros(180, dtype=np.int64)
    counts[[0, 90]] = 10_000, 1
    lengths = [end - start for _, start, end in spikes(counts)]
    assert len(lengths) == 2
    assert lengths[0] > 17
    assert lengths[1] > 3
    assert spikes(np.zeros(180, dtype=np.int64)) == []


# Bars


@given(angles, st.floats(0.0, 500.0))
def test_bars_cover_what_the_range_covers(low, span):
    pieces = bar_segments(low, low + span)
    assert sum(length for _, length in pieces) == pytest.approx(min(span, 360.0) / 3.6)
    for start, length in pieces:
        assert -1e-9 <= start <= 100.0
        assert start + length <= 100.0 + 1e-9
    for share in (0.1, 0.5, 0.9):
        place = ((low + share * span + 180.0) % 360.0) / 3.6
        assert any(start - 1e-6 <= place <= start + length + 1e-6 for start, length in pieces)


# Samples


@pytest.mark.thorough
@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(ROTATE_ORDERS),
    st.lists(st.floats(-400.0, 400.0), min_size=3, max_size=3),
    st.integers(0, 2**32 - 1),
)
def test_the_branch_of_the_limits(order, low, seed):
    """Any set of Euler angles of poses inside a box comes back into the box, the poses the same."""
    generator = np.random.default_rng(seed)
    low = np.array(low)
    inside = low + generator.uniform(0.0, 60.0, (20, 3))
    limit = joint(
        "ball",
        [span(a, a + 60.0) for a in low],
        orientation=Orientation(order, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
    )
    turned = np.radians(inside + 360.0 * generator.integers(-2, 3, (20, 3)))
    mirrored = turned + np.pi
    middle = "xyz".index(order[1])
    mirrored[:, middle] = np.pi - turned[:, middle]
    for given_angles in (turned, mirrored):
        found = np.degrees(on_branch(given_angles, limit))
        # A pose may lie in the box by both of its sets of angles.
        assert (found >= low - 0.6).all()
        assert (found <= low + 60.6).all()
        difference = angle_between(
            quaternion_from_euler(np.radians(inside), order),
            quaternion_from_euler(np.radians(found), order),
        )
        assert difference.max() < 1e-9


def test_contiguous_channels_are_in_the_box():
    samples = samples_of(limit_set(), "hip", [motion()])
    assert samples.contiguous[:, 2].min() >= 149.9
    assert samples.contiguous[:, 2].max() <= 210.1
    assert samples.contiguous == pytest.approx(rotate_deg()[:, 3], abs=1e-9)


def test_the_source_keeps_its_own_turns_in_a_range_of_more_than_a_turn():
    values = np.radians([[-250.0, 0.0, 0.0], [300.0, 0.0, 0.0]])
    wide = joint("ball", (span(-300.0, 300.0), lock(), lock()))
    assert on_branch(values, wide) == pytest.approx(values)


def test_clips_are_pooled_and_left_out_frames_are_not_shown():
    left_out = Finding("inserted-pose", "not motion", None, "run", ((1.0, 10.0),), True)
    other_joint = Finding("spike", "not motion", "knee", "walk", ((50.0, 59.0),), True)
    limits = limit_set(findings=(left_out, other_joint))
    both = [motion("walk"), motion("run", 100)]
    hip, knee = (samples_of(limits, name, both) for name in ("hip", "knee"))
    assert len(hip) == 200 + 90
    assert len(knee) == 190 + 90
    assert list(np.bincount(hip.clip)) == [200, 90]
    assert hip.progress[[0, 199, -1]] == pytest.approx([0.0, 1.0, 1.0])
    assert (np.diff(hip.progress[:200]) >= 0.0).all()


def test_a_motion_without_the_joint_adds_nothing():
    strange = motion(names=("a", "b", "c", "d", "e"))
    assert len(samples_of(limit_set(), "hip", [strange])) == 0
    assert len(samples_of(limit_set(), "hip", [])) == 0


def test_limits_in_an_advised_frame():
    frame = Orientation("zyx", (10.0, 20.0, 30.0), (-40.0, 5.0, 6.0), "advised")
    limits = limit_set()
    hip = replace(
        limits.joints["hip"],
        orientation=frame,
        limits=dict.fromkeys(("rotateX", "rotateY", "rotateZ"), FREE),
    )
    samples = samples_of(limit_set(joints={"hip": hip}), "hip", [motion()])
    orient, axis = (
        quaternion_from_euler(np.radians(v))
        for v in (frame.joint_orient_deg, frame.rotate_axis_deg)
    )
    again = local_from_rotate(np.radians(samples.contiguous), orient, axis, "zyx")
    assert angle_between(again, motion().quaternion("hip")).max() < 1e-12


@pytest.mark.parametrize("channels", [("theta",), ("phi", "psi", "theta")])
def test_the_angles_of_the_paper(channels):
    hip = replace(
        limit_set().joints["hip"], limits={name: span(-500.0, 500.0) for name in channels}
    )
    samples = samples_of(limit_set(joints={"hip": hip}, mode="paper"), "hip", [motion()])
    assert samples.channels == channels
    assert samples.contiguous.shape == (200, len(channels))
    assert rest_rotation(hip) is None


# The cloud


def test_the_mean_is_the_middle_whatever_the_signs():
    middle = quaternion_from_euler([0.4, -1.0, 2.0])
    axis = np.array([0.6, 0.0, 0.8])
    around = multiply(middle, quaternion_from_axis_angle(axis, np.linspace(-1.0, 1.0, 41)))
    around[::3] *= -1.0
    assert angle_between(mean_rotation(around), middle) < 1e-9
    vectors = relative_rotation_vectors(around, middle)
    assert vectors == pytest.approx(np.degrees(np.linspace(-1, 1, 41))[:, None] * axis)


def test_the_hinge_line_is_where_the_samples_are():
    knee = limit_set().joints["knee"]
    rotations = samples_of(limit_set(), "knee", [motion()]).rotations
    mean = mean_rotation(rotations)
    points = relative_rotation_vectors(rotations, mean)
    (line,) = axis_lines(knee, mean, points)
    assert points.min(axis=0) == pytest.approx(line.min(axis=0), abs=0.05)
    assert points.max(axis=0) == pytest.approx(line.max(axis=0), abs=0.05)
    # The rest pose, angle zero, is the lower end of this knee.
    rest = relative_rotation_vectors(rest_rotation(knee), mean)
    assert rest == pytest.approx(line[0], abs=1e-6)


def test_the_hinge_line_from_a_rest_pose_elsewhere():
    knee = limit_set().joints["knee"]
    rest = quaternion_from_euler([0.3, 0.2, 0.1])
    turned = replace(knee.rest, rotate_deg=tuple(np.degrees([0.3, 0.2, 0.1])))
    mean = -multiply(rest, quaternion_from_axis_angle(knee.hinge.axis_child, np.radians(50.0)))
    (line,) = axis_lines(replace(knee, rest=turned), mean, np.zeros((0, 3)))
    assert line[:, 0] == pytest.approx([-50.0, 90.0])
    printed = replace(knee, limits={"theta": span(0.0, 140.0)})
    (line,) = axis_lines(printed, mean, np.zeros((0, 3)))
    assert line[:, 0] == pytest.approx([-70.0, 70.0])


def test_a_hinge_off_its_channel_has_a_dial_of_its_own():
    axis = np.array([0.6, 0.0, 0.8])
    limits = limit_set()
    hinge = replace(
        limits.joints["knee"].hinge, axis_child=tuple(axis), off_channel_deg=36.9, channel="rotateZ"
    )
    # A hinge has one dial: its other channels are locked.
    assert len(pieces(joint_section(limits, "knee", frame_link(limits, "knee", None)), "dial")) == 1
    off = limit_set(joints={"knee": replace(limits.joints["knee"], hinge=hinge)})
    section = joint_section(off, "knee", frame_link(off, "knee", None))
    assert [one["axis"] for one in pieces(section, "dial")] == [0, 3]
    assert "about the axis" in words_of(section)


def test_the_axes_of_a_universal_joint_are_the_directions_of_small_turns():
    parent, child = np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0])
    mean = quaternion_from_rotation_vector([0.2, 0.5, -0.4])
    both = Universal(tuple(parent), tuple(child))
    ball = limit_set().joints["hip"]
    joint_of_two = replace(ball, type="universal", universal=both)
    first, second = axis_lines(joint_of_two, mean, np.array([[1.0, 0.0, 0.0]]))
    small = np.radians(1.0)
    about_parent = multiply(quaternion_from_axis_angle(parent, small), mean)
    about_child = multiply(mean, quaternion_from_axis_angle(child, small))
    assert relative_rotation_vectors(about_parent, mean) == pytest.approx(first[1], abs=1e-9)
    assert relative_rotation_vectors(about_child, mean) == pytest.approx(second[1], abs=1e-9)
