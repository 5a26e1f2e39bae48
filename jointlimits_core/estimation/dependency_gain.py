"""Gain of a dependency: area saved compared with two unrelated channels.

The convex hull of the samples is compared with that of the same samples with one channel shifted in
time, which keeps both ranges but removes the coupling. Unrelated channels whose samples form an
ellipse also fill only 79 % of their box, and gain nothing here.
"""

from __future__ import annotations

import numpy as np

from ..arrays import Floats

DIRECTIONS = 48
STEP = 2.0 * np.pi / DIRECTIONS
SHIFTS = (0.23, 0.41, 0.59, 0.77)
"""Time shifts as shares of the samples, without simple ratios."""
PAD_DEG = 3.0
"""Padding, so that the noise of narrow ranges yields no gain."""


def even_directions() -> Floats:
    """Evenly spaced unit vectors including both axes, shape (DIRECTIONS, 2)."""
    angles = STEP * np.arange(DIRECTIONS)
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


def touching_polygon(points: Floats) -> Floats:
    """Polygon around points whose sides touch them in every one of the even directions.

    Parameters
    ----------
    points : array, shape (2, samples)

    Returns
    -------
    array, shape (DIRECTIONS, 2)
        Corners, counterclockwise; may repeat.
    """
    directions = even_directions()
    reach = (directions @ points).max(axis=1)
    after, ahead = np.roll(directions, -1, axis=0), np.roll(reach, -1)
    x = reach * after[:, 1] - ahead * directions[:, 1]
    y = ahead * directions[:, 0] - reach * after[:, 0]
    return np.asarray(np.stack([x, y], axis=1) / np.sin(STEP))


def hull_area(first: Floats, second: Floats) -> float:
    """Area of the polygon that touches points in the plane in every even direction.

    Parameters
    ----------
    first, second : array, shape (samples,)
        Coordinates.
    """
    x, y = touching_polygon(np.stack([first, second])).T
    return float(0.5 * np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)))


def dependency_gain(first: Floats, second: Floats) -> float:
    """Share of the area removed by the coupling of two channels.

    Parameters
    ----------
    first, second : array, shape (samples,)
        Degrees, in the order of time; neither constant.

    Returns
    -------
    float
        At most 1; 0 or a little less for unrelated channels.
    """
    a, b = (_unit(values) for values in (first, second))
    pads = [PAD_DEG / float(np.ptp(values)) for values in (first, second)]
    shifted = [np.roll(b, round(share * len(b))) for share in SHIFTS]
    free = float(np.median([_padded_area(a, values, pads) for values in shifted]))
    return 1.0 - _padded_area(a, b, pads) / free


def _unit(values: Floats) -> Floats:
    """Values from -1/2 to 1/2."""
    low, high = values.min(), values.max()
    return np.asarray((values - low) / (high - low) - 0.5)


def _padded_area(a: Floats, b: Floats, pads: list[float]) -> float:
    """Area of the hull, moved outward by a rectangle."""
    first, second = pads
    corners = np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]]) * (first, second)
    # Only the outermost points in some direction matter; each is moved to four corners.
    outer = np.unique((even_directions() @ np.stack([a, b])).argmax(axis=1))
    points = (np.stack([a[outer], b[outer]], axis=1)[:, None] + corners).reshape(-1, 2)
    return hull_area(points[:, 0], points[:, 1])
