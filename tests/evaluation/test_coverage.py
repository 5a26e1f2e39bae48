"""Coverage of clips that limits do not come from."""

import dataclasses

import numpy as np
import pytest

from jointlimits_core.estimation import estimate
from jointlimits_core.evaluation import coverage, is_source_clip
from jointlimits_core.io import SourceFile
from jointlimits_core.limits import ClipRecord
from tests.support.evaluation_examples import box, limits
from tests.support.made_motion import clip, rotate

LOCKED = (0.0, 0.0)
TWO = limits(
    {"a": box((0, 10), LOCKED, LOCKED), "b": box((0, 10), LOCKED, LOCKED)}, clips=("walk",)
)


def two(a, b, name):
    return clip({"a": rotate(x=a), "b": rotate(x=b)}, name=name)


RUN = two([0, 5, 20, 20], [0, 20, 20, 5], "run")
JUMP = two([0, 1], [2, 3], "jump")


def test_shares_per_joint_and_of_the_whole_pose():
    found = coverage(TWO, RUN)
    assert found.joints == {"a": 0.5, "b": 0.5}
    assert found.whole_pose == 0.25
    assert found.frames == 4
    assert found.held_out


def test_clips_count_by_their_frames():
    found = coverage(TWO, [RUN, JUMP])
    assert found.frames == 6
    assert found.whole_pose == pytest.approx((1 + 2) / 6)
    assert found.joints == pytest.approx({"a": 4 / 6, "b": 4 / 6})
    assert [item.whole_pose for item in found.clips] == [0.25, 1.0]


def test_clips_that_the_limits_come_from_do_not_count_beside_others():
    walk = two([0, 10], [0, 10], "walk")
    found = coverage(TWO, [walk, RUN])
    assert [item.used for item in found.clips] == [True, False]
    assert found.whole_pose == 0.25
    alone = coverage(TWO, [walk])
    assert not alone.held_out
    assert alone.whole_pose == 1.0


def test_a_joint_that_only_one_clip_has():
    short = clip({"a": rotate(x=[0, 20])}, name="short")
    found = coverage(TWO, [short, JUMP])
    assert found.joints == pytest.approx({"a": 3 / 4, "b": 1.0})


def test_the_tolerance_decides():
    near = two([0, 10.05], [0, 10.5], "near")
    assert coverage(TWO, near).joints == {"a": 1.0, "b": 0.5}
    assert coverage(TWO, near, tolerance_deg=0.0).joints == {"a": 0.5, "b": 0.5}


def test_no_clips_have_no_coverage():
    found = coverage(TWO, [])
    assert found.whole_pose is None
    assert not found.held_out


def test_a_clip_is_known_by_the_hash_of_its_file_or_else_by_name():
    record = ClipRecord("walk", "walk.bvh", "aa" * 32, 9, 0.0, 8.0, 30.0)
    limit_set = dataclasses.replace(TWO, clips=(record,))
    walk = two([0], [0], "walk")
    assert is_source_clip(limit_set, walk)
    same = dataclasses.replace(walk, name="other", source=SourceFile("x.bvh", "aa" * 32))
    assert is_source_clip(limit_set, same)
    edited = dataclasses.replace(walk, source=SourceFile("walk.bvh", "bb" * 32))
    assert not is_source_clip(limit_set, edited)
    assert not is_source_clip(limit_set, RUN)


def test_a_clip_covers_itself():
    rng = np.random.default_rng(3)
    motion = two(rng.normal(0, 20, 50), rng.normal(0, 20, 50), "x")
    found = coverage(estimate(motion), motion, 1e-9)
    assert found.whole_pose == 1.0
    assert set(found.joints.values()) == {1.0}
    assert found.to_dict()["clips"][0]["used"]
