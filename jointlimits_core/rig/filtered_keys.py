"""Rotate keys of joints, and the record of how a filter rewrites them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Union

import numpy as np

from ..base.text import plural
from ..geometry.arrays import Booleans, Floats, Integers
from ..geometry.euler import quaternion_from_euler
from .curves import AnimCurve
from .limit_plan import Skipped

Channel = Union[AnimCurve, float]
Span = tuple[float, float]
MAX_LISTED = 5
"""Intervals that are named in a joint's line, and joints in a question."""


@dataclass(frozen=True, eq=False)
class JointKeys:
    """Rotate channels of a joint.

    `channels`: a curve each, in radians, or the radians of a channel without keys.
    """

    channels: tuple[Channel, ...]
    rotate_order: str = "xyz"

    @property
    def curves(self) -> dict[int, AnimCurve]:
        """Curves by axis."""
        found = enumerate(self.channels)
        return {axis: one for axis, one in found if isinstance(one, AnimCurve) and len(one.times)}

    @property
    def times(self) -> Floats:
        """Seconds of all keys, increasing."""
        every = [curve.times for curve in self.curves.values()]
        return np.unique(np.concatenate([np.zeros(0), *every]))

    def at(self, seconds: Floats) -> Floats:
        """Rotate values, shape (times, 3), radians."""
        columns = [
            one.evaluate(seconds) if isinstance(one, AnimCurve) else np.full(len(seconds), one)
            for one in self.channels
        ]
        return np.stack(columns, axis=-1)

    def rotations(self, seconds: Floats) -> Floats:
        """Quaternions, shape (times, 4)."""
        return quaternion_from_euler(self.at(seconds), self.rotate_order)


@dataclass(frozen=True, eq=False)
class FilteredCurve:
    """New keys of a curve, at the same times.

    `signs`, `half_turns`, shape (keys,): the new value is sign * value + half turns * 180 degrees.
    """

    before: AnimCurve
    after: AnimCurve
    signs: Floats
    half_turns: Integers

    @property
    def changed(self) -> Booleans:
        """Keys with another value, shape (keys,)."""
        return np.asarray((self.signs < 0.0) | (self.half_turns != 0))


@dataclass(frozen=True)
class ChangedFrames:
    """An interval between two keys in which the pose changes.

    `start`, `end`: frames of the keys, which stay. `frames`: whole frames that change.
    `worst_deg`: largest change, on whole frames if there are any between the keys.
    """

    start: float
    end: float
    frames: int
    worst_deg: float


@dataclass(frozen=True)
class KeyChanges:
    """What a filter changes on a joint.

    `keys`: number of keys that get another value. `changed`: where poses change. `repeats`: whether
    they change again wherever the curves repeat beyond their keys.
    """

    keys: int
    channels: tuple[str, ...]
    changed: tuple[ChangedFrames, ...]
    repeats: bool = False

    @property
    def frames(self) -> int:
        """Number of whole frames that change."""
        return sum(one.frames for one in self.changed)

    def sentence(self) -> str:
        """Summary without a full stop."""
        line = f"{plural(self.keys, 'key')} filtered"
        if not self.changed:
            return f"{line}; no pose changes"
        spans = [f"{one.start:g} and {one.end:g}" for one in self.changed]
        more = f" and {len(spans) - MAX_LISTED:,} more intervals" if len(spans) > MAX_LISTED else ""
        where, worst = ", ".join(spans[:MAX_LISTED]), max(one.worst_deg for one in self.changed)
        again = ", and again where the curves repeat" if self.repeats else ""
        return (
            f"{line}; poses change between frames {where}{more} by up to {worst:.3g} degrees{again}"
        )


@dataclass(frozen=True)
class KeyFilterReport:
    """Changes by joint, and joints whose keys mix branches or turns but cannot be rewritten."""

    joints: Mapping[str, KeyChanges]
    refused: tuple[Skipped, ...] = ()

    @property
    def frames(self) -> int:
        """Number of whole frames that change, joint by joint."""
        return sum(joint.frames for joint in self.joints.values())

    def changes(self) -> str:
        """Clause that says how much changes between runs of keys."""
        if not self.frames:
            return "no whole frame changes"
        frames, change = plural(self.frames, "frame"), "changes" if self.frames == 1 else "change"
        # On whole frames, as some change.
        changed = [one for joint in self.joints.values() for one in joint.changed if one.frames]
        worst = max(one.worst_deg for one in changed)
        return f"{frames} between runs {change}, by up to {worst:.3g} degrees"

    def sentence(self) -> str:
        """Summary in one line, without a full stop."""
        if not self.joints:
            return "no keys to filter"
        keys = plural(sum(joint.keys for joint in self.joints.values()), "key")
        return f"{keys} of {plural(len(self.joints), 'joint')} filtered; {self.changes()}"

    def question(self) -> str:
        """Question to ask first; empty if no whole frame changes."""
        listed = self.lines()[:MAX_LISTED]
        more = len(self.joints) - len(listed)
        listed += [f"... and {plural(more, 'more joint')}"] if more else []
        found = self.changes()
        return f"{found[0].upper()}{found[1:]}.\n\n" + "\n".join(listed) if self.frames else ""

    def lines(self) -> list[str]:
        """One line for each joint."""
        return [f"{name}: {joint.sentence()}" for name, joint in self.joints.items()]

    def refusals(self) -> list[str]:
        """One line for each refused joint."""
        return [
            f"keys not filtered: {one.joint}: {one.reason}; {one.advice}" for one in self.refused
        ]

    def as_data(self) -> dict[str, Any]:
        """Content for JSON."""
        return asdict(self)


@dataclass(frozen=True, eq=False)
class FilteredJoint:
    """New curves of a joint, by axis, and what they change."""

    curves: Mapping[int, FilteredCurve]
    changes: KeyChanges


@dataclass
class KeyFilterPlan:
    """New curves by joint, and joints whose keys should but cannot be rewritten."""

    joints: dict[str, FilteredJoint] = field(default_factory=dict)
    refused: list[Skipped] = field(default_factory=list)

    @property
    def report(self) -> KeyFilterReport:
        """What changes."""
        changes = {name: joint.changes for name, joint in self.joints.items()}
        return KeyFilterReport(changes, tuple(self.refused))
