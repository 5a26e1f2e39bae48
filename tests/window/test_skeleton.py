"""A skeleton from tracks in the window without Maya: found, looked at, taken back."""

from __future__ import annotations

import threading
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from jointlimits_maya.ui.application import open_window
from jointlimits_maya.ui.document import skeleton_fit
from jointlimits_maya.ui.host.standalone import StandaloneHost
from jointlimits_maya.ui.joints.model import FINDINGS
from jointlimits_maya.ui.toolkit.palette import colours_of
from jointlimits_maya.ui.toolkit.qt import Qt, QtCore, QtGui, QtWidgets
from jointlimits_maya.ui.window import Window

from benchmarks.simulated_faults import Faults, Slip
from benchmarks.simulated_figure import simulated_figure
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.formats.maya_ascii.motion_scene import as_in_maya
from jointlimits_core.formats.read_bodies import read_bodies
from jointlimits_core.skeleton_fit.build import pooled_motions
from jointlimits_core.skeleton_fit.fit import fit_pooled
from jointlimits_core.skeleton_fit.tracks import BodyTracks
from tests.support.marker_examples import plates, wandering, write_c3d
from tests.support.shared_data import shared_path
from tests.support.track_files import write_tracks
from tests.support.ui_examples import reach, walk
from tests.support.window_alone import shown_message, with_limits
from tests.support.window_answers import answers

LEG = ("pelvis", "left thigh", "left shin", "left foot")
JOINTS = ("pelvis", "left_thigh", "left_shin", "left_foot")
SLIPPED, SLIP_FRAME = "left_shin", 240.0
NOISE = Faults(noise=0.003, noise_deg=0.3, slips=(Slip("left shin", 8.0, 0.03, 8.0),))


@cache
def leg(seed: int = 3, faults: Faults | None = None, name: str = "take") -> BodyTracks:
    """Pelvis and left leg, moving all the time; by default the shin's sensor slips at 8 s."""
    tracks = simulated_figure(seed, seconds=16.0, frame_rate=30.0, faults=faults or NOISE).tracks
    return replace(tracks.choose_bodies(LEG), name=name)


@pytest.fixture
def take(tmp_path):
    return write_tracks(leg(), tmp_path / "take.csv")


@pytest.fixture
def found(window, take):
    """The window with the skeleton of the leg."""
    find(window, take)
    return window


def find(window, *paths):
    """Find the skeleton in files."""
    window.guard(window.skeletons.find)(list(paths))
    idle()


def idle():
    for _ in range(3):
        QtWidgets.QApplication.processEvents()


def choose_files(monkeypatch, *paths):
    """Answer the file dialog; gives what was asked for."""
    asked = []

    def answer(parent, title, folder, kind):
        asked.append((title, kind))
        return list(paths), kind

    monkeypatch.setattr(QtWidgets.QFileDialog, "getOpenFileNames", answer)
    return asked


def press_tracks(window, qtbot):
    """Press the keys of Skeleton from tracks."""
    tree = window.parts.joints.tree
    tree.setFocus()
    qtbot.keyClick(tree, Qt.Key.Key_T, Qt.KeyboardModifier.ControlModifier)
    idle()


def strip(window):
    return window.parts.strip.strip


def pixel_of(window, frame, row=0):
    """Where a frame is in a row of the strip."""
    layout = strip(window).layout_now
    return QtCore.QPoint(round(layout.x(frame)), round(layout.top(row) + 0.5 * layout.row_pixels))


def mouse_over(window, qtbot, place):
    """Move the mouse there; gives what the bottom line says."""
    widget, none = strip(window), Qt.MouseButton.NoButton
    at = QtCore.QPointF(place)
    kind, on_screen = QtCore.QEvent.Type.MouseMove, QtCore.QPointF(widget.mapToGlobal(place))
    event = QtGui.QMouseEvent(kind, at, on_screen, none, none, Qt.KeyboardModifier.NoModifier)
    QtWidgets.QApplication.sendEvent(widget, event)
    return window.parts.hover.text()


# What is found ------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_the_keys_open_the_skeleton_with_its_limits(window, qtbot, monkeypatch, take):
    asked = choose_files(monkeypatch, take)
    press_tracks(window, qtbot)
    ((title, kind),) = asked
    assert title == "Skeleton from tracks"
    assert {"*.c3d", "*.csv"} <= set(kind.strip("Tracks ()").split())
    limits = window.document.limits
    assert tuple(limits.joints) == JOINTS
    assert [joint.parent for joint in limits.joints.values()] == [None, *JOINTS[:3]]
    assert window.messages.kind == "warning"
    assert "4 joints measured" in shown_message(window)
    assert f"{SLIPPED} slipped by about" in shown_message(window)
    assert "of take." in shown_message(window)
    assert "Doubtful: left_foot; see Notes." in shown_message(window), "the shin carries it"


@pytest.mark.thorough
def test_the_limits_are_those_of_the_core(found, take):
    fits = fit_pooled([read_bodies(take)])
    ((clip,),) = pooled_motions(fits)
    expected = estimate([as_in_maya(clip)], found.document.state.options)

    def ranges(limits):
        axes = {(n, c): axis for n, joint in limits.items() for c, axis in joint.limits.items()}
        return {key: (axis.state, axis.min_deg, axis.max_deg) for key, axis in axes.items()}

    assert ranges(found.document.limits.joints) == ranges(expected.joints)


@pytest.mark.thorough
def test_several_files_are_one_skeleton(window, tmp_path):
    first, calm = leg(), leg(faults=replace(NOISE, slips=()), name="calm")
    paths = [write_tracks(first, tmp_path / "take.csv"), write_tracks(calm, tmp_path / "calm.csv")]
    find(window, *paths)
    assert [clip.name for clip in window.document.clips] == ["take", "calm"]
    one, other = (clip.skeleton for clip in window.document.clips)
    np.testing.assert_array_equal(one.offsets, other.offsets)
    np.testing.assert_array_equal(one.joint_orients, other.joint_orients)
    assert window.document.state.traces["take"][SLIPPED].slips
    assert not window.document.state.traces["calm"][SLIPPED].slips
    window.select([SLIPPED])
    window.parts.strip.show_frame("calm", 3.0)
    assert strip(window)._rows.labels[0] == "gap"
    assert not strip(window)._rows.marks


def test_marker_groups_are_asked_for_in_options(window, take):
    window.options.fields["marker_groups"].setEditText("by colour")
    window.guard(window.skeletons.find)([take])
    assert not window.document.has_limits
    assert window.messages.kind == "problem"
    assert "by colour" in shown_message(window)


# The strip ----------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_the_first_row_is_the_gap_of_the_selected_joint(found, take):
    fit = fit_pooled([read_bodies(take)])[0]
    found.select([SLIPPED])
    rows = strip(found)._rows
    assert rows.labels == ("gap", "rotate X", "rotate Y", "rotate Z")
    joint, turns, places = fit.joint("left shin"), fit.tracks.matrices(), fit.tracks.positions
    bodies = (joint.child, joint.centre_in_child), (joint.parent, joint.centre_in_parent)
    ends = [np.einsum("fij,j->fi", turns[body], at) + places[body] for body, at in bodies]
    used = fit.used[joint.child] & fit.used[joint.parent]
    gap = 1000.0 * np.sqrt(((ends[0] - ends[1]) ** 2).sum(axis=1))
    np.testing.assert_allclose(rows.values[0], np.where(used, gap, np.nan), atol=1e-9)
    assert 3.0 < np.nanmean(rows.values[0]) < 60.0


@pytest.mark.thorough
def test_a_joint_of_a_motion_without_tracks_has_no_such_row(window):
    with_limits(window)
    assert strip(window)._rows.labels == ("rotate X", "rotate Y", "rotate Z")


@pytest.mark.thorough
def test_hovering_says_how_wide_the_gap_is_and_how_far_it_slipped(found, qtbot):
    found.resize(1800, 900)  # at least a pixel for each frame
    found.select([SLIPPED])
    mark = strip(found)._rows.marks[0]
    assert abs(mark.frame - SLIP_FRAME) <= 15.0
    assert strip(found).accessibleDescription().endswith(", 1 slip")
    value = strip(found)._rows.values[0, 100]
    words = mouse_over(found, qtbot, pixel_of(found, 100.0))
    assert words == f"gap, frame 100: {value:.1f} mm"
    words = mouse_over(found, qtbot, pixel_of(found, mark.frame))
    assert words.endswith(mark.text)
    assert "slipped by about" in words
    assert "slipped" not in mouse_over(found, qtbot, pixel_of(found, mark.frame, row=1))


@pytest.mark.thorough
def test_a_root_that_slipped_has_a_mark_and_no_gap(window, tmp_path):
    """A root hangs on nothing that it could be apart from."""
    slips = (Slip("pelvis", 8.0, 0.05),)
    find(window, write_tracks(leg(faults=replace(NOISE, slips=slips)), tmp_path / "root.csv"))
    limits = window.document.limits
    (root,) = (name for name, joint in limits.joints.items() if joint.parent is None)
    assert root == "pelvis"
    window.select([root])
    rows = strip(window)._rows
    assert np.isnan(rows.values[0]).all()
    assert len(rows.marks) == 1
    window.grab()
    assert "Found in tracks: slipped by" in window.parts.joint.about.text()


# Messages about joints ----------------------------------------------------------------------------


@pytest.mark.thorough
def test_a_joint_in_doubt_has_a_filled_badge(found):
    tree = found.parts.joints.tree
    found.select(["pelvis"])
    colour = colours_of(tree).rest.lower()
    for name, doubtful in ((SLIPPED, True), ("left_thigh", False)):
        line = tree.item_of(name).line
        assert line.is_doubtful == doubtful
        image = tree.viewport().grab(tree.visualItemRect(tree.item_of(name))).toImage()
        places = ((x, y) for x in range(image.width()) for y in range(image.height()))
        assert (colour in {image.pixelColor(x, y).name() for x, y in places}) == doubtful
        spoken = tree.item_of(name).data(FINDINGS, Qt.ItemDataRole.AccessibleTextRole)
        assert ("the joint itself is doubtful" in (spoken or "")) == doubtful


@pytest.mark.thorough
def test_the_header_says_how_well_the_joint_holds(found):
    found.select([SLIPPED])
    words = found.parts.joint.about.text()
    trace = found.document.state.traces["take"][SLIPPED]
    gap = np.sqrt(np.nanmean(trace.gap_mm**2))
    assert f"Found in tracks: gap {gap:.1f} mm rms, slipped by about" in words
    found.select(["pelvis"])
    assert "Found in tracks" not in found.parts.joint.about.text()


@pytest.mark.thorough
def test_a_row_of_the_findings_leads_to_the_slip(found, qtbot):
    found.select([SLIPPED])
    found.parts.show_tab(found.parts.findings)
    idle()
    listing = found.parts.findings.list
    (item,) = (
        listing.topLevelItem(row)
        for row in range(listing.topLevelItemCount())
        if "slipped" in listing.topLevelItem(row).text(1)
    )
    place = listing.visualItemRect(item).center()
    qtbot.mouseClick(listing.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert found.host.current_frame() == strip(found)._rows.marks[0].frame


@pytest.mark.thorough
def test_a_clean_take_is_no_warning(window, tmp_path):
    find(window, write_tracks(leg(faults=replace(NOISE, slips=())), tmp_path / "clean.csv"))
    assert window.messages.kind == "info"
    assert "Joint gaps: " in shown_message(window)
    assert "slip" not in shown_message(window).lower()


# Several figures, and none ------------------------------------------------------------------------


def two_figures(folder):
    """Two legs that have nothing to do with each other, and a ball."""
    first = leg(3, replace(NOISE, slips=()))
    other = leg(8, replace(NOISE, slips=())).choose_bodies(LEG[1:])
    turns, places = wandering(first.frame_count, 4, 1.0)
    ball = BodyTracks.from_matrices(
        ("ball",), np.concatenate([turns, places[..., None]], axis=2)[:, None], 30.0
    )
    both = BodyTracks(
        names=(*first.names, *(f"other {name}" for name in other.names), "ball"),
        positions=np.concatenate([first.positions, other.positions + 3.0, ball.positions]),
        rotations=np.concatenate([first.rotations, other.rotations, ball.rotations]),
        frame_rate=30.0,
        name="both",
    )
    return write_tracks(both, folder / "both.csv")


@pytest.mark.thorough
def test_of_several_figures_one_is_chosen(window, tmp_path, monkeypatch):
    root = "other_left_shin"  # the middle of three bodies
    asked = answers(monkeypatch, f"{root}, 3 joints")
    find(window, two_figures(tmp_path))
    assert len(asked) == 1, shown_message(window)
    assert asked[0].startswith("These tracks contain 2 figures")
    assert window.document.has_limits, shown_message(window)
    names = {f"other_left_{part}" for part in ("thigh", "shin", "foot")}
    assert set(window.document.limits.joints) == names
    assert "Joined to nothing: ball" in shown_message(window)
    assert window.messages.kind == "warning"


def birds(folder):
    """Three bodies that fly freely."""
    tracks = []
    for seed in (1, 2, 3):
        turns, places = wandering(300, seed, 2.0)
        tracks.append(np.concatenate([turns, places[..., None]], axis=2))
    names = ("gull", "crow", "swift")
    return write_tracks(
        BodyTracks.from_matrices(names, np.stack(tracks, axis=1), 30.0), folder / "birds.csv"
    )


def table(folder, text):
    path = folder / "bad.csv"
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("make", "words"),
    [
        (birds, "gull"),
        (lambda folder: str(folder / "gone.csv"), "was moved, renamed or deleted"),
        (lambda folder: table(folder, "a,b\n1,2\n"), "bad.csv"),
        (lambda folder: table(folder, ""), "bad.csv"),
        (lambda folder: write_tracks(leg().keep_frames(range(2)), folder / "two.csv"), "frames"),
        (
            lambda folder: write_tracks(leg().choose_bodies(["pelvis"]), folder / "one.csv"),
            "one body",
        ),
    ],
)
def test_what_cannot_be_used_is_reported_and_changes_nothing(window, tmp_path, make, words):
    with_limits(window, leave_out=None)
    before, path = window.document.state, make(tmp_path)
    window.guard(window.skeletons.find)([path])
    assert window.document.state is before
    assert window.messages.kind == "problem"
    assert words in shown_message(window)
    assert "internal error" not in shown_message(window), "it is no fault of ours"
    assert not window.document.is_busy
    assert not window.actions_by_name["cancel"].isEnabled()


# Beside the main thread ---------------------------------------------------------------------------


@pytest.fixture
def threaded(tmp_path, qtbot):
    """A window that works on threads."""
    window = Window(StandaloneHost(tmp_path / "own"))
    qtbot.addWidget(window)
    window.show()
    qtbot.waitExposed(window)
    yield window
    window.shut_down()


@pytest.mark.thorough
def test_edits_made_meanwhile_are_asked_about(threaded, take, qtbot, monkeypatch):
    threaded.document.add_clips([walk(), reach()])
    threaded.scene.estimate()
    qtbot.waitUntil(lambda: threaded.document.has_limits, timeout=20_000)
    go, real = threading.Event(), skeleton_fit.figures_in

    def late(*arguments):
        go.wait(20.0)
        return real(*arguments)

    monkeypatch.setattr(skeleton_fit, "figures_in", late)
    choose_files(monkeypatch, take)
    press_tracks(threaded, qtbot)
    threaded.document.edit.set_limit("LeftArm", "rotateX", "max", 20.0)
    before, asked = threaded.document.state, answers(monkeypatch, "Cancel")
    go.set()
    qtbot.waitUntil(lambda: bool(asked), timeout=20_000)
    assert "1 edit" in asked[0]
    idle()
    assert threaded.document.state is before
    assert not threaded.document.is_busy


# From the command line ----------------------------------------------------------------------------


@pytest.mark.thorough
def test_the_command_line_opens_tracks(tmp_path, take, qtbot):
    window = open_window(None, [take], None, StandaloneHost(tmp_path / "own"))
    qtbot.addWidget(window)
    qtbot.waitUntil(lambda: window.document.has_limits, timeout=20_000)
    assert tuple(window.document.limits.joints) == JOINTS
    window.shut_down()


def test_tracks_and_motions_are_not_mixed(tmp_path, take, qtbot):
    window = open_window(None, [take, "walk.bvh"], None, StandaloneHost(tmp_path / "own"))
    qtbot.addWidget(window)
    assert "without walk.bvh" in window.messages.text.text()
    assert not window.document.is_busy
    window.shut_down()


# Markers ------------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_free_plates_of_markers_are_reported_as_loose(window, tmp_path):
    markers = plates(3, 300)
    find(window, str(write_c3d(tmp_path / "plates.c3d", (markers.names, markers.positions))))
    assert window.messages.kind == "problem"
    assert "no skeleton" in shown_message(window)


@pytest.mark.thorough
def test_a_real_take_of_markers(window):
    find(window, str(shared_path("data/bodies/cmu_02_01.c3d")))
    joints = window.document.limits.joints
    assert len(joints) == 15
    assert joints["left_shin"].parent == "left_thigh"
    assert joints["head"].parent == "chest"
    window.select(["left_shin"])
    assert strip(window)._rows.labels[0] == "gap"


@pytest.mark.thorough
def test_choosing_none_of_them_changes_nothing(window, tmp_path, monkeypatch):
    with_limits(window)
    before = window.document.state
    answers(monkeypatch, "Cancel")
    find(window, two_figures(tmp_path))
    assert window.document.state is before
    assert shown_message(window) == "Stopped; nothing was changed."
    assert not window.document.is_busy
