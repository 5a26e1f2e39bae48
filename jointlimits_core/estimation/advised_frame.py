"""Samples in the suggested joint orientations: same rotations, other channels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ..arrays import Floats
from ..limits.frame_advice import FrameAdvice
from ..limits.limit_set import Hinge, Universal
from ..reframe import JointFrame, reframed_rotates
from ..skeleton import Skeleton
from .clip_summary import ClipSummary
from .frame_advice import advise_joints
from .reach import both_reaches
from .samples import Samples


def frame_advice(
    samples: Samples,
    types: Sequence[str],
    rests: Floats,
    hinges: Mapping[int, Hinge],
    universals: Mapping[int, Universal],
) -> list[FrameAdvice]:
    """Orientation and rotate-order advice for every joint.

    Parameters
    ----------
    rests : array, shape (joints, 4)
        Local rotations of the rest pose.
    hinges, universals : mapping of joint index to their axes
    """
    skeleton = samples.skeleton
    frames = [
        JointFrame(orient, axis, order)
        for orient, axis, order in zip(
            skeleton.joint_orients, skeleton.rotate_axes, skeleton.rotate_orders
        )
    ]
    found: dict[int, Hinge | Universal] = {**hinges, **universals}
    axes = [
        (found[row].axis_parent, found[row].axis_child) if row in found else None
        for row in range(len(skeleton))
    ]
    return advise_joints(
        samples.rotations,
        types,
        frames,
        rests,
        axes,
        rotates=samples.rotates,
        reaches=_reaches(skeleton),
    )


def _reaches(skeleton: Skeleton) -> list[float]:
    """Distance from every joint to its most distant descendant, in the rest pose."""
    places = skeleton.rest_world_matrices()[:, :3, 3]
    reaches = np.zeros(len(skeleton))
    for joint in range(len(skeleton)):
        above = int(skeleton.parents[joint])
        while above >= 0:
            distance = float(np.linalg.norm(places[joint] - places[above]))
            reaches[above] = max(reaches[above], distance)
            above = int(skeleton.parents[above])
    return reaches.tolist()


def in_advised_frames(samples: Samples, advice: Sequence[FrameAdvice | None]) -> Samples:
    """Same samples with channels in the suggested orientations.

    Visits and holds at the extremes are then measured on the kept poses only.
    """
    rows = [row for row, item in enumerate(advice) if item is not None and item.changes]
    skeleton, rotates = samples.skeleton, samples.rotates.copy()
    orients, axes = skeleton.joint_orients.copy(), skeleton.rotate_axes.copy()
    orders = list(skeleton.rotate_orders)
    for row in rows:
        item = advice[row]
        assert item is not None
        orients[row], axes[row] = item.joint_orient, item.rotate_axis
        orders[row] = item.rotate_order
        rotates[row] = reframed_rotates(
            samples.rotations[row], item, samples.rotates[row], samples.clip_starts
        )
    starts = samples.clip_starts.tolist()
    pieces = np.split(rotates, starts[1:], axis=2)
    return replace(
        samples,
        skeleton=replace(
            skeleton, joint_orients=orients, rotate_axes=axes, rotate_orders=tuple(orders)
        ),
        rotates=rotates,
        clips=tuple(
            _reached_again(clip, piece, rows) for clip, piece in zip(samples.clips, pieces)
        ),
    )


def _reached_again(clip: ClipSummary, rotates: Floats, rows: Sequence[int]) -> ClipSummary:
    """Clip with the reach of some joints measured on new channels."""
    span = max(float(clip.frames[-1] - clip.frames[0]), 1.0)
    rate = clip.clip.frame_rate * (len(clip.frames) - 1) / span if len(clip.frames) > 1 else 1.0
    lower, upper = both_reaches(rotates, clip.frames, max(rate, 1e-3))
    goes_round = clip.goes_round.copy()
    goes_round[rows] = np.ptp(rotates[rows], axis=2) >= 2.0 * np.pi
    index = np.array(rows, dtype=np.int64)
    return replace(
        clip,
        rotates=rotates,
        goes_round=goes_round,
        lower=clip.lower.replaced(index, lower.of(index)),
        upper=clip.upper.replaced(index, upper.of(index)),
    )
