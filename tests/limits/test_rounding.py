"""Limits and residuals that mean a round number are that number, in every file that is written."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.limits.limit_set import LimitSet
from jointlimits_core.limits.records import without_rounding_error
from jointlimits_core.rig.limit_plan import changes_from_limit_set
from tests.support.made_motion import clip, rotate, there_and_back


@given(st.floats(-1e7, 1e7), st.floats(-1e7, 1e7))
def test_no_value_moves_by_more_than_a_billionth_and_none_overtakes(first, second):
    assert abs(without_rounding_error(first) - first) <= 1e-9
    assert without_rounding_error(without_rounding_error(first)) == without_rounding_error(first)
    low, high = sorted((first, second))
    assert without_rounding_error(low) <= without_rounding_error(high)


def nearly_round():
    """Keys that mean 0, 30 and 60 degrees, as trigonometry leaves them."""
    curve = there_and_back(0.0, 60.0, 41)
    curve = np.degrees(2.0 * np.arctan(np.tan(np.radians(0.5 * curve)))) + 7e-15
    curve[0] = -1.7e-30
    return clip({"arm": rotate(x=curve, y=30.000000000000004)})


def test_limits_and_residuals_of_an_estimate():
    arm = estimate(nearly_round()).joints["arm"]
    x, y = arm.limits["rotateX"], arm.limits["rotateY"]
    assert (x.min_deg, x.max_deg, x.source.max.value_deg) == (0.0, 60.0, 60.0)
    assert (y.min_deg, y.max_deg) == (30.0, 30.0)
    evidence = replace(arm.evidence, residual_deg={"hinge": 4e-16, "fixed": None})
    assert evidence.residual_deg == {"hinge": 0.0, "fixed": None}
    assert arm.rest.outside_deg == 30.0


def test_the_same_number_in_json_in_scripts_and_in_maya():
    limit_set = estimate(nearly_round())
    written = json.loads(limit_set.to_json())["joints"]["arm"]["limits"]["rotateX"]
    assert (written["min_deg"], written["max_deg"]) == (0.0, 60.0)
    change = changes_from_limit_set(limit_set, False)["arm"]
    assert change.limits_deg["rotateX"] == (0.0, 60.0)
    assert LimitSet.from_json(limit_set.to_json()) == limit_set
