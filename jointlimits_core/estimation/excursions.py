"""Excursions: frames outside the human range, or outside the range of all other frames.

An excursion does not prove a fault and changes no limit. Each becomes a finding with its frames and
with the limit that would hold without them, for the review list
(:mod:`jointlimits_core.limits.review_entries`).

Excursions are found in the kept poses, which include every extreme. In a long clip, the frames
between two kept poses are unknown; an excursion includes the unknown frames beside it, so that
excluding its frames removes all of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..base.findings import Finding
from ..base.text import plural
from ..geometry import arrays, circle, euler, quaternion
from ..limits import limit_set, priors, records
from ..motion import mirror, motion
from .clip_summary import ClipSummary
from .summary import Samples

RULES = BACKWARDS, LONE, ONE_CLIP = "bends-backwards", "excursion", "one-clip"
"""Rules of the findings."""
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
MIN_EXCURSION_DEG = 15.0
"""Minimum size of an excursion: larger than the differences between goniometers, or between two
measurements of the same person."""
MIN_EXCURSION_SHARE = 0.5
"""Minimum size of an excursion, as a share of the range without it."""
MAX_SECONDS = 0.5
"""Maximum duration of an excursion; anything longer is a held pose."""
QUICK_SECONDS, TOGETHER_SHARE = 0.1, 0.5
"""Shorter excursions belong to another joint's motion only if the differences between their starts
and ends add up to at most this share of the longer one, because an arm moves in most frames."""
MAX_TOGETHER_JOINTS = 2
"""Maximum number of joints that one fault moves out of their ranges: the joint and a neighbour."""
ONE_CLIP_DEG = 20.0
"""Minimum difference between one clip and the rest; whole clips differ more than single frames."""
MIN_CLIPS = 3
LEVEL_COUNT = 64
"""Number of levels examined between the furthest frame and the rest."""


def excursion_findings(
    samples: Samples, joints: Mapping[str, limit_set.JointLimit]
) -> list[Finding]:
    """Find excursions. `joints`: limits that were measured from these samples."""
    sides = _limited_sides(samples, joints)
    return [*_backwards(samples, joints), *_lone_events(samples, sides), *_one_clip(samples, sides)]


def with_limits_of_all(
    findings: Iterable[Finding], samples: Samples, joints: Mapping[str, limit_set.JointLimit]
) -> list[Finding]:
    """Findings completed with the limit that all clips would have without the findings' frames."""
    found = []
    for item in findings:
        if item.channel is None or item.joint not in joints or item.left_out:
            found.append(item)
            continue
        name = str(item.joint)
        named = [n for n, clip in enumerate(samples.clips) if clip.clip.name == item.clip]
        chosen = np.zeros(len(samples.clip_of), dtype=bool)
        for first, last in item.frame_ranges:
            chosen |= (samples.frame_of >= first) & (samples.frame_of <= last)
        chosen &= np.isin(samples.clip_of, named)
        channel, side, instead = _limit_set_there(samples, joints[name], name, chosen)
        bound = None if channel is None else joints[name].limits[channel].bound_deg(str(side))
        by = None if bound is None or instead is None else abs(bound - instead)
        found.append(replace(item, channel=channel, side=side, degrees=by, instead_deg=instead))
    return found


# Joints that bend backwards


def flexion_deg(samples: Samples) -> dict[str, arrays.Floats]:
    """Flexion of elbows and knees by joint name, degrees, shape (samples,) each.

    Flexion is the angle between the two bones, positive in the main direction of the motion.
    Joints with a bone of zero length are left out.
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
        along = lower @ above
        aside = lower - along[:, None] * above
        # In the sum, bent poses outweigh the noise in straight ones.
        main = aside.sum(axis=0)
        size = float(np.linalg.norm(main))
        bent = np.arctan2(aside @ (main / size), along) if size > 0.0 else np.zeros(len(along))
        found[name] = np.degrees(bent)
    return found


def _backwards(samples: Samples, joints: Mapping[str, limit_set.JointLimit]) -> Iterator[Finding]:
    """Clips in which an elbow or a knee bends backwards."""
    for name, flexion in flexion_deg(samples).items():
        behind = flexion < -STRAIGHT_DEG
        if (
            name not in joints
            or flexion.min() >= -BACKWARDS_DEG
            or behind.mean() > MAX_BACKWARDS_SHARE
        ):
            continue
        # Within each clip, keep the runs in which at least one frame bends far backwards.
        far = flexion < -BACKWARDS_DEG
        begins = np.diff(behind, prepend=False) | (np.diff(samples.clip_of, prepend=-1) > 0)
        run = np.cumsum(begins)
        behind &= np.isin(run, run[far])
        channel, side, instead = _limit_set_there(samples, joints[name], name, behind)
        for number in arrays.distinct(samples.clip_of[far]):
            here = samples.clip_of == number
            by = -float(flexion[here].min())
            text = f"bends backwards by {by:.0f} degrees"
            frames = _frames(samples, int(number), behind[here])
            clip, place = samples.clips[number].clip.name, (name, channel, side)
            yield _finding(BACKWARDS, text, place, clip, frames, by, instead)


def _limit_set_there(
    samples: Samples, joint: limit_set.JointLimit, name: str, chosen: arrays.Booleans
) -> tuple[str | None, str | None, float | None]:
    """Channel and side that the chosen frames extend most, and the limit without these frames."""
    row, found = samples.skeleton.index(name), []
    for channel, limit in joint.limits.items():
        if limit.state == "limited" and not chosen.all():
            low, high = np.radians([limit.min_deg or 0.0, limit.max_deg or 0.0])
            rotates = samples.rotates[row, euler.CHANNELS.index(channel)]
            values = np.degrees(circle.into_interval(rotates, low, high))
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
    step, found = _step(clip), []
    for first, last in arrays.frame_ranges(np.arange(len(frames)), chosen):
        # Kept poses may be closer together than one step.
        shown = frames[int(first)], frames[int(last)]
        start = record.first_frame if first == 0 else min(frames[int(first) - 1] + step, shown[0])
        is_end = int(last) + 1 == len(frames)
        end = record.last_frame if is_end else max(frames[int(last) + 1] - step, shown[1])
        found.append((float(start), float(end)))
    return tuple(found)


def _step(clip: ClipSummary) -> float:
    """Distance between frame numbers; whole if they are whole, even if frames are missing."""
    record = clip.clip
    step = record.frame_step
    is_whole = step >= 1.0 and (clip.frames == np.round(clip.frames)).all()
    return float(np.floor(step)) if is_whole else step


# Single frames and single clips that set a limit


class _Sides(NamedTuple):
    """Minimum and maximum sides of every limited channel, in this order."""

    places: Sequence[tuple[str, str, str]]
    """Joint, channel and side."""
    channels: arrays.Floats
    """Degrees, shape (channels, samples)."""
    highest: arrays.Floats
    """Highest value of each side in every clip, shape (sides, clips)."""

    def sign(self, row: int) -> float:
        """Sign by which the channel is multiplied: -1 for a minimum, 1 for a maximum."""
        return -1.0 if self.places[row][2] == "min" else 1.0

    def values(self, row: int) -> arrays.Floats:
        """Channel of a side, multiplied by the side's sign, degrees, shape (samples,)."""
        return np.asarray(self.sign(row) * self.channels[row // 2])


def _limited_sides(samples: Samples, joints: Mapping[str, limit_set.JointLimit]) -> _Sides:
    """Both sides of all limited channels, except for joints that turn the whole body."""
    skeleton = samples.skeleton
    moves = samples.spans.max(axis=1) > motion.STILL_RAD
    # Joints that turn the whole body are above all left and right joints; nothing above them moves.
    paired = [row for row, other in enumerate(mirror.partners(skeleton.names)) if other >= 0]
    above = {row for one in paired for row in skeleton.ancestors(one)[1:]} - set(paired)
    carriers = {row for row in above if not moves[skeleton.ancestors(row)[1:]].any()}
    rows, axes, places, limits = [], [], [], []
    for row, name in enumerate(skeleton.names):
        if name not in joints or row in carriers:
            continue
        for axis, channel in enumerate(euler.CHANNELS):
            limit = joints[name].limits.get(channel)
            if limit is None or limit.state != "limited" or limit.width_deg < MIN_EXCURSION_DEG:
                continue
            rows.append(row)
            axes.append(axis)
            limits.append((limit.min_deg or 0.0, limit.max_deg or 0.0))
            places += [(name, channel, side) for side in records.BOUNDS]
    low, high = np.radians(np.array(limits, float).reshape(-1, 2)).T[:, :, None]
    channels = np.degrees(circle.into_interval(samples.rotates[rows, axes], low, high))
    ends = [
        sign * furthest.reduceat(channels, samples.clip_starts, axis=1)
        for sign, furthest in ((-1.0, np.minimum), (1.0, np.maximum))
    ]
    return _Sides(places, channels, np.stack(ends, axis=1).reshape(-1, len(samples.clips)))


class _Event(NamedTuple):
    """Excursion that alone sets a limit."""

    finding: Finding
    is_brief: bool
    """Whether the excursion is short enough and large enough to be listed."""
    is_quick: bool
    """Whether the excursion takes at most :data:`QUICK_SECONDS`."""


def _lone_events(samples: Samples, sides: _Sides) -> Iterator[Finding]:
    """Findings about brief excursions of single joints; whole-body motion moves many joints."""
    clips = sides.highest.argmax(axis=1)
    low, high = (sides.highest.max(axis=1) - MIN_EXCURSION_DEG).reshape(-1, 2).T[..., None]
    near = np.stack([-sides.channels > low, sides.channels > high], axis=1)
    near = near.reshape(-1, len(samples.clip_of))
    # The samples of a clip are contiguous, so runs can be counted along the whole row. A clip that
    # is near the limit more than once has no excursion there.
    near &= samples.clip_of == clips[:, None]
    rows = np.flatnonzero(_run_counts(near) == 1).tolist()
    events = [event for row in rows if (event := _event(samples, sides, row)) is not None]
    found = [event.finding for event in events]
    start, stop = np.array([item.frame_ranges for item in found]).reshape(-1, 2).T
    clip_names = np.array([item.clip for item in found])
    joints = np.array([item.joint for item in found])
    for event, first, last in zip(events, start, stop):
        beside = (clip_names == event.finding.clip) & (start <= last) & (stop >= first)
        if event.is_quick:
            # A motion that includes this excursion begins and ends at about the same time.
            apart = np.abs(start - first) + np.abs(stop - last)
            beside &= apart <= TOGETHER_SHARE * np.maximum(last - first, stop - start)
        if event.is_brief and len(set(joints[beside].tolist())) <= MAX_TOGETHER_JOINTS:
            yield event.finding


def _event(samples: Samples, sides: _Sides, row: int) -> _Event | None:
    """Excursion on one side of a channel, in the clip that reaches furthest; None without one."""
    values, number = sides.values(row), int(sides.highest[row].argmax())
    others = np.delete(sides.highest[row], number).max(initial=-np.inf)
    here = values[samples.clip_of == number]
    run = _only_run(here, max(float(others), float(here.min())))
    if run is None:
        return None
    top, rest = float(here.max()), max(float(others), float(here[~run].max(initial=-np.inf)))
    by = top - rest
    if not by >= MIN_EXCURSION_DEG:
        return None
    ((first, last),) = _frames(samples, number, run)
    clip = samples.clips[number]
    step = _step(clip)
    seconds = ((last - first) / step + 1.0 if step > 0.0 else 1.0) / clip.clip.frame_rate
    width = top + float(-values.min()) - by
    place, instead = sides.places[row], sides.sign(row) * rest
    text = f"{place[1]} goes {by:.0f} degrees further in one excursion than in all other frames"
    finding = _finding(LONE, text, place, clip.clip.name, ((first, last),), by, instead)
    is_brief = seconds <= MAX_SECONDS and by >= MIN_EXCURSION_SHARE * width
    return _Event(finding, is_brief, seconds <= QUICK_SECONDS)


def _only_run(values: arrays.Floats, least: float) -> arrays.Booleans | None:
    """Frames of one peak, down to the end of the longest series of levels at which it is alone."""
    levels = np.linspace(values.max(), least, LEVEL_COUNT + 2)[1:-1, None]
    above = values > levels
    stretches = arrays.frame_ranges(np.arange(LEVEL_COUNT), _run_counts(above) == 1)
    if not stretches:
        return None
    _, lowest = max(stretches, key=lambda ends: ends[1] - ends[0])
    return np.asarray(above[int(lowest)])


def _run_counts(chosen: arrays.Booleans) -> arrays.Integers:
    """Number of runs of True along the last axis."""
    begins = chosen[..., 1:] & ~chosen[..., :-1]
    return np.asarray(chosen[..., 0] + begins.sum(axis=-1))


def _one_clip(samples: Samples, sides: _Sides) -> Iterator[Finding]:
    """Limits set by a single clip, far beyond all other clips."""
    if len(samples.clips) < MIN_CLIPS:
        return
    second, first = np.sort(sides.highest, axis=1)[:, -2:].T
    for row in np.flatnonzero(first - second >= ONE_CLIP_DEG).tolist():
        place, by = sides.places[row], float(first[row] - second[row])
        number = int(sides.highest[row].argmax())
        others = sides.channels[row // 2, samples.clip_of != number]
        if by < MIN_EXCURSION_SHARE * float(np.ptp(others)):
            continue
        others_words = plural(len(samples.clips) - 1, "other clip")
        text = f"{place[1]} goes {by:.0f} degrees further in this clip than in the {others_words}"
        instead = sides.sign(row) * float(second[row])
        yield _finding(ONE_CLIP, text, place, samples.clips[number].clip.name, (), by, instead)


def _finding(
    rule: str,
    text: str,
    place: tuple[str, str | None, str | None],
    clip: str,
    frames: tuple[tuple[float, float], ...],
    by: float,
    instead: float | None,
) -> Finding:
    joint, channel, side = place
    return Finding(
        rule, text, joint, clip, frames, channel=channel, side=side, degrees=by, instead_deg=instead
    )
