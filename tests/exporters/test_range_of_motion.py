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
