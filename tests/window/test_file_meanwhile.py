"""The file of the limits is changed or removed while they are open: a message, nothing is lost."""

from __future__ import annotations

from dataclasses import replace

import pytest
from jointlimits_maya.ui.toolkit.qt import QtWidgets

from jointlimits_core.limits.limit_set import read_limit_set, write_limit_set
from tests.support.ui_examples import WORST_CHANNEL, WORST_JOINT, walk_limits
from tests.support.window_alone import shown_message, shown_window
from tests.support.window_answers import choose_file
from tests.support.window_hand import Hand

pytestmark = pytest.mark.thorough


@pytest.fixture
def path(tmp_path):
    (tmp_path / "shot").mkdir()
    return tmp_path / "shot" / "person.limits.json"


@pytest.fixture
def window(tmp_path, path, qtbot, monkeypatch):
    """The limits of a file are open, with an edit that is not saved."""
    write_limit_set(walk_limits(), path)
    found = shown_window(tmp_path, qtbot)
    choose_file(monkeypatch, path)
    found.actions_by_name["open_limits"].trigger()
    QtWidgets.QApplication.processEvents()
    hand = Hand(found, qtbot)
    hand.click_joint(WORST_JOINT)
    hand.type_bound(WORST_CHANNEL, "max", "41,5")
    return found


@pytest.fixture
def hand(window, qtbot):
    return Hand(window, qtbot)


def assert_refused(window, hand, words):
    """Save is refused with a message, and nothing is lost."""
    before = window.document.limits
    hand.press("S")
    assert words in shown_message(window)
    assert window.messages.kind == "problem"
    assert window.document.limits is before
    assert not window.document.is_saved


def save_as(window, path, monkeypatch):
    choose_file(monkeypatch, path)
    window.actions_by_name["save_as"].trigger()
    assert max_in(path) == pytest.approx(41.5)


def max_in(path):
    return read_limit_set(path).joints[WORST_JOINT].limits[WORST_CHANNEL].max_deg


def edited_by_somebody_else(path):
    write_limit_set(replace(walk_limits(), character="somebody else's"), path)
    return path.read_bytes()


def test_saved_as_it_is_when_nobody_touched_it(window, hand, path):
    hand.press("S")
    assert shown_message(window) == f"Saved: {path}"
    assert window.messages.kind == "info"
    assert max_in(path) == pytest.approx(41.5)


def test_removed_meanwhile_it_is_written_again_and_that_is_reported(window, hand, path):
    path.unlink()
    hand.press("S")
    assert "removed; it was created again" in shown_message(window)
    assert window.messages.kind == "warning"
    assert max_in(path) == pytest.approx(41.5)
    assert window.document.is_saved


def test_where_it_can_no_longer_be_written_this_is_reported_and_it_is_saved_elsewhere(
    window, hand, path, tmp_path, monkeypatch
):
    path.unlink()
    path.parent.rmdir()
    path.parent.write_text("no folder any more")
    assert_refused(window, hand, str(path.parent))
    assert "failed (internal error)" not in shown_message(window)
    save_as(window, tmp_path / "other.limits.json", monkeypatch)
    assert window.document.is_saved


def test_changed_meanwhile_neither_of_both_is_lost(window, hand, path, tmp_path, monkeypatch):
    theirs = edited_by_somebody_else(path)
    assert_refused(window, hand, "was changed by someone else after it was opened")
    assert path.read_bytes() == theirs
    save_as(window, tmp_path / "mine.limits.json", monkeypatch)
    assert path.read_bytes() == theirs


def test_changed_meanwhile_it_is_replaced_by_who_says_so_in_the_dialog(window, hand, path):
    edited_by_somebody_else(path)
    window.actions_by_name["save_as"].trigger()
    assert shown_message(window) == f"Saved: {path}"
    assert max_in(path) == pytest.approx(41.5)


def test_two_windows_with_one_file_do_not_write_over_each_other(
    window, hand, path, tmp_path, qtbot
):
    second = shown_window(tmp_path / "second", qtbot)
    second.actions_by_name["open_limits"].trigger()
    other = Hand(second, qtbot)
    other.click_joint(WORST_JOINT)
    other.type_bound(WORST_CHANNEL, "max", "30")
    other.click_bar("save")
    assert max_in(path) == pytest.approx(30.0)
    hand.click_bar("save")
    assert "was changed by someone else" in shown_message(window)
    assert max_in(path) == pytest.approx(30.0)
