"""Merged limits beside a naive oracle: poses that every set allows, or any, edits included."""

from __future__ import annotations

import dataclasses
import itertools
import os
import random

import pytest

from jointlimits_core.base.errors import LimitSetError
from jointlimits_core.limits.layers import with_edits
from jointlimits_core.limits.limit_set import AxisLimit, LimitSet, Orientation
from jointlimits_core.limits.merge import merge
from jointlimits_core.limits.ranges import with_limits
from jointlimits_core.limits.records import ArtistEdit
from tests.support.layered_sets import axis
from tests.support.limit_set_examples import CHANNELS, FREE, evidence, joint, lock

ORDERS = ("xyz", "yzx", "zxy", "xzy", "yxz", "zyx")
COUNT = int(os.environ.get("MERGE_PAIRS", "60"))
"""Random pairs of sets; MERGE_PAIRS=200 for the whole table."""
PAIRS = [*range(5), *(pytest.param(n, marks=pytest.mark.thorough) for n in range(5, COUNT))]


def random_axis(dice):
    kind = dice.random()
    if kind < 0.1:
        return FREE
    if kind < 0.2:
        return lock(dice.choice([0.0, 0.005, 4.0]))
    low = dice.uniform(-100.0, 20.0)
    return axis(low, dice.uniform(max(low, -10.0), 120.0), dice.choice("ab"))


def random_edits(dice, limits, names):
    """Edits and pins that a set of these limits takes."""
    found = {}
    for name in names:
        for channel, kind in itertools.product(CHANNELS, ("min", "max", "state", "type", "note")):
            if dice.random() > 0.15:
                continue
            span = limits[name].limits[channel]
            low, high = (-50.0, 60.0) if span.state == "free" else (span.min_deg, span.max_deg)
            if kind in ("min", "max"):
                wanted = dice.choice(
                    [None, low - dice.uniform(-30, 30), high + dice.uniform(0, 40)]
                )
                if wanted is None and span.state == "free":
                    continue
                edit = ArtistEdit(name, kind, channel, wanted)
            elif kind == "state" and span.state != "free":
                edit = ArtistEdit(name, kind, channel, dice.choice(["free", "locked", "limited"]))
            elif kind == "type":
                edit = ArtistEdit(name, kind, None, dice.choice(["hinge", "universal", "ball"]))
            else:
                edit = ArtistEdit(name, "note", None, dice.choice(["mind this", "stunt"]))
            found[edit.key] = edit
    return list(found.values())


def random_set(dice, frames):
    names = [name for name in frames if dice.random() < 0.8] or ["hip"]
    joints = {}
    for name in names:
        found = dataclasses.replace(
            evidence((30.0, 4.0, 0.3, 0.0), "universal"), samples=dice.randint(1, 9)
        )
        axes = [random_axis(dice) for _ in CHANNELS]
        kind = dice.choice(["universal", "ball"])
        made = joint(kind, axes, parent=None, evidence=found, orientation=frames[name])
        # With a preferred pose inside the ranges.
        joints[name] = with_limits(made, made.limits)
    made = LimitSet("person", joints)
    edits = random_edits(dice, joints, names)
    while True:
        try:
            return with_edits(made, edits)
        except ValueError:  # a minimum above the maximum
            edits.pop()


def random_sets(seed, count=2):
    dice = random.Random(seed)
    frames = {
        name: Orientation(dice.choice(ORDERS), (dice.uniform(-90, 90), 0.0, 5.0), (0.0, 0.0, 0.0))
        for name in ("hip", "knee", "tail")
    }
    return [random_set(dice, frames) for _ in range(count)]


def allows(limit_set, name, pose):
    """Whether limits allow a pose, on either Euler solution and any turn; plain arithmetic."""
    if name not in limit_set.joints:
        return None
    data = limit_set.joints[name]
    middle = "xyz".index(data.orientation.rotate_order[1])
    other = [180.0 - v if n == middle else v + 180.0 for n, v in enumerate(pose)]
    ranges = [data.limits[channel] for channel in CHANNELS]
    return any(all(map(holds, ranges, values)) for values in (pose, other))


def holds(limit, value):
    if limit.state == "free":
        return True
    low = -1e9 if limit.min_deg is None else limit.min_deg - 1e-7
    high = 1e9 if limit.max_deg is None else limit.max_deg + 1e-7
    return any(low <= value + 360.0 * turn <= high for turn in range(-4, 5))


def poses_of(dice, sets, name):
    """Poses inside, at the ends of and beside the ranges of all sets."""
    values = []
    for channel in CHANNELS:
        found = [dice.uniform(-180.0, 180.0) for _ in range(3)]
        for limit in (s.joints[name].limits[channel] for s in sets if name in s.joints):
            if limit.state != "free":
                ends = [end for end in (limit.min_deg, limit.max_deg) if end is not None]
                found += [*ends, ends[0] - 0.1, ends[-1] + 0.1, sum(ends) / len(ends)]
        values.append(found)
    every = list(itertools.product(*values))
    return dice.sample(every, min(len(every), 400))


def check_poses(sets, merged, how, tight=True):
    dice = random.Random(1)
    tight = tight and at_most_half_a_turn(sets)
    for name in merged.joints:
        for pose in poses_of(dice, sets, name):
            own = [found for found in (allows(s, name, pose) for s in sets) if found is not None]
            found = allows(merged, name, pose)
            if how == "intersection":
                assert found <= all(own), (name, pose)
                assert not tight or found == all(own), (name, pose)
            else:
                assert found >= any(own), (name, pose)


def common(sets, how):
    """Merged sets; None where they are refused, as a channel has no angle that all allow."""
    try:
        return merge(sets[0], sets[1:], how)
    except LimitSetError:
        places = itertools.product({name for s in sets for name in s.joints}, CHANNELS)
        ends = [common_ends(sets, *place) for place in places]
        assert how == "intersection"
        assert any(low > high for low, high in ends)
        return None


def at_most_half_a_turn(sets):
    """Whether no two ranges have more than one piece in common."""
    axes = [x for s in sets for one in s.joints.values() for x in one.limits.values()]
    return all(x.gap_deg is not None and x.width_deg <= 180.0 for x in axes if x != FREE)


def common_ends(sets, name, channel):
    limits = [s.joints[name].limits[channel] for s in sets if name in s.joints]
    ends = [x for x in limits if x.state != "free"]
    lows = [x.min_deg for x in ends if x.min_deg is not None]
    highs = [x.max_deg for x in ends if x.max_deg is not None]
    return max(lows, default=-1e9), min(highs, default=1e9)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", PAIRS)
@pytest.mark.parametrize("how", ["union", "intersection"])
def test_poses_allowed_by_merged_sets(seed, how):
    sets = random_sets(seed)
    merged = common(sets, how)
    if merged is None:
        return
    check_poses(sets, merged, how)
    for name, channel in itertools.product(merged.joints, CHANNELS):
        limit = merged.joints[name].limits[channel]
        limits = [s.joints[name].limits[channel] for s in sets if name in s.joints]
        if how == "union" and all(x.state != "free" for x in limits):
            lows, highs = [x.min_deg for x in limits], [x.max_deg for x in limits]
            assert limit.min_deg == (None if None in lows else min(lows))
            assert limit.max_deg == (None if None in highs else max(highs))
    # The result is as it is read, and its edits can be undone and made again.
    assert LimitSet.from_json(merged.to_json()) == merged
    assert limits_of(with_edits(merged, ())) == limits_of(merged)


def limits_of(limit_set):
    return {
        name: (one.type, [(x.state, x.min_deg, x.max_deg) for x in one.limits.values()])
        for name, one in limit_set.joints.items()
    }


@pytest.mark.parametrize("seed", PAIRS)
def test_a_merge_with_itself_and_in_any_order(seed):
    sets = random_sets(seed, 3)
    for how in ("union", "intersection", "layers"):
        for one in sets:
            copy = dataclasses.replace(one, character="copy")
            assert dataclasses.replace(merge(copy, [one], how), findings=()) == copy
        if how != "layers" and common(sets, how) is not None:
            found = [merge(s[0], s[1:], how).to_json() for s in itertools.permutations(sets)]
            assert len(set(found)) == 1
            check_poses(sets, merge(sets[0], sets[1:], how), how)


def otherwise(limit_set, dice):
    """The same rotations on other turns and Euler solutions, edits included."""
    joints = {}
    for name, one in limit_set.joints.items():
        middle = CHANNELS["xyz".index(one.orientation.rotate_order[1])]
        flips = dice.random() < 0.5
        limits = {}
        for channel, limit in one.limits.items():
            turn = 360.0 * dice.choice([-2, -1, 0, 0, 1]) + 180.0 * flips
            sign = -1.0 if flips and channel == middle else 1.0
            if limit.state != "free":
                ends = [
                    None if end is None else sign * end + turn
                    for end in (limit.min_deg, limit.max_deg)
                ]
                low, high = ends if sign > 0 else ends[::-1]
                limit = AxisLimit(limit.state, low, high, limit.gap_deg)
            limits[channel] = limit
        joints[name] = dataclasses.replace(one, limits=limits)
    return dataclasses.replace(limit_set, joints=joints, edits=())


@pytest.mark.thorough
@pytest.mark.parametrize("seed", PAIRS)
@pytest.mark.parametrize("how", ["union", "intersection"])
def test_turns_and_euler_solutions_are_a_matter_of_writing(seed, how):
    """Sets of which one is written on other turns merge to the same allowed rotations."""
    sets = random_sets(seed)
    turned = [sets[0], otherwise(sets[1], random.Random(seed))]
    merged = common(sets, how)
    if merged is not None:
        check_poses(turned, merge(turned[0], turned[1:], how), how, tight=False)
