"""Coupled limits: speed of fits and projections, and accuracy of projections."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import numpy as np

from jointlimits_core.geometry.arrays import Floats
from jointlimits_core.geometry.quaternion import (
    angle_between,
    normalize,
    quaternion_from_rotation_vector,
)
from jointlimits_core.scalar.regions import ScalarPolytope
from jointlimits_core.shapes.coupled_limit import FitOptions
from jointlimits_core.shapes.fitting import fit_shape
from jointlimits_core.shapes.hull import fit_hull
from jointlimits_core.shapes.scalar_joint import scalar_project
from jointlimits_core.shapes.shape import CoupledShape
from tests.support.printed_shapes import compared_shape

from .ball_joints import ball_joints
from .figures import Figure, SkippedError, benchmark, best_seconds
from .nearest_rotation import least_angle

SAMPLES = 10_000
SHORT = 500
"""Number of single points: few, so that some runs are undisturbed."""
CONVEX = ("box", "obb", "ellipsoid", "kdop", "hull")
COMPARED = ("hull-exact", "kdop-sequential")
"""Not offered, for comparison; the article's clamp promises nothing."""
NEAR_DEG = 0.1
CLOSE_DEG = 15.0


@benchmark
def projection(quick: bool) -> Iterator[Figure]:
    """Nearest points of a hull, 80 half-spaces, for points all over the ball of half a turn."""
    hull = fit_hull(_motion(), FitOptions())
    points = _ball(100_000 if quick else 1_000_000)
    share = float(np.mean(~hull.contains(points[:SAMPLES])))
    batched = best_seconds(lambda: hull.nearest(points)) / len(points) * 1e6
    comment = f"{len(points):,} points, {share:.0%} of them outside; before 1.6"
    yield Figure("exact nearest point, batched", batched, "us/point", 1.5, comment)
    alone = _scalar_us(hull.to_dict(), points[:SHORT])
    yield Figure("exact nearest point, one by one in plain Python", alone, "us", 30.0)
    comment = "to the solver above, the fastest per point that we have"
    yield Figure("batched against one by one", alone / batched, "x", 3.0, comment, at_least=True)
    yield Figure("a rotation through the whole shape, plain Python", _whole_us(), "us", 30.0)


@benchmark
def beside_nnls(quick: bool) -> Iterator[Figure]:
    """The same points by scipy's least squares with no negative numbers, one after another."""
    try:
        nnls = import_module("scipy.optimize").nnls
    except ImportError:
        raise SkippedError("not installed: scipy") from None
    hull, points = fit_hull(_motion(), FitOptions()), _ball(20 if quick else SHORT)

    def nearest(point: Floats) -> Floats:
        """Lawson and Hanson's (1974) form of the least distance to half-spaces."""
        system = np.vstack([-hull.normals.T, hull.normals @ point - hull.offsets])
        rest = system @ nnls(system, np.array([0.0, 0.0, 0.0, 1.0]))[0] - (0.0, 0.0, 0.0, 1.0)
        return np.asarray(point - rest[:3] / rest[3])

    outside = points[~hull.contains(points)]
    theirs = best_seconds(lambda: [nearest(point) for point in outside], 3) / len(outside)
    assert np.allclose([nearest(point) for point in outside], hull.nearest(outside), atol=1e-6)
    many = np.repeat(outside, 100, axis=0)
    ours = best_seconds(lambda: hull.nearest(many)) / len(many)
    comment = f"{1e6 * theirs:.3g} us a point beside {1e6 * ours:.3g}, all points at once"
    yield Figure("NNLS / ours, nearest point of a hull", theirs / ours, "x", None, comment)


@benchmark
def fitting(quick: bool) -> Iterator[Figure]:
    """Hulls of 10,000 samples."""
    points, options = _motion(), FitOptions()
    rotations = quaternion_from_rotation_vector(points)
    repeats = 5 if quick else 20
    seconds = best_seconds(lambda: fit_hull(points, options), repeats)
    yield Figure("hull in 40 directions, from coordinates", seconds * 1e3, "ms", 5.0, "before 3.7")
    seconds = best_seconds(lambda: fit_shape("hull", rotations), repeats)
    comment = "checks, centre and coordinates included"
    yield Figure("the same from rotations, a whole shape", seconds * 1e3, "ms", None, comment)


@benchmark
def nearness(quick: bool) -> Iterator[Figure]:
    """Projections of random rotations, compared with the true nearest, on captured ball joints."""
    joints = list(ball_joints(quick))
    random = np.random.default_rng(5)
    rotations = normalize(random.standard_normal((50 if quick else 150, 4)))
    for kind in (*CONVEX, *COMPARED):
        fit = compared_shape if kind in COMPARED else fit_shape
        shapes = [fit(kind, joint.fitted) for joint in joints]
        found = [_nearness(shape, rotations) for shape in shapes]
        moved, least, farther, nearer = (np.concatenate(part) for part in zip(*found))
        target = None if kind in COMPARED else NEAR_DEG
        close = least < CLOSE_DEG
        comment = f"of {close.sum()} within {CLOSE_DEG:g} deg; most {farther[close].max():.2g}"
        yield _p95(f"{kind}: projection, farther than the nearest", farther[close], target, comment)
        yield _p95(f"{kind}: the same of all rotations alike", farther, None)
        comment = f"median {np.median(nearer):.2g}, most {nearer.max():.2g}; {len(joints)} joints"
        yield _p95(f"{kind}: nearest(), of all rotations alike", nearer, target, comment)
        yield Figure(f"{kind}: moved when projected again", moved.max(), "deg", target and 1e-7)
        outside = sum(
            int(np.sum(~shape.contains(joint.fitted))) for shape, joint in zip(shapes, joints)
        )
        yield Figure(f"{kind}: own samples outside", outside, "samples", target and 0.0)


def _nearness(shape: CoupledShape, rotations: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Degrees: moved again, to the nearest, the projection's excess, and that of nearest()."""
    projected = shape.project(rotations)
    moved = angle_between(projected, shape.project(projected))
    spread = np.random.default_rng(6).standard_normal((2000, 4))
    starts = shape.chart.coordinates(shape.project(normalize(spread)))
    least = least_angle(shape, rotations, starts)
    farther = angle_between(rotations, projected) - least
    nearer = angle_between(rotations, shape.nearest(rotations)) - least
    return np.degrees(moved), np.degrees(least), np.degrees(farther), np.degrees(nearer)


def _p95(name: str, degrees: Floats, target: float | None, comment: str = "") -> Figure:
    return Figure(f"{name}, p95", float(np.percentile(degrees, 95)), "deg", target, comment)


def _motion() -> Floats:
    """Coordinates of a made-up motion, longer than wide."""
    return np.random.default_rng(0).standard_normal((SAMPLES, 3)) * [0.5, 0.3, 0.15]


def _ball(count: int) -> Floats:
    random = np.random.default_rng(1)
    ways = random.standard_normal((count, 3))
    reach = np.pi * random.random((count, 1)) ** (1.0 / 3.0)
    return np.asarray(ways / np.linalg.norm(ways, axis=1, keepdims=True) * reach)


def _scalar_us(region: dict[str, Any], points: Floats) -> float:
    polytope = ScalarPolytope(region["directions"], region["offsets_rad"])
    listed = [(x, y, z) for x, y, z in points.tolist()]
    seconds = best_seconds(lambda: [polytope.nearest(point) for point in listed], 50)
    return seconds / len(listed) * 1e6


def _whole_us() -> float:
    shape = fit_shape("hull", quaternion_from_rotation_vector(_motion()))
    project = scalar_project(shape.to_dict())
    rotations = normalize(np.random.default_rng(2).standard_normal((SHORT, 4)))
    listed = [(x, y, z, w) for x, y, z, w in rotations.tolist()]
    seconds = best_seconds(lambda: [project(rotation) for rotation in listed], 50)
    return seconds / len(listed) * 1e6
