"""Samples of a motion for a fit: unrolled, centred, thinned, without the outermost; twist axes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..geometry import Floats, Integers, angle_between, normalized, sphere_points
from ..motion import Skeleton
from .charts import Chart, RotationVectors
from .region import principal_axes

DISTANCE = 0.05
"""Radians; from Holden's article."""
WIDTH = 1.0 + 1e-9
"""Width of a grid cell in distances; with rounding, near points are at most one cell apart."""
DIRECTIONS = 64
DEFAULT: Floats = np.array([1.0, 0.0, 0.0])
"""For joints without children, or with children at their own position."""
SHORTEST = 1e-6
"""Share of the longest bone below which a sum of bones has no direction."""
LONGEST_STEP = float(np.radians(30.0))
"""A larger turn between samples counts as a cut, with an unknown direction."""
STEPS = 15
"""Three or four suffice for most joints; joints with a wide motion need more."""
CLOSE = float(np.radians(0.02))


def subsample(points: Floats, distance: float = DISTANCE) -> Integers:
    """Indices of the points kept by a greedy pass in order.

    Keeps the first of the points, shape (n, 3), and every later one that is at least `distance`
    from all points kept before it: the result of Holden's ``subsample_naive``, from a grid as wide
    as the distance. Raises ValueError for a distance that is not positive, or points that are not
    finite.
    """
    if not distance > 0.0:
        raise ValueError(f"distance must be positive, not {distance!r}")
    if not np.isfinite(points).all():
        raise ValueError("points must be finite")
    if len(points) == 0:
        return np.zeros(0, dtype=np.int64)
    keys, columns = _cells(points, distance * WIDTH)
    order = np.argsort(keys, kind="stable")
    in_order, ordered = points[order], keys[order]
    struck = bytearray(len(points))
    flags = np.frombuffer(struck, dtype=np.uint8)
    kept = []
    # Marks are set through the array and read through the bytes, which is faster one by one.
    for row in range(len(points)):
        if struck[row]:
            continue
        kept.append(row)
        around = keys[row] + columns
        starts = np.searchsorted(ordered, around - 1, side="left")
        ends = np.searchsorted(ordered, around + 1, side="right")
        near = np.concatenate([np.arange(s, e) for s, e in zip(starts, ends)])
        apart = in_order[near] - points[row]
        flags[order[near[np.sqrt(_squares(apart)) < distance]]] = 1
    return np.asarray(kept, dtype=np.int64)


def _cells(points: Floats, width: float) -> tuple[Integers, Integers]:
    """Key of each point's cell, (n,), and key offsets of the nine columns around it, (9,).

    Cells above each other have consecutive keys. Keys at the border also have false neighbours,
    which the distance test rejects.
    """
    cells = np.floor((points - points.min(axis=0)) / width).astype(np.int64)
    across, deep = (int(value) + 2 for value in cells.max(axis=0)[1:])
    sides = np.array([-1, 0, 1])
    columns = ((sides[:, None] * across + sides) * deep).reshape(-1)
    return (cells[:, 0] * across + cells[:, 1]) * deep + cells[:, 2], columns


def _squares(vectors: Floats) -> Floats:
    x, y, z = vectors.T
    return np.asarray(x * x + y * y + z * z)


def innermost(coordinates: Floats, percent: float) -> Integers:
    """Samples that remain without the outermost ones.

    Samples are ranked by Tukey depth: the number of samples that reach farther in the direction in
    which the fewest do, over directions spread evenly, so that every side of the motion gives up
    equally many. Among samples of the same rank those that stick out most are removed first, and
    then the later ones. `coordinates` has shape (samples, 3). `percent`: share to remove, rounded
    down to whole samples. Returns increasing indices, at least one.
    """
    count = len(coordinates)
    out = min(int(np.floor(count * percent / 100.0 + 1e-9)), count - 1)
    if out == 0:
        return np.arange(count)
    rank, beyond = _outlying(coordinates, out)
    order = np.lexsort([-np.arange(count), -beyond, rank])
    return np.sort(order[out:])


def _outlying(coordinates: Floats, out: int) -> tuple[Integers, Floats]:
    """Smallest rank over all directions, 0 for the farthest, and how far samples stick out.

    Only the `out` farthest in a direction are ranked; all other samples have rank `out`.
    """
    rank, beyond = np.full(len(coordinates), out), np.zeros(len(coordinates))
    for direction in sphere_points(DIRECTIONS):
        along = coordinates @ direction
        front = np.argpartition(-along, out)
        threshold, front = along[front[out]], front[:out]
        # Samples that reach equally far have the same rank.
        farther = out - np.searchsorted(np.sort(along[front]), along[front], side="right")
        rank[front] = np.minimum(rank[front], farther)
        beyond[front] = np.maximum(beyond[front], along[front] - threshold)
    return rank, beyond


def twist_axes(skeleton: Skeleton) -> Floats:
    """Unit axes from every joint to the middle of its children, in its own space.

    Holden's ``compute_twist_axes``: the sum of the children's offsets, for a single child the bone;
    children to the left and right of the body cancel out. The result has shape (joints, 3).
    """
    offsets = np.stack([offset_in_parent(skeleton, row) for row in range(len(skeleton))])
    summed = np.zeros((len(skeleton), 3))
    children = np.flatnonzero(skeleton.parents >= 0)
    np.add.at(summed, skeleton.parents[children], offsets[children])
    length = np.linalg.norm(summed, axis=1, keepdims=True)
    longest = float(np.max(np.linalg.norm(offsets, axis=1), initial=0.0))
    points = length > SHORTEST * longest
    return np.asarray(np.where(points, summed / np.where(points, length, 1.0), DEFAULT))


def twist_axis(skeleton: Skeleton, joint: str) -> Floats:
    """Axis of one joint, by name, shape (3,). Raises KeyError naming the closest matches."""
    return np.asarray(twist_axes(skeleton)[skeleton.index(joint)])


def offset_in_parent(skeleton: Skeleton, row: int) -> Floats:
    """Position of a joint in its parent's space, including transforms between them, shape (3,)."""
    offset = np.asarray(skeleton.offsets[row])
    between = skeleton.between.get(row)
    if between is None:
        return offset
    return np.asarray(between[:3, :3] @ offset + between[:3, 3])


def unrolled(rotations: Floats, chart: Chart) -> Floats:
    """Coordinates that do not switch sides during continuous motion, shape (samples, 3).

    Only motion that crosses the half-turn boundary in small steps is moved, and a stretch between
    two cuts moves as a whole to the side that holds most of it. (In Holden's article a cut can take
    the rest of a clip to the wrong side.) `rotations` has shape (samples, 4), in time order.
    """
    coordinates = chart.coordinates(rotations)
    apart = np.diff(coordinates, axis=0)
    if not np.any(np.einsum("ij,ij->i", apart, apart) > np.pi**2):
        return coordinates
    cut = angle_between(rotations[1:], rotations[:-1]) > LONGEST_STEP
    times = np.concatenate([[0], np.cumsum(np.where(cut, 0, chart.crossings(coordinates)))])
    starts = np.concatenate([[0], np.flatnonzero(cut) + 1])
    counts = np.diff(np.append(starts, len(times)))
    means = np.add.reduceat(times, starts) / counts
    return chart.wound(coordinates, times - np.repeat(np.round(means).astype(np.int64), counts))


def chordal_mean(rotations: Floats) -> Floats:
    """Mean rotation independent of signs (Markley), the first eigenvector of ``sum q q^T``.

    `rotations` has shape (samples, 4): unit quaternions of any sign. The result has shape (4,).
    """
    mean: Floats = np.linalg.eigh(rotations.T @ rotations)[1][:, -1]
    lead = mean[np.argmax(np.abs(mean))]
    return mean if lead > 0.0 else -mean


def midrange_centre(
    rotations: Floats, chart_at: Callable[[Floats], Chart] = RotationVectors
) -> Floats:
    """Rotation at which the oriented box of the coordinates is centred at zero, shape (4,).

    The box is oriented so that the choice of axes does not matter and flat motion stays flat. The
    extremes count, not how often a pose was held, so that half a turn away is as far as possible
    from all samples. Each step moves to the middle of the box as seen from the previous step. If
    that does not converge, because the motion goes all the way round, the result is the step whose
    farthest sample is nearest. `rotations`: as for :func:`unrolled`.
    """
    centre = chordal_mean(rotations)
    best, least = centre, np.inf
    for _ in range(STEPS):
        chart = chart_at(centre)
        seen = unrolled(rotations, chart)
        axes = principal_axes(seen)
        along = seen @ axes.T
        step = 0.5 * (along.min(axis=0) + along.max(axis=0)) @ axes
        if float(np.max(np.abs(step))) < CLOSE:
            return _rounded(centre)
        farthest = float(np.max(np.einsum("ij,ij->i", seen, seen)))
        if farthest < least:
            best, least = centre, farthest
        centre = chart.rotation(step)
    return _rounded(best)


def _rounded(centre: Floats) -> Floats:
    """Centre rounded to 12 decimals: the last digits depend on the memory layout of the samples."""
    return normalized(np.round(centre, 12))
