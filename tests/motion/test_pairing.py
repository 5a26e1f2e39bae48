"""Left and right partners, by name and place; how channels mirror."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.euler import ROTATE_ORDERS, axes_of, quaternion_from_euler
from jointlimits_core.geometry.quaternion import (
    conjugate,
    matrix_from_quaternion,
    multiply,
    normalize,
    quaternion_from_matrix,
)
from jointlimits_core.motion.joint_names import side_readings
from jointlimits_core.motion.mirror import (
    ALONE,
    SIGNS,
    MirrorPlane,
    mirror_plane,
    mirror_signs,
    pair_joints,
    partners,
    signs_from_ranges,
)
from jointlimits_core.motion.skeleton import Skeleton
from tests.support.shared_data import shared_path

NAMING_SCHEMES = {
    ("Left", "Right"): (
        *("{}Arm", "{}HandIndex1", "mixamorig:{}UpLeg", "char:rig:{}UpLeg"),
        *("mGear_Mocap_interface_{}Leg", "Character1_{}ForeArm"),
    ),
    ("left", "right"): ("{}_knee_joint", "bind:{}_scapula_joint", "arm{}", "{}arm"),
    ("L", "R"): (
        *("{}_Arm", "thigh.{}", "{}Fingers", "{}HipJoint", "Bip01 {} Thigh", "Bip001 {} Finger01"),
        *("JNT_index_01_{}", "arm{}", "{}ARM", "|rig|{0}_arm|{0}_hand"),
    ),
    ("l", "r"): ("arm_{}", "thigh.{}.001", "{}femur", "{}hand", "{}Collar", "|rig|arm_{}|hand"),
    ("lf", "rt"): ("{}_wrist",),
    ("左", "右"): ("{}腕",),
}
"""Names by the words of both sides."""


@pytest.mark.parametrize(
    ("sides", "name"), [(sides, name) for sides, every in NAMING_SCHEMES.items() for name in every]
)
def test_naming_schemes(sides, name):
    left, right = (name.format(side) for side in sides)
    names = ["root", left, "spine", "lowerback", right, "head"]
    assert partners(names).tolist() == [ALONE, 4, ALONE, ALONE, 1, ALONE]
    assert "left" in {reading.side for reading in side_readings(left)}


@pytest.mark.parametrize(
    "names",
    [
        ["root", "lowerback", "neck", "leg", "rib"],
        ["LeftArm", "LeftLeg", "RightHand"],
        ["L_arm", "L_Arm", "R_arm"],  # two lefts of one name: which one?
        ["joint1", "joint2", "joint3"],
        ["char_l:spine", "char_r:spine"],  # a namespace is not a side
        ["", "|", ":", "123"],
    ],
)
def test_names_without_partners(names):
    assert (partners(names) == ALONE).all()


@pytest.mark.thorough
def test_endless_names_have_no_partners():
    long = ["l" * 10**6, "r1l2" * 10**5, "A" * 10**6, "L_" * 10**5]
    assert (partners(long) == ALONE).all()


@pytest.mark.thorough
@given(st.lists(st.text(max_size=12), max_size=12, unique=True))
def test_partners_are_mutual_for_any_names(names):
    found = partners(names)
    for index, other in enumerate(found.tolist()):
        assert other == ALONE or found[other] == index != other


def tree(names, parents, places):
    """Skeleton of unrotated joints at world places."""
    places = np.asarray(places, float)
    above = [np.zeros(3) if parent < 0 else places[parent] for parent in parents]
    return Skeleton(tuple(names), parents, offsets=places - above)


ARMS = (
    (-1, 0, 1, 0, 3, 0),
    [(0, 10, 0), (2, 14, 0), (6, 14, 1), (-2, 14, 0), (-6, 14, 1), (0, 18, 0)],
)


def test_pairs_by_place_where_names_say_nothing():
    skeleton = tree(["j0", "j1", "j2", "j3", "j4", "j5"], *ARMS)
    pairs = pair_joints(skeleton)
    assert [(p.left, p.right, p.how) for p in pairs] == [
        ("j1", "j3", "geometry"),
        ("j2", "j4", "geometry"),
    ]
    assert all(p.mirror_error == pytest.approx(0.0, abs=1e-12) for p in pairs)


def test_names_then_places_below_them():
    skeleton = tree(["root", "L_arm", "a", "R_arm", "b", "head"], *ARMS)
    how = {(p.left, p.right): p.how for p in pair_joints(skeleton)}
    assert how == {("L_arm", "R_arm"): "name", ("a", "b"): "geometry"}


def test_glued_sides_need_related_parents():
    names = ["root", "lip", "x", "y", "rip"]
    skeleton = Skeleton(tuple(names), [-1, 0, 0, 2, 3])
    assert pair_joints(skeleton) == ()
    assert len(pair_joints(Skeleton(tuple(names), [-1, 0, 0, 2, 0]))) == 1


def test_a_wrong_place_is_reported():
    parents, places = ARMS
    moved = [*places[:4], (-9, 10, 3), places[5]]
    skeleton = tree(["root", "L_arm", "L_hand", "R_arm", "R_hand", "head"], parents, moved)
    errors = {p.left: p.mirror_error for p in pair_joints(skeleton)}
    assert errors["L_hand"] > 0.1


def naive_mirrored_rotation(skeleton, left, right, rotation, normal):
    """Local rotation of the right joint in the mirror image of a pose of the left one.

    Parents are at rest. By matrices: reflect the world rotation away from rest.
    """
    worlds = skeleton.rest_world_matrices()[:, :3, :3]
    reflection = np.eye(3) - 2.0 * np.outer(normal, normal)
    parent = skeleton.parents
    above_left = worlds[parent[left]] if parent[left] >= 0 else np.eye(3)
    above_right = worlds[parent[right]] if parent[right] >= 0 else np.eye(3)
    away = above_left @ matrix_from_quaternion(rotation) @ worlds[left].T
    world = reflection @ away @ reflection @ worlds[right]
    return quaternion_from_matrix(above_right.T @ world)


def mirrored_rig(orient, signs):
    """Two joints whose frames mirror each other with the given signs, across x."""
    quaternion = normalize(np.asarray(orient, float))
    turn = np.array([1.0, 0.0, 0.0, 0.0])  # the half turn about x
    change = np.eye(4)[SIGNS.index(signs)]
    other = multiply(turn, multiply(quaternion, conjugate(change)))
    orients = np.stack([(0, 0, 0, 1), quaternion, other])
    offsets = [(0, 1, 0), (2, 0, 0), (-2, 0, 0)]
    return Skeleton(
        ("root", "L_arm", "R_arm"),
        [-1, 0, 0],
        offsets=offsets,
        joint_orients=orients,
        rest_rotations=orients,
    )


@pytest.mark.thorough
@pytest.mark.parametrize("signs", SIGNS)
@given(
    st.lists(st.floats(-1, 1), min_size=4, max_size=4).filter(lambda q: np.linalg.norm(q) > 0.1),
    st.lists(st.floats(-60, 60), min_size=3, max_size=3),
)
def test_signs_give_the_mirror_image(signs, orient, angles):
    skeleton = mirrored_rig(orient, signs)
    pairs = pair_joints(skeleton)
    (mirror,) = mirror_signs(skeleton, pairs, mirror_plane(skeleton, pairs))
    assert mirror.signs == signs
    assert mirror.source == "rest pose"
    assert mirror.off_deg == pytest.approx(0.0, abs=1e-4)
    turn = quaternion_from_euler(np.radians(angles))
    left = multiply(skeleton.joint_orients[1], turn)
    other = quaternion_from_euler(np.radians(angles) * np.array(signs))
    right = multiply(skeleton.joint_orients[2], other)
    wanted = naive_mirrored_rotation(skeleton, 1, 2, left, (1.0, 0.0, 0.0))
    assert abs(float(right @ wanted)) == pytest.approx(1.0, abs=1e-9)


@pytest.mark.thorough
@pytest.mark.parametrize("order", ROTATE_ORDERS)
@pytest.mark.parametrize("half", range(3))
@pytest.mark.parametrize("signs", SIGNS)
def test_a_frame_that_is_half_a_turn_off_gives_offsets(signs, half, order):
    """At rest the right joint is turned by half about a channel: values of the other side."""
    turned = np.eye(4)[half]
    plain = mirrored_rig((0.2, -0.3, 0.5, 0.8), signs)
    rests = plain.rest_rotations.copy()
    rests[2] = multiply(rests[2], turned)
    skeleton = replace(plain, rest_rotations=rests, rotate_orders=("xyz", order, order))
    pairs = pair_joints(skeleton)
    (mirror,) = mirror_signs(skeleton, pairs, mirror_plane(skeleton, pairs))
    assert mirror.off_deg == pytest.approx(0.0, abs=1e-4)
    assert sorted(set(mirror.offsets_deg)) == [0.0, 180.0]
    assert mirror.offsets_deg[axes_of(order)[1]] == 0.0

    corners = np.array(list(product((-60.0, 0.0, 60.0), repeat=3)))
    angles = np.concatenate([corners, np.random.default_rng(0).uniform(-60.0, 60.0, (73, 3))])
    left = multiply(skeleton.joint_orients[1], quaternion_from_euler(np.radians(angles), order))
    values = angles * mirror.signs + mirror.offsets_deg
    right = multiply(skeleton.joint_orients[2], quaternion_from_euler(np.radians(values), order))
    wanted = naive_mirrored_rotation(skeleton, 1, 2, left, (1.0, 0.0, 0.0))
    np.testing.assert_allclose(np.abs(np.sum(right * wanted, axis=1)), 1.0, atol=1e-9)


def test_frames_that_do_not_mirror_are_doubtful():
    skeleton = mirrored_rig((0.2, 0.3, 0.1, 0.9), (1, 1, 1))
    twisted = skeleton.joint_orients.copy()
    twisted[2] = multiply(twisted[2], quaternion_from_euler(np.radians([40.0, 0.0, 0.0])))
    other = replace(skeleton, joint_orients=twisted, rest_rotations=twisted)
    pairs = pair_joints(other)
    (mirror,) = mirror_signs(other, pairs, MirrorPlane((1.0, 0.0, 0.0), 0.0))
    assert not mirror.sure
    assert mirror.off_deg == pytest.approx(40.0, abs=1e-6)


def test_signs_from_ranges():
    left = [(-10.0, 80.0), (-5.0, 30.0), (0.0, 60.0)]
    for signs in SIGNS:
        right = [(a, b) if s > 0 else (-b, -a) for s, (a, b) in zip(signs, left)]
        found = signs_from_ranges(left, right)
        assert found.signs == signs
        assert found.sure
    even = [(-10.0, 10.0), (-20.0, 20.0), (np.nan, np.nan)]
    assert not signs_from_ranges(even, even).sure


EXPECTED = {
    "maya/nlol/nlol_rig_unreal_skeleton.ma": (37, (1, 1, 1)),
    "maya/mgear/MOCAP_interface_01.ma": (28, (1, -1, -1)),
    "maya/mayausd/UsdExportSkeletonSegfaultTest.ma": (9, (1, 1, 1)),
    "mocap/other_bvh/test_freebvh.bvh": (24, (1, -1, -1)),
    "mocap/cmu_bvh/10_03.bvh": (19, (1, -1, -1)),
    "mocap/cmu_bvh/131_01.bvh": (12, (1, -1, -1)),
}


@pytest.mark.thorough
@pytest.mark.parametrize("path", EXPECTED)
def test_real_skeletons(path):
    skeleton = read_motion(shared_path(f"data/{path}")).skeleton
    pairs = pair_joints(skeleton)
    count, signs = EXPECTED[path]
    assert len(pairs) == count
    mirrors = mirror_signs(skeleton, pairs, mirror_plane(skeleton, pairs))
    assert {mirror.signs for mirror in mirrors} == {signs}
    assert all(mirror.sure for mirror in mirrors)
    assert abs(mirror_plane(skeleton, pairs).normal[0]) > 0.99
