"""Joint centres of pairs: the one product against loops and the paper's own least squares."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jointlimits_core.geometry.quaternion import normalize, rotate
from jointlimits_core.skeleton_fit import joint_centres as pair_moments_module
from jointlimits_core.skeleton_fit.joint_centres import (
    joint_centres,
    kinds,
    noise_tolerance,
    pair_moments,
)
from jointlimits_core.skeleton_fit.likelihood import deviations, orientation_noise
from jointlimits_core.skeleton_fit.residuals import independent_frames
from jointlimits_core.skeleton_fit.tracks import BodyTracks
from tests.support.linkages import Linkage, arm, solved_by_svd


def scattered(seed: int, bodies: int = 4, frames: int = 23) -> BodyTracks:
    generator = np.random.default_rng(seed)
    turns = normalize(generator.normal(size=(bodies, frames, 4)))
    return BodyTracks(
        tuple("abcdefgh"[:bodies]),
        generator.normal(size=(bodies, frames, 3)),
        np.ascontiguousarray(np.swapaxes(turns, 1, 2)),
        60.0,
        generator.random((bodies, frames)) > 0.2,
    )


def test_sums_do_not_depend_on_the_blocks(monkeypatch):
    tracks = scattered(3)
    used = np.random.default_rng(1).random(tracks.present.shape) < 0.7
    whole = pair_moments(tracks, used)
    monkeypatch.setattr(pair_moments_module, "MIN_BLOCK_FRAMES", 5)
    monkeypatch.setattr(pair_moments_module, "BLOCK_COUNT", 1)
    for one, other in zip(vars(pair_moments(tracks, used)).values(), vars(whole).values()):
        np.testing.assert_allclose(one, other, atol=1e-12)


def test_moments_do_not_look_at_what_was_not_seen():
    tracks = scattered(4)
    hidden = replace(
        tracks,
        positions=np.where(tracks.present[..., None], tracks.positions, np.nan),
        rotations=np.where(tracks.present[:, None], tracks.rotations, np.nan),
    )
    np.testing.assert_array_equal(pair_moments(hidden).turn, pair_moments(tracks).turn)


def test_either_body_may_be_the_child():
    moments = pair_moments(scattered(5))
    turned = moments.select_pairs(moments.parent, moments.child)
    ours, theirs = joint_centres(moments), joint_centres(turned)
    np.testing.assert_allclose(ours.in_child, theirs.in_parent, atol=1e-12)
    np.testing.assert_allclose(ours.residual_m, theirs.residual_m, atol=1e-12)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000))
def test_closed_form_is_least_squares(seed):
    tracks = scattered(seed, bodies=3)
    moments = pair_moments(tracks)
    centres = joint_centres(moments)
    for row, (child, parent) in enumerate(zip(moments.child, moments.parent)):
        joint, residual = solved_by_svd(tracks, int(child), int(parent))
        np.testing.assert_allclose(centres.in_child[row], joint[:3], atol=1e-8)
        np.testing.assert_allclose(centres.in_parent[row], joint[3:], atol=1e-8)
        np.testing.assert_allclose(centres.residual_m[row], residual, atol=1e-8)


def test_a_hinge_gives_the_point_nearest_to_both_origins_and_its_axis():
    axis = np.array([0.6, 0.0, 0.8])
    linkage = Linkage(2).free("a").join("b", "a", axis=axis)
    tracks = linkage.tracks()
    centres = joint_centres(pair_moments(tracks))
    joint, _ = solved_by_svd(tracks, 1, 0)  # minimum norm, by numpy
    np.testing.assert_allclose(centres.in_child[0], joint[:3], atol=1e-9)
    np.testing.assert_allclose(centres.in_parent[0], joint[3:], atol=1e-9)
    assert centres.known[0].tolist() == [False, True, True]
    # Row 0 belongs to the axis, and the child's half is in the child's frame.
    assert abs(centres.directions_in_parent[0, 0] @ axis) == pytest.approx(1.0, abs=1e-12)
    world = rotate(tracks.rotations[1].T, centres.directions_in_child[0, 0])
    there = rotate(tracks.rotations[0].T, centres.directions_in_parent[0, 0])
    np.testing.assert_allclose(world, there, atol=1e-9)
    assert np.isinf(centres.spread_factors()[0, 0])
    assert kinds(centres, noise_tolerance(centres)) == ["single-axis"]


def test_no_relative_motion_is_rigid():
    linkage = Linkage(3).free("a").join("b", "a", vectors=np.zeros((400, 3)))
    centres = joint_centres(pair_moments(linkage.tracks()))
    assert not centres.known.any()
    assert kinds(centres, noise_tolerance(centres)) == ["rigid"]
    assert centres.residual_m[0] < 1e-7
    # Nearest to both origins: half way between them.
    tracks = linkage.tracks()
    half = 0.5 * np.linalg.norm(tracks.positions[1, 0] - tracks.positions[0, 0])
    assert np.linalg.norm(centres.in_child[0]) == pytest.approx(half, abs=1e-9)


def test_half_turns_that_mirror_the_mean():
    """Turns whose mean has a negative determinant are no special case."""
    vectors = np.pi * np.eye(3)[np.arange(30) % 3] * np.linspace(0.9, 1.0, 30)[:, None]
    linkage = Linkage(4, frames=30).free("a").join("b", "a", vectors=vectors)
    moments = pair_moments(linkage.tracks())
    assert np.linalg.det(moments.turn[0]) < 0.0
    centres = joint_centres(moments)
    np.testing.assert_allclose(centres.in_child[0], linkage.in_child["b"], atol=1e-12)


def test_independent_frames_of_white_and_of_slow_gaps():
    tracks = arm(frames=3000).tracks()
    generator = np.random.default_rng(0)
    white = generator.normal(size=(3000, 3))
    assert independent_frames(tracks, 1, 0, white) > 2000.0
    # Each value stays for 20 frames: the sum of its correlations is 20.
    slow = np.repeat(generator.normal(size=(150, 3)), 20, axis=0)
    assert 100.0 < independent_frames(tracks, 1, 0, slow) < 220.0
    slow[500:900] = np.nan
    assert 80.0 < independent_frames(tracks, 1, 0, slow) < 200.0


@pytest.mark.parametrize("noise_deg", [0.3, 1.0])
def test_white_noise_is_measured(noise_deg):
    tracks = arm(frames=1500).tracks(0.004, noise_deg)
    np.testing.assert_allclose(
        np.degrees(deviations(orientation_noise(tracks, tracks.present))), noise_deg, rtol=0.1
    )
