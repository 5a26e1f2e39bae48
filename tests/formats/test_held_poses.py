"""What a Maya ASCII scene holds on rotate channels, in unusual places: limits leave it as it is."""

from __future__ import annotations

import pytest

from jointlimits_core.formats.maya_ascii import write_joint_attributes
from jointlimits_core.rig import JointChange
from tests.support.maya_scenes import connect, curve, write_scene

JOINTS = 'createNode joint -n "hip";\ncreateNode joint -n "knee" -p "hip";\n'
BENT = curve("bend", [(1, 0), (10, 5), (30, 90)]) + connect("bend.o", "knee.rx")
FURTHER = '\tsetAttr ".pst" 4;\n'
"""After its last key a curve goes on from there, cycle by cycle."""


@pytest.fixture
def left_off(tmp_path):
    """Drivers, or frames, of channels that get no limits of -20 to 50 degrees, by channel."""

    def found(body, joint="knee"):
        scene = write_scene(tmp_path, body)
        change = JointChange(dict.fromkeys(("rotateX", "rotateY", "rotateZ"), (-20.0, 50.0)))
        report = write_joint_attributes(scene, tmp_path / "copy.ma", {joint: change})
        return {one.channel: one.driver or one.worst_frame for one in report.left_off}

    return found


def slider(ends):
    return (
        'createNode script -n "sceneConfigurationScriptNode";\n'
        f'\tsetAttr ".b" -type "string" "playbackOptions {ends} ";\n\tsetAttr ".st" 6;\n'
    )


@pytest.mark.parametrize("ends", ["-min 1 -max 30 -ast 1 -aet 200", "-ast 1 -aet 30 -max 200"])
def test_the_whole_time_slider_counts(left_off, ends):
    slow = curve("bend", [(1, 0), (30, 10)], more=FURTHER) + connect("bend.o", "knee.rx")
    assert not left_off(JOINTS + slow + slider("-min 1 -max 30 -ast 1 -aet 30"))
    assert set(left_off(JOINTS + slow + slider(ends))) == {"rotateX"}


GONE = 'file -r -ns "rig" -dr 1 -rfn "rigRN" -typ "mayaAscii" "gone.ma";\n'
HELD = (
    'createNode reference -n "rigRN";\n\tsetAttr ".phl[1]" 0;\n\tsetAttr ".ed" -type '
    '"dataReferenceEdits" "rigRN" "rigRN" 1 5 3 "rigRN" "|rig:leg.rotateX" '
    '"rigRN.placeHolderList[1]" "";\n'
)


@pytest.mark.parametrize(
    ("more", "driver"),
    [
        (connect("lost.o", "knee.rx"), "lost"),
        (GONE + connect("rig:leg.rx", "knee.rx"), "rig:leg"),
        (GONE + HELD + connect("rigRN.phl[1]", "knee.rx"), "|rig:leg"),
        ('createNode unitConversion -n "u";\n' + connect("lost.o", "u.i"), None),
    ],
)
def test_what_drives_a_channel_from_a_file_that_is_missing(left_off, more, driver):
    more += "" if driver else connect("u.o", "knee.rx")
    assert left_off(JOINTS + more) == {"rotateX": f"{driver or 'lost'} (not in the scene)"}


def test_a_connection_that_is_cut_drives_nothing(left_off):
    cut = connect("lost.o", "knee.rx") + 'disconnectAttr "lost.o" "knee.rx";\n'
    assert left_off(JOINTS + cut) == {}


@pytest.mark.parametrize(
    "move",
    [
        'parent "knee" "hip";\n',
        'parent -s -nc -r ":knee" "|hip";\n',
        'parent "knee" "|rig:group|rig:hip";\n',
        'parent "hip" "knee";\nparent "knee" "hip";\n',
    ],
)
def test_a_joint_that_the_scene_moves(left_off, move):
    joints = 'createNode joint -n "hip";\ncreateNode joint -n "knee";\n'
    assert left_off(joints + BENT + move) == {"rotateX": 30.0}
    world = 'createNode joint -n "hip";\ncreateNode joint -n "knee" -p "hip";\nparent -w "knee";\n'
    assert left_off(world + BENT, "|knee") == {"rotateX": 30.0}
