"""Complete estimates: several clips, chosen joints, options, and cancelling."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jointlimits_core.base.errors import EstimationError
from jointlimits_core.base.findings import Finding
from jointlimits_core.base.progress import Cancelled
from jointlimits_core.base.version import __version__
from jointlimits_core.estimation.options import MAX_SAMPLES, EstimateOptions
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.geometry.euler import ROTATE_ORDERS, quaternion_from_euler
from jointlimits_core.geometry.quaternion import IDENTITY, quaternion_from_axis_angle
from jointlimits_core.io.input import SourceFile
from jointlimits_core.limits.diff import diff
from jointlimits_core.motion.motion import Motion
from tests.support.made_motion import (
    angle_between_lines,
    clip,
    random_direction,
    rotate,
    there_and_back,
    waves,
    with_joints,
)


def person(name="walk", reach=1.0, frames=120, **fields):
    """A root and one joint of each type."""
    hip = rotate(*(reach * c for c in waves((-40, 60), (-30, 25), (-20, 45), frames=frames)))
    return clip(
        {
            "hip": hip,
            "knee": rotate(x=reach * there_and_back(2, 130, frames)),
            "ankle": rotate(x=hip[:, 0] * 0.6, z=hip[:, 2] * 0.8),
            "tail": rotate(0, 12, 0),
        },
        name=name,
        **fields,
    )


def numbers(limit_set):
    """Types, states and values of all limits."""
    return {
        name: (
            joint.type,
            [(limit.state, limit.min_deg, limit.max_deg) for limit in joint.limits.values()],
        )
        for name, joint in limit_set.joints.items()
    }


# What comes out -----------------------------------------------------------------------------------


@pytest.mark.parametrize("order", ROTATE_ORDERS)
def test_types_ranges_and_axes(order):
    found = estimate(person(orders=order), EstimateOptions(limit_root=True)).joints
    assert list(found) == ["root", "hip", "knee", "ankle", "tail"]
    expected = ["fixed", "ball", "hinge", "universal", "fixed"]
    assert [joint.type for joint in found.values()] == expected
    assert found["knee"].hinge.channel == "rotateX"
    assert found["knee"].hinge.axis_child == pytest.approx((1, 0, 0), abs=1e-9)
    assert found["knee"].hinge.off_channel_deg == pytest.approx(0, abs=1e-5)
    assert (found["knee"].hinge.min_deg, found["knee"].hinge.max_deg) == pytest.approx((2, 130))
    assert [limit.state for limit in found["ankle"].limits.values()] == [
        "limited",
        "locked",
        "limited",
    ]
    axes = {"x": (1, 0, 0), "z": (0, 0, 1)}
    first, last = [letter for letter in order if letter != "y"]
    assert angle_between_lines(found["ankle"].universal.axis_parent, axes[last]) < 1e-3
    assert angle_between_lines(found["ankle"].universal.axis_child, axes[first]) < 1e-3
    assert found["tail"].evidence.sure == "no motion"
    assert found["hip"].evidence.sure == "clear"
    assert found["hip"].parent == "root"
    assert found["root"].parent is None
    assert found["hip"].orientation.rotate_order == order


@pytest.mark.thorough
@given(st.integers(0, 2**32 - 1))
def test_a_hinge_about_any_axis_in_any_frame(seed):
    rng = np.random.default_rng(seed)
    axis, low = random_direction(rng), rng.uniform(-100, 20)
    high = low + rng.uniform(20, 120)
    angles = np.radians(there_and_back(low, high, 81))
    rest = angles[rng.integers(81)]
    turn = quaternion_from_axis_angle(axis, angles)
    still = np.broadcast_to(IDENTITY, (81, 4))
    frames = quaternion_from_euler(rng.uniform(-3, 3, (2, 2, 3)))
    motion = Motion.from_quaternions(
        ["root", "door"],
        [-1, 0],
        np.stack([still, turn], axis=1),
        30.0,
        rest_rotations=np.stack([IDENTITY, quaternion_from_axis_angle(axis, rest)]),
        joint_orients=frames[0],
        rotate_axes=frames[1],
    )
    joint = estimate(motion, EstimateOptions(leave_out=())).joints["door"]
    assert joint.type == "hinge"
    assert angle_between_lines(joint.hinge.axis_parent, axis) < 1e-4
    ends = np.array([low, high]) - np.degrees(rest)
    if np.dot(joint.hinge.axis_parent, axis) < 0:
        ends = -ends[::-1]
    assert (joint.hinge.min_deg, joint.hinge.max_deg) == pytest.approx(tuple(ends), abs=1e-5)
    # Between two frames a channel may go further than at both, far further near gimbal lock.
    near_gimbal = any(finding.rule == "gimbal" for finding in joint.findings)
    assert joint.rest.feasible or near_gimbal or joint.rest.outside_deg < 1.0


def test_a_hinge_range_holds_the_rest_pose_or_comes_nearest_to_it():
    for low, high in ((150, 250), (-250, -150), (20, 340 - 31), (-170, 100), (175, 185)):
        hinge = estimate(clip({"arm": rotate(x=there_and_back(low, high))})).joints["arm"].hinge
        assert hinge.max_deg - hinge.min_deg == pytest.approx(high - low)
        assert (hinge.min_deg - low) % 360 == pytest.approx(0, abs=1e-6) or (
            hinge.min_deg - low
        ) % 360 == pytest.approx(360, abs=1e-6)
        middle = 0.5 * (hinge.min_deg + hinge.max_deg)
        assert abs(middle) <= 180 + 1e-6


def test_records_of_the_clips():
    source = SourceFile("/somewhere/else/walk.bvh", "ab" * 32)
    one = replace(person(frames=120), source=source)
    two = person("run", frames=60)
    found = estimate([one, two])
    assert found.character == "run"
    # Sorted, so that their order never matters.
    assert [(c.name, c.file, c.sha256, c.frames) for c in found.clips] == [
        ("run", None, None, 60),
        ("walk", "walk.bvh", "ab" * 32, 120),
    ]
    assert (found.clips[0].first_frame, found.clips[0].last_frame) == (0.0, 59.0)
    assert found.clips[0].frame_rate == 30.0
    assert found.program_version == __version__
    assert found.joints["hip"].evidence.samples == 180


def test_findings_are_with_their_joint_or_with_the_clip():
    noticed = (
        Finding("a", "of the clip", None, "walk"),
        Finding("b", "of the knee", "knee", "walk"),
        Finding("c", "of a joint that is not chosen", "hip", "walk"),
    )
    found = estimate(replace(person(), findings=noticed), EstimateOptions(joints="knee"))
    assert [f.rule for f in found.findings] == ["a"]
    assert [f.rule for f in found.joints["knee"].findings] == ["b"]


def test_what_nothing_drives_is_not_animated():
    one = replace(person(), animated=frozenset({"hip", "knee"}))
    two = replace(person("run"), animated=frozenset({"ankle"}))
    found = estimate([one, two]).joints
    assert [name for name, joint in found.items() if joint.animated] == ["hip", "knee", "ankle"]
    alone = estimate(one).joints["ankle"]
    assert not alone.animated
    assert alone.evidence.sure == "no motion"


def test_few_samples_are_never_clear():
    found = estimate(person().keep_frames(np.arange(0, 120, 30)), EstimateOptions()).joints
    assert found["hip"].evidence.sure == "close"
    assert found["hip"].evidence.samples == 4


def test_one_frame():
    found = estimate(person().keep_frames([5])).joints
    assert {joint.type for joint in found.values()} == {"fixed"}
    assert found["knee"].limits["rotateX"].state == "locked"
    assert found["knee"].limits["rotateX"].min_deg == pytest.approx(
        person().rotate_deg("knee")[5, 0]
    )


# Several clips ------------------------------------------------------------------------------------


def test_clips_are_pooled():
    found = estimate([person(reach=0.5), person("jump", reach=1.0)]).joints["knee"]
    limit = found.limits["rotateX"]
    assert (limit.min_deg, limit.max_deg) == pytest.approx((1, 130))
    assert (limit.source.min.clip, limit.source.max.clip) == ("walk", "jump")


def test_joints_may_come_in_another_order():
    one, two = person(), person("run", reach=1.2)
    names = ("root", "tail", "knee", "ankle", "hip")
    shuffled = with_joints(two, names)
    # The last digits of a universal fit depend on where numpy 1.21 has the numbers in memory.
    first, second = estimate([one, shuffled]), estimate([one, two])
    assert diff(first, second, 1e-12).equal
    assert {name: one.limits for name, one in first.joints.items()} == {
        name: one.limits for name, one in second.joints.items()
    }
    assert numbers(estimate([shuffled, one])) == {
        name: numbers(estimate([two, one]))[name] for name in names
    }


def test_clips_in_any_order_give_the_same_bytes():
    clips = [person("run", frames=60), person("walk", frames=90), person("jump", frames=70)]
    first = estimate(clips, EstimateOptions(rest="first")).to_json()
    assert estimate(clips[::-1], EstimateOptions(rest="first")).to_json() == first


def test_clips_of_another_character():
    other = clip({"hip": rotate(x=there_and_back(0, 9)), "wing": np.zeros(3)}, name="bird")
    with pytest.raises(EstimationError, match=r"'walk' .* 'bird': joints ankle, knee"):
        estimate([person(), other])


@pytest.mark.parametrize("what", ["rotate_orders", "joint_orients", "rotate_axes"])
def test_the_same_names_with_other_channels(what):
    frames = np.tile(IDENTITY, (5, 1))
    frames[2] = quaternion_from_euler([0.1, 0, 0])
    changed = ["xyz", "xyz", "zyx", "xyz", "xyz"] if what == "rotate_orders" else frames
    two = person("run")
    two = replace(two, skeleton=replace(two.skeleton, **{what: changed}))
    with pytest.raises(EstimationError, match="'knee' of clip 'walk' has a different rotate order"):
        estimate([person(), two])
    # Rounding in the files is not another frame.
    if what != "rotate_orders":
        frames[2] = quaternion_from_euler([1e-5, 0, 0])
        estimate([person(), replace(two, skeleton=replace(two.skeleton, **{what: frames}))])


def test_nothing_to_estimate_from():
    with pytest.raises(EstimationError, match="no motion"):
        estimate([])
    empty = Motion.from_quaternions([], [], np.zeros((5, 0, 4)), 30.0, name="void")
    with pytest.raises(EstimationError, match="'void' has no joints"):
        estimate(empty)


# Options ------------------------------------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("patterns", "names"),
    [
        ("*", ["root", "hip", "knee", "ankle", "tail"]),
        ("knee", ["knee"]),
        ("?nee, *il", ["knee", "tail"]),
        ("tail,hip", ["hip", "tail"]),
        ("[hk]*", ["hip", "knee"]),
    ],
)
def test_chosen_joints(patterns, names):
    found = estimate(person(), EstimateOptions(joints=patterns))
    assert list(found.joints) == names
    everything = estimate(person())
    for name in names:
        assert found.joints[name].limits == everything.joints[name].limits


@pytest.mark.parametrize("count", [1, 7, 100, 1000])
def test_samples(count):
    found = estimate(person(), EstimateOptions(samples=count))
    assert found.joints["knee"].evidence.samples == count
    knee = found.joints["knee"].limits["rotateX"]
    assert knee.min_deg >= 2 - 1e-9
    assert knee.max_deg <= 130 + 1e-9
    if count >= 100:
        assert knee.max_deg == pytest.approx(130, abs=2.5)


def test_samples_are_taken_of_what_screening_left():
    """An inserted pose blended into the motion could no longer be distinguished from it."""
    curves = rotate(*waves((25, 70), (20, 40), (-30, -15), frames=60))
    clean = curves[1:].copy()
    curves[0] = 0.0
    curves[30:40, 0] += 360.0
    motion = clip(dict.fromkeys(("a", "b", "c", "d"), curves))
    found = estimate(motion, EstimateOptions(samples=500))
    low = [limit.min_deg for limit in found.joints["a"].limits.values()]
    high = [limit.max_deg for limit in found.joints["a"].limits.values()]
    np.testing.assert_allclose(low, clean.min(axis=0), atol=0.5)
    np.testing.assert_allclose(high, clean.max(axis=0), atol=0.5)
    assert [f.rule for f in found.findings] == ["inserted-pose"]
    assert [f.rule for f in found.joints["a"].findings] == ["euler-flip"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"rest": "t-pose"},
        {"rest": "frame:"},
        {"rest": "frame:nan"},
        {"rest": "frame:inf"},
        {"samples": 0},
        {"samples": -3},
        {"samples": "many"},
        {"samples": MAX_SAMPLES + 1},
        {"pad_deg": -1.0},
        {"pad_deg": float("nan")},
        {"pad_deg": 180.0},
        {"mode": "print"},
        {"leave_out": ("nothing",)},
    ],
)
def test_options_that_make_no_sense(wrong):
    with pytest.raises(ValueError, match=str(next(iter(wrong.values())))[:6].replace("(", ".")):
        EstimateOptions(**wrong)


def test_screening_options_reach_the_screening():
    curves = rotate(*waves((25, 70), (20, 40), (-30, -15), frames=60))
    curves[0] = 0.0
    motion = clip(dict.fromkeys(("a", "b", "c", "d"), curves))
    for options, low in (({}, 25), ({"leave_out": ()}, 0)):
        limit = estimate(motion, EstimateOptions(**options)).joints["a"].limits["rotateX"]
        assert limit.min_deg == pytest.approx(low, abs=1.0)


# Progress and cancelling -------------------------------------------------------------------------


def test_progress_is_reported_after_every_clip():
    steps = []
    clips = [person(f"clip{n}") for n in range(3)]
    estimate(clips, progress=lambda *step: steps.append(step) or True)
    whole = [step for step in steps if step[2].startswith("screened")]
    assert whole == [(n + 1, 3, f"screened clip{n}") for n in range(3)]
    # In between often enough to be stopped: before every rule, and every few joints.
    within = [step for step in steps if step not in whole]
    assert {label.split()[0] for _, _, label in within} == {"screening", "summarizing"}
    assert [done for done, _, _ in steps] == sorted(done for done, _, _ in steps)


def test_progress_can_stop_it():
    counts = []

    def stop(done, total, label):
        counts.append(done)
        return done < 2

    with pytest.raises(Cancelled, match="stopped after 2 of 3: screened clip1"):
        estimate([person(f"clip{n}") for n in range(3)], progress=stop)
    assert sorted(set(counts)) == [0, 1, 2]
    assert counts.count(2) == 1


# Real characters ----------------------------------------------------------------------------------
