"""The range-of-motion animation, read back by our readers."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from jointlimits_core.base.errors import ExportError
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.evaluation.violations import violations
from jointlimits_core.exporters import range_of_motion
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.motion.skeleton import Skeleton
from tests.support.export_examples import KINDS, export, rig
from tests.support.limit_set_examples import CHANNELS, FREE, NAMES, joint, limit_set, motion, span
from tests.support.limit_set_examples import lock as locked_at


def export_rom(limits, skeleton, ending="ma"):
    return export("rom", limits, skeleton, ending)


def read_back(folder, limits, skeleton, ending="ma"):
    path = folder / f"rom.{ending}"
    export_rom(limits, skeleton, ending).write(path)
    return read_motion(path)


LIMITS, SKELETON = limit_set(), motion().skeleton


def degrees(clip):
    """Rotate channels, (frames, joints, 3)."""
    return np.stack([clip.rotate_deg(name) for name in clip.joint_names], axis=1)


@pytest.mark.parametrize("ending", ["ma", "bvh"])
def test_every_limited_channel_reaches_both_ends_on_its_own_branch(ending, tmp_path):
    values = degrees(read_back(tmp_path, LIMITS, SKELETON, ending))
    exact = 1e-9 if ending == "ma" else 1e-6
    assert check_ends(values, NAMES, LIMITS, exact) == 6
    for index, name in enumerate(NAMES):
        still = [LIMITS.joints[name].limits[c].state != "limited" for c in CHANNELS]
        assert (np.ptp(values[:, index], axis=0)[still] <= exact).all()


def check_ends(values, names, limits, exact):
    """Limited channels reach their limits; returns their number."""
    checked = 0
    for index, name in enumerate(names):
        for axis, channel in enumerate(CHANNELS):
            limit, seen = limits.joints[name].limits[channel], values[:, index, axis]
            if limit.state == "limited":
                assert seen.min() == pytest.approx(limit.min_deg, abs=exact)
                assert seen.max() == pytest.approx(limit.max_deg, abs=exact)
                checked += 1
    return checked


def test_channels_move_one_after_the_other_from_home_and_back(tmp_path):
    values = degrees(read_back(tmp_path, LIMITS, SKELETON))
    home = values[0]
    np.testing.assert_allclose(home[3], (0.0, 0.0, 150.0), atol=1e-9)  # 100 is outside its range
    np.testing.assert_allclose(values[-1], home, atol=1e-9)
    away = np.abs(values - home).reshape(len(values), -1) > 1e-9
    assert away.sum(axis=1).max() == 1
    order = [int(np.argmax(row)) for row in away if row.any()]
    assert order == sorted(order)


def test_frames_are_listed_speed_and_hold_are_kept(tmp_path):
    clip = read_back(tmp_path, LIMITS, SKELETON)
    assert clip.frame_rate == pytest.approx(30.0)
    values = degrees(clip)
    # An eased way is at most pi / 2 times as fast as an even one.
    assert np.abs(np.diff(values, axis=0)).max() * 30.0 <= 90.0 * np.pi / 2.0 + 1e-6
    knee = values[:, 1, 0]
    assert (np.abs(knee - 140.0) < 1e-9).sum() == 1 + 5
    notes = export_rom(LIMITS, SKELETON).notes
    assert len(notes) == 6
    first = next(note for note in notes if "knee.rotateX" in note)
    begin, end = (int(word) for word in first.split()[1].rstrip(":").split("-"))
    frames = clip.frames.tolist()
    during = knee[frames.index(begin) : frames.index(end) + 1]
    assert during.max() == pytest.approx(140.0)
    assert "0.0..140.0" in first
    assert int(notes[-1].split()[1].rstrip(":").split("-")[1]) == frames[-1]


def test_the_last_digits_of_a_limit_make_no_frame_more():
    def notes_with(high):
        knee = joint("hinge", (span(0.0, high), locked_at(), locked_at()))
        return export_rom(limit_set(joints={"knee": knee}), motion().skeleton).notes

    assert notes_with(120.0 + 1e-8) == notes_with(120.0)
    assert notes_with(120.1) != notes_with(120.0)


def test_the_limits_can_be_estimated_from_it_again(tmp_path):
    clip = read_back(tmp_path, LIMITS, SKELETON)
    again = estimate(clip)
    for name in ("knee", "ankle", "hip"):
        for channel in CHANNELS:
            ours, theirs = LIMITS.joints[name].limits[channel], again.joints[name].limits[channel]
            assert theirs.min_deg == pytest.approx(ours.min_deg, abs=1e-6)
            assert theirs.max_deg == pytest.approx(ours.max_deg, abs=1e-6)
    assert not violations(LIMITS, clip, 1e-6).bounds


@pytest.mark.thorough
def test_a_rig_with_orients_and_every_order_has_the_same_channels_in_a_scene(tmp_path):
    skeleton, limits = rig(3, KINDS, plain=True)
    values = degrees(read_back(tmp_path, limits, skeleton))
    assert check_ends(values, skeleton.names, limits, 1e-8) > 6


@pytest.mark.thorough
@pytest.mark.parametrize("plain", [True, False])
def test_bvh_turns_every_joint_the_same(plain, tmp_path):
    skeleton, limits = rig(3, KINDS, plain=plain)
    scene = read_back(tmp_path, limits, skeleton, "ma")
    bvh = read_back(tmp_path, limits, skeleton, "bvh")
    np.testing.assert_allclose(
        bvh.all_world_matrices()[..., :3, 3], scene.all_world_matrices()[..., :3, 3], atol=2e-3
    )
    rules = {loss.rule for loss in export_rom(limits, skeleton, "bvh").losses}
    assert ("no-joint-orient" if plain else "plain-joints") in rules


def test_free_channels_and_unknown_joints_are_reported():
    skeleton, limits = motion().skeleton, limit_set()
    del limits.joints["tail"]
    rules = {loss.rule: loss for loss in export_rom(limits, skeleton).losses}
    assert rules["free-channel"].joints == ("root",)
    assert rules["no-limits"].joints == ("tail",)


def test_nothing_to_move_and_too_much_of_it_are_errors(monkeypatch):
    skeleton = Skeleton(("a",), np.array([-1]))
    still = limit_set(joints={"a": joint("ball", [FREE, FREE, locked_at()], parent=None)})
    with pytest.raises(ExportError, match="nothing would move"):
        export_rom(still, skeleton)
    monkeypatch.setattr(range_of_motion, "MAX_FRAMES", 100)
    wide = limit_set(joints={"a": joint("ball", [span(-180.0, 180.0), FREE, FREE], parent=None)})
    with pytest.raises(ExportError, match="would exceed 100 frames; estimate fewer joints"):
        export_rom(wide, skeleton)


def test_what_is_not_written_is_an_error():
    paper = dataclasses.replace(limit_set(), mode="paper")
    with pytest.raises(ExportError, match="export to csv"):
        export_rom(paper, motion().skeleton)
    with pytest.raises(ExportError, match="needs a skeleton"):
        export_rom(limit_set(), None)
