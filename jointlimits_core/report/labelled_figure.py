"""Picture of the skeleton over its tracks, labelled with the names of the bodies."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from ..arrays import Floats, Integers
from ..bodies.body_fit import BodyFit
from ..wording import shortened
from .markup import Html, element
from .moving_scene import flat
from .moving_stills import bone_path, circles
from .skeleton_points import SkeletonPoints, skeleton_points

MOST_BODIES = 60
"""More names than this would not be legible."""
TURNS = 24
"""Directions tried to find the one from which the figure is widest."""
MOST_FIGURES = 4
MOST_FRAMES = 200
"""Frames searched for one in which the figure stands upright."""
WIDTH, LINE, EDGE = 560.0, 17.0, 22.0
_LONGEST_NAME = 18
_LABELS_END = 136.0
_INSIDE = WIDTH - 2.0 * (_LABELS_END + 24.0)
"""Width of the figure between the names."""


def labelled_figures(fit: BodyFit, doubted: Mapping[int, object]) -> list[Html]:
    """Picture of each figure, in the frame of the clip in which it is tallest.

    Parameters
    ----------
    doubted : mapping
        Bodies whose joints are doubtful; their names get the warning colour.

    Returns
    -------
    list of Html
        The largest figures, without those that have too many bodies to label.
    """
    shown = [figure for figure in fit.figures[:MOST_FIGURES] if len(figure) <= MOST_BODIES]
    return [_picture(fit, figure, doubted) for figure in shown]


def _picture(fit: BodyFit, figure: tuple[int, ...], doubted: Mapping[int, object]) -> Html:
    frame = _upright(fit, figure)
    points = skeleton_points(fit, frame).only(figure)
    height = max(440.0, LINE * (1 + math.ceil(0.75 * len(figure))))
    view = _View(points, figure, height)
    name = f"The skeleton with the names of its bodies, frame {fit.tracks.frames[frame[0]]:g}"
    bones = [[int(p), row] for row, p in enumerate(points.parents) if p >= 0]
    pairs = [[2 * row, 2 * row + 1] for row in range(len(figure))]
    parts = [
        element("title", name),
        bone_path(np.stack([view.tracks, view.feet], 1).reshape(-1, 2), pairs, "aim"),
        bone_path(view.places, bones, "limited"),
        *circles(view.tracks, 3.4, None),
        *circles(view.places[_joints(points, doubted)], 7.0, "marked"),
        *_labels(fit.names, figure, points, view, doubted),
    ]
    box = f"0 0 {WIDTH:.0f} {height:.0f}"
    return element("svg", *parts, viewBox=box, class_="labelled", role="img", aria_label=name)


def _upright(fit: BodyFit, figure: tuple[int, ...]) -> Integers:
    """Tallest frame among those in which most bodies of the figure were seen."""
    seen = fit.tracks.present[list(figure)].sum(axis=0)
    best = np.flatnonzero(seen == seen.max())
    some = best[:: max(1, len(best) // MOST_FRAMES)]
    height = skeleton_points(fit, some).only(figure).places[..., 1]
    return np.asarray(some[[np.argmax(np.nanmax(height, axis=1) - np.nanmin(height, axis=1))]])


class _View:
    """Positions in the picture, from the direction in which the figure is widest."""

    def __init__(self, points: SkeletonPoints, bodies: Sequence[int], height: float) -> None:
        self.height = height
        tracks = points.tracks[0][list(bodies)]
        drawn = np.concatenate([points.places[0], tracks])
        drawn = drawn[np.isfinite(drawn).all(axis=1)]
        self.centre = 0.5 * (drawn.min(axis=0) + drawn.max(axis=0))
        self.radius = float(np.linalg.norm(drawn - self.centre, axis=1).max()) or 1.0
        turns = np.arange(TURNS) * math.pi / TURNS
        self.turn = max(turns, key=lambda turn: float(np.std(self._flat(drawn, turn)[:, 0])))
        seen = self._flat(drawn, self.turn)
        low, size = seen.min(axis=0), np.maximum(np.ptp(seen, axis=0), 1e-9)
        self.scale = float(np.min(np.array([_INSIDE, height - 2.0 * EDGE]) / size))
        self.shift = np.array([0.5 * WIDTH, 0.5 * height]) - self.scale * (low + 0.5 * size)
        self.places = self._placed(points.places[0])
        self.tracks = self._placed(tracks)
        self.feet = self._placed(points.feet[0][list(bodies)])

    def _flat(self, points: Floats, turn: float) -> Floats:
        return flat(points, self.centre, self.radius, turn)

    def _placed(self, points: Floats) -> Floats:
        """Scaled to fill the space between the names."""
        return np.asarray(self._flat(points, self.turn) * self.scale + self.shift)


def _joints(points: SkeletonPoints, doubted: Mapping[int, object]) -> list[int]:
    bodies = points.bodies.tolist()
    return [bodies.index(body) for body in doubted if body in bodies]


def _labels(
    names: Sequence[str],
    figure: Sequence[int],
    points: SkeletonPoints,
    view: _View,
    doubted: Mapping[int, object],
) -> list[Html]:
    """Names in two columns, each with a line to the centre of its body's bones."""
    anchors = {body: _anchor(points, view, body) for body in figure}
    there = [body for body, place in anchors.items() if np.isfinite(place).all()]
    by_side = sorted(there, key=lambda body: float(anchors[body][0]))
    half = (len(by_side) + 1) // 2
    parts = []
    for side, bodies in (("end", by_side[:half]), ("start", by_side[half:])):
        down = sorted(bodies, key=lambda body: float(anchors[body][1]))
        heights = _spread([float(anchors[body][1]) for body in down], view.height)
        for body, y in zip(down, heights):
            x = _LABELS_END if side == "end" else WIDTH - _LABELS_END
            (u, v), kind = anchors[body], "doubt" if body in doubted else "name"
            step = 5.0 if side == "end" else -5.0
            parts.append(
                element("path", d=f"M{x + step:.1f} {y:.1f}L{u:.1f} {v:.1f}", class_="leader")
            )
            name = shortened(names[body], _LONGEST_NAME)
            parts.append(element("text", name, x=x, y=y + 4.0, class_=f"{side} {kind}"))
    return parts


def _anchor(points: SkeletonPoints, view: _View, body: int) -> Floats:
    """Centre of a body's bones: of its own joint and its child joints."""
    own = points.bodies.tolist().index(body)
    ends = np.flatnonzero(points.parents == own)
    if not len(ends):
        return np.asarray(view.places[own])
    return np.asarray(0.5 * (view.places[own] + view.places[ends].mean(axis=0)))


def _spread(wanted: list[float], height: float) -> list[float]:
    """Heights close to those wanted, in order, a line apart and inside the picture."""
    found: list[float] = []
    for y in wanted:
        found.append(max(y, found[-1] + LINE if found else LINE))
    bottom = height - 0.5 * LINE
    for place in reversed(range(len(found))):
        found[place] = min(found[place], bottom)
        bottom = found[place] - LINE
    return found
