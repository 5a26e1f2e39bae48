"""Rotate keys of joints, and the record of how a filter rewrites them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Union

import numpy as np

from ..base import plural
from ..base.records import NamedTuple, dataclass
from ..geometry import CHANNELS, Booleans, Floats, Integers, quaternion_from_euler
from .curves import AnimCurve
from .limit_plan import Skipped

Channel = Union[AnimCurve, float]
Span = tuple[float, float]
MAX_LISTED = 5
"""Intervals of one joint that are named in its line."""


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


class ChangedFrames(NamedTuple):
    """An interval between two keys in which the pose changes.

    `start`, `end`: frames of the keys, which stay. `frames`: whole frames that change.
    `worst_deg`: largest change, on whole frames if there are any between the keys.
    """

    start: float
    end: float
    frames: int
    worst_deg: float


@dataclass(frozen=True, eq=False)
class FilteredJoint:
    """New keys of a joint.

    `curves`: by axis, those that change. `changed`: where poses change. `repeats`: whether they
    change again wherever the curves repeat beyond their keys.
    """

    curves: Mapping[int, FilteredCurve]
    changed: tuple[ChangedFrames, ...]
    repeats: bool = False

    @property
    def keys(self) -> int:
        """Number of keys that get another value."""
        return sum(int(curve.changed.sum()) for curve in self.curves.values())

    @property
    def frames(self) -> int:
        """Number of whole frames that change."""
        return sum(one.frames for one in self.changed)

    @property
    def worst_deg(self) -> float:
        """Largest change of a pose."""
        return max((one.worst_deg for one in self.changed), default=0.0)

    def as_data(self) -> dict[str, Any]:
        """Content for JSON."""
        return {
            "keys": self.keys,
            "channels": [CHANNELS[axis] for axis in sorted(self.curves)],
            "changed": [one._asdict() for one in self.changed],
            "repeats": self.repeats,
        }


@dataclass
class KeyFilterPlan:
    """New keys by joint, and joints whose keys mix branches or turns but cannot be rewritten."""

    joints: dict[str, FilteredJoint] = field(default_factory=dict)
    refused: list[Skipped] = field(default_factory=list)

    @property
    def keys(self) -> int:
        """Number of keys that get another value."""
        return sum(joint.keys for joint in self.joints.values())

    @property
    def frames(self) -> int:
        """Number of whole frames that change, joint by joint."""
        return sum(joint.frames for joint in self.joints.values())

    @property
    def worst_deg(self) -> float:
        """Largest change of a pose."""
        changed = [one for joint in self.joints.values() for one in joint.changed]
        seen = [one.worst_deg for one in changed if one.frames] or [
            one.worst_deg for one in changed
        ]
        return max(seen, default=0.0)

    def as_data(self) -> dict[str, Any]:
        """Content for JSON."""
        return {
            "joints": {name: joint.as_data() for name, joint in self.joints.items()},
            "refused": [{"joint": one.joint, "reason": one.reason} for one in self.refused],
        }

    def changes(self) -> str:
        """Clause that says how much changes between runs of keys."""
        if not self.frames:
            return "no whole frame changes"
        frames, change = plural(self.frames, "frame"), "changes" if self.frames == 1 else "change"
        return f"{frames} between runs {change}, by up to {self.worst_deg:.3g} degrees"

    def sentence(self) -> str:
        """Summary in one line, without a full stop."""
        if not self.joints:
            return "no keys to filter"
        joints = plural(len(self.joints), "joint")
        return f"{plural(self.keys, 'key')} of {joints} filtered; {self.changes()}"

    def lines(self) -> list[str]:
        """One line per joint: its keys, and the frames that change."""
        return [f"{name}: {_joint_line(joint)}" for name, joint in self.joints.items()]


def _joint_line(joint: FilteredJoint) -> str:
    line = f"{plural(joint.keys, 'key')} filtered"
    if not joint.changed:
        return f"{line}; no pose changes"
    spans = [f"{one.start:g} and {one.end:g}" for one in joint.changed]
    more = f" and {len(spans) - MAX_LISTED:,} more intervals" if len(spans) > MAX_LISTED else ""
    where = f"{', '.join(spans[:MAX_LISTED])}{more}"
    again = ", and again where the curves repeat" if joint.repeats else ""
    return (
        f"{line}; poses change between frames {where} by up to {joint.worst_deg:.3g} degrees{again}"
    )
