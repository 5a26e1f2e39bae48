"""The stand-in's units, matrices and rotations, against scipy and Maya's documented formulas."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from tests.maya_standin import NotModelledError

ORDERS = ("xyz", "yzx", "zxy", "xzy", "yxz", "zyx")
ANGLES = (0.3, -0.8, 1.9)


def of_scipy(angles, order):
    """Row-vector matrix: the transpose of scipy's, whose extrinsic turns come first to last."""
    rotation = pytest.importorskip("scipy.spatial.transform").Rotation
    named = dict(zip("xyz", angles))
    turn = rotation.from_euler(order, [named[axis] for axis in order])
    return turn.as_matrix().T


def test_units(om, maya):
    assert om.MAngle(180.0, om.MAngle.kDegrees).asRadians() == pytest.approx(math.pi, abs=1e-15)
    assert om.MAngle(math.pi).asDegrees() == pytest.approx(180.0, abs=1e-13)
    assert om.MAngle.internalToUI(math.pi) == pytest.approx(180.0)
    maya.scene.units.angle = "rad"
    assert om.MAngle.internalToUI(math.pi) == math.pi
    assert om.MDistance(1.0, om.MDistance.kInches).asCentimeters() == 2.54
    maya.scene.units.linear = "m"
    assert om.MDistance.uiToInternal(2.0) == 200.0


def test_angle_is_a_number(om):
    for wrong in ("1", None, [1.0]):
        with pytest.raises(TypeError):
            om.MAngle(wrong)


def test_times(om, maya):
    assert om.MTime(1.0).unit == om.MTime.k24FPS, "whatever the scene's rate is (maya.md 2.4)"
    assert om.MTime.uiUnit() == om.MTime.kFilm
    maya.scene.units.time = "ntsc"
    assert om.MTime.uiUnit() == om.MTime.k30FPS
    assert om.MTime(1.0, om.MTime.kSeconds).asUnits(om.MTime.uiUnit()) == 30.0
    maya.scene.units.time = "120fps"
    assert om.MTime.uiUnit() == om.MTime.k120FPS
    assert om.MTime(24.0) == om.MTime(1.0, om.MTime.kSeconds) != om.MTime(25.0)
    assert om.MTime(24.0) < om.MTime(1.5, om.MTime.kSeconds) <= om.MTime(36.0)
    assert (om.MTime(10.0) + om.MTime(1.0, om.MTime.kSeconds)).value == 34.0


def test_whole_frames_stay_whole(om):
    for rate in (om.MTime.k24FPS, om.MTime.k30FPS, om.MTime.k120FPS):
        for frame in range(500):
            seconds = om.MTime(float(frame), rate).asUnits(om.MTime.kSeconds)
            again = om.MTime(seconds, om.MTime.kSeconds).asUnits(rate)
            assert again == pytest.approx(frame, abs=1e-12)


def test_unknown_time_unit(om, maya):
    maya.scene.units.time = "17fps"
    with pytest.raises(NotModelledError):
        om.MTime.uiUnit()


@pytest.mark.parametrize("order", range(6))
def test_euler_matrices(om, order):
    turn = om.MEulerRotation(*ANGLES, order)
    matrix = np.reshape(turn.asMatrix(), (4, 4))
    np.testing.assert_allclose(matrix[:3, :3], of_scipy(ANGLES, ORDERS[order]), atol=1e-15)
    again = om.MEulerRotation.decompose(turn.asMatrix(), order).asMatrix()
    assert again.isEquivalent(turn.asMatrix(), 1e-14)
    through = turn.asQuaternion().asMatrix()
    assert through.isEquivalent(turn.asMatrix(), 1e-14)
    identity = turn.asMatrix() * turn.inverse().asMatrix()
    assert identity.isEquivalent(om.MMatrix(), 1e-14)
    reordered = turn.reorder((order + 1) % 6)
    assert reordered.order != order
    assert reordered.asMatrix().isEquivalent(turn.asMatrix(), 1e-14)


@pytest.mark.parametrize("order", range(6))
@pytest.mark.parametrize("middle", [math.pi / 2, -math.pi / 2])
def test_gimbal_lock(om, order, middle):
    angles = dict(zip(ORDERS[order], (0.4, middle, 0.9)))
    turn = om.MEulerRotation(angles["x"], angles["y"], angles["z"], order)
    again = om.MEulerRotation.decompose(turn.asMatrix(), order).asMatrix()
    assert again.isEquivalent(turn.asMatrix(), 1e-9)


def test_quaternions(om):
    first, second = om.MEulerRotation(*ANGLES), om.MEulerRotation(1.0, 0.2, -2.5)
    product = (first.asQuaternion() * second.asQuaternion()).asMatrix()
    assert product.isEquivalent(first.asMatrix() * second.asMatrix(), 1e-14), "left one first"
    about = om.MQuaternion(0.7, om.MVector(0.0, 1.0, 0.0)).asMatrix()
    assert about.isEquivalent(om.MEulerRotation(0.0, 0.7, 0.0).asMatrix(), 1e-14)
    unit = first.asQuaternion() * first.asQuaternion().inverse()
    assert unit.isEquivalent(om.MQuaternion(), 1e-14)


@pytest.mark.parametrize("axis", ["x", "y", "z"])
@pytest.mark.parametrize("angle", [0.0, 1.0, 3.1, math.pi])
def test_quaternion_of_any_turn(om, axis, angle):
    turn = om.MEulerRotation(*(angle * (axis == name) for name in "xyz"))
    assert turn.asQuaternion().asMatrix().isEquivalent(turn.asMatrix(), 1e-14)


def test_vectors_and_points_are_rows(om):
    matrix = om.MMatrix([0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1])
    assert tuple(om.MVector(1, 0, 0) * matrix) == (0, 1, 0)
    assert tuple(om.MPoint(1, 0, 0) * matrix) == (5, 7, 7, 1)
    assert om.MVector(1, 2, 3) * om.MVector(4, 5, 6) == 32
    assert tuple(om.MVector(1, 0, 0) ^ om.MVector(0, 1, 0)) == (0, 0, 1)
    assert (om.MPoint(1, 2, 2) - om.MPoint.kOrigin).length() == 3


def test_matrix_is_sixteen_numbers(om):
    numbers = [*range(1, 16), 20]
    matrix = om.MMatrix(numbers)
    assert list(matrix) == numbers
    assert len(matrix) == 16
    assert matrix.getElement(1, 2) == 7 == matrix[6]
    assert om.MMatrix([numbers[row : row + 4] for row in range(0, 16, 4)]) == matrix
    with pytest.raises(ValueError, match="sixteen"):
        om.MMatrix(range(9))


def test_transformation_orders_are_one_based(om):
    for order in range(6):
        source = om.MEulerRotation(*ANGLES, order)
        whole = om.MTransformationMatrix().setRotation(source)
        assert whole.rotationOrder() == order + 1
        assert whole.rotation().order == order
        assert whole.rotation().asMatrix().isEquivalent(source.asMatrix(), 1e-14)
    for wrong in (0, 7):
        with pytest.raises(ValueError, match="1 to 6"):
            om.MTransformationMatrix().reorderRotation(wrong)


def test_transformation_takes_apart_and_puts_together(om):
    scale, turn = np.diag([2.0, 3.0, 0.5, 1.0]), om.MEulerRotation(*ANGLES).asMatrix()
    shear = np.eye(4)
    shear[1, 0], shear[2, 0], shear[2, 1] = 0.3, -0.2, 0.1
    place = np.eye(4)
    place[3, :3] = 4.0, 5.0, 6.0
    for stretch in (scale, scale @ shear):
        matrix = om.MMatrix(stretch @ np.reshape(turn, (4, 4)) @ place)
        whole = om.MTransformationMatrix(matrix)
        assert whole.asMatrix().isEquivalent(matrix, 1e-14)
        assert whole.asRotateMatrix().isEquivalent(turn, 1e-14)
        assert tuple(whole.translation(om.MSpace.kTransform)) == (4.0, 5.0, 6.0)
        np.testing.assert_allclose(whole.scale(om.MSpace.kTransform), (2.0, 3.0, 0.5), atol=1e-14)


def test_arrays_hold_one_kind(om):
    times = om.MTimeArray([om.MTime(1.0)])
    assert len(times.append(om.MTime(2.0))) == 2
    for array, wrong in ((om.MTimeArray(), 1.0), (om.MDoubleArray(), "1"), (om.MIntArray(), 1.0)):
        with pytest.raises(TypeError):
            array.append(wrong)
    assert list(om.MDoubleArray([1, 2.5])) == [1.0, 2.5]


def test_what_is_not_modelled(om):
    for thing, name in itertools.product([om, om.MAngle, om.MAngle(1.0)], ["asFurlongs", "kOdd"]):
        with pytest.raises(NotModelledError, match=name):
            getattr(thing, name)
    with pytest.raises(AttributeError):
        om.MAngle(1.0).odd = 1
