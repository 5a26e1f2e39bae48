"""Motion as a page carries it: read back value by value, it is the clip."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.euler import local_from_rotate
from jointlimits_core.geometry.quaternion import (
    IDENTITY,
    angle_between,
    matrix_from_quaternion,
    multiply,
    normalize,
    rotate,
)
from jointlimits_core.motion.motion import Motion
from jointlimits_core.motion.skeleton import Skeleton
from jointlimits_core.report.figures.playback import MAX_ERROR_DEG, MAX_POSES, Streams, playback
from jointlimits_core.report.html.limits_page import write_report
from tests.support.limit_set_examples import limit_set, motion
from tests.support.page_streams import data_of, reader
from tests.support.shared_data import shared_path

EXAMPLE = "examples/humanoid_rom.ma"


@given(st.lists(st.integers(-(2**28), 2**28), min_size=1, max_size=40), st.booleans())
@settings(max_examples=60, deadline=None)
def test_a_stream_comes_back(values, steady):
    if steady:
        values = np.cumsum(np.clip(values, -500, 500)).tolist()
    streams = Streams()
    asked = [streams.add(np.array(values, dtype=float)) for _ in range(2)]
    read = reader(streams.text(), len(values))
    for one in asked:
        assert read(one).tolist() == values


def posed(data):
    """Places and local rotations of every joint, frame by frame, by plain forward kinematics."""
    frames = sum(clip["count"] for clip in data["clips"])
    read = reader(data["packed"], frames)
    worlds, places, locals_ = {}, {}, []
    nodes = list(enumerate(data["nodes"]))
    while nodes:
        index, node = nodes.pop(0)
        if node["parent"] >= 0 and node["parent"] not in worlds:
            nodes.append((index, node))
            continue
        angles = np.radians(np.stack([read(axis) for axis in node["channels"]], 1) * data["step"])
        orient, axis = (np.array(node.get(key, IDENTITY)) for key in ("orient", "axis"))
        local = local_from_rotate(angles, orient, axis, node["order"])
        above = worlds.get(node["parent"], np.broadcast_to(IDENTITY, (frames, 4)))
        space = multiply(above, np.array(node.get("pre", IDENTITY)))
        at = np.tile(node.get("at", [0.0, 0.0, 0.0]), (frames, 1))
        if "moves" in node:
            at = np.stack([read(axis) for axis in node["moves"]], 1) * data["length"]
        places[index] = places.get(node["parent"], 0.0) + rotate(above, at)
        worlds[index] = multiply(space, local)
        locals_.append((index, local))
    joints = len(data["names"])
    return np.stack([places[n] for n in range(joints)], 1), dict(locals_)


def assert_same(shown, clip, reach_share=2e-3):
    places, local = posed(shown.data)
    world = clip.all_world_matrices()[..., :3, 3] @ shown.character.turn.T
    world = world - world[0, 0]
    away = np.linalg.norm(places - world, axis=2).max()
    assert away < reach_share * shown.character.reach
    for joint in range(len(clip.skeleton)):
        off = np.degrees(angle_between(local[joint], clip.rotations[joint].T))
        assert off.max() < MAX_ERROR_DEG


def random_motion(seed, joints=6, frames=20, **more):
    rng = np.random.default_rng(seed)
    parents = [-1, *(int(rng.integers(0, n)) for n in range(1, joints))]
    skeleton = Skeleton(
        tuple(f"j{n}" for n in range(joints)),
        parents,
        rng.normal(size=(joints, 3)),
        rotate_orders=tuple(rng.choice(["xyz", "zyx", "yxz"], joints)),
        joint_orients=normalize(rng.normal(size=(joints, 4))),
    )
    turns = normalize(rng.normal(size=(joints, frames, 4)) * [1, 1, 1, 3])
    return Motion(
        skeleton,
        np.swapaxes(turns, 1, 2),
        np.arange(frames) + 1.0,
        30.0,
        translations={0: rng.normal(size=(frames, 3))},
        **more,
    )


@pytest.mark.parametrize("seed", range(3))
def test_any_skeleton_is_posed_as_it_is(seed):
    clip = random_motion(seed)
    assert_same(playback(limit_set(joints={}), [clip]), clip)


def test_joints_that_slide_and_groups_that_turn_are_posed_as_they_are():
    rng = np.random.default_rng(5)
    clip = random_motion(5)
    turns = np.tile(np.eye(4), (20, 1, 1))
    spin = np.stack([np.zeros(20), np.sin(np.arange(20) / 9), np.zeros(20), np.ones(20)], 1)
    turns[:, :3, :3] = matrix_from_quaternion(normalize(spin))
    turns[:, :3, 3] = rng.normal(size=(20, 3))
    clip = replace(
        clip, between={3: turns}, translations={**clip.translations, 2: rng.normal(size=(20, 3))}
    )
    assert_same(playback(limit_set(joints={}), [clip]), clip)


def test_the_example_is_posed_as_it_is_on_the_branch_of_its_limits():
    clip = read_motion(EXAMPLE)
    limits = estimate(clip)
    shown = playback(limits, [clip])
    assert_same(shown, clip)
    read = reader(shown.data["packed"], clip.frame_count)
    elbow = clip.skeleton.index("LeftElbow")
    for axis, channel in enumerate(("rotateX", "rotateY", "rotateZ")):
        degrees = read(shown.data["nodes"][elbow]["channels"][axis]) * shown.data["step"]
        limit = limits.joints["LeftElbow"].limits[channel]
        assert limit.min_deg - 0.02 <= degrees.min() <= degrees.max() <= limit.max_deg + 0.02
    source = limits.joints["LeftElbow"].limits["rotateZ"].source.max
    assert clip.frames[shown.frame_index(source.clip, source.frame)] == source.frame
    assert shown.frame_index(source.clip, 1e9) is shown.frame_index("other", 1.0) is None


@pytest.mark.parametrize("scale", [0.01, 1.0, 100.0])
def test_units_and_a_place_far_away_change_nothing(scale):
    clip = random_motion(1)
    far = {0: scale * (clip.translations[0] + [1e4, 0.0, -1e4])}
    moved = replace(clip, skeleton=replace(clip.skeleton, offsets=scale * clip.skeleton.offsets))
    moved = replace(moved, translations=far)
    near, away = (posed(playback(limit_set(joints={}), [one]).data)[0] for one in (clip, moved))
    reach = playback(limit_set(joints={}), [clip]).character.reach
    np.testing.assert_allclose(away / scale, near, atol=2e-3 * reach)


@pytest.mark.parametrize(
    ("clip", "words"),
    [
        (random_motion(2, joints=1), "the clip has one joint"),
        (random_motion(2, joints=125, frames=2), ""),
        (random_motion(2, frames=1), ""),
        (
            replace(random_motion(2), skeleton=Skeleton(tuple("abcdef"), range(-1, 5))),
            "no bone lengths",
        ),
    ],
)
def test_odd_clips_are_shown_and_say_what_is_missing(clip, words):
    shown = playback(limit_set(joints={}), [clip])
    assert words in "; ".join(shown.notes)
    assert shown.data["clips"][0]["count"] == clip.frame_count
    assert np.isfinite(posed(shown.data)[0]).all()


def test_a_long_clip_is_thinned_out_says_so_and_keeps_the_frames_of_its_limits():
    clip = motion("walk", 40_000)
    limits = limit_set()
    shown = playback(limits, [clip])
    (short,) = shown.motions
    assert short.frame_count < min(10_000, MAX_POSES // 5) + 20
    assert " of 40,000 frames: one in " in "; ".join(shown.notes)
    assert shown.frame_index("walk", 3.0) is not None  # the example's limits are of frame 3
    assert shown.data["clips"][0]["rate"] == clip.frame_rate


def test_frames_without_data_and_clips_of_others_are_reported():
    broken = motion("walk")
    broken.rotations[1, :, 20:30] = np.nan
    other = random_motion(3)
    shown = playback(limit_set(), [broken, other])
    assert shown.positions == (0,)
    assert "1 clip with other joints not shown" in shown.notes
    assert "frames without data keep the last pose" in shown.notes
    assert np.isfinite(posed(shown.data)[0]).all()


@pytest.mark.thorough
def test_the_page_of_a_captured_subject_stays_small(tmp_path):
    folder = shared_path("data/mocap/cmu_asfamc/02")
    clips = [
        read_motion(folder / f"02_{n:02d}.amc", folder / "02.asf") for n in (1, 3, 4, 5, 6, 10)
    ]
    page = tmp_path / "02.html"
    write_report(estimate(clips), clips, page)
    assert page.stat().st_size < 1_200_000
    data = data_of(page.read_text(encoding="utf-8"), "figure-data")
    assert sum(clip["count"] for clip in data["clips"]) == 7733
    first = clips[0]
    assert_same(playback(estimate(first), [first]), first)
