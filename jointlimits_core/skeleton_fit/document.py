"""Fitted skeletons as plain data and JSON files, and the lengths of their limbs.

``skeleton.schema.json`` beside this file is the schema. Unknown or unbounded values are null, as
JSON has no infinity.

A limb runs from the joint between a body and its parent to a child joint of the body. On a figure's
root, which has no parent, it starts at the centre of the root's joints, or at its sensor if there
is only one, as in the skeleton built from the fit. The place of a single-axis joint on its axis is
a guess (:func:`.place_on_axes`), whose error counts too.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ..base.version import __version__
from ..geometry.arrays import Floats
from ..io.output import write_text_atomically
from .build import replay_distance_m, replayed
from .doubts import joint_ties
from .residuals import joint_ends, joint_gaps, root_mean_square
from .result import COMPARED, SIDES, BodyFit, BodyJoint, Comparison

FORMAT = "jointlimits.skeleton"
FORMAT_VERSION = 1
NO_LENGTH_M = 1e-9
ACROSS = 1e-6
"""Cosine below which a direction is across the limb and does not affect its length."""


def write_body_fit(fits: Sequence[BodyFit], path: str | os.PathLike[str]) -> None:
    """Write a skeleton's fits as JSON, one per clip, atomically; equal content, equal bytes."""
    text = json.dumps(document_of(fits), indent=1, allow_nan=False)
    write_text_atomically(path, text + "\n")


def document_of(fits: Sequence[BodyFit]) -> dict[str, Any]:
    """Fits as plain data: metres, degrees, seconds.

    `fits`: one per clip, all of one skeleton. The schema is ``skeleton.schema.json``.
    """
    whole = fits[0]
    names = whole.names
    lengths = limbs(whole)
    return {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "program_version": __version__,
        "options": asdict(whole.options),
        "clips": [_clip(fit) for fit in fits],
        "parents": whole.parent_names(),
        "figures": [[names[body] for body in figure] for figure in whole.figures],
        "free": [names[body] for body in whole.free],
        "joints": [
            {
                **_joint(whole, joint),
                "length_m": limb.length_m,
                "length_deviation_m": _number(limb.deviation_m),
            }
            for joint, limb in zip(whole.joints, lengths)
        ],
        "loops": [_joint(whole, loop) for loop in whole.loops],
        "bodies": list(names),
        "residuals_m": [_numbers(row) for row in whole.residuals_m],
        "model": whole.model,
        "sides": [list(pair) for pair in whole.extra.get(SIDES, ())],
        "compared": [_compared(one) for one in whole.extra.get(COMPARED, ())],
    }


def _compared(one: Comparison) -> dict[str, Any]:
    """A comparison, with the fit that is not the result."""
    return {
        "model": one.model,
        "used": one.used,
        "held_out_gain": _number(one.gain),
        "other_model": one.other.model,
        "other_parents": one.other.parent_names(),
        "other_joints": [_joint(one.other, joint) for joint in one.other.joints],
    }


def _joint(fit: BodyFit, joint: BodyJoint) -> dict[str, Any]:
    other = joint.next_best
    return {
        "child": fit.names[joint.child],
        "parent": fit.names[joint.parent],
        "kind": joint.kind,
        "centre_in_child_m": _numbers(joint.centre_in_child),
        "centre_in_parent_m": _numbers(joint.centre_in_parent),
        "axis_in_child": None if joint.axis_in_child is None else _numbers(joint.axis_in_child),
        "axis_in_parent": None if joint.axis_in_parent is None else _numbers(joint.axis_in_parent),
        "residual_m": _number(joint.residual_m),
        "frames_used": joint.frames_used,
        "directions_in_child": [_numbers(row) for row in joint.directions_in_child],
        "directions_in_parent": [_numbers(row) for row in joint.directions_in_parent],
        "wobble_deg": _numbers(np.degrees(joint.wobble)),
        "deviation_m": _numbers(joint.deviation_m),
        "hidden_m": _number(joint.hidden_m),
        "on_axis_m": None if joint.on_axis_m is None else _number(joint.on_axis_m),
        "independent_frames": _number(joint.independent_frames),
        "ties": [[fit.names[body] for body in pair] for pair in joint_ties(fit, joint)],
        "next_best": None if other is None else fit.names[other],
        "margin_m": _number(joint.margin_m),
    }


def _clip(fit: BodyFit) -> dict[str, Any]:
    tracks = fit.tracks
    ends = joint_ends(fit)
    gap = root_mean_square(joint_gaps(tracks, *ends), fit.used[ends.child] & fit.used[ends.parent])
    moved = replay_distance_m(fit, replayed(fit))
    return {
        "name": tracks.name,
        "source": None if tracks.source is None else tracks.source._asdict(),
        "frames": tracks.frame_count,
        "frame_rate": tracks.frame_rate,
        "first_frame": float(tracks.frames[0]),
        "last_frame": float(tracks.frames[-1]),
        "frames_used": dict(zip(fit.names, fit.used.sum(axis=1).tolist())),
        "residual_m": {fit.names[j.child]: _number(one) for j, one in zip(fit.joints, gap)},
        "moved_m": dict(zip(fit.names, _numbers(moved))),
        "slips": [slip.to_dict() for slip in fit.slips],
        "swaps": [swap.to_dict() for swap in fit.extra.get("swaps", ())],
        "findings": [finding.to_dict() for finding in fit.findings],
    }


def _number(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def _numbers(values: Floats | Iterable[float]) -> list[float | None]:
    return [_number(value) for value in values]


@dataclass(frozen=True)
class Limb:
    """One limb, on a body, up to the joint of the body `end`.

    `deviation_m`: standard deviation, from those of the joints at both ends; inf where a joint's
    place along the limb is unknown.
    """

    body: str
    end: str
    length_m: float
    deviation_m: float


@dataclass(frozen=True, eq=False)
class _Point:
    """A joint in the coordinates of the limb's body, and its weight in the limb."""

    place: Floats
    directions: Floats
    deviations: Floats
    share: float


def limbs(fit: BodyFit) -> tuple[Limb, ...]:
    """Every limb, in the order of ``fit.joints``: the one that ends at that joint."""
    found = []
    for end in fit.joints:
        points = _points(fit, end)
        step = np.sum([point.share * point.place for point in points], axis=0)
        length = float(np.linalg.norm(step))
        along = step / length if length > NO_LENGTH_M else np.zeros(3)
        deviation = float(np.sqrt(sum(_variance(point, along, length) for point in points)))
        found.append(Limb(fit.names[end.parent], fit.names[end.child], length, deviation))
    return tuple(found)


def _points(fit: BodyFit, end: BodyJoint) -> list[_Point]:
    """Joints whose places, weighted by their shares, sum up to the limb's vector."""
    if fit.parents[end.parent] >= 0:
        start = next(joint for joint in fit.joints if joint.child == end.parent)
        own = _Point(start.centre_in_child, start.directions_in_child, _errors(start), -1.0)
        return [own, _in_parent(end, 1.0)]
    joints = [joint for joint in fit.joints if joint.parent == end.parent]
    share = 1.0 / len(joints) if len(joints) > 1 else 0.0
    return [_in_parent(joint, (1.0 if joint is end else 0.0) - share) for joint in joints]


def _in_parent(joint: BodyJoint, share: float) -> _Point:
    return _Point(joint.centre_in_parent, joint.directions_in_parent, _errors(joint), share)


def _errors(joint: BodyJoint) -> Floats:
    """Standard deviations along the joint's directions, of which the first is a single axis."""
    if joint.on_axis_m is None:
        return joint.deviation_m
    return np.array([joint.on_axis_m, *joint.deviation_m[1:]])


def _variance(point: _Point, along: Floats, length: float) -> float:
    """Contribution of a point's error to the variance of the limb's length.

    An error e along the limb changes its length by e, one across it by e^2 / 2L, which is little
    unless a joint's place on its axis is open; for normal errors of deviation s the mean square of
    that is 3 s^4 / 4L^2, and it never exceeds e itself.
    """
    if not point.share:
        return 0.0
    cosine = np.abs(point.directions @ along)
    # An unknown direction matters only if it affects the length.
    known = np.isfinite(point.deviations)
    if (~known & (cosine > ACROSS)).any():
        return float("inf")
    cosine, errors = np.minimum(cosine[known], 1.0), abs(point.share) * point.deviations[known]
    sideways = errors * np.sqrt(1.0 - cosine**2)
    bent = np.minimum(np.sqrt(0.75) * sideways**2 / max(length, NO_LENGTH_M), sideways)
    return float(np.sum((cosine * errors) ** 2 + bent**2))
