"""Closing the window: the last edit is kept, and what is not saved can be saved on the way out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from jointlimits_maya.ui.application import open_window
from jointlimits_maya.ui.document import document
from jointlimits_maya.ui.host.standalone import StandaloneHost
from jointlimits_maya.ui.toolkit.qt import QtWidgets
from jointlimits_maya.ui.window import Window

from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.limits.limit_set import read_limit_set, write_limit_set
from tests.support.house_files import ROOT
from tests.support.ui_examples import WORST_CHANNEL, WORST_JOINT, walk_limits
from tests.support.window_alone import shown_window, with_limits
from tests.support.window_answers import answers
from tests.support.window_hand import Hand

pytestmark = pytest.mark.thorough


class Keeping:
    """A scene that remembers what it was given to keep."""

    measures_controls = False

    def why_no_controls(self):
        return "no controls"

    def __init__(self):
        self.kept = []

    def store(self, limit_set):
        self.kept.append(limit_set)

    def scene_joints(self):
        return None

    def selected_joints(self):
        return ()


@pytest.fixture
def window(tmp_path, qtbot):
    window = with_limits(shown_window(tmp_path, qtbot))
    window.host.scene = Keeping()
    return window


@pytest.fixture
def edited(window, qtbot, tmp_path):
    """The window that asks before it closes, and an edit that is not in its file yet."""
    window.document.save(tmp_path / "walk.limits.json")
    window.asks_before_closing = True
    Hand(window, qtbot).drag_limit(WORST_CHANNEL, "max", -25.0)
    return window


def close(window):
    """Try to close the window; afterwards pytest-qt may close it without a question."""
    is_closed = window.close()
    window.asks_before_closing = False
    return is_closed


def upper(limit_set):
    return limit_set.joints[WORST_JOINT].limits[WORST_CHANNEL].max_deg


def test_an_edit_right_before_closing_is_kept(window, qtbot):
    qtbot.waitUntil(lambda: len(window.host.scene.kept) == 1)
    Hand(window, qtbot).drag_limit(WORST_CHANNEL, "max", -25.0)
    edited = window.document.limits
    assert window.host.scene.kept[-1] is not edited, "it waits for the drag to end"
    window.close()
    assert window.host.scene.kept[-1] is edited
    window.shut_down()
    qtbot.wait(20)
    assert len(window.host.scene.kept) == 2, "once"


def test_closing_without_an_edit_keeps_nothing_again(window, qtbot):
    qtbot.waitUntil(lambda: len(window.host.scene.kept) == 1)
    window.close()
    assert len(window.host.scene.kept) == 1


@pytest.mark.parametrize(
    ("answer", "closes"), [("Save", True), ("Discard", True), ("Cancel", False)]
)
def test_what_is_not_saved_can_be_saved_on_the_way_out(
    edited, tmp_path, monkeypatch, answer, closes
):
    path = tmp_path / "walk.limits.json"
    before = upper(read_limit_set(path))
    asked = answers(monkeypatch, answer)
    assert close(edited) is closes
    assert "unsaved changes" in asked[0]
    by = -25.0 if answer == "Save" else 0.0
    assert upper(read_limit_set(path)) - before == pytest.approx(by, abs=0.01)


def test_a_save_that_fails_keeps_the_window_open(edited, tmp_path, monkeypatch):
    path = tmp_path / "walk.limits.json"
    write_limit_set(replace(walk_limits(), character="stunt"), path)  # by somebody else
    answers(monkeypatch, "Save")
    assert not close(edited)
    assert edited.messages.kind == "problem"


def test_no_file_for_what_is_not_saved_keeps_the_window_open(edited, monkeypatch):
    edited.document.open_set(walk_limits())  # which has no file
    edited.document.edit.set_state("spine", "rotateX", "free")
    answers(monkeypatch, "Save")
    monkeypatch.setattr(QtWidgets.QFileDialog, "getSaveFileName", lambda *_: ("", ""))
    assert not close(edited)


# The program of its own -------------------------------------------------------------------------


@pytest.fixture
def files(tmp_path):
    """A limit set, and the motions that it was measured from."""
    motion = ROOT / "examples" / "humanoid_rom.bvh"
    path = tmp_path / "rom.limits.json"
    write_limit_set(estimate(read_motion(motion)), path)
    return str(path), str(motion)


def test_files_that_are_opened_at_the_start_are_nothing_to_undo_or_to_save(files, tmp_path, qtbot):
    window = open_window(files[0], [files[1]], None, StandaloneHost(tmp_path / "own"))
    qtbot.addWidget(window)
    window.show()
    assert len(window.document.clips) == 1
    assert window.document.is_saved
    assert "not saved" not in window.parts.file.text()
    assert not window.actions_by_name["undo"].isEnabled()
    assert "Estimate measures again" not in window.messages.text.text()
    window.asks_before_closing = True
    assert window.close(), "and nobody is asked"


def test_a_clip_that_was_not_measured_yet_says_so(files, tmp_path, qtbot):
    other = tmp_path / "other.bvh"
    other.write_bytes(Path(files[1]).read_bytes() + b"\n")
    window = open_window(files[0], [str(other)], None, StandaloneHost(tmp_path / "own"))
    qtbot.addWidget(window)
    assert "Press Estimate to measure with them" in window.messages.text.text()


def test_the_window_is_shown_before_it_reads(files, tmp_path, qtbot, monkeypatch):
    read, shown = document.read_takes, []

    def reading(*arguments, **options):
        tops = QtWidgets.QApplication.topLevelWidgets()
        shown.append(any(top.isVisible() for top in tops if type(top) is Window))
        return read(*arguments, **options)

    monkeypatch.setattr(document, "read_takes", reading)
    window = open_window(None, [files[1]], None, StandaloneHost(tmp_path / "own"))
    qtbot.addWidget(window)
    assert shown == [True]
