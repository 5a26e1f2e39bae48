"""Coupled joint limits: shapes, and channels whose ranges depend on each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from ..base import errors, findings
from ..base.progress import Progress, report_progress
from ..geometry.arrays import Booleans, Floats, product_of_rows
from ..geometry.euler import CHANNELS, axes_of
from ..limits import ranges, records
from ..limits.limit_set import JointLimit, LimitSet
from ..motion import joint_names, motion, reorient
from ..motion.screening.rules import Screenings
from ..motion.screening.screened import Screened
from ..motion.skeleton import Skeleton, twist_axes
from ..people.people_file import people_named
from ..shapes import fitting, flat
from ..shapes.coupled_limit import CoupledLimit, FitOptions, fit_options_of
from ..shapes.shape import CoupledShape
from .options import EstimateOptions, included_clips
from .starter import RigOfPeople, options_for

DIRECTION_COUNT = 48
STEP_RAD = 2.0 * np.pi / DIRECTION_COUNT
SHIFTS = (0.23, 0.41, 0.59, 0.77)
"""Time shifts as shares of the samples; their ratios are not simple fractions."""
PAD_DEG = 3.0
"""Padding, so that noise in narrow ranges does not count as gain."""
MIN_GAIN_SHARE = 0.2
MIN_HELD_OUT_SHARE = 0.9
MIN_ONE_CLIP_GAIN_SHARE = 0.5
"""Minimum gain in a single clip, where the gait alone couples all joints."""
MIN_RANGE_DEG = 10.0
"""Minimum range of a channel to be compared."""
GIMBAL_DEG = 5.0
MAX_SAMPLES = 2048
"""Number of evenly spaced samples for the first test; the gain is then measured on all samples."""


def even_directions() -> Floats:
    """Evenly spaced unit vectors including both axes, shape (DIRECTION_COUNT, 2)."""
    angles = STEP_RAD * np.arange(DIRECTION_COUNT)
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


def hull_area(first: Floats, second: Floats) -> float:
    """Area of the polygon that touches the points in every even direction; shapes (samples,)."""
    directions = even_directions()
    reach = (directions @ np.stack([first, second])).max(axis=1)
    after, ahead = np.roll(directions, -1, axis=0), np.roll(reach, -1)
    x = (reach * after[:, 1] - ahead * directions[:, 1]) / np.sin(STEP_RAD)
    y = (ahead * directions[:, 0] - reach * after[:, 0]) / np.sin(STEP_RAD)
    return float(0.5 * np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)))


def dependency_gain(first: Floats, second: Floats) -> float:
    """Share (at most 1) of the area of two channels, in degrees, that their coupling rules out."""
    # Both scaled to -1/2 to 1/2.
    a, b = ((values - values.min()) / np.ptp(values) - 0.5 for values in (first, second))
    pads = [PAD_DEG / float(np.ptp(values)) for values in (first, second)]
    shifted = [np.roll(b, round(share * len(b))) for share in SHIFTS]
    free = float(np.median([_padded_area(a, values, pads) for values in shifted]))
    return 1.0 - _padded_area(a, b, pads) / free


def _padded_area(a: Floats, b: Floats, pads: list[float]) -> float:
    """Area of the hull after padding every point with a rectangle."""
    first, second = pads
    corners = np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]]) * (first, second)
    # Only the outermost points in each direction matter; each is replaced by four corners.
    along = np.einsum("di,in->dn", even_directions(), np.stack([a, b]))  # single-threaded
    outer = np.unique(along.argmax(axis=1))
    points = (np.stack([a[outer], b[outer]], axis=1)[:, None] + corners).reshape(-1, 2)
    return hull_area(points[:, 0], points[:, 1])


@dataclass(frozen=True, eq=False)
class _Channel:
    """A moving channel and its values in every clip, degrees."""

    joint: str
    type: str
    channel: str
    clips: tuple[Floats, ...]

    @property
    def values(self) -> Floats:
        return np.concatenate(self.clips)


def with_dependencies(
    limit_set: LimitSet,
    clips: Sequence[motion.Motion],
    options: EstimateOptions | None = None,
    progress: Progress | None = None,
    pad_deg: float = PAD_DEG,
    screenings: Screenings | None = None,
) -> LimitSet:
    """Find channels whose range depends on a nearby channel; the largest gain comes first.

    Compared channels belong to one joint, to a joint and its parent, or to hinges and universal
    joints with the same parent or grandparent (fingers) on the same side of the body: both legs
    swing together because of the motion, not because of the body. `options`: estimate options.
    `screenings`: clips that earlier steps screened with these options.
    """
    options = options or EstimateOptions()
    ordered = sorted(
        included_clips(clips, options.exclude, limit_set.joints),
        key=lambda pair: (pair[0].name, pair[0].rotations.tobytes()),
    )
    if not ordered:  # all limits are from people
        return replace(limit_set, dependencies=())
    channels = _channels(limit_set, ordered, options, screenings or Screenings())
    pairs = list(_near_pairs(channels, ordered[0][0].skeleton))
    found = []
    for number, (one, other) in enumerate(pairs):
        dependency = _dependency(one, other, pad_deg)
        found += [dependency] if dependency is not None else []
        report_progress(
            progress, number + 1, len(pairs), f"comparing {one.joint} and {other.joint}"
        )
    return replace(limit_set, dependencies=tuple(sorted(found, key=lambda item: -item.gain)))


def _channels(
    limit_set: LimitSet,
    clips: Sequence[tuple[motion.Motion, Booleans]],
    options: EstimateOptions,
    screenings: Screenings,
) -> list[_Channel]:
    """Moving channels with limits, in the orientations that the limits use.

    `clips`: each with its excluded frames, (joints, frames).
    """
    advised = {
        name: joint.advice
        for name, joint in limit_set.joints.items()
        if joint.advice is not None and joint.orientation.kind == "advised"
    }
    screened = [
        screenings.screen(
            reorient.reoriented_motion(clip, advised) if advised else clip,
            leave_out=options.leave_out,
            excluded=excluded,
        )
        for clip, excluded in clips
    ]
    found = []
    for name, joint in limit_set.joints.items():
        if joint.type == "fixed" or _meets_gimbal_lock(joint):
            continue
        rotates = [_rotates_deg(clip, name) for clip in screened]
        for axis, channel in enumerate(CHANNELS):
            span = ranges.span_of(joint.limits[channel])
            if span is None or joint.limits[channel].state != "limited":
                continue
            middle = 0.5 * (span[0] + span[1])
            values = []
            for clip in rotates:
                known = clip[axis][np.isfinite(clip[axis])]
                centre = np.median(known) if len(known) else middle
                turns = np.round((centre - middle) / ranges.TURN_DEG)
                values.append(clip[axis] - ranges.TURN_DEG * turns)
            every = np.concatenate(values)
            if np.nanmax(every) - np.nanmin(every) >= MIN_RANGE_DEG:
                found.append(_Channel(name, joint.type, channel, tuple(values)))
    return found


def _rotates_deg(clip: Screened, name: str) -> Floats:
    """Channels of a joint in all frames, (3, frames); NaN where the joint's frames are left out."""
    part, row = clip.of_joint(name), clip.motion.skeleton.index(name)
    if part is clip:
        return np.asarray(np.degrees(clip.rotates[row]))
    found = np.full(clip.rotates[row].shape, np.nan)
    if part is not None:
        found[:, np.isin(clip.motion.frames, part.motion.frames)] = np.degrees(part.rotates[row])
    return found


def _shared_frames(one: _Channel, other: _Channel) -> tuple[_Channel, _Channel]:
    """Two channels without the frames that are left out of either."""
    shared = [np.isfinite(a) & np.isfinite(b) for a, b in zip(one.clips, other.clips)]
    if all(frames.all() for frames in shared):
        return one, other
    kept = [(number, frames) for number, frames in enumerate(shared) if frames.any()]
    first, second = (
        replace(item, clips=tuple(item.clips[number][frames] for number, frames in kept))
        for item in (one, other)
    )
    return first, second


def _meets_gimbal_lock(limit: JointLimit) -> bool:
    """Whether the middle channel is so near gimbal lock that the other channels are meaningless."""
    span = ranges.span_of(limit.limits[CHANNELS[axes_of(limit.orientation.rotate_order)[1]]])
    if span is None:
        return True
    low, high = span[0] - GIMBAL_DEG - 90.0, span[1] + GIMBAL_DEG - 90.0
    return bool(np.floor(high / 180.0) > np.floor(low / 180.0))


def _near_pairs(
    channels: Sequence[_Channel], skeleton: Skeleton
) -> Iterator[tuple[_Channel, _Channel]]:
    """Pairs of channels to compare: neighbours in a chain, and fingers of one hand."""
    chains = [skeleton.ancestors(skeleton.index(item.joint)) for item in channels]
    above = [[skeleton.names[joint] for joint in chain] for chain in chains]
    sides = [
        {reading.side for reading in joint_names.side_readings(item.joint)} for item in channels
    ]
    thin = [item.type in ("hinge", "universal") for item in channels]
    for (a, one), (b, other) in combinations(enumerate(channels), 2):
        alike = one.joint in above[b][:2] or other.joint in above[a][:2]
        # The root is ignored because all joints share it.
        shared = (set(above[a][1:3]) & set(above[b][1:3])) - {above[a][-1]}
        fingers = thin[a] and thin[b] and bool(shared) and len(above[a]) == len(above[b])
        opposite = bool(sides[a] and sides[b] and not sides[a] & sides[b])
        if alike or (fingers and not opposite):
            yield one, other


def _dependency(one: _Channel, other: _Channel, pad_deg: float) -> records.Dependency | None:
    """Dependency between two channels; None if it gains too little or fails in other clips."""
    one, other = _shared_frames(one, other)
    if not one.clips or min(np.ptp(one.values), np.ptp(other.values)) < MIN_RANGE_DEG:
        return None
    a, b = one.values, other.values
    step = -(-len(a) // MAX_SAMPLES)
    alone = len(one.clips) == 1
    needed = MIN_ONE_CLIP_GAIN_SHARE if alone else MIN_GAIN_SHARE
    if dependency_gain(a[::step], b[::step]) < needed:
        return None
    held_out = None if alone else _held_out_share(one, other)
    if held_out is not None and held_out < MIN_HELD_OUT_SHARE:
        return None
    # A parent drives its children; within one joint, the channel with the larger range drives.
    swapped = one.joint == other.joint and np.ptp(a) < np.ptp(b)
    on, limited = (other, one) if swapped else (one, other)
    # Rounding avoids hundreds of corners caused by noise.
    pairs = np.round(np.stack([on.values, limited.values], axis=1), records.CORNER_DIGITS)
    corners = flat.convex_polygon(pairs.astype(np.float64)).tolist()
    return records.Dependency(
        joint=limited.joint,
        channel=limited.channel,
        on_joint=on.joint,
        on_channel=on.channel,
        corners_deg=tuple((x, y) for x, y in corners),
        gain=round(dependency_gain(a, b), 4),
        held_out=held_out,
        clips=len(one.clips),
        pad_deg=pad_deg,
    )


def _held_out_share(one: _Channel, other: _Channel) -> float:
    """Share of the frames in the other clips' box that are also in the other clips' polygon."""
    both = [np.stack(pair, axis=1) for pair in zip(one.clips, other.clips)]
    directions = even_directions() / np.ptp(np.concatenate(both), axis=0)
    pad = PAD_DEG * np.abs(directions).sum(axis=1)
    along = [product_of_rows(clip, directions.T) for clip in both]
    reaches = np.stack([clip.max(axis=0) for clip in along])
    inside = boxed = 0
    for number, clip in enumerate(along):
        kept = clip <= np.delete(reaches, number, axis=0).max(axis=0) + pad
        # The box uses only the four directions along the channels.
        in_box = kept[:, :: DIRECTION_COUNT // 4].all(axis=1)
        boxed += int(in_box.sum())
        inside += int((kept.all(axis=1) & in_box).sum())
    return round(inside / boxed, 4) if boxed else 0.0


RULE = "no-shape"
EACH_SIDE = "left and right ranges are pooled, but shapes are fitted to each side separately"
SHAPE_OPTIONS = ("with shapes", "coupled")
"""Option groups that :func:`with_requested_shapes` uses."""


def with_coupled_limits(
    limit_set: LimitSet,
    clips: Sequence[motion.Motion],
    kind: str,
    fit: FitOptions | None = None,
    options: EstimateOptions | None = None,
    progress: Progress | None = None,
    screenings: Screenings | None = None,
) -> LimitSet:
    """Fit a shape to every moving joint except the root; findings name joints that no shape fits.

    Hinges and universal joints get the shape of their type; hinges with limits from other people
    get none, as only their bends are known. `kind`: shape for ball joints, one of
    :data:`jointlimits_core.shapes.fitting.FITS`. `options`: options of the estimate. `screenings`:
    clips that earlier steps screened with these options. Raises EstimationError if there are no
    clips, or if the clips lack one of the joints.
    """
    options = options or EstimateOptions()
    if options.people != "off":
        rig = RigOfPeople.from_clips(clips, people_named(options.people))
        clips, options = rig.clips_and_options(options)
    included = included_clips(clips, options.exclude, limit_set.joints)
    if not included:
        raise errors.EstimationError(
            "shapes need every frame, which a summary does not have; give the clips"
        )
    fit, screenings, kept = fit or FitOptions(), screenings or Screenings(), []
    for place, (clip, excluded) in enumerate(included):
        report_progress(progress, place, len(included), f"collecting poses from {clip.name}")
        rules = options_for(clip, options).leave_out
        kept.append(screenings.screen(clip, leave_out=rules, excluded=excluded))
    first = kept[0].motion
    missing = [name for name in limit_set.joints if name not in first.joint_names]
    if missing:
        raise errors.EstimationError(f"clip {first.name!r} has no joint {missing[0]!r}")
    rotations = {}
    for name, limit in limit_set.joints.items():
        parts = [part.motion for clip in kept if (part := clip.of_joint(name)) is not None]
        is_free = all(axis.state == "free" for axis in limit.limits.values())
        is_only_a_bend = limit.is_from_people and limit.type == "hinge"
        if parts and limit.type != "fixed" and not (is_free or is_only_a_bend):
            rotations[name] = np.concatenate([part.quaternion(name) for part in parts])
    axes = twist_axes(first.skeleton)
    joints = dict(limit_set.joints)
    for number, (name, limit) in enumerate(limit_set.joints.items()):
        if name in rotations:
            axis = axes[first.skeleton.index(name)]
            joints[name] = _with_shape(name, limit, rotations[name], kind, fit, axis)
        report_progress(progress, number + 1, len(joints), f"fitted {name}")
    notes = [findings.Finding(RULE, EACH_SIDE)] if options.symmetry == "pool" else []
    return replace(limit_set, joints=joints, findings=(*limit_set.findings, *notes))


def _with_shape(
    name: str, limit: JointLimit, rotations: Floats, kind: str, fit: FitOptions, axis: Floats
) -> JointLimit:
    shape: CoupledShape
    try:
        # Real motion is always slightly off the axes, and a shape must contain the motion it fits.
        if limit.type == "hinge":
            shape = fitting.fit_hinge(rotations, fit, slack=True)
        elif limit.type == "universal":
            shape = fitting.fit_universal(rotations, fit, slack=True)
        else:
            shape = fitting.fit_shape(kind, rotations, fit, axis)
    except errors.EstimationError as error:
        finding = findings.Finding(RULE, f"no shape could be fitted: {error}", name)
        return replace(limit, coupled=None, findings=(*limit.findings, finding))
    outside = int(np.count_nonzero(~shape.contains(rotations)))
    found = CoupledLimit(
        **shape.to_dict(),
        pad_deg=fit.pad_deg,
        freedom=shape.freedom(),
        samples=len(rotations),
        trimmed=outside,
    )
    return replace(limit, coupled=found)


def with_requested_shapes(
    limit_set: LimitSet,
    clips: Sequence[motion.Motion],
    values: Mapping[str, Any],
    options: EstimateOptions,
    progress: Progress | None = None,
    screenings: Screenings | None = None,
) -> LimitSet:
    """Fit shapes and find dependencies, as the option ``coupled`` does.

    `values`: values of all options in the groups :data:`SHAPE_OPTIONS`. `screenings`: clips that
    the estimate screened with these options. Raises ValueError if the limits are not on rotate
    channels, and EstimationError or Cancelled like :func:`with_coupled_limits`.
    """
    if options.mode == "paper":
        raise ValueError(errors.OptionText("shapes need the standard mode; leave ", "mode", " out"))
    fit, screened = fit_options_of(values), screenings or Screenings()
    shape = values["shape"]
    found = with_coupled_limits(limit_set, clips, shape, fit, options, progress, screened)
    return with_dependencies(found, clips, options, progress, fit.pad_deg, screened)
