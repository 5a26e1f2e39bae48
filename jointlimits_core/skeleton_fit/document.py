"""Fitted skeletons as plain data and as JSON files.

``skeleton.schema.json`` beside this file is the schema. Unknown or unbounded values are null, as
JSON has no infinity.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from ..base.version import __version__
from ..geometry import Floats
from ..io import write_text_atomically
from .limbs import limbs
from .replay import moved_m, replayed
from .residuals import joint_ends, joint_gaps, root_mean_square
from .result import BodyFit, BodyJoint

FORMAT = "jointlimits.skeleton"
FORMAT_VERSION = 1


def write_body_fit(fits: Sequence[BodyFit], path: str | os.PathLike[str]) -> None:
    """Write fits as JSON, atomically; equal content gives equal bytes.

    `fits`: one per clip, all of one skeleton.
    """
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
        "on_axis_m": None if joint.on_axis_m is None else _number(joint.on_axis_m),
        "next_best": None if other is None else fit.names[other],
        "margin_m": _number(joint.margin_m),
    }


def _clip(fit: BodyFit) -> dict[str, Any]:
    tracks = fit.tracks
    gaps = joint_gaps(tracks, *joint_ends(fit)) if fit.joints else np.zeros((0, 1, 3))
    used = np.array([fit.used[j.child] & fit.used[j.parent] for j in fit.joints], dtype=bool)
    gap = root_mean_square(gaps, used) if fit.joints else np.zeros(0)
    moved = moved_m(fit, replayed(fit))
    return {
        "name": tracks.name,
        "source": None if tracks.source is None else asdict(tracks.source),
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
