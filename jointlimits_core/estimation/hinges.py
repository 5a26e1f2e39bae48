"""Hinges: their axes and angles, and the joints that could be hinges at a small cost.

The best hinge of a joint is the great circle of the first two eigenvectors of its moment. A joint
that is measured as a ball may still be intended as a hinge: the knees of several rigs turn sideways
by ten degrees. Such a hinge is offered as a candidate, with the rotation that would be lost.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..geometry.arrays import Floats, values_at
from ..geometry.circle import contiguous_interval
from ..geometry.euler import CHANNELS, quaternion_from_euler
from ..geometry.quaternion import angle_between, conjugate, multiply, rotate
from ..limits import limit_set, priors
from ..motion.skeleton import Skeleton
from .moment import Moment
from .summary import Samples

HINGE_PARTS = ("elbow", "knee", "toes", "finger middle", "finger tip", "thumb tip")
"""Body parts that are hinges, or nearly so."""
MIN_KEPT_OF_HINGE_PARTS = 2.0 / 3.0
"""Minimum share of these parts' motion (mean square rotation) that a hinge must keep."""
MIN_KEPT_OF_UNKNOWN_PARTS = 0.98
"""The same for joints of unknown body parts; joints of all other parts are never hinges."""


def hinge_circles(moment: Moment, rotate_axes: Floats) -> tuple[Floats, Floats, Floats]:
    """Great circles (e1, e2) of the best hinges, and their axes in joint and channel coordinates.

    The rotation from e1 to e2 is positive about the axis, which points to the positive side of the
    nearest rotate channel. Shapes (joints, 2, 4), (joints, 3) and (joints, 3).
    """
    circle: Floats = moment.vectors[:, :2].copy()
    child = child_axes(circle)
    along = rotate(rotate_axes, child)
    nearest = values_at(along, np.abs(along).argmax(axis=1))
    sign = np.where(nearest < 0.0, -1.0, 1.0)[:, None]
    circle[:, 1] *= sign
    return circle, sign * child, sign * along


def child_axes(circle: Floats) -> Floats:
    """Unit hinge axes in each joint's own orientation, shape (joints, 3)."""
    return multiply(conjugate(circle[:, 0]), circle[:, 1])[:, :3]


def parent_axes(circle: Floats) -> Floats:
    """Unit hinge axes in the orientation of each joint's parent, shape (joints, 3)."""
    return multiply(circle[:, 1], conjugate(circle[:, 0]))[:, :3]


def hinge_angles(rotations: Floats, circle: Floats) -> Floats:
    """Signed angles of `rotations`, (joints, 4, samples), from e1, radians, (joints, samples)."""
    cosine, sine = np.swapaxes(circle @ rotations, 0, 1)
    flip = np.where(cosine < 0.0, -1.0, 1.0)
    return np.asarray(2.0 * np.arctan2(flip * sine, flip * cosine))


def off_hinge_angles(rotations: Floats, circle: Floats) -> Floats:
    """Smallest swing that moves each sample onto its hinge, radians, (joints, samples)."""
    part = circle @ rotations
    off = rotations - np.swapaxes(circle, 1, 2) @ part
    return np.asarray(2.0 * np.arctan2(np.linalg.norm(off, axis=1), np.linalg.norm(part, axis=1)))


def triple(vector: Floats) -> tuple[float, float, float]:
    """Three numbers as plain floats."""
    x, y, z = vector.tolist()
    return x, y, z


def best_hinges(
    samples: Samples, moment: Moment, rows: list[int], rests: Floats
) -> dict[int, limit_set.Hinge]:
    """Best hinges for the joints in `rows`, by joint index; angles are zero in the rest pose."""
    if not rows:
        return {}
    some = Moment(moment.values[rows], moment.vectors[rows])
    circle, children, along = hinge_circles(some, samples.skeleton.rotate_axes[rows])
    rest = hinge_angles(rests[rows][:, :, None], circle)
    arc = contiguous_interval(hinge_angles(samples.rotations[rows], circle) - rest)
    # The branch that contains the rest pose (zero), or comes closest to it.
    turns = 2.0 * np.pi * np.round(0.5 * (arc.low + arc.high) / (2.0 * np.pi))
    low, high = np.degrees(arc.low - turns), np.degrees(arc.high - turns)
    parents = parent_axes(circle)
    nearest = np.abs(along).argmax(axis=1)
    aside = np.where(np.arange(3) == nearest[:, None], 0.0, along)
    # The arccos of the largest component would lose half its digits near 1.
    largest = values_at(along, nearest)
    off = np.degrees(np.arctan2(np.linalg.norm(aside, axis=1), largest))
    return {
        row: limit_set.Hinge(
            axis_parent=triple(parents[n]),
            axis_child=triple(children[n]),
            channel=CHANNELS[nearest[n]],
            off_channel_deg=float(off[n]),
            min_deg=float(low[n]),
            max_deg=float(high[n]),
        )
        for n, row in enumerate(rows)
    }


def hinge_candidates(skeleton: Skeleton, moment: Moment, types: Sequence[str]) -> list[int]:
    """Indices of universal and ball joints that would keep nearly all their motion as hinges."""
    parts = priors.body_parts(skeleton.names)
    lost = moment.residual_hinge**2 / np.maximum(moment.residual_fixed**2, 1e-300)
    found = []
    for row, (name, kind) in enumerate(zip(skeleton.names, types)):
        if kind not in ("universal", "ball") or skeleton.is_root(row):
            continue
        part = parts.get(name)
        needed = MIN_KEPT_OF_HINGE_PARTS if part in HINGE_PARTS else MIN_KEPT_OF_UNKNOWN_PARTS
        if 1.0 - lost[row] >= needed and (part is None or part in HINGE_PARTS):
            found.append(row)
    return found


def lost_to_locks(rotates: Floats, order: str, turning: int, locks: Floats) -> Floats:
    """Rotation lost if all channels but `turning` are locked at `locks`; degrees, (samples,)."""
    poses = rotates.T
    locked = np.where(np.arange(3) == turning, poses, locks)
    before, after = quaternion_from_euler(poses, order), quaternion_from_euler(locked, order)
    return np.degrees(angle_between(before, after))
