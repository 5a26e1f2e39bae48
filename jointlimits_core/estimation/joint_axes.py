"""Axes of hinges and universal joints for the limit set."""

from __future__ import annotations

import numpy as np

from ..geometry import CHANNELS, Floats, contiguous_interval
from ..limits import Hinge, Universal
from .hinge import channel_axes, child_axes, hinge_angles, hinge_circles, parent_axes
from .joint_type import TypeDecision
from .noise import Moment
from .summary import Samples


def triple(vector: Floats) -> tuple[float, float, float]:
    """Three numbers as plain floats."""
    x, y, z = vector.tolist()
    return x, y, z


def hinge_records(
    samples: Samples, moment: Moment, decision: TypeDecision, rests: Floats
) -> dict[int, Hinge]:
    """Axis and range of every hinge, with angle zero at the rest pose.

    `rests` has shape (joints, 4): local rotations of the rest pose. Returns a dict of joint index
    to Hinge.
    """
    rows = [row for row, name in enumerate(decision.types) if name == "hinge"]
    if not rows:
        return {}
    some = Moment(moment.values[rows], moment.vectors[rows])
    axes = samples.skeleton.rotate_axes[rows]
    circle = hinge_circles(some, axes)
    rest = hinge_angles(rests[rows][:, :, None], circle)
    arc = contiguous_interval(hinge_angles(samples.rotations[rows], circle) - rest)
    # The branch that contains the rest pose (zero), or comes closest to it.
    turns = 2.0 * np.pi * np.round(0.5 * (arc.low + arc.high) / (2.0 * np.pi))
    low, high = np.degrees(arc.low - turns), np.degrees(arc.high - turns)
    children, parents = child_axes(circle), parent_axes(circle)
    along = channel_axes(circle, axes)
    nearest = np.abs(along).argmax(axis=1)
    largest = np.abs(along).max(axis=1)
    aside = np.where(np.arange(3) == nearest[:, None], 0.0, along)
    # Not the arccos of the largest, which loses half its digits near 1.
    off = np.degrees(np.arctan2(np.linalg.norm(aside, axis=1), largest))
    return {
        row: Hinge(
            axis_parent=triple(parents[n]),
            axis_child=triple(children[n]),
            channel=CHANNELS[nearest[n]],
            off_channel_deg=float(off[n]),
            min_deg=float(low[n]),
            max_deg=float(high[n]),
        )
        for n, row in enumerate(rows)
    }


def universal_records(decision: TypeDecision) -> dict[int, Universal]:
    """Axes of every universal joint, by joint index."""
    fit = decision.universal
    if fit is None:
        return {}
    return {
        int(row): Universal(triple(fit.parent_axes[n]), triple(fit.child_axes[n]))
        for n, row in enumerate(decision.universal_of)
        if decision.types[row] == "universal"
    }
