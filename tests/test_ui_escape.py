"""Escape takes back what is half done: a number that is being typed, a handle that is dragged."""

from __future__ import annotations

import pytest

from tests.ui_examples import WORST_CHANNEL, WORST_JOINT
from tests.window_hand import Hand

pytest.importorskip("pytestqt", reason="pytest-qt is missing: pip install pytest-qt")
pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture
def window(tmp_path, qtbot):
    from jointlimits_maya.ui.alone import Alone
    from jointlimits_maya.ui.window import Window
    from jointlimits_maya.ui.worker import AtOnce

    from tests.ui_examples import reach, walk

    found = Window(Alone(tmp_path / "own"), make_runner=AtOnce)
    found.resize(1280, 820)
    qtbot.addWidget(found)
    found.show()
    qtbot.waitExposed(found)
    found.document.add_clips([walk(), reach()])
    found.scene.estimate()
    found.document.undo_stack.clear()
    found.select([WORST_JOINT])
    return found


def upper(window):
    return window.document.limits.joints[WORST_JOINT].limits[WORST_CHANNEL].max_deg


@pytest.mark.parametrize("text", ["45", "nothing like a number", ""])
@pytest.mark.parametrize("leave", ["Tab", "Return"])
def test_escape_puts_the_number_back_and_leaving_changes_nothing(window, qtbot, text, leave):
    from jointlimits_maya.ui.qt import Qt

    before, box = upper(window), window.parts.joint.axes[WORST_CHANNEL].boxes["max"]
    shown = box.text()
    Hand(window, qtbot).type_bound(WORST_CHANNEL, "max", text, leave="Escape")
    assert box.text() == shown
    qtbot.keyClick(box.lineEdit(), getattr(Qt.Key, f"Key_{leave}"))
    qtbot.keyClick(window.parts.joints.tree, Qt.Key.Key_Down)
    assert upper(window) == before
    assert window.document.undo_stack.count() == 0
    assert window.messages.kind != "problem"


def test_a_number_typed_after_escape_counts(window, qtbot):
    hand = Hand(window, qtbot)
    hand.type_bound(WORST_CHANNEL, "max", "45", leave="Escape")
    hand.type_bound(WORST_CHANNEL, "max", "50")
    assert upper(window) == pytest.approx(50.0)


@pytest.mark.parametrize("edited", [False, True], ids=["of the motion", "of the artist"])
def test_escape_takes_a_drag_back_without_a_trace(window, qtbot, edited):
    from jointlimits_maya.ui.qt import Qt, QtCore

    hand = Hand(window, qtbot)
    if edited:
        hand.type_bound(WORST_CHANNEL, "max", "60")
        window.document.undo_stack.clear()
    before, dial = window.document.limits, window.parts.joint.axes[WORST_CHANNEL].dial
    layout, (x, y) = dial.layout_now, hand.handle(dial, "max")
    angle, radius = layout.angle(x, y), layout.radius(x, y)
    qtbot.mouseClick(dial, Qt.MouseButton.LeftButton, pos=QtCore.QPoint(1, 1))  # has the keyboard
    hand._mouse(dial, "press", QtCore.QPointF(x, y))
    for step in range(1, 20):
        hand._mouse(dial, "move", QtCore.QPointF(*layout.point(angle - step, radius)))
    assert upper(window) < before.joints[WORST_JOINT].limits[WORST_CHANNEL].max_deg - 10.0
    qtbot.keyClick(dial, Qt.Key.Key_Escape)
    assert window.document.limits.joints == before.joints
    assert window.document.undo_stack.count() == 0
    hand._mouse(dial, "release", QtCore.QPointF(*layout.point(angle - 25.0, radius)))
    assert window.document.limits.joints == before.joints
    assert window.document.limits.edits == before.edits


def test_escape_takes_a_drag_of_several_joints_back_for_each(window, qtbot):
    from jointlimits_maya.ui.qt import Qt, QtCore

    hand = Hand(window, qtbot)
    window.select(["LeftArm", "RightArm"])
    before, dial = window.document.limits, window.parts.joint.axes[WORST_CHANNEL].dial
    dial.setFocus()
    layout, (x, y) = dial.layout_now, hand.handle(dial, "max")
    hand._mouse(dial, "press", QtCore.QPointF(x, y))
    for step in range(1, 20):
        place = layout.point(layout.angle(x, y) - step, layout.radius(x, y))
        hand._mouse(dial, "move", QtCore.QPointF(*place))
    assert len({edit.joint for edit in window.document.limits.edits}) == 2
    qtbot.keyClick(dial, Qt.Key.Key_Escape)
    assert window.document.limits.joints == before.joints
