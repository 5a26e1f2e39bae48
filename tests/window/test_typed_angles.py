"""Angles typed into the fields: usual notations are accepted, anything else is rejected."""

from __future__ import annotations

import pytest
from jointlimits_maya.ui.toolkit.qt import Qt

from tests.support.ui_examples import WORST_CHANNEL
from tests.support.window_alone import end_deg as of
from tests.support.window_hand import Hand

ACCEPTED = (
    *(("max", 41.5, "41.5"), ("max", 41.5, "41,5"), ("max", 1.5, "1,5"), ("max", 0.5, ",5")),
    *(("max", 7.0, "+7."), ("max", 12.0, " 12 "), ("max", 12.0, "12°"), ("max", 0.0, "0")),
    *(("min", -12.5, "-12,5"), ("min", -12.5, "\N{MINUS SIGN}12,5")),
)


@pytest.mark.thorough
@pytest.mark.parametrize("leave", ["Return", "Tab"])
def test_usual_notations_are_accepted(full, qtbot, leave):
    before = full.document.limits
    for end, value, typed in ACCEPTED:
        box = Hand(full, qtbot).type_bound(WORST_CHANNEL, end, typed, leave)
        assert of(full, end=end) == pytest.approx(value), typed
        assert box.value() == pytest.approx(value), typed
        assert not full.messages.isVisible(), typed
        assert full.document.undo_stack.count() == 1, typed
        full.document.undo_stack.undo()
        full.document.undo_stack.clear()
        assert full.document.limits == before


@pytest.mark.thorough
@pytest.mark.parametrize("leave", ["Return", "Tab"])
def test_what_is_no_angle_is_refused_with_a_sentence(full, qtbot, leave):
    before = of(full)
    for typed in ("abc", "nan", "inf", "1,2,3", "1e2", "99999", "4 5", "--4"):
        box = Hand(full, qtbot).type_bound(WORST_CHANNEL, "max", typed, leave)
        assert of(full) == before, typed
        assert box.value() == pytest.approx(before, abs=0.01), typed
        assert box.text() == f"{before:.1f}°", typed
        assert full.messages.kind == "problem", typed
        assert f"“{typed}” is not an angle" in full.messages.text.text()
        assert full.document.undo_stack.count() == 0, typed
        full.messages.clear()


def test_an_emptied_field_gets_its_value_back(full, qtbot):
    before = of(full)
    line = full.parts.joint.axes[WORST_CHANNEL].boxes["max"].lineEdit()
    hand = Hand(full, qtbot)
    hand.click(line)
    line.selectAll()
    qtbot.keyClick(line, Qt.Key.Key_Delete)
    qtbot.keyClick(line, Qt.Key.Key_Tab)
    assert of(full) == before
    assert line.text() == f"{before:.1f}°"
    assert not full.messages.isVisible()


@pytest.mark.thorough
def test_the_next_valid_value_takes_the_message_away(full, qtbot):
    hand = Hand(full, qtbot)
    hand.type_bound(WORST_CHANNEL, "max", "abc")
    assert full.messages.isVisible()
    hand.type_bound(WORST_CHANNEL, "max", "45")
    assert of(full) == pytest.approx(45.0)
    assert not full.messages.isVisible()
