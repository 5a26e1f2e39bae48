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


def scipy_turn(angles, order=0):
    """Row-vector 3x3 rotation by scipy: lower case letters turn about fixed axes, in order."""
    letters = m.ORDERS[order]
    turn = pytest.importorskip("scipy.spatial.transform").Rotation
    return turn.from_euler(letters, [angles["xyz".index(x)] for x in letters]).as_matrix().T


def pose(scene, node, **values):
    for attribute, value in values.items():
        scene.set_value(scene.plug_of(node, attribute), value)


def pull(scene, text, seconds=None):
    return scene.evaluator.value(scene.plug(text), seconds)


def key_line(scene, channel, kind="TA", first=0.0, last=1.0):
    """A line from one value to another between the seconds 0 and 1, into a channel."""
    curve = scene.create_node(f"animCurve{kind}", channel.replace(".", "_").rpartition("|")[2])
    scene.set_keys(curve, Keys((0.0, 1.0), (first, last), (2, 2), (2, 2)))
    scene.connect(Plug(curve, "output"), scene.plug(channel))
    return curve


# --- matrices -----------------------------------------------------------------------------------


@pytest.mark.thorough
@given(ANGLES, st.sampled_from(ORDERS))
def test_rotations_of_all_orders_are_those_of_scipy(angles, order):
    expected = scipy_turn(angles, order)
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


def test_a_transform_turns_about_its_pivots(scene):
    node = scene.create_node("transform", "t")
    pose(scene, node, rotatePivot=(1.0, 2.0, 3.0), rotate=(0.0, 0.0, pi / 2))
    pose(scene, node, scalePivot=(1.0, 2.0, 3.0), scale=(2.0, 1.0, 1.0))
    pose(scene, node, translate=(10.0, 0.0, 0.0), rotatePivotTranslate=(0.0, 0.0, 5.0))
    matrix = array(pull(scene, "t.matrix"))
    # The pivot only moves with the node; one unit beside it is scaled and turned about it.
    np.testing.assert_allclose([1, 2, 3, 1] @ matrix, [11, 2, 8, 1], atol=1e-14)
    np.testing.assert_allclose([2, 2, 3, 1] @ matrix, [11, 4, 8, 1], atol=1e-14)


# --- curves and time ----------------------------------------------------------------------------


def test_a_value_set_on_a_keyed_channel_stays_until_the_time_changes(scene):
    scene.create_node("joint", "j")
    key_line(scene, "j.rx")
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
    curve = key_line(scene, "j.rx")
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
    curve = key_line(scene, "j.rx", last=radians(90.0))
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


# --- conversions, blends, layers ------------------------------------------------------------------


def add_layer(scene, **layer_values):
    """j.rotate from a layer's blend: 0.1 to 0.5 below it and 0.2 in it, all axes."""
    layer = scene.create_node("animLayer", "layer")
    blend = scene.create_node("animBlendNodeAdditiveRotation", "blend")
    scene.create_node("joint", "j")
    pose(scene, layer, **layer_values)
    for axis in "XYZ":
        key_line(scene, f"blend.inputA{axis}", first=0.1, last=0.5)
        key_line(scene, f"blend.inputB{axis}", first=0.2, last=0.2)
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
    add_layer(scene, **values)
    assert pull(scene, "j.r", 1.0) == pytest.approx((expected,) * 3, abs=1e-15)


def test_what_blends_cannot_do_is_reported(scene):
    blend = add_layer(scene)
    pose(scene, blend, rotationInterpolation=1)
    with pytest.raises(NotModelledError, match="quaternions"):
        pull(scene, "j.rx", 1.0)
    pose(scene, blend, rotationInterpolation=0)
    pose(scene, scene.node("layer"), solo=True)
    with pytest.raises(NotModelledError, match="solo"):
        pull(scene, "j.rx", 1.0)
