"""Guides: plain curves that show what Maya enforces, and that leave nothing behind."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.euler import local_from_rotate
from jointlimits_core.geometry.quaternion import rotate
from tests.support.maya_open_scenes import everything
from tests.support.window_standin import SCENE, maya_with_window


@pytest.fixture(scope="module")
def limits():
    return estimate(read_motion(SCENE))


@pytest.fixture
def maya(tmp_path, monkeypatch):
    with maya_with_window(tmp_path, monkeypatch) as session:
        yield session


def paths_of(*names):
    from jointlimits_maya.scene.joints import chosen_joints

    return [
        joint for joint in chosen_joints(["Hips"]) if joint.fullPathName().split("|")[-1] in names
    ]


# Shapes -------------------------------------------------------------------------------------------


@pytest.fixture
def guides(maya):
    from jointlimits_maya.window import guides

    return guides


def shapes(joint, bone=(0.0, -4.0, 0.0)):
    from jointlimits_maya.window.guides import guide_shapes

    return {shape.kind: shape.lines for shape in guide_shapes(joint, bone)}


@pytest.mark.thorough
@pytest.mark.usefixtures("maya_with_plug_in")
def test_a_hinge_is_an_arc_as_wide_as_its_range(limits):
    joint = limits.joints["LeftElbow"]
    (arc,) = shapes(joint)["arc"]
    np.testing.assert_allclose(arc[[0, -1]], 0.0)
    first, last = arc[1], arc[-2]
    np.testing.assert_allclose(np.linalg.norm(arc[1:-1], axis=1), 4.0)
    bend = joint.limits["rotateZ"]
    angle = math.degrees(math.acos(np.dot(first, last) / 16.0))
    assert angle == pytest.approx(bend.max_deg - bend.min_deg, abs=1e-6)


@pytest.mark.usefixtures("maya_with_plug_in")
def test_a_ball_has_a_closed_boundary_through_its_corners_and_ticks_for_roll(limits):
    joint = limits.joints["LeftShoulder"]
    bone = np.array([5.0, 0.0, 0.0])
    found = shapes(joint, bone)
    assert set(found) == {"swing", "roll"}
    (boundary,) = found["swing"]
    np.testing.assert_allclose(boundary[0], boundary[-1], atol=1e-12)
    low = [joint.limits[f"rotate{axis}"].min_deg for axis in "XYZ"]
    corner = np.radians([joint.preferred_deg[0], low[1], low[2]])
    where = rotate(local_from_rotate(corner, *frame_of(joint)), bone)
    assert np.abs(boundary - where).max(axis=1).min() < 1e-9
    assert len(found["roll"]) == 3


def frame_of(joint):
    from jointlimits_core.geometry.euler import quaternion_from_euler

    turns = joint.orientation.joint_orient_deg, joint.orientation.rotate_axis_deg
    orient, axis = (quaternion_from_euler(np.radians(turn), "xyz") for turn in turns)
    return orient, axis, joint.orientation.rotate_order


@pytest.mark.usefixtures("maya_with_plug_in")
def test_an_artists_bound_is_drawn_and_not_the_datas(limits):
    joint = limits.joints["LeftElbow"]
    narrow = replace(joint.limits["rotateZ"], min_deg=0.0, max_deg=90.0)
    edited = replace(joint, limits={**joint.limits, "rotateZ": narrow})
    (arc,) = shapes(edited)["arc"]
    assert np.dot(arc[1], arc[-2]) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.usefixtures("maya_with_plug_in")
def test_a_joint_that_is_free_has_nothing_to_draw(limits):
    free = {
        name: replace(axis, state="free", min_deg=None, max_deg=None)
        for name, axis in limits.joints["LeftElbow"].limits.items()
    }
    assert shapes(replace(limits.joints["LeftElbow"], limits=free)) == {}


# In the scene -------------------------------------------------------------------------------------


def test_shown_undone_redone_and_removed_without_trace(maya, limits, cmds, guides):
    cmds.select("LeftKnee")
    before = everything(maya)
    drawn = guides.show_guides(limits, paths_of("LeftElbow", "LeftShoulder"))
    assert set(drawn) == {"LeftElbow", "LeftShoulder"}
    assert guides.guides_are_shown()
    assert cmds.ls(selection=True) == ["LeftKnee"]
    shown = everything(maya)
    cmds.undo()
    assert everything(maya) == before
    cmds.redo()
    assert everything(maya) == shown
    assert guides.remove_guides()
    assert everything(maya) == before
    assert not guides.remove_guides()


def test_they_stand_where_the_joint_is(maya, limits, cmds, guides):
    guides.show_guides(limits, paths_of("LeftElbow"))
    place = cmds.ls("jointLimitGuides_LeftElbow", long=True)[0]
    for frame in (1, 40):
        cmds.currentTime(frame)
        guide, joint = (cmds.getAttr(f"{node}.worldMatrix[0]") for node in (place, "LeftElbow"))
        np.testing.assert_allclose(guide[12:15], joint[12:15], atol=1e-9)


def test_they_are_templated_and_no_node_of_the_rig_is_touched(maya, limits, cmds, guides):
    before = set(everything(maya))
    guides.show_guides(limits, paths_of("LeftElbow"))
    assert cmds.getAttr("jointLimitGuides.overrideEnabled")
    assert cmds.getAttr("jointLimitGuides.overrideDisplayType") == 1
    assert before <= set(everything(maya))


def test_twice_is_once_and_one_undo_each(maya, limits, cmds, guides):
    guides.show_guides(limits, paths_of("LeftElbow"))
    guides.show_guides(limits, paths_of("LeftShoulder"))
    assert not cmds.objExists("jointLimitGuides_LeftElbow")
    cmds.undo()
    assert cmds.objExists("jointLimitGuides_LeftElbow")
    assert not cmds.objExists("jointLimitGuides_LeftShoulder")


def test_nothing_to_draw_is_reported(limits, guides):
    with pytest.raises(ValueError, match="none of these joints has limits"):
        guides.show_guides(replace(limits, joints={}), paths_of("LeftElbow"))
    assert not guides.guides_are_shown()


# Namespaces and units (places 8 and 9) ------------------------------------------------------------


def points_of(maya):
    """Numbers of all curves that are drawn, in centimetres."""
    shapes = [node for node in maya.scene.nodes if node.type == "nurbsCurve"]
    return [float(word) for shape in shapes for word in shape.raw["cc"].split()]


def test_guides_are_as_large_in_a_scene_in_metres(maya, limits, cmds, guides):
    guides.show_guides(limits, paths_of("LeftElbow"))
    wanted = points_of(maya)
    guides.remove_guides()
    cmds.currentUnit(linear="m")
    guides.show_guides(limits, paths_of("LeftElbow"))
    np.testing.assert_allclose(points_of(maya), wanted, rtol=1e-4)


def test_guides_are_drawn_whatever_the_current_namespace_is(maya, limits, cmds, guides):
    cmds.namespace(addNamespace="work")
    cmds.namespace(setNamespace="work")
    before = everything(maya)
    guides.show_guides(limits, paths_of("LeftElbow"))
    assert cmds.objExists("|jointLimitGuides|jointLimitGuides_LeftElbow")
    assert not cmds.ls("work:*")
    assert guides.remove_guides()
    assert everything(maya) == before


def test_half_a_drawing_does_not_stay(maya, limits, cmds, guides, monkeypatch):
    before = everything(maya)
    monkeypatch.setattr(guides, "COLOURS", {})
    with pytest.raises(KeyError):
        guides.show_guides(limits, paths_of("LeftElbow"))
    assert not guides.guides_are_shown()
    assert everything(maya) == before
