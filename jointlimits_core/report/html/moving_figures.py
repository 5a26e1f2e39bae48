"""Moving figures on a page, side by side.

The frames are a data block, the player of every page draws them, and a strip of still pictures
serves print and browsers without scripts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...base.text import printable
from ...geometry.arrays import Floats, Integers
from ...motion.skeleton import Skeleton
from ..figures.playback import Streams
from ..figures.view import View
from .character_figure import KEYS, controls, line_path
from .document import Html, data_block, element, joined, picture

VIEW = View(-32.0, 12.0)
"""Initial viewing direction, the same as the script's."""
_STEPS = 8192
"""Steps of a length in the radius of what is drawn."""


@dataclass(frozen=True, eq=False)
class Panel:
    """One of the figures."""

    title: str
    positions: Floats
    """NaN where a joint is absent, shape (frames, joints, 3)."""
    captions: Sequence[str]
    """A line below the figure, for every frame."""
    lines: Floats | None = None
    """Drawn beside the bones, for example from a track to its bone, shape (frames, lines, 2, 3)."""
    marked: Sequence[int] = ()
    """Joints with a ring."""
    turn: float = 0.0
    """Further rotation of this figure relative to the others, radians."""


@dataclass(frozen=True, eq=False)
class Scene:
    """Data shared by all figures of a page."""

    skeleton: Skeleton
    numbers: Floats
    """Frame numbers of the clip, shape (frames,)."""
    frame_rate: float
    targets: Floats
    """NaN where there is none, shape (frames, targets, 3)."""
    labels: Sequence[str] | None = None
    """Joint labels under the pointer; by default the joints' names."""
    target_labels: Sequence[str] = ()
    """The same for targets; by default none."""
    figures_first: bool = False
    """Whether targets may leave the picture, so that figures are large."""

    def bones(self) -> Integers:
        """Joints with a bone between them, (bones, 2); a root's offset in the world is not one."""
        parents = self.skeleton.parents
        joints = np.flatnonzero(parents >= 0)
        return np.stack([parents[joints], joints], axis=1)


def followed(scene: Scene, panels: Sequence[Panel]) -> tuple[Scene, Sequence[Panel]]:
    """Make everything relative to the root of the figures, as for a camera that follows it."""
    root = panels[0].positions[:, :1]
    moved = [
        replace(
            panel,
            positions=panel.positions - root,
            lines=None if panel.lines is None else panel.lines - root[:, None],
        )
        for panel in panels
    ]
    return replace(scene, targets=scene.targets - root), moved


def extent(scene: Scene, panels: Sequence[Panel]) -> tuple[Floats, float]:
    """Centre of everything drawn, and its radius, never 0."""
    parts = [panel.positions for panel in panels]
    if not scene.figures_first:
        parts.append(scene.targets)
    points = np.concatenate([part.reshape(-1, 3) for part in parts])
    points = points[np.isfinite(points).all(axis=1)]
    low, high = points.min(axis=0), points.max(axis=0)
    centre = 0.5 * (low + high)
    return centre, float(np.linalg.norm(points - centre, axis=1).max()) or 1.0


def flat(points: Floats, centre: Floats, radius: float, turn: float = 0.0) -> Floats:
    """Points from the initial viewpoint, in a square of 100; the same view as the script's."""
    rows = replace(VIEW, yaw_deg=VIEW.yaw_deg + math.degrees(turn)).matrix
    side, up, _ = np.moveaxis((points - centre) @ rows.T, -1, 0)
    return np.stack([50.0 + 46.0 * side / radius, 50.0 - 46.0 * up / radius], axis=-1)


STILLS = 6


def strip(scene: Scene, panel: Panel, rows: Integers) -> Html:
    """Pictures of a panel, side by side, at some of the given frames."""
    chosen = rows[np.linspace(0, len(rows) - 1, min(STILLS, len(rows))).round().astype(np.int64)]
    within = extent(scene, [panel])
    pictures = [_still(scene, panel, int(row), within) for row in chosen]
    return joined([element("h3", panel.title), element("div", *pictures, class_="strip")])


def _still(scene: Scene, panel: Panel, row: int, within: tuple[Floats, float]) -> Html:
    bones = scene.bones()
    points = flat(panel.positions[row], *within, panel.turn)
    parts = [line_path(points[bones], "bones")]
    if panel.lines is not None:
        parts.append(line_path(flat(panel.lines[row], *within, panel.turn), "aim"))
    parts += circles(flat(scene.targets[row], *within, panel.turn), 1.8, None)
    parts += circles(points[list(panel.marked)], 3.0, "marked")
    name = f"{panel.title}, frame {scene.numbers[row]:g}"
    return picture(name, 100.0, 100.0, *parts, kind=None)


def circles(points: Floats, radius: float, kind: str | None) -> list[Html]:
    """A circle around every finite point."""
    seen = points[np.isfinite(points).all(axis=1)]
    return [element("circle", cx=float(x), cy=float(y), r=radius, class_=kind) for x, y in seen]


MOST_FRAMES = 400
"""Most frames of a page; longer clips are sampled evenly."""
SHOWN_RATE = 30.0


@dataclass(frozen=True)
class MovingFigures:
    """Parts of a page with moving figures."""

    moving: Html
    """Section with the figures and their controls."""
    stills: Html
    """Section with still pictures of a few moments."""
    data: Html
    """Data block of the script."""

    scripts = ("player.js", "panels.js")
    sheets = ("panels.css",)


def in_parts(scene: Scene, panels: Sequence[Panel], hint: str) -> MovingFigures:
    """Moving figures for a page; the first panel also gets still pictures.

    `hint` tells how to use them.
    """
    scene, panels = followed(scene, panels)
    count = len(scene.numbers)
    step = max(1.0, scene.frame_rate / SHOWN_RATE, count / MOST_FRAMES)
    rows = np.unique(np.arange(0.0, count, step).astype(np.int64))
    within = extent(scene, panels)
    figures = [
        element(
            "div",
            element("h2", panel.title),
            element("div", _still(scene, panel, int(rows[0]), within), class_="picture"),
            element("p", panel.captions[0], class_="says"),
            class_="panel",
        )
        for panel in panels
    ]
    return MovingFigures(
        element(
            "section",
            element("div", *figures, class_="panels"),
            controls([""], len(rows)),
            element("p", hint, class_="note"),
        ),
        element("section", strip(scene, panels[0], rows)),
        data_block("moving-data", _data(scene, panels, rows)),
    )


def _data(scene: Scene, panels: Sequence[Panel], rows: Integers) -> dict[str, Any]:
    """Frames for the script; the order of the streams is the order in which it reads them."""
    centre, radius = extent(scene, panels)
    streams, step = Streams(), radius / _STEPS
    captions = list(dict.fromkeys(panel.captions[row] for panel in panels for row in rows.tolist()))
    word = {caption: place for place, caption in enumerate(captions)}
    numbers = [float(f"{number:.3f}") for number in scene.numbers[rows]]
    count = len(numbers)
    shown_rate = scene.frame_rate * count / max(len(scene.numbers), 1)
    return {
        "bones": scene.bones().tolist(),
        "names": [printable(name) for name in scene.labels or scene.skeleton.names],
        "targetNames": [printable(name) for name in scene.target_labels],
        "clips": [
            {"name": "", "count": count, "numbers": numbers, "rate": shown_rate, "paced": True}
        ],
        "step": step,
        "centre": [round(float(value) / step) * step for value in centre],
        "radius": radius,
        "targets": streams.add_points(scene.targets[rows], step),
        "says": [printable(caption) for caption in captions],
        "panels": [_panel_data(panel, rows, streams, step, word) for panel in panels],
        "keys": KEYS,
        "packed": streams.text(),
    }


def _panel_data(
    panel: Panel, rows: Integers, streams: Streams, step: float, word: dict[str, int]
) -> dict[str, Any]:
    count = len(rows)
    lines = np.zeros((count, 0, 3)) if panel.lines is None else panel.lines[rows]
    return {
        "title": printable(panel.title),
        "places": streams.add_points(panel.positions[rows], step),
        "lines": streams.add_points(lines.reshape(count, -1, 3), step),
        "words": [word[panel.captions[row]] for row in rows.tolist()],
        "marked": list(panel.marked),
        "turn": round(math.degrees(panel.turn), 3),
    }
