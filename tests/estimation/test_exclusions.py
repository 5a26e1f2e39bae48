"""Frames and clips that the user excludes from an estimate."""

from __future__ import annotations

import numpy as np
import pytest

from jointlimits_core.base.errors import EstimationError
from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.estimation.pipeline import estimate, estimate_pooled, summarize
from tests.support.made_motion import clip, rotate, waves
from tests.support.unscreened import without_rules


@pytest.fixture(autouse=True, scope="module")
def kept():
    with without_rules("spike", "glitch", "frozen"):
        yield


CALM = np.array(waves((-10.0, 20.0), frames=300)[0])


def arm(name="walk", far=60.0):
    curve = CALM.copy()
    curve[150:159] = far
    return clip({"arm": rotate(x=curve)}, name=name)


def widest(motions, *wishes):
    limits = estimate(motions, EstimateOptions(exclude=wishes))
    return limits.joints["arm"].limits["rotateX"].max_deg


def test_frames_are_left_out_and_recorded():
    assert widest(arm()) == 60.0
    assert widest(arm(), "walk:150-158") == pytest.approx(CALM.max(), abs=0.1)
    assert widest(arm(), "walk:150-157") == 60.0
    assert widest(arm(), "walk:150-157", "walk:158") < 21.0
    limits = estimate(arm(), EstimateOptions(exclude=("walk:150-158",)))
    (record,) = (item for item in limits.findings if item.rule == "ignored-frames")
    assert (record.clip, record.frame_ranges, record.left_out) == ("walk", ((150.0, 158.0),), True)


def test_whole_clips_are_left_out_from_summaries_too():
    clips = [arm("walk"), arm("run", 90.0)]
    assert widest(clips, "run") == 60.0
    options = EstimateOptions(exclude=("run",))
    known = [summarize([one], options) for one in clips]
    limits, summary = estimate_pooled((), options, known=known)
    assert limits == estimate(clips, options)
    assert [record.name for record in limits.clips] == ["walk"]
    assert len(summary.clips) == 2
    assert [item.rule for item in limits.findings] == ["ignored-clip"]


@pytest.mark.parametrize("wish", ["jump", "jump:3-4", "walk:900-950"])
def test_what_is_not_there_cannot_be_left_out(wish):
    with pytest.raises(EstimationError, match="exclude"):
        estimate(arm(), EstimateOptions(exclude=(wish,)))


def test_frames_of_a_summary_cannot_be_left_out():
    with pytest.raises(EstimationError, match="give the clip itself"):
        estimate_pooled((), EstimateOptions(exclude=("walk:1-2",)), known=[summarize([arm()])])


@pytest.mark.parametrize("wishes", [("walk",), ("walk:0-299",)])
def test_something_must_be_left(wishes):
    with pytest.raises(EstimationError, match="is excluded"):
        estimate(arm(), EstimateOptions(exclude=wishes))
