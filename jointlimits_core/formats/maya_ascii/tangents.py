"""Tangents that a scene names but does not store.

A Maya ASCII scene stores the numbers of *fixed* tangents only; for every other type it stores the
name, and the tangent follows from the neighbouring keys. All types but the steps reduce to a slope,
so a tangent is ``(x, slope * x)`` with x the length of the span that it points into.

Where the rules come from: automatic tangents agree with Autodesk's open evaluator (animx), spline
and plateau follow the description of MFnAnimCurve and public evaluators. Assumptions, no source
having been found: slow, fast and their likes lie on the chord; "auto custom" is read as "auto";
"very close" for clamped tangents means :data:`CLAMP_TOLERANCE`.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from ...arrays import Booleans, Floats, Integers

#: Neighbours closer than this in value, in the curve's unit, flatten a clamped tangent.
CLAMP_TOLERANCE = 0.05


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

    Parameters
    ----------
    times : array, shape (keys,)
        Seconds, strictly increasing.
    values : array, shape (keys,)
    types : array of int, shape (keys,)
        :class:`TangentType` of each key on this side. Fixed tangents, and types that are not
        known, come out flat.
    incoming : bool
        True for the side that enters the key, False for the side that leaves it.

    Returns
    -------
    x, y : arrays, shapes (keys,)
        Seconds and units of `values`; three times the reach of the Bezier handle. A step has
        neither.
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
