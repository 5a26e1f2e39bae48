"""Cost of one evaluation of the node jointLimitProject, in plain Python and without Maya.

The time covers the node's work between reading its inputs and setting its outputs, from rotate
channels to rotate channels. Maya's own overhead is not included.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from jointlimits_core.geometry.arrays import Floats
from jointlimits_core.geometry.quaternion import normalize
from jointlimits_core.scalar.rotation import Three
from jointlimits_core.shapes.coupled_limit import FitOptions
from jointlimits_core.shapes.fitting import fit_shape
from jointlimits_core.shapes.scalar_joint import (
    Orientation,
    Project,
    compact_text,
    frame_of,
    project_from_text,
    projected_rotate,
)
from jointlimits_core.shapes.shape import CoupledShape

from .figures import Figure, benchmark, best_seconds

TARGET_US = 30.0
EVALUATIONS, QUICK = 2_000, 500
RUN, REPEATS = 100, 25
SAMPLES = 2_000
FRAME = frame_of(2, (0.2, -0.4, 0.1), (0.05, 0.1, -0.2))
KINDS = (
    ("box", "rotation-vector"),
    ("obb", "rotation-vector"),
    ("hull", "rotation-vector"),
    ("ellipsoid", "rotation-vector"),
    ("box", "swing-twist"),
    ("hull", "swing-twist"),
)


@benchmark
def node_evaluation(quick: bool) -> Iterator[Figure]:
    """One joint at one frame, channels to channels; and the same rotations as one batch."""
    rng = np.random.default_rng(7)
    spread = rng.uniform(-2.0, 2.0, size=(QUICK if quick else EVALUATIONS, 3))
    rotates: list[Three] = [(x, y, z) for x, y, z in spread.tolist()]
    motion = _motion(rng)
    for kind, coordinates in KINDS:
        shape = fit_shape(kind, motion, FitOptions(coordinates=coordinates), [1.0, 0.0, 0.0])
        yield from _measured(shape, f"{kind} of {coordinates}s", rotates)


def _measured(shape: CoupledShape, name: str, rotates: list[Three]) -> Iterator[Figure]:
    """The node's cost and the batch's, per rotation."""
    project = project_from_text(compact_text(shape.to_dict()))
    locals_ = np.array([FRAME.local(rotate) for rotate in rotates])
    share = 1.0 - float(shape.contains(locals_).mean())
    inside = [r for r, one in zip(rotates, shape.contains(locals_)) if one]
    each = 1e6 / len(rotates)
    cost = _microseconds(project, rotates)
    yield Figure(f"node, {name}", cost, "us", TARGET_US, f"{share:.0%} outside")
    if inside:
        yield Figure(f"node, {name}, inside", _microseconds(project, inside), "us", TARGET_US)
    batch = best_seconds(lambda: shape.project(locals_)) * each
    yield Figure(f"batch, {name}", batch, "us", None, "rotations to rotations")


def _microseconds(project: Project, rotates: list[Three]) -> float:
    """Cost of one evaluation: the best of several short runs, least affected by other programs."""
    runs = [rotates[start : start + RUN] for start in range(0, len(rotates), RUN)]
    seconds = (best_seconds(partial(_evaluate, project, FRAME, run), REPEATS) for run in runs)
    return sum(seconds) * 1e6 / len(rotates)


def _evaluate(project: Project, frame: Orientation, rotates: list[Three]) -> None:
    for rotate in rotates:
        projected_rotate(project, frame, rotate)


def _motion(rng: np.random.Generator) -> Floats:
    """Rotations spread about a pose, twisted along with one channel."""
    spread = rng.normal(scale=(0.35, 0.25, 0.15, 0.0), size=(SAMPLES, 4))
    spread[:, 2] += 0.3 * spread[:, 0]
    return normalize(spread + np.array([0.1, -0.2, 0.15, 1.0]))
