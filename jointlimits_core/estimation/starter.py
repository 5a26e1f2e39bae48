"""Starter limits from other people, for a rig with little or no motion of its own.

The rig is put into poses at people's limits, one body part at a time, and limits are estimated from
the poses as from any motion, together with the rig's own motion if there is any. So every limit is
on the rig's own channels, and measured limits take over where its motion goes further.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..base.errors import EstimationError
from ..base.findings import Finding
from ..geometry.arrays import Floats
from ..geometry.quaternion import (
    conjugate,
    multiply,
    quaternion_between_vectors,
    quaternion_from_axis_angle,
    quaternion_from_rotation_vector,
    rotate,
    rotation_vector_from_quaternion,
    sphere_points,
)
from ..limits.exclusions import exclusion
from ..limits.limit_set import AxisLimit, AxisSource, BoundSource, JointLimit, LimitSet
from ..motion.motion import Motion
from ..people import bones, neutral
from ..people.people import People
from .clip_summary import ClipSummary
from .options import EstimateOptions, exclusions_of

CLIP = "other people"
"""Name of the generated clip."""
KIND, RULE, NOT_CARRIED = "people", "other-people", "not-carried"
"""Source of a limit, and rules for findings about joints with and without such limits."""
DIRECTIONS, TWISTS, BENDS = 1000, 3, 60
"""Numbers of directions, of twists for each direction, and of hinge bends in generated poses."""
SPACING_DEG = 3.0
"""Half the angle between directions; the outermost may go beyond the limits by this much."""
CHAIN_POWER = -0.25
"""Exponent of a spine or neck's joint count that gives each joint's share of the whole bend."""
MAX_SNAP_DEG = 30.0
"""Largest angle between a hinge's anatomical axis and the rotate channel that replaces it."""
STILL_COSINE = 1e-8
"""A joint is still if the cosine of its half angle is at most this far below 1 (0.02 degrees)."""
OF_JOINTS = (
    "limits from other people apply to joints only: estimate the joints, then carry their limits "
    "over to the controls"
)
UNSURE = "its orientation, or that of the joint above it, is uncertain"
NOTHING_SHOWN = (
    "its rest pose is not a standing pose, and no elbow or knee bends; set a bind pose with legs "
    "down, or give a clip in which elbows and knees bend"
)


def people_motion(standard: neutral.Standard, people: People) -> tuple[Motion, dict[str, str]]:
    """Motion of a rig through poses at people's limits, and the body part of each limited joint.

    Joints of other parts, or of none, stay in the rest pose.
    """
    figure, limits = standard.figure, people.limits()
    turns: dict[int, tuple[str, str, Floats]] = {}
    parts: dict[str, str] = {}
    known = {part: limit for part, limit in limits.items() if np.isfinite(limit).all()}
    poses = {part: _part_turns(part, limit) for part, limit in known.items()}
    count = max(map(len, poses.values()), default=1)
    for part, every in poses.items():
        shown = every[np.resize(np.arange(len(every)), count)]
        for side in neutral.sides_of(part):
            role = neutral.role_of(part, side)
            base = neutral.PARTS[part].base
            base = base if base in figure.joints else f"{side} {base}"
            unknown = {role, base} & {*standard.left_out, *standard.doubts}
            if not figure.has(role, base) or unknown or (part == "spine" and not standard.stands):
                continue
            rows = figure.rows_of(part, role)
            if not rows:  # arms and legs at one joint
                continue
            own = neutral.mirror_turn(shown) if side == bones.SIDES[1] else shown
            share = len(rows) ** CHAIN_POWER
            part_of = quaternion_from_rotation_vector(share * rotation_vector_from_quaternion(own))
            for row in rows:
                turns[row] = (base, role, _on_channel(standard, part, role, row, part_of))
                parts[figure.skeleton.names[row]] = part
    return _motion_of_turns(standard, turns, count), parts


def _part_turns(part: str, limits: Floats) -> Floats:
    """Rotations of a body part within its limits, up to their ends, (poses, 4).

    The twist shrinks, as in an ellipsoid, from its whole range in the middle to none at the limits
    of the direction: people do not reach both at once.
    """
    own = neutral.PARTS[part]
    if own.plane is not None:
        bends = np.radians(np.linspace(-limits[1], limits[0], BENDS))
        return quaternion_from_axis_angle(np.cross(own.bone, own.plane), bends)
    ways = sphere_points(DIRECTIONS)
    reaches = 180.0 - np.degrees(np.arccos(np.clip(ways @ neutral.WAYS.T, -1.0, 1.0)))
    beyond = (reaches - limits[: len(neutral.WAYS)]).max(axis=1)
    allowed = beyond <= max(SPACING_DEG, beyond.min())
    ways, depth = ways[allowed], np.maximum(-beyond[allowed], 0.0)
    inner = 1.0 - depth / max(float(depth.max()), 1e-9)
    share = np.sqrt(1.0 - inner**2)
    twists = share[:, None] * np.radians(np.linspace(-limits[-1], limits[-2], TWISTS))
    to_middle = quaternion_between_vectors(own.bone, own.middle)
    turned = multiply(quaternion_from_axis_angle(own.middle, twists), to_middle)
    swings = quaternion_between_vectors(own.middle, ways)
    return _by_nearness(multiply(swings[:, None], turned).reshape(-1, 4))


def _by_nearness(turns: Floats) -> Floats:
    """Rotations ordered so that each is near the previous one, smallest first, (poses, 4).

    In any other order, channels would jump between Euler branches, which widens their ranges.
    """
    free, order = np.ones(len(turns), dtype=bool), [int(np.argmax(np.abs(turns[:, 3])))]
    for _ in turns[1:]:
        free[order[-1]] = False
        cosines = np.where(free, np.abs(turns @ turns[order[-1]]), -1.0)
        order.append(int(np.argmax(cosines)))
    return turns[order]


def _on_channel(
    standard: neutral.Standard, part: str, role: str, row: int, turns: Floats
) -> Floats:
    """Turns of a hinge, moved to the channel nearest to its axis; others are unchanged."""
    if neutral.PARTS[part].plane is None:
        return turns
    own = conjugate(standard.figure.skeleton.rotate_axes[row])
    axes = rotate(multiply(standard.orientations[role], own), np.eye(3))
    channels = np.concatenate([axes, -axes])
    vectors = rotation_vector_from_quaternion(turns)
    axis = vectors[np.argmax(np.linalg.norm(vectors, axis=1))]
    length = float(np.linalg.norm(axis))
    nearest = channels[np.argmax(channels @ axis)]
    if length == 0.0 or nearest @ axis < length * np.cos(np.radians(MAX_SNAP_DEG)):
        return turns
    return quaternion_from_axis_angle(nearest, vectors @ axis / length)


def _motion_of_turns(
    standard: neutral.Standard, turns: Mapping[int, tuple[str, str, Floats]], count: int
) -> Motion:
    """Motion in which joints turn from the standard pose while all those above them rest."""
    figure, skeleton = standard.figure, standard.figure.skeleton
    rest = neutral.world_turns(skeleton.rest_world_matrices())
    local = np.repeat(skeleton.rest_rotations[:, :, None], count, axis=2)
    for row, (base, role, own) in turns.items():
        at_base = multiply(rest[figure.joints[base]], conjugate(standard.orientations[base]))
        is_last = row == figure.joints[role]
        bone = standard.orientations[role] if is_last else multiply(conjugate(at_base), rest[row])
        above = multiply(rest[row], conjugate(skeleton.rest_rotations[row]))
        local[row] = multiply(conjugate(above), multiply(at_base, multiply(own, bone))).T
    frames = np.arange(count, dtype=np.float64)
    return Motion(skeleton, local, frames, neutral.SAMPLES_PER_SECOND, CLIP)


@dataclass(frozen=True, eq=False)
class RigOfPeople:
    """Rig in poses at people's limits, and its own motion.

    `poses`: the generated clip. `parts`: body part of every joint that turns in it. `clips`: all
    clips of the rig. `own`: clips in which it moves. `moving`: joints that turn in those clips.
    `count`: number of people.
    """

    character: str
    standard: neutral.Standard
    poses: Motion
    parts: Mapping[str, str]
    clips: Sequence[Motion]
    own: Sequence[Motion]
    moving: frozenset[str]
    count: int

    @classmethod
    def from_clips(cls, clips: Sequence[Motion], people: People) -> RigOfPeople:
        """Rig from clips; a clip with a single frame shows the rig, but not how it moves.

        Raises EstimationError if there is no clip, if one has the name of the generated clip, or if
        no joint of the rig gets limits, and NotHumanError for a rig that is not one human figure.
        """
        if not clips:
            raise EstimationError("no rig to apply other people's limits to; add a clip of the rig")
        if any(clip.name == CLIP for clip in clips):
            raise EstimationError(f"name {CLIP!r} is reserved for people's poses; rename the clip")
        if clips[0].skeleton.of_controls:
            raise EstimationError(OF_JOINTS)
        moving = frozenset(name for clip in clips for name in _moving_joints(clip))
        own = [clip for clip in clips if clip.frame_count > 1 and moving]
        standard = neutral.standard_pose(bones.find_figure(clips[0].skeleton), own)
        poses, parts = people_motion(standard, people)
        if not parts:
            raise EstimationError(f"no joint gets limits from other people: {NOTHING_SHOWN}")
        poses = replace(poses, findings=clips[0].findings)
        name = clips[0].skeleton.name or clips[0].name
        return cls(name, standard, poses, parts, clips, own, moving, len(people))

    def clips_and_options(self, options: EstimateOptions) -> tuple[list[Motion], EstimateOptions]:
        """The rig's own clips and the poses, and options for measuring them together."""
        joints = {name: None for clip in self.clips for name in clip.joint_names}
        wishes = exclusions_of(options.exclude, [clip.name for clip in self.clips], joints)
        names = {clip.name for clip in self.own}
        exclude = [exclusion(*one) for one in wishes if one.clip in names]
        others = [name for name in self.poses.joint_names if name not in self.parts]
        exclude += [exclusion(CLIP, joints=others)] if others else []
        # Both sides are from the same people.
        options = replace(options, people="off", exclude=tuple(exclude), symmetry="off")
        return [*self.own, self.poses], options

    def relabel(self, found: LimitSet, options: EstimateOptions) -> LimitSet:
        """Limits whose sources and findings say which joints get them from people."""
        reasons = {**self.standard.figure.skipped, **_unknown(self.standard)}
        reasons.update(self.standard.reasons())
        joints = {}
        for name, joint in found.joints.items():
            text = f"limits from {self.count} other people ({self.parts.get(name)})"
            finding = Finding(RULE, text, name)
            if name not in self.parts:
                reason = reasons.get(name, "its body part is unknown")
                finding = Finding(NOT_CARRIED, f"no limits from other people: {reason}", name)
            joint = _relabel_joint(joint, finding)
            is_hinge = name in self.parts and neutral.PARTS[self.parts[name]].plane is not None
            joints[name] = _bend_only(joint) if is_hinge and name not in self.moving else joint
        return replace(
            found,
            character=self.character,
            options={**found.options, **options.to_dict()},
            joints=joints,
            clips=tuple(clip for clip in found.clips if clip.name != CLIP),
            findings=tuple(item for item in found.findings if item.clip != CLIP),
        )


def options_for(clip: Motion, options: EstimateOptions) -> EstimateOptions:
    """Options for a clip; in the generated clip, all poses count and none are screened out."""
    return options if clip.name != CLIP else replace(options, samples="all", leave_out=())


def with_poses_held(clip: ClipSummary) -> ClipSummary:
    """Clip; if it is the generated one, every extreme counts as held and none is an outlier."""
    if clip.clip.name != CLIP:
        return clip
    lower, upper = (
        reach._replace(steady=reach.value, steady_frame=reach.frame)
        for reach in (clip.lower, clip.upper)
    )
    return replace(clip, lower=lower, upper=upper)


def _moving_joints(motion: Motion) -> list[str]:
    """Joints that turn in a motion."""
    first = motion.rotations[:, :, :1]
    same = np.abs(np.sum(motion.rotations * first, axis=1)).min(axis=1)
    return [name for name, cosine in zip(motion.joint_names, same) if cosine < 1.0 - STILL_COSINE]


def _unknown(standard: neutral.Standard) -> dict[str, str]:
    """Reason by joint name, for roles whose twist is unknown."""
    names, joints = standard.figure.skeleton.names, standard.figure.joints
    found = {names[row]: UNSURE for row in joints.values()}
    found[names[joints["pelvis"]]] = "it places the figure"
    found.update((names[joints[role]], reason) for role, reason in standard.doubts.items())
    for side in bones.SIDES:
        if standard.figure.has(f"{side} ankle"):
            found[names[joints[f"{side} ankle"]]] = "only the direction of feet is known"
    return found


def _relabel_joint(joint: JointLimit, finding: Finding) -> JointLimit:
    """Joint whose limits from the generated clip name people as their source."""
    limits = {
        channel: replace(axis, source=AxisSource(*map(_source, (axis.source.min, axis.source.max))))
        for channel, axis in joint.limits.items()
    }
    findings = (finding, *(item for item in joint.findings if item.clip != CLIP))
    candidate = joint.candidate
    if candidate is not None and candidate.clip == CLIP:
        candidate = None
    return replace(joint, limits=limits, findings=findings, candidate=candidate)


def _bend_only(joint: JointLimit) -> JointLimit:
    """Hinge with limits on its own channel only, since its other angles are unknown."""
    hinge = joint.hinge
    kept = hinge.channel if hinge is not None and hinge.is_on_channel else ""
    limits = {
        channel: axis if channel == kept else AxisLimit("free")
        for channel, axis in joint.limits.items()
    }
    if kept:
        return replace(joint, limits=limits)
    text = "no limits from other people: its axis is not on a rotate channel"
    name = joint.findings[0].joint
    return replace(joint, limits=limits, findings=(Finding(NOT_CARRIED, text, name),))


def _source(bound: BoundSource | None) -> BoundSource | None:
    if bound is None or bound.clip != CLIP:
        return bound
    return BoundSource(KIND, value_deg=bound.value_deg)
