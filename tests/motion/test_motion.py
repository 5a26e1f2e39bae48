"""Skeleton and Motion: what they refuse, and forward kinematics against a naive 4x4 loop."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jointlimits_core.geometry import quaternion
from jointlimits_core.geometry.euler import ROTATE_ORDERS
from jointlimits_core.motion.motion import Motion
from jointlimits_core.motion.skeleton import Skeleton
from tests.support import naive_rotation as naive

NAMES = ("root", "arm", "hand")
PARENTS = [-1, 0, 1]


def skeleton(**changes):
    return Skeleton(**{"names": NAMES, "parents": np.array(PARENTS), **changes})


def still(frames=4, joints=3):
    return np.tile(quaternion.IDENTITY, (frames, joints, 1))


def motion(**changes):
    values = {
        "skeleton": skeleton(),
        "rotations": np.moveaxis(still(), 0, 2),
        "frames": np.arange(4.0),
        "frame_rate": 30.0,
    }
    return Motion(**{**values, **changes})


# --- what a skeleton refuses -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"names": ("root", "arm", "arm")}, "'arm' is used twice"),
        ({"parents": [-1, 1, 0]}, "'arm' must come after its parent"),
        ({"parents": [-1, 2, 1]}, "'arm' must come after its parent"),
        ({"parents": [-2, 0, 1]}, "'root' must come after its parent"),
        ({"parents": [-1, 0]}, "parents must have 3 values, one per joint, not 2"),
        ({"parents": [-1, 0, 1, 2]}, "parents must have 3 values, one per joint, not 4"),
        (
            {"rotate_orders": ("xyz", "xyz")},
            "rotate_orders must have 3 values, one per joint, not 2",
        ),
        ({"rotate_orders": ("xyz", "xyz", "XYZ")}, "rotate order 'XYZ'"),
        ({"compensates_scale": [True]}, "must have 3 values, one per joint, not 1"),
        ({"offsets": np.zeros((3, 2))}, r"\(3, 2\)"),
        ({"offsets": np.zeros((2, 3))}, r"\(2, 3\)"),
        ({"scales": np.ones(3)}, r"\(3,\)"),
        ({"joint_orients": np.ones((3, 3))}, r"\(3, 3\)"),
        ({"rotate_axes": np.ones((1, 4))}, r"\(1, 4\)"),
        ({"rest_rotations": np.ones((4, 4))}, r"\(4, 4\)"),
        ({"offsets": [[0, 0, 0], [0, math.nan, 0], [0, 0, 0]]}, "offsets of joint 'arm'"),
        ({"scales": [[1, 1, 1], [1, 1, 1], [1, math.inf, 1]]}, "scales of joint 'hand'"),
        ({"joint_orients": np.zeros((3, 4))}, "joint_orients of joint 'root'"),
    ],
)
def test_skeleton_refuses_and_says_which(changes, message):
    with pytest.raises(ValueError, match=message):
        skeleton(**changes)


def test_skeleton_fills_in_what_was_not_given():
    made = skeleton(joint_orients=np.full((3, 4), 2.0))
    assert len(made) == 3
    assert made.rotate_orders == ("xyz",) * 3
    np.testing.assert_array_equal(made.offsets, np.zeros((3, 3)))
    np.testing.assert_array_equal(made.scales, np.ones((3, 3)))
    np.testing.assert_array_equal(made.rest_rotations, still(1)[0])
    np.testing.assert_array_equal(made.joint_orients, np.full((3, 4), 0.5))
    assert made.compensates_scale.tolist() == [False] * 3
    assert made.parents.dtype == np.int64


def test_skeleton_keeps_its_own_copy_of_what_it_was_given():
    offsets = np.zeros((3, 3))
    made = skeleton(offsets=offsets)
    offsets[:] = 7.0
    assert made.offsets.max() == 0.0


def test_index_suggests_names_that_are_close():
    made = skeleton()
    assert made.index("hand") == 2
    assert made.parent_name("hand") == "arm"
    assert made.parent_name("root") is None
    with pytest.raises(KeyError, match="hand"):
        made.index("hnad")
    with pytest.raises(KeyError, match="no similar name"):
        made.index("zzzzzz")


# --- what a motion refuses -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rotations": np.zeros((3, 4, 5))}, r"\(3, 4, 5\)"),
        ({"rotations": np.zeros((2, 4, 4))}, r"\(2, 4, 4\)"),
        ({"rotates": np.zeros((3, 4, 4))}, "rotates must have shape"),
        ({"rotations": np.zeros((3, 4, 0)), "frames": np.zeros(0)}, "no frames"),
        ({"frame_rate": 0.0}, "must be finite and greater than 0"),
        ({"frame_rate": -30.0}, "must be finite and greater than 0"),
        ({"frame_rate": math.nan}, "must be finite and greater than 0"),
        ({"frame_rate": math.inf}, "must be finite and greater than 0"),
        ({"frames": np.array([0.0, 1.0, 1.0, 2.0])}, "must be finite and increase"),
        ({"frames": np.array([3.0, 2.0, 1.0, 0.0])}, "must be finite and increase"),
        ({"frames": np.array([0.0, 1.0, 2.0, math.inf])}, "must be finite and increase"),
        ({"frames": np.array([0.0, math.nan, 2.0, 3.0])}, "must be finite and increase"),
    ],
)
def test_motion_refuses_and_says_what(changes, message):
    with pytest.raises(ValueError, match=message):
        motion(**changes)


def test_from_quaternions_refuses_frame_numbers_of_another_length():
    with pytest.raises(ValueError, match="shape"):
        Motion.from_quaternions(NAMES, PARENTS, still(), 30.0, frames=[1, 2])


# --- what a motion gives ---------------------------------------------------------------------


def test_from_quaternions_gives_back_what_it_was_given():
    random = np.random.default_rng(2)
    raw = random.normal(size=(6, 3, 4))
    made = Motion.from_quaternions(NAMES, PARENTS, raw, 24, rotate_orders="zxy", name="take")
    assert made.joint_names == NAMES
    assert made.frame_count == 6
    assert made.frame_rate == 24.0
    assert made.frames.tolist() == [0, 1, 2, 3, 4, 5]
    assert made.skeleton.rotate_orders == ("zxy",) * 3
    assert made.name == "take"
    assert made.rotate_deg("arm") is None
    for joint, name in enumerate(NAMES):
        expected = raw[:, joint] / np.linalg.norm(raw[:, joint], axis=-1, keepdims=True)
        np.testing.assert_allclose(made.quaternion(name), expected, atol=1e-15)
    assert made.rotations[1].flags.c_contiguous
    with pytest.raises(KeyError):
        made.quaternion("tail")


def test_from_rotates_keeps_the_source_branch_and_builds_the_local_rotation():
    random = np.random.default_rng(4)
    orients, axes = quaternion.normalize(random.normal(size=(2, 3, 4)))
    orders = ("xyz", "zxy", "yxz")
    own = skeleton(rotate_orders=orders, joint_orients=orients, rotate_axes=axes)
    degrees = random.uniform(-900, 900, (3, 3, 5))
    made = Motion.from_rotates(own, np.radians(degrees), range(1, 6), 30, "clip")
    for joint, name in enumerate(NAMES):
        np.testing.assert_allclose(made.rotate_deg(name), degrees[joint].T, rtol=1e-14)
        for frame in range(5):
            turn = naive.euler_matrix(np.radians(degrees[joint, :, frame]), orders[joint])
            expected = naive.product(
                naive.quaternion_matrix(orients[joint]),
                naive.product(turn, naive.quaternion_matrix(axes[joint])),
            )
            found = quaternion.matrix_from_quaternion(made.quaternion(name)[frame])
            np.testing.assert_allclose(found, expected, rtol=0, atol=1e-13)


def test_take_keeps_everything_that_belongs_to_the_chosen_frames():
    count = 6
    between = np.tile(np.eye(4), (count, 1, 1))
    between[:, 0, 3] = np.arange(count)
    whole = Motion.from_rotates(
        skeleton(),
        np.random.default_rng(1).normal(size=(3, 3, count)),
        10.0 + np.arange(count),
        30.0,
        "clip",
        translations={0: np.arange(18.0).reshape(count, 3)},
        scales={1: 1.0 + np.arange(18.0).reshape(count, 3)},
        between={2: between},
    )
    part = whole.keep_frames([1, 4])
    assert part.frames.tolist() == [11, 14]
    np.testing.assert_array_equal(part.rotate_deg("hand"), whole.rotate_deg("hand")[[1, 4]])
    np.testing.assert_allclose(part.all_world_matrices(), whole.all_world_matrices()[[1, 4]])
    np.testing.assert_allclose(whole.world_matrices(14), whole.all_world_matrices()[4])
    with pytest.raises(ValueError, match="no frames"):
        whole.keep_frames([])
    with pytest.raises(ValueError, match="must be finite and increase"):
        whole.keep_frames([4, 1])


@pytest.mark.parametrize("frame", [9, 12.5, 16, -1, math.nan])
def test_world_matrices_of_a_frame_that_is_not_there(frame):
    with pytest.raises(ValueError, match="6 frames from 10 to 15"):
        motion(frames=np.arange(10.0, 16.0), rotations=np.moveaxis(still(6), 0, 2)).world_matrices(
            frame
        )


# --- forward kinematics ----------------------------------------------------------------------


def naive_world(made, frame):
    """One frame, one joint after the other, written as the module's docstring says it."""
    own = made.skeleton
    worlds, scales = [], []
    for joint in range(len(own)):
        parent = own.parents[joint]
        translation = made.translations.get(joint, {frame: own.offsets[joint]})[frame]
        scale = made.scales[joint][frame] if joint in made.scales else own.scales[joint]
        scales.append([float(s) for s in scale])
        inverse = [1.0, 1.0, 1.0]
        if parent >= 0 and own.compensates_scale[joint]:
            inverse = [1.0 / s for s in scales[parent]]
        rotation_matrix = naive.quaternion_matrix(made.rotations[joint, :, frame])
        local = naive.product(
            naive.affine(naive.IDENTITY, translation),
            naive.product(
                naive.scaling(inverse),
                naive.product(naive.affine(rotation_matrix, [0, 0, 0]), naive.scaling(scale)),
            ),
        )
        if joint in made.between:
            local = naive.product(made.between[joint][frame].tolist(), local)
        elif joint in own.between:
            local = naive.product(own.between[joint].tolist(), local)
        worlds.append(local if parent < 0 else naive.product(worlds[parent], local))
    return np.array(worlds)


def random_motion(seed, joints, frames):
    """Trees of any shape with offsets, scales, compensation and transforms between."""
    random = np.random.default_rng(seed)
    parents = [-1] + [int(random.integers(-1, j)) for j in range(1, joints)]

    def affine():
        matrix = np.eye(4)
        matrix[:3] = random.normal(size=(3, 4))
        return matrix

    own = Skeleton(
        names=tuple(f"joint{j}" for j in range(joints)),
        parents=np.array(parents),
        offsets=random.normal(size=(joints, 3)),
        rest_rotations=random.normal(size=(joints, 4)),
        rotate_orders=[ROTATE_ORDERS[int(random.integers(6))] for _ in range(joints)],
        scales=random.uniform(0.5, 2.0, (joints, 3)),
        compensates_scale=random.random(joints) < 0.5,
        between={j: affine() for j in range(joints) if random.random() < 0.3},
    )
    moving = [j for j in range(joints) if random.random() < 0.4]
    return Motion(
        own,
        np.moveaxis(quaternion.normalize(random.normal(size=(frames, joints, 4))), 0, 2),
        np.arange(float(frames)),
        30.0,
        translations={j: random.normal(size=(frames, 3)) for j in moving},
        scales={j: random.uniform(0.5, 2.0, (frames, 3)) for j in moving},
        between={j: np.array([affine() for _ in range(frames)]) for j in moving[::2]},
    )


@pytest.mark.thorough
@settings(max_examples=60)
@given(st.integers(0, 2**32 - 1), st.integers(1, 7), st.integers(1, 3))
def test_forward_kinematics_is_the_naive_loop(seed, joints, frames):
    made = random_motion(seed, joints, frames)
    found = made.all_world_matrices()
    assert found.shape == (frames, joints, 4, 4)
    for frame in range(frames):
        expected = naive_world(made, frame)
        scale = max(1.0, float(np.abs(expected).max()))
        np.testing.assert_allclose(found[frame], expected, rtol=0, atol=1e-13 * scale)


def test_rest_pose_is_the_naive_loop_with_the_rest_rotations():
    made = random_motion(17, 7, 1)
    own = made.skeleton
    resting = Motion(own, own.rest_rotations[:, :, None], np.zeros(1), 30.0)
    found = own.rest_world_matrices()
    np.testing.assert_allclose(found, naive_world(resting, 0), rtol=0, atol=1e-12)


def test_scale_compensation_by_hand():
    """A child of a stretched parent keeps its own size but is moved by the stretched offset."""
    turn = quaternion.quaternion_from_axis_angle([0.0, 0.0, 1.0], math.pi / 2)
    for compensates, expected_child_x in ((True, [0, 1, 0]), (False, [0, 3, 0])):
        own = Skeleton(
            names=("parent", "child"),
            parents=np.array([-1, 0]),
            offsets=np.array([[0.0, 0, 0], [10.0, 0, 0]]),
            scales=np.array([[2.0, 3.0, 1.0], [1.0, 1.0, 1.0]]),
            compensates_scale=np.array([False, compensates]),
            rest_rotations=np.array([quaternion.IDENTITY, turn]),
        )
        child = own.rest_world_matrices()[1]
        np.testing.assert_allclose(child[:3, 3], [20, 0, 0], atol=1e-14)
        np.testing.assert_allclose(child[:3, 0], expected_child_x, atol=1e-14)
