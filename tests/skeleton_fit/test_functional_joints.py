"""Clusters of markers about a joint: the field's methods, and our fit beside them."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks import simulated_clusters
from benchmarks.functional_joints import (
    CENTRE_METHODS,
    HINGE_METHODS,
    METHODS,
    axis_error_m,
    centre_error_m,
    root_mean_square,
)
from benchmarks.simulated_clusters import cluster_trial, rigid_pair
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
