"""The character in figures: its geometry, its ranges at the joints, and what hostile clips do."""

from dataclasses import replace

import numpy as np
import pytest

from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.evaluation.violations import violations
from jointlimits_core.geometry import quaternion
from jointlimits_core.geometry.euler import quaternion_from_euler
from jointlimits_core.geometry.quaternion import multiply, quaternion_from_axis_angle
from jointlimits_core.limits.review_entries import review
from jointlimits_core.motion.motion import Motion
from jointlimits_core.report.figures import character as figure
from jointlimits_core.report.figures import range_shapes
from jointlimits_core.report.figures.space import local_rotations
from jointlimits_core.report.figures.view import Stage, View
from tests.support.evaluation_examples import box, chain, limits
from tests.support.made_motion import rotate as turned_by
from tests.support.made_motion import there_and_back, waves


def moving(joints=3, frames=20, offsets=None, seed=0, **rest):
    """Chain of joints, in the clip's own unit, that turn about random axes."""
    rng = np.random.default_rng(seed)
    turns = rng.normal(size=(frames, joints, 4))
    parents = [-1, *range(joints - 1)]
    if offsets is None:
        offsets = np.tile([0.0, 1.0, 0.0], (joints, 1))
    names = [f"joint{number}" for number in range(joints)]
    return Motion.from_quaternions(names, parents, turns, 30.0, offsets=offsets, **rest)


def test_joints_are_where_the_parents_carry_them():
    motion = moving()
    found = figure.character_of(motion).pose(index=7)
    place, turn = np.array([0.0, 1.0, 0.0]), motion.rotations[0, :, 7]
    for joint in (1, 2):
        place = place + quaternion.rotate(turn, [0.0, 1.0, 0.0])
        np.testing.assert_allclose(found.places[joint], place, atol=1e-12)
        turn = multiply(turn, motion.rotations[joint, :, 7])


@pytest.mark.parametrize("scale", [0.01, 1.0, 39.37])
@pytest.mark.parametrize("away", [0.0, 10_000.0])
def test_every_frame_fits_in_the_picture_in_any_unit_and_anywhere(scale, away):
    offsets = scale * np.tile([0.0, 1.0, 0.0], (5, 1))
    offsets[0] = [away, 0.0, -away]
    character = figure.character_of(moving(5, offsets=offsets))
    for index in range(20):
        pose = character.pose(index=index)
        centre = tuple(character.centre(pose))
        stage = Stage(View(50.0, 25.0), 320.0, 240.0, centre, character.reach)
        pixels = stage.project(pose.places)
        assert np.isfinite(pixels).all()
        assert (pixels[:, :2] >= 0.0).all()
        assert (pixels[:, :2] <= [320.0, 240.0]).all()
    assert character.reach < 10.0 * scale


def test_the_ground_is_under_the_character_and_fixed_in_the_world():
    offsets = np.tile([0.0, 1.0, 0.0], (4, 1))
    character = figure.character_of(moving(4, offsets=offsets))
    lines = character.ground(character.pose(index=0))
    assert np.allclose(lines[..., 1], character.floor)
    moved = moving(4, offsets=np.vstack([[[12_345.6, 1.0, 0.0]], offsets[1:]]))
    far = figure.character_of(moved)
    steps = np.unique(np.round(np.diff(np.unique(lines[:, 0, 0])), 9))
    there = far.ground(far.pose(index=0))[:, 0, 0] / steps[0]
    np.testing.assert_allclose(there, np.round(there), atol=1e-6)


def test_a_character_that_lies_along_z_stands_up():
    upright = np.zeros((6, 3))
    upright[:, 2] = 1.0
    still = np.tile([0.0, 0.0, 0.0, 1.0], (4, 6, 1))
    names, parents = list("abcdef"), [-1, 0, 1, 2, 3, 4]
    motion = Motion.from_quaternions(names, parents, still, 30.0, offsets=upright)
    character = figure.character_of(motion)
    places = character.pose(index=0).places
    assert places[-1, 1] - places[0, 1] == pytest.approx(5.0)
    assert "Z is taken as up" in character.notes[0]


def test_a_trail_passes_the_joint():
    character = figure.character_of(moving())
    indices = character.trail_indices(12)
    trail = character.places(indices)[:, character.end(1)]
    assert trail.shape == (len(indices), 3)
    assert indices[-1] == 12
    assert set(np.diff(indices)) == {figure.trail_step(character.motion.frame_rate)}
    np.testing.assert_allclose(trail[-1], character.pose(index=12).places[2])
    assert character.trail_indices(0) == [0]


def test_a_ghost_stands_where_the_body_stands():
    character = figure.character_of(moving())
    here, there = character.pose(index=3), character.pose(index=12)
    ghost = character.ghost(here, there)
    np.testing.assert_allclose(ghost[0, [0, 2]], here.places[0, [0, 2]])
    np.testing.assert_allclose(ghost - ghost[0], there.places - there.places[0])


# Hostile clips


def test_a_root_that_stays_behind_is_not_followed():
    offsets = np.tile([0.0, 1.0, 0.0], (4, 1))
    plain, walk = moving(4, offsets=offsets), np.linspace([0.0, 0.0, 0.0], [50.0, 0.0, 0.0], 20)
    plain.rotations[0] = [[0.0], [0.0], [0.0], [1.0]]
    character = figure.character_of(replace(plain, translations={1: walk}))
    assert (character.anchor, figure.character_of(plain).anchor) == (1, 0)
    assert character.reach < 2.0 * figure.character_of(plain).reach
    assert character.bones.tolist() == [[1, 2], [2, 3]]
    assert character.notes == ("the figure follows joint1, which moves away from joint0",)
    pose = character.pose(index=19)
    assert np.abs(character.centre(pose) - pose.places[1])[[0, 2]].max() < character.reach


def test_a_clip_without_bone_lengths_is_drawn_and_says_so():
    character = figure.character_of(moving(4, offsets=np.zeros((4, 3))))
    assert "no bone lengths" in character.notes[0]
    ends = character.pose(index=0).places[character.bones]
    np.testing.assert_allclose(np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1), 1.0)


def test_without_bone_lengths_a_turned_chain_hangs_straight_down_at_rest():
    turns = quaternion_from_euler(np.random.default_rng(2).uniform(-1.0, 1.0, (1, 4, 3)), "xyz")
    names, parents = ["a", "b", "c", "d"], [-1, 0, 1, 2]
    clip = Motion.from_quaternions(names, parents, turns, 30.0, rest_rotations=turns[0])
    character = figure.character_of(clip)
    expected = np.outer(-np.arange(4.0), [0.0, 1.0, 0.0])
    np.testing.assert_allclose(character.pose().places, expected, atol=1e-12)
    np.testing.assert_allclose(character.turn, np.eye(3))


def test_one_joint_and_one_frame():
    character = figure.character_of(moving(1, 1))
    assert character.bones.shape == (0, 2)
    assert character.reach > 0.0
    assert "one joint" in character.notes[0]
    assert np.isfinite(character.ground(character.pose())).all()


def test_frames_that_are_not_finite_do_not_set_the_size():
    motion = moving()
    size = figure.character_of(motion).reach
    motion.rotations[1, :, 4] = np.nan
    assert figure.character_of(motion).reach == pytest.approx(size, rel=0.2)
    motion.rotations[:] = np.nan
    assert figure.character_of(motion).reach == 1.0


# Ranges at the joints


def test_an_arc_is_what_the_bone_passes_from_minimum_to_maximum():
    limit = box((0.0, 0.0), (-30.0, 60.0), (0.0, 0.0), kind="hinge")
    shape = range_shapes.range_shape(limit, "knee", np.array([1.0, 0.0, 0.0]))
    assert (shape.kind, shape.channel) == (range_shapes.ARC, "rotateY")
    for end, degrees in zip(shape.directions[[0, -1]], (-30.0, 60.0)):
        turn = quaternion_from_axis_angle([0.0, 1.0, 0.0], np.radians(degrees))
        np.testing.assert_allclose(end, quaternion.rotate(turn, [1.0, 0.0, 0.0]), atol=1e-12)


def test_a_bone_that_only_twists_shows_its_twist():
    limit = box((-40.0, 40.0), (0.0, 0.0), (0.0, 0.0), kind="hinge")
    shape = range_shapes.range_shape(limit, "forearm", np.array([1.0, 0.0, 0.0]))
    assert abs(shape.tip[0]) < 1e-12
    cosine = float(shape.directions[0] @ shape.directions[-1])
    assert np.degrees(np.arccos(cosine)) == pytest.approx(80.0)


def test_a_swing_boundary_is_closed_and_holds_every_direction_inside():
    limit = box((-20.0, 20.0), (-50.0, 10.0), (-30.0, 40.0))
    bone = np.array([1.0, 0.0, 0.0])
    shape = range_shapes.range_shape(limit, "hip", bone)
    assert shape.kind == range_shapes.SWING
    assert shape.channel is None
    np.testing.assert_allclose(shape.directions[0], shape.directions[-1])
    np.testing.assert_allclose(np.linalg.norm(shape.directions, axis=1), 1.0)
    inside = np.random.default_rng(0).uniform([-19, -48, -28], [19, 8, 38], (300, 3))
    places = quaternion.rotate(local_rotations(limit.orientation, inside), bone)
    assert (np.abs(windings(shape.directions, places)) > 0.99).mean() > 0.98
    beyond = quaternion.rotate(
        local_rotations(limit.orientation, [[0.0, 25.0, 0.0], [0.0, 0.0, 60.0]]), bone
    )
    assert (np.abs(windings(shape.directions, beyond)) < 0.01).all()


def windings(outline, places):
    """Times that an outline on the sphere goes around each place."""
    found = []
    for place in places:
        side = np.cross(place, np.eye(3)[np.abs(place).argmin()])
        side /= np.linalg.norm(side)
        turn = np.arctan2(outline @ np.cross(place, side), outline @ side)
        steps = (np.diff(turn) + np.pi) % (2.0 * np.pi) - np.pi
        found.append(steps.sum() / (2.0 * np.pi))
    return np.array(found)


@pytest.mark.parametrize(
    "limit",
    [
        box((0.0, 0.0), (0.0, 0.0), (0.0, 0.0), kind="fixed"),
        box((0.0, 0.3), (0.0, 0.0), (0.0, 0.0), kind="hinge"),
        box(None, None, None),
    ],
    ids=["fixed", "hardly moves", "anywhere"],
)
def test_joints_without_a_range_to_draw(limit):
    assert range_shapes.range_shape(limit, "any", np.array([0.0, 1.0, 0.0])) is None


def test_shapes_of_estimated_limits_touch_the_bone_at_their_ends():
    curve = there_and_back(-20.0, 80.0, 61)
    upper = turned_by(*waves((-40, 40), (-30, 30), (-20, 35), frames=61))
    motion = chain({"hips": turned_by(0.0 * curve), "upper": upper, "lower": turned_by(y=curve)})
    found = estimate(motion)
    shapes = range_shapes.range_shapes(found, motion.skeleton)
    character = figure.character_of(motion)
    arc = shapes["lower"]
    assert arc.kind == range_shapes.ARC
    index = motion.skeleton.index("lower")
    for end, frame in zip(arc.directions[[0, -1]], (0, 30)):
        at = character.pose(index=frame)
        bone = quaternion.rotate(motion.rotations[index, :, frame], arc.tip)
        np.testing.assert_allclose(at.spaces[index] @ bone, at.spaces[index] @ end, atol=1e-6)
    assert shapes["upper"].kind == range_shapes.SWING


def test_a_bone_points_to_its_children_or_on_from_its_parent():
    skeleton = moving(3, offsets=[[0, 0, 0], [0, 2, 0], [3, 0, 0]]).skeleton
    np.testing.assert_allclose(range_shapes.bone_direction(skeleton, 0), [0.0, 1.0, 0.0])
    np.testing.assert_allclose(range_shapes.bone_direction(skeleton, 2), [1.0, 0.0, 0.0])


# States


def test_states_come_in_order_of_urgency():
    limit = box((-40.0, 40.0), (-30.0, 30.0), (-90.0, 90.0))
    names = ("a", "b", "c", "d", "e")
    free = box(None, None, None)
    of_all = limits({**dict.fromkeys(names, limit), "f": free})
    states = {
        name: figure.joint_state(one, name == "a", name in "abcd", name in "ab", name in "abcd")
        for name, one in of_all.joints.items()
    }
    assert list(states.values()) == ["outside", "look", "near", "near", "inside", "free"]
    assert set(states.values()) <= set(figure.STATE_NAMES)
    assert figure.pinned_joints(of_all) == frozenset()
    assert figure.look_joints(review(of_all)) == frozenset()


def test_near_is_within_five_degrees_on_either_side_of_a_limit_that_moves():
    limit = box((-40.0, 40.0), (0.0, 0.0), (-3.0, 3.0))

    def is_near_at(x):
        return figure.is_near(limit, chain({"joint": turned_by(x=x)}), 0)

    assert [is_near_at(x) for x in (0.0, 34.0, 36.0, 44.0, 46.0, -36.0)] == [
        *(False, False, True, True, False, True)
    ]
    outside = violations(limits({"joint": limit}), chain({"joint": turned_by(x=44.0)}))
    assert outside.outside_deg.max() == pytest.approx(4.0)


def test_the_arcs_of_a_ball_meet_in_the_pose_and_end_at_its_limits():
    spans = {"rotateX": (-20.0, 50.0), "rotateY": (-30.0, 40.0), "rotateZ": (-60.0, 10.0)}
    limit = box(*spans.values())
    bone, at = np.array([0.6, 0.8, 0.0]), np.array([10.0, -5.0, -20.0])
    arcs = range_shapes.channel_arcs(limit, "joint", bone, at)
    assert [arc.channel for arc in arcs] == list(spans)
    here = quaternion.rotate(local_rotations(limit.orientation, at[None])[0], bone)
    for row, arc in enumerate(arcs):
        np.testing.assert_allclose(
            range_shapes.arc_directions(limit, arc, at, at[row : row + 1])[0], here
        )
        np.testing.assert_allclose(
            range_shapes.arc_directions(limit, arc, at, spans[arc.channel]),
            arc.directions[[0, -1]],
            atol=1e-12,
        )
