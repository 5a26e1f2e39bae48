"""Skin that follows the motion: what it shows in the gaps, and what it may hide.

Skin that shifts with the turning of a joint, by a linear map, looks in part like another place of
the joint, which no motion can tell apart. The other part stays in the gaps: of a ball joint six of
the nine entries of the map, of a hinge one of three. Where gaps do follow the turning, the places
are as uncertain as hidden entries of the same size make them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..geometry import (
    Booleans,
    Floats,
    conjugate,
    multiply,
    normalized,
    rotated,
    rotation_vector_from_quaternion,
)
from .residuals import joint_gap
from .result import BodyJoint
from .tracks import BodyTracks

FOLLOWS = 0.15
"""Smallest share of the gaps that follows the joints' rotation where skin counts as doing so."""
TURNS_RAD = float(np.radians(1.5))
"""Smallest rotation about a direction, rms, for which following it can be measured."""
HIDDEN = 1.15
"""Size of hidden entries relative to visible ones: the skin of both bodies shifts, and part of it
follows the acceleration. Chosen on one half of the recordings."""
SEEN_ENTRIES = (0, 1, 3, 6)
"""Entries of the map that stay in the gaps, by the number of directions that a joint turns about:
three each, less those that a place can replace."""


def allowing_for_skin(
    tracks: BodyTracks, used: Booleans, joints: Sequence[BodyJoint]
) -> list[BodyJoint]:
    """Joints of a figure whose deviations allow for skin that follows the motion, if there is any.

    `used`, shape (bodies, frames): frames that count.
    """
    parts = [_following(tracks, used, joint) for joint in joints if joint.kind != "rigid"]
    total = sum(whole for _, _, whole in parts)
    if total <= 0.0 or sum(part for part, _, _ in parts) < FOLLOWS * total:
        return list(joints)
    entry = HIDDEN * float(np.sqrt(max(np.mean([entry for _, entry, _ in parts]), 0.0)))
    found = []
    for joint in joints:
        # Where nothing turns across a direction, the place along it is unknown anyway.
        apart = np.divide(entry, joint.wobble, out=np.full(3, np.inf), where=joint.wobble > 0.0)
        found.append(replace(joint, deviation_m=np.hypot(joint.deviation_m, apart)))
    return found


def _following(tracks: BodyTracks, used: Booleans, joint: BodyJoint) -> tuple[float, float, float]:
    """Mean square of the gaps that follows the turning, of one entry of the map, and of all.

    Square metres, of the entry per rms turning; what noise shows by chance is subtracted.
    """
    both: Booleans = used[joint.child] & used[joint.parent]
    turns = [tracks.rotations[body][:, both].T for body in (joint.child, joint.parent)]
    ends = joint.centre_in_child, joint.centre_in_parent
    gaps = joint_gap(tracks, joint.child, joint.parent, *ends)[both]
    gaps = rotated(conjugate(turns[0]), gaps)
    gaps -= gaps.mean(axis=0)
    turning = _turning(multiply(conjugate(turns[1]), turns[0]))
    columns, sizes, _ = np.linalg.svd(turning, full_matrices=False)
    columns = columns[:, sizes > TURNS_RAD * np.sqrt(len(turning))]
    directions = columns.shape[1]
    whole = float(np.sum(gaps**2)) / len(gaps)
    explained = float(np.sum((columns.T @ gaps) ** 2)) / len(gaps)
    spare = max(joint.independent_frames - directions, 1.0)
    part = explained - (whole - explained) * directions / spare
    entry = part / SEEN_ENTRIES[directions] if directions else 0.0
    return part, entry, whole


def _turning(relative: Floats) -> Floats:
    """Rotation vectors about the mean, shape (frames, 3), of rotations of shape (frames, 4)."""
    mean = normalized(np.linalg.eigh(relative.T @ relative)[1][:, -1])
    away = rotation_vector_from_quaternion(multiply(conjugate(mean), relative))
    return np.asarray(away - away.mean(axis=0))
