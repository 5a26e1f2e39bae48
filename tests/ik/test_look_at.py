"""Looking at a point: the spine first, then neck and head, each within its limits."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.quaternion import IDENTITY, angle_between
from jointlimits_core.ik.constraints import HingeJoint
from jointlimits_core.ik.look_at import face_direction, gaze_chain, look_at
from jointlimits_core.motion.joint_names import body_ends
from jointlimits_core.motion.motion import Motion
from jointlimits_core.motion.skeleton import Skeleton
from tests.support.shared_data import shared_path

NAMES = ("hips", "spine", "neck", "head", "LeftHand", "RightHand")
PARENTS = [-1, 0, 1, 2, 1, 1]
OFFSETS = [[0, 1, 0], [0, 0.2, 0], [0, 0.4, 0], [0, 0.1, 0], [0.6, 0.3, 0], [-0.6, 0.3, 0]]
UP = np.array([0.0, 1.0, 0.0])


def figure(frames=1):
    still = np.tile(IDENTITY, (frames, len(NAMES), 1))
    return Motion.from_quaternions(NAMES, PARENTS, still, 30.0, offsets=OFFSETS)


def aside(degrees, distance=50.0):
    """A far target at the height of the head, so far to the left."""
    angle = np.radians(degrees)
    return np.array([distance * np.sin(angle), 1.7, distance * np.cos(angle)])


def turn_deg(found, joint):
    return float(np.degrees(angle_between(found.rotations[0, joint], IDENTITY)))


def twist(limit_deg):
    bound = np.radians(limit_deg)
    return HingeJoint(UP, np.array(IDENTITY), -bound, bound)


def test_who_looks_and_where_to():
    bones = figure().skeleton
    assert [bones.names[joint] for joint in gaze_chain(bones)] == ["spine", "neck", "head"]
    np.testing.assert_allclose(face_direction(bones), [0.0, 0.0, 1.0], atol=1e-12)


def test_the_front_needs_hands_that_are_apart():
    together = [*OFFSETS[:4], [0, 0.3, 0], [0, 0.3, 0]]
    with pytest.raises(ValueError, match="cannot find the front"):
        face_direction(Skeleton(NAMES, PARENTS, together))


def test_the_spine_is_exhausted_first_and_the_head_goes_on():
    limits = {1: twist(5.0), 2: twist(15.0), 3: twist(80.0)}
    found = look_at(figure(), aside(60.0), limits)
    assert found.reached[0]
    assert turn_deg(found, 1) == pytest.approx(5.0, abs=1e-6)
    assert turn_deg(found, 2) == pytest.approx(15.0, abs=1e-6)
    assert turn_deg(found, 3) == pytest.approx(40.0, abs=0.2)


def test_what_the_head_cannot_do_is_left_to_the_spine():
    found = look_at(figure(), aside(60.0), {2: twist(3.0), 3: twist(4.0)})
    assert found.reached[0]
    assert turn_deg(found, 1) == pytest.approx(53.0, abs=0.3)


def test_limits_that_do_not_let_it_look_are_kept_and_reported():
    limits = {joint: twist(10.0) for joint in (1, 2, 3)}
    found = look_at(figure(), aside(100.0), limits)
    assert not found.reached[0]
    assert found.off_deg[0] == pytest.approx(70.0, abs=0.1)
    for joint, limit in limits.items():
        own = found.rotations[:, joint]
        assert angle_between(own, limit.project(own)).max() < 1e-9


@pytest.mark.thorough
@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**32 - 1), st.floats(5.0, 170.0))
def test_the_gaze_is_never_further_off_than_at_the_start(seed, bound):
    random = np.random.default_rng(seed)
    targets = random.normal(size=(8, 3)) * 4.0
    limits = {joint: twist(bound) for joint in (1, 2, 3)}
    found = look_at(figure(8), targets, limits)
    head = figure().skeleton.rest_world_matrices()[3, :3, 3]
    way = (targets - head) / np.linalg.norm(targets - head, axis=1, keepdims=True)
    before = np.degrees(np.arccos(np.clip(way[:, 2], -1.0, 1.0)))
    assert (found.off_deg <= before + 1e-6).all()
    np.testing.assert_array_equal(found.reached, found.off_deg <= 0.1)


def test_targets_behind_inside_and_above_give_poses():
    targets = np.array([[0.0, 1.7, -9.0], [0.0, 1.7, 0.0], [0.0, 9.0, 0.0]])
    found = look_at(figure(3), targets)
    assert np.isfinite(found.rotations).all()
    assert found.reached.all()


def test_bad_input_is_named():
    headless = Skeleton(("root", "bone"), [-1, 0])
    with pytest.raises(ValueError, match="named head"):
        gaze_chain(headless)
    with pytest.raises(ValueError, match="no joint can turn it"):
        gaze_chain(Skeleton(("head",), [-1]))
    with pytest.raises(ValueError, match="cannot find the front of the skeleton"):
        face_direction(Skeleton(("root", "head"), [-1, 0]))
    with pytest.raises(ValueError, match="targets must be finite"):
        look_at(figure(), [np.nan, 0.0, 0.0])


# --- the ends of a body -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "names",
    [
        ("root", "lhand", "rhand", "lfoot", "rfoot", "head"),
        ("Hips", "LeftHand", "RightHand", "LeftFoot", "RightFoot", "Head"),
        ("c:hips", "c:L_wrist", "c:R_wrist", "c:ankle_L", "c:ankle_R", "c:head_jnt"),
        ("pelvis", "hand.l", "hand.r", "foot.l", "foot.r", "head"),
    ],
)
def test_ends_are_found_by_their_names(names):
    found = body_ends(Skeleton(names, [-1, 0, 0, 0, 0, 0]))
    expected = ("left hand", "right hand", "left foot", "right foot", "head")
    assert found == dict(zip(expected, range(1, 6)))


def test_a_real_skeleton_faces_forward():
    folder = "data/mocap/cmu_asfamc/02"
    clip = read_motion(shared_path(f"{folder}/02_01.amc"), skeleton=shared_path(f"{folder}/02.asf"))
    ahead = face_direction(clip.skeleton)
    assert ahead[2] > 0.98  # the rest pose of these files looks along Z
    some = clip.keep_frames(range(0, clip.frame_count, 30))
    side = np.linspace(-60.0, 60.0, some.frame_count)
    found = look_at(some, np.stack([side, 0.0 * side + 20.0, 0.0 * side + 40.0], axis=1))
    assert found.reached.all()
