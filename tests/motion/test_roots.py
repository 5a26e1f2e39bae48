"""The root is the first joint that moves in place, and nothing above it gets limits."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.estimation.pipeline import estimate, estimate_from_summary, summarize
from jointlimits_core.estimation.summary import merge_summaries
from jointlimits_core.estimation.summary_file import read_summary, write_summary
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.ik.look_at import gaze_chain
from jointlimits_core.motion.motion import Motion
from jointlimits_core.motion.skeleton import Skeleton
from tests.support.made_motion import waves
from tests.support.shared_data import shared_path

TURNS, TRAVELS = "turns", "travels"
BODY = {"spine": ("hips", TURNS), "head": ("spine", TURNS), "leg": ("hips", TURNS)}
WALKER = {"Root": ("",), "hips": ("Root", TURNS, TRAVELS), **BODY}
BONE = (0.0, 10.0, 0.0)


def character(joints: dict[str, tuple[str, ...]], name: str = "clip", **rest) -> Motion:
    """Joints by name, each with its parent ("" for none) and what it does."""
    names = list(joints)
    parents = [names.index(above) if above else -1 for above, *_ in joints.values()]
    curves = np.radians(waves((-40.0, 35.0), (-20.0, 25.0), (-10.0, 15.0)))
    rotates = np.stack([curves * (TURNS in does) for _, *does in joints.values()])
    way = np.array(BONE) + np.stack(waves((-30.0, 50.0), (0.0, 3.0), (-5.0, 5.0)), axis=1)
    places = {row: way for row, (_, *does) in enumerate(joints.values()) if TRAVELS in does}
    bones = Skeleton(tuple(names), parents, offsets=[BONE] * len(names), **rest)
    numbers = np.arange(rotates.shape[2])
    return Motion.from_rotates(bones, rotates, numbers, 30.0, name, translations=places)


def without_limits(limit_set) -> set[str]:
    return {
        name
        for name, joint in limit_set.joints.items()
        if all(axis.state == "free" for axis in joint.limits.values())
    }


def roots(limit_set) -> set[str]:
    return {name for name, joint in limit_set.joints.items() if joint.is_root}


CASES = {
    "hips on top": ({"hips": ("", TURNS, TRAVELS)}, {"hips"}, {"hips"}),
    "a still joint above": (
        {"Reference": ("",), "hips": ("Reference", TURNS, TRAVELS)},
        {"hips"},
        {"Reference", "hips"},
    ),
    "two still joints above": (
        {"world": ("",), "Armature": ("world",), "hips": ("Armature", TURNS, TRAVELS)},
        {"hips"},
        {"world", "Armature", "hips"},
    ),
    "hips that only turn": ({"Root": ("",), "hips": ("Root", TURNS)}, {"hips"}, {"Root", "hips"}),
    "a prop beside the hips": (
        {"Root": ("",), "hips": ("Root", TURNS, TRAVELS), "prop": ("Root", TURNS, TRAVELS)},
        {"hips", "prop"},
        {"Root", "hips", "prop"},
    ),
    "a reference that only travels": (
        {"Root": ("", TRAVELS), "hips": ("Root", TURNS)},
        {"Root", "hips"},
        {"Root", "hips"},
    ),
    "a joint called root that only turns": (
        {"Reference": ("",), "root": ("Reference", TURNS), "hips": ("root", TURNS)},
        {"root"},
        {"Reference", "root"},
    ),
    "a joint called root below one that only travels": (
        {"Reference": ("", TRAVELS), "root": ("Reference", TURNS), "hips": ("root", TURNS)},
        {"Reference", "root"},
        {"Reference", "root"},
    ),
    "a still joint called root between": (
        {"world": ("",), "root": ("world",), "hips": ("root", TURNS)},
        {"hips"},
        {"world", "root", "hips"},
    ),
    "a trajectory above the hips": (
        {"Root": ("", TURNS, TRAVELS), "rig": ("Root",), "hips": ("rig", TURNS, TRAVELS)},
        {"Root", "hips"},
        {"Root", "rig", "hips"},
    ),
    "a pelvis that turns on a root": (
        {"Bip01": ("", TURNS, TRAVELS), "hips": ("Bip01", TURNS)},
        {"Bip01"},
        {"Bip01"},
    ),
    "still hips": ({"Root": ("",), "hips": ("Root",)}, {"Root"}, {"Root"}),
}


@pytest.mark.parametrize("case", CASES)
def test_the_first_joint_that_moves_in_place_is_the_root(case):
    above, expected, free = CASES[case]
    found = estimate(character({**above, **BODY}))
    assert roots(found) == expected
    assert without_limits(found) == free


@pytest.mark.parametrize("base", [("",), ("", TRAVELS)])
def test_a_robot_keeps_the_limits_of_its_turntable(base):
    """A base that is still, or rides on a rail, and a part that slides without turning."""
    arm = {"base": base, "table": ("base", TURNS), "elbow": ("table", TURNS)}
    found = estimate(character({**arm, "piston": ("base", TRAVELS)}))
    assert roots(found) == {"base"}
    assert without_limits(found) == {"base"}


def test_a_joint_whose_parent_was_not_chosen_is_no_root():
    part = character({"hips": ("", TURNS, TRAVELS), **BODY}, hanging=frozenset({"hips"}))
    assert roots(estimate(part)) == set()
    assert without_limits(estimate(part)) == set()


def test_limits_of_the_root_are_given_on_demand_and_a_file_keeps_the_root():
    found = estimate(character(WALKER), EstimateOptions(limit_root=True))
    assert without_limits(found) == set()
    assert roots(found) == roots(type(found).from_json(found.to_json())) == {"hips"}


def test_one_clip_decides_for_all_in_any_order(tmp_path):
    # The hips stand still in one clip, turn in place in another and walk in a third.
    doing = {"stands": (), "turns": (TURNS,), "walks": (TURNS, TRAVELS)}
    clips = [
        character({"Root": ("",), "core": ("Root", *does), "leg": ("core", TURNS)}, name)
        for name, does in doing.items()
    ]
    for order in itertools.permutations(clips):
        assert roots(estimate(order)) == {"core"}
    for order in itertools.permutations(clips):
        paths = [tmp_path / f"{clip.name}.summary.npz" for clip in order]
        for clip, path in zip(order, paths):
            write_summary(summarize([clip]), path)
        assert roots(estimate_from_summary(merge_summaries(map(read_summary, paths)))) == {"core"}
    assert roots(estimate(clips[:2])) == {"Root"}


def test_older_summaries_still_name_hips(tmp_path):
    """They do not say what travels."""
    old = summarize([character(WALKER)])
    old = old._replace(clips=tuple(replace(clip, travels=None) for clip in old.clips))
    write_summary(old, tmp_path / "old.summary.npz")
    assert roots(estimate_from_summary(read_summary(tmp_path / "old.summary.npz"))) == {"hips"}


def test_the_gaze_does_not_turn_the_hips():
    clip = character(WALKER)
    bones = replace(clip.skeleton, roots=frozenset({"hips"}))
    assert [bones.names[joint] for joint in gaze_chain(bones)] == ["spine", "head"]


def test_real_hips_below_a_still_reference():
    found = estimate(read_motion(shared_path("data/reports/unseen/reference_root.bvh")))
    assert without_limits(found) == {"Reference", "Hips"}
    arm = estimate(read_motion(shared_path("data/reports/unseen/six_axis_arm.bvh")))
    assert roots(arm) == {"base"}


@pytest.mark.thorough
def test_real_hips_of_a_maker_whose_root_never_moves():
    for path in sorted(shared_path("data/mocap/bandai").glob("dataset-1_b*.bvh")):
        assert roots(estimate(read_motion(path))) == {"Hips"}


CONTROLS = {
    "a control that only turns": ({"arm_ctl": ("", TURNS), "hand_ctl": ("arm_ctl", TURNS)}, set()),
    "separate controls": ({"hips_ctl": ("", TURNS), "elbow_ctl": ("", TURNS)}, {"hips_ctl"}),
    "a world control above": (
        {"world_ctl": ("",), "cog_ctl": ("world_ctl", TURNS, TRAVELS), "arm_ctl": ("", TURNS)},
        {"cog_ctl"},
    ),
    "an IK control": ({"ik_ctl": ("", TURNS, TRAVELS), "arm_ctl": ("", TURNS)}, {"ik_ctl"}),
    "a root that turns": ({"world_ctl": ("",), "root_ctl": ("world_ctl", TURNS)}, {"root_ctl"}),
}


@pytest.mark.parametrize("case", CONTROLS)
def test_controls_place_a_character_only_if_they_travel_or_are_its_hips(case):
    joints, expected = CONTROLS[case]
    motion = character(joints, of_controls=True)
    # The groups above a control follow another control.
    moved = {0: np.eye(4) + np.zeros((motion.frame_count, 4, 4))}
    moved[0][:, 0, 3] = np.arange(motion.frame_count)
    assert roots(estimate(replace(motion, between=moved))) == expected
