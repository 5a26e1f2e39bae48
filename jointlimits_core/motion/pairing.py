"""Pairing of left and right joints by label, by name and by rest position."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..geometry import Floats, Integers
from .joint_names import ATTACHED, LEFT, RIGHT, SEPARATE, side_readings
from .skeleton import Skeleton

SAME_PLACE = 0.02
"""Largest mirror error of a pair found by position, as a share of the skeleton's size."""
LARGEST_FAMILY = 500
"""Most children of one joint that are compared by position."""
ALONE = -1
"""Partner of a joint that has none."""


@dataclass(frozen=True)
class JointPair:
    """A left joint and its partner on the right."""

    left: str
    right: str
    how: str
    """How it was found: "label", "name" or "geometry"."""
    mirror_error: float | None = None
    """Distance at rest from the right joint to the mirror image of the left one, as a share of the
    skeleton's size. None without a mirror plane."""


@dataclass(frozen=True)
class MirrorPlane:
    """Plane through the middle of a skeleton at rest, ``normal . point = distance``.

    `normal`: unit length, pointing to the left. `distance`: in the skeleton's length unit.
    """

    normal: tuple[float, float, float]
    distance: float

    def mirrored(self, points: Floats) -> Floats:
        """Mirror images of points, shape (..., 3)."""
        normal = np.array(self.normal)
        off = points @ normal - self.distance
        return np.asarray(points - 2.0 * off[..., None] * normal)


def pair_joints(
    skeleton: Skeleton, labels: Mapping[str, tuple[str, str]] | None = None
) -> tuple[JointPair, ...]:
    """Find the left and right partners of a skeleton.

    Labels take precedence over names, and names over positions: unpaired joints whose parents are
    partners (or the same) and which are mirror images of each other at rest. `labels`, mapping of
    joint name to (side, what): Maya's joint labels: side "left", "right" or anything else, and what
    the joint is ("Knee"). The pairs are in skeleton order. With geometry alone, left is the side
    the plane's normal points to (its largest component positive), as for a character facing +Z with
    Y up, or -Y with Z up.
    """
    partner = np.full(len(skeleton), ALONE, dtype=np.int64)
    how: dict[int, str] = {}
    _note(partner, how, _labelled(skeleton.names, labels or {}), "label")
    _note(partner, how, _named(skeleton.names, skeleton.parents, partner), "name")
    lefts = sorted(how)
    named = [(left, int(partner[left])) for left in lefts]
    places = _places(skeleton)
    plane = _plane_of_pairs(places, named) or _plane_of_places(skeleton, places)
    if plane is not None:
        _note(partner, how, _placed(skeleton, places, plane, partner), "geometry")
    errors = _mirror_errors(places, plane, partner)
    names = skeleton.names
    return tuple(
        JointPair(names[left], names[int(partner[left])], how[left], errors[left])
        for left in sorted(how)
    )


def partners(names: Sequence[str], pairs: Sequence[JointPair] | None = None) -> Integers:
    """Partner index of every joint.

    `pairs`: from :func:`pair_joints`; by default only names are used. The result has shape
    (joints,): :data:`ALONE` for a joint that has no partner among `names`.
    """
    partner = np.full(len(names), ALONE, dtype=np.int64)
    if pairs is None:
        _note(partner, {}, _named(names, None, partner), "name")
        return partner
    place = {name: index for index, name in enumerate(names)}
    known = [(place[p.left], place[p.right]) for p in pairs if {p.left, p.right} <= set(place)]
    _note(partner, {}, known, "given")
    return partner


def mirror_plane(skeleton: Skeleton, pairs: Sequence[JointPair]) -> MirrorPlane | None:
    """Best mirror plane of the pairs at rest; None where no pair has two distinct positions."""
    indices = [(skeleton.index(pair.left), skeleton.index(pair.right)) for pair in pairs]
    return _plane_of_pairs(_places(skeleton), indices)


def _note(
    partner: Integers, how: dict[int, str], pairs: Sequence[tuple[int, int]], word: str
) -> None:
    for left, right in pairs:
        partner[left], partner[right] = right, left
        how[left] = word


def _unique(found: Mapping[str, dict[str, list[int]]]) -> Iterator[tuple[int, int]]:
    """Pairs of keys that have exactly one joint on each side."""
    for sides in found.values():
        if len(sides[LEFT]) == 1 and len(sides[RIGHT]) == 1:
            yield sides[LEFT][0], sides[RIGHT][0]


def _labelled(names: Sequence[str], labels: Mapping[str, tuple[str, str]]) -> list[tuple[int, int]]:
    found: dict[str, dict[str, list[int]]] = {}
    for index, name in enumerate(names):
        side, what = labels.get(name, ("", ""))
        if side.lower() in (LEFT, RIGHT) and what:
            found.setdefault(what, {LEFT: [], RIGHT: []})[side.lower()].append(index)
    return list(_unique(found))


def _named(
    names: Sequence[str], parents: Integers | None, partner: Integers
) -> list[tuple[int, int]]:
    """Partners by name; a glued side only where the parents are partners or the same."""
    readings = [side_readings(name) for name in names]
    pairs: list[tuple[int, int]] = []
    partner = partner.copy()
    for plainness in (SEPARATE, ATTACHED):
        found: dict[str, dict[str, list[int]]] = {}
        for index, ways in enumerate(readings):
            for way in ways if partner[index] == ALONE else ():
                if way.plainness == plainness:
                    found.setdefault(way.key, {LEFT: [], RIGHT: []})[way.side].append(index)
        for left, right in sorted(_unique(found)):
            if partner[left] != ALONE or partner[right] != ALONE:
                continue
            if plainness == ATTACHED and parents is not None:
                above = int(parents[left]), int(parents[right])
                if above[0] != above[1] and (above[0] < 0 or partner[above[0]] != above[1]):
                    continue
            partner[left], partner[right] = right, left
            pairs.append((left, right))
    return pairs


def _places(skeleton: Skeleton) -> Floats:
    return skeleton.rest_world_matrices()[:, :3, 3]


def _size(places: Floats) -> float:
    """Diagonal of the box around the joints."""
    return float(np.linalg.norm(np.ptp(places, axis=0))) or 1.0


def _plane_of_pairs(places: Floats, pairs: Sequence[tuple[int, int]]) -> MirrorPlane | None:
    """Plane across the principal direction from right to left, through the middles."""
    if not pairs:
        return None
    left, right = places[[a for a, _ in pairs]], places[[b for _, b in pairs]]
    across, size = left - right, _size(places)
    if float(np.abs(across).max()) < 1e-6 * size:
        return None
    weights = np.ones(len(across))
    # Robust weights, so that a few wrongly named pairs do not tilt the plane.
    for _ in range(8):
        normal = np.linalg.eigh((weights[:, None] * across).T @ across)[1][:, -1]
        astray = np.linalg.norm(across - (across @ normal)[:, None] * normal, axis=1)
        weights = 1.0 / (astray + 1e-3 * size)
    if float((weights * (across @ normal)).sum()) < 0.0:
        normal = -normal
    return _plane(normal, float(np.median(0.5 * (left + right) @ normal)))


def _plane(normal: Floats, distance: float) -> MirrorPlane:
    x, y, z = normal.tolist()
    return MirrorPlane((x, y, z), distance)


def _plane_of_places(skeleton: Skeleton, places: Floats) -> MirrorPlane | None:
    """World plane through the root that pairs most joints; None if it pairs none."""
    alone = np.full(len(skeleton), ALONE, dtype=np.int64)
    planes = [_plane(axis, float(places[0] @ axis)) for axis in np.eye(3)] if len(places) else []
    counts = [len(_placed(skeleton, places, plane, alone)) for plane in planes]
    return planes[int(np.argmax(counts))] if any(counts) else None


def _placed(
    skeleton: Skeleton, places: Floats, plane: MirrorPlane, partner: Integers
) -> list[tuple[int, int]]:
    """Partners by position, parents first, among unpaired joints."""
    images = plane.mirrored(places)
    partner, pairs = partner.copy(), []
    side = places @ np.array(plane.normal) - plane.distance
    children: dict[int, list[int]] = {}
    for joint, parent in enumerate(skeleton.parents.tolist()):
        children.setdefault(parent, []).append(joint)
    for parent in (-1, *range(len(places))):
        other = parent if parent < 0 or partner[parent] == ALONE else int(partner[parent])
        mine = [j for j in children.get(parent, ()) if partner[j] == ALONE]
        theirs = [j for j in children.get(other, ()) if partner[j] == ALONE]
        for left, right in _mutual(places, images, mine, theirs):
            if side[left] > side[right] and partner[left] == partner[right] == ALONE:
                partner[left], partner[right] = right, left
                pairs.append((left, right))
    return pairs


def _mutual(
    places: Floats, images: Floats, mine: list[int], theirs: list[int]
) -> list[tuple[int, int]]:
    """Joints that are each other's nearest mirror image, within tolerance."""
    if not 0 < len(mine) * len(theirs) <= LARGEST_FAMILY**2:
        return []
    off = images[mine][:, None, :] - places[theirs][None, :, :]
    table = np.linalg.norm(off, axis=-1) / _size(places)
    itself = np.linalg.norm(images[mine] - places[mine], axis=-1) / _size(places)
    there, back = table.argmin(axis=1), table.argmin(axis=0)
    return [
        (mine[row], theirs[column])
        for row, column in enumerate(there.tolist())
        if back[column] == row
        and mine[row] != theirs[column]
        # A joint on the plane is its own mirror image.
        and table[row, column] < min(SAME_PLACE, itself[row])
    ]


def _mirror_errors(
    places: Floats, plane: MirrorPlane | None, partner: Integers
) -> list[float | None]:
    if plane is None:
        return [None] * len(places)
    paired = partner != ALONE
    off = np.linalg.norm(plane.mirrored(places) - places[partner], axis=-1) / _size(places)
    return [float(value) if has else None for value, has in zip(off, paired)]
