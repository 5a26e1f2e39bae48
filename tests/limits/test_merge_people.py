"""Limit sets of several people merged: the second furthest limit, and shapes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from jointlimits_core.api import fit
from jointlimits_core.base.errors import LimitSetError
from jointlimits_core.geometry.euler import quaternion_from_euler
from jointlimits_core.limits.layers import with_edits
from jointlimits_core.limits.limit_set import AxisLimit
from jointlimits_core.limits.merge import merge
from jointlimits_core.limits.records import ArtistEdit
from jointlimits_core.shapes.fitting import shape_of_limit
from tests.support.layered_sets import axis, one_joint
from tests.support.made_motion import clip, rotate, waves


def person(low, high, **fields):
    axes = (axis(low, high), axis(-20.0, 20.0), axis(-10.0, 10.0))
    return one_joint(axes=axes, **fields)


def bend(limits):
    axis = limits.joints["hip"]["rotateX"]
    return axis.min_deg, axis.max_deg


def test_a_limit_is_the_second_furthest_of_all_people():
    people = [person(-30.0, 60.0), person(-45.0, 50.0), person(-20.0, 175.0)]
    for turn in range(3):
        base, *others = people[turn:] + people[:turn]
        merged = merge(base, others, "people")
        assert bend(merged) == (-30.0, 60.0)


def test_the_same_set_given_twice_is_one_person():
    far, near = person(-45.0, 175.0), person(-30.0, 60.0)
    assert bend(merge(far, [far, near], "people")) == (-30.0, 60.0)
    with pytest.raises(LimitSetError, match="all sets are the same; give one set per person"):
        merge(far, [far], "people")


def test_one_free_channel_is_one_person_who_goes_far():
    free = one_joint(axes=(AxisLimit("free"), axis(-20.0, 20.0), axis(-10.0, 10.0)))
    people = [person(-30.0, 60.0), person(-45.0, 50.0)]
    assert bend(merge(free, people, "people")) == (-45.0, 60.0)
    other = replace(free, character="other")
    merged = merge(free, [other, people[0]], "people")
    assert merged.joints["hip"]["rotateX"].state == "free"


def test_edits_of_a_person_count_and_are_part_of_the_result():
    edited = with_edits(person(-30.0, 60.0), [ArtistEdit("hip", "max", "rotateX", 100.0)])
    merged = merge(edited, [person(-30.0, 90.0), person(-30.0, 50.0)], "people")
    assert bend(merged) == (-30.0, 90.0)
    assert not merged.edits


def test_people_who_share_no_angle_keep_their_union():
    assert bend(merge(person(-60.0, -30.0), [person(30.0, 60.0)], "people")) == (-60.0, 60.0)


def shaped(*ranges, name="walk"):
    return fit(clip({"hip": rotate(*waves(*ranges))}, name=name))


def bending(high):
    return shaped((0.0, high), (0.0, 0.0), (0.0, 0.0), name=f"{high}")


NARROW, WIDE = ((-30.0, 20.0), (-10.0, 20.0), (-5.0, 15.0)), ((-20.0, 60.0), (-25.0, 10.0), (-9, 9))


def poses(*ranges):
    """Rotations inside the ranges."""
    rng = np.random.default_rng(7)
    low, high = np.radians(ranges).T
    return quaternion_from_euler(low + (high - low) * rng.random((4000, 3)))


def test_a_union_of_shapes_allows_what_any_of_them_allows():
    first, second = shaped(*NARROW), shaped(*WIDE, name="run")
    merged = merge(first, [second]).joints["hip"]
    every = poses((-60, 90), (-60, 60), (-60, 60))
    inside = [shape_of_limit(one.joints["hip"].coupled).contains(every) for one in (first, second)]
    both = shape_of_limit(merged.coupled).contains(every)
    assert (both >= inside[0] | inside[1]).all()
    assert both.sum() < 2.0 * (inside[0] | inside[1]).sum()
    assert not [item for item in merged.findings if item.rule == "shape-dropped"]
    assert merge(second, [first]).joints["hip"].coupled == merged.coupled


def test_a_shape_of_people_ignores_what_one_of_them_does():
    usual = [shaped(*NARROW, name=name) for name in "ab"]
    flipped = shaped((-30.0, 150.0), *NARROW[1:], name="c")
    merged = merge(flipped, usual, "people").joints["hip"].coupled
    alone = shape_of_limit(usual[0].joints["hip"].coupled)
    every = poses((-60, 170), (-60, 60), (-60, 60))
    inside = shape_of_limit(merged).contains(every)
    assert (inside >= alone.contains(every)).all()
    far = quaternion_from_euler(np.radians([[60.0, 0.0, 0.0], [120.0, 0.0, 0.0]]))
    assert not shape_of_limit(merged).contains(far).any()


def test_shapes_of_hinges_are_joined_as_hinges():
    bends = [bending(high) for high in (90.0, 120.0)]
    merged = merge(bends[0], bends[1:]).joints["hip"].coupled
    turned = quaternion_from_euler(np.radians([[110.0, 0.0, 0.0], [0.0, 30.0, 0.0]]))
    assert shape_of_limit(merged).contains(turned).tolist() == [True, False]


@pytest.mark.parametrize("count", [2, 3])
def test_shapes_of_hinges_allow_what_two_people_reach(count):
    bends = [bending(high) for high in (90.0, 170.0, 120.0)]
    merged = merge(bends[0], bends[1:count], "people").joints["hip"]
    turned = quaternion_from_euler(np.radians([[80.0, 0, 0], [110.0, 0, 0], [140.0, 0, 0]]))
    expected = [True, count == 3, False]
    assert shape_of_limit(merged.coupled).contains(turned).tolist() == expected


def test_flat_and_full_shapes_of_three_people_are_kept():
    flat = shaped((-30.0, 40.0), (0.0, 0.0), (0.0, 0.0), name="b")
    merged = merge(shaped(*NARROW), [flat, shaped(*WIDE, name="c")], "people").joints["hip"]
    turned = quaternion_from_euler(np.radians([[10.0, 0, 0], [55.0, 0, 0]]))
    assert shape_of_limit(merged.coupled).contains(turned).tolist() == [True, False]


def test_shapes_of_people_without_a_common_pose_are_all_kept():
    first, second = (shaped((low, low + 30.0), *WIDE[1:], name=f"{low}") for low in (-90.0, 60.0))
    merged = merge(first, [second], "people").joints["hip"].coupled
    turned = quaternion_from_euler(np.radians([[-75.0, -5, 0], [75.0, -5, 0]]))
    assert shape_of_limit(merged).contains(turned).all()


@pytest.mark.parametrize("how", ["union", "people"])
def test_shapes_of_some_people_only_are_dropped_with_a_finding(how):
    first = shaped(*NARROW)
    plain = replace(first, joints={"hip": replace(first.joints["hip"], coupled=None)})
    merged = merge(first, [plain], how).joints["hip"]
    assert merged.coupled is None
    assert [item.rule for item in merged.findings].count("shape-dropped") == 1
