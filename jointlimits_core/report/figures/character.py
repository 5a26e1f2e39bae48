"""Geometry of a moving character: joints, bones, ground, trail, and the room it takes up.

Lengths are in the clip's own unit, and figures are scaled to the character's size. Figures have Y
up, so a clip with Z up is rotated. Painters draw them through a
:class:`~jointlimits_core.report.figures.view.Stage`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...geometry.arrays import Floats, Integers
from ...geometry.euler import CHANNELS
from ...geometry.quaternion import matrix_from_quaternion
from ...limits import limit_set, ranges, review_entries
from ...motion.motion import Motion
from ...motion.skeleton import Skeleton
from . import samples, space

OUTSIDE, LOOK, NEAR, PINNED, INSIDE, FREE = ["outside", "look", "near", "pinned", "inside", "free"]
STATE_NAMES = {
    OUTSIDE: "outside now",
    LOOK: "needs a look",
    NEAR: "near a limit",
    PINNED: "pinned",
    INSIDE: "inside",
    FREE: "no limits",
}
"""States of a joint in a pose, with their labels; the first state that applies is shown."""
STATE_CORNERS = {
    OUTSIDE: ((0.0, -1.5), (1.4, 1.1), (-1.4, 1.1)),
    LOOK: ((0.0, -1.5), (1.5, 0.0), (0.0, 1.5), (-1.5, 0.0)),
    PINNED: ((-1.1, -1.1), (1.1, -1.1), (1.1, 1.1), (-1.1, 1.1)),
}
"""Corners of joint markers in units of their radius, y down; the remaining states are discs.
Shapes differ so that no state depends on colour alone."""
STATE_SIZES = {FREE: 0.7}
"""Relative radii of the smaller discs."""
NEAR_DEG = 5.0
"""A joint counts as near a limit if it is closer than this, in degrees."""
TRAIL_POINTS, TRAIL_HZ = 45, 60.0
"""Number of trail points before the current one, and approximate points per second."""
MAX_SAMPLED_FRAMES = 200
"""Maximum number of frames on which the size of a figure is measured."""
USUAL_SHARE = 0.5
"""Share of the frames that stay within the usual width of a figure."""
_GRID_LINES = 8
_Z_UP = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
MIN_TALLER_RATIO = 1.5
"""Minimum ratio of a character's height along Z to that along Y for Z to count as up."""


@dataclass(frozen=True, eq=False)
class Pose:
    """One frame of a character.

    `places`, shape (joints, 3): joint positions. `spaces`, shape (joints, 3, 3): axes of each
    joint's parent space, in which its range is drawn, as unit column vectors.
    """

    places: Floats
    spaces: Floats


@dataclass(frozen=True, eq=False)
class Character:
    """A clip with everything needed to draw it; made by :func:`character_of`.

    `bones`, shape (bones, 2): joint indices, parent first. `anchor`: index of the joint that the
    figure follows, the root or, if the body moves away from the root, a joint below it. `turn`,
    shape (3, 3): rotation from the clip's space to the figure's. `reach`: radius of a sphere that
    contains every frame. `middle`, shape (3,): centre of that sphere relative to the anchor.
    `usual`: distance from the vertical through that centre that most frames stay within, and half
    the height of all frames. `floor`: height of the ground. `notes`: omissions and assumptions of
    the figure.
    """

    motion: Motion
    bones: Integers
    anchor: int
    turn: Floats
    middle: Floats
    reach: float
    floor: float
    usual: tuple[float, float] = (1.0, 1.0)
    notes: tuple[str, ...] = ()

    def pose(self, motion: Motion | None = None, index: int = 0) -> Pose:
        """Pose in one frame of the character's clip, or of another motion with the same joints.

        `index`: position among the motion's frames.
        """
        part = (self.motion if motion is None else motion).keep_frames([index])
        world = part.all_world_matrices()[0]
        local = matrix_from_quaternion(part.rotations[..., 0])
        spaces = self.turn @ unit_axes(world[:, :3, :3]) @ np.swapaxes(local, -1, -2)
        return Pose(world[:, :3, 3] @ self.turn.T, spaces)

    def centre(self, pose: Pose) -> Floats:
        """Centre of the picture for a pose, shape (3,); follows the anchor but not its height."""
        x, _, z = pose.places[self.anchor] + self.middle
        return np.array([x, self.floor + self.middle[1], z])

    def places(self, indices: Sequence[int]) -> Floats:
        """Joint positions in the clip's frames with these indices, shape (frames, joints, 3)."""
        world = self.motion.keep_frames(np.asarray(indices)).all_world_matrices()
        return np.asarray(world[..., :3, 3] @ self.turn.T)

    def trail_indices(self, index: int) -> list[int]:
        """Indices of the frames in the trail that ends at frame `index`."""
        step = trail_step(self.motion.frame_rate)
        return list(range(index - step * min(TRAIL_POINTS, index // step), index + 1, step))

    def end(self, joint: int) -> int:
        """Joint whose trail is drawn for `joint`: its first child, or `joint` itself."""
        children = self.bones[self.bones[:, 0] == joint, 1]
        return int(children[0]) if len(children) else joint

    def ghost(self, pose: Pose, other: Pose) -> Floats:
        """Joint positions of `other`, moved along the ground to `pose`, shape (joints, 3)."""
        shift = pose.places[self.anchor] - other.places[self.anchor]
        return np.asarray(other.places + shift * [1.0, 0.0, 1.0])

    def ground(self, pose: Pose) -> Floats:
        """Lines of the ground grid around a pose, shape (lines, 2, 3).

        The grid is fixed in the world; only its visible part moves with the character.
        """
        step, lines = self.grid
        x, _, z = step * np.floor(self.centre(pose) / step)
        return np.asarray(lines + np.array([x, self.floor, z]))

    @property
    def grid(self) -> tuple[float, Floats]:
        """Spacing of the ground grid, and its lines around a crossing, shape (lines, 2, 3)."""
        step = space.step_for(2.0 * self.reach, _GRID_LINES)
        half = step * np.ceil(self.reach / step)
        ticks = np.array(space.ticks_within(-half, half, step))
        across, ends = np.meshgrid(ticks, [-half, half], indexing="ij")
        level = np.zeros_like(across)
        along_z = np.stack([across, level, ends], axis=-1)
        return step, np.concatenate([along_z, np.stack([ends, level, across], axis=-1)])


def trail_step(frame_rate: float) -> int:
    """Number of frames from one trail point to the next."""
    return max(1, round(frame_rate / TRAIL_HZ))


def character_of(motion: Motion, looked_at: int = MAX_SAMPLED_FRAMES) -> Character:
    """Build the character of a clip, with its size measured on at most `looked_at` frames.

    A clip without bone lengths gets bones of equal length; a single joint is drawn as a point. Both
    cases are listed in the character's notes. Non-finite frames do not count for the size.
    """
    notes, skeleton = [], motion.skeleton
    parents, lower = skeleton.parents, skeleton.parents >= 0
    placed = (*motion.translations, *skeleton.between, *motion.between)
    has_bones = np.any(skeleton.offsets[lower]) or any(lower[joint] for joint in placed)
    if lower.any() and not has_bones:
        motion = replace(motion, skeleton=_with_equal_bones(skeleton))
        notes.append("the clip has no bone lengths; all bones are drawn with the same length")
    if len(skeleton) == 1:
        notes.append("the clip has one joint, so there are no bones")
    count = min(motion.frame_count, looked_at)
    indices = np.linspace(0, motion.frame_count - 1, count).round().astype(np.int64)
    sampled = motion.keep_frames(indices).all_world_matrices()[..., :3, 3]
    finite = np.isfinite(sampled).all(axis=(1, 2))
    places = sampled[finite] if finite.any() else np.zeros((1, len(skeleton), 3))
    behind = _joints_left_behind(places, parents)
    size = np.sort(np.ptp(np.delete(places, behind, axis=1), axis=1), axis=0)[len(places) // 2]
    turn = np.eye(3)
    if motion.skeleton is skeleton and size[2] > MIN_TALLER_RATIO * size[1]:
        turn = _Z_UP
        notes.append("Z is taken as up, since the character is taller along Z than along Y")
    anchor, places = len(behind), places @ turn.T
    if behind:
        followed = f"{skeleton.names[anchor]}, which moves away from {skeleton.names[0]}"
        notes.append(f"the figure follows {followed}")
    children = np.flatnonzero(lower & ~np.isin(parents, behind))
    bones = np.stack([parents[children], children], axis=1)
    room = _room(np.delete(places, behind, axis=1), places[:, anchor])
    return Character(motion, bones, anchor, turn, *room, tuple(notes))


def _with_equal_bones(skeleton: Skeleton) -> Skeleton:
    """Skeleton with bones of length one: siblings fan out, chains hang down."""
    offsets = np.zeros((len(skeleton), 3))
    spaces = unit_axes(skeleton.rest_world_matrices()[:, :3, :3])
    for joint in range(len(skeleton)):
        children = np.flatnonzero(skeleton.parents == joint)
        if len(children):
            spread = np.radians(np.linspace(-60.0, 60.0, len(children)))
            angles = spread if len(children) > 1 else np.zeros(1)
            fan = np.stack([np.sin(angles), -np.cos(angles), 0.0 * angles], axis=1)
            offsets[children] = fan @ spaces[joint]
    return replace(skeleton, offsets=offsets)


def unit_axes(matrices: Floats) -> Floats:
    """Matrices, (..., 3, 3), with columns scaled to unit length."""
    lengths = np.linalg.norm(matrices, axis=-2, keepdims=True)
    return np.asarray(matrices / np.where(lengths > 0.0, lengths, 1.0))


def _joints_left_behind(places: Floats, parents: Integers) -> list[int]:
    """Root and joints below it whose only child moves away by over a fifth of the body's size."""
    behind: list[int] = []
    while len(below := np.flatnonzero(parents == len(behind))) == 1 == below[0] - len(behind):
        body = places[:, below[0] :]
        size = np.median(np.ptp(body, axis=1).max(axis=1))
        if np.ptp(np.linalg.norm(body[:, 0] - places[:, len(behind)], axis=1)) <= 0.2 * size:
            break
        behind.append(len(behind))
    return behind


def _room(places: Floats, anchors: Floats) -> tuple[Floats, float, float, tuple[float, float]]:
    """Middle of positions relative to `anchors`, (frames, 3), radius, floor and usual room."""
    # Not np.percentile: it imports numpy.ma, which takes 8 ms.
    lowest = np.sort(places[..., 1].min(axis=1))
    floor = float(np.interp(0.05 * (len(lowest) - 1), np.arange(len(lowest)), lowest))
    away = places - anchors[:, None] * [1.0, 0.0, 1.0] - [0.0, floor, 0.0]
    low, high = away.min(axis=(0, 1)), away.max(axis=(0, 1))
    middle = 0.5 * (low + high)
    middle[[0, 2]] = 0.0
    reach = float(np.linalg.norm(away - middle, axis=2).max())
    widths = np.sort(np.hypot(away[..., 0], away[..., 2]).max(axis=1))
    usual = float(widths[int(USUAL_SHARE * (len(widths) - 1))]), float(0.5 * (high - low)[1])
    return middle, reach if reach > 1e-9 else 1.0, floor, usual


# States


def pinned_joints(limits: limit_set.LimitSet) -> frozenset[str]:
    """Joints with an artist's edit other than a note."""
    return frozenset(edit.joint for edit in limits.edits if edit.target != "note")


def look_joints(found: review_entries.Review) -> frozenset[str]:
    """Joints that a review lists."""
    return frozenset(entry.joint for entry in found.entries if entry.joint)


def is_near(limit: limit_set.JointLimit, pose: Motion, index: int) -> bool:
    """Whether a joint is near a limit, on either side, in the first frame of a motion.

    Locked channels do not count, nor do ranges so small that every value is near a limit.
    """
    if not set(CHANNELS) <= set(limit.limits):
        return False
    degrees = np.degrees(samples.on_branch(samples.rotates_of(pose, index, limit)[:1], limit))
    return bool(distances(limit, degrees)[1][0] < NEAR_DEG)


def distances(limit: limit_set.JointLimit, degrees: Floats) -> tuple[Floats, Floats]:
    """Degrees outside the limits, and degrees to the nearest limit, for channels (frames, 3).

    Both have shape (frames,). The first is 0 inside. The second is measured on both sides of a
    limit; it is infinite if every range is too narrow for a value to be near only one end.
    """
    outside, near = np.zeros(len(degrees)), np.full(len(degrees), np.inf)
    for channel, values in zip(CHANNELS, degrees.T):
        span = ranges.span_of(limit.limits[channel]) if channel in limit.limits else None
        if span is None:
            continue
        low, high = values - span[0], span[1] - values
        outside = np.maximum(outside, -np.minimum(low, high))
        if span[1] - span[0] > 4.0 * NEAR_DEG:
            near = np.minimum(near, np.minimum(np.abs(low), np.abs(high)))
    return outside, near


def joint_state(
    limit: limit_set.JointLimit, outside: bool, near: bool, look: bool, pinned: bool
) -> str:
    """State of a joint: the first of :data:`STATE_NAMES` that applies."""
    is_limited = any(axis.state != "free" for axis in limit.limits.values())
    applies = (outside, look, near, pinned, is_limited, True)
    return list(STATE_NAMES)[applies.index(True)]
