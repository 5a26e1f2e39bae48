"""Moving figure of a skeleton page: the skeleton over its tracks."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from ..arrays import Floats, Integers
from ..bodies.body_fit import BodyFit
from ..skeleton import Skeleton
from .gaps import gaps_m
from .moving_figures import MovingFigures, Panel, Scene, in_parts
from .skeleton_points import SkeletonPoints, skeleton_points

SHOWN_RATE = 30.0
HOW_TO_SEE = (
    "Play and pause with the button, drag the slider to a frame, drag a figure to see it from "
    "another side; point at a dot or a joint to see its name. Orange dots are the measured bodies"
)
SKELETON = (
    ", each with a line to its bone. Blue is the skeleton. A ring marks a joint that should be "
    "checked"
)


def skeleton_figure(fits: Sequence[BodyFit], doubted: Mapping[int, object]) -> MovingFigures:
    """The figure from two sides, clip after clip.

    Parameters
    ----------
    fits : sequence of BodyFit
        One per clip.
    doubted : mapping
        Bodies whose joints are doubtful.
    """
    rows = [_rows(fit) for fit in fits]
    points = [skeleton_points(fit, chosen) for fit, chosen in zip(fits, rows)]
    first = points[0]
    places = np.concatenate([one.places for one in points])
    tracks = np.concatenate([one.tracks for one in points])
    lines = np.stack([tracks, np.concatenate([one.feet for one in points])], axis=2)
    numbers = np.concatenate([fit.tracks.frames[chosen] for fit, chosen in zip(fits, rows)])
    rate = min(fits[0].tracks.frame_rate, SHOWN_RATE)
    scene = Scene(
        _bones(first), numbers, rate, tracks, labels=_labels(fits[0], first),
        target_labels=fits[0].names, figures_first=bool(fits[0].figures),
    )  # fmt: skip
    says = [line for fit, chosen in zip(fits, rows) for line in _says(fit, chosen, len(fits) > 1)]
    marked = _marked(first, doubted)
    title = "The skeleton over the tracks" if fits[0].joints else "The measured bodies"
    panels = [
        Panel(title, places, says, True, lines, marked),
        Panel("Turned by 90°", places, [""] * len(says), True, lines, marked, 0.5 * math.pi),
    ]
    hint = f"{HOW_TO_SEE}{SKELETON if fits[0].joints else ''}."
    return in_parts(scene, panels, hint, stills=[0])


def _rows(fit: BodyFit) -> Integers:
    """Frames of a clip to show, evenly spaced in time."""
    step = max(1.0, fit.tracks.frame_rate / SHOWN_RATE)
    return np.arange(0.0, fit.tracks.frame_count, step).astype(np.int64)


def _bones(points: SkeletonPoints) -> Skeleton:
    return Skeleton(tuple(map(str, range(len(points.bodies)))), points.parents)


def _labels(fit: BodyFit, points: SkeletonPoints) -> list[str]:
    """Labels of all points; a body has one for its joint and one for the end of its limb."""
    seen: set[int] = set()
    labels = []
    for body in points.bodies.tolist():
        parent = int(fit.parents[body])
        on = f", on {fit.names[parent]}" if parent >= 0 and body not in seen else ""
        labels.append(f"{fit.names[body]}{on}")
        seen.add(body)
    return labels


def _marked(points: SkeletonPoints, doubted: Mapping[int, object]) -> list[int]:
    """First point, which is the joint, of every doubtful body."""
    first: dict[int, int] = {}
    for row, body in enumerate(points.bodies.tolist()):
        first.setdefault(body, row)
    return [first[body] for body in doubted]


def _says(fit: BodyFit, rows: Integers, several: bool) -> list[str]:
    """A line per frame: the widest gap, earlier slips, and bodies not seen."""
    gaps = 1000.0 * gaps_m(fit)[:, rows]
    return [_line(fit, gaps[:, place], int(row), several) for place, row in enumerate(rows)]


def _line(fit: BodyFit, gaps_mm: Floats, row: int, several: bool) -> str:
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
