"""Controls of scene files: measured, and limits written to them."""

from __future__ import annotations

import json

import numpy as np
import pytest

import jointlimits_core
from jointlimits_core.base.errors import EstimationError, InputError
from jointlimits_core.base.findings import KEYED_CONTROLS, UNRESOLVED_DRIVER
from jointlimits_core.cli.main import main
from jointlimits_core.estimation.pipeline import estimate, reject_still_estimate
from jointlimits_core.formats.maya_ascii.reader import read_maya_ascii
from jointlimits_core.formats.maya_ascii.writer import apply_limit_set
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.limits.ranges import is_unexplained
from jointlimits_core.limits.review_entries import review
from jointlimits_core.rig.turned_besides import TURNED_ABOVE
from tests.support.control_scenes import SCENES, scene
from tests.support.driven_rigs import control, node, orient
from tests.support.maya_scenes import connect, curve, write_scene

CONTROLS = [f"{part}_{side}_ctl" for side in "lr" for part in ("arm", "elbow")]
UNREADABLE = {"no controls": "no controls", "no keys": "nothing is animated: no control of"}
ELSEWHERE = "in a missing reference"
UNWRITTEN = {
    "a missing file": (ELSEWHERE, CONTROLS),
    "a locked reference": ("in a locked reference", CONTROLS),
    "locked channels": ("locked", CONTROLS[1:2]),
    "limits of somebody else": ("has limits already", ["elbow_l_ctl", "elbow_r_ctl"]),
    "limits by edits": ("has limits already", ["elbow_l_ctl"]),
}
"""Controls that get no limits, or not all, and the reason."""
UNEXPLAINED = {
    "a moving group": (TURNED_ABOVE, "elbow_l_ctl", "'elbow_l_ctl_grp' (transform) above it"),
    "two rotate orders": ("changing-rotate-order", "elbow_l_ctl", "'order' (animCurveTU)"),
    "a driven key": (UNRESOLVED_DRIVER, "elbow_l_ctl", "'sdk' (animCurveUA)"),
    "a constrained control": (UNRESOLVED_DRIVER, "elbow_r_ctl", "'on' (orientConstraint)"),
}


def short(name):
    return name.rpartition("|")[2].rpartition(":")[2].removeprefix("rig_")


def measured(path):
    limits = estimate(read_motion(path, controls=True))
    reject_still_estimate(limits)
    return limits


def clamped_deg(path, names=()):
    """Largest angle by which limits in a scene clamp the controls' keys."""
    motion, most = read_motion(path, controls=True), 0.0
    assert any(one.limits_deg for one in motion.skeleton.declarations.values())
    for name, declared in motion.skeleton.declarations.items():
        for channel, (low, high) in declared.limits_deg.items():
            values = motion.rotate_deg(name)[:, "XYZ".index(channel[-1])]
            over = [values - high] if high is not None else []
            under = [low - values] if low is not None else []
            most = max(
                [most, *(float(one.max()) for one in (*over, *under) if short(name) not in names)]
            )
    return most


@pytest.mark.parametrize("name", [one for one in SCENES if one not in UNREADABLE])
def test_controls_are_measured_and_no_pose_is_clamped(tmp_path, name):
    path, out = scene(tmp_path, name), tmp_path / "copy.ma"
    limits = measured(path)
    assert limits.of_controls
    animated = [short(one) for one, joint in limits.joints.items() if joint.animated]
    known = UNEXPLAINED.get(name, ("", ""))
    expected = CONTROLS * (2 if name == "two namespaces" else 1)
    assert sorted({*animated, known[1]} - {""}) == sorted({*expected, known[1]} - {""})
    assert len(animated) >= len(expected) - 1
    why, skipped = UNWRITTEN.get(name, ("", ()))
    if len(skipped) == len(CONTROLS):
        with pytest.raises(InputError, match=why):
            apply_limit_set(limits, path, out)
        return
    report = apply_limit_set(limits, path, out)
    assert {(one.reason, short(one.joint)) for one in report.skipped} == {(why, n) for n in skipped}
    written = {short(one) for one in report.written}
    assert written >= set(CONTROLS) - {*skipped, known[1]}
    assert not any("jointType" in a or "preferred" in a for n in report.written.values() for a in n)
    # Limits that were there may clamp keys, as before; they are listed.
    before = {short(one.joint) for one in report.still_clamped}
    assert before == (set(skipped) if why.startswith("has limits") else set())
    assert clamped_deg(out, before) <= 1e-9
    np.testing.assert_array_equal(
        read_motion(out, controls=True).rotates, read_motion(path, controls=True).rotates
    )
    assert jointlimits_core.check(limits, out).passed


@pytest.mark.parametrize("name", UNREADABLE)
def test_scenes_without_controls_or_keys_are_refused(tmp_path, name):
    with pytest.raises((InputError, EstimationError), match=UNREADABLE[name].replace("(", "\\(")):
        measured(scene(tmp_path, name))


@pytest.mark.parametrize("name", UNEXPLAINED)
def test_what_turns_a_control_besides_its_keys_is_named(tmp_path, name):
    rule, joint, source = UNEXPLAINED[name]
    (found,) = (
        one
        for one in read_motion(scene(tmp_path, name), controls=True).findings
        if one.rule == rule
    )
    assert found.joint == joint
    assert source in found.message
    assert ("mayapy -m jointlimits_maya.batch" in found.message) == (rule == UNRESOLVED_DRIVER)


def test_limits_of_a_control_below_a_turning_group_are_those_of_its_channels(tmp_path):
    """The rig of both scenes is the same but for the group's keys."""
    turned, still = (measured(scene(tmp_path, one)) for one in ("a moving group", "one file"))
    found = turned.joints["elbow_l_ctl"]
    assert found.limits == still.joints["elbow_l_ctl"].limits
    assert any(axis.state == "limited" for axis in found.limits.values())
    (note,) = (one for one in found.findings if one.rule == TURNED_ABOVE)
    assert "limits on its rotate channels hold" in note.message
    assert not is_unexplained(found)
    assert not review(turned).entries


def test_the_same_motion_on_a_control_and_its_joint_has_the_same_limits(tmp_path):
    path = scene(tmp_path, "joints and controls")
    joints, controls = estimate(read_motion(path)), measured(path)
    for name in ("elbow_l", "elbow_r"):
        own, theirs = joints.joints[name].limits, controls.joints[f"{name}_ctl"].limits
        for channel, axis in own.items():
            other = theirs[channel]
            assert axis.state == other.state
            np.testing.assert_allclose(
                [axis.min_deg, axis.max_deg], [other.min_deg, other.max_deg], atol=1e-6
            )


def test_a_skeleton_of_controls_is_in_the_places_of_the_rig(tmp_path):
    motion = read_motion(scene(tmp_path, "pivots and axes"), controls=True)
    assert [motion.skeleton.parent_name(n) for n in motion.joint_names[1:3]] == [
        "rig:world_ctl",
        "rig:arm_l_ctl",
    ]
    arm, elbow = (motion.skeleton.index(f"rig:{part}_l_ctl") for part in ("arm", "elbow"))
    world = motion.world_matrices(motion.frames[0])
    # The origin of the arm's children is its pivot, turned, less the pivot.
    turned = world[arm, :3, :3] @ np.array([-1.0, -2.0, 0.0]) + world[arm, :3, 3]
    group = np.eye(4)
    group[:3, :3] = [[np.sqrt(0.75), 0, 0.5], [0, 1, 0], [-0.5, 0, np.sqrt(0.75)]]
    group[:3, 3] = [3, 0, 0]
    place = turned + world[arm, :3, :3] @ (group @ [1.0, 2.0, 0.0, 1.0])[:3]
    np.testing.assert_allclose(world[elbow, :3, 3], place, atol=1e-12)


def test_keys_of_a_missing_file_are_measured(tmp_path):
    motion = read_motion(scene(tmp_path, "a missing file"), controls=True)
    (about,) = (one for one in motion.findings if one.rule == "missing-controls")
    assert about.message.startswith(
        "the file with rig:arm_l_ctl, rig:elbow_l_ctl, rig:arm_r_ctl and"
    )


def test_channels_that_do_not_move_are_locked_only_on_request(tmp_path):
    path = scene(tmp_path, "two namespaces")
    limits = measured(path)
    for asked in (False, True):
        out = tmp_path / f"{asked}.ma"
        apply_limit_set(limits, path, out, lock_unmoved=asked)
        declared = read_motion(out, controls=True).skeleton.declarations
        arms = {name: one for name, one in declared.items() if short(name) == "arm_l_ctl"}
        assert len(arms) == 2
        for one in arms.values():
            assert ("rotateX" in one.limits_deg) is asked
            assert one.limits_deg["rotateZ"] == pytest.approx((-20.0, 70.0))


def test_controls_that_travel_get_no_limits(tmp_path):
    body = SCENES["one file"][1] + curve("walk", [(1, 0), (24, 9)], "animCurveTL")
    body += connect("walk.o", "world_ctl.tz") + curve("turn", [(1, 0), (24, 40)])
    limits = measured(write_scene(tmp_path, body + connect("turn.o", "world_ctl.ry")))
    free = [
        n for n, one in limits.joints.items() if all(x.state == "free" for x in one.limits.values())
    ]
    assert free == ["world_ctl"]
    (about,) = (one for one in limits.findings if one.rule == "placing-controls")
    assert about.message == "world_ctl place the character and get no limits"


def run(capsys, *arguments):
    code = main([str(one) for one in arguments])
    printed = capsys.readouterr()
    return code, printed.out + printed.err


@pytest.mark.parametrize("name", ["a reference", "one file"])
def test_the_command_names_the_option_and_then_measures_applies_and_checks(tmp_path, capsys, name):
    path, limits = scene(tmp_path, name), tmp_path / "scene.limits.json"
    code, text = run(capsys, "estimate", path, "--out", tmp_path)
    assert code != 0
    assert "rotate keys; they are on" in text
    assert text.rstrip().endswith("measure them with --controls")
    how = ("--controls", "--apply", "--report", "--orientation", "advised", "--out", tmp_path)
    code, text = run(capsys, "estimate", path, *how)
    assert code == 0, text
    assert "controls keep their own orientation" in " ".join(text.split())
    assert json.loads(limits.read_text())["options"]["controls"] is True
    copy = tmp_path / "scene.limits.ma"
    assert run(capsys, "check", limits, copy)[0] == 0
    assert run(capsys, "audit", "--controls", copy)[0] == 0
    assert (
        run(capsys, "apply", limits, copy, "--out", tmp_path / "again.ma")[1].count("up to date")
        == 1
    )
    excluded = tmp_path / "edited.json"
    code, text = run(capsys, "edit", limits, "--exclude", "scene:1-3", "--out", excluded)
    assert code == 0, text


def test_a_summary_of_controls_stays_one(tmp_path, capsys):
    path, saved = scene(tmp_path, "one file"), tmp_path / "a.summary.npz"
    how = ("--controls", "--save-summary", saved, "--out", tmp_path)
    assert run(capsys, "estimate", path, *how)[0] == 0
    first = (tmp_path / "scene.limits.json").read_text()
    assert run(capsys, "estimate", saved, "--out", tmp_path)[0] == 0
    assert (tmp_path / "scene.limits.json").read_text() == first


def test_clips_of_controls_and_joints_are_not_pooled(tmp_path, capsys):
    keys, saved = curve("c", [(1, 0), (9, 50)]), tmp_path / "a.summary.npz"
    path = write_scene(tmp_path, control("arm") + keys + connect("c.o", "arm.rx"))
    how = ("--controls", "--save-summary", saved, "--out", tmp_path)
    assert run(capsys, "estimate", path, *how)[0] == 0
    path = write_scene(tmp_path, node("joint", "arm") + keys + connect("c.o", "arm.rx"))
    code, text = run(capsys, "estimate", saved, path, "--out", tmp_path)
    assert code == 1
    assert "has controls, but 'scene' has joints; estimate each separately" in text


def test_controls_need_a_maya_scene(tmp_path, capsys):
    (tmp_path / "a.bvh").write_text("HIERARCHY\n")
    code, text = run(capsys, "estimate", tmp_path / "a.bvh", "--controls")
    assert (code, text) == (
        2,
        "jointlimits: --controls is for Maya scenes, and none of the inputs is a .ma file\n",
    )


def test_a_scene_with_only_controls_names_the_option(tmp_path):
    body = control("hip_ctl") + curve("c", [(1, 0), (9, 50)]) + connect("c.o", "hip_ctl.rx")
    with pytest.raises(InputError, match="no joints; its keys are on hip_ctl: measure them with"):
        read_maya_ascii(write_scene(tmp_path, body))
    limits = jointlimits_core.estimate(write_scene(tmp_path, body), controls=True)
    assert limits.joints["hip_ctl"].limits["rotateX"].max_deg == pytest.approx(50.0)


def test_a_joint_with_keys_needs_no_option(tmp_path):
    rules = {one.rule for one in read_motion(scene(tmp_path, "joints and controls")).findings}
    assert KEYED_CONTROLS not in rules


def test_limits_of_a_joint_are_not_written_to_a_group_of_that_name(tmp_path):
    body = node("joint", "hip") + node("joint", "knee", "hip")
    body += curve("c", [(1, 0), (9, 50)]) + connect("c.o", "knee.rx")
    limits = estimate(read_motion(write_scene(tmp_path, body)))
    other = write_scene(tmp_path, node("transform", "knee"), "other.ma")
    with pytest.raises(InputError, match="not in scene"):
        apply_limit_set(limits, other, tmp_path / "out.ma")


def test_joints_between_controls_turn_what_is_below(tmp_path):
    body = control("top_ctl") + node(
        "joint", "mid", "top_ctl", '\tsetAttr ".jo" -type "double3" 90 0 0 ;\n'
    )
    body += control("low_ctl", "mid") + node("joint", "follower") + orient("low_ctl", "follower")
    body += curve("c", [(1, 0), (9, 50)]) + connect("c.o", "low_ctl.rx")
    motion = read_motion(write_scene(tmp_path, body), controls=True)
    assert motion.joint_names == ("top_ctl", "low_ctl")
    np.testing.assert_allclose(
        motion.world_matrices(motion.frames[0])[1, :3, 1], [0, 0, 1], atol=1e-12
    )


def test_a_batch_measures_controls_for_all_or_single_characters(tmp_path, capsys):
    path, manifest = scene(tmp_path, "a reference"), tmp_path / "m.json"
    characters = [
        {"name": "hero", "scene": path.name, "options": {"apply": True, "controls": True}},
        {"name": "other", "scene": path.name},
    ]
    text = {"format": "jointlimits.manifest", "version": 1, "characters": characters}
    manifest.write_text(json.dumps(text))
    code, printed = run(capsys, "batch", "--manifest", manifest, "--out", tmp_path / "out")
    assert code == 1
    assert "measure them with the option controls" in printed
    assert clamped_deg(tmp_path / "out" / "hero.limits.ma") <= 1e-9
    text["options"] = {"root": "hips"}
    manifest.write_text(json.dumps(text))
    code, printed = run(capsys, "batch", "--manifest", manifest, "--out", tmp_path / "b")
    assert (code, "'root' needs the batch in Maya" in printed) == (2, True)


def test_keys_of_controls_are_filtered(tmp_path, capsys):
    turns = {"x": [(1, 0), (9, 5), (10, 185)], "y": [(1, 0), (9, 10), (10, 170)]}
    turns["z"] = [(1, 0), (9, 20), (10, 201)]
    body = control("ctl") + "".join(
        curve(f"c{axis}", keys) + connect(f"c{axis}.o", f"ctl.r{axis}")
        for axis, keys in turns.items()
    )
    path = write_scene(tmp_path, body)
    how = ("--controls", "--apply", "--filter-keys", "--out", tmp_path)
    code, text = run(capsys, "estimate", path, *how)
    assert code == 0, text
    assert "ctl: measured with" in text
    assert clamped_deg(tmp_path / "scene.limits.ma") <= 1e-9


def test_limits_of_a_control_are_never_written_to_a_joint_of_its_name(tmp_path, capsys):
    path, alone = tmp_path / "rig.ma", tmp_path / "joints.ma"
    joints = 'createNode joint -n "sk";\ncreateNode joint -n "arm" -p "sk";\n'
    rig = 'createNode transform -n "rig";\ncreateNode transform -n "arm" -p "rig";\n'
    shape = 'createNode nurbsCurve -n "armShape" -p "|rig|arm";\n'
    keys = 'createNode animCurveTA -n "c";\n\tsetAttr -s 3 ".ktv[0:2]"  1 0 6 30 11 -20;\n'
    keys += 'connectAttr "c.o" "|rig|arm.rx";\n'
    wrapped = '".ktv[0:3]"  1 170 2 -170 3 -165 4 -160'
    keys += f'createNode animCurveTA -n "w";\n\tsetAttr -s 4 {wrapped};\n'
    keys += 'connectAttr "w.o" "|sk|arm.rz";\n'
    header = '//Maya ASCII 2024 scene\nrequires maya "2024";\n'
    path.write_text(header + joints + rig + shape + keys, encoding="utf-8")
    alone.write_text(header + joints, encoding="utf-8")
    out = str(tmp_path / "out")
    arguments = ["estimate", str(path), "--controls", "--apply", "--filter-keys", "--out", out]
    assert main(arguments) == 0
    written = (tmp_path / "out" / "rig.limits.ma").read_text(encoding="utf-8")
    assert wrapped in written
    assert ".mnrl" not in written.partition('createNode transform -n "rig"')[0]
    assert ".mnrl" in written.partition('createNode transform -n "rig"')[2]
    limits = str(tmp_path / "out" / "rig.limits.json")
    assert main(["apply", limits, str(alone), "--out", str(tmp_path / "new.ma")]) == 1
    assert "a joint, and these are limits of controls (arm)" in capsys.readouterr().err
