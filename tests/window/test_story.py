"""The whole story in the stand-in of Maya, with a hand on the mouse: from shelf click to undo."""

from __future__ import annotations

import pytest

from tests.support.maya_open_scenes import everything
from tests.support.ui_examples import WITH_SPIKES
from tests.support.window_answers import answers
from tests.support.window_hand import Hand
from tests.support.window_standin import idle, open_window_of, opened, press_shelf

pytestmark = pytest.mark.thorough

WRONG_FRAME, WRONG_DEG = 500, -40.0


def limit(joint, plug):
    from maya import cmds

    return cmds.getAttr(f"{joint}.{plug}")


def bounds(window, joint, channel="rotateZ"):
    axis = window.document.limits.joints[joint].limits[channel]
    return axis.min_deg, axis.max_deg


def opened_with_spikes(session, qtbot):
    """The same, with the wrong frame counted, which is left out as a spike by default."""
    window = opened(session, qtbot)
    window.document.estimation.set_options(leave_out=WITH_SPIKES)
    qtbot.waitUntil(lambda: not window.document.estimation.busy, timeout=30_000)
    idle(session)
    return window


def test_two_clicks_from_a_selected_character_to_limits_applied_and_one_undo(maya, qtbot, cmds):
    cmds.select("Hips")
    before = everything(maya)
    window = opened(maya, qtbot)
    clicks = 1
    assert window.document.limits.joints["LeftElbow"].type == "hinge"
    assert everything(maya) == before, "estimating changes nothing"
    hand = Hand(window, qtbot)
    hand.click_bar("apply_limits")
    clicks += hand.actions
    assert clicks == 2
    assert "Limits written on" in window.messages.text.text()
    assert limit("LeftElbow", "maxRotZLimit") == pytest.approx(145.0, abs=0.01)
    assert limit("LeftElbow", "maxRotZLimitEnable")
    cmds.undo()
    assert everything(maya) == before
    cmds.redo()
    assert limit("LeftElbow", "maxRotZLimitEnable")


@pytest.fixture
def wrong(maya, cmds):
    """One frame of the animation bends both elbows the wrong way."""
    for elbow in ("LeftElbow", "RightElbow"):
        sign = 1.0 if cmds.getAttr(f"{elbow}.rotateZ", time=1100) >= 0.0 else -1.0
        for frame in (WRONG_FRAME - 1, WRONG_FRAME + 1):
            right = cmds.getAttr(f"{elbow}.rotateZ", time=frame)
            cmds.setKeyframe(elbow, attribute="rotateZ", time=frame, value=right)
        wrong = sign * WRONG_DEG
        cmds.setKeyframe(elbow, attribute="rotateZ", time=WRONG_FRAME, value=wrong)
    maya.undo_queue.flush()
    return maya


def test_a_wrong_bound_found_corrected_and_mirrored_in_four_actions(
    wrong, qtbot, monkeypatch, cmds
):
    window = opened_with_spikes(wrong, qtbot)
    low, high = bounds(window, "LeftElbow")
    assert low == pytest.approx(WRONG_DEG, abs=0.01)
    right = bounds(window, "RightElbow")
    hand = Hand(window, qtbot)

    hand.click_joint("LeftElbow")
    hand.click(window.parts.joint.axes["rotateZ"].shows["min"])
    assert cmds.currentTime(query=True) == pytest.approx(WRONG_FRAME), "it is shown"
    assert f"{WRONG_FRAME}" in window.messages.text.text()
    hand.drag_limit("rotateZ", "min", 40.0)
    low, high = bounds(window, "LeftElbow")
    assert low == pytest.approx(0.0, abs=0.05), "by the angle dragged"
    hand.click(window.parts.joint.mirror)
    assert hand.actions <= 4

    mirrored = sorted(abs(value) for value in bounds(window, "RightElbow"))
    assert mirrored == pytest.approx(sorted((abs(low), abs(high))), abs=1e-6)
    asked = answers(monkeypatch, "Cancel", "Apply the ones", "Apply all")
    hand.click_bar("apply_limits")
    assert "LeftElbow.rotateZ: 1 frame" in asked[0]
    assert "may_move" not in asked[0]
    assert not limit("LeftElbow", "minRotZLimitEnable")
    hand.click_bar("apply_limits")
    assert "may_move" not in window.messages.text.text()
    assert not limit("LeftElbow", "minRotZLimitEnable")
    hand.click_bar("apply_limits")
    assert len(asked) == 3
    assert limit("LeftElbow", "minRotZLimitEnable")
    assert limit("LeftElbow", "minRotZLimit") == pytest.approx(low, abs=0.01)
    stack = window.document.undo_stack
    assert stack.undoText().startswith("Mirror")
    stack.undo()
    assert bounds(window, "RightElbow") == right
    stack.undo()
    assert bounds(window, "LeftElbow")[0] == pytest.approx(WRONG_DEG, abs=0.01)
    assert not stack.undoText().startswith("Min"), "one drag is one step"


def test_the_first_wrong_bound_is_corrected_mirrored_and_applied_in_four_actions(
    wrong, qtbot, monkeypatch, cmds
):
    window = opened_with_spikes(wrong, qtbot)
    assert window.selected == ("LeftElbow",), "found without a click"
    hand = Hand(window, qtbot)
    hand.drag_limit("rotateZ", "min", 40.0)
    hand.click(window.parts.joint.mirror)
    asked = answers(monkeypatch, "Apply all")
    hand.click_bar("apply_limits")
    assert hand.actions + len(asked) == 4
    for elbow in ("LeftElbow", "RightElbow"):
        low, high = bounds(window, elbow)
        assert limit(elbow, "minRotZLimit") == pytest.approx(low, abs=0.01)
        assert limit(elbow, "maxRotZLimit") == pytest.approx(high, abs=0.01)
        assert high - low == pytest.approx(145.0, abs=0.1)


def test_a_pose_outside_is_marked_while_the_time_moves(wrong, qtbot, cmds):
    window = opened_with_spikes(wrong, qtbot)
    window.select(["LeftElbow"])
    Hand(window, qtbot).drag_limit("rotateZ", "min", 40.0)
    cmds.currentTime(WRONG_FRAME)
    idle(wrong)
    qtbot.waitUntil(lambda: "outside now" in window.parts.outside.text(), timeout=5000)
    assert "LeftElbow" in window.parts.outside.text()
    assert window.parts.joints.tree.item_of("LeftElbow").line.outside_deg > 30.0
    cmds.currentTime(1)
    idle(wrong)
    qtbot.waitUntil(lambda: not window.parts.outside.text(), timeout=5000)


def test_the_preview_lists_the_worst_frame_and_a_click_goes_there(wrong, qtbot, cmds):
    window = opened_with_spikes(wrong, qtbot)
    window.select(["LeftElbow"])
    hand = Hand(window, qtbot)
    hand.drag_limit("rotateZ", "min", 40.0)
    hand.click_bar("preview_clamping")
    rows = window.parts.clamping.list
    qtbot.waitUntil(lambda: rows.topLevelItemCount() > 0, timeout=10_000)
    first = rows.topLevelItem(0)
    assert first.text(0) == "LeftElbow"
    hand.click(rows.viewport(), rows.visualItemRect(first).center())
    assert cmds.currentTime(query=True) == pytest.approx(WRONG_FRAME)


def test_guides_are_drawn_and_taken_away(maya, qtbot, cmds):
    window = opened(maya, qtbot)
    before = everything(maya)
    window.select(["LeftElbow"])
    window.actions_by_name["toggle_guides"].trigger()
    assert "Guides shown for 1 joint" in window.messages.text.text()
    assert everything(maya) != before
    window.actions_by_name["toggle_guides"].trigger()
    assert everything(maya) == before
    window.actions_by_name["toggle_guides"].trigger()
    cmds.undo()
    window.actions_by_name["toggle_guides"].trigger()
    assert "Guides shown for 1 joint" in window.messages.text.text(), "undo took them away"


def test_selecting_in_maya_selects_in_the_window_and_back(maya, qtbot, cmds):
    window = opened(maya, qtbot)
    cmds.select("LeftKnee")
    idle(maya)
    qtbot.waitUntil(lambda: window.selected == ("LeftKnee",), timeout=5000)
    window.select(["RightKnee", "RightHip"])
    window.actions_by_name["select_in_scene"].trigger()
    assert set(cmds.ls(selection=True)) == {"RightKnee", "RightHip"}


# What goes wrong ----------------------------------------------------------------------------------


def test_nothing_selected_is_reported_and_the_window_is_there(maya, qtbot, cmds):
    cmds.select(clear=True)
    press_shelf(maya, "Open window")
    window = open_window_of(maya)
    assert window.isVisible()
    assert "nothing is selected" in window.messages.text.text().lower()
    assert window.messages.kind == "problem"
    cmds.select("Hips")
    Hand(window, qtbot).click_bar("estimate")
    qtbot.waitUntil(lambda: window.document.has_limits, timeout=30_000)


def test_the_button_again_shows_the_same_window(maya, qtbot):
    window = opened(maya, qtbot)
    press_shelf(maya, "Open window")
    assert open_window_of(maya) is window


def test_a_fault_of_ours_is_a_sentence_with_a_log(maya, qtbot, monkeypatch, tmp_path):
    from jointlimits_maya.limits import api

    window = opened(maya, qtbot)

    def broken(*_, **__):
        raise KeyError("oops")

    monkeypatch.setattr(api, "apply", broken)
    Hand(window, qtbot).click_bar("apply_limits")
    message = window.messages.text.text()
    assert "failed (internal error)" in message
    assert "Traceback" not in message
    assert "Traceback" in next((tmp_path / "app").rglob("jointlimits.log")).read_text()
    assert window.isVisible()


def test_closed_and_opened_again_the_last_limits_are_shown_with_their_edits(
    maya, qtbot, monkeypatch, cmds
):
    window = opened(maya, qtbot)
    window.select(["LeftElbow"])
    Hand(window, qtbot).drag_limit("rotateZ", "max", -20.0)
    high = bounds(window, "LeftElbow")[1]
    answers(monkeypatch, "Apply all")
    window.actions_by_name["apply_limits"].trigger()
    cmds.workspaceControl("jointLimitsWindow", edit=True, close=True)
    again = opened(maya, qtbot)
    assert again is not window
    assert bounds(again, "LeftElbow")[1] == pytest.approx(high)
    assert again.document.limits.edits
    assert again.document.clips
    assert len(maya.script_jobs) == 7, "those of the first window are gone"
