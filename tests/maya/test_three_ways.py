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
def test_on_scenes_made_from_clips_and_a_referenced_character(tmp_path):
    folder = shared_path("data/mocap")
    scenes = [scene_from_clip(folder / clip, tmp_path, frames=200) for clip in CLIPS]
    rows = compare([*scenes, referenced_scene(folder / CLIPS[-1], tmp_path, frames=60)], tmp_path)
    agree(rows)
    assert all(row.left_out == () and row.animated > 15 for row in rows)


@pytest.mark.thorough
def test_a_difference_is_seen(tmp_path, monkeypatch):
    from tests.support import three_ways
    from tests.support.batch_scenes import leg
    from tests.support.maya_scenes import write_scene

    scene = write_scene(tmp_path, leg(40.0))
    other = write_scene(tmp_path, leg(41.0), "other.ma")
    read = three_ways.from_file
    monkeypatch.setattr(three_ways, "from_file", lambda _, folder: read(other, folder))
    (row,) = compare([scene], tmp_path)
    assert row.file > 0.5
