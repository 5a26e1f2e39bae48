"""Merged summaries: any order and grouping gives the same bytes and the same estimate."""

from __future__ import annotations

import functools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jointlimits_core.base.errors import EstimationError
from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.estimation.pipeline import (
    estimate,
    estimate_from_summary,
    rest_of_frame,
    summarize,
)
from jointlimits_core.estimation.summary import CharacterSummary, merge_summaries
from jointlimits_core.estimation.summary_file import write_summary
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.io.input import SourceFile
from tests.support.made_motion import clip, noisy, rotate, there_and_back, waves, with_joints
from tests.support.shared_data import shared_path

COUNTS = (40, 700, 90, 1200, 5)


def from_file(motion, content="a"):
    """Clip that seems to be read from a file with this content."""
    return replace(motion, source=SourceFile(f"{motion.name}.bvh", content * 64))


@functools.cache
def library():
    """Short and long clips of one character, with noise, so that no values are equal by chance."""
    clips, rng = [], np.random.default_rng(5)
    for number, frames in enumerate(COUNTS):
        size = 1.0 + 0.15 * number
        hip = rotate(*(size * c for c in waves((-40, 60), (-30, 25), (-20, 45), frames=frames)))
        knee = rotate(x=size * there_and_back(2, 90, frames))
        motion = clip({"hip": hip, "knee": knee}, name=f"clip{number}")
        shaken = np.stack([noisy(turn, 1.0, rng) for turn in motion.rotations])
        clips.append(from_file(replace(motion, rotations=shaken), "abcde"[number]))
    return tuple(clips)


@functools.cache
def alone():
    return tuple(summarize([motion]) for motion in library())


def bytes_of(summary, folder):
    path = folder / "it.summary.npz"
    write_summary(summary, path)
    return path.read_bytes()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("summaries")


@functools.cache
def whole(folder):
    return bytes_of(summarize(library()), folder)


# The same bytes -----------------------------------------------------------------------------------


@pytest.mark.thorough
@settings(max_examples=25)
@given(st.permutations(range(len(COUNTS))), st.lists(st.booleans(), min_size=5, max_size=5))
def test_any_order_and_any_parts(folder, order, cuts):
    parts, current = [], []
    for number, cut in zip(order, cuts):
        current.append(alone()[number])
        if cut:
            parts.append(merge_summaries(current))
            current = []
    parts += [merge_summaries(current)] if current else []
    assert bytes_of(merge_summaries(parts), folder) == whole(folder)


@pytest.mark.thorough
def test_advised_frames_from_summaries_of_short_clips():
    """All poses of short clips are kept; for long clips, a finding reports the loss."""
    asked = EstimateOptions(orientation="advised")
    short = [motion for motion in library() if motion.frame_count <= 512]
    assert len(short) >= 2
    parts = merge_summaries([summarize([motion], asked) for motion in short])
    expected, found = estimate(short, asked), estimate_from_summary(parts, asked)
    for name, joint in expected.joints.items():
        assert found.joints[name].frame == joint.frame
        for channel, axis in joint.limits.items():
            other = found.joints[name].limits[channel]
            assert (other.state, other.min_deg, other.max_deg) == (
                axis.state,
                pytest.approx(axis.min_deg, abs=1e-9),
                pytest.approx(axis.max_deg, abs=1e-9),
            )
    long = estimate_from_summary(summarize(library()), asked)
    assert "kept-poses" in {finding.rule for finding in long.findings}


@pytest.mark.thorough
@settings(max_examples=10)
@given(st.lists(st.sampled_from(range(len(COUNTS))), max_size=8))
def test_a_clip_that_is_in_several_counts_once(folder, again):
    parts = [*alone(), *(alone()[number] for number in again), merge_summaries(alone())]
    assert bytes_of(merge_summaries(parts), folder) == whole(folder)
    assert len(merge_summaries(parts).clips) == len(COUNTS)


def test_clips_made_in_memory_are_all_taken(folder):
    """Clips with equal names may differ, but their order makes no difference."""
    clips = [replace(motion, name="walk", source=None) for motion in library()[:3]]
    clips[1] = with_joints(clips[1].keep_frames(np.arange(40)), ("root", "knee", "hip"))
    parts = [summarize([motion]) for motion in clips]
    together = merge_summaries(parts)
    assert len(together.clips) == 3
    expected = bytes_of(together, folder)
    for order in ((2, 1, 0), (1, 0, 2), (0, 2, 1)):
        assert bytes_of(merge_summaries(parts[n] for n in order), folder) == expected
    assert bytes_of(merge_summaries([merge_summaries(parts[1:]), parts[0]]), folder) == expected
    assert estimate(clips[::-1]).to_json() == estimate(clips).to_json()


def test_one_file_that_was_screened_in_two_ways(folder):
    motion = library()[1]
    ways = [summarize([motion]), summarize([motion], EstimateOptions(samples=100))]
    expected = bytes_of(merge_summaries(ways), folder)
    assert len(merge_summaries(ways).clips) == 1
    assert bytes_of(merge_summaries(ways[::-1]), folder) == expected
    assert bytes_of(merge_summaries([merge_summaries(ways), ways[1], ways[0]]), folder) == expected


def test_same_name_and_other_content_are_two_clips():
    one, two = library()[:2]
    two = replace(two, name=one.name)
    assert len(summarize([one, two]).clips) == 2
    same = from_file(two, "a")
    # The same content in another range of frames is another clip.
    assert len(summarize([one, same]).clips) == 2


# Joints in another order --------------------------------------------------------------------------


@pytest.mark.thorough
@settings(max_examples=10)
@given(st.permutations(range(3)), st.permutations(["hip", "knee"]))
def test_joints_in_another_order(folder, order, names):
    clips = list(library()[:3])
    clips[1] = with_joints(clips[1], ("root", *names))
    clips[2] = with_joints(clips[2], ("root", *reversed(names)))
    parts = [summarize([clips[n]]) for n in order]
    expected = bytes_of(summarize(library()[:3]), folder)
    assert bytes_of(merge_summaries(parts), folder) == expected
    assert bytes_of(merge_summaries([parts[0], merge_summaries(parts[1:])]), folder) == expected


# Other characters ---------------------------------------------------------------------------------


def test_nothing_to_put_together():
    with pytest.raises(EstimationError, match="no motion"):
        merge_summaries([])
    with pytest.raises(EstimationError, match="no motion"):
        summarize([])
    assert len(summarize([], known=alone()).clips) == len(COUNTS)


# The estimate -------------------------------------------------------------------------------------

OPTIONS = [
    {},
    {"strictness": "robust"},
    {"strictness": "generous", "pad_deg": 2.0},
    {"rest": "first"},
    {"rest": "mean"},
    {"samples": 60},
    {"limit_root": True, "joints": "root,knee"},
    {"leave_out": ("non-finite", "spike")},
    {"advise": True},
    {"symmetry": "pool"},
]


@pytest.mark.thorough
@pytest.mark.parametrize("options", OPTIONS, ids=lambda item: ",".join(item) or "default")
def test_from_summaries_as_from_motions(options):
    asked = EstimateOptions(**options)
    expected = estimate(library(), asked).to_json()
    assert estimate(library()[::-1], asked).to_json() == expected
    parts = [summarize([motion], asked) for motion in library()]
    pair = merge_summaries([parts[3], parts[0]])
    together = merge_summaries([parts[4], pair, parts[2], parts[1]])
    assert estimate_from_summary(together, asked).to_json() == expected


def test_a_frame_as_the_rest_pose():
    asked = EstimateOptions(rest="frame:7")
    clips = library()[:2]
    expected = estimate(clips, asked)
    assert expected.rest_source == "frame 7 of clip0"
    assert estimate(clips[::-1], asked).to_json() == expected.to_json()
    summary = summarize(clips)
    rest = rest_of_frame(clips[:1], asked, summary.skeleton)
    assert estimate_from_summary(summary, asked, rest).to_json() == expected.to_json()
    # A summary does not hold every frame.
    assert rest_of_frame([], asked, summary.skeleton) is None
    with pytest.raises(EstimationError, match="rest pose 'frame:7' needs every frame"):
        estimate_from_summary(summary, asked)


def test_the_mode_of_the_paper_needs_every_frame():
    paper = EstimateOptions(mode="paper")
    with pytest.raises(EstimationError, match="every frame, which a summary does not have"):
        estimate_from_summary(summarize(library()), paper)
    every = summarize(library(), paper)
    assert estimate_from_summary(every, paper).to_json() == estimate(library(), paper).to_json()
    short = summarize(library()[:1])
    assert estimate_from_summary(short, paper).to_json() == estimate(library()[:1], paper).to_json()


def test_what_is_kept_does_not_grow_with_the_clip():
    curve = rotate(*waves((-40, 60), (-30, 25), (-20, 45), frames=20_000))
    long, short = (
        summarize([clip({"hip": curve[::step]}, name="hip")]).clips[0] for step in (1, 10)
    )
    assert isinstance(summarize([clip({"hip": curve})]), CharacterSummary)
    assert abs(len(long.frames) - len(short.frames)) < 20
    assert long.count == 10 * short.count == 20_000


@pytest.mark.thorough
def test_real_clips_of_a_subject():
    folder = shared_path("data/mocap/cmu_asfamc/02")
    clips = [read_motion(folder / f"02_0{n}.amc", skeleton=folder / "02.asf") for n in (1, 3, 4)]
    parts = [summarize([motion]) for motion in clips]
    expected = estimate(clips).to_json()
    for order in ((0, 1, 2), (2, 0, 1), (1, 2, 0)):
        together = merge_summaries(
            [merge_summaries([parts[order[0]], parts[order[1]]]), parts[order[2]]]
        )
        assert estimate_from_summary(together).to_json() == expected
