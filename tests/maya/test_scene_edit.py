"""Edits of the open scene: together, back and forth, or not at all."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.maya_open_scenes import difference, joints, set_value, state, stored_deg


def plug(joint, attribute):
    from jointlimits_maya.scene.plugs import find_plug

    return find_plug(joints(joint)[0].node(), attribute)


def edit_of_everything():
    """One edit with every kind of step."""
    import maya.api.OpenMaya as om
    from jointlimits_maya.scene.edit import Angle, Length, SceneEdit
    from jointlimits_maya.scene.record import Provenance, keep
    from jointlimits_maya.write.curves import AllKeys, add_curve, delete_curve

    edit = SceneEdit("Everything")
    edit.set(plug("knee", "preferredAngleX"), Angle(0.5))
    edit.set(plug("knee", "translateY"), Length(-41.0))
    edit.set(plug("knee", "stiffnessX"), 3.0)
    edit.set(plug("knee", "jointTypeY"), False)
    edit.set(plug("hip", "rotateOrder"), 4)
    edit.set(plug("hip", "bindPose"), om.MMatrix(np.arange(16.0).tolist()))
    edit.set_lock(plug("hip", "rotateY"), True)
    keep(edit, joints("knee")[0].node(), Provenance("person", before={"jointTypeY": True}))
    delete_curve(edit, plug("ankle", "rotateX"), plug("ankle", "rotateX").source().node())
    keys = AllKeys(new_keys().times, np.array([0.1, 0.2, 0.3]))
    add_curve(edit, lambda: plug("tail", "rotateZ"), "animCurveTA", "tail_rotateZ", keys)
    return edit


def new_keys():
    """Keys of three frames for a channel that has none."""
    from jointlimits_core.rig.reorient_checks import Channels, NewKeys
    from jointlimits_core.rig.scene import Node, Units

    channels = Channels(Node("joint", "tail", None, Units()), "rotate", (), (None, None, None))
    return NewKeys(channels, np.array([1.0, 2.0, 3.0]), np.zeros((3, 3)))


def test_every_kind_of_step_goes_back_and_forth_to_the_bit(person):
    before = state(person)
    edit = edit_of_everything()
    assert state(person) == before
    edit.do()
    after = state(person)
    changed = "\n".join(difference(before, after))
    for what in ("preferredAngleX", "translateY", "stiffnessX", "jointTypeY", "rotateOrder"):
        assert f"+  {what}" in changed
    assert "+  bindPose" in changed
    assert "+  locked ['rotateY']" in changed
    assert "jointLimitsProvenance" in changed
    assert "tail_rotateZ" in changed
    assert "-node ankle_rotateX" in changed.replace("-node |", "-node ")
    for _ in range(2):
        edit.undo()
        assert state(person) == before
        edit.do()
        assert state(person) == after


@pytest.mark.parametrize("locked", ["hip.rotateX", "knee.jointTypeZ"])
def test_a_failure_half_way_leaves_nothing(person, locked):
    from jointlimits_maya.scene.edit import Angle, SceneEdit

    person.scene.set_locked(person.scene.plug(locked), True)
    before = state(person)
    edit = edit_of_everything()
    node, _, attribute = locked.partition(".")
    stuck = SceneEdit("stuck")
    if attribute.startswith("jointType"):
        stuck.set(plug("knee", "jointTypeX"), False)
        stuck.set(plug(node, attribute), False)
    else:
        stuck.set(plug(node, attribute), Angle(1.0))
    edit.extend(stuck)
    with pytest.raises(RuntimeError, match="locked or connected"):
        edit.do()
    assert state(person) == before


def test_one_undo_and_one_redo_on_the_queue(person, undo):
    before = state(person)
    undo.run(edit_of_everything())
    after = state(person)
    assert after != before
    assert len(person.undo_queue.done) == 1
    person.undo_queue.undo()
    assert state(person) == before
    person.undo_queue.redo()
    assert state(person) == after
    assert len(person.undo_queue.done) == 1


def test_nothing_to_do_is_not_on_the_queue(person, undo):
    from jointlimits_maya.scene.edit import SceneEdit

    before = person.scene_hash()
    undo.run(SceneEdit("nothing"))
    undo.run(None)
    assert not person.undo_queue.done
    assert person.scene_hash() == before


@pytest.mark.parametrize("changed", [False, True])
def test_a_failed_edit_leaves_no_undo_and_the_note_that_the_scene_needs_saving(
    person, undo, changed
):
    person.scene.set_locked(person.scene.plug("hip.rotateOrder"), True)
    edit = edit_of_everything()
    person.scene.modified = changed
    before = state(person)
    with pytest.raises(RuntimeError):
        undo.run(edit)
    assert state(person) == before
    assert not person.undo_queue.done
    assert person.scene.modified is changed


def test_the_command_is_not_for_hands(person, undo, cmds):
    from jointlimits_maya.scene.edit import Angle, SceneEdit

    edit = SceneEdit("one")
    edit.set(plug("hip", "rotateX"), Angle(0.25))
    undo.run(edit)
    assert stored_deg(person, "hip.rotateX") == pytest.approx(np.degrees(0.25))
    before = state(person)
    with pytest.raises(RuntimeError, match="jointlimits_maya; do not run it by hand"):
        cmds.jointLimitsEdit(1)
    assert state(person) == before


def test_what_others_do_in_between_is_undone_in_order(person, undo, cmds):
    """The queue has somebody else's edit on top; ours goes back after it."""
    before = state(person)
    undo.run(edit_of_everything())
    cmds.setAttr("knee.preferredAngleX", 12.0)
    person.undo_queue.undo()
    person.undo_queue.undo()
    assert state(person) == before
    set_value(person, "knee.preferredAngleX", 0.0)
