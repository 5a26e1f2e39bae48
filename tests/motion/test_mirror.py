"""Mirror planes, partners by place, and the maps of channels, against plain code."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from jointlimits_core.geometry.euler import ROTATE_ORDERS, quaternion_from_euler
from jointlimits_core.motion.mirror import (
    ALONE,
    SIGNS,
    JointPair,
    MirrorPlane,
    is_mirrored,
    mirror_frames,
    mirror_plane,
    mirror_signs,
    pair_joints,
    partners,
    signs_from_ranges,
)
from jointlimits_core.motion.skeleton import Skeleton
from tests.motion import test_pairing

SIZE = 300.0
SAME_PLACE = 0.02


def flat(names, places, parents=None):
    """Skeleton of unrotated joints at world places, by default all below the first."""
    places = np.asarray(places, float)
    parents = [-1, *[0] * (len(places) - 1)] if parents is None else parents
    above = [np.zeros(3) if parent < 0 else places[parent] for parent in parents]
    return Skeleton(tuple(names), parents, offsets=places - above)


def found(skeleton):
    return {(pair.left, pair.right) for pair in pair_joints(skeleton)}


def reflected(points, normal, distance):
    return np.array([p + 2.0 * (distance - p @ normal) * normal for p in points])


@pytest.mark.parametrize("seed", range(4))
def test_a_wrong_pair_does_not_tilt_the_plane_and_the_normal_points_to_the_left(seed):
    random = np.random.default_rng(seed)
    normal = random.normal(size=3)
    normal /= np.linalg.norm(normal)
    points = random.normal(size=(8, 3)) * SIZE / 4.0
    distance = 40.0
    left = points + (distance + 30.0 - points @ normal)[:, None] * normal
    left += random.uniform(0.0, 60.0, (8, 1)) * normal
    right = reflected(left, normal, distance)
    np.testing.assert_allclose(MirrorPlane(tuple(normal), distance).mirrored(left), right)
    right[5] += SIZE * np.cross(normal, points[0]) / np.linalg.norm(points[0])
    names = ["root", *(f"{side}_{n}x" for n in range(8) for side in "LR")]
    places = np.stack([left, right], axis=1).reshape(-1, 3)
    skeleton = flat(names, [[0.0, 0.0, 0.0], *places])
    pairs = pair_joints(skeleton)
    plane = mirror_plane(skeleton, pairs)
    assert plane.normal @ normal > 0.9999
    assert plane.distance == pytest.approx(distance, abs=1.0)
    size = np.linalg.norm(np.ptp([[0.0, 0.0, 0.0], *places], axis=0))
    for pair in pairs:
        one, other = (places[names.index(name) - 1] for name in (pair.left, pair.right))
        off = np.linalg.norm(plane.mirrored(one) - other) / size
        assert pair.mirror_error == pytest.approx(off)
    assert is_mirrored(skeleton, pairs, plane) is True
    assert is_mirrored(skeleton, pairs, MirrorPlane(plane.normal, distance + SIZE)) is False
    assert is_mirrored(skeleton, pairs, MirrorPlane((1.0, 0.0, 0.0), distance)) is False


def test_joints_above_the_body_do_not_count_for_its_size():
    """The hips branch; a still root may lie far below them."""
    body = [[0, 0, 0], [2, 5, 0], [-2, 5, 0], [2, 9, 0], [-2, 8, 0]]
    names, parents = ["hips", "L_a", "R_a", "L_b", "R_b"], [-1, 0, 0, 1, 2]
    alone = flat(names, body, parents)
    above = [[0, -400, 300], [0, -100, 0]]
    below = flat(["root", "world", *names], [*above, *body], [-1, 0, 1, 2, 2, 3, 4])
    assert pair_joints(below) == pair_joints(alone)
    chain = flat(["root", "L_a", "R_a"], [[0, 0, 0], [1, 0, 0], [-1, 0, 0]], [-1, 0, 1])
    (pair,) = pair_joints(chain)
    assert pair.mirror_error == pytest.approx(0.0)


@pytest.mark.parametrize("scale", [1e-3, 1e3])
def test_the_unit_of_length_tilts_no_plane(scale):
    """Five pairs lie straight across, the sixth is off by 45 degrees."""
    sides = [(x, float(n), 0.0) for n in range(5) for x in (1.0, -1.0)]
    names = ["root", *(f"{side}_{n}x" for n in range(6) for side in "LR")]
    skeleton = flat(names, np.array([(0, 0, 0), *sides, (1, 5, 0), (-1, 3, 0)]) * scale)
    plane = mirror_plane(skeleton, pair_joints(skeleton))
    assert plane.normal[0] > 0.9999


@pytest.mark.parametrize("left", [1.0, -1.0])
def test_the_normal_points_to_the_left_of_the_wide_pair_and_of_a_narrow_one_if_alone(left):
    crossed = [[0, 0, 0], [5, 1, 0], [-5, 1, 0], [-0.05, 2, 0], [0.05, 2, 0]]
    narrow = [[0, 0, 0], [0.5, 1, 0], [-0.5, 1, 0], [0, 1e4, 0]]
    for places in (crossed, narrow):
        names = ["root", "L_a", "R_a", "L_b", "R_b"][: len(places)]
        skeleton = flat(names, np.array(places) * [left, 1.0, 1.0])
        plane = mirror_plane(skeleton, pair_joints(skeleton))
        np.testing.assert_allclose(plane.normal, [left, 0.0, 0.0], atol=1e-12)


def test_pairs_that_are_together_have_no_plane():
    """Relative to the size: five thousandths of ten thousand are the same place."""
    skeleton = flat(
        ["root", "L_a", "R_a", "end"], [[0, 0, 0], [0.005, 1, 0], [0, 1, 0], [0, 1e4, 0]]
    )
    assert mirror_plane(skeleton, pair_joints(skeleton)) is None


def mutual_by_trying(places, images, size):
    """Pairs of indices that are each other's nearest mirror image."""
    pairs = set()
    for a, image in enumerate(images):
        apart = [np.linalg.norm(image - place) for place in places]
        b = int(np.argmin(apart))
        back = [np.linalg.norm(other - places[b]) for other in images]
        if int(np.argmin(back)) != a or a == b or places[a][0] < places[b][0]:
            continue
        if apart[b] < min(SAME_PLACE * size, apart[a]):
            pairs.add((a, b))
    return pairs


@pytest.mark.parametrize("seed", range(12))
def test_partners_by_place_are_mutual_nearest_mirror_images(seed):
    random = np.random.default_rng(seed)
    scale = (1.0, SIZE)[seed % 2]
    half = random.normal(size=(10, 3)) * [0.3, 0.5, 0.2]
    images = reflected(half, np.array([1.0, 0.0, 0.0]), 0.5)
    near = images + random.normal(size=(10, 3)) * 0.03
    middle = random.normal([0.5, 0.0, 0.0], [0.02, 0.05, 0.02], (8, 3))
    places = random.permutation([*half, *near, *middle]) * scale
    wide = np.array([[0.0, 0.0, 0.0], [2.5, 0.0, 0.3], [-1.5, 0.0, 0.3]]) * scale
    names = ["root", "L_a", "R_a", *(f"n{n}" for n in range(len(places)))]
    skeleton = flat(names, [*wide, *places])
    size = np.linalg.norm(np.ptp([*wide, *places], axis=0))
    mirrored = reflected(places, np.array([1.0, 0.0, 0.0]), 0.5 * scale)
    wide_pairs = {(f"n{a}", f"n{b}") for a, b in mutual_by_trying(places, mirrored, size)}
    assert 2 < len(wide_pairs) < 14
    assert found(skeleton) == {("L_a", "R_a"), *wide_pairs}


def test_families_of_two_of_many_and_of_roots_find_partners():
    two = flat(["root", "a", "b"], [[0, 0, 0], [-1, 1, 0], [1, 1, 0]])
    assert found(two) == {("b", "a")}
    half = np.random.default_rng(0).uniform(0.1, 1.0, (40, 3))
    many = flat(["root", *(f"n{n}" for n in range(80))], [[0, 0, 0], *half, *half * [-1, 1, 1]])
    assert found(many) == {(f"n{n}", f"n{n + 40}") for n in range(40)}
    places = [[2, 0, 0], [-2, 0, 0], [3, 1, 0], [-3, 1, 0]]
    below = flat(["L_a", "R_a", "c", "d"], places, [-1, -1, 0, 1])
    assert found(below) == {("L_a", "R_a"), ("c", "d")}
    roots = flat(["o", "a", "b"], [[0, 0, 0], [2, 0, 0], [-2, 0, 0]], [-1, -1, -1])
    assert found(roots) == {("a", "b")}


def test_children_of_partners_find_each_other_in_any_order():
    half = [[2, 1, 0], [3, 2, 0], [4, 3, 0]]
    other = [[-x, y, z] for x, y, z in half]
    places = [[2, 0, 0], [-2, 0, 0], *half, *other[1:], other[0]]
    skeleton = flat(["L_a", "R_a", *"bcdefg"], places, [-1, -1, 0, 0, 0, 1, 1, 1])
    assert found(skeleton) == {("L_a", "R_a"), ("b", "g"), ("c", "e"), ("d", "f")}


@pytest.mark.parametrize("scale", [0.01, 100.0])
def test_a_child_nearer_to_its_own_image_than_to_the_other_has_no_partner(scale):
    """Both are all but on the plane, one a little higher; on their own sides they are partners."""
    for off, paired in ((0.001, False), (0.1, True)):
        places = np.array([[2, 0, 0], [-2, 0, 0], [off, 1, 0], [-off, 1.03, 0]])
        skeleton = flat(["L_a", "R_a", "b", "c"], places * scale, [-1, -1, 0, 1])
        assert (("b", "c") in found(skeleton)) is paired


@pytest.mark.parametrize("above", list(product((-1, 0, 1, 2), repeat=2)))
def test_attached_sides_are_of_one_parent_or_of_partners(above):
    skeleton = Skeleton(("L_a", "R_a", "spine", "lip", "rip"), [-1, -1, -1, *above])
    related = above[0] == above[1] or set(above) == {0, 1}
    assert (("lip", "rip") in found(skeleton)) is related


def test_a_root_has_no_parent_that_could_be_a_partner():
    assert found(Skeleton(("lip", "L_a", "rip", "R_a"), [-1, -1, 1, -1])) == {("L_a", "R_a")}


def test_partners_of_given_pairs_are_those_among_the_names():
    pairs = [JointPair("b", "c", "name", None), JointPair("a", "x", "name", None)]
    assert partners(["a", "b", "c"], pairs).tolist() == [ALONE, 2, 1]
    assert partners(["c", "b"], pairs).tolist() == [1, 0]
    assert mirror_signs(Skeleton(("a",), [-1]), (), MirrorPlane((1.0, 0.0, 0.0), 0.0)) == ()


@pytest.mark.parametrize("scales", [(100.0,) * 3, (0.01,) * 3, (-2.0,) * 3, (1.0, 2.0, 3.0)])
def test_scales_turn_no_frame(scales):
    random = np.random.default_rng(3)
    turns = quaternion_from_euler(random.uniform(-1.0, 1.0, (3, 3)))
    plain = Skeleton(
        ("root", "L_arm", "R_arm"),
        [-1, 0, 0],
        offsets=[(0, 1, 0), (2, 0, 0), (-2, 0, 0)],
        joint_orients=turns,
        rest_rotations=turns,
    )
    plane, pairs = MirrorPlane((1.0, 0.0, 0.0), 0.0), pair_joints(plain)
    scaled = replace(plain, scales=np.array([[1.0] * 3, scales, scales]))
    for one, other in zip(mirror_frames(plain, pairs, plane), mirror_frames(scaled, pairs, plane)):
        assert abs(np.sum(one * other)) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("order", ROTATE_ORDERS)
def test_maps_give_the_mirror_image_for_every_order(order):
    """As the long tests do."""
    for signs, half in product(SIGNS, range(3)):
        test_pairing.test_a_frame_that_is_half_a_turn_off_gives_offsets(signs, half, order)
    skeleton = test_pairing.mirrored_rig((0.2, -0.3, 0.5, 0.8), SIGNS[0])
    mixed = replace(skeleton, rotate_orders=("xyz", order, "xyz"))
    pairs = pair_joints(mixed)
    (mirror,) = mirror_signs(mixed, pairs, mirror_plane(mixed, pairs))
    assert mirror.sure is (order == "xyz")


def test_a_name_of_two_sides_has_one_partner():
    found = partners(["|a_l|x_l", "|a_r|x_l", "|a_l|x_r"])
    assert sorted(found.tolist()).count(ALONE) == 1
    assert all(other == ALONE or found[other] == index for index, other in enumerate(found))


def test_a_word_with_two_sides_keeps_the_partner_that_it_has():
    """Of "lar" either end may be the side."""
    assert partners(["lar", "rar", "lal"]).tolist() == [1, 0, ALONE]


def test_the_map_that_is_farther_off_counts():
    """The rotate axes of one side are turned by 30 degrees, its joint orient is not."""
    skeleton = Skeleton(
        ("root", "L_a", "R_a"), [-1, 0, 0], offsets=[(0, 0, 0), (1, 0, 0), (-1, 0, 0)]
    )
    turned = quaternion_from_euler(np.radians([[0.0] * 3, [0.0] * 3, [30.0, 0.0, 0.0]]))
    skeleton = replace(skeleton, rotate_axes=turned)
    (mirror,) = mirror_signs(skeleton, pair_joints(skeleton), MirrorPlane((1.0, 0.0, 0.0), 0.0))
    assert mirror.off_deg == pytest.approx(30.0)
    assert mirror.source == "doubtful"


@pytest.mark.parametrize("seed", range(5))
def test_ranges_choose_the_map_that_fits_best_by_the_margin(seed):
    random = np.random.default_rng(seed)
    left, right = np.sort(random.uniform(-90.0, 90.0, (2, 3, 2)), axis=-1)
    totals = {}
    for signs in SIGNS:
        images = [row if sign > 0 else -row[::-1] for sign, row in zip(signs, right)]
        totals[signs] = np.abs(left - images).sum()
    best, second = sorted(totals.values())[:2]
    mirror = signs_from_ranges(left, right)
    assert totals[mirror.signs] == best
    assert mirror.margin_deg == pytest.approx(second - best)
    assert mirror.sure is bool(second - best >= 10.0)


def test_a_margin_of_ten_degrees_is_clear():
    ranges = [(0.0, 5.0), (0.0, 5.0), (np.nan, np.nan)]
    assert signs_from_ranges(ranges, ranges).margin_deg == 10.0
    assert signs_from_ranges(ranges, ranges).sure
