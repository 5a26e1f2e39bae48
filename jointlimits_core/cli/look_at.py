"""``jointlimits look-at``: spine, neck and head aimed at a point, with and without limits."""

from __future__ import annotations

import argparse
import math

import numpy as np

from ..base import Progress
from ..formats import FURTHEST
from ..geometry import Floats
from ..ik import Constraints, LookAt, facing, gaze_chain, sweep_targets
from ..ik.look_at import look_at
from ..motion import Motion
from ..report.html import Panel, Scene, write_moving_figures
from .output import UsageError, print_text, progress_of
from .posing import TITLES, Posing, add_posing, output_paths, read_posing, solve_twice, write_poses


def add_arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    sub.description = (
        "Rotate spine, neck and head in every frame so that the head looks at a point, "
        "once without limits and once with them: the spine takes its share first, then neck and "
        "head. Write both motions and a page that shows them side by side."
    )
    add_posing(sub)
    which = sub.add_mutually_exclusive_group()
    which.add_argument(
        "--target",
        nargs=3,
        type=float,
        metavar=("X", "Y", "Z"),
        help="point in world space; by default one that moves",
    )
    which.add_argument(
        "--sweep",
        type=float,
        default=120.0,
        metavar="DEGREES",
        help="without --target: sweep the point this far to either side of the figure and back",
    )


def run(options: argparse.Namespace) -> int:
    """Read, aim twice, write."""
    _check_numbers(options)
    with progress_of(options) as progress:
        posing = read_posing(options, progress)
        motion = posing.motion
        paths = output_paths(options, motion, "look-at")
        targets = _targets(options, motion)

        def solve(limits: Constraints, part: Progress) -> LookAt:
            return look_at(motion, targets, limits, progress=part)

        found = solve_twice(motion, posing.constraints, "aiming", solve, progress)
        rotations = {key: one.rotations for key, one in found.items()}
        posed = write_poses(motion, rotations, paths, progress)
        panels = [_panel(key, one, posed[key], targets) for key, one in found.items()]
        scene = Scene(motion.skeleton, motion.frames, motion.frame_rate, targets[:, None])
        words = _words(posing, found)
        progress(2, 3, f"writing {paths['page'].name}")
        write_moving_figures(paths["page"], f"{motion.name} looks at a point", words, scene, panels)
    for line in [*words, *(f"wrote {path}" for path in paths.values())]:
        print_text(line)
    return 0


def _check_numbers(options: argparse.Namespace) -> None:
    numbers = [*(options.target or []), options.sweep]
    if not all(math.isfinite(value) and abs(value) <= FURTHEST for value in numbers):
        raise UsageError(f"--target and --sweep must be finite and at most {FURTHEST:g}")


def _targets(options: argparse.Namespace, motion: Motion) -> Floats:
    """Target per frame, shape (frames, 3)."""
    try:
        if options.target is None:
            return sweep_targets(motion, options.sweep)
        facing(motion.skeleton)
    except ValueError as error:
        raise UsageError(f"{motion.name}: {error}") from None
    return np.tile(np.array(options.target, dtype=np.float64), (motion.frame_count, 1))


def _panel(key: str, found: LookAt, posed: Motion, targets: Floats) -> Panel:
    """Figure with a line from its head along the gaze."""
    world = posed.all_world_matrices()
    head = world[:, gaze_chain(posed.skeleton)[-1]]
    ahead = head[:, :3, :3] @ facing(posed.skeleton)
    length = np.linalg.norm(targets - head[:, :3, 3], axis=1, keepdims=True)
    ends = head[:, :3, 3] + 0.8 * length * ahead
    lines = np.stack([head[:, :3, 3], ends], axis=1)[:, None]
    captions = [f"gaze off by {off:.1f}°" if off > 0.1 else "looking at the point"
                for off in found.off_deg]  # fmt: skip
    return Panel(TITLES[key].capitalize(), world[..., :3, 3], captions, key == "limited", lines)


def _words(posing: Posing, found: dict[str, LookAt]) -> list[str]:
    """Result in sentences."""
    motion = posing.motion
    lines = [f"{motion.name}: {motion.frame_count} frames; {posing.words}."]
    for key, one in found.items():
        share = 100.0 * one.reached.mean()
        lines.append(
            f"{TITLES[key].capitalize()}: looking at the point in {share:.0f} % of the frames; "
            f"gaze off by at most {one.off_deg.max():.1f}°."
        )
    return lines
