"""Failed edits are taken back; what Maya does not take back is listed, and nothing else."""

from __future__ import annotations

import pytest

from tests.support.maya_fixtures import PLUG_IN
from tests.support.maya_open_scenes import difference, joints, state

pytestmark = pytest.mark.usefixtures("cmds")
REASON = "(kFailure): Unexpected Internal Failure"


def plug(joint, attribute):
    from jointlimits_maya.scene.plugs import find_plug

    return find_plug(joints(joint)[0].node(), attribute)


def edit_in_three_steps():
    """Edit whose middle step is one modifier of three changes."""
    from jointlimits_maya.scene.edit import Angle, SceneEdit

    def change_three(modifier):
        modifier.newPlugValueDouble(plug("knee", "stiffnessX"), 3.0)
        modifier.newPlugValueDouble(plug("knee", "stiffnessY"), 0.0)  # as it is
        modifier.disconnect(plug("knee", "rotateX").source(), plug("knee", "rotateX"))

    edit = SceneEdit("Three steps")
    edit.set(plug("knee", "preferredAngleX"), Angle(0.5))
    edit.set_lock(plug("hip", "rotateY"), True)
    edit.modify(change_three)
    edit.set_lock(plug("hip", "rotateZ"), True)
    edit.set(plug("tail", "stiffnessX"), 4.0)
    return edit


def add_failure(edit):
    """Let the last step fail."""
    edit.set(plug("hip", "stiffnessX"), 1.0)
    edit.modify(lambda m: m.createNode("noSuchNode"))


def break_undo(monkeypatch, *steps):
    """Let the undo of some modifiers fail, numbered in the order in which they are done."""
    import maya.api.OpenMaya as om

    do, undo, done = om.MDGModifier.doIt, om.MDGModifier.undoIt, []

    def counted(self):
        done.append(self)
        return do(self)

    def broken(self):
        if self in [done[step] for step in steps if step < len(done)]:
            raise RuntimeError(REASON)
        return undo(self)

    monkeypatch.setattr(om.MDGModifier, "doIt", counted)
    monkeypatch.setattr(om.MDGModifier, "undoIt", broken)


def reject_second_change(monkeypatch):
    """Let Maya reject the second change of an edit; returns the list of changes begun."""
    import maya.api.OpenMaya as om

    do, begun = om.MDGModifier.doIt, []

    def rejecting(self):
        begun.append(self)
        if len(begun) == 2:
            raise RuntimeError("no")
        return do(self)

    monkeypatch.setattr(om.MDGModifier, "doIt", rejecting)
    return begun


def changed_places(before, after):
    """Attributes in the lines that differ."""
    lines = " ".join(difference(before, after))
    places = ("preferredAngleX", "stiffnessX", "stiffnessY", "knee.rotateX", "locked", "tail")
    return {place for place in places if place in lines}


def test_the_rest_is_undone_and_the_list_is_exact(person, monkeypatch):
    from jointlimits_maya.base.host import MayaRefusedError

    before = state(person)
    edit = edit_in_three_steps()
    add_failure(edit)
    break_undo(monkeypatch, 1)
    with pytest.raises(MayaRefusedError) as caught:
        edit.do()
    assert caught.value.left == ("knee.stiffnessX", "knee.rotateX")
    assert "could not restore knee.stiffnessX, knee.rotateX: unknown node" in str(caught.value)
    assert "the scene was restored" not in str(caught.value)
    assert changed_places(before, state(person)) == {"stiffnessX", "knee.rotateX"}


def test_all_failures_are_listed(person, monkeypatch):
    from jointlimits_maya.base.host import MayaRefusedError

    edit = edit_in_three_steps()
    add_failure(edit)
    break_undo(monkeypatch, 0, 1, 2)
    with pytest.raises(MayaRefusedError, match="unknown node type noSuchNode") as caught:
        edit.do()
    left = ["tail.stiffnessX", "knee.stiffnessX", "knee.rotateX"]
    assert list(caught.value.left) == [*left, "knee.preferredAngleX"]
    assert not person.scene.is_locked(person.scene.plug("hip.rotateZ"))


def test_nodes_that_stay_or_are_gone_are_listed(person, monkeypatch):
    from jointlimits_maya.base.host import MayaRefusedError
    from jointlimits_maya.scene.edit import SceneEdit
    from jointlimits_maya.write.curves import delete_curve

    edit = SceneEdit("Nodes")
    made = []
    edit.modify(lambda m: made.append(m.createNode("multMatrix")))
    edit.modify(lambda m: m.renameNode(made[0], "product"))
    delete_curve(edit, plug("ankle", "rotateX"), plug("ankle", "rotateX").source().node())
    add_failure(edit)
    break_undo(monkeypatch, *range(9))
    with pytest.raises(MayaRefusedError) as caught:
        edit.do()
    assert set(caught.value.left) >= {"the node product", "the node ankle_rotateX", "ankle.rotateX"}


def test_an_undo_that_fails_undoes_the_rest(person, monkeypatch):
    from jointlimits_maya.base.host import MayaRefusedError

    before = state(person)
    edit = edit_in_three_steps()
    break_undo(monkeypatch, 1)
    edit.do()
    with pytest.raises(MayaRefusedError, match=r"could not restore knee.stiffnessX, knee.rotateX"):
        edit.undo()
    assert changed_places(before, state(person)) == {"stiffnessX", "knee.rotateX"}


def test_a_failed_redo_is_rolled_back(person, monkeypatch):
    import maya.api.OpenMaya as om
    from jointlimits_maya.base.host import MayaRefusedError

    before = state(person)
    edit = edit_in_three_steps()
    edit.do()
    after = state(person)
    edit.undo()
    do, calls = om.MDGModifier.doIt, []

    def third_fails(self):
        calls.append(self)
        do(self)
        if len(calls) == 3:
            raise RuntimeError(REASON)

    monkeypatch.setattr(om.MDGModifier, "doIt", third_fails)
    with pytest.raises(MayaRefusedError, match="the scene was restored"):
        edit.do()
    assert state(person) == before
    edit.do()
    assert state(person) == after
    edit.undo()
    assert state(person) == before


def test_a_command_says_what_is_left(person, cmds, monkeypatch):
    from tests.support.limit_set_examples import limit_set

    cmds.loadPlugin(str(PLUG_IN))
    import maya.api.OpenMaya as om

    def refuse(self, node, attribute):
        raise TypeError("no attributes today")

    monkeypatch.setattr(om.MDGModifier, "addAttribute", refuse)
    break_undo(monkeypatch, 0)
    with pytest.raises(RuntimeError, match=r"could not restore .*knee\..*: no attributes today"):
        cmds.applyJointLimits(limits=limit_set().to_json(), allJoints=True, mayMove=True)
    kind, message = person.messages[-1]
    assert kind == "error"
    assert "could not restore" in message
    assert "open the saved scene again" in message
