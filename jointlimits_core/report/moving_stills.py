"""Still pictures of a few moments, for print and browsers without scripts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..arrays import Floats, Integers
from .markup import Html, element, joined
from .moving_scene import Panel, Scene, extent, flat

STILLS = 6


def strip(scene: Scene, panel: Panel, rows: Integers) -> Html:
    """Pictures of a panel, side by side.

    Parameters
    ----------
    rows : array of int
        Frames to choose from.
    """
    chosen = rows[np.linspace(0, len(rows) - 1, min(STILLS, len(rows))).round().astype(np.int64)]
    within = extent(scene, [panel])
    pictures = [_still(scene, panel, int(row), within) for row in chosen]
    return joined([element("h3", panel.title), element("div", *pictures, class_="strip")])


def _still(scene: Scene, panel: Panel, row: int, within: tuple[Floats, float]) -> Html:
    bones = scene.bones()
    parts: list[Html] = []
    if scene.captured is not None:
        parts.append(bone_path(flat(scene.captured[row], *within, panel.turn), bones, "captured"))
    points = flat(panel.positions[row], *within, panel.turn)
    parts.append(bone_path(points, bones, "limited" if panel.limited else "free"))
    if panel.lines is not None:
        ends = flat(panel.lines[row], *within, panel.turn).reshape(-1, 2)
        parts.append(bone_path(ends, [[n, n + 1] for n in range(0, len(ends), 2)], "aim"))
    parts += circles(flat(scene.targets[row], *within, panel.turn), 1.8, None)
    parts += circles(points[list(panel.marked)], 3.0, "marked")
    name = f"{panel.title}, frame {scene.numbers[row]:g}"
    title = element("title", name)
    return element("svg", title, *parts, viewBox="0 0 100 100", role="img", aria_label=name)


def circles(points: Floats, radius: float, kind: str | None) -> list[Html]:
    """A circle around every finite point."""
    seen = points[np.isfinite(points).all(axis=1)]
    return [element("circle", cx=float(x), cy=float(y), r=radius, class_=kind) for x, y in seen]


def bone_path(points: Floats, bones: Sequence[Sequence[int]], kind: str) -> Html:
    """One path of all bones with two finite ends."""
    pieces = []
    for start, end in bones:
        (x, y), (u, v) = points[start], points[end]
        if np.isfinite([x, y, u, v]).all():
            pieces.append(f"M{x:.1f} {y:.1f}L{u:.1f} {v:.1f}")
    return element("path", d="".join(pieces), class_=kind)
