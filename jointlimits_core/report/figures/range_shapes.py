"""Range of a joint drawn at the joint: the arc of a hinge, the swing boundary of a ball joint.

A shape is a polyline of unit vectors in the joint's parent space. In the current pose the bone
points along `local rotation * tip` in the same space, so painters draw both with one matrix, the
world orientation of the parent space.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...geometry.arrays import ArrayLike, Floats
from ...geometry.euler import CHANNELS
from ...geometry.quaternion import conjugate, quaternion_between_vectors, rotate
from ...limits import limit_set, ranges
from ...motion.skeleton import Skeleton
from ...shapes import fitting, mesh
from . import space, swing

ARC, SWING = "arc", "swing"
ARC_STEP_DEG, OUTLINE_STEP_DEG = 4.0, 5.0
MIN_SWING_DEG = 1.0
"""Minimum swing of a bone that is drawn with a range."""
MAX_SWING_DEG = 165.0
"""Maximum swing from the middle; a wider boundary would enclose the wrong side of the sphere."""
SELECTED_SHARE, OTHER_SHARE = 0.24, 0.11
"""Radius of a range as a share of the character's reach: selected joint, any other joint."""
_GRID, _ALONG, _SPOKES = 11, 73, 8


@dataclass(frozen=True, eq=False)
class RangeShape:
    """Range of one joint.

    `tip`, shape (3,): direction of the bone in the joint's own space, a unit vector; for a bone
    that only twists, a vector perpendicular to it, which shows the twist. `directions`, shape
    (points, 3): unit vectors in the joint's parent space. An arc runs from the minimum of `channel`
    to its maximum; a swing boundary is closed: its last point equals its first.
    """

    joint: str
    kind: str
    """:data:`ARC` or :data:`SWING`."""
    channel: str | None
    tip: Floats
    directions: Floats

    def corners(self) -> Floats:
        """Corners of the shape with radius 1: the joint, then the boundary, shape (points, 3)."""
        return np.concatenate([np.zeros((1, 3)), self.directions])

    @property
    def area(self) -> int:
        """Index of the area's first corner: the joint for a sector, the boundary for a swing."""
        return 0 if self.kind == ARC else 1

    @property
    def spokes(self) -> list[int]:
        """Indices of corners with a line from the joint: ends of an arc, some of a boundary."""
        count = len(self.directions)
        if self.kind == ARC:
            return [1, count]
        return list(range(1, count, -(-(count - 1) // _SPOKES)))


def bone_direction(skeleton: Skeleton, joint: int) -> Floats:
    """Unit vector along a joint's bone in the joint's own space, shape (3,).

    It points to the mean of the joint's children; without children it continues the parent's bone,
    and without either it is X.
    """
    children = np.flatnonzero(skeleton.parents == joint)
    along = skeleton.offsets[children].mean(axis=0) if len(children) else np.zeros(3)
    if not np.linalg.norm(along) > 0.0:
        along = rotate(conjugate(skeleton.rest_rotations[joint]), skeleton.offsets[joint])
    length = float(np.linalg.norm(along))
    return np.asarray(along / length) if length > 0.0 else np.array([1.0, 0.0, 0.0])


def range_shape(limit: limit_set.JointLimit, name: str, bone: Floats) -> RangeShape | None:
    """Shape of a joint's range; `bone` comes from :func:`bone_direction`.

    None for a joint that does not turn, that has no limits on rotate channels, or whose bone may
    point anywhere.
    """
    spans = _spans(limit)
    if spans is None or limit.type == "fixed":
        return None
    widths = spans[:, 1] - spans[:, 0]
    moving = np.flatnonzero(widths > MIN_SWING_DEG)
    if len(moving) == 1 or limit.type == "hinge":
        row, hinge = int(widths.argmax()), limit.hinge
        if hinge is not None and hinge.is_on_channel:
            row = CHANNELS.index(hinge.channel)  # other channels may be free, so wider
        return _arc(limit, name, bone, spans, row, spans.mean(axis=1))
    if limit.coupled is not None:
        rotations = mesh.surface_mesh(fitting.shape_of_limit(limit.coupled), finer=2).rotations
    else:
        # A bone points furthest where the channels are on their box, so its edges get more points.
        points = []
        for counts in ((2, _GRID, _GRID), (_ALONG, 2, 2)):
            axes = [np.linspace(0.0, 1.0, count) for count in counts]
            part = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
            points += [np.roll(part, turn, axis=1) for turn in range(3)]
        rotations = space.local_rotations(
            limit.orientation, spans[:, 0] + widths * np.concatenate(points)
        )
    return _swing(name, bone, rotate(rotations, bone))


def range_shapes(limits: limit_set.LimitSet, skeleton: Skeleton) -> dict[str, RangeShape]:
    """Shapes of all joints of a skeleton that have one, by joint name."""
    shapes = {
        name: range_shape(limits.joints[name], name, bone_direction(skeleton, index))
        for index, name in enumerate(skeleton.names)
        if name in limits.joints
    }
    return {name: shape for name, shape in shapes.items() if shape is not None}


def channel_arcs(
    limit: limit_set.JointLimit, name: str, bone: Floats, at_deg: ArrayLike
) -> tuple[RangeShape, ...]:
    """Arc of every rotate channel that has a range, through a pose of the joint.

    `at_deg`, shape (3,): the joint's channels in that pose, on the branch of the limits. While one
    channel turns, the others keep their values.
    """
    spans = _spans(limit)
    if spans is None or limit.type == "fixed":
        return ()
    rows = [row for row, one in enumerate(CHANNELS) if limit.limits[one].state == "limited"]
    found = (_arc(limit, name, bone, spans, row, np.asarray(at_deg)) for row in rows)
    return tuple(arc for arc in found if arc is not None)


def arc_directions(
    limit: limit_set.JointLimit, arc: RangeShape, at_deg: ArrayLike, values_deg: ArrayLike
) -> Floats:
    """Directions of an arc's tip at given values of its channel, shape (values, 3).

    Unit vectors in the joint's parent space; `at_deg` as in :func:`channel_arcs`.
    """
    values = np.asarray(values_deg, dtype=np.float64)
    angles = np.tile(np.asarray(at_deg, dtype=np.float64), (len(values), 1))
    angles[:, CHANNELS.index(str(arc.channel))] = values
    return np.asarray(rotate(space.local_rotations(limit.orientation, angles), arc.tip))


def _spans(limit: limit_set.JointLimit) -> Floats | None:
    """Minimum and maximum of each rotate channel, (3, 2) degrees; a free channel spans a turn."""
    if not set(CHANNELS) <= set(limit.limits):
        return None
    return np.array(
        [ranges.span_of(limit.limits[channel]) or (-180.0, 180.0) for channel in CHANNELS]
    )


def _arc(
    limit: limit_set.JointLimit, name: str, bone: Floats, spans: Floats, moving: int, at_deg: Floats
) -> RangeShape | None:
    """Arc of one channel; the remaining channels stay at `at_deg`."""
    low, high = spans[moving]
    if high - low <= MIN_SWING_DEG:
        return None
    angles = np.tile(at_deg, (int(np.ceil((high - low) / ARC_STEP_DEG)) + 1, 1))
    angles[:, moving] = np.linspace(low, high, len(angles))
    rotations = space.local_rotations(limit.orientation, angles)
    directions, tip = rotate(rotations, bone), bone
    if np.linalg.norm(directions - directions[0], axis=1).max() < np.radians(MIN_SWING_DEG):
        side = np.cross(bone, np.eye(3)[int(np.abs(bone).argmin())])
        tip = np.asarray(side / np.linalg.norm(side))
        directions = rotate(rotations, tip)
    return RangeShape(name, ARC, CHANNELS[moving], tip, directions)


def _swing(name: str, bone: Floats, directions: Floats) -> RangeShape | None:
    """Boundary of a bone's directions, from sampled ones, (samples, 3)."""
    mean = directions.mean(axis=0)
    length = float(np.linalg.norm(mean))
    if length < 1e-6:
        return None
    # Flatten the sphere around the mean direction, so that distances from it are angles.
    upright = quaternion_between_vectors(mean / length, np.array([0.0, 0.0, 1.0]))
    x, y, z = np.moveaxis(rotate(upright, directions), -1, 0)
    across = np.hypot(x, y)
    angle = np.degrees(np.arctan2(across, z))
    if not MIN_SWING_DEG < angle.max() < MAX_SWING_DEG:
        return None
    flat = np.stack([x, y], axis=1) * (angle / np.maximum(across, 1e-12))[:, None]
    outline = swing.reach_outline(flat, OUTLINE_STEP_DEG)
    reach = np.hypot(outline[:, 0], outline[:, 1])
    sides = outline / np.maximum(reach, 1e-12)[:, None] * np.sin(np.radians(reach))[:, None]
    points = np.concatenate([sides, np.cos(np.radians(reach))[:, None]], axis=1)
    return RangeShape(name, SWING, None, bone, rotate(conjugate(upright), points))
