"""Controls in the window: the switch, and two clicks from selected controls to their limits."""

from __future__ import annotations

import re

import pytest

from tests.support.control_rigs import body
from tests.support.maya_open_scenes import everything
from tests.support.maya_scenes import write_scene
from tests.support.window_answers import answers
from tests.support.window_hand import Hand
from tests.support.window_standin import idle, open_window_of, opened

pytestmark = pytest.mark.thorough

ARM = {"L_fk0_ctl", "L_fk1_ctl"}


@pytest.fixture
def rig(maya, cmds, tmp_path):
    """A scene with joints and controls."""
    cmds.file(str(write_scene(tmp_path, body())), open=True, force=True)
    maya.undo_queue.flush()
    idle(maya)
    return maya


def kind(window):
    """Which button is down, and the tool tip of a disabled one."""
    joints, controls = window.parts.kind.buttons
    down = "controls" if controls.isChecked() else "joints"
    assert joints.isChecked() != controls.isChecked()
    return down, "" if controls.isEnabled() else controls.toolTip()


def press(window, qtbot, session, controls):
    qtbot.mouseClick(window.parts.kind.buttons[controls], left_button())
    Hand(window, qtbot).click_bar("estimate")
    qtbot.waitUntil(lambda: not window.document.estimation.busy, timeout=30_000)
    idle(session)


def left_button():
    from jointlimits_maya.ui.toolkit.qt import Qt

    return Qt.MouseButton.LeftButton


def test_a_scene_without_controls_says_so(maya, qtbot):
    window = opened(maya, qtbot)
    assert kind(window) == (
        "joints",
        "There are no controls (transforms with curve shapes) in this scene.",
    )


def test_the_switch_is_hidden_without_maya_where_no_scene_is_open(full, qtbot):
    assert full.document.clips
    assert not full.parts.kind.isVisible()


def test_two_clicks_from_selected_controls_to_their_limits_and_one_undo(rig, qtbot, cmds):
    before = everything(rig)
    window = opened(rig, qtbot, sorted(ARM))
    cmds.select(sorted(ARM))
    assert set(window.document.limits.joints) == ARM
    assert kind(window) == ("controls", "")
    Hand(window, qtbot).click_bar("apply_limits")
    assert "Limits written on 2 controls" in window.messages.text.text()
    assert cmds.getAttr("L_fk1_ctl.maxRotZLimit") == pytest.approx(130.0, abs=1e-3)
    cmds.undo()
    assert [line for line in everything(rig) if not line.startswith("selection")] == [
        line for line in before if not line.startswith("selection")
    ]


def test_the_switch_measures_the_other_kind_of_the_same_character(rig, qtbot, cmds):
    window = opened(rig, qtbot, "hips")
    assert kind(window) == ("joints", "")
    assert "L_arm0" in window.document.limits.joints
    cmds.select(clear=True)
    press(window, qtbot, rig, True)
    assert set(window.document.limits.joints) > ARM
    assert kind(window) == ("controls", "")
    press(window, qtbot, rig, False)
    assert "L_arm0" in window.document.limits.joints
    assert kind(window) == ("joints", "")


def test_selected_controls_do_not_distract_from_the_joints_that_are_open(
    rig, qtbot, cmds, monkeypatch
):
    window = opened(rig, qtbot, "hips")
    cmds.select("L_fk0_ctl")
    answers(monkeypatch, "Leave them off")
    Hand(window, qtbot).click_bar("apply_limits")
    assert "press Estimate" not in window.messages.text.text()
    assert open_window_of(rig) is window


def test_controls_that_lose_their_curves_are_gone(rig, qtbot, cmds):
    window = opened(rig, qtbot, sorted(ARM))
    cmds.delete("L_fk0_ctlShape", "L_fk1_ctlShape")
    idle(rig)
    Hand(window, qtbot).click_bar("apply_limits")
    assert "no longer in the scene" in window.messages.text.text()


def test_limits_that_went_to_controls_are_switched_and_cleared_from_their_joints(rig, qtbot, cmds):
    before = everything(rig)
    window = opened(rig, qtbot, "hips")
    for name, text in (
        ("apply_to_controls", "Limits written on 3 controls"),
        ("switch_limits", "Limits switched off on 3 controls"),
        ("switch_limits", "Limits switched on on 3 controls"),
        ("clear_limits", "3 controls restored"),
    ):
        window.actions_by_name[name].trigger()
        assert window.messages.text.text().startswith(text)
    after = [line for line in everything(rig) if not line.startswith("selection")]
    assert after == [line for line in before if not line.startswith("selection")]


def test_limits_of_joints_go_to_the_controls_in_one_undo(rig, qtbot, cmds):
    window = opened(rig, qtbot, "hips")
    window.actions_by_name["apply_to_controls"].trigger()
    text = window.messages.text.text()
    assert re.match(r"Limits written on \d+ controls\b", text), text
    assert cmds.getAttr("L_fk1_ctl.maxRotZLimitEnable")
    assert not cmds.getAttr("L_arm1.maxRotZLimitEnable")
    cmds.undo()
    assert not cmds.getAttr("L_fk1_ctl.maxRotZLimitEnable")


def test_limits_of_controls_go_to_no_other_controls(rig, qtbot, cmds):
    action = opened(rig, qtbot, sorted(ARM)).actions_by_name["apply_to_controls"]
    assert not action.isEnabled()
    assert action.toolTip() == "These limits are those of controls already: use Apply."
