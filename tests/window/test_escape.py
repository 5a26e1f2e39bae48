"""Escape takes back what is half done: a number that is being typed, a handle that is dragged."""

from __future__ import annotations

import numpy as np
import pytest
from jointlimits_maya.ui.toolkit.qt import Qt, QtCore

from tests.support.ui_examples import WORST_CHANNEL, WORST_JOINT
from tests.support.window_alone import end_deg

pytestmark = pytest.mark.thorough


@pytest.mark.parametrize("text", ["45", "nothing like a number", ""])
@pytest.mark.parametrize("leave", ["Tab", "Return"])
def test_escape_puts_the_number_back_and_leaving_changes_nothing(full, hand, qtbot, text, leave):
    before, box = end_deg(full), full.parts.joint.axes[WORST_CHANNEL].boxes["max"]
    shown = box.text()
    hand.type_bound(WORST_CHANNEL, "max", text, leave="Escape")
    assert box.text() == shown
    qtbot.keyClick(box.lineEdit(), getattr(Qt.Key, f"Key_{leave}"))
    qtbot.keyClick(full.parts.joints.tree, Qt.Key.Key_Down)
    assert end_deg(full) == before
    assert full.document.undo_stack.count() == 0
    assert full.messages.kind != "problem"


def test_a_number_typed_after_escape_counts(full, hand):
    hand.type_bound(WORST_CHANNEL, "max", "45", leave="Escape")
    hand.type_bound(WORST_CHANNEL, "max", "50")
    assert end_deg(full) == pytest.approx(50.0)


@pytest.mark.parametrize("edited", [False, True], ids=["of the motion", "of the artist"])
def test_escape_takes_a_drag_back_without_a_trace(full, hand, qtbot, edited):
    if edited:
        hand.type_bound(WORST_CHANNEL, "max", "60")
        full.document.undo_stack.clear()
    before, dial = full.document.limits, full.parts.joint.axes[WORST_CHANNEL].dial
    layout, (x, y) = dial.layout_now, hand.handle(dial, "max")
    angle, radius = layout.angle(x, y), np.hypot(x - layout.x, y - layout.y)
    qtbot.mouseClick(dial, Qt.MouseButton.LeftButton, pos=QtCore.QPoint(1, 1))  # has the keyboard
    hand._mouse(dial, "press", QtCore.QPointF(x, y))
    for step in range(1, 20):
        hand._mouse(dial, "move", QtCore.QPointF(*layout.point(angle - step, radius)))
    assert end_deg(full) < before.joints[WORST_JOINT].limits[WORST_CHANNEL].max_deg - 10.0
    qtbot.keyClick(dial, Qt.Key.Key_Escape)
    assert full.document.limits.joints == before.joints
    assert full.document.undo_stack.count() == 0
    hand._mouse(dial, "release", QtCore.QPointF(*layout.point(angle - 25.0, radius)))
    assert full.document.limits.joints == before.joints
    assert full.document.limits.edits == before.edits
