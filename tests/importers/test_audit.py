"""Audit of one file: faults found, and nothing found where nothing is wrong."""

import json

import numpy as np
import pytest

from jointlimits_core.cli.main import main
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.importers.audit import audit
from jointlimits_core.importers.read import read_limits
from tests.support.maya_scenes import write_scene


def audit_file(path, motion=None):
    return audit(read_limits(path), motion)


KNEE = """createNode joint -n "{0}_knee" -p "hips";
	setAttr ".mrxe" yes;
	setAttr ".xrxe" yes;
	setAttr ".mnrl" -type "double3" {1} -45 -45;
	setAttr ".mxrl" -type "double3" {2} 45 45;
"""


def test_sides_that_differ_are_noted(tmp_path):
    found = {}
    for name, ends in {"same": (-90, 9), "mirrored": (-9, 90), "other": (-60, 9)}.items():
        text = 'createNode joint -n "hips";\n' + KNEE.format("left", -90, 9)
        path = write_scene(tmp_path, text + KNEE.format("right", *ends))
        found[name] = [one.rule for one in audit_file(path).notes]
    assert found == {"same": [], "mirrored": [], "other": ["sides-differ"]}


def test_a_rest_pose_outside_is_a_fault(tmp_path):
    text = KNEE.format("left", 2, 90).replace(' -p "hips"', "")
    (fault,) = audit_file(write_scene(tmp_path, text)).faults
    assert (fault.rule, fault.joint) == ("rest-outside", "left_knee")
    assert fault.degrees == pytest.approx(2.0)


def test_degrees_in_a_file_of_radians_are_noticed(tmp_path):
    text = 'createNode joint -n "hips";\n'
    text += "".join(KNEE.format(f"{n}_left", -1.5, 0.5) for n in range(5))
    assert "unit" in {one.rule for one in audit_file(write_scene(tmp_path, text)).notes}


SCENE = """createNode joint -n "knee";
	setAttr ".mrze" yes;
	setAttr ".xrze" yes;
	setAttr ".mnrl" -type "double3" -45 -45 0;
	setAttr ".mxrl" -type "double3" 45 45 {high};
createNode animCurveTA -n "knee_rotateZ";
	setAttr -s 3 ".ktv[0:2]" 1 0 2 60 3 {last};
connectAttr "knee_rotateZ.o" "knee.rz";
"""


def test_keys_of_a_scene_outside_its_own_limits(tmp_path):
    path = write_scene(tmp_path, SCENE.format(high="90", last="120"))
    (fault,) = audit_file(path, read_motion(path)).faults
    assert (fault.joint, fault.channel, fault.side) == ("knee", "rotateZ", "max")
    assert fault.degrees == pytest.approx(30.0)
    assert fault.frame_ranges == ((3.0, 3.0),)


def test_keys_of_a_scene_inside_its_own_limits(tmp_path):
    path = write_scene(tmp_path, SCENE.format(high="90", last="80"))
    assert audit_file(path, read_motion(path)).passed


LEG = """createNode joint -n "hip";
{hip}createNode joint -n "knee" -p "hip";
	setAttr ".t" -type "double3" 0 5 0;
{knee}createNode joint -n "foot" -p "knee";
	setAttr ".t" -type "double3" 0 5 0;
createNode animCurveTA -n "hip_rotateY";
	setAttr -s 3 ".ktv[0:2]" 1 0 5 20 10 0;
createNode animCurveTA -n "knee_rotateX";
	setAttr -s 3 ".ktv[0:2]" 1 0 5 60 10 0;
createNode animCurveTA -n "foot_rotateX";
	setAttr -s 4 ".ktv[0:3]" 1 0 4 30 8 28 10 -10;
connectAttr "hip_rotateY.o" "hip.ry";
connectAttr "knee_rotateX.o" "knee.rx";
connectAttr "foot_rotateX.o" "foot.rx";
"""
HIP_ON = """	setAttr ".mrye" yes;
	setAttr ".xrye" yes;
	setAttr ".mnrl" -type "double3" -45 -5 -45;
	setAttr ".mxrl" -type "double3" 45 5 45;
"""
KNEE_ON = HIP_ON.replace("mrye", "mrxe").replace("xrye", "xrxe").replace("45 -5", "10 -45")
BIND = """createNode dagPose -n "pose";
	setAttr ".wm[0]" -type "matrix" 1 0 0 0 0 -0.41614684 -0.90929743 0 0 0.90929743 -0.41614684 0 \
0 5 0 1 ;
	setAttr ".xm[0]" -type "matrix" "xform" 1 1 1 -2 0 0 0 0 5 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 \
0 0 0 1 0 0 0 1 1 1 1 yes;
	setAttr ".bp" yes;
connectAttr "knee.msg" "pose.m[0]";
connectAttr "pose.w" "pose.p[0]";
"""


HIP_STAYS = {"hip.rotateY": "widen them or switch them off"}
KNEE_STAYS = {"knee.rotateX": "widen them or switch them off, or use --replace"}


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("on", "flags", "still"),
    [
        ({}, [], {}),
        ({"hip": HIP_ON, "knee": KNEE_ON}, [], {**HIP_STAYS, **KNEE_STAYS}),
        ({"hip": HIP_ON}, [], HIP_STAYS),
        ({"hip": HIP_ON, "knee": KNEE_ON}, ["--replace"], HIP_STAYS),
        ({"knee": KNEE_ON}, ["--replace"], {}),
    ],
)
def test_faults_of_a_copy_are_those_of_limits_that_were_on_before(
    tmp_path, capsys, on, flags, still
):
    """They are listed at apply, with frames and degrees, whether the joint gets limits or not."""
    path = write_scene(tmp_path, LEG.format(**{"hip": "", "knee": "", **on}))
    command = ["estimate", str(path), "--apply", "--out", str(tmp_path / "out"), *flags]
    assert main([*command, "--format", "json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    kept = shown.get("still_clamped", [])
    assert {f"{one['joint']}.{one['channel']}" for one in kept} == set(still)
    assert all(one["frames"] > 2 and one["worst_deg"] > 14.0 for one in kept)
    lines = [one for one in shown["messages"] if one.startswith("already in the scene")]
    assert {line.split(": ")[1]: line.split("; ")[1] for line in lines} == still
    copy = tmp_path / "out" / "scene.limits.ma"
    found = audit_file(copy, read_motion(copy))
    assert {f"{one.joint}.{one.channel}" for one in found.faults} == set(still)


def test_a_bind_pose_outside_limits_of_the_motion_is_noted(tmp_path):
    path = write_scene(tmp_path, LEG.format(hip="", knee="") + BIND)
    assert main(["estimate", str(path), "--apply", "--out", str(tmp_path / "out")]) == 0
    copy = tmp_path / "out" / "scene.limits.ma"
    found = audit_file(copy, read_motion(copy))
    assert found.passed
    (note,) = [one for one in found.notes if one.rule == "bind-pose-outside"]
    assert note.joint == "knee"
    assert note.degrees == pytest.approx(np.degrees(2.0))


def test_a_lock_with_limits_holds_keys_inside_them(tmp_path):
    text = SCENE.format(high="90", last="80")
    still = '	setAttr ".jtz" no;\n'
    path = write_scene(
        tmp_path, text.replace("createNode animCurve", still + "createNode animCurve")
    )
    assert audit_file(path, read_motion(path)).passed
    path = write_scene(tmp_path, path.read_text().replace("3 80", "3 120"), "other.ma")
    (fault,) = audit_file(path, read_motion(path)).faults
    assert fault.degrees == pytest.approx(30.0)


def test_a_middle_channel_beyond_a_right_angle_is_noted(tmp_path):
    text = SCENE.format(high="90", last="80").replace("-45 -45 0", "-45 -120 0")
    text = text.replace('setAttr ".mrze" yes;', 'setAttr ".mrze" yes;\n\tsetAttr ".mrye" yes;')
    text = text.replace('setAttr ".xrze" yes;', 'setAttr ".xrze" yes;\n\tsetAttr ".xrye" yes;')
    path = write_scene(tmp_path, text)
    assert "middle-beyond-90" in {one.rule for one in audit_file(path, read_motion(path)).notes}


def test_the_command_prints_and_gates(tmp_path, capsys):
    good = str(write_scene(tmp_path, SCENE.format(high="90", last="80")))
    assert main(["audit", good]) == 0
    assert "0 faults" in capsys.readouterr().out
    bad = str(write_scene(tmp_path, SCENE.format(high="90", last="93")))
    assert main(["audit", bad]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith("1 fault, 0 notes (1 joint, 1 limited channel)")
    assert lines[1].startswith("  knee: Z max 90.0 is exceeded by 3.0 degrees in 1 frame")
    assert main(["audit", bad, "--tolerance", "4"]) == 0
    capsys.readouterr()
    assert main(["audit", bad, "--format", "json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert document["format"] == "jointlimits.audit"
    assert [one["joint"] for one in document["faults"]] == ["knee"]
