"""Clusters of markers about a joint: the field's methods, and our fit beside them."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks import simulated_clusters
from benchmarks.functional_joints import (
    CENTRE_METHODS,
    HINGE_METHODS,
    METHODS,
    arena_distance,
    axis_error_m,
    centre_error_m,
    limit_twists,
    root_mean_square,
)
from benchmarks.simulated_clusters import cluster_trial, least_error_m, rigid_pair
from tests.support.linkages import plain_skeleton


def test_without_noise_every_method_finds_the_axis_and_the_centre(monkeypatch):
    monkeypatch.setattr(simulated_clusters, "NOISE_M", 0.0)
    hinge = cluster_trial(1, 40.0, "both", hinge=True)
    for name in HINGE_METHODS:
        assert axis_error_m(hinge, METHODS[name](hinge)) < 1e-8
    ball = cluster_trial(2, 40.0, "both", hinge=False)
    for name in CENTRE_METHODS:
        assert centre_error_m(ball, METHODS[name](ball)) < 1e-8


@pytest.mark.parametrize(
    ("hinge", "range_deg", "other"), [(False, 20.0, "SCoRE"), (True, 5.0, "SARA")]
)
def test_noise_of_orientations_draws_our_joints_less_to_the_markers(hinge, range_deg, other):
    error = axis_error_m if hinge else centre_error_m
    trials = [cluster_trial(seed, range_deg, "each marker", hinge=hinge) for seed in range(4)]
    ours, theirs = (
        root_mean_square(np.array([error(trial, METHODS[name](trial)) for trial in trials]))
        for name in ("ours", other)
    )
    assert ours < 0.8 * theirs


def test_little_motion_is_found_by_default_and_noise_is_none():
    """A hinge of 5 degrees under 0.4 degrees of noise turns; two sensors on one body do not."""
    hinge = cluster_trial(5, 5.0, "each marker", hinge=True)
    assert plain_skeleton(hinge.tracks).joints[0].kind == "single-axis"
    for seed in range(6):
        pair = rigid_pair(seed, 300, 0.002, 0.4)
        assert plain_skeleton(pair).joints[0].kind == "rigid"


@pytest.mark.parametrize("hinge", [False, True])
def test_the_least_error_is_that_of_least_squares_where_these_are_the_best(hinge):
    """With noise on whole clusters rotations are exact, and the equations of the joint linear."""
    trial = cluster_trial(3, 30.0, "all markers", hinge=hinge)
    design = np.concatenate(trial.tracks.matrices()[[0, 1]] * [[[[1.0]]], [[[-1.0]]]], axis=2)
    normal = np.einsum("fij,fik->jk", design, design) / (2.0 * simulated_clusters.NOISE_M**2)
    counted = [1, 2, 4, 5] if hinge else list(range(6))
    variances = np.diag(np.linalg.pinv(normal, rcond=1e-9))[counted]
    expected = np.sqrt(0.5 * variances.sum())
    found = least_error_m(3, 30.0, "all markers", hinge=hinge)
    assert found == pytest.approx(expected, rel=1e-3)


def test_the_distance_of_hinges_is_that_of_its_authors():
    arena = pytest.importorskip("articulatearena", reason="articulatearena is not installed")
    generator = np.random.default_rng(3)
    norm = arena.make_split_norm(alpha=1.0)
    joints = []
    for _ in range(8):
        axis, place = generator.normal(size=(2, 3))
        axis /= np.linalg.norm(axis)
        limits = tuple(generator.normal(size=2))
        twist = arena.screw_twist(axis, place, "revolute")
        pair = arena.make_endpoint_pair(twist, *limits)
        joints.append((limit_twists(place, axis, limits), (pair.u.data, pair.v.data)))
    for ours, theirs in joints:
        for other, others in joints:
            expected = arena.joint_metric(*theirs, *others, norm)
            assert arena_distance(ours, other) == pytest.approx(expected, abs=1e-12)
