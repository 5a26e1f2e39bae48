"""Bones of human figures: found by name and tree, or rejected by name."""

from __future__ import annotations

import pytest

from benchmarks.made_figures import SCHEMES, dressed, role_names
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.people.bones import NotHumanError, find_figure
from tests.support.house_files import ROOT
from tests.support.human_rigs import CRAB, DOG, ROBOT_ARM, body, skeleton
from tests.support.shared_data import shared_path


@pytest.fixture(scope="module")
def human():
    return read_motion(ROOT / "examples" / "humanoid_rom.bvh").keep_frames(range(0, 1821, 12))


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_same_bones_under_any_name(human, scheme):
    figure = find_figure(human.skeleton)
    other = find_figure(dressed(human, role_names(figure, scheme), 1).skeleton)
    assert other.joints == figure.joints
    assert other.chains == figure.chains == {"spine": (1, 2), "head": (3, 4)}
    assert len(other.joints) == 17
    assert len(other.skipped) == 2


def test_what_has_no_role_is_listed_with_a_reason():
    figure = find_figure(
        skeleton(body(extra="tail1 root 0 0 -5\nl_index1 l_hand 1 0 0\nsword r_hand -1 0 0"))
    )
    assert not figure.has("head")
    assert not figure.has("left toes")
    assert figure.skipped == {
        "tail1": "people have no tail",
        "l_index1": "the data from people has no fingers",
        "sword": "its body part is unknown",
    }


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (DOG, "like those of an animal on four legs"),
        (body(extra="hoof_l l_foot 0 -3 0"), "hoof_l is named after a part"),
        (body(arms=False), "no left shoulder, right shoulder, left elbow, right elbow found"),
        (body("a:") + body("b:"), r"2 human figures in one skeleton \(a, b\)"),
        (ROBOT_ARM, "no left hip"),
        (CRAB, "no left hip"),
        (body().replace("l_calf l_thigh", "l_calf spine"), "no left knee found"),
        (body().replace("spine -15 0 0", "spine 15 0 0"), "both shoulders are in the same place"),
    ],
    ids=["dog", "hooves", "no arms", "two figures", "robot arm", "crab", "tree", "unplaced"],
)
def test_what_is_no_human_figure_is_rejected_by_name(lines, words):
    with pytest.raises(NotHumanError, match=words):
        find_figure(skeleton(lines))


@pytest.mark.thorough
@pytest.mark.parametrize(
    "name", ["mayausd/UsdExportSkeletonSegfaultTest.ma", "vtool/vtool_quadruped_structure.ma"]
)
def test_real_animals_are_rejected(name):
    with pytest.raises(NotHumanError):
        find_figure(read_motion(shared_path(f"data/maya/{name}")).skeleton)
