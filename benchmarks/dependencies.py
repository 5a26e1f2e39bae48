"""Share of held-out frames that are outside limits: ranges, shapes, dependencies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from jointlimits_core.estimation.coupled import with_coupled_limits, with_dependencies
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.evaluation.alignment import align
from jointlimits_core.evaluation.violations import (
    violations_of,
    with_dependency_violations,
    with_shape_violations,
)
from jointlimits_core.geometry.arrays import Booleans
from jointlimits_core.limits.layers import active_dependencies
from jointlimits_core.limits.limit_set import LimitSet
from jointlimits_core.motion.motion import Motion
from jointlimits_core.shapes.coupled_limit import FitOptions

from .ball_joints import SUBJECTS, clips_in
from .figures import Figure, benchmark

PADS_DEG = (3.0, 8.0)
"""Margins of shapes and dependencies beyond the samples."""


@benchmark
def false_alarms(quick: bool) -> Iterator[Figure]:
    """Frames of each held-out clip that are outside the limits of the other clips.

    Once of the joints that depend on another one, joint by joint, and once whether any joint of
    a frame is outside.
    """
    for subject, folders in list(SUBJECTS.items())[1 if quick else 0 :]:
        clips = clips_in(folders)
        for pad in PADS_DEG:
            masks: dict[str, list[Booleans]] = {}
            counts = []
            for number, clip in enumerate(clips):
                limit_set = _fitted([*clips[:number], *clips[number + 1 :]], pad)
                counts.append(len(active_dependencies(limit_set)))
                for name, mask in _outside(limit_set, clip, pad):
                    masks.setdefault(name, []).append(mask.ravel())
            comment = f"{len(clips)} clips, {min(counts)} to {max(counts)} dependencies"
            for name, parts in masks.items():
                share = float(np.mean(np.concatenate(parts)))
                yield Figure(f"{subject}, {pad:g} deg, {name}", 100.0 * share, "%", None, comment)


def _fitted(clips: Sequence[Motion], pad_deg: float) -> LimitSet:
    limit_set = with_coupled_limits(estimate(clips), clips, "hull", FitOptions(pad_deg=pad_deg))
    return with_dependencies(limit_set, clips, pad_deg=pad_deg)


def _outside(limit_set: LimitSet, clip: Motion, pad_deg: float) -> Iterator[tuple[str, Booleans]]:
    """Share outside each form of limits: dependent joints, then any joint."""
    beside = align(limit_set, clip)
    ranges = violations_of(beside)
    shapes = with_shape_violations(ranges, limit_set, beside)
    nothing = replace(ranges, outside_deg=np.zeros_like(ranges.outside_deg), bounds=())
    forms = {
        "ranges": ranges,
        "ranges as much wider": violations_of(beside, pad_deg),
        "shapes": shapes,
        "dependencies": with_dependency_violations(nothing, limit_set, beside),
        "shapes and dependencies": with_dependency_violations(shapes, limit_set, beside),
    }
    depending = {item.joint for item in active_dependencies(limit_set)}
    rows = [row for row, name in enumerate(beside.names) if name in depending]
    for name, found in forms.items():
        yield f"joints that depend: {name}", found.is_outside[rows]
    for name, found in forms.items():
        yield f"any joint: {name}", np.asarray(found.is_outside.any(axis=0))
