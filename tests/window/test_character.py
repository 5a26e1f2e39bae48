"""The character in the window: what a hand on the mouse and keys does with it."""

from __future__ import annotations

import numpy as np
import pytest
from jointlimits_maya.ui.actions import questions
from jointlimits_maya.ui.application import open_window
from jointlimits_maya.ui.host.standalone import StandaloneHost
from jointlimits_maya.ui.joints.model import LAYER
from jointlimits_maya.ui.panels import character
from jointlimits_maya.ui.panels.lists import ListPanel
from jointlimits_maya.ui.plots import character as character_plot
from jointlimits_maya.ui.toolkit.qt import Qt, QtCore, QtWidgets

from jointlimits_core.exporters.formats import export_formats
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.limits.vocabulary import degrees
from jointlimits_core.report.figures.character import OUTSIDE
from tests.support import control_scenes
from tests.support.driven_rigs import keyed, node
from tests.support.maya_scenes import write_scene
from tests.support.ui_examples import WORST_CHANNEL, WORST_FRAME, WORST_JOINT
from tests.support.window_alone import end_deg, shown_message
from tests.support.window_answers import answers, choose_file
from tests.support.window_hand import Hand
from tests.support.window_standin import SCENE

pytestmark = pytest.mark.usefixtures("qapp")
OTHER = "RightArm"


@pytest.fixture
def opened_scene(tmp_path, qtbot):
    """The window that was opened with the scene of the example."""
    window = open_window(None, [str(SCENE)], None, StandaloneHost(tmp_path / "own"))
    qtbot.addWidget(window)
    window.show()
    qtbot.waitUntil(lambda: window.document.has_limits, timeout=20_000)
    window.tour.end()
    return window


def view_of(window):
    return window.parts.character.view


def pixel(window, name):
    """Pixel of a joint on the figure."""
    view = view_of(window)
    joint = list(view.names).index(name)
    x, y, _ = view.stage.project(view.pose.places[joint])
    return float(x), float(y)


def handle(window, channel, end):
    """Pixel of a handle on the body."""
    ends = {(arc.channel, which): at for arc, which, at in view_of(window).handles()}
    x, y, _ = ends[channel, end]
    return float(x), float(y)


def test_a_click_on_the_body_selects_and_shift_adds(full, hand):
    hand.click_figure(pixel(full, OTHER))
    assert full.selected == (OTHER,)
    hand.click_figure(pixel(full, WORST_JOINT), Qt.KeyboardModifier.ShiftModifier)
    assert set(full.selected) == {OTHER, WORST_JOINT}
    hand.click_figure(pixel(full, WORST_JOINT), Qt.KeyboardModifier.ShiftModifier)
    assert full.selected == (OTHER,), "a second time takes it out"


def test_a_joint_outside_is_red_until_the_pose_or_the_limit_is_another(full, hand):
    joint = list(view_of(full).names).index(WORST_JOINT)
    full.show_frame("walk", WORST_FRAME)
    assert view_of(full).states[joint] != OUTSIDE
    hand.type_bound(WORST_CHANNEL, "max", "20")
    full.live.update()
    assert view_of(full).states[joint] == OUTSIDE
    full.document.undo_stack.undo()
    full.live.update()
    assert view_of(full).states[joint] != OUTSIDE


def test_a_drag_on_the_arc_is_the_limit_in_whole_degrees_and_one_undo_step(full, hand):
    before = end_deg(full)
    start, low = handle(full, WORST_CHANNEL, "max"), handle(full, WORST_CHANNEL, "min")
    hand.drag_figure(start, (0.7 * start[0] + 0.3 * low[0], 0.7 * start[1] + 0.3 * low[1]))
    after = end_deg(full)
    assert after < before - 5.0
    assert after == round(after)
    stack = full.document.undo_stack
    stack.undo()
    assert end_deg(full) == before
    assert not stack.canUndo()


def test_the_hover_text_follows_a_drag_on_the_body(full, hand):
    view, before = view_of(full), end_deg(full)
    (arc,) = {
        arc.channel: arc for arc, _, _ in view.handles() if arc.channel == WORST_CHANNEL
    }.values()
    end = tuple(view.pixels_at(arc, [before - 12.0])[0].tolist())
    for is_over in (False, True):
        hand.drag_figure(handle(full, WORST_CHANNEL, "max"), end, release=is_over)
        words = f"{WORST_JOINT} rotate {WORST_CHANNEL[-1]}, max {degrees(end_deg(full))}"
        assert full.parts.hover.text() == words
        assert full.parts.joint.axes[WORST_CHANNEL].dial.state.high == end_deg(full)
    assert end_deg(full) < before


def test_handles_never_overlap_and_the_one_under_the_mouse_wins(full, hand, monkeypatch):
    """Seen from along a bone, handles are close to each other."""
    view, painted = view_of(full), []
    monkeypatch.setattr(character_plot, "paint_handle", lambda p, at, *_: painted.append(at[:2]))
    found = view.handles()
    crowded = [(arc, end, found[0][2] + [4.0 * n, 0.0, n]) for n, (arc, end, _) in enumerate(found)]
    monkeypatch.setattr(type(view), "handles", lambda _: crowded)
    view.grab()
    away = [np.hypot(*(a - b)) for n, a in enumerate(painted) for b in painted[:n]]
    assert 1 <= len(painted) < len(found)
    assert min(away, default=99.0) >= 2.0 * character_plot.HANDLE_PIXELS
    for arc, end, at in crowded:
        assert view.handle_at(at[0] + 1.0, at[1]) == (arc, end)


def test_the_figure_fills_its_pane_and_is_not_cut_off(full):
    view = view_of(full)
    bones = np.unique(view.character.bones)
    for frame in (1.0, WORST_FRAME):
        full.show_frame("walk", frame)
        pixels = view.stage.project(view.pose.places[bones])
        low, high = pixels[:, :2].min(axis=0), pixels[:, :2].max(axis=0)
        assert (low >= 0.0).all()
        assert (high <= [view.width(), view.height()]).all()
        assert max((high - low) / [view.width(), view.height()]) > 0.7


def test_esc_during_a_drag_on_the_body_puts_the_limit_back(full, hand):
    before = end_deg(full)
    start, low = handle(full, WORST_CHANNEL, "max"), handle(full, WORST_CHANNEL, "min")
    hand.drag_figure(start, low, release=False)
    assert end_deg(full) != before
    hand.qtbot.keyClick(view_of(full), Qt.Key.Key_Escape)
    assert end_deg(full) == before
    assert not full.document.undo_stack.canUndo()


@pytest.mark.parametrize(
    ("what", "button"), [("orbit", "Left"), ("pan", "Middle"), ("dolly", "Right")]
)
def test_the_view_moves_as_in_maya(full, hand, what, button):
    before = view_of(full).view
    start = pixel(full, WORST_JOINT)
    end = (start[0] + 60.0, start[1] + 10.0)
    button = getattr(Qt.MouseButton, f"{button}Button")
    hand.drag_figure(start, end, button, Qt.KeyboardModifier.AltModifier)
    view = view_of(full).view
    moved = {
        "orbit": view.yaw_deg != before.yaw_deg,
        "pan": view.shift != before.shift,
        "dolly": view.zoom > before.zoom,
    }
    assert [name for name, has in moved.items() if has] == [what]
    assert full.selected == (WORST_JOINT,), "nothing was selected on the way"


def test_f_frames_the_selected_joint_and_a_everything(full, hand):
    view = view_of(full)
    whole = view.stage
    hand.qtbot.keyClick(view, Qt.Key.Key_F)
    assert view.stage.half < whole.half
    joint = view.pose.places[list(view.names).index(WORST_JOINT)]
    np.testing.assert_allclose(view.stage.centre, joint)
    hand.qtbot.keyClick(view, Qt.Key.Key_A)
    assert view.stage == whole


def test_playing_stays_between_the_in_and_out_points(full, hand, monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(character.time, "perf_counter", lambda: clock[0])
    playback = full.parts.character.playback
    rate = full.document.clips[0].frame_rate
    full.show_frame("walk", 10.0)
    hand.click(playback.first)
    full.show_frame("walk", 20.0)
    hand.click(playback.last)
    full.show_frame("walk", 10.0)
    hand.qtbot.keyClick(view_of(full), Qt.Key.Key_Space)
    assert playback.is_playing
    seen = []
    for _ in range(30):
        clock[0] += 1.0 / rate
        playback._tick()
        seen.append(full.host.current_frame())
    assert min(seen) == 10.0
    assert max(seen) == 20.0
    assert seen.count(15.0) >= 2, "again and again"
    hand.qtbot.keyClick(view_of(full), Qt.Key.Key_Space)
    assert not playback.is_playing
    hand.qtbot.keyClick(view_of(full), Qt.Key.Key_Right)
    assert full.host.current_frame() == seen[-1] + 1.0


def test_in_maya_the_viewport_is_the_character(full):
    full.actions_by_name["toggle_character"].trigger()
    assert full.parts.character.isHidden()
    full.actions_by_name["toggle_character"].trigger()
    assert full.parts.character.isVisible()


# Manners ------------------------------------------------------------------------------------------


def controls(window):
    """Names of all controls that are visible."""
    kinds = (QtWidgets.QAbstractButton, QtWidgets.QComboBox, QtWidgets.QAbstractSpinBox)
    shown = [one for kind in kinds for one in window.findChildren(kind) if one.isVisible()]
    names = [one.accessibleName() or getattr(one, "text", str)().strip() for one in shown]
    return [name for name in names if name]


@pytest.mark.parametrize("size", [(1320, 860), (380, 900)])
def test_no_two_controls_have_one_name(full, size):
    full.resize(*size)
    for page in range(full.parts.below.count()):
        full.parts.below.setCurrentIndex(page)
        names = controls(full)
        assert len(names) >= (20 if size[0] > 1000 else 8)
        twice = sorted(name for name in names if names.count(name) > 1)
        assert not twice, full.parts.below.tabText(page)


def places(window):
    """Where the parts are that a mouse may be over."""
    header = window.parts.joint
    parts = (header.mirror, header.pin, view_of(window), window.parts.strip.strip, window.parts.bar)
    return [part.mapTo(window, QtCore.QPoint(0, 0)) for part in parts]


@pytest.mark.parametrize("size", [(1320, 860), (380, 900)])
def test_nothing_moves_when_a_message_comes_or_another_joint_is_selected(full, qapp, size):
    full.resize(*size)
    qapp.processEvents()
    before = places(full)
    full.show_message("word " * 200, "problem", "details")
    qapp.processEvents()
    assert places(full) == before
    assert full.messages.details.isVisible(), "the rest of it"
    for name in (OTHER, "hips"):
        full.select([name])
        qapp.processEvents()
        assert places(full) == before, name


def test_docked_at_380_pixels_names_are_whole(full, qapp):
    font = full.font()
    font.setPixelSize(12)  # as Maya's
    full.setFont(font)
    full.resize(380, 900)
    qapp.processEvents()
    assert full.width() == 380
    tree = full.parts.joints.tree
    assert full.parts.whole.minimumSizeHint().width() <= 372
    needed = tree._width_of_names(tree.indentation())
    assert tree.header().sectionSize(0) >= min(needed, tree.viewport().width())
    assert full.parts.joint.reset.mapTo(full, full.rect().topLeft()).x() < 380 - 60
    view, joint = full.parts.character.view, full.parts.joint
    assert view.height() >= 180, "the body has room"
    assert view.radius * view.stage.pixels_per_unit >= 31.0, "handles are beside the body"
    assert joint.isVisible(), "in a tab"
    assert joint.area.geometry().bottom() < joint.about.geometry().top()
    full.resize(1320, 860)
    qapp.processEvents()
    assert full.parts.joint.area.horizontalScrollBar().maximum() == 0, "all dials are seen"
    assert full.parts.pictures.parent() is full.parts.character.parent()
    assert full.parts.joint.parent() is full.parts.whole


def test_a_hinge_has_one_dial_as_large_as_its_panel(full, qapp):
    full.select(["LeftForeArm"])
    qapp.processEvents()
    joint, kinds = full.parts.joint, full.document.limits.joints["LeftForeArm"]
    turning = [c for c, axis in kinds.limits.items() if axis.state != "locked"]
    assert (kinds.type, len(turning)) == ("hinge", 1)
    assert [c for c, panel in joint.axes.items() if panel.dial.isVisible()] == turning
    area, dial = joint.area.viewport().size(), joint.axes[turning[0]].dial
    assert dial.width() > 0.9 * area.width()
    assert dial.height() > 0.5 * area.height()


def test_files_that_were_saved_are_in_the_menu(full, tmp_path, monkeypatch):
    path = tmp_path / "walk.limits.json"
    choose_file(monkeypatch, path)
    full.actions_by_name["save_as"].trigger()
    full.document.close()
    (menu,) = (m for m in full.findChildren(QtWidgets.QMenu) if m.title() == "Recent files")
    menu.aboutToShow.emit()
    assert menu.actions()[0].toolTip() == str(path)
    menu.actions()[0].trigger()
    assert full.document.path == str(path)


def test_a_list_leaves_out_columns_that_are_alike():
    made = ListPanel(["joint", "what", "clip"], "Notes")
    made.set_rows([(row, None) for row in (("all", "still", "a"), ("all", "still", "b"))])
    assert [made.list.isColumnHidden(column) for column in range(3)] == [True, False, False]
    made.set_rows([(("all", "still", "a"), None)])
    assert not made.list.isColumnHidden(0)


def test_a_column_that_says_the_same_everywhere_is_not_shown(full, hand):
    header = full.parts.joints.tree.header()
    full.resize(2560, 1000)
    assert header.isSectionHidden(LAYER), "all from motion"
    hand.type_bound(WORST_CHANNEL, "max", "20")
    assert not header.isSectionHidden(LAYER)


# Files --------------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_apply_writes_a_copy_of_the_open_scene(opened_scene, tmp_path, qtbot, monkeypatch):
    window = opened_scene
    copy, before = tmp_path / "copy.ma", SCENE.read_bytes()
    choose_file(monkeypatch, copy)
    Hand(window, qtbot).click_bar("apply_limits")
    assert "written to a copy" in shown_message(window)
    assert SCENE.read_bytes() == before
    declared = read_motion(copy).skeleton.declarations["LeftElbow"]
    elbow = window.document.limits.joints["LeftElbow"].limits["rotateZ"]
    assert declared.limits_deg["rotateZ"] == pytest.approx((elbow.min_deg, elbow.max_deg))
    choose_file(monkeypatch, SCENE)
    Hand(window, qtbot).click_bar("apply_limits")
    assert "one of the files that were read" in shown_message(window)


@pytest.mark.thorough
@pytest.mark.parametrize("answer", ["Cancel", "Apply the ones", "Apply all"])
def test_apply_asks_before_a_copy_changes_poses(opened_scene, tmp_path, qtbot, monkeypatch, answer):
    window = opened_scene
    for name in ("LeftElbow", "RightElbow"):
        window.document.edit.set_limit(name, "rotateZ", "max", 82.0)
    copy = tmp_path / "copy.ma"
    choose_file(monkeypatch, copy)
    asked = answers(monkeypatch, answer)
    Hand(window, qtbot).click_bar("apply_limits")
    assert asked[0].startswith("Limits would change poses on 2 channels of 2 joints, ")
    if answer == "Cancel":
        assert not copy.exists()
        return
    elbow = read_motion(copy).skeleton.declarations["LeftElbow"].limits_deg
    assert elbow.get("rotateZ") == (pytest.approx((0.0, 82.0)) if answer == "Apply all" else None)
    words = "poses change on" if answer == "Apply all" else "left off"
    assert f"{words} 2 channels of 2 joints" in shown_message(window)


@pytest.mark.thorough
def test_every_format_of_export_is_in_the_menu_and_writes_a_file(full, tmp_path, monkeypatch):
    (menu,) = (m for m in full.findChildren(QtWidgets.QMenu) if m.title() == "Export")
    labels = [action.text() for action in menu.actions()]
    for form in export_formats().values():
        assert f"{form.name}..." in labels
        path = tmp_path / f"out.{form.endings[0]}"
        choose_file(monkeypatch, path)
        monkeypatch.setattr(full.questions, "options", lambda title, names: {})
        full.guard(full.files.export)(form)
        assert path.is_file() or "install" in shown_message(full), (form.name, shown_message(full))


def test_options_of_an_export_are_asked_for_and_heeded(full, tmp_path, monkeypatch):
    path, seen = tmp_path / "out.xml", []
    choose_file(monkeypatch, path)

    def answered(dialog):
        fields = dialog.findChildren(QtWidgets.QComboBox)
        seen.extend(field.accessibleName() for field in fields)
        fields[0].setCurrentIndex(1)
        return len(seen) > len(fields)  # cancelled at first

    monkeypatch.setattr(questions, "run", answered)
    full.guard(full.files.export)(export_formats()["mjcf"])
    assert seen == ["Balls and hinges", "Locked channels", "Root"]
    assert not path.exists()
    full.guard(full.files.export)(export_formats()["mjcf"])
    assert 'type="ball"' in path.read_text()


def test_the_pose_behind_the_limit_under_the_mouse_is_a_ghost_and_the_bone_leaves_a_trail(full):
    view, clip = full.parts.character.view, full.document.clips[0]
    full.select([WORST_JOINT])
    joint = full.document.data.joints[WORST_JOINT]
    channel = WORST_CHANNEL
    source = joint.limits[channel].source.max
    full.show_frame(clip.name, float(clip.frames[100]))
    panel = full.parts.joint.axes[channel]
    panel.dial.bound_pointed.emit("max")
    shown = view.character
    other = shown.pose(clip, int(np.flatnonzero(clip.frames == source.frame)[0]))
    np.testing.assert_allclose(view.ghost, shown.ghost(view.pose, other))
    panel.dial.bound_pointed.emit("")
    assert view.ghost is None
    row = clip.joint_names.index(WORST_JOINT)
    end = view.pose.places[shown.end(row)]
    np.testing.assert_allclose(view.trail[-1], end)
    assert len(view.trail) == len(shown.trail_indices(100))


def test_the_window_shows_limits_of_controls_without_maya(qtbot, tmp_path):
    path = str(control_scenes.scene(tmp_path, "a reference"))
    window = open_window(None, [path], None, StandaloneHost(tmp_path / "own"), controls=True)
    qtbot.addWidget(window)
    qtbot.waitUntil(lambda: window.document.has_limits, timeout=20_000)
    limits = window.document.state.limits
    assert limits.of_controls
    saved = tmp_path / "a.limits.json"
    limits.save(saved)
    window = open_window(str(saved), [path], None, StandaloneHost(tmp_path / "own"))
    qtbot.addWidget(window)
    (clip,) = window.document.clips
    assert clip.joint_names == tuple(limits.joints)
    assert window.document.noun == "control"


def test_the_switch_measures_controls_or_joints_of_an_open_file(qtbot, tmp_path):
    path = str(control_scenes.scene(tmp_path, "joints and controls"))
    window = open_window(None, [path], None, StandaloneHost(tmp_path / "own"))
    qtbot.addWidget(window)
    joints, controls = window.parts.kind.buttons
    qtbot.waitUntil(lambda: window.document.has_limits, timeout=20_000)
    for button, noun in ((controls, "control"), (joints, "joint")):
        assert button.isEnabled()
        assert window.parts.kind_in_bar.isVisible()
        button.click()
        qtbot.waitUntil(lambda noun=noun: window.document.noun == noun, timeout=20_000)
        assert button.isChecked()
        assert [clip.skeleton.of_controls for clip in window.document.clips] == [noun == "control"]
        assert f" {noun}s measured" in window.messages.text.text()
    assert window.joints.tree.headerItem().text(0) == "Joint"


def test_a_file_without_controls_leaves_the_switch_at_joints(qtbot, tmp_path):
    scene = write_scene(tmp_path, node("joint", "a") + node("joint", "b", "a") + keyed("b"))
    window = open_window(None, [str(scene)], None, StandaloneHost(tmp_path / "own"))
    qtbot.addWidget(window)
    joints, _ = window.parts.kind.buttons
    qtbot.waitUntil(lambda: window.document.has_limits, timeout=20_000)
    assert not window.parts.kind_in_bar.isVisible()
    window.parts.kind.controls_asked.emit(True)  # as if the file had lost them meanwhile
    assert "no controls" in window.messages.text.text()
    assert joints.isChecked()
    assert window.document.noun == "joint"
