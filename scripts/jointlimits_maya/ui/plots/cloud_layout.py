"""Point clouds: thinning without visible change, dots written straight into pixels, their cube.

Writing pixels is about a hundred times faster than painting points with Qt.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

import numpy as np

from jointlimits_core.geometry.arrays import AnyArray, Floats, Integers
from jointlimits_core.report.figures import space, view

MAX_DRAWN_POINTS = 60_000
"""Maximum number of points drawn while the view turns."""
DIRECTION_COUNT = 96
MAX_CELLS = 160


def directions() -> Floats:
    """Unit vectors spread evenly over the sphere, plus six along the axes, (directions, 3)."""
    step = np.arange(DIRECTION_COUNT) + 0.5
    z = 1.0 - 2.0 * step / DIRECTION_COUNT
    turn = np.pi * (1.0 + 5.0**0.5) * step
    across = np.sqrt(1.0 - z * z)
    spiral = np.stack([across * np.cos(turn), across * np.sin(turn), z], axis=1)
    return np.concatenate([spiral, np.eye(3), -np.eye(3)])


def thin_out(points: AnyArray, most: int = MAX_DRAWN_POINTS) -> Integers:
    """Sorted indices of representative `points`, (points, 3), one per cell of a fine grid.

    Unlike taking every n-th point, this keeps isolated samples and thins dense areas, so the
    outline, holes and stray points look the same. The furthest points in many directions are always
    included and do not count towards `most`. If there are no more than `most` points, all are kept.
    """
    count = len(points)
    if count <= most:
        return np.arange(count)
    low = points.min(axis=0)
    edge = max(float((points.max(axis=0) - low).max()), 1e-9)
    # Start with at most `most` cells, and refine the grid while no more than that are occupied.
    cells = max(int(most ** (1.0 / 3.0)), 1)
    kept = _one_a_cell(points, low, edge, cells)
    while cells < MAX_CELLS:
        # The number of occupied cells grows at most with the cube of the resolution.
        finer = max(int(cells * (most / len(kept)) ** (1.0 / 3.0)), cells + 1)
        cells = min(finer, MAX_CELLS)
        more = _one_a_cell(points, low, edge, cells)
        if len(more) > most:
            break
        kept = more
    # A line or a sheet occupies few cells: fill up with evenly spaced samples.
    spaced = np.linspace(0, count - 1, most - len(kept)).astype(np.int64)
    furthest = [int((points @ way).argmax()) for way in directions().astype(points.dtype)]
    return np.unique(np.concatenate([kept, spaced, furthest]))


def _one_a_cell(points: AnyArray, low: AnyArray, edge: float, cells: int) -> Integers:
    """Sorted indices of the first point in each occupied cell."""
    places = ((points - low) * np.float32((cells - 1e-3) / edge)).astype(np.int32)
    cell = (places[:, 0] * cells + places[:, 1]) * np.int32(cells) + places[:, 2]
    first = np.full(cells**3, -1, dtype=np.int32)
    backwards = np.arange(len(points) - 1, -1, -1, dtype=np.int32)
    first[cell[::-1]] = backwards
    return np.sort(first[first >= 0]).astype(np.int64)


def nearest_on_screen(places: AnyArray, x: float, y: float, within: float) -> int | None:
    """Row of the point nearest to a pixel, preferring points in front; None if none is near.

    `places`, shape (points, 3): pixels and depth. `within`: largest distance in pixels.
    """
    away = np.hypot(places[:, 0] - x, places[:, 1] - y)
    close = np.flatnonzero(away <= within)
    if not len(close):
        return None
    # One pixel nearer on the screen counts as much as two pixels nearer to the eye.
    best = close[(2.0 * away[close] - np.clip(places[close, 2], -1e6, 1e6) * 0.02).argmin()]
    return int(best)


SHADE_COUNT = 12
MAX_FOG_SHARE = 0.55


def stencil(diameter: float) -> Integers:
    """Pixels of a dot, as x and y offsets, shape (pixels, 2); one pixel below a diameter of 1.5."""
    reach = int(np.ceil(0.5 * diameter))
    steps = np.arange(-reach, reach + 1)
    # The centre of a dot with an even diameter is between pixels.
    middle = 0.5 if round(diameter) % 2 == 0 else 0.0
    x, y = np.meshgrid(steps, steps)
    inside = np.hypot(x + middle, y + middle) <= 0.5 * diameter + 0.1
    offsets = np.stack([x[inside], y[inside]], axis=1)
    return offsets if len(offsets) else np.zeros((1, 2), dtype=np.int64)


def cross(size: float) -> Integers:
    """Pixels of a diagonal cross, as offsets; a marker that does not rely on colour."""
    reach = max(round(0.5 * size), 2)
    steps = np.arange(-reach, reach + 1)
    thick = [np.stack([steps + d, s * steps], axis=1) for s in (1, -1) for d in (0, 1)]
    return np.unique(np.concatenate(thick), axis=0)


def shades_of(colours: Floats, ground: Floats) -> AnyArray:
    """Pixel values of each colour at each depth; distant points fade towards the background.

    `colours`, shape (colours, 3), and the background `ground`, shape (3,), are from 0 to 255.
    Returns 0xAARRGGBB values, shape (:data:`SHADE_COUNT`, colours); the last row is the nearest.
    """
    fog = MAX_FOG_SHARE * (1.0 - np.arange(SHADE_COUNT) / (SHADE_COUNT - 1.0))[:, None, None]
    mixed = np.rint(colours * (1.0 - fog) + ground * fog).astype(np.uint32)
    packed = (mixed[..., 0] << 16) | (mixed[..., 1] << 8) | mixed[..., 2]
    return np.asarray(packed | np.uint32(0xFF000000), dtype=np.uint32)


def splat(
    pixels: AnyArray,
    places: Floats,
    colour: Integers,
    table: AnyArray,
    dot: Integers,
    depth_reach: float,
) -> None:
    """Draw points into pixels, (height, width) uint32, from back to front.

    `places`, shape (points, 3): device pixels and depth, from minus to plus `depth_reach`.
    `colour`, shape (points,): columns of `table`, see :func:`shades_of`. `dot`: a :func:`stencil`.
    """
    height, width = pixels.shape
    x, y = (np.rint(places[:, axis]).astype(np.int32) for axis in (0, 1))
    edge = int(np.abs(dot).max(initial=0))
    seen = (x >= edge) & (x < width - edge) & (y >= edge) & (y < height - edge)
    # A stable sort of 16-bit depths takes linear time.
    share = (places[:, 2] / (2.0 * depth_reach) + 0.5).clip(0.0, 1.0)
    depth = (share * 65535.0).astype(np.uint16)
    order = np.argsort(depth, kind="stable")
    order = order[seen[order]]
    shade = (depth[order].astype(np.int32) * SHADE_COUNT) >> 16
    values = table[shade, colour[order]]
    flat = y[order] * np.int32(width) + x[order]
    steps = (dot[:, 1] * width + dot[:, 0]).astype(np.int32)
    # Where a pixel repeats, numpy keeps the last value, which is that of the nearest point.
    pixels.reshape(-1)[(flat[:, None] + steps).reshape(-1)] = np.repeat(values, len(steps))


# The cube around the cloud

MIN_EDGE_PIXELS = 34.0
BESIDE_PIXELS = 15.0


@dataclass(frozen=True)
class TickLabel:
    """A tick value or axis name and its pixel; `upright` text runs from bottom to top."""

    x: float
    y: float
    axis: int
    value: float | None
    upright: bool = False


def ticks_of(stage: view.Stage, axis: int) -> list[float]:
    """Round tick values along an axis, except at its very ends."""
    middle, half = stage.centre[axis], stage.half
    step = space.angle_step_for(2.0 * half, 4)
    return space.ticks_within(middle - 0.97 * half, middle + 0.97 * half, step)


def back_signs(stage: view.Stage) -> Floats:
    """Side of the cube that is at the back along each axis, -1 or 1."""
    return np.where(stage.view.matrix[2] >= 0.0, -1.0, 1.0)


def panes(stage: view.Stage) -> Floats:
    """Corners of the three back faces in pixels, shape (3, 4, 2)."""
    square, back = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]), back_signs(stage)
    faces = np.array([np.insert(square, axis, back[axis], axis=1) for axis in range(3)])
    return stage.project(stage.centre + stage.half * faces)[..., :2]


def grid(stage: view.Stage) -> Floats:
    """Ends of the grid lines on the back faces in pixels, shape (lines, 2, 2)."""
    ends, found = np.outer([-1.0, 1.0], [stage.half] * 3) + stage.centre, [np.zeros((0, 2, 3))]
    behind = stage.centre + stage.half * back_signs(stage)
    for axis, first, second in permutations(range(3)):
        ticks = np.array(ticks_of(stage, first))
        lines = np.empty((len(ticks), 2, 3))
        lines[..., axis], lines[..., first] = behind[axis], ticks[:, None]
        lines[..., second] = ends[:, second]
        found.append(lines)
    return stage.project(np.concatenate(found))[..., :2]


def _label_edge(stage: view.Stage, axis: int) -> Floats:
    """Ends of the outline edge that carries an axis's labels: the lower or the left one."""
    found = []
    # At an outline edge, exactly one of the two faces that meet is a back face.
    for other in {0, 1, 2} - {axis}:
        edge = np.tile(back_signs(stage), (2, 1))
        edge[:, other] *= -1.0
        edge[:, axis] = [-1.0, 1.0]
        found.append(stage.centre + stage.half * edge)
    pixels = [stage.project(edge) for edge in found]
    run = np.abs(pixels[0][1] - pixels[0][0])
    side, sign = (0, -1.0) if run[1] > run[0] else (1, 1.0)
    return max(zip(found, pixels), key=lambda pair: sign * pair[1][:, side].mean())[0]


def labels(stage: view.Stage) -> list[TickLabel]:
    """Tick values and axis names beside the cube; none for an axis that points at the eye."""
    middle, found = stage.project(stage.centre), []
    for axis in range(3):
        edge = _label_edge(stage, axis)
        ends = stage.project(edge)
        along = ends[1, :2] - ends[0, :2]
        length = float(np.hypot(*along))
        if length < MIN_EDGE_PIXELS:
            continue
        across = np.array([-along[1], along[0]]) / length
        outward = across if across @ (ends[:, :2].mean(axis=0) - middle[:2]) > 0 else -across
        # The name goes midway between two numbers near the centre, where it has room.
        ticks, centre = ticks_of(stage, axis), float(stage.centre[axis])
        halfway = [0.5 * (low + high) for low, high in zip(ticks, ticks[1:])]
        middle_of_name = min(halfway, key=lambda value: abs(value - centre), default=centre)
        upright = bool(abs(along[1]) > abs(along[0]))
        for at, value in (*((tick, tick) for tick in ticks), (middle_of_name, None)):
            place = edge[0].copy()
            place[axis] = at
            away = BESIDE_PIXELS * (2.0 if value is None else 1.0)
            x, y = stage.project(place)[:2] + away * outward
            found.append(TickLabel(float(x), float(y), axis, value, upright and value is None))
    return found
