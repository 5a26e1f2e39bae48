"""Nearest points on triangles by exhaustive search: slow, and robust for any triangles."""

from __future__ import annotations

import numpy as np

from ...arrays import Floats

_PAIRS = 1 << 16
"""Points times triangles per block."""


def nearest_on_triangles(points: Floats, corners: Floats) -> Floats:
    """Nearest points on a triangle mesh.

    Parameters
    ----------
    points : array, shape (n, 3)
    corners : array, shape (triangles, 3, 3)
        Corners of each triangle.

    Returns
    -------
    array, shape (n, 3)
    """
    found = np.empty_like(points)
    step = max(_PAIRS // len(corners), 1)
    for start in range(0, len(points), step):
        part = points[start : start + step]
        each = _on_each(part[:, None], corners)
        apart = np.sum((each - part[:, None, None]) ** 2, axis=-1).reshape(len(part), -1)
        best = np.argmin(apart, axis=1)
        found[start : start + step] = each.reshape(len(part), -1, 3)[np.arange(len(part)), best]
    return found


def _on_each(points: Floats, corners: Floats) -> Floats:
    """Nearest points on the sides of each triangle, and on its face where that is nearer."""
    ends = np.roll(corners, -1, axis=1)
    sides = ends - corners
    lengths = np.maximum(np.sum(sides * sides, axis=-1), 1e-300)
    along = np.sum((points[..., None, :] - corners) * sides, axis=-1) / lengths
    on_sides = corners + np.clip(along, 0.0, 1.0)[..., None] * sides
    normals = np.cross(sides[:, 0], sides[:, 1])
    normals /= np.maximum(np.linalg.norm(normals, axis=-1, keepdims=True), 1e-300)
    height = np.sum((points - corners[:, 0]) * normals, axis=-1)
    below = points - height[..., None] * normals
    inward = np.cross(normals[:, None], sides)
    within = np.sum((below[..., None, :] - corners) * inward, axis=-1).min(axis=-1) >= 0.0
    inside = np.where(within[..., None], below, on_sides[..., 0, :])
    return np.concatenate([on_sides, inside[..., None, :]], axis=-2)
