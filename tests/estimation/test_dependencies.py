"""Dependencies between channels: which ones are found, and how they are described."""

from dataclasses import replace

import numpy as np
import pytest

from jointlimits_core.estimation.coupled import hull_area, with_dependencies
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.limits.limit_set import LimitSet
from jointlimits_core.limits.records import Dependency
from jointlimits_core.report.terminal.shapes import dependency_words
from jointlimits_core.shapes.flat import convex_polygon
from tests.support.made_motion import clip, rotate
from tests.support.shared_data import clips_of_subject_02

T = np.linspace(0.0, 1.0, 4000)


@pytest.mark.parametrize("stretch", [(1.0, 1.0), (1.3, 0.8)])
def test_the_area_is_that_of_the_hull(stretch):
    points = np.random.default_rng(5).normal(size=(500, 2)) * stretch
    first, *others = convex_polygon(points)
    triangles = [np.stack([b - first, c - first]) for b, c in zip(others, others[1:])]
    around, exact = hull_area(*points.T), 0.5 * np.linalg.det(triangles).sum()
    assert exact <= around <= 1.05 * exact


def wander(seed, degrees=60.0):
    """A channel that covers its range independently of the others."""
    phases = np.random.default_rng(seed).uniform(0, 6, 3)
    paces = 2 * np.pi * np.array([7.3, 17.1, 31.7]) * (1 + 0.21 * seed)
    values = sum(np.sin(pace * T + phase) for pace, phase in zip(paces, phases))
    return degrees * values / np.abs(values).max()


def arm(seed, tie=0.8, name="clip"):
    """A hand whose bend depends on the elbow's; its other channels are independent."""
    elbow = 60.0 + wander(seed)
    bend = tie * elbow + wander(seed + 1, 8.0)
    hand = rotate(bend, wander(seed + 2, 30.0), wander(seed + 3, 30.0))
    channels = {"elbow": rotate(elbow), "hand": hand, "other": rotate(wander(seed + 4))}
    motion = clip(channels, name=name)
    skeleton = replace(motion.skeleton, parents=np.array([-1, 0, 1, 0]))
    return replace(motion, skeleton=skeleton)


def found_in(*clips):
    return with_dependencies(estimate(clips), clips).dependencies


def test_what_is_tied_is_found_and_nothing_else():
    (tie,) = found_in(arm(1, name="a"), arm(11, name="b"))
    assert (tie.on_joint, tie.on_channel) == ("elbow", "rotateX")
    assert (tie.joint, tie.channel) == ("hand", "rotateX")
    assert tie.gain > 0.5
    assert tie.held_out > 0.95
    assert tie.clips == 2


def test_the_range_follows_the_other_channel():
    (tie,) = found_in(arm(1, name="a"), arm(11, name="b"))
    for bend in (20.0, 60.0, 100.0):
        low, high = tie.range_at_deg(bend)
        assert low < 0.8 * bend < high
        assert high - low < 20.0
    assert tie.range_at_deg(500.0) is None


@pytest.mark.thorough
def test_every_sample_is_inside():
    clips = arm(1, name="a"), arm(11, name="b")
    (tie,) = found_in(*clips)
    for motion in clips:
        elbow, hand = (motion.rotate_deg(name)[:, 0] for name in ("elbow", "hand"))
        for on, value in zip(elbow[::7], hand[::7]):
            low, high = tie.range_at_deg(np.clip(on, *tie.on_range_deg()))
            assert low - 0.01 < value < high + 0.01


def test_a_tie_that_another_clip_does_not_keep_is_no_limit():
    assert found_in(arm(1, name="a"), arm(11, tie=-0.8, name="b")) == ()


def test_one_clip_has_to_be_much_tighter():
    loose = arm(1, tie=0.25)
    both = found_in(loose, arm(11, tie=0.25, name="b"))
    assert [item.joint for item in both] == ["hand"]
    assert both[0].gain < 0.5
    assert found_in(loose) == ()
    (tie,) = found_in(arm(1))
    assert tie.held_out is None


def test_dependencies_are_part_of_the_limit_set():
    clips = arm(1, name="a"), arm(11, name="b")
    limit_set = with_dependencies(estimate(clips), clips)
    assert LimitSet.from_json(limit_set.to_json()) == limit_set


def tie_of(**changes):
    corners = ((0.0, 0.0), (100.0, 40.0), (100.0, 60.0), (0.0, 20.0))
    fields = {"gain": 0.6, "held_out": 0.97, "clips": 2, **changes}
    return Dependency("hand", "rotateX", "elbow", "rotateX", corners, **fields)


def test_words():
    assert dependency_words(tie_of()) == (
        "hand X depends on elbow X: 6 to 26 at X 15, 34 to 54 at X 85 degrees "
        "(60 % less room; holds for 97 % of the frames of other clips)"
    )
    assert "one clip" in dependency_words(tie_of(held_out=None, clips=1))


@pytest.mark.thorough
def test_knee_and_hip_of_a_real_performer():
    skeleton, paths = clips_of_subject_02()
    clips = [read_motion(path, skeleton=skeleton) for path in paths]
    found = with_dependencies(estimate(clips), clips).dependencies
    pairs = {(item.on_joint, item.joint) for item in found}
    assert {("lfemur", "ltibia"), ("rfemur", "rtibia"), ("upperneck", "head")} <= pairs
    # Both legs swing in turn; that limits neither.
    assert ("rfemur", "lfemur") not in pairs
