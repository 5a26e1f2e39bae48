"""The window's pictures under real mouse, wheel and key events."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from jointlimits_maya.ui.plots.bars import Candidate, EvidenceBars
from jointlimits_maya.ui.plots.cloud import RotationCloud
from jointlimits_maya.ui.plots.dial import AngleDial, range_lines, state_words
from jointlimits_maya.ui.plots.dial_layout import ChannelState
from jointlimits_maya.ui.plots.strip import TimeStrip
from jointlimits_maya.ui.plots.strip_layout import HEADER_PIXELS, Rows
from jointlimits_maya.ui.plots.swing import SwingDisc
from jointlimits_maya.ui.toolkit.palette import DARK, LIGHT, colours_of
from jointlimits_maya.ui.toolkit.qt import Qt, QtCore, QtGui, QtWidgets

from jointlimits_core.limits.limit_set import AxisLimit
from jointlimits_core.limits.vocabulary import range_text
from jointlimits_core.report.figures.circle import SPIKE_START
from tests.support.ui_gallery import STATES, looping, made_cloud, made_disc, made_rows, palette

LEFT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton
PLAIN = Qt.KeyboardModifier.NoModifier
SHIFT, ALT, CTRL = (
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
    Qt.KeyboardModifier.ControlModifier,
)


def mouse(widget, kind, at, button=LEFT, held=LEFT, modifiers=PLAIN):
    """Send a mouse event as the window system does, modifiers included."""
    place = QtCore.QPointF(*at)
    on_screen = QtCore.QPointF(widget.mapToGlobal(QtCore.QPoint(0, 0))) + place
    event = QtGui.QMouseEvent(kind, place, place, on_screen, button, held, modifiers)
    QtWidgets.QApplication.sendEvent(widget, event)


def drag(widget, places, button=LEFT, modifiers=PLAIN, drop=True):
    kinds = QtCore.QEvent.Type
    mouse(widget, kinds.MouseButtonPress, places[0], button, button, modifiers)
    for at in places[1:]:
        mouse(widget, kinds.MouseMove, at, Qt.MouseButton.NoButton, button, modifiers)
    if drop:
        release = Qt.MouseButton.NoButton
        mouse(widget, kinds.MouseButtonRelease, places[-1], button, release, modifiers)


def hover(widget, at):
    nothing = Qt.MouseButton.NoButton
    mouse(widget, QtCore.QEvent.Type.MouseMove, at, nothing, nothing)


def wheel(widget, at, turn, modifiers=PLAIN):
    place, turned = QtCore.QPointF(*at), (QtCore.QPoint(0, 0), QtCore.QPoint(0, turn))
    button, phase = Qt.MouseButton.NoButton, Qt.ScrollPhase.NoScrollPhase
    event = QtGui.QWheelEvent(place, place, *turned, button, modifiers, phase, False)
    event.ignore()
    QtWidgets.QApplication.sendEvent(widget, event)
    return event.isAccepted()


def received(signal):
    """List that grows with every emission of a signal."""
    calls = []
    signal.connect(lambda *what: calls.append(what if len(what) != 1 else what[0]))
    return calls


def shown(qtbot, widget, focus=True):
    qtbot.addWidget(widget)
    widget.show()
    qtbot.waitExposed(widget)
    if focus:
        widget.activateWindow()
        widget.setFocus()
        qtbot.waitUntil(widget.hasFocus)
    return widget


def image_of(widget):
    return widget.grab().toImage().convertToFormat(QtGui.QImage.Format.Format_RGB32)


# --- the dial ---------------------------------------------------------------------------------


@pytest.fixture
def dial(qtbot):
    made = AngleDial()
    made.resize(240, 240)
    made.set_samples(np.linspace(-61.3, 107.7, 500))
    made.show_state(ChannelState("X", "limited", -40.0, 80.0, rest=0.0))
    return shown(qtbot, made)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("low", "high", "words"), [(-57.3, None, "from −57.3°"), (None, 114.6, "up to 114.6°")]
)
def test_a_range_that_is_open_at_one_end(dial, low, high, words):
    state = ChannelState("X", "limited", low, high)
    dial.show_state(state)
    dial.grab()  # which has no handles to draw
    assert state_words(state) == words
    assert range_lines(state) == (words, "")
    assert range_text(AxisLimit("limited", low, high)) == words
    assert range_text(AxisLimit("free", low, high)) == "no limit"


def knob(dial, which):
    layout = dial.layout_now
    return layout.point(layout.knob_angle(dial.state, which), layout.knob_ring)


def turned(dial, start, degrees, steps=12):
    """Pixels on the way of a pointer that turns about the middle from a pixel."""
    layout = dial.layout_now
    angle, radius = layout.angle(*start), np.hypot(start[0] - layout.x, start[1] - layout.y)
    return [layout.point(angle + degrees * step / steps, radius) for step in range(steps + 1)]


@pytest.mark.parametrize(("which", "before"), [("min", -40.0), ("max", 80.0)])
@pytest.mark.parametrize("degrees", [-13.0, 7.5])
def test_a_drag_changes_the_bound_by_exactly_the_angle_dragged(dial, which, before, degrees):
    bounds, previews = received(dial.bound_set), received(dial.bound_dragged)
    drag(dial, turned(dial, knob(dial, which), degrees), modifiers=ALT)
    assert bounds == [(which, pytest.approx(before + degrees, abs=1e-9))]
    assert len(previews) == 12
    assert previews[-1] == bounds[0]
    assert dial.state.bound_deg(which) == bounds[0][1]


def test_a_drag_may_go_over_the_half_turn_and_beyond_a_turn(dial):
    bounds = received(dial.bound_set)
    drag(dial, turned(dial, knob(dial, "max"), 400.0, steps=40), modifiers=ALT)
    assert bounds == [("max", pytest.approx(480.0))]


def test_a_handle_snaps_to_where_the_motion_ends_and_with_alt_does_not(dial):
    bounds = received(dial.bound_set)
    way = turned(dial, knob(dial, "max"), 107.7 - 80.0 + 1.0)
    for modifiers in (PLAIN, ALT):
        dial.show_state(ChannelState("X", "limited", -40.0, 80.0))
        drag(dial, way, modifiers=modifiers)
    assert bounds == [("max", pytest.approx(107.7)), ("max", pytest.approx(108.7))]


def test_a_minimum_does_not_pass_the_maximum(dial):
    bounds = received(dial.bound_set)
    drag(dial, turned(dial, knob(dial, "min"), 150.0))
    assert bounds == [("min", 80.0)]


def test_beside_the_handles_nothing_is_dragged(dial):
    bounds, previews = received(dial.bound_set), received(dial.bound_dragged)
    layout = dial.layout_now
    drag(dial, [layout.point(20.0, layout.ring), layout.point(50.0, layout.ring)])
    drag(dial, turned(dial, knob(dial, "max"), 20.0), button=MIDDLE)
    assert bounds == previews == []


def test_keys_nudge_the_chosen_handle(dial, qtbot):
    nudges, keys = received(dial.bound_nudged), Qt.Key
    for key, modifiers in (
        *((keys.Key_Right, PLAIN), (keys.Key_Down, SHIFT), (keys.Key_Space, PLAIN)),
        *((keys.Key_Up, PLAIN), (keys.Key_Left, SHIFT)),
    ):
        qtbot.keyClick(dial, key, modifiers)
    expected = [("min", -39.0), ("min", -39.1), ("max", 81.0), ("max", 80.9)]
    assert nudges == [(which, pytest.approx(value)) for which, value in expected]


def test_the_wheel_nudges_only_with_the_keyboard(dial, qtbot):
    nudges = received(dial.bound_nudged)
    assert wheel(dial, (120, 120), 120)
    assert wheel(dial, (120, 120), -120, SHIFT)
    assert nudges == [("min", -39.0), ("min", pytest.approx(-39.1))]
    dial.clearFocus()
    assert not wheel(dial, (120, 120), 120)  # the panel may scroll
    assert len(nudges) == 2


def test_a_double_click_and_enter_ask_where_a_bound_comes_from(dial, qtbot):
    asked = received(dial.bound_asked)
    x, y = knob(dial, "max")
    qtbot.mouseDClick(dial, LEFT, pos=QtCore.QPoint(round(x), round(y)))
    qtbot.keyClick(dial, Qt.Key.Key_Space)
    qtbot.keyClick(dial, Qt.Key.Key_Return)
    assert asked[0] == "max"
    assert len(asked) == 2


def test_hovering_tells_the_angle_its_samples_and_where_a_bound_is_from(dial):
    dial.show_state(ChannelState("X", "limited", -40.0, 80.0, high_words="walk, frame 12"))
    hints = received(dial.hovered)
    layout = dial.layout_now
    hover(dial, layout.point(30.0, SPIKE_START * layout.scale))
    hover(dial, layout.point(100.0, SPIKE_START * layout.scale))
    hover(dial, knob(dial, "max"))
    hover(dial, (120, 120))
    QtWidgets.QApplication.sendEvent(dial, QtCore.QEvent(QtCore.QEvent.Type.Leave))
    assert hints[0].startswith("30.0°: 6 samples")
    assert hints[1].endswith("20.0° outside")
    assert hints[2] == "Maximum 80.0°: walk, frame 12"
    assert hints[3:] == [""]


def test_a_new_state_does_not_break_a_drag(dial):
    bounds = received(dial.bound_set)
    way = turned(dial, knob(dial, "max"), -10.0)
    drag(dial, way, modifiers=ALT, drop=False)
    dial.show_state(ChannelState("X", "limited", -40.0, 80.0, pose=12.0))  # the scene moved on
    mouse(dial, QtCore.QEvent.Type.MouseButtonRelease, way[-1])
    assert bounds == [("max", pytest.approx(70.0))]
    assert dial.state.pose == 12.0


def test_screen_readers_read_out_what_a_dial_shows(dial):
    assert dial.accessibleName() == "Angle dial for X"
    dial.show_state(ChannelState("X", "limited", -4.0, 8.0, pose=10.0, ghost=(-5.0, 9.0)))
    description = dial.accessibleDescription()
    for part in ("−4.0° to 8.0°", "measured −5.0° to 9.0°", "2.0° outside"):
        assert part in description


# --- the cloud ----------------------------------------------------------------------------------


@pytest.fixture
def rotation_cloud(qtbot):
    made = made_cloud(looping(5000))
    return shown(qtbot, made)


def test_dragging_turns_the_cloud(rotation_cloud):
    before = rotation_cloud.view
    drag(rotation_cloud, [(200, 200), (240, 200), (240, 220)])
    after = rotation_cloud.view
    turned = (after.yaw_deg - before.yaw_deg, after.pitch_deg - before.pitch_deg)
    assert turned == pytest.approx((0.45 * 40, 0.45 * 20))


@pytest.mark.parametrize(("button", "modifiers"), [(MIDDLE, PLAIN), (LEFT, SHIFT)])
def test_the_cloud_is_shifted_by_the_pixels_dragged(rotation_cloud, button, modifiers):
    before = rotation_cloud.stage.origin
    drag(rotation_cloud, [(200, 200), (230, 190)], button, modifiers)
    moved = np.subtract(rotation_cloud.stage.origin, before)
    np.testing.assert_allclose(moved, (30, -10), atol=1e-9)


def test_keys_turn_zoom_and_look_along_axes(rotation_cloud, qtbot):
    whole = rotation_cloud.view
    qtbot.keyClick(rotation_cloud, Qt.Key.Key_Y)
    assert rotation_cloud.view.pitch_deg == 90.0
    qtbot.keyClick(rotation_cloud, Qt.Key.Key_Plus)
    assert rotation_cloud.view.zoom == pytest.approx(1.2)
    qtbot.keyClick(rotation_cloud, Qt.Key.Key_Minus)
    assert rotation_cloud.view.zoom == pytest.approx(1.0)
    qtbot.keyClick(rotation_cloud, Qt.Key.Key_Left)
    qtbot.keyClick(rotation_cloud, Qt.Key.Key_Home)
    assert rotation_cloud.view == whole


def test_c_changes_what_the_colours_say(rotation_cloud, qtbot):
    before = image_of(rotation_cloud)
    qtbot.keyClick(rotation_cloud, Qt.Key.Key_C)
    assert image_of(rotation_cloud) != before
    qtbot.keyClick(rotation_cloud, Qt.Key.Key_C)
    assert image_of(rotation_cloud) == before


def test_a_click_on_a_sample_tells_which_and_hovering_where_it_is_from(qtbot):
    points = np.array([[0, 0, 0], [np.nan, 0, 0], [30, 0, 0], [0, 30, 0]], float)
    cloud = RotationCloud()
    cloud.resize(400, 400)
    cloud.set_samples(points, clip=[0, 0, 0, 1], clip_names=("walk", "run"))
    cloud.set_limits((), outside=[False, False, True, False])
    shown(qtbot, cloud)
    clicked, hints = received(cloud.sample_clicked), received(cloud.hovered)
    # The third: the second is not a number.
    x, y = (float(v) for v in cloud.stage.project(cloud._points[1])[:2])
    hover(cloud, (x, y))
    assert hints == ["walk: 30.0° in total, X 30.0°, Y 0.0°, Z 0.0°; outside the limits"]
    qtbot.mouseClick(cloud, LEFT, pos=QtCore.QPoint(round(x), round(y)))
    qtbot.mouseClick(cloud, LEFT, pos=QtCore.QPoint(3, 390))
    assert clicked == [2]
    assert cloud.drawn_words() == "3 samples"


# --- swing and twist ----------------------------------------------------------------------------


@pytest.fixture
def disc(qtbot):
    return shown(qtbot, made_disc(4000))


def test_the_wheel_and_drags_look_nearer_on_the_disc(disc, qtbot):
    whole = disc.view
    wheel(disc, (160, 150), 600)
    assert disc.view.zoom > 2.0
    before = disc.layout_now.pixel((0.0, 0.0))
    drag(disc, [(160, 150), (180, 140)])
    np.testing.assert_allclose(disc.layout_now.pixel((0.0, 0.0)) - before, (20, -10), atol=1e-9)
    qtbot.mouseDClick(disc, LEFT, pos=QtCore.QPoint(160, 150))
    assert disc.view == whole
    for key in (Qt.Key.Key_Plus, Qt.Key.Key_Left, Qt.Key.Key_Minus):
        qtbot.keyClick(disc, key)
        assert disc.view != whole or key == Qt.Key.Key_Minus
    qtbot.keyClick(disc, Qt.Key.Key_Home)
    assert disc.view == whole


def test_a_click_finds_the_sample_on_the_disc_and_on_the_strip(qtbot):
    made = SwingDisc()
    made.resize(330, 390)
    made.set_samples([[0, 0], [np.nan, 0], [30, 40]], [0.0, 10.0, 90.0])
    shown(qtbot, made)
    clicked, hints = received(made.sample_clicked), received(made.hovered)
    x, y = (round(float(v)) for v in made.layout_now.pixel((30.0, 40.0)))
    hover(made, tuple(float(v) for v in made.layout_now.pixel((30.0, 40.0))))
    qtbot.mouseClick(made, LEFT, pos=QtCore.QPoint(x, y))
    strip_y = round(made.layout_now.strip[1] + 5)
    strip_x = round(made.layout_now.twist_x(90.0))
    hover(made, (strip_x, strip_y))
    qtbot.mouseClick(made, LEFT, pos=QtCore.QPoint(strip_x, strip_y))
    qtbot.mouseClick(made, LEFT, pos=QtCore.QPoint(60, 60))
    assert clicked == [2, 2]
    assert hints[0] == "swing 50.0°: Y 30.0°, Z 40.0°"
    assert hints[1].startswith("twist 9") or hints[1].startswith("twist 8")


# --- time ---------------------------------------------------------------------------------------


@pytest.fixture
def strip(qtbot):
    made = TimeStrip()
    made.resize(640, 200)
    rows = made_rows(3, 400, True)
    outside = np.zeros((3, 400))
    outside[1, 100:110] = 4.0
    outside[2, 300] = 20.0
    made.set_rows(replace(rows, outside_deg=outside))
    return shown(qtbot, made)


def at_frame(strip, frame, y=80.0):
    return strip.layout_now.x(frame), y


def test_a_click_asks_for_the_frame_and_a_drag_scrubs(strip):
    asked = received(strip.frame_asked)
    drag(strip, [at_frame(strip, frame) for frame in (101.2, 102.1, 102.3, 140.0)])
    assert asked == [101.0, 102.0, 140.0]
    drag(strip, [at_frame(strip, 390), (2000.0, 80.0)])
    assert asked[-1] == 400.0


def test_a_shift_drag_chooses_frames(strip, qtbot):
    chosen, asked = received(strip.range_chosen), received(strip.frame_asked)
    drag(strip, [at_frame(strip, 120), at_frame(strip, 90)], modifiers=SHIFT)
    drag(strip, [at_frame(strip, 200), at_frame(strip, 210)], modifiers=SHIFT, drop=False)
    qtbot.keyClick(strip, Qt.Key.Key_Escape)
    mouse(strip, QtCore.QEvent.Type.MouseButtonRelease, at_frame(strip, 210))
    assert chosen == [(90.0, 120.0)]
    assert asked == []


def test_wheel_zooms_time_where_the_mouse_is_and_double_click_shows_all(strip, qtbot):
    whole = strip.span
    x, y = at_frame(strip, 100.0)
    wheel(strip, (x, y), 480)
    assert strip.span.length < 0.6 * whole.length
    assert strip.layout_now.frame(x) == pytest.approx(100.0)
    first = strip.span.first
    wheel(strip, (x, y), -120, SHIFT)
    assert strip.span.first > first
    qtbot.mouseDClick(strip, LEFT, pos=QtCore.QPoint(300, 80))
    assert strip.span == whole


def test_keys_step_and_jump_to_the_next_place_outside(strip, qtbot):
    asked = received(strip.frame_asked)
    strip.set_frame(50.0)
    qtbot.keyClick(strip, Qt.Key.Key_Right)
    qtbot.keyClick(strip, Qt.Key.Key_Left)
    for _ in range(3):
        qtbot.keyClick(strip, Qt.Key.Key_Right, CTRL)
    qtbot.keyClick(strip, Qt.Key.Key_Left, CTRL)
    qtbot.keyClick(strip, Qt.Key.Key_Home)
    qtbot.keyClick(strip, Qt.Key.Key_End)
    assert asked == [51.0, 50.0, 101.0, 301.0, 101.0, 1.0, 400.0]


def test_a_frame_out_of_sight_is_brought_into_sight(strip, qtbot):
    wheel(strip, at_frame(strip, 200.0), 1200)
    qtbot.keyClick(strip, Qt.Key.Key_Home)
    assert strip.span.first <= 1.0 <= strip.span.last


def test_rows_are_chosen_by_name_and_by_key(strip, qtbot):
    rows = received(strip.row_clicked)
    qtbot.mouseClick(strip, LEFT, pos=QtCore.QPoint(40, round(strip.layout_now.top(1)) + 10))
    qtbot.keyClick(strip, Qt.Key.Key_Down)
    qtbot.keyClick(strip, Qt.Key.Key_Down)
    qtbot.keyClick(strip, Qt.Key.Key_Up)
    assert rows == [1, 2, 2, 1]


def test_hovering_tells_value_and_degrees_outside(strip):
    hints = received(strip.hovered)
    hover(strip, at_frame(strip, 105.0, strip.layout_now.top(1) + 10))
    assert hints[0].startswith("LeftArm_1 rotateY, frame 105: ")
    assert hints[0].endswith(", 4.0° outside")
    hover(strip, at_frame(strip, 105.0, 5.0))
    assert hints[1] == "frame 105"


def test_many_rows_scroll_with_the_wheel_over_their_names_and_to_the_chosen_one(qtbot):
    strip = TimeStrip()
    strip.resize(640, 200)
    strip.set_rows(made_rows(60, 500, False))
    shown(qtbot, strip)
    wheel(strip, (30, 100), -240)
    assert strip.layout_now.scroll == 2 * strip.layout_now.row_pixels
    strip.set_row(59)
    layout = strip.layout_now
    assert layout.top(60) <= 200.5
    assert layout.row(layout.top(59) + 9) == 59
    strip.set_row(0)
    assert strip.layout_now.top(0) == HEADER_PIXELS


def test_the_line_of_a_gap_is_broken_where_nothing_is_known(qtbot):
    strip, values = TimeStrip(), np.full((1, 100), 4.0)
    strip.resize(500, 86)
    values[0, 40:60] = np.nan
    strip.set_rows(Rows(("gap",), np.arange(100.0), np.zeros((1, 100)), values, has_gap=True))
    image = image_of(shown(qtbot, strip, focus=False))

    def darkest(frame):
        x = round(strip.layout_now.x(frame))
        return min(image.pixelColor(x, y).lightness() for y in range(26, 80))

    assert darkest(30.0) < 0.6 * darkest(50.0), "a thin line may lie between two pixels"


def test_a_strip_without_a_clip_takes_everything(qtbot):
    strip = shown(qtbot, TimeStrip())
    asked = received(strip.frame_asked)
    drag(strip, [(200, 40), (240, 40)])
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Home, Qt.Key.Key_Up):
        qtbot.keyClick(strip, key)
    wheel(strip, (200, 40), 120)
    hover(strip, (200, 40))
    assert asked == []


# --- evidence -----------------------------------------------------------------------------------


@pytest.fixture
def evidence(qtbot):
    made = EvidenceBars()
    made.resize(380, 170)
    made.set_evidence(
        [
            Candidate("fixed", 38.0, 1.0),
            Candidate("hinge", 1.5, 2.0),
            Candidate("universal", 0.4, 1.2),
            Candidate("ball"),
        ],
        "hinge",
        noise_deg=0.2,
    )
    return shown(qtbot, made)


def test_a_click_or_the_keyboard_chooses_another_type(evidence, qtbot):
    chosen = received(evidence.type_chosen)
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Return):
        qtbot.keyClick(evidence, key)
    assert chosen == ["fixed"]
    for row in (1, 3):  # the hinge is chosen already
        qtbot.mouseClick(evidence, LEFT, pos=QtCore.QPoint(60, 6 + 34 * row + 17))
    qtbot.mouseClick(evidence, LEFT, pos=QtCore.QPoint(60, 165))
    assert chosen == ["fixed", "ball"]


def test_hovering_tells_the_residual_and_what_is_tolerated(evidence):
    hints = received(evidence.hovered)
    hover(evidence, (200, 6 + 34 * 1 + 17))
    hover(evidence, (200, 6 + 34 * 3 + 17))
    assert hints[0] == "hinge: residual 1.50°, tolerance 2.00°; chosen"
    assert hints[1] == "ball: not evaluated"
    assert "38.00°" in evidence.accessibleDescription()


# --- all of them ----------------------------------------------------------------------------------

WIDGETS = [AngleDial, RotationCloud, SwingDisc, TimeStrip, EvidenceBars]


@pytest.mark.parametrize("make", WIDGETS)
def test_a_picture_says_what_it_is_and_paints_without_data_at_any_size(qtbot, make):
    widget = make()
    qtbot.addWidget(widget)
    assert len(widget.what) > 100
    assert widget.whatsThis() == widget.what
    for size in ((1, 1), (40, 900), (900, 40)):
        widget.setMinimumSize(1, 1)
        widget.resize(*size)
        assert not widget.grab().isNull()


def contrast(first, second):
    def luminance(colour):
        parts = [c / 255.0 for c in (int(colour[i : i + 2], 16) for i in (1, 3, 5))]
        r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
        return 0.2126 * r + 0.7152 * g + 0.0722 * b

    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_text_and_marks_stand_out_from_the_ground(colours):
    for ground in (colours.ground, colours.plate):
        assert contrast(colours.ink, ground) > 7.0
        assert contrast(colours.faint, ground) > 4.5
        for mark in (colours.interval, colours.gap, colours.rest, colours.pose, colours.ghost):
            assert contrast(mark, ground) > 2.9, mark
    steps = [contrast(colour, colours.ground) for colour in colours.outside]
    assert steps == sorted(steps)  # more is further from the ground without colour too


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_colours_follow_the_window(qtbot, qapp, dark):
    dial = shown(qtbot, AngleDial(), focus=False)
    dial.setPalette(palette(dark))
    assert colours_of(dial) == dial.colours == (DARK if dark else LIGHT)
    corner = QtGui.QColor(image_of(dial).pixel(2, 2)).name().upper()
    assert corner == dial.colours.ground


@pytest.mark.thorough
@pytest.mark.parametrize("name", sorted(STATES))
def test_every_state_of_the_gallery_paints_something(qtbot, name):
    widget = STATES[name]()
    qtbot.addWidget(widget)
    image = image_of(widget)
    ground = image.pixel(0, image.height() - 1)
    seen = {
        image.pixel(x, y) for x in range(0, image.width(), 3) for y in range(0, image.height(), 3)
    }
    assert seen - {ground}


def test_end_and_home_go_to_where_the_motion_ends(dial, qtbot):
    nudges, keys = received(dial.bound_nudged), Qt.Key
    for key in (keys.Key_Home, keys.Key_Home, keys.Key_Space, keys.Key_End):
        qtbot.keyClick(dial, key)  # the second time there is nothing further
    assert nudges == [("min", pytest.approx(-61.3)), ("max", pytest.approx(107.7))]


def test_the_middle_button_shifts_time(strip):
    wheel(strip, at_frame(strip, 200.0), 720)
    first, scale = strip.span.first, strip.layout_now.pixels_per_frame
    drag(strip, [(300, 80), (260, 80)], button=MIDDLE)
    assert strip.span.first - first == pytest.approx(40.0 / scale)
