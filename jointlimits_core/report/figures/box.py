"""Box of three rotate channels in the space of rotation vectors, where it is bent."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ...geometry import ArrayLike, Floats, local_from_rotate, quaternion_from_euler
from .samples import relative_rotation_vectors

STEPS = 8
"""Segments of each edge."""


_SEAM_DEG = 90.0


_THIN_DEG = 0.05


ToVectors = Callable[[Floats], Floats]


def to_vectors_of(
    rotate_order: str,
    joint_orient_deg: Sequence[float],
    rotate_axis_deg: Sequence[float],
    reference: ArrayLike,
) -> ToVectors:
    """Function from rotate channels, (..., 3) degrees, to rotation vectors, (..., 3) degrees.

    Parameters
    ----------
    joint_orient_deg, rotate_axis_deg : sequence of three floats
    reference : array, shape (4,)
        Rotation at the origin of the cloud.
    """
    orient, axis = (
        quaternion_from_euler(np.radians(degrees))
        for degrees in (joint_orient_deg, rotate_axis_deg)
    )
    seen_from = np.asarray(reference, dtype=np.float64)

    def to_vectors(rotate_deg: Floats) -> Floats:
        local = local_from_rotate(np.radians(rotate_deg), orient, axis, rotate_order)
        return relative_rotation_vectors(local, seen_from)

    return to_vectors


def box_shape(
    low_deg: ArrayLike, high_deg: ArrayLike, to_vectors: ToVectors
) -> tuple[Floats, Floats]:
    """Edges and surface of a box of channels in the space of rotation vectors.

    Parameters
    ----------
    low_deg, high_deg : array, shape (3,)
        Of rotateX, rotateY, rotateZ; a free channel spans a full turn.
    to_vectors : function
        See :func:`to_vectors_of`.

    Returns
    -------
    edges : array, shape (edges, 2, 3)
        The twelve edges in short segments.
    triangles : array, shape (triangles, 3, 3)
        The faces. Both omit what would cross the border of the space, where half a turn jumps
        to the opposite side.
    """
    low, high = (np.asarray(end, dtype=np.float64) for end in (low_deg, high_deg))
    edges = np.concatenate([_edge(low, high, axis, to_vectors) for axis in range(3)])
    faces = [
        _face(low, high, axis, side, to_vectors)
        for axis in range(3)
        for side in ((0, 1) if high[axis] - low[axis] > _THIN_DEG else (0,))
    ]
    triangles = np.concatenate(faces)
    return edges[_whole_pieces(edges)], triangles[_whole_pieces(triangles)]


def _edge(low: Floats, high: Floats, axis: int, to_vectors: ToVectors) -> Floats:
    """The four edges along an axis, shape (4 * STEPS, 2, 3)."""
    along = np.linspace(low[axis], high[axis], STEPS + 1)
    others = [other for other in range(3) if other != axis]
    found = []
    for a in (low, high):
        for b in (low, high):
            points = np.empty((STEPS + 1, 3))
            points[:, axis], points[:, others[0]] = along, a[others[0]]
            points[:, others[1]] = b[others[1]]
            places = to_vectors(points)
            found.append(np.stack([places[:-1], places[1:]], axis=1))
    return np.concatenate(found)


def _face(low: Floats, high: Floats, axis: int, side: int, to_vectors: ToVectors) -> Floats:
    """One face across an axis as triangles, shape (2 * STEPS**2, 3, 3); none if it has no area."""
    first, second = (other for other in range(3) if other != axis)
    if min(high[first] - low[first], high[second] - low[second]) <= _THIN_DEG:
        return np.zeros((0, 3, 3))
    points = np.empty((STEPS + 1, STEPS + 1, 3))
    points[..., axis] = (low, high)[side][axis]
    points[..., first] = np.linspace(low[first], high[first], STEPS + 1)[:, None]
    points[..., second] = np.linspace(low[second], high[second], STEPS + 1)
    at = to_vectors(points)
    a, b, c, d = at[:-1, :-1], at[1:, :-1], at[1:, 1:], at[:-1, 1:]
    halves = np.stack([np.stack([a, b, c], axis=2), np.stack([a, c, d], axis=2)])
    return np.asarray(halves.reshape(-1, 3, 3))


def _whole_pieces(pieces: Floats) -> Floats:
    """Mask of the pieces that do not jump across the border of the space."""
    steps = np.linalg.norm(pieces - np.roll(pieces, 1, axis=1), axis=2)
    return np.asarray(steps.max(axis=1, initial=0.0) < _SEAM_DEG)
