"""Padding that shapes need to contain clips that they were not fitted to."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from jointlimits_core.shapes.coupled_limit import FitOptions
from jointlimits_core.shapes.fitting import fit_shape

from .ball_joints import BallJoint, ball_joints
from .figures import Figure, benchmark

KINDS = ("hull", "implicit", "wrap")
COVERS = (0.95, 0.98)
MOST_DEG = 90.0
HALVINGS = 12
"""Halvings of the pad: to a fortieth of a degree."""


@benchmark
def held_out(quick: bool) -> Iterator[Figure]:
    """Every second clip held out: its share that shapes hold, and the pad that hulls need."""
    joints = list(ball_joints(quick))
    for kind in KINDS:
        shapes = [fit_shape(kind, joint.fitted) for joint in joints]
        covers = [
            float(np.mean(shape.contains(joint.held_out))) for shape, joint in zip(shapes, joints)
        ]
        comment = f"worst joint {min(covers):.2f}; {len(joints)} joints"
        yield Figure(
            f"{kind}, 3 deg beyond: cover, mean", float(np.mean(covers)), "", None, comment
        )
    for cover in COVERS:
        pads = [_pad_deg(joint, cover) for joint in joints]
        comment = f"{min(pads):.1f} to {max(pads):.1f}"
        name = f"hull: pad for cover {cover:g}, median"
        yield Figure(name, float(np.median(pads)), "deg", None, comment)


def _pad_deg(joint: BallJoint, cover: float) -> float:
    """Least pad of a hull that holds a share of what was held out."""
    bare = fit_shape("hull", joint.fitted, FitOptions(pad_deg=0.0))
    low, high = 0.0, MOST_DEG
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        held = np.mean(bare.pad(np.radians(middle)).contains(joint.held_out)) >= cover
        low, high = (low, middle) if held else (middle, high)
    return high
