"""Animation curves: tangents from neighbouring keys, and values at any time.

The rules are those of Autodesk's open evaluator "animx": a span is linear when both of its tangents
are, a step when its left tangent says so, else a Hermite cubic or, for weighted tangents, a Bezier
curve in time and value. Times are seconds, values internal units (radians for rotations).

Scenes store numbers for *fixed* tangents only. The others reduce to a slope: such a tangent is
``(x, slope * x)``, where x is the length of the span on its side. Spline and plateau follow
MFnAnimCurve and public evaluators. Assumptions without a source: slow and fast tangents lie on the
chord; "auto custom" is "auto"; "very close" for clamped tangents means :data:`CLAMP_TOLERANCE`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ..geometry.arrays import ArrayLike, Booleans, Floats, Integers, distinct
from . import attributes, curve_spans, scene

CLAMP_TOLERANCE = 0.05
"""Neighbours closer than this in value, in the curve's unit, flatten a clamped tangent."""
TICKS_PER_SECOND = 141_120_000
"""Maya's ticks per second; cycled times are rounded to whole ticks."""
_MAX_AT_KEY_SECONDS = 1e-10
"""A time at most this far from a key counts as the key's time."""


class TangentType(IntEnum):
    """Tangent types by their code in scene files (other programs number them differently)."""

    FIXED = 1
    LINEAR = 2
    FLAT = 3
    STEP = 5
    SLOW = 6
    FAST = 7
    SPLINE = 9
    CLAMPED = 10
    PLATEAU = 16
    STEP_NEXT = 17
    AUTO = 18
    AUTO_MIX = 27
    AUTO_EASE = 28
    AUTO_CUSTOM = 29


STEPS = (TangentType.STEP, TangentType.STEP_NEXT)


@dataclass(frozen=True, eq=False)
class _Around:
    """Neighbourhood of every key, which determines its tangents; shapes (keys,)."""

    before: Floats
    """Chord slope before the key."""
    after: Floats
    spans_before: Floats
    """Length of the span before the key."""
    spans_after: Floats

    @classmethod
    def from_keys(cls, times: Floats, values: Floats) -> _Around:
        """Chords and spans of keys, mirrored at the ends."""
        if len(times) < 2:
            return cls(*(np.full(len(times), value) for value in (0.0, 0.0, 1.0, 1.0)))
        spans = np.diff(times)
        with np.errstate(over="ignore"):
            # Keys a hair apart in time can have a slope that no float holds.
            chords = np.nan_to_num(np.diff(values) / spans, posinf=1e300, neginf=-1e300)
        first, last = np.arange(-1, len(spans)), np.arange(len(times))
        first[0], last[-1] = 0, len(spans) - 1
        return cls(chords[first], chords[last], spans[first], spans[last])

    @cached_property
    def fraction(self) -> Floats:
        """Share of the time between a key's neighbours that lies before the key."""
        return self.spans_before / (self.spans_before + self.spans_after)

    @cached_property
    def spline(self) -> Floats:
        """Slopes of spline tangents."""
        slope = self.fraction * self.before + (1.0 - self.fraction) * self.after
        slope[:1], slope[-1:] = self.before[:1], self.after[-1:]
        return slope

    @cached_property
    def automatic(self) -> Floats:
        """Slopes of auto tangents."""
        return self._limit_slopes(self.spline)

    def _limit_slopes(self, slope: Floats) -> Floats:
        """Limit slopes so that curves stay between key values: flat at extremes and ends."""
        turns: Booleans = np.sign(self.before) * np.sign(self.after) <= 0.0
        steepest = 3.0 * np.minimum(np.abs(self.before), np.abs(self.after))
        slope = np.where(turns, 0.0, np.minimum(np.maximum(slope, -steepest), steepest))
        slope[:1] = slope[-1:] = 0.0
        return slope

    def slopes(self, kind: int, incoming: bool) -> Floats:
        """Slopes that all keys would have with tangents of this type."""
        if kind in (TangentType.LINEAR, TangentType.SLOW, TangentType.FAST):
            # At an end of the curve, the last span continues.
            return self.before if incoming else self.after
        if kind == TangentType.SPLINE:
            return self.spline
        if kind == TangentType.CLAMPED:
            rises = self.before * self.spans_before, self.after * self.spans_after
            close = np.minimum(*map(np.abs, rises))
            return np.where(close <= CLAMP_TOLERANCE, 0.0, self.spline)
        if kind == TangentType.PLATEAU:
            # Flat wherever an automatic tangent would be limited.
            return np.where(self.automatic == self.spline, self.spline, 0.0)
        if kind in (TangentType.AUTO, TangentType.AUTO_CUSTOM):
            return self.automatic
        centred = self.fraction - 0.5
        ease = 0.5 + centred * (0.5 + 2.0 * centred**2)
        share = self.fraction if kind == TangentType.AUTO_MIX else ease
        return self._limit_slopes(self.before + share * (self.after - self.before))


SLOPED = frozenset(TangentType) - frozenset(STEPS) - {TangentType.FIXED, TangentType.FLAT}
"""Types whose slopes follow from the neighbouring keys."""


def _tangents(
    around: _Around, types: Integers, incoming: bool, x: Floats | None, y: Floats | None
) -> tuple[Floats, Floats]:
    """Tangents on one side of every key, from its neighbours; (0, 0) for a step.

    Tangents are three times as long as Bezier handles. Fixed tangents are used as stored; fixed
    tangents that are not stored, and unknown types, are flat. `incoming`: True for the side that
    enters the key.
    """
    span = around.spans_before if incoming else around.spans_after
    slopes, present = np.zeros(len(types)), set(types.tolist())
    for kind in present & SLOPED:
        own = around.slopes(kind, incoming)
        slopes = own if len(present) == 1 else np.where(types == kind, own, slopes)
    for kind in present.intersection(STEPS):
        span = np.where(types == kind, 0.0, span)
    if x is None or y is None:
        return span, slopes * span
    stored = (types == TangentType.FIXED) & np.isfinite(x) & np.isfinite(y)
    return np.where(stored, x, span), np.where(stored, y, slopes * span)


class Infinity(IntEnum):
    """Behaviour of a curve outside its keys, by the code in scene files."""

    CONSTANT = 0
    LINEAR = 1
    CYCLE = 3
    CYCLE_OFFSET = 4
    OSCILLATE = 5


class Tangents(NamedTuple):
    """Tangents on both sides of every key, in seconds and internal units, shapes (keys,)."""

    in_x: Floats
    in_y: Floats
    out_x: Floats
    out_y: Floats


@dataclass(frozen=True, eq=False)
class AnimCurve:
    """Animation curve; :meth:`from_keys` computes missing tangents.

    All arrays have shape (keys,). `times`: seconds, strictly increasing. `values`: internal units.
    `in_types`, `out_types`: :class:`TangentType`. `find_tangents`: called when a value between keys
    is first needed. `weighted`: if off, only the direction of tangents counts. `pre`, `post`:
    :class:`Infinity`; an unknown code counts as constant.
    """

    times: Floats
    values: Floats
    in_types: Integers
    out_types: Integers
    find_tangents: Callable[[], Tangents]
    weighted: bool = False
    pre: int = Infinity.CONSTANT
    post: int = Infinity.CONSTANT

    @classmethod
    def from_keys(
        cls,
        times: ArrayLike,
        values: ArrayLike,
        *,
        in_types: ArrayLike,
        out_types: ArrayLike,
        in_x: ArrayLike | None = None,
        in_y: ArrayLike | None = None,
        out_x: ArrayLike | None = None,
        out_y: ArrayLike | None = None,
        weighted: bool = False,
        pre: int = 0,
        post: int = 0,
    ) -> AnimCurve:
        """Build a curve from keys of a scene, with fixed tangents as given and others computed.

        Raises ValueError if lengths differ, or times or values are not finite. `times`, `values`,
        shapes (keys,): seconds in any order, internal units; of several keys at the same time the
        last one counts. `in_types`, `out_types`: codes as in scene files; they decide which spans
        are straight or steps. `in_x`, `in_y`, `out_x`, `out_y`: stored tangents, NaN if not stored,
        used for fixed types only; a fixed tangent that is not stored counts as flat. `pre`, `post`:
        as in :class:`Infinity`.
        """
        sides = {"in_x": in_x, "in_y": in_y, "out_x": out_x, "out_y": out_y}
        given = {name: column for name, column in sides.items() if column is not None}
        numbers = [np.asarray(column, np.float64) for column in (times, values, *given.values())]
        codes = [np.asarray(column, np.int64) for column in (in_types, out_types)]
        columns: list[Any] = [np.atleast_1d(column) for column in (*codes, *numbers)]
        shapes = {column.shape for column in columns}
        if len(shapes) != 1 or columns[0].ndim != 1:
            raise ValueError(f"keys, types and tangents have different shapes: {sorted(shapes)}")
        t, v = columns[2:4]
        if not (np.isfinite(t).all() and np.isfinite(v).all()):
            raise ValueError("times and values of keys must be finite numbers")
        kept = _key_order(t)
        in_kinds, out_kinds, t, v, *rest = [column[kept] for column in columns]
        stored = dict(zip(given, rest))

        def find_tangents() -> Tangents:
            around = _Around.from_keys(t, v)
            ins = _tangents(around, in_kinds, True, stored.get("in_x"), stored.get("in_y"))
            outs = _tangents(around, out_kinds, False, stored.get("out_x"), stored.get("out_y"))
            return Tangents(*ins, *outs)

        return cls(t, v, in_kinds, out_kinds, find_tangents, weighted, pre, post)

    @cached_property
    def tangents(self) -> Tangents:
        """Tangents of all keys."""
        return self.find_tangents()

    def evaluate(self, times_seconds: ArrayLike) -> Floats:
        """Values at times of any shape, in internal units; NaN where a time is NaN.

        A curve without keys is 0 everywhere, and a curve with one key has its value everywhere.
        """
        every = np.asarray(times_seconds, dtype=np.float64)
        if np.array_equal(every, self.times):
            return np.broadcast_to(self.values, every.shape)  # read-only, not a copy
        result = np.full(every.shape, np.nan)
        finite = np.isfinite(every)
        if len(self.times) < 2:
            result[finite] = self.values[0] if len(self.times) else 0.0
            return result
        times, first, last = every[finite], self.times[0], self.times[-1]
        values = self._inside(np.clip(times, first, last))
        for outside, infinity, start in (
            (times < first, self.pre, True),
            (times > last, self.post, False),
        ):
            if infinity != Infinity.CONSTANT and outside.any():
                values[outside] = self._values_beyond(times[outside], infinity, start)
        result[finite] = values
        return result

    def _values_beyond(self, times: Floats, infinity: int, before: bool) -> Floats:
        """Values outside the keys, on one side."""
        first, last = self.times[0], self.times[-1]
        edge, end = (first, 0) if before else (last, -1)
        if infinity == Infinity.LINEAR:
            in_x, in_y, out_x, out_y = self.tangents
            x, y = (in_x[0], in_y[0]) if before else (out_x[-1], out_y[-1])
            slope = y / x if abs(x) > _MAX_AT_KEY_SECONDS else 0.0
            return np.asarray(self.values[end] + slope * (times - edge))
        if infinity not in (Infinity.CYCLE, Infinity.CYCLE_OFFSET, Infinity.OSCILLATE):
            return np.full(times.shape, self.values[end])
        with np.errstate(over="ignore", invalid="ignore"):
            whole, part = np.divmod(np.abs(times - edge), last - first)
        # Seconds of whole frames are inexact, so a time within half a tick of an edge is the edge.
        # live check: curve-cycle-edges
        at_edge: Booleans = (last - first) - part < 0.5 / TICKS_PER_SECOND
        cycles, part = whole + np.where(at_edge, 2.0, 1.0), np.where(at_edge, 0.0, part)
        # The first cycle of an oscillation runs backwards from the edge, the second forwards.
        backwards: Booleans = np.full(times.shape, before)
        if infinity == Infinity.OSCILLATE:
            backwards = (cycles % 2 == 1.0) ^ before
        folded = np.where(backwards, last - part, first + part)
        rounded = np.rint(folded * TICKS_PER_SECOND) / TICKS_PER_SECOND
        values = self._inside(np.clip(rounded, first, last))
        if infinity == Infinity.CYCLE_OFFSET:
            rise = self.values[-1] - self.values[0]
            values = values + (-cycles if before else cycles) * rise
        return values

    def _inside(self, times: Floats) -> Floats:
        """Values between the first and the last key, both included."""
        left = np.clip(np.searchsorted(self.times, times, side="right") - 1, 0, len(self.times) - 2)
        start, end = self.values[left], self.values[left + 1]
        since, until = times - self.times[left], self.times[left + 1] - times
        nearest = np.where(since <= until, start, end)
        at_key = np.minimum(since, until) <= _MAX_AT_KEY_SECONDS
        if at_key.all():
            return nearest
        out_kind, in_kind = self.out_types[left], self.in_types[left + 1]
        linear = (out_kind == TangentType.LINEAR) & (in_kind == TangentType.LINEAR)
        step, step_next = out_kind == TangentType.STEP, out_kind == TangentType.STEP_NEXT
        values = start + (end - start) * (since / (since + until))
        values = np.where(step, start, np.where(step_next, end, values))
        cubic = ~(linear | step | step_next)
        part = since[cubic] / (self.times[left + 1] - self.times[left])[cubic]
        spans = curve_spans.bezier_spans if self.weighted else curve_spans.hermite_spans
        values[cubic] = spans(part, *self._ends(left[cubic]))
        return np.where(at_key, nearest, values)

    def _ends(self, left: Integers) -> tuple[Floats, ...]:
        """Values and tangents at both ends of spans; x of a tangent is a share of the span."""
        spans = self.times[left + 1] - self.times[left]
        in_x, in_y, out_x, out_y = self.tangents
        tangents = out_x[left] / spans, out_y[left], in_x[left + 1] / spans, in_y[left + 1]
        return (self.values[left], self.values[left + 1], *tangents)

    def extreme_times(self) -> Floats:
        """Times between keys at which the curve turns back, seconds, increasing."""
        spans = np.diff(self.times)
        out_kind, in_kind = self.out_types[:-1], self.in_types[1:]
        linear = (out_kind == TangentType.LINEAR) & (in_kind == TangentType.LINEAR)
        left = np.flatnonzero(~(linear | np.isin(out_kind, STEPS)) & (len(spans) > 0))
        start, end, x0, y0, x1, y1 = self._ends(left)
        if self.weighted:
            reach0, reach1, up0, up1 = curve_spans.bezier_handles(x0, y0, x1, y1)
        else:
            reach0 = reach1 = np.full(len(left), 1.0 / 3.0)
            up0, up1 = (
                slope / 3.0 for slope in curve_spans.hermite_slopes(start, end, x0, y0, x1, y1)
            )
        first, middle, last = up0, end - up1 - start - up0, up1
        times = [
            self.times[left]
            + spans[left] * curve_spans.bernstein(part, reach0, 1.0 - reach1, 1.0, 0.0)
            for part in curve_spans.inner_roots(first, middle, last)
        ]
        found = np.concatenate([np.zeros(0), *times])
        return np.sort(found[np.isfinite(found)])


def _key_order(times: Floats | Integers) -> Integers | slice:
    """Order of the keys by time, keeping only the last of several keys at the same time."""
    if (times[1:] > times[:-1]).all():
        return slice(None)
    order = np.argsort(times, kind="stable")
    ordered = times[order]
    last_of_its_time = np.append(ordered[1:] != ordered[:-1], np.ones(min(len(times), 1), bool))
    return np.asarray(order[last_of_its_time])


TIME_CURVES = frozenset({"animCurveTA", "animCurveTL", "animCurveTU", "animCurveTT"})
"""Types of curves over time; other types (animCurveUA, ...) are driven keys."""

_QUATERNION_INTERPOLATIONS = (3, 4, 5)
"""Values of ``rotationInterpolation`` that couple the curves of all three rotate channels."""


def is_interpolated_as_quaternions(curve: scene.Node) -> bool:
    """Whether the values of a curve depend on the keys of all three rotate channels."""
    return int(curve.number("rotationInterpolation", 1.0)) in _QUATERNION_INTERPOLATIONS


def curve_from_node(node: scene.Node) -> tuple[AnimCurve, int]:
    """Build the curve of an animCurve node.

    `node`: of a type in :data:`TIME_CURVES`. Returns the curve, in seconds and in radians,
    centimetres or plain numbers, and the number of keys that were dropped because their time or
    value is not a number.
    """
    indices, pairs = _elements(node, "keyTimeValue", 2)
    count, whole = len(pairs), attributes.sensible(pairs).all(axis=1)
    indices, pairs = indices[whole], pairs[whole]
    default, units = node.number("tangentType", TangentType.AUTO), node.units
    ins, outs = (
        _values(node, name, indices, default).clip(0, 99).astype(np.int64)
        for name in ("keyTanInType", "keyTanOutType")
    )
    in_x, in_y, out_x, out_y = (
        _values(node, f"keyTan{side}", indices, np.nan) for side in ("InX", "InY", "OutX", "OutY")
    )
    factors = {
        "animCurveTA": units.radians,
        "animCurveTL": units.centimeters,
        "animCurveTT": 1.0 / units.frames_per_second,
    }
    curve = AnimCurve.from_keys(
        pairs[:, 0] / units.frames_per_second,
        pairs[:, 1] * factors.get(node.node_type, 1.0),
        in_types=ins,
        out_types=outs,
        weighted=bool(node.number("weightedTangents", 1.0)),
        pre=int(node.number("preInfinity")),
        post=int(node.number("postInfinity")),
        in_x=in_x,
        in_y=in_y,
        out_x=out_x,
        out_y=out_y,
    )
    return curve, count - len(pairs)


def doubled_times(node: scene.Node) -> Floats:
    """Seconds at which a curve of a scene has several keys with different values, increasing."""
    _, pairs = _elements(node, "keyTimeValue", 2)
    if len(pairs) < 2 or (np.diff(pairs[:, 0]) > 0.0).all():
        return np.zeros(0)
    ordered = pairs[np.argsort(pairs[:, 0], kind="stable")]
    (times, values), (next_times, next_values) = ordered[:-1].T, ordered[1:].T
    found = times[(times == next_times) & (values != next_values)]
    return np.asarray(distinct(found) / node.units.frames_per_second)


def with_thirds(times: ArrayLike) -> Floats:
    """Times of keys, with two more times in each span, which show whether a curve moves."""
    keys = distinct(np.asarray(times, dtype=np.float64))
    gaps = np.diff(keys) / 3.0
    return np.sort(np.concatenate([keys, keys[:-1] + gaps, keys[:-1] + 2.0 * gaps]))


def key_elements(node: scene.Node) -> Integers | None:
    """Index, in the node's arrays, of every key of :func:`curve_from_node`.

    None if a key is not a number, keys are out of order, or two keys have the same time.
    """
    indices, pairs = _elements(node, "keyTimeValue", 2)
    if not attributes.sensible(pairs).all() or (np.diff(pairs[:, 0]) <= 0.0).any():
        return None
    return indices


def _elements(node: scene.Node, attribute: str, width: int) -> tuple[Integers, Floats]:
    """Distinct indices of an array attribute, increasing, and the numbers last set for each."""
    chunks = node.multis.get(attribute, [])
    indices = [first + np.arange(len(values) // width, dtype=np.int64) for first, values in chunks]
    rows = [values[: len(values) // width * width].reshape(-1, width) for _, values in chunks]
    whole = np.concatenate([np.zeros(0, np.int64), *indices])
    kept = _key_order(whole)
    return whole[kept], np.concatenate([np.zeros((0, width)), *rows])[kept]


def _values(node: scene.Node, attribute: str, keys: Integers, default: float) -> Floats:
    """Values of a stored array attribute at the keys' indices; the default where missing."""
    result = np.full(len(keys), float(default))
    indices, values = _elements(node, attribute, 1)
    if len(indices):
        where = np.minimum(np.searchsorted(indices, keys), len(indices) - 1)
        found = indices[where] == keys
        result[found] = values[where[found], 0]
    # A type that is not a number would otherwise become a random code.
    return np.where(np.isnan(result), default, result)
