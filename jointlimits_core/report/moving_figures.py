"""A page on which figures move: the same clip without and with limits, side by side.

One file without network: the frames are a data block, a small script draws them, and a strip of
pictures shows the same to whoever has no script, or prints.
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from .._version import __version__
from ..arrays import Floats, Integers
from ..atomic import write_text_atomically
from ..skeleton import Skeleton
from ..wording import printable
from .document import document
from .markup import Html, element, joined

MOST_FRAMES = 400
"""Frames of a page; of longer clips evenly spaced ones are shown."""
SHOWN_RATE = 30.0
STILLS = 6
YAW, PITCH = 0.6, 0.15
"""Where the figures are seen from at first, radians."""
HOW_TO_SEE = (
    "Play and pause with the button, drag the slider to a frame, drag a figure to see it from "
    "another side. Dots are what is to be reached."
)
CAPTURED = " Grey is the motion that was given."


@dataclass(frozen=True, eq=False)
class Panel:
    """One of the figures that are compared.

    Parameters
    ----------
    title : str
    positions : array, shape (frames, joints, 3)
    says : sequence of str
        A line below the figure for every frame.
    limited : bool
        Whether it keeps to limits; decides its colour.
    lines : array, shape (frames, lines, 2, 3), optional
        Drawn beside the bones, such as the direction of a gaze.
    """

    title: str
    positions: Floats
    says: Sequence[str]
    limited: bool
    lines: Floats | None = None


@dataclass(frozen=True, eq=False)
class Scene:
    """What is the same for all figures of a page.

    Parameters
    ----------
    skeleton : Skeleton
    numbers : array, shape (frames,)
        Frame numbers of the clip.
    frame_rate : float
    targets : array, shape (frames, targets, 3)
    captured : array, shape (frames, joints, 3), optional
        The motion that was given, to be drawn behind.
    """

    skeleton: Skeleton
    numbers: Floats
    frame_rate: float
    targets: Floats
    captured: Floats | None = None


def write_moving_figures(
    path: str | os.PathLike[str],
    title: str,
    words: Sequence[str],
    scene: Scene,
    panels: Sequence[Panel],
) -> None:
    """Write the page, whole or not at all.

    Parameters
    ----------
    path : path-like
    title : str
    words : sequence of str
        Paragraphs above the figures.
    scene : Scene
    panels : sequence of Panel
    """
    write_text_atomically(path, moving_figures(title, words, scene, panels))


def moving_figures(title: str, words: Sequence[str], scene: Scene, panels: Sequence[Panel]) -> str:
    """Text of the page; see :func:`write_moving_figures`."""
    scene, panels = _followed(scene, panels)
    rows = _shown(len(scene.numbers), scene.frame_rate)
    here = Path(__file__)
    script = here.with_suffix(".js").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")
    header = element("header", element("h1", title), *(element("p", text) for text in words))
    hint = HOW_TO_SEE + ("" if scene.captured is None else CAPTURED)
    figures = element("div", *(_panel(n, panel) for n, panel in enumerate(panels)), class_="panels")
    moving = element("section", figures, _controls(len(rows)), element("p", hint, class_="note"))
    strips = joined(_strip(scene, panel, rows) for panel in panels)
    block = element("script", _data(scene, panels, rows), type="application/json", id="moving-data")
    return document(
        title,
        header,
        moving,
        element("section", strips),
        block,
        element("script", Html(script)),
        version=__version__,
        more_css=here.with_suffix(".css").read_text(encoding="utf-8"),
        script_hash=f"sha256-{digest}",
    )


def _followed(scene: Scene, panels: Sequence[Panel]) -> tuple[Scene, Sequence[Panel]]:
    """Give everything as it is seen by an eye that goes along with the root of the figures."""
    root = panels[0].positions[:, :1]
    captured = None if scene.captured is None else scene.captured - root
    moved = [
        replace(
            panel,
            positions=panel.positions - root,
            lines=None if panel.lines is None else panel.lines - root[:, None],
        )
        for panel in panels
    ]
    return replace(scene, targets=scene.targets - root, captured=captured), moved


def _shown(count: int, rate: float) -> Integers:
    """Frames that the page has: not more in a second than are seen, and not too many."""
    step = max(1.0, rate / SHOWN_RATE, count / MOST_FRAMES)
    return np.unique(np.arange(0.0, count, step).astype(np.int64))


def _panel(number: int, panel: Panel) -> Html:
    name = f"{panel.title}, moving figure"
    return element(
        "div",
        element("h2", panel.title),
        element("canvas", id=f"panel-{number}", width=560, height=560, role="img", aria_label=name),
        element("p", panel.says[0], id=f"says-{number}", class_="says"),
    )


def _controls(count: int) -> Html:
    slide = element(
        "input", id="frame", type="range", min=0, max=count - 1, value=0, aria_label="frame"
    )
    play = element("button", "Play", id="play", type="button")
    now = element("span", "", id="now")
    return element("div", play, slide, now, id="controls", hidden=True)


def _data(scene: Scene, panels: Sequence[Panel], rows: Integers) -> Html:
    """Frames as JSON in which nothing can end the block."""
    centre, radius = _extent(scene, panels)
    digits = max(0, 3 - math.floor(math.log10(radius)))
    rate = scene.frame_rate * (len(rows) / max(len(scene.numbers), 1))
    shown: dict[str, Any] = {
        "bones": _bones(scene.skeleton),
        "numbers": [float(f"{number:.3f}") for number in scene.numbers[rows]],
        "rate": round(rate, 3),
        "yaw": YAW,
        "pitch": PITCH,
        "centre": _rounded(centre, digits),
        "radius": round(radius, digits),
        "targets": _rounded(scene.targets[rows], digits),
        "captured": None if scene.captured is None else _rounded(scene.captured[rows], digits),
        "panels": [_panel_data(panel, rows, digits) for panel in panels],
    }
    text = json.dumps(shown, separators=(",", ":"), allow_nan=False)
    return Html(text.replace("<", "\\u003c").replace("&", "\\u0026"))


def _panel_data(panel: Panel, rows: Integers, digits: int) -> dict[str, Any]:
    return {
        "ink": "--interval" if panel.limited else "--warn",
        "frames": _rounded(panel.positions[rows], digits),
        "lines": None if panel.lines is None else _rounded(panel.lines[rows], digits),
        "says": [printable(panel.says[row]) for row in rows.tolist()],
    }


def _rounded(values: Floats, digits: int) -> list[Any]:
    listed: list[Any] = np.round(values, digits).tolist()
    return listed


def _bones(skeleton: Skeleton) -> list[list[int]]:
    """Pairs of joints with a bone between them; what places a root in the world is none."""
    return [[int(parent), joint] for joint, parent in enumerate(skeleton.parents) if parent >= 0]


def _extent(scene: Scene, panels: Sequence[Panel]) -> tuple[Floats, float]:
    """Middle of everything that is drawn, and the radius about it, not 0."""
    parts = [panel.positions for panel in panels]
    parts += [scene.targets] if scene.captured is None else [scene.targets, scene.captured]
    points = np.concatenate([part.reshape(-1, 3) for part in parts])
    low, high = points.min(axis=0), points.max(axis=0)
    centre = 0.5 * (low + high)
    return centre, float(np.linalg.norm(points - centre, axis=1).max()) or 1.0


def _strip(scene: Scene, panel: Panel, rows: Integers) -> Html:
    """Pictures of a few moments, side by side."""
    chosen = rows[np.linspace(0, len(rows) - 1, min(STILLS, len(rows))).round().astype(np.int64)]
    extent = _extent(scene, [panel])
    pictures = [_still(scene, panel, int(row), extent) for row in chosen]
    return joined([element("h3", panel.title), element("div", *pictures, class_="strip")])


def _still(scene: Scene, panel: Panel, row: int, extent: tuple[Floats, float]) -> Html:
    bones = _bones(scene.skeleton)
    parts: list[Html] = []
    if scene.captured is not None:
        parts.append(_path(_flat(scene.captured[row], extent), bones, "captured"))
    kind = "limited" if panel.limited else "free"
    parts.append(_path(_flat(panel.positions[row], extent), bones, kind))
    if panel.lines is not None:
        ends = _flat(panel.lines[row], extent).reshape(-1, 2)
        pairs = [[n, n + 1] for n in range(0, len(ends), 2)]
        parts.append(_path(ends, pairs, "aim"))
    dots = _flat(scene.targets[row], extent)
    parts += [element("circle", cx=float(x), cy=float(y), r=1.8) for x, y in dots]
    name = f"{panel.title}, frame {scene.numbers[row]:g}"
    title = element("title", name)
    return element("svg", title, *parts, viewBox="0 0 100 100", role="img", aria_label=name)


def _path(points: Floats, bones: Sequence[Sequence[int]], kind: str) -> Html:
    pieces = []
    for start, end in bones:
        (x, y), (u, v) = points[start], points[end]
        pieces.append(f"M{x:.1f} {y:.1f}L{u:.1f} {v:.1f}")
    return element("path", d="".join(pieces), class_=kind)


def _flat(points: Floats, extent: tuple[Floats, float]) -> Floats:
    """Points as they are seen at first, in a square of 100; the same view as the script's."""
    centre, radius = extent
    x, y, z = np.moveaxis(points - centre, -1, 0)
    side = x * math.cos(YAW) + z * math.sin(YAW)
    depth = -x * math.sin(YAW) + z * math.cos(YAW)
    up = y * math.cos(PITCH) - depth * math.sin(PITCH)
    return np.stack([50.0 + 46.0 * side / radius, 50.0 - 46.0 * up / radius], axis=-1)
