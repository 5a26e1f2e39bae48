"""The command, the batch and the Maya-free command line agree to a billionth of a degree."""

from __future__ import annotations

import pytest

from tests.support.shared_data import shared_path
from tests.support.three_ways import (
    HEADING,
    animated_scenes,
    compare,
    referenced_scene,
    scene_from_clip,
)

WITHIN = 1e-9
CLIPS = ("cmu_asfamc/02/02_01.amc", "cmu_asfamc/03/03_01.amc", "cmu_asfamc/01_fairmotion/01_01.bvh")


def agree(rows):
    print(HEADING)
    for row in rows:
        print(row)
        assert row.joints > 0
        assert row.animated > 0
        assert row.differences == ()
        assert row.batch == 0.0
        assert row.file <= WITHIN


@pytest.mark.slow
def test_on_every_scene_of_others_with_animated_joints(tmp_path):
    shared_path("data/maya")
    rows = compare(animated_scenes(), tmp_path)
    agree(rows)
    assert len(rows) >= 12
    # What only Maya can read is a part of some scenes, and not of all.
    assert 0 < sum(bool(row.left_out) for row in rows) < len(rows) / 2
    assert sum(row.animated - len(row.left_out) for row in rows) > 40


@pytest.mark.thorough
@pytest.mark.parametrize("clip", CLIPS)
def test_on_scenes_made_from_clips(tmp_path, clip):
    scene = scene_from_clip(shared_path("data/mocap") / clip, tmp_path, frames=200)
    (row,) = compare([scene], tmp_path)
    agree([row])
    assert row.left_out == ()
    assert row.animated > 15


@pytest.mark.thorough
def test_on_a_referenced_character(tmp_path):
    clip = shared_path("data/mocap") / "cmu_asfamc/01_fairmotion/01_01.bvh"
    (row,) = compare([referenced_scene(clip, tmp_path, frames=60)], tmp_path)
    agree([row])
    assert row.left_out == ()


@pytest.mark.thorough
def test_a_difference_is_seen(tmp_path, monkeypatch):
    from tests.support import three_ways
    from tests.support.batch_scenes import leg
    from tests.support.maya_scenes import write_scene

    scene = write_scene(tmp_path, leg(40.0))
    other = write_scene(tmp_path, leg(41.0), "other.ma")
    (same,) = compare([scene], tmp_path / "same")
    assert same.file <= WITHIN
    read = three_ways.from_file
    monkeypatch.setattr(three_ways, "from_file", lambda _, folder: read(other, folder))
    (row,) = compare([scene], tmp_path / "different")
    assert row.file > 0.5
