"""Both evaluators of curves against values that Maya and MotionBuilder gave at 800 times.

Keys, tangents and values are in oracle/maya_numbers/curve_samples.json in the shared data.
"""

from __future__ import annotations

import json
from functools import cache

import numpy as np
import pytest

from jointlimits_core.rig.curves import AnimCurve
from tests.maya_standin import curves
from tests.support.shared_data import shared_path

WHOLE_WEIGHT = 9999.0
"""Weights are stored in parts of this; read as parts of 10000 they are off by up to 6e-4."""
TICK = 1.0 / curves.TICKS_PER_SECOND
FIXED, LINEAR, STEP, SPLINE, CLAMPED, STEP_NEXT, AUTO = 1, 2, 5, 9, 10, 17, 18
LINEAR_INFINITY, CYCLE, CYCLE_OFFSET, OSCILLATE = 1, 3, 4, 5
OUTSIDE = {
    "maya_anim_extrapolation": ((CYCLE_OFFSET, np.inf), (CYCLE, np.inf)),
    "motionbuilder_extrapolation_slope": ((LINEAR_INFINITY, np.inf), (LINEAR_INFINITY, np.inf)),
    "motionbuilder_extrapolation_mirror_count": ((OSCILLATE, 2), (OSCILLATE, 3)),
    "motionbuilder_extrapolation_repeat_count": ((CYCLE, 2), (CYCLE, 0)),
    "motionbuilder_extrapolation_relative_count": ((CYCLE_OFFSET, 2), (CYCLE_OFFSET, 1)),
}
"""Behaviour before and after the keys and number of repetitions, as the files have them."""
BY_RULE = {
    "maya_tangent_spline": SPLINE,
    "maya_resampled": AUTO,
    "maya_anim_extrapolation": AUTO,
    "motionbuilder_tangent_spline_clamp": CLAMPED,
}
"""Files whose flags name a tangent type that Maya has too."""


@cache
def stored_curves():
    document = json.loads(shared_path("oracle/maya_numbers/curve_samples.json").read_text())
    return {curve["id"]: curve for curve in document["curves"]}


def kinds(keys, smooth):
    """Tangent types that enter and leave the keys: a span has the interpolation of its first."""
    entering, leaving = [smooth] * (len(keys) + 1), [smooth] * len(keys)
    for index, key in enumerate(keys):
        (how,) = key["interpolation"]
        if how == "constant":
            leaving[index] = STEP_NEXT if key["constant_next"] else STEP
        elif how == "linear":
            leaving[index] = LINEAR
            entering[index + 1] = LINEAR
    return entering[: len(keys)], leaving


def tangents(keys):
    """Stored tangents that enter and leave the keys, three times as long as their handles."""
    entering = np.array([key["ufbx_left_tangent_seconds_value"] for key in keys]) * 3.0
    leaving = np.array([key["ufbx_right_tangent_seconds_value"] for key in keys]) * 3.0
    entering[0], leaving[-1] = leaving[0], entering[-1]
    for index, (key, after) in enumerate(zip(keys, keys[1:])):
        span, word = after["seconds"] - key["seconds"], int(key["weights_word"])
        for one, bit, weight in (
            (leaving[index], "right", word & 0xFFFF),
            (entering[index + 1], "next_left", word >> 16),
        ):
            part = weight / WHOLE_WEIGHT if key["weight_bits"][bit] else 1.0 / 3.0
            if one[0] > 0.0:
                one *= 3.0 * part * span / one[0]
    return entering, leaving


def columns(curve, smooth):
    """Arguments of both evaluators: times, values, types and stored tangents."""
    keys = curve["keys"]
    times, values = ([key[name] for key in keys] for name in ("seconds", "value"))
    weighted = any(any(key["weight_bits"].values()) for key in keys)
    (pre, _), (post, _) = OUTSIDE.get(curve["id"], ((0, 0), (0, 0)))
    settings = {"weighted": weighted, "pre": pre, "post": post}
    return times, values, *kinds(keys, smooth), *tangents(keys), settings


def by_the_program(curve, times, smooth=FIXED):
    t, v, in_types, out_types, ins, outs, settings = columns(curve, smooth)
    sides = {"in_types": in_types, "out_types": out_types}
    for name, column in (("in", ins), ("out", outs)):
        sides[f"{name}_x"], sides[f"{name}_y"] = column.T
    return AnimCurve.from_keys(t, v, **sides, **settings).evaluate(times)


def by_the_stand_in(curve, times, smooth=FIXED):
    t, v, in_types, out_types, ins, outs, settings = columns(curve, smooth)
    pairs = [tuple(map(float, pair)) for pair in ins], [tuple(map(float, pair)) for pair in outs]
    return np.array(
        curves.evaluate(curves.Keys(t, v, in_types, out_types, *pairs, **settings), times)
    )


EVALUATORS = pytest.mark.parametrize("evaluated", [by_the_program, by_the_stand_in])


def errors(curve, evaluated, smooth=FIXED):
    """Differences from the stored values, relative to those above 1.

    Maya's curves repeat for ever: repetitions end here by holding the time, just inside the last.
    """
    seconds = [key["seconds"] for key in curve["keys"]]
    first, last = seconds[0], seconds[-1]
    times, wanted = np.array([(one["seconds"], one["value"]) for one in curve["samples"]]).T
    (_, before), (_, after) = OUTSIDE.get(curve["id"], ((0, np.inf), (0, np.inf)))
    length = last - first
    times = np.clip(times, first - before * length + TICK, last + after * length)
    return np.abs(evaluated(curve, times, smooth) - wanted) / np.maximum(1.0, np.abs(wanted))


@EVALUATORS
def test_every_sample_is_reproduced_from_the_stored_tangents(evaluated):
    """All 21 curves, 800 samples, to the tolerance of each; without the resampled one to 1e-5."""
    worst = {name: errors(curve, evaluated).max() for name, curve in stored_curves().items()}
    assert len(worst) == 21
    assert sum(len(curve["samples"]) for curve in stored_curves().values()) == 800
    for name, curve in stored_curves().items():
        assert worst[name] <= curve["tolerance"], (name, worst[name])
    assert max(worst[name] for name in worst if name != "maya_resampled") < 1e-5


@EVALUATORS
@pytest.mark.parametrize(("name", "rule"), BY_RULE.items())
def test_rules_give_the_tangents_that_were_not_stored(evaluated, name, rule):
    curve = stored_curves()[name]
    assert errors(curve, evaluated, rule).max() <= curve["tolerance"]


@EVALUATORS
@pytest.mark.parametrize("name", BY_RULE)
def test_samples_tell_the_rules_apart(evaluated, name):
    curve = stored_curves()[name]
    for other in {SPLINE, CLAMPED, AUTO} - {BY_RULE[name]}:
        assert errors(curve, evaluated, other).max() > curve["tolerance"]


@pytest.mark.parametrize("infinity", [CYCLE, CYCLE_OFFSET, OSCILLATE])
def test_whole_frames_at_edges_of_cycles_are_the_edge_key(infinity):
    """A cycle's last frame is the next one's first, whatever the rounding of seconds.

    Maya gives frame 47 of a cycle from frame 1 to 24 the first key's value, not the last one's.
    """
    for rate, first, last in ((24.0, 1, 24), (30.0, 7, 20), (29.97, 0, 7), (60.0, -11, 2)):
        keys = np.array([first, last]) / rate
        beyond = (last + (last - first) * np.arange(1, 400)) / rate
        before = (first - (last - first) * np.arange(1, 400)) / rate
        linear = {"in_types": [LINEAR] * 2, "out_types": [LINEAR] * 2}
        curve = AnimCurve.from_keys(keys, [0.0, 10.0], **linear, pre=infinity, post=infinity)
        same = curves.Keys(keys, (0.0, 10.0), **linear, pre=infinity, post=infinity)
        count = np.arange(1, 400)
        after, earlier = {
            CYCLE: (0.0 * count, 0.0 * count + 10.0),
            CYCLE_OFFSET: (10.0 + 10.0 * count, -10.0 * count),
            OSCILLATE: (10.0 * ((count + 1) % 2), 10.0 * (count % 2)),
        }[infinity]
        for times, wanted in ((beyond, after), (before, earlier)):
            np.testing.assert_allclose(curve.evaluate(times), wanted, atol=1e-6)
            np.testing.assert_allclose(curves.evaluate(same, times), wanted, atol=1e-6)
