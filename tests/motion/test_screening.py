"""Screening: every rule on a clip that it is about and on one that only looks like it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from jointlimits_core.base.errors import EstimationError
from jointlimits_core.base.findings import Finding
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.euler import ROTATE_ORDERS, other_euler
from jointlimits_core.motion.motion import Motion
from jointlimits_core.motion.screening.rules import RULES, screen
from jointlimits_core.motion.skeleton import Declaration
from tests.support.made_motion import clip, rotate, there_and_back, waves
from tests.support.shared_data import shared_path

JOINTS = ("hip", "knee", "ankle", "spine", "arm")


def moving(frames=120, **fields):
    """Five joints that move smoothly and are never at rest together."""
    x, y, z = waves((25, 70), (20, 40), (-30, -15), frames=frames)
    return clip({name: rotate(x, y, z) for name in JOINTS}, **fields)


def with_rotates(motion: Motion, change) -> Motion:
    rotates = np.degrees(motion.rotates)
    change(rotates)
    return Motion.from_rotates(
        motion.skeleton, np.radians(rotates), motion.frames, 30.0, motion.name
    )


def rules(motion, **options):
    return [finding.rule for finding in screen(motion, **options).findings]


def only(motion, rule):
    found = [finding for finding in screen(motion).findings if finding.rule == rule]
    assert len(found) == 1
    return found[0]


def test_a_clip_without_faults():
    clean = screen(moving())
    assert [f.joint for f in clean.findings if f.rule != "never-moves"] == []
    assert [f.joint for f in clean.findings] == ["root"]
    np.testing.assert_array_equal(clean.rotates, moving().rotates)


# An inserted rest pose ----------------------------------------------------------------------------


def t_pose_first(frames=1, **fields):
    def change(rotates):
        rotates[:, :, :frames] = 0.0

    return with_rotates(moving(**fields), change)


def test_fingers_that_only_another_inserted_pose_moves_do_not_hide_one():
    """The fingers are held bent in the pose at the start, and at zero in the one in the middle."""
    motion = moving()
    hands = {f"finger{number}": rotate(x=np.full(120, 20.0)) for number in range(8)}
    whole = clip({**{name: np.degrees(motion.rotates[1].T) for name in JOINTS}, **hands})

    def change(rotates):
        rotates[1:6, :, 0] = 0.0
        rotates[1:, :, 60:64] = 0.0

    finding = only(with_rotates(whole, change), "inserted-pose")
    assert finding.frame_ranges == ((0.0, 0.0), (60.0, 63.0))


def test_an_inserted_pose_stays_if_it_is_asked_to():
    motion = t_pose_first()
    assert screen(motion, leave_out=()).motion.frame_count == 120
    finding = next(f for f in screen(motion, leave_out=()).findings if f.rule == "inserted-pose")
    assert not finding.left_out
    assert screen(motion, skip_rules=["inserted-pose"]).motion.frame_count == 120
    assert "inserted-pose" not in rules(motion, skip_rules=["inserted-pose"])


@pytest.mark.parametrize("shape", ["begins at rest", "cut", "one joint jumps"])
def test_what_only_looks_like_an_inserted_pose(shape):
    def change(rotates):
        if shape == "begins at rest":
            rotates[1:] *= np.minimum(np.arange(120) / 20.0, 1.0)
        elif shape == "cut":
            rotates[1:, :, 0] += 60.0
        else:
            rotates[1:] *= np.clip((np.arange(120) - 40) / 20.0, 0.0, 1.0)
            rotates[1, 0, 1:40] = 60.0

    assert "inserted-pose" not in rules(with_rotates(moving(), change))


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("path", "frames"),
    [
        ("cmu_asfamc/01_fairmotion/01_01.bvh", 1),
        ("cmu_bvh/10_03.bvh", 1),
        ("cmu_bvh/11_01.bvh", 1),
        ("cmu_bvh/cmu_12_01_walk.bvh", 1),
        ("other_bvh/walk01.bvh", 0),
        ("other_bvh/pybvh_bvh_test1.bvh", 0),
        ("cmu_bvh/131_01.bvh", 0),
    ],
)
def test_inserted_poses_of_real_clips(path, frames):
    motion = read_motion(shared_path(f"data/mocap/{path}"))
    kept = screen(motion)
    assert kept.motion.frame_count == motion.frame_count - frames
    found = [f.frame_ranges for f in kept.findings if f.rule == "inserted-pose"]
    assert found == [((motion.frames[0], motion.frames[frames - 1]),)] * (frames > 0)


# Frames that are no use ---------------------------------------------------------------------------


def broken_at(*frames):
    def change(rotates):
        rotates[2, 1, list(frames)] = np.nan

    return with_rotates(moving(), change)


def test_frames_that_are_not_numbers_are_left_out():
    motion = broken_at(10, 11, 50)
    finding = only(motion, "non-finite")
    assert finding.frame_ranges == ((10.0, 11.0), (50.0, 50.0))
    assert finding.left_out
    kept = screen(motion)
    assert kept.motion.frame_count == 117
    assert not set(kept.motion.frames) & {10.0, 11.0, 50.0}
    assert np.isfinite(kept.motion.rotations).all()
    assert np.isfinite(kept.rotates).all()
    # They cannot stay, whatever the options say.
    assert screen(motion, leave_out=()).motion.frame_count == 117


def test_nothing_but_broken_frames():
    with pytest.raises(EstimationError, match="no frame with finite rotations"):
        screen(broken_at(*range(120)))


@pytest.mark.parametrize(("held", "found"), [(1, False), (2, False), (3, True), (9, True)])
def test_a_frozen_start(held, found):
    def change(rotates):
        rotates[:, :, :held] = rotates[:, :, :1]

    motion = with_rotates(moving(), change)
    assert ("frozen-start" in rules(motion)) is found
    if found:
        finding = only(motion, "frozen-start")
        assert finding.frame_ranges == ((0.0, held - 1.0),)
        assert not finding.left_out
        kept = screen(motion, leave_out=["frozen-start"])
        assert kept.motion.frame_count == 120 - held


@pytest.mark.parametrize("shape", ["step", "two steps", "two frames", "small", "fast"])
def test_what_only_looks_like_a_spike(shape):
    def change(rotates):
        if shape == "step":
            rotates[3, 2, 40:] += 60.0
        elif shape == "two steps":
            rotates[3, 2, 40:] += 40.0
            rotates[3, 2, 41:] += 40.0
        elif shape == "two frames":
            rotates[3, 2, 40:42] += 60.0
        elif shape == "small":
            rotates[3, 2, 40] += 7.0
        else:
            rotates[3, 2] = 40.0 * np.sin(np.arange(300) * 1.5)

    assert "spike" not in rules(with_rotates(moving(frames=300), change))


# Channels -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", ROTATE_ORDERS)
@pytest.mark.parametrize("mirrored", [True, False])
def test_an_euler_flip(order, mirrored):
    motion = moving(orders=order)

    def change(rotates):
        if mirrored:
            other = other_euler(np.radians(rotates[1, :, 30:60].T), order)
            rotates[1, :, 30:60] = np.degrees(other.T)
        else:
            rotates[1, 0, 30:60] += 360.0

    flipped = with_rotates(motion, change)
    finding = only(flipped, "euler-flip")
    assert finding.joint == "hip"
    assert finding.frame_ranges == ((30.0, 59.0),)
    np.testing.assert_allclose(screen(flipped).rotates, motion.rotates, atol=1e-9)
    # The motion keeps what the file says.
    np.testing.assert_array_equal(screen(flipped).motion.rotates, flipped.rotates)
    raw = screen(flipped, skip_rules=["euler-flip"])
    np.testing.assert_array_equal(raw.rotates, flipped.rotates)
    assert "euler-flip" not in [f.rule for f in raw.findings]


@pytest.mark.parametrize("order", ROTATE_ORDERS)
def test_a_gimbal_passage(order):
    def arm(top):
        curves = [np.full(60, 20.0)] * 3
        curves["xyz".index(order[1])] = there_and_back(0, top, 60)
        return clip({"arm": rotate(*curves)}, orders=order)

    finding = only(arm(88.0), "gimbal")
    assert finding.joint == "arm"
    assert order in finding.message
    for first, last in finding.frame_ranges:
        assert arm(88.0).rotates[1, "xyz".index(order[1]), int(first) : int(last) + 1].min() > 1.48
    assert "gimbal" not in rules(arm(84.0))


def test_joints_that_never_move():
    motion = clip({"arm": rotate(x=there_and_back(0, 40)), "hand": rotate(x=33.0)})
    motion = replace(motion, animated=frozenset({"arm", "hand"}))
    found = {f.joint: f.message for f in screen(motion).findings if f.rule == "never-moves"}
    assert found == {"root": "not animated in this clip", "hand": "does not move in this clip"}
    barely = clip(
        {"arm": rotate(x=there_and_back(0, 40)), "hand": rotate(x=there_and_back(0, 0.02))}
    )
    assert [f.joint for f in screen(barely).findings] == ["root"]


@pytest.mark.parametrize(("count", "found"), [(1, True), (5, True), (6, False)])
def test_too_few_samples(count, found):
    motion = moving(frames=6).keep_frames(np.arange(count))
    assert ("too-few-samples" in rules(motion)) is found
    if found:
        assert str(count) in only(motion, "too-few-samples").message


def clamped(limit, bound, frames=200):
    x = np.minimum(waves((-20, 60), frames=frames)[0], limit)
    declared = {"arm": Declaration(limits_deg={"rotateX": (None, bound), "rotateY": (-5.0, None)})}
    return clip({"arm": rotate(x=x)}, declarations=declared)


def test_a_source_that_was_clamped():
    finding = only(clamped(40.0, 40.0), "clamped-source")
    assert finding.joint == "arm"
    assert "rotateX" in finding.message
    assert "limit 40" in finding.message
    first, last = finding.frame_ranges[0]
    assert last - first >= 3
    assert not finding.left_out


def test_a_source_that_stays_inside_was_not():
    assert "clamped-source" not in rules(clamped(40.0, 45.0))
    assert "clamped-source" not in rules(clamped(90.0, 60.0, frames=50))
    constant = {"arm": Declaration(limits_deg={"rotateX": (0.0, 0.0)})}
    assert "clamped-source" not in rules(
        clip({"arm": rotate(y=there_and_back(0, 30))}, declarations=constant)
    )


# All rules ----------------------------------------------------------------------------------------


SIDES = ("leftLeg", "rightLeg", "leftFoot", "rightFoot")


def faulty():
    """One clip with every fault."""
    x, y, z = waves((25, 70), (20, 40), (-30, -15), frames=640)
    sides = {name: rotate(*(k % 2 * 20 + c for c in (x, y, z))) for k, name in enumerate(SIDES)}
    declared = {"arm": Declaration(limits_deg={"rotateX": (0.0, 50.0)})}
    whole = clip({**{name: rotate(x, y, z) for name in JOINTS}, **sides}, declarations=declared)
    feet_below_legs = replace(whole.skeleton, parents=[-1, 0, 0, 0, 0, 0, 0, 0, 6, 7])
    whole = replace(whole, skeleton=feet_below_legs)

    def change(rotates):
        rotates[:, :, :4] = 0.0
        rotates[1, 0, 100:120] += 360.0
        rotates[2, 1, 150] = np.nan
        rotates[3, 2, 200] += 60.0
        rotates[3, 2, 240:245] += 60.0
        rotates[4, 1, 560:] = 89.0
        rotates[5, 0] = np.minimum(rotates[5, 0], 50.0)
        rotates[5, 2, 450:456] += 70.0 * np.sin(np.pi * np.arange(1, 7) / 7.0) ** 2
        rotates[6:, :, 280:300] = rotates[[7, 6, 9, 8], :, 280:300]
        rotates[1:, :, 330:350] = rotates[1:, :, 330:331]
        rotates[1:, :, 380] = rotates[1:, :, 379]
        rotates[2, 0, 500:] += 150.0
        rotates[3, 0, 500:520] += 150.0
        rotates[1, 2, 520:] += 30.0

    return with_rotates(whole.keep_frames(np.delete(np.arange(640), np.arange(420, 440))), change)


@pytest.mark.thorough
def test_every_rule_can_be_turned_off_by_itself():
    everything = set(RULES) - {"too-few-samples"}
    assert set(rules(faulty())) == everything
    for rule in everything - {"non-finite"}:
        assert set(rules(faulty(), skip_rules=[rule])) == everything - {rule}


def test_what_is_left_out_is_recorded():
    kept = screen(faulty(), leave_out=RULES)
    gone = set(faulty().frames) - set(kept.motion.frames)
    recorded = set()
    for finding in kept.findings:
        # What only might be a fault stays.
        is_open = finding.rule == "excursion"
        assert finding.left_out or is_open or not finding.frame_ranges
        for first, last in finding.frame_ranges if finding.joint is None else ():
            recorded |= {frame for frame in faulty().frames if first <= frame <= last}
    assert gone == recorded
    assert kept.rotates.shape[2] == kept.motion.frame_count


def test_frames_go_by_the_numbers_of_the_source():
    motion = moving(frames=300)
    numbered = Motion.from_rotates(
        motion.skeleton, faulty().rotates[:6, :, :300], np.arange(300) * 2.0 - 31.5, 30.0, "odd"
    )
    finding = next(f for f in screen(numbered).findings if f.rule == "inserted-pose")
    assert finding.frame_ranges == ((-31.5, -25.5),)
    assert screen(numbered).motion.frames[0] == -23.5


def test_what_the_reader_noticed_comes_first():
    noticed = Finding("frame-count", "one frame is missing", clip="clip")
    assert screen(replace(moving(), findings=(noticed,))).findings[0] is noticed


def test_branches_are_chosen_without_the_frames_that_are_left_out():
    """A motion without keys of its own, near gimbal lock, that ends in the rest pose."""
    random = np.random.default_rng(21)
    swings = np.cumsum(random.normal(0.0, 2.0, (3, 200)), axis=1)
    values = {"a": np.array([0.0, 88.0, 0.0])[:, None] + swings, "b": swings, "c": -swings}
    whole = clip({name: one.T for name, one in values.items()}, from_source=False)
    rotations = whole.rotations.copy()
    rotations[:, :, 190:] = whole.skeleton.rest_rotations[:, :, None]
    ended = screen(replace(whole, rotations=rotations))
    (found,) = (item for item in ended.findings if item.rule == "inserted-pose")
    assert found.frame_ranges == ((190.0, 199.0),)
    alone = screen(whole.keep_frames(np.arange(190)))
    np.testing.assert_array_equal(ended.rotates, alone.rotates)
