"""What the window says: no longer than it is true, in the case of the names, and what changed."""

from __future__ import annotations

import pytest
from jointlimits_maya.ui.document import estimating
from jointlimits_maya.ui.document.worker import Worker, wait_for_all
from jointlimits_maya.ui.host.standalone import StandaloneHost
from jointlimits_maya.ui.toolkit.qt import Qt
from jointlimits_maya.ui.toolkit.words import sentence
from jointlimits_maya.ui.window import Window

from tests.support.ui_examples import WORST_CHANNEL, WORST_JOINT, endless, walk, walk_limits
from tests.support.window_alone import shown_message
from tests.support.window_hand import Hand


@pytest.fixture
def problem(full, hand):
    hand.type_bound(WORST_CHANNEL, "max", "-170")
    assert full.messages.kind == "problem"
    assert "would pass" in shown_message(full)


@pytest.mark.thorough
@pytest.mark.usefixtures("problem")
@pytest.mark.parametrize("edit", ["drag", "type", "lock", "undo"])
def test_a_problem_stays_until_the_next_edit_that_is_fine(full, hand, edit):
    hand.click_joint("head")
    assert "would pass" in shown_message(full)
    hand.click_joint(WORST_JOINT)
    if edit in ("drag", "undo"):
        hand.drag_limit(WORST_CHANNEL, "max", -10.0)
    if edit == "undo":
        hand.type_bound(WORST_CHANNEL, "max", "-170")
        assert shown_message(full)
        hand.press("Z")
    elif edit == "type":
        hand.type_bound(WORST_CHANNEL, "max", "45")
    elif edit == "lock":
        hand.choose(full.parts.joint.axes[WORST_CHANNEL].state, "locked")
    assert not shown_message(full)


def test_a_clip_keeps_its_case_where_the_sentence_begins():
    assert sentence(ValueError("lradius: no"), {"lradius"}) == "lradius: no."
    assert sentence(ValueError("no joint"), {"lradius"}) == "No joint."


@pytest.mark.thorough
def test_ignoring_a_frame_says_which_bounds_moved(full, hand, qtbot):
    hand.click(full.parts.joint.axes[WORST_CHANNEL].excludes["max"])
    qtbot.waitUntil(lambda: "Changed: " in shown_message(full))
    assert "11 joints measured" in shown_message(full)
    assert f"Changed: {WORST_JOINT} max {WORST_CHANNEL[-1]} from 80.0° to 50.0°" in shown_message(
        full
    )
    assert shown_message(full).count(" from ") <= 3


@pytest.mark.thorough
def test_a_tick_that_comes_to_nothing_is_there_again(full, hand, qtbot):
    tick(full, hand, qtbot, 1)
    qtbot.waitUntil(lambda: full.document.state.excluded.clips == {"reach"})
    tick(full, hand, qtbot, 0)
    qtbot.waitUntil(lambda: full.messages.kind == "problem")
    assert full.document.state.excluded.clips == {"reach"}
    rows = full.parts.clips.list
    assert rows.topLevelItem(0).checkState(0) == Qt.CheckState.Checked
    assert rows.topLevelItem(1).checkState(0) == Qt.CheckState.Unchecked


def tick(window, hand, qtbot, row):
    """Change the tick of a clip with the space bar."""
    window.parts.show_tab(window.parts.clips)
    rows = window.parts.clips.list
    place = rows.visualItemRect(rows.topLevelItem(row)).center()
    place.setX(rows.columnWidth(0) - 4)
    hand.click(rows.viewport(), place)
    qtbot.keyClick(rows, Qt.Key.Key_Space)


@pytest.mark.thorough
def test_a_stopped_estimate_says_only_that(tmp_path, full, qtbot, monkeypatch):
    """Also if an edit was made before."""
    monkeypatch.setattr(estimating, "refit", endless)
    window = slow(tmp_path, qtbot, Worker)
    hand = Hand(window, qtbot)
    window.document.edit.set_state("spine", "rotateX", "free")
    hand.click_bar("estimate")
    qtbot.waitUntil(window.messages.stop.isVisible)
    hand.click(window.messages.stop)
    assert wait_for_all()
    qtbot.wait(50)
    assert shown_message(window) == "Stopped; nothing was changed."


def slow(folder, qtbot, runner):
    """A window whose work is done beside it."""
    window = Window(StandaloneHost(folder / "slow"), make_runner=runner)
    qtbot.addWidget(window)
    window.resize(1280, 820)
    window.show()
    window.document.open_set(walk_limits())
    window.document.add_clips([walk()])
    return window


@pytest.mark.thorough
@pytest.mark.parametrize("method", ["clear_limits", "switch_limits"])
def test_alone_a_disabled_button_says_why(full, method):
    action = full.actions_by_name[method]
    assert not action.isEnabled()
    assert action.toolTip().startswith("There is no scene here: ")
