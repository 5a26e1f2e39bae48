"""Page with moving figures: the same clip without and with limits, side by side.

One self-contained file: the frames are a data block, a small script draws them, and a strip of
still pictures serves print and browsers without scripts.
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .._version import __version__
from ..arrays import Floats, Integers
from ..atomic import write_text_atomically
from ..wording import printable
from .document import document
from .markup import Html, element, joined
from .moving_scene import PITCH, YAW, Panel, Scene, extent, followed
from .moving_stills import strip

__all__ = [
    "MOST_FRAMES",
    "MovingFigures",
    "Panel",
    "Scene",
    "in_parts",
    "moving_figures",
    "write_moving_figures",
]

MOST_FRAMES = 400
"""Most frames of a page; longer clips are sampled evenly."""
SHOWN_RATE = 30.0
HOW_TO_SEE = (
    "Play and pause with the button, drag the slider to a frame, drag a figure to see it from "
    "another side. Dots are targets."
)
CAPTURED = " Grey is the input motion."


@dataclass(frozen=True)
class MovingFigures:
    """Parts of a page with moving figures.

    Parameters
    ----------
    moving : Html
        Section with the figures and their controls.
    stills : Html
        Section with still pictures of a few moments.
    scripts : Html
        Scripts for the end of the page.
    script_hash : str
        For :func:`.document.document`.
    """

    moving: Html
    stills: Html
    scripts: Html
    css: str
    script_hash: str


def write_moving_figures(
    path: str | os.PathLike[str],
    title: str,
    words: Sequence[str],
    scene: Scene,
    panels: Sequence[Panel],
) -> None:
    """Write the page atomically.

    Parameters
    ----------
    path : path-like
    words : sequence of str
        Paragraphs above the figures.
    """
    write_text_atomically(path, moving_figures(title, words, scene, panels))


def moving_figures(title: str, words: Sequence[str], scene: Scene, panels: Sequence[Panel]) -> str:
    """Text of the page; see :func:`write_moving_figures`."""
    hint = HOW_TO_SEE + ("" if scene.captured is None else CAPTURED)
    parts = in_parts(scene, panels, hint)
    header = element("header", element("h1", title), *(element("p", text) for text in words))
    return document(
        title,
        header,
        parts.moving,
        parts.stills,
        parts.scripts,
        version=__version__,
        more_css=parts.css,
        script_hash=parts.script_hash,
    )


def in_parts(
    scene: Scene, panels: Sequence[Panel], hint: str, stills: Sequence[int] | None = None
) -> MovingFigures:
    """Moving figures for a page that has other contents too.

    Parameters
    ----------
    hint : str
        Instructions below the figures.
    stills : sequence of int, optional
        Panels that also get still pictures; all by default.
    """
    scene, panels = followed(scene, panels)
    rows = _shown(len(scene.numbers), scene.frame_rate)
    here = Path(__file__)
    script = here.with_suffix(".js").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")
    figures = element("div", *(_panel(n, panel) for n, panel in enumerate(panels)), class_="panels")
    chosen = range(len(panels)) if stills is None else stills
    block = element("script", _data(scene, panels, rows), type="application/json", id="moving-data")
    return MovingFigures(
        element("section", figures, _controls(len(rows)), element("p", hint, class_="note")),
        element("section", *(strip(scene, panels[n], rows) for n in chosen)),
        joined([block, element("script", Html(script))]),
        here.with_suffix(".css").read_text(encoding="utf-8"),
        f"sha256-{digest}",
    )


def _shown(count: int, rate: float) -> Integers:
    """Frames on the page: limited in rate and in number."""
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
    """Frames as JSON, escaped so that nothing in it can close the script block."""
    centre, radius = extent(scene, panels)
    digits = max(0, 3 - math.floor(math.log10(radius)))
    rate = scene.frame_rate * (len(rows) / max(len(scene.numbers), 1))
    shown: dict[str, Any] = {
        "bones": scene.bones(),
        "names": [printable(name) for name in scene.labels or scene.skeleton.names],
        "targetNames": [printable(name) for name in scene.target_labels],
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
        "marked": list(panel.marked),
        "turn": round(panel.turn, 4),
    }


def _rounded(values: Floats, digits: int) -> list[Any]:
    """Points as lists; None for absent ones."""
    listed: list[Any] = np.round(values, digits).tolist()
    return listed if np.isfinite(values).all() else _without_nan(listed)


def _without_nan(listed: list[Any]) -> Any:
    if isinstance(listed[0], list):
        return [_without_nan(part) for part in listed]
    return listed if all(map(math.isfinite, listed)) else None
