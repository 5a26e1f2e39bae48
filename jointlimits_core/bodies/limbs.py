"""How long the limbs of a fitted skeleton are, and how well their lengths are known.

A limb goes from the joint by which a body hangs on its parent to a joint that hangs on it. Of a
figure's root, which hangs on nothing, it starts in the middle of the root's joints, or at its
sensor if there is one joint only, as in the skeleton that is made of the fit. Where on its axis a
single-axis joint is put is a guess (:mod:`.axis_places`), and how far off that may be counts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import Floats
from .body_fit import BodyFit, BodyJoint

NO_LENGTH_M = 1e-9
ACROSS = 1e-6
"""Cosine below which a direction is across the limb and says nothing of its length."""


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
        One standard deviation, from those of the joints at both ends; inf where nothing is known
        of a joint's place along the limb.
    """

    body: str
    end: str
    length_m: float
    deviation_m: float


@dataclass(frozen=True, eq=False)
class _Point:
    """A joint in the frame of the body that carries the limb, and what it counts in the limb."""

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
    """Joints whose places, each times its share, sum up to the way along the limb."""
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
    """What a point's error adds to the variance of the limb's length.

    An error e along the limb changes its length by e. One across it changes it by e^2 / 2L, which
    is little unless a joint's place on its axis is open; of normal errors of deviation s the mean
    square of that is 3 s^4 / 4L^2, and it never is more than e itself.
    """
    if not point.share:
        return 0.0
    cosine = np.abs(point.directions @ along)
    # What is not known at all does not count where it counts nothing.
    known = np.isfinite(point.deviations)
    if (~known & (cosine > ACROSS)).any():
        return float("inf")
    cosine, errors = np.minimum(cosine[known], 1.0), abs(point.share) * point.deviations[known]
    sideways = errors * np.sqrt(1.0 - cosine**2)
    bent = np.minimum(np.sqrt(0.75) * sideways**2 / max(length, NO_LENGTH_M), sideways)
    return float(np.sum((cosine * errors) ** 2 + bent**2))
