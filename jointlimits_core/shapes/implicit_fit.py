"""Fit of an implicit surface to samples: extract the boundary, subdivide, clean, enclose.

Following Herda and others, primitives that are too large, too distant or nearly empty are removed,
and the worst is divided into six. Samples are thinned to one per grid cell, so that held poses do
not count more. Centres and radii are found by least squares with fixed stickiness; the energy is
the paper's, including both of its penalties, plus two terms for points inside and outside.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ..geometry.arrays import Floats, Integers, product_of_rows
from ..geometry.quaternion import cube_points, sphere_points
from .hull import both_ways, fit_hull
from .implicit_surface import (
    MIN_DISTANCE,
    ImplicitSurface,
    Primitives,
    fall,
    field,
    solve_in_blocks,
    square,
)
from .region import Region

if TYPE_CHECKING:
    from .coupled_limit import FitOptions

CONE_COUNT = 300
CONE_HALF_ANGLE_RAD = float(np.radians(18.0))
"""The axes of 300 cones are about 12 degrees apart, so neighbouring cones overlap widely."""
MAX_RADIUS, MAX_CENTRE_DISTANCE = 1.4, 1.75
"""Maximum radius, and distance of a centre, in units of the fit. Both are 1.0 in the paper, where
no rotation is farther than 1; our units scale all clouds alike, and long ones reach farther."""
MIN_POINT_SHARE = 0.03
"""Minimum share of all points that a primitive must contain."""
PLACE_COUNT = 3000
AXIS_COUNT = 40
NEAR, FAR = 0.1, 0.8
"""Minimum distance of outside points from the cloud, and margin of their grid, in fit units."""
SHARES = (0.995, 0.99, 0.98, 0.95)
"""Shares of samples to have inside before padding, tried in turn until the surface is not large."""
MAX_VOLUME_RATIO = 1.45
"""A surface counts as large above this many times the volume of the equally padded hull."""
PROBE_COUNT = 20000
"""Number of points for comparing volumes; the error is 2 % if a tenth of them are inside."""
STRAY_RADIUS = 0.15
"""Radius of the spheres for stray samples, in units of the fit, so that it suits small motion."""
MAX_STRAYS = 64
APART, PRIMITIVE_SIZE = 0.5, 0.6
"""Distance of the six children from the parent's centre, and their radius, in parent radii."""
CELL_COUNT = 25
"""Number of grid cells along the longest side of the samples."""
STICKINESS = 5.0
"""Stickiness of the primitives, fixed at the paper's value."""
BOUNDARY_SIZE = 0.8
"""Root mean square distance of the boundary from the centre of mass, in units of the fit. In the
paper's coordinates, a turn of 106 degrees has that length; a spine's turns are ten times smaller
and would lie entirely within the soft rim of one primitive."""
MAX_SUBDIVISIONS = 6
MAX_GOOD_MISFIT = 0.02
"""Subdivision stops when the field minus 1, root mean square over the boundary, is below this."""
MIN_UNIT_RAD = 1e-3
"""Radians; smaller motion counts as a point."""
ISO_LEVEL = 1.0
"""Level of the surface in the paper."""
SIZE_PENALTY, DISTANCE_PENALTY = 1e-3, 1e-3
"""Weights of the squared radii and of the squared distances from the centre of mass, in units of
the fit. The paper gives neither the form nor the weight of its terms alpha and beta."""
OUTSIDE_WEIGHT = 0.5
"""Weight of `Target.outside` points that are inside, relative to 1 for samples outside."""
MAX_STEPS = 30
MAX_TRIALS = 10
MIN_GAIN_SHARE = 1e-4
"""Stop iterating once a step lowers the energy by less than this share."""


@dataclass(frozen=True, eq=False)
class Target:
    """Target of a surface fit, with the centre of mass at the origin.

    `boundary`, shape (m, 3): points on the surface. `inside`, shape (samples, 3): points that must
    be inside; they count only if outside. `outside`, shape (places, 3): points that must be
    outside; they count only if inside.
    """

    boundary: Floats
    inside: Floats
    outside: Floats

    @property
    def points(self) -> Floats:
        """All points, shape (n, 3)."""
        return np.concatenate([self.boundary, self.inside, self.outside])

    @property
    def weights(self) -> Floats:
        """Weight of each point's squared misfit, shape (n,), divided by the boundary count."""
        own = np.ones(len(self.boundary) + len(self.inside))
        others = np.full(len(self.outside), OUTSIDE_WEIGHT)
        return np.concatenate([own, others]) / len(self.boundary)

    def misfits(self, values: Floats) -> Floats:
        """Field minus the level at points where it counts, else 0; shape (n,)."""
        first = len(self.boundary)
        second = first + len(self.inside)
        misfit = values - ISO_LEVEL
        misfit[first:second] = np.minimum(misfit[first:second], 0.0)
        misfit[second:] = np.maximum(misfit[second:], 0.0)
        return misfit


def energy(primitives: Primitives, target: Target) -> float:
    """Mean square misfit and penalties, equation 3 of the paper with one-sided terms added."""
    values = fall(primitives.distances(target.points), primitives)[0].sum(axis=-1)
    squares = target.weights @ target.misfits(values) ** 2
    return float(squares + _penalty_weights(primitives) @ _parameters(primitives) ** 2)


def normal_equations(primitives: Primitives, target: Target) -> tuple[Floats, Floats]:
    """Half the gradient of the energy and its Gauss-Newton matrix, shapes (4 k,) and (4 k, 4 k).

    The parameters are x, y, z and radius of each of the k primitives.
    """
    points = target.points
    distances = primitives.distances(points)
    values, slopes = fall(distances, primitives)
    misfits = target.misfits(values.sum(axis=-1))
    counts = misfits != 0.0
    apart = primitives.centres - points[counts, None]
    toward = apart / np.maximum(distances[counts, :, None], MIN_DISTANCE)
    change = np.concatenate([toward, -np.ones((*toward.shape[:2], 1))], axis=-1)
    rooted = np.sqrt(target.weights[counts])
    jacobian = (slopes[counts, :, None] * change).reshape(len(rooted), -1) * rooted[:, None]
    penalty = _penalty_weights(primitives)
    gradient = np.einsum("nk,n->k", jacobian, misfits[counts] * rooted)
    gradient += penalty * _parameters(primitives)
    return np.asarray(gradient), square(jacobian) + np.diag(penalty)


def _parameters(primitives: Primitives) -> Floats:
    return np.concatenate([primitives.centres, primitives.radii[:, None]], axis=1).ravel()


def _penalty_weights(primitives: Primitives) -> Floats:
    each = [DISTANCE_PENALTY] * 3 + [SIZE_PENALTY]
    return np.tile(each, len(primitives))


def optimize(primitives: Primitives, target: Target) -> Primitives:
    """Move and resize primitives to a local minimum of the energy.

    Uses Levenberg-Marquardt damping, so the energy never rises.
    """
    now, damping = energy(primitives, target), 1e-2
    for _ in range(MAX_STEPS):
        gradient, matrix = normal_equations(primitives, target)
        for _ in range(MAX_TRIALS):
            damped = matrix + np.diag(damping * (np.diag(matrix) + 1e-9))
            step = solve_in_blocks(damped, -gradient).reshape(-1, 4)
            centres = primitives.centres + step[:, :3]
            tried = replace(primitives, centres=centres, radii=primitives.radii + step[:, 3])
            after = energy(tried, target)
            if after < now:
                break
            damping *= 4.0
        else:
            return primitives
        gained, now, primitives = now - after, after, tried
        damping = max(damping / 5.0, 1e-8)
        if gained <= MIN_GAIN_SHARE * (now + gained):
            break
    return primitives


def boundary_samples(points: Floats, centre: Floats) -> Integers:
    """Indices of the farthest point in each non-empty cone about the centre of mass.

    Source: Herda and others, section 4.3, which gives neither the number nor the width of cones.
    """
    apart = points - centre
    length = np.linalg.norm(apart, axis=-1)
    along = product_of_rows(apart, sphere_points(CONE_COUNT).T)
    within = (along >= np.cos(CONE_HALF_ANGLE_RAD) * length[:, None]) & (length > 0.0)[:, None]
    reach = np.where(within, length[:, None], -1.0)
    farthest = np.argmax(reach, axis=0)
    return np.unique(farthest[within.any(axis=0)])


def clean(primitives: Primitives, points: Floats) -> Primitives:
    """Primitives that are not too large, too distant or nearly empty; all if none would be left.

    A point belongs to every primitive whose centre is closer than midway between radius and reach.
    Source: Herda and others, section 4.3, (a) to (c).
    """
    near = primitives.distances(points) < primitives.radii + 1.0 / primitives.stickiness
    keep = (
        (primitives.radii <= MAX_RADIUS)
        & (np.linalg.norm(primitives.centres, axis=1) <= MAX_CENTRE_DISTANCE)
        & (near.sum(axis=0) >= MIN_POINT_SHARE * len(points))
    )
    return primitives.choose(keep) if keep.any() else primitives


def empty_places(points: Floats) -> Floats:
    """Grid points, (places, 3), just outside a cloud, where primitives must not bulge."""
    low, high = points.min(axis=0) - FAR, points.max(axis=0) + FAR
    spacing = float(np.prod(high - low) / PLACE_COUNT) ** (1.0 / 3.0)
    sides = [np.arange(low[axis], high[axis] + spacing, spacing) for axis in range(3)]
    grid = np.stack(np.meshgrid(*sides, indexing="ij"), axis=-1).reshape(-1, 3)
    planes = both_ways(AXIS_COUNT)
    reach = product_of_rows(points, planes.T).max(axis=0)
    beyond = np.max(product_of_rows(grid, planes.T) - reach, axis=1)
    return np.asarray(grid[(beyond > NEAR) & (beyond < NEAR + 2.5 * spacing)])


def enclosing_level(samples: Floats, primitives: Primitives, share: float) -> float:
    """Largest level, at most 1, with at least the given share of the samples inside.

    A level of zero would contain everything, so if a sample is beyond the reach of all primitives,
    the level is the smallest nonzero field at any sample.
    """
    values = np.sort(field(samples, primitives))
    level = float(values[int((1.0 - share) * (len(values) - 1))])
    felt = values[values > 0.0]
    return min(ISO_LEVEL, max(level, float(felt[0]) if len(felt) else ISO_LEVEL))


def with_outliers(
    samples: Floats, primitives: Primitives, level: float, pad: float, radius: float
) -> Primitives:
    """Add small primitives for samples that even the padded surface leaves outside.

    The outermost sample gets the first one, which also encloses its neighbours, and so on. The
    result is not padded; once padded, it contains every sample.
    """
    outside = samples
    for _ in range(MAX_STRAYS):
        values = field(outside, primitives.grow(pad))
        outside, values = outside[values < level], values[values < level]
        if not len(outside):
            break
        farthest = outside[np.argmin(values)]
        primitives = primitives.append(farthest[None], np.array([radius]))
    return primitives


def local_energies(primitives: Primitives, target: Target) -> Floats:
    """Squared misfits within the radius of each primitive, shape (primitives,).

    Source: Herda and others, section 4.2: the first term of equation 3, summed over the points
    inside the primitive's sphere of influence.
    """
    points = target.points
    squares = target.weights * target.misfits(field(points, primitives)) ** 2
    within = primitives.distances(points) < primitives.reach
    return np.asarray(squares @ within)


def subdivide(primitives: Primitives, which: int) -> Primitives:
    """Replace a primitive with six smaller ones, a pair along each axis."""
    radius = float(primitives.radii[which])
    ways = np.concatenate([np.eye(3), -np.eye(3)])
    rest = primitives.choose(np.arange(len(primitives)) != which)
    children = primitives.centres[which] + APART * radius * ways
    return rest.append(children, np.full(6, PRIMITIVE_SIZE * radius))


def one_in_each_voxel(points: Floats) -> Floats:
    """First point in each cell of a grid, in the original order, (samples, 3) to (kept, 3)."""
    low = points.min(axis=0)
    longest = float(np.max(points.max(axis=0) - low))
    if longest == 0.0:
        return points[:1]
    place = np.minimum((points - low) * (CELL_COUNT / longest), CELL_COUNT - 1).astype(np.int64)
    number = (place[:, 0] * CELL_COUNT + place[:, 1]) * CELL_COUNT + place[:, 2]
    return np.asarray(points[np.sort(np.unique(number, return_index=True)[1])])


def fit_implicit(coordinates: Floats, options: FitOptions) -> ImplicitSurface:
    """Fit an implicit surface with every sample inside.

    Herda and others, sections 4.1 to 4.3: start with one sphere at the centre of mass; fit, divide
    the worst sphere into six, clean, and repeat; fit once more. Unlike in the paper, samples left
    outside and empty points inside count too, and the level encloses the samples. If the surface is
    large compared with the padded hull, fewer are enclosed, and the rest get their own spheres.
    """
    thin = one_in_each_voxel(coordinates)
    origin = thin.mean(axis=0)
    boundary = thin[boundary_samples(thin, origin)] - origin
    size = float(np.sqrt(np.sum(boundary * boundary) / max(len(boundary), 1)))
    unit = size / BOUNDARY_SIZE
    if unit < MIN_UNIT_RAD:
        dot = Primitives(origin[None], np.array([size]), STICKINESS / MIN_UNIT_RAD)
        return _enclose(coordinates, dot, options.pad_rad, SHARES[0], unit)
    inside = (thin - origin) / unit
    target = Target(boundary / unit, inside, empty_places(inside))
    primitives = fitted_primitives(target).place(origin, unit)
    hull = fit_hull(coordinates, options)
    for share in SHARES:
        surface = _enclose(coordinates, primitives, options.pad_rad, share, unit)
        if _volumes(surface, hull) <= MAX_VOLUME_RATIO:
            break
    return surface


def fitted_primitives(target: Target) -> Primitives:
    """Fit, subdivide and clean repeatedly, then fit once more."""
    first = Primitives(np.zeros((1, 3)), np.array([BOUNDARY_SIZE]), STICKINESS)
    primitives = optimize(first, target)
    for _ in range(MAX_SUBDIVISIONS):
        misfits = field(target.boundary, primitives) - 1.0
        if np.sqrt(np.mean(misfits**2)) < MAX_GOOD_MISFIT:
            break
        worst = int(np.argmax(local_energies(primitives, target)))
        primitives = optimize(subdivide(primitives, worst), target)
        primitives = clean(primitives, target.inside)
    return optimize(primitives, target)


def _enclose(
    samples: Floats, primitives: Primitives, pad: float, share: float, unit: float
) -> ImplicitSurface:
    level = enclosing_level(samples, primitives, share)
    radius = STRAY_RADIUS * unit
    return ImplicitSurface(with_outliers(samples, primitives, level, pad, radius).grow(pad), level)


def _volumes(surface: ImplicitSurface, hull: Region) -> float:
    """Volume of a surface relative to the volume of a hull."""
    centres, reach = surface.primitives.centres, surface.primitives.reach[:, None]
    ends = np.concatenate([centres - reach, centres + reach, *(end[None] for end in hull.bounds())])
    low, high = ends.min(axis=0), ends.max(axis=0)
    points = low + (cube_points(PROBE_COUNT) + 0.5) * (high - low)
    inside, within = surface.contains(points, 0.0), hull.contains(points, 0.0)
    return float(np.count_nonzero(inside)) / max(float(np.count_nonzero(within)), 1.0)
