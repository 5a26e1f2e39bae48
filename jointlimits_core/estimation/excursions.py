"""Elbows and knees that bend backwards, and limits measured without a finding's frames.

Bending backwards does not prove a fault and changes no limit. It is reported as a finding, with its
frames and the limit that would hold without them, for the review list
(:mod:`jointlimits_core.limits.review_entries`).

Only the kept poses, which include every extreme, are searched. In a long clip, the frames between
two kept poses are unknown; a finding includes the unknown frames next to its own, so that excluding
its frames removes the whole bend.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..base.findings import Finding
from ..geometry import arrays, circle, euler, quaternion
from ..limits import limit_set, priors
from ..limits.review_steps import frame_step
from ..motion import mirror
from ..motion.skeleton import Skeleton
from .summary import Samples

BACKWARDS = "bends-backwards"
"""Rule for findings about bending backwards."""
STRAIGHT_PARTS = ("elbow", "knee")
"""Joints whose two bones are in line at the start of the published range of flexion."""
BACKWARDS_DEG = 10.0
"""Extension beyond straight that counts as bending backwards: the criterion for hypermobile elbows
and knees in the score of Beighton, Solomon and Soskolne, Ann Rheum Dis 32 (1973) 413."""
STRAIGHT_DEG = 1.0
"""Maximum extension at which a joint still counts as straight."""
MAX_BACKWARDS_SHARE = 1.0 / 3.0
"""Maximum share of frames in which a joint bends backwards; above this share, the two directions of
bending are too similar to decide which one is flexion."""


def with_limits_of_all(
    findings: Iterable[Finding], samples: Samples, joints: Mapping[str, limit_set.JointLimit]
) -> list[Finding]:
    """Findings, each with the limit that all clips together would give without its frames."""
    found = []
    for item in findings:
        if item.channel is None or item.joint not in joints or item.left_out:
            found.append(item)
            continue
        name = str(item.joint)
        named = [n for n, clip in enumerate(samples.clips) if clip.clip.name == item.clip]
        there = dict.fromkeys(named, item.frame_ranges)
        channel, side, instead = _limit_set_there(samples, joints[name], name, there)
        bound = None if channel is None else joints[name].limits[channel].bound_deg(str(side))
        by = None if bound is None or instead is None else abs(bound - instead)
        found.append(replace(item, channel=channel, side=side, degrees=by, instead_deg=instead))
    return found


class Flexion(NamedTuple):
    """Flexion of an elbow or a knee, positive in the direction in which it usually bends."""

    degrees: arrays.Floats
    """Angle between the two bones, shape (samples,)."""
    axis: arrays.Floats
    """Axis of positive flexion in the parent's space, shape (3,)."""


def flexion_of(samples: Samples) -> dict[str, Flexion]:
    """Flexion of elbows and knees by joint name; joints with a bone of zero length are left out.

    The axis is the one about which the joint bends most. The direction in which it is bent in most
    frames is positive, however far it bends the other way in other frames.
    """
    skeleton, found = samples.skeleton, {}
    for name, part in priors.body_parts(skeleton.names).items():
        joint = skeleton.index(name)
        children = np.flatnonzero(skeleton.parents == joint)
        if part not in STRAIGHT_PARTS or not len(children):
            continue
        # Unit directions of the bone that ends at the joint and of the bone to its farthest child.
        lengths = np.linalg.norm(skeleton.offsets[children], axis=1)
        ends = skeleton.offsets[[joint, children[int(lengths.argmax())]]]
        sizes = np.linalg.norm(ends, axis=1)
        if not (sizes > 0.0).all():
            continue
        above, below = ends / sizes[:, None]
        lower = quaternion.rotate(samples.rotations[joint].T, below)
        bends = np.cross(above, lower)
        axis = np.linalg.eigh(np.einsum("ni,nj->ij", bends, bends))[1][:, -1]
        sine, cosine = np.einsum("ni,i->n", bends, axis), np.einsum("ni,i->n", lower, above)
        degrees = np.degrees(np.arctan2(sine, cosine))
        bent = degrees[np.abs(degrees) > STRAIGHT_DEG]
        sign = -1.0 if len(bent) and np.median(bent) < 0.0 else 1.0
        found[name] = Flexion(sign * degrees, sign * axis)
    return found


def backwards_findings(
    samples: Samples, joints: Mapping[str, limit_set.JointLimit]
) -> Iterator[Finding]:
    """Findings about clips in which an elbow or a knee bends backwards.

    `joints`: limits that were measured from these samples.
    """
    every = flexion_of(samples)
    agreed = _bending_agreement(samples.skeleton, every)
    for name, (flexion, _) in every.items():
        behind = flexion < -STRAIGHT_DEG
        if (
            name not in joints
            or flexion.min() >= -BACKWARDS_DEG
            or behind.mean() > MAX_BACKWARDS_SHARE
            # A joint without a partner must bend further in its usual direction.
            or not agreed.get(name, flexion.max() > -flexion.min())
        ):
            continue
        # Within each clip, keep the runs in which at least one frame bends far backwards.
        far = flexion < -BACKWARDS_DEG
        begins = np.diff(behind, prepend=False) | (np.diff(samples.clip_of, prepend=-1) > 0)
        run = np.cumsum(begins)
        behind &= np.isin(run, run[far])
        there = {
            number: _frames(samples, number, behind[samples.clip_of == number])
            for number in arrays.distinct(samples.clip_of[far]).tolist()
        }
        channel, side, instead = _limit_set_there(samples, joints[name], name, there)
        for number, frames in there.items():
            here = samples.clip_of == number
            by, clip = -float(flexion[here].min()), samples.clips[number].clip.name
            found = Finding(BACKWARDS, f"bends backwards by {by:.0f} degrees", name, clip, frames)
            yield replace(found, channel=channel, side=side, degrees=by, instead_deg=instead)


def _bending_agreement(skeleton: Skeleton, flexions: Mapping[str, Flexion]) -> dict[str, bool]:
    """Whether the joints of each pair bend in mirrored directions; unknown pairs are left out."""
    pairs = [p for p in mirror.pair_joints(skeleton) if {p.left, p.right} <= set(flexions)]
    plane = mirror.mirror_plane(skeleton, pairs) if pairs else None
    if plane is None or not mirror.is_mirrored(skeleton, pairs, plane):
        return {}
    found = {}
    for pair, turn in zip(pairs, mirror.mirror_frames(skeleton, pairs, plane).parents):
        left, right = quaternion.rotate(turn, flexions[pair.left].axis), flexions[pair.right].axis
        found[pair.left] = found[pair.right] = float(left @ right) > 0.0
    return found


def _limit_set_there(
    samples: Samples,
    joint: limit_set.JointLimit,
    name: str,
    there: Mapping[int, Sequence[tuple[float, float]]],
) -> tuple[str | None, str | None, float | None]:
    """Channel and side that some frames extend most, and the limit without these frames.

    `there`: frame ranges by the index of the clip.
    """
    row, found = samples.skeleton.index(name), []
    for channel, limit in joint.limits.items():
        known, clips, frames = samples.known_values(row, euler.CHANNELS.index(channel))
        chosen = np.zeros(len(known), dtype=bool)
        for number, ranges in there.items():
            chosen |= (clips == number) & arrays.in_ranges(frames, ranges)
        if limit.state == "limited" and not chosen.all():
            low, high = np.radians([limit.min_deg or 0.0, limit.max_deg or 0.0])
            values = np.degrees(circle.into_interval(known, low, high))
            kept = values[~chosen]
            for side, furthest in (("min", np.min), ("max", np.max)):
                instead = float(furthest(kept))
                found.append((abs(float(furthest(values)) - instead), channel, side, instead))
    by, *place = max(found, default=(0.0, None, None, None))
    return tuple(place) if by > 0.0 else (None, None, None)  # type: ignore[return-value]


def _frames(
    samples: Samples, number: int, chosen: arrays.Booleans
) -> tuple[tuple[float, float], ...]:
    """Frame ranges of a clip's chosen samples, extended toward the neighbouring kept poses."""
    clip = samples.clips[number]
    record, frames = clip.clip, clip.frames
    step, found = frame_step(record), []
    for first, last in arrays.frame_ranges(np.arange(len(frames)), chosen):
        # Kept poses may be closer together than one step.
        shown = frames[int(first)], frames[int(last)]
        start = record.first_frame if first == 0 else min(frames[int(first) - 1] + step, shown[0])
        is_end = int(last) + 1 == len(frames)
        end = record.last_frame if is_end else max(frames[int(last) + 1] - step, shown[1])
        found.append((float(start), float(end)))
    return tuple(found)
