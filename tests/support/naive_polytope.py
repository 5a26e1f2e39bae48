"""Nearest points and hulls by trying everything: slow and plain."""

from __future__ import annotations

from itertools import combinations

import numpy as np


def nearest_by_trying(normals, offsets, point):
    """Nearest point of a polytope: of all meets of up to three planes the nearest allowed one."""
    best, least = None, np.inf
    if all(normal @ point <= offset for normal, offset in zip(normals, offsets)):
        return np.array(point)
    for count in (1, 2, 3):
        for chosen in combinations(range(len(normals)), count):
            planes, heights = normals[list(chosen)], offsets[list(chosen)]
            if np.linalg.matrix_rank(planes, tol=1e-7) < count:
                continue
            # The nearest point of the planes' meet.
            met = point - np.linalg.pinv(planes) @ (planes @ point - heights)
            if (normals @ met <= offsets + 1e-9).all() and np.linalg.norm(met - point) < least:
                best, least = met, np.linalg.norm(met - point)
    return best


def corners_by_trying(normals, offsets):
    """Corners: all meets of three planes that are behind every plane."""
    found = []
    for chosen in combinations(range(len(normals)), 3):
        planes = normals[list(chosen)]
        if abs(np.linalg.det(planes)) > 1e-9:
            met = np.linalg.solve(planes, offsets[list(chosen)])
            if (normals @ met <= offsets + 1e-9).all():
                found.append(met)
    return np.array(found)


def faces_by_trying(points):
    """Unit normals and offsets of the planes through three points that have all others behind."""
    found = []
    for a, b, c in combinations(range(len(points)), 3):
        across = np.cross(points[b] - points[a], points[c] - points[a])
        size = np.linalg.norm(across)
        if size < 1e-9:
            continue
        for normal in (across / size, -across / size):
            offset = normal @ points[a]
            if (points @ normal <= offset + 1e-10).all():
                found.append([*normal, offset])
    return np.array(found)
