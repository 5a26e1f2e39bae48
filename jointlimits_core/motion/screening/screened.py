"""A screened clip, and the frames left out of it, for all joints or for single ones."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple, TypeVar

import numpy as np

from ...base.errors import EstimationError
from ...base.findings import Finding
from ...geometry.arrays import Booleans, Floats, frame_ranges, in_ranges
from ...geometry.circle import Interval
from ...geometry.euler import CHANNELS
from ..motion import Motion
from .clip import Clip, angles, choose_branches
from .joint_faults import FLIPPED_SECONDS, MAX_MISS_SHARE

CLIP_FAULTS = (
    *("inserted-pose", "frozen-start", "frozen", "repeated-frames", "swapped-sides"),
    *("glitch", "dropped-frames"),
)
"""Rules about whole clips; "frozen" and "glitch" are about single joints as well."""
JOINT_FAULTS = ("spike", "half-turn", "zero-slip", "excursion")
STAYING = "zero-slip"
JUMPS = ("half-turn", STAYING, "dropped-frames")
"""Rules about steps between a frame and the frame before it."""

MIN_GAIN_DEG = 0.05
"""Smallest reported change of a limit, degrees."""


Part = TypeVar("Part")
Changed = TypeVar("Changed")


def change_parts(
    parts: Mapping[str, Part | None], change: Callable[[Part], Changed]
) -> dict[str, Changed | None]:
    """Changed parts by joint name; joints that share a part also share the changed part."""
    every = {id(part): part for part in parts.values() if part is not None}
    changed = {key: change(part) for key, part in every.items()}
    return {name: None if part is None else changed[id(part)] for name, part in parts.items()}


class Screened(NamedTuple):
    """A clip after screening."""

    motion: Motion
    """The clip without frames that are excluded for all joints. A joint with excluded frames of its
    own holds the pose before them."""
    rotates: Floats
    """Rotate channels of `motion` in radians, on one branch per joint, shape (joints, 3, frames):
    from the source, or computed from its rotations."""
    span: Interval
    """Ranges of these channels, (joints, 3)."""
    turning: Booleans
    """Channels whose own keys turn all the way round, (joints, 3)."""
    findings: tuple[Finding, ...]
    """Findings from the reader and from screening."""
    held: Booleans | None = None
    """Frames in which a joint only holds a pose, (joints, frames); None if there are none."""
    apart: Mapping[str, Screened | None] = MappingProxyType({})
    """The clip for joints with exclusions of their own, by name; None if no frame remains."""

    def of_joint(self, name: str) -> Screened | None:
        """The clip as used for a joint; None if all its frames are left out."""
        return self.apart.get(name, self)


class LeftOut:
    """Frames that findings and the user exclude from a clip and its joints.

    Raises EstimationError if findings leave no frame.
    """

    def __init__(self, clip: Clip, findings: Collection[Finding], excluded: Booleans) -> None:
        joints, frames = len(clip.motion.skeleton), clip.motion.frame_count
        self.clip, self.excluded = clip, excluded
        self.whole: Booleans = excluded.all(axis=0)
        self.joints: Booleans = np.zeros((joints, frames), dtype=bool)
        for finding in findings:
            if finding.left_out and finding.joint is None:
                self.whole |= self._frames_of_finding(finding)
            elif finding.left_out:
                self.joints[self._row(finding)] |= self._frames_of_finding(finding)
        all_gone = (self.joints | self.whole).all(axis=1)
        if all_gone.any():
            name = clip.motion.joint_names[int(np.argmax(all_gone))]
            of_joint = "" if self.whole.all() else f" of joint {name!r}"
            raise EstimationError(
                f"clip {clip.motion.name!r}: screening excludes every frame{of_joint}; leave out "
                "the frames of fewer rules"
            )

    def _frames_of_finding(self, finding: Finding) -> Booleans:
        return in_ranges(self.clip.motion.frames, finding.frame_ranges)

    def without_excluded(self, finding: Finding) -> Finding | None:
        """Finding without the user's exclusions; None if nothing of it remains."""
        rows = slice(None) if finding.joint is None else self._row(finding)
        gone = np.atleast_2d(self.excluded[rows]).all(axis=0)
        if not gone.any():
            return finding
        if gone.all():
            return None
        frames, rest = self.clip.motion.frames, np.zeros(len(gone), dtype=bool)
        for first, last in finding.frame_ranges:
            inside = np.flatnonzero(in_ranges(frames, [(first, last)]))
            # Nothing jumps where the frame on one side of a jump is left out.
            sides = inside if finding.rule == "dropped-frames" else [max(inside[0] - 1, 0)]
            if finding.rule not in JUMPS or not gone[[*sides, inside[0]]].any():
                rest[inside] = ~gone[inside]
            elif finding.rule == STAYING and len(inside) == 1:
                rest[self._jump_across(finding, int(inside[0]), gone)] = True
        left = frame_ranges(frames, rest)
        if left == finding.frame_ranges:
            return finding
        return replace(finding, frame_ranges=left) if left else None

    def _jump_across(self, finding: Finding, to: int, gone: Booleans) -> list[int]:
        """First frame after a short excluded stretch, if a jump without return is still there."""
        before, after = np.flatnonzero(~gone[:to])[-1:], to + np.flatnonzero(~gone[to:])[:1]
        longest = FLIPPED_SECONDS * self.clip.motion.frame_rate
        if finding.joint is None or not len(before) or not len(after) or after - before > longest:
            return []
        q = self.clip.motion.rotations[self._row(finding)]
        size, across = angles(q[:, [to - 1]], q[:, [to]]), angles(q[:, before], q[:, after])
        return after.tolist() if across > MAX_MISS_SHARE * size else []

    def _row(self, finding: Finding) -> int:
        return self.clip.motion.skeleton.index(finding.joint or "")

    def with_limits(self, finding: Finding) -> Finding:
        """Finding with the limit that its frames set, or would set, beyond all other frames."""
        if finding.joint is None or finding.rule not in (*CLIP_FAULTS, *JOINT_FAULTS):
            return finding
        joint = self._row(finding)
        chosen = self._frames_of_finding(finding)
        others = ~(chosen | self.joints[joint] | self.excluded[joint] | self.whole)
        if not others.any():
            return finding
        values = np.degrees(self.clip.rotates[joint])
        both_ways = np.concatenate([-values, values])
        beyond, inside = both_ways[:, chosen].max(axis=1), both_ways[:, others].max(axis=1)
        worst = int(np.argmax(beyond - inside))
        gain = float((beyond - inside)[worst])
        if gain < MIN_GAIN_DEG:
            return finding
        sign, channel = (-1.0, 1.0)[worst >= 3], CHANNELS[worst % 3]
        instead = sign * float((beyond if finding.left_out else inside)[worst])
        side = ("min", "max")[worst >= 3]
        return replace(finding, channel=channel, side=side, degrees=gain, instead_deg=instead)

    def remove_frames(
        self, whole: Booleans, on_one_branch: bool, joints: Collection[int] | None = None
    ) -> Screened:
        """The clip without the left-out frames, and without findings.

        `whole`: frames that are removed, (frames,). `joints`: those it is for; None for all.
        """
        motion = self.clip.motion
        if self.joints.any():
            motion = self._with_poses_held(whole)
        if whole.any():
            motion = motion.keep_frames(np.flatnonzero(~whole))
        if motion is self.clip.motion:
            return Screened(motion, self.clip.rotates, self.clip.span, self.clip.turning, ())
        # The branches were chosen with frames that have been removed since.
        rotates, _, span, turning = choose_branches(motion, on_one_branch, joints)
        held = self.joints[:, ~whole] if self.joints.any() else None
        return Screened(motion, rotates, span, turning, (), held)

    def clips_of_joints(self, on_one_branch: bool) -> dict[str, Screened | None]:
        """The clip for each joint with exclusions of its own, as :attr:`Screened.apart`."""
        found: dict[str, Screened | None] = {}
        alike: dict[bytes, list[int]] = {}
        for joint in np.flatnonzero((self.excluded & ~self.whole).any(axis=1)).tolist():
            alike.setdefault((self.whole | self.excluded[joint]).tobytes(), []).append(joint)
        for joints in alike.values():
            whole = self.whole | self.excluded[joints[0]]
            part = None if whole.all() else self.remove_frames(whole, on_one_branch, joints)
            for joint in joints:
                is_gone = (whole | self.joints[joint]).all()
                found[self.clip.motion.joint_names[joint]] = None if is_gone else part
        return found

    def _with_poses_held(self, whole: Booleans) -> Motion:
        """Motion in which joints hold the pose before left-out frames, or else the one after."""
        motion = self.clip.motion
        rotations = motion.rotations.copy()
        rotates = None if motion.rotates is None else motion.rotates.copy()
        for joint in np.flatnonzero(self.joints.any(axis=1)):
            left_out = self.joints[joint] | whole
            last = np.maximum.accumulate(np.where(left_out, -1, np.arange(len(left_out))))
            held = np.where(last < 0, np.argmin(left_out), last)
            rotations[joint] = rotations[joint][:, held]
            if rotates is not None:
                rotates[joint] = rotates[joint][:, held]
        return replace(motion, rotations=rotations, rotates=rotates)
