"""Motion data of a page: compressed streams of integers, from which a script poses the character.

Angles are stored in steps of :data:`STEP_DEG`, so no rotation is off by more than
:data:`MAX_ERROR_DEG`. Length steps depend on the character's size; positions are relative to the
root in the first frame.
"""

from __future__ import annotations

import binascii
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...base.text import plural
from ...geometry.arrays import Booleans, Floats
from ...geometry.euler import CHANNELS, rotate_from_local
from ...geometry.quaternion import IDENTITY, quaternion_from_matrix
from ...limits import limit_set, ranges
from ...motion.motion import Motion
from . import character as figure
from .samples import on_branch, rotates_of

STEP_DEG = 1.0 / 32.0
MAX_ERROR_DEG = 0.05
"""Maximum error of a rotation: each of its three channels is off by up to half a step."""
MAX_FRAMES, MAX_POSES = 10_000, 400_000
"""Maximum number of frames, and of joints times frames, on a page."""
LENGTHS_PER_REACH = 8192
"""Number of length steps in the character's reach."""
MAX_STEPS = 2**28

Stream = Any
"""An integer, the value in all frames, or [order, planes, start]."""


class Streams:
    """Integer streams, compressed together.

    A stream is stored as first- or second-order differences, zigzag-encoded as unsigned integers
    and split into byte planes.
    """

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0

    def add(self, values: Floats, step: float = 1.0) -> Stream:
        """Add finite values, shape (frames,), rounded to whole steps; return the stream's key."""
        steps = np.clip(np.round(values / step), -MAX_STEPS, MAX_STEPS).astype(np.int64)
        if (steps == steps[0]).all():
            return int(steps[0])
        first = np.diff(steps, prepend=0)
        second = np.diff(first, prepend=0)
        order = 2 if np.abs(second).sum() < np.abs(first).sum() else 1
        change = second if order == 2 else first
        words = ((change << 1) ^ (change >> 63)).astype("<u8")
        planes = max(1, (int(words.max()).bit_length() + 7) // 8)
        start = self._size
        self._parts.append(words.view(np.uint8).reshape(-1, 8)[:, :planes].T.tobytes())
        self._size += planes * len(steps)
        return [order, planes, start]

    def add_points(self, points: Floats, step: float) -> list[list[Stream]]:
        """Add positions, (frames, points, 3); return x, y, z and presence for each point.

        Presence is 1, or 0 where the position is NaN; x, y and z then keep their last values.
        """
        found = []
        for place in range(points.shape[1]):
            places = points[:, place]
            held, there = hold_last(places), np.isfinite(places).all(axis=1)
            found.append([self.add(held[:, axis], step) for axis in range(3)])
            found[-1].append(self.add(there.astype(np.float64)))
        return found

    def text(self) -> str:
        """All streams as base64."""
        # Planes are noise or runs: zlib's other strategies take three times as long for no gain.
        packer = zlib.compressobj(strategy=zlib.Z_RLE)
        packed = packer.compress(b"".join(self._parts)) + packer.flush()
        return binascii.b2a_base64(packed, newline=False).decode("ascii")


def hold_last(values: Floats) -> Floats:
    """Fill missing frames, (frames, 3), with the last known value, or zeros before the first."""
    known: Booleans = np.isfinite(values).all(axis=1)
    if known.all():
        return values
    last = np.maximum.accumulate(np.where(known, np.arange(len(values)), -1))
    return np.where(last[:, None] >= 0, values[np.maximum(last, 0)], 0.0)


@dataclass(frozen=True, eq=False)
class Playback:
    """Clips of one character, prepared for a page.

    `data`: plain data for JSON. `motions`: the clips shown, with only their shown frames;
    `positions`: indices of these clips among those given. `degrees`: rotate channels by joint name,
    (frames, 3), on the branch of the limits. `notes`: omissions and assumptions.
    """

    data: dict[str, Any]
    motions: tuple[Motion, ...]
    positions: tuple[int, ...]
    character: figure.Character
    degrees: Mapping[str, Floats]
    notes: tuple[str, ...]

    def frame_index(self, clip: str | None, frame: float | None) -> int | None:
        """Index of a clip's frame among all frames shown; None if it is not shown."""
        names = [motion.name for motion in self.motions]
        if clip not in names or frame is None:
            return None
        return self.index_in(names.index(clip), frame)

    def index_in(self, place: int, frame: float) -> int | None:
        """Index of a frame of `motions[place]` among all frames shown; None if it is not shown."""
        frames = self.motions[place].frames
        at = int(np.searchsorted(frames, frame - 1e-6))
        if at >= len(frames) or abs(frames[at] - frame) > 1e-3:
            return None
        return at + sum(motion.frame_count for motion in self.motions[:place])


def playback(
    limits: limit_set.LimitSet, motions: Sequence[Motion], keep: Sequence[float] = ()
) -> Playback | None:
    """Prepare a character's clips, with channels on the branch of the limits; None without clips.

    Every frame that set a limit or whose number is in `keep` is shown. Clips whose joints differ
    from those of the longest clip are left out.
    """
    if not motions:
        return None
    longest = max(motions, key=lambda motion: motion.frame_count)
    names, parents = longest.joint_names, longest.skeleton.parents
    positions = [
        place
        for place, motion in enumerate(motions)
        if motion.joint_names == names and np.array_equal(motion.skeleton.parents, parents)
    ]
    shown, left = [motions[place] for place in positions], len(motions) - len(positions)
    notes = [f"{plural(left, 'clip')} with other joints not shown"] if left else []
    others = [motion for motion in shown if motion is not longest]
    looked_at = max(figure.MAX_SAMPLED_FRAMES // max(len(others), 1), 20)
    every = [
        figure.character_of(longest),
        *(figure.character_of(motion, looked_at) for motion in others),
    ]
    # Make room for all clips, on the lowest of their floors.
    reach, floor = max(one.reach for one in every), min(one.floor for one in every)
    character = replace(every[0], reach=reach, floor=floor)
    notes += character.notes
    shown, words = _thin_out(shown, limits, keep)
    notes += [words] if words else []
    if character.motion is not longest:
        skeleton = character.motion.skeleton
        shown = [replace(motion, skeleton=skeleton) for motion in shown]
    if not all(np.isfinite(motion.rotations).all() for motion in shown):
        notes.append("frames without data keep the last pose")
    data, degrees = _data(limits, shown, character)
    return Playback(data, tuple(shown), tuple(positions), character, degrees, tuple(notes))


def _thin_out(
    motions: list[Motion], limits: limit_set.LimitSet, keep: Sequence[float]
) -> tuple[list[Motion], str]:
    """Clips thinned to fit a page, with every frame that the page names, and a note on this."""
    joints, total = len(motions[0].skeleton), sum(motion.frame_count for motion in motions)
    most = min(MAX_FRAMES, max(MAX_POSES // joints, 2))
    if total <= most:
        return motions, ""
    step = -(-total // most)
    axes = [axis for joint in limits.joints.values() for axis in joint.limits.values()]
    bounds = [(b.clip, b.frame) for axis in axes for b in axis.source.known if b.frame is not None]
    kept = []
    for motion in motions:
        count, own = motion.frame_count, [frame for clip, frame in bounds if clip == motion.name]
        also = np.flatnonzero(np.isin(motion.frames, [*keep, *own]))
        every = -(-count // -(-count // step))
        kept.append(motion.keep_frames(np.union1d(np.arange(0, count, every), also)))
    count = sum(motion.frame_count for motion in kept)
    return kept, f"{count:,} of {total:,} frames: one in {step}, plus those that the page names"


def _data(
    limits: limit_set.LimitSet, shown: Sequence[Motion], character: figure.Character
) -> tuple[dict[str, Any], dict[str, Floats]]:
    """Data from which a page poses the clips, and the joints' channels."""
    place = character.turn @ character.motion.keep_frames([0]).all_world_matrices()[0, 0, :3, 3]
    origin = place if np.isfinite(place).all() else np.zeros(3)
    length, (step, lines) = character.reach / LENGTHS_PER_REACH, character.grid
    streams = Streams()
    nodes, degrees = _nodes(limits, shown, streams, character.turn, origin, length)
    data = {
        "nodes": nodes,
        "bones": character.bones.tolist(),
        "names": list(shown[0].joint_names),
        "clips": [_clip(motion) for motion in shown],
        "step": STEP_DEG,
        "length": length,
        "reach": character.reach,
        "anchor": character.anchor,
        "middle": _round_to_step(character.middle, length),
        "floor": float(character.floor - origin[1]),
        "grid": [step, [[_round_to_step(end, length) for end in line] for line in lines]],
        "trail": {
            "points": figure.TRAIL_POINTS,
            "every": [figure.trail_step(motion.frame_rate) for motion in shown],
        },
        "packed": streams.text(),
    }
    return data, degrees


def _clip(motion: Motion) -> dict[str, Any]:
    frames = motion.frames
    steps = np.diff(frames)
    spacing = float(np.sort(steps)[len(steps) // 2]) if len(steps) else 1.0
    even = not len(steps) or np.ptp(steps) < 1e-6 * spacing
    numbers = [float(frames[0]), spacing] if even else [round(float(n), 4) for n in frames]
    return {
        "name": motion.name,
        "count": len(frames),
        "even": bool(even),
        "numbers": numbers,
        "spacing": spacing,
        "rate": motion.frame_rate,
    }


def _round_to_step(values: Floats, step: float) -> list[float]:
    """Values rounded to a tenth of a step, which keeps JSON short."""
    digits = int(np.clip(1 - np.floor(np.log10(step)), 0, 17))
    return [round(float(value), digits) for value in values]


def _quaternion(turn: Floats) -> list[float]:
    return [round(float(part), 7) for part in turn]


def _nodes(
    limits: limit_set.LimitSet,
    motions: Sequence[Motion],
    streams: Streams,
    turn: Floats,
    origin: Floats,
    length: float,
) -> tuple[list[dict[str, Any]], dict[str, Floats]]:
    """Nodes of the joints, in order, then one above each joint whose parent space moves.

    Their channels and positions go into `streams`. `turn`, `origin`: see :func:`_parent_frames`.
    `length`: length step. Also returns the joints' channels, (frames, 3) degrees, by name.
    """

    def place_or_moves(offset: Floats) -> dict[str, Any]:
        held = hold_last(offset)
        if np.abs(held - held[:1]).max() <= 0.25 * length:
            return {"at": _round_to_step(held[0], length)}
        return {"moves": [streams.add(axis, length) for axis in held.T]}

    found = [_parent_frames(motion, turn, origin) for motion in motions]
    spaces, offsets = (np.concatenate(parts) for parts in zip(*found))
    nodes: list[dict[str, Any]] = []
    extra: list[dict[str, Any]] = []
    degrees: dict[str, Floats] = {}
    for joint, name in enumerate(motions[0].joint_names):
        orientation, degrees[name] = _channels_on_branch(limits, motions, joint)
        node = {"parent": int(motions[0].skeleton.parents[joint]), **orientation}
        node["channels"] = [streams.add(axis, STEP_DEG) for axis in degrees[name].T]
        space, offset = spaces[:, joint], offsets[:, joint]
        if np.abs(space - space[:1]).max() < 1e-5:
            node["pre"] = _quaternion(quaternion_from_matrix(space[0]))
        else:
            angles = rotate_from_local(quaternion_from_matrix(space), IDENTITY, IDENTITY, "xyz")
            steady = np.degrees(np.unwrap(angles, axis=0))
            above = {"parent": node["parent"], "order": "xyz", **place_or_moves(offset)}
            above["channels"] = [streams.add(axis, STEP_DEG) for axis in steady.T]
            extra.append(above)
            node["parent"], offset = len(spaces[0]) + len(extra) - 1, np.zeros((1, 3))
        nodes.append({**node, **place_or_moves(offset)})
    return nodes + extra, degrees


def _channels_on_branch(
    limits: limit_set.LimitSet, motions: Sequence[Motion], joint: int
) -> tuple[dict[str, Any], Floats]:
    """Orientation of a joint and its channels, (frames, 3) degrees, on the branch of its limits."""
    skeleton = motions[0].skeleton
    limit = limits.joints.get(skeleton.names[joint])
    orient, axis = skeleton.joint_orients[joint], skeleton.rotate_axes[joint]
    order = skeleton.rotate_orders[joint]
    if limit is not None and set(CHANNELS) <= set(limit.limits):
        order = limit.orientation.rotate_order
        if limit.orientation.kind != "own":
            orient, axis = ranges.orientation_of(limit.orientation)
        rotates = np.concatenate([rotates_of(motion, joint, limit) for motion in motions])
        angles = on_branch(rotates, limit)
    else:
        rotations = np.concatenate([motion.rotations[joint].T for motion in motions])
        angles = np.unwrap(rotate_from_local(rotations, orient, axis, order), axis=0)
    turns = {"orient": orient, "axis": axis}
    turns = {key: _quaternion(q) for key, q in turns.items() if abs(q[3]) < 1.0 - 1e-12}
    return {"order": order, **turns}, hold_last(np.degrees(angles))


def _parent_frames(motion: Motion, turn: Floats, origin: Floats) -> tuple[Floats, Floats]:
    """Axes and origins of the joints' parent spaces, each relative to the parent joint.

    Axes have shape (frames, joints, 3, 3), origins (frames, joints, 3); those of roots are relative
    to `origin`. `turn`, shape (3, 3): rotation from the clip's space to the figure's.
    """
    parents, count = motion.skeleton.parents, motion.frame_count
    below = any(parents[joint] >= 0 for joint in motion.translations)
    # Rotations leave these spaces where they are, so one frame is often enough.
    part = motion if motion.scales or motion.between or below else motion.keep_frames([0])
    still = np.broadcast_to(IDENTITY[:, None], part.rotations.shape)
    world = replace(part, rotations=still).all_world_matrices()
    axes, places = turn @ figure.unit_axes(world[..., :3, :3]), world[..., :3, 3] @ turn.T - origin
    spaces, offsets = axes.copy(), np.repeat(places, count // len(places), axis=0)
    for joint, parent in enumerate(parents.tolist()):
        if parent >= 0:
            back = np.swapaxes(axes[:, parent], -1, -2)
            step = places[:, joint] - places[:, parent]
            spaces[:, joint] = back @ axes[:, joint]
            offsets[:, joint] = np.einsum("fij,fj->fi", back, step)
        elif part is not motion and joint in motion.translations:
            own = motion.skeleton.between.get(joint, np.eye(4))
            moved = motion.translations[joint] @ own[:3, :3].T + own[:3, 3]
            offsets[:, joint] = moved @ turn.T - origin
    return np.broadcast_to(spaces, (count, *spaces.shape[1:])), offsets
