"""Implicit surfaces as regions: on made and on captured motion."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry import quaternion
from jointlimits_core.shapes.coupled_limit import FitOptions
from jointlimits_core.shapes.fitting import fit_shape
from jointlimits_core.shapes.implicit_fit import fit_implicit
from jointlimits_core.shapes.implicit_surface import ImplicitSurface, Primitives, surface_points
from tests.support.shared_data import shared_path

seeds = st.integers(0, 10**6)


def banana(count: int = 1500) -> np.ndarray:
    """A bent, twisted cloud, thicker at one end; not convex."""
    t = np.linspace(0.0, 1.0, count)
    spread = quaternion.sphere_points(count)[np.arange(count) * 89 % count] * (
        0.1 + 0.1 * t[:, None]
    )
    return np.stack([np.cos(2.5 * t), np.sin(2.5 * t) - 0.5, 0.3 * t], axis=1) + spread


def some_surface(seed: int) -> ImplicitSurface:
    random = np.random.default_rng(seed)
    centres = random.normal(scale=0.4, size=(6, 3))
    return ImplicitSurface(Primitives(centres, random.uniform(0.2, 0.6, 6), 6.0), 0.9)


def queries(seed: int, count: int = 200) -> np.ndarray:
    """Points from inside to far beyond every field."""
    random = np.random.default_rng(seed + 9)
    return random.normal(size=(count, 3)) * random.uniform(0.1, 3.0, (count, 1))


@pytest.fixture(scope="module")
def bent():
    return fit_implicit(banana(), FitOptions(pad_deg=2.0))


# --- what every region promises -----------------------------------------------------------------


@pytest.mark.thorough
@given(seeds)
@settings(max_examples=12)
def test_nearest_is_inside_idempotent_and_leaves_what_is_inside(seed):
    surface, points = some_surface(seed), queries(seed)
    inside = surface.contains(points, 0.0)
    nearest = surface.nearest(points)
    np.testing.assert_array_equal(nearest[inside], points[inside])
    assert surface.contains(nearest, 1e-9).all()
    # On the surface, not within it.
    assert not surface.grow(-1e-8).contains(nearest[~inside], 0.0).any()
    np.testing.assert_allclose(surface.nearest(nearest), nearest, rtol=0, atol=1e-12)


@pytest.mark.thorough
@given(seeds)
@settings(max_examples=6)
def test_no_allowed_point_is_much_nearer(seed):
    """The spacing h of the starts allows h^2 / 2 d where two parts are all but equally near."""
    surface, points = some_surface(seed), queries(seed, 100)
    points = points[~surface.contains(points, 0.0)]
    moved = np.linalg.norm(surface.nearest(points) - points, axis=1)
    random = np.random.default_rng(seed)
    allowed = random.uniform(*surface.bounds(), size=(4000, 3))
    allowed = allowed[surface.contains(allowed, 0.0)]
    allowed = np.concatenate([allowed, surface_points(surface.primitives, surface.level, 12000)])
    apart = np.linalg.norm(points[:, None] - allowed, axis=2).min(axis=1)
    # In a pocket between spheres no ray may come near enough to the best place.
    assert (moved <= apart + 0.02).all()
    assert np.mean(moved <= apart + 1e-9) > 0.97


@pytest.mark.thorough
@given(seeds, st.floats(0.0, 0.5))
@settings(max_examples=12)
def test_grown_holds_all_within_the_pad(seed, pad):
    surface = some_surface(seed)
    random = np.random.default_rng(seed)
    ways = random.normal(size=surface.surface_points.shape)
    ways *= pad / np.linalg.norm(ways, axis=1, keepdims=True)
    assert surface.grow(pad).contains(surface.surface_points + ways, 1e-12).all()
    assert surface.contains(surface.surface_points + ways, pad + 1e-12).all()


@pytest.mark.thorough
@given(seeds)
@settings(max_examples=12)
def test_what_is_inside_is_within_the_bounds(seed):
    surface = some_surface(seed)
    low, high = surface.bounds()
    points = queries(seed, 2000)
    inside = points[surface.contains(points, 0.0)]
    assert ((inside >= low) & (inside <= high)).all()


@pytest.mark.thorough
def test_plain_data_and_back(bent):
    again = ImplicitSurface.from_dict(json.loads(json.dumps(bent.to_dict())))
    points = queries(5)
    np.testing.assert_array_equal(again.contains(points), bent.contains(points))
    np.testing.assert_array_equal(again.nearest(points), bent.nearest(points))
    assert len(json.dumps(bent.to_dict())) < 8000


# --- fits -------------------------------------------------------------------------------------


def test_the_fit_follows_the_bend(bent):
    samples = banana()
    assert bent.contains(samples, 0.0).all()
    assert not bent.contains(np.array([0.0, -0.5, 0.1]))  # the middle of the bend
    low, high = samples.min(axis=0), samples.max(axis=0)
    grid = low + np.random.default_rng(0).uniform(size=(20000, 3)) * (high - low)
    assert np.mean(bent.contains(grid)) < 0.5


@pytest.mark.thorough
@given(seeds, st.integers(1, 300), st.floats(0.01, 1.0), st.floats(0.0, 6.0))
@settings(max_examples=8, deadline=None)
def test_own_samples_are_inside_whatever_they_are(seed, count, size, pad_deg):
    random = np.random.default_rng(seed)
    samples = random.normal(size=(count, 3)) * random.uniform(0.01, 1.0, 3) * size
    surface = fit_implicit(samples, FitOptions(pad_deg=pad_deg))
    assert surface.contains(samples, 0.0).all()
    assert np.isfinite(surface.nearest(queries(seed, 20))).all()


@pytest.mark.parametrize(
    "samples",
    [np.zeros((1, 3)), np.ones((40, 3)), np.linspace(-1, 1, 50)[:, None] * [1.0, 0.5, 0.0]],
    ids=["one", "identical", "a line"],
)
def test_thin_samples_have_a_surface_too(samples):
    surface = fit_implicit(samples, FitOptions())
    assert surface.contains(samples).all()
    assert np.isfinite(surface.nearest(queries(0))).all()


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(2))
def test_what_strays_from_a_small_motion_makes_no_large_surface(seed):
    """A spine that turns by two degrees, and once by six: spheres of its size hold the rest."""
    random = np.random.default_rng(seed)
    vectors = np.radians(random.normal(size=(400, 3)) * (1.0, 1.0, 0.3))
    vectors[:2] = np.radians([[6.0, 6.0, 0.0], [-6.0, 6.0, 0.0]])
    turns = quaternion.quaternion_from_rotation_vector(vectors)
    options = FitOptions(pad_deg=0.5)
    surface, hull = (fit_shape(kind, turns, options) for kind in ("implicit", "hull"))
    assert surface.contains(turns).all()
    assert surface.freedom() < 1.5 * hull.freedom()


@pytest.mark.thorough
def test_a_fit_is_the_same_every_time():
    first = fit_implicit(banana(), FitOptions()).to_dict()
    assert first == fit_implicit(banana(), FitOptions()).to_dict()


# --- captured motion ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def shoulder():
    folder = shared_path("data/mocap/cmu_asfamc/02")
    skeleton = next(folder.glob("*.asf"))
    clips = [read_motion(path, skeleton) for path in sorted(folder.glob("*.amc"))]
    row = clips[0].skeleton.index("rhumerus")
    halves = [np.concatenate([clip.rotations[row].T for clip in clips[n::2]]) for n in (0, 1)]
    fits = [fit_shape(kind, halves[0]) for kind in ("implicit", "hull")]
    return (*halves, *fits)


@pytest.mark.thorough
def test_a_shoulder_against_the_hull(shoulder):
    fitted, held_out, surface, hull = shoulder
    assert surface.contains(fitted).all()
    cover = np.mean(surface.contains(held_out)) - np.mean(hull.contains(held_out))
    assert cover >= -0.03
    assert surface.freedom() <= 1.5 * hull.freedom()


@pytest.mark.thorough
def test_a_shoulders_projection_and_its_distance_to_the_nearest(shoulder):
    surface = shoulder[2]
    rotations = quaternion.normalize(np.random.default_rng(2).normal(size=(400, 4)))
    there = surface.project(rotations)
    assert surface.contains(there).all()
    assert np.max(quaternion.angle_between(surface.project(there), there)) < 1e-6
    points = surface.chart.coordinates(rotations)
    outside = ~surface.contains(rotations)
    points = points[outside]
    dense = surface_points(surface.region.primitives, surface.region.level, 30000)
    least = np.array([np.linalg.norm(dense - point, axis=1).min() for point in points])
    moved = np.linalg.norm(surface.region.nearest(points) - points, axis=1)
    assert np.degrees(np.percentile(moved - least, 95)) < 0.1
    assert np.degrees(np.max(moved - least)) < 0.5
