"""Poses compared with other people."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from jointlimits_core.base.errors import EstimationError
from jointlimits_core.people.bones import NotHumanError
from jointlimits_core.people.human_check import check_people
from jointlimits_core.people.people import People
from jointlimits_core.people.people_file import shipped_people
from tests.people.test_neutral import posed


def test_a_human_pose_passes():
    result = check_people(posed(l_forearm=("y", -60.0), r_calf=("x", 40.0)), shipped_people())
    assert result.passed
    assert (result.frames, result.outside, result.people) == (1, 0, len(shipped_people()))
    parts = {joint.part for joint in result.joints}
    assert parts == {"spine", "shoulder", "elbow", "wrist", "hip", "knee"}


@pytest.mark.parametrize(
    ("turn", "part", "side"),
    [
        ({"l_forearm": ("y", 30.0)}, "elbow", "left"),
        ({"r_calf": ("x", -30.0)}, "knee", "right"),
        ({"l_thigh": ("y", 120.0), "l_calf": ("x", 50.0)}, "hip", "left"),
        ({"spine": ("x", -100.0)}, "spine", ""),
    ],
)
def test_an_impossible_pose_is_named(turn, part, side):
    result = check_people(posed(**turn), shipped_people())
    assert not result.passed
    worst = max(result.joints, key=lambda joint: joint.worst_deg)
    assert (worst.part, worst.side, worst.frames, worst.people) == (part, side, 1, 0)


def test_only_people_are_compared():
    bones = ["base", "arm"]
    motion = type(posed()).from_quaternions(bones, [-1, 0], np.ones((1, 2, 4)), 30.0)
    with pytest.raises(NotHumanError):
        check_people(motion, shipped_people())


def test_a_check_that_compares_nothing_does_not_pass():
    one = People(shipped_people().persons[:1])
    with pytest.raises(EstimationError, match="at least 2 people, not 1"):
        check_people(posed(), one)
    nobody = [replace(person, reaches={}) for person in shipped_people().persons]
    with pytest.raises(EstimationError, match="no body part is known for 2 people"):
        check_people(posed(), People(tuple(nobody)))
    pose = posed()
    with pytest.raises(EstimationError, match="no frame with finite rotations"):
        check_people(replace(pose, rotations=pose.rotations * np.nan), shipped_people())


def test_frames_that_are_not_finite_are_not_compared():
    pose = posed(l_forearm=("y", 30.0))
    rotations = np.repeat(pose.rotations, 3, axis=2)
    rotations[:, :, 1] = np.nan
    motion = replace(pose, rotations=rotations, rotates=None, frames=np.arange(3.0))
    result = check_people(motion, shipped_people())
    assert (result.frames, result.outside) == (2, 2)
    assert all(np.isfinite(joint.worst_deg) for joint in result.joints)
