"""Data for figures of a skeleton page: the skeleton moving over its tracks, and labelled."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...base.text import shorten
from ...geometry.arrays import Booleans, Floats, Integers
from ...geometry.quaternion import rotate
from ...skeleton_fit import build, result, track_conventions
from ..figures.playback import Streams
from . import character_figure, gap_charts, page


@dataclass(frozen=True, eq=False)
class SkeletonPoints:
    """Points and bones of a fit's figure."""

    bodies: Integers
    """Body of each point, shape (points,); the point is the body's joint to its parent or the
    end of its limb. Free bodies have points only if there is no figure."""
    parents: Integers
    """Index of the point at the other end of its bone, (points,); -1 without a bone."""
    places: Floats
    """Metres, Y up, shape (frames, points, 3); NaN for bodies never seen."""
    tracks: Floats
    """Measured origins of the bodies, shape (frames, bodies, 3); NaN where a body was not seen."""
    feet: Floats
    """Point on each body's bone nearest to the body's origin, shape (frames, bodies, 3)."""

    def bones(self) -> Integers:
        """Both ends of each bone, as point indices, shape (bones, 2)."""
        ends = np.flatnonzero(self.parents >= 0)
        return np.stack([self.parents[ends], ends], axis=1)


def skeleton_points(
    fit: result.BodyFit, frames: Integers, figures: Sequence[int] | None = None
) -> SkeletonPoints:
    """Points to draw in the given frames; `figures`: numbers of the figures, by default all."""
    every = range(len(fit.figures))
    bodies, parents, local = _points(fit, every if figures is None else figures)
    replay = build.replay(fit).keep_frames(frames)
    # The position of a body that was never used is unknown.
    ever: Booleans = np.asarray(fit.used.any(axis=1))
    turns = np.where(ever[:, None, None], np.swapaxes(replay.rotations, 1, 2), np.nan)
    tracks, up = fit.tracks.keep_frames(frames), track_conventions.up_axis([fit.tracks])
    places, raw, feet = (
        track_conventions.points_with_y_up(np.swapaxes(part, 0, 1), up)
        for part in (
            replay.positions[bodies] + rotate(turns[bodies], local[:, None]),
            np.where(tracks.present[..., None], tracks.positions, np.nan),
            replay.positions + rotate(turns, _feet(fit, bodies, local)[:, None]),
        )
    )
    return SkeletonPoints(bodies, parents, places, raw, feet)


def _points(fit: result.BodyFit, figures: Iterable[int]) -> tuple[Integers, Integers, Floats]:
    """Body of each point, the point at the other end of its bone, and its position on its body."""
    points: list[tuple[int, int, Floats]] = []
    for number in figures:
        figure, row = fit.figures[number], dict[int, int]()
        for body, origin in zip(figure, build.joint_places(fit, number)[0]):
            row[body] = len(points)
            points.append((body, row.get(int(fit.parents[body]), -1), origin))
        # At the end of a limb, only the body's origin shows the limb's length.
        ends = (body for body in figure if not np.any(fit.parents == body))
        points += [(body, row[body], np.zeros(3)) for body in ends]
    if not fit.figures:
        points = [(body, -1, np.zeros(3)) for body in fit.free]
    bodies, parents, local = map(np.array, zip(*points))
    return bodies, parents, local


def _feet(fit: result.BodyFit, bodies: Integers, local: Floats) -> Floats:
    """Point on each body's bones nearest to the body's origin, in the body's coordinates."""
    feet = np.full((len(fit.names), 3), np.inf)
    for joint in fit.joints:
        if joint.parent not in bodies:
            continue
        # The nearest point to the origin on the segment from begin to the child's joint.
        begin = local[bodies.tolist().index(joint.parent)]
        step = joint.centre_in_parent - begin
        share = np.clip(-(begin @ step) / max(float(step @ step), 1e-300), 0.0, 1.0)
        foot = begin + share * step
        if np.linalg.norm(foot) < np.linalg.norm(feet[joint.parent]):
            feet[joint.parent] = foot
    return np.where(np.isfinite(feet), feet, 0.0)


MAX_BODIES = 60
"""Maximum number of bodies in a labelled figure; more names would not be legible."""
TURNS = 24
"""Number of viewing directions tried to find the widest view of a figure."""
MAX_FIGURES = 4
MAX_SEARCHED_FRAMES = 200
"""Maximum number of frames searched for an upright figure."""
WIDTH, LINE, EDGE = 560.0, 17.0, 22.0
MAX_NAME_CHARS = 18
LABELS_END_PIXELS = 136.0
_INSIDE = WIDTH - 2.0 * (LABELS_END_PIXELS + 24.0)
"""Width of the figure between the two columns of names."""


def labelled_figures(fit: result.BodyFit, doubted: Mapping[int, object]) -> list[page.Piece]:
    """Pictures of the largest figures, each in the frame of the clip in which it is tallest.

    Figures with too many bodies to label are omitted. Names of bodies with doubtful joints are in
    the warning colour.
    """
    return [
        _labelled_figure(fit, number, doubted)
        for number, figure in enumerate(fit.figures[:MAX_FIGURES])
        if len(figure) <= MAX_BODIES
    ]


def _labelled_figure(fit: result.BodyFit, number: int, doubted: Mapping[int, object]) -> page.Piece:
    """Figure with names, in the frame where it is tallest among those that show the most bodies."""
    figure = fit.figures[number]
    seen = fit.tracks.present[list(figure)].sum(axis=0)
    best = np.flatnonzero(seen == seen.max())
    some = best[:: max(1, len(best) // MAX_SEARCHED_FRAMES)]
    up = skeleton_points(fit, some, [number]).places[..., 1]
    frame = some[[np.argmax(np.nanmax(up, axis=1) - np.nanmin(up, axis=1))]]
    points = skeleton_points(fit, frame, [number])
    height = max(440.0, LINE * (1 + math.ceil(0.75 * len(figure))))
    places, tracks, feet = _place_parts(points, figure, height)
    anchors = {}
    for body in figure:
        own = points.bodies.tolist().index(body)
        # Midway between the body's own joint and the mean of its child joints.
        ends = places[points.parents == own]
        place = 0.5 * (places[own] + ends.mean(axis=0)) if len(ends) else places[own]
        if np.isfinite(place).all():
            anchors[body] = place
    return page.piece(
        "labelled",
        label=f"The skeleton with the names of its bodies, frame {fit.tracks.frames[frame[0]]:g}",
        width=WIDTH,
        height=height,
        bones=_finite(places[points.bones()].reshape(-1, 4)),
        aims=_finite(np.concatenate([tracks, feet], axis=1)),
        tracks=_finite(tracks),
        marked=_finite(places[_marked_points(points, doubted)]),
        names=_names(fit.names, anchors, height, doubted),
    )


def _place_parts(points: SkeletonPoints, figure: Sequence[int], height: float) -> list[Floats]:
    """Points, tracks and feet in the picture, seen from where the figure is widest, (points, 2)."""
    bodies = list(figure)
    parts = [points.places[0], points.tracks[0][bodies], points.feet[0][bodies]]
    views = []
    for turn in np.arange(TURNS) * 180.0 / TURNS:
        view = character_figure.VIEW
        rows = replace(view, yaw_deg=view.yaw_deg + turn).matrix[:2] * [[1.0], [-1.0]]
        flat = [part @ rows.T for part in parts]
        drawn = np.concatenate(flat[:2])
        views.append((flat, drawn[np.isfinite(drawn).all(axis=1)]))
    flat, drawn = max(views, key=lambda view: float(np.std(view[1][:, 0])))
    low, size = drawn.min(axis=0), np.maximum(np.ptp(drawn, axis=0), 1e-9)
    scale = float(np.min(np.array([_INSIDE, height - 2.0 * EDGE]) / size))
    shift = np.array([0.5 * WIDTH, 0.5 * height]) - scale * (low + 0.5 * size)
    return [part * scale + shift for part in flat]


def _finite(rows: Floats) -> list[list[float]]:
    """Rows without unknown values, rounded for the page."""
    found: list[list[float]] = np.round(rows[np.isfinite(rows).all(axis=1)], 1).tolist()
    return found


def _marked_points(points: SkeletonPoints, doubted: Mapping[int, object]) -> list[int]:
    """First point of every doubtful body that is drawn, which is the body's joint."""
    bodies = points.bodies.tolist()
    return [bodies.index(body) for body in doubted if body in bodies]


def _names(
    names: Sequence[str], anchors: Mapping[int, Floats], height: float, doubted: Collection[int]
) -> list[dict[str, object]]:
    """Names in two columns without overlap, each joined by a line to its body."""
    by_side = sorted(anchors, key=lambda body: float(anchors[body][0]))
    half = (len(by_side) + 1) // 2
    found: list[dict[str, object]] = []
    for side, x, step, bodies in (
        ("end", LABELS_END_PIXELS, 5.0, by_side[:half]),
        ("start", WIDTH - LABELS_END_PIXELS, -5.0, by_side[half:]),
    ):
        down = sorted(bodies, key=lambda body: float(anchors[body][1]))
        lines = LINE * np.arange(len(down))
        # Space the names from the top down, and then from the bottom up.
        heights = np.array([anchors[body][1] for body in down]) - lines
        heights = np.maximum.accumulate(np.maximum(heights, LINE))
        heights = np.minimum(heights, height - 0.5 * LINE - LINE * max(len(down) - 1, 0)) + lines
        for body, y in zip(down, heights):
            line = np.round([x + step, y, *anchors[body]], 1).tolist()
            kind = f"{side} {'doubt' if body in doubted else 'name'}"
            name = shorten(names[body], MAX_NAME_CHARS)
            found.append({"name": name, "x": x, "y": round(y + 4.0, 1), "line": line, "kind": kind})
    return found


SHOWN_RATE_HZ, MAX_SHOWN_FRAMES = 30.0, 400
"""Maximum frames per second and in total on a page; longer clips are sampled evenly."""
LENGTHS_PER_RADIUS = 8192
"""Number of length steps in the figure's radius."""
HOW_TO_SEE = (
    "Drag a figure to turn it; point at a dot or a joint to see its name. Orange dots are the "
    "measured bodies"
)
SKELETON = (
    ", each with a line to its bone. Blue is the skeleton. A ring marks a joint that should be "
    "checked"
)


def moving_figure(fits: Sequence[result.BodyFit]) -> page.Piece:
    """The figure from two sides, with its controls."""
    return page.piece("panels", note=f"{HOW_TO_SEE}{SKELETON if fits[0].joints else ''}.")


def moving_data(fits: Sequence[result.BodyFit], doubted: Mapping[int, object]) -> dict[str, Any]:
    """Page data of the moving figure: all clips, relative to its root, keyed by block id."""
    every = sum(fit.tracks.frame_count for fit in fits)
    parts, captions, numbers = [], [], []
    for fit in fits:
        step = max(1.0, fit.tracks.frame_rate / SHOWN_RATE_HZ, every / MAX_SHOWN_FRAMES)
        chosen = np.arange(0.0, fit.tracks.frame_count, step).astype(np.int64)
        parts.append(skeleton_points(fit, chosen))
        numbers += fit.tracks.frames[chosen].tolist()
        gaps_mm = gap_charts.joint_gaps_mm(fit)[0]
        captions += [_caption(fit, gaps_mm[:, row], row, len(fits) > 1) for row in chosen.tolist()]
    first = parts[0]
    root = np.concatenate([one.places for one in parts])[:, :1]
    places, tracks, feet = (
        np.concatenate(arrays) - root
        for arrays in zip(*((one.places, one.tracks, one.feet) for one in parts))
    )
    # Tracks may leave the picture of a figure, so that the figure is large.
    drawn = places if fits[0].figures else np.concatenate([places, tracks], axis=1)
    says = list(dict.fromkeys(captions))
    clip = {
        "name": "",
        "count": len(captions),
        "numbers": np.round(numbers, 3).tolist(),
        "rate": fits[0].tracks.frame_rate * len(captions) / every,
        "paced": True,
    }
    title = "The skeleton over the tracks" if fits[0].joints else "The measured bodies"
    data = {
        "bones": first.bones().tolist(),
        "names": _labels(fits[0], first),
        "targetNames": list(fits[0].names),
        "clips": [clip],
        **_moving_streams(places, tracks, feet, drawn),
        "says": says,
        "words": [says.index(caption) for caption in captions],
        "marked": _marked_points(first, doubted),
        "panels": [{"title": title, "turn": 0}, {"title": "Turned by 90°", "turn": 90}],
        "keys": character_figure.KEYS,
    }
    return {"moving-data": data}


def _moving_streams(places: Floats, tracks: Floats, feet: Floats, drawn: Floats) -> dict[str, Any]:
    """Packed streams of points, tracks, and lines between tracks and bones, with their scale."""
    drawn = drawn[np.isfinite(drawn).all(axis=2)]
    centre = 0.5 * (drawn.min(axis=0) + drawn.max(axis=0))
    radius = float(np.linalg.norm(drawn - centre, axis=1).max()) or 1.0
    streams, step = Streams(), radius / LENGTHS_PER_RADIUS
    lines = np.stack([tracks, feet], axis=2).reshape(len(tracks), -1, 3)
    found = {
        "step": step,
        "centre": [round(float(value) / step) * step for value in centre],
        "radius": radius,
        "targets": streams.add_points(tracks, step),
        "places": streams.add_points(places, step),
        "lines": streams.add_points(lines, step),
    }
    return {**found, "packed": streams.text()}


def _labels(fit: result.BodyFit, points: SkeletonPoints) -> list[str]:
    """Labels of all points: a body's first point is its joint, a second one the end of its limb."""
    labels, bodies = [], points.bodies.tolist()
    for row, body in enumerate(bodies):
        parent = int(fit.parents[body])
        on = f", on {fit.names[parent]}" if parent >= 0 and body not in bodies[:row] else ""
        labels.append(f"{fit.names[body]}{on}")
    return labels


def _caption(fit: result.BodyFit, gaps_mm: Floats, row: int, several: bool) -> str:
    """Caption of a frame: the widest gap, earlier slips, and bodies not seen."""
    parts = [fit.tracks.name] if several else []
    if np.isfinite(gaps_mm).any():
        widest = int(np.nanargmax(gaps_mm))
        name = fit.names[fit.joints[widest].child]
        parts.append(f"widest gap {gaps_mm[widest]:.0f} mm, at {name}")
    number = fit.tracks.frames[row]
    parts += [f"{slip.body} has slipped" for slip in fit.slips if slip.frame <= number]
    out = [name for name, there in zip(fit.names, fit.tracks.present[:, row]) if not there]
    if out:
        parts.append(f"not seen: {', '.join(out)}")
    return "; ".join(parts)
