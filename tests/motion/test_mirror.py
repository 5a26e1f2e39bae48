"""Mirror planes, partners by place, and the maps of channels, against plain code."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from jointlimits_core.geometry.euler import ROTATE_ORDERS
from jointlimits_core.motion.mirror import (
    ALONE,
    SIGNS,
    MirrorPlane,
    is_mirrored,
    mirror_plane,
    mirror_signs,
    pair_joints,
    partners,
    signs_from_ranges,
)
from jointlimits_core.motion.skeleton import Skeleton
from tests.motion import test_pairing

SIZE = 300.0


def flat(names, places, parents=None):
    """Skeleton of unrotated joints at world places, by default all below the first."""
    parents = [-1, *[0] * (len(places) - 1)] if parents is None else parents
    return test_pairing.tree(names, parents, places)


def found(skeleton):
    return {(pair.left, pair.right) for pair in pair_joints(skeleton)}


@pytest.mark.parametrize("seed", range(4))
def test_a_wrong_pair_does_not_tilt_the_plane_and_the_normal_points_to_the_left(seed):
    random = np.random.default_rng(seed)
    normal = random.normal(size=3)
    normal /= np.linalg.norm(normal)
    points = random.normal(size=(8, 3)) * SIZE / 4.0
    distance = 40.0
    left = points + (distance + 30.0 - points @ normal)[:, None] * normal
    left += random.uniform(0.0, 60.0, (8, 1)) * normal
    right = np.array([p + 2.0 * (distance - p @ normal) * normal for p in left])
    np.testing.assert_allclose(MirrorPlane(tuple(normal), distance).mirror(left), right)
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
        off = np.linalg.norm(plane.mirror(one) - other) / size
        assert pair.mirror_error == pytest.approx(off)
    assert is_mirrored(skeleton, pairs, plane) is True
    assert is_mirrored(skeleton, pairs, MirrorPlane(plane.normal, distance + SIZE)) is False
    assert is_mirrored(skeleton, pairs, MirrorPlane((1.0, 0.0, 0.0), distance)) is False


@pytest.mark.parametrize("left", [1.0, -1.0])
def test_the_normal_points_to_the_left_of_the_wide_pair_and_of_a_narrow_one_if_alone(left):
    crossed = [[0, 0, 0], [5, 1, 0], [-5, 1, 0], [-0.05, 2, 0], [0.05, 2, 0]]
    narrow = [[0, 0, 0], [0.5, 1, 0], [-0.5, 1, 0], [0, 1e4, 0]]
    for places in (crossed, narrow):
        names = ["root", "L_a", "R_a", "L_b", "R_b"][: len(places)]
        skeleton = flat(names, np.array(places) * [left, 1.0, 1.0])
        plane = mirror_plane(skeleton, pair_joints(skeleton))
        np.testing.assert_allclose(plane.normal, [left, 0.0, 0.0], atol=1e-12)


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


def test_without_pairs_there_are_no_signs():
    assert mirror_signs(Skeleton(("a",), [-1]), (), MirrorPlane((1.0, 0.0, 0.0), 0.0)) == ()


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
