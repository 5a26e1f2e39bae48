"""Screening of clips for suspicious frames.

Each rule examines one clip and yields findings; nothing is dropped silently, and every rule can be
turned off. Frames that a rule marks are excluded only if the rule is listed in `leave_out`. What
the rules share is computed a few joints at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..base import EstimationError, Finding, Progress, frame_ranges, report_progress
from ..geometry import (
    CHANNELS,
    JUMP,
    Booleans,
    Floats,
    axes_of,
    continuous_rotates,
    gimbal_margin,
    rotate_from_local,
)
from .motion import Motion
from .out_of_core import blocks, by_rows, is_large, release, select_columns

BLOCK_BYTES = 1 << 20
"""Bytes of an array processed at a time."""

SPIKE = np.radians(15.0)
"""Smallest step between frames, radians, that may be a spike."""


@dataclass(frozen=True, eq=False)
class Steps:
    """Rotation between frames, radians."""

    largest: Floats
    """Largest over all joints, (frames - 1,)."""
    twice: Booleans
    """Whether a joint has two large steps in a row, (joints,)."""
    moved: Floats
    """Furthest rotation from the first frame, (joints,)."""


@dataclass(frozen=True, eq=False)
class Clip:
    """A motion and the quantities shared by the rules."""

    motion: Motion
    rotates: Floats
    """On one branch, (joints, 3, frames)."""
    changed: Mapping[int, Booleans]
    """Frames moved to that branch, per affected joint, (frames,)."""
    lows: Floats
    """Minima of the channels, (joints, 3)."""
    highs: Floats
    steps: Steps

    @property
    def spans(self) -> Floats:
        """Width of the channels, (joints, 3)."""
        return np.asarray(self.highs - self.lows)

    def finding(self, rule: str, message: str, joint: int | None, chosen: Booleans) -> Finding:
        """Finding about chosen frames, (frames,), of the clip or of one joint."""
        name = None if joint is None else self.motion.joint_names[joint]
        ranges = frame_ranges(self.motion.frames, chosen)
        return Finding(rule, message, name, self.motion.name, ranges)


def prepared(motion: Motion, on_one_branch: bool) -> Clip:
    """Prepare a clip for screening.

    `motion`: with finite rotations. `on_one_branch`: move rotate channels that jump between Euler
    branches to one branch.
    """
    rotates = _rotates(motion) if motion.rotates is None else motion.rotates
    lows, highs = _ends(rotates)
    changed: dict[int, Booleans] = {}
    # A channel whose range is smaller than a jump cannot jump.
    wide = np.flatnonzero((highs - lows > JUMP).any(axis=1)) if on_one_branch else ()
    jumping = [int(joint) for joint in wide if _jumps(rotates[joint])]
    if jumping:
        rotates = _on_one_branch(motion, rotates, jumping, changed)
        lows, highs = _ends(rotates)
    return Clip(motion, rotates, changed, lows, highs, _steps(motion.rotations))


def _ends(rotates: Floats) -> tuple[Floats, Floats]:
    """Minima and maxima of every channel, (joints, 3)."""
    lows, highs = np.empty(rotates.shape[:2]), np.empty(rotates.shape[:2])
    for part in blocks(rotates, size=BLOCK_BYTES):
        lows[part], highs[part] = rotates[part].min(axis=2), rotates[part].max(axis=2)
    return lows, highs


def _jumps(rotates: Floats) -> bool:
    found = bool(np.abs(np.diff(rotates, axis=1)).max(initial=0.0) > JUMP)
    release(rotates)
    return found


def _on_one_branch(
    motion: Motion, rotates: Floats, jumping: Collection[int], changed: dict[int, Booleans]
) -> Floats:
    """Rotates with the jumping joints on one branch; `changed` receives the moved frames."""

    def row(joint: int) -> Floats:
        values: Floats = rotates[joint]
        if joint in jumping:
            values, moved = continuous_rotates(values, motion.skeleton.rotate_orders[joint])
            if moved.any():
                changed[joint] = moved
        release(rotates[joint])
        return values

    return by_rows(len(rotates), rotates.shape[1:], row)


def _steps(rotations: Floats) -> Steps:
    """Rotation between frames, computed a few joints at a time."""
    joints, _, frames = rotations.shape
    largest = np.zeros(frames - 1)
    twice, moved = np.zeros(joints, dtype=bool), np.zeros(joints)
    for part in blocks(rotations, size=BLOCK_BYTES):
        some = rotations[part]
        steps = angles(some[:, :, :-1], some[:, :, 1:])
        np.maximum(largest, steps.max(axis=0), out=largest)
        twice[part] = (np.minimum(steps[:, :-1], steps[:, 1:]) > SPIKE).any(axis=1)
        alike = np.abs(some[:, None, :, 0] @ some)[:, 0].min(axis=1)
        moved[part] = 2.0 * np.arccos(np.minimum(alike, 1.0))
    return Steps(largest, twice, moved)


def angles(first: Floats, second: Floats) -> Floats:
    """Angle between rotations (..., 4, n), shape (..., n); up to 1e-7 for equal ones."""
    alike = np.abs(np.einsum("...kf,...kf->...f", first, second))
    return np.asarray(2.0 * np.arccos(np.minimum(alike, 1.0)))


def _rotates(motion: Motion) -> Floats:
    """Rotate channels, (joints, 3, frames), computed per rotate order."""
    skeleton = motion.skeleton
    shape = (len(skeleton), 3, motion.frame_count)
    if is_large(shape):
        return by_rows(shape[0], shape[1:], lambda joint: _rotates_of(motion, [joint])[0])
    result = np.empty(shape)
    for order in set(skeleton.rotate_orders):
        group = [j for j, name in enumerate(skeleton.rotate_orders) if name == order]
        result[group] = _rotates_of(motion, group)
    return result


def _rotates_of(motion: Motion, group: list[int]) -> Floats:
    """Rotate channels of joints of one order, (joints, 3, frames)."""
    skeleton = motion.skeleton
    local = np.moveaxis(motion.rotations[group], 1, 2)
    orient, axis = skeleton.joint_orients[group, None], skeleton.rotate_axes[group, None]
    rotates = rotate_from_local(local, orient, axis, skeleton.rotate_orders[group[0]])
    release(motion.rotations[group[0]])
    return np.asarray(np.moveaxis(rotates, 2, 1))


LEFT_OUT_BY_DEFAULT = ("non-finite", "inserted-pose")

STILL = np.radians(0.01)
"""Largest rotation, radians, of a joint that counts as not moving."""
SAME = np.radians(1e-4)
"""Largest rotation, radians, between identical frames."""
AT_REST = np.radians(0.5)
GIMBAL = np.radians(5.0)
MINIMUM_SAMPLES = 6
"""The paper requires at least 4 to 6 samples (section 3)."""


@dataclass(frozen=True, eq=False)
class Screened:
    """A clip after screening."""

    motion: Motion
    """Without the excluded frames."""
    rotates: Floats
    """Rotate channels of `motion` in radians, on one branch per joint, shape (joints, 3, frames):
    from the source, or computed from its rotations."""
    findings: tuple[Finding, ...]
    """From the reader and from screening."""


def screen(
    motion: Motion,
    skip_rules: Collection[str] = (),
    leave_out: Collection[str] = LEFT_OUT_BY_DEFAULT,
    progress: Progress | None = None,
) -> Screened:
    """Screen a clip.

    Raises EstimationError if no usable frame is left, or "non-finite" is turned off for a clip that
    needs it. `skip_rules`: names of :data:`RULES` to turn off. `leave_out`: names of :data:`RULES`
    whose frames are excluded. Frames marked by "non-finite" always are, since nothing can be
    computed from them.
    """
    report_progress(progress, 0, len(_CLIP_RULES), f"screening {motion.name}")
    motion, broken = _without_broken_frames(motion)
    if broken and "non-finite" in skip_rules:
        raise EstimationError(
            f"clip {motion.name!r} has {broken[0].message}; turn the rule non-finite back on to "
            "exclude them"
        )
    findings = [*motion.findings, *broken]
    clip = prepared(motion, "euler-flip" not in skip_rules)
    keep = np.ones(motion.frame_count, dtype=bool)
    for number, (name, rule) in enumerate(_CLIP_RULES.items()):
        report_progress(progress, number, len(_CLIP_RULES), f"screening {motion.name}")
        if name in skip_rules:
            continue
        for finding in rule(clip):
            leaves = name in leave_out and bool(finding.frame_ranges)
            findings.append(replace(finding, left_out=leaves))
            for first, last in finding.frame_ranges if leaves else ():
                keep &= (motion.frames < first) | (motion.frames > last)
    if not keep.any():
        raise EstimationError(
            f"clip {motion.name!r}: screening excludes every frame; leave out fewer rules"
        )
    if keep.all():
        return Screened(motion, clip.rotates, tuple(findings))
    chosen = np.flatnonzero(keep)
    return Screened(motion.take(chosen), select_columns(clip.rotates, chosen), tuple(findings))


def _without_broken_frames(motion: Motion) -> tuple[Motion, list[Finding]]:
    broken = np.zeros(motion.frame_count, dtype=bool)
    for part in blocks(motion.rotations, size=BLOCK_BYTES):
        broken |= ~np.isfinite(motion.rotations[part]).all(axis=(0, 1))
    if not broken.any():
        return motion, []
    if broken.all():
        raise EstimationError(f"clip {motion.name!r} has no frame with finite rotations")
    text = f"{int(broken.sum())} frame(s) with non-finite values"
    ranges = frame_ranges(motion.frames, broken)
    found = Finding("non-finite", text, None, motion.name, ranges, left_out=True)
    return motion.take(np.flatnonzero(~broken)), [found]


def _inserted_pose(clip: Clip) -> Iterator[Finding]:
    """Rest pose that a capture program inserted before the motion, followed by a jump."""
    largest = clip.steps.largest
    if len(largest) < 3:
        return
    held = int(np.argmax(largest > STILL)) + 1
    jump = largest[held - 1]
    if jump < SPIKE or held == len(largest):
        return
    if jump < 2.0 * float(np.quantile(np.delete(largest, held - 1), 0.99)):
        return
    moving = clip.spans.max(axis=1) > STILL
    moving &= clip.motion.skeleton.parents >= 0
    before, after = (_at_rest(clip.motion, frame)[moving] for frame in (0, held))
    # Some joints of an inserted pose may be posed by hand; in motion hardly any is exactly at rest.
    if moving.any() and before.mean() > 0.5 and after.mean() < 0.25:
        chosen = np.arange(clip.motion.frame_count) < held
        text = (
            f"{held} frame(s) in the rest pose before the motion, followed by a jump of "
            f"{np.degrees(jump):.0f} degrees: not part of the motion"
        )
        yield clip.finding("inserted-pose", text, None, chosen)


def _at_rest(motion: Motion, frame: int) -> Booleans:
    """Whether each joint is in its rest pose or has all channels at zero."""
    turn = motion.rotations[:, :, frame]
    same = np.abs(np.sum(turn * motion.skeleton.rest_rotations, axis=1)) > np.cos(AT_REST / 2)
    if motion.rotates is not None:
        same |= np.abs(motion.rotates[:, :, frame]).max(axis=1) < AT_REST
    return np.asarray(same)


def _frozen_start(clip: Clip) -> Iterator[Finding]:
    """Identical frames at the start of a clip that moves later."""
    moving = clip.steps.largest > SAME
    held = int(np.argmax(moving)) if moving.any() else 0
    if held >= 2:
        chosen = np.arange(clip.motion.frame_count) <= held
        text = f"the first {held + 1} frames are identical"
        yield clip.finding("frozen-start", text, None, chosen)


def _spikes(clip: Clip) -> Iterator[Finding]:
    """Single frames far from both neighbours, which agree with each other."""
    if clip.motion.frame_count < 3:
        return
    for joint in np.flatnonzero(clip.steps.twice):
        rotations = clip.motion.rotations[joint]
        steps = angles(rotations[:, :-1], rotations[:, 1:])
        smaller = np.minimum(steps[:-1], steps[1:])
        across = angles(rotations[:, :-2], rotations[:, 2:])
        release(rotations)
        least = max(SPIKE, 8.0 * float(np.median(steps)))
        spiked = (smaller > least) & (across < 0.5 * smaller)
        if spiked.any():
            chosen = np.concatenate([[False], spiked, [False]])
            worst = np.degrees(smaller[spiked].max())
            text = f"{int(spiked.sum())} single frame(s) stand out by up to {worst:.0f} degrees"
            yield clip.finding("spike", text, int(joint), chosen)


def _euler_flips(clip: Clip) -> Iterator[Finding]:
    """Keys on another Euler branch of the same rotation."""
    if clip.motion.rotates is None:
        return
    for joint, changed in clip.changed.items():
        text = (
            f"{int(changed.sum())} frame(s) are keyed on another Euler branch; measured on the "
            "main branch here; run an Euler filter before turning limits on"
        )
        yield clip.finding("euler-flip", text, int(joint), changed)


def _gimbal(clip: Clip) -> Iterator[Finding]:
    """Frames near gimbal lock, where two channels share an axis."""
    orders = clip.motion.skeleton.rotate_orders
    middle = np.arange(len(orders)), [axes_of(order)[1] for order in orders]
    reach = np.maximum(clip.highs[middle], -clip.lows[middle])
    for joint in np.flatnonzero(reach > 0.5 * np.pi - GIMBAL):
        order = orders[joint]
        near = gimbal_margin(clip.rotates[joint].T, order) < GIMBAL
        release(clip.rotates[joint])
        if near.any():
            text = (
                f"{int(near.sum())} frame(s) within {np.degrees(GIMBAL):.0f} degrees of gimbal "
                f"lock in rotate order {order}: the outer channels are ill-defined there"
            )
            yield clip.finding("gimbal", text, int(joint), near)


def _never_moves(clip: Clip) -> Iterator[Finding]:
    """Joints that do not move."""
    none = np.zeros(clip.motion.frame_count, dtype=bool)
    for joint in np.flatnonzero(clip.steps.moved < STILL):
        driven = (
            clip.motion.animated is None or clip.motion.joint_names[joint] in clip.motion.animated
        )
        text = "does not move in this clip" if driven else "not animated in this clip"
        yield clip.finding("never-moves", text, int(joint), none)


def _too_few_samples(clip: Clip) -> Iterator[Finding]:
    """Too few frames for a range."""
    count = clip.motion.frame_count
    if count < MINIMUM_SAMPLES:
        text = f"only {count} frame(s); a meaningful range needs at least {MINIMUM_SAMPLES}"
        yield clip.finding("too-few-samples", text, None, np.zeros(count, dtype=bool))


def _clamped_source(clip: Clip) -> Iterator[Finding]:
    """Samples that accumulate exactly on declared limits."""
    enough = max(3, clip.motion.frame_count // 100)
    for name, declared in clip.motion.skeleton.declarations.items():
        if name not in clip.motion.joint_names:
            continue
        joint = clip.motion.joint_names.index(name)
        for channel, bounds in declared.limits_deg.items():
            values = np.degrees(clip.rotates[joint, CHANNELS.index(channel)])
            release(clip.rotates[joint])
            for bound in bounds:
                piled = (
                    np.zeros(len(values), bool) if bound is None else np.abs(values - bound) < 1e-4
                )
                if enough <= piled.sum() < len(values):
                    text = (
                        f"{int(piled.sum())} frames of {channel} are exactly on the existing limit "
                        f"{bound:g}: the source may have been clamped"
                    )
                    yield clip.finding("clamped-source", text, joint, piled)


_CLIP_RULES: dict[str, Callable[[Clip], Iterator[Finding]]] = {
    "inserted-pose": _inserted_pose,
    "frozen-start": _frozen_start,
    "spike": _spikes,
    "euler-flip": _euler_flips,
    "gimbal": _gimbal,
    "never-moves": _never_moves,
    "too-few-samples": _too_few_samples,
    "clamped-source": _clamped_source,
}

RULES = ("non-finite", *_CLIP_RULES)
