"""Convex polygons: hulls of points, and nearest points."""

from __future__ import annotations

import numpy as np

from ...arrays import Floats


def convex_polygon(points: Floats) -> Floats:
    """Corners of the convex hull of points, counterclockwise.

    Andrew's monotone chain; in one dimension the two ends, in zero the only point.

    Parameters
    ----------
    points : array, shape (n, dimension), dimension 0, 1 or 2

    Returns
    -------
    array, shape (corners, dimension)
    """
    if points.shape[1] == 0:
        return np.zeros((1, 0))
    if points.shape[1] == 1:
        return np.array([points.min(axis=0), points.max(axis=0)])
    ordered = np.unique(_outside_of_extremes(points), axis=0)
    if len(ordered) < 3:
        return ordered
    lower, upper = _chain(ordered), _chain(ordered[::-1])
    return np.array(lower[:-1] + upper[:-1])


def nearest_in_polygon(points: Floats, corners: Floats) -> Floats:
    """Nearest points of a convex polygon; points inside are unchanged.

    Parameters
    ----------
    points : array, shape (..., dimension)
    corners : array, shape (corners, dimension)

    Returns
    -------
    array, shape (..., dimension)
    """
    if points.shape[-1] < 2:
        return np.asarray(np.clip(points, corners.min(axis=0), corners.max(axis=0)))
    ends = np.roll(corners, -1, axis=0)
    inside = np.full(points.shape[:-1], len(corners) > 2)
    best, least = np.array(points), np.full(points.shape[:-1], np.inf)
    for start, end in zip(corners, ends):
        edge, apart = end - start, points - start
        inside &= edge[0] * apart[..., 1] - edge[1] * apart[..., 0] >= 0.0
        length = float(edge @ edge)
        share = np.clip(apart @ edge / length, 0.0, 1.0) if length > 0.0 else 0.0 * apart[..., 0]
        on_edge = start + share[..., None] * edge
        distance = np.sum((points - on_edge) ** 2, axis=-1)
        nearer = distance < least
        best, least = np.where(nearer[..., None], on_edge, best), np.where(nearer, distance, least)
    return np.asarray(np.where(inside[..., None], points, best))


def _outside_of_extremes(points: Floats, directions: int = 16) -> Floats:
    """Points outside the polygon of the extremes in some directions."""
    if len(points) <= 8 * directions:
        return points
    angle = 2.0 * np.pi * np.arange(directions) / directions
    at = np.argmax(points @ np.stack([np.cos(angle), np.sin(angle)]), axis=0)
    corners = convex_polygon(points[at])
    inside = np.full(len(points), len(corners) > 2)
    for start, end in zip(corners, np.roll(corners, -1, axis=0)):
        edge, apart = end - start, points - start
        inside &= edge[0] * apart[:, 1] - edge[1] * apart[:, 0] > 0.0
    return np.asarray(points[~inside])


def _chain(ordered: Floats) -> list[Floats]:
    chain: list[Floats] = []
    for point in ordered:
        while len(chain) > 1 and _turn(chain[-2], chain[-1], point) <= 0.0:
            chain.pop()
        chain.append(point)
    return chain


def _turn(first: Floats, second: Floats, third: Floats) -> float:
    one, other = second - first, third - first
    return float(one[0] * other[1] - one[1] * other[0])
