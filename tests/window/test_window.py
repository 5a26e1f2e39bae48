"""The window alone: files, saving, failures, keys, and nothing left behind when it closes."""

from __future__ import annotations

import gc
import weakref
from dataclasses import replace
from operator import attrgetter

import numpy as np
import pytest
from jointlimits_maya.ui.actions.commands import COMMANDS
from jointlimits_maya.ui.document import estimating
from jointlimits_maya.ui.document.worker import ImmediateRunner, Worker, wait_for_all
from jointlimits_maya.ui.host.standalone import StandaloneHost
from jointlimits_maya.ui.toolkit.qt import QtCore, QtWidgets
from jointlimits_maya.ui.window import Window

from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.euler import rotate_from_local
from jointlimits_core.limits.limit_set import read_limit_set, write_limit_set
from tests.support.house_files import ROOT
from tests.support.ui_examples import WORST_CHANNEL, WORST_JOINT, endless, reach, walk, walk_limits
from tests.support.window_alone import end_deg
from tests.support.window_answers import answers, choose_file
from tests.support.window_hand import Hand

CYCLES = 60


def made(folder, runner=None):
    window = Window(StandaloneHost(folder / "own"), make_runner=runner or ImmediateRunner)
    window.resize(1280, 820)
    return window


def test_curves_are_in_the_rotate_order_of_the_limits(window, tmp_path):
    clip, joint, path = reach(), reach().skeleton.index(WORST_JOINT), tmp_path / "walk.limits.json"
    skeleton = clip.skeleton
    orders = list(skeleton.rotate_orders)
    orders[joint] = "zyx"
    frame = skeleton.joint_orients[joint], skeleton.rotate_axes[joint], orders[joint]
    rotates = clip.rotates.copy()
    rotates[joint] = rotate_from_local(clip.rotations[joint].T, *frame).T
    assert np.abs(rotates[joint] - clip.rotates[joint]).max() > 0.1
    other = replace(skeleton, rotate_orders=tuple(orders))
    walk_limits().save(path)
    window.document.open_limits(path)
    window.document.add_clips([replace(clip, skeleton=other, rotates=rotates)])
    window.select([WORST_JOINT])
    shown = window.parts.strip.strip._rows.values
    np.testing.assert_allclose(shown, np.degrees(clip.rotates[joint]), atol=1e-9)


# First steps --------------------------------------------------------------------------------------


def test_the_guided_look_comes_once_and_can_be_skipped(window, tmp_path, qtbot):
    window.document.add_clips([walk(), reach()])
    window.scene.estimate()
    qtbot.waitUntil(lambda: window.tour.isVisible(), timeout=2000)
    name = window.selected[0]
    assert name in window.tour.text.text(), "on the real data"
    hand = Hand(window, qtbot)
    hand.click(window.tour.next)
    hand.click(window.tour.next)
    assert "Apply" in window.tour.text.text()
    assert not window.tour.skip.isVisible()
    hand.click(window.tour.next)
    assert not window.tour.isVisible()
    window.shut_down()
    later = made(tmp_path)
    qtbot.addWidget(later)
    later.show()
    later.document.add_clips([walk(), reach()])
    later.scene.estimate()
    qtbot.wait(20)
    assert not later.tour.isVisible()
    later.begin_tour()
    hand = Hand(later, qtbot)
    hand.click(later.tour.skip)
    assert not later.tour.isVisible()


def test_every_command_can_be_called_with_nothing_open(window, monkeypatch):
    choose_file(monkeypatch, "")
    monkeypatch.setattr(QtWidgets.QFileDialog, "getOpenFileNames", lambda *_: ([], ""))
    monkeypatch.setattr(type(window), "what_is_this", lambda self: None)
    for command in COMMANDS:
        if command.name != "what_is_this":
            window.guard(attrgetter(command.path)(window))()
        assert "internal error" not in window.messages.text.text(), command.name
    assert not window.log_path.exists()


def test_every_command_has_a_tip_and_a_place_in_a_menu(window):
    for command in COMMANDS:
        action = window.actions_by_name[command.name]
        assert len(command.tip.split()) >= 3
        assert action.text()
    keys = [command.keys for command in COMMANDS if command.keys]
    assert len(keys) == len(set(keys))


# Editing with the hand ----------------------------------------------------------------------------


@pytest.mark.thorough
def test_a_preview_changes_nothing_until_it_is_taken(full, qtbot):
    before = end_deg(full)
    full.options.fields["pad_deg"].setValue(5.0)
    Hand(full, qtbot)
    full.parts.show_tab(full.options)
    full.options.preview.click()
    assert end_deg(full) == before
    assert full.parts.compare.list.topLevelItemCount() > 10
    full.parts.compare.take.click()
    assert end_deg(full) == pytest.approx(before + 5.0)


# Files --------------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_save_open_and_compare(full, tmp_path, monkeypatch, qtbot):
    path = tmp_path / "walk.limits.json"
    choose_file(monkeypatch, path)
    full.actions_by_name["save"].trigger()
    assert read_limit_set(path) == full.document.limits
    Hand(full, qtbot).drag_limit(WORST_CHANNEL, "max", -25.0)
    full.actions_by_name["compare"].trigger()
    rows = full.parts.compare.list
    texts = [rows.topLevelItem(row).text(0) for row in range(rows.topLevelItemCount())]
    assert set(texts) == {WORST_JOINT}
    full.actions_by_name["export_table"].trigger()
    assert "one of the files" in full.messages.text.text() or full.messages.kind == "info"


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("command", "content"),
    [
        ("open_limits", None),
        ("open_limits", "{"),
        ("open_limits", '{"format": "other"}'),
        ("compare", "of another character"),
    ],
)
def test_a_file_that_cannot_be_used_is_reported_and_nothing_is_lost(
    full, tmp_path, monkeypatch, command, content
):
    path = tmp_path / "there.limits.json"
    if command == "compare":
        write_limit_set(estimate(read_motion(ROOT / "examples" / "humanoid_rom.bvh")), path)
    elif content is not None:
        path.write_text(content)
    choose_file(monkeypatch, path)
    answers(monkeypatch, "Discard")
    before = full.document.limits
    full.actions_by_name[command].trigger()
    assert full.messages.kind == "problem"
    assert "Traceback" not in full.messages.text.text()
    assert full.document.limits is before


@pytest.mark.thorough
def test_cancel_really_cancels(tmp_path, qtbot, monkeypatch):
    monkeypatch.setattr(estimating, "refit", endless)
    window = made(tmp_path, Worker)
    qtbot.addWidget(window)
    window.show()
    window.document.add_clips([walk(), reach()])
    state = window.document.state
    window.scene.estimate()
    assert not window.messages.stop.isVisible(), "most estimates are there before it is"
    qtbot.waitUntil(window.messages.stop.isVisible)
    Hand(window, qtbot).click(window.messages.stop)
    assert "nothing was changed" in window.messages.text.text()
    assert wait_for_all()
    qtbot.wait(50)
    assert window.document.state is state
    window.shut_down()


# Nothing is left behind ---------------------------------------------------------------------------


@pytest.mark.thorough
def test_nothing_leaks_over_many_openings(tmp_path, qapp):
    """After the first ones no window is left, and at most a wrapper of Qt each time."""
    limits, motion = walk_limits(), walk()
    alive = []
    for cycle in range(CYCLES):
        alive.append(weakref.ref(one_cycle(tmp_path, limits, motion)))
        if cycle == 20:
            before = own_objects()
    after = own_objects()
    assert sum(window() is not None for window in alive) <= 1
    assert not qapp.topLevelWidgets()
    assert after - before <= CYCLES, "objects grow"


def own_objects():
    """How many objects of Qt and of the window there are in Python."""
    gc.collect()
    kinds = [type(one).__module__ or "" for one in gc.get_objects()]
    return sum(str(kind).startswith(("PySide", "jointlimits_maya.ui")) for kind in kinds)


def one_cycle(folder, limits, motion):
    window = made(folder)
    window.show()
    window.document.open_set(limits)
    window.document.add_clips([motion])
    window.select([WORST_JOINT])
    QtWidgets.QApplication.processEvents()
    window.close()
    window.deleteLater()
    QtWidgets.QApplication.sendPostedEvents(None, QtCore.QEvent.Type.DeferredDelete)
    return window
