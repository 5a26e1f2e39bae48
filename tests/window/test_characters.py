"""Whose limits are open: two of one rig, a part, another one, and a scene that has moved on."""

from __future__ import annotations

import pytest

from tests.support.window_alone import shown_message
from tests.support.window_answers import answers
from tests.support.window_hand import Hand
from tests.support.window_standin import SCENE, idle, open_window_of, opened, press_shelf
from tests.window.test_story import bounds, limit, wrong  # noqa: F401 (fixtures)

pytestmark = pytest.mark.thorough


def settled(window, session, qtbot):
    """Let an estimate end, with all its messages."""
    qtbot.waitUntil(lambda: not window.document.estimation.busy, timeout=30_000)
    idle(session)
    qtbot.wait(100)


def estimated(window, session, qtbot):
    Hand(window, qtbot).click_bar("estimate")
    settled(window, session, qtbot)


def joints_of(window):
    return set(window.document.limits.joints)


@pytest.fixture
def two(maya, cmds):
    """The scene's own character and the same rig in the namespace B."""
    cmds.file(str(SCENE), reference=True, namespace="B")
    idle(maya)
    return maya


@pytest.fixture
def finger(maya, cmds):
    """Another small character beside the first."""
    cmds.select(clear=True)
    cmds.joint(name="Palm")
    cmds.joint(name="Finger")
    for frame, value in ((1, 0.0), (10, 50.0), (20, -30.0)):
        cmds.setKeyframe("Finger", attribute="rotateZ", time=frame, value=value)
    maya.undo_queue.flush()
    return maya


def with_edit(window, qtbot):
    """The window after its first elbow was dragged by hand; gives the bound."""
    (elbow,) = (name for name in joints_of(window) if name.endswith("LeftElbow"))
    window.select([elbow])
    Hand(window, qtbot).drag_limit("rotateZ", "max", -20.0)
    assert window.document.limits.edits
    return bounds(window, elbow)[1]


# The same rig twice -------------------------------------------------------------------------------


def test_the_same_rig_in_a_namespace_is_another_character(two, qtbot, monkeypatch, cmds):
    window = opened(two, qtbot)
    high = with_edit(window, qtbot)
    before = window.document.limits
    cmds.select("B:Hips")
    asked = answers(monkeypatch, "Cancel", "Discard")
    estimated(window, two, qtbot)
    assert "1 edit" in asked[0]
    assert "B:Hips" in asked[0]
    assert window.document.limits is before
    estimated(window, two, qtbot)
    assert all(name.startswith("B:") for name in joints_of(window)), "its own names"
    assert not window.document.limits.edits
    assert "no longer in the scene" not in shown_message(window)
    assert window.messages.kind == "info"
    Hand(window, qtbot).click_bar("apply_limits")
    assert limit("B:LeftElbow", "maxRotZLimit") == pytest.approx(145.0, abs=0.01)
    assert limit("B:LeftElbow", "maxRotZLimit") != pytest.approx(high, abs=1.0)
    assert limit("B:LeftElbow", "maxRotZLimitEnable")
    assert not limit("LeftElbow", "maxRotZLimitEnable")


def test_a_character_that_moves_into_a_namespace_is_the_same(maya, qtbot, monkeypatch, cmds):
    window = opened(maya, qtbot)
    high = with_edit(window, qtbot)
    cmds.namespace(addNamespace="C")
    for name in sorted(joints_of(window)):
        cmds.rename(name, f"C:{name}")
    window.messages.clear()
    idle(maya)
    qtbot.wait(200)
    assert "no longer in the scene" not in shown_message(window)
    cmds.select("C:LeftKnee")
    idle(maya)
    qtbot.waitUntil(lambda: window.selected == ("LeftKnee",), timeout=5000)
    cmds.select("C:Hips")
    estimated(window, maya, qtbot)
    assert "no longer in the scene" not in shown_message(window)
    assert window.document.limits.edits, "the same character, with what was decided"
    answers(monkeypatch, "Apply all")
    Hand(window, qtbot).click_bar("apply_limits")
    assert limit("C:LeftElbow", "maxRotZLimit") == pytest.approx(high, abs=0.01)
    window.select(["RightKnee"])
    window.actions_by_name["select_in_scene"].trigger()
    assert cmds.ls(selection=True) == ["C:RightKnee"]
    window.actions_by_name["toggle_guides"].trigger()
    assert "Guides shown for 1 joint" in shown_message(window)


# Another one is selected --------------------------------------------------------------------------


def test_two_clicks_from_another_selected_character_write_on_that_one(finger, qtbot, cmds):
    window = opened(finger, qtbot)
    cmds.select("Palm")
    press_shelf(finger, "Open window")
    assert open_window_of(finger) is window
    settled(window, finger, qtbot)
    assert joints_of(window) == {"Palm", "Finger"}
    assert "Palm" in shown_message(window)
    Hand(window, qtbot).click_bar("apply_limits")
    assert limit("Finger", "maxRotZLimitEnable")
    assert not limit("LeftElbow", "maxRotZLimitEnable")


def test_the_button_asks_before_edits_give_way_and_brings_them_back(
    finger, qtbot, monkeypatch, cmds
):
    window = opened(finger, qtbot)
    high = with_edit(window, qtbot)
    before = window.document.limits
    asked = answers(monkeypatch, "Cancel", "Discard")
    cmds.select("Palm")
    press_shelf(finger, "Open window")
    settled(window, finger, qtbot)
    assert "Palm would replace it" in asked[0]
    assert "Hips" in asked[0]
    assert window.document.limits is before
    press_shelf(finger, "Open window")
    settled(window, finger, qtbot)
    assert joints_of(window) == {"Palm", "Finger"}
    cmds.select("Hips")
    press_shelf(finger, "Open window")
    settled(window, finger, qtbot)
    assert bounds(window, "LeftElbow")[1] == pytest.approx(high)
    assert "These are the latest limits of" in shown_message(window)
    Hand(window, qtbot).click_bar("preview_clamping")
    qtbot.waitUntil(lambda: window.parts.clamping.list.topLevelItemCount() > 0, timeout=10_000)


def test_apply_says_whom_it_wrote_on_while_another_is_selected(finger, qtbot, cmds):
    window = opened(finger, qtbot)
    cmds.select("Palm")
    idle(finger)
    Hand(window, qtbot).click_bar("apply_limits")
    assert limit("LeftElbow", "maxRotZLimitEnable")
    assert not limit("Finger", "maxRotZLimitEnable")
    assert "Hips" in shown_message(window)
    assert "Palm is selected" in shown_message(window)
    assert window.messages.kind == "warning"


# What would be lost -------------------------------------------------------------------------------


def ignore_the_wrong_frame(window, session, qtbot):
    hand = Hand(window, qtbot)
    hand.click_joint("LeftElbow")
    hand.click(window.parts.joint.axes["rotateZ"].excludes["min"])
    settled(window, session, qtbot)
    assert window.document.state.excluded.every_frame


def test_ignored_frames_are_asked_about(wrong, qtbot, monkeypatch, cmds):  # noqa: F811
    window = opened(wrong, qtbot)
    ignore_the_wrong_frame(window, wrong, qtbot)
    excluded, before = window.document.state.excluded, window.document.limits
    cmds.select(lonely())
    asked = answers(monkeypatch, "Cancel")
    estimated(window, wrong, qtbot)
    assert "1 excluded frame" in asked[0]
    assert window.document.state.excluded == excluded
    assert window.document.limits is before


def lonely():
    """Another character of one joint; gives its name."""
    from maya import cmds

    cmds.createNode("joint", name="Lonely")
    for frame, value in ((1, 0.0), (20, 50.0)):
        cmds.setKeyframe("Lonely", attribute="rotateX", time=frame, value=value)
    return "Lonely"


def test_options_are_asked_about_and_a_save_is_enough(maya, qtbot, monkeypatch, tmp_path, cmds):
    from jointlimits_maya.ui.toolkit.qt import QtWidgets

    window = opened(maya, qtbot)
    window.parts.options.fields["pad_deg"].setValue(4.0)
    estimated(window, maya, qtbot)
    cmds.select(lonely())
    path = tmp_path / "hips.limits.json"
    monkeypatch.setattr(QtWidgets.QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    asked = answers(monkeypatch, "Save")
    estimated(window, maya, qtbot)
    assert "options" in asked[0]
    assert path.is_file()
    assert joints_of(window) == {"Lonely"}
    assert window.document.path is None, "the file is of the other one"


def test_stopping_leaves_the_first_character_open(finger, qtbot, monkeypatch, cmds):
    from jointlimits_maya.ui.document import estimating
    from jointlimits_maya.ui.document.worker import Worker

    window = opened(finger, qtbot)
    before = window.document.limits
    cmds.select("Palm")
    monkeypatch.setattr(Worker, "start", lambda *_: None)  # it goes on and on
    Hand(window, qtbot).click_bar("estimate")
    assert window.document.estimation.busy
    assert isinstance(window.document.estimation, estimating.Estimating)
    window.actions_by_name["cancel"].trigger()
    assert window.document.limits is before
    assert "nothing was changed" in shown_message(window)
    cmds.select(clear=True)
    Hand(window, qtbot).click_bar("apply_limits")
    assert limit("LeftElbow", "maxRotZLimitEnable")


# A part -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", ["Measure all", "Only these", "Cancel"])
def test_a_part_asks_before_it_takes_the_place_of_edits(maya, qtbot, monkeypatch, answer, cmds):
    window = opened(maya, qtbot)
    high = with_edit(window, qtbot)
    every, before = joints_of(window), window.document.limits
    cmds.select("RightKnee")
    idle(maya)
    asked = answers(monkeypatch, answer)
    estimated(window, maya, qtbot)
    assert "RightKnee, 3 of 21 joints" in asked[0]
    assert (joints_of(window) == every) is (answer != "Only these")
    assert (window.document.limits is before) is (answer == "Cancel")
    if answer != "Only these":
        assert bounds(window, "LeftElbow")[1] == pytest.approx(high)


# The scene has moved on ---------------------------------------------------------------------------


def previewed(window, qtbot):
    Hand(window, qtbot).click_bar("preview_clamping")
    panel = window.parts.clamping
    qtbot.waitUntil(lambda: "No preview" not in panel.summary.text(), timeout=10_000)
    return panel


def test_the_preview_looks_at_the_animation_as_it_is_now(maya, qtbot, monkeypatch, cmds):
    window = opened(maya, qtbot)
    panel = previewed(window, qtbot)
    assert "Apply changes no pose" in panel.summary.text()
    assert "changed" not in shown_message(window)
    cmds.setKeyframe("LeftElbow", attribute="rotateZ", time=500, value=170.0)
    idle(maya)
    panel.forget()
    panel = previewed(window, qtbot)
    assert "Apply changes no pose" not in panel.summary.text()
    assert panel.list.topLevelItem(0).text(0) == "LeftElbow"
    assert "changed since Estimate" in shown_message(window)
    assert window.messages.kind == "warning"
    asked = answers(monkeypatch, "Cancel")
    Hand(window, qtbot).click_bar("apply_limits")
    assert "LeftElbow.rotateZ" in asked[0], "Apply says the same"


def test_the_preview_without_the_character_says_which_motion_it_was(maya, qtbot, cmds):
    window = opened(maya, qtbot)
    cmds.delete("Hips")
    window.live.record("nodes")
    qtbot.waitUntil(lambda: "was deleted" in shown_message(window), timeout=5000)
    previewed(window, qtbot)
    assert "its motion at the last estimate" in shown_message(window)
