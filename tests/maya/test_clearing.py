"""What was there before comes back to the bit; limits off and on again."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from tests.maya.test_writing import (
    AXES,
    apply_limits,
    enabled_ends,
    plan,
    reasons,
    reference_persons,
)
from tests.support.limit_set_examples import joint, limit_set, lock, span
from tests.support.maya_open_scenes import (
    clear_limits,
    difference,
    joints,
    open_changed,
    person_file,
    set_value,
    state,
    stored_deg,
    value,
)

ODD = 0.1 + 0.2
OLD_LIMITS = (
    'select -ne "knee";\n'
    f'\tsetAttr ".mrxl" {math.degrees(ODD)!r};\n'
    '\tsetAttr ".mrxe" yes;\n'
    '\tsetAttr ".xrye" yes;\n'
    '\tsetAttr ".jtz" no;\n'
    '\tsetAttr ".pa" -type "double3" -0 1e-300 33.3 ;\n'
    '\tsetAttr -l on ".rz";\n'
)


def switch(on, *names, **options):
    from jointlimits_maya.write.clear import plan_switch

    edit, result = plan_switch(joints(*names), on, **options)
    edit.do()
    return result


# Clearing ---------------------------------------------------------------------------------------


def test_what_was_never_set_is_as_if_it_never_had_been(person):
    before = state(person)
    apply_limits(lock_channels=True)
    result = clear_limits()
    assert state(person) == before
    assert set(result.restored) == {"knee", "ankle", "hip", "tail"}
    assert result.untouched == ("root",)
    assert "maxRotXLimit" in result.restored["knee"]
    assert not result.skipped
    assert not result.changed_since


def test_what_was_set_comes_back_to_the_bit(maya, tmp_path):
    open_changed(maya, person_file(tmp_path, OLD_LIMITS))
    set_value(maya, "knee.minRotXLimit", math.nextafter(ODD, 1.0))
    set_value(maya, "knee.preferredAngleX", -0.0)
    before = state(maya)
    apply_limits(replace=True, lock_channels=True)
    assert state(maya) != before
    clear_limits()
    assert difference(before, state(maya)) == []
    assert enabled_ends(maya, "knee") == {"minX", "maxY"}


def test_values_that_differ_by_very_little_come_back_to_the_bit(person):
    old = math.nextafter(np.radians(140.0 - 1e-8), 0.0)
    set_value(person, "knee.maxRotXLimit", old)
    before = state(person)
    apply_limits()
    assert value(person, "knee.maxRotXLimit") == np.radians(140.0)
    clear_limits()
    assert state(person) == before


def test_the_state_before_the_first_of_several_writings_comes_back(person):
    before = state(person)
    for bounds in ((0.0, 150.0), (-10.0, 160.0), (-5.0, 145.0)):
        limits = limit_set()
        limits.joints["knee"] = joint("hinge", (span(*bounds), lock(), lock()))
        apply_limits(limits)
    assert stored_deg(person, "knee.maxRotXLimit") == pytest.approx(145.0)
    clear_limits()
    assert state(person) == before


@pytest.mark.thorough
def test_clearing_can_be_undone_and_done_again_and_twice_changes_nothing(person, undo):
    from jointlimits_maya.write.clear import plan_clear

    before = state(person)
    undo.run(plan()[0])
    limited_state = state(person)
    undo.run(plan_clear(joints())[0])
    assert state(person) == before
    person.undo_queue.undo()
    assert state(person) == limited_state
    person.undo_queue.undo()
    assert state(person) == before
    person.undo_queue.redo()
    person.undo_queue.redo()
    assert state(person) == before
    edit, result = plan_clear(joints())
    assert edit.is_empty
    assert len(result.untouched) == 5


def test_some_joints_only(person):
    apply_limits()
    before = state(person)
    clear_limits("knee")
    changed = [line for line in difference(before, state(person)) if line.startswith("+node")]
    assert changed == []
    assert not enabled_ends(person, "knee")
    assert enabled_ends(person, "hip")


def test_what_others_changed_since_is_reported(person):
    before = state(person)
    apply_limits()
    set_value(person, "knee.maxRotXLimit", 1.0)
    result = clear_limits()
    assert result.changed_since == {"knee": ("maxRotXLimit",)}
    assert state(person) == before


def test_what_cannot_be_put_back_stays_on_record(person):
    before = state(person)
    apply_limits()
    scene = person.scene
    scene.set_locked(scene.plug("knee.maxRotXLimit"), True)
    result = clear_limits()
    assert reasons(result, "knee") == {("maxRotXLimit", "locked")}
    record = json.loads(value(person, "knee.jointLimitsProvenance"))
    assert list(record["before"]) == ["maxRotXLimit"]
    scene.set_locked(scene.plug("knee.maxRotXLimit"), False)
    assert clear_limits().restored == {"knee": ("maxRotXLimit",)}
    assert state(person) == before


@pytest.mark.parametrize("had_limits", [True, False])
def test_no_pose_is_clamped_while_old_values_come_back(person, monkeypatch, had_limits):
    """The defaults, 45 degrees and off, would clamp the hip at 180 degrees."""
    if had_limits:
        set_value(person, "hip.minRotZLimit", np.radians(100.0))
        set_value(person, "hip.maxRotZLimit", np.radians(181.0))
        set_value(person, "hip.minRotZLimitEnable", True)
        set_value(person, "hip.maxRotZLimitEnable", True)
    limits = limit_set()
    wide = (span(0.0, 15.0), span(-8.0, 8.0), span(179.0, 300.0))
    limits.joints["hip"] = joint("ball", wide)
    apply_limits(limits, replace=True)
    seen = []
    kind = type(person.scene)
    original = kind.set_value

    def set_and_look(scene, plug, new):
        original(scene, plug, new)
        shown = scene.evaluator.value(scene.plug("hip.rotateZ"))
        seen.append(round(math.degrees(shown), 9))

    monkeypatch.setattr(kind, "set_value", set_and_look)
    clear_limits("hip")
    assert len(seen) > 6
    assert set(seen) == {180.0}
    assert stored_deg(person, "hip.maxRotZLimit") == pytest.approx(181.0 if had_limits else 45.0)


def test_a_referenced_character_keeps_no_attribute_of_ours(maya, tmp_path):
    reference_persons(maya, tmp_path, "rig")
    before = [line for line in state(maya) if not line.startswith("  edit")]
    apply_limits()
    clear_limits()
    after = [line for line in state(maya) if not line.startswith("  edit")]
    # Maya keeps a record of what was set on referenced nodes, even where it is what it was.
    assert difference(before, after) == []


def test_undo_of_locks_in_a_reference_leaves_their_records_and_no_lock(maya, tmp_path):
    """Maya removes a record only while its reference is unloaded (help of referenceEdit)."""
    reference_persons(maya, tmp_path, "rig")
    before = state(maya)
    edit, result = plan(limit_set(), lock_channels=True)
    edit.do()
    assert any("rotate" in name for names in result.written.values() for name in names)
    edit.undo()
    left = difference(before, state(maya))
    assert left
    # In pairs, so the scene comes back unlocked when it is opened again.
    locks, unlocks = (
        [x.split(word)[1] for x in left if word in x] for word in ("'lock'", "'unlock'")
    )
    assert sorted(locks) == sorted(unlocks)
    assert len(left) == 2 * len(locks)
    edit, _ = plan(limit_set())
    before = state(maya)
    edit.do()
    edit.undo()
    assert state(maya) == before


# Limits off and on ------------------------------------------------------------------------------


@pytest.mark.thorough
def test_only_ours_unless_everybodys(person):
    set_value(person, "root.maxRotYLimitEnable", True)
    apply_limits()
    before = state(person)
    switch(False)
    assert enabled_ends(person, "root") == {"maxY"}
    switch(True)
    assert state(person) == before
    result = switch(False, everybodys=True)
    assert result.switched["root"] == ("maxRotYLimitEnable",)
    assert not enabled_ends(person, "root")
    switch(True)
    assert state(person) == before


def test_applying_while_switched_off_switches_on_and_what_was_off_stays_off(person):
    apply_limits()
    before = state(person)
    switch(False)
    apply_limits()
    assert state(person) == before
    set_value(person, "knee.maxRotXLimitEnable", False)
    before = state(person)
    switch(False)
    switch(True)
    assert state(person) == before


@pytest.mark.parametrize("on", [True, False])
def test_off_and_on_again_and_twice_changes_nothing(person, on):
    from jointlimits_maya.write.clear import plan_switch

    apply_limits()
    before = state(person)
    assert switch(False).switched["knee"]
    assert not any(enabled_ends(person, name) for name in ("knee", "ankle", "hip", "tail"))
    assert stored_deg(person, "knee.maxRotXLimit") == pytest.approx(140.0)
    switch(on)
    assert (state(person) == before) is on
    edit, result = plan_switch(joints(), on)
    assert edit.is_empty
    assert not result.switched
    assert set(result.unchanged) == {"root", "knee", "ankle", "hip", "tail"}


def test_clearing_while_switched_off(person):
    set_value(person, "root.maxRotYLimitEnable", True)
    before = state(person)
    apply_limits()
    switch(False, everybodys=True)
    clear_limits()
    assert state(person) == before


def test_switches_that_cannot_be_set(person):
    apply_limits()
    person.scene.set_locked(person.scene.plug("knee.maxRotXLimitEnable"), True)
    result = switch(False)
    assert reasons(result, "knee") == {("maxRotXLimitEnable", "locked")}
    assert enabled_ends(person, "knee") == {"maxX"}
    switch(True)
    assert enabled_ends(person, "knee") == {
        f"{end}{axis}" for end in ("min", "max") for axis in AXES
    }
