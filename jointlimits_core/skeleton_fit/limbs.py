"""Lengths of the limbs of a fitted skeleton, with their uncertainties.

A limb runs from the joint between a body and its parent to a child joint of the body. On a figure's
root, which has no parent, it starts at the centre of the root's joints, or at its sensor if there
is only one, as in the skeleton built from the fit. The place of a single-axis joint on its axis is
a guess (:mod:`.axis_places`), whose error counts too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..geometry import Floats
from .result import BodyFit, BodyJoint

NO_LENGTH_M = 1e-9
ACROSS = 1e-6
"""Cosine below which a direction is across the limb and does not affect its length."""


@dataclass(frozen=True)
class Limb:
    """One limb.

    Parameters
    ----------
    body : str
        The body that it is on.
    end : str
        The body whose joint is at its far end.
    deviation_m : float
        One standard deviation, from those of the joints at both ends; inf where a joint's place
        along the limb is unknown.
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
    return tuple(_limb(fit, joint) for joint in fit.joints)


def _limb(fit: BodyFit, end: BodyJoint) -> Limb:
    points = _points(fit, end)
    step = np.sum([point.share * point.place for point in points], axis=0)
    length = float(np.linalg.norm(step))
    along = step / length if length > NO_LENGTH_M else np.zeros(3)
    variance = sum(_variance(point, along, length) for point in points)
    return Limb(fit.names[end.parent], fit.names[end.child], length, float(np.sqrt(variance)))


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
