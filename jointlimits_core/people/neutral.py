"""Neutral form of poses: angles of a human figure that do not depend on its skeleton.

Rotations are measured from a standard pose (arms out to the sides, legs down, spine and head up) in
the figure's own axes: X to its left, Y from hips to shoulders, Z to the front. A bone gets its
standard orientation from the rest pose by the shortest turn that takes it to its standard
direction, so that A-poses, T-poses and poses with hanging arms agree. Where a hinge bends, the
plane in which it bends determines how the limb is twisted.

Every angle becomes a *reach*: degrees that grow as the joint goes further one way. A bone's
direction has one for each of :data:`WAYS`, a twist two, a bend two. A limit is then one number per
reach, and a pose is as far outside as its largest excess. Right limbs are mirrored to the left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..geometry.arrays import Floats
from ..geometry.quaternion import (
    conjugate,
    multiply,
    quaternion_between_vectors,
    quaternion_from_axis_angle,
    quaternion_from_matrix,
    rotate,
    rotation_vector_from_quaternion,
    swing_twist_from_quaternion,
)
from ..motion.motion import Motion
from ..motion.skeleton import Skeleton
from ..shapes.hull import both_ways
from .bones import SIDES, Figure

WAYS = both_ways(40)
"""Directions on the sphere along which bone directions are limited, unit, (80, 3)."""
SAMPLES_PER_SECOND = 30.0
LEFT, UP, FRONT = np.eye(3)
MIN_BEND_DEG, MIN_BENT_FRAMES = 20.0, 10
"""Minimum bend for a hinge to show its plane, and minimum number of frames with that bend."""
MAX_TURN_DEG = 120.0
"""Largest turn from the rest pose to the standard pose after which a twist is still known."""
MAX_BACK_DEG = 30.0
"""Largest bend backwards of an elbow or knee in a rest pose of people."""
MAX_OFF_SHARE = 0.25
"""Largest distance of a joint inside a bone from its line, as a share of the bone."""
MAX_SLOPE_DEG = 45.0
"""Largest difference between the slopes of feet that stand flat."""
MIN_WIDTH_SHARE = 0.01
TWIST_UNKNOWN = "nothing shows how it is twisted: neither the rest pose nor a bending hinge"
NOT_STANDING = "the rest pose is not a standing pose, and nothing else shows its orientation"


class Part(NamedTuple):
    """Body part whose angles are transferred.

    `base`: the bone relative to which it turns. `bone`: its direction in the standard pose.
    `middle`: direction opposite to one that it never reaches, where twists are measured. `plane`:
    direction towards which a hinge bends in the standard pose; None for a ball joint.
    """

    base: str
    bone: Floats
    middle: Floats
    plane: Floats | None = None


def _unit(x: float, y: float, z: float) -> Floats:
    return np.array([x, y, z]) / np.linalg.norm([x, y, z])


_FOOT = _unit(0.0, -0.42, 0.91)
PARTS = {
    "spine": Part("pelvis", UP, UP),
    "head": Part("chest", UP, UP),
    "shoulder": Part("chest", LEFT, _unit(0.6, -0.4, 0.7)),
    "elbow": Part("shoulder", LEFT, LEFT, FRONT),
    "wrist": Part("elbow", LEFT, LEFT),
    "hip": Part("pelvis", -UP, _unit(0.0, -0.8, 0.6)),
    "knee": Part("hip", -UP, -UP, -FRONT),
    "ankle": Part("knee", _FOOT, _FOOT),
    "toes": Part("ankle", FRONT, FRONT, UP),
}
"""All parts, each after its base."""
TWIST = slice(len(WAYS), None)
"""The reaches of a ball joint's twist."""
ARM, MIN_ELBOW_DEG = frozenset(("shoulder", "wrist")), 30.0
"""Parts whose twist is known only while the elbow is bent by at least this many degrees."""
UNTWISTED = frozenset(("ankle",))
"""Ball joints whose twist is not transferred, as feet at rest differ in it."""
BENDING = {"shoulder": "elbow", "hip": "knee"}
"""Hinge that shows how each limb is twisted."""
_NEXT = {"shoulder": "elbow", "elbow": "wrist", "hip": "knee", "knee": "ankle", "ankle": "toes"}
_LOWER = frozenset(("pelvis", "hip", "knee", "ankle", "toes"))
_FROM_REST = frozenset(("head", "wrist", "ankle", "toes"))
"""Roles whose orientation is known only from a standing rest pose."""
_MIDLINE = {"spine": "chest", "head": "head"}


def role_of(part: str, side: str) -> str:
    """Role of a part in a figure: "left knee"; the chest for the spine."""
    return _MIDLINE.get(part) or f"{side} {part}"


def sides_of(part: str) -> tuple[str, ...]:
    """Sides on which a figure has a part; ("",) on the midline."""
    return ("",) if part in _MIDLINE else SIDES


@dataclass(frozen=True)
class Standard:
    """Standard pose of one figure.

    `orientations`: world orientation of each role's joint in the standard pose, in the figure's
    axes, (4,). `doubts`: reason by role, where a twist is unknown. `left_out`: reason by role, for
    roles that are not transferred at all.
    """

    figure: Figure
    orientations: Mapping[str, Floats]
    doubts: Mapping[str, str]
    left_out: Mapping[str, str]

    @property
    def stands(self) -> bool:
        """Whether the rest pose is a standing pose."""
        return NOT_STANDING not in self.left_out.values()

    def reasons(self) -> dict[str, str]:
        """Reason by joint name, for joints that are not transferred though their role is known."""
        names, joints = self.figure.skeleton.names, self.figure.joints
        return {names[joints[role]]: reason for role, reason in self.left_out.items()}


def standard_pose(figure: Figure, motions: Sequence[Motion] = ()) -> Standard:
    """Standard pose from the rest pose, with twists from hinges that bend in the motions.

    Without motion, or where a hinge hardly bends, a hinge that is bent in the rest pose decides. If
    the legs do not point down in the rest pose, only limbs are transferred, and only as far as
    joint offsets and bending hinges show their orientation.
    """
    rest = figure.skeleton.rest_world_matrices()
    axes, stands = _figure_axes(figure, rest[:, :3, 3])
    world = world_turns(rest)
    placed, standard, doubts, left_out = {}, {}, {}, {}
    for role, row in figure.joints.items():
        side, _, part = role.rpartition(" ")
        own = conjugate(axes["pelvis" if part in _LOWER else "chest"])
        placed[role] = standard[role] = multiply(own, world[row])
        end = _bone_end(figure, role)
        if part in _NEXT and end is None:
            left_out[role] = "it has no joint at its end"
        elif part in _NEXT and end is not None:
            way = rotate(own, rest[end, :3, 3] - rest[row, :3, 3])
            swing, turn = _swing(way, mirrored(PARTS[part].bone, side))
            if _is_crooked(figure.skeleton, rest[:, :3, 3], row, end):
                left_out[role] = "between it and the next part, another joint is out of line"
            if part != "ankle":
                standard[role] = multiply(swing, placed[role])
            elif turn > MAX_SLOPE_DEG:
                left_out[role] = "in the rest pose, its toes are not in front of it"
            if not stands or turn > MAX_TURN_DEG:
                doubts[role] = TWIST_UNKNOWN
        if part == "wrist":  # the hand keeps to the forearm
            swing = multiply(standard[f"{side} elbow"], conjugate(placed[f"{side} elbow"]))
            standard[role] = multiply(swing, placed[role])
        if part in _FROM_REST and not stands:
            left_out[role] = NOT_STANDING
    resting = {role: multiply(placed[role], conjugate(standard[role])) for role in placed}
    poses = [bone_turns(figure, standard, motion) for motion in motions]
    joined = {role: np.concatenate([pose[role] for pose in poses]) for role in placed if poses}
    for side in SIDES:
        for upper, lower in BENDING.items():
            if f"{side} {lower}" not in left_out:
                _twist_limb(side, upper, lower, [joined, resting], standard, doubts)
    resting = {role: multiply(placed[role], conjugate(standard[role])) for role in placed}
    for side in SIDES:
        for upper, lower in BENDING.items():
            role = f"{side} {lower}"
            own = multiply(conjugate(resting[f"{side} {upper}"]), resting[role])[None]
            bend = reaches(lower, mirror_turn(own) if side == SIDES[1] else own)[0, 0]
            if bend < -MAX_BACK_DEG and role not in doubts:
                left_out[role] = "it is bent backwards in the rest pose"
    return Standard(figure, standard, doubts, left_out)


def _figure_axes(figure: Figure, places: Floats) -> tuple[dict[str, Floats], bool]:
    """Axes (left, up, front as columns) of pelvis and chest, (4,), and whether the legs point down.

    Both have the same axes in a standing rest pose. In other poses, each has those of the joints
    that are fixed to it.
    """
    joints = figure.joints
    hips = [places[joints[f"{side} hip"]] for side in SIDES]
    knees = [places[joints[f"{side} knee"]] for side in SIDES]
    arms = [places[joints[f"{side} shoulder"]] for side in SIDES]
    up = np.mean(arms, axis=0) - np.mean(hips, axis=0)
    legs = np.subtract(hips, knees)
    lengths = np.linalg.norm(up) * np.linalg.norm(legs, axis=1)
    if (legs @ up > np.cos(np.radians(MAX_TURN_DEG)) * lengths).all():
        axes = _axes(hips[0] - hips[1], up)
        return {"pelvis": axes, "chest": axes}, True
    pelvis, chest = places[joints["pelvis"]], places[joints["chest"]]
    spine = figure.chains["spine"]
    above = places[spine[0]] - pelvis if spine else up
    neck = figure.chains.get("head", ())
    higher = places[neck[0]] - chest if neck else up
    below = [figure.below("chest", f"{side} shoulder") for side in SIDES]
    across = places[below[0]] - places[below[1]]
    if np.linalg.norm(across) < MIN_WIDTH_SHARE * np.linalg.norm(up):
        across = hips[0] - hips[1]
    return {"pelvis": _axes(hips[0] - hips[1], above), "chest": _axes(across, higher)}, False


def _axes(left: Floats, up: Floats) -> Floats:
    """Orientation with X along `left` and Y near `up`, (4,)."""
    x = left / np.linalg.norm(left)
    y = up - x * (up @ x)
    length = np.linalg.norm(y)
    y = y / length if length > 1e-9 * np.linalg.norm(up) else np.cross([0.0, 0.0, 1.0], x)
    return quaternion_from_matrix(np.stack([x, y, np.cross(x, y)], axis=1))


def _bone_end(figure: Figure, role: str) -> int | None:
    """Joint at the end of a limb's bone: that of the next part, or else the only child."""
    side, _, part = role.rpartition(" ")
    following = figure.joints.get(f"{side} {_NEXT.get(part)}")
    if following is not None or part not in _NEXT or part == "ankle":
        return following
    children = np.flatnonzero(figure.skeleton.parents == figure.joints[role])
    return int(children[0]) if len(children) == 1 else None


def _is_crooked(skeleton: Skeleton, places: Floats, top: int, end: int) -> bool:
    """Whether a joint between both ends of a bone is far from their line, as in an animal's leg."""
    chain = skeleton.ancestors(end)
    between = places[chain[1 : chain.index(top)]] - places[top]
    bone = places[end] - places[top]
    off = np.linalg.norm(np.cross(between, bone), axis=-1)
    return bool((off > MAX_OFF_SHARE * (bone @ bone)).any())


def world_turns(world: Floats) -> Floats:
    """Rotations of world matrices, without scale, (..., 4)."""
    axes = world[..., :3, :3]
    axes = axes / np.maximum(np.linalg.norm(axes, axis=-2, keepdims=True), 1e-300)
    with np.errstate(invalid="ignore"):  # frames that are not finite stay that way
        handed = np.where(np.linalg.det(axes) < 0.0, -1.0, 1.0)
    return quaternion_from_matrix(handed[..., None, None] * axes)


def _swing(way: Floats, bone: Floats) -> tuple[Floats, float]:
    """Shortest turn from a direction to a bone's, and its angle in degrees."""
    length = float(np.linalg.norm(way))
    if length == 0.0:
        return np.array([0.0, 0.0, 0.0, 1.0]), 180.0
    turn = quaternion_between_vectors(way / length, bone)
    return turn, float(np.degrees(np.arccos(np.clip(way @ bone / length, -1.0, 1.0))))


def mirrored(direction: Floats, side: str) -> Floats:
    """Direction of the left side's standard pose, or its mirror image on the right."""
    return direction * np.array([-1.0, 1.0, 1.0]) if side == SIDES[1] else direction


def sample_step(motion: Motion) -> int:
    """Distance between samples, in frames."""
    return max(1, round(motion.frame_rate / SAMPLES_PER_SECOND))


def bone_turns(figure: Figure, standard: Mapping[str, Floats], motion: Motion) -> dict[str, Floats]:
    """Rotation of every role from the standard pose, in the world, (frames, 4) each."""
    step = sample_step(motion)
    part = motion if step == 1 else motion.keep_frames(range(0, motion.frame_count, step))
    turns = world_turns(part.all_world_matrices()[:, list(figure.joints.values())])
    return {
        role: multiply(turns[:, at], conjugate(standard[role]))
        for at, role in enumerate(figure.joints)
    }


def _twist_limb(
    side: str,
    upper: str,
    lower: str,
    poses: Sequence[Mapping[str, Floats]],
    standard: dict[str, Floats],
    doubts: dict[str, str],
) -> None:
    """Turn a limb's standard orientation about the bone, so that its hinge bends in its plane."""
    bone = mirrored(PARTS[lower].bone, side)
    plane = PARTS[lower].plane
    for pose, least in zip(poses, (MIN_BENT_FRAMES, 1)):
        if plane is None or f"{side} {upper}" not in pose:
            continue
        way = _lower_bone(pose[f"{side} {upper}"], pose[f"{side} {lower}"], bone)
        across = way - (way @ bone)[..., None] * bone
        bent = np.atleast_2d(across)[np.linalg.norm(np.atleast_2d(across), axis=1) > _SINE]
        summed = bent.sum(axis=0)
        if len(bent) < least or np.linalg.norm(summed) < 0.5 * len(bent) * _SINE:
            continue
        angle = np.arctan2(np.cross(plane, summed) @ bone, summed @ plane)
        if abs(angle) > np.radians(120.0) and f"{side} {upper}" not in doubts:
            continue  # a hinge that bends backwards is no evidence
        turn = quaternion_from_axis_angle(bone, -angle)
        for part in (upper, lower, *(("wrist",) if lower == "elbow" else ("ankle", "toes"))):
            if f"{side} {part}" in standard:
                standard[f"{side} {part}"] = multiply(turn, standard[f"{side} {part}"])
        doubts.pop(f"{side} {upper}", None)
        doubts.pop(f"{side} {lower}", None)
        return


_SINE = float(np.sin(np.radians(MIN_BEND_DEG)))


def _lower_bone(upper: Floats, lower: Floats, bone: Floats) -> Floats:
    """Direction of the lower bone in the upper bone's standard axes, (..., 3)."""
    return rotate(multiply(conjugate(upper), lower), bone)


Turns = Mapping[tuple[str, str], Floats]
"""Rotation of each part relative to its base, as if on the left, by (part, side), (frames, 4)."""


def neutral_turns(standard: Standard, motion: Motion) -> dict[tuple[str, str], Floats]:
    """Rotation of each part relative to its base in every sample; right parts are mirrored."""
    turns = bone_turns(standard.figure, standard.orientations, motion)
    found = {}
    for name, part in PARTS.items():
        for side in sides_of(name):
            role = role_of(name, side)
            base = part.base if part.base in turns else f"{side} {part.base}"
            is_there = role in turns and base in turns and standard.figure.rows_of(name, role)
            if is_there and not {role, base} & set(standard.left_out):
                above = turns[base]
                if name == "wrist":  # relative to a forearm that is only bent, not twisted
                    above = _bent_only(turns[f"{side} shoulder"], above, mirrored(LEFT, side))
                turn = multiply(conjugate(above), turns[role])
                found[name, side] = mirror_turn(turn) if side == SIDES[1] else turn
    return found


def _bent_only(upper: Floats, lower: Floats, bone: Floats) -> Floats:
    """Lower bone's rotation without any turn about its own axis."""
    return multiply(upper, quaternion_between_vectors(bone, _lower_bone(upper, lower, bone)))


def mirror_turn(turn: Floats) -> Floats:
    """Mirror image of rotations, left for right."""
    return np.asarray(turn * np.array([1.0, -1.0, -1.0, 1.0]))


def way_count(part: str) -> int:
    """Number of reaches of a part."""
    return 2 if PARTS[part].plane is not None else len(WAYS) + 2


def reaches(part: str, turns: Floats) -> Floats:
    """Reaches of a part, degrees, (frames, ways): a bend's two, or a direction's and a twist's."""
    own = PARTS[part]
    way = rotate(turns, own.bone)
    if own.plane is not None:
        bend = np.degrees(np.arctan2(way @ own.plane, way @ own.bone))
        return np.stack([bend, -bend], axis=1)
    directions = 180.0 - np.degrees(np.arccos(np.clip(way @ WAYS.T, -1.0, 1.0)))
    twist = twists(part, turns)
    return np.concatenate([directions, twist[:, None], -twist[:, None]], axis=1)


def twists(part: str, turns: Floats) -> Floats:
    """Twists of a ball joint about its bone, degrees, (frames,).

    Measured where the bone has its middle direction, reached by the shortest turn.
    """
    own = PARTS[part]
    to_middle = quaternion_between_vectors(own.bone, own.middle)
    swing = quaternion_between_vectors(own.middle, rotate(turns, own.bone))
    left = multiply(conjugate(swing), multiply(turns, conjugate(to_middle)))
    _, twist = swing_twist_from_quaternion(left, own.middle)
    return np.asarray(np.degrees(rotation_vector_from_quaternion(twist) @ own.middle))


def neutral_reaches(standard: Standard, turns: Turns) -> dict[tuple[str, str], Floats]:
    """Reaches of every part in every frame, by (part, side); NaN for a twist that is unknown.

    A twist is unknown where nothing shows it. That of an arm is also unknown while the elbow is
    nearly straight, since it may then belong to the upper arm or to the forearm.
    """
    found = {}
    for (name, side), own in turns.items():
        values = reaches(name, own)
        if PARTS[name].plane is None:
            if name in UNTWISTED or role_of(name, side) in standard.doubts:
                values[:, TWIST] = np.nan
            elif name in ARM and ("elbow", side) in turns:
                bend = reaches("elbow", turns["elbow", side])[:, 0]
                values[bend < MIN_ELBOW_DEG, TWIST] = np.nan
        found[name, side] = values
    return found
