"""Limits written into the open scene."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from jointlimits_core.formats.maya_ascii.writer import write_joint_attributes
from jointlimits_core.rig.limit_plan import changes_from_limit_set
from tests.maya_standin.ma_reader import open_scene
from tests.support.limit_set_examples import FREE, joint, limit_set, lock, span
from tests.support.maya_open_scenes import (
    joints,
    open_changed,
    person_file,
    set_value,
    state,
    stored_deg,
    value,
    world_matrices,
)
from tests.support.maya_scenes import write_scene

AXES = "XYZ"


def plan(limits=None, names=(), **options):
    from jointlimits_maya.write.limits import WriteOptions, plan_limits

    return plan_limits(limits or limit_set(), joints(*names), WriteOptions(**options))


def apply_limits(limits=None, names=(), **options):
    edit, result = plan(limits, names, **options)
    edit.do()
    return result


def enabled_ends(session, name):
    """Ends that are on: "minX", ..."""
    return {
        f"{end}{axis}"
        for end in ("min", "max")
        for axis in AXES
        if value(session, f"{name}.{end}Rot{axis}LimitEnable")
    }


def reasons(result, name):
    return {(one.attribute, one.reason) for one in result.skipped if one.joint == name}


# What is written --------------------------------------------------------------------------------


def test_limits_types_and_preferred_angles(person):
    limits = limit_set()
    limits.joints["knee"] = replace(limits.joints["knee"], preferred_deg=(30.0, 0.0, 0.0))
    result = apply_limits(limits)
    assert enabled_ends(person, "knee") == {
        f"{end}{axis}" for end in ("min", "max") for axis in AXES
    }
    assert stored_deg(person, "knee.minRotXLimit") == 0.0
    assert stored_deg(person, "knee.maxRotXLimit") == pytest.approx(140.0, abs=1e-12)
    assert [value(person, f"knee.jointType{axis}") for axis in AXES] == [True, False, False]
    assert stored_deg(person, "knee.preferredAngleX") == pytest.approx(30.0, abs=1e-12)
    assert value(person, "knee.stiffnessX") == 0.0
    assert not person.scene.plug("knee.rotateY").node.locked
    assert set(result.written) == {"knee", "ankle", "hip", "tail"}
    assert result.without_limits == ("root",)
    assert not result.skipped
    assert not enabled_ends(person, "root")


def test_the_same_attributes_as_in_a_file_that_is_written(maya, tmp_path):
    """The writer of files and this one follow one policy."""
    scene, copy = person_file(tmp_path), tmp_path / "copy.ma"
    write_joint_attributes(scene, copy, changes_from_limit_set(limit_set(), False))
    open_changed(maya, copy)
    names = [
        *(f"{end}Rot{axis}Limit" for end in ("min", "max") for axis in AXES),
        *(f"{end}Rot{axis}LimitEnable" for end in ("min", "max") for axis in AXES),
        *(f"jointType{axis}" for axis in AXES),
        *(f"preferredAngle{axis}" for axis in AXES),
    ]
    plugs = [f"{one}.{name}" for one in ("knee", "ankle", "hip", "tail") for name in names]
    wanted = {plug: value(maya, plug) for plug in plugs}
    open_changed(maya, scene)
    apply_limits()
    assert {plug: value(maya, plug) for plug in plugs} == pytest.approx(wanted, abs=1e-14)


def test_locks_of_unmoving_channels_where_asked_for(person):
    result = apply_limits(lock_channels=True)
    scene = person.scene
    assert scene.is_locked(scene.plug("knee.rotateY"))
    assert scene.is_locked(scene.plug("ankle.rotateY"))
    assert not scene.is_locked(scene.plug("knee.rotateX"))
    assert {"rotateY", "rotateZ"} <= set(result.written["knee"])
    assert plan(lock_channels=True)[0].is_empty


def test_keyed_channels_are_not_locked(person):
    limits = limit_set(joints={"knee": joint("fixed", (lock(), lock(), lock()))})
    result = apply_limits(limits, lock_channels=True, may_move=True)
    assert ("rotateX", "driven, so not locked") in reasons(result, "knee")
    assert not person.scene.is_locked(person.scene.plug("knee.rotateX"))


@pytest.mark.thorough
def test_written_but_not_enabled(person):
    before = world_matrices(person, np.arange(24) / 24.0)
    apply_limits(enable=False, may_move=True)
    assert not enabled_ends(person, "knee")
    assert stored_deg(person, "knee.maxRotXLimit") == pytest.approx(140.0)
    after = world_matrices(person, np.arange(24) / 24.0)
    assert all(np.array_equal(before[name], after[name]) for name in before)
    assert plan(enable=False)[0].is_empty


@pytest.mark.thorough
def test_the_motion_that_limits_come_from_does_not_move(person):
    times = np.arange(0, 30) / 24.0
    before = world_matrices(person, times)
    apply_limits()
    after = world_matrices(person, times)
    assert max(np.abs(before[name] - after[name]).max() for name in before) < 1e-12


@pytest.mark.parametrize(("name", "bad"), [("may_move", 1), ("reorient", "Q")])
def test_options_that_make_no_sense(person, name, bad, jointlimits):
    with pytest.raises(ValueError, match="must be"):
        jointlimits.apply(limit_set(), **{name: bad})


def test_limits_of_the_papers_mode(person, jointlimits):
    before = state(person)
    with pytest.raises(jointlimits.SceneError, match="paper"):
        plan(limit_set(mode="paper"))
    assert state(person) == before


# Nothing is clamped on the way ------------------------------------------------------------------


class ClampedError(AssertionError):
    pass


@pytest.fixture
def watch_poses(person, monkeypatch):
    """Every pose on the way is looked at: none may differ from the one at the start."""
    start = None
    original = type(person.scene).set_value

    def set_and_look(scene, plug, new):
        original(scene, plug, new)
        if start is not None:
            for name, matrix in world_matrices(person, [None]).items():
                if np.abs(matrix - start[name]).max() > 1e-12:
                    raise ClampedError(f"{name} moved when {plug} was set")

    monkeypatch.setattr(type(person.scene), "set_value", set_and_look)

    def watch():
        nonlocal start
        start = world_matrices(person, [None])

    return watch


def test_no_pose_is_clamped_on_the_way(person, watch_poses):
    """The defaults, -45 and 45 degrees, would clamp the hip at 180 degrees."""
    edit, _ = plan()
    watch_poses()
    edit.do()
    assert "maxZ" in enabled_ends(person, "hip")
    edit.undo()
    edit.do()


def test_no_pose_is_clamped_when_limits_that_are_on_change(person, watch_poses):
    """From 150..210 to 170..190, by way of neither 170..150 nor anything else."""
    apply_limits()
    wide = limit_set()
    tight = (span(5.0, 15.0), span(-8.0, 8.0), span(170.0, 190.0))
    wide.joints["hip"] = joint("ball", tight)
    edit, _ = plan(wide)
    assert not edit.is_empty
    watch_poses()
    edit.do()
    assert stored_deg(person, "hip.minRotZLimit") == pytest.approx(170.0)
    assert "minZ" in enabled_ends(person, "hip")


@pytest.mark.thorough
def test_limits_that_would_clip_the_pose_that_stands_now(person):
    set_value(person, "hip.rotateZ", np.radians(215.0))
    result = apply_limits()
    (found,) = result.left_off
    assert (found.joint, found.channel) == ("hip", "rotateZ")
    assert found.words() == "the current pose, by 5 degrees"
    assert {"minX", "maxX"} <= enabled_ends(person, "hip")
    assert not {"minZ", "maxZ"} & enabled_ends(person, "hip")
    assert stored_deg(person, "hip.rotateZ") == pytest.approx(215.0)
    apply_limits(may_move=True)
    assert "maxZ" in enabled_ends(person, "hip")
    assert np.degrees(value(person, "hip.rotateZ")) == pytest.approx(210.0)


# What cannot be written -------------------------------------------------------------------------


def test_locked_attributes(person):
    person.scene.set_locked(person.scene.plug("knee.minRotXLimit"), True)
    person.scene.set_locked(person.scene.plug("ankle.preferredAngle"), True)
    limits = limit_set()
    limits.joints["ankle"] = replace(limits.joints["ankle"], preferred_deg=(5.0, 0.0, 0.0))
    result = apply_limits(limits)
    assert reasons(result, "knee") == {("minRotXLimit", "locked")}
    assert reasons(result, "ankle") == {("preferredAngleX", "locked")}
    # Half a limit is worse than none.
    assert not {"minX", "maxX"} & enabled_ends(person, "knee")
    assert {"minY", "maxZ"} <= enabled_ends(person, "knee")


@pytest.mark.parametrize(
    ("source", "attribute"),
    [("root.template", "maxRotXLimitEnable"), ("ankle_rotateX.output", "maxRotXLimit")],
)
def test_attributes_that_something_drives(person, source, attribute):
    scene = person.scene
    scene.connect(scene.plug(source), scene.plug(f"knee.{attribute}"))
    assert reasons(apply_limits(), "knee") == {(attribute, "connected")}
    assert not value(person, "knee.minRotXLimitEnable")


def test_locked_nodes(person):
    person.scene.set_node_locked(person.scene.node("knee"), True)
    before = state(person)
    result = apply_limits(names=("knee",))
    assert reasons(result, "knee") == {("", "the node is locked")}
    assert state(person) == before


def test_limits_of_others(person):
    set_value(person, "knee.maxRotXLimitEnable", True)
    set_value(person, "knee.maxRotXLimit", np.radians(170.0))
    result = apply_limits()
    assert reasons(result, "knee") == {("rotateX", "has limits already")}
    assert stored_deg(person, "knee.maxRotXLimit") == pytest.approx(170.0)
    apply_limits(replace=True)
    assert stored_deg(person, "knee.maxRotXLimit") == pytest.approx(140.0)


def test_our_own_limits_may_change_unless_others_changed_them(person):
    apply_limits()
    wider = limit_set()
    wider.joints["knee"] = joint("hinge", (span(-5.0, 150.0), lock(), lock()))
    assert not apply_limits(wider).skipped
    assert stored_deg(person, "knee.maxRotXLimit") == pytest.approx(150.0)
    set_value(person, "knee.maxRotXLimit", np.radians(160.0))
    assert reasons(apply_limits(wider), "knee") == {("rotateX", "has limits already")}
    assert stored_deg(person, "knee.maxRotXLimit") == pytest.approx(160.0)


def test_a_record_of_another_program(person):
    from tests.maya_standin.attributes import AttributeSpec

    scene = person.scene
    spec = AttributeSpec("jointLimitsProvenance", "jlpv", "string", "")
    scene.add_attribute(scene.node("knee"), spec)
    set_value(person, "knee.jointLimitsProvenance", '{"format":"something else"}')
    before = state(person)
    result = apply_limits(names=("knee",))
    assert reasons(result, "knee") == {("", "unreadable record")}
    assert state(person) == before


# References -------------------------------------------------------------------------------------

REFERRING = 'file -r -ns "{ns}" -rfn "{ns}RN" -typ "mayaAscii" "person.ma";\n'


def reference_persons(session, folder, *namespaces):
    person_file(folder)
    lines = "".join(REFERRING.format(ns=ns) for ns in namespaces)
    open_changed(session, write_scene(folder, lines, "shot.ma"))


def test_a_referenced_character_by_the_last_part_of_its_names(maya, tmp_path):
    reference_persons(maya, tmp_path, "rig")
    before = state(maya)
    edit, result = plan()
    assert result.matched["knee"] == "rig:knee"
    assert set(result.written) == {"rig:knee", "rig:ankle", "rig:hip", "rig:tail"}
    edit.do()
    assert stored_deg(maya, "rig:knee.maxRotXLimit") == pytest.approx(140.0)
    edits = "\n".join(map(str, maya.scene.references[0].edits))
    assert "maxRotXLimit" in edits
    assert "addAttr" in edits
    edit.undo()
    assert state(maya) == before
    edit.do()
    assert plan()[0].is_empty


def test_two_characters_are_not_mixed_up(maya, tmp_path):
    reference_persons(maya, tmp_path, "a", "b")
    before = state(maya)
    result = apply_limits()
    assert not result.written
    reasons = [one.reason for one in result.skipped]
    assert "ambiguous name: a:knee, b:knee" in reasons
    assert all(reason.startswith("ambiguous name: a:") for reason in reasons)
    assert {one.advice for one in result.skipped} == {"select the joints of one character only"}
    assert state(maya) == before


def test_a_locked_reference(maya, tmp_path):
    reference_persons(maya, tmp_path, "rig")
    maya.scene.references[0].locked = True
    before = state(maya)
    result = apply_limits()
    assert {one.reason for one in result.skipped} == {"in a locked reference"}
    assert all("Reference Editor" in one.advice for one in result.skipped)
    assert state(maya) == before


# Twice, and records -----------------------------------------------------------------------------


def test_applying_twice_changes_nothing(person):
    apply_limits(lock_channels=True)
    before = state(person)
    edit, result = plan(lock_channels=True)
    assert edit.is_empty
    assert not result.written
    assert set(result.unchanged) == {"knee", "ankle", "hip", "tail"}
    # A limit set that was saved and read again says the same.
    again = type(limit_set()).from_json(limit_set().to_json())
    assert plan(again, lock_channels=True)[0].is_empty
    assert state(person) == before


def test_records_are_compact_json_without_a_clock(person):
    limits = limit_set(character="person   with \t blanks")
    apply_limits(limits)
    text = value(person, "knee.jointLimitsProvenance")
    assert not re.search(r"\s\s|[\n\t]", text)
    data = json.loads(text)
    assert data["character"] == "person   with \t blanks"
    assert data["clips"] == ["walk"]
    assert data["program"] == limits.program_version
    assert data["before"]["maxRotXLimit"] == np.radians(360.0)
    assert data["before"]["maxRotXLimitEnable"] is False
    assert data["written"]["maxRotXLimit"] == np.radians(140.0)


def test_same_records_whenever_they_are_written(maya, tmp_path):
    texts = []
    for _ in range(2):
        open_changed(maya, person_file(tmp_path))
        apply_limits()
        texts.append(value(maya, "hip.jointLimitsProvenance"))
    assert texts[0] == texts[1]


def test_joints_without_limits_are_reported(person):
    limits = limit_set()
    limits.joints["hip"] = joint("ball", (FREE, FREE, FREE))
    edit, result = plan(limits)
    assert set(result.without_limits) == {"root", "hip"}
    edit.do()
    assert not enabled_ends(person, "hip")


def test_limits_for_another_skeleton(person):
    result = apply_limits(limit_set(joints={"wing": joint("hinge", (span(0, 1), FREE, FREE))}))
    assert not result.written
    (skipped,) = result.skipped
    assert (skipped.joint, skipped.reason) == ("wing", "not selected")
    assert skipped.advice


def test_results_are_plain_data(person):
    person.scene.set_locked(person.scene.plug("knee.minRotXLimit"), True)
    data = json.loads(json.dumps(plan()[1].to_dict()))
    assert data["skipped"][0]["attribute"] == "minRotXLimit"
    assert data["written"]["hip"][0] == "minRotXLimit"


# The trap ---------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_estimating_again_from_clamped_motion_is_the_same(maya, tmp_path):
    """Tight limits clamp what the joint shows, not what its curves say."""
    from jointlimits_maya.read.motion import motion_from_scene

    from jointlimits_core.estimation.pipeline import estimate

    open_scene(maya, str(person_file(tmp_path)))
    maya.scene.modified = True

    first = estimate(motion_from_scene(joints()))
    tight = limit_set(joints={"knee": joint("hinge", (span(10.0, 30.0), lock(), lock()))})
    apply_limits(tight, may_move=True)
    assert np.degrees(value(maya, "knee.rotateX", 0.5)) == pytest.approx(30.0)
    assert estimate(motion_from_scene(joints())).to_json() == first.to_json()
    apply_limits(first, replace=True)
    assert plan(estimate(motion_from_scene(joints())))[0].is_empty
