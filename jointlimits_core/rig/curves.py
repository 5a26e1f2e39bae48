"""Animation curves: tangents from neighbouring keys, and values at any time.

The rules are those of Autodesk's open evaluator "animx": a span is linear when both of its tangents
are, a step when its left tangent says so, else a Hermite cubic or, for weighted tangents, a Bezier
curve in time and value. Times are seconds, values internal units (radians for rotations).

Scenes store the numbers of *fixed* tangents only; the others reduce to a slope, so a tangent is
``(x, slope * x)`` with x the span that it points into. Spline and plateau follow MFnAnimCurve and
public evaluators. Assumptions without a source: slow, fast and their likes lie on the chord; "auto
custom" is "auto"; "very close" for clamped tangents means :data:`CLAMP_TOLERANCE`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from ..geometry import ArrayLike, Booleans, Floats, Integers
from .bezier import bezier_spans

#: Neighbours closer than this in value, in the curve's unit, flatten a clamped tangent.
CLAMP_TOLERANCE = 0.05
#: Maya counts time in these; cycled times are rounded to them.
TICKS_PER_SECOND = 141_120_000
#: A time this close to a key is the key (seconds).
_AT_KEY = 1e-10
#: Relative size below which a Hermite span counts as straight.
_STRAIGHT = 2e-7
_STEEPEST = 1e100
"""A steeper tangent counts as upright: what is worked out with its slope may be no number."""


class TangentType(IntEnum):
    """Tangent types by their code in scene files (the API and other programs number them anew)."""

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


def computed_tangents(
    times: Floats, values: Floats, types: Integers, *, incoming: bool
) -> tuple[Floats, Floats]:
    """Compute the tangents on one side of every key from the neighbouring keys.

    Shape (keys,): seconds and units of `values`; three times the reach of the Bezier handle. A step
    has neither. `times`, shape (keys,): seconds, strictly increasing. `values`, shape (keys,).
    `types`, shape (keys,): :class:`TangentType` of each key on this side. Fixed tangents, and types
    that are not known, come out flat. `incoming`: True for the side that enters the key, False for
    the side that leaves it.
    """
    before, after, spans_before, spans_after = _neighbours(times, values)
    own, span = (before, spans_before) if incoming else (after, spans_after)
    spline, eased, mixed, automatic = _inner_slopes(before, after, spans_before, spans_after)
    close = np.minimum(np.abs(before * spans_before), np.abs(after * spans_after))
    choices: tuple[tuple[TangentType, Floats], ...] = (
        (TangentType.LINEAR, _inside_only(own, incoming)),
        (TangentType.SLOW, _inside_only(own, incoming)),
        (TangentType.FAST, _inside_only(own, incoming)),
        (TangentType.SPLINE, spline),
        (TangentType.CLAMPED, np.where(close <= CLAMP_TOLERANCE, 0.0, spline)),
        # Flat wherever an automatic tangent would have to be held back.
        (TangentType.PLATEAU, np.where(automatic == spline, spline, 0.0)),
        (TangentType.AUTO, automatic),
        (TangentType.AUTO_CUSTOM, automatic),
        (TangentType.AUTO_MIX, mixed),
        (TangentType.AUTO_EASE, eased),
    )
    slopes = np.zeros(len(times))
    for code, candidate in choices:
        slopes = np.where(types == code, candidate, slopes)
    x = np.where(np.isin(types, STEPS), 0.0, span)
    return x, slopes * x


def _neighbours(times: Floats, values: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Chord slopes before and after each key, and lengths of the spans; mirrored at the ends."""
    if len(times) < 2:
        return np.zeros(len(times)), np.zeros(len(times)), np.ones(len(times)), np.ones(len(times))
    spans = np.diff(times)
    with np.errstate(over="ignore"):
        chords = np.diff(values) / spans
    # Keys a hair apart in time can have a slope that no float holds.
    chords = np.nan_to_num(chords, posinf=1e300, neginf=-1e300)
    before, after = np.append(chords[:1], chords), np.append(chords, chords[-1:])
    return before, after, np.append(spans[:1], spans), np.append(spans, spans[-1:])


def _inner_slopes(
    before: Floats, after: Floats, spans_before: Floats, spans_after: Floats
) -> tuple[Floats, Floats, Floats, Floats]:
    """Slopes of the spline, auto-ease, auto-mix and auto tangents."""
    fraction = spans_before / (spans_before + spans_after)
    spline = fraction * before + (1.0 - fraction) * after
    spline[:1], spline[-1:] = before[:1], after[-1:]
    centred = fraction - 0.5
    ease = 0.5 + centred * (0.5 + 2.0 * centred**2)
    eased = before + ease * (after - before)
    mixed = before + fraction * (after - before)
    held = (_held_back(slope, before, after) for slope in (eased, mixed, spline))
    eased, mixed, automatic = (_flat_ends(slope) for slope in held)
    return spline, eased, mixed, automatic


def _held_back(slope: Floats, before: Floats, after: Floats) -> Floats:
    """Flat at extremes, and nowhere so steep that the curve leaves the range of its neighbours."""
    turns: Booleans = np.sign(before) * np.sign(after) <= 0.0
    steepest = 3.0 * np.minimum(np.abs(before), np.abs(after))
    return np.where(turns, 0.0, np.clip(slope, -steepest, steepest))


def _flat_ends(slope: Floats) -> Floats:
    """Zero at the first and the last key."""
    slope = slope.copy()
    slope[:1], slope[-1:] = 0.0, 0.0
    return slope


def _inside_only(slope: Floats, incoming: bool) -> Floats:
    """Zero where the tangent points out of the curve: no chord lies there."""
    slope = slope.copy()
    if incoming:
        slope[:1] = 0.0
    else:
        slope[-1:] = 0.0
    return slope


class Infinity(IntEnum):
    """Behaviour of a curve outside its keys, by the code in scene files."""

    CONSTANT = 0
    LINEAR = 1
    CYCLE = 3
    CYCLE_OFFSET = 4
    OSCILLATE = 5


@dataclass(frozen=True, eq=False)
class AnimCurve:
    """A curve with all its tangents known.

    Build it with :meth:`from_keys`, or with :meth:`from_tangents` where every tangent is given.
    `times`, `values`, shapes (keys,): seconds, strictly increasing; internal units. `in_types`,
    `out_types`, shapes (keys,): :class:`~jointlimits_core.rig.curves.TangentType`. `in_x`, `in_y`,
    `out_x`, `out_y`, shapes (keys,): tangents in seconds and internal units; of curves that are not
    weighted only the direction counts. `pre`, `post`: :class:`Infinity`; a code that is not known
    is read as constant.
    """

    times: Floats
    values: Floats
    in_types: Integers
    out_types: Integers
    in_x: Floats
    in_y: Floats
    out_x: Floats
    out_y: Floats
    weighted: bool = False
    pre: int = Infinity.CONSTANT
    post: int = Infinity.CONSTANT

    @classmethod
    def from_tangents(
        cls,
        times: ArrayLike,
        values: ArrayLike,
        *,
        in_types: ArrayLike,
        out_types: ArrayLike,
        in_x: ArrayLike,
        in_y: ArrayLike,
        out_x: ArrayLike,
        out_y: ArrayLike,
        weighted: bool = False,
        pre: int = 0,
        post: int = 0,
    ) -> AnimCurve:
        """Build a curve from keys whose tangents are all given.

        Raises ValueError if lengths differ or numbers are not finite. `times`, `values`, shapes
        (keys,): seconds in any order, internal units. Of keys at the same time the last wins.
        `in_types`, `out_types`, shapes (keys,): codes as in scene files; they decide which spans
        are straight or steps. `in_x`, `in_y`, `out_x`, `out_y`, shapes (keys,): seconds and
        internal units. `pre`, `post`: 0 constant, 1 linear, 3 cycle, 4 cycle with offset, 5
        oscillate.
        """
        columns = _columns(times, values, in_types, out_types, in_x, in_y, out_x, out_y)
        if not all(np.isfinite(column).all() for column in columns):
            raise ValueError("keys and their tangents must be finite numbers")
        t, v, kit, kot, kix, kiy, kox, koy = (column[_kept(columns[0])] for column in columns)
        in_kinds, out_kinds = kit.astype(np.int64), kot.astype(np.int64)
        return cls(t, v, in_kinds, out_kinds, kix, kiy, kox, koy, weighted, pre, post)

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
        """Build a curve from what a scene stores: fixed tangents as given, the others computed.

        Raises ValueError if lengths differ, or times or values are not finite. `times`, `values`,
        `in_types`, `out_types`, `pre`, `post`: as in :meth:`from_tangents`. `in_x`, `in_y`,
        `out_x`, `out_y`, shapes (keys,): stored tangents; NaN where none is stored. They are used
        for fixed types only; a fixed tangent that is not stored counts as flat.
        """
        count = np.size(np.asarray(times))
        stored = [np.full(count, np.nan) if a is None else a for a in (in_x, in_y, out_x, out_y)]
        columns = _columns(times, values, in_types, out_types, *stored)
        if not (np.isfinite(columns[0]).all() and np.isfinite(columns[1]).all()):
            raise ValueError("times and values of keys must be finite numbers")
        t, v, kit, kot, kix, kiy, kox, koy = (column[_kept(columns[0])] for column in columns)
        in_kinds, out_kinds = kit.astype(np.int64), kot.astype(np.int64)
        ins = computed_tangents(t, v, in_kinds, incoming=True)
        outs = computed_tangents(t, v, out_kinds, incoming=False)
        ins = _with_stored(ins, in_kinds, kix, kiy)
        outs = _with_stored(outs, out_kinds, kox, koy)
        return cls(t, v, in_kinds, out_kinds, *ins, *outs, weighted, pre, post)

    def evaluate(self, times_seconds: ArrayLike) -> Floats:
        """Values at any times.

        Returns internal units, in the same shape. A curve without keys is 0 everywhere; a curve
        with one key has the value of that key everywhere; at a time that is not a number the value
        is not one.
        """
        times = np.asarray(times_seconds, dtype=np.float64)
        result = np.full(times.shape, np.nan)
        finite = np.isfinite(times)
        if len(self.times) < 2:
            result[finite] = self.values[0] if len(self.times) else 0.0
        else:
            result[finite] = self._evaluated(times[finite])
        return result

    def _evaluated(self, times: Floats) -> Floats:
        first, last = self.times[0], self.times[-1]
        values = self._inside(np.clip(times, first, last))
        for outside, infinity, start in (
            (times < first, self.pre, True),
            (times > last, self.post, False),
        ):
            if infinity != Infinity.CONSTANT and outside.any():
                values[outside] = self._beyond(times[outside], infinity, start)
        return values

    def _beyond(self, times: Floats, infinity: int, before: bool) -> Floats:
        """Values outside the keys, on one side."""
        first, last = self.times[0], self.times[-1]
        edge, end = (first, 0) if before else (last, -1)
        if infinity == Infinity.LINEAR:
            x, y = (self.in_x[0], self.in_y[0]) if before else (self.out_x[-1], self.out_y[-1])
            slope = y / x if abs(x) > _AT_KEY else 0.0
            return np.asarray(self.values[end] + slope * (times - edge))
        if infinity not in (Infinity.CYCLE, Infinity.CYCLE_OFFSET, Infinity.OSCILLATE):
            return np.full(times.shape, self.values[end])
        with np.errstate(over="ignore", invalid="ignore"):
            whole, into = np.divmod(np.abs(times - edge) / (last - first), 1.0)
        cycles, part = whole + 1.0, into * (last - first)
        # The first cycle of an oscillation runs back from the edge, the second forth again.
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
        out_kind, in_kind = self.out_types[left], self.in_types[left + 1]
        linear = (out_kind == TangentType.LINEAR) & (in_kind == TangentType.LINEAR)
        step, step_next = out_kind == TangentType.STEP, out_kind == TangentType.STEP_NEXT
        start, end = self.values[left], self.values[left + 1]
        since, until = times - self.times[left], self.times[left + 1] - times
        values = start + (end - start) * (since / (since + until))
        values = np.where(step, start, np.where(step_next, end, values))
        cubic = ~(linear | step | step_next)
        values[cubic] = self._cubic(times[cubic], left[cubic])
        nearest = np.where(since <= until, start, end)
        return np.where(np.minimum(since, until) <= _AT_KEY, nearest, values)

    def _cubic(self, times: Floats, left: Integers) -> Floats:
        spans = self.times[left + 1] - self.times[left]
        fraction = (times - self.times[left]) / spans
        start, end = self.values[left], self.values[left + 1]
        tangents = (
            self.out_x[left] / spans,
            self.out_y[left],
            self.in_x[left + 1] / spans,
            self.in_y[left + 1],
        )
        return (bezier_spans if self.weighted else _hermite_spans)(fraction, start, end, *tangents)


def _hermite_spans(
    fraction: Floats, start: Floats, end: Floats, x0: Floats, y0: Floats, x1: Floats, y1: Floats
) -> Floats:
    """Cubics in time from end values and tangents; the x of tangents are parts of the span."""
    rise = end - start
    straight = (np.abs(y0 - rise * x0) <= _STRAIGHT * np.abs(y0)) & (
        np.abs(y1 - rise * x1) <= _STRAIGHT * np.abs(y1)
    )
    m0, m1 = (np.where(straight, rise, _slopes(*tangent)) for tangent in ((x0, y0), (x1, y1)))
    cubic, square = m0 + m1 - 2.0 * rise, 3.0 * rise - 2.0 * m0 - m1
    return np.asarray(start + fraction * (m0 + fraction * (square + fraction * cubic)))


def _slopes(x: Floats, y: Floats) -> Floats:
    """Slopes of tangents; one that stands upright is flat."""
    upright = np.abs(x) <= np.abs(y) / _STEEPEST
    return np.asarray(np.where(upright, 0.0, y / np.where(upright, 1.0, x)))


def _columns(*given: ArrayLike) -> list[Floats]:
    """One-dimensional arrays of the same length."""
    columns = [np.atleast_1d(np.asarray(column, dtype=np.float64)) for column in given]
    shapes = {column.shape for column in columns}
    if len(shapes) != 1 or columns[0].ndim != 1:
        raise ValueError(f"keys, types and tangents have different shapes: {sorted(shapes)}")
    return columns


def _kept(times: Floats) -> Integers:
    """Order of the keys by time; of keys at the same time only the last."""
    order = np.argsort(times, kind="stable")
    ordered = times[order]
    last_of_its_time = np.append(ordered[1:] != ordered[:-1], np.ones(min(len(times), 1), bool))
    return np.asarray(order[last_of_its_time])


def _with_stored(
    computed: tuple[Floats, Floats], types: Integers, x: Floats, y: Floats
) -> tuple[Floats, Floats]:
    """Computed tangents, with those of fixed type replaced where the scene stores them."""
    stored = (types == TangentType.FIXED) & np.isfinite(x) & np.isfinite(y)
    return np.where(stored, x, computed[0]), np.where(stored, y, computed[1])
