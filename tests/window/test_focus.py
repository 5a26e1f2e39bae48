"""The keyboard focus is seen on every control, light and dark."""

from __future__ import annotations

import pytest
from jointlimits_maya.ui.toolkit.focus import FocusRings
from jointlimits_maya.ui.toolkit.palette import DARK, LIGHT, rgb
from jointlimits_maya.ui.toolkit.qt import Qt, QtCore, QtGui, QtWidgets

from tests.support.ui_examples import walk_limits

MIN_CONTRAST = 3.0
"""WCAG 2.2, 1.4.11: contrast of what shows a control's state to what is beside it."""


def luminance(colour: str) -> float:
    """Relative luminance of "#rrggbb", as WCAG defines it."""
    parts = [one / 255.0 for one in rgb(colour)]
    red, green, blue = (
        one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.fixture
def opened(window, qtbot):
    window.document.open_set(walk_limits())
    window.activateWindow()
    qtbot.waitExposed(window)
    return window


def place_in(window, widget, area):
    return QtCore.QRect(widget.mapTo(window, area.topLeft()), area.size())


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("beside", ["ground", "plate"])
def test_the_colour_of_the_focus_stands_out(colours, beside):
    assert contrast(colours.focus, getattr(colours, beside)) >= MIN_CONTRAST


@pytest.mark.parametrize(("colours", "window"), [(LIGHT, "#efefef"), (DARK, "#444444")])
def test_the_focus_stands_out_from_the_window(colours, window):
    assert contrast(colours.focus, window) >= MIN_CONTRAST


def test_a_ring_is_around_every_control_that_takes_the_focus(opened, qapp):
    (rings,) = opened.findChildren(FocusRings)
    controls = [
        one
        for one in opened.findChildren(QtWidgets.QWidget)
        if one.focusPolicy() & Qt.FocusPolicy.TabFocus and one.isVisible() and one.isEnabled()
    ]
    kinds = {type(one).__name__ for one in controls}
    assert {"JointTree", "AngleDial", "TimeStrip", "QToolButton", "QComboBox"} <= kinds
    for control in controls:
        control.setFocus()
        qapp.processEvents()
        now = QtWidgets.QApplication.focusWidget()  # a box gives the focus to its field
        assert now is not None
        seen = now.visibleRegion().boundingRect()
        assert rings.around.isVisible() == (not seen.isEmpty())
        if not seen.isEmpty():
            assert rings.around.geometry() == place_in(opened, now, seen), now


def test_a_second_ring_follows_the_current_row(opened, qapp, qtbot):
    (rings,) = opened.findChildren(FocusRings)
    tree = opened.parts.joints.tree
    opened.select(["LeftArm"])
    tree.setFocus()
    qapp.processEvents()
    before = rings.row.geometry()
    qtbot.keyClick(tree, Qt.Key.Key_Down)
    qapp.processEvents()
    assert rings.row.geometry().top() > before.top()
    opened.parts.joint.mirror.setFocus()
    assert not rings.row.isVisible()


def test_the_chosen_line_of_a_menu_has_the_colour_of_the_focus(opened):
    role = QtGui.QPalette.ColorRole.Highlight
    menus = [menu for menu in opened.findChildren(QtWidgets.QMenu) if menu.actions()]
    assert len(menus) >= 8
    for menu in menus:
        assert menu.palette().color(role).name().upper() == LIGHT.focus, menu.title()
