"""Starter limits from other people."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import jointlimits_core as jl
from benchmarks.made_figures import SCHEMES, dressed, role_names
from jointlimits_core.base.errors import EstimationError
from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.estimation.pipeline import estimate_pooled, estimate_with_people, summarize
from jointlimits_core.estimation.starter import NOT_CARRIED, RULE, SPACING_DEG
from jointlimits_core.estimation.summary_file import write_summary
from jointlimits_core.evaluation.violations import violations
from jointlimits_core.geometry.quaternion import multiply, quaternion_from_rotation_vector
from jointlimits_core.limits.limit_set import LimitSet
from jointlimits_core.limits.review_entries import review
from jointlimits_core.limits.vocabulary import grade_marks
from jointlimits_core.people.bones import NotHumanError, find_figure
from jointlimits_core.people.people import MARGIN_DEG, People, measure_person
from jointlimits_core.people.people_file import shipped_people
from jointlimits_core.report.figures.range_shapes import ARC, range_shapes
from tests.people.test_neutral import human, posed
from tests.support.human_rigs import mixamo_like
from tests.support.maya_scenes import write_scene

__all__ = ["human"]


def test_people_who_hardly_move_give_narrow_limits():
    persons = [
        replace(one, reaches={part: 0.0 * values for part, values in one.reaches.items()})
        for one in shipped_people().persons[:2]
    ]
    limits = estimate_with_people([posed()], People(tuple(persons)), EstimateOptions())[0]
    widest = 2.0 * (MARGIN_DEG + SPACING_DEG) + 1.0
    assert all(axis.max_deg - axis.min_deg < widest for axis in limits["r_thigh"].limits.values())
    bend = limits["r_calf"]["rotateX"]
    assert (bend.min_deg, bend.max_deg) == pytest.approx((-MARGIN_DEG, MARGIN_DEG), abs=0.1)


def test_every_limit_of_a_still_rig_is_from_people():
    limits = jl.estimate(posed(), people="people", pad_deg=3.0)
    assert limits.clips == ()
    assert limits.options == EstimateOptions(pad_deg=3.0, people="people").to_dict()
    for name in ("l_upperarm", "r_thigh", "spine", "l_forearm", "r_calf"):
        joint = limits[name]
        known = [bound for axis in joint.limits.values() for bound in axis.source.known]
        assert {bound.kind for bound in known} == {"people"}
        assert grade_marks(joint) == ("people",)
        assert joint.findings[0].rule == RULE
    knee = limits["r_calf"]
    assert [axis.state for axis in knee.limits.values()] == ["limited", "free", "free"]
    assert knee["rotateX"].max_deg == pytest.approx(
        shipped_people().limits()["knee"][0] + 3.0, abs=0.1
    )
    for name in ("root", "l_foot"):
        assert {axis.state for axis in limits[name].limits.values()} == {"free"}
        assert limits[name].findings[0].rule == NOT_CARRIED
    assert LimitSet.from_json(limits.to_json()) == limits


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_poses_of_the_people_are_inside_on_other_skeletons(human, scheme):
    two = People(tuple(measure_person([human], name) for name in "ab"))
    rig = dressed(human, role_names(find_figure(human.skeleton), scheme), 4, 30.0)
    limits = estimate_with_people([rig.keep_frames([0])], two, EstimateOptions(pad_deg=8.0))[0]
    outside = {bound.joint: bound.frames for bound in violations(limits, rig).bounds}
    assert sum(outside.values()) <= 0.02 * rig.frame_count * len(limits)


@pytest.fixture(scope="module")
def still():
    """Limits of a still rig, all from people."""
    return jl.estimate(posed(), people="people")


def test_measured_limits_take_over_where_motion_goes_further(still):
    local = np.tile([0.0, 0.0, 0.0, 1.0], (40, len(still), 1))
    bend = np.radians(np.linspace(0.0, 175.0, 40))
    local[:, 3] = np.stack([np.sin(bend / 2), 0 * bend, 0 * bend, np.cos(bend / 2)], axis=1)
    bones = posed().skeleton
    assert bones.names[3] == "l_calf"
    clip = jl.Motion.from_quaternions(
        bones.names, bones.parents.tolist(), local, 30.0, offsets=bones.offsets, name="kneel"
    )
    both = jl.estimate(clip, people="people")
    far = both["l_calf"]["rotateX"]
    assert far.max_deg == pytest.approx(175.0)
    assert (far.source.max.kind, far.source.max.clip) == ("observed", "kneel")
    assert both["r_calf"]["rotateX"].source.max.kind == "people"
    assert [record.name for record in both.clips] == ["kneel"]


def walk(first=1.0, name="walk"):
    """Thighs and calves of the rig that swing a little in sixty frames."""
    still = posed()
    local = np.repeat(still.rotations, 60, axis=2)
    swing = np.radians(np.outer(np.sin(np.linspace(0.0, 7.0, 60)), [30.0, 0.0, 0.0]))
    for joint in ("l_thigh", "r_thigh"):
        row = still.skeleton.index(joint)
        local[row] = multiply(quaternion_from_rotation_vector(swing), local[row].T).T
    frames = np.arange(first, first + 60.0)
    return replace(still, rotations=local, frames=frames, name=name)


@pytest.mark.parametrize(
    "options",
    [{"samples": 10}, {"strictness": "robust"}, {"leave_out": ("gimbal",)}, {"leave_out": ()}],
)
def test_options_for_frames_of_clips_do_not_narrow_what_people_reach(still, options):
    found = jl.estimate(posed(), people="people", **options)
    for name, joint in still.joints.items():
        if joint.is_from_people:
            for channel, axis in joint.limits.items():
                other = found[name][channel]
                assert (other.min_deg, other.max_deg) == (axis.min_deg, axis.max_deg)


@pytest.mark.parametrize(
    ("rest", "source", "moving"),
    [
        *(("frame:5", "frame 5 of walk", True), ("first", "first frame of walk", False)),
        ("mean", "mean of the motion", True),
    ],
)
def test_the_rest_pose_is_one_of_the_rig_not_of_people(rest, source, moving):
    found = jl.estimate([walk(), posed()], people="people", rest=rest, exclude=("motion",))
    assert found.rest_source == source
    assert found["l_hand"].rest.rotate_deg == pytest.approx((0.0, 0.0, 0.0), abs=1e-9)
    assert (abs(found["l_thigh"].rest.rotate_deg[0]) > 1.0) is moving


def test_a_rest_pose_in_no_clip_is_refused():
    with pytest.raises(EstimationError, match=r"no clip has frame 500, .*: 1 to 60"):
        jl.estimate(walk(), people="people", rest="frame:500")


def test_clips_that_are_excluded_leave_the_limits_of_people():
    fitted = jl.fit(walk(), people="people", exclude=("walk",))
    assert fitted["l_thigh"].coupled is not None
    assert fitted.clips == ()
    # A clip that only shows the rig may be excluded as well.
    assert jl.estimate([walk(), posed()], people="people", exclude=("motion",)).clips != ()
    with pytest.raises(EstimationError, match=r"no clip 'other people' .*the clips are walk$"):
        jl.estimate(walk(), people="people", exclude=("other people",))


def test_a_clip_with_the_name_of_the_made_one_is_refused():
    with pytest.raises(EstimationError, match=r"name 'other people' is reserved .*rename"):
        jl.estimate(walk(name="other people"), people="people")


def test_the_summary_has_as_many_poses_of_the_rig_as_without_people(tmp_path):
    options = EstimateOptions(people="people")
    clips = [walk(name=f"walk {number}") for number in range(3)]
    own = estimate_pooled(clips, options)[1]
    write_summary(own, tmp_path / "own.summary.npz")
    write_summary(summarize(clips), tmp_path / "plain.summary.npz")
    both = [(tmp_path / f"{name}.summary.npz").read_bytes() for name in ("own", "plain")]
    assert both[0] == both[1]


def test_what_is_no_person_gets_no_limits():
    bones = ["base", "arm", "gripper"]
    robot = jl.Motion.from_quaternions(bones, [-1, 0, 1], np.ones((1, 3, 4)), 30.0)
    with pytest.raises(NotHumanError, match="not a human figure"):
        jl.estimate(robot, people="people")
    one = People(shipped_people().persons[:1])
    with pytest.raises(EstimationError, match="at least 2 people, not 1"):
        estimate_with_people([posed()], one, EstimateOptions())


@pytest.fixture(scope="module")
def rig(tmp_path_factory):
    """Scene of a rig as character services make it, without motion."""
    return write_scene(tmp_path_factory.mktemp("rig"), mixamo_like(), name="rig.ma")


@pytest.fixture(scope="module")
def fitted(rig):
    """Limits and shapes of this rig, from people."""
    return jl.fit(rig, people="people")


def test_a_rig_of_other_axes_gets_the_same_limits_on_both_sides(rig):
    limits = jl.estimate(rig, people="people")
    left, right = (limits[f"mixamorig:{side}Leg"]["rotateX"] for side in ("Left", "Right"))
    assert (left.min_deg, left.max_deg) == pytest.approx((right.min_deg, right.max_deg))
    arms = [limits[f"mixamorig:{side}Arm"]["rotateZ"] for side in ("Left", "Right")]
    assert arms[0].max_deg == pytest.approx(-arms[1].min_deg, abs=1e-6)
    fingers = limits["mixamorig:LeftHandIndex1"]
    assert fingers.findings[0].message.endswith("the data from people has no fingers")


def test_ball_joints_of_a_rig_without_motion_get_shapes(fitted):
    assert fitted["mixamorig:LeftArm"].coupled.freedom < 0.3
    assert fitted["mixamorig:LeftLeg"].coupled is None
    assert fitted["mixamorig:LeftFoot"].coupled is None


def test_the_figure_shows_the_ranges_of_a_rig_without_motion(rig, fitted):
    shapes = range_shapes(fitted, jl.read(rig).skeleton)
    assert {"mixamorig:LeftArm", "mixamorig:RightUpLeg"} <= set(shapes)
    knee = shapes["mixamorig:LeftLeg"]
    assert (knee.kind, knee.channel) == (ARC, "rotateX")
    assert review(fitted).sentence() == "17 joints from other people, nothing to look at"
