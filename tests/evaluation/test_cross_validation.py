"""One clip out at a time."""

import numpy as np
import pytest

from jointlimits_core.base import Cancelled, EstimationError, LimitSetError
from jointlimits_core.estimation import EstimateOptions, estimate
from jointlimits_core.evaluation import cross_validated, options_of, violations
from jointlimits_core.formats import read_motion
from tests.support.evaluation_examples import box, limits
from tests.support.made_motion import clip, rotate, there_and_back, waves
from tests.support.shared_data import clips_of_subject_02


def knee(low, high, name):
    return clip({"knee": rotate(x=there_and_back(low, high, 50))}, name=name)


THREE = [knee(0, 60, "a"), knee(10, 100, "b"), knee(5, 58, "c")]


def test_every_clip_against_the_others():
    found = cross_validated(THREE)
    assert [fold.clip for fold in found.folds] == ["a", "b", "c"]
    assert found.frames == 150
    for number, fold in enumerate(found.folds):
        others = THREE[:number] + THREE[number + 1 :]
        expected = violations(estimate(others), THREE[number])
        assert fold.violations == expected.bounds
        outside = expected.frames_outside
        assert fold.whole_pose == pytest.approx(1.0 - outside / 50)
        assert fold.joints["knee"] == pytest.approx(1.0 - outside / 50)
    # Nothing is lost without the last, and its poses are inside limits from the others.
    assert found.folds[2].violations == ()
    shares = [fold.whole_pose for fold in found.folds]
    assert found.whole_pose == pytest.approx(np.mean(shares))


def test_which_bound_hangs_on_which_clip():
    found = cross_validated(THREE)
    bounds = {(item.channel, item.side): item for item in found.bounds}
    top, bottom = bounds["rotateX", "max"], bounds["rotateX", "min"]
    assert found.bounds[0] is top
    assert (top.bound_deg, top.inner_deg) == pytest.approx((100.0, 60.0))
    assert (top.inner_clip, top.clips_beyond) == ("b", 1)
    assert (top.worst_deg, top.loose_deg) == pytest.approx((40.0, 40.0))
    assert (bottom.inner_deg, bottom.inner_clip) == (pytest.approx(5.0), "a")
    # Locked channels have no bound that a motion could firm up.
    assert set(bounds) == {("rotateX", "min"), ("rotateX", "max")}
    assert found.to_dict()["bounds"][0]["inner_clip"] == "b"


def test_equal_clips_are_sure_of_everything():
    found = cross_validated([knee(0, 60, "a"), knee(0, 60, "b")])
    assert found.whole_pose == 1.0
    for item in found.bounds:
        assert (item.loose_deg, item.inner_clip, item.clips_beyond) == (0.0, None, 0)
    assert found.types == {}


def test_types_that_one_clip_decides():
    twisting = clip({"knee": rotate(*waves((0, 60), (-30, 30), (-20, 40), frames=50))}, name="ball")
    found = cross_validated([knee(0, 60, "a"), knee(0, 50, "b"), twisting])
    assert found.types == {"knee": {"ball": "hinge"}}


def test_bounds_on_another_branch_are_compared_on_the_same():
    away = clip({"knee": rotate(x=there_and_back(370, 415, 200))}, name="away")
    found = cross_validated([knee(0, 60, "a"), knee(0, 60, "b"), away])
    assert max((item.loose_deg for item in found.bounds), default=0.0) < 90.0


def test_the_options_of_the_limits_are_used_again():
    options = EstimateOptions(pad_deg=50.0, joints="knee", rest="frame:3")
    found = cross_validated(THREE, options)
    assert found.whole_pose == 1.0
    assert list(found.joints) == ["knee"]
    limit_set = estimate(THREE, options)
    assert options_of(limit_set) == options
    assert options_of(type(limit_set).from_json(limit_set.to_json())) == options
    with pytest.raises(LimitSetError, match="options"):
        options_of(limits({"a": box(None, None, None)}, options={"pad_deg": "much"}))
    unknown = limits({"a": box(None, None, None)}, options={"of a later version": 1})
    assert options_of(unknown) == EstimateOptions()


def test_one_clip_cannot_be_left_out():
    for clips in ([], THREE[:1]):
        with pytest.raises(EstimationError, match="two clips"):
            cross_validated(clips)


def test_progress_and_cancelling():
    received = []

    def progress(done, total, label):
        received.append((done, total, label))
        return done < 2 or not label.startswith("without")

    with pytest.raises(Cancelled):
        cross_validated(THREE, progress=progress)
    screened = [(n, 3, f"screened {name}") for n, name in enumerate("abc", 1)]
    assert received == [*screened, (1, 3, "without a"), (2, 3, "without b")]


@pytest.mark.thorough
def test_subject_02_one_clip_out_at_a_time():
    skeleton, paths = clips_of_subject_02()
    clips = [read_motion(path, skeleton=skeleton) for path in paths]
    found = cross_validated(clips)
    assert [fold.clip for fold in found.folds] == [path.stem for path in paths]
    shares = {fold.clip: fold.whole_pose for fold in found.folds}
    # The washing of the window is unlike all the others; no clip is covered whole.
    assert shares["02_10"] < 0.3 < min(share for name, share in shares.items() if name != "02_10")
    assert max(shares.values()) < 1.0
    assert found.joints["lhipjoint"] == 1.0
    assert found.bounds[0].loose_deg > 20.0
