"""A skeleton beside tracked transforms, built and looked at from the window in Maya's stand-in."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from benchmarks.simulated_faults import Faults, Slip
from tests.support.maya_open_scenes import everything
from tests.support.maya_scenes import HEADER
from tests.support.tracked_locators import figure, locators
from tests.support.window_alone import shown_message
from tests.support.window_hand import Hand
from tests.support.window_standin import idle, maya_that_opens_the_window, press_shelf

pytestmark = pytest.mark.thorough

LEG = ("pelvis", "left thigh", "left shin")
TRACKS = ("pelvis", "left_thigh", "left_shin")
SLIPPED = "left_shin_joint"
FAULTS = Faults(noise=0.002, noise_deg=0.2, slips=(Slip("left shin", 8.0, 0.03, 8.0),))


@cache
def scene_text() -> str:
    """Keyed locators of a hip and a knee, one of which slips after eight seconds."""
    _, tracks = figure(LEG, seconds=16.0, seed=3, faults=FAULTS)
    return HEADER + locators(tracks)


@pytest.fixture
def maya(tmp_path, monkeypatch, qapp):
    path = tmp_path / "tracked.ma"
    path.write_text(scene_text(), encoding="utf-8")
    with maya_that_opens_the_window(tmp_path, monkeypatch, path) as session:
        yield session


@pytest.fixture
def window(maya):
    """The window, opened with nothing that it could measure."""
    from jointlimits_maya.window import maya_host as open_window

    made = open_window.open_window()
    made.resize(1280, 820)
    made.show()
    idle(maya)
    made.messages.clear()
    return made


def build(window, session, qtbot, *tracks):
    """Select tracks, choose the menu entry, and wait for the limits."""
    from maya import cmds

    cmds.select(list(tracks or TRACKS))
    idle(session)
    window.actions_by_name["skeleton_from_selection"].trigger()
    qtbot.waitUntil(lambda: not window.document.is_busy, timeout=30_000)
    idle(session)
    window.live.update()  # and not a moment later, when the test has gone on


def test_the_chain_is_built_and_its_limits_are_there(maya, window, qtbot, cmds):
    build(window, maya, qtbot)
    joints = [f"{name}_joint" for name in TRACKS]
    assert set(cmds.ls(type="joint")) == set(joints)
    limits = window.document.limits
    assert set(limits.joints) == set(joints)
    parents = {name: joint.parent for name, joint in limits.joints.items()}
    assert sum(parent is None for parent in parents.values()) == 1
    pairs = {frozenset(pair) for pair in parents.items() if None not in pair}
    assert pairs == {frozenset(joints[:2]), frozenset(joints[1:])}
    assert "3 joints measured" in shown_message(window)
    assert "slipped" in shown_message(window)
    assert window.messages.kind == "warning"


def test_gap_and_slip_are_in_the_strip_and_a_click_goes_there(maya, window, qtbot, cmds):
    from jointlimits_maya.ui.toolkit.qt import Qt, QtCore

    build(window, maya, qtbot)
    Hand(window, qtbot).click_joint(SLIPPED)
    idle(maya)
    strip = window.parts.strip.strip
    rows = strip._rows
    assert rows.labels[0] == "gap"
    gaps = [cmds.getAttr(f"{SLIPPED}.residualMillimeters", time=frame) for frame in rows.frames]
    np.testing.assert_allclose(rows.values[0], gaps, atol=1e-6)
    (mark,) = rows.marks
    assert abs(mark.frame - (1 + 8 * 24)) <= 24.0
    assert "slipped by about" in mark.text
    assert cmds.getAttr(f"{SLIPPED}.slipMillimeters", time=mark.frame) > 5.0
    layout = strip.layout_now
    place = QtCore.QPoint(round(layout.x(mark.frame)) + 3, round(layout.top(0) + 10))
    qtbot.mouseClick(strip, Qt.MouseButton.LeftButton, pos=place)
    assert cmds.currentTime(query=True) == mark.frame
    assert window.parts.joints.tree.item_of(SLIPPED).line.is_doubtful
    assert not window.parts.joints.tree.item_of("pelvis_joint").line.is_doubtful
    (root,) = (n for n, joint in window.document.limits.joints.items() if joint.parent is None)
    window.select([root])
    assert "gap" not in strip._rows.labels


def test_one_undo_in_maya_takes_the_chain_away(maya, window, qtbot, cmds):
    cmds.select(list(TRACKS))
    before = sorted(everything(maya))
    build(window, maya, qtbot)
    assert sorted(everything(maya)) != before
    cmds.undo()
    cmds.select(list(TRACKS))
    assert sorted(everything(maya)) == before
    idle(maya)
    assert not cmds.ls(type="joint")
    assert window.document.has_limits, "they are kept here"
    qtbot.waitUntil(lambda: "no longer in the scene" in shown_message(window), timeout=5_000)


def test_what_is_known_of_the_joints_is_there_again_with_the_scene(maya, window, qtbot, cmds):
    """It is read from the joints, whoever measures them."""
    from jointlimits_maya.window import maya_host as open_window

    build(window, maya, qtbot)
    slips = window.document.state.traces[window.document.clips[0].name][SLIPPED].slips
    window.document.close()
    cmds.select(
        window.document.state.character.tops()
        if window.document.state.character
        else "pelvis_joint"
    )
    press_shelf(maya, "Open window")
    again = open_window.window()
    qtbot.waitUntil(lambda: again.document.has_limits and not again.document.is_busy)
    assert again.document.state.traces[again.document.clips[0].name][SLIPPED].slips == slips


def test_joints_follow_live_if_that_is_chosen(maya, window, qtbot, cmds):
    window.options.fields["constrained"].setChecked(True)
    build(window, maya, qtbot)
    assert "following the tracks live" in shown_message(window)
    sources = cmds.listConnections(f"{SLIPPED}.rotateX") or ()
    assert not any("animCurve" in cmds.nodeType(one) for one in sources)


def test_what_is_not_joined_is_reported_with_the_option_for_it(maya, window, qtbot):
    window.options.fields["free_beyond_mm"].setValue(0.5)
    before = sorted(everything(maya))
    build(window, maya, qtbot, "pelvis", "left_shin")
    assert window.messages.kind == "problem"
    assert "pelvis, left_shin" in shown_message(window)
    assert (
        "\N{LEFT DOUBLE QUOTATION MARK}Maximum joint gap\N{RIGHT DOUBLE QUOTATION MARK}"
        in shown_message(window)
    )
    assert "free_beyond" not in shown_message(window)
    assert [line for line in sorted(everything(maya)) if "joint" in line] == [
        line for line in before if "joint" in line
    ]
