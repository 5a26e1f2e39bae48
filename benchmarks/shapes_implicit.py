"""Implicit surfaces compared with hulls, on the ball joints of captured motion."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from jointlimits_core.geometry.arrays import Floats
from jointlimits_core.geometry.quaternion import angle_between, normalize
from jointlimits_core.shapes.fitting import fit_shape
from jointlimits_core.shapes.implicit_fit import (
    BOUNDARY_SIZE,
    ISO_LEVEL,
    Target,
    boundary_samples,
    fitted_primitives,
)
from jointlimits_core.shapes.implicit_surface import ImplicitSurface, field, surface_points
from jointlimits_core.shapes.shape import CoupledShape

from .ball_joints import HALVES, SUBJECTS, BallJoint, ball_joints
from .figures import Figure, benchmark, best_seconds

DENSE = 60000
"""Points of the surface among which the true nearest one is sought."""
QUERIES = 500


@dataclass(frozen=True, eq=False)
class _Pair:
    joint: BallJoint
    surface: CoupledShape
    hull: CoupledShape


def _pairs(quick: bool, subjects: Mapping[str, tuple[str, ...]] = SUBJECTS) -> list[_Pair]:
    return [
        _Pair(joint, fit_shape("implicit", joint.fitted), fit_shape("hull", joint.fitted))
        for joint in ball_joints(quick, subjects)
    ]


@benchmark
def size(quick: bool) -> Iterator[Figure]:
    """Own samples inside, cover of other clips and volume, against the hull with the same pad.

    The constants of the fit were chosen with the joints of subjects 01 and 02 in sight, those of
    its fallback on half A.
    """
    for half, subjects in HALVES.items():
        yield from _sizes(_pairs(quick, subjects), f"half {half}")


def _sizes(pairs: list[_Pair], half: str) -> Iterator[Figure]:
    own = [_inside(pair.surface, pair.joint.fitted) for pair in pairs]
    covers = [
        _inside(pair.surface, pair.joint.held_out) - _inside(pair.hull, pair.joint.held_out)
        for pair in pairs
    ]
    volumes = [pair.surface.freedom() / pair.hull.freedom() for pair in pairs]
    beside = f"{len(pairs)} joints"
    yield Figure(
        f"{half}, own samples inside, worst joint", min(own), "", 0.95, ".46 printed", True
    )
    yield Figure(
        f"{half}, held-out cover less the hull's, mean", _mean(covers), "", 0, beside, True
    )
    yield Figure(f"{half}, held-out cover less the hull's, worst joint", min(covers), "", None)
    yield Figure(f"{half}, volume, mean", _mean(volumes), "hulls", 1.5, "28 printed")
    yield Figure(f"{half}, volume, worst joint", max(volumes), "hulls", 1.5)
    count = _mean([float(len(pair.surface.to_dict()["region"]["radii_rad"])) for pair in pairs])
    yield Figure(f"{half}, spheres, mean", count, "")


@benchmark
def as_printed(quick: bool) -> Iterator[Figure]:
    """The same fit without samples inside, empty places, enclosing level or pad."""
    shares = []
    for joint in ball_joints(quick):
        points = fit_shape("box", joint.fitted).chart.coordinates(joint.fitted)
        apart = points - points.mean(axis=0)
        boundary = apart[boundary_samples(apart, np.zeros(3))]
        unit = np.sqrt(np.mean(np.sum(boundary * boundary, axis=1))) / BOUNDARY_SIZE
        none = np.zeros((0, 3))
        found = fitted_primitives(Target(boundary / unit, none, none))
        shares.append(float(np.mean(field(apart / unit, found) >= ISO_LEVEL)))
    yield Figure("own samples inside, mean", _mean(shares), "", None, f"{len(shares)} joints")
    yield Figure("own samples inside, worst joint", min(shares), "")


@benchmark
def projection(quick: bool) -> Iterator[Figure]:
    """Nearest points: whether repeatable and inside, and their distance from the true nearest."""
    again, outside, excess, turned = [], 0, [], []
    for pair in _pairs(quick):
        queries = normalize(np.random.default_rng(6).normal(size=(QUERIES, 4)))
        shape = pair.surface
        queries = queries[~shape.contains(queries)]
        there = shape.project(queries)
        outside += int(np.sum(~shape.contains(there)))
        again.append(float(np.max(angle_between(shape.project(there), there))))
        assert isinstance(shape.region, ImplicitSurface)
        region = shape.region
        points = shape.chart.coordinates(queries)
        dense = surface_points(region.primitives, region.level, DENSE)
        moved = np.linalg.norm(region.nearest(points) - points, axis=1)
        excess.append(np.degrees(moved - _least_distance(points, dense)))
        least = _least_angle(queries, shape.chart.rotation(dense))
        turned.append(np.degrees(angle_between(queries, there) - least))
    yield Figure("projected again, moves by at most", max(again), "rad", 1e-6)
    yield Figure("projections left outside", outside, "", 0)
    comment = f"of {DENSE} surface points, in coordinates; all rotations alike"
    yield from _excess("beyond the nearest", excess, 0.1, comment)
    yield from _excess("as angles, beyond the nearest", turned, None, comment)


def _excess(
    label: str, joints: list[Floats], target: float | None, comment: str
) -> Iterator[Figure]:
    every = np.concatenate(joints)
    yield Figure(f"{label}, median", float(np.median(every)), "deg", None, comment)
    yield Figure(f"{label}, p95", float(np.percentile(every, 95)), "deg", target)
    yield Figure(f"{label}, worst", float(every.max()), "deg")


@benchmark
def seconds(quick: bool) -> Iterator[Figure]:
    """Time of a fit, and of a projection."""
    joints = list(ball_joints(True))[: 2 if quick else 7]
    fits, points = [], []
    for joint in joints:
        many = np.resize(np.concatenate([joint.fitted, joint.held_out]), (10000, 4))
        jitter = np.random.default_rng(6).normal(scale=1e-3, size=many.shape)
        jittered = replace(joint, fitted=normalize(many + jitter)).fitted
        fits.append(best_seconds(lambda: fit_shape("implicit", jittered), 1))  # noqa: B023
        shape = fit_shape("implicit", joint.fitted)
        queries = normalize(np.random.default_rng(6).normal(size=(20000, 4)))
        shape.project(queries[:1])
        points.append(best_seconds(lambda: shape.project(queries), 1) / len(queries))  # noqa: B023
    yield Figure("fit of 10,000 samples, slowest joint", max(fits), "s", 3.0)
    yield Figure("projection, slowest joint", 1e6 * max(points), "us/point")


def _inside(shape: CoupledShape, rotations: Floats) -> float:
    return float(np.mean(shape.contains(rotations)))


def _mean(values: list[float]) -> float:
    return float(np.mean(values))


def _least_distance(points: Floats, surface: Floats) -> Floats:
    squares = np.sum(surface * surface, axis=1)
    best = [np.min(squares - 2.0 * surface @ point) + point @ point for point in points]
    return np.sqrt(np.maximum(best, 0.0))


def _least_angle(rotations: Floats, surface: Floats) -> Floats:
    dots = [np.max(np.abs(surface @ rotation)) for rotation in rotations]
    return 2.0 * np.arccos(np.minimum(dots, 1.0))
