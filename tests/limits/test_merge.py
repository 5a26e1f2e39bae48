"""Several limit sets made into one; random ones are in test_merge_poses.py."""

from __future__ import annotations

import dataclasses

import pytest

from jointlimits_core.base.errors import LimitSetError
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.geometry.euler import CHANNELS
from jointlimits_core.limits.layers import with_edits
from jointlimits_core.limits.limit_set import Hinge, Orientation
from jointlimits_core.limits.merge import merge
from jointlimits_core.limits.records import ArtistEdit, Dependency
from jointlimits_core.limits.symmetry import same_way
from jointlimits_core.shapes.coupled_limit import CoupledLimit
from tests.support.layered_sets import axis, one_joint, spans
from tests.support.limit_set_examples import evidence, joint, lock
from tests.support.made_motion import clip, rotate, waves


def test_estimates_of_two_clips_merge_to_that_of_both():
    first = {"hip": rotate(*waves((-30.0, 60.0), (-10.0, 20.0), (-5.0, 15.0)))}
    second = {"hip": rotate(*waves((-50.0, 40.0), (-4.0, 25.0), (-30.0, 3.0)))}
    clips = [clip(first, name="walk"), clip(second, name="jump")]
    both = estimate(clips)
    merged = merge(estimate(clips[0]), [estimate(clips[1])])
    for channel in CHANNELS:
        a, b = both.joints["hip"].limits[channel], merged.joints["hip"].limits[channel]
        assert (a.min_deg, a.max_deg) == (b.min_deg, b.max_deg)
        assert (a.source.min.clip, a.source.max.clip) == (b.source.min.clip, b.source.max.clip)
    assert [record.name for record in merged.clips] == ["jump", "walk"]


def test_joints_clips_and_findings_of_all():
    a = one_joint("hip", options={"pad_deg": 0.0})
    b = one_joint("tail", options={"pad_deg": 5.0})
    merged = merge(a, [b])
    assert list(merged.joints) == ["hip", "tail"]
    assert [f.rule for f in merged.findings] == ["merged-options"]
    assert "0.0, 5.0" in merged.findings[0].message
    assert not merge(a, [one_joint("tail", options={"pad_deg": 0.0})]).findings


def test_a_dependency_stays_only_if_all_sets_have_it():
    corners = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0))
    first, second, third = (
        Dependency("hip", "rotateX", "hip", channel, corners, 0.5, None, 3)
        for channel in ("rotateY", "rotateZ", "rotateX")
    )
    a, b = one_joint(dependencies=(first, second)), one_joint(dependencies=(second, third))
    assert merge(a, [b]).dependencies == (second,)


def test_the_rest_pose_is_looked_at_anew():
    far = one_joint(axes=(axis(10.0, 90.0), axis(-20.0, 20.0), axis(-10.0, 10.0)))
    merged = merge(far, [one_joint()])
    hip = merged.joints["hip"]
    assert hip.rest.feasible
    assert hip.remedies["middle"].rotate_deg == (30.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("how", "win", "limits", "edits"),
    [
        ("union", False, [(-30.0, 45.0), (-20.0, 20.0), (-10.0, 10.0)], 1),
        ("intersection", False, [(-30.0, 40.0), (-3.0, 20.0), (-10.0, 10.0)], 2),
        ("layers", False, [(-30.0, 40.0), (-3.0, 20.0), (-10.0, 10.0)], 2),
        ("union", True, [(-30.0, 45.0), (-3.0, 20.0), (-10.0, 10.0)], 2),
        ("intersection", True, [(-30.0, 40.0), (-3.0, 20.0), (-10.0, 10.0)], 2),
    ],
)
def test_edits_stay_where_they_say_what_the_merged_limits_are(how, win, limits, edits):
    a = with_edits(one_joint(), [ArtistEdit("hip", "max", "rotateX", 45.0)])
    b = with_edits(
        one_joint(),
        [ArtistEdit("hip", "max", "rotateX", 40.0), ArtistEdit("hip", "min", "rotateY", -3.0)],
    )
    merged = merge(a, [b], how, win)
    assert spans(merged, "hip") == limits
    assert len(merged.edits) == edits
    lowered = how == "intersection" and not win
    assert merged.edits[0].replaced["max_deg"] == (45.0 if lowered else 90.0)


def test_edits_of_joints_that_no_set_has():
    def waiting(value):
        edits = [ArtistEdit("tail", "max", "rotateX", value), ArtistEdit("tail", "note", None, "a")]
        return with_edits(one_joint(), edits)

    alike = merge(waiting(5.0), [dataclasses.replace(waiting(5.0), rest_source="mean")])
    assert [edit.value for edit in alike.edits] == [5.0, "a"]
    apart = merge(waiting(5.0), [waiting(None)])
    assert [edit.value for edit in apart.edits] == ["a"]
    assert sum(finding.rule == "edit-dropped" for finding in apart.findings) == 2
    kept = merge(waiting(5.0), [waiting(9.0)], "union", True)
    assert [edit.value for edit in kept.edits] == [9.0, "a"]


def test_hinges_about_different_axes_are_no_hinge_together():
    ways = (((1.0, 0.0, 0.0), "rotateX"), ((0.0, 1.0, 0.0), "rotateY"))
    ranges = [(axis(0.0, 50.0), lock(), lock()), (lock(), axis(0.0, 50.0), lock())]
    sets = [
        one_joint(joints={"knee": joint("hinge", own, hinge=Hinge(way, way, name, 0.0, 0.0, 50.0))})
        for (way, name), own in zip(ways, ranges)
    ]
    merged = merge(sets[0], sets[1:]).joints["knee"]
    assert (merged.type, merged.hinge) == ("ball", None)
    assert [limit.max_deg for limit in merged.limits.values()] == [50.0, 50.0, 0.0]


def test_what_cannot_be_merged():
    a = one_joint()
    frame = Orientation("zyx", (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    hip = dataclasses.replace(a.joints["hip"], orientation=frame)
    with pytest.raises(LimitSetError, match=r"hip: .*different orientations"):
        merge(a, [dataclasses.replace(a, joints={"hip": hip})])
    with pytest.raises(LimitSetError, match="mode 'paper'"):
        merge(a, [dataclasses.replace(a, mode="paper")])
    far = one_joint(axes=(axis(100.0, 120.0), *(axis(-5.0, 5.0),) * 2))
    with pytest.raises(LimitSetError, match=r"rotateX has no .* -30\.0\.\.90\.0 and 100\.0"):
        merge(a, [far], "intersection")
    with pytest.raises(ValueError, match="union, people, intersection, layers, not 'both'"):
        merge(a, [a], "both")
    stranger = dataclasses.replace(one_joint("tail"), character="stranger")
    with pytest.raises(LimitSetError, match="stranger: has no joint in common with person"):
        merge(a, [stranger])
    assert list(merge(a, [dataclasses.replace(a, character="stranger")]).joints) == ["hip"]


def test_hinges_merge_about_opposite_axes():
    x = Hinge((1.0, 0.0, 0.0), (1.0, 0.0, 0.0), "rotateX", 0.0, 0.0, 100.0)
    back = Hinge((-1.0, 0.0, 0.0), (-1.0, 0.0, 0.0), "rotateX", 0.0, -130.0, 4.0)
    ranges = (axis(0.0, 100.0), lock(), lock())
    a = one_joint(joints={"knee": joint("hinge", ranges, hinge=x)})
    b = one_joint(joints={"knee": joint("hinge", ranges, hinge=back)})
    union = same_way(merge(a, [b]).joints["knee"].hinge, x)
    common = same_way(merge(a, [b], "intersection").joints["knee"].hinge, x)
    assert (union.min_deg, union.max_deg) == (-4.0, 130.0)
    assert (common.min_deg, common.max_deg) == (0.0, 100.0)


def test_the_hinge_of_more_samples_gives_the_axis():
    few, many = (
        joint(
            "hinge",
            (axis(0.0, 50.0), lock(), lock()),
            hinge=Hinge(along, along, "rotateX", 0.0, 0.0, 50.0),
            evidence=dataclasses.replace(evidence((40.0, 0.3, None, None), None), samples=samples),
        )
        for along, samples in (((1.0, 0.0, 0.0), 10), ((0.96, 0.28, 0.0), 90))
    )
    for pair in ((few, many), (many, few)):
        a, b = (one_joint(joints={"knee": one}) for one in pair)
        assert merge(a, [b]).joints["knee"].hinge.axis_parent == (0.96, 0.28, 0.0)


def shaped_hip(pad_deg):
    coupled = CoupledLimit("hull", {"kind": "c", "centre": [0]}, {"kind": "hull"}, pad_deg, 0.1, 9)
    return joint("ball", [axis(-10, 10)] * 3, coupled=coupled)


def test_a_coupled_limit_of_some_sets_only_is_dropped():
    first, second = (one_joint(joints={"hip": shaped_hip(3.0)}) for _ in range(2))
    same = merge(first, [second])
    assert same.joints["hip"].coupled == shaped_hip(3.0).coupled
    plain = joint("ball", [axis(-10, 10)] * 3)
    for other, how in ((shaped_hip(4.0), "layers"), (plain, "union"), (plain, "people")):
        pair = [one_joint(joints={"hip": one}) for one in (shaped_hip(3.0), other)]
        for sets_given in (pair, pair[::-1]):
            merged = merge(sets_given[0], sets_given[1:], how).joints["hip"]
            assert merged.coupled is None
            assert [finding.rule for finding in merged.findings] == ["shape-dropped"]
