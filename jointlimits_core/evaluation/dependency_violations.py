"""Frames in which a clip leaves ranges that depend on another channel."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ..arrays import Floats
from ..findings import frame_ranges
from ..joint_frame import CHANNELS
from ..limits.dependency import Dependency
from ..limits.in_force import dependencies_in_force
from ..limits.limit_set import LimitSet
from .placement import Placed
from .violations import BoundViolation, Violations


def with_dependency_violations(found: Violations, limit_set: LimitSet, clip: Placed) -> Violations:
    """Add violations of ranges that depend on another channel.

    Parameters
    ----------
    found : Violations
        Of the same clip.
    limit_set : LimitSet
        Its active dependencies count where the clip has both joints.

    Returns
    -------
    Violations
        The limit of a violation is its value at the worst frame.
    """
    rows = {name: row for row, name in enumerate(clip.names)}
    outside, bounds = np.array(found.outside_deg), list(found.bounds)
    for item in dependencies_in_force(limit_set):
        if item.joint not in rows or item.on_joint not in rows:
            continue
        row = rows[item.joint]
        values = _channel_deg(clip, row, item.channel)
        on = _channel_deg(clip, rows[item.on_joint], item.on_channel)
        for violation, beyond in _passed(item, values, on, found):
            outside[row] = np.maximum(outside[row], beyond)
            bounds.append(violation)
    bounds.sort(key=lambda item: -item.worst_deg)
    return replace(found, outside_deg=outside, bounds=tuple(bounds))


def _channel_deg(clip: Placed, row: int, channel: str) -> Floats:
    return np.asarray(np.degrees(clip.values[row, CHANNELS.index(channel)]))


def _passed(
    item: Dependency, values: Floats, on: Floats, found: Violations
) -> Iterator[tuple[BoundViolation, Floats]]:
    """Exceeded sides of a dependency, with the degrees beyond in every frame."""
    for side, bound, sign in zip(("min", "max"), item.bounds_deg(on), (-1.0, 1.0)):
        beyond = sign * (values - bound)
        chosen, worst = beyond > found.tolerance_deg, int(beyond.argmax())
        if chosen.any():
            violation = BoundViolation(
                joint=item.joint,
                channel=item.channel,
                side=side,
                bound_deg=float(bound[worst]),
                frames=int(chosen.sum()),
                frame_ranges=frame_ranges(found.frames, chosen),
                worst_deg=float(beyond[worst]),
                worst_frame=float(found.frames[worst]),
                worst_value_deg=float(values[worst]),
                on_joint=item.on_joint,
                on_channel=item.on_channel,
                on_value_deg=float(on[worst]),
            )
            yield violation, np.maximum(beyond, 0.0)
