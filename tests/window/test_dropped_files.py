"""Files dropped on the window, the keys of other programs, and names that are long."""

from __future__ import annotations

import shutil
from dataclasses import replace

import numpy as np
import pytest
from jointlimits_maya.ui.document.files import DocumentError, sort_dropped
from jointlimits_maya.ui.plots import strip_layout
from jointlimits_maya.ui.toolkit.qt import ElidedLabel, Qt, QtCore, QtGui
from jointlimits_maya.ui.toolkit.words import MAX_NAME, short_name

from jointlimits_core.formats.bvh import write_bvh
from jointlimits_core.people.people_file import SHIPPED
from tests.estimation.test_excursions import legs
from tests.support.window_alone import shown_message, shown_window

pytest.importorskip("jointlimits_maya.ui.toolkit")


@pytest.fixture
def takes(tmp_path):
    """A folder with two takes of legs, and a text that is no motion."""
    folder = tmp_path / "takes"
    folder.mkdir()
    (folder / "notes.txt").write_text("two takes", encoding="utf-8")
    for name in ("walk", "run"):
        write_bvh(legs(name=name), folder / f"{name}.bvh")
    return folder


@pytest.fixture
def hand_files(tmp_path):
    """Nine files of another character."""
    clip = rename_joints_of(legs())
    paths = [tmp_path / f"hand{number}.bvh" for number in range(9)]
    for path in paths:
        write_bvh(clip, path)
    return paths


def rename_joints_of(clip):
    """The same motion of joints with other names."""
    names = tuple(f"finger{number}" for number in range(len(clip.skeleton)))
    return replace(clip, skeleton=replace(clip.skeleton, names=names))


def drop(window, *paths):
    """Drop files on the window."""
    data = QtCore.QMimeData()
    urls = (
        path if isinstance(path, QtCore.QUrl) else QtCore.QUrl.fromLocalFile(str(path))
        for path in paths
    )
    data.setUrls(list(urls))
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    at, how = QtCore.QPointF(20.0, 20.0), Qt.DropAction.CopyAction
    window.dropEvent(QtGui.QDropEvent(at, how, data, buttons, keys))


def test_a_folder_of_motions_is_measured(tmp_path, qtbot, takes):
    window = shown_window(tmp_path / "own", qtbot)
    drop(window, takes)
    qtbot.waitUntil(lambda: window.document.has_limits, timeout=20_000)
    assert [clip.name for clip in window.document.clips] == ["run", "walk"]


def test_a_picture_is_answered_in_one_line_and_nothing_is_opened(window, tmp_path, takes):
    (tmp_path / "photo.png").write_bytes(b"\x89PNG")
    drop(window, takes / "walk.bvh", tmp_path / "photo.png")
    text = shown_message(window)
    assert "photo.png holds neither motion nor limits; drop motions (" in text
    assert "\n" not in text
    assert not window.document.clips


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (["gone.txt"], "gone.txt was moved, renamed or deleted; drop it from its new place"),
        (["one.json", "two.json"], "two.json hold limits; drop only one of them"),
        (["01.asf"], "01.asf is a skeleton without motion; drop its .amc files, too"),
        (["people.npz"], "is a people file, not motion"),
    ],
)
def test_no_drop_is_ignored_or_called_something_else(window, tmp_path, names, words):
    shutil.copy(SHIPPED, tmp_path / "people.npz")
    for name in ("one.json", "two.json", "01.asf"):
        (tmp_path / name).write_text("{}", encoding="utf-8")
    drop(window, *(tmp_path / name for name in names))
    assert words in shown_message(window)
    assert window.messages.kind == "problem"


def test_an_address_of_the_web_is_answered(window):
    drop(window, QtCore.QUrl("https://example.org/walk.bvh"))
    assert (
        "walk.bvh is not a file on this computer; download it and drop that file"
        in shown_message(window)
    )


@pytest.mark.parametrize(("skeletons", "asked"), [(1, []), (0, [True]), (2, [True])])
def test_a_skeleton_is_asked_for_where_none_is_beside_the_motion(
    window, tmp_path, monkeypatch, skeletons, asked
):
    (tmp_path / "take.amc").write_text(":DEGREES\n1\nroot 0 0 0 0 0 0\n", encoding="utf-8")
    for number in range(skeletons):
        (tmp_path / f"person{number}.asf").write_text("", encoding="utf-8")
    asks = []
    monkeypatch.setattr(window.questions, "existing_file", lambda *_: asks.append(True))
    monkeypatch.setattr(window.document, "open_clips", lambda *_: None)
    window.files.open_recent(str(tmp_path / "take.amc"))
    assert asks == asked


def test_a_folder_without_motions_says_what_it_lacks(tmp_path):
    (tmp_path / "notes.txt").write_text("x", encoding="utf-8")
    with pytest.raises(DocumentError, match="has no motion files; drop motions"):
        sort_dropped([str(tmp_path)])


def test_files_of_two_characters_are_answered_in_one_line(window, takes, tmp_path, hand_files):
    drop(window, takes / "walk.bvh", *hand_files)
    text = shown_message(window)
    assert window.messages.kind == "problem"
    assert "hand0" in text
    assert "\n" not in text
    assert "belongs to a different character" in text
    assert text.endswith("estimate each character separately.")
    assert not window.document.has_limits


def test_apply_says_what_to_do_with_files_that_hold_no_limits(window, takes, qtbot):
    drop(window, takes)
    qtbot.waitUntil(lambda: window.document.has_limits, timeout=20_000)
    action = window.actions_by_name["apply_limits"]
    assert action.isEnabled()
    action.trigger()
    text = shown_message(window)
    assert "run.bvh, walk.bvh cannot hold any. Save limits, or export a scene" in text


def test_f2_types_a_limit_and_ctrl_q_closes(window, takes, qtbot):
    drop(window, takes)
    qtbot.waitUntil(lambda: window.document.has_limits, timeout=20_000)
    window.actions_by_name["type_limit"].trigger()
    assert window.parts.joint.isAncestorOf(window.focusWidget())
    window.actions_by_name["close"].trigger()
    assert not window.isVisible()


def test_long_names_are_shortened_in_the_middle_and_whole_in_the_tool_tip(qtbot):
    name = "take_" + 20 * "very_long_" + "of_the_clip"
    assert len(short_name(name)) == MAX_NAME
    assert short_name(name).startswith("take_very")
    assert short_name(name).endswith("the_clip")
    assert short_name("walk") == "walk"
    label = ElidedLabel()
    qtbot.addWidget(label)
    label.setText(name)
    label.grab()
    assert label.toolTip() == name


def test_curves_have_a_scale_in_round_degrees():
    values = np.array([[-50.0, 70.0], [0.0, 1.0]])
    rows = strip_layout.Rows(
        ("X", "Y"), np.arange(2.0), np.zeros((2, 2)), values, ((-60.0, 80.0), None)
    )
    ticks = rows.ticks(0, 38.0)
    assert 0.0 in ticks
    assert len(ticks) >= 2
    assert all(tick % 15.0 == 0.0 for tick in ticks)
    low, high = rows.scale(0)
    assert 38.0 * min(np.diff(ticks)) / (high - low) >= strip_layout.TICK_ROOM_PIXELS
