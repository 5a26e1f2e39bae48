"""The window in little room, and several joints at once: what differs is marked."""

from __future__ import annotations

import pytest
from jointlimits_maya.ui.joints.model import FINDINGS, SURE
from jointlimits_maya.ui.plots.strip_layout import SCALE_PIXELS
from jointlimits_maya.ui.toolkit.qt import Qt, QtGui, QtWidgets

from tests.support.ui_examples import JOINTS, walk, walk_limits
from tests.support.window_alone import shown_window


@pytest.fixture
def window(tmp_path, qtbot):
    found = shown_window(tmp_path, qtbot, (900, 600))
    found.document.open_set(walk_limits())
    return found


@pytest.mark.thorough
def test_a_small_window_is_possible(window):
    window.select(list(JOINTS)[:1])
    assert (window.width(), window.height()) == (900, 600)
    tree = window.parts.joints.tree
    assert not tree.horizontalScrollBar().isVisible()


@pytest.mark.thorough
def test_a_page_within_an_area_comes_to_the_front(window):
    window.parts.show_tab(window.parts.options)
    assert window.parts.options.isVisible()


@pytest.mark.thorough
def test_what_differs_between_selected_joints_is_marked(window):
    limits = window.document.limits.joints
    both = [name for name in limits if limits[name].limits["rotateX"].state == "limited"][:2]
    window.document.edit.set_limit(both[:1], "rotateX", "max", 77.0)
    window.select(both)
    box = window.parts.joint.axes["rotateX"].boxes["max"]
    assert "differs" in box.text()
    assert "77" in box.toolTip()
    assert "rotate X" in window.parts.joint.about.text()
    window.select(both[:1])
    assert "differs" not in box.text()
    assert not box.toolTip()


@pytest.mark.thorough
@pytest.mark.parametrize("size", [(900, 600), (1000, 700), (1158, 834), (1200, 800), (1320, 860)])
def test_headings_and_buttons_are_not_cut(window, qapp, size):
    font = window.font()
    font.setPixelSize(12)  # as Maya's
    window.setFont(font)
    window.resize(*size)
    window.select(["LeftArm"])
    qapp.processEvents()
    tree, header = window.parts.joints.tree, window.parts.joint
    columns = tree.header()
    words = columns.fontMetrics().horizontalAdvance
    shown = [column for column in range(columns.count()) if not columns.isSectionHidden(column)]
    assert size[0] < 1158 or {SURE, FINDINGS} <= set(shown), "how sure, and what was noticed"
    assert columns.length() <= tree.viewport().width(), "nothing is cut"
    for column in shown:
        text = tree.model().headerData(column, Qt.Orientation.Horizontal)
        assert columns.sectionSize(column) >= words(text), text
    for button in (header.mirror, header.pin, header.reset):
        assert button.width() >= button.sizeHint().width(), button.text()
    assert header.name.width() >= header.name.sizeHint().width()
    name = tree.item_of("LeftArm").text(0)
    assert columns.sectionSize(0) > words(name) + tree.indentation(), "names are whole"


@pytest.mark.thorough
def test_the_names_of_the_strip_take_no_more_room_than_they_need(window, qapp):
    window.document.add_clips([walk()])
    window.select(["LeftArm"])
    strip = window.parts.strip.strip
    metrics = QtGui.QFontMetricsF(strip.small_font(0.85))
    need = max(metrics.horizontalAdvance(name) for name in strip._rows.labels)
    need += SCALE_PIXELS  # the degrees beside them
    assert need < strip.layout_now.left < need + 40.0


def test_every_box_that_is_chosen_from_has_a_name_for_screen_readers(window):
    unnamed = [box for box in window.findChildren(QtWidgets.QComboBox) if not box.accessibleName()]
    assert not unnamed
