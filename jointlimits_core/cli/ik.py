"""``jointlimits ik``: a motion rebuilt from hands, feet and head, with and without limits."""

from __future__ import annotations

import argparse

import numpy as np

from ..base import Progress
from ..geometry import Floats
from ..ik import (
    METHODS,
    Constraints,
    Figure,
    IkOptions,
    Reconstruction,
    body_axes,
    body_figure,
    loop_targets,
    reconstructed,
    standing,
)
from ..motion import Motion
from ..report.html import Panel, Scene, write_moving_figures
from .output import UsageError, print_text, progress_of
from .posing import TITLES, Posing, add_posing, output_paths, read_posing, solve_twice, write_poses


def add_arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    sub.description = (
        "Use hands, feet and head of a motion as targets, pose the joints in between "
        "by inverse kinematics, once without limits and once with them, and write both motions "
        "and a page that shows them side by side."
    )
    add_posing(sub)
    sub.add_argument(
        "--method",
        choices=METHODS,
        default="dls",
        help="damped least squares (dls) or cyclic coordinate descent",
    )
    sub.add_argument(
        "--ends", nargs="+", default=[], metavar="JOINT", help="ends other than hands, feet, head"
    )
    sub.add_argument(
        "--top", metavar="JOINT", help="rotate only this joint and its descendants; by default all"
    )
    sub.add_argument(
        "--loop",
        action="store_true",
        help="hold the first frame and move the single joint of --ends around a loop",
    )


def run(options: argparse.Namespace) -> int:
    """Read, solve twice, write."""
    with progress_of(options) as progress:
        posing = read_posing(options, progress)
        paths = output_paths(options, posing.motion, "ik")
        motion, figure, targets = _task(options, posing.motion)
        asked = IkOptions(method=options.method)
        start = None if targets is None else motion.rotations[..., 0]

        def solve(limits: Constraints, part: Progress) -> Reconstruction:
            return reconstructed(motion, limits, start, asked, options.loop, figure, targets, part)

        found = solve_twice(motion, posing.constraints, "posing", solve, progress)
        rotations = {key: one.solution.rotations for key, one in found.items()}
        posed = write_poses(motion, rotations, paths, progress)
        panels = [_panel(key, one, posed[key], figure, options.loop) for key, one in found.items()]
        words = _words(posing, found, options.loop)
        scene = _scene(motion, figure, targets)
        progress(2, 3, f"writing {paths['page'].name}")
        write_moving_figures(paths["page"], _title(motion, options), words, scene, panels)
    for line in [*words, *(f"wrote {path}" for path in paths.values())]:
        print_text(line)
    return 0


def _task(options: argparse.Namespace, motion: Motion) -> tuple[Motion, Figure, Floats | None]:
    """Return the motion, the figure to solve, and targets unless they are the motion's own."""
    if options.loop and len(options.ends) != 1:
        raise UsageError("--loop needs exactly one joint in --ends")
    try:
        if not options.loop:
            return motion, body_figure(motion, options.ends, options.top), None
        held = standing(motion)
        figure = body_figure(held, options.ends, options.top)
        return held, figure, loop_targets(held, figure, *body_axes(held))
    except ValueError as error:
        raise UsageError(f"{motion.name}: {error}") from None


def _title(motion: Motion, options: argparse.Namespace) -> str:
    if options.loop:
        return f"{options.ends[0]} of {motion.name} around a loop"
    return f"{motion.name} from {', '.join(options.ends) or 'hands, feet and head'}"


def _scene(motion: Motion, figure: Figure, targets: Floats | None) -> Scene:
    places = motion.all_world_matrices()[..., :3, 3]
    if targets is not None:
        return Scene(motion.skeleton, motion.frames, motion.frame_rate, targets)
    targets = figure.points(motion.all_world_matrices())
    return Scene(motion.skeleton, motion.frames, motion.frame_rate, targets, places)


def _last_bones(figure: Figure, world: Floats) -> Floats:
    """Lines to effectors that have no joint of their own, such as the top of the head."""
    parents = set(figure.skeleton.parents.tolist())
    held = [row for row, end in enumerate(figure.effectors) if end.joint not in parents]
    joints = [figure.effectors[row].joint for row in held]
    return np.stack([world[:, joints][..., :3, 3], figure.points(world)[:, held]], axis=2)


def _panel(key: str, found: Reconstruction, posed: Motion, figure: Figure, loop: bool) -> Panel:
    reached = found.solution.converged
    off = [f"mean joint error {angle:.1f}°" for angle in found.joint_deg]
    missed = ["" if there else "target not reached" for there in reached]
    captions = missed if loop else ["; ".join(filter(None, pair)) for pair in zip(off, missed)]
    world = posed.all_world_matrices()
    lines, places = _last_bones(figure, world), np.asarray(world[..., :3, 3])
    return Panel(TITLES[key].capitalize(), places, captions, key == "limited", lines)


def _words(posing: Posing, found: dict[str, Reconstruction], loop: bool) -> list[str]:
    """Result in sentences."""
    lines = [f"{posing.motion.name}: {posing.words}."]
    for key, one in found.items():
        solution = one.solution
        frames = len(solution.converged)
        failed = int(np.count_nonzero(~solution.converged))
        reached = f"all targets reached in {frames} frames"
        if failed:
            reached = f"targets not reached in {failed} of {frames} frames"
        near = "" if loop else f"mean joint error {one.joint_deg.mean():.1f}° from the motion, "
        lines.append(
            f"{TITLES[key].capitalize()}: {near}{reached} (distance "
            f"{solution.residual.mean():.3g} mean, {solution.residual.max():.3g} max, in the "
            "file's units)."
        )
    return lines
