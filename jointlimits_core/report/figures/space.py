"""Geometry of a joint in the space of rotation vectors: axes, shape, box, enclosing cube."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import combinations

import numpy as np

from ...geometry.arrays import AnyArray, ArrayLike, Floats
from ...geometry.euler import local_from_rotate, wrap_angle
from ...geometry.quaternion import conjugate, multiply, rotate
from ...limits import limit_set, ranges
from ...shapes import coupled_limit, fitting
from ...shapes.mesh import RINGS, SPOKES, surface_mesh
from .samples import relative_rotation_vectors

MIN_EDGE_DEG = 8.0
"""Minimum edge of the cube, so that a joint that hardly moves looks still."""
MARGIN_SHARE = 0.08
"""Room on each side, as a share of the edge."""
HALF_TURN_DEG = 180.0
SEGMENT_COUNT = 8
"""Segments of each edge of a box of channels."""
_SEAM_DEG, _THIN_DEG = 90.0, 0.05
DRAWN_EACH = 4

ToVectors = Callable[[Floats], Floats]
"""Function from rotate channels to rotation vectors, both (..., 3) degrees."""


def local_rotations(frame: limit_set.Orientation, rotate_deg: ArrayLike) -> Floats:
    """Local rotations, (..., 4), from rotate channels, (..., 3) degrees, in an orientation."""
    orient, axis = ranges.orientation_of(frame)
    return local_from_rotate(np.radians(rotate_deg), orient, axis, frame.rotate_order)


def whole_pieces(pieces: Floats, seam_deg: float = HALF_TURN_DEG) -> Floats:
    """Lines or faces, (pieces, corners, 3), except those that jump across the space.

    Rotation vectors wrap half a turn from the origin: a side of at least `seam_deg` is a jump.
    """
    sides = np.linalg.norm(pieces - np.roll(pieces, 1, axis=1), axis=2)
    return np.asarray(pieces[(sides < seam_deg).all(axis=1)])


def box_edges(low: Floats, high: Floats) -> Floats:
    """Twelve edges of a box, shape (12, 2, 3)."""
    pairs = combinations(np.ndindex(2, 2, 2), 2)
    unit = [pair for pair in pairs if np.abs(np.subtract(*pair)).sum() == 1]
    return np.asarray(low + (high - low) * np.array(unit))


def to_vectors_of(frame: limit_set.Orientation, reference: ArrayLike) -> ToVectors:
    """Function from rotate channels to rotation vectors relative to `reference`, shape (4,)."""
    origin = np.asarray(reference, dtype=np.float64)
    return lambda rotate_deg: relative_rotation_vectors(local_rotations(frame, rotate_deg), origin)


def box_shape(
    low_deg: ArrayLike, high_deg: ArrayLike, to_vectors: ToVectors
) -> tuple[Floats, Floats]:
    """Edges, (edges, 2, 3), and surface, (triangles, 3, 3), of a channel box in vector space.

    `low_deg` and `high_deg`, shape (3,): ends of the rotate channels; a free channel spans a full
    turn. Pieces that cross the border of the space, half a turn from its middle, are omitted.
    """
    low, high = (np.asarray(end, dtype=np.float64) for end in (low_deg, high_deg))
    thin = high - low <= _THIN_DEG
    u, v = np.meshgrid(*[np.linspace(0.0, 1.0, SEGMENT_COUNT + 1)] * 2, indexing="ij")
    edges, triangles = [], [np.zeros((0, 3, 3))]
    for axis, side in np.ndindex(3, 2):
        unit = np.stack([np.full_like(u, side), u, v], axis=-1)
        grid = to_vectors(low + (high - low) * np.roll(unit, axis, axis=-1))
        # Two of the edges of each face; the other two belong to another axis.
        edges += [np.stack([line[:-1], line[1:]], axis=1) for line in (grid[0], grid[-1])]
        if np.delete(thin, axis).any() or (side and thin[axis]):
            continue  # a face without an area, or the same face again
        a, b, c, d = grid[:-1, :-1], grid[1:, :-1], grid[1:, 1:], grid[:-1, 1:]
        for half in ([a, b, c], [a, c, d]):
            triangles.append(np.stack(half, axis=2).reshape(-1, 3, 3))
    return (
        whole_pieces(np.concatenate(edges), _SEAM_DEG),
        whole_pieces(np.concatenate(triangles), _SEAM_DEG),
    )


def rest_rotation(limit: limit_set.JointLimit) -> Floats | None:
    """Local rotation of the rest pose, shape (4,); None without rotate channels."""
    if "rotateX" not in limit.limits:
        return None
    return local_rotations(limit.orientation, limit.rest.rotate_deg)


def axis_lines(limit: limit_set.JointLimit, mean: Floats, points: Floats) -> Floats:
    """Axis of a hinge, as long as its range, or both axes of a universal joint, (lines, 2, 3).

    In the joint's coordinates at the mean rotation. The axes of a universal joint reach as far as
    `points`, the joint's samples relative to the mean.
    """
    hinge, both = limit.hinge, limit.universal
    if limit.type == "hinge" and hinge is not None:
        rest, middle = rest_rotation(limit), 0.0
        if rest is not None:
            # The range is measured from the rest pose, the cloud from the mean rotation.
            turn = multiply(conjugate(mean), rest)
            from_mean = 2.0 * math.atan2(float(turn[:3] @ np.array(hinge.axis_child)), turn[3])
            middle = math.radians(0.5 * (hinge.min_deg + hinge.max_deg))
            middle = float(np.degrees(wrap_angle(from_mean + middle)))
        half = 0.5 * (hinge.max_deg - hinge.min_deg)
        return np.multiply([[[middle - half], [middle + half]]], hinge.axis_child)
    if limit.type == "universal" and both is not None and len(points):
        first = rotate(conjugate(mean), np.asarray(both.axis_parent))
        ends = np.stack([first, np.asarray(both.axis_child)])
        ends *= np.linalg.norm(points, axis=1).max()
        return np.stack([-ends, ends], axis=1)
    return np.zeros((0, 2, 3))


def shape_surface(coupled: coupled_limit.CoupledLimit, mean: Floats) -> tuple[Floats, Floats]:
    """Net and faces on a coupled limit's boundary, relative to the mean rotation.

    Returns edges, shape (edges, 2, 3), of every fourth ring and spoke, so that samples stay
    visible, and triangles, shape (triangles, 3, 3).
    """
    mesh = surface_mesh(fitting.shape_of_limit(coupled))
    points = relative_rotation_vectors(mesh.rotations, mean)
    # A flat region has no rings and spokes, so all its edges are drawn.
    if not len(mesh.triangles):
        net = mesh.edges
    else:
        count = RINGS * SPOKES
        grid, last = 1 + np.arange(count).reshape(RINGS, SPOKES), count + 1
        rings, spokes = grid[DRAWN_EACH // 2 :: DRAWN_EACH], grid[:, ::DRAWN_EACH]
        poles = [np.full((1, spokes.shape[1]), number) for number in (0, last)]
        spokes = np.concatenate([poles[0], spokes, poles[1]])
        around = np.stack([rings, np.roll(rings, -1, axis=1)], axis=-1).reshape(-1, 2)
        down = np.stack([spokes[:-1], spokes[1:]], axis=-1).reshape(-1, 2)
        net = np.concatenate([around, down])
    return whole_pieces(points[net]), whole_pieces(points[mesh.triangles])


def cube_around(points: AnyArray) -> tuple[tuple[float, float, float], float]:
    """Centre and half edge of the smallest cube around `points`, with equal axes.

    `points` has shape (points, 3); without points, the cube has the minimum edge, around zero.
    """
    if not len(points):
        return (0.0, 0.0, 0.0), 0.5 * MIN_EDGE_DEG
    low, high = points.min(axis=0), points.max(axis=0)
    edge = max(float((high - low).max()) * (1.0 + 2.0 * MARGIN_SHARE), MIN_EDGE_DEG)
    x, y, z = (float(value) for value in 0.5 * (low + high))
    return (x, y, z), 0.5 * edge


_STEPS = (1.0, 2.0, 5.0, 10.0)
_ANGLE_STEPS = (15.0, 30.0, 45.0, 90.0, 180.0)


def step_for(span: float, most: float, smallest: float = 0.0) -> float:
    """Round step (1, 2 or 5 times a power of ten) that cuts a span into at most `most` pieces.

    `span` must be above zero, `most` at least 1; the step is at least `smallest` (1 for frames).
    """
    rough = max(span / most, 1e-9)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * step for step in _STEPS if power * step >= rough * (1.0 - 1e-9))
    return max(step, smallest)


def angle_step_for(span_deg: float, most: float) -> float:
    """Step in degrees: 15, 30, 45, 90, 180 or 360; smaller steps come from :func:`step_for`."""
    rough = span_deg / most
    if rough <= 10.0:
        return step_for(span_deg, most)
    return next((step for step in _ANGLE_STEPS if step >= rough), 360.0)


def ticks_within(low: float, high: float, step: float) -> list[float]:
    """Multiples of a step from `low` to `high`, both included."""
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [number * step for number in range(first, last + 1)]
