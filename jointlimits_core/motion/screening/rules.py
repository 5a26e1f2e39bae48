"""Screening of clips for suspicious frames.

Each rule examines one clip and yields findings; nothing is dropped silently, and every rule can be
turned off. Frames that a rule marks are excluded only if the rule is listed in `leave_out`: those
of the whole clip are dropped, and those of a joint are replaced by its pose before them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace

import numpy as np

from ...base import EstimationError, Finding, Progress, frame_ranges, plural, report_progress
from ...base.records import NamedTuple
from ...geometry import CHANNELS, Booleans, Floats, Integers, axes_of, gimbal_margin
from ..motion import Motion
from ..out_of_core import blocks, by_rows, release
from .clip import BLOCK_BYTES, STILL, Clip, branched, prepared
from .joint_faults import joint_faults
from .whole_clip import clip_faults

LEFT_OUT_BY_DEFAULT = ("non-finite", "inserted-pose", "spike", "glitch")

GIMBAL = np.radians(5.0)
LEAST_GAIN_DEG = 0.05
"""Smallest difference to a limit, degrees, that is reported."""
MINIMUM_SAMPLES = 6
"""The paper requires at least 4 to 6 samples (section 3)."""


class Screened(NamedTuple):
    """A clip after screening."""

    motion: Motion
    """Without the frames excluded of all joints; a joint with excluded frames of its own keeps the
    pose before them."""
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
    report_progress(progress, 0, len(_CHANNEL_RULES), f"screening {motion.name}")
    motion, broken = _without_broken_frames(motion)
    if broken and "non-finite" in skip_rules:
        raise EstimationError(
            f"clip {motion.name!r} has {broken[0].message}; turn the rule non-finite back on to "
            "exclude them"
        )
    on_one_branch = "euler-flip" not in skip_rules
    clip = prepared(motion, on_one_branch)
    found = [
        replace(finding, left_out=finding.left_out and finding.rule in leave_out)
        for finding in _found(clip, progress, skip_rules)
    ]
    lost = _LeftOut(clip, found)
    findings = (*motion.findings, *broken, *(lost.with_limits(item) for item in found))
    return Screened(*lost.removed(on_one_branch), findings)


def _found(clip: Clip, progress: Progress | None, skip_rules: Collection[str]) -> Iterator[Finding]:
    """Findings of all rules that are on."""
    on_clip, explained = clip_faults(clip)
    for finding in (*on_clip, *joint_faults(clip, explained.union(clip.gaps))):
        if finding.rule not in skip_rules:
            yield finding
    for number, (name, rule) in enumerate(_CHANNEL_RULES.items()):
        report_progress(progress, number, len(_CHANNEL_RULES), f"screening {clip.motion.name}")
        if name not in skip_rules:
            yield from rule(clip)


class _LeftOut:
    """Frames of a clip and of single joints that findings leave out."""

    def __init__(self, clip: Clip, findings: Collection[Finding]) -> None:
        self.clip, self.whole = clip, np.zeros(clip.motion.frame_count, dtype=bool)
        self.joints: dict[int, Booleans] = {}
        for finding in findings:
            if finding.left_out and finding.joint is None:
                self.whole |= self._chosen(finding)
            elif finding.left_out and finding.joint is not None:
                joint = clip.motion.skeleton.index(finding.joint)
                self.joints[joint] = self.of(joint) | self._chosen(finding)
        self._check()

    def _check(self) -> None:
        """Raise EstimationError if nothing is left of the clip or of a joint."""
        names = self.clip.motion.joint_names
        all_gone = [names[j] for j, gone in self.joints.items() if (gone | self.whole).all()]
        if all_gone or self.whole.all():
            of_joint = "" if self.whole.all() else f" of joint {all_gone[0]!r}"
            raise EstimationError(
                f"clip {self.clip.motion.name!r}: screening excludes every frame{of_joint}; leave "
                "out fewer rules"
            )

    def of(self, joint: int) -> Booleans:
        """Frames of one joint that are left out, (frames,)."""
        return self.joints.get(joint, np.zeros(len(self.whole), dtype=bool))

    def _chosen(self, finding: Finding) -> Booleans:
        chosen = np.zeros(len(self.whole), dtype=bool)
        frames = self.clip.motion.frames
        for first, last in finding.frame_ranges:
            chosen |= (frames >= first) & (frames <= last)
        return chosen

    def with_limits(self, finding: Finding) -> Finding:
        """Finding with the limit that its frames set or would set, if they exceed all others."""
        if finding.joint is None or finding.rule not in (*CLIP_FAULTS, *JOINT_FAULTS):
            return finding
        joint = self.clip.motion.skeleton.index(finding.joint)
        chosen = self._chosen(finding)
        others = ~(chosen | self.of(joint) | self.whole)
        if not others.any():
            return finding
        values = np.degrees(self.clip.rotates[joint])
        ends = []
        for part in (chosen, others):
            ends.append(np.concatenate([-values[:, part].min(axis=1), values[:, part].max(axis=1)]))
        beyond, inside = ends
        worst = int(np.argmax(beyond - inside))
        gain = float((beyond - inside)[worst])
        if gain < LEAST_GAIN_DEG:
            return finding
        sign, channel = (-1.0, 1.0)[worst >= 3], CHANNELS[worst % 3]
        instead = sign * float((beyond if finding.left_out else inside)[worst])
        side = ("min", "max")[worst >= 3]
        return replace(finding, channel=channel, side=side, degrees=gain, instead_deg=instead)

    def removed(self, on_one_branch: bool) -> tuple[Motion, Floats]:
        """Motion and rotate channels without these frames.

        A joint that leaves out frames of its own keeps its pose before them, so that all joints
        have the same frames and no pose is made up.
        """
        if not self.joints and not self.whole.any():
            return self.clip.motion, self.clip.rotates
        motion = self._with_poses_held() if self.joints else self.clip.motion
        if self.whole.any():
            motion = motion.take(np.flatnonzero(~self.whole))
        # The branches were chosen with the frames that are gone now.
        return motion, branched(motion, on_one_branch)[0]

    def _with_poses_held(self) -> Motion:
        motion = self.clip.motion
        held = {joint: _held_frames(self.of(joint) | self.whole) for joint in self.joints}

        def with_poses(array: Floats) -> Floats:
            def row(joint: int) -> Floats:
                values = array[joint]
                values = np.take(values, held[joint], axis=-1) if joint in held else values
                release(array[joint])
                return values

            return by_rows(len(array), array.shape[1:], row)

        own = None if motion.rotates is None else with_poses(motion.rotates)
        return replace(motion, rotations=with_poses(motion.rotations), rotates=own)


def _held_frames(left_out: Booleans) -> Integers:
    """For every frame itself or the last one before it, else the first, that is not left out."""
    own = np.where(left_out, -1, np.arange(len(left_out)))
    return np.where((held := np.maximum.accumulate(own)) < 0, np.argmin(left_out), held)


def _without_broken_frames(motion: Motion) -> tuple[Motion, list[Finding]]:
    broken = np.zeros(motion.frame_count, dtype=bool)
    for part in blocks(motion.rotations, size=BLOCK_BYTES):
        broken |= ~np.isfinite(motion.rotations[part]).all(axis=(0, 1))
    if not broken.any():
        return motion, []
    if broken.all():
        raise EstimationError(f"clip {motion.name!r} has no frame with finite rotations")
    text = f"{plural(int(broken.sum()), 'frame')} with non-finite values"
    ranges = frame_ranges(motion.frames, broken)
    found = Finding("non-finite", text, None, motion.name, ranges, left_out=True)
    return motion.take(np.flatnonzero(~broken)), [found]


def _euler_flips(clip: Clip) -> Iterator[Finding]:
    """Keys on another Euler branch of the same rotation."""
    if clip.motion.rotates is None:
        return
    for joint, changed in clip.changed.items():
        text = (
            f"{plural(int(changed.sum()), 'frame')} keyed on another Euler branch; measured on the "
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
                f"{plural(int(near.sum()), 'frame')} within {np.degrees(GIMBAL):.0f} degrees of "
                f"gimbal lock in rotate order {order}: the outer channels are ill-defined there"
            )
            yield clip.finding("gimbal", text, int(joint), near)


def _never_moves(clip: Clip) -> Iterator[Finding]:
    """Joints that do not move."""
    none = np.zeros(clip.motion.frame_count, dtype=bool)
    for joint in np.flatnonzero(clip.steps.moved < STILL):
        name, animated = clip.motion.joint_names[joint], clip.motion.animated
        driven = animated is None or name in animated
        text = "does not move in this clip" if driven else "not animated in this clip"
        yield clip.finding("never-moves", text, int(joint), none)


def _too_few_samples(clip: Clip) -> Iterator[Finding]:
    """Too few frames for a range."""
    count = clip.motion.frame_count
    if count < MINIMUM_SAMPLES:
        text = f"only {plural(count, 'frame')}; a meaningful range needs at least {MINIMUM_SAMPLES}"
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


_CHANNEL_RULES: dict[str, Callable[[Clip], Iterator[Finding]]] = {
    "euler-flip": _euler_flips,
    "gimbal": _gimbal,
    "never-moves": _never_moves,
    "too-few-samples": _too_few_samples,
    "clamped-source": _clamped_source,
}

CLIP_FAULTS = (
    *("inserted-pose", "frozen-start", "frozen", "repeated-frames", "swapped-sides"),
    *("glitch", "dropped-frames"),
)
"""Rules about whole clips; "frozen" and "glitch" are about single joints as well."""
JOINT_FAULTS = ("spike", "half-turn", "zero-slip")

RULES = ("non-finite", *CLIP_FAULTS, *JOINT_FAULTS, *_CHANNEL_RULES)
