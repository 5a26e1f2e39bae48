"""Left and right joints: pairs by name and rest position, and maps between their channels.

Reflection in a plane with unit normal n turns a rotation about an axis a into one about ``-M a``,
where M is the reflection and ``-M`` the half turn about n. So the map from the left joint's axes to
the right joint's is a rotation, N = (right axes)^-1 * (half turn about n) * (left axes). The
channels map one to one, each the same or negated, if N is the identity or a half turn about a
channel: (+, +, +) for "behaviour" mirroring, (+, -, -) for world-aligned joints facing Z.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import permutations
from typing import NamedTuple

import numpy as np

from ..geometry.arrays import ArrayLike, Floats, Integers
from ..geometry.euler import axes_of, euler_from_quaternion, quaternion_from_euler, wrap_angle
from ..geometry.quaternion import conjugate, multiply, quaternion_from_matrix
from .joint_names import ATTACHED, LEFT, RIGHT, SEPARATE, side_readings
from .skeleton import Skeleton

MAX_PAIR_ERROR_SHARE = 0.02
"""Maximum mirror error of a pair found by position, as a share of the skeleton's size."""
SAME_PLACE_SHARE = 1e-6
"""Joints nearer than this share of the skeleton's size are in the same place."""
MAX_FAMILY_JOINTS = 500
"""Maximum number of children of one joint that are compared by position."""
ALONE = -1
"""Index of a missing partner."""


class JointPair(NamedTuple):
    """A left joint and its partner on the right."""

    left: str
    right: str
    how: str
    """Source of the pair: "name" or "geometry"."""
    mirror_error: float | None = None
    """Distance in the rest pose from the right joint to the left joint's mirror image, as a share
    of the skeleton's size. None without a mirror plane."""


class MirrorPlane(NamedTuple):
    """Plane through the middle of a skeleton in its rest pose, ``normal . point = distance``.

    `normal`: unit vector that points to the left. `distance`: in the skeleton's length unit.
    """

    normal: tuple[float, float, float]
    distance: float

    def mirror(self, points: Floats) -> Floats:
        """Mirror images of points, shape (..., 3)."""
        normal = np.array(self.normal)
        off = points @ normal - self.distance
        return np.asarray(points - 2.0 * off[..., None] * normal)


@lru_cache(maxsize=4)
def pair_joints(skeleton: Skeleton) -> tuple[JointPair, ...]:
    """Pairs of left and right joints in a skeleton, in joint order.

    Names take precedence over positions. By position, joints are partners if their parents are
    partners (or the same joint) and they are mirror images in the rest pose. If names do not tell
    left from right, left is where the largest component of the plane's normal is positive, as for a
    character facing +Z with Y up, or -Y with Z up.
    """
    names, places = skeleton.names, skeleton.rest_world_matrices()[:, :3, 3]
    partner = np.full(len(skeleton), ALONE, dtype=np.int64)
    named = _pairs_by_name(names, skeleton.parents, partner)
    plane = _plane_of_pairs(skeleton, places, named)
    if plane is None and len(places):
        # The world plane through the root that pairs the most joints.
        planes = [_plane(axis, float(places[0] @ axis)) for axis in np.eye(3)]
        alone = np.full_like(partner, ALONE)
        counts = [len(_pairs_by_position(skeleton, places, one, alone.copy())) for one in planes]
        plane = planes[int(np.argmax(counts))] if any(counts) else None
    if plane is None:
        return tuple(JointPair(names[left], names[right], "name") for left, right in sorted(named))
    how = dict.fromkeys(named, "name")
    how.update(dict.fromkeys(_pairs_by_position(skeleton, places, plane, partner), "geometry"))
    off = np.linalg.norm(plane.mirror(places) - places[partner], axis=-1)
    errors = (off / _size(skeleton, places)).tolist()
    return tuple(
        JointPair(names[left], names[right], how[left, right], errors[left])
        for left, right in sorted(how)
    )


def partners(names: Sequence[str]) -> Integers:
    """Index of every joint's partner by name, (joints,); :data:`ALONE` if it has none."""
    partner = np.full(len(names), ALONE, dtype=np.int64)
    _pairs_by_name(names, None, partner)
    return partner


def possible_partners(names: Sequence[str], joint: int) -> list[int]:
    """Indices of the joints that could be a joint's partner by name; several are ambiguous."""
    own = {(way.key, way.side) for way in side_readings(names[joint])}
    opposite = {(key, RIGHT if side == LEFT else LEFT) for key, side in own}
    return [
        index
        for index, name in enumerate(names)
        if any((way.key, way.side) in opposite for way in side_readings(name))
    ]


def mirror_plane(skeleton: Skeleton, pairs: Sequence[JointPair]) -> MirrorPlane | None:
    """Best mirror plane of the pairs in the rest pose; None if all partners coincide."""
    indices = [(skeleton.index(pair.left), skeleton.index(pair.right)) for pair in pairs]
    return _plane_of_pairs(skeleton, skeleton.rest_world_matrices()[:, :3, 3], indices)


def _pairs_by_name(
    names: Sequence[str], parents: Integers | None, partner: Integers
) -> list[tuple[int, int]]:
    """Partners by name, entered in `partner`.

    An attached side counts only if the parents are partners or the same joint.
    """
    readings = [side_readings(name) for name in names]
    pairs: list[tuple[int, int]] = []
    for plainness in (SEPARATE, ATTACHED):
        found: dict[str, dict[str, list[int]]] = {}
        for index, ways in enumerate(readings):
            for way in ways if partner[index] == ALONE else ():
                if way.plainness == plainness:
                    found.setdefault(way.key, {LEFT: [], RIGHT: []})[way.side].append(index)
        every = [(sides[LEFT], sides[RIGHT]) for sides in found.values()]
        unique = [(left[0], right[0]) for left, right in every if len(left) == len(right) == 1]
        for left, right in sorted(unique):
            if partner[left] != ALONE or partner[right] != ALONE:
                continue
            if plainness == ATTACHED and parents is not None:
                above = int(parents[left]), int(parents[right])
                if above[0] != above[1] and (min(above) < 0 or partner[above[0]] != above[1]):
                    continue
            partner[left], partner[right] = right, left
            pairs.append((left, right))
    return pairs


def _size(skeleton: Skeleton, places: Floats) -> float:
    """Diagonal of the body's bounding box, without any chain above the first branch."""
    children, first = Counter(skeleton.parents.tolist()), 0
    while children[first - 1] == 1 == children[first]:
        first += 1
    body = places[first:] if children[first] else places
    return float(np.linalg.norm(np.ptp(body, axis=0))) or 1.0


def _plane_of_pairs(
    skeleton: Skeleton, places: Floats, pairs: Sequence[tuple[int, int]]
) -> MirrorPlane | None:
    """Plane perpendicular to the main direction from right to left, through the midpoints."""
    if not pairs:
        return None
    left, right = places[[a for a, _ in pairs]], places[[b for _, b in pairs]]
    across, size = left - right, _size(skeleton, places)
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


def _pairs_by_position(
    skeleton: Skeleton, places: Floats, plane: MirrorPlane, partner: Integers
) -> list[tuple[int, int]]:
    """Partners by position, parents first, among unpaired joints; entered in `partner`."""
    images = plane.mirror(places)
    pairs, size = [], _size(skeleton, places)
    side = places @ np.array(plane.normal)
    children: dict[int, list[int]] = {}
    for joint, parent in enumerate(skeleton.parents.tolist()):
        children.setdefault(parent, []).append(joint)
    for parent in (-1, *range(len(places))):
        other = parent if parent < 0 or partner[parent] == ALONE else int(partner[parent])
        mine = [j for j in children.get(parent, ()) if partner[j] == ALONE]
        theirs = [j for j in children.get(other, ()) if partner[j] == ALONE]
        for left, right in _mutual_images(places, images, mine, theirs, size):
            if side[left] > side[right] and partner[left] == partner[right] == ALONE:
                partner[left], partner[right] = right, left
                pairs.append((left, right))
    return pairs


def _mutual_images(
    places: Floats, images: Floats, mine: list[int], theirs: list[int], size: float
) -> list[tuple[int, int]]:
    """Joints that are each other's nearest mirror image, within tolerance; ties are not paired."""
    only_child = mine == theirs and len(mine) == 1
    if only_child or not 0 < len(mine) * len(theirs) <= MAX_FAMILY_JOINTS**2:
        return []
    off = images[mine][:, None, :] - places[theirs][None, :, :]
    table = np.linalg.norm(off, axis=-1) / size
    itself = np.linalg.norm(images[mine] - places[mine], axis=-1) / size
    there, back = table.argmin(axis=1), table.argmin(axis=0)
    return [
        (mine[row], theirs[column])
        for row, column in enumerate(there.tolist())
        if back[column] == row
        and mine[row] != theirs[column]
        and (table[row] <= table[row, column] + SAME_PLACE_SHARE).sum() == 1
        and (table[:, column] <= table[row, column] + SAME_PLACE_SHARE).sum() == 1
        # A joint on the plane is its own mirror image.
        and table[row, column] < min(MAX_PAIR_ERROR_SHARE, itself[row])
    ]


SIGNS: tuple[tuple[int, int, int], ...] = ((1, -1, -1), (-1, 1, -1), (-1, -1, 1), (1, 1, 1))
"""Sign maps that a reflection allows: half turns about X, Y and Z, and the identity."""
ON_CHANNELS_DEG = 10.0
"""Largest mirror error of joint orientations whose channels map one to one."""
MEAN_POSE_DEG = 60.0
"""The same for a mean pose, which is only roughly symmetric; beyond 90, another map is nearer."""
CLEAR_MARGIN_DEG = 10.0
"""Minimum margin over the second-best map, for signs that are found from ranges."""
MAX_MIRROR_ERROR_SHARE = 0.1
"""Largest median mirror error of a symmetric pose, as a share of the skeleton's size."""

_Map = tuple[tuple[int, int, int], tuple[float, float, float]]


class ChannelMirror(NamedTuple):
    """Map from the rotate channels of a left joint to those of its partner."""

    signs: tuple[int, int, int]
    """+1 where rotateX, Y, Z of both sides have the same sign in a mirrored pose, -1 where they
    have opposite signs. The map is its own inverse."""
    source: str
    """One of "rest pose", "mean pose", "ranges" (of both sides), or "doubtful"."""
    off_deg: float | None = None
    """Largest angle in the rest pose between a channel's axis and its partner's mirror image."""
    margin_deg: float | None = None
    """Excess error of the second-best signs, if they are found from ranges."""
    offsets_deg: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Added to each channel: 180 if the partner's axes differ by a half turn, else 0."""

    @property
    def sure(self) -> bool:
        """Whether limits may be transferred between the sides."""
        return self.source != "doubtful"


class MirrorFrames(NamedTuple):
    """Maps from left to right joint orientations, for several pairs at once."""

    channels: Floats
    """The rotation N (see the module) between the axes of rotate channels, shape (pairs, 4)."""
    parents: Floats
    children: Floats
    """The rotation between the parents' axes, and between the joints' own, shape (pairs, 4)."""
    channels_after: Floats
    """Same as `channels`, but via rotateAxis instead of jointOrient, shape (pairs, 4). The two
    agree if the rotate values of both joints are mirrored in the rest pose."""

    def off_deg(self) -> Floats:
        """Angle in degrees from each map to the nearest sign map, shape (pairs,)."""
        return np.maximum(_deviations(self.channels), _deviations(self.channels_after))

    def nearest_maps(self, orders: Sequence[str]) -> list[_Map]:
        """Signs and offsets, degrees, that map each pair's left R to its right ``N R M^-1``."""
        before, after = (
            np.abs(maps).argmax(axis=1).tolist() for maps in (self.channels, self.channels_after)
        )
        return [_half_turn_map(*each) for each in zip(orders, before, after)]


@lru_cache(maxsize=96)
def _half_turn_map(order: str, first: int, second: int) -> _Map:
    """Signs and offsets of ``N R M^-1``, N and M half turns about two axes (3: the identity)."""
    before, after = np.eye(4)[[first, second]]
    probe = np.radians([10.0, 20.0, 35.0])
    turn = quaternion_from_euler(probe, order)
    image = euler_from_quaternion(multiply(before, multiply(turn, conjugate(after))), order)
    signs = np.where(np.abs(np.sin(image - probe)) < 1e-6, 1, -1)
    offsets = np.abs(np.degrees(wrap_angle(image - signs * probe))).round()
    return tuple(signs.tolist()), tuple(offsets.tolist())


def mirror_frames(
    skeleton: Skeleton, pairs: Sequence[JointPair], plane: MirrorPlane
) -> MirrorFrames:
    """Mirror maps of the pairs in the rest pose."""
    # World rotations at rest, without scale.
    axes = skeleton.rest_world_matrices()[:, :3, :3]
    lengths = np.maximum(np.linalg.norm(axes, axis=1, keepdims=True), 1e-300)
    handed = np.where(np.linalg.det(axes) < 0.0, -1.0, 1.0)
    worlds = quaternion_from_matrix(handed[:, None, None] * axes / lengths)
    above = multiply(worlds, conjugate(skeleton.rest_rotations))
    before = multiply(above, skeleton.joint_orients)
    after = multiply(worlds, conjugate(skeleton.rotate_axes))
    left = [skeleton.index(pair.left) for pair in pairs]
    right = [skeleton.index(pair.right) for pair in pairs]
    half_turn = np.array([*plane.normal, 0.0])
    maps = [
        multiply(conjugate(frame[right]), multiply(half_turn, frame[left]))
        for frame in (before, above, worlds, after)
    ]
    return MirrorFrames(*maps)


def _deviations(maps: Floats) -> Floats:
    """Angle in degrees from each rotation to the identity or a half turn about a channel."""
    magnitudes = np.sort(np.abs(maps), axis=-1)
    sine = np.linalg.norm(magnitudes[..., :3], axis=-1)
    return np.asarray(np.degrees(2.0 * np.arctan2(sine, magnitudes[..., 3])))


def is_mirrored(skeleton: Skeleton, pairs: Sequence[JointPair], plane: MirrorPlane) -> bool:
    """Whether the rest pose of a skeleton is its own mirror image."""
    places = skeleton.rest_world_matrices()[:, :3, 3]
    left = places[[skeleton.index(pair.left) for pair in pairs]]
    right = places[[skeleton.index(pair.right) for pair in pairs]]
    off = np.linalg.norm(plane.mirror(left) - right, axis=-1) / _size(skeleton, places)
    return bool(np.median(off) <= MAX_MIRROR_ERROR_SHARE)


def mirror_signs(
    skeleton: Skeleton, pairs: Sequence[JointPair], plane: MirrorPlane, source: str = "rest pose"
) -> tuple[ChannelMirror, ...]:
    """Sign map of every pair, from a skeleton's rest or mean pose; "doubtful" if not mirrored.

    `source`: "rest pose" or "mean pose", whichever pose the skeleton is in.
    """
    if not pairs:
        return ()
    frames = mirror_frames(skeleton, pairs, plane)
    most = MEAN_POSE_DEG if source == "mean pose" else ON_CHANNELS_DEG
    order = dict(zip(skeleton.names, skeleton.rotate_orders))
    maps = frames.nearest_maps([order[pair.left] for pair in pairs])
    found = []
    for pair, (signs, offsets), off in zip(pairs, maps, frames.off_deg().tolist()):
        is_sure = off <= most and order[pair.left] == order[pair.right]
        found.append(
            ChannelMirror(signs, source if is_sure else "doubtful", off, offsets_deg=offsets)
        )
    return tuple(found)


def signs_from_ranges(
    left_deg: ArrayLike, right_deg: ArrayLike, rotate_order: str = "xyz"
) -> ChannelMirror:
    """Map that best converts the left ranges, degrees, (3, 2), to the right ranges.

    Ranges are compared on the nearest Euler branch and turns; they are NaN where a channel is free.
    The source is "doubtful" if another map fits nearly as well, as with ranges centred on zero.
    """
    left, right = np.asarray(left_deg, np.float64), np.asarray(right_deg, np.float64)
    # Maps that a reflection allows, those without offsets first.
    axes = [(axis, axis) for axis in range(4)]
    if not np.isnan(left + right).any():
        axes += permutations(range(4), 2)
    maps = [_half_turn_map(rotate_order, *each) for each in axes]
    # Sums of the differences between all ends, on the nearest Euler branch and turns.
    ranges = _map_ranges(left, *map(np.array, zip(*maps)))
    middle = np.where(np.arange(3) == axes_of(rotate_order)[1], -1.0, 1.0)
    off = np.stack([ranges, _map_ranges(ranges, middle, np.full(3, 180.0))]) - right
    turns = 360.0 * np.round(off.mean(axis=-1, keepdims=True) / 360.0)
    costs = np.nansum(np.abs(off - turns), axis=(-2, -1)).min(axis=0)
    first, second, *_ = np.argsort(costs.round(9), kind="stable").tolist()
    margin = float(costs[second] - costs[first])
    source = "ranges" if margin >= CLEAR_MARGIN_DEG else "doubtful"
    signs, offsets = maps[first]
    return ChannelMirror(signs, source, margin_deg=margin, offsets_deg=offsets)


def _map_ranges(ranges_deg: Floats, signs: Floats, offsets_deg: Floats) -> Floats:
    """Ranges, (..., channels, 2), multiplied by signs and shifted, (..., channels)."""
    return np.sort(ranges_deg * signs[..., None] + offsets_deg[..., None], axis=-1)
