"""Contents and viewpoint of a page with moving figures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..arrays import Floats
from ..skeleton import Skeleton

YAW, PITCH = 0.6, 0.15
"""Initial viewing direction, radians."""


@dataclass(frozen=True, eq=False)
class Panel:
    """One of the figures that are compared.

    Parameters
    ----------
    positions : array, shape (frames, joints, 3)
        NaN where a joint is absent.
    says : sequence of str
        A line below the figure, for every frame.
    limited : bool
        Whether it keeps to limits; sets its colour.
    lines : array, shape (frames, lines, 2, 3), optional
        Drawn beside the bones, for example a gaze direction.
    marked : sequence of int
        Joints with a ring.
    turn : float
        Further rotation of this figure relative to the others, radians.
    """

    title: str
    positions: Floats
    says: Sequence[str]
    limited: bool
    lines: Floats | None = None
    marked: Sequence[int] = ()
    turn: float = 0.0


@dataclass(frozen=True, eq=False)
class Scene:
    """Data shared by all figures of a page.

    Parameters
    ----------
    numbers : array, shape (frames,)
        Frame numbers of the clip.
    targets : array, shape (frames, targets, 3)
        NaN where there is none.
    captured : array, shape (frames, joints, 3), optional
        The input motion, drawn behind.
    labels : sequence of str, optional
        Joint labels under the pointer; by default the joints' names.
    target_labels : sequence of str, optional
        The same for targets; by default none.
    figures_first : bool
        Whether targets and the input motion may leave the picture, so that figures are large.
    """

    skeleton: Skeleton
    numbers: Floats
    frame_rate: float
    targets: Floats
    captured: Floats | None = None
    labels: Sequence[str] | None = None
    target_labels: Sequence[str] = ()
    figures_first: bool = False

    def bones(self) -> list[list[int]]:
        """Pairs of joints with a bone between them; a root's offset in the world is not one."""
        parents = self.skeleton.parents
        return [[int(parent), joint] for joint, parent in enumerate(parents) if parent >= 0]


def followed(scene: Scene, panels: Sequence[Panel]) -> tuple[Scene, Sequence[Panel]]:
    """Make everything relative to the root of the figures, as for a camera that follows it."""
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


def extent(scene: Scene, panels: Sequence[Panel]) -> tuple[Floats, float]:
    """Centre of everything drawn, and its radius, never 0."""
    parts = [panel.positions for panel in panels]
    if not scene.figures_first:
        parts += [scene.targets] if scene.captured is None else [scene.targets, scene.captured]
    points = np.concatenate([part.reshape(-1, 3) for part in parts])
    points = points[np.isfinite(points).all(axis=1)]
    low, high = points.min(axis=0), points.max(axis=0)
    centre = 0.5 * (low + high)
    return centre, float(np.linalg.norm(points - centre, axis=1).max()) or 1.0


def flat(points: Floats, centre: Floats, radius: float, turn: float = 0.0) -> Floats:
    """Points from the initial viewpoint, in a square of 100; the same view as the script's."""
    x, y, z = np.moveaxis(points - centre, -1, 0)
    yaw = YAW + turn
    side = x * math.cos(yaw) + z * math.sin(yaw)
    depth = -x * math.sin(yaw) + z * math.cos(yaw)
    up = y * math.cos(PITCH) - depth * math.sin(PITCH)
    return np.stack([50.0 + 46.0 * side / radius, 50.0 - 46.0 * up / radius], axis=-1)
