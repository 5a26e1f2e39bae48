"""What is made of a fit: tracks whose joints have no gaps, skeletons and motions."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.simulated_faults import Faults
from benchmarks.simulated_figure import simulated_figure
from jointlimits_core.base.errors import EstimationError
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.geometry.euler import rotate_from_local
from jointlimits_core.geometry.quaternion import angle_between, rotate
from jointlimits_core.skeleton_fit.build import joint_places, motions, replay
from jointlimits_core.skeleton_fit.fit import fit_skeleton
from jointlimits_core.skeleton_fit.residuals import joint_ends, joint_gaps
from tests.support.linkages import Linkage, arm


@pytest.mark.thorough
@pytest.mark.parametrize("gaps", [0.0, 0.15])
def test_replayed_joints_have_no_gaps(gaps):
    trial = simulated_figure(1, seconds=10.0, faults=Faults(0.007, 1.0, gaps=gaps))
    fit = fit_skeleton(trial.tracks)
    tracks = replay(fit)
    assert np.abs(joint_gaps(tracks, joint_ends(fit))).max() < 1e-12
    assert tracks.present.all()
    root = fit.figures[0][0]
    seen = trial.tracks.present[root]
    np.testing.assert_array_equal(tracks.positions[root, seen], trial.tracks.positions[root, seen])
    for body in range(len(tracks)):
        seen = trial.tracks.present[body]
        turned = angle_between(tracks.rotations[body].T[seen], trial.tracks.rotations[body].T[seen])
        assert turned.max() < 1e-7
    together = trial.tracks.present.all(axis=0)
    moved = np.linalg.norm(tracks.positions - trial.tracks.positions, axis=2)[:, together]
    assert 0.005 < np.sqrt(np.mean(moved**2, axis=1)).max() < 0.05


def test_a_body_turns_on_evenly_where_it_was_not_seen():
    linkage = arm(1, 300)
    present = np.ones((4, 300), dtype=bool)
    present[2, 100:110] = False
    tracks = replay(fit_skeleton(linkage.tracks(present=present)))
    truth = linkage.tracks()
    off = np.linalg.norm(tracks.positions[2] - truth.positions[2], axis=1)
    assert off[:100].max() < 1e-11
    assert 1e-9 < off[100:110].max() < 0.01


@pytest.mark.parametrize("seed", range(2))
def test_world_matrices_of_the_motion_are_where_the_joints_are(seed):
    trial = simulated_figure(seed, seconds=5.0, faults=Faults(0.007, 1.0))
    fit = fit_skeleton(trial.tracks)
    motion = motions(fit)[0]
    (origins, _), tracks = joint_places(fit), replay(fit)
    world = motion.all_world_matrices()
    for row, body in enumerate(fit.figures[0]):
        joint = tracks.positions[body] + rotate(tracks.rotations[body].T, origins[row])
        np.testing.assert_allclose(world[:, row, :3, 3], joint, atol=1e-12)
    assert set(motion.translations) == {0}
    assert motion.joint_names[0] == "pelvis"
    assert motion.skeleton.meters_per_unit == 1.0


def test_bones_have_their_lengths_and_x_points_along_them():
    trial = simulated_figure(0, seconds=10.0)
    motion = motions(fit_skeleton(trial.tracks))[0]
    skeleton = motion.skeleton
    shin = skeleton.index("left shin")
    # From hip to knee, in the thigh's own axes.
    thigh = trial.tracks.index("left thigh")
    length = np.linalg.norm(trial.inboard[trial.tracks.index("left shin")] - trial.outboard[thigh])
    np.testing.assert_allclose(skeleton.offsets[shin], [length, 0, 0], atol=1e-9)


def test_a_hinge_turns_about_z_alone_and_the_limits_say_so():
    fit = fit_skeleton(arm(1, 800).tracks())
    motion = motions(fit)[0]
    name = fit.names[fit.joint("forearm").child]
    index = motion.skeleton.index(name)
    channels = rotate_from_local(
        motion.rotations[index].T,
        motion.skeleton.joint_orients[index],
        motion.skeleton.rotate_axes[index],
        motion.skeleton.rotate_orders[index],
    )
    assert np.abs(channels[:, :2]).max() < 1e-7
    assert np.ptp(channels[:, 2]) > 0.3
    limits = estimate([motion])
    assert limits.joints[name].type == "hinge"
    assert limits.joints["hand"].type == "ball"


def test_several_figures_are_several_motions_and_birds_are_none():
    linkage = arm(6, 600).free("second", (2.0, 0, 0)).join("its hand", "second")
    built = motions(fit_skeleton(linkage.tracks()))
    assert [len(motion.skeleton) for motion in built] == [4, 2]
    birds = Linkage(5, 600).free("robin").free("wren").free("jay")
    with pytest.raises(EstimationError, match="no skeleton; the bodies are robin, wren, jay"):
        motions(fit_skeleton(birds.tracks()))


def test_a_sensor_in_its_joint_and_a_rigid_pair_are_built_too():
    linkage = Linkage(3, 300).free("a").join("b", "a", in_child=np.zeros(3))
    linkage.join("c", "b", vectors=np.zeros((300, 3)))
    motion = motions(fit_skeleton(linkage.tracks()))[0]
    assert np.isfinite(motion.all_world_matrices()).all()
