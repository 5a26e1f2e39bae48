"""Fitted skeletons as plain data and JSON files, and the lengths of their limbs.

The schema is ``skeleton.schema.json`` next to this file; unknown or unbounded values are null. A
limb runs from the joint between a body and its parent to one of the body's child joints. On a root,
it starts at the centre of the root's joints, or at the root's sensor if it has only one joint.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ..base.version import __version__
from ..geometry.arrays import Floats
from ..io.output import write_text_atomically
from . import build, doubts, residuals, result

FORMAT, FORMAT_VERSION = "jointlimits.skeleton", 1
NO_LENGTH_M = 1e-9
MAX_ACROSS_COSINE = 1e-6
"""Directions with at most this cosine to the limb are across it and do not affect its length."""


def write_body_fit(fits: Sequence[result.BodyFit], path: str | os.PathLike[str]) -> None:
    """Write a skeleton's fits, one per clip, as JSON, atomically and with reproducible bytes."""
    text = json.dumps(document_of(fits), indent=1, allow_nan=False)
    write_text_atomically(path, text + "\n")


def document_of(fits: Sequence[result.BodyFit]) -> dict[str, Any]:
    """Fits of one skeleton as plain data, see ``skeleton.schema.json``; metres and degrees."""
    whole = fits[0]
    names = whole.names
    document = {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "program_version": __version__,
        "options": {
            **asdict(whole.options),
            "free_share": result.FREE_SHARE,
            "loop_share": result.LOOP_SHARE,
            "axis_tolerance_deg": None,
            "minimum_frames": result.MIN_FRAMES,
        },
        "clips": [_clip(fit) for fit in fits],
        "parents": whole.parent_names(),
        "figures": [[names[body] for body in figure] for figure in whole.figures],
        "free": [names[body] for body in whole.free],
        "joints": [
            {
                **_joint(whole, joint),
                "length_m": limb.length_m,
                "length_deviation_m": limb.deviation_m,
            }
            for joint, limb in zip(whole.joints, limbs(whole))
        ],
        "loops": [_joint(whole, loop) for loop in whole.loops],
        "bodies": list(names),
        "residuals_m": whole.residuals_m,
        "model": whole.model,
        "sides": [list(pair) for pair in whole.extra.get(result.SIDES, ())],
        "compared": [
            {
                "model": one.model,
                "used": one.used,
                "held_out_gain": one.gain,
                "other_model": one.other.model,
                "other_parents": one.other.parent_names(),
                "other_joints": [_joint(one.other, joint) for joint in one.other.joints],
            }
            for one in whole.extra.get(result.COMPARED, ())
        ],
    }
    return {key: _plain(value) for key, value in document.items()}


def _joint(fit: result.BodyFit, joint: result.BodyJoint) -> dict[str, Any]:
    return {
        "child": fit.names[joint.child],
        "parent": fit.names[joint.parent],
        "kind": joint.kind,
        "centre_in_child_m": joint.centre_in_child,
        "centre_in_parent_m": joint.centre_in_parent,
        "axis_in_child": joint.axis_in_child,
        "axis_in_parent": joint.axis_in_parent,
        "residual_m": joint.residual_m,
        "frames_used": joint.frames_used,
        "directions_in_child": joint.directions_in_child,
        "directions_in_parent": joint.directions_in_parent,
        "wobble_deg": np.degrees(joint.wobble),
        "deviation_m": joint.deviation_m,
        "hidden_m": joint.hidden_m,
        "on_axis_m": joint.on_axis_m,
        "independent_frames": joint.independent_frames,
        "ties": [[fit.names[body] for body in pair] for pair in doubts.joint_ties(fit, joint)],
        "next_best": None if joint.next_best is None else fit.names[joint.next_best],
        "margin_m": joint.margin_m,
    }


def _clip(fit: result.BodyFit) -> dict[str, Any]:
    tracks = fit.tracks
    children = (fit.names[joint.child] for joint in fit.joints)
    return {
        "name": tracks.name,
        "source": None if tracks.source is None else tracks.source._asdict(),
        "frames": tracks.frame_count,
        "frame_rate": tracks.frame_rate,
        "first_frame": tracks.frames[0],
        "last_frame": tracks.frames[-1],
        "frames_used": dict(zip(fit.names, fit.used.sum(axis=1).tolist())),
        "residual_m": dict(zip(children, residuals.fitted_gaps_m(fit))),
        "moved_m": dict(zip(fit.names, build.replay_distance_m(fit, build.replay(fit)))),
        "slips": [asdict(slip) for slip in fit.slips],
        "swaps": [asdict(swap) for swap in fit.extra.get("swaps", ())],
        "findings": [finding.to_dict() for finding in fit.findings],
    }


def _plain(value: Any) -> Any:
    """Nested data with lists instead of arrays, and None instead of non-finite numbers."""
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [_plain(item) for item in value]
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    return value


@dataclass(frozen=True)
class Limb:
    """Limb of a body, up to its joint with `end`; the deviation of its length is inf if unknown."""

    body: str
    end: str
    length_m: float
    deviation_m: float


def limbs(fit: result.BodyFit) -> tuple[Limb, ...]:
    """One limb per joint in ``fit.joints``, in that order, ending at the joint."""
    found = []
    for end in fit.joints:
        # Joint positions in the limb's body; weighted by their shares, they add up to the limb.
        start = next((joint for joint in fit.joints if joint.child == end.parent), None)
        parts = [(1.0, end.centre_in_parent, end, end.directions_in_parent)]
        if start is not None:
            parts.append((-1.0, start.centre_in_child, start, start.directions_in_child))
        else:
            beside = [joint for joint in fit.joints if joint.parent == end.parent]
            share = 1.0 / len(beside) if len(beside) > 1 else 0.0
            parts = [
                ((one is end) - share, one.centre_in_parent, one, one.directions_in_parent)
                for one in beside
            ]
        step = np.sum([share * place for share, place, *_ in parts], axis=0)
        length = float(np.linalg.norm(step))
        along = step / length if length > NO_LENGTH_M else np.zeros(3)
        variance = sum(
            _variance(joint, directions @ along, share, length)
            for share, _, joint, directions in parts
        )
        names = fit.names[end.parent], fit.names[end.child]
        found.append(Limb(*names, length, math.sqrt(variance)))
    return tuple(found)


def _variance(joint: result.BodyJoint, cosine: Floats, share: float, length: float) -> float:
    """One joint's contribution to a limb's variance, square metres.

    An error e along the limb changes its length L by e, an error across it by e^2 / 2L. For normal
    errors of standard deviation s, the latter has a mean square of 3 s^4 / 4L^2, limited to s^2.
    """
    if not share:
        return 0.0
    deviations = np.array(joint.deviation_m)
    if joint.on_axis_m is not None:
        deviations[0] = joint.on_axis_m
    cosine = np.minimum(np.abs(cosine), 1.0)
    # An unknown direction matters only if it affects the length.
    known = np.isfinite(deviations)
    if (~known & (cosine > MAX_ACROSS_COSINE)).any():
        return float("inf")
    cosine, errors = cosine[known], abs(share) * deviations[known]
    sideways = errors * np.sqrt(1.0 - cosine**2)
    bent = np.minimum(np.sqrt(0.75) * sideways**2 / max(length, NO_LENGTH_M), sideways)
    return float(np.sum((cosine * errors) ** 2 + bent**2))
