"""Which joints are meant."""

from __future__ import annotations

import pytest

from tests.support.maya_reading import opened_text

BODY = (
    'createNode transform -n "rig";\ncreateNode joint -n "hip" -p "rig";\n'
    'createNode joint -n "knee" -p "hip";\ncreateNode joint -n "ankle" -p "knee";\n'
    'createNode transform -n "props" -p "hip";\ncreateNode joint -n "tail" -p "props";\n'
    'createNode joint -n "hip2" -p "rig";\n'
    'createNode joint -n "hipster";\ncreateNode joint -n "A:hip";\n'
    'createNode joint -n "A:B:knee" -p "A:hip";\n'
    'createNode joint -n "AB:toe";\ncreateNode multiplyDivide -n "sums";\n'
)
BELOW_HIP = ["hip", "knee", "ankle", "tail"]


@pytest.fixture
def scene(maya, tmp_path):
    return opened_text(maya, tmp_path, BODY)


def choose(*names, **options):
    from jointlimits_maya.scene.joints import chosen_joints, joint_names

    return joint_names(chosen_joints(names, **options))


def refusal_of(*names, **options):
    from jointlimits_maya.base.host import SceneError

    with pytest.raises(SceneError) as caught:
        choose(*names, **options)
    return str(caught.value)


@pytest.mark.usefixtures("scene")
@pytest.mark.parametrize(
    ("names", "options", "expected"),
    [
        ([], {"everything": True}, [*BELOW_HIP, "hip2", "hipster", "A:hip", "A:B:knee", "AB:toe"]),
        (["hip"], {}, BELOW_HIP),
        (["rig"], {}, [*BELOW_HIP, "hip2"]),
        (["tail", "knee"], {}, ["knee", "ankle", "tail"]),
        (["knee", "hip"], {}, BELOW_HIP),
        ([], {"root": "|rig|hip"}, BELOW_HIP),
        (["hipster"], {"root": "knee"}, ["knee", "ankle", "hipster"]),
        ([], {"namespace": "A"}, ["A:hip", "A:B:knee"]),
        ([], {"namespace": ":A:B:"}, ["A:B:knee"]),
        ([], {"pattern": "hip*"}, ["hip", "hip2", "hipster"]),
        ([], {"pattern": "*:hip"}, ["A:hip"]),
        ([], {"root": "rig", "pattern": "*e"}, ["knee", "ankle"]),
    ],
)
def test_joints_by_names(names, options, expected):
    found = choose(*names, **options)
    assert [joint.rpartition("|")[2] for joint in found] == expected


def test_joints_of_the_selection(scene):
    scene.select([scene.node("props"), scene.node("ankle")])
    assert choose() == ["ankle", "tail"]


def test_names_that_several_joints_share_are_full_paths(maya, tmp_path):
    body = 'createNode joint -n "a";\ncreateNode joint -n "b" -p "a";\n'
    body += 'createNode joint -n "c";\ncreateNode joint -n "b" -p "|c";\n'
    opened_text(maya, tmp_path, body)
    assert choose(everything=True) == ["a", "|a|b", "c", "|c|b"]
    # Whichever are asked for: a joint has one name.
    assert choose("a") == ["a", "|a|b"]


def test_what_is_no_joint_is_refused_in_a_sentence(scene):
    assert "nothing is selected; select the root joint" in refusal_of()
    assert "'nobody' does not exist" in refusal_of("nobody")
    assert "'sums' is neither a joint nor a group" in refusal_of("sums")
    assert "no joints in the namespace 'Z'" in refusal_of(namespace="Z")
    assert "no joints matching 'x*'" in refusal_of(pattern="x*")
    assert "below ankle matching 'hip'" in refusal_of("ankle", pattern="hip")
    scene.select([scene.node("sums")])
    assert "'sums' is neither a joint nor a group" in refusal_of()


def test_a_group_without_joints(maya, tmp_path):
    scene = opened_text(maya, tmp_path, 'createNode transform -n "empty";\n')
    scene.select([scene.node("empty")])
    assert "no joints below empty; select the root joint" in refusal_of()
    assert "no joints in the scene" in refusal_of(everything=True)
