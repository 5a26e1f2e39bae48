"""Several joints selected in the list: everything that is done is done to all of them at once."""

from __future__ import annotations

import pytest
from jointlimits_maya.ui.toolkit.qt import Qt

from tests.support.window_hand import Hand

pytestmark = pytest.mark.thorough

BOTH = ("LeftArm", "RightArm")


@pytest.fixture
def hand(full, qtbot):
    made = Hand(full, qtbot)
    made.click_joints(*BOTH)
    return made


def axes(window, channel):
    return [window.document.limits.joints[name].limits[channel] for name in BOTH]


@pytest.mark.parametrize("channel", ["rotateX", "rotateZ"])
def test_a_typed_value_is_for_all(full, hand, channel):
    hand.type_bound(channel, "max", "33,5")
    assert [axis.max_deg for axis in axes(full, channel)] == pytest.approx([33.5, 33.5])
    assert full.document.undo_stack.count() == 1
    assert not full.messages.isVisible()


def test_the_value_that_the_first_one_has_can_be_given_to_the_others(full, hand):
    first, second = axes(full, "rotateZ")
    assert abs(first.max_deg - second.max_deg) > 1.0
    box = full.parts.joint.axes["rotateZ"].boxes["max"]
    assert "differs" in box.text()
    hand.type_bound("rotateZ", "max", f"{first.max_deg:.2f}")
    assert [axis.max_deg for axis in axes(full, "rotateZ")] == pytest.approx([first.max_deg] * 2)
    assert "differs" not in box.text()


def test_leaving_a_field_that_differs_changes_nothing(full, hand, qtbot):
    line = full.parts.joint.axes["rotateZ"].boxes["max"].lineEdit()
    hand.click(line)
    qtbot.keyClick(line, Qt.Key.Key_Return)
    qtbot.keyClick(line, Qt.Key.Key_Tab)
    assert full.document.undo_stack.count() == 0


def test_a_drag_is_for_all_and_one_step(full, hand):
    hand.drag_limit("rotateX", "max", -10.0)
    first, second = axes(full, "rotateX")
    assert first.max_deg == pytest.approx(second.max_deg)
    assert full.document.undo_stack.count() == 1
    hand.press("Z")
    assert not full.document.undo_stack.canUndo()


def test_a_state_and_a_type_are_for_all(full, hand):
    panel, header = full.parts.joint.axes["rotateY"], full.parts.joint
    hand.choose(panel.state, "locked")
    assert [axis.state for axis in axes(full, "rotateY")] == ["locked", "locked"]
    hand.choose(header.type, "hinge")
    assert {full.document.limits.joints[name].type for name in BOTH} == {"hinge"}


def test_keep_and_reset_are_for_all(full, hand):
    hand.type_bound("rotateX", "max", "20")
    hand.click(full.parts.joint.reset)
    assert not full.document.limits.edits
    hand.click(full.parts.joint.pin)
    assert {edit.joint for edit in full.document.limits.edits} == set(BOTH)
