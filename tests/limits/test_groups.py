"""Joints that go together, by their names and their tree."""

from __future__ import annotations

import pytest

from examples.captured_motion import perform
from examples.performers import DOG, HAND, PERSON, ROBOT, Performer
from jointlimits_core.limits.groups import joint_groups


def parents_of(performer: Performer) -> dict[str, str | None]:
    skeleton = perform(performer).skeleton
    names = skeleton.names
    return {
        name: names[parent] if parent >= 0 else None
        for name, parent in zip(names, skeleton.parents)
    }


def chain(*names: str, below: str | None = None) -> dict[str, str | None]:
    """Joints below each other."""
    return dict(zip(names, (below, *names)))


def body() -> dict[str, str | None]:
    """A body with hands, in which a prop hangs on one and a skirt on the hips."""
    parents = chain("hips", "spine", "neck", "head", "jaw") | chain("skirt", below="hips")
    for side in "LR":
        leg, arm = ("thigh", "calf", "foot"), ("clavicle", "upperarm", "forearm", "hand")
        parents |= chain(*(f"{side}_{part}" for part in leg), below="hips")
        parents |= chain(*(f"{side}_{part}" for part in arm), below="spine")
        palm = chain(f"{side}_metacarpal", f"{side}_index1", below=f"{side}_hand")
        parents |= palm | chain(f"{side}_thumb1", below=f"{side}_hand")
    return parents | chain("sword", below="R_hand")


def test_a_body_is_spine_arms_hands_and_legs():
    groups = joint_groups(body())
    assert groups["spine and head"] == ("hips", "spine", "neck", "head", "jaw", "skirt")
    assert groups["left arm"] == ("L_clavicle", "L_upperarm", "L_forearm", "L_hand")
    assert groups["right arm"] == ("R_clavicle", "R_upperarm", "R_forearm", "R_hand", "sword")
    assert groups["left hand"] == ("L_metacarpal", "L_index1", "L_thumb1")
    assert groups["left leg"] == ("L_thigh", "L_calf", "L_foot")


def test_words_for_fingers_make_no_hand_of_what_is_not_below_the_arm():
    eyes = chain("L_middle_eye", below="head") | chain("R_middle_eye", below="head")
    groups = joint_groups(body() | eyes)
    assert groups["left hand"] == joint_groups(body())["left hand"]
    assert groups["spine and head"][-2:] == tuple(eyes)


@pytest.mark.parametrize("performer", [PERSON, DOG, HAND])
def test_every_joint_is_in_one_group(performer):
    parents = parents_of(performer)
    listed = [name for names in joint_groups(parents).values() for name in names]
    assert sorted(listed) == sorted(parents)


def test_a_single_hand_is_its_fingers():
    groups = joint_groups(parents_of(HAND))
    assert list(groups) == ["wrist and palm", "thumb", "index", "middle", "ring", "pinky"]
    assert groups["thumb"] == ("Thumb1", "Thumb2", "Thumb3")


@pytest.mark.parametrize(
    "parents",
    [
        parents_of(ROBOT),
        chain("root", "tail_middle", "tail_end"),
        chain("hips", "spine", "neck", "head"),
        {"LeftArm": "LeftArm", "RightLeg": "missing"},
        {},
    ],
    ids=["robot", "one finger word", "spine alone", "circle", "nothing"],
)
def test_a_skeleton_that_fits_none_has_no_groups(parents):
    assert joint_groups(parents) == {}
