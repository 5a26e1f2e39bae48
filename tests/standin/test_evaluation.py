"""The stand-in's values: matrices, curves, layers, blends, constraints, and limits on all of them.

What Maya itself stored is in the shared oracle; the rest is compared with scipy's rotations and
with matrices multiplied out by hand.
"""

from __future__ import annotations

import json
from collections import Counter
from math import degrees, pi, radians

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.maya_standin import NotModelledError
from tests.maya_standin import matrices as m
from tests.maya_standin.curves import Keys
from tests.maya_standin.graph import Plug, Scene
from tests.support.shared_data import shared_path

ANGLES = st.tuples(*[st.floats(-3.0 * pi, 3.0 * pi)] * 3)
ORDERS = range(6)


@pytest.fixture
def scene() -> Scene:
    counters = dict.fromkeys(("dg_evaluations", "time_changes", "curve_evaluations"), 0)
    return Scene({**counters, "calls": Counter()})


def array(matrix):
    return np.array(matrix).reshape(4, 4)


def turned(angles, order=0):
    """Row-vector 3x3 rotation by scipy: lower case letters turn about fixed axes, in order."""
    letters = m.ORDERS[order]
    turn = pytest.importorskip("scipy.spatial.transform").Rotation
    return turn.from_euler(letters, [angles["xyz".index(x)] for x in letters]).as_matrix().T


def pose(scene, node, **values):
    for attribute, value in values.items():
        scene.set_value(scene.plug_of(node, attribute), value)


def pull(scene, text, seconds=None):
    return scene.evaluator.value(scene.plug(text), seconds)


def keyed(scene, channel, kind="TA", first=0.0, last=1.0):
    """A line from one value to another between the seconds 0 and 1, into a channel."""
    curve = scene.create_node(f"animCurve{kind}", channel.replace(".", "_").rpartition("|")[2])
    scene.set_keys(curve, Keys((0.0, 1.0), (first, last), (2, 2), (2, 2)))
    scene.connect(Plug(curve, "output"), scene.plug(channel))
    return curve


# --- matrices -----------------------------------------------------------------------------------


@pytest.mark.thorough
@given(ANGLES, st.sampled_from(ORDERS))
def test_rotations_of_all_orders_are_those_of_scipy(angles, order):
    expected = turned(angles, order)
    np.testing.assert_allclose(array(m.rotation(angles, order))[:3, :3], expected, atol=1e-12)


@pytest.mark.thorough
@given(ANGLES, st.sampled_from(ORDERS))
def test_angles_taken_from_a_rotation_give_it_again(angles, order):
    matrix = m.rotation(angles, order)
    again = m.rotation(m.euler_angles(matrix, order), order)
    # Near the pole the two outer angles share what the matrix has of them.
    np.testing.assert_allclose(again, matrix, atol=1e-8)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("middle", [pi / 2, -pi / 2])
def test_angles_at_the_pole(order, middle):
    angles = [0.4, 0.4, 0.4]
    angles["xyz".index(m.ORDERS[order][1])] = middle
    matrix = m.rotation(angles, order)
    again = m.rotation(m.euler_angles(matrix, order), order)
    np.testing.assert_allclose(again, matrix, atol=1e-12)


@pytest.mark.parametrize("scale", [(2.0, 0.5, 3.0), (-1.0, 1.0, 2.0), (-1.0, -1.0, 1.0)])
def test_a_matrix_is_taken_apart_and_put_together(scale):
    matrix = m.product(m.scaling(scale), m.rotation((0.1, 0.2, 0.3)), m.translation((1, 2, 3)))
    factors, turn, place = m.decomposed(matrix)
    assert np.linalg.det(array(turn)) == pytest.approx(1.0, abs=1e-12)
    again = m.product(m.scaling(factors), turn, m.translation(place))
    np.testing.assert_allclose(again, matrix, atol=1e-12)


# --- joints and transforms ----------------------------------------------------------------------


def test_joints_turn_as_maya_stored_it(scene):
    """Local rotations of the joints of one skeleton, evaluated and stored by Maya."""
    records = json.loads(shared_path("oracle/joint_rotate_axis.json").read_text())["records"]
    assert records
    for record in records:
        parent = scene.create_node("joint", "parent")
        pose(scene, parent, scale=record["parentScale"])
        node = scene.create_node("joint", "child", parent)
        scene.connect(Plug(parent, "scale"), Plug(node, "inverseScale"))
        for channel in ("rotate", "rotateAxis", "jointOrient"):
            pose(scene, node, **{channel: np.radians(record[channel]).tolist()})
        for channel in ("rotateOrder", "scale", "segmentScaleCompensate"):
            pose(scene, node, **{channel: record[channel]})
        matrix = array(scene.evaluator.value(Plug(node, "matrix")))[:3, :3]
        np.testing.assert_allclose(
            matrix, record["localMatrixRotation"], atol=1e-12, err_msg=record["joint"]
        )


def test_a_joint_is_scale_axis_rotate_orient_compensation_translate(scene):
    parent = scene.create_node("joint", "parent")
    node = scene.create_node("joint", "child", parent)
    pose(scene, parent, scale=(2.0, 3.0, 4.0), rotate=(0.3, 0.2, 0.1))
    scene.connect(Plug(parent, "scale"), Plug(node, "inverseScale"))
    axis, turn, orient = (0.1, 0.2, 0.3), (0.5, -0.4, 0.3), (-0.2, 0.7, 0.4)
    pose(scene, node, rotateAxis=axis, rotate=turn, jointOrient=orient, rotateOrder=4)
    pose(scene, node, scale=(1.5, 0.5, 2.0), translate=(1.0, 2.0, 3.0))
    expected = np.eye(4)
    expected[:3, :3] = (
        np.diag((1.5, 0.5, 2.0))
        @ turned(axis)
        @ turned(turn, 4)
        @ turned(orient)
        @ np.diag((1 / 2.0, 1 / 3.0, 1 / 4.0))
    )
    expected[3, :3] = (1.0, 2.0, 3.0)
    np.testing.assert_allclose(array(pull(scene, "child.matrix")), expected, atol=1e-14)
    world = expected @ array(pull(scene, "parent.wm[0]"))
    np.testing.assert_allclose(array(pull(scene, "child.wm[0]")), world, atol=1e-14)
    pose(scene, node, segmentScaleCompensate=False)
    expected[:3, :3] = expected[:3, :3] @ np.diag((2.0, 3.0, 4.0))
    np.testing.assert_allclose(array(pull(scene, "child.matrix")), expected, atol=1e-14)


def test_a_transform_turns_about_its_pivots(scene):
    node = scene.create_node("transform", "t")
    pose(scene, node, rotatePivot=(1.0, 2.0, 3.0), rotate=(0.0, 0.0, pi / 2))
    pose(scene, node, scalePivot=(1.0, 2.0, 3.0), scale=(2.0, 1.0, 1.0))
    pose(scene, node, translate=(10.0, 0.0, 0.0), rotatePivotTranslate=(0.0, 0.0, 5.0))
    matrix = array(pull(scene, "t.matrix"))
    # The pivot only moves with the node; one unit beside it is scaled and turned about it.
    np.testing.assert_allclose([1, 2, 3, 1] @ matrix, [11, 2, 8, 1], atol=1e-14)
    np.testing.assert_allclose([2, 2, 3, 1] @ matrix, [11, 4, 8, 1], atol=1e-14)


def test_the_offset_parent_matrix_lies_between_a_node_and_its_parent(scene):
    parent = scene.create_node("transform", "p")
    node = scene.create_node("transform", "n", parent)
    pose(scene, parent, rotate=(0.0, 0.3, 0.0))
    pose(scene, node, translate=(1.0, 0.0, 0.0), offsetParentMatrix=m.rotation((0.5, 0.0, 0.2)))
    local, above = array(pull(scene, "n.matrix")), array(pull(scene, "p.wm[0]"))
    offset = array(m.rotation((0.5, 0.0, 0.2)))
    np.testing.assert_allclose(array(pull(scene, "n.wm[0]")), local @ offset @ above, atol=1e-14)
    np.testing.assert_allclose(array(pull(scene, "n.pm[0]")), offset @ above, atol=1e-14)
    np.testing.assert_allclose(
        array(pull(scene, "n.pim[0]")) @ offset @ above, np.eye(4), atol=1e-14
    )


def test_a_node_that_inherits_nothing_stands_in_the_world(scene):
    parent = scene.create_node("transform", "p")
    node = scene.create_node("joint", "n", parent)
    pose(scene, parent, translate=(5.0, 0.0, 0.0))
    pose(scene, node, translate=(1.0, 0.0, 0.0), inheritsTransform=False)
    assert pull(scene, "n.wm[0]")[12:15] == (1.0, 0.0, 0.0)


# --- curves and time ----------------------------------------------------------------------------


def test_a_keyed_channel_follows_its_curve_and_the_time(scene):
    scene.create_node("joint", "j")
    keyed(scene, "j.rx", last=2.0)
    scene.set_time(0.25)
    assert pull(scene, "j.rx") == pytest.approx(0.5, abs=1e-15)
    assert pull(scene, "j.rx", 0.75) == pytest.approx(1.5, abs=1e-15)
    assert pull(scene, "j.r", 0.5) == pytest.approx((1.0, 0.0, 0.0), abs=1e-15)
    assert scene.time == 0.25


def test_a_time_warp_is_noticed(scene):
    scene.create_node("joint", "j")
    curve = keyed(scene, "j.rx")
    warp = scene.create_node("animCurveTT", "warp")
    scene.set_keys(warp, Keys((0.0, 1.0), (0.0, 0.5), (2, 2), (2, 2)))
    scene.connect(Plug(warp, "output"), Plug(curve, "input"))
    assert pull(scene, "j.rx", 1.0) == pytest.approx(0.5, abs=1e-15)


def test_a_driven_key_follows_its_driver(scene):
    for name in "ab":
        scene.create_node("joint", name)
    keyed(scene, "a.rx", last=1.0)
    driven = keyed(scene, "b.rx", kind="UA", last=-3.0)
    scene.connect(scene.plug("a.rx"), Plug(driven, "input"))
    assert pull(scene, "b.rx", 0.5) == pytest.approx(-1.5, abs=1e-15)


def test_a_value_set_on_a_keyed_channel_stays_until_the_time_changes(scene):
    scene.create_node("joint", "j")
    keyed(scene, "j.rx")
    scene.set_time(0.5)
    with scene.journal.group() as group:
        scene.set_value(scene.plug("j.rx"), 0.125)
    assert pull(scene, "j.rx") == 0.125
    assert pull(scene, "j.rx", 0.5) == 0.5, "another context computes anew"
    group.undo()
    assert pull(scene, "j.rx") == 0.5
    group.redo()
    scene.set_time(0.5)
    assert pull(scene, "j.rx") == 0.5


def test_curves_of_quaternions_are_only_known_at_keys(scene):
    scene.create_node("joint", "j")
    curve = keyed(scene, "j.rx")
    scene.set_value(Plug(curve, "rotationInterpolation"), 4)
    assert curve.keys.rotation_interpolation == 4
    assert pull(scene, "j.rx", 1.0) == 1.0
    with pytest.raises(NotModelledError, match="quaternion"):
        pull(scene, "j.rx", 0.5)


# --- limits -------------------------------------------------------------------------------------


def limit(scene, name, axis, lowest, highest):
    pose(scene, scene.node(name), **{f"minRot{axis}Limit": lowest, f"maxRot{axis}Limit": highest})
    for edge in ("min", "max"):
        pose(scene, scene.node(name), **{f"{edge}Rot{axis}LimitEnable": True})


@pytest.mark.parametrize("seconds", [None, 1.0], ids=["normal context", "timed context"])
def test_enabled_limits_clamp_what_drives_a_channel_and_leave_the_curve(scene, seconds):
    scene.create_node("joint", "j")
    curve = keyed(scene, "j.rx", last=radians(90.0))
    scene.set_time(1.0)
    limit(scene, "j", "X", radians(-10.0), radians(30.0))
    assert degrees(pull(scene, "j.rx", seconds)) == pytest.approx(30.0, abs=1e-12)
    assert pull(scene, "j.r", seconds)[0] == radians(30.0)
    np.testing.assert_allclose(
        pull(scene, "j.matrix", seconds), m.rotation((radians(30.0), 0.0, 0.0)), atol=1e-14
    )
    assert scene.evaluator.value(Plug(curve, "output"), seconds) == radians(90.0)
    pose(scene, scene.node("j"), maxRotXLimitEnable=False)
    assert pull(scene, "j.rx", seconds) == radians(90.0)


def test_limits_clamp_each_axis_and_each_edge_alone_and_know_no_full_turns(scene):
    scene.create_node("joint", "j")
    for axis in "xyz":
        keyed(scene, f"j.r{axis}", first=radians(190.0), last=radians(190.0))
    limit(scene, "j", "Y", radians(-180.0), radians(-160.0))
    pose(scene, scene.node("j"), maxRotZLimit=0.0, minRotZLimitEnable=True)
    turn = [degrees(value) for value in pull(scene, "j.r", 0.0)]
    assert turn == pytest.approx([190.0, -160.0, 190.0], abs=1e-12)


# --- conversions, blends, layers ------------------------------------------------------------------


def layered(scene, **layer_values):
    """j.rotate from a layer's blend: 0.1 to 0.5 below it and 0.2 in it, all axes."""
    layer = scene.create_node("animLayer", "layer")
    blend = scene.create_node("animBlendNodeAdditiveRotation", "blend")
    scene.create_node("joint", "j")
    pose(scene, layer, **layer_values)
    for axis in "XYZ":
        keyed(scene, f"blend.inputA{axis}", first=0.1, last=0.5)
        keyed(scene, f"blend.inputB{axis}", first=0.2, last=0.2)
    scene.connect(Plug(layer, "foregroundWeight"), Plug(blend, "weightB"))
    scene.connect(Plug(layer, "backgroundWeight"), Plug(blend, "weightA"))
    scene.connect(Plug(blend, "output"), scene.plug("j.r"))
    return blend


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({}, 0.7),
        ({"weight": 0.5}, 0.6),
        ({"mute": True}, 0.5),
        ({"override": True}, 0.2),
        ({"override": True, "weight": 0.25}, 0.75 * 0.5 + 0.25 * 0.2),
    ],
    ids=str,
)
def test_a_layer_adds_to_or_replaces_what_is_below_it(scene, values, expected):
    layered(scene, **values)
    assert pull(scene, "j.r", 1.0) == pytest.approx((expected,) * 3, abs=1e-15)


def test_what_blends_cannot_do_is_reported(scene):
    blend = layered(scene)
    pose(scene, blend, rotationInterpolation=1)
    with pytest.raises(NotModelledError, match="quaternions"):
        pull(scene, "j.rx", 1.0)
    pose(scene, blend, rotationInterpolation=0)
    pose(scene, scene.node("layer"), solo=True)
    with pytest.raises(NotModelledError, match="solo"):
        pull(scene, "j.rx", 1.0)


# --- constraints --------------------------------------------------------------------------------


def constrained(scene, kind):
    """A joint under a turned parent, constrained to a turned joint elsewhere, all as Maya links."""
    above = scene.create_node("transform", "above")
    target = scene.create_node("joint", "target", scene.create_node("transform", "elsewhere"))
    node = scene.create_node("joint", "j", above)
    pose(scene, above, rotate=(0.4, 0.1, -0.7), translate=(3.0, 1.0, 2.0))
    pose(scene, scene.node("elsewhere"), rotate=(-0.2, 0.5, 0.3))
    pose(scene, target, rotate=(0.3, 0.6, 0.2), jointOrient=(0.1, 0.0, 0.4), rotateOrder=1)
    pose(scene, target, translate=(1.0, 5.0, 2.0))
    pose(scene, node, jointOrient=(0.5, -0.3, 0.2), rotateOrder=3)
    constraint = scene.create_node(kind, "c", node)
    for source, destination in (
        ("target.t", "c.tg[0].tt"),
        ("target.r", "c.tg[0].tr"),
        ("target.ro", "c.tg[0].tro"),
        ("target.jo", "c.tg[0].tjo"),
        ("target.pm", "c.tg[0].tpm"),
        ("j.pim", "c.cpim"),
        ("j.ro", "c.cro"),
        ("j.jo", "c.cjo"),
    ):
        scene.connect(scene.plug(source), scene.plug(destination))
    return constraint


def attach(scene, *channels):
    for channel in channels:
        for axis in "XYZ":
            scene.connect(
                scene.plug(f"c.constraint{channel}{axis}"), scene.plug(f"j.{channel.lower()}{axis}")
            )


def test_an_orient_constraint_turns_a_joint_as_its_target_is_turned(scene):
    constrained(scene, "orientConstraint")
    attach(scene, "Rotate")
    wanted = array(pull(scene, "target.wm[0]"))[:3, :3]
    np.testing.assert_allclose(array(pull(scene, "j.wm[0]"))[:3, :3], wanted, atol=1e-12)
    limit(scene, "j", "X", -0.1, 0.1)
    assert abs(pull(scene, "j.rx")) == 0.1 < abs(pull(scene, "c.crx"))


def test_a_parent_constraint_carries_a_joint_with_an_offset(scene):
    constraint = constrained(scene, "parentConstraint")
    attach(scene, "Rotate", "Translate")
    shift, turn = (0.5, 0.0, -1.0), (0.2, 0.1, 0.0)
    pose(scene, constraint, **{"target[0].targetOffsetTranslate": shift})
    pose(scene, constraint, **{"target[0].targetOffsetRotate": turn})
    offset = np.eye(4)
    offset[:3, :3], offset[3, :3] = turned(turn), shift
    wanted = offset @ array(pull(scene, "target.wm[0]"))
    np.testing.assert_allclose(array(pull(scene, "j.wm[0]")), wanted, atol=1e-12)
