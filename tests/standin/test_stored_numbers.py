"""The stand-in against numbers that Maya itself stored in public scenes and files.

Every case names its scene and what was computed there (oracle/maya_numbers in the shared data).
"""

from __future__ import annotations

import json
from functools import cache
from types import SimpleNamespace

import numpy as np
import pytest

from tests.maya_standin import blends, constraints, matrices
from tests.maya_standin.errors import NotModelledError
from tests.support.shared_data import shared_path

EXPLAINED = {"reproduced", "reproduced_at_gimbal", "reproduced_other_euler_triple"}
ANGLES = {"rotate", "joint_orient", "offset_rotate", "rest_rotate", "last_target_rotate"}
OF_TARGET = {
    "weight": "targetWeight",
    "parent_matrix": "targetParentMatrix",
    "translate": "targetTranslate",
    "rotate_pivot": "targetRotatePivot",
    "rotate_pivot_translate": "targetRotateTranslate",
    "rotate": "targetRotate",
    "rotate_order": "targetRotateOrder",
    "joint_orient": "targetJointOrient",
    "offset_translate": "targetOffsetTranslate",
    "offset_rotate": "targetOffsetRotate",
}
OF_CONSTRAINT = {
    "constraint_parent_inverse_matrix": "constraintParentInverseMatrix",
    "constraint_rotate_order": "constraintRotateOrder",
    "constraint_joint_orient": "constraintJointOrient",
    "constraint_rotate_pivot": "constraintRotatePivot",
    "constraint_rotate_translate": "constraintRotateTranslate",
    "interp_type": "interpType",
    "offset": "offset",
}
THREE = (0.0, 0.0, 0.0)


@cache
def cases(kind):
    found = json.loads(shared_path("oracle/maya_numbers/constraints.json").read_text())["cases"]
    return [case for case in found if case["type"] == kind]


class Stored:
    """Values of a constraint's plugs as a case has them, in Maya's internal units."""

    def __init__(self, case, last=THREE):
        kind, given = case["type"], case["inputs"]
        self.scene = SimpleNamespace(connected_paths=lambda node: ())
        self.node = SimpleNamespace(
            name=case["id"], indices=lambda path: [one["index"] for one in given["targets"]]
        )
        self.values = {
            "lastTargetRotate": np.radians(last),
            "offset": THREE,
            "constraintRotatePivot": THREE,
            "constraintRotateTranslate": THREE,
        }
        for name, path in OF_CONSTRAINT.items():
            if given.get(name) is not None:
                angle = name.endswith("orient") or (name == "offset" and kind[:5] != "point")
                self.values[path] = self.internal(given[name], angle)
        for name, value in zip("XYZ", given.get("rest_translate", THREE)):
            self.values[f"restTranslate{name}"] = value
        for one in given["targets"]:
            values = {"targetScale": (1.0, 1.0, 1.0), "targetOffsetRotate": THREE}
            values.update(targetOffsetTranslate=THREE, targetJointOrient=THREE)
            for name, path in OF_TARGET.items():
                if name in one:
                    values[path] = self.internal(one[name], name in ANGLES)
            values["targetScale"] = one.get("scale", (1.0, 1.0, 1.0))
            self.values.update({f"target[{one['index']}].{k}": v for k, v in values.items()})

    @staticmethod
    def internal(value, angle):
        if isinstance(value, list) and isinstance(value[0], list):
            return tuple(number for row in value for number in row)
        return tuple(np.radians(value)) if angle else value

    def at(self, node, path):
        return self.values[path]

    def keep(self, plug, value):
        """Nothing: each axis is computed by itself."""


def rotation_of(case, *, last=THREE):
    """Angles in degrees that the stand-in gives before the offset, as `.lr` has them."""
    stored = Stored(case, last)
    if case["type"] == "orientConstraint":
        stored.values["offset"] = THREE
    compute = getattr(constraints, case["type"][: -len("Constraint")])
    found = [compute(stored, stored.node, f"constraintRotate{axis}") for axis in "XYZ"]
    return np.degrees(found)


def differences(kind, status, **options):
    found = {}
    for case in cases(kind):
        if case["status"] in status and "last_target_rotate" in case["expected"]:
            wanted = np.array(case["expected"]["last_target_rotate"])
            found[case["id"]] = np.abs(rotation_of(case, **options) - wanted).max()
    return found


@pytest.mark.thorough
@pytest.mark.parametrize(("kind", "count"), [("orientConstraint", 134), ("parentConstraint", 368)])
def test_every_explained_rotation_is_the_stored_triple(kind, count):
    """From zero, all but one; that one remembers an earlier triple, which its file keeps."""
    found = differences(kind, EXPLAINED)
    assert len(found) == count
    wrong = {name for name, amount in found.items() if not amount < 1e-4}
    assert wrong <= {"c0619"}
    for case in (one for one in cases(kind) if one["id"] in wrong):
        stored = case["expected"]["last_target_rotate"]
        assert np.abs(rotation_of(case, last=stored) - stored).max() < 1e-4


def test_a_triple_is_taken_near_the_last_one_full_turns_included():
    case = next(one for one in cases("orientConstraint") if one["status"] == "reproduced")
    near_zero = rotation_of(case)
    for turns in ((1, 0, 0), (0, -2, 1), (3, 0, -1)):
        shifted = near_zero + 360.0 * np.array(turns)
        np.testing.assert_allclose(rotation_of(case, last=shifted + 5.0), shifted, atol=1e-9)


def test_places_are_those_at_rest():
    """Of point constraints that rest, 120; of those at work, the channels that are connected."""
    count = 0
    for case in cases("pointConstraint"):
        stored = Stored(case)
        place = [constraints.point(stored, stored.node, f"constraintTranslate{a}") for a in "XYZ"]
        expected = case["expected"]
        wanted = expected.get("rest_translate_equals_result") or expected["driven_translate_stored"]
        channels = expected.get("driven_translate_connected", ["tx", "ty", "tz"])
        for channel in channels:
            axis = "xyz".index(channel[1])
            assert abs(place[axis] - wanted[axis]) < 1e-4 * max(1.0, abs(wanted[axis])), case["id"]
        count += 1
    assert count == 123


def test_what_no_number_settles_is_refused():
    case = next(one for one in cases("orientConstraint") if len(one["inputs"]["targets"]) == 2)
    stored = Stored(case)
    stored.values["interpType"] = 0
    for target in case["inputs"]["targets"]:
        stored.values[f"target[{target['index']}].targetWeight"] = 0.5
    with pytest.raises(NotModelledError, match="no stored number"):
        constraints.orient(stored, stored.node, "constraintRotateX")


def layer_file(name):
    """The file of layers with that in its name, and a node's angles on a layer at a frame."""
    document = json.loads(shared_path("oracle/maya_numbers/layers.json").read_text())
    (found,) = [one for one in document["samples"] if name in one["source"]]

    def angles(node, layer, frame):
        values = found["layers"][layer]["values"]
        (one,) = [v for v in values if (v["node"], v["property"]) == (node, "Lcl Rotation")]
        return np.radians(one["at_frames"][frame])

    return found, angles


def layer_sum(below, layer, kept, weight):
    values = {"inputA": below, "inputB": layer, "weightA": kept, "weightB": weight}
    evaluator = SimpleNamespace(at=lambda node, path: values[path])
    return blends._by_layer(evaluator, None)


def same_rotation(angles, order, xyzw, tolerance_deg):
    w, *xyz = matrices.quaternion(matrices.rotation(angles, order))
    cosine = min(1.0, abs(float(np.dot((*xyz, w), xyzw))))
    return np.degrees(2.0 * np.arccos(cosine)) < tolerance_deg


def test_an_override_layer_is_a_slerp_of_xyz_angles_in_every_rotate_order():
    found, angles = layer_file("over_acc_orders")
    weight = found["layers"][2]["weight_static"]
    channels = []
    for node in found["nodes"]:
        name, order = node["name"], matrices.ORDERS.index(node["rotation_order"])
        below, layer = (angles(name, index, "18") for index in (1, 2))
        channels.append(layer_sum(below, layer, 1.0 - weight, weight))
        wanted = node["maya_obj_at_frames"]["18"]["rotation_xyzw"]
        assert same_rotation(channels[-1], order, wanted, 1e-4)
    assert len(channels) >= 3
    stored = (-32.7614, 87.1442, 11.8225)
    np.testing.assert_allclose(np.degrees(channels), [stored] * len(channels), atol=1e-4)


def test_an_additive_layer_turns_first():
    found, angles = layer_file("layers_acc_7500")
    (node,) = found["nodes"]
    below, layer = (angles(node["name"], index, "24") for index in (1, 2))
    wanted = node["ufbx_at_frames"]["24"]["rotation_xyzw"]
    assert same_rotation(layer_sum(below, layer, 1.0, 1.0), 0, wanted, 1e-4)
