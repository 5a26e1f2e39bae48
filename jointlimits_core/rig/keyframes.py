"""Curves from animCurve nodes: index ranges, default tangents, units."""

from __future__ import annotations

import numpy as np

from ..geometry import Floats, Integers
from .attributes import sensible
from .curves import AnimCurve
from .scene import Node

TIME_CURVES = frozenset({"animCurveTA", "animCurveTL", "animCurveTU", "animCurveTT"})
"""Curves over time; the others (animCurveUA, ...) are driven keys."""

AUTO_TANGENT = 18
QUATERNION_INTERPOLATIONS = (3, 4, 5)
"""Values of ``rotationInterpolation`` for which the three curves only make sense together."""


def curve_from_node(node: Node) -> tuple[AnimCurve, int]:
    """Build the curve of an animCurve node.

    `node`: one of :data:`TIME_CURVES`.

    Returns
    -------
    curve : AnimCurve
        Seconds; radians, centimetres or plain numbers.
    dropped : int
        Keys dropped because their time or value is not a number.
    """
    indices, pairs = _key_pairs(node)
    good = sensible(pairs).all(axis=1)
    indices, pairs = indices[good], pairs[good]
    default = node.number("tangentType", AUTO_TANGENT)
    kit = np.clip(_per_key(node, "keyTanInType", indices, default), 0, 99).astype(np.int64)
    kot = np.clip(_per_key(node, "keyTanOutType", indices, default), 0, 99).astype(np.int64)
    stored = {
        name: _per_key(node, attribute, indices, np.nan)
        for name, attribute in (
            ("in_x", "keyTanInX"),
            ("in_y", "keyTanInY"),
            ("out_x", "keyTanOutX"),
            ("out_y", "keyTanOutY"),
        )
    }
    curve = AnimCurve.from_keys(
        pairs[:, 0] / node.units.frames_per_second,
        pairs[:, 1] * _value_factor(node),
        in_types=kit,
        out_types=kot,
        weighted=bool(node.number("weightedTangents", 1.0)),
        pre=int(node.number("preInfinity")),
        post=int(node.number("postInfinity")),
        **stored,
    )
    return curve, int(np.count_nonzero(~good))


def _key_pairs(node: Node) -> tuple[Integers, Floats]:
    """Indices of the keys, increasing, and their times and values as stored."""
    chunks = node.multis.get("keyTimeValue", [])
    starts = [first + np.arange(len(values) // 2) for first, values in chunks]
    if not starts:
        return np.zeros(0, dtype=np.int64), np.zeros((0, 2))
    pairs = [values[: len(values) // 2 * 2].reshape(-1, 2) for _, values in chunks]
    return _last_of_each(np.concatenate(starts), np.concatenate(pairs))


def _per_key(node: Node, attribute: str, keys: Integers, default: float) -> Floats:
    """Values of an array attribute at the keys' indices; the default where none is stored."""
    result = np.full(len(keys), float(default))
    chunks = node.multis.get(attribute, [])
    if not chunks or not len(keys):
        return result
    stored = np.concatenate([first + np.arange(len(values)) for first, values in chunks])
    indices, values = _last_of_each(stored, np.concatenate([values for _, values in chunks]))
    where = np.minimum(np.searchsorted(indices, keys), len(indices) - 1)
    found = indices[where] == keys
    result[found] = values[where[found]]
    # A type that is not a number would otherwise become a random code.
    return np.where(np.isnan(result), default, result)


def _last_of_each(indices: Integers, values: Floats) -> tuple[Integers, Floats]:
    """Distinct indices, increasing, each with the value that came last."""
    distinct, first_from_behind = np.unique(indices[::-1], return_index=True)
    return distinct.astype(np.int64), values[::-1][first_from_behind]


def _value_factor(node: Node) -> float:
    if node.node_type == "animCurveTA":
        return node.units.radians
    return node.units.centimeters if node.node_type == "animCurveTL" else 1.0
