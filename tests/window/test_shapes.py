"""Coupled limits in the window: fitted, drawn, described, undone; and with the scene."""

from __future__ import annotations

import numpy as np
import pytest

from jointlimits_core.estimation.coupled import with_coupled_limits, with_dependencies
from jointlimits_core.geometry.quaternion import multiply, quaternion_from_rotation_vector
from jointlimits_core.limits.layers import with_edits
from jointlimits_core.limits.records import ArtistEdit
from jointlimits_core.shapes.coupled_limit import FitOptions
from jointlimits_core.shapes.fitting import shape_of_limit
from tests.support.maya_open_scenes import everything
from tests.support.ui_examples import WORST_FRAME, WORST_JOINT, reach, walk
from tests.support.window_alone import shown_message
from tests.support.window_answers import answers
from tests.support.window_hand import Hand
from tests.support.window_standin import idle, opened

pytestmark = pytest.mark.thorough


def press_fit(window, qtbot):
    """Press the keys of Fit shapes in the list of joints."""
    from jointlimits_maya.ui.toolkit.qt import Qt

    held = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    window.parts.joints.tree.setFocus()
    qtbot.keyClick(window.parts.joints.tree, Qt.Key.Key_F, held)


def coupled(window):
    return {name: joint.coupled for name, joint in window.document.limits.joints.items()}


def assert_same_shape(found, expected):
    """Same but for the last digits, which depend on where arrays lie in memory."""
    assert (found is None) == (expected is None)
    if found is not None:
        for name in ("kind", "samples", "trimmed"):
            assert getattr(found, name) == getattr(expected, name)
        assert found.freedom == pytest.approx(expected.freedom, rel=1e-9)
        centres = [one.coordinates["centre"] for one in (found, expected)]
        np.testing.assert_allclose(*centres, atol=1e-12)


def drawn_outside(window):
    cloud = window.parts.pictures.cloud.cloud
    found = np.zeros(cloud._count, dtype=bool)
    found[cloud.shown_samples] = cloud._outside
    return found


# Fitting ------------------------------------------------------------------------------------------


def test_the_keys_fit_the_same_shapes_as_the_core_and_one_undo_takes_them_back(full, qtbot):
    data = full.document.data
    assert not any(coupled(full).values())
    press_fit(full, qtbot)
    clips = [walk(), reach()]
    expected = with_coupled_limits(data, clips, "hull", FitOptions(), full.document.state.options)
    expected = with_dependencies(expected, clips, full.document.state.options)
    for name, joint in expected.joints.items():
        assert_same_shape(coupled(full)[name], joint.coupled)
    assert full.document.limits.dependencies == expected.dependencies != ()
    assert coupled(full)[WORST_JOINT].kind == "hull"
    assert "Shapes fitted to 10 joints" in shown_message(full)
    assert full.document.undo_stack.undoText().startswith("Fit shapes")
    full.document.undo_stack.undo()
    assert full.document.data is data
    assert not any(coupled(full).values())
    full.document.undo_stack.redo()
    assert coupled(full)[WORST_JOINT].kind == "hull"


def test_the_kind_and_the_pad_come_from_the_options(full, hand, qtbot):
    full.parts.show_tab(full.options)
    hand.choose(full.options.fields["shape"], "axis-aligned box")
    full.options.fields["shape_pad_deg"].setValue(7.0)
    press_fit(full, qtbot)
    assert (coupled(full)[WORST_JOINT].kind, coupled(full)[WORST_JOINT].pad_deg) == ("box", 7.0)


def test_ignored_frames_take_no_part(full, qtbot):
    press_fit(full, qtbot)
    with_it = coupled(full)[WORST_JOINT]
    full.document.estimation.exclude_run("walk", WORST_FRAME, WORST_FRAME)
    assert coupled(full)[WORST_JOINT] is None, "shapes of other frames are not kept"
    press_fit(full, qtbot)
    without = coupled(full)[WORST_JOINT]
    assert without.samples == with_it.samples - 1
    assert without.freedom < with_it.freedom
    full.document.estimation.exclude_clip("reach")
    press_fit(full, qtbot)
    assert coupled(full)[WORST_JOINT].samples == walk().frame_count - 1


def test_without_the_motion_it_says_what_to_open(full, qtbot):
    limits = full.document.limits
    full.document.close()
    full.document.open_set(limits)
    press_fit(full, qtbot)
    assert "Open the motion first: " in shown_message(full)
    assert "walk" in shown_message(full)
    assert not any(coupled(full).values())


# The picture and the words ------------------------------------------------------------------------


def test_the_shape_is_drawn_and_what_is_outside_of_it_marked(full, hand, qtbot):
    panel = full.parts.pictures.cloud
    assert not panel.what.isVisible()
    box = panel.cloud._edges
    press_fit(full, qtbot)
    assert panel.what.isVisible()
    shape = shape_of_limit(coupled(full)[WORST_JOINT])
    assert panel.cloud._edges.shape != box.shape
    assert len(panel.cloud._triangles)
    samples = full.document.samples(WORST_JOINT)
    assert not drawn_outside(full).any()
    _assert_on_the_boundary(panel, shape)
    hand.choose(panel.what, "limits: box")
    np.testing.assert_array_equal(panel.cloud._edges, box)
    hand.choose(panel.what, "limits: shape")
    assert panel.cloud._edges.shape != box.shape
    full.document.estimation.exclude_run("walk", WORST_FRAME, WORST_FRAME)
    assert not panel.what.isVisible()
    assert len(samples) == 420


def _assert_on_the_boundary(panel, shape):
    """Corners of what is drawn are on the boundary of the shape."""
    turns = quaternion_from_rotation_vector(np.radians(panel.cloud._edges.reshape(-1, 3)))
    ends = multiply(panel._now.mean, turns)
    assert np.degrees(shape.distance(ends)).max() < 1e-3
    centre = shape.chart.coordinates(panel._now.mean[None])
    out = shape.chart.coordinates(ends)
    further = shape.chart.rotation(centre + 1.02 * (out - centre))
    assert not shape.contains(further).any()


@pytest.mark.parametrize("joint", ["LeftForeArm", "head", "LeftArm"])
def test_every_type_is_drawn_with_its_own_samples_inside(full, qtbot, joint):
    press_fit(full, qtbot)
    full.select([joint])
    cloud = full.parts.pictures.cloud.cloud
    assert len(cloud._edges)
    assert np.isfinite(cloud._edges).all()
    assert not drawn_outside(full).any()
    full.grab()


def test_the_header_tells_shape_and_dependency(full, hand, qtbot):
    from jointlimits_maya.ui.toolkit.words import dependency_line, dependency_list

    from jointlimits_core.report.terminal.shapes import range_freedom

    press_fit(full, qtbot)
    hand.click_joint(WORST_JOINT)
    words = full.parts.joint.about.text()
    joint = full.document.limits.joints[WORST_JOINT]
    part = 100 * joint.coupled.freedom / range_freedom(joint, 3.0)
    assert f"(hull + 3°) allows {100 * joint.coupled.freedom:.2g} % of all" in words
    assert f"{part:.0f} % of what its X/Y/Z ranges allow" in words
    assert "depends on" in words
    found = full.document.limits.dependencies
    own = [one for one in found if WORST_JOINT in (one.joint, one.on_joint)]
    tip = full.parts.joint.about.toolTip().splitlines()
    assert len(tip) == len(own) + 1
    assert "by checks with shapes" in tip[-1]
    edited = with_edits(
        full.document.limits, [ArtistEdit(own[0].joint, "max", own[0].channel, 5.0)]
    )
    assert "not applied: an artist" in dependency_list(own[0].joint, edited)
    assert dependency_list("nobody", edited) == dependency_line("nobody", edited) == ""
    full.document.undo_stack.undo()
    assert "Shape" not in full.parts.joint.about.text()
    full.document.undo_stack.redo()
    hand.click_joint("LeftForeArm")
    assert "about its axis only" in full.parts.joint.about.text()


# With a scene, and without ------------------------------------------------------------------------


def fitted(session, qtbot):
    """The window of a character with shapes."""
    window = opened(session, qtbot)
    assert not window.actions_by_name["project_live"].isEnabled()
    assert "Fit shapes" in window.actions_by_name["project_live"].toolTip()
    with qtbot.waitSignal(window.document.shaping.fitted, timeout=60_000):
        press_fit(window, qtbot)
    assert window.actions_by_name["project_live"].isEnabled()
    return window


def values(cmds, joint, frame):
    return [cmds.getAttr(f"{joint}.rotate{axis}", time=frame) for axis in "XYZ"]


def test_in_maya_joints_are_kept_inside_and_let_go_without_a_trace(maya, qtbot, cmds, monkeypatch):
    window, name = fitted(maya, qtbot), "LeftShoulder"
    before = everything(maya)
    assert window.document.limits.joints[name].coupled is not None
    Hand(window, qtbot).click_joint(name)
    idle(maya)
    asked = answers(monkeypatch, "Cancel", "Bring keys", "Insert nodes")
    window.actions_by_name["project_live"].trigger()
    assert f"Posed by hand, with or without keys: {name}." in asked[0]
    assert "the Rotate tool, Set Key and Auto Key do nothing" in asked[0].replace("The", "the")
    assert not cmds.ls(type="jointLimitProject")
    window.actions_by_name["project_live"].trigger()
    assert shown_message(window) == "Every key is inside the limits."
    window.actions_by_name["project_live"].trigger()
    assert "1 joint kept inside" in shown_message(window)
    assert "key inputRotate" in shown_message(window)
    assert len(cmds.ls(type="jointLimitProject")) == 1
    window.actions_by_name["stop_projecting"].trigger()
    assert "1 joint driven as before" in shown_message(window)
    assert not cmds.ls(type="jointLimitProject")
    cmds.undo()
    cmds.undo()
    assert sorted(everything(maya)) == sorted(before)


def test_in_maya_keys_are_brought_inside_and_reported(maya, qtbot, cmds):
    window, joint, frame = fitted(maya, qtbot), "LeftShoulder", 100.0
    inside = values(cmds, joint, frame)
    far = [value + more for value, more in zip(inside, (100.0, 60.0, 80.0))]
    for axis, value in zip("XYZ", far):
        cmds.setKeyframe(joint, attribute=f"rotate{axis}", time=frame, value=value)
    before = everything(maya)
    Hand(window, qtbot).click_joint(joint)
    idle(maya)
    window.actions_by_name["project_keys"].trigger()
    assert "1 joint moved inside at" in shown_message(window)
    assert f"degrees ({joint})" in shown_message(window)
    assert values(cmds, joint, frame) != pytest.approx(far)
    cmds.undo()
    assert everything(maya) == before
