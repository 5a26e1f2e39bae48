"""Hierarchies of loose bodies: trees, figures, roots, loops, and findings on them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.simulated_faults import Faults
from benchmarks.simulated_figure import simulated_figure
from jointlimits_core.geometry.quaternion import (
    multiply,
    quaternion_between_vectors,
    quaternion_from_axis_angle,
    rotate,
)
from jointlimits_core.skeleton_fit.fit import fit_skeleton, plain_fit
from jointlimits_core.skeleton_fit.result import BodyOptions
from jointlimits_core.skeleton_fit.tree import constrained_forest, is_ambiguous, spanning_forest
from tests.support.linkages import Linkage, arm, kruskal, plain_skeleton, smooth, solved_by_svd


def as_sets(edges):
    return {frozenset(edge) for edge in edges}


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 9), st.sampled_from([0.0, 0.3, 0.8]))
def test_the_forest_is_kruskals(seed, count, open_share):
    generator = np.random.default_rng(seed)
    weights = generator.random((count, count))
    weights[generator.random((count, count)) < open_share] = np.inf
    weights = np.maximum(weights, weights.T)
    assert as_sets(spanning_forest(weights)) == kruskal(weights)


def test_given_joints_and_roots_come_first():
    weights = np.array([[0, 1, 9, 9], [1, 0, 2, 9], [9, 2, 0, 3.0], [9, 9, 3.0, 0]])
    forced = constrained_forest(weights, {3: 0}, [])
    assert as_sets(forced) == {frozenset(pair) for pair in ((3, 0), (0, 1), (1, 2))}
    apart = constrained_forest(weights, {}, [0, 3])
    assert as_sets(apart) == {frozenset(pair) for pair in ((0, 1), (1, 2))}
    with pytest.raises(ValueError, match="must not form a cycle or join two roots"):
        constrained_forest(weights, {1: 0, 2: 1, 0: 2}, [])
    with pytest.raises(ValueError, match="must not form a cycle or join two roots"):
        constrained_forest(weights, {3: 0}, [0, 3])


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(3))
def test_a_figure_without_noise_is_found_exactly(seed):
    trial = simulated_figure(seed, seconds=10.0)
    fit = fit_skeleton(trial.tracks)
    assert fit.parents.tolist() == list(trial.parents)
    for joint in fit.joints:
        assert np.abs(joint.centre_in_child - trial.outboard[joint.child]).max() < 1e-9
        assert np.abs(joint.centre_in_parent - trial.inboard[joint.child]).max() < 1e-9
        assert joint.residual_m < 1e-12
        assert joint.margin_m > 0.01
        assert joint.kind == "ball"
    assert not fit.loops
    assert not fit.findings


@pytest.mark.thorough
def test_deviations_say_how_far_off_joints_are():
    """Of 90 joints with noise the errors in units of their deviations have an rms of 1."""
    off = []
    for seed in range(6):
        trial = simulated_figure(seed, seconds=15.0, faults=Faults(0.007, 1.0), motion_deg=12.0)
        fit = fit_skeleton(trial.tracks)
        assert fit.parents.tolist() == list(trial.parents)
        for joint in fit.joints:
            error = joint.centre_in_child - trial.outboard[joint.child]
            off.append(joint.directions_in_child @ error / joint.deviation_m)
    assert 0.8 < np.sqrt(np.mean(np.square(off))) < 1.2


def test_a_hinge_and_its_axis_are_found_in_noise():
    linkage = arm(1, 3000)
    fit = fit_skeleton(linkage.tracks(0.004, 0.5))
    joint = fit.joint("forearm")
    assert joint.kind == "single-axis"
    upper = joint.axis_in_parent if joint.parent == 1 else joint.axis_in_child
    assert abs(upper @ [0.6, 0.0, 0.8]) > 0.999
    assert np.isinf(joint.deviation_m[0])
    assert joint.deviation_m[1:].max() < 0.002
    assert fit.joint("hand").kind == "ball"
    assert fit.joint("hand").axis_in_child is None


def test_three_free_birds_are_no_skeleton():
    birds = Linkage(5, 900).free("robin").free("wren").free("jay")
    fit = fit_skeleton(birds.tracks(0.004, 0.5))
    assert fit.figures == ()
    assert fit.free == (0, 1, 2)
    assert [finding.rule for finding in fit.findings] == ["no-skeleton"]
    assert set(fit.parent_names().values()) == {None}


def test_two_figures_and_a_prop():
    linkage = arm(6, 900)
    linkage.free("second", (2.0, 0, 0)).join("its hand", "second").free("ball", (0, 3.0, 0))
    fit = fit_skeleton(linkage.tracks(0.004, 0.5))
    assert [len(figure) for figure in fit.figures] == [4, 2]
    assert [fit.names[body] for body in fit.free] == ["ball"]
    assert {"several-figures", "free-bodies"} <= {finding.rule for finding in fit.findings}


def test_hands_on_one_staff_are_a_loop():
    """Two arms of two links from a trunk; a staff hangs on one hand and is held by the other."""
    linkage = Linkage(11, 900).free("trunk")
    arms = (
        ("left upper", "trunk", [0.0, -0.02, 0.03], [0.2, 0.0, 0.0]),
        ("right upper", "trunk", [0.0, -0.02, 0.03], [-0.2, 0.0, 0.0]),
        ("left lower", "left upper", [0.02, 0.0, 0.0], [0.0, -0.3, 0.0]),
    )
    for number, (name, above, *ends) in enumerate(arms, 20):
        turns, (own, theirs) = smooth(number, 900, 0.25), np.array(ends)
        linkage.join(name, above, vectors=turns, in_child=own, in_parent=theirs, mounted=False)
    _close_the_loop(linkage)
    fit = fit_skeleton(linkage.tracks())
    joined, loops = (
        as_sets((fit.names[joint.child], fit.names[joint.parent]) for joint in found)
        for found in (fit.joints, fit.loops)
    )
    ring = ("trunk", "left upper", "left lower", "staff", "right upper")
    assert len(joined) == 4
    assert len(loops) == 1
    assert joined | loops == as_sets(zip(ring, (*ring[1:], ring[0])))
    assert "loop" in {finding.rule for finding in fit.findings}
    assert fit.loops[0].residual_m < 1e-12


def _close_the_loop(linkage):
    """Add a staff between points of the left lower and the right upper arm, at a fixed length.

    The left lower arm is put where the staff, 0.5 m long, reaches: its joint stays, and it is
    turned so that its end is at that distance from the right arm's end.
    """
    names = linkage.names
    lower, right = names.index("left lower"), names.index("right upper")
    tip = np.array([0.0, 0.45, 0.0])
    right_tip = linkage.positions[right] + rotate(
        linkage.rotations[right], np.array([0.0, -0.35, 0.2])
    )
    own = linkage.in_child["left lower"]
    joint = linkage.positions[lower] + rotate(linkage.rotations[lower], own)
    reach, length = np.linalg.norm(tip - own), 0.5
    towards = right_tip - joint
    distance = np.linalg.norm(towards, axis=1)
    assert np.all(abs(reach - length) < distance)
    assert np.all(distance < reach + length)
    towards /= distance[:, None]
    cosine = (reach**2 + distance**2 - length**2) / (2.0 * reach * distance)
    side = np.cross(towards, rotate(linkage.rotations[lower], np.array([0.0, 0.0, 1.0])))
    side /= np.linalg.norm(side, axis=1)[:, None]
    wanted = rotate(quaternion_from_axis_angle(side, np.arccos(cosine)), towards)
    now = rotate(linkage.rotations[lower], (tip - own) / reach)
    turn = multiply(quaternion_between_vectors(now, wanted), linkage.rotations[lower])
    linkage.rotations[lower] = turn
    linkage.positions[lower] = joint - rotate(turn, own)
    end = joint + reach * wanted
    along = (right_tip - end) / length
    spin = quaternion_from_axis_angle(along, np.sin(np.arange(len(along)) / 40.0))
    staff = multiply(
        spin, quaternion_between_vectors(np.broadcast_to([1.0, 0, 0], along.shape), along)
    )
    names.append("staff")
    linkage.rotations.append(staff)
    linkage.positions.append(end + 0.25 * along)


def test_a_root_by_name_by_rule_and_by_hand():
    tracks = arm(1).tracks()
    assert fit_skeleton(tracks).figures[0][0] == 1  # the middle of the chain
    by_hand = fit_skeleton(tracks, BodyOptions(root="hand"))
    assert by_hand.parent_names()["forearm"] == "hand"
    assert by_hand.joint("trunk").residual_m < 1e-12
    named = arm(1)
    named.names[3] = "Hips_sensor"
    assert fit_skeleton(named.tracks()).parents[3] == -1


def test_parents_by_hand():
    tracks = arm(1).tracks()
    given_parents = {"hand": "trunk", "trunk": None}
    fit = fit_skeleton(tracks, BodyOptions(parents=given_parents))
    assert fit.parent_names()["hand"] == "trunk"
    assert fit.parents[0] == -1
    expected = solved_by_svd(tracks, 3, 0)[1]
    assert fit.joint("hand").residual_m == pytest.approx(expected, rel=1e-9)
    assert fit.joint("hand").margin_m < 0.0


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (BodyOptions(root="leg"), "no body 'leg'; the bodies are: trunk"),
        (BodyOptions(parents={"leg": "trunk"}), "no body 'leg'"),
        (BodyOptions(parents={"hand": "hand"}), "its own parent"),
        (BodyOptions(root="hand", parents={"hand": "forearm"}), "do not agree"),
        (BodyOptions(root="hand", parents={"trunk": None}), "do not agree"),
    ],
)
def test_a_hierarchy_that_cannot_be_is_refused(options, expected):
    with pytest.raises(ValueError, match=expected):
        fit_skeleton(arm(1).tracks(), options)


def test_options_outside_their_range():
    with pytest.raises(ValueError, match="free_beyond_m"):
        BodyOptions(free_beyond_m=0.0)


def test_frames_that_are_not_used_are_left_out():
    trial = simulated_figure(3, seconds=12.0, faults=Faults(outliers=0.1))
    fit = plain_fit([trial.tracks], BodyOptions(), used=~trial.wrong)
    assert fit.parents.tolist() == list(trial.parents)
    assert max(joint.residual_m for joint in fit.joints) < 1e-12
    assert not (fit.used & trial.wrong).any()


def test_where_three_bodies_share_a_point_the_stiffer_pair_is_joined():
    """A forearm that twists about a line through the elbow: wrist and upper arm fit as well."""
    linkage = arm(1)
    elbow = linkage.in_child["forearm"]
    linkage.join("wrist", "forearm", axis=np.array([0.0, 1.0, 0.0]), in_parent=elbow)
    fit = fit_skeleton(linkage.tracks(), BodyOptions(root="trunk"))
    assert fit.residuals_m[4, 1] < 1e-6
    assert fit.parent_names()["wrist"] == "forearm"
    assert not fit.loops


@pytest.mark.thorough
def test_lines_of_the_motion_have_no_say_where_noise_is_white():
    """A stiff spine: with white noise its neighbours fit a few percent better than others."""
    linkage = Linkage(21, 4000).free("pelvis")
    for number, name in enumerate(("low", "middle", "high")):
        parent = linkage.names[-1]
        linkage.join(
            name, parent, vectors=smooth(31 + number, 4000, 0.009), in_parent=[0.0, 0.12, 0.05]
        )
    tracks = linkage.tracks(0.004, 0.5)
    fit = fit_skeleton(tracks, BodyOptions(root="pelvis"))
    assert is_ambiguous(fit.residuals_m)  # by ratios alone
    assert fit.parents.tolist() == [-1, 0, 1, 2]
    without_lines = plain_skeleton(tracks, BodyOptions(root="pelvis"), strides=False)
    np.testing.assert_array_equal(fit.weights, without_lines.weights)
