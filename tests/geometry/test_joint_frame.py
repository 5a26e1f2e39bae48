"""The Maya joint, compared with naive products, matrices from Maya, and MuJoCo's stacked hinges."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jointlimits_core.geometry import euler, quaternion
from jointlimits_core.geometry.euler import ROTATE_ORDERS, quaternion_from_euler
from tests.support import naive_rotation as naive
from tests.support.rotation_strategies import SHAPES, angle_triples, unit_quaternions
from tests.support.shared_data import shared_path

orders = st.sampled_from(ROTATE_ORDERS)
every_order = pytest.mark.parametrize("order", ROTATE_ORDERS)
several_triples = SHAPES.flatmap(angle_triples)


@pytest.mark.thorough
@given(several_triples, angle_triples(), angle_triples(), orders)
def test_local_is_joint_orient_times_rotate_times_rotate_axis(rotate, orient, axis, order):
    local = euler.local_from_rotate(
        rotate, quaternion_from_euler(orient), quaternion_from_euler(axis), order
    )
    assert local.shape == (*rotate.shape[:-1], 4)
    matrices = quaternion.matrix_from_quaternion(local).reshape(-1, 3, 3)
    for row, matrix in zip(rotate.reshape(-1, 3), matrices):
        # JO * R * RO for column vectors; JO and RO always in the order xyz.
        turned = naive.product(naive.euler_matrix(row, order), naive.euler_matrix(axis, "xyz"))
        expected = naive.product(naive.euler_matrix(orient, "xyz"), turned)
        np.testing.assert_allclose(matrix, expected, rtol=0, atol=2e-14)


@pytest.mark.thorough
@given(several_triples, unit_quaternions(), unit_quaternions(), orders)
def test_round_trip_of_the_local_rotation(rotate, orient, axis, order):
    local = euler.local_from_rotate(rotate, orient, axis, order)
    back = euler.rotate_from_local(local, orient, axis, order)
    assert back.shape == rotate.shape
    again = euler.local_from_rotate(back, orient, axis, order)
    np.testing.assert_allclose(quaternion.angle_between(again, local), 0.0, atol=8e-15)


def test_an_acclaim_bone_is_orient_rotate_and_the_inverse_orient():
    frame = quaternion_from_euler([0.4, -1.1, 2.0])
    rotate = np.array([0.3, 0.2, -0.9])
    local = euler.local_from_rotate(rotate, frame, quaternion.conjugate(frame), "xyz")
    c = naive.euler_matrix([0.4, -1.1, 2.0], "xyz")
    m = naive.euler_matrix(rotate, "xyz")
    expected = naive.product(c, naive.product(m, naive.transpose(c)))
    np.testing.assert_allclose(quaternion.matrix_from_quaternion(local), expected, atol=1e-15)


def test_matrices_that_maya_stored():
    """All six records, row vectors: within 1e-14 (the worst is 2e-15)."""
    records = json.loads(shared_path("oracle/joint_rotate_axis.json").read_text())["records"]
    assert len(records) == 6
    for record in records:
        angles = {k: np.radians(record[k]) for k in ("rotate", "jointOrient", "rotateAxis")}
        local = euler.local_from_rotate(
            angles["rotate"],
            quaternion_from_euler(angles["jointOrient"]),
            quaternion_from_euler(angles["rotateAxis"]),
            ROTATE_ORDERS[record["rotateOrder"]],
        )
        stored = np.array(record["localMatrixRotation"]).T
        found = quaternion.matrix_from_quaternion(local)
        np.testing.assert_allclose(found, stored, rtol=0, atol=1e-14, err_msg=record["joint"])


def stacked_hinges(order, joint_orient, rotate_axis):
    """A body on three hinges, outermost first, and a fixed body on it for the rotateAxis."""
    hinges = "".join(
        f'<joint name="{axis}" type="hinge" axis="{" ".join(str(int(axis == k)) for k in "xyz")}"/>'
        for axis in reversed(order)
    )

    def wxyz(q):
        return " ".join(repr(float(v)) for v in (q[3], q[0], q[1], q[2]))

    return (
        f'<mujoco><compiler angle="radian"/><worldbody><body quat="{wxyz(joint_orient)}">{hinges}'
        f'<geom size="1"/><body name="end" quat="{wxyz(rotate_axis)}"><geom size="1"/></body>'
        "</body></worldbody></mujoco>"
    )


@pytest.mark.thorough
@every_order
def test_mujoco_stacks_three_hinges_to_the_same_rotation(order):
    mujoco = pytest.importorskip("mujoco")
    random = np.random.default_rng(ROTATE_ORDERS.index(order))
    orient, axis = quaternion.normalize(random.normal(size=(2, 4)))
    model = mujoco.MjModel.from_xml_string(stacked_hinges(order, orient, axis))
    data = mujoco.MjData(model)
    where = [int(model.joint(letter).qposadr[0]) for letter in "xyz"]
    quarter = math.pi / 2
    rotates = [*random.uniform(-7, 7, (100, 3)), [quarter] * 3, [-quarter, math.pi, -0.0]]
    for rotate in np.array(rotates):
        data.qpos[where] = rotate
        mujoco.mj_kinematics(model, data)
        found = euler.local_from_rotate(rotate, orient, axis, order)
        np.testing.assert_allclose(
            quaternion.matrix_from_quaternion(found),
            data.body("end").xmat.reshape(3, 3),
            rtol=0,
            atol=1e-14,
        )
