"""Scripts that apply limits with nothing installed, run in the stand-in for Maya."""

from __future__ import annotations

import ast
import dataclasses
import re
import runpy

import numpy as np
import pytest

from jointlimits_core.exporters.formats import export_formats, export_options_of
from jointlimits_core.limits.limit_set import Orientation
from tests.support.driven_rigs import RIGS, rig, some_quick
from tests.support.limit_set_examples import FREE, joint, limit_set, lock, span
from tests.support.maya_open_scenes import (
    open_changed,
    person_file,
    set_value,
    state,
    stored_deg,
    value,
)
from tests.support.maya_scenes import connect, curve, write_scene

AXES = "XYZ"
STAYS_OFF = "follows {}; limits written but off (set ENABLE_DRIVEN to True to turn them on)"
CHANNEL = ("min", "max", "type", "preferred")


def export_script(limits=None, **options):
    return export_formats()["python"].export(
        limits or limit_set(), None, export_options_of(options)
    )


def run(folder, limits=None, change=str, **options):
    """Run an exported script in the open scene; the warnings that it gives."""
    text = change(export_script(limits, **options).content)
    script = folder / "limits.py"
    script.write_text(text, encoding="utf-8")
    names = runpy.run_path(str(script), run_name="imported")
    return names["apply_limits"](names["LIMITS"])


def values_written(session, name):
    """What a joint has, in degrees."""
    found = {}
    for axis in AXES:
        for end in ("min", "max"):
            on = value(session, f"{name}.{end}Rot{axis}LimitEnable")
            found[f"{end}{axis}"] = (
                stored_deg(session, f"{name}.{end}Rot{axis}Limit") if on else None
            )
        found[f"type{axis}"] = bool(value(session, f"{name}.jointType{axis}"))
        found[f"preferred{axis}"] = stored_deg(session, f"{name}.preferredAngle{axis}")
    return found


def values_wanted(one):
    found = {}
    for axis, angle in zip(AXES, one.preferred_deg):
        limit = one.limits[f"rotate{axis}"]
        found[f"min{axis}"], found[f"max{axis}"] = limit.min_deg, limit.max_deg
        found[f"type{axis}"] = limit.state != "locked"
        found[f"preferred{axis}"] = angle
    return found


def same(found, expected):
    assert set(found) == set(expected)
    for key, number in expected.items():
        if number is None or isinstance(number, bool):
            assert found[key] == number, key
        else:
            assert found[key] == pytest.approx(number, abs=1e-12), key


def test_limits_types_and_preferred_angles(maya, tmp_path):
    open_changed(maya, person_file(tmp_path))
    limits = limit_set()
    knee = dataclasses.replace(limits.joints["knee"], preferred_deg=(30.0, 0.0, 0.0))
    limits.joints["knee"] = knee
    assert run(tmp_path, limits) == []
    for name in ("knee", "ankle", "hip", "tail"):
        same(values_written(maya, name), values_wanted(limits.joints[name]))
    assert not any(value(maya, f"root.minRot{axis}LimitEnable") for axis in AXES)


def test_one_undo_takes_everything_back(maya, tmp_path):
    from maya import cmds

    open_changed(maya, person_file(tmp_path))
    before = state(maya)
    run(tmp_path)
    after = state(maya)
    assert after != before
    cmds.undo()
    assert state(maya) == before
    cmds.redo()
    assert state(maya) == after


def test_a_scene_in_radians_gets_the_same(maya, tmp_path):
    from maya import cmds

    open_changed(maya, person_file(tmp_path))
    cmds.currentUnit(angle="rad")
    assert run(tmp_path) == []
    cmds.currentUnit(angle="deg")
    same(values_written(maya, "hip"), values_wanted(limit_set().joints["hip"]))


@pytest.mark.thorough
def test_a_second_time_changes_nothing_and_says_nothing(maya, tmp_path):
    open_changed(maya, person_file(tmp_path))
    run(tmp_path)
    before = values_written(maya, "hip")
    assert run(tmp_path) == []
    assert values_written(maya, "hip") == before


@pytest.mark.thorough
def test_limits_that_are_there_stay_unless_they_are_to_be_replaced(maya, tmp_path):
    open_changed(maya, person_file(tmp_path))
    set_value(maya, "knee.minRotXLimitEnable", True)
    (warning,) = run(tmp_path)
    assert "knee: rotateX already has other limits" in warning
    assert values_written(maya, "knee")["maxX"] is None
    assert run(tmp_path, replace=True) == []
    same(values_written(maya, "knee"), values_wanted(limit_set().joints["knee"]))


ARM = (
    'createNode joint -n "arm";\n'
    + curve("arm_rotateX", [(1, 0), (10, 80)])
    + connect("arm_rotateX.o", "arm.rx")
)


def arm_limits(**changes):
    limits = [span(0.0, 60.0), FREE, lock()]
    return limit_set(joints={"arm": joint("universal", limits, parent=None, **changes)})


def may_move(text):
    return text.replace("MAY_MOVE = False", "MAY_MOVE = True")


def test_limits_that_would_clamp_keys_stay_off(maya, tmp_path):
    open_changed(maya, write_scene(tmp_path, ARM))
    before = values_written(maya, "arm")
    (warning,) = run(tmp_path, arm_limits())
    assert re.search(r"rotateX exceeds its limits by 20(\.0+)? degrees", warning)
    left = values_written(maya, "arm")
    assert [left[f"{what}X"] for what in CHANNEL] == [before[f"{what}X"] for what in CHANNEL]
    assert stored_deg(maya, "arm.maxRotXLimit") == pytest.approx(45.0)  # Maya's default
    assert values_written(maya, "arm")["minZ"] == 0.0
    (warning,) = run(tmp_path, arm_limits(), may_move)
    assert re.search(r"rotateX exceeds its limits by 20(\.0+)? degrees.*enabled anyway", warning)
    assert values_written(maya, "arm")["maxX"] == pytest.approx(60.0)


def test_a_pose_beyond_the_limits_keeps_them_off(maya, tmp_path):
    open_changed(maya, write_scene(tmp_path, 'createNode joint -n "arm";\n\tsetAttr ".rx" -15;\n'))
    (warning,) = run(tmp_path, arm_limits())
    assert re.search(r"rotateX exceeds its limits by 15(\.0+)? degrees", warning)
    assert stored_deg(maya, "arm.rotateX") == pytest.approx(-15.0)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ('\tsetAttr ".ro" 3;\n', "rotate order differs from"),
        ('\tsetAttr ".jo" -type "double3" 0 0 1 ;\n', "jointOrient differs from"),
        ('\tsetAttr ".ra" -type "double3" 0 5 0 ;\n', "rotateAxis differs from"),
    ],
)
def test_joints_in_another_frame_are_left_alone(body, reason, maya, tmp_path):
    open_changed(maya, write_scene(tmp_path, f'createNode joint -n "arm";\n{body}'))
    (warning,) = run(tmp_path, arm_limits())
    assert reason in warning
    assert set(values_written(maya, "arm").values()) <= {None, True, 0.0}


def test_the_same_frame_in_other_numbers_is_the_same(maya, tmp_path):
    frame = Orientation("xyz", (0.0, 80.0, 0.0), (10.0, -20.0, 30.0))
    body = '\tsetAttr ".jo" -type "double3" 180 100 180 ;\n'
    body += '\tsetAttr ".ra" -type "double3" 370 -20 -330 ;\n'
    open_changed(maya, write_scene(tmp_path, f'createNode joint -n "arm";\n{body}'))
    assert run(tmp_path, arm_limits(orientation=frame)) == []
    assert values_written(maya, "arm")["maxX"] == pytest.approx(60.0)


def test_a_namespace_is_put_in_front(maya, tmp_path):
    open_changed(maya, write_scene(tmp_path, 'createNode joint -n "hero:arm";\n'))
    (warning,) = run(tmp_path, arm_limits())
    assert "arm" in warning
    old, new = 'NAMESPACE = ""', 'NAMESPACE = "hero:"'
    assert run(tmp_path, arm_limits(), lambda text: text.replace(old, new, 1)) == []
    assert values_written(maya, "hero:arm")["maxX"] == pytest.approx(60.0)


def test_two_joints_of_one_name_are_left_alone(maya, tmp_path):
    body = 'createNode joint -n "a";\ncreateNode joint -n "arm" -p "a";\n'
    body += 'createNode joint -n "b";\ncreateNode joint -n "arm" -p "b";\n'
    open_changed(maya, write_scene(tmp_path, body))
    (warning,) = run(tmp_path, arm_limits())
    assert "2 joints" in warning
    limits = arm_limits()
    limits.joints["|b|arm"] = limits.joints.pop("arm")
    assert run(tmp_path, limits) == []
    assert values_written(maya, "|b|arm")["maxX"] == pytest.approx(60.0)
    assert values_written(maya, "|a|arm")["maxX"] is None


def test_locked_attributes_are_reported(maya, tmp_path):
    body = 'createNode joint -n "arm";\n\tsetAttr -l on ".mrxe";\n\tsetAttr -l on ".pay";\n'
    open_changed(maya, write_scene(tmp_path, body))
    first, second = run(tmp_path, arm_limits())
    assert "the limits of rotateX are locked or connected" in first
    assert "preferredAngleY is locked or connected" in second
    assert values_written(maya, "arm")["maxX"] is None
    assert values_written(maya, "arm")["maxZ"] == 0.0


HOSTILE = ('"; system("rm"); "', "x'''\nimport os\n'''", "\\", "a\nb", "${x}", "‮evil")


@pytest.mark.parametrize("name", HOSTILE)
def test_names_of_others_are_no_code(name):
    limits = dataclasses.replace(arm_limits(), character=name)
    limits.joints[name] = limits.joints.pop("arm")
    python = export_script(limits)
    plain = ast.parse(export_script(arm_limits()).content)
    assert len(ast.parse(python.content).body) == len(plain.body)
    assert {loss.rule for loss in python.losses} >= {"other-name"}
    python.content.encode("ascii")


def test_numbers_survive_the_text_to_the_last_bit(maya, tmp_path):
    low = np.random.default_rng(3).uniform(-300, 0, 3)
    limits = limit_set(
        joints={"arm": joint("ball", [span(a, a + 1e-7) for a in low.tolist()], parent=None)}
    )
    open_changed(maya, write_scene(tmp_path, 'createNode joint -n "arm";\n'))
    run(tmp_path, limits, may_move, replace=True)
    found = [stored_deg(maya, f"arm.minRot{axis}Limit") for axis in AXES]
    assert found == pytest.approx(low.tolist(), abs=1e-12)


def test_what_is_lost_is_reported():
    limits = limit_set()
    limits.joints["tail"] = dataclasses.replace(limits.joints["tail"], animated=False)
    rules = {loss.rule: loss for loss in export_script(limits).losses}
    assert rules["unmoved"].joints == ("tail",)
    assert "keys-only" in rules
    assert "tail" not in export_script(limits).content.split("LIMITS =")[1]
    kept = export_script(limits, lock_unmoved=True)
    assert "'tail'" in kept.content
    assert "unmoved" not in {loss.rule for loss in kept.losses}


@pytest.mark.parametrize("name", some_quick(RIGS))
def test_limits_of_joints_that_follow_controls_are_written_but_off(maya, tmp_path, name):
    """By the rule of Apply; joints in IK get no limits from the script at all."""
    body, driver = rig(name)
    open_changed(maya, write_scene(tmp_path, body))
    limits = limit_set(joints={"arm": joint("ball", [span(-170.0, 175.0)] * 3, parent=None)})
    warnings = run(tmp_path, limits)
    written = stored_deg(maya, "arm.minRotXLimit") == pytest.approx(-170.0)
    on = value(maya, "arm.minRotXLimitEnable")
    follows = driver is not None and driver.control and "IK" not in name
    assert (written, on) == ("IK" not in name, "IK" not in name and not follows)
    assert [one for one in warnings if "follows" in one] == (
        [f"arm: {STAYS_OFF.format(driver.control)}"] if follows else []
    )
    assert run(tmp_path, limits) == warnings
    run(tmp_path, limits, enable_driven=True)
    assert value(maya, "arm.minRotXLimitEnable") == ("IK" not in name)
    assert "follows-control" in {one.rule for one in export_script(limits).losses}
