"""A formula gives the same numbers whatever the size and the order of what it is applied to."""

from __future__ import annotations

import numpy as np
import pytest

from jointlimits_core.geometry import arrays
from jointlimits_core.geometry.euler import euler_from_quaternion, quaternion_from_euler
from jointlimits_core.geometry.quaternion import (
    matrix_from_quaternion,
    multiply,
    normalized,
    rotated,
    rotation_vector_from_quaternion,
)

FORMULAS = {
    "multiply": lambda q, p: multiply(q, p),
    "rotated": lambda q, p: rotated(q, p[..., :3]),
    "log": lambda q, p: rotation_vector_from_quaternion(multiply(q, p)),
    "matrix": lambda q, p: matrix_from_quaternion(multiply(q, p)),
    "euler": lambda q, p: euler_from_quaternion(multiply(q, p), "yxz"),
    "from euler": lambda q, p: quaternion_from_euler(multiply(q, p)[..., :3], "zyx"),
}
SHAPES = [
    ((), ()),
    ((0,), (1,)),
    ((0, 2), (0, 1)),
    ((61,), (61,)),
    ((3, 40), (40,)),
    ((5, 1), (1, 33)),
    ((), (2, 3, 7)),
    ((50, 2), (50, 2)),
    ((8, 4), (8, 4)),
    ((150,), (150,)),
]


@pytest.mark.parametrize("name", FORMULAS)
@pytest.mark.parametrize(("first", "second"), SHAPES)
def test_pieces_and_single_rotations_give_the_same_bits(name, first, second, monkeypatch):
    random = np.random.default_rng(3)
    q, p = (normalized(random.normal(size=(*shape, 4))) for shape in (first, second))
    whole = FORMULAS[name](q, p)
    for constant, size in (("BLOCK", 7), ("MANY", 90), ("LARGE_BLOCK", 19)):
        monkeypatch.setattr(arrays, constant, size)
    in_pieces = FORMULAS[name](q, p)
    joint_major = np.moveaxis(np.ascontiguousarray(np.moveaxis(q, -1, 0)), 0, -1)
    rows = FORMULAS[name](joint_major, p)
    leading = np.broadcast_shapes(first, second)
    a, b = np.broadcast_to(q, (*leading, 4)), np.broadcast_to(p, (*leading, 4))
    one_by_one = [FORMULAS[name](a[place], b[place]) for place in np.ndindex(leading)]
    assert whole.shape[: len(leading)] == leading
    assert whole.tobytes() == in_pieces.tobytes() == rows.tobytes()
    np.testing.assert_allclose(whole.reshape(-1), np.ravel(one_by_one), rtol=0, atol=1e-15)
