"""The scene changes under the window, in the stand-in of Maya: a message, and nothing is lost."""

from __future__ import annotations

import pytest

from jointlimits_core.limits.limit_set import read_limit_set
from tests.support.window_alone import shown_message
from tests.support.window_answers import choose_file
from tests.support.window_hand import Hand
from tests.support.window_standin import SCENE, idle, opened

pytestmark = pytest.mark.thorough


def opened_and_left(session, qtbot, select="Hips"):
    """The window with the limits of a character, none of which is selected any more."""
    from maya import cmds

    window = opened(session, qtbot, select)
    cmds.select(clear=True)
    idle(session)
    qtbot.wait(60)
    window.messages.clear()
    return window


def mouse_comes_back(window, session):
    """What Qt sends when the mouse comes over the window."""
    from jointlimits_maya.ui.toolkit.qt import QtCore, QtGui, QtWidgets

    idle(session)
    place = QtCore.QPointF(9.0, 9.0)
    QtWidgets.QApplication.sendEvent(window, QtGui.QEnterEvent(place, place, place))


def test_a_joint_renamed_and_named_back(maya, qtbot, cmds):
    window = opened_and_left(maya, qtbot)
    before = window.document.limits
    cmds.rename("LeftElbow", "Bend")
    idle(maya)
    qtbot.waitUntil(lambda: "LeftElbow" in shown_message(window), timeout=5000)
    assert window.messages.kind == "warning"
    assert "1 joint is no longer in the scene under this name" in shown_message(window)
    assert window.document.limits is before
    cmds.rename("Bend", "LeftElbow")
    idle(maya)
    qtbot.waitUntil(lambda: "in the scene again" in shown_message(window), timeout=5000)


def test_a_joint_deleted_is_seen_when_the_mouse_comes_back_and_undo_brings_it_back(
    maya, qtbot, cmds
):
    window = opened_and_left(maya, qtbot)
    before = window.document.limits
    cmds.delete("RightKnee")
    mouse_comes_back(window, maya)
    qtbot.waitUntil(lambda: "RightKnee" in shown_message(window), timeout=5000)
    assert window.document.limits is before
    Hand(window, qtbot).click_joint("RightKnee")
    assert window.parts.joint.names == ("RightKnee",)
    Hand(window, qtbot).click_bar("apply_limits")
    assert "Limits written on" in shown_message(window)
    assert window.messages.kind == "warning", "not on all"
    cmds.undo()
    cmds.undo()
    idle(maya)
    qtbot.waitUntil(lambda: "in the scene again" in shown_message(window), timeout=5000)


@pytest.fixture
def shot(maya, cmds):
    """A scene that references the character as `hero`."""
    cmds.file(newFile=True, force=True)
    cmds.file(str(SCENE), reference=True, namespace="hero")
    idle(maya)
    return maya


def test_a_reference_unloaded(shot, qtbot, tmp_path, monkeypatch, cmds):
    window = opened_and_left(shot, qtbot, "hero:Hips")
    window.select([name for name in window.document.limits.joints if "LeftElbow" in name])
    hand = Hand(window, qtbot)
    hand.type_bound("rotateZ", "max", "99,5")
    before = window.document.limits
    (reference,) = shot.scene.references
    for node in list(reference.nodes):  # what unloading does: Maya reports no event of it
        if node in shot.scene.nodes:
            shot.scene.delete_node(node)
    mouse_comes_back(window, shot)
    qtbot.waitUntil(lambda: "reference was unloaded" in shown_message(window), timeout=5000)
    assert window.messages.kind == "warning"
    assert window.document.limits is before
    for method in ("apply_limits", "toggle_guides"):
        window.actions_by_name[method].trigger()
        assert "no longer in the scene" in shown_message(window), method
        assert window.messages.kind == "problem"
    hand.type_bound("rotateZ", "max", "98")
    path = tmp_path / "kept.limits.json"
    choose_file(monkeypatch, path)
    hand.click_bar("save")
    kept = read_limit_set(path)
    assert kept.joints == window.document.limits.joints
    assert [edit.value for edit in kept.edits] == [98.0]


def test_a_new_scene_and_then_an_estimate_say_what_came_of_it(maya, qtbot, cmds):
    window = opened_and_left(maya, qtbot)
    cmds.file(newFile=True, force=True)
    idle(maya)
    qtbot.waitUntil(lambda: "A new scene is open" in shown_message(window), timeout=5000)
    window.actions_by_name["toggle_guides"].trigger()
    assert "no longer in the scene" in shown_message(window)
    assert "limited" not in shown_message(window)
    cmds.file(str(SCENE), open=True, force=True)
    idle(maya)
    qtbot.waitUntil(lambda: "A new scene is open" in shown_message(window), timeout=5000)
    cmds.select("Hips")
    Hand(window, qtbot).click_bar("estimate")
    qtbot.waitUntil(lambda: not window.document.estimation.busy, timeout=30_000)
    idle(maya)
    qtbot.wait(100)
    assert "joints measured" in shown_message(window)
    assert "new scene" not in shown_message(window)
    assert window.messages.kind == "info"


def test_apply_with_nothing_to_write_is_no_success(maya, qtbot):
    window = opened_and_left(maya, qtbot)
    for channel in ("rotateX", "rotateY", "rotateZ"):
        window.document.edit.set_state(list(window.document.limits.joints), channel, "free")
    Hand(window, qtbot).click_bar("apply_limits")
    assert window.messages.kind == "warning"
    assert "Nothing" in shown_message(window)
