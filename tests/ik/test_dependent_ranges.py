"""Inverse kinematics holds ranges that depend on another joint, as it holds shapes."""

from dataclasses import replace

import numpy as np
import pytest

from jointlimits_core.evaluation.violations import violations
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.ik.dependent_ranges import DependentRanges
from jointlimits_core.ik.from_limits import constraints_of
from jointlimits_core.ik.jacobian import Effector, figure_of
from jointlimits_core.ik.reconstruction import body_figure, reconstruct
from jointlimits_core.ik.solver import solve
from jointlimits_core.limits.layers import active_dependencies
from tests.limits.test_dependency_limits import FRAME_NUMBER, TIED, bent_wrong, fit_arm
from tests.support.shared_data import shared_path


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
