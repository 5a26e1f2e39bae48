"""Rigs that are unusual, incomplete or no people: carried where sure, listed where not."""

from __future__ import annotations

import pytest

import jointlimits_core as jl
from jointlimits_core.base.errors import EstimationError
from tests.support.human_rigs import body, scene
from tests.support.maya_scenes import write_scene

HUMAN = {
    "de": {
        "thigh": "Oberschenkel",
        "calf": "Unterschenkel",
        "upperarm": "Oberarm",
        "forearm": "Unterarm",
    },
    "es": {"thigh": "muslo", "calf": "pantorrilla", "upperarm": "brazo", "forearm": "antebrazo"},
    "ja": {"thigh": "もも", "calf": "すね", "upperarm": "上腕", "forearm": "前腕"},
}
"""Names of limbs in other languages, as riggers write them."""


def limits_of(folder, text):
    return jl.estimate(write_scene(folder, text), people="people")


def without(*names):
    """Lines of the body without some joints and all below them."""
    gone, kept = set(names), []
    for line in body().strip().splitlines():
        name, parent, *_ = line.split()
        if name in gone or parent in gone:
            gone.add(name)
        else:
            kept.append(line)
    return "\n".join(kept)


def carried(limits):
    return {name for name, joint in limits.joints.items() if joint.is_from_people}


def note(limits, name):
    return limits[name].findings[0].message


@pytest.mark.parametrize("name", ["l_thigh", "r_calf", "l_upperarm", "r_forearm"])
def test_a_missing_limb_is_named_and_nothing_is_written(tmp_path, name):
    with pytest.raises(EstimationError, match=r"not a human figure: no (left|right) [a-z]+"):
        limits_of(tmp_path, scene(without(name)))


def test_missing_hands_and_feet_leave_the_rest(tmp_path):
    whole = limits_of(tmp_path, scene(body()))
    part = limits_of(tmp_path, scene(without("l_hand", "r_foot")))
    assert carried(whole) - carried(part) == {"l_hand", "r_hand", "l_forearm", "r_calf"}
    assert note(part, "r_hand").endswith("its body part is unknown")  # has no partner
    assert note(part, "l_forearm").endswith("it has no joint at its end")


def test_hands_of_four_fingers_tails_and_props_are_listed(tmp_path):
    extra = [f"l_{finger}1 l_hand 8 0 0" for finger in ("thumb", "index", "middle", "pinky")]
    extra += ["tail1 root 0 0 -5", "tail2 tail1 0 0 -5", "sword r_hand -20 0 0"]
    limits = limits_of(tmp_path, scene(body(extra="\n".join(extra))))
    assert carried(limits) == carried(limits_of(tmp_path, scene(body())))
    assert note(limits, "l_pinky1").endswith("the data from people has no fingers")
    assert note(limits, "tail2").endswith("people have no tail")
    assert note(limits, "sword").endswith("its body part is unknown")


def mirrored(text):
    """The right leg with the axes that Maya's mirroring of behaviour gives it."""
    thigh = 'createNode joint -n "r_thigh" -p "root";\n'
    turned = text.replace(thigh, f'{thigh}\tsetAttr ".jo" -type "double3" 180 0 0;\n')
    for name in ("r_calf", "r_foot"):
        place = '\tsetAttr ".t" -type "double3" 0 -45 0;\n'
        head, end, tail = turned.partition(f'createNode joint -n "{name}"')
        turned = head + end + tail.replace(place, place.replace("-45", "45"), 1)
    return turned


def test_mirrored_axes_mirror_the_limits(tmp_path):
    limits = limits_of(tmp_path, mirrored(scene(body())))
    left, right = limits["l_thigh"], limits["r_thigh"]
    for channel in left.limits:
        ends = [(one[channel].min_deg, one[channel].max_deg) for one in (left, right)]
        assert ends[0] == pytest.approx(ends[1], abs=1e-6), channel
    assert limits["r_calf"]["rotateX"].max_deg == pytest.approx(limits["l_calf"]["rotateX"].max_deg)


def test_a_side_below_a_negative_scale_is_that_of_a_mirror(tmp_path):
    text = scene(body()).replace(
        'createNode joint -n "r_thigh" -p "root";',
        'createNode transform -n "mirror" -p "root";\n\tsetAttr ".s" -type "double3" -1 1 1;\n'
        'createNode joint -n "r_thigh" -p "mirror";',
    )
    text = text.replace('-type "double3" -10 0 0', '-type "double3" 10 0 0')
    limits = limits_of(tmp_path, text)
    assert repr(limits["r_thigh"]) == repr(limits["l_thigh"])


@pytest.mark.parametrize(
    ("extra", "head"),
    [
        ("spear_head r_hand -5 0 0", None),
        ("spear_head r_hand -5 0 0\nneck spine 0 10 0\nHead neck 0 10 0", "Head"),
        ("head_light spine 0 20 4\nhead spine 0 20 0\nhead_end head 0 9 0", "head"),
        ("head_hair spine 0 20 0", None),
        ("l_head spine 9 20 0\nr_head spine -9 20 0", None),
    ],
)
def test_what_is_only_named_after_a_head_is_none(tmp_path, extra, head):
    limits = limits_of(tmp_path, scene(body(extra=extra)))
    more = carried(limits) - carried(limits_of(tmp_path, scene(body())))
    assert more - {"neck"} == ({head} if head else set())


def shifted(bone, *place):
    """The body with both sides' joints at another place below their parents."""
    lines = [line.split() for line in body().strip().splitlines()]
    mirror = {"l": 1, "r": -1}
    for line in lines:
        if line[0][1:] == f"_{bone}":
            line[2:] = [str(mirror[line[0][0]] * place[0]), str(place[1]), str(place[2])]
    return "\n".join(map(" ".join, lines))


@pytest.mark.parametrize(
    ("text", "joint"),
    [(shifted("foot", 0, -30, 30), "l_calf"), (shifted("hand", 20, 0, -20), "r_forearm")],
)
def test_a_hinge_that_rests_bent_backwards_is_listed(tmp_path, text, joint):
    limits = limits_of(tmp_path, scene(text))
    assert joint not in carried(limits)
    assert note(limits, joint).endswith("it is bent backwards in the rest pose")


def test_a_leg_with_another_bend_is_listed(tmp_path):
    text = shifted("foot", 0, -25, 10)
    for side in "lr":
        text = text.replace(
            f"{side}_foot {side}_calf", f"{side}_pad {side}_calf 0 -20 -25\n{side}_foot {side}_pad"
        )
    limits = limits_of(tmp_path, scene(text))
    assert note(limits, "l_calf").endswith("another joint is out of line")
    assert not {"l_calf", "r_calf"} & carried(limits)


def test_arms_and_legs_at_one_joint_have_no_spine(tmp_path):
    text = (
        shifted("upperarm", 15, 50, 0).replace("spine root 0 50 0\n", "").replace("spine", "root")
    )
    limits = limits_of(tmp_path, scene(text))
    assert carried(limits) == carried(limits_of(tmp_path, scene(body()))) - {"spine"}
    assert note(limits, "root").endswith("it places the figure")


@pytest.mark.parametrize(
    "text",
    [shifted("thigh", -10, 0, 0), body(extra="l_toe l_foot 0 -2 -9\nr_toe r_foot 0 -2 -9")],
    ids=["legs", "feet"],
)
def test_sides_that_contradict_each_other_are_rejected(tmp_path, text):
    with pytest.raises(EstimationError, match="left and right of arms or feet do not fit"):
        limits_of(tmp_path, scene(text))


def test_wings_and_skirts_are_no_limbs(tmp_path):
    extra = "l_skirt_thigh root 12 0 0\nr_skirt_thigh root -12 0 0\nl_forearm_roll l_forearm 9 0 0"
    limits = limits_of(tmp_path, scene(body(extra=extra)))
    assert carried(limits) == carried(limits_of(tmp_path, scene(body())))
    assert note(limits, "l_forearm_roll").endswith("a twist joint shares its parent's rotation")
    wings = "\n".join(line.replace("arm", "arm_wing") for line in body().splitlines())
    for text in (wings, body(extra="beak spine 0 20 9")):
        with pytest.raises(EstimationError, match="not a human figure"):
            limits_of(tmp_path, scene(text))


def resting(x, y):
    """The body with arms along a direction."""
    text = body().replace(" 30 0 0", f" {x} {y} 0")
    return scene(text.replace(" -30 0 0", f" {-x} {y} 0"))


def test_hanging_arms_are_limited_like_those_of_a_t_pose(tmp_path):
    hanging, spread = (limits_of(tmp_path, resting(*way)) for way in ((0, -30), (30, 0)))
    assert carried(hanging) == carried(spread)
    assert hanging["l_forearm"]["rotateX"].width_deg == pytest.approx(
        spread["l_forearm"]["rotateY"].width_deg, abs=0.2
    )


def test_hinges_between_two_channels_are_listed(tmp_path):
    """An A-pose whose channels are those of the world: no channel bends the elbow."""
    limits = limits_of(tmp_path, resting(21, -21))
    assert carried(limits_of(tmp_path, resting(30, 0))) - carried(limits) == {
        *("l_forearm", "r_forearm")
    }
    assert note(limits, "l_forearm").endswith("its axis is not on a rotate channel")


def test_legs_up_at_rest_are_rejected(tmp_path):
    text = body().replace("0 -45 0", "0 45 0")  # legs straight up
    with pytest.raises(EstimationError, match="its rest pose is not a standing pose"):
        limits_of(tmp_path, scene(text))


def test_two_figures_in_one_scene_are_named(tmp_path):
    text = 'namespace -add "a";\nnamespace -add "b";\n' + scene(body("a:")) + scene(body("b:"))
    with pytest.raises(EstimationError, match=r"2 human figures in one skeleton \(a, b\)"):
        limits_of(tmp_path, text)


@pytest.mark.parametrize("language", HUMAN)
def test_names_of_other_languages_are_never_guessed(tmp_path, language):
    text = body()
    for ours, theirs in HUMAN[language].items():
        text = text.replace(ours, theirs)
    bones = [line.split() for line in text.splitlines()]
    with pytest.raises(EstimationError, match="found by name"):
        limits_of(tmp_path, scene("\n".join(" ".join(line) for line in bones)))
