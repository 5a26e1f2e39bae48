"""Remade keys: three channels of a node resampled for a new orientation.

Between keys a curve in the new orientation is not the old one rotated, so there is a key on every
whole frame of the old keys' range and at every old key, with linear tangents. At these times the
pose is the same up to rounding; outside the range curves hold, cycle or oscillate as before.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..geometry.arrays import Booleans, Floats
from .attributes import ANGLE
from .clamping import HeldRotates
from .curves import Infinity, TangentType, is_interpolated_as_quaternions
from .drivers import Evaluator, Keyed, Signal, TimeCurve
from .scene import RADIANS, Node, Scene

MOST_KEYS = 1_000_000
"""Largest number of whole frames between the keys of one channel that is resampled."""
STILL = 3e-12
"""Degrees or units; a channel that moves less needs no curve."""
_CURVE_OF = {"rotate": "animCurveTA", "translate": "animCurveTL"}


@dataclass(frozen=True, eq=False)
class Channels:
    """Drivers of the parts of a compound, "rotate" or "translate", and the curve of each part."""

    node: Node
    compound: str
    signals: tuple[Signal, ...]
    curves: tuple[Node | None, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Long names of the three parts."""
        return self.node.family.children[self.compound]

    @property
    def moving(self) -> list[TimeCurve]:
        """Curves with more than one key."""
        found = (signal.curve for signal in self.signals if isinstance(signal, Keyed))
        return [curve for curve in found if len(curve.times) > 1]

    @property
    def keyed(self) -> Booleans:
        """Which parts have a curve."""
        return np.array([curve is not None for curve in self.curves])

    def times(self, frames_per_second: float) -> Floats:
        """Times that need keys, in frames, increasing; one time if nothing is keyed."""
        keys = [s.curve.times for s in self.signals if isinstance(s, Keyed) and len(s.curve.times)]
        if not keys:
            return np.zeros(1)
        times = np.unique(np.concatenate(keys)) * frames_per_second
        whole = np.round(times)
        # A key time that went through seconds may be a hair off its frame.
        times = np.where(np.abs(times - whole) < 1e-6, whole, times)
        between = np.arange(np.ceil(times[0]), np.floor(times[-1]) + 1.0)
        return np.union1d(times, between)

    def sampled(self, frames_per_second: float) -> tuple[Floats, Floats]:
        """The :meth:`times`, and values there in internal units, shape (3, times)."""
        times = self.times(frames_per_second)
        evaluate = Evaluator(times / frames_per_second)
        return times, np.stack([evaluate(signal) for signal in self.signals])


def curve_obstacle(
    channels: Channels, fixed_curve: Callable[[Node, str, Node], str | None]
) -> str | None:
    """Reason why the keys of a channel's curve cannot be changed at all; None if they can.

    `fixed_curve`: as in :class:`.reorient_checks.Surroundings`.
    """
    for name, curve in zip(channels.names, channels.curves):
        if curve is None:
            continue
        why = fixed_curve(channels.node, name, curve)
        if why is not None:
            return why
        if curve.is_locked("keyTimeValue") or "keyTimeValue" in curve.locked:
            return f"the curve {curve.name!r} is locked"
        if is_interpolated_as_quaternions(curve):
            return f"the curve {curve.name!r} is interpolated as quaternions"
    return None


def remake_obstacle(channels: Channels, frames_per_second: float) -> str | None:
    """Reason why keys on all frames cannot stand for the curves of channels; None if they can."""
    curves = channels.moving
    ends = {(float(curve.times[0]), float(curve.times[-1])) for curve in curves}
    frames = np.array(sorted(ends)).reshape(-1) * frames_per_second
    if len(frames) and np.ptp(frames) > MOST_KEYS:
        return f"its keys span more than {MOST_KEYS} frames"
    # Repeating curves can be kept only if all of them repeat alike, and on whole frames.
    kinds = {(curve.pre, curve.post) for curve in curves}
    if not kinds or kinds == {(Infinity.CONSTANT, Infinity.CONSTANT)}:
        return None
    usual = {Infinity.CONSTANT, Infinity.CYCLE, Infinity.OSCILLATE}
    whole = bool(np.all(np.abs(frames - np.round(frames)) < 1e-6))
    if len(kinds) > 1 or not set(next(iter(kinds))) <= usual or len(ends) > 1 or not whole:
        return "its curves repeat beyond their keys in a way that new keys would change"
    return None


def direct_curve(
    scene: Scene, node: Node, compound: str, attribute: str
) -> tuple[Node | None, Node | None]:
    """Time curve connected directly to an attribute, or else the node that is."""
    curve, output = scene.sources.get((node, attribute), (None, ""))
    if curve is None:
        return None, None
    warped = scene.sources.get((curve, "input"))
    timed = warped is None or warped[0].node_type == "time"
    is_direct = curve.node_type == _CURVE_OF[compound] and output == "output" and timed
    return (curve, None) if is_direct else (None, curve)


@dataclass(frozen=True, eq=False)
class NewKeys:
    """New keys of three channels.

    `times`, shape (times,): frames; `values`, shape (3, times): radians or centimetres; `unkeyed`:
    parts that lose their curve if they do not move.
    """

    channels: Channels
    times: Floats
    values: Floats
    unkeyed: tuple[str, ...] = ()

    @property
    def is_angle(self) -> bool:
        """Whether the values are radians."""
        return self.channels.node.family.kinds[self.channels.compound] == ANGLE

    def rounded(self, unit: float) -> Floats:
        """Values in a unit, without digits that are rounding errors."""
        return np.asarray(np.round(self.values / unit, 13))

    def keyed(self, unit: float) -> Booleans:
        """Which parts have keys afterwards: those that move, and those that had some."""
        moves = np.asarray(np.ptp(self.rounded(unit), axis=1) > STILL)
        unkeyed = np.array([name in self.unkeyed for name in self.channels.names])
        return np.asarray((self.channels.keyed & ~(unkeyed & ~moves)) | moves)

    def held(self, order: str, now: float | None = None) -> HeldRotates:
        """What limits would meet on rotate channels: straight lines between these keys.

        `order`: rotate order of the values. `now`: the current frame, by default the first.
        """
        values = self.values
        now = float(self.times[0]) if now is None else now
        return HeldRotates(
            frames=self.times,
            between=np.zeros(len(self.times), dtype=bool),
            values=values,
            moves=self.keyed(RADIANS["degree"]),
            current=np.array([np.interp(now, self.times, channel) for channel in values]),
            order=order,
            now=now,
        )

    @property
    def is_stepped(self) -> bool:
        """True if all old curves are steps; the new ones then must not have slopes."""
        kinds = [np.all(curve.out_types[:-1] == TangentType.STEP) for curve in self.channels.moving]
        return bool(kinds) and all(kinds)

    @property
    def beyond(self) -> tuple[int, int]:
        """Infinity of the curves before and after their keys, by its code in scene files."""
        moving = self.channels.moving
        return (int(moving[0].pre), int(moving[0].post)) if moving else (0, 0)
