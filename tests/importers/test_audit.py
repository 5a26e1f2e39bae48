"""Audit of one file: faults found, nothing found where nothing is wrong, and MuJoCo's own word."""

import json

import numpy as np
import pytest

from jointlimits_core.cli import main
from jointlimits_core.formats import read_motion
from jointlimits_core.importers import audit, read_limits
from tests.support.maya_scenes import write_scene
from tests.support.shared_data import shared

MODEL = """<mujoco model="legs">
 <compiler angle="{unit}"/>
 <worldbody>
  <body name="pelvis"><freejoint/>
   <body name="thigh">
    <joint name="hip_x" type="hinge" axis="1 0 0" range="-30 60"/>
    <joint name="hip_y" type="hinge" axis="0 1 0" range="-20 20"/>
    <body name="shin"><joint name="knee" type="hinge" axis="0 1 0" range="-160 {knee}"/>
     <body name="slider"><joint name="rail" type="slide" range="0 1"/>
      <body name="foot"><joint name="ankle" type="ball" range="0 30"/><geom size="1"/></body>
      <geom size="1"/></body>
     <geom size="1"/></body>
    <geom size="1"/></body>
   <geom size="1"/></body>
 </worldbody>
 <keyframe>{keys}</keyframe>
</mujoco>"""
ROOT = "0 0 1 1 0 0 0"


def model(folder, keys="", knee="0", unit="degree"):
    path = folder / "legs.xml"
    path.write_text(MODEL.format(keys=keys, knee=knee, unit=unit))
    return path


def audited(path, motion=None):
    return audit(read_limits(path), motion)


def key(hip_x=0.0, hip_y=0.0, knee=0.0, rail=0.0, ankle=0.0):
    """A pose; angles in degrees, which the file stores in radians."""
    x, y, k, half = np.radians([hip_x, hip_y, knee, ankle / 2.0])
    ball = f"{np.cos(half)} {np.sin(half)} 0 0"
    return f'<key name="stand" qpos="{ROOT} {x} {y} {k} {rail} {ball}"/>'


def test_poses_inside_are_no_fault(tmp_path):
    found = audited(model(tmp_path, key(hip_x=59.0, hip_y=-19.0, knee=-159.0, ankle=29.0)))
    assert found.passed
    assert {one.rule for one in found.notes} == {"slides", "ball-range"}


@pytest.mark.parametrize(
    ("pose", "body", "beyond"),
    [
        ({"hip_x": 63.0}, "thigh", 3.0),
        ({"hip_y": -25.0}, "thigh", 5.0),
        ({"knee": 0.16}, "shin", 0.16),
        ({"ankle": 42.0}, "foot", 12.0),
    ],
)
def test_a_keyframe_outside_is_a_fault(tmp_path, pose, body, beyond):
    (fault,) = audited(model(tmp_path, key(**pose))).faults
    assert fault.joint == body
    assert fault.degrees == pytest.approx(beyond, abs=1e-9)
    assert "keyframe stand" in fault.message


def test_rounding_is_no_fault(tmp_path):
    assert audited(model(tmp_path, key(knee=0.05))).passed


def test_a_keyframe_of_another_model_is_noted(tmp_path):
    found = audited(model(tmp_path, '<key qpos="0 0 1"/>'))
    assert found.passed
    assert "has 3 numbers, the joints have 15" in "".join(one.message for one in found.notes)


def test_a_rest_pose_outside_is_a_fault(tmp_path):
    (fault,) = audited(model(tmp_path, knee="-2")).faults
    assert (fault.rule, fault.joint) == ("rest-outside", "shin")
    assert fault.degrees == pytest.approx(2.0)


def test_degrees_in_a_file_of_radians_are_noticed(tmp_path):
    found = audited(model(tmp_path, unit="radian"))
    assert "unit" in {one.rule for one in found.notes}


def test_a_robot_whose_zero_is_outside(tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_text(
        '<robot name="arm"><link name="a"/><link name="b"/>'
        '<joint name="elbow" type="revolute"><parent link="a"/><child link="b"/>'
        '<axis xyz="0 0 1"/><limit lower="0.5" upper="2" effort="1" velocity="1"/></joint></robot>'
    )
    (fault,) = audited(path).faults
    assert fault.joint == "elbow"
    assert fault.degrees == pytest.approx(np.degrees(0.5))


def test_sides_that_differ_are_noted(tmp_path):
    joint = (
        '<joint name="{0}_knee" type="revolute"><parent link="a"/><child link="{0}"/>'
        '<axis xyz="1 0 0"/><limit lower="{1}" upper="{2}" effort="1" velocity="1"/></joint>'
    )
    ranges = {"same": ("-2", "0"), "mirrored": ("0", "2"), "other": ("-1", "0")}
    found = {}
    for name, ends in ranges.items():
        path = tmp_path / f"{name}.urdf"
        joints = joint.format("left", "-2", "0") + joint.format("right", *ends)
        links = '<link name="a"/><link name="left"/><link name="right"/>'
        path.write_text(f'<robot name="legs">{links}{joints}</robot>')
        found[name] = [one.rule for one in audited(path).notes]
    assert found == {"same": [], "mirrored": [], "other": ["sides-differ"]}


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
    (fault,) = audited(path, read_motion(path)).faults
    assert (fault.joint, fault.channel, fault.side) == ("knee", "rotateZ", "max")
    assert fault.degrees == pytest.approx(30.0)
    assert fault.frame_ranges == ((3.0, 3.0),)


def test_keys_of_a_scene_inside_its_own_limits(tmp_path):
    path = write_scene(tmp_path, SCENE.format(high="90", last="80"))
    assert audited(path, read_motion(path)).passed


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
    found = audited(copy, read_motion(copy))
    assert {f"{one.joint}.{one.channel}" for one in found.faults} == set(still)


def test_a_bind_pose_outside_limits_of_the_motion_is_noted(tmp_path):
    path = write_scene(tmp_path, LEG.format(hip="", knee="") + BIND)
    assert main(["estimate", str(path), "--apply", "--out", str(tmp_path / "out")]) == 0
    copy = tmp_path / "out" / "scene.limits.ma"
    found = audited(copy, read_motion(copy))
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
    assert audited(path, read_motion(path)).passed
    path = write_scene(tmp_path, path.read_text().replace("3 80", "3 120"), "other.ma")
    (fault,) = audited(path, read_motion(path)).faults
    assert fault.degrees == pytest.approx(30.0)


def test_a_middle_channel_beyond_a_right_angle_is_noted(tmp_path):
    text = SCENE.format(high="90", last="80").replace("-45 -45 0", "-45 -120 0")
    text = text.replace('setAttr ".mrze" yes;', 'setAttr ".mrze" yes;\n\tsetAttr ".mrye" yes;')
    text = text.replace('setAttr ".xrze" yes;', 'setAttr ".xrze" yes;\n\tsetAttr ".xrye" yes;')
    path = write_scene(tmp_path, text)
    assert "middle-beyond-90" in {one.rule for one in audited(path, read_motion(path)).notes}


def test_the_command_prints_and_gates(tmp_path, capsys):
    good, bad = model(tmp_path, key()), tmp_path / "bad"
    assert main(["audit", str(good)]) == 0
    assert "0 faults" in capsys.readouterr().out
    bad.mkdir()
    path = model(bad, key(hip_x=63.0))
    assert main(["audit", str(path)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith("1 fault, 2 notes (5 joints, 6 limited channels)")
    assert (
        lines[1] == "  thigh: keyframe stand: hip_x at 63.0 is outside -30.0..60.0 by 3.0 degrees"
    )
    assert main(["audit", str(path), "--tolerance", "4"]) == 0
    capsys.readouterr()
    assert main(["audit", str(path), "--format", "json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert document["format"] == "jointlimits.audit"
    assert [one["joint"] for one in document["faults"]] == ["thigh"]


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["dm_control_humanoid.xml", "dm_control_humanoid_CMU.xml"])
def test_mujoco_finds_the_same_joints(tmp_path, name):
    mujoco = pytest.importorskip("mujoco")
    text = (shared("limits") / name).read_text()
    text = "\n".join(line for line in text.splitlines() if "<include" not in line)
    text = text.replace('material="self"', "")
    rng = np.random.default_rng(3)
    plain = mujoco.MjModel.from_xml_string(text)
    pose = plain.qpos0 + rng.uniform(-1.5, 1.5, plain.nq)
    numbers = " ".join(f"{value:.17g}" for value in pose)
    path = tmp_path / name
    keyframe = f'<keyframe><key name="random" qpos="{numbers}"/></keyframe></mujoco>'
    path.write_text(text.replace("</mujoco>", keyframe))
    expected = set()
    for joint in range(plain.njnt):
        if plain.jnt_type[joint] == mujoco.mjtJoint.mjJNT_HINGE and plain.jnt_limited[joint]:
            low, high = plain.jnt_range[joint]
            value = pose[plain.jnt_qposadr[joint]]
            if max(low - value, value - high) > np.radians(0.1):
                expected.add(plain.joint(joint).name)
    found = [one for one in audited(path).faults if one.message.startswith("keyframe")]
    assert {one.message.split(": ")[1].split(" at ")[0] for one in found} == expected
    assert len(found) == len(expected) > 10
