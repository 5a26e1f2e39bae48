"""Limits as linear rows: steps that keep them stay inside, steps that break one leave."""

import subprocess
import sys
from importlib.util import find_spec

import numpy as np
import pytest

import jointlimits_core
from jointlimits_core.geometry.quaternion import multiply, quaternion_from_rotation_vector
from jointlimits_core.ik.limit_rows import half_spaces_of, limit_rows
from jointlimits_core.ik.rotate_box import rotate_box_of
from jointlimits_core.limits.limit_set import LimitSet
from jointlimits_core.shapes.fitting import fit_shape, shape_of_limit
from tests.limits.test_dependency_limits import CLIPS, TIED
from tests.support.house_files import ROOT

NAMES = ("elbow", "hand", "other")


def rotations_at(frame: int) -> np.ndarray:
    return np.array([CLIPS[0].quaternion(name)[frame] for name in NAMES])


def test_every_captured_pose_keeps_all_rows() -> None:
    rows = limit_rows(TIED, NAMES)
    least = min(rows.at(rotations_at(frame))[1].min() for frame in range(0, 200, 10))
    assert least > np.radians(-0.01)


def test_rows_are_the_rates_at_which_room_is_used() -> None:
    limits, here = limit_rows(TIED, NAMES, 1000), rotations_at(50)
    random, small = np.random.default_rng(1), 1e-5
    step = small * random.standard_normal((3, 3))
    rows, room = limits.at(here)
    _, after = limits.at(multiply(here, quaternion_from_rotation_vector(step)))
    # Rows are sorted by room, which such a step hardly changes.
    np.testing.assert_allclose(np.sort(room - rows @ step.ravel()), np.sort(after), atol=1e-8)


@pytest.mark.parametrize("kind", ["hull", "kdop", "box", "obb", "ellipsoid", "wrap", "implicit"])
def test_half_spaces_hold_a_shape_and_touch_it(kind: str) -> None:
    region = fit_shape(kind, CLIPS[0].quaternion("hand")).region
    normals, offsets = half_spaces_of(region)
    low, high = region.bounds()
    random = np.random.default_rng(0)
    points = region.nearest(random.uniform(low - 1.0, high + 1.0, (3000, 3)))
    beyond = points @ normals.T - offsets
    assert beyond.max() < np.radians(0.05)
    assert beyond.max(axis=0).min() > np.radians(-3.0)  # each is nearly reached


def test_a_tie_is_a_polygon_of_both_channels() -> None:
    (tie,) = TIED.dependencies
    rows = limit_rows(TIED, NAMES, 1000).parts[-1]
    boxes = [rotate_box_of(TIED.joints[name]) for name in (tie.on_joint, tie.joint)]
    random = np.random.default_rng(2)
    for on in random.uniform(*tie.on_range_deg(), 20):
        low, high = tie.bounds_deg(on)
        for value, inside in ((low + 0.1, True), (high - 0.1, True), (high + 3.0, False)):
            turned = [
                box.project(quaternion_from_rotation_vector(np.radians([degrees, 0.0, 0.0])))
                for box, degrees in zip(boxes, (on, value))
            ]
            at = boxes[1].channels(turned[1])[0]
            if abs(np.degrees(at) - value) > 0.01:
                continue  # beyond the hand's own range
            _, room = rows.at(np.array([*turned, turned[1]]))
            assert (room.min() >= np.radians(-0.02)) == inside


def test_a_joint_that_is_outside_is_asked_to_return() -> None:
    limits = limit_rows(TIED, ("hand",))
    shape = shape_of_limit(TIED.joints["hand"].coupled)
    outside = multiply(
        shape.project(rotations_at(0)[1]), quaternion_from_rotation_vector([2.0, 0.0, 0.0])
    )
    rows, room = limits.at([outside])
    assert room.min() < -0.1
    back = np.linalg.lstsq(rows[:1], room[:1], rcond=None)[0]
    nearer = multiply(outside, quaternion_from_rotation_vector(0.1 * back))
    assert shape.distance(nearer) < shape.distance(outside)


@pytest.mark.parametrize(
    ("joints", "most", "words"),
    [
        (("nose",), 20, "no coupled limit of nose"),
        ((), 20, "no coupled limit of any joint"),
        (("hand",), 0, "at least 1"),
    ],
)
def test_joints_without_such_limits_are_named(joints: tuple, most: int, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        limit_rows(TIED, joints, most)


def test_rotations_that_are_none_are_refused() -> None:
    with pytest.raises(ValueError, match=r"shape \(1, 4\), one for each of hand"):
        limit_rows(TIED, ("hand",)).at(np.full((1, 4), np.nan))


def test_the_name_is_public() -> None:
    limits: LimitSet = TIED
    assert jointlimits_core.limit_rows(limits, ("hand",)).joints == ("hand",)


@pytest.mark.slow
@pytest.mark.skipif(
    not all(map(find_spec, ("mink", "mujoco", "daqp"))), reason="mink, mujoco or daqp is missing"
)
def test_the_example_for_mink_keeps_shoulders_in_their_shapes() -> None:
    command = [sys.executable, "-m", "examples.mujoco.mink_coupled_limits"]
    printed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    shares = [int(line.partition(": ")[2].partition("%")[0]) for line in printed.splitlines()]
    assert shares[0] >= 20
    assert shares[1] <= 5
