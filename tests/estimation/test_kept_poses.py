"""Poses that summaries of many clips keep: few, always the same, and enough for the same limits."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jointlimits_core.base.errors import EstimationError
from jointlimits_core.base.findings import Finding
from jointlimits_core.estimation import kept_poses
from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.estimation.pipeline import estimate, estimate_from_summary, summarize
from jointlimits_core.estimation.summary import CharacterSummary, merge_summaries
from jointlimits_core.estimation.summary_file import read_summary, write_summary
from tests.support.made_motion import clip, noisy, rotate, there_and_back, waves

FEW = 150
"""Number of evenly spaced poses that the clips below have to share."""
FRAMES = (40, 700, 90, 1, 560, 64, 128, 3, 300, 77)


@pytest.fixture
def few(monkeypatch):
    monkeypatch.setattr(kept_poses, "MAX_EVEN_POSES", FEW)


@pytest.fixture(scope="module")
def motions():
    rng, made = np.random.default_rng(7), []
    for number, frames in enumerate(FRAMES):
        size = 1.0 + 0.1 * np.sin(3.0 * number)
        hip = rotate(*(size * c for c in waves((-40, 60), (-30, 25), (-20, 45), frames=frames)))
        bend = there_and_back(2, 90, frames) if frames > 2 else np.full(frames, 30.0)
        made.append(clip({"hip": hip, "knee": rotate(x=size * bend)}, name=f"clip{number}"))
        shaken = [noisy(turn, 1.0, rng) for turn in made[-1].rotations]
        made[-1] = replace(made[-1], rotations=np.stack(shaken), rotates=None)
    return made


@pytest.fixture(scope="module")
def alone(motions):
    return [summarize([motion]) for motion in motions]


def bytes_of(summary, folder):
    path = folder / "it.summary.npz"
    write_summary(summary, path)
    return path.read_bytes()


def renamed(summary, number):
    only = summary.clips[0]
    return summary._replace(
        clips=(replace(only, clip=replace(only.clip, name=f"take{number:04}", sha256="ab" * 32)),)
    )


def poses_of(summary):
    return sum(len(one.frames) for one in summary.clips)


MANY = pytest.param(3 * len(FRAMES), marks=pytest.mark.thorough)


@pytest.mark.parametrize("count", [4, 7, len(FRAMES), MANY])
def test_any_order_and_any_parts_keep_the_same(few, alone, tmp_path, count):
    """With 4 clips, only every other pose is left out; with more, whole clips."""
    parts = [renamed(alone[n % len(alone)], n) for n in range(count)]
    whole = merge_summaries(parts)
    expected = bytes_of(whole, tmp_path)
    assert any(one.stride > 1 for one in whole.clips)
    assert any(not one.even.any() for one in whole.clips) == (count > 4)
    for seed in range(10):
        order = random.Random(seed)
        mixed = order.sample(parts, len(parts))
        cuts = sorted(order.sample(range(1, count), 2))
        pieces = [mixed[: cuts[0]], mixed[cuts[0] : cuts[1]], mixed[cuts[1] :]]
        merged = [merge_summaries(piece) for piece in pieces]
        path = tmp_path / "part.summary.npz"
        write_summary(merged[0], path)
        again = merge_summaries([merged[2], read_summary(path), merged[1], mixed[0]])
        assert bytes_of(again, tmp_path) == expected
        last = merge_summaries([mixed[0], merge_summaries(mixed[1:])])
        assert bytes_of(last, tmp_path) == expected


@pytest.mark.thorough
@settings(max_examples=15)
@given(st.data())
def test_any_clips_in_any_order(alone, tmp_path_factory, data):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kept_poses, "MAX_EVEN_POSES", FEW)
        check_any_order(alone, tmp_path_factory, data)


def check_any_order(alone, tmp_path_factory, data):
    which = data.draw(st.lists(st.sampled_from(range(len(alone))), min_size=1, max_size=25))
    parts = [renamed(alone[n], number) for number, n in enumerate(which)]
    folder = tmp_path_factory.mktemp("any")
    expected = bytes_of(merge_summaries(parts), folder)
    mixed = data.draw(st.permutations(parts))
    cut = data.draw(st.integers(0, len(parts)))
    pieces = [merge_summaries(piece) for piece in (mixed[:cut], mixed[cut:]) if piece]
    assert bytes_of(merge_summaries(pieces), folder) == expected


def test_limits_and_their_evidence_do_not_depend_on_kept_poses(few, alone):
    every = estimate_from_summary(merge_summaries(alone, every_pose=True))
    found = estimate_from_summary(merge_summaries(alone))
    assert found.clips == every.clips
    for name, joint in every.joints.items():
        assert found.joints[name].type == joint.type
        assert found.joints[name].limits == joint.limits


@pytest.mark.parametrize(
    ("frames", "count"),
    [
        (60, 300),
        pytest.param(1, 2000, marks=pytest.mark.thorough),
        pytest.param(700, 2000, marks=pytest.mark.thorough),
    ],
)
def test_thousands_of_clips_keep_no_more_poses(frames, count):
    curves = waves((-40, 60), (-30, 25), (-20, 45), frames=frames)
    part = summarize([clip({"hip": rotate(*curves)})])
    many = merge_summaries(renamed(part, number) for number in range(count))
    assert len(many.clips) == count
    assert 1 <= poses_of(many) <= kept_poses.MAX_EVEN_POSES + 2 * 7 * 2
    first = estimate_from_summary(many).joints["hip"].limits["rotateX"]
    assert first.max_deg == pytest.approx(curves[0].max())
    if frames > 1:
        assert first.source.max.clips == count
        assert first.source.max.clip == "take0000"


def test_one_clip_keeps_all_its_poses(alone, motions):
    for one, motion in zip(alone, motions):
        assert len(one.clips[0].frames) >= min(motion.frame_count, 512)
        assert merge_summaries([one]).clips == one.clips


def test_the_limit_without_the_frames_of_a_finding_stays_exact(motions, monkeypatch):
    """The clip that sets the limit goes 20 degrees further for some frames."""
    far = motions[4]
    rotates = np.zeros((3, 3, far.frame_count))
    rotates[1, 0] = np.linspace(-30.0, 40.0, far.frame_count)
    rotates[1, 0, 200:210] = 60.0
    finding = Finding(
        "excursion", "turns far", "hip", "far", ((200.0, 209.0),), channel="rotateX", degrees=1.0
    )
    made = clip({"hip": rotates[1].T, "knee": rotates[2].T}, name="far")
    others = [
        clip({"hip": rotate(x=there_and_back(-5, 10 + n)), "knee": np.zeros((1, 3))}, name=f"n{n}")
        for n in range(20)
    ]
    parts = [summarize([one]) for one in (made, *others)]
    about = replace(parts[0].clips[0], findings=(finding,))
    parts[0] = CharacterSummary(parts[0].skeleton, (about,))
    monkeypatch.setattr(kept_poses, "MAX_EVEN_POSES", FEW)
    for every_pose in (True, False):
        merged = merge_summaries(parts, every_pose=every_pose)
        (item,) = [
            one
            for one in estimate_from_summary(merged).joints["hip"].findings
            if one.rule == "excursion"
        ]
        assert item.instead_deg == pytest.approx(40.0)
        assert item.degrees == pytest.approx(20.0)


def test_a_clip_can_be_taken_out_by_merging_the_others(few, alone, tmp_path):
    every = merge_summaries(alone)
    without = merge_summaries([*alone[:4], *alone[5:]])
    assert bytes_of(merge_summaries([without, alone[4]]), tmp_path) == bytes_of(every, tmp_path)
    asked = EstimateOptions(exclude=("clip4",))
    left = estimate_from_summary(every, asked)
    for name, joint in estimate_from_summary(without).joints.items():
        assert left.joints[name].limits == joint.limits


def test_excluding_every_clip_whose_poses_are_kept(few, alone):
    parts = [renamed(alone[5], number) for number in range(12)]
    every = merge_summaries(parts)
    kept = [one.clip.name for one in every.clips if one.even.any()]
    assert 0 < len(kept) < len(parts)
    with pytest.raises(EstimationError, match="only keeps poses of excluded clips"):
        estimate_from_summary(every, EstimateOptions(exclude=tuple(kept)))


def test_joints_with_exclusions_of_their_own_keep_few_poses(motions, tmp_path, monkeypatch):
    parts = []
    for one in motions:
        if one.frame_count > 40:
            wish = f"{one.name}:{one.frames[-10]:g}-{one.frames[-1]:g}@knee"
            parts.append(summarize([one], EstimateOptions(exclude=(wish,))))
    monkeypatch.setattr(kept_poses, "MAX_EVEN_POSES", FEW)
    whole = merge_summaries(parts)
    apart = [part for one in whole.clips for part in one.apart.values()]
    assert sum(int(part.even.sum()) for part in apart) <= FEW
    again = merge_summaries([merge_summaries(parts[4:]), merge_summaries(parts[:4])])
    assert bytes_of(again, tmp_path) == bytes_of(whole, tmp_path)
    exact = estimate_from_summary(merge_summaries(parts, every_pose=True)).joints["knee"]
    assert estimate_from_summary(whole).joints["knee"].limits == exact.limits


def test_the_rest_pose_of_the_first_frame_is_kept(few, alone):
    parts = [renamed(alone[n % len(alone)], n) for n in range(40)]
    asked = EstimateOptions(rest="first")
    found = estimate_from_summary(merge_summaries(parts), asked)
    assert found.rest_source == "first frame of take0000"
    every = estimate_from_summary(merge_summaries(parts, every_pose=True), asked)
    assert found.joints["hip"].rest == every.joints["hip"].rest


def test_the_mode_of_the_paper_keeps_every_pose(few, motions):
    paper = EstimateOptions(mode="paper")
    summary = summarize(motions, paper)
    assert poses_of(summary) == sum(FRAMES)
    assert estimate_from_summary(summary, paper).to_json() == estimate(motions, paper).to_json()
