"""Left and right of a limit set: report, pool, and what stays."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest

from examples.humanoid import JOINTS
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.euler import CHANNELS, euler_from_quaternion, quaternion_from_euler
from jointlimits_core.geometry.quaternion import conjugate, multiply
from jointlimits_core.limits.layers import with_edits
from jointlimits_core.limits.limit_set import AxisSource, BoundSource, Hinge, Universal
from jointlimits_core.limits.ranges import move_range, other_set, span_of
from jointlimits_core.limits.records import ArtistEdit, SymmetryRecord
from jointlimits_core.limits.symmetry import (
    compare_sides,
    mirrored_limit,
    with_partner_axes,
    with_symmetry,
)
from jointlimits_core.motion.motion import Motion
from jointlimits_core.motion.skeleton import Skeleton
from tests.support.house_files import ROOT
from tests.support.layered_sets import axis, one_joint, spans
from tests.support.limit_set_examples import FREE, joint
from tests.support.made_motion import clip, rotate, there_and_back
from tests.support.shared_data import shared_path

SIDES = ("root", "LeftArm", "RightArm")


def world_aligned():
    """Two joints beside a root, all aligned with the world: signs (+, -, -)."""
    return Skeleton(SIDES, [-1, 0, 0], offsets=[(0, 0, 0), (5, 0, 0), (-5, 0, 0)])


def arms(left, right, kinds=("ball", "ball"), **fields):
    sides = zip(SIDES[1:], (left, right), kinds)
    joints = {name: joint(kind, axes, **fields) for name, axes, kind in sides}
    return one_joint(joints={"root": joint("ball", (FREE,) * 3, parent=None), **joints})


LEFT = (axis(-10.0, 50.0, "a"), axis(-20.0, 5.0, "b"), axis(0.0, 90.0, "c"))
RIGHT = (axis(-30.0, 40.0, "d"), axis(-5.0, 25.0, "e"), axis(-60.0, 15.0, "f"))


def test_report_changes_no_limit_and_tells_the_difference():
    before = arms(LEFT, RIGHT)
    after = with_symmetry(before, world_aligned(), "report")
    for name in SIDES:
        assert after.joints[name].limits == before.joints[name].limits
    (pair,) = after.symmetry.pairs
    assert (pair.left, pair.right, pair.signs) == ("LeftArm", "RightArm", (1, -1, -1))
    assert [c.left_deg for c in pair.channels] == [(-10.0, 50.0), (-20.0, 5.0), (0.0, 90.0)]
    assert [c.right_deg for c in pair.channels] == [(-30.0, 40.0), (-25.0, 5.0), (-15.0, 60.0)]
    assert [c.asymmetry_deg for c in pair.channels] == [(20.0, -10.0), (5.0, 0.0), (15.0, -30.0)]
    assert pair.asymmetry_deg == 30.0
    assert after.symmetry.unpaired == ("root",)
    texts = {f.message for j in after.joints.values() for f in j.findings}
    assert texts == {
        "rotateX reaches 20.0 degrees further than LeftArm (clip d, frame 3); "
        "--set LeftArm.rotateX.min=-30.0 widens LeftArm to match",
        "rotateX reaches 10.0 degrees further than RightArm (clip a, frame 3); "
        "--set RightArm.rotateX.max=50.0 widens RightArm to match",
        "rotateZ reaches 15.0 degrees further than LeftArm (clip f, frame 3); "
        "--set LeftArm.rotateZ.min=-15.0 widens LeftArm to match",
        "rotateZ reaches 30.0 degrees further than RightArm (clip c, frame 3); "
        "--set RightArm.rotateZ.min=-90.0 widens RightArm to match",
    }
    named = [f.message for f in after.joints["LeftArm"].findings]
    assert all("further than RightArm" in text for text in named)
    sides = {c.channel: c.reached_by for c in pair.channels}
    assert sides["rotateZ"] == ("RightArm", "LeftArm")


def test_pool_gives_both_sides_the_union_and_keeps_the_difference():
    after = with_symmetry(arms(LEFT, RIGHT), world_aligned(), "pool")
    assert spans(after, "LeftArm") == [(-30.0, 50.0), (-25.0, 5.0), (-15.0, 90.0)]
    assert spans(after, "RightArm") == [(-30.0, 50.0), (-5.0, 25.0), (-90.0, 15.0)]
    left = after.joints["LeftArm"].limits
    assert [left[c].source.min.clip for c in CHANNELS] == ["d", "e", "f"]
    assert left["rotateZ"].source.min.value_deg == -15.0
    assert after.joints["RightArm"].limits["rotateZ"].source.min.value_deg == -90.0
    assert after.symmetry.pairs[0].asymmetry_deg == 30.0
    assert after.symmetry.pairs[0].pooled


def test_pool_is_mirror_symmetric_and_idempotent():
    once = with_symmetry(arms(LEFT, RIGHT), world_aligned(), "pool")
    mirror = mirrored_limit(once.joints["LeftArm"], (1, -1, -1))
    right = once.joints["RightArm"].limits
    assert list(map(span_of, mirror.values())) == list(map(span_of, right.values()))
    twice = with_symmetry(once, world_aligned(), "pool")
    assert all(twice.joints[name].limits == one.limits for name, one in once.joints.items())
    assert twice.symmetry.pairs[0].asymmetry_deg == 0.0


def test_off_and_paper_change_nothing():
    made = arms(LEFT, RIGHT)
    assert with_symmetry(made, world_aligned(), "off").joints == made.joints
    paper = dataclasses.replace(made, mode="paper")
    assert compare_sides(paper, world_aligned(), "pool") == (paper, SymmetryRecord("off"))
    with pytest.raises(ValueError, match="off, report, pool, not 'both'"):
        with_symmetry(made, world_aligned(), "both")


def test_other_turns_and_free_channels():
    right = (FREE, *(move_range(item, 360.0) for item in RIGHT[1:]))
    after = with_symmetry(arms(LEFT, right), world_aligned(), "pool")
    assert spans(after, "LeftArm") == [(None, None), (-25.0, 5.0), (-15.0, 90.0)]
    assert spans(after, "RightArm")[1:] == [(355.0, 385.0), (270.0, 375.0)]
    assert after.symmetry.pairs[0].channels[0].asymmetry_deg is None


@pytest.mark.parametrize("still", [0, 1])
def test_the_side_that_is_free_reaches_furthest(still):
    sides = [LEFT, LEFT]
    sides[1 - still] = (FREE, *LEFT[1:])
    pair = with_symmetry(arms(*sides), world_aligned(), "report").symmetry.pairs[0]
    assert pair.channels[0].reached_by == (SIDES[2 - still],) * 2
    equal = with_symmetry(arms(LEFT, LEFT), world_aligned(), "report").symmetry.pairs[0]
    assert equal.channels[0].reached_by == ("LeftArm", "LeftArm")


def test_limits_without_a_clip_are_compared_without_one():
    bare = tuple(dataclasses.replace(one, source=AxisSource()) for one in RIGHT)
    kept = dataclasses.replace(bare[0].source, max=BoundSource("prior", "d"))
    bare = (dataclasses.replace(bare[0], source=kept), *bare[1:])
    after = with_symmetry(arms(LEFT, bare), world_aligned(), "report")
    texts = {f.message for f in after.joints["RightArm"].findings}
    assert texts == {
        "rotateX reaches 20.0 degrees further than LeftArm; "
        "--set LeftArm.rotateX.min=-30.0 widens LeftArm to match",
        "rotateZ reaches 15.0 degrees further than LeftArm; "
        "--set LeftArm.rotateZ.min=-15.0 widens LeftArm to match",
    }


def test_each_limit_that_reaches_further_names_its_own_clip():
    def two(low, high, name):
        made = axis(low, high)
        low = dataclasses.replace(made.source.min, clip=f"{name}min")
        high = dataclasses.replace(made.source.max, clip=f"{name}max")
        return dataclasses.replace(made, source=AxisSource(low, high))

    left = (two(-10.0, 50.0, "a"), two(-20.0, 5.0, "b"), two(0.0, 90.0, "c"))
    right = (two(-30.0, 40.0, "d"), two(-5.0, 25.0, "e"), two(-60.0, 15.0, "f"))
    after = with_symmetry(arms(left, right), world_aligned(), "report")
    clips = {
        (name, finding.message.split()[0]): finding.message.split("clip ")[1].split(",")[0]
        for name in SIDES[1:]
        for finding in after.joints[name].findings
    }
    assert clips == {
        ("RightArm", "rotateX"): "dmin",
        ("LeftArm", "rotateX"): "amax",
        ("RightArm", "rotateZ"): "fmax",
        ("LeftArm", "rotateZ"): "cmax",
    }


def test_an_artist_is_neither_overruled_nor_copied():
    edits = (ArtistEdit("LeftArm", "max", "rotateX", 20.0),)
    edited = with_edits(arms(LEFT, RIGHT), edits)
    after = with_symmetry(edited, world_aligned(), "pool")
    assert spans(after, "LeftArm")[0] == (-30.0, 20.0)
    assert spans(after, "RightArm")[0] == (-30.0, 50.0)
    assert after.edits[0].replaced["max_deg"] == 50.0


def with_other_order(limit_set):
    arm = limit_set.joints["RightArm"]
    frame = dataclasses.replace(arm.frame, rotate_order="zyx")
    joints = {**limit_set.joints, "RightArm": dataclasses.replace(arm, orientation=frame)}
    return dataclasses.replace(limit_set, joints=joints)


def test_different_rotate_orders_are_not_compared():
    made = with_other_order(arms(LEFT, RIGHT))
    after = with_symmetry(made, world_aligned(), "pool")
    assert after.joints["LeftArm"].limits == made.joints["LeftArm"].limits
    assert after.joints["LeftArm"].findings == ()
    (pair,) = after.symmetry.pairs
    assert (pair.signs, pair.signs_from, pair.pooled) == ((1, -1, -1), "doubtful", False)
    assert pair.off_deg == pytest.approx(0.0, abs=1e-9)
    assert pair.asymmetry_deg is None


def test_sides_without_a_mirror_plane_are_pooled_by_their_ranges():
    one_point = Skeleton(SIDES, [-1, 0, 0])
    left = (axis(0.0, 90.0), axis(-80.0, 0.0), axis(10.0, 70.0))
    right = (axis(-5.0, 85.0), axis(0.0, 85.0), axis(-75.0, -10.0))
    after = with_symmetry(arms(left, right), one_point, "pool")
    (pair,) = after.symmetry.pairs
    assert (pair.signs, pair.signs_from, pair.off_deg) == ((1, -1, -1), "ranges", None)
    assert spans(after, "LeftArm") == [(-5.0, 90.0), (-85.0, 0.0), (10.0, 75.0)]
    assert spans(after, "RightArm") == [(-5.0, 90.0), (0.0, 85.0), (-75.0, -10.0)]
    made = with_other_order(arms(left, right))
    (pair,) = with_symmetry(made, one_point, "pool").symmetry.pairs
    assert (pair.signs, pair.signs_from, pair.off_deg) == ((1, 1, 1), "doubtful", None)


def test_sides_that_are_not_mirrored_at_rest_say_by_how_much():
    turned = [(0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 30.0)]
    orients = quaternion_from_euler(np.radians(turned))
    places = Skeleton(SIDES, [-1, 0, 0], world_aligned().offsets, joint_orients=orients)
    (pair,) = with_symmetry(arms(LEFT, RIGHT), places, "report").symmetry.pairs
    assert pair.signs_from != "rest pose"
    assert pair.off_deg == pytest.approx(30.0)


def test_only_a_side_that_did_not_move_takes_axes_and_only_of_one_that_did():
    axes = Universal((0.0, 0.0, 1.0), (1.0, 0.0, 0.0))
    ball = joint("ball", LEFT)
    moved = joint("universal", LEFT, universal=axes)
    still = dataclasses.replace(ball.evidence, sure="no motion")
    fixed, other = (dataclasses.replace(one, evidence=still) for one in (ball, moved))
    turn = (0.0, 0.0, 0.0, 1.0)
    assert with_partner_axes(ball, moved, turn, turn) is ball
    assert with_partner_axes(fixed, other, turn, turn) is fixed
    taken = with_partner_axes(fixed, moved, turn, turn)
    assert (taken.type, taken.universal) == ("universal", axes)


def test_axes_are_carried_back_by_the_turns_of_parent_and_child():
    # The mirror image of the parents is a half turn about X, that of the children about Y.
    rests = [(0.0, 0.0, 0.0, 1.0), (0.0, 0.0, 1.0, 0.0), (0.0, 0.0, 0.0, 1.0)]
    places = Skeleton(SIDES, [-1, 0, 0], world_aligned().offsets, rest_rotations=rests)
    hinge = Hinge((0.6, 0.0, 0.8), (0.6, 0.0, 0.8), None, 0.0, 0.0, 50.0)
    made = arms(LEFT, RIGHT)
    left, right = (made.joints[name] for name in SIDES[1:])
    still = dataclasses.replace(left.evidence, sure="no motion")
    left = dataclasses.replace(left, evidence=still)
    right = dataclasses.replace(right, type="hinge", hinge=hinge)
    joints = dict(zip(SIDES, (made.joints["root"], left, right)))
    after = with_symmetry(dataclasses.replace(made, joints=joints), places, "pool")
    found = after.joints["LeftArm"].hinge
    assert found.axis_parent == pytest.approx((0.6, 0.0, -0.8))
    assert found.axis_child == pytest.approx((-0.6, 0.0, -0.8))


def two_knees(left, right):
    """Limits of two knees about Z, side by side, and their skeleton."""
    motion = clip({"LeftKnee": rotate(z=left), "RightKnee": rotate(z=right)})
    places = Skeleton(motion.joint_names, [-1, 0, 0], offsets=[(0, 0, 0), (4, 0, 0), (-4, 0, 0)])
    return estimate(dataclasses.replace(motion, skeleton=places)), places


def test_a_still_side_takes_type_and_axes_of_the_other():
    limit_set, places = two_knees(there_and_back(0.0, 120.0, 80), np.zeros(80))
    assert limit_set.joints["RightKnee"].type == "fixed"
    after = with_symmetry(limit_set, places, "pool")
    right = after.joints["RightKnee"]
    assert right.type == "hinge"
    assert spans(after, "RightKnee")[2] == pytest.approx((-120.0, 0.0), abs=1e-9)
    left = after.joints["LeftKnee"].hinge
    assert np.array(right.hinge.axis_parent) @ left.axis_parent == pytest.approx(-1.0)
    assert (right.hinge.min_deg, right.hinge.max_deg) == (left.min_deg, left.max_deg)


def test_hinges_are_pooled_about_opposite_axes():
    curves = there_and_back(0.0, 120.0, 80), there_and_back(-130.0, 5.0, 80)
    after = with_symmetry(*two_knees(*curves), "pool")
    assert spans(after, "LeftKnee")[2] == pytest.approx((-5.0, 130.0), abs=1e-9)
    assert spans(after, "RightKnee")[2] == pytest.approx((-130.0, 5.0), abs=1e-9)
    for name in ("LeftKnee", "RightKnee"):
        hinge = after.joints[name].hinge
        size = sorted((abs(hinge.min_deg), abs(hinge.max_deg)))
        assert size == pytest.approx([5.0, 130.0], abs=1e-9)
    assert after.symmetry.pairs[0].hinge_off_deg == pytest.approx(0.0, abs=1e-9)


def test_the_record_survives_json():
    after = with_symmetry(arms(LEFT, RIGHT), world_aligned(), "pool")
    record = after.symmetry
    text = json.dumps(dataclasses.asdict(record), allow_nan=False)
    assert SymmetryRecord.from_dict(json.loads(text)) == record


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["humanoid_rom.ma", "humanoid_rom.bvh"])
def test_the_example_is_a_true_mirror(name):
    motion = read_motion(ROOT / "examples" / name)
    limit_set = estimate(motion)
    after = with_symmetry(limit_set, motion.skeleton, "pool")
    record = after.symmetry
    lefts = [j.name for j in JOINTS if j.name.startswith("Left")]
    assert [pair.left for pair in record.pairs] == lefts
    signs = (1, 1, 1) if name.endswith(".ma") else (1, -1, -1)
    for pair in record.pairs:
        assert pair.signs == signs
        assert pair.pooled
        assert pair.asymmetry_deg == pytest.approx(0.0, abs=0.01)
        assert pair.mirror_error == pytest.approx(0.0, abs=1e-6)
    for joint_name, own in limit_set.joints.items():
        pooled = after.joints[joint_name]
        for channel in CHANNELS:
            a, b = own.limits[channel], pooled.limits[channel]
            assert a.state == b.state
            assert b.min_deg == pytest.approx(a.min_deg, abs=0.01)
        assert not [f for f in pooled.findings if f.rule == "asymmetry"]


def folded_legs(rng):
    """A walker whose bones all lie along X in the zero pose, as some makers write it.

    The right thigh's frame is the mirror image of the left one's, turned by half about Z.
    """
    count, down = 120, quaternion_from_euler(np.radians([0.0, 0.0, -90.0]))
    waves_of = [rng.uniform(-1, 1, 3) * (20, 15, 40) for _ in range(2)]
    steps = np.linspace(0.0, 6.0, count)
    angles = np.sin(steps)[:, None] * waves_of[0] + np.cos(2.0 * steps)[:, None] * waves_of[1]
    left = multiply(down, quaternion_from_euler(np.radians(angles)))
    half_x, half_z = np.eye(4)[0], np.eye(4)[2]
    right = multiply(half_x, multiply(left, conjugate(half_z)))
    bend = np.radians(40.0 - 40.0 * np.cos(2.0 * steps))
    knee = quaternion_from_euler(bend[:, None] * np.array([0.0, 0.0, 1.0]))
    other = multiply(half_z, multiply(knee, conjugate(half_z)))
    still = np.broadcast_to((0.0, 0.0, 0.0, 1.0), left.shape)
    rotations = np.stack([still, left, knee, still, right, other, still], axis=1)
    names = ["root", *(f"{side}{part}" for side in "LR" for part in ("_thigh", "_shin", "_foot"))]
    bone = (5.0, 0.0, 0.0)
    offsets = [(0, 0, 0), (1, 0, 0), bone, bone, (-1, 0, 0), bone, bone]
    return Motion.from_quaternions(names, [-1, 0, 1, 2, 0, 4, 5], rotations, 30.0, offsets=offsets)


@pytest.mark.parametrize("seed", range(3))
def test_sides_of_a_figure_that_is_folded_at_rest_are_compared_in_its_mean_pose(seed):
    found = estimate(folded_legs(np.random.default_rng(seed))).symmetry
    pairs = {pair.left: pair for pair in found.pairs}
    assert pairs["L_thigh"].signs_from == pairs["L_shin"].signs_from == "mean pose"
    assert 180.0 in pairs["L_thigh"].offsets_deg
    assert pairs["L_thigh"].asymmetry_deg == pytest.approx(0.0, abs=1e-4)
    assert pairs["L_shin"].asymmetry_deg == pytest.approx(0.0, abs=1e-4)


def legs_below_a_far_root(rng):
    """Legs whose bones lie along X and -X in the zero pose, with the hips side by side along Y."""
    steps = np.linspace(0.0, 12.0, 240)
    swing = np.sin(steps)[:, None] * rng.uniform(10.0, 25.0, 3)
    left = multiply(np.eye(4)[2], quaternion_from_euler(np.radians(swing)))
    right = multiply(np.eye(4)[1], left)
    bend = np.radians(40.0 - 40.0 * np.cos(2.0 * steps))
    knee = quaternion_from_euler(bend[:, None] * np.array([0.0, 1.0, 0.0]))
    still = np.broadcast_to((0.0, 0.0, 0.0, 1.0), left.shape)
    hips = quaternion_from_euler(np.radians(0.2 * swing))
    rotations = np.stack([still, hips, left, knee, still, right, knee, still], axis=1)
    names = [f"{side}{part}" for side in "LR" for part in ("_thigh", "_shin", "_foot")]
    bone = np.array((5.0, 0.0, 0.0))
    offsets = [(0, 0, 0), (0, 90, 450), (0, 3, 0), bone, bone, (0, -3, 0), -bone, -bone]
    return Motion.from_quaternions(
        ["Reference", "Hips", *names], [-1, 0, 1, 2, 3, 1, 5, 6], rotations, 30.0, offsets=offsets
    )


@pytest.mark.parametrize("seed", range(3))
def test_a_root_far_from_the_body_makes_no_pose_its_own_mirror_image(seed):
    found = estimate(legs_below_a_far_root(np.random.default_rng(seed))).symmetry
    for pair in found.pairs[:2]:
        assert pair.signs_from == "mean pose"
        assert pair.asymmetry_deg == pytest.approx(0.0, abs=1e-4)


@pytest.mark.parametrize("order", ["xyz", "yxz", "zxy"])
@pytest.mark.parametrize("turned", ["", "LeftArm", "RightArm"])
def test_sides_known_by_their_ranges_are_compared_on_any_branch(turned, order):
    """The right frame is turned by half about Y, and nothing but the ranges shows it."""
    middles, half = np.array([-16.0, -29.0, -173.0]), np.array([6.0, 5.0, 3.5])
    turn = quaternion_from_euler(np.radians(middles), order)
    image = np.degrees(euler_from_quaternion(multiply(np.eye(4)[1], turn), order))
    made = arms(*([axis(a - d, a + d) for a, d in zip(at, half)] for at in (middles, image)))
    joints = {}
    for name, one in made.joints.items():
        limits = other_set(one.limits, order) if name == turned else one.limits
        frame = dataclasses.replace(one.frame, rotate_order=order)
        joints[name] = dataclasses.replace(one, orientation=frame, limits=limits)
    one_point = Skeleton(SIDES, [-1, 0, 0], rotate_orders=[order] * 3)
    (pair,) = with_symmetry(one_joint(joints=joints), one_point, "report").symmetry.pairs
    assert pair.signs_from == "ranges"
    assert pair.asymmetry_deg == pytest.approx(0.0, abs=1e-6)


@pytest.mark.thorough
def test_cmu_asymmetry_is_shown():
    skeleton = shared_path("data/mocap/cmu_asfamc/02/02.asf")
    clips = [shared_path(f"data/mocap/cmu_asfamc/02/02_{n}.amc") for n in ("01", "05", "10")]
    motions = [read_motion(path, skeleton=skeleton) for path in clips]
    before = estimate(motions)
    after = with_symmetry(before, motions[0].skeleton, "pool")
    found = {pair.left: pair for pair in after.symmetry.pairs}
    assert len(found) == 12
    assert all(pair.signs == (1, -1, -1) and pair.pooled for pair in found.values())
    assert found["lradius"].asymmetry_deg > 20.0
    assert found["ltibia"].hinge_off_deg < 2.0
    for name in [name for pair in found.values() for name in (pair.left, pair.right)]:
        for channel in CHANNELS:
            own, pooled = (one.joints[name].limits[channel] for one in (before, after))
            if pooled.state != "free":
                assert pooled.min_deg <= own.min_deg
                assert pooled.max_deg >= own.max_deg
