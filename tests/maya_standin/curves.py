"""Animation curves: keys as a scene stores them, and their values at any time.

Written from the rules of Autodesk's open evaluator (maya.md, section 7) and of scene files
(section 8), one key at a time and in plain Python: an independent check of the program, with which
it shares nothing. Tangents are in tangent_rules.py, weighted spans in weighted_spans.py.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from .tangent_rules import AUTO, FIXED, LINEAR, STEP, STEP_NEXT, Tangent, computed_tangent
from .weighted_spans import weighted_value

#: maya.md 2.4: Maya 2017 update 3 and later count time in these.
TICKS_PER_SECOND = 141_120_000
#: A time nearer to a key than half a tick is the key: Maya's times are whole ticks.
AT_KEY = 0.5 / TICKS_PER_SECOND
#: Codes of preInfinity and postInfinity (maya.md 8).
CONSTANT, LINEAR_INFINITY, CYCLE, CYCLE_OFFSET, OSCILLATE = 0, 1, 3, 4, 5
#: Codes of rotationInterpolation whose curves mean nothing alone (maya.md 2.3).
QUATERNION_TYPES = (3, 4, 5)
#: Relative size below which a Hermite span is straight (maya.md 7).
STRAIGHT = 2e-7


@dataclass(frozen=True)
class Keys:
    """What an animCurve node stores.

    Parameters
    ----------
    times, values : sequences of float
        Increasing times in seconds (of curves that a value drives: internal units of it), and
        internal units (radians, centimetres, plain numbers).
    in_types, out_types : sequences of int, optional
        Tangent types by their code in files (maya.md 8); all `default_type` where left out.
    in_tangents, out_tangents : sequences of (x, y) or None, optional
        Stored tangents in seconds and internal units; None where the scene stores none.
    weighted : bool
    pre, post : int
        Infinities by their code in files.
    default_type : int
        The node's tangentType, which new keys get.
    rotation_interpolation : int
        1 none, 2 Euler, 3 to 5 quaternions.
    tangents_locked, weights_locked, breakdowns : sequences of bool
        Empty where all keys have the default (locked, locked, no breakdown).
    """

    times: Sequence[float] = ()
    values: Sequence[float] = ()
    in_types: Sequence[int] = ()
    out_types: Sequence[int] = ()
    in_tangents: Sequence[Tangent | None] = ()
    out_tangents: Sequence[Tangent | None] = ()
    weighted: bool = False
    pre: int = CONSTANT
    post: int = CONSTANT
    default_type: int = AUTO
    rotation_interpolation: int = 1
    tangents_locked: Sequence[bool] = ()
    weights_locked: Sequence[bool] = ()
    breakdowns: Sequence[bool] = ()

    def __post_init__(self) -> None:
        count = len(self.times)
        if len(self.values) != count:
            raise ValueError(f"{count} times for {len(self.values)} values")
        for name, missing in (
            ("in_types", self.default_type),
            ("out_types", self.default_type),
            ("in_tangents", None),
            ("out_tangents", None),
        ):
            given = tuple(getattr(self, name)) or (missing,) * count
            if len(given) != count:
                raise ValueError(f"{len(given)} {name} for {count} keys")
            object.__setattr__(self, name, given)
        for name in ("times", "values"):
            object.__setattr__(self, name, tuple(map(float, getattr(self, name))))
        if any(b <= a for a, b in zip(self.times, self.times[1:])):
            raise ValueError("times of keys must increase")

    def __len__(self) -> int:
        return len(self.times)

    @property
    def is_quaternion(self) -> bool:
        """Whether the curve is one of three that are interpolated together."""
        return self.rotation_interpolation in QUATERNION_TYPES

    @cached_property
    def ins(self) -> tuple[Tangent, ...]:
        """Tangents that enter the keys, whether stored or not: what getTangentXY gives."""
        return self._tangents(self.in_types, self.in_tangents, incoming=True)

    @cached_property
    def outs(self) -> tuple[Tangent, ...]:
        """Tangents that leave the keys."""
        return self._tangents(self.out_types, self.out_tangents, incoming=False)

    def _tangents(
        self, types: Sequence[int], stored: Sequence[Tangent | None], *, incoming: bool
    ) -> tuple[Tangent, ...]:
        return tuple(
            given
            if kind == FIXED and given is not None
            else computed_tangent(self.times, self.values, index, kind, incoming, self.weighted)
            for index, (kind, given) in enumerate(zip(types, stored))
        )

    def key_at(self, time: float) -> int | None:
        """Index of the key at a time, None where there is none."""
        after = bisect_right(self.times, time)
        for index in (after - 1, after):
            if 0 <= index < len(self.times) and abs(self.times[index] - time) <= AT_KEY:
                return index
        return None

    def with_key(self, time: float, value: float) -> Keys:
        """A copy in which the curve has this value at this time."""
        index = self.key_at(time)
        if index is not None:
            values = list(self.values)
            values[index] = value
            return replace(self, values=values)
        place, kind = bisect_right(self.times, time), self.default_type
        columns = {
            "times": time,
            "values": value,
            "in_types": kind,
            "out_types": kind,
            "in_tangents": None,
            "out_tangents": None,
        }
        changed = {name: _insert(getattr(self, name), place, new) for name, new in columns.items()}
        for name, new in (
            ("tangents_locked", True),
            ("weights_locked", True),
            ("breakdowns", False),
        ):
            given = getattr(self, name)
            changed[name] = _insert(given, place, new) if given else ()
        return replace(self, **changed)

    def without_key(self, index: int) -> Keys:
        """A copy without one key."""
        names = ("times", "values", "in_types", "out_types", "in_tangents", "out_tangents")
        names += ("tangents_locked", "weights_locked", "breakdowns")
        changed = {}
        for name in names:
            given = list(getattr(self, name))
            del given[index : index + 1]
            changed[name] = tuple(given)
        return replace(self, **changed)


def _insert(column: Sequence[object], place: int, new: object) -> tuple[object, ...]:
    return (*column[:place], new, *column[place:])


def value_at(keys: Keys, time: float) -> float:
    """Value of a curve at a time, alone: what drives its input does not matter (maya.md 2.1)."""
    times = keys.times
    if len(times) < 2:
        # guess: curve-one-key-infinity (a lone key holds, whatever the infinity).
        return keys.values[0] if times else 0.0
    if time < times[0] - AT_KEY:
        return _outside(keys, time, keys.pre, before=True)
    if time > times[-1] + AT_KEY:
        return _outside(keys, time, keys.post, before=False)
    return _inside(keys, time)


def _inside(keys: Keys, time: float) -> float:
    index = keys.key_at(time)
    if index is not None:
        return keys.values[index]
    left = bisect_right(keys.times, time) - 1
    start, end = keys.values[left], keys.values[left + 1]
    # maya.md 7: the left key decides, except that a line needs both of its tangents.
    leaving, entering = keys.out_types[left], keys.in_types[left + 1]
    if leaving == STEP:
        return start
    if leaving == STEP_NEXT:
        return end
    span = keys.times[left + 1] - keys.times[left]
    part = (time - keys.times[left]) / span
    if leaving == LINEAR and entering == LINEAR:
        return start + (end - start) * part
    tangents = keys.outs[left], keys.ins[left + 1]
    if keys.weighted:
        return weighted_value(part, span, start, end, *tangents)
    return _hermite(part, span, start, end, *tangents)


def _hermite(
    part: float, span: float, start: float, end: float, leave: Tangent, enter: Tangent
) -> float:
    """Cubic Hermite span: only the slopes of the tangents count (maya.md 7)."""
    rise = end - start
    chord = rise / span
    if all(abs(y - chord * x) <= STRAIGHT * abs(y) for x, y in (leave, enter)):
        # guess: tangent-in-step (a tangent without length, of a step, lies on any line)
        return start + rise * part
    ends = [_slope(tangent) * span for tangent in (leave, enter)]
    rest = 1.0 - part
    return (
        start * rest * rest * (1.0 + 2.0 * part)
        + end * part * part * (1.0 + 2.0 * rest)
        + ends[0] * part * rest * rest
        - ends[1] * part * part * rest
    )


def _slope(tangent: Tangent) -> float:
    x, y = tangent
    return y / x if x != 0.0 else 0.0


def _cycle(since: float, length: float, before: bool) -> tuple[int, float]:
    """Number of the cycle and time since its start; an edge belongs to the cycle further out.

    Seconds of whole frames are inexact, so a time that close to an edge is the edge. After the keys
    stored values show it; guess: curve-cycle-edges: before them.
    """
    cycles = math.floor(since / length)
    into = since - cycles * length
    if length - into < AT_KEY:
        cycles, into = cycles + 1, 0.0
    if before and abs(into) < AT_KEY:
        cycles, into = cycles - 1, length
    return cycles, into


def _outside(keys: Keys, time: float, infinity: int, *, before: bool) -> float:
    end = 0 if before else -1
    value = keys.values[end]
    if infinity == LINEAR_INFINITY:
        slope = _slope(keys.ins[0] if before else keys.outs[-1])
        return value + slope * (time - keys.times[end])
    if infinity not in (CYCLE, CYCLE_OFFSET, OSCILLATE):
        return value
    first, last = keys.times[0], keys.times[-1]
    length = last - first
    cycles, into = _cycle(time - first, length, before)
    if infinity == OSCILLATE and cycles % 2:
        into = length - into
    # maya.md 7: times inside a cycle are rounded to ticks.
    ticked = round((first + into) * TICKS_PER_SECOND) / TICKS_PER_SECOND
    result = _inside(keys, min(max(ticked, first), last))
    if infinity == CYCLE_OFFSET:
        result += cycles * (keys.values[-1] - keys.values[0])
    return result


def evaluate(keys: Keys, seconds: float | Iterable[float]) -> float | list[float]:
    """Value at a time, or list of values at times (seconds, internal units)."""
    if isinstance(seconds, (int, float)):
        return value_at(keys, float(seconds))
    return [value_at(keys, float(time)) for time in seconds]
