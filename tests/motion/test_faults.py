"""Faults of clips: each kind in a clip that moves, what is left out, and what looks like it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from jointlimits_core.base.errors import EstimationError
from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.motion.motion import Motion
from jointlimits_core.motion.screening.rules import screen
from tests.support.made_motion import clip, waves
from tests.support.shared_data import clips_of_subject_02, shared_path

FRAMES = 300
NAMES = ("spine", "neck", "leftLeg", "rightLeg", "leftFoot", "rightFoot")
QUIET = {"never-moves", "gimbal", "too-few-samples"}


def body(seed=0, frames=FRAMES):
    """Six joints that move at different paces; rotate channels in degrees, (joints, 3, frames)."""
    random = np.random.default_rng(seed)
    curves = [
        np.roll(waves((low, low + 60.0), frames=frames)[0] * pace, shift)
        for low, pace, shift in zip(
            random.uniform(5.0, 30.0, 18), random.uniform(0.5, 1.0, 18), range(0, 180, 10)
        )
    ]
    return np.array(curves).reshape(6, 3, frames)


def made(rotates, name="walk") -> Motion:
    """Clip of these channels; the feet are below the legs."""
    motion = clip(dict(zip(NAMES, np.moveaxis(rotates, 1, 2))), name=name)
    parents = [-1, 0, 0, 0, 0, 3, 4]
    return replace(motion, skeleton=replace(motion.skeleton, parents=parents))


def changed(change, **options):
    rotates = body(**options)
    change(rotates)
    return made(rotates)


def faults(motion, **options):
    """Findings but for those of every clip, by rule and joint."""
    found = screen(motion, **options).findings
    return {(item.rule, item.joint): item for item in found if item.rule not in QUIET}


def only(motion, rule, joint=None):
    """The finding of a clip that has a single one."""
    found = faults(motion)
    assert list(found) == [(rule, joint)]
    return found[rule, joint]


def test_a_clean_clip_has_no_faults():
    for seed in range(5):
        assert not faults(made(body(seed)))


# Glitches -----------------------------------------------------------------------------------------


def glitch(frames, degrees=60.0, first=100):
    def change(rotates):
        rotates[2, 1, first : first + frames] += degrees

    return changed(change)


@pytest.mark.parametrize("frames", [1, 2, 5, 10])
def test_a_glitch_is_left_out_of_its_joint_and_of_no_other(frames):
    motion, plain = glitch(frames), made(body())
    item = only(motion, "spike" if frames == 1 else "glitch", "leftLeg")
    assert item.left_out
    assert item.frame_ranges == ((100.0, 99.0 + frames),)
    assert item.message.startswith("is off by up to 60 degrees in ")
    kept = screen(motion)
    assert kept.motion.frame_count == FRAMES
    row, others = 3, [0, 1, 2, 4, 5, 6]
    np.testing.assert_array_equal(kept.rotates[others], motion.rotates[others])
    # Its last pose before the glitch is held.
    held = np.repeat(motion.rotates[row, :, 99:100], frames, axis=1)
    np.testing.assert_array_equal(kept.rotates[row, :, 100 : 100 + frames], held)
    np.testing.assert_array_equal(kept.rotates[row, :, :100], plain.rotates[row, :, :100])
    np.testing.assert_array_equal(kept.motion.rotates, kept.rotates)


def test_the_limit_with_a_glitch_is_reported():
    item = only(glitch(3), "glitch", "leftLeg")
    assert (item.channel, item.side) == ("rotateY", "max")
    highest = np.degrees(glitch(3).rotates[3, 1]).max()
    assert item.instead_deg == pytest.approx(highest)
    limit = estimate(glitch(3)).joints["leftLeg"].limits["rotateY"]
    assert limit.max_deg < highest - item.degrees + 0.1
    assert limit.max_deg == pytest.approx(np.degrees(body_without(100, 103)).max(), abs=1e-6)


def body_without(first, stop):
    """The channel of the glitch without its frames, radians."""
    return np.radians(np.delete(body()[2, 1], np.arange(first, stop)))


def test_glitches_stay_if_they_are_asked_to():
    options = EstimateOptions(leave_out=())
    limit = estimate(glitch(3), options).joints["leftLeg"].limits["rotateY"]
    assert limit.max_deg == pytest.approx(np.degrees(glitch(3).rotates[3, 1]).max())
    assert not faults(glitch(3), leave_out=())["glitch", "leftLeg"].left_out


def test_an_excursion_of_more_frames_is_kept_and_has_its_frames():
    item = only(glitch(40), "glitch", "leftLeg")
    assert not item.left_out
    assert item.frame_ranges == ((100.0, 139.0),)
    without = np.degrees(body_without(100, 140)).max()
    assert (item.channel, item.side) == ("rotateY", "max")
    assert item.instead_deg == pytest.approx(without)


@pytest.mark.parametrize(
    ("rule", "joint", "channel", "shifts"),
    [
        ("glitch", 2, 1, {(100, 102): 60.0, (200, 203): -60.0}),
        ("half-turn", 1, 2, {(120, 134): 170.0, (200, 219): 170.0}),
    ],
)
def test_two_stretches_of_a_joint_are_one_finding(rule, joint, channel, shifts):
    def change(rotates):
        for (first, last), degrees in shifts.items():
            rotates[joint, channel, first : last + 1] += degrees

    assert only(changed(change), rule, NAMES[joint]).frame_ranges == tuple(shifts)


def test_a_pose_that_the_joint_has_elsewhere_is_flagged_and_kept():
    def change(rotates):
        rotates[2, :, 100:103] = rotates[2, :, 150:153]

    item = faults(changed(change)).get(("glitch", "leftLeg"))
    assert item is None or not item.left_out


@pytest.mark.parametrize("shape", ["kick", "stop", "ramp"])
def test_fast_motion_is_no_glitch(shape):
    t = np.arange(FRAMES)

    def change(rotates):
        if shape == "kick":
            rotates[2, 1] += 90.0 * np.exp(-(((t - 150) / 3.0) ** 2))
        elif shape == "stop":
            rotates[2, 1] += np.interp(t, [100, 108, 200, 240], [0.0, 90.0, 90.0, 0.0])
        else:
            rotates[2, 1] += np.interp(t, [100, 104, 108], [0.0, 60.0, 0.0])

    assert not [item for item in screen(changed(change)).findings if item.left_out]


def test_most_joints_that_are_elsewhere_are_a_glitch_of_the_clip():
    def change(rotates):
        rotates[:, 0, 100:104] += 70.0

    item = only(changed(change), "glitch")
    assert (item.joint, item.left_out, item.frame_ranges) == (None, True, ((100.0, 103.0),))
    assert screen(changed(change)).motion.frame_count == FRAMES - 4


# Inserted poses -----------------------------------------------------------------------------------


@pytest.mark.parametrize("first", [0, 100, FRAMES - 4])
@pytest.mark.parametrize("frames", [1, 4])
def test_a_rest_pose_anywhere_is_left_out(first, frames):
    first = min(first, FRAMES - frames)

    def change(rotates):
        rotates[:, :, first : first + frames] = 0.0

    motion = changed(change)
    item = faults(motion)["inserted-pose", None]
    assert item.frame_ranges == ((first, first + frames - 1.0),)
    assert item.left_out
    kept = np.delete(np.arange(float(FRAMES)), np.arange(first, first + frames))
    np.testing.assert_array_equal(screen(motion).motion.frames, kept)


# Lasting jumps ------------------------------------------------------------------------------------


@pytest.mark.parametrize("degrees", [30.0, 150.0])
def test_a_jump_that_stays(degrees):
    def change(rotates):
        rotates[1, 2, 120:] += degrees

    item = only(changed(change), "zero-slip", "neck")
    assert not item.left_out
    assert item.frame_ranges == ((120.0, 120.0),)
    assert item.message == f"jumps by up to {degrees:.0f} degrees and stays offset: marker shift?"


def test_a_jump_lasts_until_the_joint_is_back():
    """It comes back in steps that are not sudden; what follows is as before."""

    def change(rotates):
        rotates[1, 2, 120:124] += 150.0
        rotates[1, 2, 124:132] += np.linspace(150.0, 0.0, 8, endpoint=False)

    item = only(changed(change), "half-turn", "neck")
    ((first, last),) = item.frame_ranges
    assert first == 120.0
    assert 126.0 <= last <= 129.0


@pytest.mark.parametrize("degrees", [15.0, 50.0])
@pytest.mark.parametrize("is_reversed", [False, True])
def test_a_pop_that_begins_or_ends_slowly_is_no_slip(degrees, is_reversed):
    """It is back within three frames; its steps are below 60 degrees."""

    def change(rotates):
        rotates[1] *= 0.2
        off = degrees * np.array([1.0, 0.6, 0.25, 0.1])
        rotates[1, 2, 120:124] += off[::-1] if is_reversed else off

    found = faults(changed(change))
    assert ("zero-slip", "neck") not in found
    frames = {frame for item in found.values() for pair in item.frame_ranges for frame in pair}
    assert frames
    assert frames <= {120.0, 121.0, 122.0, 123.0}


@pytest.mark.parametrize("seed", range(8))
def test_jumps_of_a_reversed_clip_are_mirrored(seed):
    """Jumps of any number there and back, some of them with a slow return."""
    random = np.random.default_rng(seed)

    def change(rotates):
        for first in np.cumsum(random.integers(13, 40, 5)):
            slow = random.integers(0, 9)
            rotates[1, 2, first:] += random.choice([-1.0, 1.0]) * random.uniform(70.0, 170.0)
            if slow > 5:
                rotates[1, 2, first : first + slow] *= np.linspace(1.0, 0.2, slow)

    rotates = body()
    change(rotates)
    there, back = (faults(made(one)) for one in (rotates, rotates[:, :, ::-1].copy()))
    for rule, first in (("half-turn", FRAMES - 1.0), ("zero-slip", float(FRAMES))):
        a, b = (found.get((rule, "neck")) for found in (there, back))
        mirrored = b and tuple((first - end, first - start) for start, end in b.frame_ranges[::-1])
        assert (a and a.frame_ranges) == mirrored


@pytest.mark.parametrize("at", range(1, 12))
def test_a_joint_of_a_short_clip_may_jump_anywhere(at):
    """Also at the last step."""
    for frames in range(at + 1, 13):
        curves = body(seed=at, frames=max(frames, 200))[:, :, :frames]
        curves[1, 0, at:] += 120.0
        curves[1, 1, at - 1] += 40.0
        assert screen(made(curves)).motion.frame_count > 0


def test_a_slip_in_fast_motion_is_found():
    """A step that is no larger than those beside it, in another direction."""

    def change(rotates):
        rotates[1] = rotates[1] * 4.0
        steps = np.abs(np.diff(rotates[1], axis=1)).max(axis=0)
        at = int(np.argmax(steps[100:200])) + 101
        way = np.sign(rotates[1, 0, at] - rotates[1, 0, at - 1])
        rotates[1, 0, at:] -= 15.0 * way
        slips.append(float(at))

    slips: list[float] = []
    motion = changed(change)
    found = faults(motion)["zero-slip", "neck"]
    assert found.frame_ranges == ((slips[0], slips[0]),)


def test_a_jump_over_frames_that_are_missing_is_no_slip():
    """As where an artist excludes some; three joints are too few for "dropped-frames"."""
    rotates = body()
    rotates[2, 0, 150:] += 30.0
    motion = clip(dict(zip(NAMES[:3], np.moveaxis(rotates, 1, 2))))
    assert ("zero-slip", "leftLeg") in faults(motion)
    assert not faults(motion.keep_frames(np.delete(np.arange(FRAMES), np.arange(145, 155))))


def test_a_jump_that_another_joint_makes_up_for_is_no_slip():
    """A straight arm swings: the turn about it leaves the upper arm and enters the forearm."""

    def slip(rotates):
        rotates[2, 0, 150:] += 30.0

    def swing(rotates):
        slip(rotates)
        rotates[4, 0, 150:] -= 150.0

    assert ("zero-slip", "leftLeg") in faults(changed(slip))
    found = faults(changed(swing))
    assert ("zero-slip", "leftFoot") in found
    assert ("zero-slip", "leftLeg") not in found


def test_a_slip_is_found_while_joints_jump_that_always_do():
    """Legs that flick at every step say nothing about the neck."""

    def flick(rotates, firsts):
        rotates[2:5] *= 0.3
        for first in firsts:
            rotates[2:5, 0, first : first + 8] += 30.0 * np.exp(-np.arange(8.0) / 2.0)
        rotates[1, 0, 150:] += 20.0

    assert ("zero-slip", "neck") in faults(changed(lambda r: flick(r, range(30, 280, 20))))
    assert ("zero-slip", "neck") not in faults(changed(lambda r: flick(r, (150,))))


def test_a_jump_that_fades_is_no_slip():
    """A toe that flicks at every step and comes back within half a second."""

    def change(rotates):
        rotates[1] = 20.0 * np.sin(2.0 * np.pi * np.arange(FRAMES) / 50.0 + np.arange(3.0)[:, None])
        for first in range(40, 260, 40):
            rotates[1, 2, first : first + 15] += np.linspace(15.0, 0.0, 15)

    assert ("zero-slip", "neck") not in faults(changed(change))


# Frames that are frozen, repeated or missing ------------------------------------------------------


@pytest.mark.parametrize("first", [100, FRAMES - 20])
def test_a_stretch_that_is_frozen(first):
    """The pose in which it is frozen is one of the motion."""

    def change(rotates):
        rotates[:, :, first : first + 20] = rotates[:, :, first : first + 1]

    item = only(changed(change), "frozen")
    assert item.frame_ranges == ((first + 1.0, first + 19.0),)
    assert item.message == "nothing moves for 19 frames"
    assert not item.left_out


@pytest.mark.parametrize("others", [0, 1])
def test_a_body_that_jumps_to_its_last_pose_and_holds_it(others):
    """In a clip in which it holds other poses, too, it was posed there."""

    def change(rotates):
        rotates[:, 0, 280:] = 70.0 + 10.0 * np.arange(6.0)[:, None]
        rotates[:, 1:, 280:] = 5.0
        for first in range(100, 100 + others):
            rotates[:, :, first : first + 20] = rotates[:, :, first : first + 1]

    found = faults(changed(change))
    assert (("inserted-pose", None) in found) is not bool(others)
    if not others:
        item = found["inserted-pose", None]
        assert item.frame_ranges == ((280.0, 299.0),)
        assert (item.message, item.left_out) == ("20 frames in one pose, cut off by a jump", True)


def test_a_joint_that_rests_on_an_end_of_its_range_is_not_frozen():
    def change(rotates):
        rotates[4, 0] = np.minimum(rotates[4, 0], np.quantile(rotates[4, 0], 0.8))
        rotates[4, 1:] = 0.0

    assert not faults(changed(change))


def test_a_repeated_frame_and_frames_shown_again():
    order = np.r_[0:101, 100:300]
    assert only(made(body()[:, :, order]), "repeated-frames").frame_ranges == ((101.0, 101.0),)
    order = np.r_[0:100, 96:300]
    assert only(made(body()[:, :, order]), "repeated-frames").frame_ranges == ((100.0, 103.0),)


def test_a_cycle_that_comes_round_again_is_not_repeated():
    order = np.arange(FRAMES) % 12
    cycle = body(frames=12)[:, :, order]
    assert ("repeated-frames", None) not in faults(made(cycle))


def test_faults_of_one_kind_are_one_finding():
    """As in animation on twos, every pose of which is held."""
    order = np.repeat(np.arange(0, FRAMES, 2), 2)
    item = only(made(body()[:, :, order]), "repeated-frames")
    assert len(item.frame_ranges) == FRAMES // 2 - 1, "all but that at the start"
    assert item.message.startswith("149 times: nothing moves for 1 frame")


def test_keyed_holds_and_slow_frames_are_no_faults():
    """Poses that step every ten frames, and the same with most joints at their own times."""
    assert not faults(made(body()[:, :, np.arange(FRAMES) // 10 * 10]))
    own_times = np.array([(np.arange(FRAMES) + 3 * n) // 10 * 10 for n in range(6)])
    own_times = np.minimum(own_times, FRAMES - 1)
    staggered = made(np.array([curve[:, at] for curve, at in zip(body(), own_times)]))
    assert "frozen" not in {rule for rule, _ in faults(staggered)}
    poses = made(body()[:, :, ::30])
    assert not faults(replace(poses, frames=poses.frames / 30.0, frame_rate=1.0))


def test_swapped_limbs_are_named_and_single_pairs_are_none():
    def swap(joints):
        def change(rotates):
            others = [{2: 3, 3: 2, 4: 5, 5: 4}[joint] for joint in joints]
            rotates[joints, :, 100:120] = rotates[others, :, 100:120]

        return faults(changed(change))

    found = swap([2, 3, 4, 5])
    assert set(found) == {("swapped-sides", name) for name in NAMES[2:]}
    assert {item.message for item in found.values()} == {"has the rotations of the other leg"}
    assert {item.frame_ranges for item in found.values()} == {((100.0, 119.0),)}
    assert not any(rule == "swapped-sides" for rule, _ in swap([4, 5]))


def test_a_foot_that_strikes_the_ground_once_has_not_slipped():
    """It jumps by 18 degrees and comes back within three frames, unlike a slip."""

    def strike(rotates, fades):
        rotates[4] *= 0.2
        rotates[4, 0, 150:] += 18.0
        if fades:
            rotates[4, 0, 151:] -= np.minimum(8.0 * np.arange(1, FRAMES - 150), 18.0)

    assert ("zero-slip", "leftFoot") in faults(changed(lambda rotates: strike(rotates, False)))
    assert ("zero-slip", "leftFoot") not in faults(changed(lambda rotates: strike(rotates, True)))


# Bad input ----------------------------------------------------------------------------------------


def test_two_characters_in_one_clip():
    """Cut together, they are reported at the cut; taken turns, they do not stop the estimate."""
    one, other = body(1), body(2) - 90.0
    cut = made(np.concatenate([one[:, :, :150], other[:, :, 150:]], axis=2))
    assert faults(cut)["dropped-frames", None].frame_ranges == ((149.0, 150.0),)
    turns = np.where(np.arange(FRAMES) % 2, one, other)
    assert estimate(made(turns)).joints


def test_every_frame_of_a_joint_cannot_be_left_out():
    def change(rotates):
        rotates[2, 1] = 89.0 + 0.5 * np.sin(np.arange(FRAMES) / 9.0)

    with pytest.raises(
        EstimationError, match=r"clip 'walk': .* every frame of joint 'leftLeg'; leave"
    ):
        screen(changed(change), leave_out=["gimbal"])


# Real clips ---------------------------------------------------------------------------------------


def test_the_two_broken_clips():
    skeleton, paths = clips_of_subject_02()
    motion = read_motion(paths[0], skeleton=skeleton)
    for joint, degrees, frames in (("lradius", -35.0, 1), ("rtibia", -20.0, 40)):
        rotates = motion.rotates.copy()
        rotates[motion.skeleton.index(joint), 0, 150 : 150 + frames] = np.radians(degrees)
        broken = Motion.from_rotates(motion.skeleton, rotates, motion.frames, 120.0, motion.name)
        found = [item for item in screen(broken).findings if item.rule in ("spike", "glitch")]
        first = motion.frames[150]
        assert [(item.joint, item.frame_ranges) for item in found] == [
            (joint, ((first, first + frames - 1),))
        ]
        assert found[0].left_out is (frames == 1)
        assert (found[0].channel, found[0].side) == ("rotateX", "min")


@pytest.mark.parametrize(
    ("path", "joint", "frames"),
    [
        ("cmu_bvh/131_01.bvh", "RThumb", ((237.0, 242.0), (751.0, 756.0), (809.0, 814.0))),
        ("xia/old_13_000.bvh", "RightToeBase", ((5.0, 9.0),)),
    ],
)
def test_flips_of_real_clips_are_left_out(path, joint, frames):
    motion = read_motion(shared_path(f"data/mocap/{path}"))
    (item,) = (one for one in screen(motion).findings if one.left_out and one.joint)
    assert (item.rule, item.joint, item.frame_ranges) == ("glitch", joint, frames)


def test_frozen_trackers_of_a_real_clip():
    motion = read_motion(shared_path("data/mocap/cmu_asfamc/07/07_08.amc"))
    frozen = [item for item in screen(motion).findings if item.rule == "frozen"]
    assert {item.frame_ranges for item in frozen} == {((350.0, 362.0),)}
    assert len(frozen) > 10
