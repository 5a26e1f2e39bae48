"""Ranges that are open at one end, put together with others."""

from __future__ import annotations

import itertools
from math import inf

import pytest

from jointlimits_core.base.errors import LimitSetError
from jointlimits_core.limits.limit_set import AxisLimit, LimitSet
from jointlimits_core.limits.merge import merge
from jointlimits_core.limits.ranges import ends_of, intersection_of, union_of, with_limits
from tests.support.limit_set_examples import FREE, joint, span

UP = AxisLimit("limited", min_deg=-57.0)
DOWN = AxisLimit("limited", max_deg=30.0)
RANGES = (UP, DOWN, FREE, span(-90.0, 20.0), span(0.0, 80.0))


@pytest.mark.parametrize(("first", "second"), list(itertools.product(RANGES, RANGES)))
def test_every_bound_counts(first, second):
    a, b = ends_of(first), ends_of(second)
    union = union_of(first, second)
    assert ends_of(union) == (min(a[0], b[0]), max(a[1], b[1]))
    assert (union.state == "free") == (ends_of(union) == (-inf, inf))
    common = intersection_of(first, second)
    assert ends_of(common) == (max(a[0], b[0]), min(a[1], b[1]))
    assert ends_of(union_of(second, first)) == ends_of(union)
    assert ends_of(intersection_of(second, first)) == ends_of(common)


def test_nothing_in_common_is_reported_with_the_bounds_that_there_are():
    hips = (joint("ball", (axis, FREE, FREE)) for axis in (UP, span(-90.0, -80.0)))
    first, second = (LimitSet("one", {"hip": hip}) for hip in hips)
    with pytest.raises(LimitSetError, match=r"rotateX has no angle.*-57\.0\.\. and -90\.0"):
        merge(first, [second], "intersection")


def test_a_pose_beyond_the_only_bound_is_outside():
    made = joint("ball", (FREE, FREE, FREE))
    limits = {"rotateX": AxisLimit("limited", min_deg=10.0), "rotateY": FREE, "rotateZ": DOWN}
    found = with_limits(made, limits)
    assert made.rest.rotate_deg[0] < 10.0
    assert not found.rest.feasible
    assert found.rest.outside_deg == pytest.approx(10.0 - made.rest.rotate_deg[0])
