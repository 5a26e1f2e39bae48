"""Unusual animation of rotate channels in a Maya ASCII scene: limits do not change it."""

from __future__ import annotations

import pytest

from jointlimits_core.formats.maya_ascii.writer import write_joint_attributes
from jointlimits_core.rig.limit_plan import JointChange
from tests.support.maya_scenes import connect, curve, slider, write_scene

JOINTS = 'createNode joint -n "hip";\ncreateNode joint -n "knee" -p "hip";\n'
BENT = curve("bend", [(1, 0), (10, 5), (30, 90)]) + connect("bend.o", "knee.rx")
FURTHER = '\tsetAttr ".pst" 4;\n'
"""After its last key a curve goes on from there, cycle by cycle."""


@pytest.fixture
def channels_off(tmp_path):
    """Drivers, or frames, of channels that get no limits of -20 to 50 degrees, by channel."""

    def find(body, joint="knee", **options):
        scene = write_scene(tmp_path, body)
        change = JointChange(dict.fromkeys(("rotateX", "rotateY", "rotateZ"), (-20.0, 50.0)))
        report = write_joint_attributes(scene, tmp_path / "copy.ma", {joint: change}, **options)
        return {one.channel: one.driver or one.worst_frame for one in report.left_off}

    return find


@pytest.mark.parametrize("ends", [(1, 30, 1, 200), (1, 200, 1, 30)])
def test_the_whole_time_slider_counts(channels_off, ends):
    slow = curve("bend", [(1, 0), (30, 10)], more=FURTHER) + connect("bend.o", "knee.rx")
    assert not channels_off(JOINTS + slow + slider(1, 30))
    assert set(channels_off(JOINTS + slow + slider(*ends))) == {"rotateX"}


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
def test_what_drives_a_channel_from_a_file_that_is_missing(channels_off, more, driver):
    more += "" if driver else connect("u.o", "knee.rx")
    assert channels_off(JOINTS + more) == {"rotateX": f"{driver or 'lost'} (not in the scene)"}


def test_a_connection_that_is_cut_drives_nothing(channels_off):
    cut = connect("lost.o", "knee.rx") + 'disconnectAttr "lost.o" "knee.rx";\n'
    assert channels_off(JOINTS + cut) == {}


@pytest.mark.parametrize(
    "move",
    [
        'parent "knee" "hip";\n',
        'parent -s -nc -r ":knee" "|hip";\n',
        'parent "knee" "|rig:group|rig:hip";\n',
        'parent "hip" "knee";\nparent "knee" "hip";\n',
    ],
)
def test_a_joint_that_the_scene_moves(channels_off, move):
    joints = 'createNode joint -n "hip";\ncreateNode joint -n "knee";\n'
    assert channels_off(joints + BENT + move) == {"rotateX": 30.0}
    world = 'createNode joint -n "hip";\ncreateNode joint -n "knee" -p "hip";\nparent -w "knee";\n'
    assert channels_off(world + BENT, "|knee") == {"rotateX": 30.0}


def turns(keys, interpolation):
    """Curves on all three channels of the knee, interpolated together."""
    more = f'\tsetAttr ".roti" {interpolation};\n'
    return "".join(
        curve(f"bend_{axis}", keys, more=more) + connect(f"bend_{axis}.o", f"knee.r{axis}")
        for axis in "xyz"
    )


@pytest.mark.parametrize(("interpolation", "counts"), [(1, 0), (2, 0), (3, 3), (4, 3), (5, 3)])
def test_between_keys_quaternions_are_not_known(channels_off, interpolation, counts):
    found = channels_off(JOINTS + turns([(1, 0), (30, 40)], interpolation))
    assert len(found) == counts
    assert all("(interpolated as quaternions)" in one for one in found.values())


def test_quaternions_with_a_key_on_every_frame_are_known(channels_off):
    assert not channels_off(JOINTS + turns([(1, 0), (2.005, 20), (3, 40)], 3))
    assert channels_off(JOINTS + turns([(1, 0), (2, 60), (3, 40)], 3)) == dict.fromkeys(
        ("rotateX", "rotateY", "rotateZ"), 2.0
    )


def test_which_of_two_keys_at_one_time_shows_is_not_known(channels_off):
    doubled = curve("bend", [(1, 0), (10, 90), (10, 5), (30, 5)]) + connect("bend.o", "knee.rx")
    assert channels_off(JOINTS + doubled) == {"rotateX": "bend (several keys at one time)"}
    same = curve("bend", [(1, 0), (10, 5), (10, 5), (30, 5)]) + connect("bend.o", "knee.rx")
    assert not channels_off(JOINTS + same)


def test_the_frame_at_which_the_scene_was_saved_counts(channels_off):
    slow = curve("bend", [(1, 0), (30, 10)], more=FURTHER) + connect("bend.o", "knee.rx")
    body = JOINTS + slow + slider(1, 30)
    assert not channels_off(body + 'select -ne :time1;\n\tsetAttr ".o" 20;\n')
    assert channels_off(body + 'select -ne :time1;\n\tsetAttr ".o" 400;\n') == {"rotateX": 400.0}


CONTROL = (
    'createNode transform -n "ctl";\n\tsetAttr ".mnrl" -type "double3" 0 0 0;\n'
    '\tsetAttr ".mxrl" -type "double3" 90 90 90;\n\tsetAttr ".mrxe" yes;\n\tsetAttr ".xrxe" yes;\n'
) + connect("ctl.rx", "knee.rx")


@pytest.mark.parametrize(
    ("keys", "found"),
    [
        ([(1, 10), (30, 40)], {}),
        # Maya clamps these at the control: what arrives at the joint is not what the curve says.
        ([(1, -50), (30, -10)], {"rotateX": "ctl (transform)"}),
        ([(1, 10), (30, 100)], {"rotateX": "ctl (transform)"}),
    ],
)
def test_a_control_with_limits_of_its_own_passes_on_what_is_inside_them(channels_off, keys, found):
    body = JOINTS + CONTROL + curve("bend", keys) + connect("bend.o", "ctl.rx")
    assert channels_off(body, enable_driven=True) == found
    assert not channels_off(body), "a limit that is off changes no pose"


@pytest.mark.parametrize(
    ("keys", "step"),
    [
        ([(1, 0), (2, 20), (3, 380), (4, 370)], "filter its keys"),
        ([(1, 0), (2, 120), (3, 240), (4, 360), (5, 370)], "fix the frames"),
        ([(1, 0), (2, 60)], "widen the limits"),
    ],
)
def test_filtering_is_the_step_where_it_changes_keys(tmp_path, keys, step):
    body = JOINTS + curve("bend", keys) + connect("bend.o", "knee.rx")
    scene, change = write_scene(tmp_path, body), JointChange({"rotateX": (-20.0, 50.0)})
    report = write_joint_attributes(scene, tmp_path / "copy.ma", {"knee": change})
    assert [one.step().startswith(step) for one in report.left_off] == [True]


@pytest.mark.parametrize(("infinity", "counts"), [("", False), ('\tsetAttr ".pst" 1;\n', True)])
def test_under_a_warp_that_is_not_known_any_time_may_show(channels_off, infinity, counts):
    slow = curve("bend", [(1, 0), (30, 10)], more=infinity) + connect("bend.o", "knee.rx")
    warp = 'createNode expression -n "ease";\nselect -ne :time1;\n\tsetAttr ".etw" yes;\n'
    found = channels_off(JOINTS + slow + warp + connect("ease.out[0]", ":time1.tw"))
    assert found == ({"rotateX": "ease (expression)"} if counts else {})
