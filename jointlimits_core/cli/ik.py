"""``jointlimits ik``: a motion rebuilt from its hands, feet and head, without and with limits."""

from __future__ import annotations

import argparse

import numpy as np

from ..arrays import Floats
from ..evaluation.ik_solution import METHODS, IkOptions
from ..evaluation.inverse_kinematics import Constraints
from ..evaluation.reconstruction import Reconstruction, body_figure, reconstructed
from ..motion import Motion
from ..report.moving_figures import Panel, Scene, write_moving_figures
from .output import print_text
from .posing import Posing, add_posing, output_paths, read_posing, write_pose
from .progress import ProgressLine
from .usage import UsageError

Subparsers = argparse._SubParsersAction  # the type has no public name


def add_parser(commands: Subparsers[argparse.ArgumentParser]) -> None:
    """Add the subcommand."""
    sub = commands.add_parser(
        "ik",
        help="rebuild a motion from hands, feet and head, without and with limits",
        description="Take hands, feet and head of a motion as targets, pose the joints in between "
        "by inverse kinematics, once without limits and once with them, and write both motions "
        "and a page on which they move side by side.",
    )
    add_posing(sub)
    sub.add_argument(
        "--method",
        choices=METHODS,
        default="dls",
        help="damped least squares, or cyclic coordinate descent",
    )
    sub.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Read, solve twice, write."""
    progress = ProgressLine()
    try:
        posing = read_posing(options, progress)
        motion = posing.motion
        paths = output_paths(options, motion, "ik")
        asked = IkOptions(method=options.method)
        found = {}
        forms: dict[str, Constraints] = {"free": {}, "limited": posing.constraints}
        for number, (key, constraints) in enumerate(forms.items()):
            progress(1 + number, 3, f"solving {motion.name}, {_TITLES[key]}")
            found[key] = _solved(motion, constraints, asked)
    finally:
        progress.close()
    posed = {
        key: write_pose(motion, one.solution.rotations, paths[key]) for key, one in found.items()
    }
    panels = [_panel(key, one, posed[key]) for key, one in found.items()]
    title = f"{motion.name} from hands, feet and head"
    write_moving_figures(paths["page"], title, _words(posing, found), _scene(motion), panels)
    for line in [*_words(posing, found), *(f"wrote {path}" for path in paths.values())]:
        print_text(line)
    return 0


_TITLES = {"free": "without limits", "limited": "with limits"}


def _solved(motion: Motion, constraints: Constraints, asked: IkOptions) -> Reconstruction:
    try:
        return reconstructed(motion, constraints, options=asked)
    except ValueError as error:
        raise UsageError(f"{motion.name}: {error}") from None


def _places(motion: Motion) -> Floats:
    return np.asarray(motion.all_world_matrices()[..., :3, 3])


def _scene(motion: Motion) -> Scene:
    figure = body_figure(motion)
    targets = figure.points(motion.all_world_matrices())
    return Scene(motion.skeleton, motion.frames, motion.frame_rate, targets, _places(motion))


def _panel(key: str, found: Reconstruction, posed: Motion) -> Panel:
    solution = found.solution
    says = [
        f"joints {angle:.1f}° off on average" + ("" if there else "; the targets are not reached")
        for angle, there in zip(found.joint_deg, solution.converged)
    ]
    return Panel(_TITLES[key].capitalize(), _places(posed), says, key == "limited")


def _words(posing: Posing, found: dict[str, Reconstruction]) -> list[str]:
    """What came of it, in sentences."""
    motion = posing.motion
    lines = [f"{motion.name}: {motion.frame_count} frames; {posing.words}."]
    for key, one in found.items():
        solution = one.solution
        failed = int(np.count_nonzero(~solution.converged))
        reached = "all targets reached" if failed == 0 else f"{failed} frames not reached"
        lines.append(
            f"{_TITLES[key].capitalize()}: joints {one.joint_deg.mean():.1f}° from the motion on "
            f"average, {reached} (distance {solution.residual.mean():.3g} on average, "
            f"{solution.residual.max():.3g} at most, in the units of the file)."
        )
    return lines
