"""Inverse kinematics holds ranges that depend on another joint, as it holds shapes."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from jointlimits_core.evaluation.violations import violations
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.quaternion import angle_between
from jointlimits_core.ik.constraints import JointConstraint, ShapeLimit
from jointlimits_core.ik.dependent_ranges import DependentRanges, ranges_data, with_dependent_ranges
from jointlimits_core.ik.from_limits import constraints_of
from jointlimits_core.ik.jacobian import Effector, figure_of
from jointlimits_core.ik.reconstruction import body_figure, reconstruct
from jointlimits_core.ik.solver import solve
from jointlimits_core.limits.layers import active_dependencies
from jointlimits_core.shapes.scalar_joint import compact_text, scalar_project
from jointlimits_core.shapes.scalar_ranges import ranges_from_text
from tests.limits.test_dependency_limits import FRAME_NUMBER, TIED, bent_wrong, fit_arm
from tests.support.maya_projecting import shapes
from tests.support.shared_data import shared_path

BOXES = shapes()


def solved(limit_set, turning):
    """Worst degrees outside after a search for the pose that breaks the tie."""
    motion, _, _ = bent_wrong()
    skeleton = motion.skeleton
    joints = [skeleton.index(name) for name in turning]
    ends = [Effector(skeleton.index("hand"), point) for point in np.eye(3).tolist()]
    figure = figure_of(motion.keep_frames([FRAME_NUMBER]), ends, joints)
    truth = np.moveaxis(motion.rotations[:, :, [FRAME_NUMBER]], 2, 0)
    targets = figure.points(figure.world(truth))
    constraints = constraints_of(limit_set, skeleton, "coupled")
    found = solve(figure, targets, truth, constraints)
    posed = replace(
        motion.keep_frames([FRAME_NUMBER]),
        rotations=np.moveaxis(found.rotations, 0, 2),
        rotates=None,
    )
    own = [one for one in violations(TIED, posed, shapes=True).bounds if one.on_joint]
    return max((one.worst_deg for one in own), default=0.0)


@pytest.mark.parametrize("turning", [("elbow", "hand"), ("hand",)])
def test_a_search_keeps_the_tie_also_where_the_driver_is_given(turning):
    assert solved(replace(TIED, dependencies=()), turning) > 10.0
    assert solved(TIED, turning) < 0.01


def test_only_coupled_limits_depend():
    skeleton = bent_wrong()[0].skeleton
    hand = skeleton.index("hand")
    assert isinstance(constraints_of(TIED, skeleton, "coupled")[hand], DependentRanges)
    assert not isinstance(constraints_of(TIED, skeleton, "box")[hand], DependentRanges)


@pytest.mark.slow
def test_a_performers_knees_keep_to_their_hips():
    folder = shared_path("data/mocap/cmu_asfamc/02")
    clips = [read_motion(path, skeleton=folder / "02.asf") for path in sorted(folder.glob("*.amc"))]
    limit_set = fit_arm(*clips[1:])
    ties = {(item.on_joint, item.joint) for item in active_dependencies(limit_set)}
    assert ("rfemur", "rtibia") in ties
    some = clips[0].keep_frames(np.linspace(0, clips[0].frame_count - 1, 30).round().astype(int))
    turning = {some.joint_names[joint] for joint in body_figure(some).joints}
    outside = []
    for kept in (replace(limit_set, dependencies=()), limit_set):
        found = reconstruct(some, constraints_of(kept, some.skeleton, "coupled"))
        posed = np.moveaxis(found.solution.rotations, 0, 2)
        bounds = violations(
            limit_set, replace(some, rotations=posed, rotates=None), 0.02, shapes=True
        ).bounds
        outside.append({one.joint for one in bounds if one.on_joint} & turning)
    assert "rtibia" in outside[0]
    assert outside[1] == set()


# --- in plain Python, for a rig node --------------------------------------------------------------


@pytest.mark.parametrize("shape", [True, False])
@pytest.mark.parametrize("orders", [("xyz", "zyx"), ("yzx", "xzy"), ("zxy", "yxz")])
def test_plain_python_holds_what_arrays_hold(shape, orders):
    limit_set = in_other_orders(TIED, *orders)
    ties = active_dependencies(limit_set)
    (own,) = {item.joint for item in ties}
    box = BOXES["swing and twist"] if shape else None
    limit = ShapeLimit(box) if shape else JointConstraint()
    whole = with_dependent_ranges(limit, limit_set, ties, {"elbow": 0, own: 1})
    plain = ranges_from_text(compact_text(ranges_data(limit_set, ties)))
    project = scalar_project(box.to_dict()) if shape else lambda rotation: rotation
    random = np.random.default_rng(4)
    seen = random.normal(size=(200, 2, 4))
    seen /= np.linalg.norm(seen, axis=-1, keepdims=True)
    expected, moved = whole.project(seen)[:, -1], 0
    for (driver, given), nearest in zip(seen.tolist(), expected):
        found = plain.project_within(project, [tuple(driver)])(tuple(given))
        assert angle_between(np.array(found), nearest) < 1e-6
        assert plain.project_within(project, [None])(tuple(given)) == project(tuple(given))
        moved += angle_between(np.array(found), np.array(project(tuple(given)))) > 0.01
    assert moved > 50


def in_other_orders(limit_set, *orders):
    """The limits as they would be of joints with other orientations."""
    joints = dict(limit_set.joints)
    for name, order, angles in zip(("elbow", "hand"), orders, ((10, -5, 30), (-20, 40, 5))):
        frame = replace(
            joints[name].orientation,
            rotate_order=order,
            joint_orient_deg=angles,
            rotate_axis_deg=angles[::-1],
        )
        joints[name] = replace(joints[name], orientation=frame)
    return replace(limit_set, joints=joints)


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.pop("box"),
        lambda data: data["ties"][0].pop(),
        lambda data: data["ties"][0].__setitem__(1, 3),
        lambda data: data["ties"][0].__setitem__(3, [[], []]),
        lambda data: data["box"].update(order=6),
        lambda data: data["drivers"][0][1].update(limits_deg=[[0, "far"]] * 3),
        # What only some poses would meet.
        lambda data: data["ties"][0][3][1].__setitem__(-1, "far"),
        lambda data: data["ties"][0][3][1].__setitem__(0, None),
        lambda data: data["ties"][0][3][1].pop(),
        lambda data: data["ties"][0][4][1].__setitem__(-1, math.inf),
        lambda data: data["ties"][0][4][1].__setitem__(-1, 10**400),
        lambda data: data["box"].update(limits_deg=[[0, 1]]),
        lambda data: data["box"].update(limits_deg=[[0, 1], [0, 1], [math.nan, None]]),
        lambda data: data["box"].update(joint_orient_deg=[0, math.nan, 0]),
    ],
)
def test_invalid_ranges_are_named(change):
    data = json.loads(json.dumps(ranges_data(TIED, active_dependencies(TIED))))
    change(data)
    with pytest.raises(ValueError, match="not ranges that depend on other joints"):
        ranges_from_text(json.dumps(data))
    with pytest.raises(ValueError, match="not ranges"):
        ranges_from_text("[")
    assert ranges_from_text("") is None
