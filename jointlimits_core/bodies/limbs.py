"""How long the limbs of a fitted skeleton are, and how well their lengths are known.

A limb goes from the joint by which a body hangs on its parent to a joint that hangs on it. Of a
figure's root, which hangs on nothing, it starts in the middle of the root's joints, or at its
sensor if there is one joint only, as in the skeleton that is made of the fit. Every point on the
axis of a single-axis joint is as good a place for it: which one is taken is a choice, and no error
of the length.
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
    length_m : float
    deviation_m : float
        One standard deviation, from those of the joints at both ends, across the axis of a
        single-axis joint; inf where nothing is known of a joint's place along the limb.
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
    """Every limb, in the order of ``fit.joints``: the one that ends at that joint.

    Parameters
    ----------
    fit : BodyFit

    Returns
    -------
    tuple of Limb
    """
    return tuple(_limb(fit, joint) for joint in fit.joints)


def _limb(fit: BodyFit, end: BodyJoint) -> Limb:
    points = _points(fit, end)
    step = np.sum([point.share * point.place for point in points], axis=0)
    length = float(np.linalg.norm(step))
    along = step / length if length > NO_LENGTH_M else np.zeros(3)
    variance = sum(_variance(point, along) for point in points)
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
    along_axis = np.array([joint.kind == "single-axis", False, False])
    return np.where(along_axis, 0.0, joint.deviation_m)


def _variance(point: _Point, along: Floats) -> float:
    """What a point's error adds to the variance of the limb's length."""
    cosine = np.abs(point.directions @ along)
    # What is not known at all does not count where it counts nothing.
    matters = cosine > ACROSS
    spread = cosine[matters] * point.deviations[matters]
    return float(np.sum(spread**2)) * point.share**2 if point.share else 0.0
