"""Inputs and outputs of the commands that pose a figure."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

import numpy as np

from ..base import Progress, file_name
from ..estimation import estimate, with_coupled_limits
from ..formats import motion_file, write_motion, written_formats
from ..geometry import Floats
from ..ik import FORMS, Constraints, constraints_of
from ..io import FilesProgress, ProgressLine, add_reading
from ..limits import LimitSet, read_limit_set
from ..motion import Motion, with_roots
from .arguments import add_declared, add_reader_options, add_skeleton, check_outputs, read_clip
from .output import UsageError, labelled

Solved = TypeVar("Solved")

TITLES = {"free": "without limits", "limited": "with limits"}
"""Titles of the two motions."""
FORM_WORDS = {
    "types": "joint types only",
    "box": "enforced as rotate limits",
    "coupled": "enforced as coupled limits",
}
"""Phrases for the forms of limits."""


def add_posing(sub: argparse.ArgumentParser) -> None:
    """Add the motion, the limits and the outputs."""
    sub.add_argument("motion", metavar="MOTION", help=motion_file())
    add_skeleton(sub)
    add_reader_options(sub)
    source = sub.add_mutually_exclusive_group()
    source.add_argument(
        "--limits", metavar="L.json", help="limits to use (default: estimated from MOTION)"
    )
    source.add_argument(
        "--fit",
        nargs="+",
        metavar="FILE",
        help="estimate the limits from these motions; by default from MOTION",
    )
    sub.add_argument(
        "--form",
        choices=FORMS[1:],
        default="coupled",
        help="how limits are enforced: joint types only, rotate limits (box), or coupled limits",
    )
    add_declared(sub, "shape")
    sub.add_argument(
        "--every", type=int, default=1, metavar="N", help="take every Nth frame of the motion"
    )
    sub.add_argument(
        "--to", choices=written_formats(), default="bvh", help="format of the written motions"
    )
    sub.add_argument("--out", default=".", metavar="DIR", help="folder for the outputs")
    add_reading(sub)


@dataclass(frozen=True, eq=False)
class Posing:
    """A motion, the limits to pose it within by joint index, and a phrase on their source."""

    motion: Motion
    constraints: Constraints
    words: str


def read_posing(options: argparse.Namespace, progress: ProgressLine) -> Posing:
    """Read the motion and the limits, or estimate them.

    Raises UsageError if the limits are not of rotate channels, or match none of the joints.
    """
    if options.every < 1:
        raise UsageError(f"--every must be 1 or more, not {options.every}")
    motion = with_roots(_read([options.motion], options, progress)[0])
    limit_set, words = _limits(options, motion, progress)
    if limit_set.mode == "paper":
        raise UsageError("paper-mode limits are ZYZ angles, not rotate channels; use standard mode")
    constraints = constraints_of(limit_set, motion.skeleton, options.form)
    if not constraints:
        raise UsageError("the limits and the motion have no joint in common")
    some = motion.take(range(0, motion.frame_count, options.every))
    return Posing(
        replace(some, frame_rate=motion.frame_rate / options.every),
        constraints,
        f"{words}, {FORM_WORDS[options.form]}",
    )


def _read(
    paths: Sequence[str], options: argparse.Namespace, progress: ProgressLine
) -> list[Motion]:
    files = FilesProgress(progress, paths)
    return [read_clip(options, path, files.next(path)) for path in paths]


def _limits(
    options: argparse.Namespace, motion: Motion, progress: ProgressLine
) -> tuple[LimitSet, str]:
    if options.limits:
        limit_set = read_limit_set(options.limits, options.budget)
        return limit_set, f"limits of {os.path.basename(options.limits)}"
    clips = _read(options.fit, options, progress) if options.fit else [motion]
    limit_set = estimate(clips, None, progress)
    if options.form == "coupled":
        limit_set = with_coupled_limits(limit_set, clips, options.shape, progress=progress)
    names = ", ".join(os.path.basename(path) for path in options.fit or [options.motion])
    return limit_set, f"limits estimated from {names}"


def output_paths(options: argparse.Namespace, motion: Motion, what: str) -> dict[str, Path]:
    """Paths of the "limited" and "free" motions and the "page"; none of them may be an input."""
    stem = f"{file_name(motion.name)}.{what}"
    folder = Path(options.out)
    paths = {
        "limited": folder / f"{stem}.{options.to}",
        "free": folder / f"{stem}.without-limits.{options.to}",
        "page": folder / f"{stem}.html",
    }
    inputs = [options.motion, options.skeleton, options.limits, *(options.fit or [])]
    check_outputs(inputs, list(paths.values()))
    return paths


def solve_twice(
    motion: Motion,
    constraints: Constraints,
    verb: str,
    solve: Callable[[Constraints, Progress], Solved],
    progress: ProgressLine,
) -> dict[str, Solved]:
    """Solve without limits ("free") and with them ("limited")."""
    found = {}
    forms: dict[str, Constraints] = {"free": {}, "limited": constraints}
    for key, limits in forms.items():
        label = f"{verb} {motion.name}, {TITLES[key]}"
        found[key] = solve(limits, labelled(progress, label))
    return found


def write_poses(
    motion: Motion,
    rotations: Mapping[str, Floats],
    paths: Mapping[str, Path],
    progress: ProgressLine,
) -> dict[str, Motion]:
    """Write a motion with new rotations (frames, joints, 4) of each key; return the motions."""
    posed = {}
    for number, (key, turned) in enumerate(rotations.items()):
        progress(number, len(paths), f"writing {paths[key].name}")
        own = np.ascontiguousarray(np.moveaxis(turned, 0, 2))
        posed[key] = replace(motion, rotations=own, rotates=None)
        write_motion(posed[key], paths[key])
    return posed
